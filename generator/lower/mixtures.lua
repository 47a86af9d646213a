--- Mixtures of experts, by the names of the layers that they are made of.
local layer = require 'lower.layer'
local record = require 'common.record'

local M = {}

---@class Mixture
---@field name string
---@field d_model integer
---@field rule Rule
---@field shared string  'none', 'one', 'sigmoid', 'mean'
---@field expert_layer string
---@field shared_layer string|false
---@field router_layer string
---@field layers { expert: Spec, shared: Spec|false, router: Spec }

--- The mixtures all of whose layers are among some specs.
---@param specs Spec[]
---@return Mixture[]
function M.of(specs)
  local list, is_there = {}, {}
  for _, s in ipairs(specs) do is_there[s] = true end
  for _, s in ipairs(specs) do
    local m = s.mixture
    if m and is_there[m.layers.router] and (not m.layers.shared or is_there[m.layers.shared]) then
      list[#list + 1] = record.strict('mixture', {
        name = m.name, d_model = m.d_model, rule = m.rule, shared = m.shared,
        expert_layer = layer.lower(m.layers.expert).name,
        shared_layer = m.layers.shared and layer.lower(m.layers.shared).name,
        router_layer = layer.lower(m.layers.router).name, layers = m.layers,
      })
    end
  end
  return list
end

return M
