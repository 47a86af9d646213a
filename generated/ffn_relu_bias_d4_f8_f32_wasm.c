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

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

FFN_INLINE v128_t upper(v128_t a) { return wasm_i64x2_shuffle(a, a, 1, 1); }

/* Of the lower two lanes, a * b and c in double. */
FFN_INLINE v128_t wide_product(v128_t a, v128_t b) {
  return wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b));
}
FFN_INLINE v128_t wide(v128_t c) { return wasm_f64x2_promote_low_f32x4(c); }

FFN_INLINE v128_t narrow(v128_t low, v128_t high) {
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                            0, 2);
}

/* The sum rounded to odd: where it is inexact, one less if the error points to zero, and then the
 * last bit set, which leaves a sum that is odd already as it is. */
FFN_INLINE v128_t odd_sum(v128_t product, v128_t addend) {
  const v128_t sum = wasm_f64x2_add(product, addend);
  const v128_t back = wasm_f64x2_sub(sum, product);
  const v128_t error = wasm_f64x2_add(wasm_f64x2_sub(product, wasm_f64x2_sub(sum, back)),
                                      wasm_f64x2_sub(addend, back));
  const v128_t inexact = wasm_f64x2_gt(wasm_f64x2_abs(error), wasm_f64x2_splat(0.0));
  const v128_t inward = wasm_v128_and(wasm_v128_xor(sum, error), inexact);
  return wasm_v128_or(wasm_i64x2_sub(sum, wasm_u64x2_shr(inward, 63)),
                      wasm_u64x2_shr(inexact, 63));
}

FFN_NOINLINE v128_t fma_odd(v128_t a, v128_t b, v128_t c) {
  return narrow(odd_sum(wide_product(a, b), wide(c)),
                odd_sum(wide_product(upper(a), upper(b)), wide(upper(c))));
}

/* Sums that a second rounding may take the wrong way: those halfway between two floats, and those
 * below the normal floats but for zero, which an addition that wraps around tells from them. */
FFN_INLINE v128_t unsure(v128_t sum) {
  const v128_t halfway = wasm_i64x2_eq(wasm_i64x2_shl(sum, 35), wasm_i64x2_splat(INT64_MIN));
  const v128_t below =
      wasm_i64x2_lt(wasm_i64x2_add(wasm_f64x2_abs(sum), wasm_i64x2_splat(INT64_MAX)),
                    wasm_i64x2_splat(INT64_MIN + (INT64_C(897) << 52) - 1));
  return wasm_v128_or(halfway, below);
}

/* a * b + c with one rounding. */
FFN_INLINE v128_t fma_once(v128_t a, v128_t b, v128_t c) {
  const v128_t low = wasm_f64x2_add(wide_product(a, b), wide(c));
  const v128_t high = wasm_f64x2_add(wide_product(upper(a), upper(b)), wide(upper(c)));
  if (wasm_v128_any_true(wasm_v128_or(unsure(low), unsure(high))))
    return fma_odd(a, b, c);
  return narrow(low, high);
}

FFN_INLINE void store_tail(float *out, v128_t value, size_t count) {
  float lanes[4];
  wasm_v128_store(lanes, value);
  memcpy(out, lanes, count * sizeof *out);
}

/* max(x, 0); exact.
 * Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE v128_t act_relu(const v128_t x) {
  return wasm_f32x4_pmax(x, wasm_f32x4_splat(0.0f));
}

/* ---- up: 4 -> 8 --------------------------------------------------------------------------
 *
 * Panels [1][4][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for up to 6 rows of 16 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void up_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
  v128_t s0_0 = wasm_f32x4_splat(0.0f), s0_1 = wasm_f32x4_splat(0.0f),
    s0_2 = wasm_f32x4_splat(0.0f), s0_3 = wasm_f32x4_splat(0.0f);
  v128_t s1_0 = wasm_f32x4_splat(0.0f), s1_1 = wasm_f32x4_splat(0.0f),
    s1_2 = wasm_f32x4_splat(0.0f), s1_3 = wasm_f32x4_splat(0.0f);
  v128_t s2_0 = wasm_f32x4_splat(0.0f), s2_1 = wasm_f32x4_splat(0.0f),
    s2_2 = wasm_f32x4_splat(0.0f), s2_3 = wasm_f32x4_splat(0.0f);
  v128_t s3_0 = wasm_f32x4_splat(0.0f), s3_1 = wasm_f32x4_splat(0.0f),
    s3_2 = wasm_f32x4_splat(0.0f), s3_3 = wasm_f32x4_splat(0.0f);
  v128_t s4_0 = wasm_f32x4_splat(0.0f), s4_1 = wasm_f32x4_splat(0.0f),
    s4_2 = wasm_f32x4_splat(0.0f), s4_3 = wasm_f32x4_splat(0.0f);
  v128_t s5_0 = wasm_f32x4_splat(0.0f), s5_1 = wasm_f32x4_splat(0.0f),
    s5_2 = wasm_f32x4_splat(0.0f), s5_3 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k < 4; ++k, w += 16) {
    const v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4), w2 = wasm_v128_load(w + 8),
      w3 = wasm_v128_load(w + 12);
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0 = fma_once(x, w0, s0_0);
      s0_1 = fma_once(x, w1, s0_1); s0_2 = fma_once(x, w2, s0_2); s0_3 = fma_once(x, w3, s0_3);
    }
    if (rows > 1) {
      const v128_t x = wasm_f32x4_splat(a[k + 16]); s1_0 = fma_once(x, w0, s1_0);
      s1_1 = fma_once(x, w1, s1_1); s1_2 = fma_once(x, w2, s1_2); s1_3 = fma_once(x, w3, s1_3);
    }
    if (rows > 2) {
      const v128_t x = wasm_f32x4_splat(a[k + 32]); s2_0 = fma_once(x, w0, s2_0);
      s2_1 = fma_once(x, w1, s2_1); s2_2 = fma_once(x, w2, s2_2); s2_3 = fma_once(x, w3, s2_3);
    }
    if (rows > 3) {
      const v128_t x = wasm_f32x4_splat(a[k + 48]); s3_0 = fma_once(x, w0, s3_0);
      s3_1 = fma_once(x, w1, s3_1); s3_2 = fma_once(x, w2, s3_2); s3_3 = fma_once(x, w3, s3_3);
    }
    if (rows > 4) {
      const v128_t x = wasm_f32x4_splat(a[k + 64]); s4_0 = fma_once(x, w0, s4_0);
      s4_1 = fma_once(x, w1, s4_1); s4_2 = fma_once(x, w2, s4_2); s4_3 = fma_once(x, w3, s4_3);
    }
    if (rows > 5) {
      const v128_t x = wasm_f32x4_splat(a[k + 80]); s5_0 = fma_once(x, w0, s5_0);
      s5_1 = fma_once(x, w1, s5_1); s5_2 = fma_once(x, w2, s5_2); s5_3 = fma_once(x, w3, s5_3);
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
      const v128_t up = wasm_f32x4_add(wasm_v128_load(sum + c), wasm_v128_load(bias + c));
      const v128_t value = act_relu(up);
      wasm_v128_store(out, value);
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
  v128_t s0_0_0 = wasm_f32x4_splat(0.0f), s0_0_1 = wasm_f32x4_splat(0.0f),
    s0_1_0 = wasm_f32x4_splat(0.0f), s0_1_1 = wasm_f32x4_splat(0.0f),
    s0_2_0 = wasm_f32x4_splat(0.0f), s0_2_1 = wasm_f32x4_splat(0.0f),
    s0_3_0 = wasm_f32x4_splat(0.0f), s0_3_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_0_0 = wasm_f32x4_splat(0.0f), s1_0_1 = wasm_f32x4_splat(0.0f),
    s1_1_0 = wasm_f32x4_splat(0.0f), s1_1_1 = wasm_f32x4_splat(0.0f),
    s1_2_0 = wasm_f32x4_splat(0.0f), s1_2_1 = wasm_f32x4_splat(0.0f),
    s1_3_0 = wasm_f32x4_splat(0.0f), s1_3_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_0_0 = wasm_f32x4_splat(0.0f), s2_0_1 = wasm_f32x4_splat(0.0f),
    s2_1_0 = wasm_f32x4_splat(0.0f), s2_1_1 = wasm_f32x4_splat(0.0f),
    s2_2_0 = wasm_f32x4_splat(0.0f), s2_2_1 = wasm_f32x4_splat(0.0f),
    s2_3_0 = wasm_f32x4_splat(0.0f), s2_3_1 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k + 2 <= 8; k += 2, w += 32) {
    {
      const v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4), w2 = wasm_v128_load(w + 8),
        w3 = wasm_v128_load(w + 12);
      {
        const v128_t x = wasm_f32x4_splat(a[k]); s0_0_0 = fma_once(x, w0, s0_0_0);
        s0_1_0 = fma_once(x, w1, s0_1_0); s0_2_0 = fma_once(x, w2, s0_2_0);
        s0_3_0 = fma_once(x, w3, s0_3_0);
      }
      if (rows > 1) {
        const v128_t x = wasm_f32x4_splat(a[k + 16]); s1_0_0 = fma_once(x, w0, s1_0_0);
        s1_1_0 = fma_once(x, w1, s1_1_0); s1_2_0 = fma_once(x, w2, s1_2_0);
        s1_3_0 = fma_once(x, w3, s1_3_0);
      }
      if (rows > 2) {
        const v128_t x = wasm_f32x4_splat(a[k + 32]); s2_0_0 = fma_once(x, w0, s2_0_0);
        s2_1_0 = fma_once(x, w1, s2_1_0); s2_2_0 = fma_once(x, w2, s2_2_0);
        s2_3_0 = fma_once(x, w3, s2_3_0);
      }
    }
    {
      const v128_t w0 = wasm_v128_load(w + 16), w1 = wasm_v128_load(w + 20),
        w2 = wasm_v128_load(w + 24), w3 = wasm_v128_load(w + 28);
      {
        const v128_t x = wasm_f32x4_splat(a[k + 1]); s0_0_1 = fma_once(x, w0, s0_0_1);
        s0_1_1 = fma_once(x, w1, s0_1_1); s0_2_1 = fma_once(x, w2, s0_2_1);
        s0_3_1 = fma_once(x, w3, s0_3_1);
      }
      if (rows > 1) {
        const v128_t x = wasm_f32x4_splat(a[k + 17]); s1_0_1 = fma_once(x, w0, s1_0_1);
        s1_1_1 = fma_once(x, w1, s1_1_1); s1_2_1 = fma_once(x, w2, s1_2_1);
        s1_3_1 = fma_once(x, w3, s1_3_1);
      }
      if (rows > 2) {
        const v128_t x = wasm_f32x4_splat(a[k + 33]); s2_0_1 = fma_once(x, w0, s2_0_1);
        s2_1_1 = fma_once(x, w1, s2_1_1); s2_2_1 = fma_once(x, w2, s2_2_1);
        s2_3_1 = fma_once(x, w3, s2_3_1);
      }
    }
  }
  if (k < 8) {
    const v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4), w2 = wasm_v128_load(w + 8),
      w3 = wasm_v128_load(w + 12);
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0_0 = fma_once(x, w0, s0_0_0);
      s0_1_0 = fma_once(x, w1, s0_1_0); s0_2_0 = fma_once(x, w2, s0_2_0);
      s0_3_0 = fma_once(x, w3, s0_3_0);
    }
    if (rows > 1) {
      const v128_t x = wasm_f32x4_splat(a[k + 16]); s1_0_0 = fma_once(x, w0, s1_0_0);
      s1_1_0 = fma_once(x, w1, s1_1_0); s1_2_0 = fma_once(x, w2, s1_2_0);
      s1_3_0 = fma_once(x, w3, s1_3_0);
    }
    if (rows > 2) {
      const v128_t x = wasm_f32x4_splat(a[k + 32]); s2_0_0 = fma_once(x, w0, s2_0_0);
      s2_1_0 = fma_once(x, w1, s2_1_0); s2_2_0 = fma_once(x, w2, s2_2_0);
      s2_3_0 = fma_once(x, w3, s2_3_0);
    }
    ++k, w += 16;
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
      const v128_t down = wasm_f32x4_add(wasm_f32x4_add(wasm_v128_load(sum + c), wasm_f32x4_splat(0.0f)), wasm_v128_load(bias + c));
      const v128_t value = down;
      if (valid - c >= 4)
        wasm_v128_store(out, value);
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

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0xf02d40da8de26944), 2, chain_stages, 6, 222,
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

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_wasm;
const ffn_kernel ffn_relu_bias_d4_f8_f32_wasm = {
    "ffn_relu_bias_d4_f8_f32_wasm",
    "ffn_relu_bias_d4_f8_f32",
    FFN_KIND_FFN,
    FFN_RELU,
    FFN_F32,
    FFN_ISA_WASM,
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
