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

function M.is_folder(path) return lfs.attributes(path, 'mode') == 'directory' end

return M
