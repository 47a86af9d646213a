--- write: the only writer. All files or none; unchanged files keep their time stamps; what an
--- earlier run made is replaced, and nothing else.
local disk = require 'common.disk'
local lfs = require 'lfs'
local lists = require 'common.list'
local lock = require 'write.lock'
local problems = require 'common.problem'
local staging = require 'write.staging'

local M = {}

--- What tells who made a file stands in its first bytes.
local head_bytes = 4096

---@class OutputFolder
---@field folder string
--- files may lie in folders in it, of which none lies in another
---@field files File[]
---@field maker string       the verb, for messages
---@field is_ours fun(name: string, head: string): boolean  whether an earlier run made a file
---@field is_stale nil|fun(name: string, head: string): boolean  and it may go where this run makes
--- none of that name

---@class Change
---@field path string  in the folder
---@field kind string  new, changed, stale; ends: of line ends alone, which a checkout changes
---@field text string|nil  what shall be there

--- What lies at a path, looked at without opening what is no file: a pipe would wait for ever.
---@return string|nil mode nil where there is nothing
---@return integer size
---@return boolean is_link
local function at(path)
  local mode = disk.own_mode(path)
  local is_link = mode == 'link'
  if is_link then mode = disk.mode(path) or 'file' end
  return mode, mode == 'file' and lfs.attributes(path, 'size') or 0, is_link
end

--- The first bytes of a file; of a link to nowhere, none.
local function head_of(path, most)
  local text, reason = disk.head(path, most)
  if text or not disk.mode(path) then return text or '' end
  problems.failure('%s: cannot be read: %s', path, reason)
end

--- A text with the line ends that we write.
local function with_our_ends(text) return (text:gsub('\r\n', '\n')) end

--- How a file differs from what it shall be: not at all (nil), in line ends, or in more.
---@return string|nil kind
local function difference(path, size, text)
  local most = 2 * #text -- each line may have one more
  if size > most then return 'changed' end
  local there = head_of(path, most + 1)
  if there == text then return nil end
  return with_our_ends(there) == text and 'ends' or 'changed'
end

--- The change that makes a file what it shall be, or nil. Somebody's own file is refused.
---@param output OutputFolder
---@param file File
---@return Change|nil
local function change_of(output, file)
  local path = output.folder .. '/' .. file.path
  local mode, size, is_link = at(path)
  if not mode then return { path = file.path, kind = 'new', text = file.text } end
  if mode ~= 'file' then
    problems.failure('%s: this is a %s, and a file must be here: move it, or choose another '
      .. 'folder', path, mode)
  end
  local kind = is_link and 'changed' or difference(path, size, file.text)
  if kind ~= 'changed' then return kind and { path = file.path, kind = kind, text = file.text } end
  if disk.mode(path)
    and not output.is_ours(file.path, with_our_ends(head_of(path, head_bytes))) then
    problems.failure('%s: ffngen %s did not make this file, and does not overwrite it: move the '
      .. 'file, or choose another folder', path,
      output.maker)
  end
  return { path = file.path, kind = 'changed', text = file.text }
end

--- The folders that hold the files: '' is that of the output, 'kernels/' one in it.
---@param list File[]
---@return string[]
local function folders_of(list)
  local folders = { '' }
  for _, file in ipairs(list) do folders[#folders + 1] = file.path:match '^(.*/)' end
  return lists.unique(folders)
end

--- Adds what an earlier run left in one of these folders and this one does not make.
local function add_stale(changes, output, inside, made)
  for _, entry in ipairs(disk.list(output.folder .. '/' .. inside)) do
    local name = inside .. entry
    local path = output.folder .. '/' .. name
    -- Who opens the lock's file and closes it gives the lock back.
    if not made[name] and entry ~= lock.name
      and disk.own_mode(path) == 'file' then
      local head = disk.head(path, head_bytes)
      if head and output.is_stale(name, with_our_ends(head)) then
        changes[#changes + 1] = { path = name, kind = 'stale' }
      end
    end
  end
end

--- What would change to make the folder hold the files, and no others of our making.
---@param output OutputFolder
---@return Change[]
function M.compare(output)
  local changes, made = {}, {}
  for _, file in ipairs(output.files) do
    changes[#changes + 1] = change_of(output, file)
    made[file.path] = true
  end
  for _, inside in ipairs(output.is_stale and folders_of(output.files) or {}) do
    add_stale(changes, output, inside, made)
  end
  return changes
end

--- Makes a folder and its parents.
---@param made string[] is filled with those that were missing
---@return boolean|nil ok
---@return string|nil problem
local function make_folder(path, made)
  if path == '' or disk.is_folder(path) then return true end
  local parent = path:match('^(.*)/[^/]+/?$')
  if parent and parent ~= '' then
    local ok, problem = make_folder(parent, made)
    if not ok then return nil, problem end
  end
  local ok, problem = lfs.mkdir(path)
  if ok then
    made[#made + 1] = path
  elseif not disk.is_folder(path) then
    return nil, problem
  end
  return true
end

--- What a change is called in the staging folder, which has none in it.
local function staged(change) return (change.path:gsub('/', '%%')) end

local function move(folder, stage, change)
  local place = folder .. '/' .. change.path
  if not change.text then return os.remove(place) end
  return os.rename(stage.path .. '/' .. staged(change), place)
end

--- Puts back what was there before the first `count` changes.
local function undo(folder, stage, changes, count)
  for i = count, 1, -1 do
    local place = folder .. '/' .. changes[i].path
    if changes[i].kind == 'new' then
      os.remove(place)
    else
      os.rename(stage.path .. '/' .. staged(changes[i]) .. '.old', place)
    end
  end
end

--- Carries changes out: every new text is written, and every old one kept, before the first is
--- moved in; when one cannot be moved, those before it are put back.
local function carry_out(folder, stage, changes)
  local function fail(change, reason)
    problems.failure('%s/%s: %s', folder, change.path, (reason:gsub('^.*: ', '')))
  end
  for _, change in ipairs(changes) do
    if change.text then
      local ok, reason = staging.put(stage, staged(change), change.text)
      if not ok then fail(change, reason) end
    end
    if change.kind ~= 'new' then
      local place = folder .. '/' .. change.path
      local ok, reason = staging.keep(stage, place, staged(change) .. '.old')
      if not ok then fail(change, reason) end
    end
  end
  for i, change in ipairs(changes) do
    local ok, reason = move(folder, stage, change)
    if not ok then
      undo(folder, stage, changes, i - 1)
      fail(change, reason)
    end
  end
end

--- Compares and writes, with the lock.
---@param output OutputFolder
---@return Change[]
local function write_locked(output)
  local folder = output.folder
  staging.clean(folder)
  local changes = M.compare(output)
  if #changes == 0 then return changes end
  local stage, problem = staging.new(folder)
  if not stage then problems.failure('%s: %s', folder, problem) end
  local ok, thrown = pcall(carry_out, folder, stage, changes)
  -- What cannot be removed is the next run's to clean; the files are as they shall be.
  pcall(staging.remove, stage)
  if not ok then error(thrown, 0) end
  return changes
end

--- Makes the folder hold the files, or leaves it as it was and throws. Runs at once in one folder
--- come one after the other; what a run left that was killed goes.
---@param output OutputFolder
---@return Change[]
function M.write(output)
  local folder, made = output.folder, {}
  local changes = M.compare(output)
  if #changes == 0 and #staging.left_over(folder) == 0
    and not disk.exists(folder .. '/' .. lock.name) then
    return changes
  end
  local ok, result = pcall(function()
    for _, inside in ipairs(folders_of(output.files)) do
      local path = (folder .. '/' .. inside):gsub('/$', '')
      local done, problem = make_folder(path, made)
      if not done then problems.failure('%s: %s', path, problem) end
    end
    local held = lock.take(folder)
    local written, thrown = pcall(write_locked, output)
    lock.release(held)
    if not written then error(thrown, 0) end
    return thrown
  end)
  if ok then return result end
  for i = #made, 1, -1 do lfs.rmdir(made[i]) end
  error(result, 0)
end

return M
