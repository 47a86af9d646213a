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
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       5440 flop per token; 13312 bytes of packed weights;
 *            142080 bytes of work memory per thread
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

#if FFN_ABI != 3
#error "made for ABI 3 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_ARM64
#include <arm_neon.h>

FFN_INLINE void store_tail(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  memcpy(out, lanes, count * sizeof *out);
}

/* max(x, 0); exact.
 * Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE float32x4_t act_relu(const float32x4_t x) {
  return vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24.
 * logistic function; glu: Dauphin et al., arXiv:1612.08083. */
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
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
      s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
      s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 8));
      s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 12));
      s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 160));
      s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 164));
      s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 168));
      s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 172));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 16));
      s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 20));
      s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 24));
      s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 28));
      s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 176));
      s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 180));
      s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 184));
      s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 188));
    }
  }
  if (k < 10) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
      s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
      s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 8));
      s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 12));
      s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 160));
      s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 164));
      s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 168));
      s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 172));
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
FFN_INLINE void layer1_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
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
        const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        s1_3_0 = vfmaq_f32(s1_3_0, x, w3);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
        s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        s2_3_0 = vfmaq_f32(s2_3_0, x, w3);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20), w2 = vld1q_f32(w + 24),
        w3 = vld1q_f32(w + 28);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        s0_3_1 = vfmaq_f32(s0_3_1, x, w3);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        s1_3_1 = vfmaq_f32(s1_3_1, x, w3);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
        s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        s2_3_1 = vfmaq_f32(s2_3_1, x, w3);
      }
    }
  }
  if (k < 10) {
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
      w3 = vld1q_f32(w + 12);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
      s0_3_0 = vfmaq_f32(s0_3_0, x, w3);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
      s1_3_0 = vfmaq_f32(s1_3_0, x, w3);
    }
    if (rows > 2) {
      const float32x4_t x = vdupq_n_f32(a[k + 32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
      s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
      s2_3_0 = vfmaq_f32(s2_3_0, x, w3);
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
  case 1: layer1_sums_tile_16(sum, a, w, 1); break;
  case 2: layer1_sums_tile_16(sum, a, w, 2); break;
  case 3: layer1_sums_tile_16(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer1_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 656 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 64);
      const float32x4_t linear = vaddq_f32(vld1q_f32(sum + c), vld1q_f32(bias + c));
      const float32x4_t value = act_relu(linear);
      vst1q_f32(out, value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer1_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 16 + column / FFN_PANEL * 160 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer1_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
    if (task->rows <= 1 && left >= 32)
      cols = 32, most = 1, sums = layer1_sums_32;
    else
      cols = 16, most = 3, sums = layer1_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 64);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = layer1_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 16, weights,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 10;
    } while (block < 10);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        layer1_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
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
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
      s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
      s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 8));
      s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 12));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 16));
      s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 20));
      s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 24));
      s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 28));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 2]);
      s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 32));
      s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 36));
      s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 40));
      s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 44));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 3]);
      s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 48));
      s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 52));
      s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 56));
      s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 60));
    }
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
      s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
      s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 8));
      s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 12));
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w));
      s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 4));
      s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 8));
      s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 12));
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w));
      s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 4));
      s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 8));
      s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 12));
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
FFN_INLINE void layer2_sums_tile_8(float *sum, const float *a, const float *w, const int rows) {
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
        const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 64]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 128]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
        s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 65]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 129]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
        s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 2]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 66]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 130]); s2_0_2 = vfmaq_f32(s2_0_2, x, w0);
        s2_1_2 = vfmaq_f32(s2_1_2, x, w1);
      }
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52);
      {
        const float32x4_t x = vdupq_n_f32(a[k + 3]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
      }
      if (rows > 1) {
        const float32x4_t x = vdupq_n_f32(a[k + 67]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
      }
      if (rows > 2) {
        const float32x4_t x = vdupq_n_f32(a[k + 131]); s2_0_3 = vfmaq_f32(s2_0_3, x, w0);
        s2_1_3 = vfmaq_f32(s2_1_3, x, w1);
      }
    }
  }
  if (k < 64) {
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 64]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
    }
    if (rows > 2) {
      const float32x4_t x = vdupq_n_f32(a[k + 128]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
      s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 64]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
    }
    if (rows > 2) {
      const float32x4_t x = vdupq_n_f32(a[k + 128]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
      s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
      s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 64]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
      s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
    }
    if (rows > 2) {
      const float32x4_t x = vdupq_n_f32(a[k + 128]); s2_0_2 = vfmaq_f32(s2_0_2, x, w0);
      s2_1_2 = vfmaq_f32(s2_1_2, x, w1);
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
  case 1: layer2_sums_tile_8(sum, a, w, 1); break;
  case 2: layer2_sums_tile_8(sum, a, w, 2); break;
  case 3: layer2_sums_tile_8(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 2768 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 32);
      const float32x4_t linear = vaddq_f32(vaddq_f32(vld1q_f32(sum + c), vdupq_n_f32(0.0f)), vld1q_f32(bias + c));
      const float32x4_t value = act_relu(linear);
      vst1q_f32(out, value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer2_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 720 + column / FFN_PANEL * 1024 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer2_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
    if (task->rows <= 1 && left >= 16)
      cols = 16, most = 1, sums = layer2_sums_16;
    else
      cols = 8, most = 3, sums = layer2_sums_8;
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 32);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = layer2_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 64, weights + (c - g) % FFN_PANEL,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 64;
    } while (block < 64);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        layer2_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
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
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
      s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 16));
      s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 20));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 2]);
      s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 32));
      s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 36));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 3]);
      s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 48));
      s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 52));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 4]);
      s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 64));
      s0_1_4 = vfmaq_f32(s0_1_4, x, vld1q_f32(w + 68));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 5]);
      s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 80));
      s0_1_5 = vfmaq_f32(s0_1_5, x, vld1q_f32(w + 84));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 6]);
      s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 96));
      s0_1_6 = vfmaq_f32(s0_1_6, x, vld1q_f32(w + 100));
    }
    {
      const float32x4_t x = vdupq_n_f32(a[k + 7]);
      s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 112));
      s0_1_7 = vfmaq_f32(s0_1_7, x, vld1q_f32(w + 116));
    }
  }
  if (k < 32) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
      s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w));
      s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w));
      s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w));
      s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w));
      s0_1_4 = vfmaq_f32(s0_1_4, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w));
      s0_1_5 = vfmaq_f32(s0_1_5, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w));
      s0_1_6 = vfmaq_f32(s0_1_6, x, vld1q_f32(w + 4));
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
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const float32x4_t linear = vaddq_f32(vaddq_f32(vld1q_f32(sum + c), vdupq_n_f32(0.0f)), vld1q_f32(bias + c));
      const float32x4_t value = act_sigmoid(linear);
      if (valid - c >= 4)
        vst1q_f32(out, value);
      else
        store_tail(out, value, valid - c);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer3_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 2800 + column / FFN_PANEL * 512 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer3_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 8, most = 1, sums = layer3_sums_8;
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = layer3_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 32, weights + (c - g) % FFN_PANEL,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 32;
    } while (block < 32);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        layer3_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {10, 64, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     10, 2, 7, 0.0f, 0.0f},
    {64, 32, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     64, 4, 19, 0.0f, 0.0f},
    {32, 1, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_SIGMOID, FFN_PRODUCT_NONE, 1, 0.0f,
     32, 8, 8, 2.7f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {layer1_pass, 10, 64, 1, 1,
     16, 656, 0, 16, 32},
    {layer2_pass, 64, 32, 1, 1,
     720, 2768, 7104, 64, 16},
    {layer3_pass, 32, 1, 1, 1,
     2800, 3312, 0, 32, 16},
};


/* 2 rows, all stages in one straight line: a walk would cost more than the sums. */
static void straight_2(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
  { /* layer1 */
    memcpy(work + 0, from + 0 * from_stride, 10 * sizeof *from);
    memcpy(work + 16, from + 1 * from_stride, 10 * sizeof *from);
    const float *in = work + 0;
    float *out = work + 32;
    const float *w = packed + 16;
    const float *bias = packed + 656;
    enum { rows = 2 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f),
  s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_4_0 = vdupq_n_f32(0.0f),
  s0_4_1 = vdupq_n_f32(0.0f), s0_5_0 = vdupq_n_f32(0.0f), s0_5_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f),
  s1_3_0 = vdupq_n_f32(0.0f), s1_3_1 = vdupq_n_f32(0.0f), s1_4_0 = vdupq_n_f32(0.0f),
  s1_4_1 = vdupq_n_f32(0.0f), s1_5_0 = vdupq_n_f32(0.0f), s1_5_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
          w3 = vld1q_f32(w + 12), w4 = vld1q_f32(w + 160), w5 = vld1q_f32(w + 164);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
          s0_5_0 = vfmaq_f32(s0_5_0, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
          s1_5_0 = vfmaq_f32(s1_5_0, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20), w2 = vld1q_f32(w + 24),
          w3 = vld1q_f32(w + 28), w4 = vld1q_f32(w + 176), w5 = vld1q_f32(w + 180);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
          s0_5_1 = vfmaq_f32(s0_5_1, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
          s1_5_1 = vfmaq_f32(s1_5_1, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36), w2 = vld1q_f32(w + 40),
          w3 = vld1q_f32(w + 44), w4 = vld1q_f32(w + 192), w5 = vld1q_f32(w + 196);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
          s0_5_0 = vfmaq_f32(s0_5_0, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
          s1_5_0 = vfmaq_f32(s1_5_0, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52), w2 = vld1q_f32(w + 56),
          w3 = vld1q_f32(w + 60), w4 = vld1q_f32(w + 208), w5 = vld1q_f32(w + 212);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
          s0_5_1 = vfmaq_f32(s0_5_1, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
          s1_5_1 = vfmaq_f32(s1_5_1, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 64), w1 = vld1q_f32(w + 68), w2 = vld1q_f32(w + 72),
          w3 = vld1q_f32(w + 76), w4 = vld1q_f32(w + 224), w5 = vld1q_f32(w + 228);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
          s0_5_0 = vfmaq_f32(s0_5_0, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
          s1_5_0 = vfmaq_f32(s1_5_0, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 80), w1 = vld1q_f32(w + 84), w2 = vld1q_f32(w + 88),
          w3 = vld1q_f32(w + 92), w4 = vld1q_f32(w + 240), w5 = vld1q_f32(w + 244);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
          s0_5_1 = vfmaq_f32(s0_5_1, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
          s1_5_1 = vfmaq_f32(s1_5_1, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 96), w1 = vld1q_f32(w + 100), w2 = vld1q_f32(w + 104),
          w3 = vld1q_f32(w + 108), w4 = vld1q_f32(w + 256), w5 = vld1q_f32(w + 260);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
          s0_5_0 = vfmaq_f32(s0_5_0, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
          s1_5_0 = vfmaq_f32(s1_5_0, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 112), w1 = vld1q_f32(w + 116), w2 = vld1q_f32(w + 120),
          w3 = vld1q_f32(w + 124), w4 = vld1q_f32(w + 272), w5 = vld1q_f32(w + 276);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
          s0_5_1 = vfmaq_f32(s0_5_1, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
          s1_5_1 = vfmaq_f32(s1_5_1, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 128), w1 = vld1q_f32(w + 132), w2 = vld1q_f32(w + 136),
          w3 = vld1q_f32(w + 140), w4 = vld1q_f32(w + 288), w5 = vld1q_f32(w + 292);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
          s0_5_0 = vfmaq_f32(s0_5_0, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
          s1_5_0 = vfmaq_f32(s1_5_0, x, w5);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 144), w1 = vld1q_f32(w + 148), w2 = vld1q_f32(w + 152),
          w3 = vld1q_f32(w + 156), w4 = vld1q_f32(w + 304), w5 = vld1q_f32(w + 308);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
          s0_5_1 = vfmaq_f32(s0_5_1, x, w5);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
          s1_5_1 = vfmaq_f32(s1_5_1, x, w5);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
      s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
      s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
      s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
        s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
        s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
        s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 4, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_2_0, vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 8, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_3_0, vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 12, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_4_0, vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 16, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_5_0, vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 20, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_0_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 64, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_1_0, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 68, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_2_0, vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 72, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_3_0, vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 76, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_4_0, vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 80, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_5_0, vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 84, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f),
  s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_4_0 = vdupq_n_f32(0.0f),
  s0_4_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f),
  s1_3_0 = vdupq_n_f32(0.0f), s1_3_1 = vdupq_n_f32(0.0f), s1_4_0 = vdupq_n_f32(0.0f),
  s1_4_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 168), w1 = vld1q_f32(w + 172), w2 = vld1q_f32(w + 320),
          w3 = vld1q_f32(w + 324), w4 = vld1q_f32(w + 328);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 184), w1 = vld1q_f32(w + 188), w2 = vld1q_f32(w + 336),
          w3 = vld1q_f32(w + 340), w4 = vld1q_f32(w + 344);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 200), w1 = vld1q_f32(w + 204), w2 = vld1q_f32(w + 352),
          w3 = vld1q_f32(w + 356), w4 = vld1q_f32(w + 360);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 216), w1 = vld1q_f32(w + 220), w2 = vld1q_f32(w + 368),
          w3 = vld1q_f32(w + 372), w4 = vld1q_f32(w + 376);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 232), w1 = vld1q_f32(w + 236), w2 = vld1q_f32(w + 384),
          w3 = vld1q_f32(w + 388), w4 = vld1q_f32(w + 392);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 248), w1 = vld1q_f32(w + 252), w2 = vld1q_f32(w + 400),
          w3 = vld1q_f32(w + 404), w4 = vld1q_f32(w + 408);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 264), w1 = vld1q_f32(w + 268), w2 = vld1q_f32(w + 416),
          w3 = vld1q_f32(w + 420), w4 = vld1q_f32(w + 424);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 280), w1 = vld1q_f32(w + 284), w2 = vld1q_f32(w + 432),
          w3 = vld1q_f32(w + 436), w4 = vld1q_f32(w + 440);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 296), w1 = vld1q_f32(w + 300), w2 = vld1q_f32(w + 448),
          w3 = vld1q_f32(w + 452), w4 = vld1q_f32(w + 456);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 312), w1 = vld1q_f32(w + 316), w2 = vld1q_f32(w + 464),
          w3 = vld1q_f32(w + 468), w4 = vld1q_f32(w + 472);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
      s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
      s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
        s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
        s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 24, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 28, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_2_0, vld1q_f32(bias + 32));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 32, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_3_0, vld1q_f32(bias + 36));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 36, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_4_0, vld1q_f32(bias + 40));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 40, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_0_0, vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 88, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_1_0, vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 92, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_2_0, vld1q_f32(bias + 32));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 96, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_3_0, vld1q_f32(bias + 36));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 100, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_4_0, vld1q_f32(bias + 40));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 104, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f),
  s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_4_0 = vdupq_n_f32(0.0f),
  s0_4_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f),
  s1_3_0 = vdupq_n_f32(0.0f), s1_3_1 = vdupq_n_f32(0.0f), s1_4_0 = vdupq_n_f32(0.0f),
  s1_4_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 332), w1 = vld1q_f32(w + 480), w2 = vld1q_f32(w + 484),
          w3 = vld1q_f32(w + 488), w4 = vld1q_f32(w + 492);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 348), w1 = vld1q_f32(w + 496), w2 = vld1q_f32(w + 500),
          w3 = vld1q_f32(w + 504), w4 = vld1q_f32(w + 508);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 364), w1 = vld1q_f32(w + 512), w2 = vld1q_f32(w + 516),
          w3 = vld1q_f32(w + 520), w4 = vld1q_f32(w + 524);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 380), w1 = vld1q_f32(w + 528), w2 = vld1q_f32(w + 532),
          w3 = vld1q_f32(w + 536), w4 = vld1q_f32(w + 540);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 396), w1 = vld1q_f32(w + 544), w2 = vld1q_f32(w + 548),
          w3 = vld1q_f32(w + 552), w4 = vld1q_f32(w + 556);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 412), w1 = vld1q_f32(w + 560), w2 = vld1q_f32(w + 564),
          w3 = vld1q_f32(w + 568), w4 = vld1q_f32(w + 572);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 428), w1 = vld1q_f32(w + 576), w2 = vld1q_f32(w + 580),
          w3 = vld1q_f32(w + 584), w4 = vld1q_f32(w + 588);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 444), w1 = vld1q_f32(w + 592), w2 = vld1q_f32(w + 596),
          w3 = vld1q_f32(w + 600), w4 = vld1q_f32(w + 604);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 460), w1 = vld1q_f32(w + 608), w2 = vld1q_f32(w + 612),
          w3 = vld1q_f32(w + 616), w4 = vld1q_f32(w + 620);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
          s0_3_0 = vfmaq_f32(s0_3_0, x, w3); s0_4_0 = vfmaq_f32(s0_4_0, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
          s1_3_0 = vfmaq_f32(s1_3_0, x, w3); s1_4_0 = vfmaq_f32(s1_4_0, x, w4);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 476), w1 = vld1q_f32(w + 624), w2 = vld1q_f32(w + 628),
          w3 = vld1q_f32(w + 632), w4 = vld1q_f32(w + 636);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
          s0_3_1 = vfmaq_f32(s0_3_1, x, w3); s0_4_1 = vfmaq_f32(s0_4_1, x, w4);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
          s1_3_1 = vfmaq_f32(s1_3_1, x, w3); s1_4_1 = vfmaq_f32(s1_4_1, x, w4);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
      s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
      s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
        s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
        s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias + 44));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 44, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 48));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 48, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_2_0, vld1q_f32(bias + 52));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 52, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_3_0, vld1q_f32(bias + 56));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 56, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_4_0, vld1q_f32(bias + 60));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 60, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_0_0, vld1q_f32(bias + 44));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 108, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_1_0, vld1q_f32(bias + 48));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 112, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_2_0, vld1q_f32(bias + 52));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 116, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_3_0, vld1q_f32(bias + 56));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 120, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_4_0, vld1q_f32(bias + 60));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 124, value);
      }
    }
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work + 32;
    float *out = work + 160;
    const float *w = packed + 720;
    const float *bias = packed + 2768;
    enum { rows = 2 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
  s0_0_3 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f), s0_1_1 = vdupq_n_f32(0.0f),
  s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f),
  s0_2_1 = vdupq_n_f32(0.0f), s0_2_2 = vdupq_n_f32(0.0f), s0_2_3 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_0_2 = vdupq_n_f32(0.0f),
  s1_0_3 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f), s1_1_1 = vdupq_n_f32(0.0f),
  s1_1_2 = vdupq_n_f32(0.0f), s1_1_3 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f),
  s1_2_1 = vdupq_n_f32(0.0f), s1_2_2 = vdupq_n_f32(0.0f), s1_2_3 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[64]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20), w2 = vld1q_f32(w + 24);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[65]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36), w2 = vld1q_f32(w + 40);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[66]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52), w2 = vld1q_f32(w + 56);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[67]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 64), w1 = vld1q_f32(w + 68), w2 = vld1q_f32(w + 72);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[68]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 80), w1 = vld1q_f32(w + 84), w2 = vld1q_f32(w + 88);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[69]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 96), w1 = vld1q_f32(w + 100), w2 = vld1q_f32(w + 104);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[70]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 112), w1 = vld1q_f32(w + 116), w2 = vld1q_f32(w + 120);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[71]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 128), w1 = vld1q_f32(w + 132), w2 = vld1q_f32(w + 136);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[72]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 144), w1 = vld1q_f32(w + 148), w2 = vld1q_f32(w + 152);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[73]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 160), w1 = vld1q_f32(w + 164), w2 = vld1q_f32(w + 168);
        {
          const float32x4_t x = vdupq_n_f32(in[10]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[74]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 176), w1 = vld1q_f32(w + 180), w2 = vld1q_f32(w + 184);
        {
          const float32x4_t x = vdupq_n_f32(in[11]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[75]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 192), w1 = vld1q_f32(w + 196), w2 = vld1q_f32(w + 200);
        {
          const float32x4_t x = vdupq_n_f32(in[12]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[76]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 208), w1 = vld1q_f32(w + 212), w2 = vld1q_f32(w + 216);
        {
          const float32x4_t x = vdupq_n_f32(in[13]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[77]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 224), w1 = vld1q_f32(w + 228), w2 = vld1q_f32(w + 232);
        {
          const float32x4_t x = vdupq_n_f32(in[14]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[78]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 240), w1 = vld1q_f32(w + 244), w2 = vld1q_f32(w + 248);
        {
          const float32x4_t x = vdupq_n_f32(in[15]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[79]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 256), w1 = vld1q_f32(w + 260), w2 = vld1q_f32(w + 264);
        {
          const float32x4_t x = vdupq_n_f32(in[16]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[80]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 272), w1 = vld1q_f32(w + 276), w2 = vld1q_f32(w + 280);
        {
          const float32x4_t x = vdupq_n_f32(in[17]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[81]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 288), w1 = vld1q_f32(w + 292), w2 = vld1q_f32(w + 296);
        {
          const float32x4_t x = vdupq_n_f32(in[18]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[82]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 304), w1 = vld1q_f32(w + 308), w2 = vld1q_f32(w + 312);
        {
          const float32x4_t x = vdupq_n_f32(in[19]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[83]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 320), w1 = vld1q_f32(w + 324), w2 = vld1q_f32(w + 328);
        {
          const float32x4_t x = vdupq_n_f32(in[20]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[84]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 336), w1 = vld1q_f32(w + 340), w2 = vld1q_f32(w + 344);
        {
          const float32x4_t x = vdupq_n_f32(in[21]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[85]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 352), w1 = vld1q_f32(w + 356), w2 = vld1q_f32(w + 360);
        {
          const float32x4_t x = vdupq_n_f32(in[22]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[86]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 368), w1 = vld1q_f32(w + 372), w2 = vld1q_f32(w + 376);
        {
          const float32x4_t x = vdupq_n_f32(in[23]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[87]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 384), w1 = vld1q_f32(w + 388), w2 = vld1q_f32(w + 392);
        {
          const float32x4_t x = vdupq_n_f32(in[24]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[88]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 400), w1 = vld1q_f32(w + 404), w2 = vld1q_f32(w + 408);
        {
          const float32x4_t x = vdupq_n_f32(in[25]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[89]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 416), w1 = vld1q_f32(w + 420), w2 = vld1q_f32(w + 424);
        {
          const float32x4_t x = vdupq_n_f32(in[26]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[90]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 432), w1 = vld1q_f32(w + 436), w2 = vld1q_f32(w + 440);
        {
          const float32x4_t x = vdupq_n_f32(in[27]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[91]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 448), w1 = vld1q_f32(w + 452), w2 = vld1q_f32(w + 456);
        {
          const float32x4_t x = vdupq_n_f32(in[28]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[92]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 464), w1 = vld1q_f32(w + 468), w2 = vld1q_f32(w + 472);
        {
          const float32x4_t x = vdupq_n_f32(in[29]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[93]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 480), w1 = vld1q_f32(w + 484), w2 = vld1q_f32(w + 488);
        {
          const float32x4_t x = vdupq_n_f32(in[30]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[94]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 496), w1 = vld1q_f32(w + 500), w2 = vld1q_f32(w + 504);
        {
          const float32x4_t x = vdupq_n_f32(in[31]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[95]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 512), w1 = vld1q_f32(w + 516), w2 = vld1q_f32(w + 520);
        {
          const float32x4_t x = vdupq_n_f32(in[32]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[96]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 528), w1 = vld1q_f32(w + 532), w2 = vld1q_f32(w + 536);
        {
          const float32x4_t x = vdupq_n_f32(in[33]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[97]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 544), w1 = vld1q_f32(w + 548), w2 = vld1q_f32(w + 552);
        {
          const float32x4_t x = vdupq_n_f32(in[34]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[98]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 560), w1 = vld1q_f32(w + 564), w2 = vld1q_f32(w + 568);
        {
          const float32x4_t x = vdupq_n_f32(in[35]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[99]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 576), w1 = vld1q_f32(w + 580), w2 = vld1q_f32(w + 584);
        {
          const float32x4_t x = vdupq_n_f32(in[36]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[100]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 592), w1 = vld1q_f32(w + 596), w2 = vld1q_f32(w + 600);
        {
          const float32x4_t x = vdupq_n_f32(in[37]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[101]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 608), w1 = vld1q_f32(w + 612), w2 = vld1q_f32(w + 616);
        {
          const float32x4_t x = vdupq_n_f32(in[38]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[102]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 624), w1 = vld1q_f32(w + 628), w2 = vld1q_f32(w + 632);
        {
          const float32x4_t x = vdupq_n_f32(in[39]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[103]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 640), w1 = vld1q_f32(w + 644), w2 = vld1q_f32(w + 648);
        {
          const float32x4_t x = vdupq_n_f32(in[40]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[104]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 656), w1 = vld1q_f32(w + 660), w2 = vld1q_f32(w + 664);
        {
          const float32x4_t x = vdupq_n_f32(in[41]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[105]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 672), w1 = vld1q_f32(w + 676), w2 = vld1q_f32(w + 680);
        {
          const float32x4_t x = vdupq_n_f32(in[42]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[106]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 688), w1 = vld1q_f32(w + 692), w2 = vld1q_f32(w + 696);
        {
          const float32x4_t x = vdupq_n_f32(in[43]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[107]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 704), w1 = vld1q_f32(w + 708), w2 = vld1q_f32(w + 712);
        {
          const float32x4_t x = vdupq_n_f32(in[44]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[108]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 720), w1 = vld1q_f32(w + 724), w2 = vld1q_f32(w + 728);
        {
          const float32x4_t x = vdupq_n_f32(in[45]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[109]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 736), w1 = vld1q_f32(w + 740), w2 = vld1q_f32(w + 744);
        {
          const float32x4_t x = vdupq_n_f32(in[46]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[110]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 752), w1 = vld1q_f32(w + 756), w2 = vld1q_f32(w + 760);
        {
          const float32x4_t x = vdupq_n_f32(in[47]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[111]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 768), w1 = vld1q_f32(w + 772), w2 = vld1q_f32(w + 776);
        {
          const float32x4_t x = vdupq_n_f32(in[48]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[112]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 784), w1 = vld1q_f32(w + 788), w2 = vld1q_f32(w + 792);
        {
          const float32x4_t x = vdupq_n_f32(in[49]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[113]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 800), w1 = vld1q_f32(w + 804), w2 = vld1q_f32(w + 808);
        {
          const float32x4_t x = vdupq_n_f32(in[50]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[114]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 816), w1 = vld1q_f32(w + 820), w2 = vld1q_f32(w + 824);
        {
          const float32x4_t x = vdupq_n_f32(in[51]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[115]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 832), w1 = vld1q_f32(w + 836), w2 = vld1q_f32(w + 840);
        {
          const float32x4_t x = vdupq_n_f32(in[52]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[116]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 848), w1 = vld1q_f32(w + 852), w2 = vld1q_f32(w + 856);
        {
          const float32x4_t x = vdupq_n_f32(in[53]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[117]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 864), w1 = vld1q_f32(w + 868), w2 = vld1q_f32(w + 872);
        {
          const float32x4_t x = vdupq_n_f32(in[54]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[118]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 880), w1 = vld1q_f32(w + 884), w2 = vld1q_f32(w + 888);
        {
          const float32x4_t x = vdupq_n_f32(in[55]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[119]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 896), w1 = vld1q_f32(w + 900), w2 = vld1q_f32(w + 904);
        {
          const float32x4_t x = vdupq_n_f32(in[56]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[120]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 912), w1 = vld1q_f32(w + 916), w2 = vld1q_f32(w + 920);
        {
          const float32x4_t x = vdupq_n_f32(in[57]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[121]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 928), w1 = vld1q_f32(w + 932), w2 = vld1q_f32(w + 936);
        {
          const float32x4_t x = vdupq_n_f32(in[58]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[122]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 944), w1 = vld1q_f32(w + 948), w2 = vld1q_f32(w + 952);
        {
          const float32x4_t x = vdupq_n_f32(in[59]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[123]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 960), w1 = vld1q_f32(w + 964), w2 = vld1q_f32(w + 968);
        {
          const float32x4_t x = vdupq_n_f32(in[60]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[124]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 976), w1 = vld1q_f32(w + 980), w2 = vld1q_f32(w + 984);
        {
          const float32x4_t x = vdupq_n_f32(in[61]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[125]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 992), w1 = vld1q_f32(w + 996), w2 = vld1q_f32(w + 1000);
        {
          const float32x4_t x = vdupq_n_f32(in[62]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[126]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1008), w1 = vld1q_f32(w + 1012), w2 = vld1q_f32(w + 1016);
        {
          const float32x4_t x = vdupq_n_f32(in[63]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[127]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
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
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_2);
        s1_0_1 = vaddq_f32(s1_0_1, s1_0_3);
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_2);
        s1_1_1 = vaddq_f32(s1_1_1, s1_1_3);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_2);
        s1_2_1 = vaddq_f32(s1_2_1, s1_2_3);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 4, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_2_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 8, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 32, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 36, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_2_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 40, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
  s0_0_3 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f), s0_1_1 = vdupq_n_f32(0.0f),
  s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f),
  s0_2_1 = vdupq_n_f32(0.0f), s0_2_2 = vdupq_n_f32(0.0f), s0_2_3 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_0_2 = vdupq_n_f32(0.0f),
  s1_0_3 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f), s1_1_1 = vdupq_n_f32(0.0f),
  s1_1_2 = vdupq_n_f32(0.0f), s1_1_3 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f),
  s1_2_1 = vdupq_n_f32(0.0f), s1_2_2 = vdupq_n_f32(0.0f), s1_2_3 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 12), w1 = vld1q_f32(w + 1024), w2 = vld1q_f32(w + 1028);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[64]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 28), w1 = vld1q_f32(w + 1040), w2 = vld1q_f32(w + 1044);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[65]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 44), w1 = vld1q_f32(w + 1056), w2 = vld1q_f32(w + 1060);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[66]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 60), w1 = vld1q_f32(w + 1072), w2 = vld1q_f32(w + 1076);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[67]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 76), w1 = vld1q_f32(w + 1088), w2 = vld1q_f32(w + 1092);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[68]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 92), w1 = vld1q_f32(w + 1104), w2 = vld1q_f32(w + 1108);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[69]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 108), w1 = vld1q_f32(w + 1120), w2 = vld1q_f32(w + 1124);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[70]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 124), w1 = vld1q_f32(w + 1136), w2 = vld1q_f32(w + 1140);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[71]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 140), w1 = vld1q_f32(w + 1152), w2 = vld1q_f32(w + 1156);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[72]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 156), w1 = vld1q_f32(w + 1168), w2 = vld1q_f32(w + 1172);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[73]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 172), w1 = vld1q_f32(w + 1184), w2 = vld1q_f32(w + 1188);
        {
          const float32x4_t x = vdupq_n_f32(in[10]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[74]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 188), w1 = vld1q_f32(w + 1200), w2 = vld1q_f32(w + 1204);
        {
          const float32x4_t x = vdupq_n_f32(in[11]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[75]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 204), w1 = vld1q_f32(w + 1216), w2 = vld1q_f32(w + 1220);
        {
          const float32x4_t x = vdupq_n_f32(in[12]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[76]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 220), w1 = vld1q_f32(w + 1232), w2 = vld1q_f32(w + 1236);
        {
          const float32x4_t x = vdupq_n_f32(in[13]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[77]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 236), w1 = vld1q_f32(w + 1248), w2 = vld1q_f32(w + 1252);
        {
          const float32x4_t x = vdupq_n_f32(in[14]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[78]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 252), w1 = vld1q_f32(w + 1264), w2 = vld1q_f32(w + 1268);
        {
          const float32x4_t x = vdupq_n_f32(in[15]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[79]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 268), w1 = vld1q_f32(w + 1280), w2 = vld1q_f32(w + 1284);
        {
          const float32x4_t x = vdupq_n_f32(in[16]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[80]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 284), w1 = vld1q_f32(w + 1296), w2 = vld1q_f32(w + 1300);
        {
          const float32x4_t x = vdupq_n_f32(in[17]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[81]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 300), w1 = vld1q_f32(w + 1312), w2 = vld1q_f32(w + 1316);
        {
          const float32x4_t x = vdupq_n_f32(in[18]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[82]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 316), w1 = vld1q_f32(w + 1328), w2 = vld1q_f32(w + 1332);
        {
          const float32x4_t x = vdupq_n_f32(in[19]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[83]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 332), w1 = vld1q_f32(w + 1344), w2 = vld1q_f32(w + 1348);
        {
          const float32x4_t x = vdupq_n_f32(in[20]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[84]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 348), w1 = vld1q_f32(w + 1360), w2 = vld1q_f32(w + 1364);
        {
          const float32x4_t x = vdupq_n_f32(in[21]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[85]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 364), w1 = vld1q_f32(w + 1376), w2 = vld1q_f32(w + 1380);
        {
          const float32x4_t x = vdupq_n_f32(in[22]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[86]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 380), w1 = vld1q_f32(w + 1392), w2 = vld1q_f32(w + 1396);
        {
          const float32x4_t x = vdupq_n_f32(in[23]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[87]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 396), w1 = vld1q_f32(w + 1408), w2 = vld1q_f32(w + 1412);
        {
          const float32x4_t x = vdupq_n_f32(in[24]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[88]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 412), w1 = vld1q_f32(w + 1424), w2 = vld1q_f32(w + 1428);
        {
          const float32x4_t x = vdupq_n_f32(in[25]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[89]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 428), w1 = vld1q_f32(w + 1440), w2 = vld1q_f32(w + 1444);
        {
          const float32x4_t x = vdupq_n_f32(in[26]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[90]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 444), w1 = vld1q_f32(w + 1456), w2 = vld1q_f32(w + 1460);
        {
          const float32x4_t x = vdupq_n_f32(in[27]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[91]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 460), w1 = vld1q_f32(w + 1472), w2 = vld1q_f32(w + 1476);
        {
          const float32x4_t x = vdupq_n_f32(in[28]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[92]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 476), w1 = vld1q_f32(w + 1488), w2 = vld1q_f32(w + 1492);
        {
          const float32x4_t x = vdupq_n_f32(in[29]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[93]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 492), w1 = vld1q_f32(w + 1504), w2 = vld1q_f32(w + 1508);
        {
          const float32x4_t x = vdupq_n_f32(in[30]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[94]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 508), w1 = vld1q_f32(w + 1520), w2 = vld1q_f32(w + 1524);
        {
          const float32x4_t x = vdupq_n_f32(in[31]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[95]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 524), w1 = vld1q_f32(w + 1536), w2 = vld1q_f32(w + 1540);
        {
          const float32x4_t x = vdupq_n_f32(in[32]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[96]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 540), w1 = vld1q_f32(w + 1552), w2 = vld1q_f32(w + 1556);
        {
          const float32x4_t x = vdupq_n_f32(in[33]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[97]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 556), w1 = vld1q_f32(w + 1568), w2 = vld1q_f32(w + 1572);
        {
          const float32x4_t x = vdupq_n_f32(in[34]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[98]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 572), w1 = vld1q_f32(w + 1584), w2 = vld1q_f32(w + 1588);
        {
          const float32x4_t x = vdupq_n_f32(in[35]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[99]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 588), w1 = vld1q_f32(w + 1600), w2 = vld1q_f32(w + 1604);
        {
          const float32x4_t x = vdupq_n_f32(in[36]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[100]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 604), w1 = vld1q_f32(w + 1616), w2 = vld1q_f32(w + 1620);
        {
          const float32x4_t x = vdupq_n_f32(in[37]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[101]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 620), w1 = vld1q_f32(w + 1632), w2 = vld1q_f32(w + 1636);
        {
          const float32x4_t x = vdupq_n_f32(in[38]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[102]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 636), w1 = vld1q_f32(w + 1648), w2 = vld1q_f32(w + 1652);
        {
          const float32x4_t x = vdupq_n_f32(in[39]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[103]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 652), w1 = vld1q_f32(w + 1664), w2 = vld1q_f32(w + 1668);
        {
          const float32x4_t x = vdupq_n_f32(in[40]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[104]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 668), w1 = vld1q_f32(w + 1680), w2 = vld1q_f32(w + 1684);
        {
          const float32x4_t x = vdupq_n_f32(in[41]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[105]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 684), w1 = vld1q_f32(w + 1696), w2 = vld1q_f32(w + 1700);
        {
          const float32x4_t x = vdupq_n_f32(in[42]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[106]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 700), w1 = vld1q_f32(w + 1712), w2 = vld1q_f32(w + 1716);
        {
          const float32x4_t x = vdupq_n_f32(in[43]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[107]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 716), w1 = vld1q_f32(w + 1728), w2 = vld1q_f32(w + 1732);
        {
          const float32x4_t x = vdupq_n_f32(in[44]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[108]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 732), w1 = vld1q_f32(w + 1744), w2 = vld1q_f32(w + 1748);
        {
          const float32x4_t x = vdupq_n_f32(in[45]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[109]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 748), w1 = vld1q_f32(w + 1760), w2 = vld1q_f32(w + 1764);
        {
          const float32x4_t x = vdupq_n_f32(in[46]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[110]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 764), w1 = vld1q_f32(w + 1776), w2 = vld1q_f32(w + 1780);
        {
          const float32x4_t x = vdupq_n_f32(in[47]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[111]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 780), w1 = vld1q_f32(w + 1792), w2 = vld1q_f32(w + 1796);
        {
          const float32x4_t x = vdupq_n_f32(in[48]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[112]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 796), w1 = vld1q_f32(w + 1808), w2 = vld1q_f32(w + 1812);
        {
          const float32x4_t x = vdupq_n_f32(in[49]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[113]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 812), w1 = vld1q_f32(w + 1824), w2 = vld1q_f32(w + 1828);
        {
          const float32x4_t x = vdupq_n_f32(in[50]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[114]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 828), w1 = vld1q_f32(w + 1840), w2 = vld1q_f32(w + 1844);
        {
          const float32x4_t x = vdupq_n_f32(in[51]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[115]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 844), w1 = vld1q_f32(w + 1856), w2 = vld1q_f32(w + 1860);
        {
          const float32x4_t x = vdupq_n_f32(in[52]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[116]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 860), w1 = vld1q_f32(w + 1872), w2 = vld1q_f32(w + 1876);
        {
          const float32x4_t x = vdupq_n_f32(in[53]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[117]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 876), w1 = vld1q_f32(w + 1888), w2 = vld1q_f32(w + 1892);
        {
          const float32x4_t x = vdupq_n_f32(in[54]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[118]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 892), w1 = vld1q_f32(w + 1904), w2 = vld1q_f32(w + 1908);
        {
          const float32x4_t x = vdupq_n_f32(in[55]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[119]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 908), w1 = vld1q_f32(w + 1920), w2 = vld1q_f32(w + 1924);
        {
          const float32x4_t x = vdupq_n_f32(in[56]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[120]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 924), w1 = vld1q_f32(w + 1936), w2 = vld1q_f32(w + 1940);
        {
          const float32x4_t x = vdupq_n_f32(in[57]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[121]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 940), w1 = vld1q_f32(w + 1952), w2 = vld1q_f32(w + 1956);
        {
          const float32x4_t x = vdupq_n_f32(in[58]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[122]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 956), w1 = vld1q_f32(w + 1968), w2 = vld1q_f32(w + 1972);
        {
          const float32x4_t x = vdupq_n_f32(in[59]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[123]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 972), w1 = vld1q_f32(w + 1984), w2 = vld1q_f32(w + 1988);
        {
          const float32x4_t x = vdupq_n_f32(in[60]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[124]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 988), w1 = vld1q_f32(w + 2000), w2 = vld1q_f32(w + 2004);
        {
          const float32x4_t x = vdupq_n_f32(in[61]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[125]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1004), w1 = vld1q_f32(w + 2016), w2 = vld1q_f32(w + 2020);
        {
          const float32x4_t x = vdupq_n_f32(in[62]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1); s0_2_2 = vfmaq_f32(s0_2_2, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[126]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1); s1_2_2 = vfmaq_f32(s1_2_2, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1020), w1 = vld1q_f32(w + 2032), w2 = vld1q_f32(w + 2036);
        {
          const float32x4_t x = vdupq_n_f32(in[63]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1); s0_2_3 = vfmaq_f32(s0_2_3, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[127]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1); s1_2_3 = vfmaq_f32(s1_2_3, x, w2);
        }
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
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_2);
        s1_0_1 = vaddq_f32(s1_0_1, s1_0_3);
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_2);
        s1_1_1 = vaddq_f32(s1_1_1, s1_1_3);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_2);
        s1_2_1 = vaddq_f32(s1_2_1, s1_2_3);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 12, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 16, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_2_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 20, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 44, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 48, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_2_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 52, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
  s0_0_3 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f), s0_1_1 = vdupq_n_f32(0.0f),
  s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_0_2 = vdupq_n_f32(0.0f),
  s1_0_3 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f), s1_1_1 = vdupq_n_f32(0.0f),
  s1_1_2 = vdupq_n_f32(0.0f), s1_1_3 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 1032), w1 = vld1q_f32(w + 1036);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[64]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1048), w1 = vld1q_f32(w + 1052);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[65]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1064), w1 = vld1q_f32(w + 1068);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[66]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1080), w1 = vld1q_f32(w + 1084);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[67]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1096), w1 = vld1q_f32(w + 1100);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[68]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1112), w1 = vld1q_f32(w + 1116);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[69]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1128), w1 = vld1q_f32(w + 1132);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[70]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1144), w1 = vld1q_f32(w + 1148);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[71]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1160), w1 = vld1q_f32(w + 1164);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[72]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1176), w1 = vld1q_f32(w + 1180);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[73]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1192), w1 = vld1q_f32(w + 1196);
        {
          const float32x4_t x = vdupq_n_f32(in[10]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[74]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1208), w1 = vld1q_f32(w + 1212);
        {
          const float32x4_t x = vdupq_n_f32(in[11]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[75]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1224), w1 = vld1q_f32(w + 1228);
        {
          const float32x4_t x = vdupq_n_f32(in[12]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[76]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1240), w1 = vld1q_f32(w + 1244);
        {
          const float32x4_t x = vdupq_n_f32(in[13]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[77]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1256), w1 = vld1q_f32(w + 1260);
        {
          const float32x4_t x = vdupq_n_f32(in[14]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[78]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1272), w1 = vld1q_f32(w + 1276);
        {
          const float32x4_t x = vdupq_n_f32(in[15]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[79]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1288), w1 = vld1q_f32(w + 1292);
        {
          const float32x4_t x = vdupq_n_f32(in[16]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[80]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1304), w1 = vld1q_f32(w + 1308);
        {
          const float32x4_t x = vdupq_n_f32(in[17]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[81]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1320), w1 = vld1q_f32(w + 1324);
        {
          const float32x4_t x = vdupq_n_f32(in[18]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[82]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1336), w1 = vld1q_f32(w + 1340);
        {
          const float32x4_t x = vdupq_n_f32(in[19]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[83]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1352), w1 = vld1q_f32(w + 1356);
        {
          const float32x4_t x = vdupq_n_f32(in[20]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[84]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1368), w1 = vld1q_f32(w + 1372);
        {
          const float32x4_t x = vdupq_n_f32(in[21]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[85]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1384), w1 = vld1q_f32(w + 1388);
        {
          const float32x4_t x = vdupq_n_f32(in[22]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[86]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1400), w1 = vld1q_f32(w + 1404);
        {
          const float32x4_t x = vdupq_n_f32(in[23]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[87]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1416), w1 = vld1q_f32(w + 1420);
        {
          const float32x4_t x = vdupq_n_f32(in[24]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[88]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1432), w1 = vld1q_f32(w + 1436);
        {
          const float32x4_t x = vdupq_n_f32(in[25]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[89]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1448), w1 = vld1q_f32(w + 1452);
        {
          const float32x4_t x = vdupq_n_f32(in[26]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[90]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1464), w1 = vld1q_f32(w + 1468);
        {
          const float32x4_t x = vdupq_n_f32(in[27]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[91]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1480), w1 = vld1q_f32(w + 1484);
        {
          const float32x4_t x = vdupq_n_f32(in[28]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[92]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1496), w1 = vld1q_f32(w + 1500);
        {
          const float32x4_t x = vdupq_n_f32(in[29]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[93]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1512), w1 = vld1q_f32(w + 1516);
        {
          const float32x4_t x = vdupq_n_f32(in[30]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[94]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1528), w1 = vld1q_f32(w + 1532);
        {
          const float32x4_t x = vdupq_n_f32(in[31]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[95]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1544), w1 = vld1q_f32(w + 1548);
        {
          const float32x4_t x = vdupq_n_f32(in[32]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[96]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1560), w1 = vld1q_f32(w + 1564);
        {
          const float32x4_t x = vdupq_n_f32(in[33]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[97]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1576), w1 = vld1q_f32(w + 1580);
        {
          const float32x4_t x = vdupq_n_f32(in[34]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[98]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1592), w1 = vld1q_f32(w + 1596);
        {
          const float32x4_t x = vdupq_n_f32(in[35]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[99]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1608), w1 = vld1q_f32(w + 1612);
        {
          const float32x4_t x = vdupq_n_f32(in[36]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[100]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1624), w1 = vld1q_f32(w + 1628);
        {
          const float32x4_t x = vdupq_n_f32(in[37]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[101]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1640), w1 = vld1q_f32(w + 1644);
        {
          const float32x4_t x = vdupq_n_f32(in[38]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[102]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1656), w1 = vld1q_f32(w + 1660);
        {
          const float32x4_t x = vdupq_n_f32(in[39]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[103]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1672), w1 = vld1q_f32(w + 1676);
        {
          const float32x4_t x = vdupq_n_f32(in[40]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[104]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1688), w1 = vld1q_f32(w + 1692);
        {
          const float32x4_t x = vdupq_n_f32(in[41]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[105]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1704), w1 = vld1q_f32(w + 1708);
        {
          const float32x4_t x = vdupq_n_f32(in[42]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[106]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1720), w1 = vld1q_f32(w + 1724);
        {
          const float32x4_t x = vdupq_n_f32(in[43]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[107]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1736), w1 = vld1q_f32(w + 1740);
        {
          const float32x4_t x = vdupq_n_f32(in[44]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[108]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1752), w1 = vld1q_f32(w + 1756);
        {
          const float32x4_t x = vdupq_n_f32(in[45]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[109]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1768), w1 = vld1q_f32(w + 1772);
        {
          const float32x4_t x = vdupq_n_f32(in[46]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[110]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1784), w1 = vld1q_f32(w + 1788);
        {
          const float32x4_t x = vdupq_n_f32(in[47]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[111]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1800), w1 = vld1q_f32(w + 1804);
        {
          const float32x4_t x = vdupq_n_f32(in[48]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[112]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1816), w1 = vld1q_f32(w + 1820);
        {
          const float32x4_t x = vdupq_n_f32(in[49]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[113]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1832), w1 = vld1q_f32(w + 1836);
        {
          const float32x4_t x = vdupq_n_f32(in[50]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[114]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1848), w1 = vld1q_f32(w + 1852);
        {
          const float32x4_t x = vdupq_n_f32(in[51]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[115]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1864), w1 = vld1q_f32(w + 1868);
        {
          const float32x4_t x = vdupq_n_f32(in[52]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[116]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1880), w1 = vld1q_f32(w + 1884);
        {
          const float32x4_t x = vdupq_n_f32(in[53]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[117]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1896), w1 = vld1q_f32(w + 1900);
        {
          const float32x4_t x = vdupq_n_f32(in[54]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[118]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1912), w1 = vld1q_f32(w + 1916);
        {
          const float32x4_t x = vdupq_n_f32(in[55]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[119]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1928), w1 = vld1q_f32(w + 1932);
        {
          const float32x4_t x = vdupq_n_f32(in[56]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[120]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1944), w1 = vld1q_f32(w + 1948);
        {
          const float32x4_t x = vdupq_n_f32(in[57]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[121]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1960), w1 = vld1q_f32(w + 1964);
        {
          const float32x4_t x = vdupq_n_f32(in[58]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[122]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1976), w1 = vld1q_f32(w + 1980);
        {
          const float32x4_t x = vdupq_n_f32(in[59]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[123]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1992), w1 = vld1q_f32(w + 1996);
        {
          const float32x4_t x = vdupq_n_f32(in[60]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[124]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 2008), w1 = vld1q_f32(w + 2012);
        {
          const float32x4_t x = vdupq_n_f32(in[61]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[125]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 2024), w1 = vld1q_f32(w + 2028);
        {
          const float32x4_t x = vdupq_n_f32(in[62]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
          s0_1_2 = vfmaq_f32(s0_1_2, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[126]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
          s1_1_2 = vfmaq_f32(s1_1_2, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 2040), w1 = vld1q_f32(w + 2044);
        {
          const float32x4_t x = vdupq_n_f32(in[63]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
          s0_1_3 = vfmaq_f32(s0_1_3, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[127]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
          s1_1_3 = vfmaq_f32(s1_1_3, x, w1);
        }
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
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 24, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 28, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 56, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 60, value);
      }
    }
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = work + 160;
    const float *w = packed + 2800;
    const float *bias = packed + 3312;
    enum { rows = 2 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
  s0_0_3 = vdupq_n_f32(0.0f), s0_0_4 = vdupq_n_f32(0.0f), s0_0_5 = vdupq_n_f32(0.0f),
  s0_0_6 = vdupq_n_f32(0.0f), s0_0_7 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_0_2 = vdupq_n_f32(0.0f),
  s1_0_3 = vdupq_n_f32(0.0f), s1_0_4 = vdupq_n_f32(0.0f), s1_0_5 = vdupq_n_f32(0.0f),
  s1_0_6 = vdupq_n_f32(0.0f), s1_0_7 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[32]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[33]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[34]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[35]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 64);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[36]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 80);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[37]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 96);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[38]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 112);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[39]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 128);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[40]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 144);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[41]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 160);
        {
          const float32x4_t x = vdupq_n_f32(in[10]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[42]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 176);
        {
          const float32x4_t x = vdupq_n_f32(in[11]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[43]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 192);
        {
          const float32x4_t x = vdupq_n_f32(in[12]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[44]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 208);
        {
          const float32x4_t x = vdupq_n_f32(in[13]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[45]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 224);
        {
          const float32x4_t x = vdupq_n_f32(in[14]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[46]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 240);
        {
          const float32x4_t x = vdupq_n_f32(in[15]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[47]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 256);
        {
          const float32x4_t x = vdupq_n_f32(in[16]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[48]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 272);
        {
          const float32x4_t x = vdupq_n_f32(in[17]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[49]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 288);
        {
          const float32x4_t x = vdupq_n_f32(in[18]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[50]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 304);
        {
          const float32x4_t x = vdupq_n_f32(in[19]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[51]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 320);
        {
          const float32x4_t x = vdupq_n_f32(in[20]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[52]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 336);
        {
          const float32x4_t x = vdupq_n_f32(in[21]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[53]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 352);
        {
          const float32x4_t x = vdupq_n_f32(in[22]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[54]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 368);
        {
          const float32x4_t x = vdupq_n_f32(in[23]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[55]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 384);
        {
          const float32x4_t x = vdupq_n_f32(in[24]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[56]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 400);
        {
          const float32x4_t x = vdupq_n_f32(in[25]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[57]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 416);
        {
          const float32x4_t x = vdupq_n_f32(in[26]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[58]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 432);
        {
          const float32x4_t x = vdupq_n_f32(in[27]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[59]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 448);
        {
          const float32x4_t x = vdupq_n_f32(in[28]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[60]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 464);
        {
          const float32x4_t x = vdupq_n_f32(in[29]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[61]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 480);
        {
          const float32x4_t x = vdupq_n_f32(in[30]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[62]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 496);
        {
          const float32x4_t x = vdupq_n_f32(in[31]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[63]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_4);
      s0_0_1 = vaddq_f32(s0_0_1, s0_0_5);
      s0_0_2 = vaddq_f32(s0_0_2, s0_0_6);
      s0_0_3 = vaddq_f32(s0_0_3, s0_0_7);
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
      s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_4);
        s1_0_1 = vaddq_f32(s1_0_1, s1_0_5);
        s1_0_2 = vaddq_f32(s1_0_2, s1_0_6);
        s1_0_3 = vaddq_f32(s1_0_3, s1_0_7);
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_2);
        s1_0_1 = vaddq_f32(s1_0_1, s1_0_3);
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = act_sigmoid(linear);
        store_tail(y, value, 1);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = act_sigmoid(linear);
        store_tail(y + 1 * y_stride, value, 1);
      }
    }
    FFN_SETTLE();
  }
  (void)from_stride, (void)y_stride, (void)work;
}

/* One row, all stages in one straight line: a walk would cost more than the sums. */
static void straight_1(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
  { /* layer1 */
    const float *in = from;
    float *out = work + 16;
    const float *w = packed + 16;
    const float *bias = packed + 656;
    enum { rows = 1 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f),
  s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_4_0 = vdupq_n_f32(0.0f),
  s0_4_1 = vdupq_n_f32(0.0f), s0_5_0 = vdupq_n_f32(0.0f), s0_5_1 = vdupq_n_f32(0.0f),
  s0_6_0 = vdupq_n_f32(0.0f), s0_6_1 = vdupq_n_f32(0.0f), s0_7_0 = vdupq_n_f32(0.0f),
  s0_7_1 = vdupq_n_f32(0.0f);
      {
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 8));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 12));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 160));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 164));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 168));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 172));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 16));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 20));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 24));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 28));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 176));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 180));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 184));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 188));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 32));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 36));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 40));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 44));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 192));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 196));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 200));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 204));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 48));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 52));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 56));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 60));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 208));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 212));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 216));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 220));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 64));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 68));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 72));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 76));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 224));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 228));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 232));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 236));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 80));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 84));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 88));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 92));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 240));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 244));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 248));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 252));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 96));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 100));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 104));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 108));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 256));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 260));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 264));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 268));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 112));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 116));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 120));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 124));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 272));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 276));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 280));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 284));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 128));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 132));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 136));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 140));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 288));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 292));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 296));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 300));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 144));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 148));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 152));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 156));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 304));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 308));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 312));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 316));
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
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 4, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_2_0, vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 8, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_3_0, vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 12, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_4_0, vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 16, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_5_0, vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 20, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_6_0, vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 24, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_7_0, vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 28, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f),
  s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_4_0 = vdupq_n_f32(0.0f),
  s0_4_1 = vdupq_n_f32(0.0f), s0_5_0 = vdupq_n_f32(0.0f), s0_5_1 = vdupq_n_f32(0.0f),
  s0_6_0 = vdupq_n_f32(0.0f), s0_6_1 = vdupq_n_f32(0.0f), s0_7_0 = vdupq_n_f32(0.0f),
  s0_7_1 = vdupq_n_f32(0.0f);
      {
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 320));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 324));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 328));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 332));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 480));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 484));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 488));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 492));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 336));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 340));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 344));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 348));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 496));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 500));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 504));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 508));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 352));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 356));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 360));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 364));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 512));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 516));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 520));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 524));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 368));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 372));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 376));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 380));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 528));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 532));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 536));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 540));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 384));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 388));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 392));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 396));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 544));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 548));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 552));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 556));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 400));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 404));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 408));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 412));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 560));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 564));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 568));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 572));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 416));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 420));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 424));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 428));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 576));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 580));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 584));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 588));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 432));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 436));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 440));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 444));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 592));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 596));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 600));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 604));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 448));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 452));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 456));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 460));
          s0_4_0 = vfmaq_f32(s0_4_0, x, vld1q_f32(w + 608));
          s0_5_0 = vfmaq_f32(s0_5_0, x, vld1q_f32(w + 612));
          s0_6_0 = vfmaq_f32(s0_6_0, x, vld1q_f32(w + 616));
          s0_7_0 = vfmaq_f32(s0_7_0, x, vld1q_f32(w + 620));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 464));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 468));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 472));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 476));
          s0_4_1 = vfmaq_f32(s0_4_1, x, vld1q_f32(w + 624));
          s0_5_1 = vfmaq_f32(s0_5_1, x, vld1q_f32(w + 628));
          s0_6_1 = vfmaq_f32(s0_6_1, x, vld1q_f32(w + 632));
          s0_7_1 = vfmaq_f32(s0_7_1, x, vld1q_f32(w + 636));
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
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias + 32));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 32, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 36));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 36, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_2_0, vld1q_f32(bias + 40));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 40, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_3_0, vld1q_f32(bias + 44));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 44, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_4_0, vld1q_f32(bias + 48));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 48, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_5_0, vld1q_f32(bias + 52));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 52, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_6_0, vld1q_f32(bias + 56));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 56, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_7_0, vld1q_f32(bias + 60));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 60, value);
      }
    }
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work + 16;
    float *out = work + 80;
    const float *w = packed + 720;
    const float *bias = packed + 2768;
    enum { rows = 1 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
  s0_0_3 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f), s0_1_1 = vdupq_n_f32(0.0f),
  s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f),
  s0_2_1 = vdupq_n_f32(0.0f), s0_2_2 = vdupq_n_f32(0.0f), s0_2_3 = vdupq_n_f32(0.0f),
  s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_3_2 = vdupq_n_f32(0.0f),
  s0_3_3 = vdupq_n_f32(0.0f);
      {
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 8));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 12));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 16));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 20));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 24));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 28));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 32));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 36));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 40));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 44));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 48));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 52));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 56));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 60));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 64));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 68));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 72));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 76));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 80));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 84));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 88));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 92));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 96));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 100));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 104));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 108));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 112));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 116));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 120));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 124));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 128));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 132));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 136));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 140));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 144));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 148));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 152));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 156));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[10]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 160));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 164));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 168));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 172));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[11]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 176));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 180));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 184));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 188));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[12]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 192));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 196));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 200));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 204));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[13]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 208));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 212));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 216));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 220));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[14]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 224));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 228));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 232));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 236));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[15]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 240));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 244));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 248));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 252));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[16]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 256));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 260));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 264));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 268));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[17]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 272));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 276));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 280));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 284));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[18]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 288));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 292));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 296));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 300));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[19]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 304));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 308));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 312));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 316));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[20]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 320));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 324));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 328));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 332));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[21]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 336));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 340));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 344));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 348));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[22]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 352));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 356));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 360));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 364));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[23]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 368));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 372));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 376));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 380));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[24]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 384));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 388));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 392));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 396));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[25]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 400));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 404));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 408));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 412));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[26]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 416));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 420));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 424));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 428));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[27]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 432));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 436));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 440));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 444));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[28]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 448));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 452));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 456));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 460));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[29]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 464));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 468));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 472));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 476));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[30]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 480));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 484));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 488));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 492));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[31]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 496));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 500));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 504));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 508));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[32]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 512));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 516));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 520));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 524));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[33]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 528));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 532));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 536));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 540));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[34]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 544));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 548));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 552));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 556));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[35]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 560));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 564));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 568));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 572));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[36]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 576));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 580));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 584));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 588));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[37]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 592));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 596));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 600));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 604));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[38]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 608));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 612));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 616));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 620));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[39]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 624));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 628));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 632));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 636));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[40]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 640));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 644));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 648));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 652));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[41]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 656));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 660));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 664));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 668));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[42]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 672));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 676));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 680));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 684));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[43]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 688));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 692));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 696));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 700));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[44]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 704));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 708));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 712));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 716));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[45]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 720));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 724));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 728));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 732));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[46]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 736));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 740));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 744));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 748));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[47]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 752));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 756));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 760));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 764));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[48]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 768));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 772));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 776));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 780));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[49]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 784));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 788));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 792));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 796));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[50]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 800));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 804));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 808));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 812));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[51]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 816));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 820));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 824));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 828));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[52]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 832));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 836));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 840));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 844));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[53]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 848));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 852));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 856));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 860));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[54]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 864));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 868));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 872));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 876));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[55]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 880));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 884));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 888));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 892));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[56]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 896));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 900));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 904));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 908));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[57]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 912));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 916));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 920));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 924));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[58]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 928));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 932));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 936));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 940));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[59]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 944));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 948));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 952));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 956));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[60]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 960));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 964));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 968));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 972));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[61]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 976));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 980));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 984));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 988));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[62]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 992));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 996));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1000));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1004));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[63]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1008));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1012));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1016));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1020));
        }
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
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 4, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_2_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 8, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_3_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 12, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
  s0_0_3 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f), s0_1_1 = vdupq_n_f32(0.0f),
  s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f),
  s0_2_1 = vdupq_n_f32(0.0f), s0_2_2 = vdupq_n_f32(0.0f), s0_2_3 = vdupq_n_f32(0.0f),
  s0_3_0 = vdupq_n_f32(0.0f), s0_3_1 = vdupq_n_f32(0.0f), s0_3_2 = vdupq_n_f32(0.0f),
  s0_3_3 = vdupq_n_f32(0.0f);
      {
        {
          const float32x4_t x = vdupq_n_f32(in[0]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1024));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1028));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1032));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1036));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[1]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1040));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1044));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1048));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1052));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[2]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1056));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1060));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1064));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1068));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[3]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1072));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1076));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1080));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1084));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[4]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1088));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1092));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1096));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1100));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[5]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1104));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1108));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1112));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1116));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[6]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1120));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1124));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1128));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1132));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[7]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1136));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1140));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1144));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1148));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[8]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1152));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1156));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1160));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1164));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[9]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1168));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1172));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1176));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1180));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[10]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1184));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1188));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1192));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1196));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[11]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1200));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1204));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1208));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1212));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[12]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1216));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1220));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1224));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1228));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[13]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1232));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1236));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1240));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1244));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[14]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1248));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1252));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1256));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1260));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[15]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1264));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1268));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1272));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1276));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[16]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1280));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1284));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1288));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1292));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[17]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1296));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1300));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1304));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1308));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[18]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1312));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1316));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1320));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1324));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[19]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1328));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1332));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1336));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1340));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[20]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1344));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1348));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1352));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1356));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[21]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1360));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1364));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1368));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1372));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[22]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1376));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1380));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1384));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1388));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[23]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1392));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1396));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1400));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1404));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[24]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1408));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1412));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1416));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1420));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[25]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1424));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1428));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1432));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1436));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[26]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1440));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1444));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1448));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1452));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[27]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1456));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1460));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1464));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1468));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[28]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1472));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1476));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1480));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1484));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[29]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1488));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1492));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1496));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1500));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[30]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1504));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1508));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1512));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1516));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[31]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1520));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1524));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1528));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1532));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[32]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1536));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1540));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1544));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1548));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[33]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1552));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1556));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1560));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1564));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[34]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1568));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1572));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1576));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1580));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[35]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1584));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1588));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1592));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1596));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[36]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1600));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1604));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1608));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1612));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[37]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1616));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1620));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1624));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1628));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[38]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1632));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1636));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1640));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1644));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[39]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1648));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1652));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1656));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1660));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[40]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1664));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1668));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1672));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1676));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[41]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1680));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1684));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1688));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1692));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[42]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1696));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1700));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1704));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1708));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[43]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1712));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1716));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1720));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1724));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[44]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1728));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1732));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1736));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1740));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[45]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1744));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1748));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1752));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1756));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[46]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1760));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1764));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1768));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1772));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[47]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1776));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1780));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1784));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1788));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[48]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1792));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1796));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1800));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1804));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[49]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1808));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1812));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1816));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1820));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[50]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1824));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1828));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1832));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1836));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[51]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1840));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1844));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1848));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1852));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[52]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1856));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1860));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1864));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1868));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[53]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1872));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1876));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1880));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1884));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[54]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1888));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1892));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1896));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1900));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[55]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1904));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1908));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1912));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1916));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[56]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1920));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1924));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1928));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1932));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[57]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 1936));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 1940));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 1944));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 1948));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[58]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 1952));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 1956));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 1960));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 1964));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[59]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 1968));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 1972));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 1976));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 1980));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[60]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 1984));
          s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 1988));
          s0_2_0 = vfmaq_f32(s0_2_0, x, vld1q_f32(w + 1992));
          s0_3_0 = vfmaq_f32(s0_3_0, x, vld1q_f32(w + 1996));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[61]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 2000));
          s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 2004));
          s0_2_1 = vfmaq_f32(s0_2_1, x, vld1q_f32(w + 2008));
          s0_3_1 = vfmaq_f32(s0_3_1, x, vld1q_f32(w + 2012));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[62]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 2016));
          s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 2020));
          s0_2_2 = vfmaq_f32(s0_2_2, x, vld1q_f32(w + 2024));
          s0_3_2 = vfmaq_f32(s0_3_2, x, vld1q_f32(w + 2028));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[63]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 2032));
          s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 2036));
          s0_2_3 = vfmaq_f32(s0_2_3, x, vld1q_f32(w + 2040));
          s0_3_3 = vfmaq_f32(s0_3_3, x, vld1q_f32(w + 2044));
        }
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
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 16, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_1_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 20, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_2_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 24, value);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_3_0, vdupq_n_f32(0.0f)), vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 28, value);
      }
    }
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = work + 80;
    const float *w = packed + 2800;
    const float *bias = packed + 3312;
    enum { rows = 1 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
  s0_0_3 = vdupq_n_f32(0.0f), s0_0_4 = vdupq_n_f32(0.0f), s0_0_5 = vdupq_n_f32(0.0f),
  s0_0_6 = vdupq_n_f32(0.0f), s0_0_7 = vdupq_n_f32(0.0f);
      {
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 16));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 32));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 48));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 64));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 80));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 96));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 112));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 128));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 144));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[10]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 160));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[11]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 176));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[12]);
          s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 192));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[13]);
          s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 208));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[14]);
          s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 224));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[15]);
          s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 240));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[16]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 256));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[17]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 272));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[18]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 288));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[19]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 304));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[20]);
          s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 320));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[21]);
          s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 336));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[22]);
          s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 352));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[23]);
          s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 368));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[24]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 384));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[25]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 400));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[26]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 416));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[27]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 432));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[28]);
          s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 448));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[29]);
          s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 464));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[30]);
          s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 480));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[31]);
          s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 496));
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_4);
      s0_0_1 = vaddq_f32(s0_0_1, s0_0_5);
      s0_0_2 = vaddq_f32(s0_0_2, s0_0_6);
      s0_0_3 = vaddq_f32(s0_0_3, s0_0_7);
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
      s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = act_sigmoid(linear);
        store_tail(y, value, 1);
      }
    }
    FFN_SETTLE();
  }
  (void)from_stride, (void)y_stride, (void)work;
}

static void straight_rows(const ffn_walk *walk, float *slot, size_t token, size_t end) {
  for (; token + 2 <= end; token += 2)
    straight_2(walk->y + token * walk->y_stride, walk->y_stride, walk->x + token * walk->x_stride, walk->x_stride, walk->packed, slot);
  for (; token + 1 <= end; token += 1)
    straight_1(walk->y + token * walk->y_stride, walk->y_stride, walk->x + token * walk->x_stride, walk->x_stride, walk->packed, slot);
}
static const ffn_chain chain = {straight_rows, UINT64_C(0x764069b59f8f69af), 3, chain_stages, 3, 222,
                                21312, 35520, 5440};

static void pack(void *packed, const ffn_weights *weights) {
  ffn_pack_stages(packed, &chain, stages, weights, 0.0f);
}

static void unpack(ffn_weights *weights, const void *packed) {
  ffn_unpack_stages(weights, &chain, stages, packed);
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
    142080,
    5440,
    pack,
    unpack,
    run,
};

#endif
