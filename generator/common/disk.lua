--- Reading files and folders. write/files.lua is the only writer.
local lfs = require 'lfs'
local problems = require 'common.problem'

local M = {}

--- What there is in place of a file, as the system says it of folders.
local others = {
  directory = 'Is a directory', ['named pipe'] = 'Is a pipe, not a file',
  socket = 'Is a socket, not a file', ['char device'] = 'Is a device, not a file',
  ['block device'] = 'Is a device, not a file',
}

--- A file that is there to be read, or nil and why not. What is no file is not opened: a pipe would
--- wait for who writes to it, for ever, and a device never ends. A link is what it leads to.
--- (Lua cannot open without waiting. Who swaps a file for a pipe in the moment between the look and
--- the opening makes a run wait that may be ended as any other.)
---@param path string
---@return file*|nil
---@return string|nil reason
---@return integer|nil size  as far as the system tells it; 0 of what it makes as it is read
function M.open(path)
  local found = lfs.attributes(path)
  if found and found.mode ~= 'file' then
    return nil, others[found.mode] or 'Is no file'
  end
  local handle, reason = io.open(path, 'rb')
  if not handle then return nil, (reason:gsub('^.*: ', '')) end
  return handle, nil, found and found.size or 0
end

--- The bytes of a file, or nil where it cannot be read.
---@param path string
---@return string|nil
function M.read(path)
  local handle = M.open(path)
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
  local handle, reason, size = M.open(path)
  if not handle then return nil, reason end
  local text
  -- What is asked for is set aside before it is read: no more than there is.
  text, reason = handle:read(size > 0 and math.min(most, size) or most)
  handle:close()
  if not text and reason then return nil, reason end
  return text or ''
end

--- Names in a folder, sorted; empty where there is none.
---@return string[]
function M.list(folder)
  local names = {}
  if not M.is_folder(folder) then return names end
  local ok, next_entry, entries = pcall(lfs.dir, folder)
  if not ok then
    problems.failure('%s: cannot be read: %s', folder, (next_entry:gsub('^.*: ', '')))
  end
  for entry in next_entry, entries do names[#names + 1] = entry end
  table.sort(names)
  return names
end

local no_entry, no_folder = 2, 20 -- ENOENT, and ENOTDIR of what is before the last name

local function told(path, mode, reason, number)
  if mode or number == no_entry or number == no_folder then return mode end
  problems.failure('%s: %s', path, (tostring(reason):gsub('^.*: ', '')))
end

--- What there is of this name, or behind it where it is a link: "file", "directory"; nil where
--- there is nothing. Not to know is a failure: what is there would be written over.
---@return string|nil
function M.mode(path) return told(path, lfs.attributes(path, 'mode')) end

--- The same, and "link" for a link, even if it leads nowhere.
---@return string|nil
function M.own_mode(path) return told(path, lfs.symlinkattributes(path, 'mode')) end

--- Whether there is anything of this name, a link to nowhere included.
function M.exists(path) return M.own_mode(path) ~= nil end

function M.is_folder(path) return M.mode(path) == 'directory' end

return M
