--- ONNX as quantisers and optimisers write it: numbers in int32_data, biases in integers that have
--- scales, and products that are fused with an activation. What is not used is refused by its name.
local unit = require 'luaunit'
local onnx_layers = require 'onnx_layers'
local support = require 'support'
local writer = require 'onnx_writer'

local node, tensor = writer.node, writer.tensor
local d, f = 4, 6
local u8, i8, i32, f16, bf16 = 2, 3, 6, 10, 16
local x = { 0.5, -1.25, 0.75, 2.0 }

local function packed(form, list)
  local parts = {}
  for i, v in ipairs(list) do parts[i] = string.pack(form, v) end
  return table.concat(parts)
end

--- A tensor whose numbers lie in int32_data, all in one list.
local function in_int32(name, dims, kind, list)
  local parts = {}
  for i, v in ipairs(list) do parts[i] = writer.varint(v) end
  return tensor(name, dims, nil, kind, writer.bytes(5, table.concat(parts)))
end

local signed, unsigned, z, scales = {}, {}, {}, {}
for i = 1, d * f do signed[i], unsigned[i] = i * 53 % 256 - 128, i * 53 % 256 end
for o = 1, f do z[o], scales[o] = o * 37 % 256 - 128, o / 8 end
local own_s = tensor('s', { f }, writer.floats(scales))

--- The outputs of the first product of a layer.
local function first_of(all)
  local m = all.layers[1].matrices[1]
  return onnx_layers.evaluate(all, { kind = 'linear', fields = {}, activations = {},
    matrices = { { role = 'chain', at = 0, outputs = m.outputs, inputs = d, weight = m.weight,
      bias = m.bias } } }, x)
end

local function read(nodes, tensors, options)
  local list, all = { table.unpack(nodes) }, { table.unpack(tensors) }
  list[#list + 1], list[#list + 2] = 'Relu h -> r', 'MatMul r down -> y'
  all[#all + 1] = writer.weights('down', { f, d }, 5)
  return onnx_layers.of(writer, { nodes = list, tensors = all, rank = 2 }, options or {})
end

--- Why the first product is not taken, where the second is parted from it.
local function reason(nodes, tensors)
  return onnx_layers.refusal(writer, { nodes = nodes, tensors = tensors, rank = 2,
    outputs = { 'h' } })
end

TestOnnxInt32 = {}

--- Numbers in int32_data are those that raw_data has, of every type that a layer takes.
function TestOnnxInt32.test_forms()
  local bits = {}
  for i = 1, d * f do bits[i] = (i * 2654435761 & 0x83ff) | 0x3800 end
  local product = { 'MatMul x q -> h' }
  local scaled = { 'DequantizeLinear q s z -> w', 'MatMul x w -> h' }
  local function zeros(kind, list) return in_int32('z', { f }, kind, list) end
  for _, case in ipairs {
    { 'f16', product, f16, '<I2', bits, {} }, { 'bf16', product, bf16, '<I2', bits, {} },
    { 'i8', scaled, i8, '<i1', signed, { own_s, zeros(i8, z) } },
    { 'u8', scaled, u8, '<I1', unsigned, { own_s, zeros(u8, { 1, 127, 128, 255, 0, 9 }) } },
    { 'i8', scaled, i8, '<i1', signed, { in_int32('s', { f }, f16, { table.unpack(bits, 1, f) }),
      zeros(i8, { 0, 0, 0, 0, 0, 0 }) } },
  } do
    local raw = read(case[2], { tensor('q', { d, f }, packed(case[4], case[5]), case[3]),
      table.unpack(case[6]) })
    local all = read(case[2], { in_int32('q', { d, f }, case[3], case[5]), table.unpack(case[6]) })
    local own, other = all.layers[1].matrices[1].weight, raw.layers[1].matrices[1].weight
    unit.assertEquals({ own.encoding, own.format }, { case[1], other.format })
    unit.assertEquals(first_of(all), first_of(raw), case[1])
    unit.assertTrue(all.files[own.file].varints ~= false and #all.files == #raw.files + 1, case[1])
  end
end

--- The zeros of more outputs than are read at once: those that are all 0 are left out.
function TestOnnxInt32.test_many_zeros()
  local many = 700
  for _, case in ipairs { { 0, false, 'i8' }, { 1, false, 'i8z' }, { 0, true, 'i8' },
    { 1, true, 'i8z' } } do
    local step, is_raw, format = table.unpack(case)
    local q, all_zeros, s = {}, {}, {}
    for i = 1, d * many do q[i] = i * 53 % 256 - 128 end
    for o = 1, many do all_zeros[o], s[o] = o * step % 256 - 128 * step, 0.5 end
    local all = onnx_layers.of(writer, { rank = 2, outputs = { 'h' }, nodes = {
      'DequantizeLinear q s z -> w', 'MatMul x w -> h' }, tensors = {
        tensor('q', { d, many }, packed('<i1', q), i8), tensor('s', { many }, writer.floats(s)),
        is_raw and tensor('z', { many }, packed('<i1', all_zeros), i8)
          or in_int32('z', { many }, i8, all_zeros) } })
    local weight = all.layers[1].matrices[1].weight
    unit.assertEquals({ weight.format, weight.scaled.zeros ~= false }, { format, format == 'i8z' })
    -- What was left out for what it is counts as read, for who packs the file later.
    local text = support.read(all.files[1].path)
    local at = text:find(('\0'):rep(many), 1, true)
    for _, span in ipairs(all.files[1].spans) do
      if at and span[1] < at and at - 1 + many <= span[1] + span[2] then at = 'read' end
    end
    unit.assertEquals(at, step == 0 and 'read' or nil)
    local y = first_of(all)
    for o = 1, many, 37 do
      local sum = 0.0
      for i = 1, d do sum = sum + (q[(i - 1) * many + o] - all_zeros[o]) * 0.5 * x[i] end
      unit.assertEquals(y[o], sum, o)
    end
  end
end

--- What is no number of its type, and types that no layer takes.
function TestOnnxInt32.test_refused()
  local product = { node('DequantizeLinear q s z -> w', {}, 'back'),
    node('MatMul x w -> h', {}, 'first') }
  local bytes = packed('<i1', signed)
  for _, case in ipairs {
    { i8, { 1, 2, 3, 4, 5, 128 }, 'tensor "z" has 128 in int32_data, which is no i8' },
    { i8, { 1, 2, 3, 4, 5, -129 }, 'has -129 in int32_data, which is no i8' },
    { u8, { -1, 2, 3, 4, 5, 6 }, 'has -1 in int32_data, which is no u8' },
    { i8, { 1, 2, 3 }, 'has 3 numbers, and its shape says 6' },
    { i32, { 0, 0, 0, 0, 0, 0 }, 'is computed by DequantizeLinear' },
  } do
    support.assert_has(reason(product, { tensor('q', { d, f }, bytes, case[1] == i32 and i8
      or case[1]), own_s, in_int32('z', { f }, case[1], case[2]) }), case[3])
  end
  -- 8 bits of a float, 16 of an integer, and two of 4 bits in one.
  for kind, name in pairs { [4] = 'u16', [5] = 'i16', [17] = 'f8e4m3fn', [9] = 'bool',
    [21] = 'u4', [22] = 'i4' } do
    support.assert_has(reason({ node('DequantizeLinear q s -> w', {}, 'back'),
      node('MatMul x w -> h', {}, 'first') }, { in_int32('q', { d, f }, kind,
      { table.unpack(unsigned, 1, kind > 20 and d * f // 2 or d * f) }), own_s }),
      ('which is quantised (%s)'):format(name))
  end
  -- The low 32 bits of a varint count, as other readers have it.
  local all = read({ 'DequantizeLinear q s z -> w', 'MatMul x w -> h' }, { own_s,
    tensor('q', { d, f }, bytes, i8), in_int32('z', { f }, i8, { 0xfffffff0, 1, 2, 3, 4, 5 }) })
  unit.assertEquals(first_of(all), first_of(read({ 'DequantizeLinear q s z -> w',
    'MatMul x w -> h' }, { own_s, tensor('q', { d, f }, bytes, i8),
    tensor('z', { f }, packed('<i1', { -16, 1, 2, 3, 4, 5 }), i8) })))
end

TestOnnxScaledBiases = {}

local weights = writer.weights('a', { d, f })
local large = { 1 << 30, -(1 << 31), (1 << 31) - 1, 16777217, -3, 0 }

local sums = first_of(read({ 'MatMul x a -> h' }, { weights }))

--- Biases in integers, in each place that a bias has.
function TestOnnxScaledBiases.test_forms()
  local one = tensor('s', {}, writer.floats { 0.25 })
  for _, case in ipairs {
    { i8, '<i1', { 1, -128, 127, 5, 0, -7 }, own_s, z },
    { u8, '<I1', { 1, 128, 255, 5, 0, 7 }, one },
    { i32, '<i4', large, own_s }, { i32, '<i4', large, one },
  } do
    local zero = case[5] and tensor('z', { f }, packed('<i1', case[5]), i8)
    local tensors = { weights, tensor('v', { f }, packed(case[2], case[3]), case[1]), case[4],
      zero }
    local back = node('DequantizeLinear v s' .. (zero and ' z' or '') .. ' -> b', { axis = 0 })
    local wanted = {}
    for o = 1, f do
      local scale = case[4] == one and 0.25 or scales[o]
      local number = case[3][o] - (case[5] and case[5][o] or 0)
      wanted[o] = sums[o] + string.unpack('<f', string.pack('<f', number * scale))
    end
    for _, nodes in ipairs {
      { back, 'MatMul x a -> m', 'Add m b -> h' }, { back, 'MatMul x a -> m', 'Add b m -> h' },
      { back, 'Gemm x a b -> h' },
    } do
      local all = read(nodes, tensors)
      local got = first_of(all)
      for o = 1, f do unit.assertAlmostEquals(got[o], wanted[o], 1e-6 * math.abs(wanted[o])) end
      support.assert_has(all.layers[1].because[2].text, 'rounded once a number to f32')
      unit.assertEquals(all.layers[1].because[2].field, 'bias')
    end
  end
  -- Half of a bias is that of gate; a Conv has one, too.
  local all = onnx_layers.of(writer, { rank = 2, nodes = { node('DequantizeLinear v s -> b', {
    axis = 0 }), 'MatMul x a -> m', 'Add m b -> h', node('Split h -> g u', { axis = -1 }),
    'Sigmoid g -> t', 'Mul t u -> y' }, tensors = { weights, own_s,
    tensor('v', { f }, packed('<i4', { 1, 2, 3, 4, 5, 6 }), i32) } })
  local got = onnx_layers.evaluate(all, all.layers[1], x)
  for o = 1, 3 do
    local gate, up = sums[o] + o * scales[o], sums[o + 3] + (o + 3) * scales[o + 3]
    unit.assertAlmostEquals(got[o], up / (1 + math.exp(-gate)), 1e-6)
  end
  all = onnx_layers.of(writer, { rank = 3, outputs = { 'h' }, nodes = {
    node('DequantizeLinear v s -> b', { axis = 0 }), 'Conv x c b -> h' }, tensors = {
      writer.weights('c', { f, d, 1 }), own_s,
      tensor('v', { f }, packed('<i4', large), i32) } })
  unit.assertEquals(all.layers[1].matrices[1].bias.encoding, 'i32')
end

--- Scales of biases of more outputs than are read at once, one of which is another or none: a
--- product of x that has a scale. Each is taken as it is.
function TestOnnxScaledBiases.test_scales()
  local many = 70
  local q, v, own, others = {}, {}, {}, {}
  for i = 1, d * many do q[i] = i * 53 % 256 - 128 end
  local of_x = string.unpack('<f', string.pack('<f', 0.1))
  for o = 1, many do
    v[o], own[o] = o * 999 - 30000, string.unpack('<f', string.pack('<f', 1 / (o + 6)))
    others[o] = string.unpack('<f', string.pack('<f', of_x * own[o]))
  end
  local nodes = { 'QuantizeLinear x k m -> i', 'DequantizeLinear i k m -> j',
    'DequantizeLinear q s -> w', node('DequantizeLinear v b -> c', { axis = 0 }),
    'Gemm j w c -> h' }
  local function read_with(of_bias, list, kind)
    kind = kind or 1
    return onnx_layers.of(writer, { rank = 2, outputs = { 'h' }, nodes = list or nodes, tensors = {
      tensor('q', { d, many }, packed('<i1', q), i8), tensor('s', { many }, writer.floats(own)),
      writer.number('k', 0.1), tensor('m', {}, '\5', i8),
      tensor('v', { many }, packed('<i4', v), i32), tensor('b', { #of_bias }, kind == 1
        and writer.floats(of_bias) or packed('<I2', of_bias), kind),
    } }, { float_activations = true })
  end
  local function told(all)
    local layer, list = all.layers[1], {}
    for _, item in ipairs(layer.because) do
      if item.field == 'bias' then list[#list + 1] = item.text end
    end
    for _, item in ipairs(layer.around) do
      if item.what == 'scale of a bias' then list[#list + 1] = item.text end
    end
    return list[#list], #list
  end
  local equal = read_with(others)
  unit.assertEquals({ told(equal) }, { 'its scale "b" is that of x times that of the matrix', 2 })
  local last = { table.unpack(others) }
  last[many] = string.unpack('<f', string.pack('<I4', string.unpack('<I4', string.pack('<f',
    others[many])) + 1))
  local all = read_with(last)
  unit.assertEquals({ told(all) }, { ('the scale "b" of its bias is not that of x times that of '
    .. 'the matrix: %.9g, not %.9g, of output 69; it is taken as it is, and programs that add '
    .. 'integers take the other'):format(last[many], others[many]), 2 })
  local y, near = first_of(all), first_of(equal)
  unit.assertEquals(y[1], near[1])
  unit.assertEquals(y[many] - near[many] ~= 0, true)
  -- Halves are read as they are; of one scale all take it; and what x or the matrix has none of.
  unit.assertStrContains(told(read_with { 0.5 }), 'is not that of x times that of the matrix: 0.5')
  local halves = {}
  for o = 1, many do halves[o] = 0x3000 + o end
  unit.assertStrContains(told(read_with(halves, nil, f16)), 'matrix: 0.12512207, not 0.0142857153')
  unit.assertStrContains(told(read_with(others, { nodes[3], nodes[4], 'Gemm x w c -> h' })),
    '"b" stands for itself: x, or the matrix, has no scale of its own')
end

--- A product is not taken without a bias that is not read, and never with another one.
function TestOnnxScaledBiases.test_refused()
  local nodes = { node('DequantizeLinear v s z -> b', { axis = 0 }), 'MatMul x a -> m',
    'Add m b -> h' }
  local v = tensor('v', { f }, packed('<i4', large), i32)
  local none = tensor('z', { f }, ('\0'):rep(4 * f), i32)
  local text = 'MatMul "m" is not taken: Add "h" adds its bias: '
  for _, case in ipairs {
    { { v, own_s, tensor('z', { f }, packed('<i4', { 0, 0, 1, 0, 0, 0 }), i32) },
      '"v" has zeros other than 0' },
    { { v, tensor('s', { f }, ('\0'):rep(8 * f), 11), none }, 'its scales "s" are of type f64' },
    { { v, own_s, tensor('z', { f }, ('\0'):rep(f), i8) }, '"b" is computed by' },
    { { v, own_s, tensor('z', { f, 1 }, ('\0'):rep(4 * f), i32) }, '"b" is computed by' },
    { { tensor('v', { f }, nil, i32, writer.integer(5, 1):rep(f)), own_s, none },
      'the numbers of "v" lie in int32_data, not as they are' },
  } do
    local said = reason(nodes, { weights, table.unpack(case[1]) })
    support.assert_has(said, text)
    support.assert_has(said, case[2])
  end
  support.assert_has(reason({ node('DequantizeLinear v s -> b', { axis = 0, block_size = 3 }),
    'MatMul x a -> m', 'Add m b -> h' }, { weights, v, tensor('s', { 2 },
    writer.floats { 1, 2 }) }), 'some numbers of "v" share a scale')
  support.assert_has(reason({ node('Cast v -> b', { to = 1 }), 'MatMul x a -> m', 'Add m b -> h' },
    { weights, tensor('v', { f }, ('\1'):rep(f), i8) }), '"v" is bytes without a scale')
  -- A norm is folded into floats alone: it ends the chain.
  local norm = { 'g', 'e', 'n', 'v2' }
  local tensors = { weights, v, own_s }
  for _, name in ipairs(norm) do tensors[#tensors + 1] = writer.weights(name, { f }, 9) end
  local all = onnx_layers.of(writer, { rank = 2, outputs = { 'y' }, nodes = {
    node('DequantizeLinear v s -> b', { axis = 0 }), 'Gemm x a b -> h',
    'BatchNormalization h g e n v2 -> y' }, tensors = tensors })
  unit.assertEquals({ all.layers[1].kind, rawget(all.layers[1].matrices[1], 'affine') },
    { 'linear', false })
end

TestOnnxFused = {}

local domain = 'com.microsoft:'

--- What is fused is the product and the activation, by all attributes of both.
function TestOnnxFused.test_forms()
  local bias = writer.weights('b', { f }, 3)
  local turned = writer.weights('a', { f, d })
  for _, case in ipairs {
    { 'FusedGemm x a b -> h', { activation = 'Relu' }, { 'Gemm x a b -> t', 'Relu t -> h' } },
    { 'FusedGemm x a b -> h', { activation = 'LeakyRelu', activation_alpha = 0.25, transB = 1,
      alpha = 0.5, beta = 0.5 }, { node('Gemm x a b -> t', { transB = 1, alpha = 0.5, beta = 0.5 }),
        node('LeakyRelu t -> h', { alpha = 0.25 }) } },
    { 'FusedGemm x a -> h', { activation = 'HardSigmoid', activation_alpha = 0.25,
      activation_beta = 0.75 }, { 'Gemm x a -> t',
        node('HardSigmoid t -> h', { alpha = 0.25, beta = 0.75 }) } },
    { 'FusedMatMulActivation x a -> h', { activation = 'Tanh', alpha = 0.5, transA = 0 },
      { node(domain .. 'FusedMatMul x a -> t', { alpha = 0.5 }), 'Tanh t -> h' } },
    { 'FusedMatMulActivation x a -> h', { activation = 'Selu', activation_alpha = 1.5,
      activation_gamma = 2.0, transB = 1 }, { node(domain .. 'FusedMatMul x a -> t', {
        transB = 1 }), node('Selu t -> h', { alpha = 1.5, gamma = 2.0 }) } },
  } do
    local tensors = { case[2].transB and turned or weights, bias }
    local model = { writer.weights('down', { f, d }, 5), table.unpack(tensors) }
    local function layer_of(nodes)
      nodes = { table.unpack(nodes) }
      nodes[#nodes + 1] = 'MatMul h down -> y'
      return onnx_layers.of(writer, { nodes = nodes, tensors = model, rank = 2 })
    end
    local own, parts = layer_of { node(domain .. case[1], case[2], 'one') }, layer_of(case[3])
    unit.assertEquals(own.layers[1].at, 'one')
    unit.assertEquals(own.layers[1].fields, parts.layers[1].fields, case[1])
    unit.assertEquals(onnx_layers.evaluate(own, own.layers[1], x),
      onnx_layers.evaluate(parts, parts.layers[1], x), case[1])
  end
end

--- Each attribute is used or refused.
function TestOnnxFused.test_refused()
  for _, case in ipairs {
    { 'FusedGemm', {}, 'its activation "" is not known here' },
    { 'FusedGemm', { activation = 'Gelu' }, 'its activation "Gelu" is not known here' },
    { 'FusedGemm', { activation = 1 }, 'its activation "" is not known here' },
    { 'FusedMatMulActivation', { activation = 'Softmax', activation_axis = 1 },
      'its activation "Softmax" is not known here' },
    { 'FusedGemm', { activation = 'LeakyRelu' },
      'its activation LeakyRelu has no activation_alpha' },
    { 'FusedGemm', { activation = 'Selu', activation_alpha = 1.5 }, 'has no activation_gamma' },
    { 'FusedGemm', { activation = 'Relu', activation_alpha = 1.5 },
      'attribute "activation_alpha" is none of its activation Relu' },
    { 'FusedGemm', { activation = 'Relu', transA = 1 }, 'transA is set' },
    { 'FusedGemm', { activation = 'Relu', leaky_relu_alpha = 0.5 },
      'attribute "leaky_relu_alpha" is not known' },
    { 'FusedMatMulActivation', { activation = 'Relu', transBatchB = 1 }, 'transBatchB is set' },
    { 'FusedMatMulActivation', { activation = 'Relu', beta = 0.5 },
      'attribute "beta" is not known' },
  } do
    local said = reason({ node(domain .. case[1] .. ' x a -> h', case[2], 'one') }, { weights })
    support.assert_has(said, case[3])
    support.assert_has(said, '"one"')
  end
end
