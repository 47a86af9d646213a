--- write: the only writer. All files or none; unchanged files keep their time stamps.
local disk = require 'common.disk'
local lfs = require 'lfs'

local M = {}

--- Makes a folder and its parents.
local function make_folder(path)
  if path == '' or disk.is_folder(path) then return true end
  local parent = path:match('^(.*)/[^/]+/?$')
  if parent and parent ~= '' then
    local ok, problem = make_folder(parent)
    if not ok then return nil, problem end
  end
  local ok, problem = lfs.mkdir(path)
  if not ok and not disk.is_folder(path) then return nil, problem end
  return true
end

---@class Change
---@field path string
---@field kind string  new, changed, stale
---@field text string|nil  what shall be there
---@field old string|nil   what is there

--- What would change to make `folder` hold exactly `files` (and no path of `stale`).
---@param folder string
---@param files table[]  { path =, text = }
---@param stale string[] names in the folder to remove
---@return Change[]
function M.compare(folder, files, stale)
  local changes = {}
  for _, file in ipairs(files) do
    local old = disk.read(folder .. '/' .. file.path)
    if old ~= file.text then
      changes[#changes + 1] = {
        path = file.path, kind = old and 'changed' or 'new', text = file.text, old = old,
      }
    end
  end
  for _, path in ipairs(stale) do
    changes[#changes + 1] = { path = path, kind = 'stale', old = disk.read(folder .. '/' .. path) }
  end
  return changes
end

--- Names in a folder that `files` does not hold and an earlier run has made: left over.
---@param is_ours fun(entry: string, text: string): boolean
---@return string[]
function M.stale(folder, files, is_ours)
  local made, stale = {}, {}
  for _, file in ipairs(files) do made[file.path] = true end
  for _, entry in ipairs(disk.list(folder)) do
    local path = folder .. '/' .. entry
    local text = not made[entry] and entry:match('%.%a+$') and not disk.is_folder(path)
      and disk.read(path)
    if text and is_ours(entry, text) then stale[#stale + 1] = entry end
  end
  return stale
end

--- Carries changes out: every new text is written beside its place before the first is moved in,
--- and when one cannot be moved, those before it are put back.
---@return boolean|nil ok, string|nil problem
function M.apply(folder, changes)
  local ok, problem = make_folder(folder)
  if not ok then return nil, ('%s: %s'):format(folder, problem) end
  local written = {}
  local function temporary(path) return ('%s/.%s.new'):format(folder, path) end
  local function undo()
    for _, path in ipairs(written) do os.remove(temporary(path)) end
  end
  for _, change in ipairs(changes) do
    if change.text then
      local target = folder .. '/' .. change.path
      local handle, reason
      if disk.is_folder(target) then
        reason = target .. ': is a directory'
      else
        handle, reason = io.open(temporary(change.path), 'wb')
      end
      if handle then
        written[#written + 1] = change.path
        local wrote, write_reason = handle:write(change.text)
        local closed, close_reason = handle:close()
        if not (wrote and closed) then handle, reason = nil, write_reason or close_reason end
      end
      if not handle then
        undo()
        return nil, reason
      end
    end
  end
  for _, change in ipairs(changes) do
    local target = folder .. '/' .. change.path
    local done, reason
    if change.text then
      done, reason = os.rename(temporary(change.path), target)
    else
      done, reason = os.remove(target)
    end
    if not done then
      undo()
      for _, earlier in ipairs(changes) do
        if earlier == change then break end
        local place = folder .. '/' .. earlier.path
        local handle = earlier.old and io.open(place, 'wb')
        if handle then
          handle:write(earlier.old)
          handle:close()
        else
          os.remove(place)
        end
      end
      return nil, reason
    end
  end
  return true
end

return M
