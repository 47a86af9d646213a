--- `ffngen generate` and `activations`: options, and what is written.
local lfs = require 'lfs'
local unit = require 'luaunit'
local support = require 'support'

local runtime_files = {
  'ffn.c', 'ffn.h', 'ffn.hpp', 'ffn_arrange.h', 'kernel.h', 'registry.c', 'cpu.c', 'reference.h',
  'reference.c', 'reference_s8.c', 'selfcheck.c',
}
local isas = { 'avx2', 'avx512', 'c', 'neon', 'wasm' }

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
  for _, layer in ipairs(support.layer_names) do
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

TestGenerate = {}

function TestGenerate.test_files()
  local folder = support.user_folder(support.layers)
  local result = generate(folder)
  local expected = { 'activations.inc', 'activations_f32.inc', 'integers.inc', 'kernels.inc' }
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
  local folder = support.user_folder(support.layers)
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
  local folder = support.user_folder(support.layers)
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
  local folder = support.user_folder(support.layers)
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
    local folder = support.user_folder(support.layers)
    support.sh('mkdir -p', folder .. '/out/' .. path .. '/inside')
    check_nothing_done(folder, path, { dir = folder }, path)
  end
  local folder = support.user_folder("linear 'map' { d_model = 5, d_out = 33, bias = true }")
  generate(folder)
  support.write(folder .. '/my.lua', support.layers)
  support.sh('mkdir', folder .. '/out/selfgate_gelu_d6_f32_neon.c')
  check_nothing_done(folder, 'over old output', { dir = folder }, 'selfgate_gelu_d6_f32_neon.c')
  -- A temporary file that cannot be opened.
  folder = support.user_folder(support.layers)
  support.sh('mkdir -p', folder .. '/out/.ffngen.lock')
  check_nothing_done(folder, 'temporary', { dir = folder }, 'out/.ffngen.lock: is a directory')
end

--- A disk that is full, as far as a limit on the size of files can play it: what is written first
--- fits, a later file does not.
function TestGenerate.test_full_disk()
  local folder = support.user_folder(support.layers)
  support.sh('mkdir', folder .. '/out')
  check_nothing_done(folder, 'full disk', { dir = folder, before = "trap '' XFSZ; ulimit -f 40;" },
    'File too large')
end

function TestGenerate.test_out_is_no_folder()
  local folder = support.user_folder(support.layers)
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
    local folder = support.user_folder(support.layers)
    generate(folder, '--isa', list)
    unit.assertEquals(kernels_in(folder .. '/out'), expected_kernels(wanted), list)
    local inc = support.read(folder .. '/out/kernels.inc')
    for _, isa in ipairs(isas) do
      local has = inc:find('_' .. isa .. ')', 1, true) ~= nil
      unit.assertEquals(has, (',' .. list .. ','):find(',' .. isa .. ',', 1, true) ~= nil, isa)
    end
  end
  -- What the spec does not build is not built.
  local folder = support.user_folder(
    "linear 'a' { d_model = 4, d_out = 4, build = { { isa = { 'c' } } } }")
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--isa', 'neon' },
    { dir = folder })
  support.assert_code(result, 4, 'nothing left')
  support.assert_has(result.err, 'no kernel is left', 'nothing left')
  unit.assertFalse(support.exists(folder .. '/out'))
  generate(folder, '--isa', 'neon,c')
  unit.assertEquals(kernels_in(folder .. '/out'), { 'linear_d4_o4_f32_c' })
end

--- Output folders of every spelling, from other folders, through a link to ffngen.
function TestGenerate.test_folders()
  local folder = support.user_folder(support.layers)
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
  local folder = support.user_folder(support.layers)
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
  local folder = support.user_folder(
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

--- Verbs that write a few files to a folder leave those of others alone, and replace their own of
--- another version.
function TestGenerate.test_others_files()
  for _, verb in ipairs { 'packaging', 'activations' } do
    local folder = support.folder()
    local function make() return support.ffngen({ verb, '--out', 'out' }, { dir = folder }) end
    support.assert_code(make(), 0, verb)
    local made = support.snapshot(folder .. '/out')
    local paths = support.keys(made)
    for _, path in ipairs(paths) do
      support.write(folder .. '/out/' .. path, (made[path]:gsub('0%.1%.0', '0.2.10')) .. 'more\n')
    end
    support.assert_code(make(), 0, verb)
    support.assert_same(support.snapshot(folder .. '/out'), made, verb)
    local place = folder .. '/out/' .. paths[2]
    support.write(place, 'my own\n')
    local result = make()
    support.assert_code(result, 1, verb)
    support.assert_has(result.err, paths[2] .. ': ffngen ' .. verb .. ' did not make this '
      .. 'file', verb)
    unit.assertEquals(support.read(place), 'my own\n')
  end
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
