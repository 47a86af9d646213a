--- 64 bytes with a scale, each 16 of them with one of 6 bits, too: scale * sub * (q - 128).
return {
  name = 'k64',
  about = '64 weights of 8 bits with a scale, and one of 6 bits for each 16',
  levels = {
    {
      k = 64, lines = { { plane = 'scale', lane = 'f16' }, { plane = 'subs', lane = 'u32' } },
      open = function(_, lines) return { scale = lines.scale, subs = lines.subs } end,
    },
    {
      k = 16,
      open = function(v, _, outer, index)
        local sub = v.field(outer.subs, 6, v.affine(index, 6, 0))
        return { scale = v.mul(v.from_int(sub), outer.scale) }
      end,
    },
  },
  step = { k = 4, lines = { { plane = 'quants', lane = 'u32' } } },
  registers = 2,
  products = { bits = 8, offset = 128, take = function(_, lines) return lines.quants end },
  ready = function(v, group)
    local factor = v.let('factor', group.scale)
    return { factor = factor, offset = v.mul(factor, v.const(-128)) }
  end,
  helpers = [[
/* x >= 0 as f16, rounded to nearest even: 0.5 has the last place that f16 has below 2^-14. */
FFN_SHARED uint16_t ffn_k64_half(float x) {
  const uint32_t bits = (uint32_t)ffn_bits(x);
  if (!(x < 65520.0f))
    return 0x7c00;
  if (x < 0x1p-14f)
    return (uint16_t)(ffn_bits(x + 0.5f) - ffn_bits(0.5f));
  return (uint16_t)(((bits + 0xfff + (bits >> 13 & 1)) >> 13) - (112 << 10));
}

FFN_SHARED float ffn_k64_float(uint16_t half) {
  if (half < 0x400)
    return (float)half * 0x1p-24f;
  return ffn_from_bits(half == 0x7c00 ? 0x7f800000 : (half << 13) + (112 << 23));
}

/* The largest of some weights. */
FFN_SHARED float ffn_k64_most(const float *w, size_t count) {
  float most = 0.0f;
  for (size_t k = 0; k < count; ++k)
    most = ffn_abs(w[k]) > most ? ffn_abs(w[k]) : most;
  return most;
}

/* x / unit, which is rounded, as an integer of at most `most`. */
FFN_SHARED uint32_t ffn_k64_of(float x, float unit, float zero, uint32_t most) {
  const float q = unit > 0.0f ? x / unit + zero : zero;
  return !(q > 0.0f) ? 0 : q >= (float)most ? most : (uint32_t)q;
}
]],
  value = function(v, lines, state, i)
    return v.fma(v.from_int(v.field(lines.quants, 8, 8 * i)), state.factor, state.offset)
  end,
  pack = function(c)
    return (([[
SCALE = ffn_k64_half(ffn_k64_most(&FIRST, 64) / (127.0f * 63.0f));
const float scale_of_all = ffn_k64_float(SCALE);
uint32_t subs_of_all = 0;
for (size_t part = 0; part < 4; ++part) {
  const float most = ffn_k64_most(&OF_PART, 16);
  const uint32_t sub = ffn_k64_of(most / 127.0f, scale_of_all, 0.999f, 63);
  subs_of_all |= sub << 6 * part;
  for (size_t line = 4 * part; line < 4 * part + 4; ++line) {
    uint32_t bytes = 0;
    for (size_t b = 0; b < 4; ++b)
      bytes |= ffn_k64_of(OF_BYTE, scale_of_all * (float)sub, 128.5f, 255) << 8 * b;
    QUANTS = bytes;
  }
}
SUBS = subs_of_all;]]):gsub('%u[%u_]+', {
      FIRST = c.weight(0), OF_PART = c.weight('16 * part'), OF_BYTE = c.weight('4 * line + b'),
      SCALE = c.lane('scale', 0), SUBS = c.lane('subs', 0), QUANTS = c.lane('quants', 'line'),
    }))
  end,
}
