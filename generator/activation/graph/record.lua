--- A traced function -> what the vocabulary knows of an activation.
local code = require 'activation.graph.code'
local derive = require 'activation.graph.derive'
local forms = require 'activation.graph.forms'
local meaning = require 'activation.graph.meaning'

local M = {}

---@param name string
---@param traced TracedFunction
---@param about string
---@param source string
---@param differentiated TracedFunction|nil the same function, told with other ties
---@return table fields of an activation
function M.of(name, traced, about, source, differentiated)
  local result = forms.kernel(traced.result)
  local other = differentiated and forms.kernel(differentiated.result) or result
  local value, slope = meaning.row(meaning.triple_name(name))
  local gradient -- made where a layer is trained
  return {
    name = name, about = about, source = source, meaning = value, slope = slope,
    derivative = false, parameters = traced.parameters, both = traced.gated,
    -- Its bound comes from its graph: see the triples of runtime/reference.h.
    contract = { ulp = 0.0, relative = 0.0, absolute = 0.0 }, special = {},
    vector = code.vector(result), result = result, differentiated = other, running = true,
    gradient = function(...)
      if not gradient then
        local names = derive.variables(traced.gated, traced.parameters)
        local y, by = derive.all(other, names)
        gradient = code.gradient(y, by, names)
      end
      return gradient(...)
    end,
  }
end

return M
