--- A scale for all weights of an output, 5 bits each: scale * (q - 16). Nibbles as q32's; the fifth
--- bits of 32 weights stand before them, bit 2 s + h of byte b that of k 4 h + b in step s.
return {
  name = 'h5',
  about = '5 bits with a scale for an output',
  head = {
    lines = { { plane = 'scale', lane = 'f32' } },
    open = function(_, lines) return { scale = lines.scale } end,
  },
  levels = {
    {
      k = 32, lines = { { plane = 'high', lane = 'u32' } },
      open = function(_, lines, outer) return { scale = outer.scale, high = lines.high } end,
    },
  },
  step = { k = 8, lines = { { plane = 'nibbles', lane = 'u32' } } },
  registers = 2,
  value = function(v, lines, state, i, index)
    local byte, half = i % 4, i // 4
    local high = v.field(state.high, 1, v.affine(index, 2, 8 * byte + half))
    local low = v.field(lines.nibbles, 4, 8 * byte + 4 * half)
    local q = v.ior(v.shl(high, 4), low)
    return v.mul(v.from_int(v.isub(q, v.iconst(16))), state.scale)
  end,
  pack = function(c)
    return (([[
/* The head's scale is the layer's to say: here it is 1 / 16. */
SCALE = 0.0625f;
uint32_t high_of_all = 0;
for (size_t line = 0; line < 4; ++line) {
  uint32_t nibbles_of_line = 0;
  for (size_t i = 0; i < 8; ++i) {
    const float x = WEIGHT * 16.0f + 16.5f;
    const uint32_t q = !(x > 0.0f) ? 0 : x >= 32.0f ? 31 : (uint32_t)x;
    nibbles_of_line |= (q & 15) << (8 * (i % 4) + 4 * (i / 4));
    high_of_all |= q >> 4 << (8 * (i % 4) + 2 * line + i / 4);
  }
  NIBBLES = nibbles_of_line;
}
HIGH = high_of_all;]]):gsub('%u[%u_]+', {
      SCALE = c.lane('scale', 0), WEIGHT = c.weight('8 * line + i'), HIGH = c.lane('high', 0),
      NIBBLES = c.lane('nibbles', 'line'),
    }))
  end,
}
