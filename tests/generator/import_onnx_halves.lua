--- Half of a layer whose other half is not taken: it is none by itself, and what it belongs to is
--- told by the names of both, with the reason. What is left to the host is told on stderr and in
--- --list, each node by a name that stands in the graph.
local unit = require 'luaunit'
local json = require 'dkjson'
local onnx_layers = require 'onnx_layers'
local support = require 'support'
local writer = require 'onnx_writer'

TestOnnxHalves = {}

local node = writer.node
local d, f = 4, 6

local tensors = {
  writer.weights('a', { d, f }), writer.weights('b', { f, d }, 5), writer.weights('c', { d, f }, 3),
  writer.weights('m', { f, f }, 3), writer.weights('low', { d, 2 }),
  writer.weights('high', { 2, d }),
  writer.weights('w', { d, d }), writer.weights('one', { d, 1 }), writer.weights('v', { f }),
  writer.tensor('q', { d, f }, ('\1'):rep(d * f), 3), writer.number('half', 0.5),
  writer.tensor('by_input', { d, 1 }, writer.floats { 0.5, 1.0, 2.0, 4.0 }),
  writer.weights('k3', { d, d, 3 }), writer.weights('k1', { d, d, 1 }),
  writer.weights('k2', { f, d, 1 }),
}

--- Bytes with a scale for each input, which no format holds.
local refused = { node('Cast q -> q1', { to = 1 }), 'Mul q1 by_input -> odd' }

local function graph(nodes, outputs)
  local list = { table.unpack(refused) }
  for _, n in ipairs(nodes) do list[#list + 1] = n end
  return { nodes = list, tensors = tensors, rank = 2, outputs = outputs }
end

local function read(nodes, options) return onnx_layers.of(writer, graph(nodes), options) end

local swiglu = { 'Sigmoid g -> s', 'Mul g s -> h', 'Mul h u -> t', 'MatMul t b -> y' }

local function behind(first, rest)
  local list = { table.unpack(first) }
  for _, text in ipairs(rest) do list[#list + 1] = text end
  return list
end

--- Graphs of which no whole layer is left, and what is said of a half; a node takes one alone.
function TestOnnxHalves.test_refused()
  for _, case in ipairs {
    -- One of gate and up, or both.
    { behind({ 'MatMul x odd -> g', 'MatMul x c -> u' }, swiglu), 'MatMul "u" is a part of one: '
      .. 'what it gives is multiplied with what MatMul "g" gives, which is not taken', 'u' },
    { behind({ 'MatMul x a -> g', 'MatMul x odd -> u' }, swiglu), 'MatMul "g" is a part of one: '
      .. 'what it gives is multiplied with what MatMul "u" gives, which is not taken', 'y' },
    { behind({ 'MatMul x odd -> g', 'MatMul x odd -> u' }, swiglu), 'MatMul "y" is a part of one: '
      .. 'it takes what MatMul "g" gives, which is not taken: its matrix "q" has signed bytes',
      'y' },
    -- In front and behind.
    { { 'com.microsoft:GemmFastGelu x a -> h', 'Gemm h b -> y' }, 'Gemm "y" is a part of one: it '
      .. 'takes what com.microsoft.GemmFastGelu "h" gives, which is not taken: it has an ',
      'y' },
    { { 'com.microsoft:GemmFastGelu x a -> h', 'com.microsoft:GemmFastGelu h m -> i',
      'Gemm i b -> y' }, '; not taken: com.microsoft.GemmFastGelu "h" (it has an activation of its '
      .. 'own: give the graph as it was before it was optimised); com.microsoft.GemmFastGelu "i" '
      .. '(it has', 'y' },
    { { 'MatMul x low -> h', 'MatMul h high -> i', 'Relu i -> r', 'MatMul r odd -> y' },
      'MatMul "h" is a part of one: what it gives goes to MatMul "y", which is not taken', 'h' },
    { { 'MatMul x odd -> h', 'Sin h -> t', 'MatMul t b -> y' }, 'it takes what MatMul "h" gives' },
    -- An adapter beside its matrix.
    { { 'MatMul x w -> h', 'MatMul x low -> i', 'MatMul i high -> j', 'Mul j half -> k',
      'Add h k -> y' }, 'MatMul "i" is a part of one: what it gives is added to what MatMul "h" '
      .. 'gives, as an adapter beside a matrix is: merge it into that', 'i' },
  } do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local text = onnx_layers.refusal(writer, graph(case[1]))
    support.assert_has(text, 'it has no whole layer', what)
    support.assert_has(text, case[2], what)
    support.assert_has(text, 'add --node NAME to import this part alone', what)
    local all = case[3] and read(case[1], { node = case[3] })
    for _, layer in ipairs(all and all.layers or {}) do
      local told = {}
      for i, a in ipairs(layer.around) do told[i] = a.what .. ' ' .. a.text end
      support.assert_has(table.concat(told, '\n'), 'a part of a layer', what)
    end
  end
end

--- What stands apart from a product that is not taken is a layer: behind a norm, a residual, or a
--- convolution over more than single places; and a whole layer beside a half.
function TestOnnxHalves.test_apart()
  for _, case in ipairs {
    { { 'MatMul x odd -> h', 'Softmax h -> i', 'MatMul i m -> j', 'Relu j -> k',
      'MatMul k b -> y' }, 'ffn' },
    { { 'MatMul x odd -> n', 'MatMul n b -> p', 'Softmax x -> i', 'MatMul i a -> j', 'Relu j -> k',
      'MatMul k b -> o', 'Add o p -> y' }, 'ffn' },
    { { 'MatMul x w -> i', 'Softmax i -> n', 'MatMul n a -> j', 'Relu j -> k', 'MatMul k m -> o',
      'MatMul x odd -> p', 'Add o p -> y' }, 'ffn' },
    { { 'Conv x k3 -> h', 'Relu h -> i', 'Conv i k1 -> j', 'Relu j -> k', 'Conv k k2 -> y' },
      'ffn' },
    -- A projection beside a layer, and a gate of one output for all: whole layers, which say so.
    { { 'MatMul x a -> j', 'Relu j -> k', 'MatMul k b -> o', 'MatMul x w -> p', 'Add o p -> y' },
      'ffn', 'what it gives is added to what MatMul "p" gives' },
    { { 'MatMul x a -> j', 'Relu j -> k', 'MatMul k b -> o', 'MatMul x one -> p',
      'Sigmoid p -> e', 'Mul o e -> y' }, 'ffn',
      'what it gives is multiplied with what MatMul "p" gives' },
  } do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local all = read(case[1])
    unit.assertEquals({ #all.layers, all.layers[1].kind }, { 1, case[2] }, what)
    local told = {}
    for i, a in ipairs(all.layers[1].around) do told[i] = a.text end
    if case[3] then support.assert_has(table.concat(told, '\n'), case[3], what) end
  end
end

--- What takes what a layer gives is told, and how many more there are.
function TestOnnxHalves.test_many_uses()
  local nodes, outputs = { 'MatMul x a -> h', 'Relu h -> r', 'MatMul r b -> o' }, {}
  for i = 1, 20 do
    nodes[#nodes + 1] = ('Softmax o -> y%d'):format(i)
    nodes[#nodes + 1] = ('Softmax x -> z%d'):format(i)
    outputs[i] = ('y%d'):format(i)
  end
  local around, told = onnx_layers.of(writer, graph(nodes, outputs)).layers[1].around, {}
  for i, a in ipairs(around) do told[i] = ('%s %s %s'):format(a.place, a.what, a.text) end
  local text = table.concat(told, '\n')
  for i = 1, 6 do support.assert_has(text, ('after Softmax node "y%d"'):format(i)) end
  support.assert_has(text, 'after up to 14 more nodes that take "o"')
  support.assert_has(text, 'beside up to 14 more nodes that take "x"')
end

--- Many blocks, each with a layer and half of one.
local function blocks(count)
  local list = {}
  for i = 1, count do
    local from = i == 1 and 'x' or ('/b%d/out'):format(i - 1)
    for _, text in ipairs { 'Softmax FROM -> /bN/n', 'MatMul /bN/n odd -> /bN/k',
      'MatMul /bN/n c -> /bN/o', 'Mul /bN/k /bN/o -> /bN/z', 'Softmax /bN/n -> /bN/n2',
      'MatMul /bN/n2 a -> /bN/h', 'Relu /bN/h -> /bN/r', 'MatMul /bN/r b -> /bN/y',
      'Add /bN/y /bN/n -> /bN/out' } do
      list[#list + 1] = text:gsub('FROM', from):gsub('N', tostring(i))
    end
  end
  return list
end

--- Each name that is told stands in the graph; what is alike is one line on stderr and in the spec,
--- and each its own line of --list and of --json.
function TestOnnxHalves.test_names()
  local folder = support.folder()
  local path, count = folder .. '/m.onnx', 12
  support.write(path, writer.model(graph(blocks(count), { ('/b%d/out'):format(count) })))
  local run = support.ffngen({ 'import', path, '--out', folder .. '/out', '--spec-only' })
  local err = run.err
  unit.assertEquals(run.code, 0, err)
  for _, text in ipairs {
    'not taken: MatMul "/b1/k": its matrix "q" has signed bytes', '(and 11 alike)\n',
    'part of a layer: MatMul "/b1/o": what it gives is multiplied with what MatMul "/b1/k" gives',
    'The host\'s, behind it: Add, node "/b1/out" (and 11 alike).',
    'The host\'s, before it: Softmax, node "/b1/n2" (and 11 alike).',
    '12 products, 12 products that are not taken',
  } do
    support.assert_has(err, text)
    local spec = support.read(folder .. '/out/model.lua'):gsub('\n%-%-%-? ', ' ')
    if not text:find '12' and not text:find '\n' then support.assert_has(spec, text) end
  end
  unit.assertNil(err:find('*', 1, true), err)
  local list = support.ffngen({ 'import', path, '--list' }).out
  run = support.ffngen({ 'import', path, '--list', '--json' })
  unit.assertEquals({ run.code, run.err }, { 0, '' })
  local told = json.decode(run.out)
  unit.assertEquals(#told.untaken, 2 * count)
  for i = 1, count do
    for _, name in ipairs { ('not taken: MatMul "/b%d/k": '):format(i),
      ('part of a layer: MatMul "/b%d/o": '):format(i), (': /b%d/h\n'):format(i) } do
      support.assert_has(list, name)
    end
    unit.assertEquals(told.untaken[i].node, ('/b%d/k'):format(i))
  end
end
