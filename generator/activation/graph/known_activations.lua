--- Which of the project's activations a graph is, whatever the order of its sums and products: that
--- one's vector code, which is written by hand, then serves it.
local forms = require 'activation.graph.forms'
local lists = require 'common.list'
local nodes = require 'activation.graph.node'
local numbers = require 'common.number'
local trace = require 'activation.graph.trace'

local M = {}

local numbered = {} -- what stands in a signature: equal things have equal numbers

local function number_of(text)
  if not numbered[text] then
    numbered[#numbered + 1] = text
    numbered[text] = #numbered
  end
  return numbered[text]
end

--- Where a shared product is a factor of itself, factors double with each step.
local most_factors = 64

local commutes = { add = true, mul = true, min = true, max = true }

--- A number that graphs share if they are the same but for the order of operands and factors, and
--- for the names of parameters.
---@param result GraphNode of a kernel's graph
---@param parameters string[]
local function signature(result, parameters)
  local index = {}
  for i, name in ipairs(parameters) do index[name] = i end
  local made = nodes.fold(result, function(n, operands)
    local parts = {}
    for _, operand in ipairs(operands) do
      -- A product of products is one product, unless it has more factors than any definition.
      local factors = n.op == 'mul' and operand.factors or { operand.number }
      if #factors > most_factors then factors = { operand.number } end
      for _, factor in ipairs(factors) do parts[#parts + 1] = factor end
    end
    if commutes[n.op] then table.sort(parts) end
    local leaf = n.op == 'constant' and ('%a'):format(n.value) or index[n.name] or n.name or ''
    return {
      number = number_of(('%s %s %s'):format(n.op, leaf, table.concat(parts, ' '))),
      factors = n.op == 'mul' and parts or nil,
    }
  end)
  return made.number
end

--- The one of some activations whose definition a graph is, or nil.
---@param result GraphNode of a kernel's graph
---@param parameters string[]
---@param activations Activation[]
---@return Activation|nil
function M.find(result, parameters, activations)
  local wanted = signature(result, parameters)
  for _, activation in ipairs(activations) do
    for _, definition in ipairs(activation.textbook or {}) do
      local traced = trace.shipped(definition)
      if signature(forms.kernel(traced.result), traced.parameters) == wanted then
        return activation
      end
    end
  end
end

local defined = setmetatable({}, { __mode = 'k' })

--- The kernel's graphs that define an activation, and their numbers.
---@param activation Activation
---@return { result: GraphNode, number: integer }[]
local function definitions(activation)
  if not defined[activation] then
    local told = lists.append(lists.append({}, activation.textbook or {}), activation.also)
    local results = lists.map(told, function(f) return trace.shipped(f).result end)
    if activation.result then results[#results + 1] = activation.result end
    defined[activation] = lists.map(results, function(result)
      return { result = result, number = signature(forms.kernel(result), activation.parameters) }
    end)
  end
  return defined[activation]
end

--- A kernel's graph with a number in the place of a parameter.
local function with_parameter(result, value)
  local graph = nodes.new(math.huge)
  return forms.kernel(nodes.fold(result, function(n, operands)
    if n.op == 'parameter' then return graph:constant(value) end
    return graph:make(n.op, operands, n.value or n.name or n.exponent)
  end))
end

local most_values = 8

--- What a parameter may be, by the constants of a graph: its operations may have turned the sign,
--- or divided by it.
---@param result GraphNode of a kernel's graph
---@return number[]
local function values_in(result)
  local list = {}
  for _, n in ipairs(nodes.needed { result }) do
    if n.op == 'constant' and n.value ~= 0 and #list < 3 * most_values then
      lists.append(list, { n.value, -n.value, numbers.to_f32(1 / n.value) })
    end
  end
  return lists.filter(lists.unique(list), function(v)
    return math.abs(v) <= 1e6 and not numbers.lost(v)
  end)
end

--- The activation whose definition a graph without parameters is, and what its parameter is then;
--- or nil. Those of more parameters than one are told by no graph.
---@param result GraphNode of a kernel's graph
---@param activations Activation[]
---@return Activation|nil
---@return number|nil
function M.named(result, activations)
  local wanted, values = signature(result, {}), values_in(result)
  for _, activation in ipairs(activations) do
    for _, own in ipairs(#activation.parameters == 0 and definitions(activation) or {}) do
      if own.number == wanted then return activation end
    end
  end
  for _, activation in ipairs(activations) do
    for _, own in ipairs(#activation.parameters == 1 and definitions(activation) or {}) do
      for _, value in ipairs(values) do
        if signature(with_parameter(own.result, value), {}) == wanted then
          return activation, value
        end
      end
    end
  end
end

return M
