--- Files and folders of fuzzers.
local disk = require 'common.disk'
local lfs = require 'lfs'

local M = {}

function M.write(path, text)
  local handle = assert(io.open(path, 'wb'))
  assert(handle:write(text))
  assert(handle:close())
end

M.read = disk.read

--- Names in a folder, sorted; none where there is no folder.
---@return string[]
function M.list(path)
  local names = {}
  if lfs.attributes(path, 'mode') == 'directory' then
    for name in lfs.dir(path) do
      if name ~= '.' and name ~= '..' then names[#names + 1] = name end
    end
  end
  table.sort(names)
  return names
end

--- Removes what is in a folder, and makes it where it is missing. Links are not followed.
function M.empty(path)
  lfs.mkdir(path)
  for _, name in ipairs(M.list(path)) do
    local inside = path .. '/' .. name
    if lfs.symlinkattributes(inside, 'mode') == 'directory' then
      M.empty(inside)
      lfs.rmdir(inside)
    else
      os.remove(inside)
    end
  end
end

--- What lies in a folder: a text for each file, else what it is.
---@return table<string, string>
function M.snapshot(path)
  local found = {}
  for _, name in ipairs(M.list(path)) do
    local mode = lfs.symlinkattributes(path .. '/' .. name, 'mode')
    found[name] = mode == 'file' and M.read(path .. '/' .. name) or '(' .. mode .. ')'
  end
  return found
end

--- The name of a file that two snapshots do not share, or nil; those that `ignored` has are left.
---@param ignored table<string, boolean>|nil
---@return string|nil
function M.difference(a, b, ignored)
  local names = {}
  for _, list in ipairs { a, b } do
    for name in pairs(list) do names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if a[name] ~= b[name] and not (ignored and ignored[name]) then return name end
  end
  return nil
end

function M.same(a, b) return M.difference(a, b) == nil end

return M
