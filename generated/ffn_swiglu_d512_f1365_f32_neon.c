/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_neon
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for neon
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu
 * Templates  file, sizes, rows, call, tile, loop, ascend, before_k, step, finish, weights, chunk,
 *            strips, columns, add, tables, api, staged, descriptor, about
 * Tiles      gate_up: rows x columns 1 x 48, 2 x 16, 6 x 8, 2 branches, at most 29 of 32 registers
 * Tiles      down: rows x columns 1 x 64, 2 x 32, 6 x 16, 1 branch, at most 29 of 32 registers
 * CPU        any CPU: what loses least on those that were measured: 4 panels side by side; fetched
 *            ahead: nothing at 1 to 4 rows, 8192 bytes at more
 * CPU        Arm Neoverse V1, N2 and later: 4 panels side by side; fetched ahead: nothing at 1 to 4
 *            rows, 8192 bytes at more
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Cost       4193280 flop per token; 8431680 bytes of packed weights; 2216448 bytes of work memory
 *            per thread, 9984 for one token
 * Sums       gate_up: k ascends in 4 blocks of 128; at most 131 roundings
 * Sums       down: k ascends in 11 blocks of 128; at most 138 roundings
 * Error      gate_up: |sum - exact| <= g/(1-g) (sum |x||w|), g = 131 2^-24; silu at most 2.4 ULP,
 *            and within (3 |y|) 2^-24
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w|), g = 138 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* gate_up: 512 -> 1365, gate and up, h = silu(gate) * up */
enum {
  GATE_UP_INPUTS = 512,
  GATE_UP_OUTPUTS = 1365,
  GATE_UP_COLUMNS = 1376, /* outputs and zeros beyond the last, whole panels of sixteen */
  GATE_UP_WIDTH = 16, /* columns of a bundle */
  GATE_UP_STEP = 128, /* bytes of one k of it: [branch][16] */
  GATE_UP_BUNDLE = GATE_UP_INPUTS * GATE_UP_STEP,
  GATE_UP_AT = 64, /* bytes of packed weights in front of these */
  GATE_UP_BLOCK = 128, /* k of one accumulation */
  GATE_UP_BLOCKS = 4,
  GATE_UP_ROUNDINGS = 131, /* at most, of a product in its sum */
  GATE_UP_ROW = 128, /* numbers of a row in a block of the input */
  GATE_UP_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  GATE_UP_CHUNK = 288, /* columns whose sums are kept, where there are more */
};

/* down: 1365 -> 512, down, y = down */
enum {
  DOWN_INPUTS = 1365,
  DOWN_OUTPUTS = 512,
  DOWN_COLUMNS = 512, /* outputs and zeros beyond the last, whole panels of sixteen */
  DOWN_WIDTH = 16, /* columns of a bundle */
  DOWN_STEP = 64, /* bytes of one k of it: [16] */
  DOWN_BUNDLE = DOWN_INPUTS * DOWN_STEP,
  DOWN_AT = 5636160, /* bytes of packed weights in front of these */
  DOWN_BLOCK = 128, /* k of one accumulation */
  DOWN_BLOCKS = 11,
  DOWN_LAST = 85, /* k of the last block */
  DOWN_ROUNDINGS = 138, /* at most, of a product in its sum */
  DOWN_ROW = 128, /* numbers of a row in a block of the input */
  DOWN_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  DOWN_CHUNK = 512, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 12, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = 2048, /* bytes of each in work memory: x */
  OPERAND2 = 5632, /* bytes of each in work memory: h */
  SUM = 2304, /* and sums */
  ADD = 512, /* columns of each that are added to y at a time */
  WORK_ROW = 9984, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 8431680 };

/* Adds neighbours to what was kept of their sums. */
FFN_SHARED void ffn_take_4_neon(
    const float *kept, float32x4_t *a, float32x4_t *b, float32x4_t *c, float32x4_t *d) {
  *a = vaddq_f32(vld1q_f32(kept), *a);
  *b = vaddq_f32(vld1q_f32(kept + 4), *b);
  *c = vaddq_f32(vld1q_f32(kept + 8), *c);
  *d = vaddq_f32(vld1q_f32(kept + 12), *d);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_neon(
    float *kept, const float32x4_t a, const float32x4_t b, const float32x4_t c,
    const float32x4_t d) {
  vst1q_f32(kept, a);
  vst1q_f32(kept + 4, b);
  vst1q_f32(kept + 8, c);
  vst1q_f32(kept + 12, d);
}

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24. Elfwing et al., arXiv:1702.03118;
 * swiglu: Shazeer, arXiv:2002.05202. In each of 4 lanes. */
FFN_INLINE float32x4_t act_silu(const float32x4_t x) {
  const float vanishes = 112.0f; /* the tail is 0 here */
  /* 1.5 * 2^23: sums with it are rounded to integers, in the lowest bits */
  const float magic = 12582912.0f;
  const float per_one = 1.442695f; /* log2(e^k), k = 1 */
  const float high = 0.6931472f; /* the size of its inverse, to 24 bits */
  const float low = -1.9046542e-09f; /* what that misses of it */
  const int32_t magic_bits = 0x4b400028; /* the bits of magic: n is 40 less than the exponent */
  /* e^(k r) = 1 + e1 r + e2 r^2 + ..., k = 1, nearly */
  const float e1 = 1.0f, e2 = 0.49999994f, e3 = 0.16666523f, e4 = 0.041668292f,
      e5 = 0.008368532f, e6 = 0.0013818297f;
  const float down = 9.094947e-13f; /* 2^-40: quotients are so much too large up to the last step */
  const int32_t exponent_of_1 = 127; /* in the bits of 1, above 23 of its mantissa */
  const float32x4_t size = vabsq_f32(x);
  const float32x4_t a = vbslq_f32(vcgtq_f32(size, vdupq_n_f32(vanishes)), vdupq_n_f32(vanishes),
      size);
  const float32x4_t shifted = vfmaq_f32(vdupq_n_f32(magic), a, vdupq_n_f32(per_one));
  const float32x4_t steps = vsubq_f32(shifted, vdupq_n_f32(magic));
  const int32x4_t bits = vreinterpretq_s32_f32(shifted);
  const int32x4_t n = vsubq_s32(bits, vdupq_n_s32(magic_bits));
  const float32x4_t nearly_r = vfmsq_f32(a, steps, vdupq_n_f32(high));
  const float32x4_t r = vfmsq_f32(nearly_r, steps, vdupq_n_f32(low));
  const float32x4_t poly = vfmaq_f32(vdupq_n_f32(e5), vdupq_n_f32(e6), r);
  const float32x4_t poly_2 = vfmaq_f32(vdupq_n_f32(e4), poly, r);
  const float32x4_t poly_3 = vfmaq_f32(vdupq_n_f32(e3), poly_2, r);
  const float32x4_t poly_4 = vfmaq_f32(vdupq_n_f32(e2), poly_3, r);
  const float32x4_t poly_5 = vfmaq_f32(vdupq_n_f32(e1), poly_4, r);
  const float32x4_t p = vfmaq_f32(vdupq_n_f32(1.0f), poly_5, r);
  const int32x4_t biased = vaddq_s32(n, vdupq_n_s32(exponent_of_1));
  const int32x4_t exponent = vshlq_n_s32(biased, 23);
  const float32x4_t scale = vreinterpretq_f32_s32(exponent);
  const float32x4_t denominator = vfmaq_f32(vdupq_n_f32(down), p, scale);
  const float32x4_t tail = vdivq_f32(a, denominator);
  const float32x4_t relu = vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
  return vfmsq_f32(relu, tail, vdupq_n_f32(down));
}

/* sum[row][branch][48] (+)= a w: one row x 48 columns of each branch, at most 128 k from block *
 * 128 on, in 26 of 32 registers. `sum` begins at a multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void gate_up_sums_tile_48(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)rows;
  (void)lane;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero,
      s0_5 = zero, s0_6 = zero, s0_7 = zero, s0_8 = zero, s0_9 = zero, s0_10 = zero,
      s0_11 = zero, s0_12 = zero, s0_13 = zero, s0_14 = zero, s0_15 = zero, s0_16 = zero,
      s0_17 = zero, s0_18 = zero, s0_19 = zero, s0_20 = zero, s0_21 = zero, s0_22 = zero,
      s0_23 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_UNROLL
        for (size_t bundle = 0; bundle < 3; ++bundle) {
          FFN_FETCH(next + bundle * GATE_UP_BUNDLE);
          FFN_FETCH(next + bundle * GATE_UP_BUNDLE + 64);
        }
        next += advance;
      }
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 48));
      const float32x4_t w4 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE));
      const float32x4_t w5 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE + 16));
      const float32x4_t w6 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE + 32));
      const float32x4_t w7 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE + 48));
      const float32x4_t w8 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE));
      const float32x4_t w9 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE + 16));
      const float32x4_t w10 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE + 32));
      const float32x4_t w11 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE + 48));
      const float32x4_t w12 = vld1q_f32((const float *)(w + 64));
      const float32x4_t w13 = vld1q_f32((const float *)(w + 80));
      const float32x4_t w14 = vld1q_f32((const float *)(w + 96));
      const float32x4_t w15 = vld1q_f32((const float *)(w + 112));
      const float32x4_t w16 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE + 64));
      const float32x4_t w17 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE + 80));
      const float32x4_t w18 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE + 96));
      const float32x4_t w19 = vld1q_f32((const float *)(w + GATE_UP_BUNDLE + 112));
      const float32x4_t w20 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE + 64));
      const float32x4_t w21 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE + 80));
      const float32x4_t w22 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE + 96));
      const float32x4_t w23 = vld1q_f32((const float *)(w + 2 * GATE_UP_BUNDLE + 112));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x0, w1);
      s0_2 = vfmaq_f32(s0_2, x0, w2);
      s0_3 = vfmaq_f32(s0_3, x0, w3);
      s0_4 = vfmaq_f32(s0_4, x0, w4);
      s0_5 = vfmaq_f32(s0_5, x0, w5);
      s0_6 = vfmaq_f32(s0_6, x0, w6);
      s0_7 = vfmaq_f32(s0_7, x0, w7);
      s0_8 = vfmaq_f32(s0_8, x0, w8);
      s0_9 = vfmaq_f32(s0_9, x0, w9);
      s0_10 = vfmaq_f32(s0_10, x0, w10);
      s0_11 = vfmaq_f32(s0_11, x0, w11);
      s0_12 = vfmaq_f32(s0_12, x0, w12);
      s0_13 = vfmaq_f32(s0_13, x0, w13);
      s0_14 = vfmaq_f32(s0_14, x0, w14);
      s0_15 = vfmaq_f32(s0_15, x0, w15);
      s0_16 = vfmaq_f32(s0_16, x0, w16);
      s0_17 = vfmaq_f32(s0_17, x0, w17);
      s0_18 = vfmaq_f32(s0_18, x0, w18);
      s0_19 = vfmaq_f32(s0_19, x0, w19);
      s0_20 = vfmaq_f32(s0_20, x0, w20);
      s0_21 = vfmaq_f32(s0_21, x0, w21);
      s0_22 = vfmaq_f32(s0_22, x0, w22);
      s0_23 = vfmaq_f32(s0_23, x0, w23);
      w += GATE_UP_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_neon(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_neon(sum + 16, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_neon(sum + 32, &s0_8, &s0_9, &s0_10, &s0_11);
    ffn_take_4_neon(sum + 48, &s0_12, &s0_13, &s0_14, &s0_15);
    ffn_take_4_neon(sum + 64, &s0_16, &s0_17, &s0_18, &s0_19);
    ffn_take_4_neon(sum + 80, &s0_20, &s0_21, &s0_22, &s0_23);
  }
  ffn_keep_4_neon(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_neon(sum + 16, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_neon(sum + 32, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_neon(sum + 48, s0_12, s0_13, s0_14, s0_15);
  ffn_keep_4_neon(sum + 64, s0_16, s0_17, s0_18, s0_19);
  ffn_keep_4_neon(sum + 80, s0_20, s0_21, s0_22, s0_23);
}

/* The 96 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_48(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)rows;
  gate_up_sums_tile_48(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 1);
}

/* sum[row][branch][16] (+)= a w: at most 2 rows x 16 columns of each branch, at most 128 k from
 * block * 128 on, in 25 of 32 registers. `sum` begins at a multiple of 16 bytes, `w` of 64, `a`
 * of 4. `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void gate_up_sums_tile_16(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)lane;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero,
      s0_5 = zero, s0_6 = zero, s0_7 = zero;
  float32x4_t s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero, s1_4 = zero,
      s1_5 = zero, s1_6 = zero, s1_7 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(next);
        FFN_FETCH(next + 64);
        next += advance;
      }
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 48));
      const float32x4_t w4 = vld1q_f32((const float *)(w + 64));
      const float32x4_t w5 = vld1q_f32((const float *)(w + 80));
      const float32x4_t w6 = vld1q_f32((const float *)(w + 96));
      const float32x4_t w7 = vld1q_f32((const float *)(w + 112));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x0, w1);
      s0_2 = vfmaq_f32(s0_2, x0, w2);
      s0_3 = vfmaq_f32(s0_3, x0, w3);
      s0_4 = vfmaq_f32(s0_4, x0, w4);
      s0_5 = vfmaq_f32(s0_5, x0, w5);
      s0_6 = vfmaq_f32(s0_6, x0, w6);
      s0_7 = vfmaq_f32(s0_7, x0, w7);
      if (rows > 1) {
        const float32x4_t x1 = vdupq_n_f32(a[k + GATE_UP_ROW]);
        s1_0 = vfmaq_f32(s1_0, x1, w0);
        s1_1 = vfmaq_f32(s1_1, x1, w1);
        s1_2 = vfmaq_f32(s1_2, x1, w2);
        s1_3 = vfmaq_f32(s1_3, x1, w3);
        s1_4 = vfmaq_f32(s1_4, x1, w4);
        s1_5 = vfmaq_f32(s1_5, x1, w5);
        s1_6 = vfmaq_f32(s1_6, x1, w6);
        s1_7 = vfmaq_f32(s1_7, x1, w7);
      }
      w += GATE_UP_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_neon(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_neon(sum + 16, &s0_4, &s0_5, &s0_6, &s0_7);
    if (rows > 1) {
      ffn_take_4_neon(sum + 32, &s1_0, &s1_1, &s1_2, &s1_3);
      ffn_take_4_neon(sum + 48, &s1_4, &s1_5, &s1_6, &s1_7);
    }
  }
  ffn_keep_4_neon(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_neon(sum + 16, s0_4, s0_5, s0_6, s0_7);
  if (rows > 1) {
    ffn_keep_4_neon(sum + 32, s1_0, s1_1, s1_2, s1_3);
    ffn_keep_4_neon(sum + 48, s1_4, s1_5, s1_6, s1_7);
  }
}

/* The 32 sums of each of 1 to 2 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_16(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    gate_up_sums_tile_16(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    gate_up_sums_tile_16(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* sum[row][branch][8] (+)= a w: at most 6 rows x 8 columns of each branch, at most 128 k from
 * block * 128 on, in 29 of 32 registers. `sum` begins at a multiple of 16 bytes, `w` of 64, `a`
 * of 4. `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void gate_up_sums_tile_8(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero;
  float32x4_t s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero;
  float32x4_t s2_0 = zero, s2_1 = zero, s2_2 = zero, s2_3 = zero;
  float32x4_t s3_0 = zero, s3_1 = zero, s3_2 = zero, s3_3 = zero;
  float32x4_t s4_0 = zero, s4_1 = zero, s4_2 = zero, s4_3 = zero;
  float32x4_t s5_0 = zero, s5_1 = zero, s5_2 = zero, s5_3 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(a + GATE_UP_ROW * (size_t)rows + k * (size_t)rows);
        FFN_FETCH(next);
        FFN_FETCH(next + 64);
        next += advance;
      }
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 64));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 80));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x0, w1);
      s0_2 = vfmaq_f32(s0_2, x0, w2);
      s0_3 = vfmaq_f32(s0_3, x0, w3);
      if (rows > 1) {
        const float32x4_t x1 = vdupq_n_f32(a[k + GATE_UP_ROW]);
        s1_0 = vfmaq_f32(s1_0, x1, w0);
        s1_1 = vfmaq_f32(s1_1, x1, w1);
        s1_2 = vfmaq_f32(s1_2, x1, w2);
        s1_3 = vfmaq_f32(s1_3, x1, w3);
      }
      if (rows > 2) {
        const float32x4_t x2 = vdupq_n_f32(a[k + 2 * GATE_UP_ROW]);
        s2_0 = vfmaq_f32(s2_0, x2, w0);
        s2_1 = vfmaq_f32(s2_1, x2, w1);
        s2_2 = vfmaq_f32(s2_2, x2, w2);
        s2_3 = vfmaq_f32(s2_3, x2, w3);
      }
      if (rows > 3) {
        const float32x4_t x3 = vdupq_n_f32(a[k + 3 * GATE_UP_ROW]);
        s3_0 = vfmaq_f32(s3_0, x3, w0);
        s3_1 = vfmaq_f32(s3_1, x3, w1);
        s3_2 = vfmaq_f32(s3_2, x3, w2);
        s3_3 = vfmaq_f32(s3_3, x3, w3);
      }
      if (rows > 4) {
        const float32x4_t x4 = vdupq_n_f32(a[k + 4 * GATE_UP_ROW]);
        s4_0 = vfmaq_f32(s4_0, x4, w0);
        s4_1 = vfmaq_f32(s4_1, x4, w1);
        s4_2 = vfmaq_f32(s4_2, x4, w2);
        s4_3 = vfmaq_f32(s4_3, x4, w3);
      }
      if (rows > 5) {
        const float32x4_t x5 = vdupq_n_f32(a[k + 5 * GATE_UP_ROW]);
        s5_0 = vfmaq_f32(s5_0, x5, w0);
        s5_1 = vfmaq_f32(s5_1, x5, w1);
        s5_2 = vfmaq_f32(s5_2, x5, w2);
        s5_3 = vfmaq_f32(s5_3, x5, w3);
      }
      w += GATE_UP_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_neon(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    if (rows > 1)
      ffn_take_4_neon(sum + 16, &s1_0, &s1_1, &s1_2, &s1_3);
    if (rows > 2)
      ffn_take_4_neon(sum + 32, &s2_0, &s2_1, &s2_2, &s2_3);
    if (rows > 3)
      ffn_take_4_neon(sum + 48, &s3_0, &s3_1, &s3_2, &s3_3);
    if (rows > 4)
      ffn_take_4_neon(sum + 64, &s4_0, &s4_1, &s4_2, &s4_3);
    if (rows > 5)
      ffn_take_4_neon(sum + 80, &s5_0, &s5_1, &s5_2, &s5_3);
  }
  ffn_keep_4_neon(sum, s0_0, s0_1, s0_2, s0_3);
  if (rows > 1)
    ffn_keep_4_neon(sum + 16, s1_0, s1_1, s1_2, s1_3);
  if (rows > 2)
    ffn_keep_4_neon(sum + 32, s2_0, s2_1, s2_2, s2_3);
  if (rows > 3)
    ffn_keep_4_neon(sum + 48, s3_0, s3_1, s3_2, s3_3);
  if (rows > 4)
    ffn_keep_4_neon(sum + 64, s4_0, s4_1, s4_2, s4_3);
  if (rows > 5)
    ffn_keep_4_neon(sum + 80, s5_0, s5_1, s5_2, s5_3);
}

/* The 16 sums of each of 1 to 6 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  case 3:
    if (fetches != FFN_FETCHES_NONE)
      gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NEAR, 3);
    else
      gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 3);
    break;
  case 4:
    if (fetches != FFN_FETCHES_NONE)
      gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NEAR, 4);
    else
      gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 4);
    break;
  case 5:
    gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NEAR, 5);
    break;
  case 6:
    gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NEAR, 6);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* h = silu(gate) * up, of all rows x `cols` columns from `column` on, in 7 of 32 registers;
 * beyond the last output it meets zero weights. `sum` begins at a multiple of 16 bytes, `out` of
 * 16. */
FFN_NOINLINE void gate_up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += 2 * cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const float32x4_t gate = vld1q_f32(sum + c);
      const float32x4_t up = vld1q_f32(sum + cols + c);
      vst1q_f32(out, vmulq_f32(act_silu(gate), up));
    }
  }
}

/* The bundle of the output `column`, from input k on. Sizes, in capitals, are those of the
 * caller, and constants. */
FFN_INLINE const char *weights_at(
    const ffn_task *task, size_t column, size_t k,
    const size_t WIDTH, const size_t BUNDLE, const size_t STEP) {
  const size_t bundle = (column - task->begins) / WIDTH;
  return task->weights + bundle * BUNDLE + k * STEP;
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t gate_up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t, const ffn_ahead *,
        const int, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = ffn_max(cols, GATE_UP_WIDTH); /* whole bundles */
  const size_t chunk = task->rows <= GATE_UP_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, GATE_UP_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows * (strip / cols);
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (GATE_UP_STEP + shares - 1) / shares;
  const size_t ahead = task->rows <= task->choices->few_rows ? task->choices->few_ahead
      : task->choices->fetch_ahead;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (strip / GATE_UP_WIDTH * GATE_UP_STEP);
  const int fetches = ffn_fetches(ahead, shares, 1, 0, 0);
  for (size_t block = 0; block < GATE_UP_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += strip) {
      const char *weights = weights_at(task, column + g, block * GATE_UP_BLOCK, GATE_UP_WIDTH,
          GATE_UP_BUNDLE, GATE_UP_STEP);
      const char *then = weights; /* what comes next */
      if (g + strip < chunk)
        then = weights_at(task, column + g + strip, block * GATE_UP_BLOCK, GATE_UP_WIDTH,
            GATE_UP_BUNDLE, GATE_UP_STEP);
      else if (block + 1 < GATE_UP_BLOCKS)
        then = weights_at(task, column, (block + 1) * GATE_UP_BLOCK, GATE_UP_WIDTH, GATE_UP_BUNDLE,
            GATE_UP_STEP);
      else if (chunk < left)
        then = weights_at(task, column + chunk, 0, GATE_UP_WIDTH, GATE_UP_BUNDLE, GATE_UP_STEP);
      const size_t count = GATE_UP_BLOCK; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = shares > 1 ? then : weights + early * GATE_UP_STEP;
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + strip; c += cols) {
          float *sum = task->sum + 2 * (c * task->rows + row * cols);
          const float *a = task->in + (block * task->rows + row) * GATE_UP_ROW;
          const char *w = weights;
          const size_t lane = c - g;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), then, mine, count - early, 0};
          ++turn;
          sums(sum, a, w, lane, block, &share, fetches, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    gate_up_finish(task, task->sum + 2 * c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void gate_up_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 48)
    column += gate_up_chunk(task, column, 48, 1, gate_up_sums_48);
  while (task->rows <= 2 && task->last - column >= 16)
    column += gate_up_chunk(task, column, 16, 2, gate_up_sums_16);
  while (column < task->last)
    column += gate_up_chunk(task, column, 8, 6, gate_up_sums_8);
}

/* sum[row][branch][64] (+)= a w: one row x 64 columns, at most 128 k from block * 128 on, in 18
 * of 32 registers. `sum` begins at a multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void down_sums_tile_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)rows;
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero,
      s0_5 = zero, s0_6 = zero, s0_7 = zero, s0_8 = zero, s0_9 = zero, s0_10 = zero,
      s0_11 = zero, s0_12 = zero, s0_13 = zero, s0_14 = zero, s0_15 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : count;
       k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_UNROLL
        for (size_t bundle = 0; bundle < 4; ++bundle)
          FFN_FETCH(next + bundle * DOWN_BUNDLE);
        next += advance;
      }
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 48));
      const float32x4_t w4 = vld1q_f32((const float *)(w + DOWN_BUNDLE));
      const float32x4_t w5 = vld1q_f32((const float *)(w + DOWN_BUNDLE + 16));
      const float32x4_t w6 = vld1q_f32((const float *)(w + DOWN_BUNDLE + 32));
      const float32x4_t w7 = vld1q_f32((const float *)(w + DOWN_BUNDLE + 48));
      const float32x4_t w8 = vld1q_f32((const float *)(w + 2 * DOWN_BUNDLE));
      const float32x4_t w9 = vld1q_f32((const float *)(w + 2 * DOWN_BUNDLE + 16));
      const float32x4_t w10 = vld1q_f32((const float *)(w + 2 * DOWN_BUNDLE + 32));
      const float32x4_t w11 = vld1q_f32((const float *)(w + 2 * DOWN_BUNDLE + 48));
      const float32x4_t w12 = vld1q_f32((const float *)(w + 3 * DOWN_BUNDLE));
      const float32x4_t w13 = vld1q_f32((const float *)(w + 3 * DOWN_BUNDLE + 16));
      const float32x4_t w14 = vld1q_f32((const float *)(w + 3 * DOWN_BUNDLE + 32));
      const float32x4_t w15 = vld1q_f32((const float *)(w + 3 * DOWN_BUNDLE + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x0, w1);
      s0_2 = vfmaq_f32(s0_2, x0, w2);
      s0_3 = vfmaq_f32(s0_3, x0, w3);
      s0_4 = vfmaq_f32(s0_4, x0, w4);
      s0_5 = vfmaq_f32(s0_5, x0, w5);
      s0_6 = vfmaq_f32(s0_6, x0, w6);
      s0_7 = vfmaq_f32(s0_7, x0, w7);
      s0_8 = vfmaq_f32(s0_8, x0, w8);
      s0_9 = vfmaq_f32(s0_9, x0, w9);
      s0_10 = vfmaq_f32(s0_10, x0, w10);
      s0_11 = vfmaq_f32(s0_11, x0, w11);
      s0_12 = vfmaq_f32(s0_12, x0, w12);
      s0_13 = vfmaq_f32(s0_13, x0, w13);
      s0_14 = vfmaq_f32(s0_14, x0, w14);
      s0_15 = vfmaq_f32(s0_15, x0, w15);
      w += DOWN_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_neon(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_neon(sum + 16, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_neon(sum + 32, &s0_8, &s0_9, &s0_10, &s0_11);
    ffn_take_4_neon(sum + 48, &s0_12, &s0_13, &s0_14, &s0_15);
  }
  ffn_keep_4_neon(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_neon(sum + 16, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_neon(sum + 32, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_neon(sum + 48, s0_12, s0_13, s0_14, s0_15);
}

/* The 64 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void down_sums_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)rows;
  down_sums_tile_64(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
}

/* sum[row][branch][32] (+)= a w: at most 2 rows x 32 columns, at most 128 k from block * 128 on,
 * in 25 of 32 registers. `sum` begins at a multiple of 16 bytes, `w` of 64, `a` of 4. `rows` is
 * a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_32(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero,
      s0_5 = zero, s0_6 = zero, s0_7 = zero;
  float32x4_t s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero, s1_4 = zero,
      s1_5 = zero, s1_6 = zero, s1_7 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : count;
       k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(next);
        FFN_FETCH(next + DOWN_BUNDLE);
        next += advance;
      }
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 48));
      const float32x4_t w4 = vld1q_f32((const float *)(w + DOWN_BUNDLE));
      const float32x4_t w5 = vld1q_f32((const float *)(w + DOWN_BUNDLE + 16));
      const float32x4_t w6 = vld1q_f32((const float *)(w + DOWN_BUNDLE + 32));
      const float32x4_t w7 = vld1q_f32((const float *)(w + DOWN_BUNDLE + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x0, w1);
      s0_2 = vfmaq_f32(s0_2, x0, w2);
      s0_3 = vfmaq_f32(s0_3, x0, w3);
      s0_4 = vfmaq_f32(s0_4, x0, w4);
      s0_5 = vfmaq_f32(s0_5, x0, w5);
      s0_6 = vfmaq_f32(s0_6, x0, w6);
      s0_7 = vfmaq_f32(s0_7, x0, w7);
      if (rows > 1) {
        const float32x4_t x1 = vdupq_n_f32(a[k + DOWN_ROW]);
        s1_0 = vfmaq_f32(s1_0, x1, w0);
        s1_1 = vfmaq_f32(s1_1, x1, w1);
        s1_2 = vfmaq_f32(s1_2, x1, w2);
        s1_3 = vfmaq_f32(s1_3, x1, w3);
        s1_4 = vfmaq_f32(s1_4, x1, w4);
        s1_5 = vfmaq_f32(s1_5, x1, w5);
        s1_6 = vfmaq_f32(s1_6, x1, w6);
        s1_7 = vfmaq_f32(s1_7, x1, w7);
      }
      w += DOWN_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_neon(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_neon(sum + 16, &s0_4, &s0_5, &s0_6, &s0_7);
    if (rows > 1) {
      ffn_take_4_neon(sum + 32, &s1_0, &s1_1, &s1_2, &s1_3);
      ffn_take_4_neon(sum + 48, &s1_4, &s1_5, &s1_6, &s1_7);
    }
  }
  ffn_keep_4_neon(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_neon(sum + 16, s0_4, s0_5, s0_6, s0_7);
  if (rows > 1) {
    ffn_keep_4_neon(sum + 32, s1_0, s1_1, s1_2, s1_3);
    ffn_keep_4_neon(sum + 48, s1_4, s1_5, s1_6, s1_7);
  }
}

/* The 32 sums of each of 1 to 2 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_32(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* sum[row][branch][16] (+)= a w: at most 6 rows x 16 columns, at most 128 k from block * 128 on,
 * in 29 of 32 registers. `sum` begins at a multiple of 16 bytes, `w` of 64, `a` of 4. `rows` is
 * a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero;
  float32x4_t s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero;
  float32x4_t s2_0 = zero, s2_1 = zero, s2_2 = zero, s2_3 = zero;
  float32x4_t s3_0 = zero, s3_1 = zero, s3_2 = zero, s3_3 = zero;
  float32x4_t s4_0 = zero, s4_1 = zero, s4_2 = zero, s4_3 = zero;
  float32x4_t s5_0 = zero, s5_1 = zero, s5_2 = zero, s5_3 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : count;
       k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(a + DOWN_ROW * (size_t)rows + k * (size_t)rows);
        FFN_FETCH(next);
        next += advance;
      }
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x0, w1);
      s0_2 = vfmaq_f32(s0_2, x0, w2);
      s0_3 = vfmaq_f32(s0_3, x0, w3);
      if (rows > 1) {
        const float32x4_t x1 = vdupq_n_f32(a[k + DOWN_ROW]);
        s1_0 = vfmaq_f32(s1_0, x1, w0);
        s1_1 = vfmaq_f32(s1_1, x1, w1);
        s1_2 = vfmaq_f32(s1_2, x1, w2);
        s1_3 = vfmaq_f32(s1_3, x1, w3);
      }
      if (rows > 2) {
        const float32x4_t x2 = vdupq_n_f32(a[k + 2 * DOWN_ROW]);
        s2_0 = vfmaq_f32(s2_0, x2, w0);
        s2_1 = vfmaq_f32(s2_1, x2, w1);
        s2_2 = vfmaq_f32(s2_2, x2, w2);
        s2_3 = vfmaq_f32(s2_3, x2, w3);
      }
      if (rows > 3) {
        const float32x4_t x3 = vdupq_n_f32(a[k + 3 * DOWN_ROW]);
        s3_0 = vfmaq_f32(s3_0, x3, w0);
        s3_1 = vfmaq_f32(s3_1, x3, w1);
        s3_2 = vfmaq_f32(s3_2, x3, w2);
        s3_3 = vfmaq_f32(s3_3, x3, w3);
      }
      if (rows > 4) {
        const float32x4_t x4 = vdupq_n_f32(a[k + 4 * DOWN_ROW]);
        s4_0 = vfmaq_f32(s4_0, x4, w0);
        s4_1 = vfmaq_f32(s4_1, x4, w1);
        s4_2 = vfmaq_f32(s4_2, x4, w2);
        s4_3 = vfmaq_f32(s4_3, x4, w3);
      }
      if (rows > 5) {
        const float32x4_t x5 = vdupq_n_f32(a[k + 5 * DOWN_ROW]);
        s5_0 = vfmaq_f32(s5_0, x5, w0);
        s5_1 = vfmaq_f32(s5_1, x5, w1);
        s5_2 = vfmaq_f32(s5_2, x5, w2);
        s5_3 = vfmaq_f32(s5_3, x5, w3);
      }
      w += DOWN_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_neon(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    if (rows > 1)
      ffn_take_4_neon(sum + 16, &s1_0, &s1_1, &s1_2, &s1_3);
    if (rows > 2)
      ffn_take_4_neon(sum + 32, &s2_0, &s2_1, &s2_2, &s2_3);
    if (rows > 3)
      ffn_take_4_neon(sum + 48, &s3_0, &s3_1, &s3_2, &s3_3);
    if (rows > 4)
      ffn_take_4_neon(sum + 64, &s4_0, &s4_1, &s4_2, &s4_3);
    if (rows > 5)
      ffn_take_4_neon(sum + 80, &s5_0, &s5_1, &s5_2, &s5_3);
  }
  ffn_keep_4_neon(sum, s0_0, s0_1, s0_2, s0_3);
  if (rows > 1)
    ffn_keep_4_neon(sum + 16, s1_0, s1_1, s1_2, s1_3);
  if (rows > 2)
    ffn_keep_4_neon(sum + 32, s2_0, s2_1, s2_2, s2_3);
  if (rows > 3)
    ffn_keep_4_neon(sum + 48, s3_0, s3_1, s3_2, s3_3);
  if (rows > 4)
    ffn_keep_4_neon(sum + 64, s4_0, s4_1, s4_2, s4_3);
  if (rows > 5)
    ffn_keep_4_neon(sum + 80, s5_0, s5_1, s5_2, s5_3);
}

/* The 16 sums of each of 1 to 6 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  case 3:
    if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 3);
    else
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 3);
    break;
  case 4:
    if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 4);
    else
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 4);
    break;
  case 5:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 5);
    break;
  case 6:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 6);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = down, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 16
 * bytes, `out` of 4. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + row * task->out_stride + column + c;
      const float32x4_t down = vld1q_f32(sum + c);
      vst1q_f32(out, down);
    }
  }
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t down_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, const ffn_ahead *, const int,
        size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= DOWN_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, DOWN_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows;
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (DOWN_STEP + shares - 1) / shares;
  const size_t ahead = task->rows <= task->choices->few_rows ? task->choices->few_ahead
      : task->choices->fetch_ahead;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (strip / DOWN_WIDTH * DOWN_STEP);
  const int fetches = ffn_fetches(ahead, shares, 1, 0, 0);
  for (size_t block = 0; block < DOWN_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += strip) {
      const char *weights = weights_at(task, column + g, block * DOWN_BLOCK, DOWN_WIDTH,
          DOWN_BUNDLE, DOWN_STEP);
      const char *then = weights; /* what comes next */
      if (g + strip < chunk)
        then = weights_at(task, column + g + strip, block * DOWN_BLOCK, DOWN_WIDTH, DOWN_BUNDLE,
            DOWN_STEP);
      else if (block + 1 < DOWN_BLOCKS)
        then = weights_at(task, column, (block + 1) * DOWN_BLOCK, DOWN_WIDTH, DOWN_BUNDLE,
            DOWN_STEP);
      else if (chunk < left)
        then = weights_at(task, column + chunk, 0, DOWN_WIDTH, DOWN_BUNDLE, DOWN_STEP);
      const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = shares > 1 ? then : weights + early * DOWN_STEP;
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + strip; c += cols) {
          float *sum = task->sum + c * task->rows + row * cols;
          const float *a = task->in + (block * task->rows + row) * DOWN_ROW;
          const char *w = weights;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), then, mine, count - early, 0};
          ++turn;
          sums(sum, a, w, block, &share, fetches, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    down_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 64)
    column += down_chunk(task, column, 64, 1, down_sums_64);
  while (task->rows <= 2 && task->last - column >= 32)
    column += down_chunk(task, column, 32, 2, down_sums_32);
  while (column < task->last)
    column += down_chunk(task, column, 16, 6, down_sums_16);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  const float32x4_t by = vdupq_n_f32(scale);
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    vst1q_f32(y + i, vfmaq_f32(vld1q_f32(y + i), by, vld1q_f32(row + i)));
  if (i < count) {
    float from[4] = {0}, to[4] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    vst1q_f32(to, vfmaq_f32(vld1q_f32(to), by, vld1q_f32(from)));
    FFN_MEMCPY(y + i, to, (count - i) * sizeof *y);
  }
}
#endif

static const ffn_stage stages[] = {
    {
        GATE_UP_INPUTS, /* inputs */
        GATE_UP_OUTPUTS, /* outputs */
        2, /* branches */
        {FFN_MATRIX_GATE, FFN_MATRIX_UP}, /* matrix */
        FFN_ACT_SILU, /* activation */
        FFN_PRODUCT_UP, /* product */
        0, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        GATE_UP_BLOCK, /* k_block */
        1, /* chains */
        GATE_UP_ROUNDINGS, /* sum_length */
        3.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
    {
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_DOWN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        0, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        DOWN_BLOCK, /* k_block */
        1, /* chains */
        DOWN_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        gate_up_columns, /* columns */
        ffn_take_f32, /* take */
        GATE_UP_INPUTS, /* inputs */
        GATE_UP_OUTPUTS, /* outputs */
        0, /* in_at */
        GATE_UP_ROW, /* block */
        32, /* column_step */
        GATE_UP_AT, /* weights_at */
        0, /* bias_at */
    },
    {
        down_columns, /* columns */
        NULL, /* take */
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        DOWN_ROW, /* block */
        32, /* column_step */
        DOWN_AT, /* weights_at */
        0, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xaf8e17bce9cd1694), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    ffn_walk_rows, /* rows */
    ffn_walk_columns, /* columns */
    2, /* stage_count */
    walks, /* stages */
    1, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1 + OPERAND2, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    GATE_UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
    0, /* add_at */
    ADD, /* add_columns */
    add_row, /* add_row */
#endif
};

#ifndef FFN_NO_PACK
/* Unpacks one weight of one output from lane `lane` of `members` panels side by side. `group`
 * begins at a multiple of 64 bytes, `w` of 4. */
static void unpack_f32(
    const char *group, size_t members, size_t lane, float *w, const char *head) {
  (void)members;
  (void)head;
  w[0] = *((const float *)group + lane);
}
/* Packs one weight of one output into lane `lane` of `members` panels side by side. `group`
 * begins at a multiple of 64 bytes, `w` of 4. */
static void pack_f32(
    char *group, size_t members, size_t lane, const float *w, char *head) {
  (void)members;
  (void)head;
  float weight;
  weight = w[0];
  FFN_MEMCPY(group + lane * sizeof weight, &weight, sizeof weight);
}
static const ffn_packing packing_f32 = {1, 64, 0, NULL, NULL, pack_f32, unpack_f32, NULL, NULL};

/* Packs all matrices and biases of 2 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 2, weights));
  ffn_pack_stage(
      header, &packing_f32, GATE_UP_AT, GATE_UP_WIDTH, 0,
      stages, 0, weights, group);
  ffn_pack_stage(
      header, &packing_f32, DOWN_AT, DOWN_WIDTH, 0,
      stages, 1, weights, group);
}

/* Unpacks all matrices and biases of 2 stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[1];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
  ffn_unpack_stage(
      to, header, &packing_f32, GATE_UP_AT, GATE_UP_WIDTH, 0,
      stages, 0, group);
  ffn_unpack_stage(
      to, header, &packing_f32, DOWN_AT, DOWN_WIDTH, 0,
      stages, 1, group);
}
#endif

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), GATE_UP_WIDTH, GATE_UP_BUNDLE},
    {FFN_IF_PACK(&packing_f32), DOWN_WIDTH, DOWN_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 2 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

/* What the descriptors of all CPUs are; they differ in what they choose. */
#define DESCRIPTOR(symbol, profile, choices) \
  { \
    symbol, /* name */ \
    "ffn_swiglu_d512_f1365_f32", /* layer */ \
    "ffn_swiglu_d512_f1365_f32", /* packed */ \
    FFN_KIND_FFN, /* kind */ \
    FFN_SWIGLU, /* variant */ \
    FFN_F32, /* dtype */ \
    FFN_ISA_NEON, /* isa */ \
    profile, /* profile */ \
    0, /* max_tokens */ \
    GATE_UP_INPUTS, /* inputs */ \
    GATE_UP_OUTPUTS, /* hidden */ \
    DOWN_OUTPUTS, /* outputs */ \
    0, /* bias */ \
    0, /* dropout */ \
    0, /* runtime_parameters */ \
    2, /* stage_count */ \
    stages, /* stages */ \
    WEIGHT_BYTES, /* packed_bytes */ \
    ROWS, /* work_rows */ \
    WORK_ROW, /* work_row_bytes */ \
    BESIDE, /* work_beside_bytes */ \
    1, /* in_place */ \
    FFN_ADDS, /* adds */ \
    0, /* stages_share_x */ \
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS + \
            2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */ \
    FFN_IF_PACK(pack), /* pack */ \
    FFN_IF_PACK(unpack), /* unpack */ \
    run_forward, /* run */ \
    choices, /* choices */ \
    FFN_IF_STAGES(&by_stage), /* staged */ \
  }

/* any CPU: what loses least on those that were measured. */
static const ffn_choices suited = {4, 4, 0, 8192, 1, 0, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_neon;
const ffn_kernel ffn_swiglu_d512_f1365_f32_neon = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_neon", FFN_PROFILE_ANY, &suited);

/* Arm Neoverse V1, N2 and later. */
static const ffn_choices suited_neoverse = {4, 4, 0, 8192, 1, 0, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_neon_neoverse;
const ffn_kernel ffn_swiglu_d512_f1365_f32_neon_neoverse = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_neon_neoverse", FFN_PROFILE_NEOVERSE, &suited_neoverse);
#undef DESCRIPTOR
#endif
FFN_EXACT_END
