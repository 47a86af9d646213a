--- The tensors of a model: one .safetensors file; several with `model.safetensors.index.json`,
--- which tells which of them has what; the folder of either; or a snapshot in a cache of Hugging
--- Face, whose files are links into ../../blobs. Headers alone are read. Every file is looked for
--- in the folder and nowhere else, and the index says what the files say, or is refused.
local disk = require 'common.disk'
local heaps = require 'common.heap'
local limits = require 'common.limits'
local lists = require 'common.list'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'
local safetensors = require 'files.safetensors'
local sibling_files = require 'files.sibling_files'
local unsupported = require 'files.unsupported'
local weight_map = require 'files.weight_map'
local xxh64 = require 'files.xxh64'

local M = {}

local max_index = limits.most 'index'

---@class ModelFolder
---@field path string        as given
---@field files FoundFile[]  as import/found.lua has them
---@field keys string[]      names of all tensors, sorted
---@field shapes table<string, integer[]>      by name
---@field stored table<string, FolderTensor>   by name
---@field heap Heap          what may be taken to look through it

---@class FolderTensor
---@field file integer       index into files
---@field dtype any          as the file says it
---@field first integer      the first of its bytes in the file
---@field bytes integer

local joined, folder_of = sibling_files.joined, sibling_files.folder_of
M.inside = sibling_files.inside

--- Adds a file's tensors to those of the files before it; the first file's are taken as they are.
---@param model table  that becomes a ModelFolder
---@param path string
---@param entries TensorEntries
local function add_entries(model, path, entries)
  if #model.files == 1 then
    model.keys, model.shapes, model.stored = entries.keys, entries.shapes, entries.stored
    return
  end
  local keys, shapes, stored = model.keys, model.shapes, model.stored
  for _, key in ipairs(entries.keys) do
    local other = stored[key]
    if other then
      problems.bad_input(path, 'tensor "%s" is in %s, too: keep the files of one model only',
        record.shown(key, 80), model.files[other.file].path)
    end
    if #keys % 4096 == 0 then model.heap:look() end
    keys[#keys + 1], shapes[key], stored[key] = key, entries.shapes[key], entries.stored[key]
  end
  limits.hold(path, 'tensors', #keys)
end

--- Adds what a file says.
---@param model table  that becomes a ModelFolder
---@param path string
local function add_file(model, path)
  random_access.with(path, function(handle, size)
    local header = safetensors.header_bytes(path, handle, size)
    -- Before there are tensors: a long header is read once more for them.
    local hash = xxh64.of(random_access.slice(handle, 0, header))
    local entries = safetensors.tensors(path, handle, size, model.heap)
    model.files[#model.files + 1] = {
      path = path, bytes = size, spans = { { 0, header } }, xxh64 = hash,
    }
    for _, key in ipairs(entries.keys) do entries.stored[key].file = #model.files end
    add_entries(model, path, entries)
    local wrong = safetensors.broken(entries)
    if wrong then
      problems.bad_input(path, '"%s": its data_offsets do not fit its shape: save the model again',
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
      problems.bad_input(place, 'it says that "%s" is in %s, which has no such tensor: take the '
        .. 'index that belongs to the files', record.shown(key, 80), record.shown(map.file_of[key]))
    elseif names[stored.file] ~= map.file_of[key] then
      problems.bad_input(place, 'it says that "%s" is in %s, and the tensor is in %s: take the '
        .. 'index that belongs to the files', record.shown(key, 80),
        record.shown(map.file_of[key]), names[stored.file])
    end
  end
  for _, key in ipairs(#model.keys > #map.keys and model.keys or {}) do
    if not map.file_of[key] then
      problems.bad_input(place, 'it does not say that "%s" is in %s: take the index that belongs '
        .. 'to the files', record.shown(key, 80),
        model.files[model.stored[key].file].path)
    end
  end
end

--- The map of an index.
---@return WeightMap
local function map_of(path, heap)
  local text, reason = disk.head(path, max_index + 1)
  if not text then problems.bad_input(path, 'cannot be read: %s', reason) end
  if #text > max_index then limits.refuse(path, 'index') end
  heap:add(#text)
  local map = weight_map.quick(path, text, heap)
  if map then return map end
  heap:look()
  return weight_map.whole(path, text, heap)
end

local function add_indexed(model, place)
  local map, names, seen = map_of(place, model.heap), {}, {}
  for _, key in ipairs(map.keys) do
    local name = map.file_of[key]
    if not seen[name] then
      if type(name) ~= 'string' then M.inside(model.folder, name, place) end
      seen[name], names[#names + 1] = true, name
      limits.hold(place, 'files', #names)
    end
  end
  if #names == 0 then
    problems.bad_input(place, 'its weight_map is empty: take the index that belongs to the files')
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if not name:find '%.safetensors$' then
      problems.bad_input(place, 'it names "%s", and import reads .safetensors files only: save the '
        .. 'model as safetensors', record.shown(name))
    end
    add_file(model, M.inside(model.folder, name, place))
  end
  check_index(model, place, map, names)
end

--- What is not read, with what makes safetensors of it, be it in a folder or the path itself.
---@param path string
---@param names string[]  of files in the folder; {}: the path is a file
function M.refuse(path, names)
  if #names == 0 then path, names = folder_of(path), { path:match '[^/]*$' } end
  unsupported.refuse(path, names, joined)
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
    problems.bad_input(folder, 'it has %s%s: which of these is the model? Name that file in place '
      .. 'of the folder',
      table.concat(lists.map({ table.unpack(all, 1, 4) }, record.shown), ', '),
      #all > 4 and (' and %d more'):format(#all - 4) or '')
  end
  sibling_files.check_link(folder, all[1])
  return joined(folder, all[1])
end

--- The index beside a file that is one of several, or the file.
local function whole_of(path)
  local stem, count = path:match '^(.*)%-%d+%-of%-(%d+)%.safetensors$'
  if not stem or tonumber(count) == 1 then return path end
  local place = stem .. '.safetensors.index.json'
  if disk.mode(place) ~= 'file' then
    problems.bad_input(path, 'it is one of several files of a model, and the index of all files, '
      .. '%s, is missing: put the index there', place)
  end
  sibling_files.check(place)
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
  local model = {
    folder = folder_of(entry), files = {}, keys = {}, shapes = {}, stored = {},
    heap = heaps.new(path),
  }
  if entry:find '%.json$' then add_indexed(model, entry) else add_file(model, entry) end
  table.sort(model.keys)
  return record.strict('model folder', {
    path = path, files = model.files, keys = model.keys, shapes = model.shapes,
    stored = model.stored, heap = model.heap,
  })
end

return M
