--- What ffn-pack makes of an ONNX file whose numbers lie in int32_data, or whose biases are
--- integers with scales: the same file as of plain numbers. What is no such number is refused.
local unit = require 'luaunit'
local disk = require 'common.disk'
local ffn_packer = require 'ffn_packer'
local in_process = require 'in_process'
local support = require 'support'
local writer = require 'onnx_writer'

TestOnnxPacked = {}

local node, tensor = writer.node, writer.tensor
local inputs, outputs = 40, 20
local u8, i8, i32, f16 = 2, 3, 6, 10

local function packed(form, list)
  local parts = {}
  for i, v in ipairs(list) do parts[i] = string.pack(form, v) end
  return table.concat(parts)
end

local function varints(list)
  local parts = {}
  for i, v in ipairs(list) do parts[i] = writer.varint(v) end
  return table.concat(parts)
end

local function in_int32(name, dims, kind, list)
  return tensor(name, dims, nil, kind, writer.bytes(5, varints(list)))
end

--- The f32 that is nearest to q * m * 2^e, by integers alone; the even one of two that are.
local function nearest(q, m, e)
  local exact = q * m
  local size, shift = math.abs(exact), 0
  while size >> shift >= 1 << 24 do shift = shift + 1 end
  local kept, rest = size >> shift, size & (1 << shift) - 1
  local half = shift > 0 and 1 << shift - 1 or 1
  if rest > half or rest == half and kept & 1 == 1 then kept = kept + 1 end
  return (exact < 0 and -1.0 or 1.0) * kept * 2.0 ^ (e + shift)
end

--- q with q * m = K * 2^31 + 2^30 + 1, which lies above the middle of two floats by less than a
--- double can tell; nil where K is odd, or small.
local function beside_middle(m)
  local inverse = m
  for _ = 1, 5 do inverse = inverse * (2 - m * inverse) & 0x7fffffff end
  local q = (1 << 30 | 1) * inverse & 0x7fffffff
  return q * m >> 54 == 1 and q * m >> 31 & 1 == 0 and q or nil
end

--- Biases, the scale of each, and the floats that they are: some near the middle of two floats.
local function biases()
  local q, scales, floats = {}, {}, {}
  local m = 1 << 23 | 1
  while #q < outputs do
    local own = #q % 2 == 0 and math.random(-1 << 31, (1 << 31) - 1) or beside_middle(m)
    if own then
      local e = -40 - #q
      q[#q + 1], scales[#scales + 1], floats[#floats + 1] = own, m * 2.0 ^ e, nearest(own, m, e)
    end
    m = m + 2
  end
  q[1], floats[1] = 0, 0.0
  return q, scales, floats
end

--- Imports a model and packs it: the outcome of ffn-pack, and where the file should be.
local function pack(name, model, change)
  local folder = support.folder() .. '/' .. name
  support.write(folder .. '.onnx', writer.model(model))
  local said = in_process.run(support.project, { 'import', folder .. '.onnx', '--out', folder,
    '--spec-only' }, support.temp)
  support.assert_code(said, 0, name)
  if change then change(folder) end
  return support.run { ffn_packer.path(), folder .. '/PLAN.json' }, folder .. '/model.ffn'
end

--- A product whose parts are written in one way.
local function model_of(tensors, nodes)
  return { nodes = nodes, tensors = tensors, rank = 2, outputs = { 'y' } }
end

local back = node('DequantizeLinear q s z -> w', { axis = 1 })
local nodes = { back, 'Gemm x w b -> y' }

--- A matrix in bytes with zeros, and its scales as floats of 16 bits.
local function numbers(kind)
  local q, z, s = {}, {}, {}
  local least = kind == i8 and -128 or 0
  for i = 1, inputs * outputs do q[i] = i * 73 % 256 + least end
  for o = 1, outputs do z[o], s[o] = o * 41 % 256 + least, 0x2c00 + o end
  return q, z, s
end

function TestOnnxPacked.test_numbers()
  if not ffn_packer.path() then unit.skip 'libjansson-dev is not installed' end
  math.randomseed(44)
  local bias, bias_scales, floats = biases()
  local dims = { inputs, outputs }
  local plain = tensor('b', { outputs }, writer.floats(floats))
  local scaled_bias = { node('DequantizeLinear v t n -> b', { axis = 0 }), table.unpack(nodes) }
  for _, kind in ipairs { i8, u8 } do
    local q, z, s = numbers(kind)
    local form = kind == i8 and '<i1' or '<I1'
    local result, raw = pack('raw' .. kind, model_of({ tensor('q', dims, packed(form, q), kind),
      tensor('z', { outputs }, packed(form, z), kind),
      tensor('s', { outputs }, packed('<I2', s), f16), plain }, nodes))
    support.assert_code(result, 0, result.out)
    local none = tensor('n', { outputs }, ('\0'):rep(4 * outputs), i32)
    for i, v in ipairs { tensor('v', { outputs }, packed('<i4', bias), i32),
      in_int32('v', { outputs }, i32, bias) } do
      local other, made = pack(('own%d_%d'):format(kind, i), model_of({
        in_int32('q', dims, kind, q), in_int32('z', { outputs }, kind, z),
        in_int32('s', { outputs }, f16, s), v, none,
        tensor('t', { outputs }, writer.floats(bias_scales)) }, scaled_bias))
      support.assert_code(other, 0, other.out)
      unit.assertTrue(disk.read(made):sub(-4096) == disk.read(raw):sub(-4096))
      unit.assertEquals(#disk.read(made), #disk.read(raw))
    end
  end
end

--- Biases in bytes, of which the scale and the zero are one for all.
function TestOnnxPacked.test_byte_biases()
  if not ffn_packer.path() then unit.skip 'libjansson-dev is not installed' end
  local weights, many, scale = writer.weights('w', { inputs, outputs }), {}, 0x1.234568p-3
  for _, kind in ipairs { i8, u8 } do
    local form, floats = kind == i8 and '<i1' or '<I1', {}
    local zero = kind == i8 and -128 or 255
    for o = 1, outputs do
      many[o] = o * 101 % 256 - (kind == i8 and 128 or 0)
      floats[o] = (many[o] - zero) * scale -- rounded where it is packed
    end
    local result, raw = pack('float' .. kind, model_of({ weights,
      tensor('b', { outputs }, writer.floats(floats)) }, { 'Gemm x w b -> y' }))
    support.assert_code(result, 0, result.out)
    local other, made = pack('byte' .. kind, model_of({ weights, tensor('t', {},
      writer.floats { scale }), tensor('n', {}, string.pack(form, zero), kind),
      in_int32('v', { outputs }, kind, many) }, { 'DequantizeLinear v t n -> b',
      'Gemm x w b -> y' }))
    support.assert_code(other, 0, other.out)
    unit.assertTrue(disk.read(made):sub(-4096) == disk.read(raw):sub(-4096))
  end
end

--- Replaces bytes of a file behind its first text of some.
local function patch(path, at, text)
  local own = disk.read(path)
  support.write(path, own:sub(1, at) .. text .. own:sub(at + #text + 1))
end

local function of_bytes()
  local q, z = numbers(i8)
  q[#q] = 5 -- a single byte
  return model_of({ in_int32('q', { inputs, outputs }, i8, q), tensor('s', { outputs },
    ('\0\0\0\x3f'):rep(outputs)), in_int32('z', { outputs }, i8, z), tensor('b', { 200 },
    ('\0'):rep(800)) }, { back, 'MatMul x w -> y' }), q
end

--- Numbers that were changed behind import's back: none is read beyond its bytes.
function TestOnnxPacked.test_damage()
  if not ffn_packer.path() then unit.skip 'libjansson-dev is not installed' end
  local model, q = of_bytes()
  local text = varints(q)
  unit.assertTrue(#text > 640, 'import read them')
  -- A negative number has ten bytes; the first two that have one each stand side by side.
  local negative, small
  for i = 1, #q - 1 do
    local at = #varints { table.unpack(q, 1, i - 1) }
    if not negative and q[i] < 0 then negative = at end
    if not small and q[i] >= 0 and q[i + 1] >= 0 then small = at end
  end
  for i, case in ipairs {
    { #text - 1, '\x80', 'is no integer' }, { negative, ('\x81'):rep(11), 'is no integer' },
    { negative, ('\1'):rep(10), 'hold more than their' },
    { small, '\xc8\1', 'is 200, which is no i8' },
  } do
    local result = pack('damage' .. i, model, function(folder)
      local own = disk.read(folder .. '.onnx')
      patch(folder .. '.onnx', own:find(text, 1, true) - 1 + case[1], case[2])
    end)
    support.assert_code(result, 4, case[3])
    support.assert_has(result.err, case[3])
  end
end

--- A plan that says what cannot be.
function TestOnnxPacked.test_plans()
  if not ffn_packer.path() then unit.skip 'libjansson-dev is not installed' end
  local model = of_bytes()
  model.nodes = { back, node('DequantizeLinear v t n -> b', { axis = 0 }), 'Gemm x w b -> y' }
  table.remove(model.tensors)
  for _, one in ipairs { tensor('v', { outputs }, ('\1'):rep(4 * outputs), i32),
    tensor('t', { outputs }, ('\0\0\0\x3f'):rep(outputs)),
    -- More zeros than import reads.
    tensor('n', { outputs }, ('\0'):rep(4 * outputs), i32) } do
    table.insert(model.tensors, one)
  end
  for i, case in ipairs {
    { '"type":"i8"', '"type":"i9"', 'varints of i9' },
    { '"varints":{"file":0', '"varints":{"file":1', 'is not before them' },
    { '"varints":{"file":0', '"varints":{"file":7', 'is not before them' },
    { '"varints":{"file":0,"first":%d+', '"varints":{"file":0,"first":99999999', 'do not make' },
    { '("varints":{"file":0,"first":%d+),"bytes":%d+', '%1,"bytes":3', 'do not make' },
    { '"spans":%[%]', '"spans":[[0,1]]', 'spans of a file that is made of varints' },
    { '"encoding":"i32"', '"encoding":"i32","more":1', 'does not know' },
    { '("encoding":"i32",.-"every":)0', '%11', 'numbers of t lie over each other' },
    { '("encoding":"i32",.-)"encoding":"f32"', '%1"encoding":"f64"', 'beyond' },
    { '("encoding":"i32".-),"column_bytes":4', '%1,"column_bytes":2', 'lie over each other' },
    { '("encoding":"i32",)"row_bytes":0', '%1"row_bytes":4', 'has no such scales and zeros' },
    { '"encoding":"i32"', '"encoding":"e4m3"', 'has no such scales and zeros' },
  } do
    local result = pack('plan' .. i, model, function(folder)
      local path = folder .. '/PLAN.json'
      local plan, count = disk.read(path):gsub(',"xxh64":"%x+"', '', 1):gsub(case[1], case[2], 1)
      unit.assertEquals(count, 1, case[1])
      support.write(path, plan)
    end)
    support.assert_code(result, 4, case[3])
    support.assert_has(result.err, case[3])
  end
end

--- The zeros of a bias in 32 bits that import does not read have to be 0.
function TestOnnxPacked.test_zeros()
  if not ffn_packer.path() then unit.skip 'libjansson-dev is not installed' end
  local many = 200
  local one = (('\0'):rep(4 * many - 2) .. '\1\0')
  local result = pack('zeros', model_of({ writer.weights('w', { inputs, many }),
    tensor('v', { many }, ('\1'):rep(4 * many), i32), tensor('n', { many }, one, i32),
    tensor('t', { many }, ('\0\0\0\x3f'):rep(many)) },
    { node('DequantizeLinear v t n -> b', { axis = 0 }), 'Gemm x w b -> y' }))
  support.assert_code(result, 4)
  support.assert_has(result.err, 'the zero of output 199 is 65536')
end
