--- The packed weights of a layer from a model's packed file: which entry, and whether it is of the
--- layer. Nothing in the file is taken on trust; what is wrong is said with the file's name.
local fnv = require 'common.fnv'
local lists = require 'common.list'
local packed_file = require 'files.packed_file'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'
local version = require 'common.version'

local M = {}

---@class PackedWeights
---@field bytes string         all of them, in the order of bytes of a little-endian machine
---@field finite integer       1: no weight is Inf or NaN
---@field parameters number[]  of the activation, at run time

--- Names for a message: some, and how many more.
local function named(list)
  local most = 8
  local names = lists.map({ table.unpack(list, 1, most) }, record.shown)
  local more = #list > most and (' and %d more'):format(#list - most) or ''
  return table.concat(names, ', ') .. more
end

local function names_of(entries) return lists.map(entries, function(e) return e.name end) end

--- The one entry of a name, or the one that fits the layer.
---@param wanted PackedKernel
---@param prefix string|nil  the entry's name, perhaps with a dot behind it
local function choose(path, entries, wanted, prefix)
  local name = prefix and prefix:gsub('%.$', '')
  local found = name and lists.filter(entries, function(e) return e.name == name end) or entries
  if #found == 0 then
    problems.bad_input(path, 'it has no entry "%s"%s', record.shown(name),
      record.suggest(name, names_of(entries)))
  end
  local fitting = lists.filter(found, function(e) return e.packed == wanted.packed end)
  if #fitting == 1 then return fitting[1] end
  if #fitting > 1 and name then
    problems.bad_input(path, 'it has %d entries "%s" that fit the layer: pack one alone, by '
      .. 'ffn-pack --layers', #fitting, record.shown(name))
  end
  if #fitting > 1 then
    problems.bad_input(path, '%d entries fit the layer: choose one by --weights-prefix: %s',
      #fitting, named(names_of(fitting)))
  end
  problems.bad_input(path, 'no weights of %s: %s', wanted.packed,
    name and ('"%s" has those of %s'):format(record.shown(name), record.shown(found[1].packed))
    or 'it has those of ' .. named(lists.unique(lists.map(entries, function(e)
      return e.packed
    end))))
end

--- Holds an entry against the layer, as ffn_file_packed() does.
local function check_entry(path, entry, wanted)
  if entry.bytes ~= wanted.packed_bytes then
    problems.bad_input(path, '"%s" has %d bytes, and weights of %s are %d',
      record.shown(entry.name), entry.bytes, wanted.packed, wanted.packed_bytes)
  end
  local formats = table.concat(lists.map(wanted.stages, function(stage) return stage.format end),
    ' ')
  if entry.inputs ~= wanted.inputs or entry.hidden ~= wanted.hidden
    or entry.outputs ~= wanted.outputs or entry.stages ~= #wanted.stages
    or entry.formats ~= formats or ('%016x'):format(entry.hash) ~= fnv(wanted.packed) then
    problems.bad_input(path, 'it is corrupted: the sizes of "%s"', record.shown(entry.name))
  end
end

--- What the header of packed weights says: ffn_packed_header of runtime/packed.h.
---@param wanted PackedKernel
---@return PackedWeights
local function packed_of(path, entry, wanted, bytes)
  local magic, _, hash, layout, finite, train_bytes, at = string.unpack('<c4I4i8I4I4i8', bytes)
  if magic ~= 'FFNP' or layout ~= version.layout or hash ~= entry.hash or finite > 1
    or train_bytes ~= 0 then
    problems.bad_input(path, 'it is corrupted: the header of "%s"', record.shown(entry.name))
  end
  local parameters = {}
  for i = 1, wanted.parameters do
    local x = string.unpack('<f', bytes, at + 4 * (i - 1))
    if x ~= x or math.abs(x) == math.huge then
      problems.bad_input(path, '"%s": parameter %d of its activation is %s: only finite ones can '
        .. 'be embedded', record.shown(entry.name), i, x)
    end
    parameters[i] = x
  end
  return record.strict('packed weights', {
    bytes = bytes, finite = finite, parameters = parameters,
  })
end

--- Whether a file has the name of a packed one.
---@param path string
function M.takes(path) return path:match '%.ffn$' ~= nil end

---@param path string
---@param wanted PackedKernel
---@param prefix string|nil
---@return PackedWeights
function M.read(path, wanted, prefix)
  return random_access.with(path, function(handle, size)
    local entries = packed_file.entries(path, handle, size)
    if #entries == 0 then problems.bad_input(path, 'it has no entries') end
    local entry = choose(path, entries, wanted, prefix)
    check_entry(path, entry, wanted)
    return packed_of(path, entry, wanted, packed_file.bytes(path, handle, entry))
  end)
end

return M
