--- The command line: verbs, options, exit codes, and what is written.
local lfs = require 'lfs'
local unit = require 'luaunit'
local json = require 'dkjson'
local support = require 'support'

--- A user's layers: every kind, small.
local layers = [[
schema(1)
ffn 'block' {
  about = 'A block',
  variant = 'swiglu', d_model = 12, d_ff = llama_d_ff { multiple_of = 8 }, d_out = 7,
}
mlp 'head' {
  d_model = 10, layers = { { 17, 'swish', beta = -0.5 }, { 3, 'sigmoid' } }, bias = true,
}
linear 'map' { d_model = 5, d_out = 33, bias = true }
glu 'gate' { variant = 'swiglu_beta', d_model = 9, d_out = 4 }
selfgate 'self' { activation = 'gelu', d_model = 6 }
]]

local layer_names = {
  'ffn_swiglu_d12_f32_o7_f32', 'glu_swiglu_beta_d9_o4_f32', 'linear_bias_d5_o33_f32',
  'mlp_10_swish_betam0p5x17_sigmoid3_bias_f32', 'selfgate_gelu_d6_f32',
}
local runtime_files = {
  'ffn.c', 'ffn.h', 'ffn.hpp', 'kernel.h', 'registry.c', 'cpu.c', 'reference.h', 'reference.c',
  'selfcheck.c',
}
local isas = { 'avx2', 'avx512', 'c', 'neon', 'wasm' }

--- A folder with my.lua.
local function user_folder(text)
  local folder = support.folder()
  support.write(folder .. '/my.lua', text or layers)
  return folder
end

local function generate(folder, ...)
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out', ... }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  return result
end

--- The kernels in a folder's files, sorted.
local function kernels_in(folder)
  local names = {}
  for _, path in ipairs(support.keys(support.snapshot(folder))) do
    names[#names + 1] = path:match('^(%w+_.*_f32_%w+)%.c$')
  end
  return names
end

local function expected_kernels(wanted_isas)
  local names = {}
  for _, layer in ipairs(layer_names) do
    for _, isa in ipairs(wanted_isas) do names[#names + 1] = layer .. '_' .. isa end
  end
  table.sort(names)
  return names
end

local long_ago = 1000000000

local function age(folder)
  for _, path in ipairs(support.keys(support.snapshot(folder))) do
    assert(lfs.touch(folder .. '/' .. path, long_ago, long_ago))
  end
end

local function time_of(path) return lfs.attributes(path, 'modification') end

-- Help and usage -------------------------------------------------------------------------------

TestUsage = {}

function TestUsage.test_help()
  local help = support.ffngen { '--help' }
  support.assert_code(help, 0, '--help')
  unit.assertEquals(help.err, '')
  for _, part in ipairs {
    'Examples:', 'ffngen generate my.lua --out kernels/', 'ffngen check',
    'ffngen explain gpt2_124m',
    'ffngen list --json', "variant = 'swiglu'", '--version', 'Exit codes: 0 ok, 1 failure, 2 usage',
    '3 check', '4 bad input',
  } do
    support.assert_has(help.out, part, '--help')
  end
  for _, verb in ipairs {
    'generate', 'vendor', 'check', 'explain', 'list', 'activations', 'packaging', 'tune', 'plot',
  } do
    support.assert_has(help.out, '\n   ' .. verb, '--help')
    local one = support.ffngen { verb, '--help' }
    support.assert_code(one, 0, verb .. ' --help')
    support.assert_has(one.out, 'Usage: ffngen ' .. verb, verb .. ' --help')
    unit.assertEquals(support.ffngen({ 'help', verb }).out, one.out, 'help ' .. verb)
  end
  unit.assertEquals(support.ffngen({ 'help' }).out, help.out, 'help')
end

--- The examples of the help do what they say. The picture is TestPlot's in short form.
function TestUsage.test_examples_of_the_help()
  local help = support.ffngen({ '--help' }).out
  local folder = user_folder(help:match('\n  (ffn [^\n]+)\n'))
  local count = 0
  for line in help:match('Examples:\n(.-)\n\n'):gmatch('[^\n]+') do
    local command = line:match('^  ffngen (.-)   ') or line:match('^  ffngen (.*)$')
    local arguments = {}
    for word in command:gmatch('%S+') do arguments[#arguments + 1] = word end
    -- tests/scripts/tune.sh measures in earnest.
    if arguments[1] == 'tune' then arguments[#arguments + 1] = '--dry-run' end
    local is_another = not support.full and arguments[1] == 'plot'
    if is_another then
      unit.assertEquals(arguments, { 'plot', 'gelu', 'relu' })
    else
      support.assert_code(support.ffngen(arguments, { dir = folder }), 0, line)
    end
    count = count + 1
  end
  unit.assertTrue(count >= 5)
end

function TestUsage.test_version()
  unit.assertEquals(support.ffngen({ '-v' }).out, support.ffngen({ '--version' }).out)
  local version = dofile(support.project .. '/generator/common/version.lua')
  local result = support.ffngen { '--version' }
  support.assert_code(result, 0, '--version')
  unit.assertEquals(result.out, ('ffngen %s (runtime ABI %d, spec schema %d)\n'):format(
    version.generator, version.abi, version.schema))
  unit.assertStrMatches(version.generator, '%d+%.%d+%.%d+')
  local header = support.read(support.project .. '/runtime/ffn.h')
    .. support.read(support.project .. '/runtime/kernel.h')
  unit.assertEquals(header:match('#define FFN_ABI (%d+)'), tostring(version.abi))
end

--- What was asked for and did not arrive is no success.
function TestUsage.test_lost_output()
  if not support.exists('/dev/full') then unit.skip('no /dev/full') end
  local folder = user_folder()
  local to_nowhere = { dir = folder, before = 'exec 3>/dev/full;' }
  for _, arguments in ipairs {
    { 'list' }, { 'list', '--json' }, { 'explain', 'gpt2_124m' }, { '--help' }, { '--version' },
    { 'vendor', 'my.lua', '--out', 'out', '--dry-run' }, { 'generate', '--help' },
    { 'vendor', 'my.lua', '--out', 'out', '--dry-run', '--json' },
    { 'generate', 'my.lua', '--out', 'out', '--dry-run' },
    { 'generate', 'my.lua', '--out', 'written' },
  } do
    local what = 'ffngen ' .. table.concat(arguments, ' ')
    local words = { 'sh', '-c', '"$@" >&3', 'sh', support.project .. '/ffngen',
      table.unpack(arguments) }
    local result = support.run(words, to_nowhere)
    support.assert_code(result, 1, what)
    unit.assertEquals(result.out, '', what)
    support.assert_has(result.err, 'standard output: ', what)
    support.assert_has(result.err, 'what was printed is lost', what)
    support.assert_lacks(result.err, 'nothing was written', what)
    support.assert_lacks(result.err, 'traceback', what)
  end
  unit.assertFalse(support.exists(folder .. '/out'))
end

function TestUsage.test_usage_errors()
  local folder = user_folder()
  local before = support.snapshot(folder)
  for _, case in ipairs {
    { {}, 'a command is required\nUsage: ffngen [-h] [-v] <command>' },
    { { 'help', 'frob' }, 'frob' },
    { { 'generate', '--frob' }, 'see ffngen generate --help' },
    { { 'generate', 'my.lua', '--out', 'out', '--tuned', 'x', '--tuned-for', '../../etc/passwd' },
      '"../../etc/passwd" is no name of a CPU' },
    { { 'frob' }, 'frob' },
    { { 'genrate' }, 'genrate' },
    { { '--frob' }, '--frob' },
    { { 'generate', 'my.lua' }, '--out DIR' },
    { { 'generate', 'my.lua', '--out' }, '--out' },
    { { 'generate', 'my.lua', '--out', '' }, 'not empty' },
    { { 'generate', 'my.lua', '--out', 'out', '--frob' }, '--frob' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', 'avx3' },
      'unknown isa "avx3" (did you mean "avx2"?)' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', 'c,,avx2' }, 'unknown isa ""' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', '' }, 'unknown isa ""' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa', 'AVX2' }, '(did you mean "avx2"?)' },
    { { 'generate', 'my.lua', '--out', 'out', '--isa' }, '--isa' },
    { { 'generate', '--out', 'out' }, '--out goes with spec files' },
    { { 'generate', '--isa', 'c' }, '--isa goes with spec files' },
    { { 'generate', '--cpu', 'generic' }, '--cpu goes with spec files' },
    { { 'generate', 'my.lua', '--out', 'out', '--cpu', 'genric' },
      'unknown cpu "genric" (did you mean "generic"?)' },
    { { 'explain', 'block', 'my.lua', '--cpu', '' }, 'unknown cpu ""' },
    { { 'check', 'my.lua' }, 'too many arguments' },
    { { 'explain' }, 'name' },
    { { 'list', '--xml' }, '--xml' },
    { { 'generate', '--tuned', 'auto' }, 'goes with spec files' },
    { { 'generate', 'my.lua', '--out', 'out', '--tuned-for', 'x' }, 'goes with --tuned' },
    { { 'tune' }, 'spec' },
    { { 'tune', 'my.lua', '--budget', '0' }, 'whole number' },
    { { 'tune', 'my.lua', '--budget', 'soon' }, 'whole number' },
    { { 'tune', 'my.lua', '--tuned-for', 'a b' }, 'no name of a CPU' },
    { { 'tune', 'my.lua', '--isa', 'avx3' }, '(did you mean "avx2"?)' },
    { { 'activations' }, '--out' },
    { { 'activations', '--out', '' }, 'not empty' },
    { { 'packaging' }, '--out' },
  } do
    local arguments, part = case[1], case[2]
    local what = 'ffngen ' .. table.concat(arguments, ' ')
    local result = support.ffngen(arguments, { dir = folder })
    support.assert_code(result, 2, what)
    unit.assertEquals(result.out, '', what)
    support.assert_has(result.err, part, what)
    unit.assertEquals(result.err:sub(1, 8), 'ffngen: ', what)
    support.assert_lacks(result.err, 'traceback', what)
    support.assert_same(support.snapshot(folder), before, what)
  end
end

-- Generate -------------------------------------------------------------------------------------

TestGenerate = {}

function TestGenerate.test_files()
  local folder = user_folder()
  local result = generate(folder)
  local expected = { 'activations.inc', 'kernels.inc' }
  for _, file in ipairs(runtime_files) do expected[#expected + 1] = file end
  for _, name in ipairs(expected_kernels(isas)) do expected[#expected + 1] = name .. '.c' end
  -- What the runtime consists of is main.lua's to say; here: nothing without a reason.
  local found = support.snapshot(folder .. '/out')
  for _, path in ipairs(expected) do unit.assertNotNil(found[path], path) end
  for _, path in ipairs(support.keys(found)) do
    unit.assertTrue((path:match('^[%w_]+%.[ch]$') or path:match('^[%w_]+%.inc$')
      or path == 'ffn.hpp') ~= nil, path)
  end
  unit.assertEquals(kernels_in(folder .. '/out'), expected_kernels(isas))
  unit.assertEquals(result.out, 'cd out && cc -O2 -I. *.c -lm -o selfcheck && ./selfcheck\n')
  unit.assertStrMatches(result.err, 'ffngen: %d+ files in out/, %d+ changed\n')
  local listed = {}
  for symbol in found['kernels.inc']:gmatch('FFN_KERNEL%(([%w_]+)%)\n') do
    listed[#listed + 1] = symbol
  end
  table.sort(listed)
  unit.assertEquals(listed, expected_kernels(isas))
  for _, name in ipairs(expected_kernels(isas)) do
    support.assert_has(found[name .. '.c'], name, name .. '.c')
    support.assert_has(found[name .. '.c'], 'SPDX-License-Identifier: 0BSD OR MIT-0', name)
  end
end

function TestGenerate.test_dry_run()
  local folder = user_folder()
  local before = support.snapshot(folder)
  local dry = generate(folder, '--dry-run')
  support.assert_same(support.snapshot(folder), before, '--dry-run')
  generate(folder)
  local made = support.snapshot(folder .. '/out')
  local announced = {}
  for size, path in dry.out:gmatch('new +(%d+)  ([^\n]+)\n') do announced[path] = tonumber(size) end
  unit.assertEquals(support.keys(announced), support.keys(made))
  for path, text in pairs(made) do unit.assertEquals(announced[path], #text, path) end
  local count = #support.keys(made)
  support.assert_has(dry.out, ('%d of %d files would change'):format(count, count), 'dry run')
  -- With changes of each kind.
  support.write(folder .. '/out/linear_bias_d5_o33_f32_c.c',
    made['linear_bias_d5_o33_f32_c.c'] .. '/* changed */\n')
  os.remove(folder .. '/out/ffn.h')
  support.write(folder .. '/out/linear_bias_d6_o33_f32_c.c',
    (made['linear_bias_d5_o33_f32_c.c']:gsub('d5_o33', 'd6_o33')))
  before = support.snapshot(folder)
  age(folder .. '/out')
  dry = generate(folder, '--dry-run')
  support.assert_same(support.snapshot(folder), before, '--dry-run over old output')
  for path in pairs(support.snapshot(folder .. '/out')) do
    unit.assertEquals(time_of(folder .. '/out/' .. path), long_ago, path)
  end
  for _, line in ipairs {
    'new +%d+  ffn%.h', 'changed +%d+  linear_bias_d5_o33_f32_c%.c',
    'stale +0  linear_bias_d6_o33_f32_c%.c', '3 of %d+ files would change, [^\n]*',
  } do
    unit.assertNotNil(('\n' .. dry.out):find('\n' .. line .. '\n'), line .. ' in ' .. dry.out)
  end
  unit.assertEquals(select(2, dry.out:gsub('\n', '')), 4)
end

function TestGenerate.test_unchanged_files_keep_their_time()
  local folder = user_folder()
  generate(folder)
  local made = support.snapshot(folder .. '/out')
  age(folder .. '/out')
  local again = generate(folder)
  support.assert_has(again.err, ', 0 changed', 'twice')
  for path in pairs(made) do
    unit.assertEquals(time_of(folder .. '/out/' .. path), long_ago, path)
  end
  -- One file changed: it alone is written.
  local changed = folder .. '/out/selfgate_gelu_d6_f32_c.c'
  support.write(changed, made['selfgate_gelu_d6_f32_c.c'] .. ' ')
  os.remove(folder .. '/out/kernel.h')
  again = generate(folder)
  support.assert_has(again.err, ', 2 changed', 'one changed, one missing')
  support.assert_same(support.snapshot(folder .. '/out'), made, 'made again')
  for path in pairs(made) do
    local fresh = path == 'selfgate_gelu_d6_f32_c.c' or path == 'kernel.h'
    unit.assertEquals(time_of(folder .. '/out/' .. path) > long_ago, fresh, path)
  end
end

--- What an earlier run left is removed; what the user put there stays.
function TestGenerate.test_left_over_files()
  local folder = user_folder()
  generate(folder)
  local mine = {
    ['main.c'] = 'int main(void) { return 0; }\n',
    ['ffn_relu_d4_f8_f32_c.c'] = '/* by hand */\n', -- a kernel's name, but not of our making
    ['notes.txt'] = 'Made by hand: ffngen generate\n',
    ['more.c'] = '/* Made by ffngen generate, and me */\n',
    ['ffn_relu_d4_f8_f32_neon.c'] = '/* copied from ffngen generate */\n',
  }
  for path, text in pairs(mine) do support.write(folder .. '/out/' .. path, text) end
  support.sh('mkdir', folder .. '/out/ffn_relu_d4_f8_f32_avx2.c')
  support.write(folder .. '/my.lua', "linear 'map' { d_model = 5, d_out = 33, bias = true }")
  generate(folder)
  local found = support.snapshot(folder .. '/out')
  for path, text in pairs(mine) do unit.assertEquals(found[path], text, path) end
  unit.assertEquals(found['ffn_relu_d4_f8_f32_avx2.c'], '(directory)')
  unit.assertEquals(kernels_in(folder .. '/out'), {
    'ffn_relu_d4_f8_f32_avx2', 'ffn_relu_d4_f8_f32_c', 'ffn_relu_d4_f8_f32_neon',
    'linear_bias_d5_o33_f32_avx2', 'linear_bias_d5_o33_f32_avx512', 'linear_bias_d5_o33_f32_c',
    'linear_bias_d5_o33_f32_neon', 'linear_bias_d5_o33_f32_wasm',
  })
end

--- Whatever stops a run: the folder is as it was, without temporary files.
local function check_nothing_done(folder, what, options, part)
  local before = support.snapshot(folder)
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out' }, options)
  support.assert_code(result, 1, what)
  unit.assertEquals(result.out, '', what)
  support.assert_has(result.err, part, what)
  support.assert_has(result.err, 'nothing was written', what)
  support.assert_lacks(result.err, 'traceback', what)
  support.assert_same(support.snapshot(folder), before, what)
end

function TestGenerate.test_all_or_nothing()
  -- A folder where a file shall go: the first, the last, of a new and of an old output.
  for _, path in ipairs {
    'ffn_swiglu_d12_f32_o7_f32_avx2.c', 'selfgate_gelu_d6_f32_neon.c', 'selfcheck.c',
    'kernels.inc',
  } do
    local folder = user_folder()
    support.sh('mkdir -p', folder .. '/out/' .. path .. '/inside')
    check_nothing_done(folder, path, { dir = folder }, path)
  end
  local folder = user_folder("linear 'map' { d_model = 5, d_out = 33, bias = true }")
  generate(folder)
  support.write(folder .. '/my.lua', layers)
  support.sh('mkdir', folder .. '/out/selfgate_gelu_d6_f32_neon.c')
  check_nothing_done(folder, 'over old output', { dir = folder }, 'selfgate_gelu_d6_f32_neon.c')
  -- A temporary file that cannot be opened.
  folder = user_folder()
  support.sh('mkdir -p', folder .. '/out/.ffngen.lock')
  check_nothing_done(folder, 'temporary', { dir = folder }, 'out/.ffngen.lock: is a directory')
end

--- A disk that is full, as far as a limit on the size of files can play it: what is written first
--- fits, a later file does not.
function TestGenerate.test_full_disk()
  local folder = user_folder()
  support.sh('mkdir', folder .. '/out')
  check_nothing_done(folder, 'full disk', { dir = folder, before = "trap '' XFSZ; ulimit -f 40;" },
    'File too large')
end

function TestGenerate.test_out_is_no_folder()
  local folder = user_folder()
  support.write(folder .. '/out', 'a file')
  check_nothing_done(folder, 'a file', { dir = folder }, 'out')
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'my.lua/out' }, { dir = folder })
  support.assert_code(result, 1, 'a folder in a file')
end

function TestGenerate.test_isa_filter()
  for list, wanted in pairs {
    c = { 'c' }, ['avx2,c'] = { 'avx2', 'c' }, ['neon,avx512,neon'] = { 'avx512', 'neon' },
    ['wasm,c,avx2,avx512,neon'] = isas,
  } do
    local folder = user_folder()
    generate(folder, '--isa', list)
    unit.assertEquals(kernels_in(folder .. '/out'), expected_kernels(wanted), list)
    local inc = support.read(folder .. '/out/kernels.inc')
    for _, isa in ipairs(isas) do
      local has = inc:find('_' .. isa .. ')', 1, true) ~= nil
      unit.assertEquals(has, (',' .. list .. ','):find(',' .. isa .. ',', 1, true) ~= nil, isa)
    end
  end
  -- What the spec does not build is not built.
  local folder = user_folder("linear 'a' { d_model = 4, d_out = 4, build = { { isa = { 'c' } } } }")
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--isa', 'neon' },
    { dir = folder })
  support.assert_code(result, 4, 'nothing left')
  support.assert_has(result.err, 'no kernel left', 'nothing left')
  unit.assertFalse(support.exists(folder .. '/out'))
  generate(folder, '--isa', 'neon,c')
  unit.assertEquals(kernels_in(folder .. '/out'), { 'linear_d4_o4_f32_c' })
end

--- Output folders of every spelling, from other folders, through a link to ffngen.
function TestGenerate.test_folders()
  local folder = user_folder()
  generate(folder, '--isa', 'c')
  local expected = support.snapshot(folder .. '/out')
  support.sh('mkdir -p', folder .. '/deep/er')
  support.sh('ln -s', support.project .. '/ffngen', folder .. '/link')
  for _, case in ipairs {
    { '.', 'my.lua', 'a b/c  d' }, { '.', './my.lua', "it's" }, { '.', 'my.lua', '-dash' },
    { '.', 'my.lua', './x/../y//z///' }, { 'deep/er', '../../my.lua', '../../up' },
    { 'deep', folder .. '/my.lua', folder .. '/absolute' }, { 'deep/er', '../../my.lua', '.' },
    { '.', 'my.lua', '$HOME;`x`"' }, { '.', 'my.lua', 'größe' },
  } do
    local dir, out = folder .. '/' .. case[1], case[3]
    local result = support.run({ folder .. '/link', 'generate', case[2], '--isa', 'c',
      '--out=' .. out }, { dir = dir })
    support.assert_code(result, 0, out)
    local place = out:match('^/') and out or dir .. '/' .. out
    support.assert_same(support.snapshot(place), expected, out)
    -- The printed line goes there.
    local cd = result.out:match('^(cd .*) && cc ')
    local where = support.run({ 'sh', '-c', cd .. ' && pwd -P' }, { dir = dir })
    support.assert_code(where, 0, out)
    unit.assertEquals(where.out, support.capture('cd ' .. support.quote(place) .. ' && pwd -P')
      .. '\n', out)
  end
end

--- The main.lua of a checkout, started in every way.
function TestGenerate.test_ways_to_start()
  local folder = user_folder()
  generate(folder, '--isa', 'c')
  local expected = support.snapshot(folder .. '/out')
  for i, case in ipairs {
    { '', 'generator/main.lua' }, { '/generator', 'main.lua' }, { '/generator', './main.lua' },
    { '/templates', '../generator/main.lua' }, { '', './generator/main.lua' },
    { '', support.project .. '/generator/main.lua' },
  } do
    local out = ('%s/way%d'):format(folder, i)
    local result = support.run({ 'lua5.4', case[2], 'generate', folder .. '/my.lua', '--isa', 'c',
      '--out', out }, { dir = support.project .. case[1] })
    support.assert_code(result, 0, case[2])
    support.assert_same(support.snapshot(out), expected, case[2])
  end
end

--- A user's own spec compiles with the printed line, and the self-check passes. In short form it
--- is not optimised, as README's is.
function TestGenerate.test_selfcheck()
  local layer_name = 'ffn_swiglu_d5_f8_o3_f32'
  local folder = user_folder(
    "ffn 'mine' { variant = 'swiglu', d_model = 5, d_ff = d_model * 8 // 5, d_out = 3 }")
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'my kernels' }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  unit.assertEquals(result.out,
    "cd 'my kernels' && cc -O2 -I. *.c -lm -o selfcheck && ./selfcheck\n")
  local level = support.full and '-O2' or '-O0'
  local compiled = support.run({ 'sh', '-c', (result.out:gsub('%-O2', level)) },
    { dir = folder, seconds = 120 })
  support.assert_code(compiled, 0, result.out)
  unit.assertEquals(compiled.err, '', 'warnings')
  local passed, failed, skipped = compiled.out:match('(%d+) passed, (%d+) failed, (%d+) skipped\n$')
  unit.assertEquals(failed, '0')
  -- Each kernel of this architecture was checked or skipped, and c never is.
  local here = ({ x86_64 = 3, aarch64 = 2 })[support.capture('uname -m')]
  if here then unit.assertEquals(tonumber(passed) + tonumber(skipped), here) end
  unit.assertStrMatches(compiled.out, '.*' .. layer_name .. '_c [^\n]*ok\n.*')
  -- It can fail: a product too many in one kernel.
  result = support.ffngen({ 'generate', 'my.lua', '--out', 'my kernels', '--isa', 'c' },
    { dir = folder })
  support.assert_code(result, 0, 'generate --isa c')
  local path = ('%s/my kernels/%s_c.c'):format(folder, layer_name)
  local text = support.read(path)
  local broken, count = text:gsub('act_silu%(gate%) %* up', '%0 * 1.001f')
  unit.assertTrue(count > 0, 'the kernel has no such line')
  support.write(path, broken)
  compiled = support.run({ 'sh', '-c', (result.out:gsub('%-O2', '-O0')) },
    { dir = folder, seconds = 120 })
  support.assert_code(compiled, 1, 'a broken kernel')
  support.assert_has(compiled.out, '1 failed', 'a broken kernel')
end

function TestGenerate.test_activations()
  local folder = support.folder()
  local function make()
    local result = support.ffngen({ 'activations', '--out', 'a/b' }, { dir = folder })
    support.assert_code(result, 0, 'activations')
  end
  make()
  local made = support.snapshot(folder .. '/a/b')
  unit.assertEquals(support.keys(made),
    { 'act_avx2.c', 'act_avx512.c', 'act_c.c', 'act_neon.c', 'act_wasm.c' })
  for _, path in ipairs(support.keys(made)) do
    for _, name in ipairs((require 'activation').names) do
      support.assert_has(made[path], name, path)
    end
  end
  age(folder .. '/a')
  make()
  for _, path in ipairs(support.keys(made)) do
    unit.assertEquals(time_of(folder .. '/a/b/' .. path), long_ago, path)
  end
end

-- Check ----------------------------------------------------------------------------------------

TestCheck = {}

function TestCheck:setUp()
  -- Every test leaves it fresh.
  if self.fresh and not support.full then return end
  self.project = self.project or support.copy_project('checked')
  local result = support.run { self.project .. '/ffngen', 'generate' }
  support.assert_code(result, 0, 'generate')
  unit.assertEquals(result.out, '')
  self.fresh = support.snapshot(self.project .. '/generated')
end

function TestCheck:check(code, ...)
  local before = support.snapshot(self.project .. '/generated')
  local result = support.run { self.project .. '/ffngen', 'check' }
  support.assert_code(result, code, 'check')
  unit.assertEquals(result.out, '')
  if code == 0 then unit.assertEquals(result.err, '') end
  for _, part in ipairs { ... } do support.assert_has(result.err, part, 'check') end
  if code == 3 then
    unit.assertStrMatches(result.err, '.*ffngen: Fix: ./ffngen generate\n')
    -- One line for every file, and the remedy.
    unit.assertEquals(select(2, result.err:gsub('\n', '')), select('#', ...) + 1)
  end
  support.assert_same(support.snapshot(self.project .. '/generated'), before, 'check')
end

--- The remedy that check names.
function TestCheck:fix()
  support.assert_code(support.run({ './ffngen', 'generate' }, { dir = self.project }), 0, 'Fix')
  support.assert_same(support.snapshot(self.project .. '/generated'), self.fresh, 'fixed')
  self:check(0)
end

function TestCheck:test_fresh() self:check(0) end

function TestCheck:test_changed()
  local path = self.project .. '/generated/linear_bias_d10_o5_f32_c.c'
  support.write(path, support.read(path):gsub('\n$', '\n\n'))
  self:check(3, 'generated/linear_bias_d10_o5_f32_c.c is not what its spec makes')
  self:fix()
end

function TestCheck:test_missing()
  assert(os.remove(self.project .. '/generated/linear_bias_d10_o5_f32_neon.c'))
  assert(os.remove(self.project .. '/generated/isas.inc'))
  self:check(3, 'generated/linear_bias_d10_o5_f32_neon.c is missing',
    'generated/isas.inc is missing')
  self:fix()
end

function TestCheck:test_left_over()
  local kernel = support.read(self.project .. '/generated/linear_bias_d10_o5_f32_c.c')
  support.write(self.project .. '/generated/linear_bias_d11_o5_f32_c.c',
    (kernel:gsub('d10_o5', 'd11_o5')))
  support.sh('cp', self.project .. '/generated/kernels.inc',
    self.project .. '/generated/older.inc')
  self:check(3, 'generated/linear_bias_d11_o5_f32_c.c is left over',
    'generated/older.inc is left over')
  self:fix()
end

function TestCheck:test_everything_missing()
  support.sh('rm -rf', self.project .. '/generated')
  local result = support.run { self.project .. '/ffngen', 'check' }
  support.assert_code(result, 3, 'check')
  unit.assertFalse(support.exists(self.project .. '/generated'))
  self:fix()
end

--- A change of the generator shows: a template, a spec.
function TestCheck:test_stale_sources()
  for _, source in ipairs { 'templates/kernel/file.c.tpl', 'generator/specs/lessons.lua' } do
    local path = self.project .. '/' .. source
    local text = support.read(path)
    support.write(path, source:match('tpl$') and text:gsub('\n#include', '\n\n#include', 1)
      or text .. "\nlinear 'one_more' { d_model = 3, d_out = 77 }\n")
    local result = support.run { self.project .. '/ffngen', 'check' }
    support.assert_code(result, 3, source)
    support.assert_has(result.err, source:match('tpl$') and 'is not what its spec makes'
      or 'generated/linear_d3_o77_f32_c.c is missing', source)
    support.write(path, text)
    self:check(0)
  end
end

-- Explain and list -----------------------------------------------------------------------------

TestExplain = {}

function TestExplain.test_names()
  for _, name in ipairs {
    'gpt2_124m', 'ffn_gelu_tanh_bias_d768_f3072_f32', 'ffn_gelu_tanh_bias_d768_f3072_f32_avx2',
  } do
    local result = support.ffngen { 'explain', name }
    support.assert_code(result, 0, name)
    unit.assertEquals(result.err, '')
    for _, part in ipairs {
      'spec gpt2_124m (models.lua:', 'gelu_tanh', 'layer ffn_gelu_tanh_bias_d768_f3072_f32\n',
      'h = gelu_tanh(x W_up^T + b_up)', 'y = h W_down^T + b_down', '768 -> 3072', '3072 -> 768',
      '9437184 flop per token', 'plan ffn_gelu_tanh_bias_d768_f3072_f32_avx2\n', 'of 16 registers',
      'packed weights 18.0 MiB',
    } do
      support.assert_has(result.out, part, name)
    end
    -- A kernel's name gives its plan alone, the others give all.
    local plans = select(2, result.out:gsub('\nplan ', ''))
    unit.assertEquals(plans, name:match('avx2$') and 1 or 5, name)
  end
end

function TestExplain.test_own_spec()
  local folder = user_folder()
  for name, part in pairs {
    block = 'ffn swiglu, d_model 12, d_ff 32, d_out 7, no bias', head = 'beta = -0.5',
    gate = 'run-time beta', self = 'y = x * gelu(x W^T)', map = 'linear_bias_d5_o33_f32',
    linear_bias_d5_o33_f32_c = 'portable C11',
  } do
    local result = support.ffngen({ 'explain', name, 'my.lua' }, { dir = folder })
    support.assert_code(result, 0, name)
    support.assert_has(result.out, part, name)
    support.assert_has(result.out, '(my.lua:', name)
  end
end

function TestExplain.test_unknown_name()
  for name, part in pairs {
    gpt2_125m = 'did you mean "gpt2_124m"?',
    linear_bias_d10_o6_f32_c = 'did you mean "linear_bias_d10_o5_f32_c"?',
    nothing_like_it_at_all = 'see ffngen list, and for layers of your own: ffngen explain NAME',
    [('x'):rep(100000)] = 'see ffngen list',
    ['a\27[31mb'] = 'see ffngen list',
  } do
    local result = support.ffngen { 'explain', name }
    support.assert_code(result, 4, name:sub(1, 50))
    unit.assertEquals(result.out, '')
    support.assert_has(result.err, part, name:sub(1, 50))
    unit.assertTrue(#result.err < 400)
    support.assert_lacks(result.err, '\27', name:sub(1, 50))
  end
  -- Of a user's file, whose names are listed where they are few.
  local folder = user_folder()
  local result = support.ffngen({ 'explain', 'nothing', 'my.lua' }, { dir = folder })
  support.assert_has(result.err, 'see ffngen list my.lua', 'own spec')
end

TestList = {}

--- The same kernels in text, in JSON, and in kernels.inc.
function TestList.test_json()
  for _, specs in ipairs { {}, { 'my.lua' } } do
    local dir = user_folder()
    local result = support.ffngen({ 'list', '--json', table.unpack(specs) }, { dir = dir })
    support.assert_code(result, 0, 'list --json')
    unit.assertEquals(result.err, '')
    local list, position, problem = json.decode(result.out)
    unit.assertNil(problem)
    unit.assertStrMatches(result.out:sub(position), '%s*')
    unit.assertEquals(list.schema, 1)
    local text = support.ffngen({ 'list', table.unpack(specs) }, { dir = dir })
    support.assert_code(text, 0, 'list')
    local lines = {}
    for line in text.out:gmatch('[^\n]+') do lines[#lines + 1] = line end
    unit.assertEquals(#lines, #list.kernels)
    unit.assertTrue(#lines >= 4 * #layer_names)
    local name = require 'lower.name'
    for i, kernel in ipairs(list.kernels) do
      unit.assertEquals(lines[i]:match('^%S+'), kernel.name)
      unit.assertEquals(lines[i]:match('^%S+ +(.*)$'), name.describe(kernel.name))
      for _, field in ipairs { 'inputs', 'hidden', 'outputs', 'flop_per_token', 'packed_bytes',
        'work_bytes' } do
        unit.assertEquals(math.type(kernel[field]), 'integer', kernel.name .. ' ' .. field)
      end
      unit.assertEquals(type(kernel.bias), 'boolean')
      local decoded = name.decode(kernel.name)
      unit.assertEquals(kernel.isa, decoded.isa)
      unit.assertEquals(kernel.kind, decoded.kind)
      unit.assertEquals(kernel.dtype, 'f32')
      unit.assertEquals(kernel.inputs, decoded.d_model)
      unit.assertEquals(kernel.hidden, decoded.d_ff or 0)
      unit.assertEquals(kernel.layer .. '_' .. kernel.isa, kernel.name)
      unit.assertStrMatches(kernel.spec, '[%a_][%w_]*')
      unit.assertTrue(kernel.flop_per_token > 0 and kernel.packed_bytes > 0)
    end
    for i = 2, #list.kernels do
      unit.assertTrue(list.kernels[i - 1].name < list.kernels[i].name, 'sorted')
    end
  end
end
