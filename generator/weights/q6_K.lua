--- GGUF's q6_K: d scale (q - 32), q from 0 to 63, of each 16 weights a scale from -128 to 127. A
--- lane of three lines holds 16 k: the low 6 bits of byte b of line t are k 4 t + b, the top two
--- are bits 2 t and 2 t + 1 of k 12 + b.
local blocks = require 'weights.quantization_blocks'
local half = require 'weights.f16_scales'
local position = require 'weights.position'

local take, give, pack = blocks.of {
  planes = {
    SCALE = 'scale', PARTS = 'parts', FIRST = 'first', SECOND = 'second', THIRD = 'third',
  }, bytes = 210, encode = 'ffn_q6_K_block',
  -- Of 128 weights the first 64 are the low halves of 64 bytes, the others the high ones; the top
  -- two bits of k 32 t + l are bits 2 t and 2 t + 1 of byte l of 32.
  take = blocks.take_half('SCALE', 208) .. [[
for (size_t n = 0; n < 16; ++n) {
  uint32_t lines[3] = {0, 0, 0};
  for (size_t i = 0; i < 16; ++i) {
    const size_t k = 16 * n + i, t = k / 32 % 4, b = 8 * (i % 4);
    const uint32_t low = (uint32_t)OWN[k / 128 * 64 + k % 64] >> t / 2 * 4 & 15;
    const uint32_t q = low | ((uint32_t)OWN[128 + k / 128 * 32 + k % 32] >> 2 * t & 3) << 4;
    for (size_t line = 0; line < 3; ++line) {
      lines[line] |= i / 4 == line ? q << b : 0;
      lines[line] |= i / 4 == 3 ? (q >> 2 * line & 3) << (b + 6) : 0;
    }
  }
  PARTS[n] = (uint8_t)(OWN[192 + n] ^ 128);
  FIRST[n] = lines[0];
  SECOND[n] = lines[1];
  THIRD[n] = lines[2];
}]],
  give = blocks.give_half('SCALE', 208) .. [[
for (size_t b = 0; b < 192; ++b)
  OWN[b] = 0;
for (size_t n = 0; n < 16; ++n) {
  const uint32_t lines[3] = {FIRST[n], SECOND[n], THIRD[n]};
  for (size_t i = 0; i < 16; ++i) {
    const size_t k = 16 * n + i, t = k / 32 % 4, b = 8 * (i % 4);
    const uint32_t top = (lines[0] >> b >> 6 & 3) | (lines[1] >> b >> 6 & 3) << 2 |
                         (lines[2] >> b >> 6 & 3) << 4;
    const uint32_t q = i < 12 ? lines[i / 4 % 3] >> b & 63 : top;
    OWN[k / 128 * 64 + k % 64] |= (unsigned char)((q & 15) << t / 2 * 4);
    OWN[128 + k / 128 * 32 + k % 32] |= (unsigned char)(q >> 4 << 2 * t);
  }
  OWN[192 + n] = (unsigned char)(PARTS[n] ^ 128);
}]],
}

--- A block of floats: scales of 16 weights are tried around the one that makes -32 of the weight of
--- the largest size, and the first with the least sum of squares is taken. The square of an error
--- that is an f32 is exact in double, so sums are the same everywhere.
local search = [[
/* So many steps and `middle`, to the nearest of 0 to 2 * middle - 1. */
FFN_SHARED int32_t ffn_q6_K_steps(float size, float inverse, int32_t middle) {
  const float steps = (float)((double)size * (double)inverse); /* rounded before it is used */
  const float shifted = steps + ((float)middle + 0.5f);
  const int32_t most = 2 * middle - 1;
  return shifted < 1.0f ? 0 : shifted < (float)most ? (int32_t)shifted : most;
}

/* The sum of squares, but where it is no less than `most`. */
FFN_SHARED double ffn_q6_K_error(const float *w, float scale, double most) {
  const float inverse = ffn_inverse_of(scale);
  double sum = 0.0;
  for (size_t k = 0; k < 16 && sum < most; ++k) {
    const int32_t q = ffn_q6_K_steps(w[k], inverse, 32) - 32;
    const float error = (float)((double)w[k] - (double)scale * (double)q);
    sum += (double)error * (double)error;
  }
  return sum;
}

/* The best scale of 16 weights around `scale`, in units of `all`. Pointers begin at any float. */
FFN_SHARED int32_t ffn_q6_K_best(const float *w, float all, int32_t scale) {
  double most = ffn_q6_K_error(w, all * (float)scale, 0x1p127); /* sums are far below it */
  int32_t best = scale;
  for (int32_t s = scale > -120 ? scale - 8 : -128; s <= scale + 8 && s < 128; ++s) {
    const double error = ffn_q6_K_error(w, all * (float)s, most);
    if (error < most) {
      most = error;
      best = s;
    }
  }
  return best;
}

/* The block of 256 weights w, any floats: a scale of all, which makes -128 of the largest scale of
 * 16 weights, 8 bits of each of these and 6 bits of each weight. `own` begins at any byte. */
FFN_SHARED void ffn_q6_K_block(const float *w, unsigned char *own) {
  const int finite = ffn_largest_of(w, 256) < 0x7f800000u;
  float reach[16], most = 0.0f;
  for (size_t i = 0; i < 210; ++i)
    own[i] = 0;
  for (size_t n = 0; n < 16; ++n) {
    reach[n] = 0.0f;
    for (size_t k = 16 * n; k < 16 * n + 16; ++k)
      reach[n] = ffn_abs(w[k]) > ffn_abs(reach[n]) ? w[k] : reach[n];
    most = ffn_abs(reach[n]) > ffn_abs(most) ? reach[n] : most;
  }
  /* Of a NaN all are NaN, as of what is infinite. */
  const uint16_t stored = finite ? ffn_f16_of(most / 4096.0f) : 0x7e00;
  const float all = ffn_f16_value(stored);
  own[208] = (unsigned char)(stored & 255);
  own[209] = (unsigned char)(stored >> 8);
  if (!finite || ffn_abs(all) > 65504.0f || all == 0.0f)
    return;
  for (size_t n = 0; n < 16; ++n) {
    const float inverse = ffn_inverse_of(all);
    const int32_t first = ffn_q6_K_steps(reach[n] / -32.0f, inverse, 128) - 128;
    const int32_t scale = ffn_q6_K_best(w + 16 * n, all, first);
    const float each = ffn_inverse_of(all * (float)scale);
    own[192 + n] = (unsigned char)(scale & 255);
    for (size_t k = 16 * n; k < 16 * n + 16; ++k) {
      const uint32_t q = (uint32_t)ffn_q6_K_steps(w[k], each, 32), t = k / 32 % 4;
      own[k / 128 * 64 + k % 64] |= (unsigned char)((q & 15u) << t / 2 * 4);
      own[128 + k / 128 * 32 + k % 32] |= (unsigned char)(q >> 4 << 2 * t);
    }
  }
}
]]

--- The four bytes of line 3, which is the top bits of the others.
local function last_line(v, lines)
  local first = v.iand(v.shr(lines.first, 6), v.iconst(0x03030303))
  local second = v.iand(v.shr(lines.second, 4), v.iconst(0x0c0c0c0c))
  return v.ior(v.ior(first, second), v.iand(v.shr(lines.third, 2), v.iconst(0x30303030)))
end

local planes = { [0] = 'first', 'second', 'third' }

return {
  name = 'q6_K',
  about = "GGUF's blocks of 256 weights of 6 bits, each 16 with a scale",
  levels = {
    {
      k = 256, lines = { { plane = 'scale', lane = 'f16' } },
      open = function(v, lines)
        local minus = v.mul(lines.scale, v.const(-128))
        return { scale = lines.scale }, { scale = lines.scale, minus = minus }
      end,
    },
    {
      k = 16, lines = { { plane = 'parts', lane = 'u8' } },
      open = function(v, lines, outer)
        local factor = v.isub(lines.parts, v.iconst(128))
        return { scale = outer.scale, factor = factor },
          { scale = outer.scale, minus = outer.minus, parts = lines.parts }
      end,
    },
  },
  step = {
    k = 16, lines = {
      { plane = 'first', lane = 'u32' }, { plane = 'second', lane = 'u32' },
      { plane = 'third', lane = 'u32' },
    },
  },
  registers = position.registers(6),
  ready = function(v, group)
    -- Exact; NaN where the scale of all is not finite.
    local scale = v.let('scale', v.fma(v.from_int(group.parts), group.scale, group.minus))
    return position.ready(v, 6, scale, v.mul(scale, v.const(-32)))
  end,
  value = function(v, lines, state, i)
    local line = i < 12 and lines[planes[i // 4]] or last_line(v, lines)
    return position.value(v, 6, line, 8 * (i % 4), state)
  end,
  products = {
    bits = 6, offset = 32, registers = 2, factor = true,
    take = function(v, lines, _, i)
      local own = i < 12 and v.iand(lines[planes[i // 4]], v.iconst(0x3f3f3f3f))
      return own or last_line(v, lines)
    end,
  },
  source = { k = 256, bytes = 210 },
  take = take, give = give, pack = pack,
  helpers = { half.nearest, half.inverse, half.largest, half.value, search },
}
