--- A model in GGUF: one file, or the shards that gguf-split makes of it, `x-00001-of-00003.gguf`
--- and so on, each with its number, their count and that of all tensors. Keys are in the first.
local disk = require 'common.disk'
local gguf = require 'files.gguf'
local heaps = require 'common.heap'
local limits = require 'common.limits'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'
local sibling_files = require 'files.sibling_files'
local xxh64 = require 'files.xxh64'

local M = {}

---@class GgufModel
---@field version integer         of the format
---@field files GgufFile[]
---@field keys table<string, GgufValue>
---@field tensors table<string, PlacedTensor>  by name
---@field names string[]          of tensors, in the order of shards and of bytes
---@field heap Heap               what may be taken to look through it

---@class GgufFile
---@field path string
---@field bytes integer
---@field header integer  the bytes of the header, padding included
---@field xxh64 string    of these

---@class PlacedTensor
---@field name string
---@field shape integer[]
---@field type string
---@field first integer
---@field bytes integer
---@field file integer  index into files

--- A file's header, and the file as others shall find it again.
---@param heap Heap
---@return GgufHeader
---@return GgufFile
local function read(path, heap)
  local both = random_access.with(path, function(handle, size)
    local header = gguf.header(path, handle, size, heap)
    local count = math.min(header.data, size)
    return { header, {
      path = path, bytes = size, header = count,
      xxh64 = xxh64.of(random_access.slice(handle, 0, count)),
    } }
  end)
  return both[1], both[2]
end

--- What a file's keys say of shards: its number from 0, their count, the tensors of all.
local function split_of(path, keys)
  local found = {}
  for i, key in ipairs { 'split.no', 'split.count', 'split.tensors.count' } do
    local value = keys[key]
    if value ~= nil and (math.type(value) ~= 'integer' or value < 0) then
      problems.bad_input(path, '%s is %s, and must be a count: split the model again', key,
        record.described(value))
    end
    found[i] = value
  end
  if not (found[1] or found[2] or found[3]) then return nil end
  if not (found[1] and found[2] and found[3]) or found[2] < 1 or found[1] >= found[2] then
    problems.bad_input(path, 'split.no, split.count and split.tensors.count contradict each other: '
      .. 'split the model again')
  end
  return { number = found[1], count = found[2], tensors = found[3] }
end

--- The paths of all shards, the first of which was given.
local function shards_of(path, split)
  if split.count == 1 then return { path } end
  local stem, number, count, ending =
    path:match '^(.*)%-(%d%d%d%d%d)%-of%-(%d%d%d%d%d)(%.%a+)$'
  if not stem or tonumber(count) ~= split.count or tonumber(number) ~= split.number + 1 then
    problems.bad_input(path, 'it is shard %d of %d, and its name must be that of a shard: '
      .. 'NAME-%05d-of-%05d.gguf', split.number + 1, split.count, split.number + 1, split.count)
  end
  local function shard(i) return ('%s-%05d-of-%s%s'):format(stem, i, count, ending) end
  if split.number > 0 then
    problems.bad_input(path, 'it is shard %d of %d: import the first shard, %s', split.number + 1,
      split.count, shard(1))
  end
  limits.hold(path, 'gguf_shards', split.count)
  local paths = {}
  for i = 1, split.count do
    paths[i] = shard(i)
    if i > 1 and not disk.exists(paths[i]) then
      problems.bad_input(paths[i], 'this file is missing, and %s is one of %d shards', path,
        split.count)
    end
    if i > 1 then sibling_files.check(paths[i]) end
  end
  return paths
end

--- A shard behind the first holds tensors, and nothing that the first does not say.
local function check_shard(path, keys, first, number)
  local split = split_of(path, keys)
  if not split or split.number ~= number - 1 or split.count ~= first.count
    or split.tensors ~= first.tensors then
    problems.bad_input(path, 'its keys do not say that it is shard %d of %d with %d tensors: put '
      .. 'the shards of one model together', number, first.count, first.tensors)
  end
  for _, key in ipairs(record.sorted_keys(keys)) do
    if not key:find '^split%.' and key ~= 'general.alignment' then
      problems.bad_input(path, 'key "%s" is in a later shard, and all keys must be in the first: '
        .. 'split the model again', record.shown(key, 80))
    end
  end
end

---@param path string
---@return GgufModel
function M.open(path)
  local heap = heaps.new(path)
  local header, file = read(path, heap)
  local split = split_of(path, header.keys)
  local paths = split and shards_of(path, split) or { path }
  local model = {
    version = header.version, files = {}, keys = header.keys, tensors = {}, names = {},
    heap = heap,
  }
  for i, shard in ipairs(paths) do
    local own = header
    if i > 1 then
      own, file = read(shard, heap)
      check_shard(shard, own.keys, split, i)
    end
    model.files[i] = file
    for _, t in ipairs(own.tensors) do
      if model.tensors[t.name] then
        problems.bad_input(shard, 'tensor "%s" is in an earlier shard, too: split the model again',
          t.name)
      end
      t.file = i
      model.tensors[t.name], model.names[#model.names + 1] = t, t.name
    end
    heap:look()
    limits.hold(shard, 'gguf_tensors', #model.names)
  end
  if split and #model.names ~= split.tensors then
    problems.bad_input(path, 'split.tensors.count is %d, and the shards have %d tensors: put the '
      .. 'shards of one model together', split.tensors, #model.names)
  end
  return record.strict('GGUF model', model)
end

return M
