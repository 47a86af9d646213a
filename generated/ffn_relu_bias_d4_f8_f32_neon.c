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
 * Spec       paper_example; templates kernel.c.tpl, stage.c.tpl
 * Tiles      up: rows x columns 6 x 16, 1 branch, at most 29 of 32 registers
 * Tiles      down: rows x columns 3 x 16, 1 branch, at most 29 of 32 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       128 flop per token; 960 bytes of packed weights;
 *            42624 bytes of work memory per thread
 * Sums       up: k ascends; at most 5 roundings
 * Sums       down: k ascends in 2 interleaved chains; at most 6 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 5 2^-24;
 *            relu exact
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 6 2^-24
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

/* ---- up: 4 -> 8 --------------------------------------------------------------------------
 *
 * Panels [1][4][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for up to 6 rows of 16 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void up_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f), s1_1 = vdupq_n_f32(0.0f), s1_2 = vdupq_n_f32(0.0f),
    s1_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_0 = vdupq_n_f32(0.0f), s2_1 = vdupq_n_f32(0.0f), s2_2 = vdupq_n_f32(0.0f),
    s2_3 = vdupq_n_f32(0.0f);
  float32x4_t s3_0 = vdupq_n_f32(0.0f), s3_1 = vdupq_n_f32(0.0f), s3_2 = vdupq_n_f32(0.0f),
    s3_3 = vdupq_n_f32(0.0f);
  float32x4_t s4_0 = vdupq_n_f32(0.0f), s4_1 = vdupq_n_f32(0.0f), s4_2 = vdupq_n_f32(0.0f),
    s4_3 = vdupq_n_f32(0.0f);
  float32x4_t s5_0 = vdupq_n_f32(0.0f), s5_1 = vdupq_n_f32(0.0f), s5_2 = vdupq_n_f32(0.0f),
    s5_3 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < 4; ++k, w += 16) {
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
      w3 = vld1q_f32(w + 12);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, w0);
      s0_1 = vfmaq_f32(s0_1, x, w1); s0_2 = vfmaq_f32(s0_2, x, w2); s0_3 = vfmaq_f32(s0_3, x, w3);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 16]); s1_0 = vfmaq_f32(s1_0, x, w0);
      s1_1 = vfmaq_f32(s1_1, x, w1); s1_2 = vfmaq_f32(s1_2, x, w2); s1_3 = vfmaq_f32(s1_3, x, w3);
    }
    if (rows > 2) {
      const float32x4_t x = vdupq_n_f32(a[k + 32]); s2_0 = vfmaq_f32(s2_0, x, w0);
      s2_1 = vfmaq_f32(s2_1, x, w1); s2_2 = vfmaq_f32(s2_2, x, w2); s2_3 = vfmaq_f32(s2_3, x, w3);
    }
    if (rows > 3) {
      const float32x4_t x = vdupq_n_f32(a[k + 48]); s3_0 = vfmaq_f32(s3_0, x, w0);
      s3_1 = vfmaq_f32(s3_1, x, w1); s3_2 = vfmaq_f32(s3_2, x, w2); s3_3 = vfmaq_f32(s3_3, x, w3);
    }
    if (rows > 4) {
      const float32x4_t x = vdupq_n_f32(a[k + 64]); s4_0 = vfmaq_f32(s4_0, x, w0);
      s4_1 = vfmaq_f32(s4_1, x, w1); s4_2 = vfmaq_f32(s4_2, x, w2); s4_3 = vfmaq_f32(s4_3, x, w3);
    }
    if (rows > 5) {
      const float32x4_t x = vdupq_n_f32(a[k + 80]); s5_0 = vfmaq_f32(s5_0, x, w0);
      s5_1 = vfmaq_f32(s5_1, x, w1); s5_2 = vfmaq_f32(s5_2, x, w2); s5_3 = vfmaq_f32(s5_3, x, w3);
    }
  }
  vst1q_f32(sum, s0_0);
  vst1q_f32(sum + 4, s0_1);
  vst1q_f32(sum + 8, s0_2);
  vst1q_f32(sum + 12, s0_3);
  if (rows > 1) {
    vst1q_f32(sum + 16, s1_0);
    vst1q_f32(sum + 20, s1_1);
    vst1q_f32(sum + 24, s1_2);
    vst1q_f32(sum + 28, s1_3);
  }
  if (rows > 2) {
    vst1q_f32(sum + 32, s2_0);
    vst1q_f32(sum + 36, s2_1);
    vst1q_f32(sum + 40, s2_2);
    vst1q_f32(sum + 44, s2_3);
  }
  if (rows > 3) {
    vst1q_f32(sum + 48, s3_0);
    vst1q_f32(sum + 52, s3_1);
    vst1q_f32(sum + 56, s3_2);
    vst1q_f32(sum + 60, s3_3);
  }
  if (rows > 4) {
    vst1q_f32(sum + 64, s4_0);
    vst1q_f32(sum + 68, s4_1);
    vst1q_f32(sum + 72, s4_2);
    vst1q_f32(sum + 76, s4_3);
  }
  if (rows > 5) {
    vst1q_f32(sum + 80, s5_0);
    vst1q_f32(sum + 84, s5_1);
    vst1q_f32(sum + 88, s5_2);
    vst1q_f32(sum + 92, s5_3);
  }
}

FFN_NOINLINE void up_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: up_sums_tile_16(sum, a, w, 1); break;
  case 2: up_sums_tile_16(sum, a, w, 2); break;
  case 3: up_sums_tile_16(sum, a, w, 3); break;
  case 4: up_sums_tile_16(sum, a, w, 4); break;
  case 5: up_sums_tile_16(sum, a, w, 5); break;
  case 6: up_sums_tile_16(sum, a, w, 6); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 80 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 16);
      const float32x4_t up = vaddq_f32(vld1q_f32(sum + c), vld1q_f32(bias + c));
      const float32x4_t value = act_relu(up);
      vst1q_f32(out, value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *up_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 16 + column / FFN_PANEL * 64 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void up_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 16, most = 6, sums = up_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = up_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 16, weights,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 4;
    } while (block < 4);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        up_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

/* ---- down: 8 -> 4 ------------------------------------------------------------------------
 *
 * Panels [1][8][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for up to 3 rows of 16 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
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
  for (; k + 2 <= 8; k += 2, w += 32) {
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
  if (k < 8) {
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

FFN_NOINLINE void down_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_16(sum, a, w, 1); break;
  case 2: down_sums_tile_16(sum, a, w, 2); break;
  case 3: down_sums_tile_16(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias into y. */
FFN_NOINLINE void down_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 224 + column;
  const size_t valid = column < 4 ? ffn_min(4 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const float32x4_t down = vaddq_f32(vaddq_f32(vld1q_f32(sum + c), vdupq_n_f32(0.0f)), vld1q_f32(bias + c));
      const float32x4_t value = down;
      if (valid - c >= 4)
        vst1q_f32(out, value);
      else
        store_tail(out, value, valid - c);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *down_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 96 + column / FFN_PANEL * 128 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void down_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 16, most = 3, sums = down_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = down_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 16, weights,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 8;
    } while (block < 8);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        down_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {4, 8, 1, {FFN_MATRIX_UP}, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     4, 1, 5, 0.0f, 0.0f},
    {8, 4, 1, {FFN_MATRIX_DOWN}, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE, 1, 0.0f,
     8, 2, 6, 0.0f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {up_pass, 4, 8, 1, 1,
     16, 80, 0, 16, 16},
    {down_pass, 8, 4, 1, 1,
     96, 224, 3552, 16, 16},
};


/* 4 rows, all stages in one straight line: a walk would cost more than the sums. */
static void straight_4(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
  { /* up */
    memcpy(work + 0, from + 0 * from_stride, 4 * sizeof *from);
    memcpy(work + 16, from + 1 * from_stride, 4 * sizeof *from);
    memcpy(work + 32, from + 2 * from_stride, 4 * sizeof *from);
    memcpy(work + 48, from + 3 * from_stride, 4 * sizeof *from);
    const float *in = work + 0;
    float *out = work + 64;
    const float *w = packed + 16;
    const float *bias = packed + 80;
    enum { rows = 4 };
    {
      float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0 = vdupq_n_f32(0.0f), s1_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0 = vdupq_n_f32(0.0f), s2_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0 = vdupq_n_f32(0.0f), s3_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0 = vfmaq_f32(s0_0, x, w0);
          s0_1 = vfmaq_f32(s0_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0 = vfmaq_f32(s1_0, x, w0);
          s1_1 = vfmaq_f32(s1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0 = vfmaq_f32(s2_0, x, w0);
          s2_1 = vfmaq_f32(s2_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0 = vfmaq_f32(s3_0, x, w0);
          s3_1 = vfmaq_f32(s3_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16), w1 = vld1q_f32(w + 20);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0 = vfmaq_f32(s0_0, x, w0);
          s0_1 = vfmaq_f32(s0_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0 = vfmaq_f32(s1_0, x, w0);
          s1_1 = vfmaq_f32(s1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0 = vfmaq_f32(s2_0, x, w0);
          s2_1 = vfmaq_f32(s2_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0 = vfmaq_f32(s3_0, x, w0);
          s3_1 = vfmaq_f32(s3_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32), w1 = vld1q_f32(w + 36);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0 = vfmaq_f32(s0_0, x, w0);
          s0_1 = vfmaq_f32(s0_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0 = vfmaq_f32(s1_0, x, w0);
          s1_1 = vfmaq_f32(s1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0 = vfmaq_f32(s2_0, x, w0);
          s2_1 = vfmaq_f32(s2_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0 = vfmaq_f32(s3_0, x, w0);
          s3_1 = vfmaq_f32(s3_1, x, w1);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48), w1 = vld1q_f32(w + 52);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0 = vfmaq_f32(s0_0, x, w0);
          s0_1 = vfmaq_f32(s0_1, x, w1);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0 = vfmaq_f32(s1_0, x, w0);
          s1_1 = vfmaq_f32(s1_1, x, w1);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0 = vfmaq_f32(s2_0, x, w0);
          s2_1 = vfmaq_f32(s2_1, x, w1);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0 = vfmaq_f32(s3_0, x, w0);
          s3_1 = vfmaq_f32(s3_1, x, w1);
        }
      }
      if (rows > 1) {

      }
      if (rows > 2) {

      }
      if (rows > 3) {

      }
      {
        const float32x4_t up = vaddq_f32(s0_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out, value);
      }
      {
        const float32x4_t up = vaddq_f32(s0_1, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 4, value);
      }
      {
        const float32x4_t up = vaddq_f32(s1_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 16, value);
      }
      {
        const float32x4_t up = vaddq_f32(s1_1, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 20, value);
      }
      {
        const float32x4_t up = vaddq_f32(s2_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 32, value);
      }
      {
        const float32x4_t up = vaddq_f32(s2_1, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 36, value);
      }
      {
        const float32x4_t up = vaddq_f32(s3_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 48, value);
      }
      {
        const float32x4_t up = vaddq_f32(s3_1, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 52, value);
      }
    }
    FFN_SETTLE();
  }
  { /* down */
    const float *in = work + 64;
    const float *w = packed + 96;
    const float *bias = packed + 224;
    enum { rows = 4 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f);
      float32x4_t s1_0_0 = vdupq_n_f32(0.0f), s1_0_1 = vdupq_n_f32(0.0f);
      float32x4_t s2_0_0 = vdupq_n_f32(0.0f), s2_0_1 = vdupq_n_f32(0.0f);
      float32x4_t s3_0_0 = vdupq_n_f32(0.0f), s3_0_1 = vdupq_n_f32(0.0f);
      {
        const float32x4_t w0 = vld1q_f32(w);
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[16]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[32]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[48]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 16);
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[17]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[33]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[49]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 32);
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[18]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[34]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[50]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 48);
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[19]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[35]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[51]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 64);
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[20]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[36]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[52]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 80);
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[21]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[37]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[53]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 96);
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[22]); s1_0_0 = vfmaq_f32(s1_0_0, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[38]); s2_0_0 = vfmaq_f32(s2_0_0, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[54]); s3_0_0 = vfmaq_f32(s3_0_0, x, w0);
        }
      }
      {
        const float32x4_t w0 = vld1q_f32(w + 112);
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, w0);
        }
        if (rows > 1) {
          const float32x4_t x = vdupq_n_f32(in[23]); s1_0_1 = vfmaq_f32(s1_0_1, x, w0);
        }
        if (rows > 2) {
          const float32x4_t x = vdupq_n_f32(in[39]); s2_0_1 = vfmaq_f32(s2_0_1, x, w0);
        }
        if (rows > 3) {
          const float32x4_t x = vdupq_n_f32(in[55]); s3_0_1 = vfmaq_f32(s3_0_1, x, w0);
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      if (rows > 1) {
        s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
      }
      if (rows > 2) {
        s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
      }
      if (rows > 3) {
        s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
      }
      {
        const float32x4_t down = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = down;
        vst1q_f32(y, value);
      }
      {
        const float32x4_t down = vaddq_f32(vaddq_f32(s1_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = down;
        vst1q_f32(y + 1 * y_stride, value);
      }
      {
        const float32x4_t down = vaddq_f32(vaddq_f32(s2_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = down;
        vst1q_f32(y + 2 * y_stride, value);
      }
      {
        const float32x4_t down = vaddq_f32(vaddq_f32(s3_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = down;
        vst1q_f32(y + 3 * y_stride, value);
      }
    }
    FFN_SETTLE();
  }
  (void)from_stride, (void)y_stride, (void)work;
}

/* One row, all stages in one straight line: a walk would cost more than the sums. */
static void straight_1(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
  { /* up */
    const float *in = from;
    float *out = work + 16;
    const float *w = packed + 16;
    const float *bias = packed + 80;
    enum { rows = 1 };
    {
      float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f);
      {
        {
          const float32x4_t x = vdupq_n_f32(in[0]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w));
          s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 4));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[1]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w + 16));
          s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 20));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w + 32));
          s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 36));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w + 48));
          s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 52));
        }
      }
      {
        const float32x4_t up = vaddq_f32(s0_0, vld1q_f32(bias));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out, value);
      }
      {
        const float32x4_t up = vaddq_f32(s0_1, vld1q_f32(bias + 4));
        const float32x4_t value = act_relu(up);
        vst1q_f32(out + 4, value);
      }
    }
    FFN_SETTLE();
  }
  { /* down */
    const float *in = work + 16;
    const float *w = packed + 96;
    const float *bias = packed + 224;
    enum { rows = 1 };
    {
      float32x4_t s0_0_0 = vdupq_n_f32(0.0f), s0_0_1 = vdupq_n_f32(0.0f);
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
          const float32x4_t x = vdupq_n_f32(in[2]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 32));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[3]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 48));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[4]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 64));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[5]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 80));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[6]); s0_0_0 = vfmaq_f32(s0_0_0, x, vld1q_f32(w + 96));
        }
      }
      {
        {
          const float32x4_t x = vdupq_n_f32(in[7]); s0_0_1 = vfmaq_f32(s0_0_1, x, vld1q_f32(w + 112));
        }
      }
      s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
      {
        const float32x4_t down = vaddq_f32(vaddq_f32(s0_0_0, vdupq_n_f32(0.0f)), vld1q_f32(bias));
        const float32x4_t value = down;
        vst1q_f32(y, value);
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
static const ffn_chain chain = {straight_rows, UINT64_C(0xf02d40da8de26944), 2, chain_stages, 6, 222,
                                7104, 10656, 128};

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

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_neon;
const ffn_kernel ffn_relu_bias_d4_f8_f32_neon = {
    "ffn_relu_bias_d4_f8_f32_neon",
    "ffn_relu_bias_d4_f8_f32",
    FFN_KIND_FFN,
    FFN_RELU,
    FFN_F32,
    FFN_ISA_NEON,
    4,
    8,
    4,
    1,
    0,
    2,
    stages,
    960,
    42624,
    128,
    pack,
    unpack,
    run,
};

#endif
