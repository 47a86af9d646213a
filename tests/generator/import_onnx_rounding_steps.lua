--- What ONNX graphs round between products: a Cast to halves, integers and back. It is refused by
--- its node, or left out and told; outside of a layer it is the host's. And what graphs of halves
--- say of themselves.
local unit = require 'luaunit'
local groups = require 'import.groups'
local onnx_layers = require 'onnx_layers'
local report = require 'import.report'
local support = require 'support'
local writer = require 'onnx_writer'

TestOnnxNarrowed = {}

local node, number, tensor = writer.node, writer.number, writer.tensor
local d, f = 4, 6
local f32, f16, f64, bf16 = 1, 10, 11, 16
local floats = { float_activations = true }

local function cast(text, to) return node('Cast ' .. text, { to = to }) end

local function integer(name, value, kind)
  return tensor(name, {}, string.pack(kind == 2 and 'I1' or 'i1', value), kind)
end

local tensors = {
  writer.weights('a', { d, f }), writer.weights('b', { f, d }, 5), writer.weights('c', { d, f }, 3),
  writer.weights('v', { f }), number('s', 0.25), number('s2', 0.5), writer.weights('rows', { f }),
  integer('zero', 0, 2), integer('middle', 100, 2), integer('most', 255, 2), integer('z8', 0, 3),
  tensor('a16', { d, f }, ('\0\x3c'):rep(d * f), f16),
  tensor('b16', { f, d }, ('\0\x3c'):rep(d * f), f16),
  tensor('abf', { d, f }, ('\x80\x3f'):rep(d * f), bf16),
  tensor('a64', { d, f }, ('\0'):rep(8 * d * f), f64),
  tensor('b64', { f, d }, ('\0'):rep(8 * d * f), f64),
}

local function read(nodes, options, outputs)
  return onnx_layers.of(writer, { nodes = nodes, tensors = tensors, rank = 2, outputs = outputs },
    options)
end

--- Nodes between h, the outputs of a first product, and t, which a second takes.
local function between(nodes)
  local list = { node('MatMul x a -> h', {}, 'first'), table.unpack(nodes) }
  list[#list + 1] = 'MatMul t b -> y'
  return list
end

local function refusal(nodes, options)
  return onnx_layers.refusal(writer, { nodes = nodes, tensors = tensors, rank = 2 }, options)
end

local function said(layer)
  local variant = layer.fields.variant or layer.fields.layers and layer.fields.layers[1][2]
  return ('%s %s'):format(layer.kind, variant and variant:gsub('^own_%l+', 'own') or '-')
end

local function texts_of(layer, field)
  local list = {}
  for _, b in ipairs(layer.because) do
    if b.field == field then list[#list + 1] = b.text end
  end
  return list
end

local function around_of(layer)
  local list = {}
  for i, a in ipairs(layer.around) do
    list[i] = ('%s %s %s'):format(a.place, a.what, a.text)
  end
  return table.concat(list, '\n')
end

local function q(text) return node('QuantizeLinear ' .. text) end
local function dq(text) return node('DequantizeLinear ' .. text) end

--- Each of these is one layer with the option, and refused without, with the node that rounds.
function TestOnnxNarrowed.test_between()
  for _, case in ipairs {
    { { cast('h -> k', f16), cast('k -> t', f32) }, 'ffn identity', 'Cast "k"', 'to f16' },
    { { cast('h -> k', bf16), 'Relu k -> r', cast('r -> t', f32) }, 'ffn relu', 'Cast "k"',
      'to bf16' },
    { { 'Relu h -> r', cast('r -> k', f16), cast('k -> t', f32) }, 'ffn relu', 'Cast "k"',
      'to f16' },
    { { 'Add h v -> r', cast('r -> k', f16), 'Sigmoid k -> g', 'Mul g k -> m',
      cast('m -> t', f32) }, 'ffn silu', 'Cast "k"', 'to f16' },
    { { cast('h -> w', f64), cast('w -> k', f16), cast('k -> t', f32) }, 'ffn identity',
      'Cast "k"', 'to f16' },
    { { 'CastLike h a16 -> k', 'Relu k -> r', cast('r -> t', f32) }, 'ffn relu', 'CastLike "k"',
      'to f16' },
    { { 'Relu h -> r', 'CastLike r abf -> k', 'CastLike k h -> t' }, 'ffn relu', 'CastLike "k"',
      'to bf16' },
    { { q 'h s middle -> k', dq 'k s middle -> r', 'Relu r -> t' }, 'ffn relu',
      'QuantizeLinear "k"', 'to 8 bits between products;' },
    { { q 'h s z8 -> k', dq 'k s z8 -> r', 'Add r v -> m', 'Relu m -> t' }, 'ffn relu',
      'QuantizeLinear "k"', 'to 8 bits between' },
    -- A ReLU that who quantised the model left out, and one that stands there.
    { { q 'h s zero -> k', dq 'k s zero -> t' }, 'ffn relu', 'QuantizeLinear "k"',
      'and cuts at 0, which is done here, too' },
    { { q 'h s -> k', dq 'k s -> t' }, 'ffn relu', 'QuantizeLinear "k"', 'and cuts at 0' },
    { { 'Relu h -> r', q 'r s zero -> k', dq 'k s zero -> t' }, 'ffn relu', 'QuantizeLinear "k"',
      'to 8 bits between' },
    { { 'Clip h n0 n6 -> r', q 'r s zero -> k', dq 'k s zero -> t' }, 'ffn relu6',
      'QuantizeLinear "k"', 'to 8 bits between' },
    -- Both take the same integers.
    { { q 'h s middle -> k', dq 'k s middle -> r', dq 'k s middle -> g', 'Sigmoid g -> m',
      'Mul r m -> t' }, 'ffn silu', 'QuantizeLinear "k"', 'to 8 bits between' },
    { { 'Neg h -> n', q 'n s middle -> k', dq 'k s middle -> r', 'Neg r -> t' }, 'ffn identity',
      'QuantizeLinear "k"', 'to 8 bits between' },
  } do
    local nodes = between(case[1])
    table.insert(nodes, 1, node('Constant -> n0', { value = { tensor = number('', 0) } }))
    table.insert(nodes, 1, node('Constant -> n6', { value = { tensor = number('', 6) } }))
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local text = refusal(nodes)
    support.assert_has(text, case[3] .. ': it rounds ', what)
    support.assert_has(text, '--float-activations leaves it in f32', what)
    local all = read(nodes, floats)
    unit.assertEquals({ #all.layers, said(all.layers[1]) }, { 1, case[2] }, what)
    local told = texts_of(all.layers[1], 'activations')[1] or ''
    support.assert_has(told, case[3] .. ' rounds ', what)
    support.assert_has(told, case[4], what)
    support.assert_has(told, 'as --float-activations asks', what)
    local named = groups.of(all)
    support.assert_has(report.summary(all, named), '; activations: ' .. case[3], what)
    support.assert_has(named.text:gsub('\n *%-%-', ''), case[3] .. ' rounds', what)
    -- Alone, each product is one, and says what ends the chain behind it; but not without its bias.
    if what:find('Add r v', 1, true) then
      support.assert_has(refusal(nodes, { node = 'first' }), 'MatMul "first" is not taken: '
        .. 'QuantizeLinear "k": it rounds to 8 bits between a product and its bias, Add "m", so')
    else
      all = read(nodes, { node = 'first' })
      unit.assertEquals({ #all.layers, #all.layers[1].matrices }, { 1, 1 }, what)
      support.assert_has(around_of(all.layers[1]), 'after the chain ends ' .. case[3], what)
    end
  end
end

--- Where a model has other chains, these are taken, and what parts the products is told.
function TestOnnxNarrowed.test_beside()
  local nodes = { 'MatMul x a -> h', cast('h -> k', f16), cast('k -> t', f32), 'MatMul t b -> z',
    'Softmax z -> o', 'MatMul o a -> p', 'Relu p -> r', 'MatMul r b -> y' }
  local all = read(nodes)
  unit.assertEquals({ #all.layers, said(all.layers[1]) }, { 1, 'ffn relu' })
  unit.assertEquals(#all.about, 2)
  support.assert_has(all.about[2], 'no layer: Cast "k": it rounds to f16 between products')
  support.assert_has(report.summary(all, groups.of(all)),
    'left to the host: 2 products, 1 roundings between products, 2 nodes')
  unit.assertEquals(#read(nodes, floats).layers, 2)
  unit.assertEquals(#read(nodes, floats).about, 1)
end

--- A gated pair without a product behind it.
function TestOnnxNarrowed.test_pair()
  local nodes = { 'MatMul x a -> h', 'MatMul x c -> u', cast('h -> k', f16), cast('u -> l', f16),
    'Sigmoid k -> g', 'Mul g l -> m', cast('m -> y', f32) }
  local all = read(nodes, floats)
  unit.assertEquals({ #all.layers, said(all.layers[1]) }, { 1, 'glu glu' })
  unit.assertEquals(#texts_of(all.layers[1], 'activations'), 2)
  support.assert_has(report.summary(all, groups.of(all)), 'h stays f32; and 1 more')
  support.assert_has(refusal(nodes), 'Cast "k": it rounds to f16 between products')
  all = read(nodes, { node = 'h' })
  unit.assertEquals({ #all.layers, said(all.layers[1]) }, { 1, 'linear -' })
  support.assert_has(around_of(all.layers[1]), 'after Cast node "k"')
end

--- What rounds nothing that a kernel of f32 has.
function TestOnnxNarrowed.test_nothing()
  for _, case in ipairs {
    { cast('h -> k', f64), 'Relu k -> r', cast('r -> t', f32) },
    { cast('h -> r', f32), 'Relu r -> t' },
    { 'CastLike h a -> r', 'Add r v -> k', 'Relu k -> l', 'CastLike l h -> t' },
    { 'CastLike s h -> e', 'Max h e -> r', 'Relu r -> t' },
    { 'Less h n0 -> i', cast('i -> k', f16), cast('k -> l', f32), 'Abs h -> r', 'Mul l r -> n',
      'Add n h -> m', 'Relu m -> t' },
  } do
    local nodes = between(case)
    table.insert(nodes, 1, node('Constant -> n0', { value = { tensor = number('', 0) } }))
    local what = table.concat(case, '; '):gsub('%c', '.')
    local all = read(nodes)
    unit.assertEquals({ #all.layers, all.layers[1].kind }, { 1, 'ffn' }, what)
    unit.assertEquals(#texts_of(all.layers[1], 'activations')
      + #texts_of(all.layers[1], 'weights'), 0, what)
  end
end

--- Graphs of halves and of doubles say that kernels compute in f32; what rounds within them does
--- what the rest of the graph does.
function TestOnnxNarrowed.test_types()
  for _, case in ipairs {
    { { 'MatMul x a16 -> h', 'Relu h -> t', 'MatMul t b16 -> y' }, 'f16' },
    { { 'MatMul x a16 -> h', cast('h -> k', f32), 'Relu k -> r', cast('r -> t', f16),
      'MatMul t b16 -> y' }, 'f16' },
    { { 'MatMul x a64 -> h', cast('h -> k', f32), 'Relu k -> r', cast('r -> t', f64),
      'MatMul t b64 -> y' }, 'f64' },
    -- Weights of halves that the graph makes floats of.
    { { cast('a16 -> w', f32), cast('b16 -> o', f32), 'MatMul x w -> h', 'Relu h -> t',
      'MatMul t o -> y' } },
    { { cast('a16 -> w', f32), cast('w -> n', f16), 'MatMul x n -> h', 'Relu h -> t',
      'MatMul t b16 -> y' }, 'f16' },
    { { cast('a16 -> w', f32), 'Transpose w -> o', 'Transpose o -> n', 'MatMul x n -> h',
      'Relu h -> t', 'MatMul t b -> y' } },
  } do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local all = read(case[1])
    unit.assertEquals({ #all.layers, said(all.layers[1]) }, { 1, 'ffn relu' }, what)
    local texts = texts_of(all.layers[1], 'weights')
    unit.assertEquals(texts[1], case[2]
      and ('the graph computes in %s, and these kernels in f32'):format(case[2]), what)
    unit.assertEquals(#texts_of(all.layers[1], 'activations'), 0, what)
    if case[2] then
      support.assert_has(groups.of(all).text, 'weights: the graph computes in ' .. case[2], what)
    end
  end
  -- Halves of one kind do not have the numbers of the other.
  for _, case in ipairs { { 'a16', bf16, 'to bf16' }, { 'abf', f16, 'to f16' } } do
    support.assert_has(refusal { 'MatMul x ' .. case[1] .. ' -> h', cast('h -> k', case[2]),
      'Relu k -> t', 'MatMul t b16 -> y' }, 'Cast "k": it rounds ' .. case[3])
  end
  -- So do weights of floats that are rounded where the graph reads them.
  support.assert_has(refusal(between { cast('h -> k', f16), cast('k -> t', f32) }), 'Cast "k"')
end

--- Around a layer it is the host's.
function TestOnnxNarrowed.test_outside()
  local all = read { cast('x -> i', f16), cast('i -> w', f32), 'MatMul w a -> h', 'Relu h -> t',
    'MatMul t b -> o', cast('o -> y', f16) }
  unit.assertEquals({ #all.layers, said(all.layers[1]) }, { 1, 'ffn relu' })
  local around = around_of(all.layers[1])
  support.assert_has(around, 'before Cast node "i" rounds what the layer takes to f16')
  support.assert_has(around, 'after Cast node "y"')
  unit.assertNil(around:find('the chain ends', 1, true))
  unit.assertEquals(#texts_of(all.layers[1], 'activations'), 0)
  -- With what stands in front of it.
  all = read { 'Softmax x -> n', q 'n s middle -> k', dq 'k s middle -> i', 'MatMul i a -> h',
    'Relu h -> t', 'MatMul t b -> o', q 'o s middle -> l', dq 'l s middle -> p', 'Softmax p -> y' }
  around = around_of(all.layers[1])
  support.assert_has(around, 'before QuantizeLinear node "k" rounds what the layer takes to 8 bits')
  support.assert_has(around, 'before Softmax node "n"')
  support.assert_has(around, 'after QuantizeLinear node "l"')
  unit.assertEquals(said(all.layers[1]), 'ffn relu')
  -- What is behind a rounding at the end is not the layer's without the option.
  local nodes = { 'MatMul x a -> h', 'Relu h -> t', 'MatMul t b -> o', cast('o -> k', f16),
    'Tanh k -> y' }
  all = read(nodes)
  unit.assertEquals(said(all.layers[1]), 'ffn relu')
  support.assert_has(around_of(all.layers[1]), 'the chain ends Cast "k": it rounds to f16')
  unit.assertEquals(read(nodes, floats).layers[1].kind, 'mlp')
end

--- A product of rounded x and x itself are no layer gated by its own.
function TestOnnxNarrowed.test_self_gated()
  local square = writer.weights('w', { d, d })
  for i, case in ipairs {
    { cast('x -> i', f16), 'MatMul i w -> h', 'Tanh h -> t', 'Mul t x -> y' },
    { cast('x -> i', f16), 'MatMul i w -> h', 'Tanh h -> t', 'Mul t i -> y' },
  } do
    local all = onnx_layers.of(writer, { nodes = case, tensors = { square }, rank = 2 })
    unit.assertEquals(all.layers[1].kind, i == 1 and 'mlp' or 'selfgate')
  end
end

--- Integers that are not taken back as they were made end a chain, with or without the option.
function TestOnnxNarrowed.test_integers()
  for _, case in ipairs {
    { { q 'h s middle -> k', dq 'k s2 middle -> t' }, 'another scale or zero: give a model in' },
    { { q 'h s middle -> k', dq 'k s zero -> t' }, 'another scale or zero' },
    { { q 'h s most -> k', dq 'k s most -> t' }, 'hold nothing above 0' },
    { { q 'h rows middle -> k', dq 'k rows middle -> t' }, 'are not a number each' },
    { { q 'h s middle -> k', dq 'k s middle -> t', 'Relu k -> z' }, 'its integers go to Relu "z"' },
    { { node('QuantizeLinear h s -> k', { strange = 1 }), dq 'k s -> t' },
      'attribute "strange" is not known' },
    { { node('QuantizeLinear h s -> k', { output_dtype = 21 }), dq 'k s -> t' },
      'it rounds to u4, which is not taken' },
    { { node('QuantizeLinear h s -> k', { block_size = 2 }), dq 'k s -> t' }, 'a number each' },
    { { q 'h s middle -> k', 'Identity k -> i', dq 'i s middle -> t' } },
  } do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    for _, options in ipairs { {}, floats } do
      local all = read(between(case[1]), options)
      unit.assertEquals({ #all.layers, all.layers[1].kind }, { 2, 'linear' }, what)
      support.assert_has(around_of(all.layers[1]), 'after QuantizeLinear node "k"', what)
      support.assert_has(around_of(all.layers[1]), case[2] or '', what)
    end
  end
  -- Integers are no outputs of a layer.
  local all = read(between { q 'h s middle -> k', dq 'k s middle -> t' }, floats, { 'y', 'k' })
  unit.assertEquals({ #all.layers, all.layers[1].kind }, { 2, 'linear' })
end

--- A CastLike to integers, or to nobody knows what.
function TestOnnxNarrowed.test_cast_like()
  for _, case in ipairs { 'CastLike h zero -> t', 'CastLike h x -> t' } do
    local all = read(between { case })
    unit.assertEquals(#all.layers, 2, case)
    support.assert_has(around_of(all.layers[1]),
      'after CastLike node "t": what it makes of numbers is not known', case)
  end
  -- A number of the file, too.
  local all = read(between { 'CastLike s zero -> e', 'Max h e -> t' })
  unit.assertEquals(#all.layers, 2)
end

--- The name of the node that is not told is, where a chain ends.
function TestOnnxNarrowed.test_not_told()
  for _, name in ipairs { 'k', 'l' } do
    local all = read(between { cast('h -> ' .. name, 7), cast(name .. ' -> t', f32) })
    support.assert_has(around_of(all.layers[1]),
      ('Cast "%s": Cast is not told element by element'):format(name))
  end
end

--- Numbers of the file that whoever runs the model may replace, wherever a layer has them.
function TestOnnxNarrowed.test_defaults()
  local all = onnx_layers.of(writer, { rank = 2, inputs = { 'x', 'b', 'v', 's' },
    tensors = tensors, nodes = { 'MatMul x a -> h', 'Add h v -> k', 'Add s s2 -> e', 'Mul k e -> r',
      'Relu r -> t', 'MatMul t b -> y' } })
  local names = {}
  for _, a in ipairs(all.layers[1].around) do
    if a.what == 'default' then names[#names + 1] = a.tensor end
  end
  unit.assertItemsEquals(names, { 'b', 'v', 'e' })
end

--- Functions of a model are not looked into, and it is said so.
function TestOnnxNarrowed.test_functions()
  local own = writer.bytes(25, writer.bytes(1, 'Dense') .. writer.bytes(10, 'own'))
  local function model(nodes)
    return { nodes = nodes, tensors = tensors, rank = 2, after = own }
  end
  local all = onnx_layers.of(writer, model { 'own:Dense x a -> h', 'Softmax h -> i',
    'MatMul i b -> z', 'own:Dense z -> y' })
  unit.assertEquals(#all.about, 3)
  support.assert_has(all.about[2], 'not taken: function own.Dense "h": it takes the matrix "a"')
  support.assert_has(all.about[3], 'not looked into: 2 nodes that are functions of the model, '
    .. 'function own.Dense "h" first')
  support.assert_has(onnx_layers.refusal(writer, model { 'own:Dense x -> y' }),
    'not looked into: 1 node that is a function of the model')
  support.assert_has(onnx_layers.refusal(writer, model { 'own:Dense x a -> h', 'MatMul h b -> y' }),
    'MatMul "y" is a part of one: it takes what function own.Dense "h" gives, which is not taken')
end

--- Attention is counted as such, whoever wrote it.
function TestOnnxNarrowed.test_attention()
  local all = read { 'com.microsoft:QAttention x a v s s2 -> i', 'MatMul x a -> h', 'Relu h -> t',
    'MatMul t b -> y' }
  unit.assertEquals({ all.left[1].what, all.left[1].count, #all.left }, { 'attention', 1, 1 })
  support.assert_has(around_of(all.layers[1]), 'beside com.microsoft.QAttention node "i" takes')
end
