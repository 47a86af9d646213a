--- Numbers of 32 bits, and their C text.
local M = {}

--- The f32 nearest to a number; an infinity where it is beyond them all.
---@param x number
---@return number
function M.to_f32(x) return (string.unpack('<f', string.pack('<f', x))) end

--- The nearest integer, of two the even one.
---@param x number
---@return integer
function M.nearest(x)
  local whole = math.floor(x)
  local rest = x - whole
  return (rest > 0.5 or rest == 0.5 and whole % 2 == 1) and whole + 1 or whole
end

--- What f32 makes of a number where that is more than a rounding, for a message; nil where it is
--- none. A number that is subnormal in f32 counts even where it is exact: many a program runs with
--- subnormals flushed to zero. Works where strings have no methods.
---@param x number
---@return string|nil
function M.lost(x)
  local size = math.abs(M.to_f32(x))
  if size == math.huge then return 'is beyond f32, whose largest number is 3.40282347e+38' end
  if x ~= x or x == 0 or size >= 0x1p-126 then return nil end
  return string.format('%s f32, whose smallest normal number is 1.17549435e-38',
    size == 0 and 'becomes 0 in' or 'is subnormal in')
end

--- Whether a number is the zero with a minus, which Lua has among floats alone.
---@param x number
function M.is_minus_zero(x) return x == 0 and 1.0 / x < 0 end

--- A number with all digits of a double, and no more. Works where strings have no methods.
---@param x number
---@return string
function M.shown(x)
  if x ~= x then return 'NaN' end
  if M.is_minus_zero(x) then return '-0.0' end
  local text = string.format('%.15g', x)
  return tonumber(text) == x and text or string.format('%.17g', x)
end

--- A number as the shortest C float that reads back as the same f32.
---@param x number
---@return string
function M.float_literal(x)
  if type(x) ~= 'number' or x ~= x or math.abs(x) == math.huge then
    error(('a constant is a finite number, not %s'):format(tostring(x)), 3)
  end
  if M.to_f32(x) ~= x then error(('constant %.17g is not an exact f32'):format(x), 3) end
  for digits = 1, 9 do
    local text = ('%.' .. digits .. 'g'):format(x)
    if M.to_f32(tonumber(text)) == x then
      if not text:find('[.e]') then text = text .. '.0' end
      return text .. 'f'
    end
  end
  error('unreachable: nine digits tell any f32')
end

--- The same as a person writes it.
---@param x number
---@return string
function M.shortest(x)
  local text = M.float_literal(x):gsub('f$', '')
  return M.is_minus_zero(x) and text or (text:gsub('%.0$', ''))
end

return M
