/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * linear_bias_d10_o5_f32_c
 * linear, 10 -> 5, with biases, f32, for c
 * One linear layer
 *
 *     y = x W^T + b
 *
 * Remake     ffngen generate
 * Spec       linear_10_5
 * Templates  file, sizes, rows, call, tile, loop, ascend, step, finish, weights, dispatch, columns,
 *            groups, add, tables, api, about
 * Tiles      linear: rows x columns 1 x 16, 3 x 8, 1 branch, at most 57 scalars
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       100 flop per token; 768 bytes of packed weights; 42624 bytes of work memory per
 *            thread, 192 for one token
 * Sums       linear: k ascends in 2 interleaved chains; at most 7 roundings
 * Error      linear: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 5
#error "made for ABI 5 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
/* linear: 10 -> 5, linear with bias, y = linear */
enum {
  LINEAR_INPUTS = 10,
  LINEAR_OUTPUTS = 5,
  LINEAR_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  LINEAR_STEP = FFN_PANEL, /* weights of one k in a panel */
  LINEAR_PANEL = LINEAR_INPUTS * LINEAR_STEP,
  LINEAR_ROUNDINGS = 7, /* at most, of a product in its sum */
  LINEAR_ROW = 16, /* floats of a row in a block of the input */
  LINEAR_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  LINEAR_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = LINEAR_ROW, /* floats of each in work memory: x */
  SUM = LINEAR_CHUNK, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = OPERAND1 + SUM + ADD, /* floats of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float linear[LINEAR_PANELS][LINEAR_INPUTS][1][FFN_PANEL];
  float linear_bias[1][LINEAR_PANELS * FFN_PANEL];
} packed_weights;

/* sum[row][branch][16] = a w over all k, one row; 34 scalars. */
FFN_INLINE void linear_sums_tile_16(
    float *sum, const float *a, const float *w, const int rows) {
  (void)rows;
  float s0_0_0 = 0.0f;
  float s0_0_1 = 0.0f;
  float s0_1_0 = 0.0f;
  float s0_1_1 = 0.0f;
  float s0_2_0 = 0.0f;
  float s0_2_1 = 0.0f;
  float s0_3_0 = 0.0f;
  float s0_3_1 = 0.0f;
  float s0_4_0 = 0.0f;
  float s0_4_1 = 0.0f;
  float s0_5_0 = 0.0f;
  float s0_5_1 = 0.0f;
  float s0_6_0 = 0.0f;
  float s0_6_1 = 0.0f;
  float s0_7_0 = 0.0f;
  float s0_7_1 = 0.0f;
  float s0_8_0 = 0.0f;
  float s0_8_1 = 0.0f;
  float s0_9_0 = 0.0f;
  float s0_9_1 = 0.0f;
  float s0_10_0 = 0.0f;
  float s0_10_1 = 0.0f;
  float s0_11_0 = 0.0f;
  float s0_11_1 = 0.0f;
  float s0_12_0 = 0.0f;
  float s0_12_1 = 0.0f;
  float s0_13_0 = 0.0f;
  float s0_13_1 = 0.0f;
  float s0_14_0 = 0.0f;
  float s0_14_1 = 0.0f;
  float s0_15_0 = 0.0f;
  float s0_15_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float w8 = *(w + 8);
      const float w9 = *(w + 9);
      const float w10 = *(w + 10);
      const float w11 = *(w + 11);
      const float w12 = *(w + 12);
      const float w13 = *(w + 13);
      const float w14 = *(w + 14);
      const float w15 = *(w + 15);
      const float x0 = a[k];
      s0_0_0 = ffn_fma(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma(x0, w3, s0_3_0);
      s0_4_0 = ffn_fma(x0, w4, s0_4_0);
      s0_5_0 = ffn_fma(x0, w5, s0_5_0);
      s0_6_0 = ffn_fma(x0, w6, s0_6_0);
      s0_7_0 = ffn_fma(x0, w7, s0_7_0);
      s0_8_0 = ffn_fma(x0, w8, s0_8_0);
      s0_9_0 = ffn_fma(x0, w9, s0_9_0);
      s0_10_0 = ffn_fma(x0, w10, s0_10_0);
      s0_11_0 = ffn_fma(x0, w11, s0_11_0);
      s0_12_0 = ffn_fma(x0, w12, s0_12_0);
      s0_13_0 = ffn_fma(x0, w13, s0_13_0);
      s0_14_0 = ffn_fma(x0, w14, s0_14_0);
      s0_15_0 = ffn_fma(x0, w15, s0_15_0);
    }
    {
      const float w0 = *(w + LINEAR_STEP);
      const float w1 = *(w + LINEAR_STEP + 1);
      const float w2 = *(w + LINEAR_STEP + 2);
      const float w3 = *(w + LINEAR_STEP + 3);
      const float w4 = *(w + LINEAR_STEP + 4);
      const float w5 = *(w + LINEAR_STEP + 5);
      const float w6 = *(w + LINEAR_STEP + 6);
      const float w7 = *(w + LINEAR_STEP + 7);
      const float w8 = *(w + LINEAR_STEP + 8);
      const float w9 = *(w + LINEAR_STEP + 9);
      const float w10 = *(w + LINEAR_STEP + 10);
      const float w11 = *(w + LINEAR_STEP + 11);
      const float w12 = *(w + LINEAR_STEP + 12);
      const float w13 = *(w + LINEAR_STEP + 13);
      const float w14 = *(w + LINEAR_STEP + 14);
      const float w15 = *(w + LINEAR_STEP + 15);
      const float x0 = a[k + 1];
      s0_0_1 = ffn_fma(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma(x0, w3, s0_3_1);
      s0_4_1 = ffn_fma(x0, w4, s0_4_1);
      s0_5_1 = ffn_fma(x0, w5, s0_5_1);
      s0_6_1 = ffn_fma(x0, w6, s0_6_1);
      s0_7_1 = ffn_fma(x0, w7, s0_7_1);
      s0_8_1 = ffn_fma(x0, w8, s0_8_1);
      s0_9_1 = ffn_fma(x0, w9, s0_9_1);
      s0_10_1 = ffn_fma(x0, w10, s0_10_1);
      s0_11_1 = ffn_fma(x0, w11, s0_11_1);
      s0_12_1 = ffn_fma(x0, w12, s0_12_1);
      s0_13_1 = ffn_fma(x0, w13, s0_13_1);
      s0_14_1 = ffn_fma(x0, w14, s0_14_1);
      s0_15_1 = ffn_fma(x0, w15, s0_15_1);
    }
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

FFN_NOINLINE void linear_sums_16(
    float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  linear_sums_tile_16(sum, a, w, 1);
}

/* sum[row][branch][8] = a w over all k, at most 3 rows; 57 scalars.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void linear_sums_tile_8(
    float *sum, const float *a, const float *w, const int rows) {
  float s0_0_0 = 0.0f;
  float s0_0_1 = 0.0f;
  float s0_1_0 = 0.0f;
  float s0_1_1 = 0.0f;
  float s0_2_0 = 0.0f;
  float s0_2_1 = 0.0f;
  float s0_3_0 = 0.0f;
  float s0_3_1 = 0.0f;
  float s0_4_0 = 0.0f;
  float s0_4_1 = 0.0f;
  float s0_5_0 = 0.0f;
  float s0_5_1 = 0.0f;
  float s0_6_0 = 0.0f;
  float s0_6_1 = 0.0f;
  float s0_7_0 = 0.0f;
  float s0_7_1 = 0.0f;
  float s1_0_0 = 0.0f;
  float s1_0_1 = 0.0f;
  float s1_1_0 = 0.0f;
  float s1_1_1 = 0.0f;
  float s1_2_0 = 0.0f;
  float s1_2_1 = 0.0f;
  float s1_3_0 = 0.0f;
  float s1_3_1 = 0.0f;
  float s1_4_0 = 0.0f;
  float s1_4_1 = 0.0f;
  float s1_5_0 = 0.0f;
  float s1_5_1 = 0.0f;
  float s1_6_0 = 0.0f;
  float s1_6_1 = 0.0f;
  float s1_7_0 = 0.0f;
  float s1_7_1 = 0.0f;
  float s2_0_0 = 0.0f;
  float s2_0_1 = 0.0f;
  float s2_1_0 = 0.0f;
  float s2_1_1 = 0.0f;
  float s2_2_0 = 0.0f;
  float s2_2_1 = 0.0f;
  float s2_3_0 = 0.0f;
  float s2_3_1 = 0.0f;
  float s2_4_0 = 0.0f;
  float s2_4_1 = 0.0f;
  float s2_5_0 = 0.0f;
  float s2_5_1 = 0.0f;
  float s2_6_0 = 0.0f;
  float s2_6_1 = 0.0f;
  float s2_7_0 = 0.0f;
  float s2_7_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float x0 = a[k];
      s0_0_0 = ffn_fma(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma(x0, w3, s0_3_0);
      s0_4_0 = ffn_fma(x0, w4, s0_4_0);
      s0_5_0 = ffn_fma(x0, w5, s0_5_0);
      s0_6_0 = ffn_fma(x0, w6, s0_6_0);
      s0_7_0 = ffn_fma(x0, w7, s0_7_0);
      if (rows > 1) {
        const float x1 = a[k + LINEAR_ROW];
        s1_0_0 = ffn_fma(x1, w0, s1_0_0);
        s1_1_0 = ffn_fma(x1, w1, s1_1_0);
        s1_2_0 = ffn_fma(x1, w2, s1_2_0);
        s1_3_0 = ffn_fma(x1, w3, s1_3_0);
        s1_4_0 = ffn_fma(x1, w4, s1_4_0);
        s1_5_0 = ffn_fma(x1, w5, s1_5_0);
        s1_6_0 = ffn_fma(x1, w6, s1_6_0);
        s1_7_0 = ffn_fma(x1, w7, s1_7_0);
      }
      if (rows > 2) {
        const float x2 = a[k + 2 * LINEAR_ROW];
        s2_0_0 = ffn_fma(x2, w0, s2_0_0);
        s2_1_0 = ffn_fma(x2, w1, s2_1_0);
        s2_2_0 = ffn_fma(x2, w2, s2_2_0);
        s2_3_0 = ffn_fma(x2, w3, s2_3_0);
        s2_4_0 = ffn_fma(x2, w4, s2_4_0);
        s2_5_0 = ffn_fma(x2, w5, s2_5_0);
        s2_6_0 = ffn_fma(x2, w6, s2_6_0);
        s2_7_0 = ffn_fma(x2, w7, s2_7_0);
      }
    }
    {
      const float w0 = *(w + LINEAR_STEP);
      const float w1 = *(w + LINEAR_STEP + 1);
      const float w2 = *(w + LINEAR_STEP + 2);
      const float w3 = *(w + LINEAR_STEP + 3);
      const float w4 = *(w + LINEAR_STEP + 4);
      const float w5 = *(w + LINEAR_STEP + 5);
      const float w6 = *(w + LINEAR_STEP + 6);
      const float w7 = *(w + LINEAR_STEP + 7);
      const float x0 = a[k + 1];
      s0_0_1 = ffn_fma(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma(x0, w3, s0_3_1);
      s0_4_1 = ffn_fma(x0, w4, s0_4_1);
      s0_5_1 = ffn_fma(x0, w5, s0_5_1);
      s0_6_1 = ffn_fma(x0, w6, s0_6_1);
      s0_7_1 = ffn_fma(x0, w7, s0_7_1);
      if (rows > 1) {
        const float x1 = a[k + LINEAR_ROW + 1];
        s1_0_1 = ffn_fma(x1, w0, s1_0_1);
        s1_1_1 = ffn_fma(x1, w1, s1_1_1);
        s1_2_1 = ffn_fma(x1, w2, s1_2_1);
        s1_3_1 = ffn_fma(x1, w3, s1_3_1);
        s1_4_1 = ffn_fma(x1, w4, s1_4_1);
        s1_5_1 = ffn_fma(x1, w5, s1_5_1);
        s1_6_1 = ffn_fma(x1, w6, s1_6_1);
        s1_7_1 = ffn_fma(x1, w7, s1_7_1);
      }
      if (rows > 2) {
        const float x2 = a[k + 2 * LINEAR_ROW + 1];
        s2_0_1 = ffn_fma(x2, w0, s2_0_1);
        s2_1_1 = ffn_fma(x2, w1, s2_1_1);
        s2_2_1 = ffn_fma(x2, w2, s2_2_1);
        s2_3_1 = ffn_fma(x2, w3, s2_3_1);
        s2_4_1 = ffn_fma(x2, w4, s2_4_1);
        s2_5_1 = ffn_fma(x2, w5, s2_5_1);
        s2_6_1 = ffn_fma(x2, w6, s2_6_1);
        s2_7_1 = ffn_fma(x2, w7, s2_7_1);
      }
    }
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

FFN_NOINLINE void linear_sums_8(
    float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1:
    linear_sums_tile_8(sum, a, w, 1);
    break;
  case 2:
    linear_sums_tile_8(sum, a, w, 2);
    break;
  case 3:
    linear_sums_tile_8(sum, a, w, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = linear. */
FFN_NOINLINE void linear_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  const float *linear_bias = packed->linear_bias[0] + column;
  const size_t valid =
      column < LINEAR_OUTPUTS ? ffn_min(LINEAR_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 1) {
      float *out = task->out + row * task->out_stride + column + c;
      float linear = *(sum + c);
      linear = (linear + *(linear_bias + c));
      *(out) = linear;
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *linear_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->linear[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void linear_sums(
    float *sum, const float *a, const float *w, const size_t cols, size_t rows) {
  if (cols == 16)
    linear_sums_16(sum, a, w, rows);
  else
    linear_sums_8(sum, a, w, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t linear_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols; /* whole panels */
  const size_t chunk =
      task->rows <= LINEAR_STREAM_ROWS ? group : ffn_min(left / group * group, LINEAR_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += group) {
    const float *weights = linear_weights(task, column + g, 0);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + group; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LINEAR_ROW;
        const float *w = weights + (c - g) % FFN_PANEL;
        linear_sums(sum, a, w, cols, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    linear_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void linear_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 16)
    column += linear_chunk(task, column, 16, 1);
  while (column < task->last)
    column += linear_chunk(task, column, 8, 3);
}

#ifndef FFN_NO_ADD
/* y + scale * row, rounded once. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  for (size_t i = 0; i < count; ++i)
    *(y + i) = ffn_fma(scale, *(row + i), *(y + i));
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

static const ffn_stage_walk walks[] = {
    {
        linear_columns, /* columns */
        LINEAR_INPUTS, /* inputs */
        LINEAR_OUTPUTS, /* outputs */
        0, /* in_at */
        LINEAR_ROW, /* row */
        16, /* column_step */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x526446c42c18317f), /* layer_hash */
    ffn_walk_rows, /* rows */
    1, /* stage_count */
    walks, /* stages */
    1, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    LINEAR_INPUTS, /* inputs */
    LINEAR_OUTPUTS, /* outputs */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
    OPERAND1 + SUM, /* add_at */
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

extern const ffn_kernel linear_bias_d10_o5_f32_c;
const ffn_kernel linear_bias_d10_o5_f32_c = {
    "linear_bias_d10_o5_f32_c", /* name */
    "linear_bias_d10_o5_f32", /* layer */
    FFN_KIND_LINEAR, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_C, /* isa */
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
    1, /* in_place */
    run, /* run */
#ifndef FFN_NO_ADD
    add, /* add */
#else
    NULL, /* add */
#endif
};
FFN_EXACT_END
