--- Layers whose activations have no bound on their error at ordinary places: whoever makes kernels
--- of them is told so.
local bound = require 'activation.graph.bound'

local M = {}

--- What is told of some layers, each activation once.
---@param layers Layer[]
---@return string[]
function M.of(layers)
  local list, seen = {}, {}
  for _, layer in ipairs(layers) do
    for _, stage in ipairs(layer.passes.forward) do
      local of = stage.forward
      local parameters = type(of.parameters) == 'table' and of.parameters or nil
      local key = ('%s %s %s'):format(of.activation.name, table.concat(parameters or {}, ' '),
        layer.backward)
      if not seen[key] then
        seen[key] = true
        list[#list + 1] = bound.problem(of.activation, parameters, layer.backward)
      end
    end
  end
  return list
end

return M
