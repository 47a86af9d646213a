--- The few numbers that import reads of a model: single ones, shapes, and zeros that say nothing.
--- What was read is noted: another file is told from it.
local numbers = require 'files.numbers'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'

local M = {}

--- The bytes of a tensor, read once: gate and up in one matrix share theirs.
---@param r ModelReading
---@param key string
---@return string
local function bytes_of(r, key)
  local tensor = r.model.stored[key]
  if r.read[key] then return r.read[key] end
  local bytes = random_access.with(r.model.files[tensor.file].path, function(handle)
    return random_access.slice(handle, tensor.first, tensor.bytes)
  end)
  r.spans[#r.spans + 1] = {
    file = tensor.file, first = tensor.first, count = tensor.bytes, bytes = bytes,
  }
  r.read[key] = bytes
  return bytes
end

--- The number of a tensor that is one number.
---@param r ModelReading
---@param key string
---@param what string  that the number is, for messages
---@return number
function M.single(r, key, what)
  local tensor = r.model.stored[key]
  local path = r.model.files[tensor.file].path
  local size = ({ F32 = 4, BF16 = 2, F16 = 2 })[tensor.dtype]
  if not size or tensor.bytes ~= size then
    problems.bad_input(path, '"%s" is not a single number in F32, BF16 or '
      .. 'F16', record.shown(key, 80))
  end
  local bytes = bytes_of(r, key)
  local value = tensor.dtype == 'F32' and string.unpack('<f', bytes)
    or numbers['of_' .. tensor.dtype:lower()](string.unpack('<I' .. size, bytes))
  if value ~= value or math.abs(value) == math.huge then
    problems.bad_input(path, '"%s" is %s: no %s', record.shown(key, 80), value, what)
  end
  return value
end

--- Integers of a tensor whose shape is known.
---@param r ModelReading
---@param key string
---@param format string  of string.unpack
---@return integer[]
function M.read(r, key, format)
  local values = table.pack(string.unpack(format, bytes_of(r, key)))
  values[values.n], values.n = nil, nil
  return values
end

--- Whether all bytes of a tensor are 0.
---@param r ModelReading
---@param key string
---@return boolean
function M.are_zero(r, key) return not bytes_of(r, key):find '[^\0]' end

return M
