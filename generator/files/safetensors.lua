--- A safetensors file: a header in JSON that says of each tensor its type, its shape and its bytes.
--- Nothing in it is taken on trust.
local opened = require 'files.opened'
local problems = require 'common.problem'
local record = require 'common.record'
local shards = require 'files.shards'
local tensor_entries = require 'files.tensor_entries'

local M = {}

local max_header = 16 << 20
local header_depth = 127 -- as the format's own reader: a tensor may have more fields than it needs

--- Bytes of a number, by its type; others are not known, and asked for by nobody.
local dtype_bytes = {
  F64 = 8, F32 = 4, F16 = 2, BF16 = 2, I64 = 8, I32 = 4, I16 = 2, I8 = 1, U64 = 8, U32 = 4,
  U16 = 2, U8 = 1, BOOL = 1, F8_E4M3 = 1, F8_E5M2 = 1, F8_E8M0 = 1, C64 = 8,
}

--- Every tensor has its own bytes of the file, whether it is asked for or not.
---@param entries TensorEntries
---@param size integer  of the file
local function check_places(path, entries, size)
  local firsts, owners, stored = {}, {}, entries.stored
  local function share(a, b)
    problems.bad_input(path, '"%s" and "%s" share bytes: that is a broken file', record.shown(a),
      record.shown(b))
  end
  for _, name in ipairs(entries.keys) do
    local first, bytes = stored[name].first, stored[name].bytes
    if bytes < 0 or first > size or bytes > size - first then
      problems.bad_input(path, '"%s": its data_offsets do not fit the file', record.shown(name))
    end
    if bytes > 0 then
      if owners[first] then share(owners[first], name) end
      firsts[#firsts + 1], owners[first] = first, name
    end
  end
  table.sort(firsts)
  for i = 2, #firsts do
    local before = owners[firsts[i - 1]]
    if firsts[i] - firsts[i - 1] < stored[before].bytes then share(before, owners[firsts[i]]) end
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

--- What one file says, whatever others there are; names are sorted.
---@return TensorEntries
---@return integer bytes  of its header
function M.tensors(path, handle, size)
  local length = size >= 8 and string.unpack('<I8', opened.slice(handle, 0, 8)) or -1
  if length < 2 or length > math.min(max_header, size - 8) then
    problems.bad_input(path, 'not safetensors: the header\'s length is beyond the file')
  end
  local text, at = opened.slice(handle, 8, length), 8 + length
  local entries = tensor_entries.quick(text, header_depth, at)
    or tensor_entries.whole(path, text, header_depth, at)
  check_metadata(path, entries.metadata)
  table.sort(entries.keys)
  check_places(path, entries, size)
  return entries, at
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
  local entries = M.tensors(path, handle, size)
  return record.strict('file of tensors', {
    path = path, handle = handle, keys = entries.keys, shapes = entries.shapes,
    stored = entries.stored, elsewhere = shards.elsewhere(path, entries.keys),
  })
end

return M
