--- Symbolic differentiation: graph -> graph. At a tie, min and max have the derivative of their
--- first operand, as they have its value; select has that of the branch which it takes; abs has 0,
--- and so has sqrt, at 0: max(x, 0) and x * x have derivatives of 0 there, which 0 is to divide.
local nodes = require 'activation.graph.node'

local M = {}

local two_by_root_pi = 2.0 / math.sqrt(math.pi)

--- Makes nodes, without factors of one and terms of zero.
local function builder(graph)
  local b = {}
  function b.constant(value) return graph:constant(value) end
  local function is(n, value) return n.op == 'constant' and n.value == value end
  function b.add(p, q)
    if is(p, 0.0) then return q end
    if is(q, 0.0) then return p end
    return graph:make('add', { p, q })
  end
  function b.neg(p)
    if is(p, 0.0) then return p end
    if p.op == 'constant' then return graph:constant(-p.value) end
    return graph:make('neg', { p })
  end
  function b.sub(p, q)
    if is(q, 0.0) then return p end
    if is(p, 0.0) then return b.neg(q) end
    return graph:make('sub', { p, q })
  end
  function b.mul(p, q)
    if is(p, 0.0) or is(q, 1.0) then return p end
    if is(q, 0.0) or is(p, 1.0) then return q end
    if is(p, -1.0) then return b.neg(q) end
    if is(q, -1.0) then return b.neg(p) end
    return graph:make('mul', { p, q })
  end
  function b.div(p, q)
    if is(p, 0.0) then return p end
    return graph:make('div', { p, q })
  end
  function b.power(p, exponent)
    if exponent == 0 then return graph:constant(1.0) end
    if exponent == 1 then return p end
    return graph:make('power', { p }, exponent)
  end
  function b.select(a, c, p, q)
    if p == q then return p end
    return graph:make('select', { a, c, p, q })
  end
  return b
end

--- The derivative of each operation: `y` is its own node, `o` its operands, `d` their derivatives.
---@type table<string, fun(b: table, y: GraphNode, o: GraphNode[], d: GraphNode[]): GraphNode>
local rules = {}

function rules.add(b, _, _, d) return b.add(d[1], d[2]) end
function rules.sub(b, _, _, d) return b.sub(d[1], d[2]) end
function rules.mul(b, _, o, d) return b.add(b.mul(d[1], o[2]), b.mul(o[1], d[2])) end
function rules.div(b, y, o, d) return b.div(b.sub(d[1], b.mul(y, d[2])), o[2]) end
function rules.min(b, _, o, d) return b.select(o[2], o[1], d[2], d[1]) end
function rules.max(b, _, o, d) return b.select(o[1], o[2], d[2], d[1]) end
function rules.neg(b, _, _, d) return b.neg(d[1]) end
function rules.select(b, _, o, d) return b.select(o[1], o[2], d[3], d[4]) end

function rules.abs(b, _, o, d)
  local zero = b.constant(0.0)
  return b.select(zero, o[1], d[1], b.select(o[1], zero, b.neg(d[1]), zero))
end

function rules.power(b, y, o, d)
  local n = y.exponent
  return b.mul(b.mul(b.constant(n), b.power(o[1], n - 1)), d[1])
end

function rules.exp(b, y, _, d) return b.mul(y, d[1]) end
function rules.expm1(b, y, _, d) return b.mul(b.add(y, b.constant(1.0)), d[1]) end
function rules.log1p(b, _, o, d) return b.div(d[1], b.add(b.constant(1.0), o[1])) end
function rules.sqrt(b, y, o, d)
  local zero, slope = b.constant(0.0), b.div(b.mul(b.constant(0.5), d[1]), y)
  -- What is not above 0 gives 0 or NaN, as its root.
  return slope == zero and zero or b.select(zero, o[1], slope, y)
end

function rules.tanh(b, y, _, d)
  return b.mul(b.sub(b.constant(1.0), b.mul(y, y)), d[1])
end

function rules.sigmoid(b, y, _, d)
  return b.mul(b.mul(y, b.sub(b.constant(1.0), y)), d[1])
end

function rules.erf(b, _, o, d, graph)
  local gauss = graph:make('exp', { b.neg(b.mul(o[1], o[1])) })
  return b.mul(b.mul(b.constant(two_by_root_pi), gauss), d[1])
end

function rules.erfc(b, y, o, d, graph) return b.neg(rules.erf(b, y, o, d, graph)) end

--- A function and its derivative, in a graph.
---@return { y: GraphNode, d: GraphNode }
local function derived(graph, result, name)
  local b = builder(graph)
  local zero = graph:constant(0.0)
  return nodes.fold(result, function(n, made)
    local o, d = {}, {}
    for i, operand in ipairs(made) do o[i], d[i] = operand.y, operand.d end
    local y = graph:make(n.op, o, n.value or n.name or n.exponent)
    if n.op == 'input' or n.op == 'parameter' then
      return { y = y, d = n.name == name and graph:constant(1.0) or zero }
    elseif n.op == 'constant' then
      return { y = y, d = zero }
    end
    return { y = y, d = rules[n.op](b, y, o, d, graph) }
  end)
end

--- What an activation is differentiated by: x, the other branch of a function of both, parameters.
---@param both boolean
---@param parameters string[]
---@return string[]
function M.variables(both, parameters)
  local names = both and { 'x', 'up' } or { 'x' }
  for _, name in ipairs(parameters) do names[#names + 1] = name end
  return names
end

--- The derivative of a function with respect to an input or a parameter.
---@param result GraphNode  as traced, or of a kernel's graph
---@param name string x, up or the name of a parameter
---@return GraphNode
function M.by(result, name) return derived(nodes.new(math.huge), result, name).d end

--- A function and its derivatives in one graph, where they share what they have in common.
---@param result GraphNode
---@param names string[]
---@return GraphNode value
---@return table<string, GraphNode> by
function M.all(result, names)
  local graph, value, by = nodes.new(math.huge), nil, {}
  for _, name in ipairs(names) do
    local both = derived(graph, result, name)
    value, by[name] = both.y, both.d
  end
  return value, by
end

return M
