--- The header of a safetensors file: names, types, shapes and offsets of its tensors. As nearly all
--- are written, an object of entries with their three fields in order, without spaces and escapes,
--- it is read at once; anything else is json_object.lua's, which takes longer and whose word is the
--- same.
local json_object = require 'files.json_object'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

local match = string.match

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
  end
  known[text] = shape
  return shape
end

--- The metadata in front, and where the entries begin; nil where it is not written so.
local function metadata_of(text, depth)
  local object, at = match(text, '^{"__metadata__":(%b{}),()')
  if not object then return nil, match(text, '^{()"') end
  local metadata = json_object.decode(object, depth)
  return metadata, metadata and at
end

---@class TensorEntries
---@field metadata any
---@field keys string[]      names of tensors, in a fixed order
---@field shapes table<string, integer[]>      by name
---@field stored table<string, StoredTensor>   by name; `first` counts from `at`

--- The entries, or nil where they are not written so.
---@param text string
---@param depth integer
---@param at integer  where data begin
---@return TensorEntries|nil
function M.quick(text, depth, at)
  if not utf8.len(text) then return nil end
  local metadata, place = metadata_of(text, depth)
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
    keys[#keys + 1], shapes[name] = name, shape
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

--- The same of a header that may be written in any way.
---@param path string for messages
---@return TensorEntries
function M.whole(path, text, depth, at)
  local header, reason = json_object.decode(text, depth)
  if not header then problems.bad_input(path, 'not safetensors: the header: %s', reason) end
  local metadata = header.__metadata__
  header.__metadata__ = nil
  local keys, shapes, stored = record.sorted_keys(header), {}, {}
  for _, name in ipairs(keys) do
    local entry = header[name]
    if type(entry) ~= 'table' or not is_list_of_sizes(entry.shape)
      or not is_list_of_sizes(entry.data_offsets) or #entry.data_offsets ~= 2 then
      problems.bad_input(path, '"%s" has no shape or no data_offsets', record.shown(name))
    end
    local first, last = entry.data_offsets[1], entry.data_offsets[2]
    if first >= 1 << 62 or last >= 1 << 62 then
      problems.bad_input(path, '"%s": its data_offsets do not fit the file', record.shown(name))
    end
    shapes[name] = entry.shape
    stored[name] = { dtype = entry.dtype, first = at + first, bytes = last - first, file = false }
  end
  return { metadata = metadata, keys = keys, shapes = shapes, stored = stored }
end

return M
