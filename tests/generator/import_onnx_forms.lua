--- Products of ONNX graphs in every form: where matrices and vectors come from, how they lie, what
--- is cut of them; and what is refused by its name.
local unit = require 'luaunit'
local onnx_layers = require 'onnx_layers'
local refusal = require 'refusal'
local support = require 'support'
local writer = require 'onnx_writer'

TestOnnxProducts = {}

local node, number, sizes, tensor = writer.node, writer.number, writer.sizes, writer.tensor
local d, f = 4, 6

--- Numbers of a matrix [in][out] of eighths, and the same as [out][in].
local function matrix(inputs, outputs)
  local list, turned = {}, {}
  for i = 1, inputs * outputs do list[i] = i % 17 / 8 - 1.0 end
  for o = 0, outputs - 1 do
    for i = 0, inputs - 1 do turned[#turned + 1] = list[i * outputs + o + 1] end
  end
  return list, turned
end

local numbers, turned = matrix(d, f)
local bytes, flipped = writer.floats(numbers), writer.floats(turned)
local x = { 0.5, -1.25, 0.75, 2.0 }

--- A model of nodes and tensors, and behind them a ReLU and another product.
local function model(nodes, tensors, more)
  local list, all = { table.unpack(nodes) }, { writer.weights('down', { f, d }, 5) }
  local behind = more and more.behind or 'Relu h -> r'
  for _, text in ipairs { behind, 'MatMul r down -> y' } do list[#list + 1] = text end
  for _, one in ipairs(tensors) do all[#all + 1] = one end
  local made = { nodes = list, tensors = all, rank = 2 }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

local function read(nodes, tensors, more, options)
  return onnx_layers.of(writer, model(nodes, tensors, more), options)
end

--- The outputs of a layer's first product, of x.
local function first_of(all, what)
  local layer = all.layers[1]
  local m = layer.matrices[1]
  unit.assertEquals({ m.outputs, m.inputs }, { f, d }, what)
  return onnx_layers.evaluate(all, {
    kind = 'linear', fields = {}, activations = {}, matrices = { {
      role = 'chain', at = 0, outputs = f, inputs = d, weight = m.weight, bias = m.bias,
    } },
  }, x)
end

--- What parts products, so that each is one by itself.
local parted = { behind = 'Softmax h -> r' }

local function product(list, bias, scale)
  local y = {}
  for o = 1, f do
    local sum = bias and bias[o] or 0.0
    for i = 1, d do sum = sum + list[(i - 1) * f + o] * x[i] * (scale or 1) end
    y[o] = sum
  end
  return y
end

local plain = product(numbers)

local function of_two_bytes(pack)
  local parts = {}
  for i, v in ipairs(numbers) do parts[i] = pack(v) end
  return table.concat(parts)
end

local halves = of_two_bytes(function(v)
  local size = math.abs(v)
  local exponent = size > 0 and math.floor(math.log(size, 2)) or -15
  local fraction = size > 0 and math.tointeger(size / 2.0 ^ exponent * 1024 - 1024) or 0
  return string.pack('<I2', (v < 0 and 0x8000 or 0) | exponent + 15 << 10 | fraction)
end)
local brains = of_two_bytes(function(v) return string.pack('<f', v):sub(3) end)
local doubles = of_two_bytes(function(v) return string.pack('<d', v) end)

--- Where a matrix comes from, and as what.
function TestOnnxProducts.test_weights()
  local cast = node('Cast q -> w', { to = 1 })
  for _, case in ipairs {
    { node('Transpose q -> w', { perm = { 1, 0 } }), { tensor('q', { f, d }, flipped) } },
    { 'Transpose q -> w', { tensor('q', { f, d }, flipped) } },
    { 'Identity q -> w', { tensor('q', { d, f }, bytes) } },
    { node('Constant -> w', { value = { tensor = tensor('', { d, f }, bytes) } }), {} },
    { 'Reshape q s -> w', { tensor('q', { d * f }, bytes), sizes('s', { d, -1 }) } },
    { 'Reshape q s -> w', { tensor('q', { d, 1, f }, bytes), sizes('s', { 0, f }) } },
    { 'Unsqueeze q s -> w', { tensor('q', { d, f }, bytes), sizes('s', { 0 }) } },
    { 'Squeeze q s -> w', { tensor('q', { d, 1, f }, bytes), sizes('s', { 1 }) } },
    { 'Squeeze q -> w', { tensor('q', { d, 1, f }, bytes) } },
    { 'Flatten q -> w', { tensor('q', { d, 2, f // 2 }, bytes) } },
    { 'Slice q s e k -> w', { tensor('q', { d + 1, f }, ('\0'):rep(4 * f) .. bytes),
      sizes('s', { 1 }), sizes('e', { 1 << 60 }), sizes('k', { 0 }) } },
    { 'Slice q s e k t -> w', { tensor('q', { 2 * d - 1, f }, (bytes:gsub(('.'):rep(4 * f),
      function(row) return row .. ('\1'):rep(4 * f) end):sub(1, 4 * f * (2 * d - 1)))),
      sizes('s', { -2 * d }), sizes('e', { 99 }), sizes('k', { -2 }), sizes('t', { 2 }) } },
    { node('Split q -> v w', { axis = 0 }),
      { tensor('q', { 2 * d, f }, bytes:reverse() .. bytes) } },
    { node('Split q s -> v w', { axis = 0 }),
      { tensor('q', { 3 + d, f }, ('\1'):rep(12 * f) .. bytes), sizes('s', { 3, d }) } },
    { cast, { tensor('q', { d, f }, brains, 16) }, 'bf16' },
    { cast, { tensor('q', { d, f }, halves, 10) }, 'f16' },
    { 'Identity q -> w', { tensor('q', { d, f }, doubles, 11) }, 'f64' },
    { 'Identity q -> w', { tensor('q', { d, f }, nil, 1, writer.bytes(4, bytes)) } },
    { 'Identity q -> w', { tensor('q', { d, f }, nil, 11, writer.bytes(10, doubles)) }, 'f64' },
  } do
    local all = read({ case[1], 'MatMul x w -> h' }, case[2])
    local what = case[1]:gsub('%c', '.')
    unit.assertEquals(all.layers[1].kind, 'ffn', what)
    unit.assertEquals(all.layers[1].matrices[1].weight.encoding, case[3] or 'f32', what)
    unit.assertEquals(first_of(all, what), plain, what)
  end
end

--- What a matrix may not come from is named, with what it is.
function TestOnnxProducts.test_no_weights()
  local refused = {
    { 'DequantizeLinear q s -> w', { tensor('q', { d, f }, bytes, 6), number('s', 1) },
      'its matrix "q" is quantised (i32)' },
    { node('Cast q -> w', { to = 1 }), { tensor('q', { d, f }, bytes:sub(1, d * f), 9) },
      'is made by Cast "w" from "q"' },
    { 'Mul q s -> w', { tensor('q', { d, f }, bytes), writer.weights('s', { f }) },
      'is computed by Mul "w" from "q"' },
    { node('Cast q -> w', { to = 10 }), { tensor('q', { d, f }, bytes) }, 'is made by Cast' },
    { 'Identity q -> w', { tensor('q', { d, f }, bytes:sub(1, d * f), 2) },
      'has numbers of type u8, which are quantised' },
    { 'Identity q -> w', { tensor('q', { 2, d, f }, bytes .. bytes) }, '[2][4][6]' },
    { 'Identity q -> w', { tensor('q', { d, f }, nil, 10,
      writer.integer(5, 1):rep(d * f)) }, 'lie in int32_data, not as they are' },
    { 'Identity q -> w', { tensor('q', { d, f }, nil, 1,
      (numbers[1] and writer.float(4, 0.5) or ''):rep(d * f)) }, 'lie in float_data' },
    { node('Transpose q -> t', { perm = { 2, 0, 1 } }), 'Reshape t s -> w',
      { tensor('q', { 2, d, f // 2 }, bytes), sizes('s', { d, f }) }, 'is made by Reshape' },
  }
  for _, case in ipairs(refused) do
    local nodes, at = {}, 1
    while type(case[at]) == 'string' do
      nodes[at] = case[at]
      at = at + 1
    end
    nodes[#nodes + 1] = node('MatMul x w -> h', {}, 'first')
    local all = read(nodes, case[at], parted)
    local what = case[1]:gsub('%c', '.')
    unit.assertEquals(#all.layers, 1, what)
    unit.assertEquals(all.layers[1].kind, 'linear', what)
    unit.assertStrContains(all.about[2], 'not taken: MatMul "first"', false, what)
    unit.assertStrContains(all.about[2], case[at + 1], false, what)
  end
  -- By annotation, and as few numbers among zeros.
  local all = read({ 'MatMul x w -> h' }, { tensor('w', { d, f }, bytes) },
    { more = writer.bytes(14, writer.bytes(1, 'w')), behind = parted.behind })
  unit.assertStrContains(all.about[2], 'is quantised, as an annotation says')
  all = read({ 'MatMul x w -> h' }, {},
    { more = writer.bytes(15, writer.bytes(1, tensor('w', { 2 }, ('\0'):rep(8)))),
      behind = parted.behind })
  unit.assertStrContains(all.about[2], 'is sparse: store it whole')
  -- What is computed may have an annotation: it says what others may do.
  all = read({ 'MatMul x w -> h' }, { tensor('w', { d, f }, bytes) },
    { more = writer.bytes(14, writer.bytes(1, 'x')) })
  unit.assertEquals(all.layers[1].kind, 'ffn')
end

local bias = { 0.5, -1.0, 2.0, 0.25, -0.125, 3.0 }

--- Gemm, FusedMatMul and Conv in their attributes; vectors on either side.
function TestOnnxProducts.test_products()
  local own, other = tensor('w', { d, f }, bytes), tensor('w', { f, d }, flipped)
  local function c(dims) return tensor('c', dims, writer.floats(bias)) end
  local fused = 'com.microsoft:FusedMatMul x w -> h'
  for _, case in ipairs {
    { { 'Gemm x w -> h' }, { own }, plain }, { { 'Gemm x w _ -> h' }, { own }, plain },
    { { node('Gemm x w -> h', { transB = 1 }) }, { other }, plain },
    { { 'Gemm x w c -> h' }, { own, c { f } }, product(numbers, bias) },
    { { 'Gemm x w c -> h' }, { own, c { 1, f } }, product(numbers, bias) },
    { { node('Gemm x w c -> h', { beta = 0.0 }) }, { own, c { f } }, plain },
    { { 'MatMul x w -> m', 'Add m c -> h' }, { own, c { f } }, product(numbers, bias) },
    { { 'MatMul x w -> m', 'Add c m -> h' }, { own, c { 1, 1, f } }, product(numbers, bias) },
    { { 'MatMul x w -> m', 'Identity m -> i', 'Add c i -> h' }, { own, c { f } },
      product(numbers, bias) },
    { { node(fused) }, { own }, plain }, { { node(fused, { transB = 1 }) }, { other }, plain },
  } do
    local what = case[1][1]:gsub('%c', '.')
    local all = read(case[1], case[2])
    unit.assertEquals({ all.layers[1].kind, all.layers[1].fields.variant,
      all.layers[1].fields.bias }, { 'ffn', 'relu', case[3] ~= plain }, what)
    unit.assertEquals(first_of(all, what), case[3], what)
  end
  -- One number for all, and what is scaled, is a part of what stands behind.
  for _, case in ipairs {
    { node('Gemm x w one -> h', { alpha = 2.0 }), 'function(x) return max(x * 2 + 1, 0) end' },
    { 'Gemm x w one -> h', 'function(x) return max(x + 1, 0) end' },
    { node(fused, { alpha = 2.0 }), 'function(x) return max(x * 2, 0) end' },
  } do
    local all = read({ case[1] }, { own, number('one', 1) })
    unit.assertEquals(all.layers[1].activations[1].text, case[2])
    unit.assertEquals(first_of(all, case[2]), plain)
  end
end

--- What is almost a product, with why it is none.
function TestOnnxProducts.test_no_products()
  local own = tensor('w', { d, f }, bytes)
  for _, case in ipairs {
    { node('Gemm x w -> h', { transA = 1 }), 'transA is set' },
    { node('Gemm x w c -> h', { alpha = 2.0 }), 'beta = 1 scales what it adds, and alpha = 2' },
    { 'Gemm x w rows -> h', '"rows", is [3][1], not a number for each output' },
    { 'Gemm x w x -> h', 'is computed as the model runs' },
    { node('Gemm x w -> h', { broadcast = 1 }), 'attribute "broadcast" is not known' },
    { node('com.microsoft:FusedMatMul x w -> h', { transBatchA = 1 }), 'transBatchA is set' },
    { 'MatMul w x -> h', 'its matrix stands in front of what it multiplies' },
    { 'MatMulInteger x w -> h', 'it rounds what it multiplies to 8 bits' },
    { 'QLinearMatMul x w -> h', 'it multiplies integers' },
    { 'com.microsoft:MatMulNBits x w -> h', 'blocks of 0 inputs' },
    { 'com.microsoft:QMoE x w -> h', 'a mixture of experts with quantised weights: give a' },
    { 'com.microsoft:QGemm x w -> h', 'around a MatMul' },
    { 'com.microsoft:FusedGemm x w -> h', 'as it was before it was optimised' },
    { 'com.microsoft:MatMulBnb4 x w -> h', 'in blocks of 4 bits: give a model in floats' },
    { 'Einsum x w -> h', 'it takes the matrix "w", and what it does with that is not known' },
    { 'somebody:Dense x w -> h', 'not taken: somebody.Dense "h": it takes the matrix "w"' },
    { 'DynamicQuantizeLinear x -> h', 'a result depends on its neighbours' },
    { node('Conv x k -> h', { group = 2 }), 'it has groups' },
    { node('Conv x k -> h', { strides = { 2 } }), 'strides are set' },
    { node('Conv x k -> h', { pads = { 1, 0 } }), 'pads are set' },
    { 'Conv x wide -> h', 'its kernel is more than a place' },
  } do
    local list = { own, tensor('c', { f }, writer.floats(bias)),
      tensor('rows', { 3, 1 }, writer.floats { 1, 2, 3 }), tensor('k', { f, d, 1 }, flipped),
      tensor('wide', { f, 2, 2 }, flipped) }
    local all = read({ case[1] }, list, parted)
    unit.assertEquals(#all.layers, 1, case[2])
    unit.assertStrContains(all.about[2] or '', case[2], false, case[2])
  end
end

--- A Conv's outputs are its second axis: its vectors and cuts are along that.
function TestOnnxProducts.test_places()
  local nodes = {
    'Conv x k -> g', 'Add g c -> gc', node('Split gc -> a b', { axis = 1 }),
    'Sigmoid a -> s', 'Mul s b -> t', 'Conv t l -> y',
  }
  local list = { tensor('k', { f, d, 1 }, flipped), tensor('c', { f, 1 }, writer.floats(bias)),
    writer.weights('l', { d, f // 2, 1 }) }
  local all = onnx_layers.of(writer, { nodes = nodes, tensors = list, rank = 3 })
  local layer = all.layers[1]
  unit.assertEquals({ layer.kind, layer.fields.variant, layer.fields.d_ff }, { 'ffn', 'glu', 3 })
  unit.assertEquals({ layer.fields.bias, layer.matrices[3].bias }, { true, false })
  unit.assertEquals(layer.matrices[2].bias.first - layer.matrices[1].bias.first, 12)
  unit.assertStrContains(layer.around[#layer.around].text, '[place][channel]')
  -- What adds an axis in front moves that of the channels.
  list[2] = tensor('c', { 1, 1, f, 1 }, writer.floats(bias))
  all = onnx_layers.of(writer, { nodes = nodes, tensors = list, rank = 3 })
  unit.assertEquals({ #all.layers, all.layers[1].kind }, { 2, 'linear' })
  -- A vector along the places is none, and a MatMul does not go on with channels.
  list[2] = tensor('c', { f }, writer.floats(bias))
  all = onnx_layers.of(writer, { nodes = { 'Conv x k -> g', 'Add g c -> y' }, tensors = list,
    rank = 3 })
  unit.assertEquals({ #all.layers, all.layers[1].kind, all.layers[1].fields.bias },
    { 1, 'linear', false })
  all = onnx_layers.of(writer, { nodes = { 'Conv x k -> g', 'MatMul g m -> y' }, rank = 3,
    tensors = { list[1], writer.weights('m', { f, f }) } })
  unit.assertEquals(#all.layers, 2)
  unit.assertStrContains(all.layers[1].around[2].text, 'row by row')
end

--- Gate and up: two products in either order, or parts of one.
function TestOnnxProducts.test_gates()
  local function tensors(width)
    return { writer.weights('a', { d, width }), writer.weights('c', { d, width }, 3),
      writer.weights('b', { f, d }, 5), sizes('zero', { 0 }), sizes('one', { 1 }),
      sizes('six', { f }), sizes('end', { 1 << 62 }), sizes('last', { -1 }), sizes('two', { 2 }) }
  end
  local silu = { 'Sigmoid g -> s', 'Mul g s -> q', 'Mul q u -> t', 'MatMul t b -> y' }
  local function all_of(nodes, width)
    local list = { table.unpack(nodes) }
    for _, text in ipairs(silu) do list[#list + 1] = text end
    return onnx_layers.of(writer, { nodes = list, tensors = tensors(width), rank = 2 })
  end
  for _, case in ipairs {
    { { 'MatMul x a -> g', 'MatMul x c -> u' }, f, 'a', 'c' },
    { { 'MatMul x a -> u', 'MatMul x c -> g' }, f, 'c', 'a' },
    { { node('Cast x -> z', { to = 11 }), 'MatMul z a -> g', 'MatMul x c -> u' }, f, 'a', 'c' },
    { { node('Cast x -> z', { to = 10 }), node('Cast x -> w', { to = 10 }), 'MatMul z a -> g',
      'MatMul w c -> u' }, f, 'a', 'c' },
    { { 'MatMul x a -> m', node('Split m -> g u', { axis = -1 }) }, 2 * f, 0, 4 * f },
    { { 'MatMul x a -> m', node('Split m -> u g', { axis = 1 }) }, 2 * f, 4 * f, 0 },
    { { 'MatMul x a -> m', 'Slice m zero six last -> g', 'Slice m six end last -> u' }, 2 * f, 0,
      4 * f },
    { { 'MatMul x a -> m', 'Slice m zero end last two -> u', 'Slice m one end last two -> g' },
      2 * f, 4, 0 },
  } do
    local layer = all_of(case[1], case[2]).layers[1]
    unit.assertEquals({ layer.kind, layer.fields.variant }, { 'ffn', 'swiglu' }, case[1][2])
    local gate, up = layer.matrices[1].weight, layer.matrices[2].weight
    if type(case[3]) == 'string' then
      unit.assertEquals({ gate.tensor, up.tensor }, { case[3], case[4] })
    else
      local least = math.min(gate.first, up.first)
      unit.assertEquals({ gate.first - least, up.first - least }, { case[3], case[4] })
      unit.assertEquals(gate.row_bytes, case[1][3] and case[1][3]:find 'two' and 8 or 4)
    end
  end
  -- Halves that overlap, a third part, or of another x, are no pair.
  for _, case in ipairs {
    { { 'MatMul x a -> m', 'Slice m zero six last -> g', 'Slice m one end last -> k',
      'Slice k zero six last -> u' }, 2 * f },
    { { 'MatMul x a -> m', node('Split m -> g u v', { axis = -1 }), 'Identity v -> vv' }, 3 * f },
    { { 'MatMul x a -> g', 'Neg x -> z', 'MatMul z c -> u' }, f },
    { { node('Cast x -> z', { to = 10 }), 'MatMul z a -> g', 'MatMul x c -> u' }, f },
  } do
    for _, layer in ipairs(all_of(case[1], case[2]).layers) do
      unit.assertTrue(layer.kind == 'linear' or layer.kind == 'mlp', case[1][2]:gsub('%c', '.'))
    end
  end
end

--- Chains: what one layer is of them.
function TestOnnxProducts.test_chains()
  local list = { writer.weights('a', { d, f }), writer.weights('b', { f, d }), number('one', 1),
    writer.weights('v', { d }), writer.weights('w', { f }) }
  local function kinds(nodes, options)
    local all = onnx_layers.of(writer, { nodes = nodes, tensors = list, rank = 2 }, options)
    local texts = {}
    for i, layer in ipairs(all.layers) do
      texts[i] = ('%s %s %s'):format(layer.at, layer.kind, layer.fields.bias)
    end
    return texts
  end
  local first = node('MatMul x a -> h', {}, 'first')
  local second = node('MatMul t b -> z', {}, 'second')
  unit.assertEquals(kinds { first, 'Relu h -> t', second, 'Tanh z -> y' }, { 'first mlp false' })
  unit.assertEquals(kinds { first, 'Relu h -> t', second, 'Add z v -> y' }, { 'first ffn true' })
  unit.assertEquals(kinds { first, 'Add h w -> k', 'Relu k -> t', second, 'Add z v -> y' },
    { 'first ffn true' })
  unit.assertEquals(kinds { first, 'Relu h -> y' }, { 'first mlp false' })
  unit.assertEquals(kinds { node('MatMul x a -> y', {}, 'first') }, { 'first linear false' })
  -- A gated pair without a product behind it, or with more than one.
  local pair = { first, node('MatMul x a -> k', {}, 'other'), 'Relu h -> r', 'Mul r k -> t' }
  local function behind(...)
    local nodes = { table.unpack(pair) }
    for _, text in ipairs { ... } do nodes[#nodes + 1] = text end
    return kinds(nodes)
  end
  unit.assertEquals(behind 'Identity t -> y', { 'first glu false' })
  unit.assertEquals(behind(second, 'Identity z -> y'), { 'first ffn false' })
  unit.assertEquals(behind(second, 'Relu z -> y'), { 'first glu false', 'second mlp false' })
  -- Of a chain and a single product the chain is taken; or what is asked for.
  local both = { first, 'Relu h -> t', second, node('MatMul z a -> y', {}, 'head') }
  both[3], both[4] = second, 'Softmax z -> soft'
  both[5] = node('MatMul soft a -> y', {}, 'head')
  unit.assertEquals(kinds(both), { 'first ffn false' })
  unit.assertEquals(kinds(both, { node = 'head' }), { 'head linear false' })
  unit.assertEquals(kinds(both, { node = 'second' }), { 'first ffn false' })
  unit.assertEquals(kinds(both, { node = 'h' }), { 'first ffn false' })
end

--- Graphs in nodes see what is around them; what a body takes is no tensor of the file.
function TestOnnxProducts.test_bodies()
  local list = { writer.weights('a', { d, f }), writer.weights('b', { f, d }) }
  local chain = { 'MatMul x a -> h', 'Relu h -> t', 'MatMul t b -> z' }
  local body = writer.graph { nodes = chain, inputs = {}, outputs = { 'z' } }
  local function loop(graph)
    local branch = { graph = graph }
    return { node('If c -> y', { then_branch = branch, else_branch = branch }) }
  end
  local all = onnx_layers.of(writer, { nodes = loop(body), tensors = list, inputs = { 'x', 'c' } })
  unit.assertEquals({ #all.layers, all.layers[2].fields.variant }, { 2, 'relu' })
  -- The matrix is handed to the body each time.
  body = writer.graph { nodes = chain, inputs = { 'a' }, outputs = { 'z' } }
  all = onnx_layers.of(writer, { nodes = loop(body), tensors = list, inputs = { 'x', 'c' } })
  unit.assertEquals(all.layers[1].kind, 'linear')
  -- What is given outside and used inside is no chain through the door.
  body = writer.graph { nodes = { 'Relu h -> t', 'MatMul t b -> z' }, inputs = {},
    outputs = { 'z' } }
  all = onnx_layers.of(writer, { nodes = { chain[1], table.unpack(loop(body)) }, tensors = list,
    inputs = { 'x', 'c' } })
  for _, layer in ipairs(all.layers) do unit.assertEquals(layer.kind, 'linear') end
end

local function refused(text, options)
  local path = support.folder() .. '/m.onnx'
  support.write(path, text)
  return refusal.of('it is read', onnx_layers.read, path, options)
end

--- Files that are no model, or none of layers.
function TestOnnxProducts.test_refusals()
  local own = tensor('a', { d, f }, bytes)
  local function of(nodes, list, more)
    local made = { nodes = nodes, tensors = list or { own } }
    for key, value in pairs(more or {}) do made[key] = value end
    return writer.model(made)
  end
  local mul = 'MatMul x a -> y'
  for _, case in ipairs {
    { '', 'the file is empty' }, { writer.integer(1, 8), 'the file has no graph' },
    { of { 'Relu x -> y' }, 'no node multiplies with a matrix of the file' },
    { of { 'MatMulInteger x a -> y' }, 'not taken: MatMulInteger "y" (it rounds what' },
    { of({ mul }, nil, {}), 'the model has no product "other"; it has MatMul '
      .. '"y"', { node = 'other' } },
    { of { mul, 'QLinearMatMul x a -> q' }, 'QLinearMatMul "q" is not taken', { node = 'q' } },
    { of { 'MatMul z a -> y' }, 'takes "z", which nothing before it gives' },
    { of { mul, mul }, 'two nodes or tensors give "y"' },
    { of({ mul }, { own, own }), 'two nodes or tensors give "a"' },
    { of({ mul }, nil, { outputs = { 'q' } }), 'output "q" is given by nothing' },
    { of({ mul }, { tensor('a', { d, f }, bytes:sub(2)) }), 'has 95 bytes, and its shape says 96' },
    { of({ mul }, { tensor('a', { d, f }, bytes, 99) }), 'is of type 99' },
    { of({ mul }, { tensor('a', { d, f }) }), 'has no numbers' },
    { of({ mul }, { tensor('a', { d, -f }, bytes) }), 'has a dimension of -6' },
    { of({ mul }, { tensor('a', { 1 << 40, 1 << 40 }, bytes) }), 'has a dimension of' },
    { of({ mul }, { tensor('a', { d, f }, bytes, 1, writer.bytes(4, bytes)) }), 'numbers twice' },
    { of({ mul }, { tensor('a', { d, f }, nil, 1, writer.bytes(10, doubles)) }),
      'has double_data, which is not where numbers of f32 are' },
    { of({ mul }, { tensor('a', { d, f }, bytes, 1, writer.bytes(3, '')) }), 'is a part of one' },
    { of({ node('MatMul x a -> y', { b = 1 }) .. writer.bytes(5, writer.attribute('b', 2)) }),
      'has attribute "b" twice' },
    { of({ mul }, nil, { after = writer.bytes(8, writer.integer(2, 9)) }),
      'operator sets, 17 and 9' },
    { of({ mul }, nil, { after = writer.bytes(7, '') }), 'graph occurs twice' },
    { of({ mul }, nil, { after = writer.bytes(99, '') }), 'ModelProto has a field 99' },
    { of({ mul }, nil, { after = '\x9b\x06' }), 'has wire type 3, which does not exist' },
    { of({ mul }, nil, { after = '\x08' }), 'must begin an integer' }, { of({ mul }):sub(1, -2),
      'longer than' },
    { of({ mul }, nil, { after = '\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01' }), 'longer than' },
    { of({ mul }, nil, { after = '\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02' }),
      'must begin an integer' },
  } do
    unit.assertStrContains(refused(case[1], case[3]), case[2])
  end
  -- Graphs in graphs without end.
  local graph = writer.graph { nodes = {}, inputs = {}, outputs = {} }
  for _ = 1, 40 do
    graph = writer.graph { nodes = { node('If c -> t', { then_branch = { graph = graph } }) },
      inputs = {}, outputs = {} }
  end
  unit.assertStrContains(refused(of({ node('If x -> y', { then_branch = { graph = graph } }) })),
    'more than 64 nested messages')
end

--- Numbers in another file beside the model's, and nowhere else.
function TestOnnxProducts.test_other_files()
  local function entry(key, value)
    return writer.bytes(13, writer.bytes(1, key) .. writer.bytes(2, value))
  end
  local function text(location, more)
    local own = tensor('w', { d, f }, nil, 1, entry('location', location) .. (more or '')
      .. writer.integer(14, 1))
    return writer.model(model({ 'MatMul x w -> h' }, { own }))
  end
  local folder = support.folder()
  support.write(folder .. '/w.bin', ('\0'):rep(32) .. bytes)
  support.write(folder .. '/m.onnx', text('w.bin', entry('offset', '32') .. entry('length', '96')))
  local all = onnx_layers.read(folder .. '/m.onnx')
  unit.assertEquals(#all.files, 2)
  unit.assertEquals(first_of(all), plain)
  for _, case in ipairs {
    { '/etc/passwd' }, { '../w.bin' }, { 'a/b' }, { 'missing.bin' }, { '' },
  } do
    unit.assertStrContains(refused(text(case[1])), 'names')
  end
  for _, case in ipairs {
    { entry('length', '95'), 'has 95 bytes in another file' }, { entry('offset', '-1'), 'offset' },
    { entry('offset', '1e3'), 'offset' }, { entry('location', 'x'), 'says twice' },
    { entry('codec', 'zip'), 'says of another file: codec, which is not known here' },
  } do
    unit.assertStrContains(refused(text('w.bin', case[1])), case[2])
  end
  support.write(folder .. '/m.onnx', text('w.bin', entry('offset', '32')
    .. entry('checksum', ('0'):rep(40)) .. entry('prepacked_0', '0|4|x')))
  unit.assertEquals(first_of(onnx_layers.read(folder .. '/m.onnx')), plain)
  support.write(folder .. '/m.onnx', text('w.bin', entry('offset', '33')))
  local ok, problem = pcall(onnx_layers.read, folder .. '/m.onnx')
  unit.assertFalse(ok)
  unit.assertStrContains(problem.text, 'beyond')
end
