--- What a check says of a folder that should be what ffngen writes.
local lists = require 'common.list'
local message = require 'common.message'

local M = {}

--- Tells each difference. Line ends are none: a checkout may have changed them.
---@param folder string
---@param changes Change[]
---@param changed string  what a file is that differs
---@return integer exit code
function M.tell(folder, changes, changed)
  local words = { new = 'missing', changed = changed, stale = 'left over' }
  local real = lists.filter(changes, function(change) return change.kind ~= 'ends' end)
  for _, change in ipairs(real) do
    message('%s/%s is %s', folder, change.path, words[change.kind])
  end
  if #changes > #real then
    message('%s: %d files differ in nothing but line ends (CRLF), which a checkout changes: the '
      .. 'check accepts that', folder,
      #changes - #real)
  end
  return #real > 0 and 3 or 0
end

return M
