--- IEEE 754 half precision, rounded to nearest even; what is too large becomes infinite.

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
  helpers = [[
FFN_SHARED uint16_t ffn_f16_of(float x) {
  const uint32_t all = (uint32_t)ffn_bits(x), bits = all & 0x7fffffffu;
  const uint32_t sign = all >> 16 & 0x8000u, even = bits + 0xfffu + (bits >> 13 & 1u);
  /* 0.5 has the last place that f16 has below 2^-14. */
  const float below = ffn_from_bits((int32_t)bits) + 0.5f;
  const uint32_t small = (uint32_t)ffn_bits(below) - (126u << 23);
  const uint32_t large = bits > 0x7f800000u ? 0x7e00u : 0x7c00u;
  const uint32_t half =
      bits < 113u << 23 ? small : bits >= 0x477ff000u ? large : (even >> 13) - (112u << 10);
  return (uint16_t)(sign | half);
}
]],
  value = function(_, lines) return lines.half end,
  source = 'f16',
  take = function(c) return ('%s = %s;'):format(c.lane('half', 0), c.number(0)) end,
  give = function(c) return ('%s = %s;'):format(c.number(0), c.lane('half', 0)) end,
  embed = function(weight) return bits_of(weight(0)) end,
  pack = function(c) return ('%s = ffn_f16_of(%s);'):format(c.lane('half', 0), c.weight(0)) end,
}
