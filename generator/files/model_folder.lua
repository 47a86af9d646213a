--- The tensors of a model: one .safetensors file; several with `model.safetensors.index.json`,
--- which tells which of them has what; the folder of either; or a snapshot in a cache of Hugging
--- Face, whose files are links into ../../blobs. Headers alone are read. Every file is looked for
--- in the folder and nowhere else, and the index says what the files say, or is refused.
local disk = require 'common.disk'
local lfs = require 'lfs'
local lists = require 'common.list'
local opened = require 'files.opened'
local problems = require 'common.problem'
local record = require 'common.record'
local safetensors = require 'files.safetensors'
local weight_map = require 'files.weight_map'
local xxh64 = require 'files.xxh64'

local M = {}

local max_index, max_shards = 64 << 20, 10000

---@class ModelFolder
---@field path string        as given
---@field files FoundFile[]  as import/found.lua has them
---@field keys string[]      names of all tensors, sorted
---@field shapes table<string, integer[]>      by name
---@field stored table<string, FolderTensor>   by name

---@class FolderTensor
---@field file integer       index into files
---@field dtype any          as the file says it
---@field first integer      the first of its bytes in the file
---@field bytes integer

--- Where a folder and a name in it are, as paths are written.
local function joined(folder, name) return folder == '.' and name or folder .. '/' .. name end

--- A link of a file in a model's folder leads to another name there, or as in a cache of Hugging
--- Face, from snapshots/REVISION/ to blobs/HASH; nowhere else.
local function check_link(folder, name)
  local path = joined(folder, name)
  local hops = 0
  while lfs.symlinkattributes(path, 'mode') == 'link' do
    local target = lfs.symlinkattributes(path, 'target')
    local blob = target:match '^%.%./%.%./(blobs/%w+)$'
    if blob and disk.is_folder(folder .. '/../../snapshots') then
      if lfs.symlinkattributes(folder .. '/../../' .. blob, 'mode') ~= 'file' then
        problems.bad_input(path, 'the cache has no %s, to which it leads: fetch the model again',
          record.shown(blob))
      end
      return
    end
    hops = hops + 1
    if target:find '[/\\]' or hops > 8 then
      problems.bad_input(path, 'a link to "%s", which is neither in its folder nor in a cache of '
        .. 'Hugging Face (../../blobs): put the file there', record.shown(target))
    end
    path = joined(folder, target)
  end
end

--- The path of a file that a model's own text names.
---@param folder string
---@param name any      as the text has it
---@param place string  of the text, for messages
---@return string
function M.inside(folder, name, place)
  if type(name) ~= 'string' or name == '' or name == '.' or name == '..' or #name > 255
    or name:find '[/\\:%c]' then
    problems.bad_input(place, 'it names the file "%s": a file of the model is a plain name in the '
      .. 'same folder', record.shown(name))
  end
  check_link(folder, name)
  local path = joined(folder, name)
  local mode = disk.mode(path)
  if mode ~= 'file' then
    problems.bad_input(place, 'it names "%s", %s', record.shown(name),
      mode and 'which is a ' .. mode or 'which is not there: a download that was cut short?')
  end
  return path
end

--- Adds what a file says.
---@param model table  that becomes a ModelFolder
---@param path string
local function add_file(model, path)
  opened.with(path, function(handle, size)
    local entries, header = safetensors.tensors(path, handle, size)
    local keys, shapes, stored = model.keys, model.shapes, model.stored
    local index = #model.files + 1
    model.files[index] = {
      path = path, bytes = size, spans = { { 0, header } },
      xxh64 = xxh64.of(opened.slice(handle, 0, header)),
    }
    for _, key in ipairs(entries.keys) do
      local tensor, other = entries.stored[key], stored[key]
      if other then
        problems.bad_input(path, 'tensor "%s" is in %s, too', record.shown(key, 80),
          model.files[other.file].path)
      end
      tensor.file = index
      keys[#keys + 1], shapes[key], stored[key] = key, entries.shapes[key], tensor
    end
    local wrong = safetensors.broken(entries)
    if wrong then
      problems.bad_input(path, '"%s": its data_offsets do not fit its shape',
        record.shown(wrong, 80))
    end
  end)
end

--- Holds what an index tells against what the files have.
---@param model table  that becomes a ModelFolder
---@param map WeightMap
---@param names string[]  of the files, in their order
local function check_index(model, place, map, names)
  for _, key in ipairs(map.keys) do
    local stored = model.stored[key]
    if not stored then
      problems.bad_input(place, 'it says that "%s" is in %s, which has no such tensor',
        record.shown(key, 80), record.shown(map.file_of[key]))
    elseif names[stored.file] ~= map.file_of[key] then
      problems.bad_input(place, 'it says that "%s" is in %s, and it is in %s',
        record.shown(key, 80), record.shown(map.file_of[key]), names[stored.file])
    end
  end
  for _, key in ipairs(#model.keys > #map.keys and model.keys or {}) do
    if not map.file_of[key] then
      problems.bad_input(place, 'it does not say that "%s" is in %s', record.shown(key, 80),
        model.files[model.stored[key].file].path)
    end
  end
end

--- The map of an index.
---@return WeightMap
local function map_of(path)
  local text, reason = disk.head(path, max_index + 1)
  if not text then problems.bad_input(path, 'cannot be read: %s', reason) end
  if #text > max_index then problems.bad_input(path, 'more than %d bytes: no index', max_index) end
  return weight_map.quick(text) or weight_map.whole(path, text)
end

local function add_indexed(model, place)
  local map, names, seen = map_of(place), {}, {}
  for _, key in ipairs(map.keys) do
    local name = map.file_of[key]
    if not seen[name] then
      if type(name) ~= 'string' then M.inside(model.folder, name, place) end
      seen[name], names[#names + 1] = true, name
      if #names > max_shards then
        problems.bad_input(place, 'more than %d files', max_shards)
      end
    end
  end
  if #names == 0 then problems.bad_input(place, 'its weight_map is empty') end
  table.sort(names)
  for _, name in ipairs(names) do
    if not name:find '%.safetensors$' then
      problems.bad_input(place, 'it names "%s": only .safetensors files are read',
        record.shown(name))
    end
    add_file(model, M.inside(model.folder, name, place))
  end
  check_index(model, place, map, names)
end

local function folder_of(path) return path:match '^(.*)/[^/]*$' or '.' end

--- What is not read, with what makes safetensors of it, be it in a folder or the path itself.
---@param path string
---@param names string[]  of files in the folder; {}: the path is a file
function M.refuse(path, names)
  if #names == 0 then path, names = folder_of(path), { path:match '[^/]*$' } end
  for _, name in ipairs(names) do
    if name:find '%.bin$' or name:find '%.pth?$' or name:find '%.ckpt$' then
      problems.bad_input(joined(path, name), 'a file of pickles, which run code when they are '
        .. 'read: make safetensors of it: python3 -c "import torch, safetensors.torch as s; '
        .. "s.save_file({k: v.contiguous().clone() for k, v in torch.load('%s', weights_only=True, "
        .. "map_location='cpu').items()}, 'model.safetensors')\" (where torch refuses a whole "
        .. "module, and you trust who made it: weights_only=False, and .state_dict().items() in "
        .. 'place of .items())', record.shown(name))
    end
  end
  problems.bad_input(joined(path, names[1] or ''), 'no model that is read here')
end

--- The index or the only file of a folder.
local function entry_of(folder)
  local names = lists.filter(disk.list(folder), function(name)
    return name:find '^[^.]' ~= nil
  end)
  local function those(pattern)
    return lists.filter(names, function(name) return name:find(pattern) ~= nil end)
  end
  local indices, files = those '%.safetensors%.index%.json$', those '%.safetensors$'
  if #indices == 1 then
    local stem = indices[1]:match '^(.*)%.safetensors'
    files = lists.filter(files, function(name)
      return name:sub(1, #stem + 1) ~= stem .. '-' or not name:find '%d+%-of%-%d+'
    end)
  end
  local all = lists.append(lists.append({}, indices), files)
  if #all == 0 then M.refuse(folder, names) end
  if #all > 1 then
    problems.bad_input(folder, 'it has %s%s: which of them is the model? Give that file',
      table.concat(lists.map({ table.unpack(all, 1, 4) }, record.shown), ', '),
      #all > 4 and (' and %d more'):format(#all - 4) or '')
  end
  check_link(folder, all[1])
  return joined(folder, all[1])
end

--- The index beside a file that is one of several, or the file.
local function whole_of(path)
  local stem, count = path:match '^(.*)%-%d+%-of%-(%d+)%.safetensors$'
  if not stem or tonumber(count) == 1 then return path end
  local place = stem .. '.safetensors.index.json'
  if disk.mode(place) ~= 'file' then
    problems.bad_input(path, 'it is one of several files of a model, and %s, which tells what the '
      .. 'others hold, is not there: put it there', place)
  end
  check_link(folder_of(place), place:match '[^/]*$')
  return place
end

--- Whether a path is what this reads: a look at names alone.
---@param path string
function M.recognises(path)
  if path:find '%.safetensors$' or path:find '%.safetensors%.index%.json$' then return true end
  if not disk.is_folder(path) then return false end
  for _, name in ipairs(disk.list(path)) do
    if name:find '%.safetensors$' or name:find '%.safetensors%.index%.json$' then return true end
  end
  return false
end

--- The tensors of a model.
---@param path string
---@return ModelFolder
function M.open(path)
  local given = path:find '/$' and path:match '^(.-)/*$' or path
  if given == '' then given = '/' end
  local entry = disk.is_folder(given) and entry_of(given) or whole_of(given)
  local model = { folder = folder_of(entry), files = {}, keys = {}, shapes = {}, stored = {} }
  if entry:find '%.json$' then add_indexed(model, entry) else add_file(model, entry) end
  table.sort(model.keys)
  return record.strict('model folder', {
    path = path, files = model.files, keys = model.keys, shapes = model.shapes,
    stored = model.stored,
  })
end

return M
