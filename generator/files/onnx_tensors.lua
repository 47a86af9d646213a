--- TensorProto of ONNX (onnx.proto): a tensor's numbers lie in one of six fields of it, or in
--- another file. Few numbers are read; of many it is told where they lie.
local numbers = require 'files.numbers'
local protobuf = require 'files.protobuf'
local record = require 'common.record'

local M = {}

local entry = { name = 'StringStringEntryProto', [1] = { 'key', 'text' },
  [2] = { 'value', 'text' } }

---@type WireSchema
M.schema = {
  name = 'TensorProto', limit = 'tensors',
  [1] = { 'dims', 'integers' }, [2] = { 'data_type', 'integer' }, [3] = { 'segment', 'place' },
  [4] = { 'float_data', 'floats' }, [5] = { 'int32_data', 'integers' }, [6] = false,
  [7] = { 'int64_data', 'integers' }, [8] = { 'name', 'text' }, [9] = { 'raw_data', 'place' },
  [10] = { 'double_data', 'doubles' }, [11] = { 'uint64_data', 'integers' }, [12] = false,
  [13] = { 'external_data', entry, 'many' }, [14] = { 'data_location', 'integer' }, [16] = false,
}

--- Types by their numbers: name, bits of one, the field that has them where raw_data does not, and
--- what string.unpack() makes of one in raw_data.
local types = {
  [1] = { 'f32', 32, 'float_data', '<f' }, [2] = { 'u8', 8, 'int32_data', '<I1' },
  [3] = { 'i8', 8, 'int32_data', '<i1' }, [4] = { 'u16', 16, 'int32_data', '<I2' },
  [5] = { 'i16', 16, 'int32_data', '<i2' }, [6] = { 'i32', 32, 'int32_data', '<i4' },
  [7] = { 'i64', 64, 'int64_data', '<i8' }, [8] = { 'text', 0, 'string_data' },
  [9] = { 'bool', 8, 'int32_data', '<I1' }, [10] = { 'f16', 16, 'int32_data', '<I2' },
  [11] = { 'f64', 64, 'double_data', '<d' }, [12] = { 'u32', 32, 'uint64_data', '<I4' },
  [13] = { 'u64', 64, 'uint64_data', '<i8' }, [14] = { 'complex64', 64, 'float_data' },
  [15] = { 'complex128', 128, 'double_data' }, [16] = { 'bf16', 16, 'int32_data', '<I2' },
  [17] = { 'f8e4m3fn', 8, 'int32_data' }, [18] = { 'f8e4m3fnuz', 8, 'int32_data' },
  [19] = { 'f8e5m2', 8, 'int32_data' }, [20] = { 'f8e5m2fnuz', 8, 'int32_data' },
  [21] = { 'u4', 4, 'int32_data' }, [22] = { 'i4', 4, 'int32_data' },
  [23] = { 'f4e2m1', 4, 'int32_data' }, [24] = { 'f8e8m0', 8, 'int32_data' },
  [25] = { 'u2', 2, 'int32_data' }, [26] = { 'i2', 2, 'int32_data' },
}

--- The name of a type, for messages too.
function M.type_name(number) return types[number] and types[number][1] or 'an unknown type' end

local fields = { 'raw_data', 'float_data', 'int32_data', 'int64_data', 'double_data',
  'uint64_data' }

---@class OnnxTensor
---@field name string
---@field type string        f32, i64 ...
---@field dims integer[]
---@field count integer      of its numbers
---@field bits integer       of one
---@field numbers number[]|false  where it has few and they are in this file
---@field zeros boolean      its numbers are known to be 0, all of them
---@field place { first: integer, bytes: integer }|false  its numbers as they are, in this file
---@field external { location: string, offset: integer, bytes: integer|false }|false
---@field varints { first: integer, bytes: integer }|false  its numbers as varints, in this file
---@field apart string|false the field that has its numbers, where they do not lie as they are

local most_count = 1 << 48

--- The sizes of a tensor, and how many numbers it has.
local function sizes_of(wire, raw)
  local list, dims, count = raw.dims or { count = 0 }, {}, 1
  if not list.count or list.count > protobuf.most_numbers then
    wire:refuse('tensor "%s" has too many dimensions', record.shown(raw.name or ''))
  end
  for i = 1, list.count do
    local n = list[i]
    if n < 0 or n > most_count or n > 0 and count > most_count // n then
      wire:refuse('tensor "%s" has a dimension of %d', record.shown(raw.name or ''), n)
    end
    dims[i], count = n, count * n
  end
  return dims, count
end

--- Of numbers that are stored as their bits.
local of_bits = { f16 = numbers.of_f16, bf16 = numbers.of_bf16 }

--- A number of int32_data, as its type has it: floats are stored as their bits.
local function of_int32(wire, raw, type_of, v)
  local least, most = 0, (1 << type_of[2]) - 1
  if type_of[4]:find '^<i' then least, most = -(1 << type_of[2] - 1), (1 << type_of[2] - 1) - 1 end
  -- Readers of protobuf take the low 32 bits.
  v = ((v & 0xffffffff) ~ 0x80000000) - 0x80000000
  if v < least or v > most then
    wire:refuse('tensor "%s" has %d in int32_data, which is no %s', record.shown(raw.name or ''), v,
      type_of[1])
  end
  return v
end

--- Few numbers, from bytes or from a list of integers; nil where they are no numbers of ours.
local function numbers_of(wire, raw, type_of, count)
  local format, list = type_of[4], {}
  local place = raw.raw_data or raw[type_of[3]]
  if count > protobuf.most_numbers or not format then return nil end
  if count == 0 or not place then return count == 0 and {} or nil end
  local text = (raw.raw_data or format == '<f' or format == '<d') and place.first
    and wire:bytes(place.first, place.first + place.bytes)
  for i = 1, count do
    local v = text and string.unpack(format, text, (i - 1) * type_of[2] // 8 + 1) or place[i]
    if not raw.raw_data and type_of[3] == 'int32_data' then v = of_int32(wire, raw, type_of, v) end
    list[i] = of_bits[type_of[1]] and of_bits[type_of[1]](v) or v
  end
  return list
end

local most_zeros = 1 << 20 -- outputs of a layer are fewer

--- Whether all numbers of a list of integers are 0. Who leaves out zero points for that has read
--- them: they count as read, so that ffn-pack refuses a file that has others since.
local function are_zeros(wire, result, type_of)
  local place, format = result.place or result.varints, type_of[4]
  if result.numbers then
    for _, n in ipairs(result.numbers) do
      if n ~= 0 then return false end
    end
    return true
  end
  return place and #result.dims == 1 and result.count <= most_zeros and format
    and format:find '^<[iI]' ~= nil
    and not wire:bytes(place.first, place.first + place.bytes):find '[^\0]'
    and wire:has_read(place.first, place.bytes) or false
end

--- What may be told of numbers in another file.
local entries = { location = true, offset = true, length = true, checksum = true }

--- Where another file has the numbers. What it is called is judged by who opens it.
local function external_of(wire, raw, bytes)
  local given = {}
  for _, item in ipairs(raw.external_data or {}) do
    local key = item.key or ''
    if given[key] then
      wire:refuse('tensor "%s" says twice: %s', record.shown(raw.name or ''), record.shown(key))
    end
    -- A checksum is for who moves files; what others packed of them lies beside the numbers.
    if not entries[key] and not key:find '^prepacked_%d+$' then
      wire:refuse('tensor "%s" says of another file: %s, which is not known here',
        record.shown(raw.name or ''), record.shown(key))
    end
    given[key] = item.value or ''
  end
  local function number(key, default)
    local text = given[key]
    if text == nil then return default end
    local v = text:find '^%d+$' and #text <= 15 and math.tointeger(tonumber(text))
    if not v then
      wire:refuse('tensor "%s": its %s in another file is "%s"', record.shown(raw.name or ''), key,
        record.shown(text))
    end
    return v
  end
  local length = number('length', false)
  if length and length ~= bytes then
    wire:refuse('tensor "%s" has %d bytes in another file, and its shape says %d',
      record.shown(raw.name or ''), length, bytes)
  end
  if not given.location then
    wire:refuse('tensor "%s" does not say which file it is in', record.shown(raw.name or ''))
  end
  return { location = given.location, offset = number('offset', 0), bytes = bytes }
end

--- Holds how many numbers there are against the shape.
local function check_count(wire, raw, key, type_of, count, bytes)
  local place = raw[key]
  local has = key == 'raw_data' and place.bytes or place.count
  local wanted = key == 'raw_data' and bytes or count
  local is_packed = type_of[2] < 8 and key ~= 'raw_data' -- several in an integer
    or type_of[1]:find '^complex'
  if has and has ~= wanted and not is_packed then
    wire:refuse('tensor "%s" has %d %s, and its shape says %d', record.shown(raw.name or ''), has,
      key == 'raw_data' and 'bytes' or 'numbers', wanted)
  end
end

--- Where the numbers of a tensor lie that are in a field of it: as they are, or as varints of a
--- byte and more each. Fields that hold one number each are no list.
local function place_in(result, key, list)
  local place = list.first and { first = list.first, bytes = list.bytes } or false
  local is_plain = key == 'raw_data' or key == 'float_data' or key == 'double_data'
  result.place = is_plain and place
  result.varints = not is_plain and key == 'int32_data' and result.bits >= 8 and place
  result.apart = not (result.place or result.varints) and key
end

--- The record of a tensor.
---@param wire Wire
---@param raw table  its fields
---@return OnnxTensor
function M.schema.made(wire, raw)
  local name = record.shown(raw.name or '')
  local type_of = types[raw.data_type or 0]
  if not type_of then
    wire:refuse('tensor "%s" is of type %d, which is not known here', name, raw.data_type or 0)
  end
  if raw.segment then wire:refuse('tensor "%s" is a part of one, which is not read', name) end
  local dims, count = sizes_of(wire, raw)
  local bytes, key = (count * type_of[2] + 7) // 8, nil
  for _, field in ipairs(fields) do
    if raw[field] and key then
      wire:refuse('tensor "%s" has its numbers twice: %s and %s', name, key, field)
    elseif raw[field] then
      key = field
    end
  end
  local result = {
    name = raw.name or '', type = type_of[1], dims = dims, count = count, bits = type_of[2],
    numbers = false, place = false, external = false, varints = false, apart = false,
    zeros = false,
  }
  if raw.data_location == 1 then
    if key then wire:refuse('tensor "%s" has its numbers here and in another file', name) end
    result.external = external_of(wire, raw, bytes)
  elseif raw.data_location and raw.data_location ~= 0 or raw.external_data then
    wire:refuse('tensor "%s" does not say where its numbers are', name)
  elseif key then
    if key ~= 'raw_data' and key ~= type_of[3] then
      wire:refuse('tensor "%s" has %s, which is not where numbers of %s are', name, key, type_of[1])
    end
    check_count(wire, raw, key, type_of, count, bytes)
    place_in(result, key, raw[key])
    result.numbers = numbers_of(wire, raw, type_of, count) or false
    result.zeros = are_zeros(wire, result, type_of)
  elseif count > 0 and type_of[1] ~= 'text' then
    wire:refuse('tensor "%s" has no numbers', name)
  else
    result.numbers = count == 0 and {} or false
  end
  return record.strict('ONNX tensor', result)
end

return M
