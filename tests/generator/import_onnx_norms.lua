--- BatchNormalization behind products of ONNX graphs: folded into them, or the end of a chain.
local unit = require 'luaunit'
local onnx_layers = require 'onnx_layers'
local support = require 'support'
local writer = require 'onnx_writer'

TestOnnxNorms = {}

local node, tensor = writer.node, writer.tensor
local d, f = 4, 6

local function vector(name, from, n) return writer.weights(name, { n or f }, from) end

--- Numbers above 0 alone.
local variance = tensor('v', { f }, writer.floats { 1, 2, 3, 4, 5, 6 })

local function read(nodes, tensors, more)
  local made = {
    nodes = nodes, rank = 2, outputs = { 'y' },
    tensors = { writer.weights('a', { d, f }), writer.weights('b', { f, d }, 5), vector('g', 1),
      vector('e', 7), vector('m', 11), variance, vector('c', 13), table.unpack(tensors or {}) },
  }
  for key, value in pairs(more or {}) do made[key] = value end
  return onnx_layers.of(writer, made)
end

local norm = node('BatchNormalization h g e m v -> n', { epsilon = 0.5 }, 'norm')

--- The layer gives what the graph does, computed here.
function TestOnnxNorms.test_folded()
  local halves = tensor('a', { d, f }, ('\0\x3c'):rep(d * f), 10)
  local function weight(name, i)
    local first = { g = 1, e = 7, m = 11, c = 13, a = 0 }
    return (first[name] + i) % 17 / 16 - 0.5
  end
  local x = { 0.5, -1.25, 0.75, 2.0 }
  for _, has_bias in ipairs { true, false } do
    local all = read { 'MatMul x a -> k', has_bias and 'Add k c -> h' or 'Identity k -> h', norm,
      'Relu n -> t', 'MatMul t b -> y' }
    local layer = all.layers[1]
    unit.assertEquals({ layer.kind, layer.fields.variant, layer.fields.bias },
      { 'ffn', 'relu', true })
    unit.assertEquals(layer.matrices[1].bias and layer.matrices[1].bias.tensor or false,
      has_bias and 'c')
    local affine = layer.matrices[1].affine
    unit.assertEquals({ affine.epsilon, affine.gamma.tensor, affine.beta.tensor,
      affine.mean.tensor, affine.variance.tensor, layer.matrices[2].affine },
      { 0.5, 'g', 'e', 'm', 'v', false })
    support.assert_has(layer.because[2].text, 'BatchNormalization "norm" is folded')
    unit.assertEquals(all.left, {})
    local m = layer.matrices[1]
    local y = onnx_layers.evaluate(all, { kind = 'linear', fields = {}, activations = {},
      matrices = { { role = 'chain', at = 0, outputs = f, inputs = d, weight = m.weight,
        bias = m.bias, affine = affine } } }, x)
    for o = 1, f do
      local sum = has_bias and weight('c', o) or 0.0
      for i = 1, d do sum = sum + weight('a', (i - 1) * f + o) * x[i] end
      local wanted = (sum - weight('m', o)) / math.sqrt(o + 0.5) * weight('g', o) + weight('e', o)
      unit.assertAlmostEquals(y[o], wanted, 1e-12)
    end
  end
  -- Weights of two bytes become f32; parts of a product take parts of the vectors.
  local all = onnx_layers.of(writer, { rank = 2, outputs = { 'y' },
    tensors = { halves, vector('g', 1), vector('e', 7), vector('m', 11), variance },
    nodes = { 'MatMul x a -> h', norm, node('Split n -> p u', { axis = 1 }), 'Sigmoid p -> s',
      'Mul p s -> t', 'Mul t u -> y' } })
  local gate, up = all.layers[1].matrices[1], all.layers[1].matrices[2]
  unit.assertEquals({ all.layers[1].kind, gate.weight.format, gate.weight.encoding },
    { 'glu', 'f32', 'f16' })
  for _, name in ipairs { 'gamma', 'beta', 'mean', 'variance' } do
    unit.assertEquals(up.affine[name].first - gate.affine[name].first, 4 * f // 2, name)
  end
end

--- What is another norm, or stands where it cannot be folded, ends the chain.
function TestOnnxNorms.test_not_folded()
  local bytes = tensor('q', { d, f }, ('\3'):rep(d * f), 3)
  for _, case in ipairs {
    { { node('BatchNormalization h g e m v -> n', { training_mode = 1 }) } },
    { { node('BatchNormalization h g e m v -> n', { spatial = 1 }) } },
    { { node('BatchNormalization h g e m v -> n', { epsilon = -1.0 }) } },
    { { node('BatchNormalization h g e m v -> n', { epsilon = 1e39 }) } },
    { { norm }, { opset = 8 } }, { { norm }, { rank = 3 } },
    { { 'BatchNormalization h g e m -> n' } },
    { { 'BatchNormalization h g e m short -> n' } },
    { { 'BatchNormalization h g e m v -> n', 'Identity h -> z' }, {}, 1 },
    { { 'BatchNormalization h g e m v -> n w', 'Identity w -> ww' } },
    { { node('BatchNormalization h g e m v -> k'), 'Add k c -> n' }, {}, 2 },
    { { node('BatchNormalization h g e m v -> k'), 'BatchNormalization k g e m v -> n' }, {}, 2 },
  } do
    local nodes = { 'MatMul x a -> h', table.unpack(case[1]) }
    nodes[#nodes + 1] = 'Relu n -> t'
    nodes[#nodes + 1] = 'MatMul t b -> y'
    local all = read(nodes, { vector('short', 1, d) }, case[2])
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    unit.assertEquals({ #all.layers, all.layers[1].kind }, { 2, 'linear' }, what)
    -- The first of two norms may be one of the layer.
    unit.assertEquals(all.layers[1].matrices[1].affine ~= false, case[3] == 2, what)
  end
  -- Bytes stay bytes: a norm would make floats of them.
  local all = read({ 'DequantizeLinear q v -> w', 'MatMul x w -> h', norm, 'Relu n -> t',
    'MatMul t b -> y' }, { bytes })
  unit.assertEquals({ #all.layers, all.layers[1].kind, all.layers[1].matrices[1].weight.format },
    { 2, 'linear', 'i8' })
  unit.assertEquals(all.left[1].what, 'norms')
end
