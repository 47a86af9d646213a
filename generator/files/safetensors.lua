--- A safetensors file: a header in JSON that says of each tensor its type, its shape and its bytes.
--- Nothing in it is taken on trust.
local heaps = require 'common.heap'
local limits = require 'common.limits'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'
local shards = require 'files.shards'
local tensor_entries = require 'files.tensor_entries'

local M = {}

--- Bytes of a number, by its type; others are not known, and asked for by nobody.
local dtype_bytes = {
  F64 = 8, F32 = 4, F16 = 2, BF16 = 2, I64 = 8, I32 = 4, I16 = 2, I8 = 1, U64 = 8, U32 = 4,
  U16 = 2, U8 = 1, BOOL = 1, F8_E4M3 = 1, F8_E5M2 = 1, F8_E8M0 = 1, C64 = 8,
}

--- Whether tensors lie in the file one after the other, as they are told: nearly all do.
---@param entries TensorEntries
---@param size integer  of the file
local function are_in_order(entries, size)
  local behind, stored = 0, entries.stored
  for _, name in ipairs(entries.keys) do
    local tensor = stored[name]
    local first, bytes = tensor.first, tensor.bytes
    if first < behind or bytes < 0 or first > size or bytes > size - first then return false end
    behind = first + bytes
  end
  return true
end

--- Every tensor has its own bytes of the file, whether it is asked for or not.
---@param entries TensorEntries
---@param size integer  of the file
local function check_places(path, entries, size)
  if are_in_order(entries, size) then return end
  local firsts, owners, stored = {}, {}, entries.stored
  local function share(a, b)
    problems.bad_input(path, '"%s" and "%s" use the same bytes of the file: the file is '
      .. 'broken', record.shown(a),
      record.shown(b))
  end
  for _, name in ipairs(entries.keys) do
    local first, bytes = stored[name].first, stored[name].bytes
    if bytes < 0 or first > size or bytes > size - first then
      problems.bad_input(path, '"%s": its data_offsets do not fit the file: was a download cut '
        .. 'short?', record.shown(name))
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
    problems.bad_input(path, 'not safetensors: its "__metadata__" must be an object of texts: '
      .. 'save the model again')
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

--- How long the header is, with the number in front that says so.
---@return integer bytes
function M.header_bytes(path, handle, size)
  local length = size >= 8 and string.unpack('<I8', random_access.slice(handle, 0, 8)) or -1
  if length < 2 or length > size - 8 then
    problems.bad_input(path, 'not safetensors: the header\'s length is beyond the file: was a '
      .. 'download cut short?')
  end
  limits.hold(path, 'header', length)
  return 8 + length
end

--- What one file says, whatever others there are.
---@return TensorEntries
function M.tensors(path, handle, size, heap)
  local at = M.header_bytes(path, handle, size)
  heap:add(at)
  local text = random_access.slice(handle, 8, at - 8)
  local entries = tensor_entries.quick(text, at, path, heap)
  if not entries then
    heap:look()
    entries = tensor_entries.whole(path, text, at, heap)
  end
  check_metadata(path, entries.metadata)
  check_places(path, entries, size)
  return entries
end

--- The bytes of a shape, where they are at most so many: in steps that cannot wrap around.
---@return integer|nil
local function bytes_of(shape, number, most)
  for _, size in ipairs(shape) do
    if size == 0 then return 0 end
  end
  for _, size in ipairs(shape) do
    if number > most // size then return nil end
    number = number * size
  end
  return number
end

--- The first tensor whose bytes are not as many as its type and its shape tell, if there is one.
---@param entries TensorEntries
---@return string|nil
function M.broken(entries)
  local known = {} -- by type and shape: layers have few
  for _, name in ipairs(entries.keys) do
    local tensor, shape = entries.stored[name], entries.shapes[name]
    local number = dtype_bytes[tensor.dtype]
    if number then
      local of_type = known[number] or {}
      known[number] = of_type
      if of_type[shape] ~= tensor.bytes then
        if bytes_of(shape, number, tensor.bytes) ~= tensor.bytes then return name end
        of_type[shape] = tensor.bytes
      end
    end
  end
  return nil
end

---@param path string
---@param handle file*
---@param size integer
---@return TensorFile
function M.open(path, handle, size)
  local heap = heaps.new(path)
  local entries = M.tensors(path, handle, size, heap)
  table.sort(entries.keys)
  return record.strict('file of tensors', {
    path = path, handle = handle, keys = entries.keys, shapes = entries.shapes,
    stored = entries.stored, elsewhere = shards.elsewhere(path, entries.keys, heap),
  })
end

return M
