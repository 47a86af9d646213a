--- A file that is read in places, not from front to back: open for as long as a function runs.
local disk = require 'common.disk'
local problems = require 'common.problem'

local M = {}

--- What a function makes of an open file. What it refuses is refused when the file is closed.
---@generic T
---@param path string
---@param read fun(handle: file*, size: integer): T
---@return T
function M.with(path, read)
  local handle, reason = disk.open(path)
  if not handle then problems.bad_input(path, 'cannot be read: %s', reason) end
  local size = handle:seek('end')
  if not size or size >= 1 << 62 then
    handle:close()
    problems.bad_input(path, 'it cannot be read at any place, as a pipe cannot: give a file')
  end
  local ok, result = pcall(read, handle, size)
  handle:close()
  if not ok then error(result, 0) end
  return result
end

--- Bytes [first, first + count) of a file.
function M.slice(handle, first, count)
  handle:seek('set', first)
  return count == 0 and '' or handle:read(count) or ''
end

return M
