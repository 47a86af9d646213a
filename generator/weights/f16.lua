--- IEEE 754 half precision, rounded to nearest even; what is too large becomes infinite.

local half = require 'weights.half'

--- The bits of the number nearest to a finite one; nil where that is infinite.
local function bits_of(x)
  local bits = string.unpack('<I4', string.pack('<f', x))
  local exponent = math.max((bits >> 23 & 255) - 127, -14)
  local size = math.abs(x) * 2.0 ^ (10 - exponent) -- in last places: exact
  local whole = math.floor(size)
  local rest = size - whole
  if rest > 0.5 or rest == 0.5 and whole % 2 == 1 then whole = whole + 1 end
  -- A normal number has 1024 last places in front of its fraction; a carry goes into the exponent.
  local nearest = (exponent + 14 << 10) + whole
  return nearest < 0x7c00 and (bits >> 16 & 0x8000 | nearest) or nil
end

return {
  name = 'f16',
  about = 'IEEE 754 half precision',
  step = { k = 1, lines = { { plane = 'half', lane = 'f16' } } },
  helpers = half.nearest,
  value = function(_, lines) return lines.half end,
  source = { k = 1, bytes = 2, number = 'u16' },
  take = function(c) return ('%s = %s;'):format(c.lane('half', 0), c.own(0)) end,
  give = function(c) return ('%s = %s;'):format(c.own(0), c.lane('half', 0)) end,
  embed = function(weight) return bits_of(weight(0)) end,
  pack = function(c) return ('%s = ffn_f16_of(%s);'):format(c.lane('half', 0), c.weight(0)) end,
}
