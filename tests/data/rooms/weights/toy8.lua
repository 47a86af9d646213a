--- 32 signed bytes with an f32 scale: scale * q. Byte b of a lane is k b of its step.
return {
  name = 'toy8',
  about = '32 bytes with a scale',
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f32' } },
      open = function(_, lines) return { scale = lines.scale } end,
    },
  },
  step = { k = 4, lines = { { plane = 'quants', lane = 'u32' } } },
  registers = 1,
  helpers = [[
/* A weight as a multiple of the scale, of which 127 are the largest of its group. */
FFN_SHARED int32_t ffn_toy8_of(float weight, float most) {
  const float q = weight * (most > 0.0f ? 127.0f / most : 0.0f);
  return (int32_t)(q + (q < 0.0f ? -0.5f : 0.5f));
}
]],
  value = function(v, lines, state, i)
    local q = v.sar(i < 3 and v.shl(lines.quants, 24 - 8 * i) or lines.quants, 24)
    return v.mul(v.from_int(q), state.scale)
  end,
  products = { bits = 8, signed = true, take = function(_, lines) return lines.quants end },
  pack = function(c)
    return (([[
float most = 0.0f;
for (size_t k = 0; k < 32; ++k)
  most = ffn_abs(WEIGHT_K) > most ? ffn_abs(WEIGHT_K) : most;
SCALE = most / 127.0f;
for (size_t line = 0; line < 8; ++line) {
  uint32_t bytes = 0;
  for (size_t b = 0; b < 4; ++b)
    bytes |= (uint32_t)(ffn_toy8_of(WEIGHT_B, most) & 255) << 8 * b;
  QUANTS = bytes;
}]]):gsub('%u[%u_]+', {
      WEIGHT_K = c.weight('k'), WEIGHT_B = c.weight('4 * line + b'), SCALE = c.lane('scale', 0),
      QUANTS = c.lane('quants', 'line'),
    }))
  end,
}
