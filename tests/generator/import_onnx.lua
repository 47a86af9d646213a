--- ONNX graphs: what exporters wrote of real layers, with the numbers that these give; and every
--- form of product, weight, bias, cut and end that a graph may have.
local unit = require 'luaunit'
local lists = require 'common.list'
local onnx_layers = require 'onnx_layers'
local support = require 'support'
local writer = require 'onnx_writer'

local data = support.root .. '/tests/data/import/onnx/'

TestOnnxFixtures = {}

--- What each file is: kind, variant, and its fixed parameter; of an mlp its activations.
local fixtures = {
  bilinear = 'ffn bilinear', block = 'ffn gelu', clamped = 'ffn clamped_swiglu', conv = 'ffn relu',
  conv1d = 'ffn gelu_tanh',
  elu = 'ffn elu 1', fused = 'ffn swiglu', geglu = 'ffn geglu', gelu = 'ffn gelu',
  gelu_fast = 'ffn gelu_tanh', gelu_new = 'ffn gelu_tanh', gelu_tanh = 'ffn gelu_tanh',
  hardswish = 'ffn hardswish', leaky = 'ffn leaky_relu 0.2', mish = 'ffn mish',
  mlp = 'mlp relu relu sigmoid', quick_gelu = 'ffn quick_gelu', relu2 = 'ffn relu2',
  relu6 = 'ffn relu6', silu = 'ffn silu', swiglu = 'ffn swiglu', unnamed = 'ffn own',
}

--- Files of one way of exporting alone, or by hand.
local single_fixtures = {
  half_dynamo = 'ffn gelu',
  half_script = 'ffn own', -- the root of 2 as f16 has it
  softplus_dynamo = 'ffn own', -- above 20 it is x, once more
  softplus_script = 'ffn softplus', branch = 'ffn relu', fast_gelu = 'ffn own',
  fast_gelu_bias = 'ffn gelu_tanh', gemm = 'ffn own', optimised = 'ffn gelu',
  slices = 'ffn mish_glu', norm_between = 'linear', part_biases = 'ffn reglu',
  selfgate = 'selfgate sigmoid', batch_norm = 'ffn relu', batch_norm_conv = 'ffn swiglu',
  bytes_cast = 'ffn relu', bytes_gated = 'ffn swiglu', bytes_split = 'ffn tanh_glu',
  nbits_32 = 'ffn gelu', nbits_64 = 'ffn gelu', nbits_128 = 'linear',
  bytes_blocks = 'mlp relu relu', nbits_16 = 'ffn gelu', rounded = 'ffn swiglu',
  fused_gemm = 'mlp leaky_relu sigmoid', fused_activation = 'ffn own',
  symmetric_mlp = 'ffn relu', symmetric_swiglu = 'ffn swiglu',
}

--- Files of ONNX Runtime's quantisers, in which activations are rounded.
local quantiser_fixtures = { whisper = 'ffn gelu' }
for _, way in ipairs { 'static', 'dynamic' } do
  for _, of in ipairs { 'tensor', 'channel' } do
    for _, kind in ipairs { 'i8', 'u8' } do
      quantiser_fixtures[('%s_mlp_%s_%s'):format(way, of, kind)] = 'ffn relu'
      quantiser_fixtures[('%s_swiglu_%s_%s'):format(way, of, kind)] = 'ffn swiglu'
    end
  end
end

--- Files of several layers: how many.
local layer_counts = { norm_between = 2, whisper = 2 }

--- Files with numbers that no format holds as they are.
local decoded = { bytes_blocks = true, nbits_16 = true }

local function said(layer)
  local f = layer.fields
  local variant = f.variant and f.variant:gsub('^own_%l%l%l%l%l%l', 'own')
  local words = { layer.kind, variant or f.activation and f.activation:gsub('^own_%l+', 'own') }
  for _, width in ipairs(f.layers or {}) do words[#words + 1] = width[2] end
  words[#words + 1] = f.beta
  for _, v in pairs(f.parameters or {}) do words[#words + 1] = v end
  return table.concat(words, ' ')
end

--- Rows of x and y beside a file.
local function rows_of(path)
  local rows, what = {}, nil
  for line in io.lines(path) do
    local head = line:match '^([xy]) '
    if head then
      what, rows[head] = head, {}
    else
      local row = {}
      for word in line:gmatch '%S+' do row[#row + 1] = assert(tonumber(word)) end
      table.insert(rows[what], row)
    end
  end
  return rows
end

--- A layer gives what the model gave where it was made.
local function assert_rows(name, all, layer)
  local rows = rows_of(('%s%s%s.txt'):format(data, name,
    layer.index > 0 and '.' .. layer.index or ''))
  unit.assertTrue(#rows.x >= 3 and #rows.y == #rows.x, name)
  local near = name:find 'half' and 2e-3 or 3e-6
  for i, x in ipairs(rows.x) do
    local y, size = onnx_layers.evaluate(all, layer, x), 1.0
    for _, v in ipairs(rows.y[i]) do size = math.max(size, math.abs(v)) end
    unit.assertEquals(#y, #rows.y[i], name)
    for j, v in ipairs(rows.y[i]) do
      unit.assertTrue(math.abs(y[j] - v) <= near * size,
        ('%s: row %d, %d: %.9g is not %.9g'):format(name, i, j, y[j], v))
    end
  end
end

function TestOnnxFixtures.test_exported()
  local wanted, count = {}, 0
  for name, what in pairs(fixtures) do
    wanted[name .. '_dynamo'], wanted[name .. '_script'] = what, what
  end
  for name, what in pairs(single_fixtures) do wanted[name] = what end
  for name, what in pairs(quantiser_fixtures) do wanted[name] = what end
  for _, name in ipairs(support.keys(wanted)) do
    count = count + 1
    local all = onnx_layers.read(data .. name .. '.onnx', { decode = decoded[name],
      float_activations = name == 'rounded' or quantiser_fixtures[name] ~= nil })
    unit.assertEquals(said(all.layers[1]), wanted[name], name)
    unit.assertEquals(#all.layers, layer_counts[name] or 1, name)
    assert_rows(name, all, all.layers[1])
    if name == 'whisper' then assert_rows(name, all, all.layers[2]) end
  end
  local files = 0
  for path in pairs(support.snapshot(data)) do
    if path:match '%.onnx$' then files = files + 1 end
  end
  unit.assertEquals(files, count, 'files without a line here')
end

--- What stands around a layer is told, and what is left is counted.
function TestOnnxFixtures.test_around()
  local all = onnx_layers.read(data .. 'block_script.onnx')
  local around = {}
  for i, a in ipairs(all.layers[1].around) do
    around[i] = ('%s %s %s'):format(a.place, a.what, a.tensor)
  end
  unit.assertEquals(around, {
    'before LayerNormalization norm2.weight', 'after Add false',
  })
  unit.assertEquals(all.left, {
    { what = 'norms', count = 2 }, { what = 'products', count = 4 }, { what = 'nodes', count = 11 },
  })
  all = onnx_layers.read(data .. 'optimised.onnx')
  unit.assertStrContains(all.layers[1].because[2].text, 'leave it out there')
  unit.assertEquals(all.layers[1].matrices[2].bias.tensor, 'b2')
end

-- Forms ------------------------------------------------------------------------------------------

TestOnnxForms = {}

local d, f = 4, 6

local function weights()
  return { writer.weights('a', { d, f }), writer.weights('b', { f, d }, 5) }
end

--- The model of some nodes between x and y, of two matrices and more tensors.
local function of(nodes, tensors, more)
  local all = weights()
  for _, tensor in ipairs(tensors or {}) do all[#all + 1] = tensor end
  local model = { nodes = nodes, tensors = all, rank = 2 }
  for key, value in pairs(more or {}) do model[key] = value end
  return model
end

local function read(nodes, tensors, more, options)
  return onnx_layers.of(writer, of(nodes, tensors, more), options)
end

--- The layer of nodes between MatMul x a -> h and MatMul t b -> y.
local function between(nodes, tensors, more)
  local all = { 'MatMul x a -> h', table.unpack(nodes) }
  all[#all + 1] = 'MatMul t b -> y'
  return read(all, tensors, more)
end

local function assert_layers(all, wanted, what)
  local list = {}
  for i, layer in ipairs(all.layers) do list[i] = said(layer) end
  unit.assertEquals(list, wanted, what)
end

--- What each operator is, alone between two products.
function TestOnnxForms.test_operators()
  local node, number = writer.node, writer.number
  for _, case in ipairs {
    { { 'Relu h -> t' }, 'relu' }, { { 'Sigmoid h -> t' }, 'sigmoid' },
    { { 'Tanh h -> t' }, 'tanh' }, { { 'Mish h -> t' }, 'mish' },
    { { 'Softplus h -> t' }, 'softplus' }, { { 'HardSwish h -> t' }, 'hardswish' },
    { { 'Gelu h -> t' }, 'gelu' },
    { { node('Gelu h -> t', { approximate = 'tanh' }) }, 'gelu_tanh' },
    { { 'com.microsoft:Gelu h -> t' }, 'gelu' },
    { { 'com.microsoft:QuickGelu h -> t' }, 'quick_gelu' },
    { { node('com.microsoft:QuickGelu h -> t', { alpha = 1.5 }) }, 'swish 1.5' },
    { { node('LeakyRelu h -> t', { alpha = 0.25 }) }, 'leaky_relu 0.25' },
    { { 'LeakyRelu h -> t' }, 'leaky_relu 0.01' }, { { 'Elu h -> t' }, 'elu 1' },
    { { node('Celu h -> t', { alpha = 2.0 }) }, 'celu 2' },
    { { node('HardSigmoid h -> t', { alpha = 1 / 6 }) }, 'hardsigmoid' },
    { { 'Identity h -> t' }, 'identity' },
    { { 'Neg h -> n', 'Exp n -> e', 'Add e one -> s', 'Div h s -> t' }, 'silu' },
    { { 'Sigmoid h -> s', 'Mul s h -> t' }, 'silu' },
    { { 'Relu h -> r', 'Mul r r -> t' }, 'relu2' },
    { { 'Relu h -> r', 'Pow r two -> t' }, 'relu2' },
    { { 'Max h zero -> t' }, 'relu' }, { { 'Clip h zero six -> t' }, 'relu6' },
    { { 'Greater h zero -> c', 'Where c h zero -> t' }, 'relu' },
    { { 'Less h zero -> c', 'Where c zero h -> t' }, 'relu' },
    { { 'GreaterOrEqual h zero -> c', 'Where c h zero -> t' }, 'relu' },
    { { 'Greater h zero -> c', node('Cast c -> m', { to = 1 }), 'Mul m h -> t' }, 'own',
      'function(x) return select(lt(0, x), 1, 0) * x end' },
    { { 'Less h zero -> c', 'Not c -> d', 'Where d h zero -> t' }, 'relu' },
    { { 'PRelu h half -> t' }, 'leaky_relu 0.5' },
    { { 'Cast h -> t' }, 'no' },
    { { node('Cast h -> k', { to = 11 }), 'Relu k -> r', node('Cast r -> t', { to = 1 }) },
      'relu' },
    { { 'Relu h -> r', 'Dropout r -> t' }, 'relu' },
    { { 'CastLike two h -> k', 'Relu h -> r', 'Pow r k -> t' }, 'relu2' },
    { { 'Sqrt four -> k', 'Relu h -> r', 'Pow r k -> t' }, 'relu2' },
    { { 'Softsign h -> t' }, 'own', 'function(x) return x / (1 + abs(x)) end' },
    { { 'Abs h -> t' }, 'own', 'function(x) return abs(x) end' },
    { { 'Reciprocal h -> k', 'Min k six -> t' }, 'own', 'function(x) return min(1 / x, 6) end' },
    { { 'ThresholdedRelu h -> t' }, 'own', 'function(x) return select(lt(1, x), x, 0) end' },
    { { 'Exp h -> k', 'Log k -> t' }, 'own', 'function(x) return select(lt(exp(x), 0.5), '
      .. '-log1p(1 / exp(x) - 1), log1p(exp(x) - 1)) end' },
    { { 'Sigmoid h -> k', 'Log k -> t' }, 'own',
      'function(x) return -select(lt(20, -x), -x, log1p(exp(min(-x, 20)))) end' },
    { { node('HardSigmoid h -> t') }, 'own',
      'function(x) return max(0, min(1, 0.2 * x + 0.5)) end' },
    { { 'Sum h h six -> t' }, 'own', 'function(x) return x + x + 6 end' },
    { { 'Relu h -> r', 'Sqrt r -> t' }, 'own', 'function(x) return sqrt(max(x, 0)) end' },
    { { node('Clip h -> t', { min = -1.0 }) }, 'own', 'function(x) return max(x, -1) end' },
  } do
    local all = between(case[1], {
      number('zero', 0), number('one', 1), number('two', 2), number('six', 6), number('half', 0.5),
      number('four', 4),
    })
    local layer = all.layers[1]
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local wanted = case[2] == 'no' and 'linear' or 'ffn ' .. case[2]
    unit.assertEquals(said(layer), wanted, what)
    if case[3] then unit.assertEquals(layer.activations[1].text, case[3], what) end
  end
  -- Of old operator sets.
  local all = between({ node('Clip h -> t', { min = 0.0, max = 6.0 }) }, {}, { opset = 10 })
  assert_layers(all, { 'ffn relu6' })
  all = between({ node('Dropout h -> t', { is_test = 1 }) }, {}, { opset = 6 })
  assert_layers(all, { 'ffn identity' })
  all = between({ 'Dropout h -> t' }, {}, { opset = 6 })
  assert_layers(all, { 'linear', 'linear' }, 'it drops')
end

--- Functions of gate and up: a factor of up, or more than that.
function TestOnnxForms.test_gated()
  local tensors = { writer.weights('c', { d, f }, 3), writer.number('two', 2),
    writer.number('seven', 7) }
  for _, case in ipairs {
    { { 'Relu h -> q', 'Mul q u -> t' }, 'reglu' }, { { 'Mul u h -> t' }, 'bilinear' },
    { { 'Gelu u -> q', 'Mul q h -> t' }, 'geglu' },
    { { 'Neg h -> n', 'Exp n -> e', 'Add e one -> s', 'Mul h u -> p', 'Div p s -> t' }, 'swiglu' },
    { { 'Abs h -> k', 'Add k two -> q', 'Mul u q -> t' }, 'own_glu',
      'function(x) return abs(x) + 2 end' },
    { { 'Abs u -> k', 'Mul k h -> q', 'Mul q two -> t' }, 'own_glu',
      'function(x) return abs(x) * 2 end' },
    { { 'Abs h -> k', 'Add k u -> t' }, 'own', 'function(gate, up) return abs(gate) + up end' },
    { { 'Min h seven -> g', 'Sigmoid g -> s', 'Max u h -> v', 'Mul s v -> t' }, 'own',
      'function(gate, up) return sigmoid(min(gate, 7)) * max(up, gate) end' },
  } do
    local nodes = { 'MatMul x a -> h', 'MatMul x c -> u', table.unpack(case[1]) }
    nodes[#nodes + 1] = 'MatMul t b -> y'
    local layer = read(nodes, lists.append({ writer.number('one', 1) }, tensors)).layers[1]
    local what = table.concat(case[1], '; ')
    unit.assertEquals(said(layer), 'ffn ' .. case[2], what)
    if case[3] then unit.assertEquals(layer.activations[1].text, case[3], what) end
  end
end

--- What a product multiplies, times a function of the product.
function TestOnnxForms.test_self_gated()
  local tensors = { writer.weights('s', { d, d }, 2), writer.number('two', 2),
    writer.weights('v', { d }) }
  local function layers_of(nodes, more)
    local list = read(nodes, lists.append({ writer.number('one', 1) }, tensors), more).layers
    for i, layer in ipairs(list) do list[i] = said(layer) end
    return list
  end
  for _, case in ipairs {
    { { 'MatMul x s -> h', 'Sigmoid h -> t', 'Mul t x -> y' }, { 'selfgate sigmoid' } },
    { { 'MatMul x s -> h', 'Mul x h -> y' }, { 'selfgate identity' } },
    { { 'MatMul x s -> h', 'Neg h -> n', 'Exp n -> e', 'Add e one -> k', 'Div x k -> y' },
      { 'selfgate sigmoid' } },
    { { 'MatMul x s -> h', 'Tanh h -> t', 'Mul x t -> m', 'Mul m two -> y' }, { 'selfgate own' } },
    { { 'MatMul x s -> m', 'Add m v -> h', 'Tanh h -> t', 'Mul x t -> y' }, { 'selfgate tanh' } },
    -- It takes what another layer gives, or gives what one takes.
    { { 'MatMul x s -> h', 'Tanh h -> t', 'Mul x t -> m', 'MatMul m a -> h2', 'Relu h2 -> r',
      'MatMul r b -> y' }, { 'selfgate tanh', 'ffn relu' } },
    { { 'MatMul x a -> h2', 'Relu h2 -> r', 'MatMul r b -> z', 'MatMul z s -> h', 'Tanh h -> t',
      'Mul z t -> y' }, { 'ffn relu', 'selfgate tanh' } },
    { { 'MatMul x a -> h', 'Relu h -> t', 'MatMul t b -> z', 'Softmax z -> q', 'MatMul q s -> k',
      'Relu k -> l', 'Mul l q -> y' }, { 'ffn relu', 'selfgate relu' } },
    -- More than a factor, another x, and a part of a product are none.
    { { 'MatMul x s -> h', 'Tanh x -> t', 'Mul h t -> y' }, { 'linear' } },
    { { 'MatMul x s -> h', 'Tanh h -> t', 'Mul x t -> m', 'Mul x m -> y' }, { 'selfgate tanh' } },
    { { 'MatMul x s -> h', 'Tanh h -> t', 'Add x t -> y' }, { 'mlp tanh' } },
    { { 'MatMul x s -> h', 'Tanh h -> t', 'Mul x t -> m', 'Add m h -> y' }, { 'linear' } },
    { { 'MatMul x s -> h', 'Neg x -> n', 'Mul n h -> y' }, { 'linear' } },
    { { 'MatMul x s -> h', 'Div h x -> y' }, { 'linear' } },
    { { 'MatMul x s -> h', 'Softmax x -> q', 'Sigmoid h -> t', 'Mul q t -> y' },
      { 'mlp sigmoid' } },
  } do
    unit.assertEquals(layers_of(case[1]), case[2], table.concat(case[1], '; '))
  end
end

--- What is no function of each number, or has more to it, ends a chain.
function TestOnnxForms.test_ends()
  local node, number = writer.node, writer.number
  for _, case in ipairs {
    { { node('Softmax h -> t', { axis = -1 }) } }, { { 'LayerNormalization h g -> t' } },
    { { 'Mul h g -> t' } }, { { node('Relu h -> t', { strange = 1 }) } },
    { { 'other.domain:Relu h -> t' } }, { { 'Pow h half -> t' }, 'is not told element by element' },
    { { 'Pow two h -> t' }, 'is not told' }, { { 'Add h x -> t' } },
    { { 'Relu h -> t', 'Identity t -> z' }, 'goes to' },
    { { 'Relu h -> r', 'Sigmoid h -> z', 'Mul r r -> t', 'Identity z -> zz' }, 'goes to Sigmoid' },
    { { node('Cast h -> k', { to = 7 }), node('Cast k -> t', { to = 1 }) } },
    { { 'Div h zero -> t' }, 'divides by the constant 0' },
    { { node('Clip h six zero -> t') }, 'is not told' },
    { { 'Less h zero -> c', 'Add c h -> t' }, 'Add is not told' },
    { { 'Less h zero -> c', 'Identity c -> d', 'Where d h zero -> t' }, 'is not told' },
    { { node('Reshape h shape -> t') } }, { { 'Dropout h half one -> t' }, 'is not told' },
    { { node('BatchNormalization h g g g g -> t', { training_mode = 1 }) } },
    { { 'Mul h huge -> t' }, 'f32' },
  } do
    local all = between(case[1], {
      number('zero', 0), number('one', 1), number('two', 2), number('six', 6), number('half', 0.5),
      number('huge', 1e-42), writer.weights('g', { f }), writer.sizes('shape', { -1, f + 0, 1 }),
    })
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    for _, layer in ipairs(all.layers) do
      unit.assertTrue(layer.kind == 'linear' or #(layer.fields.layers or {}) == 1, what)
    end
    unit.assertEquals(#all.layers, 2, what)
    local texts = {}
    for _, a in ipairs(all.layers[1].around) do texts[#texts + 1] = a.what .. a.text end
    unit.assertStrContains(table.concat(texts, '\n'), case[2] or '', what)
  end
end
