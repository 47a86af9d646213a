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
 * Spec       mlp_10_64_32_1; templates kernel.c.tpl, stage.c.tpl
 * Tiles      layer1: rows x columns 1 x 32, 3 x 16, 1 branch, at most 29 of 32 registers
 * Tiles      layer2: rows x columns 1 x 16, 3 x 8, 1 branch, at most 27 of 32 registers
 * Tiles      layer3: rows x columns 1 x 8, 1 branch, at most 18 of 32 registers
 * Walk       222 rows at a time; activations at odd multiples of 64 bytes
 * Cost       5440 flop per token; 13312 bytes of packed weights;
 *            170496 bytes of work memory per thread
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 4 interleaved chains; at most 19 roundings
 * Sums       layer3: k ascends in 8 interleaved chains; at most 8 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24;
 *            relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 19 2^-24;
 *            relu exact
 * Error      layer3: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 8 2^-24;
 *            sigmoid at most 2.5 ULP, and within (2.7 |y|) 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 1
#error "made for ABI 1 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_ARM64
#include <arm_neon.h>

FFN_INLINE void store_tail(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  memcpy(out, lanes, count * sizeof *out);
}

/* max(x, 0); exact. */
FFN_INLINE float32x4_t act_relu(const float32x4_t x) {
  return vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. */
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
  const float32x4_t t_9 = vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(n, vdupq_n_s32(127)), 23));
  const float32x4_t denominator = vfmaq_f32(vdupq_n_f32(2.3283064e-10f), p, t_9);
  return vdivq_f32(vdupq_n_f32(2.3283064e-10f), denominator);
}

/* ---- layer1: 10 -> 64 --------------------------------------------------------------------
 *
 * Panels [4][10][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][32] = a w for one row of 32 columns; 18 of 32 registers.
 */
FFN_NOINLINE void layer1_sums_32(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
    s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f),
    s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_4_0 = vdupq_n_f32(0.0f),
    s0_4_1 = vdupq_n_f32(0.0f), s0_5_0 = vdupq_n_f32(0.0f), s0_5_1 = vdupq_n_f32(0.0f),
    s0_6_0 = vdupq_n_f32(0.0f), s0_6_1 = vdupq_n_f32(0.0f), s0_7_0 = vdupq_n_f32(0.0f),
    s0_7_1 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12), w4 = vld1q_f32(w + 160), w5 = vld1q_f32(w + 164),
        w6 = vld1q_f32(w + 168), w7 = vld1q_f32(w + 172);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        s0_2_0 = vfmaq_f32(s0_2_0, x, w2); s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
        s0_4_0 = vfmaq_f32(s0_4_0, x, w4); s0_5_0 = vfmaq_f32(s0_5_0, x, w5);
        s0_6_0 = vfmaq_f32(s0_6_0, x, w6); s0_7_0 = vfmaq_f32(s0_7_0, x, w7);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20), w2 = vld1q_f32(w + 24),
        w3 = vld1q_f32(w + 28), w4 = vld1q_f32(w + 176), w5 = vld1q_f32(w + 180),
        w6 = vld1q_f32(w + 184), w7 = vld1q_f32(w + 188);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 1]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        s0_2_1 = vfmaq_f32(s0_2_1, x, w2); s0_3_1 = vfmaq_f32(s0_3_1, x, w3);
        s0_4_1 = vfmaq_f32(s0_4_1, x, w4); s0_5_1 = vfmaq_f32(s0_5_1, x, w5);
        s0_6_1 = vfmaq_f32(s0_6_1, x, w6); s0_7_1 = vfmaq_f32(s0_7_1, x, w7);
      }
    }
  }
  if (k < 10) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12), w4 = vld1q_f32(w + 160), w5 = vld1q_f32(w + 164),
        w6 = vld1q_f32(w + 168), w7 = vld1q_f32(w + 172);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        s0_2_0 = vfmaq_f32(s0_2_0, x, w2); s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
        s0_4_0 = vfmaq_f32(s0_4_0, x, w4); s0_5_0 = vfmaq_f32(s0_5_0, x, w5);
        s0_6_0 = vfmaq_f32(s0_6_0, x, w6); s0_7_0 = vfmaq_f32(s0_7_0, x, w7);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s0_6_0 = vaddq_f32(s0_6_0, s0_6_1);
  s0_7_0 = vaddq_f32(s0_7_0, s0_7_1);
  vst1q_f32(sum, s0_0_0);
  vst1q_f32(sum + 4, s0_1_0);
  vst1q_f32(sum + 8, s0_2_0);
  vst1q_f32(sum + 12, s0_3_0);
  vst1q_f32(sum + 16, s0_4_0);
  vst1q_f32(sum + 20, s0_5_0);
  vst1q_f32(sum + 24, s0_6_0);
  vst1q_f32(sum + 28, s0_7_0);
}

/* sum[row][branch][16] = a w for up to 3 rows of 16 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer1_tile_16(float *sum, const float *a, const float *w, const int rows) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
    s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f),
    s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
    s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f),
    s1_3_0 = vdupq_n_f32(0.0f), s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f),
    s2_1_1 = vdupq_n_f32(0.0f), s2_2_0 = vdupq_n_f32(0.0f), s2_2_1 = vdupq_n_f32(0.0f),
    s2_3_0 = vdupq_n_f32(0.0f), s2_3_1 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        s0_2_0 = vfmaq_f32(s0_2_0, x, w2); s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 16]);
        s1_0_0 = vfmaq_f32(s1_0_0, x, w0); s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        s1_2_0 = vfmaq_f32(s1_2_0, x, w2); s1_3_0 = vfmaq_f32(s1_3_0, x, w3);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 32]);
        s2_0_0 = vfmaq_f32(s2_0_0, x, w0); s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        s2_2_0 = vfmaq_f32(s2_2_0, x, w2); s2_3_0 = vfmaq_f32(s2_3_0, x, w3);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20), w2 = vld1q_f32(w + 24),
        w3 = vld1q_f32(w + 28);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 1]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        s0_2_1 = vfmaq_f32(s0_2_1, x, w2); s0_3_1 = vfmaq_f32(s0_3_1, x, w3);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 17]);
        s1_0_1 = vfmaq_f32(s1_0_1, x, w0); s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        s1_2_1 = vfmaq_f32(s1_2_1, x, w2); s1_3_1 = vfmaq_f32(s1_3_1, x, w3);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 33]);
        s2_0_1 = vfmaq_f32(s2_0_1, x, w0); s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        s2_2_1 = vfmaq_f32(s2_2_1, x, w2); s2_3_1 = vfmaq_f32(s2_3_1, x, w3);
      }
    }
  }
  if (k < 10) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        s0_2_0 = vfmaq_f32(s0_2_0, x, w2); s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 16]);
        s1_0_0 = vfmaq_f32(s1_0_0, x, w0); s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        s1_2_0 = vfmaq_f32(s1_2_0, x, w2); s1_3_0 = vfmaq_f32(s1_3_0, x, w3);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 32]);
        s2_0_0 = vfmaq_f32(s2_0_0, x, w0); s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        s2_2_0 = vfmaq_f32(s2_2_0, x, w2); s2_3_0 = vfmaq_f32(s2_3_0, x, w3);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  if (rows > 1) {
    s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
    s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
    s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
    s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  }
  if (rows > 2) {
    s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
    s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
    s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
    s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  }
  vst1q_f32(sum, s0_0_0);
  vst1q_f32(sum + 4, s0_1_0);
  vst1q_f32(sum + 8, s0_2_0);
  vst1q_f32(sum + 12, s0_3_0);
  if (rows > 1) {
    vst1q_f32(sum + 16, s1_0_0);
    vst1q_f32(sum + 20, s1_1_0);
    vst1q_f32(sum + 24, s1_2_0);
    vst1q_f32(sum + 28, s1_3_0);
  }
  if (rows > 2) {
    vst1q_f32(sum + 32, s2_0_0);
    vst1q_f32(sum + 36, s2_1_0);
    vst1q_f32(sum + 40, s2_2_0);
    vst1q_f32(sum + 44, s2_3_0);
  }
}

FFN_NOINLINE void layer1_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer1_tile_16(sum, a, w, 1); break;
  case 2: layer1_tile_16(sum, a, w, 2); break;
  case 3: layer1_tile_16(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer1_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 656 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < cols; c += 4) {
      const float32x4_t linear = vaddq_f32(vld1q_f32(sum + c), vld1q_f32(bias + c));
      const float32x4_t value = act_relu(linear);
      vst1q_f32(out + c, value);
    }
  }
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer1_pass(const ffn_task *task) {
  const float *panels = task->packed + 16;
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
    if (task->rows <= 1 && left >= 32)
      cols = 32, most = 1, sums = layer1_sums_32;
    else
      cols = 16, most = 3, sums = layer1_sums_16;
    const size_t chunk = task->rows <= most ? cols : ffn_min(left / cols * cols, 64);
    const size_t rows = ffn_even_part(task->rows, most);
    for (size_t c = 0; c < chunk; c += cols) {
      const float *w = panels + (column + c) / FFN_PANEL * 160 + (column + c) % FFN_PANEL;
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        sums(sum, task->in + row * 16, w, ffn_min(rows, task->rows - row));
      }
    }
    for (size_t c = 0; c < chunk; c += cols) {
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        layer1_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
      }
    }
    column += chunk;
  }
}

/* ---- layer2: 64 -> 32 --------------------------------------------------------------------
 *
 * Panels [2][64][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for one row of 16 columns; 18 of 32 registers.
 */
FFN_NOINLINE void layer2_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
    s0_0_3 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f), s0_1_1 = vdupq_n_f32(0.0f),
    s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f),
    s0_2_1 = vdupq_n_f32(0.0f), s0_2_2 = vdupq_n_f32(0.0f), s0_2_3 = vdupq_n_f32(0.0f),
    s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_3_2 = vdupq_n_f32(0.0f),
    s0_3_3 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k + 4 <= 64; k += 4, w += 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        s0_2_0 = vfmaq_f32(s0_2_0, x, w2); s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20), w2 = vld1q_f32(w + 24),
        w3 = vld1q_f32(w + 28);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 1]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        s0_2_1 = vfmaq_f32(s0_2_1, x, w2); s0_3_1 = vfmaq_f32(s0_3_1, x, w3);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36), w2 = vld1q_f32(w + 40),
        w3 = vld1q_f32(w + 44);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 2]);
        s0_0_2 = vfmaq_f32(s0_0_2, x, w0); s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        s0_2_2 = vfmaq_f32(s0_2_2, x, w2); s0_3_2 = vfmaq_f32(s0_3_2, x, w3);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52), w2 = vld1q_f32(w + 56),
        w3 = vld1q_f32(w + 60);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 3]);
        s0_0_3 = vfmaq_f32(s0_0_3, x, w0); s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        s0_2_3 = vfmaq_f32(s0_2_3, x, w2); s0_3_3 = vfmaq_f32(s0_3_3, x, w3);
      }
    }
  }
  if (k < 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        s0_2_0 = vfmaq_f32(s0_2_0, x, w2); s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        s0_2_1 = vfmaq_f32(s0_2_1, x, w2); s0_3_1 = vfmaq_f32(s0_3_1, x, w3);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
        w3 = vld1q_f32(w + 12);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_2 = vfmaq_f32(s0_0_2, x, w0); s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        s0_2_2 = vfmaq_f32(s0_2_2, x, w2); s0_3_2 = vfmaq_f32(s0_3_2, x, w3);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_2);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_3);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_2);
  s0_2_1 = vaddq_f32(s0_2_1, s0_2_3);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_2);
  s0_3_1 = vaddq_f32(s0_3_1, s0_3_3);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  vst1q_f32(sum, s0_0_0);
  vst1q_f32(sum + 4, s0_1_0);
  vst1q_f32(sum + 8, s0_2_0);
  vst1q_f32(sum + 12, s0_3_0);
}

/* sum[row][branch][8] = a w for up to 3 rows of 8 columns; 27 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer2_tile_8(float *sum, const float *a, const float *w, const int rows) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
    s0_0_3 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f), s0_1_1 = vdupq_n_f32(0.0f),
    s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_0_2 = vdupq_n_f32(0.0f),
    s1_0_3 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f), s1_1_1 = vdupq_n_f32(0.0f),
    s1_1_2 = vdupq_n_f32(0.0f), s1_1_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_0_2 = vdupq_n_f32(0.0f),
    s2_0_3 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f), s2_1_1 = vdupq_n_f32(0.0f),
    s2_1_2 = vdupq_n_f32(0.0f), s2_1_3 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k + 4 <= 64; k += 4, w += 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 80]);
        s1_0_0 = vfmaq_f32(s1_0_0, x, w0); s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 160]);
        s2_0_0 = vfmaq_f32(s2_0_0, x, w0); s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 1]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 81]);
        s1_0_1 = vfmaq_f32(s1_0_1, x, w0); s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 161]);
        s2_0_1 = vfmaq_f32(s2_0_1, x, w0); s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 2]);
        s0_0_2 = vfmaq_f32(s0_0_2, x, w0); s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 82]);
        s1_0_2 = vfmaq_f32(s1_0_2, x, w0); s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 162]);
        s2_0_2 = vfmaq_f32(s2_0_2, x, w0); s2_1_2 = vfmaq_f32(s2_1_2, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 3]);
        s0_0_3 = vfmaq_f32(s0_0_3, x, w0); s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 83]);
        s1_0_3 = vfmaq_f32(s1_0_3, x, w0); s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 163]);
        s2_0_3 = vfmaq_f32(s2_0_3, x, w0); s2_1_3 = vfmaq_f32(s2_1_3, x, w1);
      }
    }
  }
  if (k < 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 80]);
        s1_0_0 = vfmaq_f32(s1_0_0, x, w0); s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 160]);
        s2_0_0 = vfmaq_f32(s2_0_0, x, w0); s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 80]);
        s1_0_1 = vfmaq_f32(s1_0_1, x, w0); s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 160]);
        s2_0_1 = vfmaq_f32(s2_0_1, x, w0); s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_2 = vfmaq_f32(s0_0_2, x, w0); s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 80]);
        s1_0_2 = vfmaq_f32(s1_0_2, x, w0); s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 160]);
        s2_0_2 = vfmaq_f32(s2_0_2, x, w0); s2_1_2 = vfmaq_f32(s2_1_2, x, w1);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_2);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_3);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  if (rows > 1) {
    s1_0_0 = vaddq_f32(s1_0_0, s1_0_2);
    s1_0_1 = vaddq_f32(s1_0_1, s1_0_3);
    s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
    s1_1_0 = vaddq_f32(s1_1_0, s1_1_2);
    s1_1_1 = vaddq_f32(s1_1_1, s1_1_3);
    s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  }
  if (rows > 2) {
    s2_0_0 = vaddq_f32(s2_0_0, s2_0_2);
    s2_0_1 = vaddq_f32(s2_0_1, s2_0_3);
    s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
    s2_1_0 = vaddq_f32(s2_1_0, s2_1_2);
    s2_1_1 = vaddq_f32(s2_1_1, s2_1_3);
    s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  }
  vst1q_f32(sum, s0_0_0);
  vst1q_f32(sum + 4, s0_1_0);
  if (rows > 1) {
    vst1q_f32(sum + 8, s1_0_0);
    vst1q_f32(sum + 12, s1_1_0);
  }
  if (rows > 2) {
    vst1q_f32(sum + 16, s2_0_0);
    vst1q_f32(sum + 20, s2_1_0);
  }
}

FFN_NOINLINE void layer2_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer2_tile_8(sum, a, w, 1); break;
  case 2: layer2_tile_8(sum, a, w, 2); break;
  case 3: layer2_tile_8(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 2768 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < cols; c += 4) {
      const float32x4_t linear = vaddq_f32(vld1q_f32(sum + c), vld1q_f32(bias + c));
      const float32x4_t value = act_relu(linear);
      vst1q_f32(out + c, value);
    }
  }
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer2_pass(const ffn_task *task) {
  const float *panels = task->packed + 720;
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
    if (task->rows <= 1 && left >= 16)
      cols = 16, most = 1, sums = layer2_sums_16;
    else
      cols = 8, most = 3, sums = layer2_sums_8;
    const size_t chunk = task->rows <= most ? cols : ffn_min(left / cols * cols, 32);
    const size_t rows = ffn_even_part(task->rows, most);
    for (size_t c = 0; c < chunk; c += cols) {
      const float *w = panels + (column + c) / FFN_PANEL * 1024 + (column + c) % FFN_PANEL;
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        sums(sum, task->in + row * 80, w, ffn_min(rows, task->rows - row));
      }
    }
    for (size_t c = 0; c < chunk; c += cols) {
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        layer2_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
      }
    }
    column += chunk;
  }
}

/* ---- layer3: 32 -> 1 ---------------------------------------------------------------------
 *
 * Panels [1][32][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][8] = a w for one row of 8 columns; 18 of 32 registers.
 */
FFN_NOINLINE void layer3_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
    s0_0_3 = vdupq_n_f32(0.0f), s0_0_4 = vdupq_n_f32(0.0f), s0_0_5 = vdupq_n_f32(0.0f),
    s0_0_6 = vdupq_n_f32(0.0f), s0_0_7 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
    s0_1_1 = vdupq_n_f32(0.0f), s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f),
    s0_1_4 = vdupq_n_f32(0.0f), s0_1_5 = vdupq_n_f32(0.0f), s0_1_6 = vdupq_n_f32(0.0f),
    s0_1_7 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k + 8 <= 32; k += 8, w += 128) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 1]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 2]);
        s0_0_2 = vfmaq_f32(s0_0_2, x, w0); s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 3]);
        s0_0_3 = vfmaq_f32(s0_0_3, x, w0); s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 64), w1 = vld1q_f32(w + 68);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 4]);
        s0_0_4 = vfmaq_f32(s0_0_4, x, w0); s0_1_4 = vfmaq_f32(s0_1_4, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 80), w1 = vld1q_f32(w + 84);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 5]);
        s0_0_5 = vfmaq_f32(s0_0_5, x, w0); s0_1_5 = vfmaq_f32(s0_1_5, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 96), w1 = vld1q_f32(w + 100);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 6]);
        s0_0_6 = vfmaq_f32(s0_0_6, x, w0); s0_1_6 = vfmaq_f32(s0_1_6, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 112), w1 = vld1q_f32(w + 116);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 7]);
        s0_0_7 = vfmaq_f32(s0_0_7, x, w0); s0_1_7 = vfmaq_f32(s0_1_7, x, w1);
      }
    }
  }
  if (k < 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_0 = vfmaq_f32(s0_0_0, x, w0); s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_1 = vfmaq_f32(s0_0_1, x, w0); s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_2 = vfmaq_f32(s0_0_2, x, w0); s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_3 = vfmaq_f32(s0_0_3, x, w0); s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_4 = vfmaq_f32(s0_0_4, x, w0); s0_1_4 = vfmaq_f32(s0_1_4, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_5 = vfmaq_f32(s0_0_5, x, w0); s0_1_5 = vfmaq_f32(s0_1_5, x, w1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
      {
        const float32x4_t x = vdupq_n_f32(a[k]);
        s0_0_6 = vfmaq_f32(s0_0_6, x, w0); s0_1_6 = vfmaq_f32(s0_1_6, x, w1);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_4);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_5);
  s0_0_2 = vaddq_f32(s0_0_2, s0_0_6);
  s0_0_3 = vaddq_f32(s0_0_3, s0_0_7);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_4);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_5);
  s0_1_2 = vaddq_f32(s0_1_2, s0_1_6);
  s0_1_3 = vaddq_f32(s0_1_3, s0_1_7);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_2);
  s0_1_1 = vaddq_f32(s0_1_1, s0_1_3);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  vst1q_f32(sum, s0_0_0);
  vst1q_f32(sum + 4, s0_1_0);
}

/* Sums plus bias through sigmoid into y. */
FFN_NOINLINE void layer3_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 3312 + column;
  const size_t valid = column < 1 ? ffn_min(1 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < valid; c += 4) {
      const float32x4_t linear = vaddq_f32(vld1q_f32(sum + c), vld1q_f32(bias + c));
      const float32x4_t value = act_sigmoid(linear);
      if (valid - c >= 4)
        vst1q_f32(out + c, value);
      else
        store_tail(out + c, value, valid - c);
    }
  }
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer3_pass(const ffn_task *task) {
  const float *panels = task->packed + 2800;
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 8, most = 1, sums = layer3_sums_8;
    const size_t chunk = task->rows <= most ? cols : ffn_min(left / cols * cols, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    for (size_t c = 0; c < chunk; c += cols) {
      const float *w = panels + (column + c) / FFN_PANEL * 512 + (column + c) % FFN_PANEL;
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        sums(sum, task->in + row * 48, w, ffn_min(rows, task->rows - row));
      }
    }
    for (size_t c = 0; c < chunk; c += cols) {
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        layer3_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
      }
    }
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {10, 64, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     10, 2, 7, 0.0f, 0.0f},
    {64, 32, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     64, 4, 19, 0.0f, 0.0f},
    {32, 1, FFN_ACT_SIGMOID, FFN_PRODUCT_NONE, 1, 0.0f,
     32, 8, 8, 2.7f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {layer1_pass, 10, 64, 1, 1,
     16, 656, 0, 16, 32},
    {layer2_pass, 64, 32, 1, 1,
     720, 2768, 10656, 80, 16},
    {layer3_pass, 32, 1, 1, 1,
     2800, 3312, 0, 48, 16},
};

static const ffn_chain chain = {UINT64_C(0x764069b59f8f69af), 3, chain_stages, 3, 222,
                                28416, 42624, 5440};

static void pack(void *packed, const ffn_weights *weights) {
  ffn_pack_header(packed, &chain, 0.0f);
  ffn_pack_branch(packed, &chain_stages[0], 0, &weights->chain[0]);
  ffn_pack_branch(packed, &chain_stages[1], 0, &weights->chain[1]);
  ffn_pack_branch(packed, &chain_stages[2], 0, &weights->chain[2]);
}

static void unpack(ffn_weights *weights, const void *packed) {
  weights->beta = ffn_packed_beta((const float *)packed);
  ffn_unpack_branch(&weights->chain[0], packed, &chain_stages[0], 0);
  ffn_unpack_branch(&weights->chain[1], packed, &chain_stages[1], 0);
  ffn_unpack_branch(&weights->chain[2], packed, &chain_stages[2], 0);
}

static void run(float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens,
                const void *packed, void *work, const ffn_parallel *parallel) {
  ffn_chain_run(&chain, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_neon;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_neon = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_neon",
    "mlp_10_relu64_relu32_sigmoid1_bias_f32",
    FFN_KIND_MLP,
    FFN_IDENTITY,
    FFN_F32,
    FFN_ISA_NEON,
    10,
    0,
    1,
    1,
    0,
    3,
    stages,
    13312,
    170496,
    5440,
    pack,
    unpack,
    run,
};

#endif
