--- The way from a folder to a file, by their names alone: what a folder may say of where a file is,
--- wherever both lie.
local lfs = require 'lfs'

local M = {}

--- The names of the folders on the way from the root to a path, and its own.
local function names_of(path)
  local names = {}
  if not path:match('^/') then path = lfs.currentdir() .. '/' .. path end
  for name in path:gmatch('[^/]+') do
    if name == '..' then
      names[#names] = nil
    elseif name ~= '.' then
      names[#names + 1] = name
    end
  end
  return names
end

--- nil where the two have nothing in common but the root.
---@param folder string
---@param file string
---@return string|nil
function M.from(folder, file)
  local here, there, shared = names_of(folder), names_of(file), 0
  while here[shared + 1] and here[shared + 1] == there[shared + 1] do shared = shared + 1 end
  if shared == 0 then return nil end
  return ('../'):rep(#here - shared) .. table.concat(there, '/', shared + 1)
end

return M
