/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * linear_bias_d10_o5_f32_neon
 * linear, 10 -> 5, with biases, f32, for neon
 * One linear layer
 *
 *     y = x W^T + b
 *
 * Remake     ffngen generate
 * Spec       linear_10_5
 * Templates  file, sizes, straight, group, chains_loop, step, loop, ascend, straight_rows, add,
 *            tables, api, about
 * Tiles      linear: rows x columns 8 x 8; 4 x 8; 3 x 8; 2 x 8; 1 x 8, 1 branch
 * Walk       none: loops for 8 rows, loops for 4 rows, loops for 3 rows, loops for 2 rows, a
 *            straight line for 1 row
 * Cost       100 flop per token; 768 bytes of packed weights; 1024 bytes of work memory per thread,
 *            128 for one token
 * Sums       linear: k ascends in 2 interleaved chains; at most 7 roundings
 * Error      linear: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 5
#error "made for ABI 5 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* linear: 10 -> 5, linear with bias, y = linear */
enum {
  LINEAR_INPUTS = 10,
  LINEAR_OUTPUTS = 5,
  LINEAR_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  LINEAR_STEP = FFN_PANEL, /* weights of one k in a panel */
  LINEAR_PANEL = LINEAR_INPUTS * LINEAR_STEP,
  LINEAR_ROUNDINGS = 7, /* at most, of a product in its sum */
  LINEAR_ROW = 16, /* floats of a row in a block of the input */
};

enum {
  ROWS = 8, /* that are added to y at a time, at most */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = LINEAR_ROW + ADD, /* floats of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float linear[LINEAR_PANELS][LINEAR_INPUTS][1][FFN_PANEL];
  float linear_bias[1][LINEAR_PANELS * FFN_PANEL];
} packed_weights;

FFN_INLINE void ffn_store_tail_neon(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

/* linear: 8 rows of 5 columns. */
FFN_INLINE void linear_group_8x8_of_5(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s4_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s4_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s5_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s5_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s6_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s6_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s7_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s7_1_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LINEAR_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    const float32x4_t x4 = vdupq_n_f32(a[k + 4 * LINEAR_ROW]);
    s4_0_0 = vfmaq_f32(s4_0_0, x4, w0);
    s4_1_0 = vfmaq_f32(s4_1_0, x4, w1);
    const float32x4_t x5 = vdupq_n_f32(a[k + 5 * LINEAR_ROW]);
    s5_0_0 = vfmaq_f32(s5_0_0, x5, w0);
    s5_1_0 = vfmaq_f32(s5_1_0, x5, w1);
    const float32x4_t x6 = vdupq_n_f32(a[k + 6 * LINEAR_ROW]);
    s6_0_0 = vfmaq_f32(s6_0_0, x6, w0);
    s6_1_0 = vfmaq_f32(s6_1_0, x6, w1);
    const float32x4_t x7 = vdupq_n_f32(a[k + 7 * LINEAR_ROW]);
    s7_0_0 = vfmaq_f32(s7_0_0, x7, w0);
    s7_1_0 = vfmaq_f32(s7_1_0, x7, w1);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s4_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s4_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s5_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s5_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s6_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s6_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s7_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s7_1_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LINEAR_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    const float32x4_t x4 = vdupq_n_f32(a[k + 4 * LINEAR_ROW]);
    s4_0_1 = vfmaq_f32(s4_0_1, x4, w0);
    s4_1_1 = vfmaq_f32(s4_1_1, x4, w1);
    const float32x4_t x5 = vdupq_n_f32(a[k + 5 * LINEAR_ROW]);
    s5_0_1 = vfmaq_f32(s5_0_1, x5, w0);
    s5_1_1 = vfmaq_f32(s5_1_1, x5, w1);
    const float32x4_t x6 = vdupq_n_f32(a[k + 6 * LINEAR_ROW]);
    s6_0_1 = vfmaq_f32(s6_0_1, x6, w0);
    s6_1_1 = vfmaq_f32(s6_1_1, x6, w1);
    const float32x4_t x7 = vdupq_n_f32(a[k + 7 * LINEAR_ROW]);
    s7_0_1 = vfmaq_f32(s7_0_1, x7, w0);
    s7_1_1 = vfmaq_f32(s7_1_1, x7, w1);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s4_0_0 = vaddq_f32(s4_0_0, s4_0_1);
  s4_1_0 = vaddq_f32(s4_1_0, s4_1_1);
  s5_0_0 = vaddq_f32(s5_0_0, s5_0_1);
  s5_1_0 = vaddq_f32(s5_1_0, s5_1_1);
  s6_0_0 = vaddq_f32(s6_0_0, s6_0_1);
  s6_1_0 = vaddq_f32(s6_1_0, s6_1_1);
  s7_0_0 = vaddq_f32(s7_0_0, s7_0_1);
  s7_1_0 = vaddq_f32(s7_1_0, s7_1_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4, s0_1_0, 1);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + stride, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + stride + 4, s1_1_0, 1);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 2 * stride, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 2 * stride + 4, s2_1_0, 1);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 3 * stride, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 3 * stride + 4, s3_1_0, 1);
  s4_0_0 = vaddq_f32(s4_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 4 * stride, s4_0_0);
  s4_1_0 = vaddq_f32(s4_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4 * stride + 4, s4_1_0, 1);
  s5_0_0 = vaddq_f32(s5_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 5 * stride, s5_0_0);
  s5_1_0 = vaddq_f32(s5_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 5 * stride + 4, s5_1_0, 1);
  s6_0_0 = vaddq_f32(s6_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 6 * stride, s6_0_0);
  s6_1_0 = vaddq_f32(s6_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 6 * stride + 4, s6_1_0, 1);
  s7_0_0 = vaddq_f32(s7_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 7 * stride, s7_0_0);
  s7_1_0 = vaddq_f32(s7_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 7 * stride + 4, s7_1_0, 1);
}

/* linear: 4 rows of 5 columns. */
FFN_INLINE void linear_group_4x8_of_5(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LINEAR_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LINEAR_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4, s0_1_0, 1);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + stride, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + stride + 4, s1_1_0, 1);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 2 * stride, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 2 * stride + 4, s2_1_0, 1);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 3 * stride, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 3 * stride + 4, s3_1_0, 1);
}

/* linear: 3 rows of 5 columns. */
FFN_INLINE void linear_group_3x8_of_5(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4, s0_1_0, 1);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + stride, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + stride + 4, s1_1_0, 1);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 2 * stride, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 2 * stride + 4, s2_1_0, 1);
}

/* linear: 2 rows of 5 columns. */
FFN_INLINE void linear_group_2x8_of_5(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LINEAR_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LINEAR_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LINEAR_STEP + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4, s0_1_0, 1);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + stride, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + stride + 4, s1_1_0, 1);
}

/* linear: a row of 5 columns. */
FFN_INLINE void linear_group_1x8_of_5(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t w1 = vld1q_f32(w + 4);
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + LINEAR_STEP);
      const float32x4_t w1 = vld1q_f32(w + LINEAR_STEP + 4);
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4, s0_1_0, 1);
}

/* 8 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_8(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LINEAR_ROW, x + 2 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LINEAR_ROW, x + 3 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 4 * LINEAR_ROW, x + 4 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 5 * LINEAR_ROW, x + 5 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 6 * LINEAR_ROW, x + 6 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 7 * LINEAR_ROW, x + 7 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_group_8x8_of_5(in, packed->linear[0][0][0], packed->linear_bias[0], y,
        call->y_stride);
    FFN_SETTLE();
  }
}

/* 4 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LINEAR_ROW, x + 2 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LINEAR_ROW, x + 3 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_group_4x8_of_5(in, packed->linear[0][0][0], packed->linear_bias[0], y,
        call->y_stride);
    FFN_SETTLE();
  }
}

/* 3 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LINEAR_ROW, x + 2 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_group_3x8_of_5(in, packed->linear[0][0][0], packed->linear_bias[0], y,
        call->y_stride);
    FFN_SETTLE();
  }
}

/* 2 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_group_2x8_of_5(in, packed->linear[0][0][0], packed->linear_bias[0], y,
        call->y_stride);
    FFN_SETTLE();
  }
}

/* One row through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  (void)memory;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    const float *in = x;
    linear_group_1x8_of_5(in, packed->linear[0][0][0], packed->linear_bias[0], y);
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
        LINEAR_INPUTS, /* inputs */
        LINEAR_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LINEAR_INPUTS, /* k_block */
        2, /* chains */
        LINEAR_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x526446c42c18317f), /* layer_hash */
    straight_rows, /* rows */
    0, /* stage_count */
    NULL, /* stages */
    ROWS, /* row_step */
    0, /* own_rows */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    0, /* in_place */
    0, /* max_tokens */
    LINEAR_INPUTS, /* inputs */
    LINEAR_OUTPUTS, /* outputs */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_add_whole, /* add */
    LINEAR_ROW, /* add_at */
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
      &packed->header, packed->linear, packed->linear_bias[0],
      stages, 0, weights, store);
}

static void unpack(ffn_weights *weights, const void *from) {
  const packed_weights *packed = (const packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
  ffn_unpack_stage(
      weights, packed->linear, packed->linear_bias[0],
      stages, 0, load);
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

extern const ffn_kernel linear_bias_d10_o5_f32_neon;
const ffn_kernel linear_bias_d10_o5_f32_neon = {
    "linear_bias_d10_o5_f32_neon", /* name */
    "linear_bias_d10_o5_f32", /* layer */
    FFN_KIND_LINEAR, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_NEON, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    LINEAR_INPUTS, /* inputs */
    0, /* hidden */
    LINEAR_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    1, /* stage_count */
    stages, /* stages */
    sizeof(packed_weights), /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW * sizeof(float), /* work_row_bytes */
    BESIDE * sizeof(float), /* work_beside_bytes */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_PACK
    pack, /* pack */
    unpack, /* unpack */
#else
    NULL, /* pack */
    NULL, /* unpack */
#endif
    0, /* in_place */
    run, /* run */
#ifndef FFN_NO_ADD
    add, /* add */
#else
    NULL, /* add */
#endif
};
#endif
FFN_EXACT_END
