--- One run at a time in a folder: a lock that the system takes back when its holder dies.
local lfs = require 'lfs'
local problems = require 'common.problem'

local M = { patience = 30 } -- seconds

---@class FolderLock
---@field path string
---@field handles file*[]  open until the end: the system takes the lock back when its holder closes
--- any handle of the file

M.name = '.ffngen.lock'

local function word() return ('%s %d %s\n'):format(tostring({}), os.time(), math.random(0)) end

--- Takes the lock if it is free.
---@return FolderLock|nil
---@return string|nil problem nil where another run has it
local function try(path)
  local mode = lfs.symlinkattributes(path, 'mode')
  if mode == 'directory' then return nil, 'is a directory' end
  -- Whatever else was put there is not written through.
  if mode and mode ~= 'file' then os.remove(path) end
  local mine, reason = io.open(path, 'a+b')
  if not mine then return nil, (reason:gsub('^.*: ', '')) end
  local locked, why = lfs.lock(mine, 'w')
  if not locked and (why:find('temporarily') or why:find('denied')) then
    mine:close()
    return nil
  end
  -- Its last holder may have removed the file meanwhile, and another run may have made a new one.
  -- Where the system knows no locks, a run is alone as far as it can tell.
  local token = word()
  local wrote
  wrote, reason = mine:write(token)
  if wrote then wrote, reason = mine:flush() end
  if not wrote then
    os.remove(path)
    mine:close()
    return nil, reason
  end
  local seen = io.open(path, 'rb')
  if seen and seen:read('a'):sub(-#token) == token then
    return { path = path, handles = { mine, seen } }
  end
  if seen then seen:close() end
  mine:close()
  return nil
end

--- Waits for the lock of a folder.
---@param folder string
---@return FolderLock
function M.take(folder)
  local path, start = folder .. '/' .. M.name, os.time()
  repeat
    local lock, problem = try(path)
    if problem then problems.failure('%s: %s', path, problem) end
    if lock then return lock end
    local _, how = os.execute('sleep 0.05 2>/dev/null || sleep 1')
    if how == 'signal' then
      problems.failure('%s: stopped while another run wrote there', folder)
    end
  until os.time() - start > M.patience
  problems.failure('%s: another run of ffngen has been writing there for %d s: try again when it '
    .. 'has ended', folder, M.patience)
end

--- Gives the lock back. The file goes first: who waits for it sees that it is gone.
---@param lock FolderLock
function M.release(lock)
  os.remove(lock.path)
  for _, handle in ipairs(lock.handles) do handle:close() end
end

return M
