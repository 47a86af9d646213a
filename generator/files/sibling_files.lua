--- Files beside one that is read, which its text or its name tells: shards, an index, numbers of
--- tensors. Every one is looked for in the folder and nowhere else, whoever reads it. A link leads
--- to another name there, or as in a cache of Hugging Face, from snapshots/REVISION/ to blobs/HASH.
local disk = require 'common.disk'
local lfs = require 'lfs'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- The folder that a path lies in.
function M.folder_of(path) return path:match '^(.*)/[^/]*$' or '.' end

--- Where a folder and a name in it are, as paths are written.
function M.joined(folder, name) return folder == '.' and name or folder .. '/' .. name end

local most_hops = 8

--- Refuses a link that leads elsewhere.
---@param folder string
---@param name string  in it
function M.check_link(folder, name)
  local path = M.joined(folder, name)
  local hops = 0
  while lfs.symlinkattributes(path, 'mode') == 'link' do
    local target = lfs.symlinkattributes(path, 'target')
    local blob = target:match '^%.%./%.%./(blobs/%w+)$'
    if blob and disk.is_folder(folder .. '/../../snapshots') then
      if lfs.symlinkattributes(folder .. '/../../' .. blob, 'mode') ~= 'file' then
        problems.bad_input(path, 'it is a link into the cache, and the cache has no %s: download '
          .. 'the model again',
          record.shown(blob))
      end
      return
    end
    hops = hops + 1
    if target:find '[/\\]' or target == '..' or hops > most_hops then
      problems.bad_input(path, 'it is a link to "%s", and a link must lead into its own folder or '
        .. 'into a cache of Hugging Face (../../blobs): put the file there', record.shown(target))
    end
    path = M.joined(folder, target)
  end
end

--- The same of a path.
function M.check(path) M.check_link(M.folder_of(path), path:match '[^/]*$') end

--- The path of a file that a model's own text names.
---@param folder string
---@param name any      as the text has it
---@param place string  of the text, for messages
---@return string
function M.inside(folder, name, place)
  if type(name) ~= 'string' or name == '' or name == '.' or name == '..' or #name > 255
    or name:find '[/\\:%c]' then
    problems.bad_input(place, 'it names the file "%s", and all files of a model must lie in its '
      .. 'folder: move the file there, and name it without a folder', record.shown(name))
  end
  M.check_link(folder, name)
  local path = M.joined(folder, name)
  local mode = disk.mode(path)
  if mode ~= 'file' then
    problems.bad_input(place, 'it names "%s", %s', record.shown(name),
      mode and 'which is a ' .. mode or 'which is missing: was a download cut short?')
  end
  return path
end

return M
