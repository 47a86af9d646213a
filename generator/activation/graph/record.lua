--- A traced function -> what the vocabulary knows of an activation.
local code = require 'activation.graph.code'
local forms = require 'activation.graph.forms'
local meaning = require 'activation.graph.meaning'

local M = {}

---@param name string
---@param traced TracedFunction
---@param about string
---@param source string
---@return table fields of an activation
function M.of(name, traced, about, source)
  local result = forms.kernel(traced.result)
  local value, slope = meaning.row(name)
  return {
    name = name, about = about, source = source, meaning = value, slope = slope,
    derivative = false, parameters = traced.parameters, both = traced.gated,
    -- Its bound comes from its graph: see the pairs of runtime/reference.c.
    contract = { ulp = 0.0, relative = 0.0, absolute = 0.0 }, special = {},
    vector = code.vector(result), result = result, running = true,
  }
end

return M
