/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_relu32_sigmoid1_bias_f32_neon
 * MLP chain 10 -> 64 relu -> 32 relu -> 1 sigmoid, with biases, f32, for neon
 * A classifier: relu, relu, sigmoid
 *
 *     h1 = relu(x W_layer1^T + b_layer1)
 *     h2 = relu(h1 W_layer2^T + b_layer2)
 *     y = sigmoid(h2 W_layer3^T + b_layer3)
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_32_1
 * Templates  file, sizes, straight, line_tile, chains_loop, step, dots, loop, ascend,
 *            straight_rows, add, tables, api, descriptor, about
 * Tiles      layer1: rows x columns 4 x 24, 4 x 20; 4 x 24, 4 x 20; 3 x 24, 3 x 20; 2 x 32; 1 x 32,
 *            1 branch
 * Tiles      layer2: rows x columns 4 x 16; 4 x 16; 3 x 16; 2 x 32; 1 x 16, 1 branch
 * Tiles      layer3: rows x columns 4 x 1; 4 x 1; 3 x 1; 2 x 1; 1 x 4, 1 branch
 * Walk       none: loops for 8 rows, loops for 4 rows, loops for 3 rows, loops for 2 rows, a
 *            straight line for 1 row
 * Cost       5440 flop per token; 13312 bytes of packed weights; 3584 bytes of work memory per
 *            thread, 448 for one token
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 4 interleaved chains; at most 19 roundings
 * Sums       layer3: k ascends in 8 interleaved chains; at most 8 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 19 2^-24; relu exact
 * Error      layer3: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 8 2^-24; sigmoid at most 2.5
 *            ULP, and within (2.7 |y|) 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 11
#error "made for ABI 11 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* layer1: 10 -> 64, linear with bias, h1 = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_COLUMNS = 64, /* outputs and zeros beyond the last, whole panels of sixteen */
  LAYER1_WIDTH = 16, /* columns of a bundle */
  LAYER1_STEP = 64, /* bytes of one k of it: [16] */
  LAYER1_BUNDLE = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_AT = 64, /* bytes of packed weights in front of these */
  LAYER1_BIAS_AT = 2624, /* and of its biases, [branch][columns] */
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* numbers of a row in a block of the input */
};

/* layer2: 64 -> 32, linear with bias, h2 = relu(linear) */
enum {
  LAYER2_INPUTS = 64,
  LAYER2_OUTPUTS = 32,
  LAYER2_COLUMNS = 32, /* outputs and zeros beyond the last, whole panels of sixteen */
  LAYER2_WIDTH = 16, /* columns of a bundle */
  LAYER2_STEP = 64, /* bytes of one k of it: [16] */
  LAYER2_BUNDLE = LAYER2_INPUTS * LAYER2_STEP,
  LAYER2_AT = 2880, /* bytes of packed weights in front of these */
  LAYER2_BIAS_AT = 11072, /* and of its biases, [branch][columns] */
  LAYER2_ROUNDINGS = 19, /* at most, of a product in its sum */
  LAYER2_ROW = 64, /* numbers of a row in a block of the input */
};

/* layer3: 32 -> 1, linear with bias, y = sigmoid(linear) */
enum {
  LAYER3_INPUTS = 32,
  LAYER3_OUTPUTS = 1,
  LAYER3_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  LAYER3_WIDTH = 16, /* columns of a bundle */
  LAYER3_STEP = 64, /* bytes of one k of it: [16] */
  LAYER3_BUNDLE = LAYER3_INPUTS * LAYER3_STEP,
  LAYER3_AT = 11200, /* bytes of packed weights in front of these */
  LAYER3_BIAS_AT = 13248, /* and of its biases, [branch][columns] */
  LAYER3_ROUNDINGS = 8, /* at most, of a product in its sum */
  LAYER3_ROW = 32, /* numbers of a row in a block of the input */
};

enum {
  ROWS = 8, /* that are added to y at a time, at most */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 448, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 13312 };

FFN_INLINE void ffn_store_tail_neon(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

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
}

/* Adds sums to others. */
FFN_SHARED void ffn_add_4_neon(
    float32x4_t *to_a, float32x4_t *to_b, float32x4_t *to_c, float32x4_t *to_d,
    const float32x4_t a, const float32x4_t b, const float32x4_t c, const float32x4_t d) {
  *to_a = vaddq_f32(*to_a, a);
  *to_b = vaddq_f32(*to_b, b);
  *to_c = vaddq_f32(*to_c, c);
  *to_d = vaddq_f32(*to_d, d);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202.
 * In each of 4 lanes. */
FFN_INLINE float32x4_t act_relu(const float32x4_t x) {
  return vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. In each of 4 lanes. */
FFN_INLINE float32x4_t act_sigmoid(const float32x4_t x) {
  const float vanishes = -104.0f; /* the sigmoid is 0 here */
  const float is_one = 24.0f; /* and 1 here */
  /* 1.5 * 2^23: sums with it are rounded to integers, in the lowest bits */
  const float magic = 12582912.0f;
  const float per_one = -1.442695f; /* log2(e^k), k = -1 */
  const float high = 0.6931472f; /* the size of its inverse, to 24 bits */
  const float low = -1.9046542e-09f; /* what that misses of it */
  const int32_t magic_bits = 0x4b400020; /* the bits of magic: n is 32 less than the exponent */
  /* e^(k r) = 1 + e1 r + e2 r^2 + ..., k = -1, nearly */
  const float e1 = -1.0f, e2 = 0.49999994f, e3 = -0.16666523f, e4 = 0.041668292f,
      e5 = -0.008368532f, e6 = 0.0013818297f;
  const float one = 2.3283064e-10f; /* 2^-32, the 1 of 1 / (1 + e^-x) as it is scaled */
  const int32_t exponent_of_1 = 127; /* in the bits of 1, above 23 of its mantissa */
  const float32x4_t least = vbslq_f32(vcltq_f32(x, vdupq_n_f32(vanishes)), vdupq_n_f32(vanishes),
      x);
  const float32x4_t a = vbslq_f32(vcgtq_f32(least, vdupq_n_f32(is_one)), vdupq_n_f32(is_one),
      least);
  const float32x4_t shifted = vfmaq_f32(vdupq_n_f32(magic), a, vdupq_n_f32(per_one));
  const float32x4_t steps = vsubq_f32(shifted, vdupq_n_f32(magic));
  const int32x4_t bits = vreinterpretq_s32_f32(shifted);
  const int32x4_t n = vsubq_s32(bits, vdupq_n_s32(magic_bits));
  const float32x4_t nearly_r = vfmaq_f32(a, steps, vdupq_n_f32(high));
  const float32x4_t r = vfmaq_f32(nearly_r, steps, vdupq_n_f32(low));
  const float32x4_t poly = vfmaq_f32(vdupq_n_f32(e5), vdupq_n_f32(e6), r);
  const float32x4_t poly_2 = vfmaq_f32(vdupq_n_f32(e4), poly, r);
  const float32x4_t poly_3 = vfmaq_f32(vdupq_n_f32(e3), poly_2, r);
  const float32x4_t poly_4 = vfmaq_f32(vdupq_n_f32(e2), poly_3, r);
  const float32x4_t poly_5 = vfmaq_f32(vdupq_n_f32(e1), poly_4, r);
  const float32x4_t p = vfmaq_f32(vdupq_n_f32(1.0f), poly_5, r);
  const int32x4_t biased = vaddq_s32(n, vdupq_n_s32(exponent_of_1));
  const int32x4_t exponent = vshlq_n_s32(biased, 23);
  const float32x4_t scale = vreinterpretq_f32_s32(exponent);
  const float32x4_t denominator = vfmaq_f32(vdupq_n_f32(one), p, scale);
  return vdivq_f32(vdupq_n_f32(one), denominator);
}

/* layer1: at most 4 rows x 24 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 16. */
FFN_INLINE void layer1_tile_4x24(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_4_0 = zero,
      s0_5_0 = zero, s1_0_0 = zero, s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero,
      s1_4_0 = zero, s1_5_0 = zero, s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero,
      s2_3_0 = zero, s2_4_0 = zero, s2_5_0 = zero, s3_0_0 = zero, s3_1_0 = zero,
      s3_2_0 = zero, s3_3_0 = zero, s3_4_0 = zero, s3_5_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
      s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
      s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
      s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
      s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
      s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
      s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
      s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
      s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
      s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
      s2_5_0 = vfmaq_f32(s2_5_0, x2, w5);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
      s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
      s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
      s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
      s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
      s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
      s3_5_0 = vfmaq_f32(s3_5_0, x3, w5);
    }
  }
  float32x4_t s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s0_4_1 = zero,
      s0_5_1 = zero, s1_0_1 = zero, s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero,
      s1_4_1 = zero, s1_5_1 = zero, s2_0_1 = zero, s2_1_1 = zero, s2_2_1 = zero,
      s2_3_1 = zero, s2_4_1 = zero, s2_5_1 = zero, s3_0_1 = zero, s3_1_1 = zero,
      s3_2_1 = zero, s3_3_1 = zero, s3_4_1 = zero, s3_5_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
      s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
      s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
      s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
      s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
      s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
      s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
      s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
      s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
      s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
      s2_5_1 = vfmaq_f32(s2_5_1, x2, w5);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
      s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
      s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
      s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
      s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
      s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
      s3_5_1 = vfmaq_f32(s3_5_1, x3, w5);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_neon(&s0_4_0, &s0_5_0, &s1_0_0, &s1_1_0, s0_4_1, s0_5_1, s1_0_1, s1_1_1);
  ffn_add_4_neon(&s1_2_0, &s1_3_0, &s1_4_0, &s1_5_0, s1_2_1, s1_3_1, s1_4_1, s1_5_1);
  ffn_add_4_neon(&s2_0_0, &s2_1_0, &s2_2_0, &s2_3_0, s2_0_1, s2_1_1, s2_2_1, s2_3_1);
  ffn_add_4_neon(&s2_4_0, &s2_5_0, &s3_0_0, &s3_1_0, s2_4_1, s2_5_1, s3_0_1, s3_1_1);
  ffn_add_4_neon(&s3_2_0, &s3_3_0, &s3_4_0, &s3_5_0, s3_2_1, s3_3_1, s3_4_1, s3_5_1);
  vst1q_f32(out, act_relu(vaddq_f32(s0_0_0, vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12))));
  vst1q_f32(out + 16, act_relu(vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16))));
  vst1q_f32(out + 20, act_relu(vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20))));
  if (rows > 1) {
    vst1q_f32(out + LAYER2_ROW, act_relu(vaddq_f32(s1_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + LAYER2_ROW + 4, act_relu(vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + LAYER2_ROW + 8, act_relu(vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + LAYER2_ROW + 12, act_relu(vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + LAYER2_ROW + 16, act_relu(vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16))));
    vst1q_f32(out + LAYER2_ROW + 20, act_relu(vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20))));
  }
  if (rows > 2) {
    vst1q_f32(out + 2 * LAYER2_ROW, act_relu(vaddq_f32(s2_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + 2 * LAYER2_ROW + 4, act_relu(vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 2 * LAYER2_ROW + 8, act_relu(vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 2 * LAYER2_ROW + 12, act_relu(vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + 2 * LAYER2_ROW + 16, act_relu(vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16))));
    vst1q_f32(out + 2 * LAYER2_ROW + 20, act_relu(vaddq_f32(s2_5_0, vld1q_f32(linear_bias + 20))));
  }
  if (rows > 3) {
    vst1q_f32(out + 3 * LAYER2_ROW, act_relu(vaddq_f32(s3_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + 3 * LAYER2_ROW + 4, act_relu(vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 3 * LAYER2_ROW + 8, act_relu(vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 3 * LAYER2_ROW + 12, act_relu(vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + 3 * LAYER2_ROW + 16, act_relu(vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16))));
    vst1q_f32(out + 3 * LAYER2_ROW + 20, act_relu(vaddq_f32(s3_5_0, vld1q_f32(linear_bias + 20))));
  }
}

/* layer1: at most 4 rows x 20 columns, from column 8 of a bundle on, all 10 k. `w` begins at a
 * multiple of 64 bytes, `a` of 4, `out` of 16. */
FFN_INLINE void layer1_tile_4x20_at_8(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_4_0 = zero,
      s1_0_0 = zero, s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero, s1_4_0 = zero,
      s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero, s2_3_0 = zero, s2_4_0 = zero,
      s3_0_0 = zero, s3_1_0 = zero, s3_2_0 = zero, s3_3_0 = zero, s3_4_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 32));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
      s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
      s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
      s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
      s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
      s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
      s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
      s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
      s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
      s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
      s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
      s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
      s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
      s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
    }
  }
  float32x4_t s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s0_4_1 = zero,
      s1_0_1 = zero, s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero, s1_4_1 = zero,
      s2_0_1 = zero, s2_1_1 = zero, s2_2_1 = zero, s2_3_1 = zero, s2_4_1 = zero,
      s3_0_1 = zero, s3_1_1 = zero, s3_2_1 = zero, s3_3_1 = zero, s3_4_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 32));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
      s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
      s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
      s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
      s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
      s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
      s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
      s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
      s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
      s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
      s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
      s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
      s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
      s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_neon(&s0_4_0, &s1_0_0, &s1_1_0, &s1_2_0, s0_4_1, s1_0_1, s1_1_1, s1_2_1);
  ffn_add_4_neon(&s1_3_0, &s1_4_0, &s2_0_0, &s2_1_0, s1_3_1, s1_4_1, s2_0_1, s2_1_1);
  ffn_add_4_neon(&s2_2_0, &s2_3_0, &s2_4_0, &s3_0_0, s2_2_1, s2_3_1, s2_4_1, s3_0_1);
  ffn_add_4_neon(&s3_1_0, &s3_2_0, &s3_3_0, &s3_4_0, s3_1_1, s3_2_1, s3_3_1, s3_4_1);
  vst1q_f32(out, act_relu(vaddq_f32(s0_0_0, vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12))));
  vst1q_f32(out + 16, act_relu(vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16))));
  if (rows > 1) {
    vst1q_f32(out + LAYER2_ROW, act_relu(vaddq_f32(s1_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + LAYER2_ROW + 4, act_relu(vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + LAYER2_ROW + 8, act_relu(vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + LAYER2_ROW + 12, act_relu(vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + LAYER2_ROW + 16, act_relu(vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16))));
  }
  if (rows > 2) {
    vst1q_f32(out + 2 * LAYER2_ROW, act_relu(vaddq_f32(s2_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + 2 * LAYER2_ROW + 4, act_relu(vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 2 * LAYER2_ROW + 8, act_relu(vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 2 * LAYER2_ROW + 12, act_relu(vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + 2 * LAYER2_ROW + 16, act_relu(vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16))));
  }
  if (rows > 3) {
    vst1q_f32(out + 3 * LAYER2_ROW, act_relu(vaddq_f32(s3_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + 3 * LAYER2_ROW + 4, act_relu(vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 3 * LAYER2_ROW + 8, act_relu(vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 3 * LAYER2_ROW + 12, act_relu(vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + 3 * LAYER2_ROW + 16, act_relu(vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16))));
  }
}

/* layer1: at most 4 rows x 20 columns, from column 12 of a bundle on, all 10 k. `w` begins at a
 * multiple of 64 bytes, `a` of 4, `out` of 16. */
FFN_INLINE void layer1_tile_4x20_at_12(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_4_0 = zero,
      s1_0_0 = zero, s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero, s1_4_0 = zero,
      s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero, s2_3_0 = zero, s2_4_0 = zero,
      s3_0_0 = zero, s3_1_0 = zero, s3_2_0 = zero, s3_3_0 = zero, s3_4_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
      s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
      s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
      s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
      s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
      s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
      s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
      s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
      s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
      s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
      s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
      s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
      s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
      s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
    }
  }
  float32x4_t s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s0_4_1 = zero,
      s1_0_1 = zero, s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero, s1_4_1 = zero,
      s2_0_1 = zero, s2_1_1 = zero, s2_2_1 = zero, s2_3_1 = zero, s2_4_1 = zero,
      s3_0_1 = zero, s3_1_1 = zero, s3_2_1 = zero, s3_3_1 = zero, s3_4_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
      s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
      s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
      s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
      s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
      s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
      s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
      s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
      s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
      s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
      s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
      s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
      s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
      s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_neon(&s0_4_0, &s1_0_0, &s1_1_0, &s1_2_0, s0_4_1, s1_0_1, s1_1_1, s1_2_1);
  ffn_add_4_neon(&s1_3_0, &s1_4_0, &s2_0_0, &s2_1_0, s1_3_1, s1_4_1, s2_0_1, s2_1_1);
  ffn_add_4_neon(&s2_2_0, &s2_3_0, &s2_4_0, &s3_0_0, s2_2_1, s2_3_1, s2_4_1, s3_0_1);
  ffn_add_4_neon(&s3_1_0, &s3_2_0, &s3_3_0, &s3_4_0, s3_1_1, s3_2_1, s3_3_1, s3_4_1);
  vst1q_f32(out, act_relu(vaddq_f32(s0_0_0, vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12))));
  vst1q_f32(out + 16, act_relu(vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16))));
  if (rows > 1) {
    vst1q_f32(out + LAYER2_ROW, act_relu(vaddq_f32(s1_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + LAYER2_ROW + 4, act_relu(vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + LAYER2_ROW + 8, act_relu(vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + LAYER2_ROW + 12, act_relu(vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + LAYER2_ROW + 16, act_relu(vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16))));
  }
  if (rows > 2) {
    vst1q_f32(out + 2 * LAYER2_ROW, act_relu(vaddq_f32(s2_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + 2 * LAYER2_ROW + 4, act_relu(vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 2 * LAYER2_ROW + 8, act_relu(vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 2 * LAYER2_ROW + 12, act_relu(vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + 2 * LAYER2_ROW + 16, act_relu(vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16))));
  }
  if (rows > 3) {
    vst1q_f32(out + 3 * LAYER2_ROW, act_relu(vaddq_f32(s3_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + 3 * LAYER2_ROW + 4, act_relu(vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 3 * LAYER2_ROW + 8, act_relu(vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 3 * LAYER2_ROW + 12, act_relu(vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + 3 * LAYER2_ROW + 16, act_relu(vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16))));
  }
}

/* layer2: at most 4 rows x 16 columns, all 64 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 16. */
FFN_INLINE void layer2_tile_4x16(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s1_0_0 = zero,
      s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero, s2_0_0 = zero, s2_1_0 = zero,
      s2_2_0 = zero, s2_3_0 = zero, s3_0_0 = zero, s3_1_0 = zero, s3_2_0 = zero,
      s3_3_0 = zero;
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
      s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
      s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
      s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
      s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
      s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
      s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
      s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
      s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
      s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
      s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
    }
  }
  float32x4_t s0_0_2 = zero, s0_1_2 = zero, s0_2_2 = zero, s0_3_2 = zero, s1_0_2 = zero,
      s1_1_2 = zero, s1_2_2 = zero, s1_3_2 = zero, s2_0_2 = zero, s2_1_2 = zero,
      s2_2_2 = zero, s2_3_2 = zero, s3_0_2 = zero, s3_1_2 = zero, s3_2_2 = zero,
      s3_3_2 = zero;
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    s0_1_2 = vfmaq_f32(s0_1_2, x0, w1);
    s0_2_2 = vfmaq_f32(s0_2_2, x0, w2);
    s0_3_2 = vfmaq_f32(s0_3_2, x0, w3);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_2 = vfmaq_f32(s1_0_2, x1, w0);
      s1_1_2 = vfmaq_f32(s1_1_2, x1, w1);
      s1_2_2 = vfmaq_f32(s1_2_2, x1, w2);
      s1_3_2 = vfmaq_f32(s1_3_2, x1, w3);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
      s2_0_2 = vfmaq_f32(s2_0_2, x2, w0);
      s2_1_2 = vfmaq_f32(s2_1_2, x2, w1);
      s2_2_2 = vfmaq_f32(s2_2_2, x2, w2);
      s2_3_2 = vfmaq_f32(s2_3_2, x2, w3);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
      s3_0_2 = vfmaq_f32(s3_0_2, x3, w0);
      s3_1_2 = vfmaq_f32(s3_1_2, x3, w1);
      s3_2_2 = vfmaq_f32(s3_2_2, x3, w2);
      s3_3_2 = vfmaq_f32(s3_3_2, x3, w3);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_2, s0_1_2, s0_2_2, s0_3_2);
  ffn_add_4_neon(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_2, s1_1_2, s1_2_2, s1_3_2);
  ffn_add_4_neon(&s2_0_0, &s2_1_0, &s2_2_0, &s2_3_0, s2_0_2, s2_1_2, s2_2_2, s2_3_2);
  ffn_add_4_neon(&s3_0_0, &s3_1_0, &s3_2_0, &s3_3_0, s3_0_2, s3_1_2, s3_2_2, s3_3_2);
  float32x4_t s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s1_0_1 = zero,
      s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero, s2_0_1 = zero, s2_1_1 = zero,
      s2_2_1 = zero, s2_3_1 = zero, s3_0_1 = zero, s3_1_1 = zero, s3_2_1 = zero,
      s3_3_1 = zero;
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
      s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
      s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
      s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
      s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
      s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
      s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
      s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
      s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
      s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
      s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
    }
  }
  float32x4_t s0_0_3 = zero, s0_1_3 = zero, s0_2_3 = zero, s0_3_3 = zero, s1_0_3 = zero,
      s1_1_3 = zero, s1_2_3 = zero, s1_3_3 = zero, s2_0_3 = zero, s2_1_3 = zero,
      s2_2_3 = zero, s2_3_3 = zero, s3_0_3 = zero, s3_1_3 = zero, s3_2_3 = zero,
      s3_3_3 = zero;
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    s0_1_3 = vfmaq_f32(s0_1_3, x0, w1);
    s0_2_3 = vfmaq_f32(s0_2_3, x0, w2);
    s0_3_3 = vfmaq_f32(s0_3_3, x0, w3);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_3 = vfmaq_f32(s1_0_3, x1, w0);
      s1_1_3 = vfmaq_f32(s1_1_3, x1, w1);
      s1_2_3 = vfmaq_f32(s1_2_3, x1, w2);
      s1_3_3 = vfmaq_f32(s1_3_3, x1, w3);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
      s2_0_3 = vfmaq_f32(s2_0_3, x2, w0);
      s2_1_3 = vfmaq_f32(s2_1_3, x2, w1);
      s2_2_3 = vfmaq_f32(s2_2_3, x2, w2);
      s2_3_3 = vfmaq_f32(s2_3_3, x2, w3);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
      s3_0_3 = vfmaq_f32(s3_0_3, x3, w0);
      s3_1_3 = vfmaq_f32(s3_1_3, x3, w1);
      s3_2_3 = vfmaq_f32(s3_2_3, x3, w2);
      s3_3_3 = vfmaq_f32(s3_3_3, x3, w3);
    }
  }
  ffn_add_4_neon(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_3, s0_1_3, s0_2_3, s0_3_3);
  ffn_add_4_neon(&s1_0_1, &s1_1_1, &s1_2_1, &s1_3_1, s1_0_3, s1_1_3, s1_2_3, s1_3_3);
  ffn_add_4_neon(&s2_0_1, &s2_1_1, &s2_2_1, &s2_3_1, s2_0_3, s2_1_3, s2_2_3, s2_3_3);
  ffn_add_4_neon(&s3_0_1, &s3_1_1, &s3_2_1, &s3_3_1, s3_0_3, s3_1_3, s3_2_3, s3_3_3);
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_neon(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
  ffn_add_4_neon(&s2_0_0, &s2_1_0, &s2_2_0, &s2_3_0, s2_0_1, s2_1_1, s2_2_1, s2_3_1);
  ffn_add_4_neon(&s3_0_0, &s3_1_0, &s3_2_0, &s3_3_0, s3_0_1, s3_1_1, s3_2_1, s3_3_1);
  vst1q_f32(out, act_relu(vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(vaddq_f32(s0_2_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(vaddq_f32(s0_3_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 12))));
  if (rows > 1) {
    vst1q_f32(out + LAYER3_ROW, act_relu(vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias))));
    vst1q_f32(out + LAYER3_ROW + 4, act_relu(vaddq_f32(vaddq_f32(s1_1_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + LAYER3_ROW + 8, act_relu(vaddq_f32(vaddq_f32(s1_2_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + LAYER3_ROW + 12, act_relu(vaddq_f32(vaddq_f32(s1_3_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 12))));
  }
  if (rows > 2) {
    vst1q_f32(out + 2 * LAYER3_ROW, act_relu(vaddq_f32(vaddq_f32(s2_0_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias))));
    vst1q_f32(out + 2 * LAYER3_ROW + 4, act_relu(vaddq_f32(vaddq_f32(s2_1_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 2 * LAYER3_ROW + 8, act_relu(vaddq_f32(vaddq_f32(s2_2_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 2 * LAYER3_ROW + 12, act_relu(vaddq_f32(vaddq_f32(s2_3_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 12))));
  }
  if (rows > 3) {
    vst1q_f32(out + 3 * LAYER3_ROW, act_relu(vaddq_f32(vaddq_f32(s3_0_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias))));
    vst1q_f32(out + 3 * LAYER3_ROW + 4, act_relu(vaddq_f32(vaddq_f32(s3_1_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + 3 * LAYER3_ROW + 8, act_relu(vaddq_f32(vaddq_f32(s3_2_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + 3 * LAYER3_ROW + 12, act_relu(vaddq_f32(vaddq_f32(s3_3_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 12))));
  }
}

/* layer3: at most 4 rows x 1 column, all 32 k. `w` begins at a multiple of 64 bytes, `a` of 16,
 * `out` of 4. */
FFN_INLINE void layer3_tile_4x1(
    const float *a, const char *w, const size_t lane, const float *linear_bias, float *out,
    size_t stride, const int rows) {
  (void)lane;
  const float32x4_t sums = ffn_dots_neon(
      a, LAYER3_ROW, (const float *)w, LAYER3_STEP / sizeof(float), LAYER3_INPUTS, rows);
  float results[4];
  vst1q_f32(results, act_sigmoid(vaddq_f32(vaddq_f32(sums, vdupq_n_f32(0.0f)),
      vdupq_n_f32(linear_bias[0]))));
  out[0] = results[0];
  if (rows > 1)
    out[stride] = results[1];
  if (rows > 2)
    out[2 * stride] = results[2];
  if (rows > 3)
    out[3 * stride] = results[3];
}

/* layer1: at most 2 rows x 32 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 16. */
FFN_INLINE void layer1_tile_2x32(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_4_0 = zero,
      s0_5_0 = zero, s0_6_0 = zero, s0_7_0 = zero, s1_0_0 = zero, s1_1_0 = zero,
      s1_2_0 = zero, s1_3_0 = zero, s1_4_0 = zero, s1_5_0 = zero, s1_6_0 = zero,
      s1_7_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t w6 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    const float32x4_t w7 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    s0_6_0 = vfmaq_f32(s0_6_0, x0, w6);
    s0_7_0 = vfmaq_f32(s0_7_0, x0, w7);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
      s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
      s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
      s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
      s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
      s1_6_0 = vfmaq_f32(s1_6_0, x1, w6);
      s1_7_0 = vfmaq_f32(s1_7_0, x1, w7);
    }
  }
  float32x4_t s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s0_4_1 = zero,
      s0_5_1 = zero, s0_6_1 = zero, s0_7_1 = zero, s1_0_1 = zero, s1_1_1 = zero,
      s1_2_1 = zero, s1_3_1 = zero, s1_4_1 = zero, s1_5_1 = zero, s1_6_1 = zero,
      s1_7_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER1_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER1_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 16));
    const float32x4_t w6 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    const float32x4_t w7 = vld1q_f32((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    s0_6_1 = vfmaq_f32(s0_6_1, x0, w6);
    s0_7_1 = vfmaq_f32(s0_7_1, x0, w7);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
      s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
      s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
      s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
      s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
      s1_6_1 = vfmaq_f32(s1_6_1, x1, w6);
      s1_7_1 = vfmaq_f32(s1_7_1, x1, w7);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_neon(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  ffn_add_4_neon(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
  ffn_add_4_neon(&s1_4_0, &s1_5_0, &s1_6_0, &s1_7_0, s1_4_1, s1_5_1, s1_6_1, s1_7_1);
  vst1q_f32(out, act_relu(vaddq_f32(s0_0_0, vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12))));
  vst1q_f32(out + 16, act_relu(vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16))));
  vst1q_f32(out + 20, act_relu(vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20))));
  vst1q_f32(out + 24, act_relu(vaddq_f32(s0_6_0, vld1q_f32(linear_bias + 24))));
  vst1q_f32(out + 28, act_relu(vaddq_f32(s0_7_0, vld1q_f32(linear_bias + 28))));
  if (rows > 1) {
    vst1q_f32(out + LAYER2_ROW, act_relu(vaddq_f32(s1_0_0, vld1q_f32(linear_bias))));
    vst1q_f32(out + LAYER2_ROW + 4, act_relu(vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + LAYER2_ROW + 8, act_relu(vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + LAYER2_ROW + 12, act_relu(vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + LAYER2_ROW + 16, act_relu(vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16))));
    vst1q_f32(out + LAYER2_ROW + 20, act_relu(vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20))));
    vst1q_f32(out + LAYER2_ROW + 24, act_relu(vaddq_f32(s1_6_0, vld1q_f32(linear_bias + 24))));
    vst1q_f32(out + LAYER2_ROW + 28, act_relu(vaddq_f32(s1_7_0, vld1q_f32(linear_bias + 28))));
  }
}

/* layer2: at most 2 rows x 32 columns, all 64 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 16. */
FFN_INLINE void layer2_tile_2x32(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_4_0 = zero,
      s0_5_0 = zero, s0_6_0 = zero, s0_7_0 = zero, s1_0_0 = zero, s1_1_0 = zero,
      s1_2_0 = zero, s1_3_0 = zero, s1_4_0 = zero, s1_5_0 = zero, s1_6_0 = zero,
      s1_7_0 = zero;
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 16));
    const float32x4_t w6 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    const float32x4_t w7 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    s0_6_0 = vfmaq_f32(s0_6_0, x0, w6);
    s0_7_0 = vfmaq_f32(s0_7_0, x0, w7);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
      s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
      s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
      s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
      s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
      s1_6_0 = vfmaq_f32(s1_6_0, x1, w6);
      s1_7_0 = vfmaq_f32(s1_7_0, x1, w7);
    }
  }
  float32x4_t s0_0_2 = zero, s0_1_2 = zero, s0_2_2 = zero, s0_3_2 = zero, s0_4_2 = zero,
      s0_5_2 = zero, s0_6_2 = zero, s0_7_2 = zero, s1_0_2 = zero, s1_1_2 = zero,
      s1_2_2 = zero, s1_3_2 = zero, s1_4_2 = zero, s1_5_2 = zero, s1_6_2 = zero,
      s1_7_2 = zero;
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 16));
    const float32x4_t w6 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    const float32x4_t w7 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    s0_1_2 = vfmaq_f32(s0_1_2, x0, w1);
    s0_2_2 = vfmaq_f32(s0_2_2, x0, w2);
    s0_3_2 = vfmaq_f32(s0_3_2, x0, w3);
    s0_4_2 = vfmaq_f32(s0_4_2, x0, w4);
    s0_5_2 = vfmaq_f32(s0_5_2, x0, w5);
    s0_6_2 = vfmaq_f32(s0_6_2, x0, w6);
    s0_7_2 = vfmaq_f32(s0_7_2, x0, w7);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_2 = vfmaq_f32(s1_0_2, x1, w0);
      s1_1_2 = vfmaq_f32(s1_1_2, x1, w1);
      s1_2_2 = vfmaq_f32(s1_2_2, x1, w2);
      s1_3_2 = vfmaq_f32(s1_3_2, x1, w3);
      s1_4_2 = vfmaq_f32(s1_4_2, x1, w4);
      s1_5_2 = vfmaq_f32(s1_5_2, x1, w5);
      s1_6_2 = vfmaq_f32(s1_6_2, x1, w6);
      s1_7_2 = vfmaq_f32(s1_7_2, x1, w7);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_2, s0_1_2, s0_2_2, s0_3_2);
  ffn_add_4_neon(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_2, s0_5_2, s0_6_2, s0_7_2);
  ffn_add_4_neon(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_2, s1_1_2, s1_2_2, s1_3_2);
  ffn_add_4_neon(&s1_4_0, &s1_5_0, &s1_6_0, &s1_7_0, s1_4_2, s1_5_2, s1_6_2, s1_7_2);
  float32x4_t s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s0_4_1 = zero,
      s0_5_1 = zero, s0_6_1 = zero, s0_7_1 = zero, s1_0_1 = zero, s1_1_1 = zero,
      s1_2_1 = zero, s1_3_1 = zero, s1_4_1 = zero, s1_5_1 = zero, s1_6_1 = zero,
      s1_7_1 = zero;
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 16));
    const float32x4_t w6 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    const float32x4_t w7 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    s0_6_1 = vfmaq_f32(s0_6_1, x0, w6);
    s0_7_1 = vfmaq_f32(s0_7_1, x0, w7);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
      s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
      s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
      s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
      s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
      s1_6_1 = vfmaq_f32(s1_6_1, x1, w6);
      s1_7_1 = vfmaq_f32(s1_7_1, x1, w7);
    }
  }
  float32x4_t s0_0_3 = zero, s0_1_3 = zero, s0_2_3 = zero, s0_3_3 = zero, s0_4_3 = zero,
      s0_5_3 = zero, s0_6_3 = zero, s0_7_3 = zero, s1_0_3 = zero, s1_1_3 = zero,
      s1_2_3 = zero, s1_3_3 = zero, s1_4_3 = zero, s1_5_3 = zero, s1_6_3 = zero,
      s1_7_3 = zero;
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * LAYER2_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 16));
    const float32x4_t w2 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 32));
    const float32x4_t w3 = vld1q_f32((const float *)(w + k * LAYER2_STEP + 48));
    const float32x4_t w4 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const float32x4_t w5 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 16));
    const float32x4_t w6 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    const float32x4_t w7 = vld1q_f32((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 48));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    s0_1_3 = vfmaq_f32(s0_1_3, x0, w1);
    s0_2_3 = vfmaq_f32(s0_2_3, x0, w2);
    s0_3_3 = vfmaq_f32(s0_3_3, x0, w3);
    s0_4_3 = vfmaq_f32(s0_4_3, x0, w4);
    s0_5_3 = vfmaq_f32(s0_5_3, x0, w5);
    s0_6_3 = vfmaq_f32(s0_6_3, x0, w6);
    s0_7_3 = vfmaq_f32(s0_7_3, x0, w7);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
      s1_0_3 = vfmaq_f32(s1_0_3, x1, w0);
      s1_1_3 = vfmaq_f32(s1_1_3, x1, w1);
      s1_2_3 = vfmaq_f32(s1_2_3, x1, w2);
      s1_3_3 = vfmaq_f32(s1_3_3, x1, w3);
      s1_4_3 = vfmaq_f32(s1_4_3, x1, w4);
      s1_5_3 = vfmaq_f32(s1_5_3, x1, w5);
      s1_6_3 = vfmaq_f32(s1_6_3, x1, w6);
      s1_7_3 = vfmaq_f32(s1_7_3, x1, w7);
    }
  }
  ffn_add_4_neon(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_3, s0_1_3, s0_2_3, s0_3_3);
  ffn_add_4_neon(&s0_4_1, &s0_5_1, &s0_6_1, &s0_7_1, s0_4_3, s0_5_3, s0_6_3, s0_7_3);
  ffn_add_4_neon(&s1_0_1, &s1_1_1, &s1_2_1, &s1_3_1, s1_0_3, s1_1_3, s1_2_3, s1_3_3);
  ffn_add_4_neon(&s1_4_1, &s1_5_1, &s1_6_1, &s1_7_1, s1_4_3, s1_5_3, s1_6_3, s1_7_3);
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_neon(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  ffn_add_4_neon(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
  ffn_add_4_neon(&s1_4_0, &s1_5_0, &s1_6_0, &s1_7_0, s1_4_1, s1_5_1, s1_6_1, s1_7_1);
  vst1q_f32(out, act_relu(vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(vaddq_f32(s0_2_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(vaddq_f32(s0_3_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 12))));
  vst1q_f32(out + 16, act_relu(vaddq_f32(vaddq_f32(s0_4_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 16))));
  vst1q_f32(out + 20, act_relu(vaddq_f32(vaddq_f32(s0_5_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 20))));
  vst1q_f32(out + 24, act_relu(vaddq_f32(vaddq_f32(s0_6_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 24))));
  vst1q_f32(out + 28, act_relu(vaddq_f32(vaddq_f32(s0_7_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 28))));
  if (rows > 1) {
    vst1q_f32(out + LAYER3_ROW, act_relu(vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias))));
    vst1q_f32(out + LAYER3_ROW + 4, act_relu(vaddq_f32(vaddq_f32(s1_1_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 4))));
    vst1q_f32(out + LAYER3_ROW + 8, act_relu(vaddq_f32(vaddq_f32(s1_2_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 8))));
    vst1q_f32(out + LAYER3_ROW + 12, act_relu(vaddq_f32(vaddq_f32(s1_3_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 12))));
    vst1q_f32(out + LAYER3_ROW + 16, act_relu(vaddq_f32(vaddq_f32(s1_4_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 16))));
    vst1q_f32(out + LAYER3_ROW + 20, act_relu(vaddq_f32(vaddq_f32(s1_5_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 20))));
    vst1q_f32(out + LAYER3_ROW + 24, act_relu(vaddq_f32(vaddq_f32(s1_6_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 24))));
    vst1q_f32(out + LAYER3_ROW + 28, act_relu(vaddq_f32(vaddq_f32(s1_7_0, vdupq_n_f32(0.0f)),
        vld1q_f32(linear_bias + 28))));
  }
}

/* layer1: one row x 32 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out`
 * of 16. */
FFN_INLINE void layer1_tile_1x32(
    const float *a, const char *w, const float *linear_bias, float *out) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_4_0 = zero,
      s0_5_0 = zero, s0_6_0 = zero, s0_7_0 = zero, s0_0_1 = zero, s0_1_1 = zero,
      s0_2_1 = zero, s0_3_1 = zero, s0_4_1 = zero, s0_5_1 = zero, s0_6_1 = zero,
      s0_7_1 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 48));
      const float32x4_t w4 = vld1q_f32((const float *)(w + LAYER1_BUNDLE));
      const float32x4_t w5 = vld1q_f32((const float *)(w + LAYER1_BUNDLE + 16));
      const float32x4_t w6 = vld1q_f32((const float *)(w + LAYER1_BUNDLE + 32));
      const float32x4_t w7 = vld1q_f32((const float *)(w + LAYER1_BUNDLE + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
      s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
      s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
      s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
      s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
      s0_6_0 = vfmaq_f32(s0_6_0, x0, w6);
      s0_7_0 = vfmaq_f32(s0_7_0, x0, w7);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + LAYER1_STEP));
      const float32x4_t w1 = vld1q_f32((const float *)(w + LAYER1_STEP + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + LAYER1_STEP + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + LAYER1_STEP + 48));
      const float32x4_t w4 = vld1q_f32((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE));
      const float32x4_t w5 = vld1q_f32((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 16));
      const float32x4_t w6 = vld1q_f32((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 32));
      const float32x4_t w7 = vld1q_f32((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
      s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
      s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
      s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
      s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
      s0_6_1 = vfmaq_f32(s0_6_1, x0, w6);
      s0_7_1 = vfmaq_f32(s0_7_1, x0, w7);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_neon(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  vst1q_f32(out, act_relu(vaddq_f32(s0_0_0, vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12))));
  vst1q_f32(out + 16, act_relu(vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16))));
  vst1q_f32(out + 20, act_relu(vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20))));
  vst1q_f32(out + 24, act_relu(vaddq_f32(s0_6_0, vld1q_f32(linear_bias + 24))));
  vst1q_f32(out + 28, act_relu(vaddq_f32(s0_7_0, vld1q_f32(linear_bias + 28))));
}

/* layer2: one row x 16 columns, all 64 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out`
 * of 16. */
FFN_INLINE void layer2_tile_1x16(
    const float *a, const char *w, const float *linear_bias, float *out) {
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_0_1 = zero,
      s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s0_0_2 = zero, s0_1_2 = zero,
      s0_2_2 = zero, s0_3_2 = zero, s0_0_3 = zero, s0_1_3 = zero, s0_2_3 = zero,
      s0_3_3 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
      s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
      s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + LAYER2_STEP));
      const float32x4_t w1 = vld1q_f32((const float *)(w + LAYER2_STEP + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + LAYER2_STEP + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + LAYER2_STEP + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
      s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
      s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 2 * LAYER2_STEP));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 2 * LAYER2_STEP + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 2 * LAYER2_STEP + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 2 * LAYER2_STEP + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k + 2]);
      s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
      s0_1_2 = vfmaq_f32(s0_1_2, x0, w1);
      s0_2_2 = vfmaq_f32(s0_2_2, x0, w2);
      s0_3_2 = vfmaq_f32(s0_3_2, x0, w3);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 3 * LAYER2_STEP));
      const float32x4_t w1 = vld1q_f32((const float *)(w + 3 * LAYER2_STEP + 16));
      const float32x4_t w2 = vld1q_f32((const float *)(w + 3 * LAYER2_STEP + 32));
      const float32x4_t w3 = vld1q_f32((const float *)(w + 3 * LAYER2_STEP + 48));
      const float32x4_t x0 = vdupq_n_f32(a[k + 3]);
      s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
      s0_1_3 = vfmaq_f32(s0_1_3, x0, w1);
      s0_2_3 = vfmaq_f32(s0_2_3, x0, w2);
      s0_3_3 = vfmaq_f32(s0_3_3, x0, w3);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_2, s0_1_2, s0_2_2, s0_3_2);
  ffn_add_4_neon(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_3, s0_1_3, s0_2_3, s0_3_3);
  ffn_add_4_neon(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  vst1q_f32(out, act_relu(vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 4))));
  vst1q_f32(out + 8, act_relu(vaddq_f32(vaddq_f32(s0_2_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 8))));
  vst1q_f32(out + 12, act_relu(vaddq_f32(vaddq_f32(s0_3_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias + 12))));
}

/* layer3: one row x 1 column, all 32 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of
 * 4. */
FFN_INLINE void layer3_tile_1x4_of_1(
    const float *a, const char *w, const size_t lane, const float *linear_bias, float *out) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_0_1 = zero, s0_0_2 = zero, s0_0_3 = zero, s0_0_4 = zero,
      s0_0_5 = zero, s0_0_6 = zero, s0_0_7 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 8 <= LAYER3_INPUTS; k += 8, w += 8 * LAYER3_STEP) {
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + LAYER3_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 2 * LAYER3_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 2]);
      s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 3 * LAYER3_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 3]);
      s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 4 * LAYER3_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 4]);
      s0_0_4 = vfmaq_f32(s0_0_4, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 5 * LAYER3_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 5]);
      s0_0_5 = vfmaq_f32(s0_0_5, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 6 * LAYER3_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 6]);
      s0_0_6 = vfmaq_f32(s0_0_6, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + 7 * LAYER3_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 7]);
      s0_0_7 = vfmaq_f32(s0_0_7, x0, w0);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_4);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_5);
  s0_0_2 = vaddq_f32(s0_0_2, s0_0_6);
  s0_0_3 = vaddq_f32(s0_0_3, s0_0_7);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  ffn_store_tail_neon(out, act_sigmoid(vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(linear_bias))), 1);
}

/* 8 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_8(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LAYER1_ROW, x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 4 * LAYER1_ROW, x + 4 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 5 * LAYER1_ROW, x + 5 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 6 * LAYER1_ROW, x + 6 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 7 * LAYER1_ROW, x + 7 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 8 * LAYER1_ROW;
    layer1_tile_4x24(in, weights, bias, out, 4);
    FFN_SETTLE();
    layer1_tile_4x20_at_8(in, weights + LAYER1_BUNDLE, bias + 24, out + 24, 4);
    FFN_SETTLE();
    layer1_tile_4x20_at_12(in, weights + 2 * LAYER1_BUNDLE, bias + 44, out + 44, 4);
    FFN_SETTLE();
    layer1_tile_4x24(in + 4 * LAYER1_ROW, weights, bias, out + 4 * LAYER2_ROW, 4);
    FFN_SETTLE();
    layer1_tile_4x20_at_8(in + 4 * LAYER1_ROW, weights + LAYER1_BUNDLE, bias + 24,
        out + 4 * LAYER2_ROW + 24, 4);
    FFN_SETTLE();
    layer1_tile_4x20_at_12(in + 4 * LAYER1_ROW, weights + 2 * LAYER1_BUNDLE, bias + 44,
        out + 4 * LAYER2_ROW + 44, 4);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + 8 * LAYER1_ROW;
    float *out = memory + 8 * LAYER1_ROW + 8 * LAYER2_ROW;
    layer2_tile_4x16(in, weights, bias, out, 4);
    FFN_SETTLE();
    layer2_tile_4x16(in, weights + LAYER2_BUNDLE, bias + 16, out + 16, 4);
    FFN_SETTLE();
    layer2_tile_4x16(in + 4 * LAYER2_ROW, weights, bias, out + 4 * LAYER3_ROW, 4);
    FFN_SETTLE();
    layer2_tile_4x16(in + 4 * LAYER2_ROW, weights + LAYER2_BUNDLE, bias + 16,
        out + 4 * LAYER3_ROW + 16, 4);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + 8 * LAYER1_ROW + 8 * LAYER2_ROW;
    layer3_tile_4x1(in, weights, 0, bias, y, call->y_stride, 4);
    FFN_SETTLE();
    layer3_tile_4x1(in + 4 * LAYER3_ROW, weights, 0, bias, y + 4 * call->y_stride,
        call->y_stride, 4);
    FFN_SETTLE();
  }
}

/* 4 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LAYER1_ROW, x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 4 * LAYER1_ROW;
    layer1_tile_4x24(in, weights, bias, out, 4);
    FFN_SETTLE();
    layer1_tile_4x20_at_8(in, weights + LAYER1_BUNDLE, bias + 24, out + 24, 4);
    FFN_SETTLE();
    layer1_tile_4x20_at_12(in, weights + 2 * LAYER1_BUNDLE, bias + 44, out + 44, 4);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + 4 * LAYER1_ROW;
    float *out = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer2_tile_4x16(in, weights, bias, out, 4);
    FFN_SETTLE();
    layer2_tile_4x16(in, weights + LAYER2_BUNDLE, bias + 16, out + 16, 4);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer3_tile_4x1(in, weights, 0, bias, y, call->y_stride, 4);
    FFN_SETTLE();
  }
}

/* 3 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 3 * LAYER1_ROW;
    layer1_tile_4x24(in, weights, bias, out, 3);
    FFN_SETTLE();
    layer1_tile_4x20_at_8(in, weights + LAYER1_BUNDLE, bias + 24, out + 24, 3);
    FFN_SETTLE();
    layer1_tile_4x20_at_12(in, weights + 2 * LAYER1_BUNDLE, bias + 44, out + 44, 3);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + 3 * LAYER1_ROW;
    float *out = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer2_tile_4x16(in, weights, bias, out, 3);
    FFN_SETTLE();
    layer2_tile_4x16(in, weights + LAYER2_BUNDLE, bias + 16, out + 16, 3);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer3_tile_4x1(in, weights, 0, bias, y, call->y_stride, 3);
    FFN_SETTLE();
  }
}

/* 2 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 2 * LAYER1_ROW;
    layer1_tile_2x32(in, weights, bias, out, 2);
    FFN_SETTLE();
    layer1_tile_2x32(in, weights + 2 * LAYER1_BUNDLE, bias + 32, out + 32, 2);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + 2 * LAYER1_ROW;
    float *out = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer2_tile_2x32(in, weights, bias, out, 2);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer3_tile_4x1(in, weights, 0, bias, y, call->y_stride, 2);
    FFN_SETTLE();
  }
}

/* One row from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    const float *in = x;
    float *out = memory + LAYER1_ROW;
    layer1_tile_1x32(in, weights, bias, out);
    FFN_SETTLE();
    layer1_tile_1x32(in, weights + 2 * LAYER1_BUNDLE, bias + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + LAYER1_ROW;
    float *out = memory + LAYER1_ROW + LAYER2_ROW;
    layer2_tile_1x16(in, weights, bias, out);
    FFN_SETTLE();
    layer2_tile_1x16(in, weights + LAYER2_BUNDLE, bias + 16, out + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + LAYER1_ROW + LAYER2_ROW;
    layer3_tile_1x4_of_1(in, weights, 0, bias, y);
    FFN_SETTLE();
  }
}

/* Several rows [first, last), all columns and k. `memory` begins at a multiple of 64 bytes. */
FFN_NOINLINE void several_rows(const ffn_walk *walk, float *memory, size_t first, size_t last) {
  for (; first + 8 <= last; first += 8)
    rows_of_8(walk->call, memory, first);
  for (; first + 4 <= last; first += 4)
    rows_of_4(walk->call, memory, first);
  for (; first + 3 <= last; first += 3)
    rows_of_3(walk->call, memory, first);
  for (; first + 2 <= last; first += 2)
    rows_of_2(walk->call, memory, first);
  for (; first < last; ++first)
    one_row(walk->call, memory, first);
}

/* Rows [first, last), all columns and k. A lone row, the commonest, saves no registers for more. */
static void straight_rows(const ffn_walk *walk, void *memory, size_t first, size_t last) {
  if (last - first == 1)
    one_row(walk->call, (float *)memory, first);
  else
    several_rows(walk, (float *)memory, first, last);
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
        LAYER1_INPUTS, /* inputs */
        LAYER1_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_RELU, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER1_INPUTS, /* k_block */
        2, /* chains */
        LAYER1_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
    {
        LAYER2_INPUTS, /* inputs */
        LAYER2_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_RELU, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER2_INPUTS, /* k_block */
        4, /* chains */
        LAYER2_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
    {
        LAYER3_INPUTS, /* inputs */
        LAYER3_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_SIGMOID, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER3_INPUTS, /* k_block */
        8, /* chains */
        LAYER3_ROUNDINGS, /* sum_length */
        2.7f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x764069b59f8f69af), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    straight_rows, /* rows */
    NULL, /* columns */
    0, /* stage_count */
    NULL, /* stages */
    ROWS, /* row_step */
    0, /* own_rows */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    LAYER3_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS +
        2 * (uint64_t)LAYER3_INPUTS * LAYER3_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_add_whole, /* add */
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

/* Packs all matrices and biases of 3 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 3, weights));
  ffn_pack_stage(
      header, &packing_f32, LAYER1_AT, LAYER1_WIDTH, LAYER1_BIAS_AT,
      stages, 0, weights, group);
  ffn_pack_stage(
      header, &packing_f32, LAYER2_AT, LAYER2_WIDTH, LAYER2_BIAS_AT,
      stages, 1, weights, group);
  ffn_pack_stage(
      header, &packing_f32, LAYER3_AT, LAYER3_WIDTH, LAYER3_BIAS_AT,
      stages, 2, weights, group);
}

/* Unpacks all matrices and biases of 3 stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[1];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
  ffn_unpack_stage(
      to, header, &packing_f32, LAYER1_AT, LAYER1_WIDTH, LAYER1_BIAS_AT,
      stages, 0, group);
  ffn_unpack_stage(
      to, header, &packing_f32, LAYER2_AT, LAYER2_WIDTH, LAYER2_BIAS_AT,
      stages, 1, group);
  ffn_unpack_stage(
      to, header, &packing_f32, LAYER3_AT, LAYER3_WIDTH, LAYER3_BIAS_AT,
      stages, 2, group);
}
#endif

/* All rows of a call through all 3 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_neon;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_neon = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_neon", /* name */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* layer */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* packed */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_NEON, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    0, /* hidden */
    LAYER3_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    3, /* stage_count */
    stages, /* stages */
    WEIGHT_BYTES, /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW, /* work_row_bytes */
    BESIDE, /* work_beside_bytes */
    1, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
            2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS +
            2 * (uint64_t)LAYER3_INPUTS * LAYER3_OUTPUTS, /* flop_per_token */
    FFN_IF_PACK(pack), /* pack */
    FFN_IF_PACK(unpack), /* unpack */
    run_forward, /* run */
    NULL, /* choices */
    NULL, /* staged */
};
#endif
FFN_EXACT_END
