--- Tensors as files hold them: shapes, and the numbers of f32 bytes.
local problems = require 'common.problem'

local M = {}

--- How many numbers a tensor of this shape has.
function M.count(shape)
  local count = 1
  for _, n in ipairs(shape) do count = count * n end
  return count
end

function M.shape_text(shape) return '[' .. table.concat(shape, '][') .. ']' end

--- Numbers of little-endian f32 bytes. NaN and Inf have no place in C constants.
function M.of(path, name, bytes)
  local list = {}
  for i = 1, #bytes // 4 do
    local x = string.unpack('<f', bytes, 4 * i - 3)
    if x ~= x or math.abs(x) == math.huge then
      problems.bad_input(path, '%s: number %d is %s: only finite weights can be embedded', name, i,
        x)
    end
    list[i] = x
  end
  return list
end

--- The number that the bits of an f16 are, and those of a bf16.
---@param bits integer
---@return number
function M.of_f16(bits)
  local sign, exponent, fraction = bits >> 15, bits >> 10 & 31, bits & 1023
  local size = exponent == 31 and (fraction == 0 and math.huge or 0.0 / 0.0)
    or exponent == 0 and fraction * 0x1p-24 or (1024 + fraction) * 2.0 ^ (exponent - 25)
  return sign == 1 and -size or size
end

function M.of_bf16(bits) return (string.unpack('<f', string.pack('<I4', bits << 16))) end

--- [in][out] as [out][in].
---@param list number[]
---@param shape integer[] as it shall be
---@return number[]
function M.transposed(list, shape)
  local outputs, inputs, result = shape[1], shape[2], {}
  for o = 0, outputs - 1 do
    for i = 0, inputs - 1 do result[o * inputs + i + 1] = list[i * outputs + o + 1] end
  end
  return result
end

return M
