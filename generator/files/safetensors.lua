--- A safetensors file: a header in JSON that says of each tensor its type, its shape and its bytes.
--- Nothing in it is taken on trust.
local json_object = require 'files.json_object'
local opened = require 'files.opened'
local problems = require 'common.problem'
local record = require 'common.record'
local shards = require 'files.shards'

local M = {}

local max_header = 16 << 20
local header_depth = 127 -- as the format's own reader: a tensor may have more fields than it needs

local function is_list_of_sizes(sizes)
  if type(sizes) ~= 'table' then return false end
  for i, key in ipairs(record.sorted_keys(sizes)) do
    if key ~= i or math.type(sizes[i]) ~= 'integer' or sizes[i] < 0 then return false end
  end
  return true
end

--- Every tensor has its own bytes of the file, whether it is asked for or not.
---@param bytes integer behind the header
local function check_places(path, header, bytes)
  local places = {}
  for _, name in ipairs(record.sorted_keys(header)) do
    local entry = header[name]
    if name ~= '__metadata__' then
      if type(entry) ~= 'table' or not is_list_of_sizes(entry.shape)
        or not is_list_of_sizes(entry.data_offsets) or #entry.data_offsets ~= 2 then
        problems.bad_input(path, '"%s" has no shape or no data_offsets', record.shown(name))
      end
      local first, last = entry.data_offsets[1], entry.data_offsets[2]
      if first > last or last > bytes then
        problems.bad_input(path, '"%s": its data_offsets do not fit the file', record.shown(name))
      end
      if first < last then places[#places + 1] = { name = name, first = first, last = last } end
    end
  end
  table.sort(places, function(a, b)
    return a.first < b.first or a.first == b.first and a.name < b.name
  end)
  for i = 2, #places do
    if places[i].first < places[i - 1].last then
      problems.bad_input(path, '"%s" and "%s" share bytes: that is a broken file',
        record.shown(places[i - 1].name), record.shown(places[i].name))
    end
  end
end

--- What a file tells about itself is texts. It says nothing of its numbers.
local function check_metadata(path, metadata)
  local is_right = metadata == nil or type(metadata) == 'table'
  for _, key in ipairs(is_right and metadata and record.sorted_keys(metadata) or {}) do
    is_right = is_right and type(key) == 'string' and type(metadata[key]) == 'string'
  end
  if not is_right then
    problems.bad_input(path, 'not safetensors: its "__metadata__" is no object of texts')
  end
end

--- The header of a file, and where its data begin.
local function header_of(path, handle, size)
  local length = size >= 8 and string.unpack('<I8', opened.slice(handle, 0, 8)) or -1
  if length < 2 or length > math.min(max_header, size - 8) then
    problems.bad_input(path, 'not safetensors: the header\'s length is beyond the file')
  end
  local header, reason = json_object.decode(opened.slice(handle, 8, length), header_depth)
  if not header then problems.bad_input(path, 'not safetensors: the header: %s', reason) end
  check_metadata(path, header.__metadata__)
  check_places(path, header, size - 8 - length)
  return header, 8 + length
end

--- Tensors of a file by their names.
---@class TensorFile
---@field path string        for messages
---@field handle file*
---@field keys string[]      the names in it, sorted
---@field shapes table<string, integer[]>  by name
---@field stored table<string, StoredTensor>  by name
---@field elsewhere string[]  names in other files of the same model

---@class StoredTensor
---@field dtype any          as the file says it
---@field first integer      the first of its bytes in the file
---@field bytes integer

---@param path string
---@param handle file*
---@param size integer
---@return TensorFile
function M.open(path, handle, size)
  local header, at = header_of(path, handle, size)
  local keys, shapes, stored = {}, {}, {}
  for _, key in ipairs(record.sorted_keys(header)) do
    if key ~= '__metadata__' then
      local entry = header[key]
      local first, last = entry.data_offsets[1], entry.data_offsets[2]
      keys[#keys + 1] = key
      shapes[key] = entry.shape
      stored[key] = { dtype = entry.dtype, first = at + first, bytes = last - first }
    end
  end
  return record.strict('file of tensors', {
    path = path, handle = handle, keys = keys, shapes = shapes, stored = stored,
    elsewhere = shards.elsewhere(path, keys),
  })
end

return M
