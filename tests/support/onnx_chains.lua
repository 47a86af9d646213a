--- Chains of graphs with nodes at their places: steps that round, and others that writers of graphs
--- put between products, their biases and what follows; and what must hold of an import of them.
local onnx_layers = require 'onnx_layers'
local plain = require 'onnx_plain'
local problems = require 'common.problem'
local writer = require 'onnx_writer'

local M = {}

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

M.chains = {
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
M.kinds = {
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
function M.places(chain)
  local list = { 'x' }
  for i, text in ipairs(chain) do list[i + 1] = plain.parsed(text).out end
  return list
end

--- A chain with kinds at places, parsed.
---@param at table<string, table>  kind by place
function M.with(chain, at)
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

--- What is wrong with what is imported of a graph, or nil; and whether it is taken.
---@param chain table                of M.chains
---@param at table<string, table>    of M.kinds, by place
---@param options ImportOptions
---@param path string                of a file to write
---@return string|nil
---@return string
function M.check(chain, at, options, path)
  local nodes, texts, is_same = M.with(chain, at), {}, true
  for i, n in ipairs(nodes) do texts[i] = written(n) end
  for _, place in ipairs(M.places(chain)) do
    is_same = is_same and (not at[place] or at[place].same or at[place].rounds)
  end
  local is_whole = is_same and options.float_activations
  local handle = assert(io.open(path, 'wb'))
  handle:write(writer.model { nodes = texts, tensors = tensors, rank = 2,
    outputs = { at.y and 'yz' or 'y' } })
  handle:close()
  local ok, all = pcall(onnx_layers.read, path, options)
  if not ok then
    if not problems.is(all) then return tostring(all), 'refused' end
    if is_whole or not all.text:find '"' then return 'it is refused: ' .. all.text, 'refused' end
    return nil, 'refused'
  end
  local env = plain.of(nodes, constants, x, not options.float_activations)
  for _, layer in ipairs(all.layers) do
    local first
    for _, n in ipairs(nodes) do first = first or n.out == layer.at and n end
    local y, told = onnx_layers.evaluate(all, layer, env[first.ins[1]]), told_of(layer)
    local found, missing = nil, 'nothing: it is no value of the graph'
    for _, n in ipairs(nodes) do
      if is_near(env[n.out], y) then
        missing = untold(nodes, n.out, told)
        found = found or not missing and n.out
      end
    end
    if not found then return ('%s is not told in %s'):format(missing, told), 'taken' end
    if is_sum(nodes, found) and bias_behind(nodes, found) then
      return 'its bias is left out', 'taken'
    end
    local has_all = #all.layers == 1 and #layer.matrices == chain.matrices
    for _, m in ipairs(layer.matrices) do has_all = has_all and m.bias ~= false end
    if is_whole and not has_all then return 'it is not the whole chain', 'taken' end
  end
  return nil, 'taken'
end

return M
