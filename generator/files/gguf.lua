--- A GGUF file of version 2 or 3: keys with their values, and of each tensor its shape, type and
--- bytes. The header alone is read, and nothing in it is taken on trust: counts are held against
--- what the file has left before anything is made of them. (The format: docs/gguf.md of ggml.)
local forward = require 'files.forward'
local limits = require 'common.limits'
local record = require 'common.record'
local types = require 'files.ggml_types'

local M = {}

--- Longer texts and arrays are told, not kept: nobody asks for a tokenizer's words.
local kept_text, kept_items = 4096, 4096

---@class GgufHeader
---@field version integer
---@field keys table<string, GgufValue>
---@field tensors GgufTensor[]  in the order of their bytes
---@field data integer          where the bytes of tensors begin

---@alias GgufValue number|boolean|string|GgufArray
---@class GgufArray      or a value that is too long or too large to be kept
---@field of string      type of an item
---@field count integer
---@field is_kept boolean  the items are in the table, from 1 on

---@class GgufTensor
---@field name string
---@field shape integer[]  as the file has it: numbers of a row first
---@field type string      as ggml names it
---@field first integer    the first of its bytes in the file
---@field bytes integer

--- Types of values by their numbers: a name, how string.unpack reads them, bytes.
local scalars = {
  [0] = { 'u8', '<I1', 1 }, { 'i8', '<i1', 1 }, { 'u16', '<I2', 2 }, { 'i16', '<i2', 2 },
  { 'u32', '<I4', 4 }, { 'i32', '<i4', 4 }, { 'f32', '<f', 4 }, { 'bool', '<I1', 1 },
  [10] = { 'u64', '<i8', 8 }, [11] = { 'i64', '<i8', 8 }, [12] = { 'f64', '<d', 8 },
}
local text_type, array_type = 8, 9

local function told(of, count) return { of = of, count = count, is_kept = false } end

--- Counts what is kept of a stranger's text.
local function keep(r, budget, bytes, what)
  budget.kept = budget.kept + bytes
  limits.hold(r.path, 'gguf_kept', budget.kept, what)
end

local function scalar(r, kind, what)
  local value = r:number(kind[2], kind[3], what)
  if kind[1] == 'bool' then
    if value > 1 then r:refuse_damaged('%s: %d is neither true nor false', what, value) end
    return value == 1
  end
  if kind[1] == 'u64' and value < 0 then return told('u64', 1) end
  return value
end

--- The type and the count of an array, of which the file has enough bytes.
local function opened_array(r, budget, what)
  local of = r:number('<I4', 4, what)
  if not scalars[of] and of ~= text_type and of ~= array_type then
    r:refuse_damaged('%s: unknown type %d', what, of)
  end
  local least = scalars[of] and scalars[of][3] or of == text_type and 8 or 12
  local count = r:limited('gguf_items', what)
  if count > r:left() // least then r:refuse_end(what) end
  if not scalars[of] then
    budget.walked = budget.walked + count
    limits.hold(r.path, 'gguf_walked', budget.walked, what)
  end
  return of, count
end

--- Passes an array that has been opened. Arrays in arrays are a list of what each has left: a call
--- for each would go as deep as a stranger likes.
local function skip_array(r, budget, of, count, what)
  local open = {}
  while true do
    if of == array_type then
      limits.hold(r.path, 'gguf_depth', #open + 1, what)
      open[#open + 1] = count
    elseif of == text_type then
      r:skip_texts(count, 'gguf_text', what)
    else
      r:skip(count * scalars[of][3], what)
    end
    while open[#open] == 0 do open[#open] = nil end
    if #open == 0 then return end
    open[#open] = open[#open] - 1
    of, count = opened_array(r, budget, what)
  end
end

local function array(r, budget, what)
  local of, count = opened_array(r, budget, what)
  local kind = scalars[of]
  if not kind or count > kept_items then
    skip_array(r, budget, of, count, what)
    return told(kind and kind[1] or of == text_type and 'text' or 'array', count)
  end
  keep(r, budget, 16 * count, what)
  local list = { of = kind[1], count = count, is_kept = true }
  for i = 1, count do list[i] = scalar(r, kind, what) end
  return list
end

local function text(r, budget, what)
  local length = r:limited('gguf_text', what)
  if length > kept_text then
    r:skip(length, what)
    return told('text', length)
  end
  keep(r, budget, length, what)
  return r:bytes(length, what)
end

--- A name: printable, in ASCII, and not empty.
---@param limit string  of its bytes
local function name_of(r, budget, limit, what)
  local length = r:limited(limit, what)
  keep(r, budget, length + 64, what)
  local name = r:bytes(length, what)
  if name == '' or name:find '[^\x20-\x7e]' then
    r:refuse_damaged('%s is "%s", and must be printable ASCII, not empty', what, record.shown(name))
  end
  return name
end

local function keys_of(r, budget, heap, count)
  local keys, at = {}, r:place()
  for i = 1, count do
    local what = ('key %d'):format(i)
    local key = name_of(r, budget, 'gguf_key', what)
    what = ('"%s"'):format(record.shown(key, 80))
    if keys[key] ~= nil then r:refuse_damaged('%s occurs twice', what) end
    local of = r:number('<I4', 4, what)
    if scalars[of] then
      keys[key] = scalar(r, scalars[of], what)
    elseif of == text_type then
      keys[key] = text(r, budget, what)
    elseif of == array_type then
      keys[key] = array(r, budget, what)
    else
      r:refuse_damaged('%s: unknown type %d', what, of)
    end
    limits.hold(r.path, 'gguf_header', r:place())
    heap:add(r:place() - at)
    at = r:place()
  end
  return keys
end

--- What stands of a tensor in the header; `first` is counted from the data's begin.
local function tensor_of(r, budget, number)
  local name = name_of(r, budget, 'gguf_name', ('the name of tensor %d'):format(number))
  local what = ('"%s"'):format(name)
  local rank = r:number('<I4', 4, what)
  if rank < 1 then r:refuse_damaged('%s has no dimensions', what) end
  limits.hold(r.path, 'gguf_dimensions', rank, what)
  local shape, count = {}, 1
  for i = 1, rank do
    local n = r:count(1 << 40, 'the shape of ' .. what)
    if n == 0 or n > (1 << 50) // count then
      r:refuse_damaged('%s has no numbers, or more than 2^50', what)
    end
    shape[i], count = n, count * n
  end
  local kind_number = r:number('<I4', 4, what)
  local kind = types.by_number[kind_number]
  if not kind then
    local removed = types.removed[kind_number]
    r:refuse(removed and '%s: type %d is %s, which ggml no longer has: convert the model again'
      or '%s: unknown type %d of numbers', what, kind_number, removed)
  end
  if shape[1] % kind.numbers ~= 0 then
    r:refuse_damaged('%s: a row of %d numbers is not whole blocks of %d, which %s '
      .. 'has', what, shape[1], kind.numbers,
      kind.name)
  end
  return {
    name = name, shape = shape, type = kind.name, bytes = count // kind.numbers * kind.bytes,
    first = r:count((1 << 62) - (1 << 60), 'the offset of ' .. what),
  }
end

--- Every tensor has bytes of its own in the file, one after the other.
local function place(r, tensors, data, alignment)
  local free = 0
  for _, t in ipairs(tensors) do
    if t.first % alignment ~= 0 then
      r:refuse_damaged('"%s": its offset %d is not a multiple of %d', t.name, t.first, alignment)
    end
    if t.first < free then
      r:refuse_damaged('"%s" begins at %d, before the end of the tensor before it', t.name, t.first)
    end
    if t.first > r.size - data or t.bytes > r.size - data - t.first then
      r:refuse_damaged('"%s": the file ends before it does', t.name)
    end
    free, t.first = t.first + t.bytes, data + t.first
  end
end

--- Magic and version.
local function version_of(r)
  if r.size < 24 or r:bytes(4, 'its first bytes') ~= 'GGUF' then
    r:refuse_damaged 'its first bytes are not GGUF, or too few'
  end
  local version = r:number('<I4', 4, 'the version')
  if version ~= 0 and version & 0xffff == 0 then
    r:refuse 'it is big-endian: convert it by gguf-convert-endian of the gguf package'
  end
  if version ~= 2 and version ~= 3 then
    r:refuse('it has version %d, and ffngen reads versions 2 and 3: convert the model '
      .. 'again', version)
  end
  return version
end

local function alignment_of(r, keys)
  local alignment = keys['general.alignment']
  if alignment == nil then return 32 end
  if math.type(alignment) ~= 'integer' or alignment < 1 or alignment & alignment - 1 ~= 0 then
    r:refuse_damaged('general.alignment is %s, and must be a power of 2',
      record.described(alignment))
  end
  limits.hold(r.path, 'gguf_alignment', alignment, 'general.alignment')
  return alignment
end

---@param path string
---@param handle file*
---@param size integer
---@param heap Heap
---@return GgufHeader
function M.header(path, handle, size, heap)
  local r = forward.new(path, 'GGUF', handle, size)
  local version = version_of(r)
  local tensor_count = r:limited 'gguf_tensors'
  local key_count = r:limited 'gguf_keys'
  -- The shortest key has 14 bytes, the shortest tensor 33.
  if key_count > r:left() // 14 or tensor_count > (r:left() - key_count * 14) // 33 then
    r:refuse_damaged('its header says %d tensors and %d keys, which is more than the file can '
      .. 'hold', tensor_count, key_count)
  end
  local budget = { kept = 0, walked = 0 }
  local keys = keys_of(r, budget, heap, key_count)
  local tensors, seen, at = {}, {}, r:place()
  for i = 1, tensor_count do
    local t = tensor_of(r, budget, i)
    if seen[t.name] then r:refuse_damaged('tensor "%s" occurs twice', t.name) end
    tensors[i], seen[t.name] = t, true
    if i % 1024 == 0 then
      limits.hold(path, 'gguf_header', r:place())
      heap:add(r:place() - at)
      at = r:place()
      heap:look()
    end
  end
  local alignment = alignment_of(r, keys)
  local data = r:place()
  if tensor_count > 0 then data = (data + alignment - 1) // alignment * alignment end
  place(r, tensors, data, alignment)
  return record.strict('GGUF header', {
    version = version, keys = keys, tensors = tensors, data = data,
  })
end

return M
