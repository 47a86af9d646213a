--- Names of tensors as files have them: what is longer than any, or has more parts, is refused
--- before anybody looks for a pattern in it.
local limits = require 'common.limits'
local record = require 'common.record'

local M = {}

local most, most_parts = limits.most 'name', limits.most 'parts'

--- Holds a name against the limits.
---@param path string  of the file, for messages
---@param name string
function M.hold(path, name)
  if #name < most_parts then return end
  if #name > most then limits.refuse(path, 'name', #name, record.shown(name, 80)) end
  local parts, at = 1, 1
  repeat
    at = name:find('[./]', at)
    if at then parts, at = parts + 1, at + 1 end
  until not at
  if parts > most_parts then limits.refuse(path, 'parts', parts, record.shown(name, 80)) end
end

return M
