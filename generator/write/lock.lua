--- One run at a time in a folder: a lock that the system takes back when its holder dies.
local disk = require 'common.disk'
local lfs = require 'lfs'
local problems = require 'common.problem'

local M = { patience = 300 } -- pauses of a tenth of a second

---@class FolderLock
---@field path string
---@field handles file*[]  open until the end: the system takes the lock back when its holder closes
--- any handle of the file

M.name = '.ffngen.lock'

--- Takes the lock if it is free.
---@return FolderLock|nil
---@return string|nil problem nil where another run has it
local function try(path)
  local mode = disk.own_mode(path)
  if mode == 'directory' then return nil, 'is a directory' end
  -- Whatever else was put there is not written through.
  if mode and mode ~= 'file' then os.remove(path) end
  local mine, reason = io.open(path, 'a+b')
  if not mine then return nil, (reason:gsub('^.*: ', '')) end
  mine:seek('set')
  local words
  words, reason = mine:read('a')
  if not words then
    mine:close()
    return nil, reason
  end
  if (words .. '\n'):gsub('table: %w+\n', ''):find('[^\n]') then
    mine:close()
    return nil, 'this file is not a lock of ffngen: move it to another place'
  end
  local locked, why = lfs.lock(mine, 'w')
  if not locked and (why:find('temporarily') or why:find('denied')) then
    mine:close()
    return nil
  end
  -- Where the system knows no locks, a run is alone as far as it can tell. Else the last holder may
  -- have removed the file meanwhile, and another run made a new one: so each holder adds a word, an
  -- address of its own, and looks whether the file of this name is still its own.
  local wrote
  wrote, reason = mine:write(tostring({}), '\n')
  if wrote then wrote, reason = mine:flush() end
  if not wrote then
    os.remove(path)
    mine:close()
    return nil, reason
  end
  local seen = disk.open(path)
  mine:seek('set')
  if seen and seen:read('a') == mine:read('a') then
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
  local path = folder .. '/' .. M.name
  for _ = 0, M.patience do
    local lock, problem = try(path)
    if problem then problems.failure('%s: %s', path, problem) end
    if lock then return lock end
    local _, how = os.execute('sleep 0.1 2>/dev/null || sleep 1')
    if how == 'signal' then
      problems.failure('%s: stopped while waiting for another run of ffngen in this folder', folder)
    end
  end
  problems.failure('%s: another run of ffngen is writing to this folder: try again when that run '
    .. 'has ended',
    folder)
end

--- Gives the lock back. The file goes first: who waits for it sees that it is gone.
---@param lock FolderLock
function M.release(lock)
  os.remove(lock.path)
  for _, handle in ipairs(lock.handles) do handle:close() end
end

return M
