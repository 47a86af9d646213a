--- Graphs: what an activation computes, as nodes over a small closed set of operations. Equal nodes
--- are one, so common subexpressions are shared from the start.
local M = {}

---@class GraphNode
---@field op string            input, parameter, constant, or one of `arity`
---@field id integer           its place in the graph; operands stand before what uses them
---@field name string|nil      of an input (x, up) or a parameter
---@field value number|nil     of a constant, as it was given
---@field exponent integer|nil of a power
---@field [integer] GraphNode  operands

--- How many operands an operation takes. `select` is select(lt(a, b), p, q) in one: a, b, p, q.
--- `expm1` and `erfc` are made by forms.lua alone.
local arity = {
  input = 0, parameter = 0, constant = 0,
  add = 2, sub = 2, mul = 2, div = 2, min = 2, max = 2, neg = 1, abs = 1, power = 1, select = 4,
  exp = 1, log1p = 1, tanh = 1, erf = 1, sigmoid = 1, sqrt = 1, expm1 = 1, erfc = 1,
}

local most_nodes = 256

---@class Graph
---@field nodes GraphNode[]   all that was made; the result may need fewer
---@field known table<string, GraphNode>
---@field most integer       nodes that it may have
---@field result GraphNode|nil
local Graph = {}
Graph.__index = Graph

---@param most integer|nil
---@return Graph
function M.new(most)
  return setmetatable({ nodes = {}, known = {}, most = most or most_nodes }, Graph)
end

--- The node of an operation; one that is there already is given again. Works where strings have no
--- methods, as in a spec.
---@param op string
---@param operands GraphNode[]
---@param detail any  name, value or exponent
---@return GraphNode
function Graph:make(op, operands, detail)
  if #operands ~= arity[op] then error(op .. ': another number of operands') end
  local parts = { op }
  for i = 1, #operands do parts[i + 1] = operands[i].id end
  -- %a tells -0 from 0.
  if op == 'constant' then parts[2] = string.format('%a', detail) end
  if op ~= 'constant' and detail then parts[#parts + 1] = detail end
  local key = table.concat(parts, ' ')
  local node = self.known[key]
  if node then return node end
  if #self.nodes >= self.most then
    error(string.format('an activation of more than %d operations', self.most), 0)
  end
  node = { op = op, id = #self.nodes + 1, table.unpack(operands) }
  if op == 'constant' then node.value = detail end
  if op == 'input' or op == 'parameter' then node.name = detail end
  if op == 'power' then node.exponent = detail end
  self.nodes[node.id], self.known[key] = node, node
  return node
end

--- A factor makes a float of an integer and keeps the sign of a zero.
function Graph:constant(value) return self:make('constant', {}, value * 1.0) end

--- The nodes that some results need, operands first.
---@param results GraphNode[]
---@return GraphNode[]
function M.needed(results)
  local list, seen = {}, {}
  local function visit(node)
    if seen[node] then return end
    seen[node] = true
    for _, operand in ipairs(node) do visit(operand) end
    list[#list + 1] = node
  end
  for _, result in ipairs(results) do visit(result) end
  return list
end

--- What `make` makes of every node that a result needs, given what it made of the operands.
---@param result GraphNode
---@param make fun(node: GraphNode, operands: any[]): any
function M.fold(result, make)
  local made = {}
  for _, node in ipairs(M.needed { result }) do
    local operands = {}
    for i, operand in ipairs(node) do operands[i] = made[operand] end
    made[node] = make(node, operands)
  end
  return made[result]
end

--- The names of a graph's nodes of a kind, in the order in which they were first met.
---@param graph Graph
---@param op string input or parameter
---@return string[]
function M.names(graph, op)
  local names = {}
  for _, node in ipairs(graph.nodes) do
    if node.op == op then names[#names + 1] = node.name end
  end
  return names
end

return M
