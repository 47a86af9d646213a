--- Which of the project's activations a graph is, whatever the order of its sums and products: that
--- one's vector code, which is written by hand, then serves it.
local forms = require 'activation.graph.forms'
local nodes = require 'activation.graph.node'
local trace = require 'activation.graph.trace'

local M = {}

local numbers = {} -- of what stands in a signature: equal things have equal numbers

local function number_of(text)
  if not numbers[text] then
    numbers[#numbers + 1] = text
    numbers[text] = #numbers
  end
  return numbers[text]
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
      local traced = trace.graph(definition)
      if signature(forms.kernel(traced.result), traced.parameters) == wanted then
        return activation
      end
    end
  end
end

return M
