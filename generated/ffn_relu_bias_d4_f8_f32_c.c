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
 * Spec       paper_example
 * Templates  file, sizes, rows, call, tile, loop, ascend, step, finish, weights, chunk, strips,
 *            columns, add, tables, api, staged, descriptor, about
 * Tiles      up: rows x columns 3 x 16, 1 branch, at most 65 scalars
 * Tiles      down: rows x columns 1 x 16, 3 x 8, 1 branch, at most 57 scalars
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Cost       128 flop per token; 960 bytes of packed weights; 42624 bytes of work memory per
 *            thread, 192 for one token
 * Sums       up: k ascends; at most 5 roundings
 * Sums       down: k ascends in 2 interleaved chains; at most 6 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 5 2^-24; relu exact
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 6 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
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
  UP_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  UP_CHUNK = 16, /* columns whose sums are kept, where there are more */
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
  DOWN_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  DOWN_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = 64, /* bytes of each in work memory: x */
  OPERAND2 = 64, /* bytes of each in work memory: h */
  SUM = 64, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 192, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 960 };

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_c(
    float *kept, const float a, const float b, const float c, const float d) {
  *(kept) = a;
  *(kept + 1) = b;
  *(kept + 2) = c;
  *(kept + 3) = d;
}

/* Adds sums to others. */
FFN_SHARED void ffn_add_4_c(
    float *to_a, float *to_b, float *to_c, float *to_d, const float a, const float b,
    const float c, const float d) {
  *to_a = (*to_a + a);
  *to_b = (*to_b + b);
  *to_c = (*to_c + c);
  *to_d = (*to_d + d);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202.
 * Of one float. */
FFN_INLINE float act_relu(const float x) {
  return (x < 0.0f ? 0.0f : x);
}

#if !FFN_WIDE
/* sum[row][branch][16] = a w: at most 3 rows x 16 columns, all 4 k, in 65 scalars. `sum` begins
 * at a multiple of 4 bytes, `w` of 64, `a` of 4. `rows` is a constant at each call: what fewer
 * rows do not use compiles away. */
FFN_INLINE void up_sums_tile_16(
    float *sum, const float *a, const char *w, const int rows) {
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
      s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
      s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f;
  float s1_0 = 0.0f, s1_1 = 0.0f, s1_2 = 0.0f, s1_3 = 0.0f, s1_4 = 0.0f, s1_5 = 0.0f,
      s1_6 = 0.0f, s1_7 = 0.0f, s1_8 = 0.0f, s1_9 = 0.0f, s1_10 = 0.0f, s1_11 = 0.0f,
      s1_12 = 0.0f, s1_13 = 0.0f, s1_14 = 0.0f, s1_15 = 0.0f;
  float s2_0 = 0.0f, s2_1 = 0.0f, s2_2 = 0.0f, s2_3 = 0.0f, s2_4 = 0.0f, s2_5 = 0.0f,
      s2_6 = 0.0f, s2_7 = 0.0f, s2_8 = 0.0f, s2_9 = 0.0f, s2_10 = 0.0f, s2_11 = 0.0f,
      s2_12 = 0.0f, s2_13 = 0.0f, s2_14 = 0.0f, s2_15 = 0.0f;
  for (size_t k = 0; k < UP_INPUTS; ++k, w += UP_STEP) {
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
    s0_0 = ffn_fma(x0, w0, s0_0);
    s0_1 = ffn_fma(x0, w1, s0_1);
    s0_2 = ffn_fma(x0, w2, s0_2);
    s0_3 = ffn_fma(x0, w3, s0_3);
    s0_4 = ffn_fma(x0, w4, s0_4);
    s0_5 = ffn_fma(x0, w5, s0_5);
    s0_6 = ffn_fma(x0, w6, s0_6);
    s0_7 = ffn_fma(x0, w7, s0_7);
    s0_8 = ffn_fma(x0, w8, s0_8);
    s0_9 = ffn_fma(x0, w9, s0_9);
    s0_10 = ffn_fma(x0, w10, s0_10);
    s0_11 = ffn_fma(x0, w11, s0_11);
    s0_12 = ffn_fma(x0, w12, s0_12);
    s0_13 = ffn_fma(x0, w13, s0_13);
    s0_14 = ffn_fma(x0, w14, s0_14);
    s0_15 = ffn_fma(x0, w15, s0_15);
    if (rows > 1) {
      const float x1 = a[k + UP_ROW];
      s1_0 = ffn_fma(x1, w0, s1_0);
      s1_1 = ffn_fma(x1, w1, s1_1);
      s1_2 = ffn_fma(x1, w2, s1_2);
      s1_3 = ffn_fma(x1, w3, s1_3);
      s1_4 = ffn_fma(x1, w4, s1_4);
      s1_5 = ffn_fma(x1, w5, s1_5);
      s1_6 = ffn_fma(x1, w6, s1_6);
      s1_7 = ffn_fma(x1, w7, s1_7);
      s1_8 = ffn_fma(x1, w8, s1_8);
      s1_9 = ffn_fma(x1, w9, s1_9);
      s1_10 = ffn_fma(x1, w10, s1_10);
      s1_11 = ffn_fma(x1, w11, s1_11);
      s1_12 = ffn_fma(x1, w12, s1_12);
      s1_13 = ffn_fma(x1, w13, s1_13);
      s1_14 = ffn_fma(x1, w14, s1_14);
      s1_15 = ffn_fma(x1, w15, s1_15);
    }
    if (rows > 2) {
      const float x2 = a[k + 2 * UP_ROW];
      s2_0 = ffn_fma(x2, w0, s2_0);
      s2_1 = ffn_fma(x2, w1, s2_1);
      s2_2 = ffn_fma(x2, w2, s2_2);
      s2_3 = ffn_fma(x2, w3, s2_3);
      s2_4 = ffn_fma(x2, w4, s2_4);
      s2_5 = ffn_fma(x2, w5, s2_5);
      s2_6 = ffn_fma(x2, w6, s2_6);
      s2_7 = ffn_fma(x2, w7, s2_7);
      s2_8 = ffn_fma(x2, w8, s2_8);
      s2_9 = ffn_fma(x2, w9, s2_9);
      s2_10 = ffn_fma(x2, w10, s2_10);
      s2_11 = ffn_fma(x2, w11, s2_11);
      s2_12 = ffn_fma(x2, w12, s2_12);
      s2_13 = ffn_fma(x2, w13, s2_13);
      s2_14 = ffn_fma(x2, w14, s2_14);
      s2_15 = ffn_fma(x2, w15, s2_15);
    }
  }
  ffn_keep_4_c(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_c(sum + 4, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_c(sum + 8, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_c(sum + 12, s0_12, s0_13, s0_14, s0_15);
  if (rows > 1) {
    ffn_keep_4_c(sum + 16, s1_0, s1_1, s1_2, s1_3);
    ffn_keep_4_c(sum + 20, s1_4, s1_5, s1_6, s1_7);
    ffn_keep_4_c(sum + 24, s1_8, s1_9, s1_10, s1_11);
    ffn_keep_4_c(sum + 28, s1_12, s1_13, s1_14, s1_15);
  }
  if (rows > 2) {
    ffn_keep_4_c(sum + 32, s2_0, s2_1, s2_2, s2_3);
    ffn_keep_4_c(sum + 36, s2_4, s2_5, s2_6, s2_7);
    ffn_keep_4_c(sum + 40, s2_8, s2_9, s2_10, s2_11);
    ffn_keep_4_c(sum + 44, s2_12, s2_13, s2_14, s2_15);
  }
}
#endif

/* The 16 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void up_sums_16(float *sum, const float *a, const char *w, size_t rows) {
#if FFN_WIDE
  const ffn_wide_columns panel[] = {
    {w, 32},
  };
  ffn_wide_sums(sum, 16, a, UP_ROW, panel, 1, UP_STEP,
      UP_INPUTS, rows, 0);
#else
  switch (rows) {
  case 1:
    up_sums_tile_16(sum, a, w, 1);
    break;
  case 2:
    up_sums_tile_16(sum, a, w, 2);
    break;
  case 3:
    up_sums_tile_16(sum, a, w, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
#endif
}

/* h = relu(up), of all rows x `cols` columns from `column` on, in 2 scalars; beyond the last
 * output it meets zero weights. `sum` begins at a multiple of 4 bytes, `out` of 4. */
FFN_NOINLINE void up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *up_bias = task->bias + column - task->begins;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const float up = (*(sum + c) + *(up_bias + c));
      *(out) = act_relu(up);
    }
  }
}

/* The bundle of the output `column`, from input k on. Sizes, in capitals, are those of the
 * caller, and constants. */
FFN_INLINE const char *weights_at(
    const ffn_task *task, size_t column, size_t k,
    const size_t WIDTH, const size_t BUNDLE, const size_t STEP) {
  const size_t bundle = (column - task->begins) / WIDTH;
  return task->weights + bundle * BUNDLE + k * STEP;
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= UP_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, UP_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += strip) {
    const char *weights = weights_at(task, column + g, 0, UP_WIDTH, UP_BUNDLE, UP_STEP);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + strip; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * UP_ROW;
        const char *w = weights;
        sums(sum, a, w, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    up_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void up_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += up_chunk(task, column, 16, FFN_TILE_ROWS(3), up_sums_16);
}

/* sum[row][branch][16] = a w: one row x 16 columns, all 8 k, in 34 scalars. `sum` begins at a
 * multiple of 4 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void down_sums_tile_16(
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
  for (; k + 2 <= DOWN_INPUTS; k += 2, w += 2 * DOWN_STEP) {
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
      const float w0 = *((const float *)(w + DOWN_STEP));
      const float w1 = *((const float *)(w + DOWN_STEP + 4));
      const float w2 = *((const float *)(w + DOWN_STEP + 8));
      const float w3 = *((const float *)(w + DOWN_STEP + 12));
      const float w4 = *((const float *)(w + DOWN_STEP + 16));
      const float w5 = *((const float *)(w + DOWN_STEP + 20));
      const float w6 = *((const float *)(w + DOWN_STEP + 24));
      const float w7 = *((const float *)(w + DOWN_STEP + 28));
      const float w8 = *((const float *)(w + DOWN_STEP + 32));
      const float w9 = *((const float *)(w + DOWN_STEP + 36));
      const float w10 = *((const float *)(w + DOWN_STEP + 40));
      const float w11 = *((const float *)(w + DOWN_STEP + 44));
      const float w12 = *((const float *)(w + DOWN_STEP + 48));
      const float w13 = *((const float *)(w + DOWN_STEP + 52));
      const float w14 = *((const float *)(w + DOWN_STEP + 56));
      const float w15 = *((const float *)(w + DOWN_STEP + 60));
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
FFN_NOINLINE void down_sums_16(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  (void)rows;
  down_sums_tile_16(sum, a, w, lane, 1);
}

/* sum[row][branch][8] = a w: at most 3 rows x 8 columns, all 8 k, in 57 scalars. `sum` begins at
 * a multiple of 4 bytes, `w` of 64, `a` of 4. `rows` is a constant at each call: what fewer rows
 * do not use compiles away. */
FFN_INLINE void down_sums_tile_8(
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
  for (; k + 2 <= DOWN_INPUTS; k += 2, w += 2 * DOWN_STEP) {
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
        const float x1 = a[k + DOWN_ROW];
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
        const float x2 = a[k + 2 * DOWN_ROW];
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
      const float w0 = *((const float *)(w + DOWN_STEP));
      const float w1 = *((const float *)(w + DOWN_STEP + 4));
      const float w2 = *((const float *)(w + DOWN_STEP + 8));
      const float w3 = *((const float *)(w + DOWN_STEP + 12));
      const float w4 = *((const float *)(w + DOWN_STEP + 16));
      const float w5 = *((const float *)(w + DOWN_STEP + 20));
      const float w6 = *((const float *)(w + DOWN_STEP + 24));
      const float w7 = *((const float *)(w + DOWN_STEP + 28));
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
        const float x1 = a[k + DOWN_ROW + 1];
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
        const float x2 = a[k + 2 * DOWN_ROW + 1];
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
FFN_NOINLINE void down_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  switch (rows) {
  case 1:
    down_sums_tile_8(sum, a, w, lane, 1);
    break;
  case 2:
    down_sums_tile_8(sum, a, w, lane, 2);
    break;
  case 3:
    down_sums_tile_8(sum, a, w, lane, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = down, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 4
 * bytes, `out` of 4. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *down_bias = task->bias + column - task->begins;
  const size_t valid = column < DOWN_OUTPUTS ? ffn_min(DOWN_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 1) {
      float *out = task->out + row * task->out_stride + column + c;
      const float down = ((*(sum + c) + 0.0f) + *(down_bias + c));
      *(out) = down;
    }
  }
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t down_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = ffn_max(cols, DOWN_WIDTH); /* whole bundles */
  const size_t chunk = task->rows <= DOWN_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, DOWN_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += strip) {
    const char *weights = weights_at(task, column + g, 0, DOWN_WIDTH, DOWN_BUNDLE, DOWN_STEP);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + strip; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * DOWN_ROW;
        const char *w = weights;
        const size_t lane = c - g;
        sums(sum, a, w, lane, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    down_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 16)
    column += down_chunk(task, column, 16, 1, down_sums_16);
  while (column < task->last)
    column += down_chunk(task, column, 8, 3, down_sums_8);
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
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
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
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        up_columns, /* columns */
        ffn_take_f32, /* take */
        UP_INPUTS, /* inputs */
        UP_OUTPUTS, /* outputs */
        0, /* in_at */
        UP_ROW, /* block */
        16, /* column_step */
        UP_AT, /* weights_at */
        UP_BIAS_AT, /* bias_at */
    },
    {
        down_columns, /* columns */
        NULL, /* take */
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        DOWN_ROW, /* block */
        16, /* column_step */
        DOWN_AT, /* weights_at */
        DOWN_BIAS_AT, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xf02d40da8de26944), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    ffn_walk_rows, /* rows */
    ffn_walk_columns, /* columns */
    2, /* stage_count */
    walks, /* stages */
    1, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1 + OPERAND2, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
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

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), UP_WIDTH, UP_BUNDLE},
    {FFN_IF_PACK(&packing_f32), DOWN_WIDTH, DOWN_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 2 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_c;
const ffn_kernel ffn_relu_bias_d4_f8_f32_c = {
    "ffn_relu_bias_d4_f8_f32_c", /* name */
    "ffn_relu_bias_d4_f8_f32", /* layer */
    "ffn_relu_bias_d4_f8_f32", /* packed */
    FFN_KIND_FFN, /* kind */
    FFN_RELU, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_C, /* isa */
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
    FFN_IF_STAGES(&by_stage), /* staged */
};
FFN_EXACT_END
