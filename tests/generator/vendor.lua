--- `ffngen vendor`: its options, what it writes and leaves alone, and the text of what it writes.
local lfs = require 'lfs'
local unit = require 'luaunit'
local json = require 'dkjson'
local support = require 'support'
local remake = require 'vendor.remake'
local relative_path = require 'common.relative_path'

local layers = [[
ffn 'block' { about = 'A block', variant = 'swiglu', d_model = 24, d_ff = 40 }
mlp 'head' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
}
ffn 'only_c' { variant = 'relu', d_model = 4, d_ff = 8, build = { { isa = { 'c' } } } }
ffn 'learned' { variant = 'swish', d_model = 3, d_ff = 4 }
linear 'huge' { d_model = 1024, d_out = 1024 }
]]

local golden = support.root .. '/tests/data/mlp_10_64_32_1.safetensors'

local function run(folder, ...)
  return support.ffngen({ 'vendor', 'my.lua', ... }, { dir = folder })
end

TestVendor = {}

function TestVendor.test_files()
  local made = support.vendor(support.user_folder(layers), '--layer', 'block', '--isa', 'avx2,neon',
    '--prefix', 'my', '--threads', 'team')
  unit.assertEquals(support.keys(made), {
    '.gitattributes', 'CMakeLists.txt', 'LICENSE', 'README.md', 'meson.build', 'meson_options.txt',
    'my.c', 'my.h', 'my.ninja', 'my.pc.in', 'my_cpu.c', 'my_example_main.c',
    'my_ffn_swiglu_d24_f40_f32_avx2.c', 'my_ffn_swiglu_d24_f40_f32_neon.c', 'my_kernel.h',
    'my_parallel_team.h', 'my_reference.c', 'my_selfcheck.c', 'my_tasks.h',
  })
  for path, text in pairs(made) do
    support.assert_has(text:sub(1, 400), 'Made by ffngen vendor', path)
    support.assert_has(text, 'SPDX-License-Identifier: 0BSD OR MIT-0', path)
    support.assert_lacks(text, support.temp, path)
    support.assert_lacks(text, '.inc"', path)
  end
  -- What the layer does not use is not there.
  for _, word in ipairs { '_ACT_GELU', '_ACT_SIGMOID', 'ISA_AVX512' } do
    support.assert_lacks(made['my.h'] .. made['my_reference.c'] .. made['my_cpu.c'], word, word)
  end
  support.assert_has(made['README.md'], '14400 bytes packed', 'README.md')
  support.assert_has(made['README.md'], '| my_ffn_swiglu_d24_f40_f32_avx2 |', 'README.md')
  support.assert_has(made['README.md'], '5760 flop per token', 'README.md')
  support.assert_has(made['README.md'], 'down: |sum - exact| <=', 'README.md')
end

function TestVendor.test_shapes()
  local folder = support.user_folder(layers)
  local function paths(...)
    support.sh('rm -rf', folder .. '/out')
    local made = support.vendor(folder, '--layer', 'head', '--isa', 'c', ...)
    return table.concat(support.keys(made), ' ')
  end
  local around = '.gitattributes CMakeLists.txt LICENSE README.md '
  local builds, check = 'meson.build meson_options.txt', 'ffn_example_main.c'
  unit.assertEquals(paths('--single-file'), around .. 'ffn.c ffn.h ffn.ninja ffn.pc.in ' .. check
    .. ' ffn_selfcheck.c ' .. builds)
  unit.assertEquals(paths('--header-only'), around .. 'ffn.h ffn.ninja ffn.pc.in ' .. check
    .. ' ffn_selfcheck.c ' .. builds)
  unit.assertEquals(paths('--single-file', '--cpp'), around .. 'ffn.c ffn.h ffn.hpp ffn.ninja '
    .. 'ffn.pc.in ' .. check .. ' ffn_selfcheck.c ' .. builds)
  unit.assertEquals(paths('--single-file', '--no-selfcheck'), around
    .. 'ffn.c ffn.h ffn.ninja ffn.pc.in ' .. builds)
  unit.assertEquals(paths('--header-only', '--no-selfcheck'), around .. 'ffn.h ffn.pc.in '
    .. builds)
  unit.assertNil(paths('--no-dispatch', '--single-file'):find('cpu.c', 1, true))
  support.assert_has(paths('--freestanding'), 'ffn_freestanding.h', '--freestanding')
end

--- What stays the same whoever runs it, wherever, and however often.
function TestVendor.test_same_bytes()
  local one, two = support.user_folder(layers), support.user_folder(layers)
  local first = support.vendor(one, '--threads', 'openmp,pthreads')
  support.sh('mkdir', two .. '/below')
  support.assert_code(support.ffngen({ 'vendor', '../my.lua', '--threads', 'openmp,pthreads',
    '--out', two .. '/out/' }, { dir = two .. '/below' }), 0, 'from another folder')
  support.assert_same(support.snapshot(two .. '/out'), first, 'from another folder')
  for path in pairs(first) do assert(lfs.touch(one .. '/out/' .. path, 1000000000, 1000000000)) end
  support.write(one .. '/out/ffn_cpu.c', first['ffn_cpu.c'] .. '/* changed */\n')
  local again = support.vendor(one, '--threads', 'openmp,pthreads')
  support.assert_same(again, first, 'again')
  for path in pairs(first) do
    unit.assertEquals(
      lfs.attributes(one .. '/out/' .. path, 'modification') == 1000000000, path ~= 'ffn_cpu.c',
      path)
  end
end

--- Asserts that the command in the README of a vendored folder, run there, makes that folder.
local function assert_remakes(folder, readme)
  local command = readme:match('\n    (ffngen vendor [^\n]*)\n')
  unit.assertNotNil(command)
  local result = support.run({ 'sh', '-c',
    command:gsub('^ffngen', support.quote(support.project .. '/ffngen')) .. ' --check' },
    { dir = folder, env = { 'FFNGEN=' .. support.project } })
  support.assert_code(result, 0, command)
  return command
end

--- The command in a vendored README makes the folder again, as it stands.
function TestVendor.test_remake()
  local folder = support.user_folder(layers)
  support.sh('cp', golden, folder .. '/weights.safetensors')
  local made = support.vendor(folder, '--layer', 'head', '--isa', 'c,avx2', '--cpu', 'generic',
    '--prefix', 'my', '--single-file', '--license', 'Apache-2.0 OR MIT', '--weights',
    folder .. '/weights.safetensors', '--cpp')
  local command = assert_remakes(folder .. '/out', made['README.md'])
  support.assert_has(command, 'vendor ../my.lua --layer head', 'the spec')
  support.assert_has(command, '--isa c,avx2 --cpu generic --prefix my', 'the options')
  support.assert_has(command, '--cpp --weights ../weights.safetensors', 'the weights')
end

--- The same command, whichever words called for the folder; and with ffngen's own specs.
function TestVendor.test_remake_from()
  local folder = support.folder()
  support.sh('mkdir -p', folder .. '/a net/nn', folder .. '/other/third')
  support.write(folder .. '/a net/nn/my.lua', layers)
  local out, first = folder .. '/other/third/my', nil
  for _, case in ipairs {
    { folder .. '/a net', 'nn/my.lua', '../other/third/my' },
    { folder .. '/other', '../a net/./nn/my.lua', 'third/my/' },
    { support.temp, folder .. '/a net/nn/my.lua', out },
  } do
    support.assert_code(support.ffngen({ 'vendor', case[2], '--layer', 'block', '--isa', 'c',
      '--out', case[3] }, { dir = case[1] }), 0, case[2])
    first = first or support.snapshot(out)
    support.assert_same(support.snapshot(out), first, case[2])
  end
  support.assert_has(assert_remakes(out, first['README.md']), "'../../../a net/nn/my.lua'", 'way')
  support.assert_code(support.ffngen({ 'vendor', support.project .. '/generator/specs/lessons.lua',
    '--layer', 'notebook_swiglu', '--isa', 'c', '--out', 'own' }, { dir = folder }), 0, 'own')
  local readme = support.read(folder .. '/own/README.md')
  support.assert_has(assert_remakes(folder .. '/own', readme),
    '"$FFNGEN"/generator/specs/lessons.lua', 'a spec of ffngen')
  support.assert_has(readme, 'In this folder; `$FFNGEN` is the folder of ffngen:', 'its page')
  unit.assertNil(relative_path.from('/one/folder', '/another/my.lua'))
  unit.assertEquals(relative_path.from('/one/folder', '/one/./x/../my.lua'), '../my.lua')
  local remade = remake.of('/ffngen/', { spec = { '/another/my.lua' }, out = '/one/folder' }, '')
  unit.assertEquals(remade, {
    command = 'ffngen vendor my.lua --out .', where = 'In this folder, with `my.lua` in it',
  })
end

function TestVendor.test_check_and_dry_run()
  local folder = support.user_folder(layers)
  local options = { '--out', 'out', '--layer', 'block', '--isa', 'c' }
  local function with(...)
    local all = { table.unpack(options) }
    for _, word in ipairs { ... } do all[#all + 1] = word end
    return run(folder, table.unpack(all))
  end
  local check = with('--check')
  support.assert_code(check, 3, '--check of nothing')
  support.assert_has(check.err, 'out/ffn.h is missing', '--check')
  local dry = with('--dry-run')
  support.assert_code(dry, 0, '--dry-run')
  support.assert_has(dry.out, '  ffn_swiglu_d24_f40_f32_c.c\n', '--dry-run')
  support.assert_has(dry.out, 'estimated bytes of code; about ', '--dry-run')
  unit.assertFalse(support.exists(folder .. '/out'))
  support.assert_code(with(), 0, 'vendor')
  support.assert_code(with('--check'), 0, '--check')
  for _, path in ipairs { 'CMakeLists.txt', 'LICENSE', 'README.md', 'ffn_selfcheck.c' } do
    local text = support.read(folder .. '/out/' .. path)
    support.write(folder .. '/out/' .. path, text .. ' ')
    check = with('--check')
    support.assert_code(check, 3, path .. ' changed')
    support.assert_has(check.err, 'out/' .. path .. ' is not what the spec makes', path)
    support.write(folder .. '/out/' .. path, text)
  end
  -- Files of an earlier run go; files of others stay.
  support.write(folder .. '/out/notes.txt', 'Ours.\n')
  support.assert_code(with('--threads', 'team'), 0, '--threads')
  unit.assertTrue(support.exists(folder .. '/out/ffn_tasks.h'))
  check = with('--check')
  support.assert_code(check, 3, 'left over')
  support.assert_has(check.err, 'out/ffn_tasks.h is left over', 'left over')
  support.assert_code(with(), 0, 'without --threads')
  unit.assertFalse(support.exists(folder .. '/out/ffn_tasks.h'))
  unit.assertTrue(support.exists(folder .. '/out/notes.txt'))
end

--- A checkout that changes line ends changes nothing else: it is told, and is no difference.
function TestVendor.test_line_ends()
  local folder = support.user_folder(layers)
  local options = { '--layer', 'block', '--isa', 'c' }
  local made = support.vendor(folder, table.unpack(options))
  support.assert_has(made['.gitattributes'], '\n* text eol=lf\n', '.gitattributes')
  for path, text in pairs(made) do
    support.write(folder .. '/out/' .. path, (text:gsub('\n', '\r\n')))
  end
  local function check(code)
    local result = run(folder, '--out', 'out', '--check', table.unpack(options))
    support.assert_code(result, code, '--check')
    return result.err
  end
  local count = #support.keys(made)
  unit.assertEquals(check(0), ('ffngen: out: %d files differ in nothing but line ends (CRLF), '
    .. 'which a checkout changes: the check accepts that\n'):format(count))
  -- One that was edited, too, is told beside them.
  support.write(folder .. '/out/ffn.h', ('x' .. made['ffn.h']):gsub('\n', '\r\n'))
  local said = check(3)
  support.assert_has(said, 'out/ffn.h is not what the spec makes\n', 'edited')
  support.assert_has(said, ('out: %d files differ in nothing but line ends')
    :format(count - 1), 'the others')
  support.assert_has(said, 'To fix this: run the same command without --check', 'a remedy')
  support.write(folder .. '/out/ffn.h', (made['ffn.h']:gsub('\n', '\r\n')))
  support.assert_same(support.vendor(folder, table.unpack(options)), made, 'written again')
  unit.assertEquals(check(0), '')
end

--- git keeps them as they are, whatever its user asks for.
function TestVendor.test_line_ends_of_git()
  if not os.execute 'command -v git >/dev/null' then unit.skip 'no git' end
  local folder = support.user_folder(layers)
  local made = support.vendor(folder, '--layer', 'block', '--isa', 'c')
  local result = support.run({ 'sh', '-c', 'git init -q . && git config core.autocrlf true && '
    .. 'git add out 2>&1 && git -c user.name=a -c user.email=b commit -qm c && rm -r out && '
    .. 'git checkout -q out' }, { dir = folder })
  support.assert_code(result, 0, 'git')
  support.assert_same(support.snapshot(folder .. '/out'), made, 'checked out')
end

--- A folder of before files carried the prefix is written anew: what was there goes.
function TestVendor.test_older_names()
  local folder = support.user_folder(layers)
  local options = { '--layer', 'block', '--isa', 'c', '--prefix', 'my' }
  local made = support.vendor(folder, table.unpack(options))
  for _, name in ipairs { 'cpu.c', 'reference.c', 'selfcheck.c', 'example_main.c' } do
    assert(os.rename(folder .. '/out/my_' .. name, folder .. '/out/' .. name))
  end
  local result = run(folder, '--out', 'out', '--check', table.unpack(options))
  support.assert_code(result, 3, '--check')
  support.assert_has(result.err, 'out/my_cpu.c is missing', '--check')
  support.assert_has(result.err, 'out/cpu.c is left over', '--check')
  support.assert_has(result.err, 'To fix this: run the same command without --check', '--check')
  support.assert_same(support.vendor(folder, table.unpack(options)), made, 'written again')
end

--- Without a self-check no file has a main(), and nothing speaks of what is not there.
function TestVendor.test_no_selfcheck()
  local folder = support.user_folder(layers)
  for _, shape in ipairs { {}, { '--single-file' }, { '--header-only' },
    { '--no-dispatch', '--freestanding' } } do
    support.sh('rm -rf', folder .. '/out')
    local made, result = support.vendor(folder, '--layer', 'block', '--isa', 'c', '--prefix', 'my',
      '--no-selfcheck', table.unpack(shape))
    for path, text in pairs(made) do
      unit.assertNil(path:find 'selfcheck' or path:find 'example' or path:find 'reference', path)
      support.assert_lacks(text, 'int main(', path)
      support.assert_lacks(text, 'my_reference(const', path)
      if path ~= 'README.md' then support.assert_lacks(text, 'selfcheck.c', path) end
    end
    support.assert_lacks(result.out, 'selfcheck', 'the printed command')
    support.assert_has(assert_remakes(folder .. '/out', made['README.md']), '--no-selfcheck', 'it')
    support.assert_code(support.run({ 'sh', '-c', result.out }, { dir = folder }), 0, result.out)
  end
end

--- A file that somebody else wrote is not overwritten.
function TestVendor.test_others_files()
  local folder = support.user_folder(layers)
  support.sh('mkdir', folder .. '/out')
  support.write(folder .. '/out/CMakeLists.txt', 'project(mine)\n')
  local before = support.snapshot(folder)
  local result = run(folder, '--out', 'out')
  support.assert_code(result, 1, 'somebody\'s file')
  support.assert_has(result.err, 'out/CMakeLists.txt: ffngen vendor did not make this file', 'the '
    .. 'message')
  support.assert_same(support.snapshot(folder), before, 'somebody\'s folder')
end

function TestVendor.test_json()
  local folder = support.user_folder(layers)
  local function told(...)
    local result = run(folder, '--out', 'out', '--layer', 'block', '--isa', 'c,avx2', '--json', ...)
    support.assert_code(result, 0, '--json')
    return json.decode(result.out)
  end
  local dry = told('--dry-run')
  unit.assertEquals({ dry.schema, dry.folder, #dry.kernels }, { 1, 'out', 2 })
  unit.assertEquals(dry.kernels[1].name, 'ffn_swiglu_d24_f40_f32_avx2')
  for _, file in ipairs(dry.files) do unit.assertEquals(file.state, 'new') end
  unit.assertFalse(support.exists(folder .. '/out'))
  local made = told()
  unit.assertEquals(#made.files, #dry.files)
  for _, file in ipairs(told().files) do
    unit.assertEquals(file.state, 'same')
    unit.assertEquals(file.bytes, #support.read(folder .. '/out/' .. file.path))
  end
  for _, kernel in ipairs(made.kernels) do
    unit.assertTrue(kernel.text_bytes > 1000 and kernel.compile_ms > 10)
  end
end

function TestVendor.test_license()
  local made = support.vendor(support.user_folder(layers), '--layer', 'block', '--license',
    '(Apache-2.0 WITH LLVM-exception) OR LicenseRef-Acme')
  for path, text in pairs(made) do
    support.assert_has(text, 'SPDX-License-Identifier: (Apache-2.0 WITH LLVM-exception) OR '
      .. 'LicenseRef-Acme', path)
    support.assert_lacks(text, '0BSD OR MIT-0', path)
  end
end

function TestVendor.test_usage_errors()
  local folder = support.user_folder(layers)
  local before = support.snapshot(folder)
  for _, case in ipairs {
    { {}, 'the option --out is missing' },
    { { '--out', '' }, 'the folder is empty' },
    { { '--out', 'out', '--prefix', 'm' }, 'a prefix is 2 to 40 small letters' },
    { { '--out', 'out', '--prefix', 'my net' }, 'not "my net": "my_net"?' },
    { { '--out', 'out', '--prefix', 'my__net' }, 'not "my__net": "my_net"?' },
    { { '--out', 'out', '--prefix', 'n\xc3\xa9t' }, ': "n_t"?' },
    { { '--out', 'out', '--prefix', ('x'):rep(41) }, 'a prefix is 2 to 40' },
    { { '--out', 'out', '--prefix', 'ffn_my' }, 'does not begin with ffn_' },
    { { '--out', 'out', '--prefix', 'my_' }, 'a prefix is' },
    { { '--out', 'out', '--prefix', '1a' }, 'a prefix is' },
    { { '--out', 'out', '--isa', 'avx3' }, 'unknown isa "avx3" (did you mean "avx2"?)' },
    { { '--out', 'out', '--cpu', 'genric' }, 'unknown cpu "genric" (did you mean "generic"?)' },
    { { '--out', 'out', '--threads', 'omp' }, 'unknown adapter "omp"' },
    { { '--out', 'out', '--license', 'MIT OR' }, 'not a licence as SPDX writes it' },
    { { '--out', 'out', '--license', 'MIT */' }, 'not a licence as SPDX writes it' },
    { { '--out', 'out', '--license', 'MIT Apache-2.0' }, 'not a licence as SPDX writes it' },
    { { '--out', 'out', '--max-tu-bytes', 'many' }, 'not a number of bytes' },
    { { '--out', 'out', '--max-tu-bytes', '90000', '--single-file' }, 'choose one' },
    { { '--out', 'out', '--single-file', '--header-only' }, 'can not be used together' },
    { { '--out', 'out', '--dry-run', '--check' }, 'can not be used together' },
    { { '--out', 'out', '--cpp', '--freestanding' }, 'choose one' },
    { { '--out', 'out', '--cpp', '--prefix', 'class' }, '"class" is no name for a namespace' },
    { { '--out', 'out', '--cpp', '--prefix', 'std' }, '"std" is no name for a namespace' },
    { { '--out', 'out', '--no-dispatch' }, 'exactly one instruction set' },
    { { '--out', 'out', '--no-dispatch', '--isa', 'c,avx2' }, 'exactly one instruction set' },
  } do
    local what = 'vendor ' .. table.concat(case[1], ' ')
    local result = run(folder, table.unpack(case[1]))
    support.assert_code(result, 2, what)
    support.assert_has(result.err, case[2], what)
    support.assert_same(support.snapshot(folder), before, what)
  end
end

function TestVendor.test_bad_input()
  local folder = support.user_folder(layers)
  support.write(folder .. '/taken.lua', "linear 'find' { d_model = 3, d_out = 4 }")
  support.write(folder .. '/hidden.lua', "linear 'blocked' { d_model = 3, d_out = 4 }")
  support.write(folder .. '/shifted.lua', "linear 'getres' { d_model = 3, d_out = 4 }")
  support.write(folder .. '/twins.lua', "linear 'a' { d_model = 3, d_out = 4 }\n"
    .. "linear 'A' { d_model = 3, d_out = 5 }")
  local before = support.snapshot(folder)
  for _, case in ipairs {
    { { 'my.lua', '--layer', 'blok' }, 'no layer "blok" in the spec files (did you mean' },
    { { 'my.lua', '--isa', 'avx2' }, 'layer "only_c" has no kernel for' },
    { { 'my.lua', '--weights', 'x.bin' }, '--weights: the weights are those of one layer, and the '
      .. 'spec files have 5 layers' },
    { { 'my.lua', '--isa', 'c', '--max-tu-bytes', '9000' },
      'cannot be split further: give at least ' },
    { { 'taken.lua' }, 'ffn_find is another\'s' },
    { { 'hidden.lua' }, 'ffn_blocked is another\'s' },
    { { 'twins.lua' }, 'FFN_A_INPUTS is another\'s' },
    { { 'none.lua' }, 'none.lua' },
    { { 'my.lua', '--isa', 'c', '--prefix', 'aligned' }, 'aligned_alloc is a name of C or of a '
      .. 'system; choose another prefix, such as my_aligned' },
    { { 'shifted.lua', '--prefix', 'clock' }, 'clock_getres is another\'s (rename the layer)' },
  } do
    local what = 'vendor ' .. table.concat(case[1], ' ')
    local result = support.ffngen({ 'vendor', '--out', 'out', table.unpack(case[1]) },
      { dir = folder })
    support.assert_code(result, 4, what)
    support.assert_has(result.err, case[2], what)
    support.assert_lacks(result.err, 'traceback', what)
    support.assert_same(support.snapshot(folder), before, what)
  end
end

--- Layers may be called like what a kernel keeps to itself.
function TestVendor.test_names_of_kernels()
  local folder = support.user_folder([[
linear 'forward' { d_model = 3, d_out = 4 }
ffn 'down' { variant = 'relu', d_model = 40, d_ff = 400 }
]])
  for _, layer in ipairs { 'forward', 'down' } do
    local made = support.vendor(folder, '--layer', layer, '--single-file', '--isa', 'c')
    support.assert_has(made['ffn.c'], (' ffn_%s_stages[]'):format(layer), layer)
    support.assert_code(support.run({ 'gcc', '-std=c11', '-Wall', '-Werror', '-fsyntax-only',
      'ffn.c' }, { dir = folder .. '/out' }), 0, layer)
  end
end

--- A layer for any number of tokens and for one, from the same packed weights, in one file.
function TestVendor.test_few_tokens()
  local folder = support.folder()
  local layer = 'ffn "%s" { variant = "relu", d_model = 24, d_ff = 40, bias = true%s }\n'
  support.write(folder .. '/a.lua', layer:format('prefill', '')
    .. layer:format('decode', ', max_tokens = 1'))
  support.assert_code(support.ffngen({ 'vendor', 'a.lua', '--isa', 'c', '--single-file',
    '--prefix', 'my', '--out', 'out' }, { dir = folder }), 0)
  local text = support.read(folder .. '/out/my.c')
  for _, call in ipairs { 'my_find_layer("ffn_relu_bias_d24_f40_f32", my_cpu())',
    'my_find_limited("ffn_relu_bias_d24_f40_f32", 1, my_cpu())' } do
    support.assert_has(text, call, call)
  end
  local page = support.read(folder .. '/out/README.md')
  unit.assertEquals(select(2, page:gsub('my_ffn_relu_bias_d24_f40_f32_c_1token |', '')), 1)
  unit.assertEquals(select(2, page:gsub('one token | any number |', '')), 1)
  support.assert_has(support.read(folder .. '/out/my_example_main.c'), 'enum { TOKENS = 1 };',
    'both')
  support.assert_code(support.run({ 'cc', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', 'my.c' },
    { dir = folder .. '/out' }), 0, 'names in one file')
end

--- What a layer's call may give, another spec's kernel of the layer among it: its comment and its
--- macro of work memory hold for that, too.
function TestVendor.test_kernels_of_another_spec()
  local folder = support.folder()
  local layer = 'ffn "%s" { variant = "silu", d_model = 48, d_ff = 800%s }\n'
  support.write(folder .. '/my.lua', layer:format('any', '')
    .. layer:format('few', ', max_tokens = 8, build = { { isa = { "c" } } }'))
  local made = support.vendor(folder, '--isa', 'avx2,c')
  local any, few = made['ffn.h']:match('\n/%* (FFN silu.*)\n/%* (FFN silu.*)')
  support.assert_has(few, 'silu, 48 -> 800 -> 48, no bias, f32, at most 8 tokens a call.', 'few')
  for what, text in pairs { any = any, few = few } do
    support.assert_has(text, 'of: AVX2 + FMA, portable C11.', what)
    support.assert_has(text, any:match('WORK_BYTES.-\n(.-)\n'), what)
  end
  few = support.vendor(folder, '--isa', 'avx2,c', '--layer', 'few')['ffn.h']
  support.assert_has(few, 'of: portable C11.', 'alone')
  support.assert_lacks(few, any:match('WORK_BYTES.-\n(.-)\n'), 'alone')
end

--- Of layers that differ in what they are optimised for a call could not give each its own kernel.
function TestVendor.test_aims_of_one_layer()
  local folder = support.folder()
  local layer = 'linear "%s" { d_model = 6, d_out = 4%s }\n'
  support.write(folder .. '/my.lua', layer:format('fast', '')
    .. layer:format('small', ', optimise = "size"'))
  for _, more in ipairs { {}, { '--isa', 'c', '--no-dispatch' } } do
    local outcome = run(folder, '--out', 'out', table.unpack(more))
    support.assert_code(outcome, 4, 'both')
    support.assert_has(outcome.err, '"fast" and "small" differ in nothing but optimise: leave one '
      .. 'out, or', 'both')
  end
  support.vendor(folder, '--isa', 'avx2') -- where they share the kernel
  unit.assertEquals(support.vendor(folder, '--isa', 'c', '--no-dispatch', '--layer',
    'small')['ffn.c']:match('return &([%w_]+)'), 'linear_d6_o4_f32_c_size')
end

--- Where a better instruction set has a kernel for more tokens alone, it is the one that is found:
--- a layer's work memory serves it, and its comment names it. Not where its own kernel is as good.
function TestVendor.test_few_tokens_of_another_kernel()
  local layer = 'linear "%s" { d_model = 200, d_out = 300%s, build = { { isa = { %s } } } }\n'
  local function header(isas_of_any)
    local folder = support.user_folder(layer:format('any', '', isas_of_any)
      .. layer:format('few', ', max_tokens = 3', '"c"'))
    return support.vendor(folder)['ffn.h']
  end
  local function row(text, name)
    return math.tointeger(text:match('FFN_' .. name .. '_WORK_BYTES%(tokens%).-: %d+%) %* (%d+)'))
  end
  local text = header '"avx2"'
  unit.assertEquals(row(text, 'FEW'), math.max(row(text, 'ANY'), row(header '"c"', 'FEW')))
  support.assert_has(text, 'that this CPU allows, of: AVX2 + FMA, portable C11.', 'isas')
  text = header '"c"'
  unit.assertTrue(row(text, 'FEW') < row(text, 'ANY'))
end

--- Slices are a header, and a source among the sources; they include the header of kernels, and a
--- layer may not be named as what they declare.
function TestVendor.test_slices()
  local folder = support.user_folder(layers)
  local made = support.vendor(folder, '--layer', 'block', '--isa', 'c', '--prefix', 'my',
    '--threads', 'mpi')
  support.assert_has(made['my_slice.c'], '#include "my_slice.h"\n#include "my_kernel.h"\n',
    'slice.c')
  support.assert_has(made['my_parallel_mpi.h'], '#include "my_slice.h"\n', 'parallel_mpi.h')
  for _, file in ipairs { 'CMakeLists.txt', 'meson.build', 'my.ninja' } do
    support.assert_has(made[file], 'my_slice.c', file)
  end
  local result = support.run({ 'sh', '-c', 'cd out && cc -O1 -Wall -Wextra -Werror -c my_slice.c' },
    { dir = folder })
  support.assert_code(result, 0, result.err)
  for _, shape in ipairs { '--single-file', '--header-only' } do
    result = support.ffngen({ 'vendor', 'my.lua', '--out', 'one', '--threads', 'mpi', shape },
      { dir = folder })
    support.assert_code(result, 2, shape)
    support.assert_has(result.err, '--threads mpi adds a source', shape)
  end
  support.write(folder .. '/taken.lua', "linear 'slice_bytes' { d_model = 4, d_out = 4 }\n")
  local function taken(...)
    return support.ffngen({ 'vendor', 'taken.lua', '--out', 'taken', ... }, { dir = folder })
  end
  support.assert_code(taken(), 0, 'without slices')
  support.assert_code(taken('--threads', 'mpi'), 4, 'with slices')
end

--- generate offers the same adapters.
function TestVendor.test_generate_threads()
  local folder = support.user_folder(layers)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--threads',
    'team,pthreads,mpi' }, { dir = folder }), 0, 'generate --threads')
  local made = support.snapshot(folder .. '/out')
  for _, file in ipairs {
    'parallel_team.h', 'parallel_pthreads.h', 'tasks.h', 'parallel_mpi.h', 'ffn_slice.h', 'slice.c',
  } do
    unit.assertEquals(made[file], support.read(support.project .. '/runtime/' .. file), file)
  end
  unit.assertNil(made['parallel_openmp.h'])
end

--- "Use" shows one layer of each form of weights, whichever stands first.
function TestVendor.test_use()
  local page = support.vendor(support.user_folder(layers))['README.md']
  local _, count = page:gsub('const ffn_kernel %*k = ', '')
  unit.assertEquals(count, 4)
  for _, part in ipairs {
    'ffn_block();', '.gate = {.weight = w_gate}', 'ffn_head();',
    '(const ffn_linear[]){{.weight = w_1, .bias = b_1},',
    'ffn_only_c();', '{.up = {.weight = w_up}, .down', 'ffn_learned();', '.parameters = {1}};',
  } do
    support.assert_has(page, part, 'README.md')
  end
end

--- What several kernels of a file need is defined in it once.
function TestVendor.test_defined_once()
  local folder = support.user_folder [[
    ffn 'one' { variant = 'swiglu', d_model = 3, d_ff = 5, backward = true }
    ffn 'two' { variant = 'swiglu', d_model = 4, d_ff = 7, backward = true }
  ]]
  for _, options in ipairs { { '--single-file' }, { '--header-only' } } do
    support.sh('rm -rf', folder .. '/out')
    local count, seen = 0, {}
    for path, text in pairs(support.vendor(folder, '--isa', 'c', table.unpack(options))) do
      for name in text:gmatch '\nFFN_INLINE [%w_ *]-([%w_]+)%(' do
        unit.assertNil(seen[path .. name], path .. ' defines twice: ' .. name)
        seen[path .. name], count = true, count + 1
      end
    end
    unit.assertTrue(count > 4, 'definitions are found')
  end
end

--- Compilers warn of static functions that nothing calls: of what serves traced activations a file
--- has what its own call.
function TestVendor.test_called()
  local folder = support.user_folder "ffn 'own' { variant = 'leaky_relu', d_model = 3, d_ff = 32 }"
  for _, options in ipairs { {}, { '--single-file' }, { '--header-only' } } do
    support.sh('rm -rf', folder .. '/out')
    local files = support.vendor(folder, '--prefix', 'my', '--isa', 'c', table.unpack(options))
    for path, text in pairs(files) do
      for name in text:gmatch 'static inline triple (triple_[%w_]+)%(' do
        local uses = select(2, text:gsub('%f[%w_]' .. name .. '%f[^%w_]', ''))
        unit.assertTrue(uses > 1, path .. ': nothing calls ' .. name)
      end
    end
  end
end
