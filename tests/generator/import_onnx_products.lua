--- Products of a graph that are no layer's: --also all takes each by its node, with its y; words
--- that a graph does not tell are refused.
local lists = require 'common.list'
local onnx_layers = require 'onnx_layers'
local part_numbers = require 'import.parts'
local products = require 'import.products'
local support = require 'support'
local unit = require 'luaunit'
local writer = require 'onnx_writer'

TestOnnxProductsAlone = {}

local d, f = 4, 6
local x = { 0.5, -1.25, 0.75, 2.0 }

--- Numbers that differ from place to place.
local function numbers_of(count, first)
  local list = {}
  for i = 1, count do list[i] = ((first + i) * 7 % 23 - 11) / 8 end
  return list
end

local function matrix(name, inputs, outputs, first)
  local list = numbers_of(inputs * outputs, first)
  return list, writer.tensor(name, { inputs, outputs }, writer.floats(list))
end

local q, q_tensor = matrix('q', d, 3, 1)
local k, k_tensor = matrix('k', d, 2, 4)
local s, s_tensor = matrix('s', d, 5, 9)
local _, up_tensor = matrix('a', d, f, 2)
local _, down_tensor = matrix('b', f, d, 3)
local bias = numbers_of(2, 6)

local function also(text) return { also = assert(products.also(text)) } end

--- Two products whose results meet in another node, an FFN, a product with an activation.
local nodes = {
  'MatMul x q -> nq', 'Softmax nq -> p', 'Gemm x k kb -> nk', 'Softmax nk -> o',
  'MatMul x a -> h', 'Relu h -> r', 'MatMul r b -> y',
  'MatMul x s -> ns', 'Tanh ns -> t', 'Softmax t -> z',
}

local function graph(list)
  return {
    nodes = list, rank = 2, outputs = { 'y', 'p', 'o', 'z' },
    tensors = {
      q_tensor, k_tensor, s_tensor, up_tensor, down_tensor,
      writer.tensor('kb', { 2 }, writer.floats(bias)),
    },
  }
end

local function told(found)
  return lists.map(found.layers, function(l)
    return ('%d %s %s %s'):format(l.index, l.part and ('%x'):format(l.part) or '-', l.kind, l.at)
  end)
end

local function y_of(list, outputs, own_bias)
  local y = {}
  for o = 1, outputs do
    y[o] = own_bias and own_bias[o] or 0.0
    for i, v in ipairs(x) do y[o] = y[o] + v * list[(i - 1) * outputs + o] end
  end
  return y
end

function TestOnnxProductsAlone.test_all()
  local found = onnx_layers.of(writer, graph(nodes), also 'all')
  unit.assertEquals(told(found), {
    '0 - ffn h', '1 - mlp ns', '2 80000100 linear nq', '2 80000101 linear nk',
  })
  unit.assertEquals(onnx_layers.evaluate(found, found.layers[3], x), y_of(q, 3))
  unit.assertEquals(onnx_layers.evaluate(found, found.layers[4], x), y_of(k, 2, bias))
  local tanh = onnx_layers.evaluate(found, found.layers[2], x)
  for i, sum in ipairs(y_of(s, 5)) do
    unit.assertAlmostEquals(tanh[i], 1 - 2 / (math.exp(2 * sum) + 1), 1e-12)
  end
  for _, item in ipairs(found.untaken) do unit.assertNotEquals(item.what, 'alone', item.text) end
  unit.assertTrue(part_numbers.is_product(found.layers[3].part))
  -- Without a word the layer alone, and what would take the others.
  found = onnx_layers.of(writer, graph(nodes))
  unit.assertEquals(told(found), { '0 - ffn h' })
  unit.assertEquals(#found.untaken, 3)
  support.assert_has(found.untaken[1].text, '--also all takes it, --node it alone', 'nq')
  unit.assertEquals(told(onnx_layers.of(writer, graph(nodes), { node = 'nk' })),
    { '0 - linear nk' })
end

--- A graph of products alone is what it is without a word: each is a layer.
function TestOnnxProductsAlone.test_no_layer()
  local list = { table.unpack(nodes, 1, 4) }
  local wanted = { '0 - linear nq', '1 - linear nk' }
  local of = graph(list)
  of.outputs = { 'p', 'o' }
  unit.assertEquals(told(onnx_layers.of(writer, of)), wanted)
  unit.assertEquals(told(onnx_layers.of(writer, of, also 'all')), wanted)
  -- Half of a layer beside them is no layer, and no product of --also.
  list = lists.append({ 'com.microsoft:FusedGemm x a -> h', 'Gemm h b -> y' }, list)
  of = graph(list)
  of.outputs = { 'y', 'p', 'o' }
  support.assert_has(onnx_layers.refusal(writer, of), 'it has no whole layer', 'half')
  unit.assertEquals(told(onnx_layers.of(writer, of, also 'all')), wanted)
end

function TestOnnxProductsAlone.test_words()
  for text, word in pairs {
    attention = 'attention', head = 'head', ['head,attention'] = 'attention',
  } do
    support.assert_has(onnx_layers.refusal(writer, graph(nodes), also(text)), ('--also %s: a graph '
      .. 'has no names of attention, head and routers: add --also all, which takes each product '
      .. 'that is no layer\'s, or --node NAME'):format(word), text)
  end
  unit.assertEquals(#onnx_layers.of(writer, graph(nodes), also 'attention,all').layers, 4)
end
