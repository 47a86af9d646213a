--- bfloat16: the upper half of an f32, rounded to nearest even; two k in a lane.

local half = require 'weights.f16_scales'

--- The bits of the number nearest to a finite one; nil where that is infinite.
local function bits_of(x)
  local bits = string.unpack('<I4', string.pack('<f', x))
  local nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16
  return nearest & 0x7fff < 0x7f80 and nearest or nil
end

return {
  name = 'bf16',
  about = 'bfloat16',
  step = { k = 2, lines = { { plane = 'pair', lane = 'u32' } } },
  trains = true,
  helpers = half.nearest_bf16,
  value = function(v, lines, _, i)
    return v.from_bits(i == 0 and v.shl(lines.pair, 16) or v.iand(lines.pair, v.iconst(-0x10000)))
  end,
  source = { k = 1, bytes = 2, number = 'u16' },
  take = function(c)
    return ('%s = (uint32_t)%s | (uint32_t)%s << 16;'):format(c.lane('pair', 0), c.own(0),
      c.own(1))
  end,
  give = function(c)
    return ('%s = (uint16_t)(%s & 0xffffu);\n%s = (uint16_t)(%s >> 16);'):format(c.own(0),
      c.lane('pair', 0), c.own(1), c.lane('pair', 0))
  end,
  embed = function(c)
    local low, high = bits_of(c.weight(0)), bits_of(c.weight(1))
    if low and high then c.set('pair', 0, low | high << 16) end
    return low ~= nil and high ~= nil
  end,
  pack = function(c)
    return ('%s = (uint32_t)ffn_bf16_of(%s) | (uint32_t)ffn_bf16_of(%s) << 16;'):format(
      c.lane('pair', 0), c.weight(0), c.weight(1))
  end,
}
