--- Reading files and folders. write/files.lua is the only writer.
local lfs = require 'lfs'

local M = {}

--- The bytes of a file, or nil where it cannot be read.
---@param path string
---@return string|nil
function M.read(path)
  local handle = io.open(path, 'rb')
  if not handle then return nil end
  local text = handle:read('a')
  handle:close()
  return text
end

--- The first bytes of a file, or nil and why it cannot be read.
---@param path string
---@param most integer
---@return string|nil
---@return string|nil reason
function M.head(path, most)
  local handle, reason = io.open(path, 'rb')
  if not handle then return nil, (reason:gsub('^.*: ', '')) end
  local text
  text, reason = handle:read(most)
  handle:close()
  if not text and reason then return nil, reason end
  return text or ''
end

--- Names in a folder, sorted; empty where there is none.
---@return string[]
function M.list(folder)
  local names = {}
  if M.is_folder(folder) then
    for entry in lfs.dir(folder) do names[#names + 1] = entry end
  end
  table.sort(names)
  return names
end

--- Whether there is anything of this name, a link to nowhere included.
function M.exists(path) return lfs.symlinkattributes(path, 'mode') ~= nil end

function M.is_folder(path) return lfs.attributes(path, 'mode') == 'directory' end

return M
