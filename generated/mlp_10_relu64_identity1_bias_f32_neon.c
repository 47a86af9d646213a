/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_neon
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for neon
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1; templates kernel.c.tpl, stage.c.tpl
 * Tiles      layer1: rows x columns 1 x 32, 3 x 16, 1 branch, at most 29 of 32 registers
 * Tiles      layer2: rows x columns 1 x 8, 1 branch, at most 18 of 32 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       1408 flop per token; 7040 bytes of packed weights;
 *            127872 bytes of work memory per thread
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 8 interleaved chains; at most 12 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24;
 *            relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 12 2^-24
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

/* ---- layer2: 64 -> 1 ---------------------------------------------------------------------
 *
 * Panels [1][64][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][8] = a w for one row of 8 columns; 18 of 32 registers.
 */
FFN_NOINLINE void layer2_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_0_2 = vdupq_n_f32(0.0f),
    s0_0_3 = vdupq_n_f32(0.0f), s0_0_4 = vdupq_n_f32(0.0f), s0_0_5 = vdupq_n_f32(0.0f),
    s0_0_6 = vdupq_n_f32(0.0f), s0_0_7 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
    s0_1_1 = vdupq_n_f32(0.0f), s0_1_2 = vdupq_n_f32(0.0f), s0_1_3 = vdupq_n_f32(0.0f),
    s0_1_4 = vdupq_n_f32(0.0f), s0_1_5 = vdupq_n_f32(0.0f), s0_1_6 = vdupq_n_f32(0.0f),
    s0_1_7 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k + 8 <= 64; k += 8, w += 128) {
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
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w));
      s0_1_0 = vfmaq_f32(s0_1_0, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w));
      s0_1_1 = vfmaq_f32(s0_1_1, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w));
      s0_1_2 = vfmaq_f32(s0_1_2, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w));
      s0_1_3 = vfmaq_f32(s0_1_3, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w));
      s0_1_4 = vfmaq_f32(s0_1_4, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w));
      s0_1_5 = vfmaq_f32(s0_1_5, x, vld1q_f32(w + 4));
    }
    ++k, w += 16;
  }
  if (k < 64) {
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

/* Sums plus bias into y. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 1744 + column;
  const size_t valid = column < 1 ? ffn_min(1 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const float32x4_t linear = vaddq_f32(vaddq_f32(vld1q_f32(sum + c), vdupq_n_f32(0.0f)), vld1q_f32(bias + c));
      const float32x4_t value = linear;
      if (valid - c >= 4)
        vst1q_f32(out, value);
      else
        store_tail(out, value, valid - c);
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
      cols = 8, most = 1, sums = layer2_sums_8;
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 16);
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

static const ffn_stage stages[] = {
    {10, 64, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     10, 2, 7, 0.0f, 0.0f},
    {64, 1, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE, 1, 0.0f,
     64, 8, 12, 0.0f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {layer1_pass, 10, 64, 1, 1,
     16, 656, 0, 16, 32},
    {layer2_pass, 64, 1, 1, 1,
     720, 1744, 3552, 64, 16},
};


/* 4 rows, all stages in one straight line: a walk would cost more than the sums. */
static void straight_4(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
  { /* layer1 */
    memcpy(work + 0, from + 0 * from_stride, 10 * sizeof *from);
    memcpy(work + 16, from + 1 * from_stride, 10 * sizeof *from);
    memcpy(work + 32, from + 2 * from_stride, 10 * sizeof *from);
    memcpy(work + 48, from + 3 * from_stride, 10 * sizeof *from);
    const float *in = work + 0;
    float *out = work + 64;
    const float *w = packed + 16;
    const float *bias = packed + 656;
    enum { rows = 4 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f),
  s2_1_1 = vdupq_n_f32(0.0f), s2_2_0 = vdupq_n_f32(0.0f), s2_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0_0 = vdupq_n_f32(0.0f), s3_0_1 = vdupq_n_f32(0.0f), s3_1_0 = vdupq_n_f32(0.0f),
  s3_1_1 = vdupq_n_f32(0.0f), s3_2_0 = vdupq_n_f32(0.0f), s3_2_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20), w2 = vld1q_f32(w + 24);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36), w2 = vld1q_f32(w + 40);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52), w2 = vld1q_f32(w + 56);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 64), w1 = vld1q_f32(w + 68), w2 = vld1q_f32(w + 72);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[36]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[52]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 80), w1 = vld1q_f32(w + 84), w2 = vld1q_f32(w + 88);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[37]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[53]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 96), w1 = vld1q_f32(w + 100), w2 = vld1q_f32(w + 104);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[38]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[54]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 112), w1 = vld1q_f32(w + 116), w2 = vld1q_f32(w + 120);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[39]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[55]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 128), w1 = vld1q_f32(w + 132), w2 = vld1q_f32(w + 136);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[40]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[56]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 144), w1 = vld1q_f32(w + 148), w2 = vld1q_f32(w + 152);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[41]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[57]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
      }
      if (rows > 2) {
        s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
        s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
        s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
      }
      if (rows > 3) {
        s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
        s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
        s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
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
        const float32x4_t linear = vaddq_f32(s2_0_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 128, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_1_0, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 132, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_2_0, vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 136, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_0_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 192, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_1_0, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 196, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_2_0, vld1q_f32(bias + 8));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 200, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f),
  s2_1_1 = vdupq_n_f32(0.0f), s2_2_0 = vdupq_n_f32(0.0f), s2_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0_0 = vdupq_n_f32(0.0f), s3_0_1 = vdupq_n_f32(0.0f), s3_1_0 = vdupq_n_f32(0.0f),
  s3_1_1 = vdupq_n_f32(0.0f), s3_2_0 = vdupq_n_f32(0.0f), s3_2_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 12), w1 = vld1q_f32(w + 160), w2 = vld1q_f32(w + 164);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 28), w1 = vld1q_f32(w + 176), w2 = vld1q_f32(w + 180);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 44), w1 = vld1q_f32(w + 192), w2 = vld1q_f32(w + 196);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 60), w1 = vld1q_f32(w + 208), w2 = vld1q_f32(w + 212);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 76), w1 = vld1q_f32(w + 224), w2 = vld1q_f32(w + 228);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[36]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[52]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 92), w1 = vld1q_f32(w + 240), w2 = vld1q_f32(w + 244);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[37]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[53]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 108), w1 = vld1q_f32(w + 256), w2 = vld1q_f32(w + 260);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[38]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[54]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 124), w1 = vld1q_f32(w + 272), w2 = vld1q_f32(w + 276);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[39]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[55]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 140), w1 = vld1q_f32(w + 288), w2 = vld1q_f32(w + 292);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[40]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[56]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 156), w1 = vld1q_f32(w + 304), w2 = vld1q_f32(w + 308);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[41]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[57]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
      }
      if (rows > 2) {
        s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
        s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
        s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
      }
      if (rows > 3) {
        s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
        s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
        s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 12, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 16, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_2_0, vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 20, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_0_0, vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 76, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_1_0, vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 80, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_2_0, vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 84, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_0_0, vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 140, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_1_0, vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 144, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_2_0, vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 148, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_0_0, vld1q_f32(bias + 12));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 204, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_1_0, vld1q_f32(bias + 16));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 208, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_2_0, vld1q_f32(bias + 20));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 212, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f),
  s2_1_1 = vdupq_n_f32(0.0f), s2_2_0 = vdupq_n_f32(0.0f), s2_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0_0 = vdupq_n_f32(0.0f), s3_0_1 = vdupq_n_f32(0.0f), s3_1_0 = vdupq_n_f32(0.0f),
  s3_1_1 = vdupq_n_f32(0.0f), s3_2_0 = vdupq_n_f32(0.0f), s3_2_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 168), w1 = vld1q_f32(w + 172), w2 = vld1q_f32(w + 320);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 184), w1 = vld1q_f32(w + 188), w2 = vld1q_f32(w + 336);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 200), w1 = vld1q_f32(w + 204), w2 = vld1q_f32(w + 352);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 216), w1 = vld1q_f32(w + 220), w2 = vld1q_f32(w + 368);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 232), w1 = vld1q_f32(w + 236), w2 = vld1q_f32(w + 384);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[36]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[52]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 248), w1 = vld1q_f32(w + 252), w2 = vld1q_f32(w + 400);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[37]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[53]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 264), w1 = vld1q_f32(w + 268), w2 = vld1q_f32(w + 416);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[38]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[54]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 280), w1 = vld1q_f32(w + 284), w2 = vld1q_f32(w + 432);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[39]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[55]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 296), w1 = vld1q_f32(w + 300), w2 = vld1q_f32(w + 448);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[40]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[56]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 312), w1 = vld1q_f32(w + 316), w2 = vld1q_f32(w + 464);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[41]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[57]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
      }
      if (rows > 2) {
        s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
        s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
        s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
      }
      if (rows > 3) {
        s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
        s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
        s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
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
        const float32x4_t linear = vaddq_f32(s2_0_0, vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 152, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_1_0, vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 156, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_2_0, vld1q_f32(bias + 32));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 160, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_0_0, vld1q_f32(bias + 24));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 216, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_1_0, vld1q_f32(bias + 28));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 220, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_2_0, vld1q_f32(bias + 32));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 224, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f), s0_2_0 = vdupq_n_f32(0.0f), s0_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f), s1_2_0 = vdupq_n_f32(0.0f), s1_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f),
  s2_1_1 = vdupq_n_f32(0.0f), s2_2_0 = vdupq_n_f32(0.0f), s2_2_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0_0 = vdupq_n_f32(0.0f), s3_0_1 = vdupq_n_f32(0.0f), s3_1_0 = vdupq_n_f32(0.0f),
  s3_1_1 = vdupq_n_f32(0.0f), s3_2_0 = vdupq_n_f32(0.0f), s3_2_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 324), w1 = vld1q_f32(w + 328), w2 = vld1q_f32(w + 332);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 340), w1 = vld1q_f32(w + 344), w2 = vld1q_f32(w + 348);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 356), w1 = vld1q_f32(w + 360), w2 = vld1q_f32(w + 364);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 372), w1 = vld1q_f32(w + 376), w2 = vld1q_f32(w + 380);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 388), w1 = vld1q_f32(w + 392), w2 = vld1q_f32(w + 396);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[36]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[52]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 404), w1 = vld1q_f32(w + 408), w2 = vld1q_f32(w + 412);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[37]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[53]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 420), w1 = vld1q_f32(w + 424), w2 = vld1q_f32(w + 428);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[38]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[54]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 436), w1 = vld1q_f32(w + 440), w2 = vld1q_f32(w + 444);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[39]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[55]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 452), w1 = vld1q_f32(w + 456), w2 = vld1q_f32(w + 460);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1); s0_2_0 = vfmaq_f32(s0_2_0, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1); s1_2_0 = vfmaq_f32(s1_2_0, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[40]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1); s2_2_0 = vfmaq_f32(s2_2_0, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[56]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1); s3_2_0 = vfmaq_f32(s3_2_0, x, w2);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 468), w1 = vld1q_f32(w + 472), w2 = vld1q_f32(w + 476);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1); s0_2_1 = vfmaq_f32(s0_2_1, x, w2);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1); s1_2_1 = vfmaq_f32(s1_2_1, x, w2);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[41]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1); s2_2_1 = vfmaq_f32(s2_2_1, x, w2);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[57]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1); s3_2_1 = vfmaq_f32(s3_2_1, x, w2);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
        s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
      }
      if (rows > 2) {
        s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
        s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
        s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
      }
      if (rows > 3) {
        s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
        s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
        s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias + 36));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 36, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 40));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 40, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_2_0, vld1q_f32(bias + 44));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 44, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_0_0, vld1q_f32(bias + 36));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 100, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_1_0, vld1q_f32(bias + 40));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 104, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_2_0, vld1q_f32(bias + 44));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 108, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_0_0, vld1q_f32(bias + 36));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 164, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_1_0, vld1q_f32(bias + 40));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 168, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_2_0, vld1q_f32(bias + 44));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 172, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_0_0, vld1q_f32(bias + 36));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 228, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_1_0, vld1q_f32(bias + 40));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 232, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_2_0, vld1q_f32(bias + 44));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 236, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f),
  s2_1_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0_0 = vdupq_n_f32(0.0f), s3_0_1 = vdupq_n_f32(0.0f), s3_1_0 = vdupq_n_f32(0.0f),
  s3_1_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 480), w1 = vld1q_f32(w + 484);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 496), w1 = vld1q_f32(w + 500);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 512), w1 = vld1q_f32(w + 516);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 528), w1 = vld1q_f32(w + 532);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 544), w1 = vld1q_f32(w + 548);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[36]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[52]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 560), w1 = vld1q_f32(w + 564);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[37]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[53]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 576), w1 = vld1q_f32(w + 580);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[38]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[54]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 592), w1 = vld1q_f32(w + 596);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[39]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[55]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 608), w1 = vld1q_f32(w + 612);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[40]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[56]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 624), w1 = vld1q_f32(w + 628);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[41]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[57]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
      }
      if (rows > 2) {
        s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
        s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
      }
      if (rows > 3) {
        s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
        s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias + 48));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 48, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 52));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 52, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_0_0, vld1q_f32(bias + 48));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 112, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_1_0, vld1q_f32(bias + 52));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 116, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_0_0, vld1q_f32(bias + 48));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 176, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_1_0, vld1q_f32(bias + 52));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 180, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_0_0, vld1q_f32(bias + 48));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 240, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_1_0, vld1q_f32(bias + 52));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 244, value);
      }
    }
    FFN_SETTLE();
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f), s0_1_0 = vdupq_n_f32(0.0f),
  s0_1_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f), s1_1_0 = vdupq_n_f32(0.0f),
  s1_1_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f), s2_1_0 = vdupq_n_f32(0.0f),
  s2_1_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0_0 = vdupq_n_f32(0.0f), s3_0_1 = vdupq_n_f32(0.0f), s3_1_0 = vdupq_n_f32(0.0f),
  s3_1_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w + 488), w1 = vld1q_f32(w + 492);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 504), w1 = vld1q_f32(w + 508);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 520), w1 = vld1q_f32(w + 524);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 536), w1 = vld1q_f32(w + 540);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 552), w1 = vld1q_f32(w + 556);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[36]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[52]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 568), w1 = vld1q_f32(w + 572);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[37]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[53]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 584), w1 = vld1q_f32(w + 588);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[38]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[54]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 600), w1 = vld1q_f32(w + 604);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[39]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[55]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 616), w1 = vld1q_f32(w + 620);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
          s0_1_0 = vfmaq_f32(s0_1_0, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[24]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
          s1_1_0 = vfmaq_f32(s1_1_0, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[40]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
          s2_1_0 = vfmaq_f32(s2_1_0, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[56]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
          s3_1_0 = vfmaq_f32(s3_1_0, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 632), w1 = vld1q_f32(w + 636);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
          s0_1_1 = vfmaq_f32(s0_1_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[25]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
          s1_1_1 = vfmaq_f32(s1_1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[41]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
          s2_1_1 = vfmaq_f32(s2_1_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[57]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
          s3_1_1 = vfmaq_f32(s3_1_1, x, w1);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
        s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
      }
      if (rows > 2) {
        s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
        s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
      }
      if (rows > 3) {
        s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
        s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_0_0, vld1q_f32(bias + 56));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 56, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s0_1_0, vld1q_f32(bias + 60));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 60, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_0_0, vld1q_f32(bias + 56));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 120, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s1_1_0, vld1q_f32(bias + 60));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 124, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_0_0, vld1q_f32(bias + 56));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 184, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s2_1_0, vld1q_f32(bias + 60));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 188, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_0_0, vld1q_f32(bias + 56));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 248, value);
      }
      {
        const float32x4_t linear = vaddq_f32(s3_1_0, vld1q_f32(bias + 60));
        const float32x4_t value = act_relu(linear);
        vst1q_f32(out + 252, value);
      }
    }
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work + 64;
    const float *w = packed + 720;
    const float *bias = packed + 1744;
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
          const float32x4_t x = vdupq_n_f32(in[64]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[65]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[66]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[67]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 64);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[68]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 80);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[69]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 96);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[70]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 112);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[71]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 128);
        {
          const float32x4_t x = vdupq_n_f32(in[8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[72]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 144);
        {
          const float32x4_t x = vdupq_n_f32(in[9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[73]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 160);
        {
          const float32x4_t x = vdupq_n_f32(in[10]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[74]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 176);
        {
          const float32x4_t x = vdupq_n_f32(in[11]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[75]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 192);
        {
          const float32x4_t x = vdupq_n_f32(in[12]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[76]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 208);
        {
          const float32x4_t x = vdupq_n_f32(in[13]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[77]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 224);
        {
          const float32x4_t x = vdupq_n_f32(in[14]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[78]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 240);
        {
          const float32x4_t x = vdupq_n_f32(in[15]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[79]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 256);
        {
          const float32x4_t x = vdupq_n_f32(in[16]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[80]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 272);
        {
          const float32x4_t x = vdupq_n_f32(in[17]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[81]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 288);
        {
          const float32x4_t x = vdupq_n_f32(in[18]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[82]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 304);
        {
          const float32x4_t x = vdupq_n_f32(in[19]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[83]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 320);
        {
          const float32x4_t x = vdupq_n_f32(in[20]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[84]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 336);
        {
          const float32x4_t x = vdupq_n_f32(in[21]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[85]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 352);
        {
          const float32x4_t x = vdupq_n_f32(in[22]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[86]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 368);
        {
          const float32x4_t x = vdupq_n_f32(in[23]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[87]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 384);
        {
          const float32x4_t x = vdupq_n_f32(in[24]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[88]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 400);
        {
          const float32x4_t x = vdupq_n_f32(in[25]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[89]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 416);
        {
          const float32x4_t x = vdupq_n_f32(in[26]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[90]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 432);
        {
          const float32x4_t x = vdupq_n_f32(in[27]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[91]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 448);
        {
          const float32x4_t x = vdupq_n_f32(in[28]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[92]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 464);
        {
          const float32x4_t x = vdupq_n_f32(in[29]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[93]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 480);
        {
          const float32x4_t x = vdupq_n_f32(in[30]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[94]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 496);
        {
          const float32x4_t x = vdupq_n_f32(in[31]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[95]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 512);
        {
          const float32x4_t x = vdupq_n_f32(in[32]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[96]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 528);
        {
          const float32x4_t x = vdupq_n_f32(in[33]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[97]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 544);
        {
          const float32x4_t x = vdupq_n_f32(in[34]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[98]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 560);
        {
          const float32x4_t x = vdupq_n_f32(in[35]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[99]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 576);
        {
          const float32x4_t x = vdupq_n_f32(in[36]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[100]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 592);
        {
          const float32x4_t x = vdupq_n_f32(in[37]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[101]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 608);
        {
          const float32x4_t x = vdupq_n_f32(in[38]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[102]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 624);
        {
          const float32x4_t x = vdupq_n_f32(in[39]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[103]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 640);
        {
          const float32x4_t x = vdupq_n_f32(in[40]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[104]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 656);
        {
          const float32x4_t x = vdupq_n_f32(in[41]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[105]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 672);
        {
          const float32x4_t x = vdupq_n_f32(in[42]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[106]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 688);
        {
          const float32x4_t x = vdupq_n_f32(in[43]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[107]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 704);
        {
          const float32x4_t x = vdupq_n_f32(in[44]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[108]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 720);
        {
          const float32x4_t x = vdupq_n_f32(in[45]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[109]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 736);
        {
          const float32x4_t x = vdupq_n_f32(in[46]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[110]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 752);
        {
          const float32x4_t x = vdupq_n_f32(in[47]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[111]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 768);
        {
          const float32x4_t x = vdupq_n_f32(in[48]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[112]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 784);
        {
          const float32x4_t x = vdupq_n_f32(in[49]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[113]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 800);
        {
          const float32x4_t x = vdupq_n_f32(in[50]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[114]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 816);
        {
          const float32x4_t x = vdupq_n_f32(in[51]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[115]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 832);
        {
          const float32x4_t x = vdupq_n_f32(in[52]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[116]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 848);
        {
          const float32x4_t x = vdupq_n_f32(in[53]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[117]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 864);
        {
          const float32x4_t x = vdupq_n_f32(in[54]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[118]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 880);
        {
          const float32x4_t x = vdupq_n_f32(in[55]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[119]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 896);
        {
          const float32x4_t x = vdupq_n_f32(in[56]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[120]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 912);
        {
          const float32x4_t x = vdupq_n_f32(in[57]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[121]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 928);
        {
          const float32x4_t x = vdupq_n_f32(in[58]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[122]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 944);
        {
          const float32x4_t x = vdupq_n_f32(in[59]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[123]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 960);
        {
          const float32x4_t x = vdupq_n_f32(in[60]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[124]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 976);
        {
          const float32x4_t x = vdupq_n_f32(in[61]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[125]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 992);
        {
          const float32x4_t x = vdupq_n_f32(in[62]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[126]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1008);
        {
          const float32x4_t x = vdupq_n_f32(in[63]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[127]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
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
        const float32x4_t value = linear;
        store_tail(y, value, 1);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = linear;
        store_tail(y + 1 * y_stride, value, 1);
      }
    }
    FFN_SETTLE();
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
          const float32x4_t x = vdupq_n_f32(in[128]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 64]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 65]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 2]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 66]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 3]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 67]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 64);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 4]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 68]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 80);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 5]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 69]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 96);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 6]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 70]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 112);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 7]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 71]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 128);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 8]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 72]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 144);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 9]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 73]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 160);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 10]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 74]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 176);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 11]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 75]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 192);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 12]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 76]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 208);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 13]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 77]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 224);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 14]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 78]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 240);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 15]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 79]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 256);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 16]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 80]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 272);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 17]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 81]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 288);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 18]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 82]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 304);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 19]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 83]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 320);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 20]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 84]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 336);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 21]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 85]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 352);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 22]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 86]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 368);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 23]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 87]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 384);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 24]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 88]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 400);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 25]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 89]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 416);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 26]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 90]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 432);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 27]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 91]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 448);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 28]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 92]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 464);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 29]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 93]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 480);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 30]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 94]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 496);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 31]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 95]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 512);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 32]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 96]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 528);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 33]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 97]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 544);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 34]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 98]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 560);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 35]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 99]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 576);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 36]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 100]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 592);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 37]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 101]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 608);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 38]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 102]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 624);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 39]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 103]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 640);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 40]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 104]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 656);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 41]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 105]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 672);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 42]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 106]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 688);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 43]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 107]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 704);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 44]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 108]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 720);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 45]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 109]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 736);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 46]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 110]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 752);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 47]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 111]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 768);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 48]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 112]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 784);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 49]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 113]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 800);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 50]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 114]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 816);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 51]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 115]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 832);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 52]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 116]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 848);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 53]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 117]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 864);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 54]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 118]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 880);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 55]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 119]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 896);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 56]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 120]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 912);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 57]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 121]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 928);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 58]); s0_0_2 = vfmaq_f32(s0_0_2, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 122]); s1_0_2 = vfmaq_f32(s1_0_2, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 944);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 59]); s0_0_3 = vfmaq_f32(s0_0_3, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 123]); s1_0_3 = vfmaq_f32(s1_0_3, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 960);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 60]); s0_0_4 = vfmaq_f32(s0_0_4, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 124]); s1_0_4 = vfmaq_f32(s1_0_4, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 976);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 61]); s0_0_5 = vfmaq_f32(s0_0_5, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 125]); s1_0_5 = vfmaq_f32(s1_0_5, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 992);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 62]); s0_0_6 = vfmaq_f32(s0_0_6, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 126]); s1_0_6 = vfmaq_f32(s1_0_6, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 1008);
        {
          const float32x4_t x = vdupq_n_f32(in[128 + 63]); s0_0_7 = vfmaq_f32(s0_0_7, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[128 + 127]); s1_0_7 = vfmaq_f32(s1_0_7, x, w0);
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
        const float32x4_t value = linear;
        store_tail(y + 2 * y_stride, value, 1);
      }
      {
        const float32x4_t linear = vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = linear;
        store_tail(y + 3 * y_stride, value, 1);
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
    const float *w = packed + 720;
    const float *bias = packed + 1744;
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
      {
        {
          const float32x4_t x = vdupq_n_f32(in[32]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 512));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[33]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 528));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[34]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 544));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[35]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 560));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[36]);
          s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 576));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[37]);
          s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 592));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[38]);
          s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 608));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[39]);
          s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 624));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[40]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 640));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[41]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 656));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[42]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 672));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[43]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 688));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[44]);
          s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 704));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[45]);
          s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 720));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[46]);
          s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 736));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[47]);
          s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 752));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[48]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 768));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[49]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 784));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[50]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 800));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[51]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 816));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[52]);
          s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 832));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[53]);
          s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 848));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[54]);
          s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 864));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[55]);
          s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 880));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[56]);
          s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 896));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[57]);
          s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 912));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[58]);
          s0_0_2 = vfmaq_f32(s0_0_2, x, vld1q_f32(w + 928));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[59]);
          s0_0_3 = vfmaq_f32(s0_0_3, x, vld1q_f32(w + 944));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[60]);
          s0_0_4 = vfmaq_f32(s0_0_4, x, vld1q_f32(w + 960));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[61]);
          s0_0_5 = vfmaq_f32(s0_0_5, x, vld1q_f32(w + 976));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[62]);
          s0_0_6 = vfmaq_f32(s0_0_6, x, vld1q_f32(w + 992));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[63]);
          s0_0_7 = vfmaq_f32(s0_0_7, x, vld1q_f32(w + 1008));
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
        const float32x4_t value = linear;
        store_tail(y, value, 1);
      }
    }
    FFN_SETTLE();
  }
  (void)from_stride, (void)y_stride, (void)work;
}

static void straight_rows(const ffn_walk *walk, float *slot, size_t token, size_t end) {
  for (; token + 4 <= end; token += 4)
    straight_4(walk->y + token * walk->y_stride, walk->y_stride, walk->x + token * walk->x_stride, walk->x_stride, walk->packed, slot);
  for (; token + 1 <= end; token += 1)
    straight_1(walk->y + token * walk->y_stride, walk->y_stride, walk->x + token * walk->x_stride, walk->x_stride, walk->packed, slot);
}
static const ffn_chain chain = {straight_rows, UINT64_C(0x1c1fdb03ec7cab65), 2, chain_stages, 3, 222,
                                17760, 31968, 1408};

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

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_neon;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_neon = {
    "mlp_10_relu64_identity1_bias_f32_neon",
    "mlp_10_relu64_identity1_bias_f32",
    FFN_KIND_MLP,
    FFN_IDENTITY,
    FFN_F32,
    FFN_ISA_NEON,
    10,
    0,
    1,
    1,
    0,
    2,
    stages,
    7040,
    127872,
    1408,
    pack,
    unpack,
    run,
};

#endif
