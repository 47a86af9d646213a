--- Chains with a node at every place, and at every two: steps that round, and others that a writer
--- of graphs puts between products, their biases and what follows. What is imported gives what a
--- plain evaluation of the graph gives, at a value of which all that takes it is told by name; or
--- the graph is refused by the name of a node. No bias is left out because a step rounds in front
--- of it.
local unit = require 'luaunit'
local onnx_layers = require 'onnx_layers'
local plain = require 'onnx_plain'
local problems = require 'common.problem'
local support = require 'support'
local writer = require 'onnx_writer'

TestOnnxRounded = {}

local d = 4
local x = { 0.6, -1.3, 0.8, 1.9 }
local none = writer.tensor('none', {}, '\0', 2)

--- Numbers that no step that rounds keeps.
local function numbers_of(count, first)
  local list = {}
  for i = 1, count do
    list[i] = string.unpack('<f', string.pack('<f', ((first + i) * 7 % 23) / 19 - 0.53))
  end
  return list
end

local constants, tensors = { half = 0.5 }, {
  writer.number('s', 0.25), writer.number('half', 0.5), writer.tensor('zero', {}, '\0', 3), none,
  writer.sizes('rows', { -1, d }),
}
for i, name in ipairs { 'a', 'b', 'c' } do
  constants[name] = numbers_of(d * d, i)
  tensors[#tensors + 1] = writer.tensor(name, { d, d }, writer.floats(constants[name]))
  constants[name].outputs = d
end
for i, name in ipairs { 'v', 'w', 'u' } do
  constants[name] = numbers_of(d, 5 * i)
  tensors[#tensors + 1] = writer.tensor(name, { d }, writer.floats(constants[name]))
end

local chains = {
  { name = 'linear', matrices = 1, 'MatMul x a -> h', 'Add h v -> y' },
  { name = 'ffn', matrices = 2, 'MatMul x a -> h', 'Add v h -> i', 'Relu i -> r',
    'MatMul r b -> o', 'Add o w -> y' },
  { name = 'mlp', matrices = 3, 'MatMul x a -> h', 'Add h v -> i', 'Tanh i -> r',
    'MatMul r b -> o', 'Add w o -> p', 'Relu p -> k', 'MatMul k c -> l', 'Add l u -> y' },
  { name = 'glu', matrices = 3, 'MatMul x a -> g', 'Add g v -> i', 'MatMul x c -> e',
    'Add e u -> j', 'Sigmoid i -> k', 'Mul i k -> l', 'Mul l j -> t', 'MatMul t b -> o',
    'Add o w -> y' },
}

--- What may stand at a place: nodes from # to %, whose own values are %1 and %2.
local kinds = {
  { name = 'bytes', rounds = true, 'QuantizeLinear # s zero -> %1',
    'DequantizeLinear %1 s zero -> %' },
  { name = 'half', rounds = true, 'Half # -> %1', 'Cast %1 -> %' },
  { name = 'cut', cuts = true, 'QuantizeLinear # s none -> %1', 'DequantizeLinear %1 s none -> %' },
  { name = 'twice', rounds = true, 'QuantizeLinear # s zero -> %1',
    'DequantizeLinear %1 s zero -> %2', 'Half %2 -> %3', 'Cast %3 -> %' },
  { name = 'identity', same = true, 'Identity # -> %' },
  { name = 'dropout', same = true, 'Dropout # -> %' },
  { name = 'reshape', 'Reshape # rows -> %' },
  { name = 'scale', 'Mul # half -> %' },
  { name = 'transpose', 'Transpose # -> %1', 'Transpose %1 -> %' },
  { name = 'sign', 'Neg # -> %1', 'Abs %1 -> %' },
}

--- Casts are of plain text here.
local function written(n)
  if n.op == 'Half' then return writer.node('Cast ' .. plain.text(n):match ' (.*)', { to = 10 }) end
  if n.op == 'Cast' then return writer.node(plain.text(n), { to = 1 }) end
  return plain.text(n)
end

--- The values of a chain, behind which something may stand, or in front of it all.
local function places_of(chain)
  local list = { 'x' }
  for i, text in ipairs(chain) do list[i + 1] = plain.parsed(text).out end
  return list
end

--- A chain with kinds at places, parsed.
---@param at table<string, table>  kind by place
local function with(chain, at)
  local list = {}
  local function insert(place)
    for _, text in ipairs(at[place] or {}) do
      text = text:gsub('%%(%d?)', function(i) return place .. (i == '' and 'z' or i) end)
      list[#list + 1] = plain.parsed((text:gsub('#', place)))
    end
  end
  insert 'x'
  for _, text in ipairs(chain) do
    local n = plain.parsed(text)
    for i, name in ipairs(n.ins) do
      if at[name] then n.ins[i] = name .. 'z' end
    end
    list[#list + 1] = n
    insert(n.out)
  end
  return list
end

local function is_near(a, b)
  for i, v in ipairs(a) do
    if #a ~= #b or math.abs(v - b[i]) > 1e-9 then return false end
  end
  return true
end

local passes = { QuantizeLinear = true, DequantizeLinear = true, Half = true, Cast = true,
  Identity = true, Dropout = true, Reshape = true, Mul = true, Transpose = true }

--- The node that adds a bias to a value behind steps that pass on what they take, move or scale
--- it; or nil.
local function bias_behind(nodes, name)
  for _, n in ipairs(nodes) do
    for i, taken in ipairs(n.ins) do
      local other = n.op == 'Add' and constants[n.ins[3 - i]]
      if taken == name and type(other) == 'table' then return n.out end
      -- What cuts at 0 is a function, behind which no bias is the product's.
      local bias = taken == name and passes[n.op] and n.ins[3] ~= 'none'
        and bias_behind(nodes, n.out)
      if bias then return bias end
    end
  end
end

--- Whether a value is what a product gives, but for such steps.
local function is_sum(nodes, name)
  for _, n in ipairs(nodes) do
    if n.out == name then
      return n.op == 'MatMul'
        or passes[n.op] and n.ins[3] ~= 'none' and not constants[n.ins[1]]
        and is_sum(nodes, n.ins[1])
    end
  end
end

--- A node that takes a value and is not told, or nil.
local function untold(nodes, name, told)
  for _, n in ipairs(nodes) do
    for _, taken in ipairs(n.ins) do
      if taken == name and not told:find('"' .. n.out .. '"', 1, true) then return n.out end
    end
  end
end

local function told_of(layer)
  local texts = {}
  for i, a in ipairs(layer.around) do texts[i] = a.text end
  return table.concat(texts, '\n')
end

--- Holds what is imported of a graph against it.
local function check(chain, at, kinds_at, options, what)
  local nodes, texts = with(chain, at), {}
  for i, n in ipairs(nodes) do texts[i] = written(n) end
  local last = at.y and 'yz' or 'y'
  local ok, all = pcall(onnx_layers.of, writer, { nodes = texts, tensors = tensors, rank = 2,
    outputs = { last } }, options)
  local is_same = true
  for _, kind in ipairs(kinds_at) do is_same = is_same and (kind.same or kind.rounds) end
  if not ok then
    unit.assertTrue(problems.is(all), what .. ': ' .. tostring(all))
    support.assert_has(all.text, '"', what)
    unit.assertFalse(is_same and options.float_activations or false, what .. ': ' .. all.text)
    return 'refused'
  end
  local env = plain.of(nodes, constants, x, not options.float_activations)
  for _, layer in ipairs(all.layers) do
    local first
    for _, n in ipairs(nodes) do first = first or n.out == layer.at and n end
    local y = onnx_layers.evaluate(all, layer, env[first.ins[1]])
    local told, found, missing = told_of(layer), nil, 'nothing: it is no value of the graph'
    for _, n in ipairs(nodes) do
      if is_near(env[n.out], y) then
        missing = untold(nodes, n.out, told)
        found = found or not missing and n.out
      end
    end
    if not found then unit.fail(('%s: %s is not told in %s'):format(what, missing, told)) end
    unit.assertNil(is_sum(nodes, found) and bias_behind(nodes, found) or nil,
      what .. ': its bias is left out')
    if is_same and options.float_activations then
      unit.assertEquals({ #all.layers, #layer.matrices }, { 1, chain.matrices }, what)
      for _, m in ipairs(layer.matrices) do unit.assertTrue(m.bias ~= false, what) end
    end
  end
  return 'taken'
end

local both = { {}, { float_activations = true } }

--- One kind at each place of each chain; of the quick form, those that round and one of the others.
function TestOnnxRounded.test_places()
  local counts, turn = { taken = 0, refused = 0 }, 0
  for _, chain in ipairs(chains) do
    for _, place in ipairs(places_of(chain)) do
      turn = turn + 1
      for i, kind in ipairs(kinds) do
        local is_asked = support.full or i == turn % 2 + 1 or (i + turn) % 5 == 0
        for _, options in ipairs(is_asked and both or {}) do
          local what = ('%s, %s behind %s, %s'):format(chain.name, kind.name, place,
            options.float_activations and 'left out' or 'as it is')
          local result = check(chain, { [place] = kind }, { kind }, options, what)
          counts[result] = counts[result] + 1
        end
      end
    end
  end
  unit.assertTrue(counts.taken > 60 and counts.refused > 10,
    ('%d taken, %d refused'):format(counts.taken, counts.refused))
end

--- Two kinds at every two places, one of which rounds or cuts; in the quick form both round, in the
--- smaller chains.
function TestOnnxRounded.test_pairs()
  local turn = 0
  local function hold(chain, p, q, kind, other)
    turn = turn + 1
    local options = both[turn % 2 + 1]
    local what = ('%s, %s behind %s and %s behind %s, %s'):format(chain.name, kind.name, p,
      other.name, q, options.float_activations and 'left out' or 'as it is')
    check(chain, { [p] = kind, [q] = other }, { kind, other }, options, what)
  end
  for c, chain in ipairs(chains) do
    local places = places_of(chain)
    for i = 1, (support.full or c < 3) and #places or 0 do
      for j = i + 1, #places do
        for k = 1, support.full and 3 or 1 do
          for l = 1, support.full and #kinds or 1 do
            -- A third of the larger ones.
            if not support.full or c < 3 or (i + j + k + l) % 3 == 0 then
              hold(chain, places[i], places[j], kinds[k], kinds[l])
              hold(chain, places[i], places[j], kinds[l], kinds[k])
            end
          end
        end
      end
    end
  end
end
