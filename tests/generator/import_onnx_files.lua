--- ONNX files that are broken, strange or large: a typed error or a layer, soon and in little
--- memory; and a thousand small models of ONNX's own tests, where they are installed.
local unit = require 'luaunit'
local effort = require 'effort'
local onnx_layers = require 'onnx_layers'
local problems = require 'common.problem'
local protobuf = require 'files.protobuf'
local random_access = require 'files.random_access'
local support = require 'support'
local writer = require 'onnx_writer'
local xxh64 = require 'files.xxh64'

TestOnnxFiles = {}

--- Reads a file: layers, or a typed error.
local function assert_typed(path, what, options)
  local ok, thrown = xpcall(onnx_layers.read, function(thrown)
    return problems.is(thrown) and thrown or debug.traceback(tostring(thrown))
  end, path, options)
  unit.assertTrue(ok or problems.is(thrown), ('%s: %s'):format(what, tostring(thrown)))
  return ok
end

--- Models that have all that is read.
local function seeds()
  local data, list = support.root .. '/tests/data/import/onnx/', {}
  for _, name in ipairs {
    'branch', 'conv_dynamo', 'gemm', 'slices', 'optimised', 'clamped_script',
  } do
    list[#list + 1] = support.read(data .. name .. '.onnx')
  end
  local node = writer.node
  list[#list + 1] = writer.model {
    nodes = { node('MatMul x a -> h', {}, 'first'), node('Split h -> g u', { axis = -1 }),
      'Sigmoid g -> s', 'Mul s u -> t', 'Reshape t shape -> r', node('Gemm r b c -> y',
        { transB = 1, alpha = 1.0 }) },
    tensors = { writer.weights('a', { 3, 4 }), writer.weights('b', { 3, 2 }),
      writer.weights('c', { 3 }), writer.sizes('shape', { -1, 2 }) }, rank = 2,
  }
  list[#list + 1] = writer.model {
    nodes = { node('Cast x -> i', { to = 10 }), 'MatMul i a -> h', 'QuantizeLinear h s z -> q',
      'DequantizeLinear q s z -> g', 'Sigmoid g -> k', 'CastLike k h -> t',
      node('Cast t -> r', { to = 16 }), 'MatMul r b -> y' },
    tensors = { writer.weights('a', { 3, 4 }), writer.weights('b', { 4, 3 }),
      writer.number('s', 0.5), writer.tensor('z', {}, '\0', 2) }, rank = 2,
  }
  for _, name in ipairs {
    'bytes_gated', 'bytes_split', 'nbits_32', 'bytes_blocks', 'rounded', 'selfgate',
    'batch_norm_conv', 'static_mlp_channel_u8', 'dynamic_mlp_tensor_u8', 'fused_gemm',
    'fused_activation', 'symmetric_swiglu',
  } do
    list[#list + 1] = support.read(data .. name .. '.onnx')
  end
  return list
end

--- Damages a text in a place or a few: bits, bytes that matter, parts that go or come twice.
local function damaged(text, random)
  local bytes = { '\0', '\1', '\x7f', '\x80', '\xff', '\x0a', '\x12', '\x08' }
  for _ = 1, random(3) do
    local at, way = random(#text), random(6)
    local head, tail = text:sub(1, at - 1), text:sub(at + 1)
    if way <= 2 then
      text = head .. string.char(text:byte(at) ~ 1 << random(0, 7)) .. tail
    elseif way == 3 then
      text = head .. bytes[random(#bytes)] .. tail
    elseif way == 4 then
      text = head .. text:sub(at + random(12))
    elseif way == 5 then
      local from = random(#text)
      text = head .. text:sub(from, from + random(40)) .. text:sub(at)
    else
      text = head .. bytes[random(#bytes)]:rep(random(10)) .. tail
    end
    if #text == 0 then text = '\0' end
  end
  return text
end

function TestOnnxFiles.test_damage()
  local list, path, taken = seeds(), support.folder() .. '/m.onnx', 0
  local count = support.full and 200000 or 2000
  math.randomseed(31)
  for i = 1, count do
    support.write(path, damaged(list[i % #list + 1], math.random))
    local options = { decode = i // #list % 2 == 0, float_activations = i // #list % 3 > 0 }
    if assert_typed(path, 'damage ' .. i, options) then taken = taken + 1 end
  end
  -- Some bytes are names or weights.
  unit.assertTrue(taken > count // 20 and taken < count // 2, taken)
end

--- A file that ends anywhere.
function TestOnnxFiles.test_cut_short()
  local text, path = seeds()[7], support.folder() .. '/m.onnx'
  for i = 1, #text - 1 do
    support.write(path, text:sub(1, i))
    unit.assertFalse(assert_typed(path, i) and i > 12 and i < #text - 8, i)
  end
end

--- Fields of every kind, with numbers of ten bytes.
function TestOnnxFiles.test_wire()
  local path = support.folder() .. '/w'
  local function message(text, schema)
    support.write(path, text)
    return random_access.with(path, function(handle, size)
      local wire = protobuf.open(path, handle, size)
      return wire:message(schema, 0, size)
    end)
  end
  local schema = { name = 'M', [1] = { 'a', 'integer' }, [2] = { 'b', 'float' },
    [3] = { 'c', 'text' }, [4] = { 'd', 'integers' }, [5] = { 'e', 'floats' }, [6] = false,
    [1 << 20] = { 'f', 'text', 'many' } }
  schema[7] = { 'inner', schema }
  local got = message(writer.integer(1, -1) .. writer.float(2, 0.5) .. writer.bytes(3, 'ab')
    .. writer.integer(4, 5) .. writer.integer(4, -6) .. writer.bytes(5, writer.floats { 1, 2 })
    .. writer.bytes(6, ('x'):rep(70000)) .. writer.bytes(1 << 20, '1') .. writer.bytes(1 << 20, '2')
    .. writer.bytes(7, writer.integer(1, 1 << 62)), schema)
  unit.assertEquals({ got.a, got.b, got.c, got.d[1], got.d[2], got.d.count, got.e.count },
    { -1, 0.5, 'ab', 5, -6, 2, 2 })
  unit.assertEquals({ got.f, got.inner.a }, { { '1', '2' }, 1 << 62 })
  for _, case in ipairs {
    { '\0', 'byte 0 must begin a field' },
    { '\x08' .. ('\xff'):rep(10), 'must begin an integer' },
    { writer.integer(1, 1) .. writer.integer(1, 1), 'a occurs twice' },
    { writer.bytes(1, ''), 'a at byte 2 has the wrong wire type' },
    { writer.integer(3, 1), 'c at byte 1 has the wrong wire type' },
    { writer.bytes(5, 'abc'), 'is too short' },
    { writer.bytes(4, '\1') .. writer.integer(4, 1), 'must begin a number' },
    { writer.bytes(4, '\1') .. writer.bytes(4, '\1'), 'the list of numbers goes on' },
    { writer.bytes(4, '\xff'), 'must begin an integer' },
    { writer.bytes(3, ('x'):rep(1025)), 'at byte 3: 1025 bytes of a name' },
    { '\x15\0\0', 'is longer than' },
    { writer.bytes(7, '\x08'), 'must begin an integer' },
    { '\x0c', 'has wire type 4, which does not exist' },
    { writer.integer(8, 1), 'M has a field 8' },
    { '\x3a\x05\x08\1', 'longer than the message around it' },
  } do
    local ok, problem = pcall(message, case[1], schema)
    unit.assertFalse(ok, case[2])
    unit.assertStrContains(tostring(problem), case[2])
  end
end

--- What is large is skipped: the hash is of the rest, and time and memory do not grow with it.
function TestOnnxFiles.test_large()
  local size = 2048
  local blob = ('\0\0\0\x3f'):rep(size * size // 2)
  local path = support.folder() .. '/m.onnx'
  local text = writer.model {
    nodes = { 'MatMul x a -> h', 'Relu h -> t', 'MatMul t b -> y' },
    tensors = { writer.tensor('a', { size, size // 2 }, blob),
      writer.tensor('b', { size // 2, size }, blob) },
  }
  support.write(path, text)
  collectgarbage()
  local before = collectgarbage 'count'
  local _, all = effort.within(1000, onnx_layers.read, path)
  unit.assertTrue(collectgarbage 'count' - before < 4096, 'too much memory')
  unit.assertEquals(all.layers[1].fields.variant, 'relu')
  local parts, bytes = {}, 0
  for i, span in ipairs(all.files[1].spans) do
    parts[i], bytes = text:sub(span[1] + 1, span[1] + span[2]), bytes + span[2]
  end
  unit.assertEquals(bytes, #text - 2 * #blob)
  unit.assertEquals(all.files[1].xxh64, xxh64.of(table.concat(parts)))
end

--- Twice as many nodes take twice as much, in shapes that make a search long.
function TestOnnxFiles.test_many()
  local path = support.folder() .. '/m.onnx'
  local a = writer.tensor('a', { 2, 2 }, writer.floats { 1, 2, 3, 4 })
  local function effort_of(what, make, count)
    local nodes = { 'MatMul x a -> t0' }
    for i = 1, count do nodes[#nodes + 1] = make(i) end
    nodes[#nodes + 1] = 'Relu t0 -> y'
    support.write(path, writer.model { nodes = nodes, tensors = { a, writer.number('one', 1) } })
    local thousands, is_taken = effort.within(10 * count, assert_typed, path, what)
    unit.assertTrue(is_taken, what)
    return thousands
  end
  local many = support.full and 20000 or 2000
  for what, make in pairs {
    chain = function(i) return ('Relu t%d -> t%d'):format(i - 1, i) end,
    products = function(i) return ('MatMul t%d a -> t%d'):format(i - 1, i) end,
    fan = function(i) return ('MatMul t0 a -> t%d'):format(i) end,
    squares = function(i) return ('Mul t%d t%d -> t%d'):format(i - 1, i - 1, i) end,
    names = function(i) return ('Identity a -> a%d'):format(i) end,
    shapes = function(i) return ('Shape t0 -> t%d'):format(i) end,
    fans = function(i)
      return i % 2 == 0 and ('MatMul r0 a -> t%d'):format(i) or i == 1 and 'Relu t0 -> r0'
        or ('Neg t0 -> t%d'):format(i)
    end,
    constants = function(i) return ('Add one one -> c%d'):format(i) end,
  } do
    local half, whole = effort_of(what, make, many // 2), effort_of(what, make, many)
    unit.assertTrue(whole < 2.5 * half, ('%s: %d, twice as many %d'):format(what, half, whole))
  end
end

--- More fields than any model has end soon.
function TestOnnxFiles.test_many_fields()
  if not support.full then unit.skip 'of the full form' end
  local path = support.folder() .. '/m.onnx'
  support.write(path, writer.bytes(7, writer.bytes(1, writer.bytes(5, writer.bytes(1, 'q')
    .. writer.integer(8, 1):rep(5000000)))))
  local ok, problem = pcall(onnx_layers.read, path)
  unit.assertFalse(ok)
  unit.assertStrContains(problem.text, 'more than 4194304 fields')
end

--- The models of ONNX's own tests, as Debian packs them (libonnx-testdata).
function TestOnnxFiles.test_models_of_onnx()
  local folder, count = '/usr/share/libonnx-testdata/data', 0
  if not support.exists(folder) then unit.skip 'libonnx-testdata is not installed' end
  local taken = {}
  for _, line in ipairs { support.capture('find ' .. folder .. " -name '*.onnx' | sort") } do
    for path in line:gmatch '[^\n]+' do
      count = count + 1
      if assert_typed(path, path) then taken[#taken + 1] = path:match '([^/]*)/[^/]*$' end
    end
  end
  unit.assertTrue(count > 1000, count)
  unit.assertEquals(taken, { 'test_Linear_no_bias' })
end

--- paddle2onnx's: matrices are Constant nodes, Swish has a factor of 1, biases are added.
function TestOnnxFiles.test_rapidocr()
  local folder = onnx_layers.package 'rapidocr_onnxruntime' .. '/models'
  local all = onnx_layers.read(folder .. '/ch_PP-OCRv4_rec_infer.onnx')
  local count = 0
  for _, layer in ipairs(all.layers) do
    local f = layer.fields
    if layer.kind == 'ffn' then
      count = count + 1
      unit.assertEquals({ f.variant, f.d_model, f.d_ff, f.bias }, { 'silu', 120, 240, true })
    end
  end
  unit.assertEquals(count, 2)
end
