--- Names of tensors as files have them: what is longer than any, or has more parts, is refused
--- before anybody looks for a pattern in it.
local limits = require 'common.limits'
local record = require 'common.record'

local M = {}

local most, most_parts = limits.most 'name', limits.most 'parts'
local most_tensors = limits.most 'tensors'

--- Names between two looks at the memory.
local between = 4096

--- Holds a name against the limits.
---@param path string  of the file, for messages
---@param name string
local function hold(path, name)
  if #name < most_parts then return end
  if #name > most then limits.refuse(path, 'name', #name, record.shown(name, 80)) end
  local parts, at = 1, 1
  repeat
    at = name:find('[./]', at)
    if at then parts, at = parts + 1, at + 1 end
  until not at
  if parts > most_parts then limits.refuse(path, 'parts', parts, record.shown(name, 80)) end
end

--- Adds a name to those of a model.
---@param path string
---@param keys string[]
---@param name string
---@param heap Heap
function M.add(path, keys, name, heap)
  hold(path, name)
  local count = #keys + 1
  keys[count] = name
  if count % between == 0 then heap:look() end
  if count > most_tensors then limits.refuse(path, 'tensors') end
end

return M
