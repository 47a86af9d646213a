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
 * Templates  file, sizes, straight, group, chains_loop, step, dots, loop, ascend, straight_rows,
 *            add, tables, api, about
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

#if FFN_ABI != 5
#error "made for ABI 5 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* layer1: 10 -> 64, linear with bias, h1 = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_PANELS = 4, /* of sixteen outputs, zeros beyond the last */
  LAYER1_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER1_PANEL = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* floats of a row in a block of the input */
};

/* layer2: 64 -> 32, linear with bias, h2 = relu(linear) */
enum {
  LAYER2_INPUTS = 64,
  LAYER2_OUTPUTS = 32,
  LAYER2_PANELS = 2, /* of sixteen outputs, zeros beyond the last */
  LAYER2_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER2_PANEL = LAYER2_INPUTS * LAYER2_STEP,
  LAYER2_ROUNDINGS = 19, /* at most, of a product in its sum */
  LAYER2_ROW = 64, /* floats of a row in a block of the input */
};

/* layer3: 32 -> 1, linear with bias, y = sigmoid(linear) */
enum {
  LAYER3_INPUTS = 32,
  LAYER3_OUTPUTS = 1,
  LAYER3_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  LAYER3_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER3_PANEL = LAYER3_INPUTS * LAYER3_STEP,
  LAYER3_ROUNDINGS = 8, /* at most, of a product in its sum */
  LAYER3_ROW = 32, /* floats of a row in a block of the input */
};

enum {
  ROWS = 8, /* that are added to y at a time, at most */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = LAYER1_ROW + LAYER2_ROW + LAYER3_ROW, /* floats of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float layer1[LAYER1_PANELS][LAYER1_INPUTS][1][FFN_PANEL];
  float layer1_bias[1][LAYER1_PANELS * FFN_PANEL];
  float layer2[LAYER2_PANELS][LAYER2_INPUTS][1][FFN_PANEL];
  float layer2_bias[1][LAYER2_PANELS * FFN_PANEL];
  float layer3[LAYER3_PANELS][LAYER3_INPUTS][1][FFN_PANEL];
  float layer3_bias[1][LAYER3_PANELS * FFN_PANEL];
} packed_weights;

FFN_INLINE void ffn_store_tail_neon(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

/* At most four `rows` of `a` times a column of weights that are `step` apart. The eight chains of a
 * sum are lanes of two vectors, and four sums are folded at once. The sum of row r in lane r. */
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

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE float32x4_t act_relu(const float32x4_t x) {
  return vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. */
FFN_INLINE float32x4_t act_sigmoid(const float32x4_t x) {
  const float32x4_t t = vbslq_f32(vcltq_f32(x, vdupq_n_f32(-104.0f)), vdupq_n_f32(-104.0f), x);
  const float32x4_t a = vbslq_f32(vcgtq_f32(t, vdupq_n_f32(24.0f)), vdupq_n_f32(24.0f), t);
  const float32x4_t shifted = vfmaq_f32(vdupq_n_f32(12582912.0f), a, vdupq_n_f32(-1.442695f));
  const float32x4_t steps = vsubq_f32(shifted, vdupq_n_f32(12582912.0f));
  const int32x4_t t_2 = vreinterpretq_s32_f32(shifted);
  const int32x4_t n = vsubq_s32(t_2, vdupq_n_s32(1262485536));
  const float32x4_t t_3 = vfmaq_f32(a, steps, vdupq_n_f32(0.6931472f));
  const float32x4_t r = vfmaq_f32(t_3, steps, vdupq_n_f32(-1.9046542e-09f));
  const float32x4_t t_4 = vfmaq_f32(vdupq_n_f32(-0.008368532f), vdupq_n_f32(0.0013818297f), r);
  const float32x4_t t_5 = vfmaq_f32(vdupq_n_f32(0.041668292f), t_4, r);
  const float32x4_t t_6 = vfmaq_f32(vdupq_n_f32(-0.16666523f), t_5, r);
  const float32x4_t t_7 = vfmaq_f32(vdupq_n_f32(0.49999994f), t_6, r);
  const float32x4_t t_8 = vfmaq_f32(vdupq_n_f32(-1.0f), t_7, r);
  const float32x4_t p = vfmaq_f32(vdupq_n_f32(1.0f), t_8, r);
  const int32x4_t t_9 = vaddq_s32(n, vdupq_n_s32(127));
  const int32x4_t t_10 = vshlq_n_s32(t_9, 23);
  const float32x4_t t_11 = vreinterpretq_f32_s32(t_10);
  const float32x4_t denominator = vfmaq_f32(vdupq_n_f32(2.3283064e-10f), p, t_11);
  return vdivq_f32(vdupq_n_f32(2.3283064e-10f), denominator);
}

/* layer1: 4 rows of 24 columns. */
FFN_INLINE void layer1_group_4x24(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_5_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    s2_5_0 = vfmaq_f32(s2_5_0, x2, w5);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
    s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
    s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
    s3_5_0 = vfmaq_f32(s3_5_0, x3, w5);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_5_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    s2_5_1 = vfmaq_f32(s2_5_1, x2, w5);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
    s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
    s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
    s3_5_1 = vfmaq_f32(s3_5_1, x3, w5);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s2_5_0 = vaddq_f32(s2_5_0, s2_5_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_1);
  s3_4_0 = vaddq_f32(s3_4_0, s3_4_1);
  s3_5_0 = vaddq_f32(s3_5_0, s3_5_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s1_5_0 = vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20));
  s1_5_0 = act_relu(s1_5_0);
  vst1q_f32(out + LAYER2_ROW + 20, s1_5_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s2_5_0 = vaddq_f32(s2_5_0, vld1q_f32(linear_bias + 20));
  s2_5_0 = act_relu(s2_5_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 20, s2_5_0);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  vst1q_f32(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  s3_1_0 = act_relu(s3_1_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 4, s3_1_0);
  s3_2_0 = vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8));
  s3_2_0 = act_relu(s3_2_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 8, s3_2_0);
  s3_3_0 = vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12));
  s3_3_0 = act_relu(s3_3_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 12, s3_3_0);
  s3_4_0 = vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16));
  s3_4_0 = act_relu(s3_4_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 16, s3_4_0);
  s3_5_0 = vaddq_f32(s3_5_0, vld1q_f32(linear_bias + 20));
  s3_5_0 = act_relu(s3_5_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 20, s3_5_0);
}

/* layer1: 4 rows of 20 columns, from column 8 of a panel on. */
FFN_INLINE void layer1_group_4x20_at_8(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
    s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
    s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
    s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
    s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_1);
  s3_4_0 = vaddq_f32(s3_4_0, s3_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  vst1q_f32(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  s3_1_0 = act_relu(s3_1_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 4, s3_1_0);
  s3_2_0 = vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8));
  s3_2_0 = act_relu(s3_2_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 8, s3_2_0);
  s3_3_0 = vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12));
  s3_3_0 = act_relu(s3_3_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 12, s3_3_0);
  s3_4_0 = vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16));
  s3_4_0 = act_relu(s3_4_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 16, s3_4_0);
}

/* layer1: 4 rows of 20 columns, from column 12 of a panel on. */
FFN_INLINE void layer1_group_4x20_at_12(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
    s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
    s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
    s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
    s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_1);
  s3_4_0 = vaddq_f32(s3_4_0, s3_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  vst1q_f32(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  s3_1_0 = act_relu(s3_1_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 4, s3_1_0);
  s3_2_0 = vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8));
  s3_2_0 = act_relu(s3_2_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 8, s3_2_0);
  s3_3_0 = vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12));
  s3_3_0 = act_relu(s3_3_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 12, s3_3_0);
  s3_4_0 = vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16));
  s3_4_0 = act_relu(s3_4_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 16, s3_4_0);
}

/* layer2: 4 rows of 16 columns. */
FFN_INLINE void layer2_group_4x16(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
    s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
  }
  float32x4_t s0_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_2 = vdupq_n_f32(0.0f);
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    s0_1_2 = vfmaq_f32(s0_1_2, x0, w1);
    s0_2_2 = vfmaq_f32(s0_2_2, x0, w2);
    s0_3_2 = vfmaq_f32(s0_3_2, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_2 = vfmaq_f32(s1_0_2, x1, w0);
    s1_1_2 = vfmaq_f32(s1_1_2, x1, w1);
    s1_2_2 = vfmaq_f32(s1_2_2, x1, w2);
    s1_3_2 = vfmaq_f32(s1_3_2, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_2 = vfmaq_f32(s2_0_2, x2, w0);
    s2_1_2 = vfmaq_f32(s2_1_2, x2, w1);
    s2_2_2 = vfmaq_f32(s2_2_2, x2, w2);
    s2_3_2 = vfmaq_f32(s2_3_2, x2, w3);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
    s3_0_2 = vfmaq_f32(s3_0_2, x3, w0);
    s3_1_2 = vfmaq_f32(s3_1_2, x3, w1);
    s3_2_2 = vfmaq_f32(s3_2_2, x3, w2);
    s3_3_2 = vfmaq_f32(s3_3_2, x3, w3);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_2);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_2);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_2);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_2);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_2);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_2);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_2);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_2);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_2);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_2);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_2);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_2);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_2);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_2);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_2);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
    s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
  }
  float32x4_t s0_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_3 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_3 = vdupq_n_f32(0.0f);
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    s0_1_3 = vfmaq_f32(s0_1_3, x0, w1);
    s0_2_3 = vfmaq_f32(s0_2_3, x0, w2);
    s0_3_3 = vfmaq_f32(s0_3_3, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_3 = vfmaq_f32(s1_0_3, x1, w0);
    s1_1_3 = vfmaq_f32(s1_1_3, x1, w1);
    s1_2_3 = vfmaq_f32(s1_2_3, x1, w2);
    s1_3_3 = vfmaq_f32(s1_3_3, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_3 = vfmaq_f32(s2_0_3, x2, w0);
    s2_1_3 = vfmaq_f32(s2_1_3, x2, w1);
    s2_2_3 = vfmaq_f32(s2_2_3, x2, w2);
    s2_3_3 = vfmaq_f32(s2_3_3, x2, w3);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER2_ROW]);
    s3_0_3 = vfmaq_f32(s3_0_3, x3, w0);
    s3_1_3 = vfmaq_f32(s3_1_3, x3, w1);
    s3_2_3 = vfmaq_f32(s3_2_3, x3, w2);
    s3_3_3 = vfmaq_f32(s3_3_3, x3, w3);
  }
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_3);
  s0_2_1 = vaddq_f32(s0_2_1, s0_2_3);
  s0_3_1 = vaddq_f32(s0_3_1, s0_3_3);
  s1_0_1 = vaddq_f32(s1_0_1, s1_0_3);
  s1_1_1 = vaddq_f32(s1_1_1, s1_1_3);
  s1_2_1 = vaddq_f32(s1_2_1, s1_2_3);
  s1_3_1 = vaddq_f32(s1_3_1, s1_3_3);
  s2_0_1 = vaddq_f32(s2_0_1, s2_0_3);
  s2_1_1 = vaddq_f32(s2_1_1, s2_1_3);
  s2_2_1 = vaddq_f32(s2_2_1, s2_2_3);
  s2_3_1 = vaddq_f32(s2_3_1, s2_3_3);
  s3_0_1 = vaddq_f32(s3_0_1, s3_0_3);
  s3_1_1 = vaddq_f32(s3_1_1, s3_1_3);
  s3_2_1 = vaddq_f32(s3_2_1, s3_2_3);
  s3_3_1 = vaddq_f32(s3_3_1, s3_3_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_1);
  s0_0_0 = vaddq_f32(s0_0_0, vdupq_n_f32(0.0f));
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vdupq_n_f32(0.0f));
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vdupq_n_f32(0.0f));
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vdupq_n_f32(0.0f));
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s1_0_0 = vaddq_f32(s1_0_0, vdupq_n_f32(0.0f));
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER3_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vdupq_n_f32(0.0f));
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER3_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vdupq_n_f32(0.0f));
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER3_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vdupq_n_f32(0.0f));
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER3_ROW + 12, s1_3_0);
  s2_0_0 = vaddq_f32(s2_0_0, vdupq_n_f32(0.0f));
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER3_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vdupq_n_f32(0.0f));
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER3_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vdupq_n_f32(0.0f));
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER3_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vdupq_n_f32(0.0f));
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER3_ROW + 12, s2_3_0);
  s3_0_0 = vaddq_f32(s3_0_0, vdupq_n_f32(0.0f));
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  vst1q_f32(out + 3 * LAYER3_ROW, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vdupq_n_f32(0.0f));
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  s3_1_0 = act_relu(s3_1_0);
  vst1q_f32(out + 3 * LAYER3_ROW + 4, s3_1_0);
  s3_2_0 = vaddq_f32(s3_2_0, vdupq_n_f32(0.0f));
  s3_2_0 = vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8));
  s3_2_0 = act_relu(s3_2_0);
  vst1q_f32(out + 3 * LAYER3_ROW + 8, s3_2_0);
  s3_3_0 = vaddq_f32(s3_3_0, vdupq_n_f32(0.0f));
  s3_3_0 = vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12));
  s3_3_0 = act_relu(s3_3_0);
  vst1q_f32(out + 3 * LAYER3_ROW + 12, s3_3_0);
}

/* layer3: 4 rows of 1 column. */
FFN_INLINE void layer3_group_4x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t sums =
      ffn_dots_neon(a, LAYER3_ROW, w, LAYER3_STEP, LAYER3_INPUTS, 4);
  sums = vaddq_f32(sums, vdupq_n_f32(0.0f));
  sums = vaddq_f32(sums, vdupq_n_f32(linear_bias[0]));
  sums = act_sigmoid(sums);
  float results[4];
  vst1q_f32(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
  out[3 * stride] = results[3];
}

/* layer1: 3 rows of 24 columns. */
FFN_INLINE void layer1_group_3x24(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    s2_5_0 = vfmaq_f32(s2_5_0, x2, w5);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    s2_5_1 = vfmaq_f32(s2_5_1, x2, w5);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s2_5_0 = vaddq_f32(s2_5_0, s2_5_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s1_5_0 = vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20));
  s1_5_0 = act_relu(s1_5_0);
  vst1q_f32(out + LAYER2_ROW + 20, s1_5_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s2_5_0 = vaddq_f32(s2_5_0, vld1q_f32(linear_bias + 20));
  s2_5_0 = act_relu(s2_5_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 20, s2_5_0);
}

/* layer1: 3 rows of 20 columns, from column 8 of a panel on. */
FFN_INLINE void layer1_group_3x20_at_8(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
}

/* layer1: 3 rows of 20 columns, from column 12 of a panel on. */
FFN_INLINE void layer1_group_3x20_at_12(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
}

/* layer2: 3 rows of 16 columns. */
FFN_INLINE void layer2_group_3x16(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
  }
  float32x4_t s0_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_2 = vdupq_n_f32(0.0f);
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    s0_1_2 = vfmaq_f32(s0_1_2, x0, w1);
    s0_2_2 = vfmaq_f32(s0_2_2, x0, w2);
    s0_3_2 = vfmaq_f32(s0_3_2, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_2 = vfmaq_f32(s1_0_2, x1, w0);
    s1_1_2 = vfmaq_f32(s1_1_2, x1, w1);
    s1_2_2 = vfmaq_f32(s1_2_2, x1, w2);
    s1_3_2 = vfmaq_f32(s1_3_2, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_2 = vfmaq_f32(s2_0_2, x2, w0);
    s2_1_2 = vfmaq_f32(s2_1_2, x2, w1);
    s2_2_2 = vfmaq_f32(s2_2_2, x2, w2);
    s2_3_2 = vfmaq_f32(s2_3_2, x2, w3);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_2);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_2);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_2);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_2);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_2);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_2);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_2);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_2);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_2);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_2);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_2);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
  }
  float32x4_t s0_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_3 = vdupq_n_f32(0.0f);
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    s0_1_3 = vfmaq_f32(s0_1_3, x0, w1);
    s0_2_3 = vfmaq_f32(s0_2_3, x0, w2);
    s0_3_3 = vfmaq_f32(s0_3_3, x0, w3);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER2_ROW]);
    s1_0_3 = vfmaq_f32(s1_0_3, x1, w0);
    s1_1_3 = vfmaq_f32(s1_1_3, x1, w1);
    s1_2_3 = vfmaq_f32(s1_2_3, x1, w2);
    s1_3_3 = vfmaq_f32(s1_3_3, x1, w3);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER2_ROW]);
    s2_0_3 = vfmaq_f32(s2_0_3, x2, w0);
    s2_1_3 = vfmaq_f32(s2_1_3, x2, w1);
    s2_2_3 = vfmaq_f32(s2_2_3, x2, w2);
    s2_3_3 = vfmaq_f32(s2_3_3, x2, w3);
  }
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_3);
  s0_2_1 = vaddq_f32(s0_2_1, s0_2_3);
  s0_3_1 = vaddq_f32(s0_3_1, s0_3_3);
  s1_0_1 = vaddq_f32(s1_0_1, s1_0_3);
  s1_1_1 = vaddq_f32(s1_1_1, s1_1_3);
  s1_2_1 = vaddq_f32(s1_2_1, s1_2_3);
  s1_3_1 = vaddq_f32(s1_3_1, s1_3_3);
  s2_0_1 = vaddq_f32(s2_0_1, s2_0_3);
  s2_1_1 = vaddq_f32(s2_1_1, s2_1_3);
  s2_2_1 = vaddq_f32(s2_2_1, s2_2_3);
  s2_3_1 = vaddq_f32(s2_3_1, s2_3_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s0_0_0 = vaddq_f32(s0_0_0, vdupq_n_f32(0.0f));
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vdupq_n_f32(0.0f));
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vdupq_n_f32(0.0f));
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vdupq_n_f32(0.0f));
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s1_0_0 = vaddq_f32(s1_0_0, vdupq_n_f32(0.0f));
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER3_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vdupq_n_f32(0.0f));
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER3_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vdupq_n_f32(0.0f));
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER3_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vdupq_n_f32(0.0f));
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER3_ROW + 12, s1_3_0);
  s2_0_0 = vaddq_f32(s2_0_0, vdupq_n_f32(0.0f));
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER3_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vdupq_n_f32(0.0f));
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER3_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vdupq_n_f32(0.0f));
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER3_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vdupq_n_f32(0.0f));
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER3_ROW + 12, s2_3_0);
}

/* layer3: 3 rows of 1 column. */
FFN_INLINE void layer3_group_3x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t sums =
      ffn_dots_neon(a, LAYER3_ROW, w, LAYER3_STEP, LAYER3_INPUTS, 3);
  sums = vaddq_f32(sums, vdupq_n_f32(0.0f));
  sums = vaddq_f32(sums, vdupq_n_f32(linear_bias[0]));
  sums = act_sigmoid(sums);
  float results[4];
  vst1q_f32(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
}

/* layer1: 2 rows of 32 columns. */
FFN_INLINE void layer1_group_2x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    s0_6_0 = vfmaq_f32(s0_6_0, x0, w6);
    s0_7_0 = vfmaq_f32(s0_7_0, x0, w7);
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
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    s0_6_1 = vfmaq_f32(s0_6_1, x0, w6);
    s0_7_1 = vfmaq_f32(s0_7_1, x0, w7);
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
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s0_6_0 = vaddq_f32(s0_6_0, s0_6_1);
  s0_7_0 = vaddq_f32(s0_7_0, s0_7_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
  s1_6_0 = vaddq_f32(s1_6_0, s1_6_1);
  s1_7_0 = vaddq_f32(s1_7_0, s1_7_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s0_6_0 = vaddq_f32(s0_6_0, vld1q_f32(linear_bias + 24));
  s0_6_0 = act_relu(s0_6_0);
  vst1q_f32(out + 24, s0_6_0);
  s0_7_0 = vaddq_f32(s0_7_0, vld1q_f32(linear_bias + 28));
  s0_7_0 = act_relu(s0_7_0);
  vst1q_f32(out + 28, s0_7_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s1_5_0 = vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20));
  s1_5_0 = act_relu(s1_5_0);
  vst1q_f32(out + LAYER2_ROW + 20, s1_5_0);
  s1_6_0 = vaddq_f32(s1_6_0, vld1q_f32(linear_bias + 24));
  s1_6_0 = act_relu(s1_6_0);
  vst1q_f32(out + LAYER2_ROW + 24, s1_6_0);
  s1_7_0 = vaddq_f32(s1_7_0, vld1q_f32(linear_bias + 28));
  s1_7_0 = act_relu(s1_7_0);
  vst1q_f32(out + LAYER2_ROW + 28, s1_7_0);
}

/* layer2: 2 rows of 32 columns. */
FFN_INLINE void layer2_group_2x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    s0_6_0 = vfmaq_f32(s0_6_0, x0, w6);
    s0_7_0 = vfmaq_f32(s0_7_0, x0, w7);
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
  float32x4_t s0_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_2 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_2 = vdupq_n_f32(0.0f);
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    s0_1_2 = vfmaq_f32(s0_1_2, x0, w1);
    s0_2_2 = vfmaq_f32(s0_2_2, x0, w2);
    s0_3_2 = vfmaq_f32(s0_3_2, x0, w3);
    s0_4_2 = vfmaq_f32(s0_4_2, x0, w4);
    s0_5_2 = vfmaq_f32(s0_5_2, x0, w5);
    s0_6_2 = vfmaq_f32(s0_6_2, x0, w6);
    s0_7_2 = vfmaq_f32(s0_7_2, x0, w7);
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
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_2);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_2);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_2);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_2);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_2);
  s0_6_0 = vaddq_f32(s0_6_0, s0_6_2);
  s0_7_0 = vaddq_f32(s0_7_0, s0_7_2);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_2);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_2);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_2);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_2);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_2);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_2);
  s1_6_0 = vaddq_f32(s1_6_0, s1_6_2);
  s1_7_0 = vaddq_f32(s1_7_0, s1_7_2);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    s0_6_1 = vfmaq_f32(s0_6_1, x0, w6);
    s0_7_1 = vfmaq_f32(s0_7_1, x0, w7);
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
  float32x4_t s0_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_3 = vdupq_n_f32(0.0f);
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER2_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER2_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER2_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER2_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER2_STEP + LAYER2_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    s0_1_3 = vfmaq_f32(s0_1_3, x0, w1);
    s0_2_3 = vfmaq_f32(s0_2_3, x0, w2);
    s0_3_3 = vfmaq_f32(s0_3_3, x0, w3);
    s0_4_3 = vfmaq_f32(s0_4_3, x0, w4);
    s0_5_3 = vfmaq_f32(s0_5_3, x0, w5);
    s0_6_3 = vfmaq_f32(s0_6_3, x0, w6);
    s0_7_3 = vfmaq_f32(s0_7_3, x0, w7);
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
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_3);
  s0_2_1 = vaddq_f32(s0_2_1, s0_2_3);
  s0_3_1 = vaddq_f32(s0_3_1, s0_3_3);
  s0_4_1 = vaddq_f32(s0_4_1, s0_4_3);
  s0_5_1 = vaddq_f32(s0_5_1, s0_5_3);
  s0_6_1 = vaddq_f32(s0_6_1, s0_6_3);
  s0_7_1 = vaddq_f32(s0_7_1, s0_7_3);
  s1_0_1 = vaddq_f32(s1_0_1, s1_0_3);
  s1_1_1 = vaddq_f32(s1_1_1, s1_1_3);
  s1_2_1 = vaddq_f32(s1_2_1, s1_2_3);
  s1_3_1 = vaddq_f32(s1_3_1, s1_3_3);
  s1_4_1 = vaddq_f32(s1_4_1, s1_4_3);
  s1_5_1 = vaddq_f32(s1_5_1, s1_5_3);
  s1_6_1 = vaddq_f32(s1_6_1, s1_6_3);
  s1_7_1 = vaddq_f32(s1_7_1, s1_7_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s0_6_0 = vaddq_f32(s0_6_0, s0_6_1);
  s0_7_0 = vaddq_f32(s0_7_0, s0_7_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
  s1_6_0 = vaddq_f32(s1_6_0, s1_6_1);
  s1_7_0 = vaddq_f32(s1_7_0, s1_7_1);
  s0_0_0 = vaddq_f32(s0_0_0, vdupq_n_f32(0.0f));
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vdupq_n_f32(0.0f));
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vdupq_n_f32(0.0f));
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vdupq_n_f32(0.0f));
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vdupq_n_f32(0.0f));
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vdupq_n_f32(0.0f));
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s0_6_0 = vaddq_f32(s0_6_0, vdupq_n_f32(0.0f));
  s0_6_0 = vaddq_f32(s0_6_0, vld1q_f32(linear_bias + 24));
  s0_6_0 = act_relu(s0_6_0);
  vst1q_f32(out + 24, s0_6_0);
  s0_7_0 = vaddq_f32(s0_7_0, vdupq_n_f32(0.0f));
  s0_7_0 = vaddq_f32(s0_7_0, vld1q_f32(linear_bias + 28));
  s0_7_0 = act_relu(s0_7_0);
  vst1q_f32(out + 28, s0_7_0);
  s1_0_0 = vaddq_f32(s1_0_0, vdupq_n_f32(0.0f));
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER3_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vdupq_n_f32(0.0f));
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER3_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vdupq_n_f32(0.0f));
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER3_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vdupq_n_f32(0.0f));
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER3_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vdupq_n_f32(0.0f));
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER3_ROW + 16, s1_4_0);
  s1_5_0 = vaddq_f32(s1_5_0, vdupq_n_f32(0.0f));
  s1_5_0 = vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20));
  s1_5_0 = act_relu(s1_5_0);
  vst1q_f32(out + LAYER3_ROW + 20, s1_5_0);
  s1_6_0 = vaddq_f32(s1_6_0, vdupq_n_f32(0.0f));
  s1_6_0 = vaddq_f32(s1_6_0, vld1q_f32(linear_bias + 24));
  s1_6_0 = act_relu(s1_6_0);
  vst1q_f32(out + LAYER3_ROW + 24, s1_6_0);
  s1_7_0 = vaddq_f32(s1_7_0, vdupq_n_f32(0.0f));
  s1_7_0 = vaddq_f32(s1_7_0, vld1q_f32(linear_bias + 28));
  s1_7_0 = act_relu(s1_7_0);
  vst1q_f32(out + LAYER3_ROW + 28, s1_7_0);
}

/* layer3: 2 rows of 1 column. */
FFN_INLINE void layer3_group_2x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t sums =
      ffn_dots_neon(a, LAYER3_ROW, w, LAYER3_STEP, LAYER3_INPUTS, 2);
  sums = vaddq_f32(sums, vdupq_n_f32(0.0f));
  sums = vaddq_f32(sums, vdupq_n_f32(linear_bias[0]));
  sums = act_sigmoid(sums);
  float results[4];
  vst1q_f32(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
}

/* layer1: a row of 32 columns. */
FFN_INLINE void layer1_group_1x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_1 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t w1 = vld1q_f32(w + 4);
      const float32x4_t w2 = vld1q_f32(w + 8);
      const float32x4_t w3 = vld1q_f32(w + 12);
      const float32x4_t w4 = vld1q_f32(w + LAYER1_PANEL);
      const float32x4_t w5 = vld1q_f32(w + LAYER1_PANEL + 4);
      const float32x4_t w6 = vld1q_f32(w + LAYER1_PANEL + 8);
      const float32x4_t w7 = vld1q_f32(w + LAYER1_PANEL + 12);
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
      const float32x4_t w0 = vld1q_f32(w + LAYER1_STEP);
      const float32x4_t w1 = vld1q_f32(w + LAYER1_STEP + 4);
      const float32x4_t w2 = vld1q_f32(w + LAYER1_STEP + 8);
      const float32x4_t w3 = vld1q_f32(w + LAYER1_STEP + 12);
      const float32x4_t w4 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL);
      const float32x4_t w5 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL + 4);
      const float32x4_t w6 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL + 8);
      const float32x4_t w7 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL + 12);
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
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s0_6_0 = vaddq_f32(s0_6_0, s0_6_1);
  s0_7_0 = vaddq_f32(s0_7_0, s0_7_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s0_6_0 = vaddq_f32(s0_6_0, vld1q_f32(linear_bias + 24));
  s0_6_0 = act_relu(s0_6_0);
  vst1q_f32(out + 24, s0_6_0);
  s0_7_0 = vaddq_f32(s0_7_0, vld1q_f32(linear_bias + 28));
  s0_7_0 = act_relu(s0_7_0);
  vst1q_f32(out + 28, s0_7_0);
}

/* layer2: a row of 16 columns. */
FFN_INLINE void layer2_group_1x16(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_3 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t w1 = vld1q_f32(w + 4);
      const float32x4_t w2 = vld1q_f32(w + 8);
      const float32x4_t w3 = vld1q_f32(w + 12);
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
      s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
      s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + LAYER2_STEP);
      const float32x4_t w1 = vld1q_f32(w + LAYER2_STEP + 4);
      const float32x4_t w2 = vld1q_f32(w + LAYER2_STEP + 8);
      const float32x4_t w3 = vld1q_f32(w + LAYER2_STEP + 12);
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
      s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
      s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 2 * LAYER2_STEP);
      const float32x4_t w1 = vld1q_f32(w + 2 * LAYER2_STEP + 4);
      const float32x4_t w2 = vld1q_f32(w + 2 * LAYER2_STEP + 8);
      const float32x4_t w3 = vld1q_f32(w + 2 * LAYER2_STEP + 12);
      const float32x4_t x0 = vdupq_n_f32(a[k + 2]);
      s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
      s0_1_2 = vfmaq_f32(s0_1_2, x0, w1);
      s0_2_2 = vfmaq_f32(s0_2_2, x0, w2);
      s0_3_2 = vfmaq_f32(s0_3_2, x0, w3);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 3 * LAYER2_STEP);
      const float32x4_t w1 = vld1q_f32(w + 3 * LAYER2_STEP + 4);
      const float32x4_t w2 = vld1q_f32(w + 3 * LAYER2_STEP + 8);
      const float32x4_t w3 = vld1q_f32(w + 3 * LAYER2_STEP + 12);
      const float32x4_t x0 = vdupq_n_f32(a[k + 3]);
      s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
      s0_1_3 = vfmaq_f32(s0_1_3, x0, w1);
      s0_2_3 = vfmaq_f32(s0_2_3, x0, w2);
      s0_3_3 = vfmaq_f32(s0_3_3, x0, w3);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_2);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_2);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_2);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_3);
  s0_2_1 = vaddq_f32(s0_2_1, s0_2_3);
  s0_3_1 = vaddq_f32(s0_3_1, s0_3_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_0_0 = vaddq_f32(s0_0_0, vdupq_n_f32(0.0f));
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vdupq_n_f32(0.0f));
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vdupq_n_f32(0.0f));
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vdupq_n_f32(0.0f));
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
}

/* layer3: a row of 1 columns. */
FFN_INLINE void layer3_group_1x4_of_1(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_4 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_5 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_6 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_7 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 8 <= LAYER3_INPUTS; k += 8, w += 8 * LAYER3_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + LAYER3_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 2 * LAYER3_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 2]);
      s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 3 * LAYER3_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 3]);
      s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 4 * LAYER3_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 4]);
      s0_0_4 = vfmaq_f32(s0_0_4, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 5 * LAYER3_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 5]);
      s0_0_5 = vfmaq_f32(s0_0_5, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 6 * LAYER3_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 6]);
      s0_0_6 = vfmaq_f32(s0_0_6, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 7 * LAYER3_STEP);
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
  s0_0_0 = vaddq_f32(s0_0_0, vdupq_n_f32(0.0f));
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_sigmoid(s0_0_0);
  ffn_store_tail_neon(out, s0_0_0, 1);
}

/* 8 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_8(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
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
    layer1_group_4x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_4x20_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_4x20_at_12(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 44, out + 44);
    FFN_SETTLE();
    layer1_group_4x24(in + 4 * LAYER1_ROW, packed->layer1[0][0][0], packed->layer1_bias[0],
        out + 4 * LAYER2_ROW);
    FFN_SETTLE();
    layer1_group_4x20_at_8(in + 4 * LAYER1_ROW, packed->layer1[1][0][0],
        packed->layer1_bias[0] + 24, out + 4 * LAYER2_ROW + 24);
    FFN_SETTLE();
    layer1_group_4x20_at_12(in + 4 * LAYER1_ROW, packed->layer1[2][0][0],
        packed->layer1_bias[0] + 44, out + 4 * LAYER2_ROW + 44);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 8 * LAYER1_ROW;
    float *out = memory + 8 * LAYER1_ROW + 8 * LAYER2_ROW;
    layer2_group_4x16(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
    layer2_group_4x16(in, packed->layer2[1][0][0], packed->layer2_bias[0] + 16, out + 16);
    FFN_SETTLE();
    layer2_group_4x16(in + 4 * LAYER2_ROW, packed->layer2[0][0][0], packed->layer2_bias[0],
        out + 4 * LAYER3_ROW);
    FFN_SETTLE();
    layer2_group_4x16(in + 4 * LAYER2_ROW, packed->layer2[1][0][0], packed->layer2_bias[0] + 16,
        out + 4 * LAYER3_ROW + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 8 * LAYER1_ROW + 8 * LAYER2_ROW;
    layer3_group_4x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
    layer3_group_4x1(in + 4 * LAYER3_ROW, packed->layer3[0][0][0], packed->layer3_bias[0],
        y + 4 * call->y_stride, call->y_stride);
    FFN_SETTLE();
  }
}

/* 4 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LAYER1_ROW, x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 4 * LAYER1_ROW;
    layer1_group_4x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_4x20_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_4x20_at_12(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 44, out + 44);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 4 * LAYER1_ROW;
    float *out = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer2_group_4x16(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
    layer2_group_4x16(in, packed->layer2[1][0][0], packed->layer2_bias[0] + 16, out + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer3_group_4x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 3 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 3 * LAYER1_ROW;
    layer1_group_3x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_3x20_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_3x20_at_12(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 44, out + 44);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 3 * LAYER1_ROW;
    float *out = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer2_group_3x16(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
    layer2_group_3x16(in, packed->layer2[1][0][0], packed->layer2_bias[0] + 16, out + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer3_group_3x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 2 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 2 * LAYER1_ROW;
    layer1_group_2x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_2x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 2 * LAYER1_ROW;
    float *out = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer2_group_2x32(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer3_group_2x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* One row through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const float *in = x;
    float *out = memory + LAYER1_ROW;
    layer1_group_1x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_1x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + LAYER1_ROW;
    float *out = memory + LAYER1_ROW + LAYER2_ROW;
    layer2_group_1x16(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
    layer2_group_1x16(in, packed->layer2[1][0][0], packed->layer2_bias[0] + 16, out + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + LAYER1_ROW + LAYER2_ROW;
    layer3_group_1x4_of_1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y);
    FFN_SETTLE();
  }
}

/* Rows [first, last). A lone row, the commonest call, saves no registers for the others. */
static void straight_rows(const ffn_call *call, float *memory, size_t first, size_t last) {
  if (last - first == 1) {
    one_row(call, memory, first);
    return;
  }
  for (; first + 8 <= last; first += 8)
    rows_of_8(call, memory, first);
  for (; first + 4 <= last; first += 4)
    rows_of_4(call, memory, first);
  for (; first + 3 <= last; first += 3)
    rows_of_3(call, memory, first);
  for (; first + 2 <= last; first += 2)
    rows_of_2(call, memory, first);
  for (; first < last; ++first)
    one_row(call, memory, first);
}

#ifndef FFN_NO_ADD
/* y + scale * row, rounded once. */
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
    },
};

static const ffn_pass forward = {
    UINT64_C(0x764069b59f8f69af), /* layer_hash */
    straight_rows, /* rows */
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
static float load(const void *from, size_t at) {
  const float stored = ((const float *)from)[at];
  return stored;
}

static float store(void *to, size_t at, float value) {
  ((float *)to)[at] = value;
  return load(to, at);
}

static void pack(void *to, const ffn_weights *weights) {
  packed_weights *packed = (packed_weights *)to;
  ffn_pack_header(
      &packed->header, forward.layer_hash, weights->parameters,
      0);
  ffn_pack_stage(
      &packed->header, packed->layer1, packed->layer1_bias[0],
      stages, 0, weights, store);
  ffn_pack_stage(
      &packed->header, packed->layer2, packed->layer2_bias[0],
      stages, 1, weights, store);
  ffn_pack_stage(
      &packed->header, packed->layer3, packed->layer3_bias[0],
      stages, 2, weights, store);
}

static void unpack(ffn_weights *weights, const void *from) {
  const packed_weights *packed = (const packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
  ffn_unpack_stage(
      weights, packed->layer1, packed->layer1_bias[0],
      stages, 0, load);
  ffn_unpack_stage(
      weights, packed->layer2, packed->layer2_bias[0],
      stages, 1, load);
  ffn_unpack_stage(
      weights, packed->layer3, packed->layer3_bias[0],
      stages, 2, load);
}
#endif

static void run(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &forward, NULL, y, y_stride, NULL, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}

#ifndef FFN_NO_ADD
static void add(
    float *y, size_t y_stride, float scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &forward, NULL, y, y_stride, &scale, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}
#endif

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_neon;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_neon = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_neon", /* name */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* layer */
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
    sizeof(packed_weights), /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW * sizeof(float), /* work_row_bytes */
    BESIDE * sizeof(float), /* work_beside_bytes */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS +
        2 * (uint64_t)LAYER3_INPUTS * LAYER3_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_PACK
    pack, /* pack */
    unpack, /* unpack */
#else
    NULL, /* pack */
    NULL, /* unpack */
#endif
    1, /* in_place */
    run, /* run */
#ifndef FFN_NO_ADD
    add, /* add */
#else
    NULL, /* add */
#endif
};
#endif
FFN_EXACT_END
