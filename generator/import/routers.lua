--- What a config.json tells of the router of a mixture of experts: all of it is the host's, and
--- each key is told with its value.
local record = require 'common.record'

local M = {}

--- Keys, in the order in which a router comes to them. Of routed_scaling_factor the rules of
--- families tell what is multiplied by it.
M.keys = { 'scoring_func', 'topk_method', 'n_group', 'topk_group', 'norm_topk_prob' }

--- The keys that are there, with their values; '' where there are none.
---@param config Config
---@return string
function M.told(config)
  local parts = {}
  for _, key in ipairs(M.keys) do
    local value = config:get(key)
    if value ~= nil then
      parts[#parts + 1] = ('%s = %s'):format(config:name(key), record.shown(value))
    end
  end
  return table.concat(parts, ', ')
end

return M
