--- `ffngen vendor`: its options, what it writes and leaves alone, and the text of what it writes.
--- tests/vendor/ compiles and runs it.
local lfs = require 'lfs'
local unit = require 'luaunit'
local json = require 'dkjson'
local support = require 'support'
local prefixes = require 'common.prefix'
local remake = require 'vendor.remake'
local sections = require 'common.sections'
local template = require 'emit.template'
local text_lines = require 'common.text'
local ways = require 'common.ways'

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

local function user_folder(text)
  local folder = support.folder()
  support.write(folder .. '/my.lua', text or layers)
  return folder
end

local function run(folder, ...)
  return support.ffngen({ 'vendor', 'my.lua', ... }, { dir = folder })
end

local function vendor(folder, ...)
  local result = run(folder, '--out', 'out', ...)
  support.assert_code(result, 0, 'vendor ' .. table.concat({ ... }, ' '))
  return support.snapshot(folder .. '/out'), result
end

TestVendor = {}

function TestVendor.test_files()
  local made = vendor(user_folder(), '--layer', 'block', '--isa', 'avx2,neon', '--prefix', 'my',
    '--threads', 'team')
  unit.assertEquals(support.keys(made), {
    'CMakeLists.txt', 'LICENSE', 'README.md', 'cpu.c', 'example_main.c', 'meson.build',
    'meson_options.txt', 'my.c', 'my.h', 'my.ninja', 'my.pc.in', 'my_ffn_swiglu_d24_f40_f32_avx2.c',
    'my_ffn_swiglu_d24_f40_f32_neon.c', 'my_kernel.h', 'my_parallel_team.h', 'my_tasks.h',
    'reference.c', 'selfcheck.c',
  })
  for path, text in pairs(made) do
    support.assert_has(text:sub(1, 400), 'Made by ffngen vendor', path)
    support.assert_has(text, 'SPDX-License-Identifier: 0BSD OR MIT-0', path)
    support.assert_lacks(text, support.temp, path)
    support.assert_lacks(text, '.inc"', path)
  end
  -- What the layer does not use is not there.
  for _, word in ipairs { '_ACT_GELU', '_ACT_SIGMOID', 'ISA_AVX512' } do
    support.assert_lacks(made['my.h'] .. made['reference.c'] .. made['cpu.c'], word, 'the runtime')
  end
  support.assert_has(made['README.md'], '14400 bytes packed', 'README.md')
  support.assert_has(made['README.md'], '| my_ffn_swiglu_d24_f40_f32_avx2 |', 'README.md')
  support.assert_has(made['README.md'], '5760 flop per token', 'README.md')
  support.assert_has(made['README.md'], 'down: |sum - exact| <=', 'README.md')
end

function TestVendor.test_shapes()
  local folder = user_folder()
  local function paths(...)
    support.sh('rm -rf', folder .. '/out')
    return table.concat(support.keys((vendor(folder, '--layer', 'head', '--isa', 'c', ...))), ' ')
  end
  local around = 'CMakeLists.txt LICENSE README.md example_main.c '
  unit.assertEquals(paths('--single-file'),
    around .. 'ffn.c ffn.h ffn.ninja ffn.pc.in meson.build meson_options.txt selfcheck.c')
  unit.assertEquals(paths('--header-only'),
    around .. 'ffn.h ffn.ninja ffn.pc.in meson.build meson_options.txt selfcheck.c')
  unit.assertEquals(paths('--single-file', '--cpp'), around
    .. 'ffn.c ffn.h ffn.hpp ffn.ninja ffn.pc.in meson.build meson_options.txt selfcheck.c')
  unit.assertNil(paths('--no-dispatch', '--single-file'):find('cpu.c', 1, true))
  support.assert_has(paths('--freestanding'), 'freestanding.h', '--freestanding')
end

--- What stays the same whoever runs it, wherever, and however often.
function TestVendor.test_same_bytes()
  local one, two = user_folder(), user_folder()
  local first = vendor(one, '--threads', 'openmp,pthreads')
  support.sh('mkdir', two .. '/below')
  support.assert_code(support.ffngen({ 'vendor', '../my.lua', '--threads', 'openmp,pthreads',
    '--out', two .. '/out/' }, { dir = two .. '/below' }), 0, 'from another folder')
  support.assert_same(support.snapshot(two .. '/out'), first, 'from another folder')
  for path in pairs(first) do assert(lfs.touch(one .. '/out/' .. path, 1000000000, 1000000000)) end
  support.write(one .. '/out/cpu.c', first['cpu.c'] .. '/* changed */\n')
  local again = vendor(one, '--threads', 'openmp,pthreads')
  support.assert_same(again, first, 'again')
  for path in pairs(first) do
    unit.assertEquals(
      lfs.attributes(one .. '/out/' .. path, 'modification') == 1000000000, path ~= 'cpu.c', path)
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
  local folder = user_folder()
  support.sh('cp', golden, folder .. '/weights.safetensors')
  local made = vendor(folder, '--layer', 'head', '--isa', 'c,avx2', '--cpu', 'generic',
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
  unit.assertNil(ways.from('/one/folder', '/another/my.lua'))
  unit.assertEquals(ways.from('/one/folder', '/one/./x/../my.lua'), '../my.lua')
  local remade = remake.of('/ffngen/', { spec = { '/another/my.lua' }, out = '/one/folder' }, '')
  unit.assertEquals(remade, {
    command = 'ffngen vendor my.lua --out .', where = 'In this folder, with `my.lua` in it',
  })
end

function TestVendor.test_check_and_dry_run()
  local folder = user_folder()
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
  for _, path in ipairs { 'CMakeLists.txt', 'LICENSE', 'README.md', 'selfcheck.c' } do
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
  unit.assertTrue(support.exists(folder .. '/out/tasks.h'))
  check = with('--check')
  support.assert_code(check, 3, 'left over')
  support.assert_has(check.err, 'out/tasks.h is left over', 'left over')
  support.assert_code(with(), 0, 'without --threads')
  unit.assertFalse(support.exists(folder .. '/out/tasks.h'))
  unit.assertTrue(support.exists(folder .. '/out/notes.txt'))
end

--- A file that somebody else wrote is not overwritten.
function TestVendor.test_others_files()
  local folder = user_folder()
  support.sh('mkdir', folder .. '/out')
  support.write(folder .. '/out/CMakeLists.txt', 'project(mine)\n')
  local before = support.snapshot(folder)
  local result = run(folder, '--out', 'out')
  support.assert_code(result, 1, 'somebody\'s file')
  support.assert_has(result.err, 'out/CMakeLists.txt: not made by ffngen vendor', 'the message')
  support.assert_same(support.snapshot(folder), before, 'somebody\'s folder')
end

function TestVendor.test_json()
  local folder = user_folder()
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
  local made = vendor(user_folder(), '--layer', 'block', '--license',
    '(Apache-2.0 WITH LLVM-exception) OR LicenseRef-Acme')
  for path, text in pairs(made) do
    support.assert_has(text, 'SPDX-License-Identifier: (Apache-2.0 WITH LLVM-exception) OR '
      .. 'LicenseRef-Acme', path)
    support.assert_lacks(text, '0BSD OR MIT-0', path)
  end
end

function TestVendor.test_usage_errors()
  local folder = user_folder()
  local before = support.snapshot(folder)
  for _, case in ipairs {
    { {}, 'where to? add --out DIR' },
    { { '--out', '' }, 'not empty' },
    { { '--out', 'out', '--prefix', 'My' }, 'a prefix is 2 to 40 small letters' },
    { { '--out', 'out', '--prefix', 'ffn_my' }, 'does not begin with ffn_' },
    { { '--out', 'out', '--prefix', 'my_' }, 'a prefix is' },
    { { '--out', 'out', '--prefix', '1a' }, 'a prefix is' },
    { { '--out', 'out', '--isa', 'avx3' }, 'unknown isa "avx3" (did you mean "avx2"?)' },
    { { '--out', 'out', '--cpu', 'genric' }, 'unknown cpu "genric" (did you mean "generic"?)' },
    { { '--out', 'out', '--threads', 'omp' }, 'unknown adapter "omp"' },
    { { '--out', 'out', '--license', 'MIT OR' }, 'no SPDX expression' },
    { { '--out', 'out', '--license', 'MIT */' }, 'no SPDX expression' },
    { { '--out', 'out', '--license', 'MIT Apache-2.0' }, 'no SPDX expression' },
    { { '--out', 'out', '--max-tu-bytes', 'many' }, 'no number of bytes' },
    { { '--out', 'out', '--max-tu-bytes', '90000', '--single-file' }, 'choose one' },
    { { '--out', 'out', '--single-file', '--header-only' }, 'can not be used together' },
    { { '--out', 'out', '--dry-run', '--check' }, 'can not be used together' },
    { { '--out', 'out', '--cpp', '--freestanding' }, 'choose one' },
    { { '--out', 'out', '--cpp', '--prefix', 'new' }, '"new" is no name for a namespace' },
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
  local folder = user_folder()
  support.write(folder .. '/taken.lua', "linear 'find' { d_model = 3, d_out = 4 }")
  support.write(folder .. '/hidden.lua', "linear 'blocked' { d_model = 3, d_out = 4 }")
  support.write(folder .. '/twins.lua', "linear 'a' { d_model = 3, d_out = 4 }\n"
    .. "linear 'A' { d_model = 3, d_out = 5 }")
  local before = support.snapshot(folder)
  for _, case in ipairs {
    { { 'my.lua', '--layer', 'blok' }, 'no layer "blok" in the spec files (did you mean' },
    { { 'my.lua', '--isa', 'avx2' }, '"only_c" is built for none' },
    { { 'my.lua', '--weights', 'x.bin' }, '--weights: one layer has them, here are 5' },
    { { 'my.lua', '--isa', 'c', '--max-tu-bytes', '9000' },
      'cannot be cut further: give at least ' },
    { { 'taken.lua' }, 'ffn_find is another\'s' },
    { { 'hidden.lua' }, 'ffn_blocked is another\'s' },
    { { 'twins.lua' }, 'FFN_A_INPUTS is another\'s' },
    { { 'none.lua' }, 'none.lua' },
    { { 'my.lua', '--isa', 'c', '--prefix', 'cpu' },
      '--prefix: "cpu" makes two files of the name cpu.c' },
    { { 'my.lua', '--isa', 'c', '--prefix', 'reference' }, 'two files of the name reference.c' },
    { { 'my.lua', '--isa', 'c', '--prefix', 'selfcheck', '--single-file' },
      'two files of the name selfcheck.c' },
    { { 'my.lua', '--isa', 'c', '--prefix', 'example_main' },
      'two files of the name example_main.c' },
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
  local folder = user_folder([[
linear 'run' { d_model = 3, d_out = 4 }
ffn 'down' { variant = 'relu', d_model = 40, d_ff = 400 }
]])
  for _, layer in ipairs { 'run', 'down' } do
    local made = vendor(folder, '--layer', layer, '--single-file', '--isa', 'c')
    support.assert_has(made['ffn.c'], (' ffn_%s_stages[]'):format(layer), layer)
    support.assert_code(support.run({ 'gcc', '-std=c11', '-Wall', '-Werror', '-fsyntax-only',
      'ffn.c' }, { dir = folder .. '/out' }), 0, layer)
  end
end

--- generate offers the same adapters.
function TestVendor.test_generate_threads()
  local folder = user_folder()
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--threads',
    'team,pthreads' }, { dir = folder }), 0, 'generate --threads')
  local made = support.snapshot(folder .. '/out')
  for _, file in ipairs { 'parallel_team.h', 'parallel_pthreads.h', 'tasks.h' } do
    unit.assertEquals(made[file], support.read(support.project .. '/runtime/' .. file), file)
  end
  unit.assertNil(made['parallel_openmp.h'])
end

--- "Use" shows one layer of each form of weights, whichever stands first.
function TestVendor.test_use()
  local page = vendor(user_folder())['README.md']
  local _, count = page:gsub('const ffn_kernel %*k = ', '')
  unit.assertEquals(count, 4)
  for _, part in ipairs {
    'ffn_block();', '.gate = {w_gate, NULL}', 'ffn_head();', '(const ffn_linear[]){{w_1, b_1},',
    'ffn_only_c();', '{.up = {w_up, NULL}, .down', 'ffn_learned();', '.parameters = {1}};',
  } do
    support.assert_has(page, part, 'README.md')
  end
end

-- Weights --------------------------------------------------------------------------------------

TestVendorWeights = {}

--- The header and the data of a safetensors file.
local function read_safetensors(path)
  local text = support.read(path)
  local length = string.unpack('<I8', text)
  return json.decode(text:sub(9, 8 + length)), text:sub(9 + length)
end

local function floats(data, entry, format, size)
  local list = {}
  for at = entry.data_offsets[1] + 1, entry.data_offsets[2], size do
    list[#list + 1] = string.unpack(format, data, at)
  end
  return list
end

--- A trained chain as one self-contained header gives PyTorch's numbers.
function TestVendorWeights.test_golden()
  local folder = user_folder()
  vendor(folder, '--layer', 'head', '--header-only', '--weights', golden, '--prefix', 'my')
  local header, data = read_safetensors(golden)
  local x, y = floats(data, header.x, '<f', 4), floats(data, header.y, '<d', 8)
  for i, number in ipairs(x) do x[i] = ('%.9gf'):format(number):gsub('^(-?%d+)f$', '%1.0f') end
  for i, number in ipairs(y) do y[i] = ('%.17g'):format(number) end
  support.write(folder .. '/main.c', ([[
#define MY_IMPLEMENTATION
#include "out/my.h"
#include <stdio.h>
static const float x[] = {%s};
static const double y[] = {%s};
_Alignas(MY_ALIGNMENT) static unsigned char work[MY_HEAD_WORK_BYTES];
int main(void) {
  float out[5];
  my_head()->run(out, 1, x, 10, 5, my_head_packed(), work, NULL);
  for (int t = 0; t < 5; t++)
    if (!(out[t] - y[t] < 1e-6 && y[t] - out[t] < 1e-6))
      return printf("%%d: %%g, not %%g\n", t, out[t], y[t]), 1;
  return !my_packed_fits(my_head(), my_head_packed());
}
]]):format(table.concat(x, ', '), table.concat(y, ', ')))
  local level = support.full and '-O1' or '-O0'
  support.assert_code(support.run({ 'gcc', level, 'main.c', '-o', 'main' }, { dir = folder }), 0,
    'gcc')
  support.assert_code(support.run({ './main' }, { dir = folder }), 0, 'PyTorch\'s numbers')
end

--- An .npy file.
local function npy(version, descr, data, shape)
  local header = ("{'descr': %s, 'shape': %s, }\n"):format(descr,
    shape or ('(%d,)'):format(#data // 4))
  return '\x93NUMPY' .. version .. '\0'
    .. string.pack(version == '\1' and '<s2' or '<s4', header) .. data
end

--- Bare f32 gives the same constants as safetensors, and so does .npy.
function TestVendorWeights.test_bare()
  local folder = user_folder()
  local header, data = read_safetensors(golden)
  local parts = {}
  for i, name in ipairs { 'w0', 'b0', 'w1', 'b1', 'w2', 'b2' } do
    local at = header[name].data_offsets
    parts[i] = data:sub(at[1] + 1, at[2])
  end
  support.write(folder .. '/w.bin', table.concat(parts))
  local one = vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', golden)
  local two = vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', 'w.bin')
  unit.assertEquals(two['weights.c'], one['weights.c'])
  for _, version in ipairs { '\1', '\2' } do
    support.write(folder .. '/w.npy',
      npy(version, "'<f4', 'fortran_order': False", table.concat(parts)))
    local three = vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', 'w.npy')
    unit.assertEquals(three['weights.c'], one['weights.c'])
  end
end

local function safetensors(header, data)
  local text = type(header) == 'string' and header or json.encode(header)
  return string.pack('<I8', #text) .. text .. data
end

--- What a tensor has beside its type, shape and place is nobody's concern, however nested.
function TestVendorWeights.test_other_fields()
  local folder = user_folder()
  local header, data = read_safetensors(golden)
  local one = vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', golden)
  for depth, code in pairs { [2] = 0, [125] = 0, [126] = 4 } do
    local field = ('"other":%s%s,"shape"'):format(('['):rep(depth), (']'):rep(depth))
    local text = json.encode(header):gsub('"shape"', field, 1)
    support.write(folder .. '/w.safetensors', safetensors(text, data))
    local result = run(folder, '--layer', 'head', '--isa', 'c', '--weights', 'w.safetensors',
      '--out', 'out')
    support.assert_code(result, code, text)
    unit.assertEquals(support.snapshot(folder .. '/out')['weights.c'], one['weights.c'])
  end
end

--- What can be wrong with a file, said with its name; nothing is written.
function TestVendorWeights.test_errors()
  local folder = user_folder()
  local function tensors(change)
    local header = {
      ['up.weight'] = { dtype = 'F32', shape = { 4, 3 }, data_offsets = { 0, 48 } },
      ['down.weight'] = { dtype = 'F32', shape = { 3, 4 }, data_offsets = { 48, 96 } },
      beta = { dtype = 'F32', shape = { 1 }, data_offsets = { 96, 100 } },
    }
    if change then change(header) end
    return header
  end
  local data, good = ('\0'):rep(100), json.encode(tensors())
  local function entry(name, key, value)
    return function(header) header[name][key] = value end
  end
  support.write(folder .. '/good.safetensors', safetensors(tensors(), data))
  vendor(folder, '--layer', 'learned', '--isa', 'c', '--weights', 'good.safetensors')
  support.sh('rm -rf', folder .. '/out')
  for i, case in ipairs {
    { 'x.bin', ('\0'):rep(96), '96 bytes, not the 100 of this layer in f32: up.weight [4][3], ' },
    { 'x.bin', ('\0'):rep(96) .. '\0\0\xc0\x7f', 'beta: number 1 is nan: only finite weights' },
    { 'x.txt', data, 'read from .safetensors, and as f32 from .bin and .npy' },
    { 'x.npy', data, 'not an .npy file' },
    { 'x.npy', '\x93NUMPY\1\0\xff\xff' .. data, "the header's length is beyond the file" },
    { 'x.npy', npy('\1', "'<f8', 'fortran_order': False", data), 'its numbers are <f8' },
    { 'x.npy', npy('\1', "[('a', '<f4')], 'fortran_order': False", data), 'are records' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': True", data), "its order is Fortran's" },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data .. '\0\0\0\0'), '104 bytes, not' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data, '(26,)'),
      '100 bytes behind the header, whose shape is (26)' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data, '(5, 4)'), 'shape is (5, 4)' },
    { 'x.npy', npy('\1', "'<f8', 'fortran_order': False, 'x': \"'descr': '<f4'\"", data),
      'no type, order and shape' },
    { 'x.npy', npy('\1', "'<f8', 'fortran_order': False, 'descr': '<f4'", data), 'no type, order' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False, 'shape': (25,)", data), 'no type, order' },
    { 'x.npy', npy('\1', "'<f4'", data), 'no type, order and shape' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data, '(25)'), 'no type, order and' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data, '(5 5)'), 'no type, order and' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data, '(5,,5)'), 'no type, order and' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': 0", data), 'no type, order and shape' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data, '(99999999999999999999,)'),
      'behind the header' },
    { 'x.safetensors', 'short', 'not safetensors' },
    { 'x.safetensors', ('\xff'):rep(16), 'not safetensors' },
    { 'x.safetensors', safetensors('{ ', data), 'the header: it is no JSON object' },
    { 'x.safetensors', safetensors('[1]', data), 'the header: it is no JSON object' },
    { 'x.safetensors', safetensors(('['):rep(250000), data), 'brackets in brackets without end' },
    { 'x.safetensors', safetensors(('{"a":'):rep(50000), data), 'brackets in brackets' },
    { 'x.safetensors', safetensors('{} }', data), 'a bracket too many' },
    { 'x.safetensors', safetensors('{ "a', data), 'a string has no end' },
    { 'x.safetensors', safetensors(good:gsub(',"', '"', 1), data), 'no JSON object' },
    { 'x.safetensors', safetensors(good:gsub('}$', ',}', 1), data), 'no JSON object' },
    { 'x.safetensors', safetensors(good:gsub(':', ' ', 1), data), 'no JSON object' },
    { 'x.safetensors', safetensors(good .. ' x', data), 'no JSON object' },
    { 'x.safetensors', safetensors(good:gsub('{', '{"a":01,', 1), data), 'no JSON object' },
    { 'x.safetensors', safetensors(good:gsub('{', '{"\\ud800":1,', 1), data), 'must be escaped' },
    { 'x.safetensors', safetensors(good:gsub('{', '{"\xff":1,', 1), data), 'no UTF-8' },
    { 'x.safetensors', safetensors(good:gsub('}$', ',"b\\u0065ta":{}}'), data),
      '"beta" stands there twice' },
    { 'x.safetensors', safetensors(good:gsub('"shape"', '"shape":[1],%0', 1), data),
      '"shape" stands there twice' },
    { 'x.safetensors', safetensors(tensors(entry('down.weight', 'data_offsets', { 44, 92 })), data),
      '"up.weight" and "down.weight" share bytes' },
    { 'x.safetensors', safetensors(tensors(function(h)
      h.other = { dtype = 'I8', shape = { 4 }, data_offsets = { 94, 98 } }
    end), data), 'share bytes' },
    { 'x.safetensors', safetensors(tensors(function(h)
      h.other = { dtype = 'I8', shape = { 4 }, data_offsets = { 98, 102 } }
    end), data), '"other": its data_offsets do not fit the file' },
    { 'x.safetensors', safetensors(tensors(function(h) h.beta = nil end), data),
      'no tensor for beta' },
    { 'x.safetensors', safetensors(tensors(function(h)
      h['mlp.w_up'] = { dtype = 'F32', shape = { 4, 3 }, data_offsets = { 100, 148 } }
      h['mlp.w_down'] = { dtype = 'F32', shape = { 3, 4 }, data_offsets = { 148, 196 } }
    end), data .. ('\0'):rep(96)),
      'up.weight could be any of "up.weight", "mlp.w_up": choose by --weights-prefix mlp.' },
    { 'x.safetensors', safetensors(tensors(entry('beta', 'dtype', 'BF16')), data),
      '"beta" is BF16: store it as F32' },
    { 'x.safetensors', safetensors(tensors(entry('up.weight', 'shape', { 3, 4 })), data),
      '"up.weight" has the shape [3][4], the layer\'s up.weight has [4][3]' },
    { 'x.safetensors', safetensors(tensors(entry('beta', 'shape', { 1.5 })), data), 'no shape' },
    { 'x.safetensors', safetensors(tensors(entry('beta', 'data_offsets', { 96, 99 })), data),
      'do not fit' },
    { 'x.safetensors', safetensors(tensors(entry('beta', 'data_offsets', { 100, 104 })), data),
      'do not fit' },
    { 'x.safetensors', safetensors(tensors(entry('beta', 'data_offsets', { -4, 0 })), data),
      'no data_offsets' },
  } do
    support.write(folder .. '/' .. case[1], case[2])
    local what = ('case %d'):format(i)
    local result = run(folder, '--out', 'out', '--layer', 'learned', '--weights', case[1])
    support.assert_code(result, 4, what)
    support.assert_has(result.err, case[1] .. ': ', what)
    support.assert_has(result.err, case[3], what)
    support.assert_lacks(result.err, 'traceback', what)
    unit.assertFalse(support.exists(folder .. '/out'), what)
  end
  local result = run(folder, '--out', 'out', '--layer', 'huge', '--weights', 'x.bin')
  support.assert_code(result, 4, 'a large layer')
  support.assert_has(result.err, 'too many for C text', 'a large layer')
  support.sh('mkdir', folder .. '/folder.bin')
  for path, reason in pairs {
    ['none.bin'] = 'No such file or directory', ['folder.bin'] = 'Is a directory',
  } do
    result = run(folder, '--out', 'out', '--layer', 'head', '--weights', path)
    support.assert_code(result, 4, path)
    support.assert_has(result.err, ('%s: cannot be read: %s'):format(path, reason), path)
  end
end

-- Text -----------------------------------------------------------------------------------------

TestSections = {}

local marked = [[
/*@ head */
/* A file. */
/*@ end */

one
/*@ list */
#include "list.inc"
  /*@ end */
/*@ part */

two
/*@ inner */
three
/*@ end */
/*@ end */

four
/*@ part */
five
/*@ end */
]]

function TestSections.test_apply()
  local function chosen(choice) return sections.apply(marked, choice, 'x.c') end
  unit.assertEquals(chosen { head = true, list = true, part = true, inner = true },
    '/* A file. */\n\none\n#include "list.inc"\n\ntwo\nthree\n\nfour\nfive\n')
  unit.assertEquals(chosen { head = false, list = 'a,\nb,\n', part = true, inner = false },
    'one\na,\nb,\n\ntwo\n\nfour\nfive\n')
  -- What is left out leaves no gap, and what is replaced is not asked about inside.
  unit.assertEquals(chosen { head = '', list = false, part = false, inner = 'never\n' },
    'one\n\nfour\n')
  unit.assertEquals(chosen { head = false, list = false, part = 'more\n', inner = true },
    'one\nmore\n\nfour\nmore\n')
end

function TestSections.test_take_and_plain()
  unit.assertEquals(sections.take(marked, 'part', 'x.c'), '\ntwo\nthree\nfive\n')
  unit.assertEquals(sections.take(marked, 'inner', 'x.c'), 'three\n')
  unit.assertEquals(sections.plain(marked, 'x.c'),
    '/* A file. */\n\none\n#include "list.inc"\n\ntwo\nthree\n\nfour\nfive\n')
end

function TestSections.test_errors()
  local all = { head = true, list = true, part = true, inner = true }
  local function with(key, value)
    local choice = {}
    for k, v in pairs(all) do choice[k] = v end
    choice[key] = value
    return choice
  end
  local function fails(message, text, choice)
    unit.assertErrorMsgEquals(message, sections.apply, text, choice, 'x.c')
  end
  fails('x.c:9: unknown section "part" (choose from: head, inner, list)', marked,
    with('part', nil))
  fails('x.c:9: unknown section "part" (did you mean "parts"?)', marked,
    { head = true, list = true, parts = true, inner = true })
  fails('x.c has no section "other"', marked, with('other', false))
  fails('x.c:1: section "a" has no end', '/*@ a */\n', { a = true })
  fails('x.c:2: an end without its section', 'one\n/*@ end */\n', {})
  unit.assertErrorMsgContains('x.c has no section "other"', sections.take, marked, 'other', 'x.c')
end

--- The marks of runtime/ are well formed, and stand in no file that is written.
function TestSections.test_runtime()
  local found = 0
  for path, text in pairs(support.snapshot(support.project .. '/runtime')) do
    if path:match('%.[ch]p*$') then
      found = found + select(2, text:gsub('/%*@ end %*/', ''))
      support.assert_lacks(sections.plain(text, path), '/*@', path)
      support.assert_lacks(sections.plain(text, path), '\n\n\n', path)
    end
  end
  unit.assertTrue(found > 30)
  local folder = user_folder()
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--isa', 'c' },
    { dir = folder }), 0, 'generate')
  for path, text in pairs(support.snapshot(folder .. '/out')) do
    support.assert_lacks(text, '/*@', path)
  end
end

--- Lines that longer names made too long are broken where C reads well.
function TestSections.test_fold()
  unit.assertEquals(text_lines.fold([[
  int a = function(one, two);
  a = b ? one_more : another;
  function(one, two, three, four, five);
  sum = a + bbbbbbbbbbbbbb + cccccccccccccccc + dddddd;
#define LONG_AS_IT_IS 1234567
  puts("a text may not be broken");
]], 25), [[
  int a =
      function(one, two);
  a = b ? one_more
      : another;
  function(one, two,
      three, four, five);
  sum = a +
      bbbbbbbbbbbbbb +
      cccccccccccccccc +
      dddddd;
#define LONG_AS_IT_IS 1234567
  puts("a text may not be broken");
]])
end

TestPrefix = {}

function TestPrefix.test_text()
  local text = [[
#include "ffn.h"
#include <stdlib.h>
#include "parallel_team.h"
/* ffn_find() of ffn.h, of kernel.h; FFN_NO_MAIN; ffngen; my_ffn_x; ffn.hpp; FFNP */
#define FFN_X(a) FFN_ISA_##a
namespace ffn { ffn::layer a; } // namespace ffn
static const ffn_kernel *k = &${symbol};
]]
  unit.assertEquals(prefixes.text(text, 'my'), [[
#include "my.h"
#include <stdlib.h>
#include "my_parallel_team.h"
/* my_find() of my.h, of my_kernel.h; MY_NO_MAIN; ffngen; my_ffn_x; my.hpp; FFNP */
#define MY_X(a) MY_ISA_##a
namespace my { my::layer a; } // namespace my
static const my_kernel *k = &${symbol};
]])
  unit.assertEquals(prefixes.text(text, 'ffn'), text)
  unit.assertEquals(prefixes.text('ffn.h kernel.h tasks.h', 'tasks'),
    'tasks.h tasks_kernel.h tasks_tasks.h')
  unit.assertEquals(prefixes.file('ffn.c', 'my'), 'my.c')
  unit.assertEquals(prefixes.file('cpu.c', 'my'), 'cpu.c')
  unit.assertEquals(prefixes.symbol('ffn_relu_d4_f8_f32_c', 'my'), 'my_ffn_relu_d4_f8_f32_c')
  unit.assertEquals(prefixes.symbol('ffn_relu_d4_f8_f32_c', 'ffn'), 'ffn_relu_d4_f8_f32_c')
end

--- Values are filled in behind the prefix: a layer's name stays.
function TestPrefix.test_templates()
  local folder = support.folder()
  support.sh('mkdir', folder .. '/templates')
  support.write(folder .. '/templates/prefix_test.tpl', 'ffn_find(${name}, FFN_ISA_C)\n')
  local function made(prefix)
    return template.load(folder .. '/', 'prefix_test.tpl', prefix) { name = '"ffn_relu_d4_f8_f32"' }
  end
  unit.assertEquals(made 'my', 'my_find("ffn_relu_d4_f8_f32", MY_ISA_C)\n')
  unit.assertEquals(made(nil), 'ffn_find("ffn_relu_d4_f8_f32", FFN_ISA_C)\n')
end

--- Every kernel under a prefix is the kernel under ours, but for the prefix: nothing that emit puts
--- in by itself lacks it.
function TestPrefix.test_kernels()
  local folder = user_folder()
  local ours = vendor(folder, '--layer', 'block')
  support.sh('rm -rf', folder .. '/out')
  local theirs = vendor(folder, '--layer', 'block', '--prefix', 'two_b')
  local kernels = 0
  for path, text in pairs(theirs) do
    local kernel = path:match('^two_b_(ffn_swiglu.*%.c)$')
    if kernel then
      kernels = kernels + 1
      text = text:gsub('two_b_ffn_swiglu', 'ffn_swiglu')
      for _, word in ipairs { 'ffn_kernel', 'FFN_', 'ffn_stage', 'ffn_min' } do
        unit.assertNil(text:find('%f[%w_]' .. word), path .. ': ' .. word)
      end
      -- Longer names break other lines.
      local back = text:gsub('%f[%w_]two_b_kernel%.h', 'kernel.h')
        :gsub('%f[%w_]two_b_', 'ffn_'):gsub('%f[%w_]TWO_B_', 'FFN_'):gsub('%s+', ' ')
      unit.assertTrue(back == ours[kernel]:gsub('%s+', ' '), path)
    end
  end
  unit.assertEquals(kernels, 5)
end

--- A vendored file reads as if written by hand: no gaps, no marks, no lists to be expanded, nothing
--- for what is not there.
function TestPrefix.test_looks()
  local folder = user_folder()
  for _, options in ipairs {
    { '--single-file', '--isa', 'avx2' }, { '--header-only' }, { '--isa', 'c,avx512' },
    { '--freestanding', '--single-file', '--isa', 'c,neon' }, { '--no-dispatch', '--isa', 'avx2' },
  } do
    support.sh('rm -rf', folder .. '/out')
    local made = vendor(folder, '--layer', 'block', '--prefix', 'my', table.unpack(options))
    for path, text in pairs(made) do
      if path:match('%.[ch]$') then
        local what = table.concat(options, ' ') .. ': ' .. path
        unit.assertNil(text:find('\n\n\n', 1, true), what .. ': two empty lines')
        unit.assertNil(text:find('\n */\n', 1, true), what .. ': a lone end of a comment')
        unit.assertNil(text:find('/*@', 1, true), what .. ': a mark')
        unit.assertNil(text:find('.inc"', 1, true), what .. ': a list')
        local number = 0
        for line in text:gmatch('([^\n]*)\n') do
          number = number + 1
          unit.assertTrue((utf8.len(line) or #line) <= 100, ('%s:%d: long'):format(what, number))
          unit.assertNil(line:find('%s$'), ('%s:%d: a space at the end'):format(what, number))
        end
      end
    end
  end
end

--- Names that a kernel keeps to itself say no more than they must.
function TestPrefix.test_own_names()
  local folder = user_folder()
  local function source(...)
    support.sh('rm -rf', folder .. '/out')
    return vendor(folder, '--prefix', 'my', '--single-file', ...)['my.c']
  end
  support.assert_has(source('--layer', 'block', '--isa', 'avx2'), ' my_stages[]', 'one kernel')
  support.assert_has(source('--layer', 'block', '--isa', 'c,avx2'), ' my_avx2_stages[]', 'two ISAs')
  support.assert_has(source('--layer', 'block,head', '--isa', 'c'), ' my_block_stages[]',
    'two layers')
  support.assert_has(source('--layer', 'block,head', '--isa', 'c,avx2'), ' my_block_c_stages[]',
    'both')
end

--- What several kernels of a file need is defined in it once.
function TestVendor.test_defined_once()
  local folder = user_folder [[
    ffn 'one' { variant = 'swiglu', d_model = 3, d_ff = 5, backward = true }
    ffn 'two' { variant = 'swiglu', d_model = 4, d_ff = 7, backward = true }
  ]]
  for _, options in ipairs { { '--single-file' }, { '--header-only' } } do
    support.sh('rm -rf', folder .. '/out')
    local count, seen = 0, {}
    for path, text in pairs(vendor(folder, '--isa', 'c', table.unpack(options))) do
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
  local folder = user_folder "ffn 'own' { variant = 'leaky_relu', d_model = 3, d_ff = 32 }"
  for _, options in ipairs { {}, { '--single-file' }, { '--header-only' } } do
    support.sh('rm -rf', folder .. '/out')
    local files = vendor(folder, '--prefix', 'my', '--isa', 'c', table.unpack(options))
    for path, text in pairs(files) do
      for name in text:gmatch 'static inline pair (pair_[%w_]+)%(' do
        local uses = select(2, text:gsub('%f[%w_]' .. name .. '%f[^%w_]', ''))
        unit.assertTrue(uses > 1, path .. ': nothing calls ' .. name)
      end
    end
  end
end
