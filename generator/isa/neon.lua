--- Advanced SIMD of AArch64: 4 lanes, 32 registers.
local tables = require 'isa.tables'

local dot_small = [[
/* The sum, and the products of four bytes below 128 and four with a sign. Two products fit 16 bits,
 * even of bytes with a sign. */
FFN_INLINE int32x4_t ffn_dot_small_neon(int32x4_t sum, int32x4_t a, int32x4_t b) {
  const int8x16_t w = vreinterpretq_s8_s32(a), x = vreinterpretq_s8_s32(b);
  const int16x8_t low = vmull_s8(vget_low_s8(w), vget_low_s8(x)), high = vmull_high_s8(w, x);
  return vpadalq_s16(sum, vpaddq_s16(low, high));
}]]

return {
  name = 'neon',
  title = 'NEON (AArch64)',
  arch = 'FFN_ARCH_ARM64',
  include = 'arm_neon.h',
  target = '',
  -- HWCAP_ASIMD. Part of every AArch64, unless a system hides it.
  detect = 'ffn_cpu_hwcap(1)',
  rank = 10,
  lanes = 4,
  files = { vector = 32 },
  broadcasts = false,
  operands = false,
  settles = false,
  fused = true,
  wide = 'never',
  code_bytes = { kernel = 0, stage = 5400, fma = 10.5, word = 4 },
  vec = 'float32x4_t',
  ivec = 'int32x4_t',
  helpers = '',
  word_instructions = { from_e2m1 = 3, from_iq4 = 3, load_f8 = 6, load_u8 = 3 },
  word_helpers = tables.beside(tables.bytes_beside({
    dot_nibbles = dot_small, dot_small = dot_small,
    dot_large = [[
/* The same of bytes, 128 less. */
FFN_INLINE int32x4_t ffn_dot_large_neon(int32x4_t sum, int32x4_t a, int32x4_t b) {
  const int8x16_t w = vreinterpretq_s8_s32(veorq_s32(a, vdupq_n_s32((int32_t)0x80808080)));
  const int8x16_t x = vreinterpretq_s8_s32(b);
  const int16x8_t low = vmull_s8(vget_low_s8(w), vget_low_s8(x)), high = vmull_high_s8(w, x);
  return vpadalq_s16(sum, vpaddq_s16(low, high));
}]],
    load_f8 = [[
/* E4M3 becomes f16, 2^-8 of it: its size is 7 bits further up, behind a sign of two bits. One more
 * has the sign's second bit unless it carries, from the largest, which is NaN: so that bit becomes
 * 0, or with all below it the exponent of NaN. */
FFN_INLINE float32x4_t ffn_load_f8_neon(const uint8_t *from) {
  uint32_t bytes;
  FFN_MEMCPY(&bytes, from, sizeof bytes);
  const int16x8_t all = vshll_n_s8(vreinterpret_s8_u32(vdup_n_u32(bytes)), 7);
  const uint16x4_t place = vreinterpret_u16_s16(vget_low_s16(all));
  const uint16x4_t second = vand_u16(vadd_u16(place, vdup_n_u16(0x80)), vdup_n_u16(0x4000));
  return vcvt_f32_f16(vreinterpret_f16_u16(veor_u16(place, second)));
}]],
    load_u8 = [[
FFN_INLINE int32x4_t ffn_load_u8_neon(const uint8_t *from) {
  uint32_t bytes;
  FFN_MEMCPY(&bytes, from, sizeof bytes);
  const uint8x8_t all = vreinterpret_u8_u32(vdup_n_u32(bytes));
  return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(all))));
}]],
  }, [[
/* What each byte chooses, as bytes. */
FFN_INLINE int32x4_t NAME_neon(int32x4_t chosen) {
  static const uint8_t levels[16] = {
      BYTES};
  return vreinterpretq_s32_u8(vqtbl1q_u8(vld1q_u8(levels), vreinterpretq_u8_s32(chosen)));
}]]), [[
/* The level that four bits of a line choose. A table of bytes is looked up by all bytes of the
 * line, once for the four that begin at bits 0, 8, 16 and 24. */
FFN_INLINE float32x4_t NAME_neon(int32x4_t line, int at) {
  static const int8_t levels[16] = {
      BYTES};
  const uint8x16_t all = vreinterpretq_u8_s32(line);
  const uint8x16_t low = at % 8 == 0 ? vandq_u8(all, vdupq_n_u8(15)) : vshrq_n_u8(all, 4);
  const int32x4_t bytes = vreinterpretq_s32_s8(vqtbl1q_s8(vld1q_s8(levels), low));
  const int32x4_t top = vshlq_s32(bytes, vdupq_n_s32(24 - at / 8 * 8));
  return vcvtq_f32_s32(VALUE);
}]], {
    [0] = 'vshrq_n_s32(top, 24)',
    [24] = 'at < 8 ? top : vandq_s32(top, vdupq_n_s32(-0x1000000))',
  }),
  -- AArch64 has no masked store.
  store_tail = [[
FFN_INLINE void ffn_store_tail_neon(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}]],
  turn = [[
/* 4 floats of each of 4 tokens: [token][4] to [4][token], or back. Pointers begin at any float. */
FFN_INLINE void ffn_turn_neon(float *to, size_t step, const float *from, size_t stride) {
  const float32x4_t a = vld1q_f32(from), b = vld1q_f32(from + stride);
  const float32x4_t c = vld1q_f32(from + 2 * stride), d = vld1q_f32(from + 3 * stride);
  const float32x4_t even = vtrn1q_f32(a, b), odd = vtrn2q_f32(a, b);
  const float32x4_t even_2 = vtrn1q_f32(c, d), odd_2 = vtrn2q_f32(c, d);
  vst1q_f32(to, vcombine_f32(vget_low_f32(even), vget_low_f32(even_2)));
  vst1q_f32(to + step, vcombine_f32(vget_low_f32(odd), vget_low_f32(odd_2)));
  vst1q_f32(to + 2 * step, vcombine_f32(vget_high_f32(even), vget_high_f32(even_2)));
  vst1q_f32(to + 3 * step, vcombine_f32(vget_high_f32(odd), vget_high_f32(odd_2)));
}]],
  turn_in = [[
FFN_INLINE void ffn_turn_in_neon(float *to, size_t step, const float *from, size_t stride) {
  ffn_turn_neon(to, step, from, stride);
}]],
  turn_out = [[
FFN_INLINE void ffn_turn_out_neon(float *to, size_t stride, const float *from, size_t step) {
  ffn_turn_neon(to, stride, from, step);
}]],
  dots = [[
/* At most four `rows` of `a`, all `inputs` of each, times a column of weights, `step` apart. The
 * eight chains of a sum are lanes of two vectors, and four sums are folded at once. The sum of row
 * r in lane r. Pointers begin at any float. */
FFN_INLINE float32x4_t ffn_dots_neon(
    const float *a, size_t stride, const float *w, size_t step, size_t inputs, const int rows) {
  float32x4_t s[4], high[4];
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    s[r] = high[r] = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < inputs; k += 8, w += 8 * step) {
    float32x4_t column = vld1q_dup_f32(w), other = vld1q_dup_f32(w + 4 * step);
    column = vld1q_lane_f32(w + step, column, 1);
    column = vld1q_lane_f32(w + 2 * step, column, 2);
    column = vld1q_lane_f32(w + 3 * step, column, 3);
    other = vld1q_lane_f32(w + 5 * step, other, 1);
    other = vld1q_lane_f32(w + 6 * step, other, 2);
    other = vld1q_lane_f32(w + 7 * step, other, 3);
    FFN_UNROLL
    for (int r = 0; r < rows; ++r) {
      const float *row = a + (size_t)r * stride + k;
      s[r] = vfmaq_f32(s[r], vld1q_f32(row), column);
      high[r] = vfmaq_f32(high[r], vld1q_f32(row + 4), other);
    }
  }
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    s[r] = vaddq_f32(s[r], high[r]);
  s[0] = vaddq_f32(vzip1q_f32(s[0], s[1]), vzip2q_f32(s[0], s[1]));
  s[2] = vaddq_f32(vzip1q_f32(s[2], s[3]), vzip2q_f32(s[2], s[3]));
  return vaddq_f32(vcombine_f32(vget_low_f32(s[0]), vget_low_f32(s[2])),
                   vcombine_f32(vget_high_f32(s[0]), vget_high_f32(s[2])));
}]],
  operand_helpers = {
    s8_part = [[
/* Of 4 numbers from k on those that are there; zeros behind them. */
FFN_INLINE float32x4_t ffn_s8_part_ISA(const float *x, size_t k, size_t count) {
  float lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  if (k + 4 <= count)
    return vld1q_f32(x + k);
  for (size_t i = k; i < count; ++i)
    lanes[i - k] = x[i];
  return vld1q_f32(lanes);
}]],
    s8_quantise = [[
/* A group of floats, of which `count` are there, as bytes from -127 to 127 and their scale. */
FFN_INLINE void ffn_s8_quantise_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count) {
  uint32x4_t sizes = vdupq_n_u32(0);
  for (size_t k = 0; k < group; k += 4) {
    const float32x4_t size = vabsq_f32(ffn_s8_part_ISA(x, k, count));
    sizes = vmaxq_u32(sizes, vreinterpretq_u32_f32(size));
  }
  const float inverse = ffn_s8_scale_ISA(scale, (int32_t)vmaxvq_u32(sizes));
  for (size_t k = 0; k < group; k += 8) {
    int16x4_t rounded[2];
    FFN_UNROLL
    for (size_t i = 0; i < 2; ++i) {
      const float32x4_t part = ffn_s8_part_ISA(x, k + 4 * i, count);
      rounded[i] = vmovn_s32(vcvtnq_s32_f32(vmulq_n_f32(part, inverse)));
    }
    vst1_s8(quants + k, vmovn_s16(vcombine_s16(rounded[0], rounded[1])));
  }
}]],
    s8_clip = [[
/* Floats, of which `count` are there, as bytes: x / of, rounded to an integer and no further from 0
 * than 127. The scale is `of`, or a NaN beside a NaN, whose byte may be any. */
FFN_INLINE void ffn_s8_clip_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count, float of) {
  const float32x4_t most = vdupq_n_f32(127.0f), least = vdupq_n_f32(-127.0f);
  uint32x4_t numbers = vdupq_n_u32(0xffffffffu); /* all of whose quotients are some */
  for (size_t k = 0; k < group; k += 8) {
    int16x4_t rounded[2];
    FFN_UNROLL
    for (size_t i = 0; i < 2; ++i) {
      const float32x4_t part = ffn_s8_part_ISA(x, k + 4 * i, count);
      const float32x4_t quotient = vdivq_f32(part, vdupq_n_f32(of));
      const float32x4_t clipped = vmaxq_f32(vminq_f32(quotient, most), least);
      numbers = vandq_u32(numbers, vceqq_f32(quotient, quotient));
      rounded[i] = vmovn_s32(vcvtnq_s32_f32(clipped));
    }
    vst1_s8(quants + k, vmovn_s16(vcombine_s16(rounded[0], rounded[1])));
  }
  *scale = vminvq_u32(numbers) ? of : ffn_from_bits(0x7fc00000);
}]],
    s8_sum = [[
/* The sum of so many bytes, a multiple of 16. */
FFN_INLINE int32_t ffn_s8_sum_ISA(const int8_t *quants, size_t count) {
  int32x4_t sums = vdupq_n_s32(0);
  for (size_t k = 0; k < count; k += 16)
    sums = vpadalq_s16(sums, vpaddlq_s8(vld1q_s8(quants + k)));
  return vaddvq_s32(sums);
}]],
  },
  arithmetic = {
    fma_f32 = {},
    dot_s8 = {
      nibbles_begin = '$1',
      dot_nibbles = 'ffn_dot_small_neon($1, $2, $3)',
      nibbles_end = '$1',
      dot_small = 'ffn_dot_small_neon($1, $2, $3)',
      dot_large = 'ffn_dot_large_neon($1, $2, $3)',
      dot_large_begin = '$1',
      imul_small = 'vmulq_s32($1, $2)',
      imul_large = 'vmulq_s32($1, $2)',
      bytes_e2m1 = 'ffn_bytes_e2m1_neon($1)',
      bytes_iq4 = 'ffn_bytes_iq4_neon($1)',
    },
  },
  words = {
    zero = 'vdupq_n_f32(0.0f)',
    splat = 'vdupq_n_f32($1)',
    splat_at = 'vld1q_dup_f32(&$1)',
    load = 'vld1q_f32($1)',
    loadu = 'vld1q_f32($1)',
    store = 'vst1q_f32($1, $2)',
    storeu = 'vst1q_f32($1, $2)',
    store_u32 = 'vst1q_u32($1, vreinterpretq_u32_s32($2))',
    store_tail = 'ffn_store_tail_neon($1, $2, $3)',
    add = 'vaddq_f32($1, $2)',
    sub = 'vsubq_f32($1, $2)',
    mul = 'vmulq_f32($1, $2)',
    div = 'vdivq_f32($1, $2)',
    fma = 'vfmaq_f32($3, $1, $2)',
    fnma = 'vfmsq_f32($3, $1, $2)',
    sqrt = 'vsqrtq_f32($1)',
    abs = 'vabsq_f32($1)',
    neg = 'vnegq_f32($1)',
    flip = 'vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32($1), '
      .. 'vdupq_n_u32(0x80000000u)))',
    -- A comparison, not FMAX: it keeps NaN and the sign of zero as x86 does.
    at_least = 'vbslq_f32(vcltq_f32($1, $2), $2, $1)',
    at_most = 'vbslq_f32(vcgtq_f32($1, $2), $2, $1)',
    select_lt = 'vbslq_f32(vcltq_f32($1, $2), $3, $4)',
    isplat = 'vdupq_n_s32($1)',
    bits = 'vreinterpretq_s32_f32($1)',
    iadd = 'vaddq_s32($1, $2)',
    isub = 'vsubq_s32($1, $2)',
    sar = 'vshrq_n_s32($1, $2)',
    shl = 'vshlq_n_s32($1, $2)',
    from_bits = 'vreinterpretq_f32_s32($1)',
    iand = 'vandq_s32($1, $2)',
    ior = 'vorrq_s32($1, $2)',
    shr = 'vreinterpretq_s32_u32(vshrq_n_u32(vreinterpretq_u32_s32($1), $2))',
    -- A shift to the left by a negative number is one to the right.
    shr_by = 'vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32($1), '
      .. 'vdupq_n_s32(-(int32_t)($2))))',
    high_nibbles = 'vreinterpretq_s32_u8(vshrq_n_u8(vreinterpretq_u8_s32($1), 4))',
    from_int = 'vcvtq_f32_s32($1)',
    load_u8 = 'ffn_load_u8_neon($1)',
    load_u16 = 'vreinterpretq_s32_u32(vmovl_u16(vld1_u16($1)))',
    load_u32 = 'vreinterpretq_s32_u32(vld1q_u32($1))',
    from_e2m1 = 'ffn_from_e2m1_neon($1, $2)',
    from_iq4 = 'ffn_from_iq4_neon($1, $2)',
    load_f16 = 'vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16($1)))',
    load_f8 = 'ffn_load_f8_neon($1)',
  },
}
