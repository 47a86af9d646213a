--- The derivatives of an activation as C in double: their values, how far they move, and how far
--- those of the kernels are off. Of a traced one they are triples of runtime/reference.h.
local derive = require 'activation.graph.derive'
local meaning = require 'activation.graph.meaning'

local M = {}

---@class Derivative
---@field name string          x, up or a parameter
---@field index integer        FFN_BY_X and so on
---@field value string         C, of x, up and parameters
---@field spread string|false  C, of dx and dup, too; false of what no layer applies
---@field error string         C, of `value`, too: of the kernels, in 2^-24
---@field functions string     that value and spread call

local function by_hand(a, i, name, index)
  local x = {
    value = a.derivative, spread = a.curvature, error = ('%.9g'):format(a.slope_error or 0.0),
  }
  local one = i == 1 and x or a.by_parameters[i - 1]
  return {
    name = name, index = index, value = one.value, spread = one.spread, error = one.error,
    functions = '',
  }
end

--- The derivatives by x, by the other branch of a function of both, and by parameters.
---@param a Activation
---@return Derivative[]
function M.of(a)
  local list = {}
  for i, name in ipairs(derive.variables(a.both, a.parameters)) do
    local index = i == 1 and 0 or a.both and i - 1 or i
    if a.running then
      local own_name = meaning.triple_name(a.name, index)
      local value, spread = meaning.row(own_name)
      list[i] = {
        name = name, index = index, value = value, spread = spread, error = '0.0',
        functions = meaning.triples(own_name, derive.by(a.differentiated, name), a.parameters),
      }
    else
      list[i] = by_hand(a, i, name, index)
    end
  end
  return list
end

return M
