--- GGUF's q4_K: d scale q - dmin min, q from 0 to 15. Byte b of a lane has k b in its low half and
--- k 4 + b in its high one.
local half = require 'weights.f16_scales'
local minima = require 'weights.minima'
local nibbles = require 'weights.nibbles'
local position = require 'weights.position'

local take, give, pack = minima.of {
  planes = { NIBBLES = 'nibbles' }, bytes = 144, encode = 'ffn_q4_K_block',
  take = minima.take_nibbles(16), give = minima.give_nibbles(16),
}

--- A block of floats: scales and minima of 32 weights are tried around those that reach from the
--- least of them to the largest. Of all candidates the first with the least sum of squares is
--- taken. The square of an error that is an f32 is exact in double, so sums are the same
--- everywhere. Most candidates need no such sum: one in f32 tells that they are not the best.
--- Scales and minima are f16 times 6 bits, so they are exact, 1 / scale is normal, and steps are
--- three roundings off: the error of a weight, e steps, is within 2^-22 (e + 15), and 32 squares
--- within 2^-17 (sum + 32), roundings of the sum with them. Twice that is allowed for.
local search = [[
/* So many steps, to the nearest. */
FFN_SHARED uint32_t ffn_q4_K_steps(float size, float inverse, uint32_t most) {
  const float steps = (float)((double)size * (double)inverse); /* rounded before it is used */
  const float shifted = steps + 0.5f;
  return shifted < 1.0f ? 0u : shifted < (float)most ? (uint32_t)shifted : most;
}

/* The sum of squares, but where it is no less than `most`. */
FFN_SHARED double ffn_q4_K_error(const float *w, float scale, float least, double most) {
  const float inverse = ffn_inverse_of(scale);
  double sum = 0.0;
  for (size_t k = 0; k < 32 && sum < most; ++k) {
    const uint32_t q = ffn_q4_K_steps(w[k] + least, inverse, 15u);
    const float error = (float)((double)w[k] - ((double)scale * (double)q - (double)least));
    sum += (double)error * (double)error;
  }
  return sum;
}

/* About the sum of squares of the errors of 32 weights, in units of scale * scale: at most
 * 2^-16 (sum + 32) off. In f32, in loops that compilers make vectors of. w begins at any float. */
FFN_SHARED float ffn_q4_K_about(const float *w, float scale, float least) {
  const int32_t most = 0x41700000; /* 15.0f: floats from +0 on are in the order of their bits */
  const float inverse = ffn_inverse_of(scale);
  float squares[32];
  for (size_t k = 0; k < 32; ++k) {
    const float steps = (w[k] + least) * inverse;
    const int32_t above = ffn_bits(steps) & ~(ffn_bits(steps) >> 31); /* 0 for what is below 0 */
    const float within = ffn_from_bits(above < most ? above : most);
    const float error = steps - (float)(int32_t)(within + 0.5f);
    squares[k] = error * error;
  }
  for (size_t k = 0; k < 16; ++k)
    squares[k] += squares[16 + k];
  for (size_t k = 0; k < 8; ++k)
    squares[k] += squares[8 + k];
  for (size_t k = 0; k < 4; ++k)
    squares[k] += squares[4 + k];
  return squares[0] + squares[1] + (squares[2] + squares[3]);
}

/* The scale of 32 weights, and above its 6 bits the minimum: of those around `scale` and `least`,
 * in units of all[0] and all[1], the first with the least error. Sums are exact only for those that
 * may be the best by about what they are. Pointers begin at any float. */
FFN_SHARED uint32_t ffn_q4_K_best(
    const float *w, const float *all, uint32_t scale, uint32_t least) {
  uint32_t tried[30], count = 0u, left = 0u, best = 0u;
  double from[30], below = 0x1p127, most = 0x1p127; /* sums are far below it */
  for (uint32_t s = scale > 4u ? scale - 4u : 0u; s <= scale + 1u && s < 64u; ++s)
    for (uint32_t m = least > 3u ? least - 3u : 0u; m <= least + 1u && m < 64u; ++m) {
      const float step = all[0] * (float)s;
      const double unit = (double)step * (double)step;
      const double about = (double)ffn_q4_K_about(w, step, all[1] * (float)m);
      const double off = (about + 32.0) * 0x1p-16;
      const double to = s ? (about + off) * unit : below; /* of scale 0 it tells nothing */
      tried[count] = s | m << 6;
      from[count++] = s ? (about - off) * unit : 0.0;
      below = to < below ? to : below;
    }
  for (uint32_t i = 0u; i < count; ++i)
    if (from[i] <= below)
      tried[left++] = tried[i];
  for (uint32_t i = 0u; left > 1u && i < left; ++i) {
    const float step = all[0] * (float)(tried[i] & 63u), away = all[1] * (float)(tried[i] >> 6);
    const double error = ffn_q4_K_error(w, step, away, most);
    best = error < most ? i : best;
    most = error < most ? error : most;
  }
  return tried[best];
}

/* The block of 256 weights w, any floats: two scales of all, 6 bits each of 8 scales and 8 minima,
 * and 4 bits of each weight. `own` begins at any byte. */
FFN_SHARED void ffn_q4_K_block(const float *w, unsigned char *own) {
  const int finite = ffn_largest_of(w, 256) < 0x7f800000u;
  float reach[16], all[2] = {0.0f, 0.0f};
  for (size_t i = 0; i < 144; ++i)
    own[i] = 0;
  for (size_t j = 0; j < 8; ++j) {
    float low = 0.0f, high = w[32 * j];
    for (size_t k = 0; k < 32; ++k) {
      low = w[32 * j + k] < low ? w[32 * j + k] : low;
      high = w[32 * j + k] > high ? w[32 * j + k] : high;
    }
    reach[2 * j] = (float)(((double)high - (double)low) / 15.0);
    reach[2 * j + 1] = 0.0f - low;
    for (size_t i = 0; i < 2; ++i)
      all[i] = reach[2 * j + i] > all[i] ? reach[2 * j + i] : all[i];
  }
  for (size_t i = 0; i < 2; ++i) {
    /* Of a NaN all are NaN, as of what is infinite. */
    const uint16_t stored = finite ? ffn_f16_of(all[i] / 63.0f) : i == 0 ? 0x7e00 : 0;
    own[2 * i] = (unsigned char)(stored & 255);
    own[2 * i + 1] = (unsigned char)(stored >> 8);
    all[i] = ffn_f16_value(stored);
  }
  if (!finite || all[0] > 65504.0f || all[1] > 65504.0f)
    return;
  for (size_t j = 0; j < 8; ++j) {
    const uint32_t scale = ffn_q4_K_steps(reach[2 * j], ffn_inverse_of(all[0]), 63u);
    const uint32_t least = ffn_q4_K_steps(reach[2 * j + 1], ffn_inverse_of(all[1]), 63u);
    const uint32_t best = ffn_q4_K_best(w + 32 * j, all, scale, least);
    const uint32_t s = best & 63u, m = best >> 6;
    own[4 + j] = (unsigned char)(own[4 + j] | (j < 4 ? s : m >> 4 << 6));
    own[8 + j] = (unsigned char)(j < 4 ? m : (s & 15u) | (m & 15u) << 4);
    if (j >= 4)
      own[j] = (unsigned char)(own[j] | s >> 4 << 6);
    const float step = all[0] * (float)s, from = all[1] * (float)m;
    const float inverse = ffn_inverse_of(step);
    for (size_t k = 0; k < 32; ++k) {
      const uint32_t q = ffn_q4_K_steps(w[32 * j + k] + from, inverse, 15u);
      own[16 + j / 2 * 32 + k] |= (unsigned char)(q << j % 2 * 4);
    }
  }
}
]]

return {
  name = 'q4_K',
  about = "GGUF's blocks of 256 weights of 4 bits, each 32 with a scale and a minimum",
  levels = minima.levels(),
  step = nibbles.step, registers = nibbles.registers,
  ready = position.ready_from(4), value = nibbles.value,
  products = { bits = 4, take = nibbles.bytes, registers = 2, minima = true, short_scale = true },
  source = { k = 256, bytes = 144 },
  take = take, give = give, pack = pack,
  helpers = { minima.helper, half.nearest, half.inverse, half.largest, half.value, search },
}
