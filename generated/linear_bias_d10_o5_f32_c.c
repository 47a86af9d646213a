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
 * Templates  file, sizes, rows, call, tile, loop, ascend, step, finish, weights, chunk, strips,
 *            columns, add, tables, api, staged, descriptor, about
 * Tiles      linear: rows x columns 1 x 16, 3 x 8, 1 branch, at most 57 scalars
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Cost       100 flop per token; 768 bytes of packed weights; 42624 bytes of work memory per
 *            thread, 192 for one token
 * Sums       linear: k ascends in 2 interleaved chains; at most 7 roundings
 * Error      linear: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
/* linear: 10 -> 5, linear with bias, y = linear */
enum {
  LINEAR_INPUTS = 10,
  LINEAR_OUTPUTS = 5,
  LINEAR_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  LINEAR_WIDTH = 16, /* columns of a bundle */
  LINEAR_STEP = 64, /* bytes of one k of it: [16] */
  LINEAR_BUNDLE = LINEAR_INPUTS * LINEAR_STEP,
  LINEAR_AT = 64, /* bytes of packed weights in front of these */
  LINEAR_BIAS_AT = 704, /* and of its biases, [branch][columns] */
  LINEAR_ROUNDINGS = 7, /* at most, of a product in its sum */
  LINEAR_ROW = 16, /* numbers of a row in a block of the input */
  LINEAR_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  LINEAR_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = 64, /* bytes of each in work memory: x */
  SUM = 64, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 192, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 768 };

/* Adds sums to others. */
FFN_SHARED void ffn_add_4_c(
    float *to_a, float *to_b, float *to_c, float *to_d, const float a, const float b,
    const float c, const float d) {
  *to_a = (*to_a + a);
  *to_b = (*to_b + b);
  *to_c = (*to_c + c);
  *to_d = (*to_d + d);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_c(
    float *kept, const float a, const float b, const float c, const float d) {
  *(kept) = a;
  *(kept + 1) = b;
  *(kept + 2) = c;
  *(kept + 3) = d;
}

/* sum[row][branch][16] = a w: one row x 16 columns, all 10 k, in 34 scalars. `sum` begins at a
 * multiple of 4 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void linear_sums_tile_16(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  (void)rows;
  (void)lane;
  float s0_0_0 = 0.0f, s0_1_0 = 0.0f, s0_2_0 = 0.0f, s0_3_0 = 0.0f, s0_4_0 = 0.0f,
      s0_5_0 = 0.0f, s0_6_0 = 0.0f, s0_7_0 = 0.0f, s0_8_0 = 0.0f, s0_9_0 = 0.0f,
      s0_10_0 = 0.0f, s0_11_0 = 0.0f, s0_12_0 = 0.0f, s0_13_0 = 0.0f, s0_14_0 = 0.0f,
      s0_15_0 = 0.0f, s0_0_1 = 0.0f, s0_1_1 = 0.0f, s0_2_1 = 0.0f, s0_3_1 = 0.0f,
      s0_4_1 = 0.0f, s0_5_1 = 0.0f, s0_6_1 = 0.0f, s0_7_1 = 0.0f, s0_8_1 = 0.0f,
      s0_9_1 = 0.0f, s0_10_1 = 0.0f, s0_11_1 = 0.0f, s0_12_1 = 0.0f, s0_13_1 = 0.0f,
      s0_14_1 = 0.0f, s0_15_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
      const float w8 = *((const float *)(w + 32));
      const float w9 = *((const float *)(w + 36));
      const float w10 = *((const float *)(w + 40));
      const float w11 = *((const float *)(w + 44));
      const float w12 = *((const float *)(w + 48));
      const float w13 = *((const float *)(w + 52));
      const float w14 = *((const float *)(w + 56));
      const float w15 = *((const float *)(w + 60));
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
      const float w0 = *((const float *)(w + LINEAR_STEP));
      const float w1 = *((const float *)(w + LINEAR_STEP + 4));
      const float w2 = *((const float *)(w + LINEAR_STEP + 8));
      const float w3 = *((const float *)(w + LINEAR_STEP + 12));
      const float w4 = *((const float *)(w + LINEAR_STEP + 16));
      const float w5 = *((const float *)(w + LINEAR_STEP + 20));
      const float w6 = *((const float *)(w + LINEAR_STEP + 24));
      const float w7 = *((const float *)(w + LINEAR_STEP + 28));
      const float w8 = *((const float *)(w + LINEAR_STEP + 32));
      const float w9 = *((const float *)(w + LINEAR_STEP + 36));
      const float w10 = *((const float *)(w + LINEAR_STEP + 40));
      const float w11 = *((const float *)(w + LINEAR_STEP + 44));
      const float w12 = *((const float *)(w + LINEAR_STEP + 48));
      const float w13 = *((const float *)(w + LINEAR_STEP + 52));
      const float w14 = *((const float *)(w + LINEAR_STEP + 56));
      const float w15 = *((const float *)(w + LINEAR_STEP + 60));
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
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  ffn_add_4_c(&s0_8_0, &s0_9_0, &s0_10_0, &s0_11_0, s0_8_1, s0_9_1, s0_10_1, s0_11_1);
  ffn_add_4_c(&s0_12_0, &s0_13_0, &s0_14_0, &s0_15_0, s0_12_1, s0_13_1, s0_14_1, s0_15_1);
  ffn_keep_4_c(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  ffn_keep_4_c(sum + 4, s0_4_0, s0_5_0, s0_6_0, s0_7_0);
  ffn_keep_4_c(sum + 8, s0_8_0, s0_9_0, s0_10_0, s0_11_0);
  ffn_keep_4_c(sum + 12, s0_12_0, s0_13_0, s0_14_0, s0_15_0);
}

/* The 16 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void linear_sums_16(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  (void)rows;
  linear_sums_tile_16(sum, a, w, lane, 1);
}

/* sum[row][branch][8] = a w: at most 3 rows x 8 columns, all 10 k, in 57 scalars. `sum` begins
 * at a multiple of 4 bytes, `w` of 64, `a` of 4. `rows` is a constant at each call: what fewer
 * rows do not use compiles away. */
FFN_INLINE void linear_sums_tile_8(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  w += lane * 4;
  float s0_0_0 = 0.0f, s0_1_0 = 0.0f, s0_2_0 = 0.0f, s0_3_0 = 0.0f, s0_4_0 = 0.0f,
      s0_5_0 = 0.0f, s0_6_0 = 0.0f, s0_7_0 = 0.0f, s0_0_1 = 0.0f, s0_1_1 = 0.0f,
      s0_2_1 = 0.0f, s0_3_1 = 0.0f, s0_4_1 = 0.0f, s0_5_1 = 0.0f, s0_6_1 = 0.0f,
      s0_7_1 = 0.0f;
  float s1_0_0 = 0.0f, s1_1_0 = 0.0f, s1_2_0 = 0.0f, s1_3_0 = 0.0f, s1_4_0 = 0.0f,
      s1_5_0 = 0.0f, s1_6_0 = 0.0f, s1_7_0 = 0.0f, s1_0_1 = 0.0f, s1_1_1 = 0.0f,
      s1_2_1 = 0.0f, s1_3_1 = 0.0f, s1_4_1 = 0.0f, s1_5_1 = 0.0f, s1_6_1 = 0.0f,
      s1_7_1 = 0.0f;
  float s2_0_0 = 0.0f, s2_1_0 = 0.0f, s2_2_0 = 0.0f, s2_3_0 = 0.0f, s2_4_0 = 0.0f,
      s2_5_0 = 0.0f, s2_6_0 = 0.0f, s2_7_0 = 0.0f, s2_0_1 = 0.0f, s2_1_1 = 0.0f,
      s2_2_1 = 0.0f, s2_3_1 = 0.0f, s2_4_1 = 0.0f, s2_5_1 = 0.0f, s2_6_1 = 0.0f,
      s2_7_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
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
      const float w0 = *((const float *)(w + LINEAR_STEP));
      const float w1 = *((const float *)(w + LINEAR_STEP + 4));
      const float w2 = *((const float *)(w + LINEAR_STEP + 8));
      const float w3 = *((const float *)(w + LINEAR_STEP + 12));
      const float w4 = *((const float *)(w + LINEAR_STEP + 16));
      const float w5 = *((const float *)(w + LINEAR_STEP + 20));
      const float w6 = *((const float *)(w + LINEAR_STEP + 24));
      const float w7 = *((const float *)(w + LINEAR_STEP + 28));
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
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  if (rows > 1) {
    ffn_add_4_c(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
    ffn_add_4_c(&s1_4_0, &s1_5_0, &s1_6_0, &s1_7_0, s1_4_1, s1_5_1, s1_6_1, s1_7_1);
  }
  if (rows > 2) {
    ffn_add_4_c(&s2_0_0, &s2_1_0, &s2_2_0, &s2_3_0, s2_0_1, s2_1_1, s2_2_1, s2_3_1);
    ffn_add_4_c(&s2_4_0, &s2_5_0, &s2_6_0, &s2_7_0, s2_4_1, s2_5_1, s2_6_1, s2_7_1);
  }
  ffn_keep_4_c(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  ffn_keep_4_c(sum + 4, s0_4_0, s0_5_0, s0_6_0, s0_7_0);
  if (rows > 1) {
    ffn_keep_4_c(sum + 8, s1_0_0, s1_1_0, s1_2_0, s1_3_0);
    ffn_keep_4_c(sum + 12, s1_4_0, s1_5_0, s1_6_0, s1_7_0);
  }
  if (rows > 2) {
    ffn_keep_4_c(sum + 16, s2_0_0, s2_1_0, s2_2_0, s2_3_0);
    ffn_keep_4_c(sum + 20, s2_4_0, s2_5_0, s2_6_0, s2_7_0);
  }
}

/* The 8 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void linear_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  switch (rows) {
  case 1:
    linear_sums_tile_8(sum, a, w, lane, 1);
    break;
  case 2:
    linear_sums_tile_8(sum, a, w, lane, 2);
    break;
  case 3:
    linear_sums_tile_8(sum, a, w, lane, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = linear, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 4
 * bytes, `out` of 4. */
FFN_NOINLINE void linear_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  const size_t valid = column < LINEAR_OUTPUTS ? ffn_min(LINEAR_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 1) {
      float *out = task->out + row * task->out_stride + column + c;
      const float linear = (*(sum + c) + *(linear_bias + c));
      *(out) = linear;
    }
  }
}

/* The bundle of the output `column`, from input k on. */
FFN_INLINE const char *linear_weights(const ffn_task *task, size_t column, size_t k) {
  const size_t bundle = (column - task->begins) / LINEAR_WIDTH;
  return task->weights + bundle * LINEAR_BUNDLE + k * LINEAR_STEP;
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t linear_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = ffn_max(cols, LINEAR_WIDTH); /* whole bundles */
  const size_t chunk = task->rows <= LINEAR_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, LINEAR_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += strip) {
    const char *weights = linear_weights(task, column + g, 0);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + strip; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LINEAR_ROW;
        const char *w = weights;
        const size_t lane = c - g;
        sums(sum, a, w, lane, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    linear_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void linear_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 16)
    column += linear_chunk(task, column, 16, 1, linear_sums_16);
  while (column < task->last)
    column += linear_chunk(task, column, 8, 3, linear_sums_8);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
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
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        linear_columns, /* columns */
        ffn_take_f32, /* take */
        LINEAR_INPUTS, /* inputs */
        LINEAR_OUTPUTS, /* outputs */
        0, /* in_at */
        LINEAR_ROW, /* block */
        16, /* column_step */
        LINEAR_AT, /* weights_at */
        LINEAR_BIAS_AT, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x526446c42c18317f), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    ffn_walk_rows, /* rows */
    ffn_walk_columns, /* columns */
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

/* Packs all matrices and biases of 1 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 1, weights));
  ffn_pack_stage(
      header, &packing_f32, LINEAR_AT, LINEAR_WIDTH, LINEAR_BIAS_AT,
      stages, 0, weights, group);
}

/* Unpacks all matrices and biases of 1 stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[1];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
  ffn_unpack_stage(
      to, header, &packing_f32, LINEAR_AT, LINEAR_WIDTH, LINEAR_BIAS_AT,
      stages, 0, group);
}
#endif

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), LINEAR_WIDTH, LINEAR_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 1 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel linear_bias_d10_o5_f32_c;
const ffn_kernel linear_bias_d10_o5_f32_c = {
    "linear_bias_d10_o5_f32_c", /* name */
    "linear_bias_d10_o5_f32", /* layer */
    "linear_bias_d10_o5_f32", /* packed */
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
    WEIGHT_BYTES, /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW, /* work_row_bytes */
    BESIDE, /* work_beside_bytes */
    1, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
    FFN_IF_PACK(pack), /* pack */
    FFN_IF_PACK(unpack), /* unpack */
    run_forward, /* run */
    NULL, /* choices */
    FFN_IF_STAGES(&by_stage), /* staged */
};
FFN_EXACT_END
