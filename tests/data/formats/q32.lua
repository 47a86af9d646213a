--- 32 weights with one scale, 4 bits each: scale * (q - 8). Of a lane, byte b has k b in its low
--- half and k 4 + b in its high one.
return {
  name = 'q32',
  about = '32 weights of 4 bits with a scale',
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f16' } },
      open = function(_, lines) return { scale = lines.scale } end,
    },
  },
  step = { k = 8, lines = { { plane = 'nibbles', lane = 'u32' } } },
  registers = 1,
  helpers = [[
/* x >= 0 as f16, rounded to nearest even: 0.5 has the last place that f16 has below 2^-14. */
FFN_SHARED uint16_t ffn_q32_half(float x) {
  const uint32_t bits = (uint32_t)ffn_bits(x);
  if (!(x < 65520.0f))
    return 0x7c00;
  if (x < 0x1p-14f)
    return (uint16_t)(ffn_bits(x + 0.5f) - ffn_bits(0.5f));
  return (uint16_t)(((bits + 0xfff + (bits >> 13 & 1)) >> 13) - (112 << 10));
}

FFN_SHARED float ffn_q32_float(uint16_t half) {
  if (half < 0x400)
    return (float)half * 0x1p-24f;
  return ffn_from_bits(half == 0x7c00 ? 0x7f800000 : (half << 13) + (112 << 23));
}

/* The q of a weight. */
FFN_SHARED uint32_t ffn_q32_of(float weight, float scale) {
  const float q = scale > 0.0f ? weight / scale + 8.5f : 8.5f;
  return !(q > 0.0f) ? 0 : q >= 16.0f ? 15 : (uint32_t)q;
}
]],
  value = function(v, lines, state, i)
    local q = v.field(lines.nibbles, 4, i < 4 and 8 * i or 8 * (i - 4) + 4)
    return v.mul(v.from_int(v.isub(q, v.iconst(8))), state.scale)
  end,
  pack = function(c)
    return (([[
float most = 0.0f;
for (size_t k = 0; k < 32; ++k)
  most = ffn_abs(WEIGHT_K) > most ? ffn_abs(WEIGHT_K) : most;
SCALE = ffn_q32_half(most / 7.0f);
const float scale_of_all = ffn_q32_float(SCALE);
for (size_t line = 0; line < 4; ++line) {
  uint32_t nibbles_of_line = 0;
  for (size_t b = 0; b < 4; ++b) {
    nibbles_of_line |= ffn_q32_of(WEIGHT_LOW, scale_of_all) << 8 * b;
    nibbles_of_line |= ffn_q32_of(WEIGHT_HIGH, scale_of_all) << (8 * b + 4);
  }
  NIBBLES = nibbles_of_line;
}]]):gsub('%u[%u_]+', {
      WEIGHT_K = c.weight('k'), WEIGHT_LOW = c.weight('8 * line + b'),
      WEIGHT_HIGH = c.weight('8 * line + 4 + b'), SCALE = c.lane('scale', 0),
      NIBBLES = c.lane('nibbles', 'line'),
    }))
  end,
}
