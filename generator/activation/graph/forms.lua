--- From the graph of a function to that of its kernel: constants become the f32 nearest to them,
--- powers products, and what would lose its digits in f32 a form that keeps them: e^a - 1 and
--- 1 +- erf(a) are one operation each. The meaning is that of the function with f32 constants.
local nodes = require 'activation.graph.node'
local numbers = require 'common.number'

local M = {}

local function is_constant(n, value) return n.op == 'constant' and n.value == value end

---@param graph Graph
local function power(graph, base, exponent)
  local result, square, left = nil, base, math.abs(exponent)
  while left > 0 do
    if left % 2 == 1 then
      result = result and graph:make('mul', { result, square }) or square
    end
    left = left // 2
    if left > 0 then square = graph:make('mul', { square, square }) end
  end
  return exponent > 0 and result or graph:make('div', { graph:constant(1.0), result })
end

local function negated(graph, a)
  if a.op == 'neg' then return a[1] end
  if a.op == 'constant' then return graph:constant(-a.value) end
  for i = 1, a.op == 'mul' and 2 or 0 do
    if a[i].op == 'constant' then
      return graph:make('mul', { a[3 - i], graph:constant(-a[i].value) })
    end
  end
  if a.op == 'div' and a[2].op == 'constant' then
    return graph:make('div', { a[1], graph:constant(-a[2].value) })
  end
  return graph:make('neg', { a })
end

--- What is simpler or more exact than an operation as it stands; nil where nothing is.
---@type table<string, fun(graph: Graph, a: GraphNode, b: GraphNode): GraphNode|nil>
local rules = {}

function rules.add(graph, a, b)
  if is_constant(a, 1.0) and b.op == 'erf' then
    return graph:make('erfc', { negated(graph, b[1]) })
  elseif is_constant(b, 1.0) and a.op == 'erf' then
    return graph:make('erfc', { negated(graph, a[1]) })
  elseif is_constant(b, -1.0) and a.op == 'exp' then
    return graph:make('expm1', { a[1] })
  elseif is_constant(a, -1.0) and b.op == 'exp' then
    return graph:make('expm1', { b[1] })
  elseif b.op == 'neg' then
    return graph:make('sub', { a, b[1] })
  end
end

function rules.sub(graph, a, b)
  if is_constant(b, 1.0) and a.op == 'exp' then return graph:make('expm1', { a[1] }) end
  if is_constant(a, 1.0) and b.op == 'erf' then return graph:make('erfc', { b[1] }) end
  if b.op == 'neg' then return graph:make('add', { a, b[1] }) end
  if is_constant(a, 0.0) and 1.0 / a.value < 0.0 then return negated(graph, b) end
end

--- What compilers make a minus of is one here: see emit/vector.lua.
function rules.mul(graph, a, b)
  if is_constant(b, -1.0) then return negated(graph, a) end
  if is_constant(a, -1.0) then return negated(graph, b) end
end

--- A power of two as a divisor is exact as a factor.
function rules.div(graph, a, b)
  if is_constant(b, -1.0) then return negated(graph, a) end
  local size = b.op == 'constant' and math.abs(b.value)
  -- %a writes a power of two without a fraction.
  if size and size >= 0x1p-126 and size <= 0x1p126 and ('%a'):format(size):find('^0x1p') then
    return graph:make('mul', { a, graph:constant(1.0 / b.value) })
  end
end

function rules.neg(graph, a) return negated(graph, a) end

---@param result GraphNode
---@return GraphNode
function M.kernel(result)
  local graph = nodes.new(math.huge) -- powers take more operations than the spec has
  return nodes.fold(result, function(n, operands)
    if n.op == 'constant' then return graph:constant(numbers.to_f32(n.value)) end
    if n.op == 'power' then return power(graph, operands[1], n.exponent) end
    local rule = rules[n.op]
    return rule and rule(graph, table.unpack(operands))
      or graph:make(n.op, operands, n.name)
  end)
end

return M
