--- Weights that vendored layers are born with: formats, names, refusals.
local unit = require 'luaunit'
local json = require 'dkjson'
local support = require 'support'

local layers = [[
mlp 'head' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
}
ffn 'learned' { variant = 'swish', d_model = 3, d_ff = 4 }
linear 'huge' { d_model = 1024, d_out = 1024 }
]]

local golden = support.root .. '/tests/data/mlp_10_64_32_1.safetensors'

local function run(folder, ...)
  return support.ffngen({ 'vendor', 'my.lua', ... }, { dir = folder })
end

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
  local folder = support.user_folder(layers)
  support.vendor(folder, '--layer', 'head', '--header-only', '--weights', golden, '--prefix', 'my')
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
_Alignas(MY_ALIGNMENT) static unsigned char work[MY_HEAD_WORK_BYTES(5)];
int main(void) {
  float out[5];
  my_run(my_head(), out, 1, x, 10, 5, my_head_packed(), work, sizeof work, NULL);
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
  local folder = support.user_folder(layers)
  local header, data = read_safetensors(golden)
  local parts = {}
  for i, name in ipairs { 'w0', 'b0', 'w1', 'b1', 'w2', 'b2' } do
    local at = header[name].data_offsets
    parts[i] = data:sub(at[1] + 1, at[2])
  end
  support.write(folder .. '/w.bin', table.concat(parts))
  local one = support.vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', golden)
  local two = support.vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', 'w.bin')
  unit.assertNotNil(one['ffn_weights.c'])
  unit.assertEquals(two['ffn_weights.c'], one['ffn_weights.c'])
  for _, version in ipairs { '\1', '\2' } do
    support.write(folder .. '/w.npy',
      npy(version, "'<f4', 'fortran_order': False", table.concat(parts)))
    local three = support.vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', 'w.npy')
    unit.assertEquals(three['ffn_weights.c'], one['ffn_weights.c'])
  end
end

local function safetensors(header, data)
  local text = type(header) == 'string' and header or json.encode(header)
  return string.pack('<I8', #text) .. text .. data
end

--- What a tensor has beside its type, shape and place is nobody's concern, however nested.
function TestVendorWeights.test_other_fields()
  local folder = support.user_folder(layers)
  local header, data = read_safetensors(golden)
  local one = support.vendor(folder, '--layer', 'head', '--isa', 'c', '--weights', golden)
  for depth, code in pairs { [2] = 0, [125] = 0, [126] = 4 } do
    local field = ('"other":%s%s,"shape"'):format(('['):rep(depth), (']'):rep(depth))
    local text = json.encode(header):gsub('"shape"', field, 1)
    support.write(folder .. '/w.safetensors', safetensors(text, data))
    local result = run(folder, '--layer', 'head', '--isa', 'c', '--weights', 'w.safetensors',
      '--out', 'out')
    support.assert_code(result, code, text)
    unit.assertEquals(support.snapshot(folder .. '/out')['ffn_weights.c'], one['ffn_weights.c'])
  end
end

--- What can be wrong with a file, said with its name; nothing is written.
function TestVendorWeights.test_errors()
  local folder = support.user_folder(layers)
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
  support.vendor(folder, '--layer', 'learned', '--isa', 'c', '--weights', 'good.safetensors')
  support.sh('rm -rf', folder .. '/out')
  for i, case in ipairs {
    { 'x.bin', ('\0'):rep(96), '96 bytes, not the 100 of this layer in f32: up.weight [4][3], ' },
    { 'x.bin', ('\0'):rep(96) .. '\0\0\xc0\x7f', 'beta: number 1 is nan: only finite weights' },
    { 'x.txt', data, 'reads weights from .ffn of ffn-pack, from .safetensors, and as f32 from '
      .. '.bin and .npy' },
    { 'x.npy', data, 'not an .npy file' },
    { 'x.npy', '\x93NUMPY\1\0\xff\xff' .. data, "the header's length is beyond the file" },
    { 'x.npy', npy('\1', "'<f8', 'fortran_order': False", data), 'its numbers are <f8' },
    { 'x.npy', npy('\1', "[('a', '<f4')], 'fortran_order': False", data), 'are records' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data .. '\0\0\0\0'), '104 bytes, not' },
    { 'x.npy', npy('\1', "'<f4', 'fortran_order': False", data, '(26,)'),
      '100 bytes behind the header, whose shape is (26,)' },
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
    { 'x.safetensors', safetensors('{ ', data), 'the header: it is not a JSON object' },
    { 'x.safetensors', safetensors('[1]', data), 'the header: it is not a JSON object' },
    { 'x.safetensors', safetensors(('['):rep(250000), data), 'more than 127 nested brackets' },
    { 'x.safetensors', safetensors(('{"a":'):rep(50000), data), 'nested brackets' },
    { 'x.safetensors', safetensors('{} }', data), 'there is a bracket too many' },
    { 'x.safetensors', safetensors('{ "a', data), 'a string has no end' },
    { 'x.safetensors', safetensors(good:gsub(',"', '"', 1), data), 'not a JSON object' },
    { 'x.safetensors', safetensors(good:gsub('}$', ',}', 1), data), 'not a JSON object' },
    { 'x.safetensors', safetensors(good:gsub(':', ' ', 1), data), 'not a JSON object' },
    { 'x.safetensors', safetensors(good .. ' x', data), 'not a JSON object' },
    { 'x.safetensors', safetensors(good:gsub('{', '{"a":01,', 1), data), 'not a JSON object' },
    { 'x.safetensors', safetensors(good:gsub('{', '{"\\ud800":1,', 1), data), 'must be escaped' },
    { 'x.safetensors', safetensors(good:gsub('{', '{"\xff":1,', 1), data), 'no UTF-8' },
    { 'x.safetensors', safetensors(good:gsub('}$', ',"b\\u0065ta":{}}'), data),
      '"beta" occurs twice' },
    { 'x.safetensors', safetensors(good:gsub('"shape"', '"shape":[1],%0', 1), data),
      '"shape" occurs twice' },
    { 'x.safetensors', safetensors(tensors(entry('down.weight', 'data_offsets', { 44, 92 })), data),
      '"up.weight" and "down.weight" use the same bytes' },
    { 'x.safetensors', safetensors(tensors(function(h)
      h.other = { dtype = 'I8', shape = { 4 }, data_offsets = { 94, 98 } }
    end), data), 'use the same bytes' },
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
  support.assert_has(result.err, 'too many to write into the code', 'a large layer')
  support.sh('mkdir', folder .. '/folder.bin')
  for path, reason in pairs {
    ['none.bin'] = 'No such file or directory', ['folder.bin'] = 'Is a directory',
  } do
    result = run(folder, '--out', 'out', '--layer', 'head', '--weights', path)
    support.assert_code(result, 4, path)
    support.assert_has(result.err, ('%s: cannot be read: %s'):format(path, reason), path)
  end
end
