--- The header of a safetensors file: names, types, shapes and offsets of its tensors. As nearly all
--- are written, an object of entries with their three fields in order, without spaces and escapes,
--- it is read at once; anything else is json_object.lua's, which takes longer and whose word is the
--- same.
local json_object = require 'files.json_object'
local limits = require 'common.limits'
local problems = require 'common.problem'
local record = require 'common.record'
local tensor_name = require 'files.tensor_name'

local M = {}

local match = string.match

local most_sizes = limits.most 'dimensions'

local entry_form = '^"([^"\\%c]+)":{"dtype":"([%w_]+)","shape":%[([%d,]*)%],'
  .. '"data_offsets":%[(%d+),(%d+)%]}()([,}])'

--- A size in digits as JSON has it; nil where it is none, or beyond what is surely an integer.
local function size_of(digits)
  if #digits > 18 or #digits > 1 and digits:byte() == 48 then return nil end
  return math.tointeger(digits)
end

--- Shapes by their texts: layers have few.
local function shape_of(text, known)
  if known[text] then return known[text] end
  local shape = {}
  for digits, comma in (text == '' and '' or text .. ','):gmatch '([^,]*)(,)' do
    local size = comma and digits ~= '' and size_of(digits)
    if not size then return nil end
    shape[#shape + 1] = size
    if #shape > most_sizes then return nil end
  end
  known[text] = shape
  return shape
end

--- The metadata in front, and where the entries begin; nil where it is not written so.
local function metadata_of(text)
  local object, at = match(text, '^{"__metadata__":(%b{}),()')
  if not object then return nil, match(text, '^{()"') end
  local metadata = json_object.decode(object, 'header_depth', 'metadata')
  return metadata, metadata and at
end

---@class TensorEntries
---@field metadata any
---@field keys string[]      names of tensors, in a fixed order
---@field shapes table<string, integer[]>      by name
---@field stored table<string, StoredTensor>   by name; `first` counts from `at`

--- The entries, or nil where they are not written so.
---@param text string
---@param at integer  where data begin
---@param path string   for messages
---@param heap Heap
---@return TensorEntries|nil
function M.quick(text, at, path, heap)
  if not utf8.len(text) then return nil end
  local metadata, place = metadata_of(text)
  if not place then return nil end
  local keys, shapes, stored, known, mark = {}, {}, {}, {}, ','
  local before, behind = '', nil -- where the last one ends, as it is written
  while mark == ',' do
    local name, dtype, sizes, first, last, to
    name, dtype, sizes, first, last, to, mark = match(text, entry_form, place)
    if not name or stored[name] or name == '__metadata__' then return nil end
    local shape, from = shape_of(sizes, known), first == before and behind or size_of(first)
    before, behind = last, size_of(last)
    if not shape or not from or not behind then return nil end
    tensor_name.add(path, keys, name, heap)
    shapes[name] = shape
    stored[name] = { dtype = dtype, first = at + from, bytes = behind - from, file = false }
    place = to + 1
  end
  if not match(text, '^[ \t\n\r]*$', place) then return nil end
  return { metadata = metadata, keys = keys, shapes = shapes, stored = stored }
end

local function is_list_of_sizes(sizes)
  if type(sizes) ~= 'table' then return false end
  -- What JSON gives is a list, or has names alone.
  if #sizes == 0 then return #record.sorted_keys(sizes) == 0 end
  for _, size in ipairs(sizes) do
    if math.type(size) ~= 'integer' or size < 0 then return false end
  end
  return true
end

--- What is said of a tensor.
---@param reader JsonReader
local function entry_of(path, name, reader)
  local entry = reader:item 'entry'
  if type(entry) ~= 'table' or not is_list_of_sizes(entry.shape)
    or not is_list_of_sizes(entry.data_offsets) or #entry.data_offsets ~= 2 then
    problems.bad_input(path, '"%s" has no shape or no data_offsets: save the model again',
      record.shown(name))
  end
  limits.hold(path, 'dimensions', #entry.shape, record.shown(name))
  return entry
end

--- The same of a header that may be written in any way. It is walked: an entry is taken down and
--- goes before the next one is made.
---@param path string for messages
---@param heap Heap
---@return TensorEntries
function M.whole(path, text, at, heap)
  local keys, shapes, stored, known = {}, {}, {}, {}
  local metadata, has_metadata
  local ok, reason = json_object.walk(text, 'header_depth', function(name, reader)
    if name == '__metadata__' and not has_metadata then
      metadata, has_metadata = reader:item 'metadata', true
      return
    elseif stored[name] or name == '__metadata__' then
      problems.bad_input(path, 'not safetensors: the header: "%s" occurs twice',
        record.shown(name))
    end
    local entry = entry_of(path, name, reader)
    local first, last = entry.data_offsets[1], entry.data_offsets[2]
    if first >= 1 << 62 or last >= 1 << 62 then
      problems.bad_input(path, '"%s": its data_offsets do not fit the file: was a download cut '
        .. 'short?', record.shown(name))
    end
    local look = table.concat(entry.shape, ',')
    known[look] = known[look] or entry.shape
    tensor_name.add(path, keys, name, heap)
    shapes[name] = known[look]
    stored[name] = { dtype = entry.dtype, first = at + first, bytes = last - first, file = false }
  end)
  if not ok then problems.bad_input(path, 'not safetensors: the header: %s', reason) end
  table.sort(keys)
  return { metadata = metadata, keys = keys, shapes = shapes, stored = stored }
end

return M
