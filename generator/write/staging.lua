--- A fresh folder for texts on their way into a folder: each is whole before the first is moved.
local disk = require 'common.disk'
local lfs = require 'lfs'

local M = {}

--- What dead runs have left begins so.
local form = '^%.ffngen%-new%-%d+$'

---@class Staging
---@field path string

--- A folder that nobody else has: mkdir makes it, or says that there is one.
---@param folder string
---@return Staging|nil
---@return string|nil problem
function M.new(folder)
  for i = 1, 100 do
    local path = ('%s/.ffngen-new-%d'):format(folder, i)
    local ok, problem = lfs.mkdir(path)
    if ok then return { path = path } end
    if not disk.exists(path) then return nil, problem end
  end
  return nil, 'is full of what is called .ffngen-new-*: remove that'
end

--- Writes a text into it.
---@return boolean|nil ok
---@return string|nil problem
function M.put(staging, name, text)
  local handle, problem = io.open(staging.path .. '/' .. name, 'wb')
  if not handle then return nil, (problem:gsub('^.*: ', '')) end
  local wrote, write_problem = handle:write(text)
  local closed, close_problem = handle:close()
  if wrote and closed then return true end
  return nil, write_problem or close_problem
end

--- Keeps what lies at a path, which stays where it is: one more name of the same file, or a copy
--- where the system has no such names.
---@return boolean|nil ok
---@return string|nil problem
function M.keep(staging, path, name)
  local kept = staging.path .. '/' .. name
  if lfs.link(path, kept) then return true end
  local target = lfs.symlinkattributes(path, 'target')
  if target then return lfs.link(target, kept, true) end
  local text = disk.read(path)
  if not text then return nil, 'cannot be read' end
  return M.put(staging, name, text)
end

local function remove(path)
  for _, entry in ipairs(disk.list(path)) do
    if entry ~= '.' and entry ~= '..' then os.remove(path .. '/' .. entry) end
  end
  lfs.rmdir(path)
end

function M.remove(staging) remove(staging.path) end

--- Folders of runs that were killed: all there are, seen by one that has the lock.
---@return string[] paths
function M.left_over(folder)
  local paths = {}
  for _, entry in ipairs(disk.list(folder)) do
    local path = folder .. '/' .. entry
    if entry:match(form) and disk.own_mode(path) == 'directory' then
      paths[#paths + 1] = path
    end
  end
  return paths
end

function M.clean(folder)
  for _, path in ipairs(M.left_over(folder)) do remove(path) end
end

return M
