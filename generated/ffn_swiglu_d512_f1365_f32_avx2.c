/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_avx2
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for avx2
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu; templates kernel.c.tpl, stage.c.tpl
 * Tiles      gate_up: rows x columns 1 x 32, 2 x 16, 6 x 8, 2 branches, at most 15 of 16 registers
 * Tiles      down: rows x columns 1 x 64, 2 x 32, 6 x 16, 1 branch, at most 15 of 16 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       4193280 flop per token; 8431680 bytes of packed weights;
 *            2216448 bytes of work memory per thread
 * Sums       gate_up: k ascends in 4 blocks of 128; at most 131 roundings
 * Sums       down: k ascends in 11 blocks of 128; at most 138 roundings
 * Error      gate_up: |sum - exact| <= g/(1-g) (sum |x||w|), g = 131 2^-24;
 *            silu at most 2.4 ULP, and within (3 |y|) 2^-24
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w|), g = 138 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 3
#error "made for ABI 3 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24.
 * Elfwing et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202. */
FFN_INLINE __m256 act_silu(const __m256 x) {
  const __m256 t = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
  const __m256 a = _mm256_min_ps(_mm256_set1_ps(112.0f), t);
  const __m256 shifted = _mm256_fmadd_ps(a, _mm256_set1_ps(1.442695f), _mm256_set1_ps(12582912.0f));
  const __m256 steps = _mm256_sub_ps(shifted, _mm256_set1_ps(12582912.0f));
  const __m256i t_2 = _mm256_castps_si256(shifted);
  const __m256i n = _mm256_sub_epi32(t_2, _mm256_set1_epi32(1262485544));
  const __m256 t_3 = _mm256_fnmadd_ps(steps, _mm256_set1_ps(0.6931472f), a);
  const __m256 r = _mm256_fnmadd_ps(steps, _mm256_set1_ps(-1.9046542e-09f), t_3);
  const __m256 t_4 = _mm256_fmadd_ps(_mm256_set1_ps(0.0013818297f), r, _mm256_set1_ps(0.008368532f));
  const __m256 t_5 = _mm256_fmadd_ps(t_4, r, _mm256_set1_ps(0.041668292f));
  const __m256 t_6 = _mm256_fmadd_ps(t_5, r, _mm256_set1_ps(0.16666523f));
  const __m256 t_7 = _mm256_fmadd_ps(t_6, r, _mm256_set1_ps(0.49999994f));
  const __m256 t_8 = _mm256_fmadd_ps(t_7, r, _mm256_set1_ps(1.0f));
  const __m256 p = _mm256_fmadd_ps(t_8, r, _mm256_set1_ps(1.0f));
  const __m256 t_9 = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
  const __m256 denominator = _mm256_fmadd_ps(p, t_9, _mm256_set1_ps(9.094947e-13f));
  const __m256 tail = _mm256_div_ps(a, denominator);
  const __m256 t_10 = _mm256_max_ps(_mm256_set1_ps(0.0f), x);
  return _mm256_fnmadd_ps(tail, _mm256_set1_ps(9.094947e-13f), t_10);
}

/* ---- gate_up: 512 -> 1365 ----------------------------------------------------------------
 *
 * Panels [86][512][2][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][32] (+)= a w over `count` k for one row of 32 columns; 10 of 16 registers.
 */
FFN_NOINLINE void gate_up_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  __m256 s0_0 = _mm256_setzero_ps(), s0_1 = _mm256_setzero_ps(), s0_2 = _mm256_setzero_ps(),
    s0_3 = _mm256_setzero_ps(), s0_4 = _mm256_setzero_ps(), s0_5 = _mm256_setzero_ps(),
    s0_6 = _mm256_setzero_ps(), s0_7 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    FFN_FETCH((const float *)next + 16384); FFN_FETCH((const float *)next + 16400);
    next += advance;
    {
      const __m256 x = _mm256_set1_ps(a[k]); s0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0);
      s0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 8), s0_1);
      s0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16384), s0_2);
      s0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16392), s0_3);
      s0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_4);
      s0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 24), s0_5);
      s0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16400), s0_6);
      s0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16408), s0_7);
    }
  }
  if (add) {
    s0_0 = _mm256_add_ps(_mm256_load_ps(sum), s0_0);
    s0_1 = _mm256_add_ps(_mm256_load_ps(sum + 8), s0_1);
    s0_2 = _mm256_add_ps(_mm256_load_ps(sum + 16), s0_2);
    s0_3 = _mm256_add_ps(_mm256_load_ps(sum + 24), s0_3);
    s0_4 = _mm256_add_ps(_mm256_load_ps(sum + 32), s0_4);
    s0_5 = _mm256_add_ps(_mm256_load_ps(sum + 40), s0_5);
    s0_6 = _mm256_add_ps(_mm256_load_ps(sum + 48), s0_6);
    s0_7 = _mm256_add_ps(_mm256_load_ps(sum + 56), s0_7);
  }
  _mm256_store_ps(sum, s0_0);
  _mm256_store_ps(sum + 8, s0_1);
  _mm256_store_ps(sum + 16, s0_2);
  _mm256_store_ps(sum + 24, s0_3);
  _mm256_store_ps(sum + 32, s0_4);
  _mm256_store_ps(sum + 40, s0_5);
  _mm256_store_ps(sum + 48, s0_6);
  _mm256_store_ps(sum + 56, s0_7);
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 2 rows of 16 columns; 13 of 16 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m256 s0_0 = _mm256_setzero_ps(), s0_1 = _mm256_setzero_ps(), s0_2 = _mm256_setzero_ps(),
    s0_3 = _mm256_setzero_ps();
  __m256 s1_0 = _mm256_setzero_ps(), s1_1 = _mm256_setzero_ps(), s1_2 = _mm256_setzero_ps(),
    s1_3 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8), w2 = _mm256_load_ps(w + 16),
      w3 = _mm256_load_ps(w + 24);
    {
      const __m256 x = _mm256_set1_ps(a[k]); s0_0 = _mm256_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x, w1, s0_1); s0_2 = _mm256_fmadd_ps(x, w2, s0_2);
      s0_3 = _mm256_fmadd_ps(x, w3, s0_3);
    }
    if (rows > 1) {
      const __m256 x = _mm256_set1_ps(a[k + 128]); s1_0 = _mm256_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm256_fmadd_ps(x, w1, s1_1); s1_2 = _mm256_fmadd_ps(x, w2, s1_2);
      s1_3 = _mm256_fmadd_ps(x, w3, s1_3);
    }
  }
  if (add) {
    s0_0 = _mm256_add_ps(_mm256_load_ps(sum), s0_0);
    s0_1 = _mm256_add_ps(_mm256_load_ps(sum + 8), s0_1);
    s0_2 = _mm256_add_ps(_mm256_load_ps(sum + 16), s0_2);
    s0_3 = _mm256_add_ps(_mm256_load_ps(sum + 24), s0_3);
    if (rows > 1) {
      s1_0 = _mm256_add_ps(_mm256_load_ps(sum + 32), s1_0);
      s1_1 = _mm256_add_ps(_mm256_load_ps(sum + 40), s1_1);
      s1_2 = _mm256_add_ps(_mm256_load_ps(sum + 48), s1_2);
      s1_3 = _mm256_add_ps(_mm256_load_ps(sum + 56), s1_3);
    }
  }
  _mm256_store_ps(sum, s0_0);
  _mm256_store_ps(sum + 8, s0_1);
  _mm256_store_ps(sum + 16, s0_2);
  _mm256_store_ps(sum + 24, s0_3);
  if (rows > 1) {
    _mm256_store_ps(sum + 32, s1_0);
    _mm256_store_ps(sum + 40, s1_1);
    _mm256_store_ps(sum + 48, s1_2);
    _mm256_store_ps(sum + 56, s1_3);
  }
}

FFN_NOINLINE void gate_up_sums_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 1); break;
  case 2: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 2); break;
  default: assert(0);
  }
}

/* sum[row][branch][8] (+)= a w over `count` k for up to 6 rows of 8 columns; 15 of 16 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_8(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m256 s0_0 = _mm256_setzero_ps(), s0_1 = _mm256_setzero_ps();
  __m256 s1_0 = _mm256_setzero_ps(), s1_1 = _mm256_setzero_ps();
  __m256 s2_0 = _mm256_setzero_ps(), s2_1 = _mm256_setzero_ps();
  __m256 s3_0 = _mm256_setzero_ps(), s3_1 = _mm256_setzero_ps();
  __m256 s4_0 = _mm256_setzero_ps(), s4_1 = _mm256_setzero_ps();
  __m256 s5_0 = _mm256_setzero_ps(), s5_1 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 16);
    {
      const __m256 x = _mm256_set1_ps(a[k]); s0_0 = _mm256_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x, w1, s0_1);
    }
    if (rows > 1) {
      const __m256 x = _mm256_set1_ps(a[k + 128]); s1_0 = _mm256_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm256_fmadd_ps(x, w1, s1_1);
    }
    if (rows > 2) {
      const __m256 x = _mm256_set1_ps(a[k + 256]); s2_0 = _mm256_fmadd_ps(x, w0, s2_0);
      s2_1 = _mm256_fmadd_ps(x, w1, s2_1);
    }
    if (rows > 3) {
      const __m256 x = _mm256_set1_ps(a[k + 384]); s3_0 = _mm256_fmadd_ps(x, w0, s3_0);
      s3_1 = _mm256_fmadd_ps(x, w1, s3_1);
    }
    if (rows > 4) {
      const __m256 x = _mm256_set1_ps(a[k + 512]); s4_0 = _mm256_fmadd_ps(x, w0, s4_0);
      s4_1 = _mm256_fmadd_ps(x, w1, s4_1);
    }
    if (rows > 5) {
      const __m256 x = _mm256_set1_ps(a[k + 640]); s5_0 = _mm256_fmadd_ps(x, w0, s5_0);
      s5_1 = _mm256_fmadd_ps(x, w1, s5_1);
    }
  }
  if (add) {
    s0_0 = _mm256_add_ps(_mm256_load_ps(sum), s0_0);
    s0_1 = _mm256_add_ps(_mm256_load_ps(sum + 8), s0_1);
    if (rows > 1) {
      s1_0 = _mm256_add_ps(_mm256_load_ps(sum + 16), s1_0);
      s1_1 = _mm256_add_ps(_mm256_load_ps(sum + 24), s1_1);
    }
    if (rows > 2) {
      s2_0 = _mm256_add_ps(_mm256_load_ps(sum + 32), s2_0);
      s2_1 = _mm256_add_ps(_mm256_load_ps(sum + 40), s2_1);
    }
    if (rows > 3) {
      s3_0 = _mm256_add_ps(_mm256_load_ps(sum + 48), s3_0);
      s3_1 = _mm256_add_ps(_mm256_load_ps(sum + 56), s3_1);
    }
    if (rows > 4) {
      s4_0 = _mm256_add_ps(_mm256_load_ps(sum + 64), s4_0);
      s4_1 = _mm256_add_ps(_mm256_load_ps(sum + 72), s4_1);
    }
    if (rows > 5) {
      s5_0 = _mm256_add_ps(_mm256_load_ps(sum + 80), s5_0);
      s5_1 = _mm256_add_ps(_mm256_load_ps(sum + 88), s5_1);
    }
  }
  _mm256_store_ps(sum, s0_0);
  _mm256_store_ps(sum + 8, s0_1);
  if (rows > 1) {
    _mm256_store_ps(sum + 16, s1_0);
    _mm256_store_ps(sum + 24, s1_1);
  }
  if (rows > 2) {
    _mm256_store_ps(sum + 32, s2_0);
    _mm256_store_ps(sum + 40, s2_1);
  }
  if (rows > 3) {
    _mm256_store_ps(sum + 48, s3_0);
    _mm256_store_ps(sum + 56, s3_1);
  }
  if (rows > 4) {
    _mm256_store_ps(sum + 64, s4_0);
    _mm256_store_ps(sum + 72, s4_1);
  }
  if (rows > 5) {
    _mm256_store_ps(sum + 80, s5_0);
    _mm256_store_ps(sum + 88, s5_1);
  }
}

FFN_NOINLINE void gate_up_sums_8(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 1); break;
  case 2: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 2); break;
  case 3: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 3); break;
  case 4: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 4); break;
  case 5: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 5); break;
  case 6: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 6); break;
  default: assert(0);
  }
}

/* Sums through silu times up into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void gate_up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  for (size_t r = 0; r < rows; ++r, sum += 2 * cols)
    for (size_t c = 0; c < cols; c += 8) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 128);
      const __m256 gate = _mm256_load_ps(sum + c);
      const __m256 up = _mm256_load_ps(sum + cols + c);
      const __m256 value = _mm256_mul_ps(act_silu(gate), up);
      _mm256_store_ps(out, value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *gate_up_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 16 + column / FFN_PANEL * 16384 + column % FFN_PANEL + k * 32;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void gate_up_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t, int, const char *, size_t, size_t);
    if (task->rows <= 1 && left >= 32)
      cols = 32, most = 1, sums = gate_up_sums_32;
    else if (task->rows <= 2 && left >= 16)
      cols = 16, most = 2, sums = gate_up_sums_16;
    else
      cols = 8, most = 6, sums = gate_up_sums_8;
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 288);
    const size_t rows = ffn_even_part(task->rows, most);
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows * (group / cols));
    size_t block = 0;
    do {
      const size_t count = ffn_min(512 - block, 128);
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = gate_up_weights(task, column + g, block);
        const float *then = /* the weights that come next */
            g + group < chunk ? gate_up_weights(task, column + g + group, block)
            : block + 128 < 512
                ? gate_up_weights(task, column, block + 128)
            : chunk < left ? gate_up_weights(task, column + chunk, 0) : weights;
        const char *ahead = shares > 1 ? (const char *)then : (const char *)weights + 2048;
        size_t visit = 0;
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 2 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 128, weights + (c - g) % FFN_PANEL, count,
                block > 0, ahead + ffn_min(visit, shares - 1) * (count * 128 / shares),
                128 / shares,
                ffn_min(rows, task->rows - row));
            ++visit;
          }
      }
      block += 128;
    } while (block < 512);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        gate_up_finish(task, task->sum + 2 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

/* ---- down: 1365 -> 512 -------------------------------------------------------------------
 *
 * Panels [32][1365][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][64] (+)= a w over `count` k for one row of 64 columns; 10 of 16 registers.
 */
FFN_NOINLINE void down_sums_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  __m256 s0_0 = _mm256_setzero_ps(), s0_1 = _mm256_setzero_ps(), s0_2 = _mm256_setzero_ps(),
    s0_3 = _mm256_setzero_ps(), s0_4 = _mm256_setzero_ps(), s0_5 = _mm256_setzero_ps(),
    s0_6 = _mm256_setzero_ps(), s0_7 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    FFN_FETCH((const float *)next + 43680); FFN_FETCH((const float *)next + 65520);
    next += advance;
    {
      const __m256 x = _mm256_set1_ps(a[k]); s0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0);
      s0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 8), s0_1);
      s0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 21840), s0_2);
      s0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 21848), s0_3);
      s0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 43680), s0_4);
      s0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 43688), s0_5);
      s0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 65520), s0_6);
      s0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 65528), s0_7);
    }
  }
  if (add) {
    s0_0 = _mm256_add_ps(_mm256_load_ps(sum), s0_0);
    s0_1 = _mm256_add_ps(_mm256_load_ps(sum + 8), s0_1);
    s0_2 = _mm256_add_ps(_mm256_load_ps(sum + 16), s0_2);
    s0_3 = _mm256_add_ps(_mm256_load_ps(sum + 24), s0_3);
    s0_4 = _mm256_add_ps(_mm256_load_ps(sum + 32), s0_4);
    s0_5 = _mm256_add_ps(_mm256_load_ps(sum + 40), s0_5);
    s0_6 = _mm256_add_ps(_mm256_load_ps(sum + 48), s0_6);
    s0_7 = _mm256_add_ps(_mm256_load_ps(sum + 56), s0_7);
  }
  _mm256_store_ps(sum, s0_0);
  _mm256_store_ps(sum + 8, s0_1);
  _mm256_store_ps(sum + 16, s0_2);
  _mm256_store_ps(sum + 24, s0_3);
  _mm256_store_ps(sum + 32, s0_4);
  _mm256_store_ps(sum + 40, s0_5);
  _mm256_store_ps(sum + 48, s0_6);
  _mm256_store_ps(sum + 56, s0_7);
}

/* sum[row][branch][32] (+)= a w over `count` k for up to 2 rows of 32 columns; 13 of 16 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m256 s0_0 = _mm256_setzero_ps(), s0_1 = _mm256_setzero_ps(), s0_2 = _mm256_setzero_ps(),
    s0_3 = _mm256_setzero_ps();
  __m256 s1_0 = _mm256_setzero_ps(), s1_1 = _mm256_setzero_ps(), s1_2 = _mm256_setzero_ps(),
    s1_3 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    next += advance;
    const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8),
      w2 = _mm256_load_ps(w + 21840), w3 = _mm256_load_ps(w + 21848);
    {
      const __m256 x = _mm256_set1_ps(a[k]); s0_0 = _mm256_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x, w1, s0_1); s0_2 = _mm256_fmadd_ps(x, w2, s0_2);
      s0_3 = _mm256_fmadd_ps(x, w3, s0_3);
    }
    if (rows > 1) {
      const __m256 x = _mm256_set1_ps(a[k + 128]); s1_0 = _mm256_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm256_fmadd_ps(x, w1, s1_1); s1_2 = _mm256_fmadd_ps(x, w2, s1_2);
      s1_3 = _mm256_fmadd_ps(x, w3, s1_3);
    }
  }
  if (add) {
    s0_0 = _mm256_add_ps(_mm256_load_ps(sum), s0_0);
    s0_1 = _mm256_add_ps(_mm256_load_ps(sum + 8), s0_1);
    s0_2 = _mm256_add_ps(_mm256_load_ps(sum + 16), s0_2);
    s0_3 = _mm256_add_ps(_mm256_load_ps(sum + 24), s0_3);
    if (rows > 1) {
      s1_0 = _mm256_add_ps(_mm256_load_ps(sum + 32), s1_0);
      s1_1 = _mm256_add_ps(_mm256_load_ps(sum + 40), s1_1);
      s1_2 = _mm256_add_ps(_mm256_load_ps(sum + 48), s1_2);
      s1_3 = _mm256_add_ps(_mm256_load_ps(sum + 56), s1_3);
    }
  }
  _mm256_store_ps(sum, s0_0);
  _mm256_store_ps(sum + 8, s0_1);
  _mm256_store_ps(sum + 16, s0_2);
  _mm256_store_ps(sum + 24, s0_3);
  if (rows > 1) {
    _mm256_store_ps(sum + 32, s1_0);
    _mm256_store_ps(sum + 40, s1_1);
    _mm256_store_ps(sum + 48, s1_2);
    _mm256_store_ps(sum + 56, s1_3);
  }
}

FFN_NOINLINE void down_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_32(sum, a, w, count, add, next, advance, 1); break;
  case 2: down_sums_tile_32(sum, a, w, count, add, next, advance, 2); break;
  default: assert(0);
  }
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 6 rows of 16 columns; 15 of 16 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m256 s0_0 = _mm256_setzero_ps(), s0_1 = _mm256_setzero_ps();
  __m256 s1_0 = _mm256_setzero_ps(), s1_1 = _mm256_setzero_ps();
  __m256 s2_0 = _mm256_setzero_ps(), s2_1 = _mm256_setzero_ps();
  __m256 s3_0 = _mm256_setzero_ps(), s3_1 = _mm256_setzero_ps();
  __m256 s4_0 = _mm256_setzero_ps(), s4_1 = _mm256_setzero_ps();
  __m256 s5_0 = _mm256_setzero_ps(), s5_1 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next);
    next += advance;
    const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
    {
      const __m256 x = _mm256_set1_ps(a[k]); s0_0 = _mm256_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x, w1, s0_1);
    }
    if (rows > 1) {
      const __m256 x = _mm256_set1_ps(a[k + 128]); s1_0 = _mm256_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm256_fmadd_ps(x, w1, s1_1);
    }
    if (rows > 2) {
      const __m256 x = _mm256_set1_ps(a[k + 256]); s2_0 = _mm256_fmadd_ps(x, w0, s2_0);
      s2_1 = _mm256_fmadd_ps(x, w1, s2_1);
    }
    if (rows > 3) {
      const __m256 x = _mm256_set1_ps(a[k + 384]); s3_0 = _mm256_fmadd_ps(x, w0, s3_0);
      s3_1 = _mm256_fmadd_ps(x, w1, s3_1);
    }
    if (rows > 4) {
      const __m256 x = _mm256_set1_ps(a[k + 512]); s4_0 = _mm256_fmadd_ps(x, w0, s4_0);
      s4_1 = _mm256_fmadd_ps(x, w1, s4_1);
    }
    if (rows > 5) {
      const __m256 x = _mm256_set1_ps(a[k + 640]); s5_0 = _mm256_fmadd_ps(x, w0, s5_0);
      s5_1 = _mm256_fmadd_ps(x, w1, s5_1);
    }
  }
  if (add) {
    s0_0 = _mm256_add_ps(_mm256_load_ps(sum), s0_0);
    s0_1 = _mm256_add_ps(_mm256_load_ps(sum + 8), s0_1);
    if (rows > 1) {
      s1_0 = _mm256_add_ps(_mm256_load_ps(sum + 16), s1_0);
      s1_1 = _mm256_add_ps(_mm256_load_ps(sum + 24), s1_1);
    }
    if (rows > 2) {
      s2_0 = _mm256_add_ps(_mm256_load_ps(sum + 32), s2_0);
      s2_1 = _mm256_add_ps(_mm256_load_ps(sum + 40), s2_1);
    }
    if (rows > 3) {
      s3_0 = _mm256_add_ps(_mm256_load_ps(sum + 48), s3_0);
      s3_1 = _mm256_add_ps(_mm256_load_ps(sum + 56), s3_1);
    }
    if (rows > 4) {
      s4_0 = _mm256_add_ps(_mm256_load_ps(sum + 64), s4_0);
      s4_1 = _mm256_add_ps(_mm256_load_ps(sum + 72), s4_1);
    }
    if (rows > 5) {
      s5_0 = _mm256_add_ps(_mm256_load_ps(sum + 80), s5_0);
      s5_1 = _mm256_add_ps(_mm256_load_ps(sum + 88), s5_1);
    }
  }
  _mm256_store_ps(sum, s0_0);
  _mm256_store_ps(sum + 8, s0_1);
  if (rows > 1) {
    _mm256_store_ps(sum + 16, s1_0);
    _mm256_store_ps(sum + 24, s1_1);
  }
  if (rows > 2) {
    _mm256_store_ps(sum + 32, s2_0);
    _mm256_store_ps(sum + 40, s2_1);
  }
  if (rows > 3) {
    _mm256_store_ps(sum + 48, s3_0);
    _mm256_store_ps(sum + 56, s3_1);
  }
  if (rows > 4) {
    _mm256_store_ps(sum + 64, s4_0);
    _mm256_store_ps(sum + 72, s4_1);
  }
  if (rows > 5) {
    _mm256_store_ps(sum + 80, s5_0);
    _mm256_store_ps(sum + 88, s5_1);
  }
}

FFN_NOINLINE void down_sums_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_16(sum, a, w, count, add, next, advance, 1); break;
  case 2: down_sums_tile_16(sum, a, w, count, add, next, advance, 2); break;
  case 3: down_sums_tile_16(sum, a, w, count, add, next, advance, 3); break;
  case 4: down_sums_tile_16(sum, a, w, count, add, next, advance, 4); break;
  case 5: down_sums_tile_16(sum, a, w, count, add, next, advance, 5); break;
  case 6: down_sums_tile_16(sum, a, w, count, add, next, advance, 6); break;
  default: assert(0);
  }
}

/* Sums into y. */
FFN_NOINLINE void down_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 8) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const __m256 down = _mm256_load_ps(sum + c);
      const __m256 value = down;
      _mm256_storeu_ps(out, value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *down_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 1409040 + column / FFN_PANEL * 21840 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void down_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t, int, const char *, size_t, size_t);
    if (task->rows <= 1 && left >= 64)
      cols = 64, most = 1, sums = down_sums_64;
    else if (task->rows <= 2 && left >= 32)
      cols = 32, most = 2, sums = down_sums_32;
    else
      cols = 16, most = 6, sums = down_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 512);
    const size_t rows = ffn_even_part(task->rows, most);
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows);
    size_t block = 0;
    do {
      const size_t count = ffn_min(1365 - block, 128);
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = down_weights(task, column + g, block);
        const float *then = /* the weights that come next */
            g + group < chunk ? down_weights(task, column + g + group, block)
            : block + 128 < 1365
                ? down_weights(task, column, block + 128)
            : chunk < left ? down_weights(task, column + chunk, 0) : weights;
        const char *ahead = shares > 1 ? (const char *)then : (const char *)weights + 2048;
        size_t visit = 0;
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 128, weights, count, block > 0,
                ahead + ffn_min(visit, shares - 1) * (count * 64 / shares), 64 / shares,
                ffn_min(rows, task->rows - row));
            ++visit;
          }
      }
      block += 128;
    } while (block < 1365);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        down_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {512, 1365, 2, {FFN_MATRIX_GATE, FFN_MATRIX_UP}, FFN_ACT_SILU, FFN_PRODUCT_UP, 0, 0.0f,
     128, 1, 131, 3.0f, 0.0f},
    {1365, 512, 1, {FFN_MATRIX_DOWN}, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE, 0, 0.0f,
     128, 1, 138, 0.0f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {gate_up_pass, 512, 1365, 2, 0,
     16, 1409040, 0, 128, 32},
    {down_pass, 1365, 512, 1, 0,
     1409040, 2107920, 113664, 128, 64},
};

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0xaf8e17bce9cd1694), 2, chain_stages, 6, 222,
                                426240, 554112, 4193280};

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

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2 = {
    "ffn_swiglu_d512_f1365_f32_avx2",
    "ffn_swiglu_d512_f1365_f32",
    FFN_KIND_FFN,
    FFN_SWIGLU,
    FFN_F32,
    FFN_ISA_AVX2,
    512,
    1365,
    512,
    0,
    0,
    2,
    stages,
    8431680,
    2216448,
    4193280,
    pack,
    unpack,
    run,
};

#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
