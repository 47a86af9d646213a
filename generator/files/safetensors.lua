--- A safetensors file: a header in JSON that says of each tensor its type, its shape and its bytes.
--- Nothing in it is taken on trust.
local json_object = require 'files.json_object'
local lists = require 'common.list'
local opened = require 'files.opened'
local problems = require 'common.problem'
local record = require 'common.record'
local shards = require 'files.shards'
local tensor_entries = require 'files.tensor_entries'

local M = {}

local max_header = 16 << 20
local header_depth = 127 -- as the format's own reader: a tensor may have more fields than it needs

local function is_list_of_sizes(sizes)
  if type(sizes) ~= 'table' then return false end
  -- What JSON gives is a list, or has names alone.
  if #sizes == 0 then return #record.sorted_keys(sizes) == 0 end
  for _, size in ipairs(sizes) do
    if math.type(size) ~= 'integer' or size < 0 then return false end
  end
  return true
end

--- Bytes of a number, by its type; others are not known, and asked for by nobody.
local dtype_bytes = {
  F64 = 8, F32 = 4, F16 = 2, BF16 = 2, I64 = 8, I32 = 4, I16 = 2, I8 = 1, U64 = 8, U32 = 4,
  U16 = 2, U8 = 1, BOOL = 1, F8_E4M3 = 1, F8_E5M2 = 1, F8_E8M0 = 1, C64 = 8,
}

--- Every tensor has its own bytes of the file, whether it is asked for or not.
---@param keys string[] its names
---@param bytes integer behind the header
local function check_places(path, header, keys, bytes)
  local firsts, at = {}, {}
  local function share(a, b)
    problems.bad_input(path, '"%s" and "%s" share bytes: that is a broken file', record.shown(a),
      record.shown(b))
  end
  for _, name in ipairs(keys) do
    local entry = header[name]
    if type(entry) ~= 'table' or not is_list_of_sizes(entry.shape)
      or not is_list_of_sizes(entry.data_offsets) or #entry.data_offsets ~= 2 then
      problems.bad_input(path, '"%s" has no shape or no data_offsets', record.shown(name))
    end
    local first, last = entry.data_offsets[1], entry.data_offsets[2]
    if first > last or last > bytes then
      problems.bad_input(path, '"%s": its data_offsets do not fit the file', record.shown(name))
    end
    if first < last then
      if at[first] then share(at[first], name) end
      firsts[#firsts + 1], at[first] = first, name
    end
  end
  table.sort(firsts)
  for i = 2, #firsts do
    local before = at[firsts[i - 1]]
    if firsts[i] < header[before].data_offsets[2] then share(before, at[firsts[i]]) end
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

--- The header of a file, its names but for the file's own, sorted, and where its data begin.
local function header_of(path, handle, size)
  local length = size >= 8 and string.unpack('<I8', opened.slice(handle, 0, 8)) or -1
  if length < 2 or length > math.min(max_header, size - 8) then
    problems.bad_input(path, 'not safetensors: the header\'s length is beyond the file')
  end
  local text, reason = opened.slice(handle, 8, length), nil
  local header = tensor_entries.decode(text, header_depth)
  if not header then header, reason = json_object.decode(text, header_depth) end
  if not header then problems.bad_input(path, 'not safetensors: the header: %s', reason) end
  check_metadata(path, header.__metadata__)
  local keys = lists.filter(record.sorted_keys(header), function(key)
    return key ~= '__metadata__'
  end)
  check_places(path, header, keys, size - 8 - length)
  return header, keys, 8 + length
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

--- What one file says, whatever others there are.
---@return string[] keys
---@return table<string, integer[]> shapes
---@return table<string, StoredTensor> stored
---@return integer bytes  of its header
function M.tensors(path, handle, size)
  local header, keys, at = header_of(path, handle, size)
  local shapes, stored = {}, {}
  for _, key in ipairs(keys) do
    local entry = header[key]
    local first, last = entry.data_offsets[1], entry.data_offsets[2]
    shapes[key] = entry.shape
    stored[key] = { dtype = entry.dtype, first = at + first, bytes = last - first }
  end
  return keys, shapes, stored, at
end

--- Whether a tensor's bytes are as many as its type and its shape tell, in steps that cannot wrap
--- around.
---@param shape integer[]
---@param stored StoredTensor
function M.is_whole(shape, stored)
  local bytes = dtype_bytes[stored.dtype]
  if not bytes then return true end
  for _, size in ipairs(shape) do
    if size == 0 then return stored.bytes == 0 end
  end
  for _, size in ipairs(shape) do
    if bytes > stored.bytes // size then return false end
    bytes = bytes * size
  end
  return bytes == stored.bytes
end

---@param path string
---@param handle file*
---@param size integer
---@return TensorFile
function M.open(path, handle, size)
  local keys, shapes, stored = M.tensors(path, handle, size)
  return record.strict('file of tensors', {
    path = path, handle = handle, keys = keys, shapes = shapes, stored = stored,
    elsewhere = shards.elsewhere(path, keys),
  })
end

return M
