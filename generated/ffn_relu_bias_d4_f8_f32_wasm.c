/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_relu_bias_d4_f8_f32_wasm
 * FFN relu, 4 -> 8 -> 4, with biases, f32, for wasm
 * The worked example on paper: 4 -> 8 -> 4, ReLU
 *
 *     h = relu(x W_up^T + b_up)
 *     y = h W_down^T + b_down
 *
 * Remake     ffngen generate
 * Spec       paper_example
 * Templates  file, sizes, tile, loop, step, rows, finish, weights, dispatch, columns, groups,
 *            tables, api, about
 * Tiles      up: rows x columns 6 x 16, 1 branch, at most 29 of 32 registers
 * Tiles      down: rows x columns 3 x 16, 1 branch, at most 29 of 32 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       128 flop per token; 960 bytes of packed weights; 42624 bytes of work memory per thread
 * Sums       up: k ascends; at most 5 roundings
 * Sums       down: k ascends in 2 interleaved chains; at most 6 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 5 2^-24; relu exact
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 6 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 4
#error "made for ABI 4 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

/* up: 4 -> 8, up with bias, h = relu(up) */
enum {
  UP_INPUTS = 4,
  UP_OUTPUTS = 8,
  UP_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  UP_STEP = FFN_PANEL, /* weights of one k in a panel */
  UP_PANEL = UP_INPUTS * UP_STEP,
  UP_ROUNDINGS = 5, /* at most, of a product in its sum */
  UP_ROW = 16, /* floats of a row in a block of the input */
  UP_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  UP_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

/* down: 8 -> 4, down with bias, y = down */
enum {
  DOWN_INPUTS = 8,
  DOWN_OUTPUTS = 4,
  DOWN_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  DOWN_STEP = FFN_PANEL, /* weights of one k in a panel */
  DOWN_PANEL = DOWN_INPUTS * DOWN_STEP,
  DOWN_ROUNDINGS = 6, /* at most, of a product in its sum */
  DOWN_ROW = 16, /* floats of a row in a block of the input */
  DOWN_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  DOWN_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  ROW_TILE = 6, /* rows of the largest register tile */
  ROWS = 222, /* of one walk */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float up[UP_PANELS][UP_INPUTS][1][FFN_PANEL];
  float up_bias[1][UP_PANELS * FFN_PANEL];
  float down[DOWN_PANELS][DOWN_INPUTS][1][FFN_PANEL];
  float down_bias[1][DOWN_PANELS * FFN_PANEL];
} packed_weights;

/* The work memory of one thread. */
typedef struct work_memory {
  float operand1[ROWS * UP_ROW]; /* x */
  float operand2[ROWS * DOWN_ROW]; /* h */
  float sum[UP_CHUNK * ROWS];
} work_memory;

FFN_INLINE v128_t ffn_upper(v128_t a) { return wasm_i64x2_shuffle(a, a, 1, 1); }

/* Of the lower two lanes, a * b and c in double. */
FFN_INLINE v128_t ffn_wide_product(v128_t a, v128_t b) {
  return wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b));
}
FFN_INLINE v128_t ffn_wide(v128_t c) { return wasm_f64x2_promote_low_f32x4(c); }

FFN_INLINE v128_t ffn_narrow(v128_t low, v128_t high) {
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                            0, 2);
}

/* The sum rounded to odd: where it is inexact, one less if the error points to zero, and then the
 * last bit set, which leaves a sum that is odd already as it is. */
FFN_INLINE v128_t ffn_odd_sum(v128_t product, v128_t addend) {
  const v128_t sum = wasm_f64x2_add(product, addend);
  const v128_t back = wasm_f64x2_sub(sum, product);
  const v128_t error = wasm_f64x2_add(wasm_f64x2_sub(product, wasm_f64x2_sub(sum, back)),
                                      wasm_f64x2_sub(addend, back));
  const v128_t inexact = wasm_f64x2_gt(wasm_f64x2_abs(error), wasm_f64x2_splat(0.0));
  const v128_t inward = wasm_v128_and(wasm_v128_xor(sum, error), inexact);
  return wasm_v128_or(wasm_i64x2_sub(sum, wasm_u64x2_shr(inward, 63)),
                      wasm_u64x2_shr(inexact, 63));
}

FFN_NOINLINE v128_t ffn_fma_odd(v128_t a, v128_t b, v128_t c) {
  const v128_t low = ffn_odd_sum(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high =
      ffn_odd_sum(ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  return ffn_narrow(low, high);
}

/* Sums that a second rounding may take the wrong way: those halfway between two floats, and those
 * below the normal floats but for zero, which an addition that wraps around tells from them. */
FFN_INLINE v128_t ffn_unsure(v128_t sum) {
  const v128_t halfway = wasm_i64x2_eq(wasm_i64x2_shl(sum, 35), wasm_i64x2_splat(INT64_MIN));
  const v128_t below =
      wasm_i64x2_lt(wasm_i64x2_add(wasm_f64x2_abs(sum), wasm_i64x2_splat(INT64_MAX)),
                    wasm_i64x2_splat(INT64_MIN + (INT64_C(897) << 52) - 1));
  return wasm_v128_or(halfway, below);
}

/* a * b + c with one rounding. */
FFN_INLINE v128_t ffn_fma_once(v128_t a, v128_t b, v128_t c) {
  const v128_t low = wasm_f64x2_add(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high =
      wasm_f64x2_add(ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  if (wasm_v128_any_true(wasm_v128_or(ffn_unsure(low), ffn_unsure(high))))
    return ffn_fma_odd(a, b, c);
  return ffn_narrow(low, high);
}

FFN_INLINE void ffn_store_tail_wasm(float *out, v128_t value, size_t count) {
  float lanes[4];
  wasm_v128_store(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE v128_t act_relu(const v128_t x) {
  return wasm_f32x4_pmax(x, wasm_f32x4_splat(0.0f));
}

/* sum[row][branch][16] = a w over all k, at most 6 rows; 29 of 32 registers.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void up_sums_tile_16(
    float *sum, const float *a, const float *w, const int rows) {
  v128_t s0_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_2 = wasm_f32x4_splat(0.0f);
  v128_t s0_3 = wasm_f32x4_splat(0.0f);
  v128_t s1_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_2 = wasm_f32x4_splat(0.0f);
  v128_t s1_3 = wasm_f32x4_splat(0.0f);
  v128_t s2_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_2 = wasm_f32x4_splat(0.0f);
  v128_t s2_3 = wasm_f32x4_splat(0.0f);
  v128_t s3_0 = wasm_f32x4_splat(0.0f);
  v128_t s3_1 = wasm_f32x4_splat(0.0f);
  v128_t s3_2 = wasm_f32x4_splat(0.0f);
  v128_t s3_3 = wasm_f32x4_splat(0.0f);
  v128_t s4_0 = wasm_f32x4_splat(0.0f);
  v128_t s4_1 = wasm_f32x4_splat(0.0f);
  v128_t s4_2 = wasm_f32x4_splat(0.0f);
  v128_t s4_3 = wasm_f32x4_splat(0.0f);
  v128_t s5_0 = wasm_f32x4_splat(0.0f);
  v128_t s5_1 = wasm_f32x4_splat(0.0f);
  v128_t s5_2 = wasm_f32x4_splat(0.0f);
  v128_t s5_3 = wasm_f32x4_splat(0.0f);
  for (size_t k = 0; k < UP_INPUTS; ++k, w += UP_STEP) {
    const v128_t w0 = wasm_v128_load(w);
    const v128_t w1 = wasm_v128_load(w + 4);
    const v128_t w2 = wasm_v128_load(w + 8);
    const v128_t w3 = wasm_v128_load(w + 12);
    const v128_t x0 = wasm_f32x4_splat(a[k]);
    s0_0 = ffn_fma_once(x0, w0, s0_0);
    s0_1 = ffn_fma_once(x0, w1, s0_1);
    s0_2 = ffn_fma_once(x0, w2, s0_2);
    s0_3 = ffn_fma_once(x0, w3, s0_3);
    if (rows > 1) {
      const v128_t x1 = wasm_f32x4_splat(a[k + UP_ROW]);
      s1_0 = ffn_fma_once(x1, w0, s1_0);
      s1_1 = ffn_fma_once(x1, w1, s1_1);
      s1_2 = ffn_fma_once(x1, w2, s1_2);
      s1_3 = ffn_fma_once(x1, w3, s1_3);
    }
    if (rows > 2) {
      const v128_t x2 = wasm_f32x4_splat(a[k + 2 * UP_ROW]);
      s2_0 = ffn_fma_once(x2, w0, s2_0);
      s2_1 = ffn_fma_once(x2, w1, s2_1);
      s2_2 = ffn_fma_once(x2, w2, s2_2);
      s2_3 = ffn_fma_once(x2, w3, s2_3);
    }
    if (rows > 3) {
      const v128_t x3 = wasm_f32x4_splat(a[k + 3 * UP_ROW]);
      s3_0 = ffn_fma_once(x3, w0, s3_0);
      s3_1 = ffn_fma_once(x3, w1, s3_1);
      s3_2 = ffn_fma_once(x3, w2, s3_2);
      s3_3 = ffn_fma_once(x3, w3, s3_3);
    }
    if (rows > 4) {
      const v128_t x4 = wasm_f32x4_splat(a[k + 4 * UP_ROW]);
      s4_0 = ffn_fma_once(x4, w0, s4_0);
      s4_1 = ffn_fma_once(x4, w1, s4_1);
      s4_2 = ffn_fma_once(x4, w2, s4_2);
      s4_3 = ffn_fma_once(x4, w3, s4_3);
    }
    if (rows > 5) {
      const v128_t x5 = wasm_f32x4_splat(a[k + 5 * UP_ROW]);
      s5_0 = ffn_fma_once(x5, w0, s5_0);
      s5_1 = ffn_fma_once(x5, w1, s5_1);
      s5_2 = ffn_fma_once(x5, w2, s5_2);
      s5_3 = ffn_fma_once(x5, w3, s5_3);
    }
  }
  wasm_v128_store(sum, s0_0);
  wasm_v128_store(sum + 4, s0_1);
  wasm_v128_store(sum + 8, s0_2);
  wasm_v128_store(sum + 12, s0_3);
  if (rows > 1) {
    wasm_v128_store(sum + 16, s1_0);
    wasm_v128_store(sum + 20, s1_1);
    wasm_v128_store(sum + 24, s1_2);
    wasm_v128_store(sum + 28, s1_3);
  }
  if (rows > 2) {
    wasm_v128_store(sum + 32, s2_0);
    wasm_v128_store(sum + 36, s2_1);
    wasm_v128_store(sum + 40, s2_2);
    wasm_v128_store(sum + 44, s2_3);
  }
  if (rows > 3) {
    wasm_v128_store(sum + 48, s3_0);
    wasm_v128_store(sum + 52, s3_1);
    wasm_v128_store(sum + 56, s3_2);
    wasm_v128_store(sum + 60, s3_3);
  }
  if (rows > 4) {
    wasm_v128_store(sum + 64, s4_0);
    wasm_v128_store(sum + 68, s4_1);
    wasm_v128_store(sum + 72, s4_2);
    wasm_v128_store(sum + 76, s4_3);
  }
  if (rows > 5) {
    wasm_v128_store(sum + 80, s5_0);
    wasm_v128_store(sum + 84, s5_1);
    wasm_v128_store(sum + 88, s5_2);
    wasm_v128_store(sum + 92, s5_3);
  }
}

FFN_NOINLINE void up_sums_16(
    float *sum, const float *a, const float *w, size_t rows) {
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
  case 4:
    up_sums_tile_16(sum, a, w, 4);
    break;
  case 5:
    up_sums_tile_16(sum, a, w, 5);
    break;
  case 6:
    up_sums_tile_16(sum, a, w, 6);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* h = relu(up), in 2 of 32 registers; beyond the last output it meets zero weights. */
FFN_NOINLINE void up_finish(
    const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  const float *up_bias = packed->up_bias[0] + column;
  for (size_t r = 0; r < rows; ++r, sum += cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out =
          task->out + ffn_blocked(task->rows, row + r, column + c, DOWN_ROW);
      v128_t up = wasm_v128_load(sum + c);
      up = wasm_f32x4_add(up, wasm_v128_load(up_bias + c));
      wasm_v128_store(out, act_relu(up));
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *up_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->up[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void up_sums(
    float *sum, const float *a, const float *w, const size_t cols, size_t rows) {
  (void)cols;
  up_sums_16(sum, a, w, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols;
  const size_t chunk =
      task->rows <= UP_STREAM_ROWS ? group : ffn_min(left / group * group, UP_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += group) {
    const float *weights = up_weights(task, column + g, 0);
    for (size_t row = 0; row < task->rows; row += rows) {
      for (size_t c = g; c < g + group; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * UP_ROW;
        const float *w = weights;
        up_sums(sum, a, w, cols, ffn_min(rows, task->rows - row));
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols) {
    for (size_t row = 0; row < task->rows; row += rows) {
      const float *sum = task->sum + c * task->rows + row * cols;
      up_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
    }
  }
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void up_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += up_chunk(task, column, 16, 6);
}

/* sum[row][branch][16] = a w over all k, at most 3 rows; 29 of 32 registers.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_16(
    float *sum, const float *a, const float *w, const int rows) {
  v128_t s0_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_2_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_2_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_3_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_3_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_2_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_2_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_3_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_3_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_2_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_2_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_3_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_3_1 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k + 2 <= DOWN_INPUTS; k += 2, w += 2 * DOWN_STEP) {
    {
      const v128_t w0 = wasm_v128_load(w);
      const v128_t w1 = wasm_v128_load(w + 4);
      const v128_t w2 = wasm_v128_load(w + 8);
      const v128_t w3 = wasm_v128_load(w + 12);
      const v128_t x0 = wasm_f32x4_splat(a[k]);
      s0_0_0 = ffn_fma_once(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma_once(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma_once(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma_once(x0, w3, s0_3_0);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + DOWN_ROW]);
        s1_0_0 = ffn_fma_once(x1, w0, s1_0_0);
        s1_1_0 = ffn_fma_once(x1, w1, s1_1_0);
        s1_2_0 = ffn_fma_once(x1, w2, s1_2_0);
        s1_3_0 = ffn_fma_once(x1, w3, s1_3_0);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * DOWN_ROW]);
        s2_0_0 = ffn_fma_once(x2, w0, s2_0_0);
        s2_1_0 = ffn_fma_once(x2, w1, s2_1_0);
        s2_2_0 = ffn_fma_once(x2, w2, s2_2_0);
        s2_3_0 = ffn_fma_once(x2, w3, s2_3_0);
      }
    }
    {
      const v128_t w0 = wasm_v128_load(w + DOWN_STEP);
      const v128_t w1 = wasm_v128_load(w + DOWN_STEP + 4);
      const v128_t w2 = wasm_v128_load(w + DOWN_STEP + 8);
      const v128_t w3 = wasm_v128_load(w + DOWN_STEP + 12);
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma_once(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma_once(x0, w3, s0_3_1);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + DOWN_ROW + 1]);
        s1_0_1 = ffn_fma_once(x1, w0, s1_0_1);
        s1_1_1 = ffn_fma_once(x1, w1, s1_1_1);
        s1_2_1 = ffn_fma_once(x1, w2, s1_2_1);
        s1_3_1 = ffn_fma_once(x1, w3, s1_3_1);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * DOWN_ROW + 1]);
        s2_0_1 = ffn_fma_once(x2, w0, s2_0_1);
        s2_1_1 = ffn_fma_once(x2, w1, s2_1_1);
        s2_2_1 = ffn_fma_once(x2, w2, s2_2_1);
        s2_3_1 = ffn_fma_once(x2, w3, s2_3_1);
      }
    }
  }
  s0_0_0 = wasm_f32x4_add(s0_0_0, s0_0_1);
  s0_1_0 = wasm_f32x4_add(s0_1_0, s0_1_1);
  s0_2_0 = wasm_f32x4_add(s0_2_0, s0_2_1);
  s0_3_0 = wasm_f32x4_add(s0_3_0, s0_3_1);
  if (rows > 1) {
  s1_0_0 = wasm_f32x4_add(s1_0_0, s1_0_1);
  s1_1_0 = wasm_f32x4_add(s1_1_0, s1_1_1);
  s1_2_0 = wasm_f32x4_add(s1_2_0, s1_2_1);
  s1_3_0 = wasm_f32x4_add(s1_3_0, s1_3_1);
  }
  if (rows > 2) {
  s2_0_0 = wasm_f32x4_add(s2_0_0, s2_0_1);
  s2_1_0 = wasm_f32x4_add(s2_1_0, s2_1_1);
  s2_2_0 = wasm_f32x4_add(s2_2_0, s2_2_1);
  s2_3_0 = wasm_f32x4_add(s2_3_0, s2_3_1);
  }
  wasm_v128_store(sum, s0_0_0);
  wasm_v128_store(sum + 4, s0_1_0);
  wasm_v128_store(sum + 8, s0_2_0);
  wasm_v128_store(sum + 12, s0_3_0);
  if (rows > 1) {
    wasm_v128_store(sum + 16, s1_0_0);
    wasm_v128_store(sum + 20, s1_1_0);
    wasm_v128_store(sum + 24, s1_2_0);
    wasm_v128_store(sum + 28, s1_3_0);
  }
  if (rows > 2) {
    wasm_v128_store(sum + 32, s2_0_0);
    wasm_v128_store(sum + 36, s2_1_0);
    wasm_v128_store(sum + 40, s2_2_0);
    wasm_v128_store(sum + 44, s2_3_0);
  }
}

FFN_NOINLINE void down_sums_16(
    float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1:
    down_sums_tile_16(sum, a, w, 1);
    break;
  case 2:
    down_sums_tile_16(sum, a, w, 2);
    break;
  case 3:
    down_sums_tile_16(sum, a, w, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = down. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  const float *down_bias = packed->down_bias[0] + column;
  const size_t valid =
      column < DOWN_OUTPUTS ? ffn_min(DOWN_OUTPUTS - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += cols) {
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      v128_t down = wasm_v128_load(sum + c);
      down = wasm_f32x4_add(down, wasm_f32x4_splat(0.0f));
      down = wasm_f32x4_add(down, wasm_v128_load(down_bias + c));
      if (valid - c >= 4)
        wasm_v128_store(out, down);
      else
        ffn_store_tail_wasm(out, down, valid - c);
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *down_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->down[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void down_sums(
    float *sum, const float *a, const float *w, const size_t cols, size_t rows) {
  (void)cols;
  down_sums_16(sum, a, w, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t down_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols;
  const size_t chunk =
      task->rows <= DOWN_STREAM_ROWS ? group : ffn_min(left / group * group, DOWN_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += group) {
    const float *weights = down_weights(task, column + g, 0);
    for (size_t row = 0; row < task->rows; row += rows) {
      for (size_t c = g; c < g + group; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * DOWN_ROW;
        const float *w = weights;
        down_sums(sum, a, w, cols, ffn_min(rows, task->rows - row));
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols) {
    for (size_t row = 0; row < task->rows; row += rows) {
      const float *sum = task->sum + c * task->rows + row * cols;
      down_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
    }
  }
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += down_chunk(task, column, 16, 3);
}

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
    },
};

static const ffn_stage_walk walks[] = {
    {
        up_columns, /* columns */
        UP_INPUTS, /* inputs */
        UP_OUTPUTS, /* outputs */
        offsetof(work_memory, operand1) / sizeof(float), /* in_at */
        UP_ROW, /* row */
        16, /* column_step */
    },
    {
        down_columns, /* columns */
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        offsetof(work_memory, operand2) / sizeof(float), /* in_at */
        DOWN_ROW, /* row */
        16, /* column_step */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xf02d40da8de26944), /* layer_hash */
    ffn_walk_rows, /* rows */
    2, /* stage_count */
    walks, /* stages */
    ROW_TILE, /* row_tile */
    ROWS, /* rows_per_walk */
    offsetof(work_memory, sum) / sizeof(float), /* sum_at */
    0, /* list_at */
    sizeof(work_memory) / sizeof(float), /* work_floats */
    UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
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
      &packed->header, packed->up, packed->up_bias[0],
      stages, 0, weights, store);
  ffn_pack_stage(
      &packed->header, packed->down, packed->down_bias[0],
      stages, 1, weights, store);
}

static void unpack(ffn_weights *weights, const void *from) {
  const packed_weights *packed = (const packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
  ffn_unpack_stage(
      weights, packed->up, packed->up_bias[0],
      stages, 0, load);
  ffn_unpack_stage(
      weights, packed->down, packed->down_bias[0],
      stages, 1, load);
}
#endif

static void run(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, const ffn_parallel *parallel) {
  ffn_pass_run(&forward, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_wasm;
const ffn_kernel ffn_relu_bias_d4_f8_f32_wasm = {
    "ffn_relu_bias_d4_f8_f32_wasm", /* name */
    "ffn_relu_bias_d4_f8_f32", /* layer */
    FFN_KIND_FFN, /* kind */
    FFN_RELU, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_WASM, /* isa */
    UP_INPUTS, /* inputs */
    UP_OUTPUTS, /* hidden */
    DOWN_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    2, /* stage_count */
    stages, /* stages */
    sizeof(packed_weights), /* packed_bytes */
    sizeof(work_memory), /* work_bytes */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_PACK
    pack, /* pack */
    unpack, /* unpack */
#else
    NULL, /* pack */
    NULL, /* unpack */
#endif
    run, /* run */
};
#endif
