/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_relu_bias_d4_f8_f32_neon
 * FFN relu, 4 -> 8 -> 4, with biases, f32, for neon
 * The worked example on paper: 4 -> 8 -> 4, ReLU
 *
 *     h = relu(x W_up^T + b_up)
 *     y = h W_down^T + b_down
 *
 * Remake     ffngen generate
 * Spec       paper_example
 * Templates  file, sizes, straight, line_tile, chains_loop, step, loop, ascend, straight_rows, add,
 *            tables, api, descriptor, about
 * Tiles      up: rows x columns 8 x 8; 4 x 8; 3 x 8; 2 x 8; 1 x 8, 1 branch
 * Tiles      down: rows x columns 8 x 4; 4 x 4; 3 x 4; 2 x 4; 1 x 4, 1 branch
 * Walk       none: loops for 8 rows, loops for 4 rows, loops for 3 rows, loops for 2 rows, a
 *            straight line for 1 row
 * Cost       128 flop per token; 960 bytes of packed weights; 1024 bytes of work memory per thread,
 *            128 for one token
 * Sums       up: k ascends; at most 5 roundings
 * Sums       down: k ascends in 2 interleaved chains; at most 6 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 5 2^-24; relu exact
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 6 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 11
#error "made for ABI 11 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* up: 4 -> 8, up with bias, h = relu(up) */
enum {
  UP_INPUTS = 4,
  UP_OUTPUTS = 8,
  UP_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  UP_WIDTH = 16, /* columns of a bundle */
  UP_STEP = 64, /* bytes of one k of it: [16] */
  UP_BUNDLE = UP_INPUTS * UP_STEP,
  UP_AT = 64, /* bytes of packed weights in front of these */
  UP_BIAS_AT = 320, /* and of its biases, [branch][columns] */
  UP_ROUNDINGS = 5, /* at most, of a product in its sum */
  UP_ROW = 16, /* numbers of a row in a block of the input */
};

/* down: 8 -> 4, down with bias, y = down */
enum {
  DOWN_INPUTS = 8,
  DOWN_OUTPUTS = 4,
  DOWN_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  DOWN_WIDTH = 16, /* columns of a bundle */
  DOWN_STEP = 64, /* bytes of one k of it: [16] */
  DOWN_BUNDLE = DOWN_INPUTS * DOWN_STEP,
  DOWN_AT = 384, /* bytes of packed weights in front of these */
  DOWN_BIAS_AT = 896, /* and of its biases, [branch][columns] */
  DOWN_ROUNDINGS = 6, /* at most, of a product in its sum */
  DOWN_ROW = 16, /* numbers of a row in a block of the input */
};

enum {
  ROWS = 8, /* that are added to y at a time, at most */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 128, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 960 };

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

/* up: 8 rows x 8 columns, all 4 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of 16. */
FFN_INLINE void up_tile_8x8(
    const float *a, const char *w, const size_t lane, const float *up_bias, float *out) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s1_0 = zero, s1_1 = zero, s2_0 = zero,
      s2_1 = zero, s3_0 = zero, s3_1 = zero, s4_0 = zero, s4_1 = zero, s5_0 = zero,
      s5_1 = zero, s6_0 = zero, s6_1 = zero, s7_0 = zero, s7_1 = zero;
  for (size_t k = 0; k < UP_INPUTS; k += 1) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * UP_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * UP_STEP + 16));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0 = vfmaq_f32(s0_0, x0, w0);
    s0_1 = vfmaq_f32(s0_1, x0, w1);
    const float32x4_t x1 = vdupq_n_f32(a[k + UP_ROW]);
    s1_0 = vfmaq_f32(s1_0, x1, w0);
    s1_1 = vfmaq_f32(s1_1, x1, w1);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * UP_ROW]);
    s2_0 = vfmaq_f32(s2_0, x2, w0);
    s2_1 = vfmaq_f32(s2_1, x2, w1);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * UP_ROW]);
    s3_0 = vfmaq_f32(s3_0, x3, w0);
    s3_1 = vfmaq_f32(s3_1, x3, w1);
    const float32x4_t x4 = vdupq_n_f32(a[k + 4 * UP_ROW]);
    s4_0 = vfmaq_f32(s4_0, x4, w0);
    s4_1 = vfmaq_f32(s4_1, x4, w1);
    const float32x4_t x5 = vdupq_n_f32(a[k + 5 * UP_ROW]);
    s5_0 = vfmaq_f32(s5_0, x5, w0);
    s5_1 = vfmaq_f32(s5_1, x5, w1);
    const float32x4_t x6 = vdupq_n_f32(a[k + 6 * UP_ROW]);
    s6_0 = vfmaq_f32(s6_0, x6, w0);
    s6_1 = vfmaq_f32(s6_1, x6, w1);
    const float32x4_t x7 = vdupq_n_f32(a[k + 7 * UP_ROW]);
    s7_0 = vfmaq_f32(s7_0, x7, w0);
    s7_1 = vfmaq_f32(s7_1, x7, w1);
  }
  vst1q_f32(out, act_relu(vaddq_f32(s0_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1, vld1q_f32(up_bias + 4))));
  vst1q_f32(out + DOWN_ROW, act_relu(vaddq_f32(s1_0, vld1q_f32(up_bias))));
  vst1q_f32(out + DOWN_ROW + 4, act_relu(vaddq_f32(s1_1, vld1q_f32(up_bias + 4))));
  vst1q_f32(out + 2 * DOWN_ROW, act_relu(vaddq_f32(s2_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 2 * DOWN_ROW + 4, act_relu(vaddq_f32(s2_1, vld1q_f32(up_bias + 4))));
  vst1q_f32(out + 3 * DOWN_ROW, act_relu(vaddq_f32(s3_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 3 * DOWN_ROW + 4, act_relu(vaddq_f32(s3_1, vld1q_f32(up_bias + 4))));
  vst1q_f32(out + 4 * DOWN_ROW, act_relu(vaddq_f32(s4_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 4 * DOWN_ROW + 4, act_relu(vaddq_f32(s4_1, vld1q_f32(up_bias + 4))));
  vst1q_f32(out + 5 * DOWN_ROW, act_relu(vaddq_f32(s5_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 5 * DOWN_ROW + 4, act_relu(vaddq_f32(s5_1, vld1q_f32(up_bias + 4))));
  vst1q_f32(out + 6 * DOWN_ROW, act_relu(vaddq_f32(s6_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 6 * DOWN_ROW + 4, act_relu(vaddq_f32(s6_1, vld1q_f32(up_bias + 4))));
  vst1q_f32(out + 7 * DOWN_ROW, act_relu(vaddq_f32(s7_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 7 * DOWN_ROW + 4, act_relu(vaddq_f32(s7_1, vld1q_f32(up_bias + 4))));
}

/* down: 8 rows x 4 columns, all 8 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of 4. */
FFN_INLINE void down_tile_8x4(
    const float *a, const char *w, const size_t lane, const float *down_bias, float *out,
    size_t stride) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s1_0_0 = zero, s2_0_0 = zero, s3_0_0 = zero, s4_0_0 = zero,
      s5_0_0 = zero, s6_0_0 = zero, s7_0_0 = zero;
  for (size_t k = 0; k < DOWN_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * DOWN_STEP));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    const float32x4_t x1 = vdupq_n_f32(a[k + DOWN_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * DOWN_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * DOWN_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    const float32x4_t x4 = vdupq_n_f32(a[k + 4 * DOWN_ROW]);
    s4_0_0 = vfmaq_f32(s4_0_0, x4, w0);
    const float32x4_t x5 = vdupq_n_f32(a[k + 5 * DOWN_ROW]);
    s5_0_0 = vfmaq_f32(s5_0_0, x5, w0);
    const float32x4_t x6 = vdupq_n_f32(a[k + 6 * DOWN_ROW]);
    s6_0_0 = vfmaq_f32(s6_0_0, x6, w0);
    const float32x4_t x7 = vdupq_n_f32(a[k + 7 * DOWN_ROW]);
    s7_0_0 = vfmaq_f32(s7_0_0, x7, w0);
  }
  float32x4_t s0_0_1 = zero, s1_0_1 = zero, s2_0_1 = zero, s3_0_1 = zero, s4_0_1 = zero,
      s5_0_1 = zero, s6_0_1 = zero, s7_0_1 = zero;
  for (size_t k = 1; k < DOWN_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * DOWN_STEP));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    const float32x4_t x1 = vdupq_n_f32(a[k + DOWN_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * DOWN_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * DOWN_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    const float32x4_t x4 = vdupq_n_f32(a[k + 4 * DOWN_ROW]);
    s4_0_1 = vfmaq_f32(s4_0_1, x4, w0);
    const float32x4_t x5 = vdupq_n_f32(a[k + 5 * DOWN_ROW]);
    s5_0_1 = vfmaq_f32(s5_0_1, x5, w0);
    const float32x4_t x6 = vdupq_n_f32(a[k + 6 * DOWN_ROW]);
    s6_0_1 = vfmaq_f32(s6_0_1, x6, w0);
    const float32x4_t x7 = vdupq_n_f32(a[k + 7 * DOWN_ROW]);
    s7_0_1 = vfmaq_f32(s7_0_1, x7, w0);
  }
  ffn_add_4_neon(&s0_0_0, &s1_0_0, &s2_0_0, &s3_0_0, s0_0_1, s1_0_1, s2_0_1, s3_0_1);
  ffn_add_4_neon(&s4_0_0, &s5_0_0, &s6_0_0, &s7_0_0, s4_0_1, s5_0_1, s6_0_1, s7_0_1);
  vst1q_f32(out, vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(down_bias)));
  vst1q_f32(out + stride, vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(down_bias)));
  vst1q_f32(out + 2 * stride, vaddq_f32(vaddq_f32(s2_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(down_bias)));
  vst1q_f32(out + 3 * stride, vaddq_f32(vaddq_f32(s3_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(down_bias)));
  vst1q_f32(out + 4 * stride, vaddq_f32(vaddq_f32(s4_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(down_bias)));
  vst1q_f32(out + 5 * stride, vaddq_f32(vaddq_f32(s5_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(down_bias)));
  vst1q_f32(out + 6 * stride, vaddq_f32(vaddq_f32(s6_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(down_bias)));
  vst1q_f32(out + 7 * stride, vaddq_f32(vaddq_f32(s7_0_0, vdupq_n_f32(0.0f)),
      vld1q_f32(down_bias)));
}

/* up: at most 4 rows x 8 columns, all 4 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out`
 * of 16. */
FFN_INLINE void up_tile_4x8(
    const float *a, const char *w, const size_t lane, const float *up_bias, float *out,
    const int rows) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero, s1_0 = zero, s1_1 = zero, s2_0 = zero,
      s2_1 = zero, s3_0 = zero, s3_1 = zero;
  for (size_t k = 0; k < UP_INPUTS; k += 1) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * UP_STEP));
    const float32x4_t w1 = vld1q_f32((const float *)(w + k * UP_STEP + 16));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0 = vfmaq_f32(s0_0, x0, w0);
    s0_1 = vfmaq_f32(s0_1, x0, w1);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + UP_ROW]);
      s1_0 = vfmaq_f32(s1_0, x1, w0);
      s1_1 = vfmaq_f32(s1_1, x1, w1);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * UP_ROW]);
      s2_0 = vfmaq_f32(s2_0, x2, w0);
      s2_1 = vfmaq_f32(s2_1, x2, w1);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * UP_ROW]);
      s3_0 = vfmaq_f32(s3_0, x3, w0);
      s3_1 = vfmaq_f32(s3_1, x3, w1);
    }
  }
  vst1q_f32(out, act_relu(vaddq_f32(s0_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1, vld1q_f32(up_bias + 4))));
  if (rows > 1) {
    vst1q_f32(out + DOWN_ROW, act_relu(vaddq_f32(s1_0, vld1q_f32(up_bias))));
    vst1q_f32(out + DOWN_ROW + 4, act_relu(vaddq_f32(s1_1, vld1q_f32(up_bias + 4))));
  }
  if (rows > 2) {
    vst1q_f32(out + 2 * DOWN_ROW, act_relu(vaddq_f32(s2_0, vld1q_f32(up_bias))));
    vst1q_f32(out + 2 * DOWN_ROW + 4, act_relu(vaddq_f32(s2_1, vld1q_f32(up_bias + 4))));
  }
  if (rows > 3) {
    vst1q_f32(out + 3 * DOWN_ROW, act_relu(vaddq_f32(s3_0, vld1q_f32(up_bias))));
    vst1q_f32(out + 3 * DOWN_ROW + 4, act_relu(vaddq_f32(s3_1, vld1q_f32(up_bias + 4))));
  }
}

/* down: at most 4 rows x 4 columns, all 8 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 4. */
FFN_INLINE void down_tile_4x4(
    const float *a, const char *w, const size_t lane, const float *down_bias, float *out,
    size_t stride, const int rows) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s1_0_0 = zero, s2_0_0 = zero, s3_0_0 = zero;
  for (size_t k = 0; k < DOWN_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * DOWN_STEP));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + DOWN_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * DOWN_ROW]);
      s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * DOWN_ROW]);
      s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    }
  }
  float32x4_t s0_0_1 = zero, s1_0_1 = zero, s2_0_1 = zero, s3_0_1 = zero;
  for (size_t k = 1; k < DOWN_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32((const float *)(w + k * DOWN_STEP));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    if (rows > 1) {
      const float32x4_t x1 = vdupq_n_f32(a[k + DOWN_ROW]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    }
    if (rows > 2) {
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * DOWN_ROW]);
      s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    }
    if (rows > 3) {
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * DOWN_ROW]);
      s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    }
  }
  ffn_add_4_neon(&s0_0_0, &s1_0_0, &s2_0_0, &s3_0_0, s0_0_1, s1_0_1, s2_0_1, s3_0_1);
  vst1q_f32(out, vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(down_bias)));
  if (rows > 1)
    vst1q_f32(out + stride, vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(down_bias)));
  if (rows > 2) {
    vst1q_f32(out + 2 * stride, vaddq_f32(vaddq_f32(s2_0_0, vdupq_n_f32(0.0f)),
        vld1q_f32(down_bias)));
  }
  if (rows > 3) {
    vst1q_f32(out + 3 * stride, vaddq_f32(vaddq_f32(s3_0_0, vdupq_n_f32(0.0f)),
        vld1q_f32(down_bias)));
  }
}

/* up: one row x 8 columns, all 4 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of 16. */
FFN_INLINE void up_tile_1x8(
    const float *a, const char *w, const size_t lane, const float *up_bias, float *out) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0 = zero, s0_1 = zero;
  FFN_UNROLL
  for (size_t k = 0; k < UP_INPUTS; ++k, w += UP_STEP) {
    const float32x4_t w0 = vld1q_f32((const float *)(w));
    const float32x4_t w1 = vld1q_f32((const float *)(w + 16));
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0 = vfmaq_f32(s0_0, x0, w0);
    s0_1 = vfmaq_f32(s0_1, x0, w1);
  }
  vst1q_f32(out, act_relu(vaddq_f32(s0_0, vld1q_f32(up_bias))));
  vst1q_f32(out + 4, act_relu(vaddq_f32(s0_1, vld1q_f32(up_bias + 4))));
}

/* down: one row x 4 columns, all 8 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of
 * 4. */
FFN_INLINE void down_tile_1x4(
    const float *a, const char *w, const size_t lane, const float *down_bias, float *out) {
  w += lane * 4;
  const float32x4_t zero = vdupq_n_f32(0.0f);
  float32x4_t s0_0_0 = zero, s0_0_1 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= DOWN_INPUTS; k += 2, w += 2 * DOWN_STEP) {
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w));
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32((const float *)(w + DOWN_STEP));
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  vst1q_f32(out, vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(down_bias)));
}

/* 8 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_8(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    FFN_MEMCPY(memory, x, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + UP_ROW, x + call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * UP_ROW, x + 2 * call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * UP_ROW, x + 3 * call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 4 * UP_ROW, x + 4 * call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 5 * UP_ROW, x + 5 * call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 6 * UP_ROW, x + 6 * call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 7 * UP_ROW, x + 7 * call->x_stride, UP_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 8 * UP_ROW;
    up_tile_8x8(in, weights, 0, bias, out);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + 8 * UP_ROW;
    down_tile_8x4(in, weights, 0, bias, y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 4 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    FFN_MEMCPY(memory, x, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + UP_ROW, x + call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * UP_ROW, x + 2 * call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * UP_ROW, x + 3 * call->x_stride, UP_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 4 * UP_ROW;
    up_tile_4x8(in, weights, 0, bias, out, 4);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + 4 * UP_ROW;
    down_tile_4x4(in, weights, 0, bias, y, call->y_stride, 4);
    FFN_SETTLE();
  }
}

/* 3 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    FFN_MEMCPY(memory, x, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + UP_ROW, x + call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * UP_ROW, x + 2 * call->x_stride, UP_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 3 * UP_ROW;
    up_tile_4x8(in, weights, 0, bias, out, 3);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + 3 * UP_ROW;
    down_tile_4x4(in, weights, 0, bias, y, call->y_stride, 3);
    FFN_SETTLE();
  }
}

/* 2 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    FFN_MEMCPY(memory, x, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + UP_ROW, x + call->x_stride, UP_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 2 * UP_ROW;
    up_tile_4x8(in, weights, 0, bias, out, 2);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + 2 * UP_ROW;
    down_tile_4x4(in, weights, 0, bias, y, call->y_stride, 2);
    FFN_SETTLE();
  }
}

/* One row from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    const float *in = x;
    float *out = memory + UP_ROW;
    up_tile_1x8(in, weights, 0, bias, out);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + UP_ROW;
    down_tile_1x4(in, weights, 0, bias, y);
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
        UP_INPUTS, /* inputs */
        UP_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_UP}, /* matrix */
        FFN_ACT_RELU, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        UP_INPUTS, /* k_block */
        1, /* chains */
        UP_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
    {
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_DOWN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        DOWN_INPUTS, /* k_block */
        2, /* chains */
        DOWN_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xf02d40da8de26944), /* packed_hash */
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
    UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
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

/* Packs all matrices and biases of 2 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 2, weights));
  ffn_pack_stage(
      header, &packing_f32, UP_AT, UP_WIDTH, UP_BIAS_AT,
      stages, 0, weights, group);
  ffn_pack_stage(
      header, &packing_f32, DOWN_AT, DOWN_WIDTH, DOWN_BIAS_AT,
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
      to, header, &packing_f32, UP_AT, UP_WIDTH, UP_BIAS_AT,
      stages, 0, group);
  ffn_unpack_stage(
      to, header, &packing_f32, DOWN_AT, DOWN_WIDTH, DOWN_BIAS_AT,
      stages, 1, group);
}
#endif

/* All rows of a call through all 2 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_neon;
const ffn_kernel ffn_relu_bias_d4_f8_f32_neon = {
    "ffn_relu_bias_d4_f8_f32_neon", /* name */
    "ffn_relu_bias_d4_f8_f32", /* layer */
    "ffn_relu_bias_d4_f8_f32", /* packed */
    FFN_KIND_FFN, /* kind */
    FFN_RELU, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_NEON, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    UP_INPUTS, /* inputs */
    UP_OUTPUTS, /* hidden */
    DOWN_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    2, /* stage_count */
    stages, /* stages */
    WEIGHT_BYTES, /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW, /* work_row_bytes */
    BESIDE, /* work_beside_bytes */
    1, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
            2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
    FFN_IF_PACK(pack), /* pack */
    FFN_IF_PACK(unpack), /* unpack */
    run_forward, /* run */
    NULL, /* choices */
    NULL, /* staged */
};
#endif
FFN_EXACT_END
