/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_relu_bias_d4_f8_f32_c
 * FFN relu, 4 -> 8 -> 4, with biases, f32, for c
 * The worked example on paper: 4 -> 8 -> 4, ReLU
 *
 *     h = relu(x W_up^T + b_up)
 *     y = h W_down^T + b_down
 *
 * Remake     ffngen generate
 * Spec       paper_example; templates kernel.c.tpl, stage.c.tpl
 * Tiles      up: rows x columns 3 x 16, 1 branch, at most 65 of 66 registers
 * Tiles      down: rows x columns 1 x 16, 3 x 8, 1 branch, at most 57 of 66 registers
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


/* max(x, 0); exact.
 * Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE float act_relu(const float x) {
  return (x < 0.0f ? 0.0f : x);
}

/* ---- up: 4 -> 8 --------------------------------------------------------------------------
 *
 * Panels [1][4][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for up to 3 rows of 16 columns; 65 of 66 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void up_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
    s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
    s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f;
  float s1_0 = 0.0f, s1_1 = 0.0f, s1_2 = 0.0f, s1_3 = 0.0f, s1_4 = 0.0f, s1_5 = 0.0f,
    s1_6 = 0.0f, s1_7 = 0.0f, s1_8 = 0.0f, s1_9 = 0.0f, s1_10 = 0.0f, s1_11 = 0.0f,
    s1_12 = 0.0f, s1_13 = 0.0f, s1_14 = 0.0f, s1_15 = 0.0f;
  float s2_0 = 0.0f, s2_1 = 0.0f, s2_2 = 0.0f, s2_3 = 0.0f, s2_4 = 0.0f, s2_5 = 0.0f,
    s2_6 = 0.0f, s2_7 = 0.0f, s2_8 = 0.0f, s2_9 = 0.0f, s2_10 = 0.0f, s2_11 = 0.0f,
    s2_12 = 0.0f, s2_13 = 0.0f, s2_14 = 0.0f, s2_15 = 0.0f;
  size_t k = 0;
  for (; k < 4; ++k, w += 16) {
    const float w0 = *(w), w1 = *(w + 1), w2 = *(w + 2), w3 = *(w + 3), w4 = *(w + 4),
      w5 = *(w + 5), w6 = *(w + 6), w7 = *(w + 7), w8 = *(w + 8), w9 = *(w + 9),
      w10 = *(w + 10), w11 = *(w + 11), w12 = *(w + 12), w13 = *(w + 13),
      w14 = *(w + 14), w15 = *(w + 15);
    {
      const float x = a[k]; s0_0 = ffn_fma(x, w0, s0_0); s0_1 = ffn_fma(x, w1, s0_1);
      s0_2 = ffn_fma(x, w2, s0_2); s0_3 = ffn_fma(x, w3, s0_3); s0_4 = ffn_fma(x, w4, s0_4);
      s0_5 = ffn_fma(x, w5, s0_5); s0_6 = ffn_fma(x, w6, s0_6); s0_7 = ffn_fma(x, w7, s0_7);
      s0_8 = ffn_fma(x, w8, s0_8); s0_9 = ffn_fma(x, w9, s0_9); s0_10 = ffn_fma(x, w10, s0_10);
      s0_11 = ffn_fma(x, w11, s0_11); s0_12 = ffn_fma(x, w12, s0_12);
      s0_13 = ffn_fma(x, w13, s0_13); s0_14 = ffn_fma(x, w14, s0_14);
      s0_15 = ffn_fma(x, w15, s0_15);
    }
    if (rows > 1) {
      const float x = a[k + 16]; s1_0 = ffn_fma(x, w0, s1_0); s1_1 = ffn_fma(x, w1, s1_1);
      s1_2 = ffn_fma(x, w2, s1_2); s1_3 = ffn_fma(x, w3, s1_3); s1_4 = ffn_fma(x, w4, s1_4);
      s1_5 = ffn_fma(x, w5, s1_5); s1_6 = ffn_fma(x, w6, s1_6); s1_7 = ffn_fma(x, w7, s1_7);
      s1_8 = ffn_fma(x, w8, s1_8); s1_9 = ffn_fma(x, w9, s1_9); s1_10 = ffn_fma(x, w10, s1_10);
      s1_11 = ffn_fma(x, w11, s1_11); s1_12 = ffn_fma(x, w12, s1_12);
      s1_13 = ffn_fma(x, w13, s1_13); s1_14 = ffn_fma(x, w14, s1_14);
      s1_15 = ffn_fma(x, w15, s1_15);
    }
    if (rows > 2) {
      const float x = a[k + 32]; s2_0 = ffn_fma(x, w0, s2_0); s2_1 = ffn_fma(x, w1, s2_1);
      s2_2 = ffn_fma(x, w2, s2_2); s2_3 = ffn_fma(x, w3, s2_3); s2_4 = ffn_fma(x, w4, s2_4);
      s2_5 = ffn_fma(x, w5, s2_5); s2_6 = ffn_fma(x, w6, s2_6); s2_7 = ffn_fma(x, w7, s2_7);
      s2_8 = ffn_fma(x, w8, s2_8); s2_9 = ffn_fma(x, w9, s2_9); s2_10 = ffn_fma(x, w10, s2_10);
      s2_11 = ffn_fma(x, w11, s2_11); s2_12 = ffn_fma(x, w12, s2_12);
      s2_13 = ffn_fma(x, w13, s2_13); s2_14 = ffn_fma(x, w14, s2_14);
      s2_15 = ffn_fma(x, w15, s2_15);
    }
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  if (rows > 1) {
    *(sum + 16) = s1_0;
    *(sum + 17) = s1_1;
    *(sum + 18) = s1_2;
    *(sum + 19) = s1_3;
    *(sum + 20) = s1_4;
    *(sum + 21) = s1_5;
    *(sum + 22) = s1_6;
    *(sum + 23) = s1_7;
    *(sum + 24) = s1_8;
    *(sum + 25) = s1_9;
    *(sum + 26) = s1_10;
    *(sum + 27) = s1_11;
    *(sum + 28) = s1_12;
    *(sum + 29) = s1_13;
    *(sum + 30) = s1_14;
    *(sum + 31) = s1_15;
  }
  if (rows > 2) {
    *(sum + 32) = s2_0;
    *(sum + 33) = s2_1;
    *(sum + 34) = s2_2;
    *(sum + 35) = s2_3;
    *(sum + 36) = s2_4;
    *(sum + 37) = s2_5;
    *(sum + 38) = s2_6;
    *(sum + 39) = s2_7;
    *(sum + 40) = s2_8;
    *(sum + 41) = s2_9;
    *(sum + 42) = s2_10;
    *(sum + 43) = s2_11;
    *(sum + 44) = s2_12;
    *(sum + 45) = s2_13;
    *(sum + 46) = s2_14;
    *(sum + 47) = s2_15;
  }
}

FFN_NOINLINE void up_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: up_sums_tile_16(sum, a, w, 1); break;
  case 2: up_sums_tile_16(sum, a, w, 2); break;
  case 3: up_sums_tile_16(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 80 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 16);
      const float up = (*(sum + c) + *(bias + c));
      const float value = act_relu(up);
      *(out) = value;
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
      cols = 16, most = 3, sums = up_sums_16;
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

/* sum[row][branch][16] = a w for one row of 16 columns; 34 of 66 registers.
 */
FFN_NOINLINE void down_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float s0_0_0 = 0.0f, s0_0_1 = 0.0f, s0_1_0 = 0.0f, s0_1_1 = 0.0f, s0_2_0 = 0.0f,
    s0_2_1 = 0.0f, s0_3_0 = 0.0f, s0_3_1 = 0.0f, s0_4_0 = 0.0f, s0_4_1 = 0.0f,
    s0_5_0 = 0.0f, s0_5_1 = 0.0f, s0_6_0 = 0.0f, s0_6_1 = 0.0f, s0_7_0 = 0.0f,
    s0_7_1 = 0.0f, s0_8_0 = 0.0f, s0_8_1 = 0.0f, s0_9_0 = 0.0f, s0_9_1 = 0.0f,
    s0_10_0 = 0.0f, s0_10_1 = 0.0f, s0_11_0 = 0.0f, s0_11_1 = 0.0f, s0_12_0 = 0.0f,
    s0_12_1 = 0.0f, s0_13_0 = 0.0f, s0_13_1 = 0.0f, s0_14_0 = 0.0f, s0_14_1 = 0.0f,
    s0_15_0 = 0.0f, s0_15_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= 8; k += 2, w += 32) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0); s0_8_0 = ffn_fma(x, *(w + 8), s0_8_0);
      s0_9_0 = ffn_fma(x, *(w + 9), s0_9_0); s0_10_0 = ffn_fma(x, *(w + 10), s0_10_0);
      s0_11_0 = ffn_fma(x, *(w + 11), s0_11_0); s0_12_0 = ffn_fma(x, *(w + 12), s0_12_0);
      s0_13_0 = ffn_fma(x, *(w + 13), s0_13_0); s0_14_0 = ffn_fma(x, *(w + 14), s0_14_0);
      s0_15_0 = ffn_fma(x, *(w + 15), s0_15_0);
    }
    {
      const float x = a[k + 1]; s0_0_1 = ffn_fma(x, *(w + 16), s0_0_1);
      s0_1_1 = ffn_fma(x, *(w + 17), s0_1_1); s0_2_1 = ffn_fma(x, *(w + 18), s0_2_1);
      s0_3_1 = ffn_fma(x, *(w + 19), s0_3_1); s0_4_1 = ffn_fma(x, *(w + 20), s0_4_1);
      s0_5_1 = ffn_fma(x, *(w + 21), s0_5_1); s0_6_1 = ffn_fma(x, *(w + 22), s0_6_1);
      s0_7_1 = ffn_fma(x, *(w + 23), s0_7_1); s0_8_1 = ffn_fma(x, *(w + 24), s0_8_1);
      s0_9_1 = ffn_fma(x, *(w + 25), s0_9_1); s0_10_1 = ffn_fma(x, *(w + 26), s0_10_1);
      s0_11_1 = ffn_fma(x, *(w + 27), s0_11_1); s0_12_1 = ffn_fma(x, *(w + 28), s0_12_1);
      s0_13_1 = ffn_fma(x, *(w + 29), s0_13_1); s0_14_1 = ffn_fma(x, *(w + 30), s0_14_1);
      s0_15_1 = ffn_fma(x, *(w + 31), s0_15_1);
    }
  }
  if (k < 8) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0); s0_8_0 = ffn_fma(x, *(w + 8), s0_8_0);
      s0_9_0 = ffn_fma(x, *(w + 9), s0_9_0); s0_10_0 = ffn_fma(x, *(w + 10), s0_10_0);
      s0_11_0 = ffn_fma(x, *(w + 11), s0_11_0); s0_12_0 = ffn_fma(x, *(w + 12), s0_12_0);
      s0_13_0 = ffn_fma(x, *(w + 13), s0_13_0); s0_14_0 = ffn_fma(x, *(w + 14), s0_14_0);
      s0_15_0 = ffn_fma(x, *(w + 15), s0_15_0);
    }
    ++k, w += 16;
  }
  s0_0_0 = (s0_0_0 + s0_0_1);
  s0_1_0 = (s0_1_0 + s0_1_1);
  s0_2_0 = (s0_2_0 + s0_2_1);
  s0_3_0 = (s0_3_0 + s0_3_1);
  s0_4_0 = (s0_4_0 + s0_4_1);
  s0_5_0 = (s0_5_0 + s0_5_1);
  s0_6_0 = (s0_6_0 + s0_6_1);
  s0_7_0 = (s0_7_0 + s0_7_1);
  s0_8_0 = (s0_8_0 + s0_8_1);
  s0_9_0 = (s0_9_0 + s0_9_1);
  s0_10_0 = (s0_10_0 + s0_10_1);
  s0_11_0 = (s0_11_0 + s0_11_1);
  s0_12_0 = (s0_12_0 + s0_12_1);
  s0_13_0 = (s0_13_0 + s0_13_1);
  s0_14_0 = (s0_14_0 + s0_14_1);
  s0_15_0 = (s0_15_0 + s0_15_1);
  *(sum) = s0_0_0;
  *(sum + 1) = s0_1_0;
  *(sum + 2) = s0_2_0;
  *(sum + 3) = s0_3_0;
  *(sum + 4) = s0_4_0;
  *(sum + 5) = s0_5_0;
  *(sum + 6) = s0_6_0;
  *(sum + 7) = s0_7_0;
  *(sum + 8) = s0_8_0;
  *(sum + 9) = s0_9_0;
  *(sum + 10) = s0_10_0;
  *(sum + 11) = s0_11_0;
  *(sum + 12) = s0_12_0;
  *(sum + 13) = s0_13_0;
  *(sum + 14) = s0_14_0;
  *(sum + 15) = s0_15_0;
}

/* sum[row][branch][8] = a w for up to 3 rows of 8 columns; 57 of 66 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_8(float *sum, const float *a, const float *w, const int rows) {
  float s0_0_0 = 0.0f, s0_0_1 = 0.0f, s0_1_0 = 0.0f, s0_1_1 = 0.0f, s0_2_0 = 0.0f,
    s0_2_1 = 0.0f, s0_3_0 = 0.0f, s0_3_1 = 0.0f, s0_4_0 = 0.0f, s0_4_1 = 0.0f,
    s0_5_0 = 0.0f, s0_5_1 = 0.0f, s0_6_0 = 0.0f, s0_6_1 = 0.0f, s0_7_0 = 0.0f, s0_7_1 = 0.0f;
  float s1_0_0 = 0.0f, s1_0_1 = 0.0f, s1_1_0 = 0.0f, s1_1_1 = 0.0f, s1_2_0 = 0.0f,
    s1_2_1 = 0.0f, s1_3_0 = 0.0f, s1_3_1 = 0.0f, s1_4_0 = 0.0f, s1_4_1 = 0.0f,
    s1_5_0 = 0.0f, s1_5_1 = 0.0f, s1_6_0 = 0.0f, s1_6_1 = 0.0f, s1_7_0 = 0.0f, s1_7_1 = 0.0f;
  float s2_0_0 = 0.0f, s2_0_1 = 0.0f, s2_1_0 = 0.0f, s2_1_1 = 0.0f, s2_2_0 = 0.0f,
    s2_2_1 = 0.0f, s2_3_0 = 0.0f, s2_3_1 = 0.0f, s2_4_0 = 0.0f, s2_4_1 = 0.0f,
    s2_5_0 = 0.0f, s2_5_1 = 0.0f, s2_6_0 = 0.0f, s2_6_1 = 0.0f, s2_7_0 = 0.0f, s2_7_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= 8; k += 2, w += 32) {
    {
      const float w0 = *(w), w1 = *(w + 1), w2 = *(w + 2), w3 = *(w + 3), w4 = *(w + 4),
        w5 = *(w + 5), w6 = *(w + 6), w7 = *(w + 7);
      {
        const float x = a[k]; s0_0_0 = ffn_fma(x, w0, s0_0_0); s0_1_0 = ffn_fma(x, w1, s0_1_0);
        s0_2_0 = ffn_fma(x, w2, s0_2_0); s0_3_0 = ffn_fma(x, w3, s0_3_0);
        s0_4_0 = ffn_fma(x, w4, s0_4_0); s0_5_0 = ffn_fma(x, w5, s0_5_0);
        s0_6_0 = ffn_fma(x, w6, s0_6_0); s0_7_0 = ffn_fma(x, w7, s0_7_0);
      }
      if (rows > 1) {
        const float x = a[k + 16]; s1_0_0 = ffn_fma(x, w0, s1_0_0); s1_1_0 = ffn_fma(x, w1, s1_1_0);
        s1_2_0 = ffn_fma(x, w2, s1_2_0); s1_3_0 = ffn_fma(x, w3, s1_3_0);
        s1_4_0 = ffn_fma(x, w4, s1_4_0); s1_5_0 = ffn_fma(x, w5, s1_5_0);
        s1_6_0 = ffn_fma(x, w6, s1_6_0); s1_7_0 = ffn_fma(x, w7, s1_7_0);
      }
      if (rows > 2) {
        const float x = a[k + 32]; s2_0_0 = ffn_fma(x, w0, s2_0_0); s2_1_0 = ffn_fma(x, w1, s2_1_0);
        s2_2_0 = ffn_fma(x, w2, s2_2_0); s2_3_0 = ffn_fma(x, w3, s2_3_0);
        s2_4_0 = ffn_fma(x, w4, s2_4_0); s2_5_0 = ffn_fma(x, w5, s2_5_0);
        s2_6_0 = ffn_fma(x, w6, s2_6_0); s2_7_0 = ffn_fma(x, w7, s2_7_0);
      }
    }
    {
      const float w0 = *(w + 16), w1 = *(w + 17), w2 = *(w + 18), w3 = *(w + 19), w4 = *(w + 20),
        w5 = *(w + 21), w6 = *(w + 22), w7 = *(w + 23);
      {
        const float x = a[k + 1]; s0_0_1 = ffn_fma(x, w0, s0_0_1); s0_1_1 = ffn_fma(x, w1, s0_1_1);
        s0_2_1 = ffn_fma(x, w2, s0_2_1); s0_3_1 = ffn_fma(x, w3, s0_3_1);
        s0_4_1 = ffn_fma(x, w4, s0_4_1); s0_5_1 = ffn_fma(x, w5, s0_5_1);
        s0_6_1 = ffn_fma(x, w6, s0_6_1); s0_7_1 = ffn_fma(x, w7, s0_7_1);
      }
      if (rows > 1) {
        const float x = a[k + 17]; s1_0_1 = ffn_fma(x, w0, s1_0_1); s1_1_1 = ffn_fma(x, w1, s1_1_1);
        s1_2_1 = ffn_fma(x, w2, s1_2_1); s1_3_1 = ffn_fma(x, w3, s1_3_1);
        s1_4_1 = ffn_fma(x, w4, s1_4_1); s1_5_1 = ffn_fma(x, w5, s1_5_1);
        s1_6_1 = ffn_fma(x, w6, s1_6_1); s1_7_1 = ffn_fma(x, w7, s1_7_1);
      }
      if (rows > 2) {
        const float x = a[k + 33]; s2_0_1 = ffn_fma(x, w0, s2_0_1); s2_1_1 = ffn_fma(x, w1, s2_1_1);
        s2_2_1 = ffn_fma(x, w2, s2_2_1); s2_3_1 = ffn_fma(x, w3, s2_3_1);
        s2_4_1 = ffn_fma(x, w4, s2_4_1); s2_5_1 = ffn_fma(x, w5, s2_5_1);
        s2_6_1 = ffn_fma(x, w6, s2_6_1); s2_7_1 = ffn_fma(x, w7, s2_7_1);
      }
    }
  }
  if (k < 8) {
    const float w0 = *(w), w1 = *(w + 1), w2 = *(w + 2), w3 = *(w + 3), w4 = *(w + 4),
      w5 = *(w + 5), w6 = *(w + 6), w7 = *(w + 7);
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, w0, s0_0_0); s0_1_0 = ffn_fma(x, w1, s0_1_0);
      s0_2_0 = ffn_fma(x, w2, s0_2_0); s0_3_0 = ffn_fma(x, w3, s0_3_0);
      s0_4_0 = ffn_fma(x, w4, s0_4_0); s0_5_0 = ffn_fma(x, w5, s0_5_0);
      s0_6_0 = ffn_fma(x, w6, s0_6_0); s0_7_0 = ffn_fma(x, w7, s0_7_0);
    }
    if (rows > 1) {
      const float x = a[k + 16]; s1_0_0 = ffn_fma(x, w0, s1_0_0); s1_1_0 = ffn_fma(x, w1, s1_1_0);
      s1_2_0 = ffn_fma(x, w2, s1_2_0); s1_3_0 = ffn_fma(x, w3, s1_3_0);
      s1_4_0 = ffn_fma(x, w4, s1_4_0); s1_5_0 = ffn_fma(x, w5, s1_5_0);
      s1_6_0 = ffn_fma(x, w6, s1_6_0); s1_7_0 = ffn_fma(x, w7, s1_7_0);
    }
    if (rows > 2) {
      const float x = a[k + 32]; s2_0_0 = ffn_fma(x, w0, s2_0_0); s2_1_0 = ffn_fma(x, w1, s2_1_0);
      s2_2_0 = ffn_fma(x, w2, s2_2_0); s2_3_0 = ffn_fma(x, w3, s2_3_0);
      s2_4_0 = ffn_fma(x, w4, s2_4_0); s2_5_0 = ffn_fma(x, w5, s2_5_0);
      s2_6_0 = ffn_fma(x, w6, s2_6_0); s2_7_0 = ffn_fma(x, w7, s2_7_0);
    }
    ++k, w += 16;
  }
  s0_0_0 = (s0_0_0 + s0_0_1);
  s0_1_0 = (s0_1_0 + s0_1_1);
  s0_2_0 = (s0_2_0 + s0_2_1);
  s0_3_0 = (s0_3_0 + s0_3_1);
  s0_4_0 = (s0_4_0 + s0_4_1);
  s0_5_0 = (s0_5_0 + s0_5_1);
  s0_6_0 = (s0_6_0 + s0_6_1);
  s0_7_0 = (s0_7_0 + s0_7_1);
  if (rows > 1) {
    s1_0_0 = (s1_0_0 + s1_0_1);
    s1_1_0 = (s1_1_0 + s1_1_1);
    s1_2_0 = (s1_2_0 + s1_2_1);
    s1_3_0 = (s1_3_0 + s1_3_1);
    s1_4_0 = (s1_4_0 + s1_4_1);
    s1_5_0 = (s1_5_0 + s1_5_1);
    s1_6_0 = (s1_6_0 + s1_6_1);
    s1_7_0 = (s1_7_0 + s1_7_1);
  }
  if (rows > 2) {
    s2_0_0 = (s2_0_0 + s2_0_1);
    s2_1_0 = (s2_1_0 + s2_1_1);
    s2_2_0 = (s2_2_0 + s2_2_1);
    s2_3_0 = (s2_3_0 + s2_3_1);
    s2_4_0 = (s2_4_0 + s2_4_1);
    s2_5_0 = (s2_5_0 + s2_5_1);
    s2_6_0 = (s2_6_0 + s2_6_1);
    s2_7_0 = (s2_7_0 + s2_7_1);
  }
  *(sum) = s0_0_0;
  *(sum + 1) = s0_1_0;
  *(sum + 2) = s0_2_0;
  *(sum + 3) = s0_3_0;
  *(sum + 4) = s0_4_0;
  *(sum + 5) = s0_5_0;
  *(sum + 6) = s0_6_0;
  *(sum + 7) = s0_7_0;
  if (rows > 1) {
    *(sum + 8) = s1_0_0;
    *(sum + 9) = s1_1_0;
    *(sum + 10) = s1_2_0;
    *(sum + 11) = s1_3_0;
    *(sum + 12) = s1_4_0;
    *(sum + 13) = s1_5_0;
    *(sum + 14) = s1_6_0;
    *(sum + 15) = s1_7_0;
  }
  if (rows > 2) {
    *(sum + 16) = s2_0_0;
    *(sum + 17) = s2_1_0;
    *(sum + 18) = s2_2_0;
    *(sum + 19) = s2_3_0;
    *(sum + 20) = s2_4_0;
    *(sum + 21) = s2_5_0;
    *(sum + 22) = s2_6_0;
    *(sum + 23) = s2_7_0;
  }
}

FFN_NOINLINE void down_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_8(sum, a, w, 1); break;
  case 2: down_sums_tile_8(sum, a, w, 2); break;
  case 3: down_sums_tile_8(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias into y. */
FFN_NOINLINE void down_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 224 + column;
  const size_t valid = column < 4 ? ffn_min(4 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 1) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const float down = ((*(sum + c) + 0.0f) + *(bias + c));
      const float value = down;
      *(out) = value;
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
    if (task->rows <= 1 && left >= 16)
      cols = 16, most = 1, sums = down_sums_16;
    else
      cols = 8, most = 3, sums = down_sums_8;
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
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
                task->in + block * task->rows + row * 16, weights + (c - g) % FFN_PANEL,
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

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0xf02d40da8de26944), 2, chain_stages, 3, 222,
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

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_c;
const ffn_kernel ffn_relu_bias_d4_f8_f32_c = {
    "ffn_relu_bias_d4_f8_f32_c",
    "ffn_relu_bias_d4_f8_f32",
    FFN_KIND_FFN,
    FFN_RELU,
    FFN_F32,
    FFN_ISA_C,
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

