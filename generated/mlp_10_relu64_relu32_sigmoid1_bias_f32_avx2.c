/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2
 * MLP chain 10 -> 64 relu -> 32 relu -> 1 sigmoid, with biases, f32, for avx2
 * A classifier: relu, relu, sigmoid
 *
 *     h1 = relu(x W_layer1^T + b_layer1)
 *     h2 = relu(h1 W_layer2^T + b_layer2)
 *     y = sigmoid(h2 W_layer3^T + b_layer3)
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_32_1; templates kernel.c.tpl, stage.c.tpl
 * Tiles      layer1: rows x columns 1 x 32, 3 x 16, 1 branch, at most 15 of 16 registers
 * Tiles      layer2: rows x columns 1 x 16, 1 branch, at most 10 of 16 registers
 * Tiles      layer3: rows x columns 1 x 8, 1 branch, at most 10 of 16 registers
 * Walk       222 rows at a time; activations at odd multiples of 64 bytes
 * Cost       5440 flop per token; 13312 bytes of packed weights;
 *            170496 bytes of work memory per thread
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

#if FFN_ABI != 1
#error "made for ABI 1 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

/* max(x, 0); exact. */
FFN_INLINE __m256 act_relu(const __m256 x) {
  return _mm256_max_ps(_mm256_set1_ps(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. */
FFN_INLINE __m256 act_sigmoid(const __m256 x) {
  const __m256 t = _mm256_max_ps(_mm256_set1_ps(-104.0f), x);
  const __m256 a = _mm256_min_ps(_mm256_set1_ps(24.0f), t);
  const __m256 shifted = _mm256_fmadd_ps(a, _mm256_set1_ps(-1.442695f), _mm256_set1_ps(12582912.0f));
  const __m256 steps = _mm256_sub_ps(shifted, _mm256_set1_ps(12582912.0f));
  const __m256i t_2 = _mm256_castps_si256(shifted);
  const __m256i n = _mm256_sub_epi32(t_2, _mm256_set1_epi32(1262485536));
  const __m256 t_3 = _mm256_fmadd_ps(steps, _mm256_set1_ps(0.6931472f), a);
  const __m256 r = _mm256_fmadd_ps(steps, _mm256_set1_ps(-1.9046542e-09f), t_3);
  const __m256 t_4 = _mm256_fmadd_ps(_mm256_set1_ps(0.0013818297f), r, _mm256_set1_ps(-0.008368532f));
  const __m256 t_5 = _mm256_fmadd_ps(t_4, r, _mm256_set1_ps(0.041668292f));
  const __m256 t_6 = _mm256_fmadd_ps(t_5, r, _mm256_set1_ps(-0.16666523f));
  const __m256 t_7 = _mm256_fmadd_ps(t_6, r, _mm256_set1_ps(0.49999994f));
  const __m256 t_8 = _mm256_fmadd_ps(t_7, r, _mm256_set1_ps(-1.0f));
  const __m256 p = _mm256_fmadd_ps(t_8, r, _mm256_set1_ps(1.0f));
  const __m256 t_9 = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
  const __m256 denominator = _mm256_fmadd_ps(p, t_9, _mm256_set1_ps(2.3283064e-10f));
  return _mm256_div_ps(_mm256_set1_ps(2.3283064e-10f), denominator);
}

/* ---- layer1: 10 -> 64 --------------------------------------------------------------------
 *
 * Panels [4][10][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][32] = a w for one row of 32 columns; 10 of 16 registers.
 */
FFN_NOINLINE void layer1_sums_32(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
    s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
    s0_2_0 = _mm256_setzero_ps(), s0_2_1 = _mm256_setzero_ps(),
    s0_3_0 = _mm256_setzero_ps(), s0_3_1 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8),
        w2 = _mm256_load_ps(w + 160), w3 = _mm256_load_ps(w + 168);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0); s0_3_0 = _mm256_fmadd_ps(x, w3, s0_3_0);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 16), w1 = _mm256_load_ps(w + 24),
        w2 = _mm256_load_ps(w + 176), w3 = _mm256_load_ps(w + 184);
      {
        const __m256 x = _mm256_set1_ps(a[k + 1]);
        s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1); s0_3_1 = _mm256_fmadd_ps(x, w3, s0_3_1);
      }
    }
  }
  if (k < 10) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8),
        w2 = _mm256_load_ps(w + 160), w3 = _mm256_load_ps(w + 168);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0); s0_3_0 = _mm256_fmadd_ps(x, w3, s0_3_0);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm256_add_ps(s0_3_0, s0_3_1);
  _mm256_store_ps(sum, s0_0_0);
  _mm256_store_ps(sum + 8, s0_1_0);
  _mm256_store_ps(sum + 16, s0_2_0);
  _mm256_store_ps(sum + 24, s0_3_0);
}

/* sum[row][branch][16] = a w for up to 3 rows of 16 columns; 15 of 16 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer1_tile_16(float *sum, const float *a, const float *w, const int rows) {
  __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
    s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps(), s1_0_1 = _mm256_setzero_ps(),
    s1_1_0 = _mm256_setzero_ps(), s1_1_1 = _mm256_setzero_ps();
  __m256 s2_0_0 = _mm256_setzero_ps(), s2_0_1 = _mm256_setzero_ps(),
    s2_1_0 = _mm256_setzero_ps(), s2_1_1 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m256 x = _mm256_set1_ps(a[k + 16]);
        s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m256 x = _mm256_set1_ps(a[k + 32]);
        s2_0_0 = _mm256_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm256_fmadd_ps(x, w1, s2_1_0);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 16), w1 = _mm256_load_ps(w + 24);
      {
        const __m256 x = _mm256_set1_ps(a[k + 1]);
        s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
      }
      if (rows > 1) {
        const __m256 x = _mm256_set1_ps(a[k + 17]);
        s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1); s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
      }
      if (rows > 2) {
        const __m256 x = _mm256_set1_ps(a[k + 33]);
        s2_0_1 = _mm256_fmadd_ps(x, w0, s2_0_1); s2_1_1 = _mm256_fmadd_ps(x, w1, s2_1_1);
      }
    }
  }
  if (k < 10) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m256 x = _mm256_set1_ps(a[k + 16]);
        s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m256 x = _mm256_set1_ps(a[k + 32]);
        s2_0_0 = _mm256_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm256_fmadd_ps(x, w1, s2_1_0);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  if (rows > 1) {
    s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
    s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  }
  if (rows > 2) {
    s2_0_0 = _mm256_add_ps(s2_0_0, s2_0_1);
    s2_1_0 = _mm256_add_ps(s2_1_0, s2_1_1);
  }
  _mm256_store_ps(sum, s0_0_0);
  _mm256_store_ps(sum + 8, s0_1_0);
  if (rows > 1) {
    _mm256_store_ps(sum + 16, s1_0_0);
    _mm256_store_ps(sum + 24, s1_1_0);
  }
  if (rows > 2) {
    _mm256_store_ps(sum + 32, s2_0_0);
    _mm256_store_ps(sum + 40, s2_1_0);
  }
}

FFN_NOINLINE void layer1_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer1_tile_16(sum, a, w, 1); break;
  case 2: layer1_tile_16(sum, a, w, 2); break;
  case 3: layer1_tile_16(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer1_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 656 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < cols; c += 8) {
      const __m256 linear = _mm256_add_ps(_mm256_load_ps(sum + c), _mm256_load_ps(bias + c));
      const __m256 value = act_relu(linear);
      _mm256_store_ps(out + c, value);
    }
  }
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer1_pass(const ffn_task *task) {
  const float *panels = task->packed + 16;
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
    if (task->rows <= 1 && left >= 32)
      cols = 32, most = 1, sums = layer1_sums_32;
    else
      cols = 16, most = 3, sums = layer1_sums_16;
    const size_t chunk = task->rows <= most ? cols : ffn_min(left / cols * cols, 64);
    const size_t rows = ffn_even_part(task->rows, most);
    for (size_t c = 0; c < chunk; c += cols) {
      const float *w = panels + (column + c) / FFN_PANEL * 160 + (column + c) % FFN_PANEL;
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        sums(sum, task->in + row * 16, w, ffn_min(rows, task->rows - row));
      }
    }
    for (size_t c = 0; c < chunk; c += cols) {
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        layer1_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
      }
    }
    column += chunk;
  }
}

/* ---- layer2: 64 -> 32 --------------------------------------------------------------------
 *
 * Panels [2][64][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for one row of 16 columns; 10 of 16 registers.
 */
FFN_NOINLINE void layer2_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
    s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
    s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
    s0_1_2 = _mm256_setzero_ps(), s0_1_3 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k + 4 <= 64; k += 4, w += 64) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 16), w1 = _mm256_load_ps(w + 24);
      {
        const __m256 x = _mm256_set1_ps(a[k + 1]);
        s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 32), w1 = _mm256_load_ps(w + 40);
      {
        const __m256 x = _mm256_set1_ps(a[k + 2]);
        s0_0_2 = _mm256_fmadd_ps(x, w0, s0_0_2); s0_1_2 = _mm256_fmadd_ps(x, w1, s0_1_2);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 48), w1 = _mm256_load_ps(w + 56);
      {
        const __m256 x = _mm256_set1_ps(a[k + 3]);
        s0_0_3 = _mm256_fmadd_ps(x, w0, s0_0_3); s0_1_3 = _mm256_fmadd_ps(x, w1, s0_1_3);
      }
    }
  }
  if (k < 64) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_2 = _mm256_fmadd_ps(x, w0, s0_0_2); s0_1_2 = _mm256_fmadd_ps(x, w1, s0_1_2);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
  s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_2);
  s0_1_1 = _mm256_add_ps(s0_1_1, s0_1_3);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  _mm256_store_ps(sum, s0_0_0);
  _mm256_store_ps(sum + 8, s0_1_0);
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 2768 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < cols; c += 8) {
      const __m256 linear = _mm256_add_ps(_mm256_load_ps(sum + c), _mm256_load_ps(bias + c));
      const __m256 value = act_relu(linear);
      _mm256_store_ps(out + c, value);
    }
  }
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer2_pass(const ffn_task *task) {
  const float *panels = task->packed + 720;
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 16, most = 1, sums = layer2_sums_16;
    const size_t chunk = task->rows <= most ? cols : ffn_min(left / cols * cols, 32);
    const size_t rows = ffn_even_part(task->rows, most);
    for (size_t c = 0; c < chunk; c += cols) {
      const float *w = panels + (column + c) / FFN_PANEL * 1024 + (column + c) % FFN_PANEL;
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        sums(sum, task->in + row * 80, w, ffn_min(rows, task->rows - row));
      }
    }
    for (size_t c = 0; c < chunk; c += cols) {
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        layer2_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
      }
    }
    column += chunk;
  }
}

/* ---- layer3: 32 -> 1 ---------------------------------------------------------------------
 *
 * Panels [1][32][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][8] = a w for one row of 8 columns; 10 of 16 registers.
 */
FFN_NOINLINE void layer3_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
    s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
    s0_0_4 = _mm256_setzero_ps(), s0_0_5 = _mm256_setzero_ps(),
    s0_0_6 = _mm256_setzero_ps(), s0_0_7 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k + 8 <= 32; k += 8, w += 128) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 16);
      {
        const __m256 x = _mm256_set1_ps(a[k + 1]);
        s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 32);
      {
        const __m256 x = _mm256_set1_ps(a[k + 2]);
        s0_0_2 = _mm256_fmadd_ps(x, w0, s0_0_2);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 48);
      {
        const __m256 x = _mm256_set1_ps(a[k + 3]);
        s0_0_3 = _mm256_fmadd_ps(x, w0, s0_0_3);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 64);
      {
        const __m256 x = _mm256_set1_ps(a[k + 4]);
        s0_0_4 = _mm256_fmadd_ps(x, w0, s0_0_4);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 80);
      {
        const __m256 x = _mm256_set1_ps(a[k + 5]);
        s0_0_5 = _mm256_fmadd_ps(x, w0, s0_0_5);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 96);
      {
        const __m256 x = _mm256_set1_ps(a[k + 6]);
        s0_0_6 = _mm256_fmadd_ps(x, w0, s0_0_6);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 112);
      {
        const __m256 x = _mm256_set1_ps(a[k + 7]);
        s0_0_7 = _mm256_fmadd_ps(x, w0, s0_0_7);
      }
    }
  }
  if (k < 32) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_2 = _mm256_fmadd_ps(x, w0, s0_0_2);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_3 = _mm256_fmadd_ps(x, w0, s0_0_3);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_4 = _mm256_fmadd_ps(x, w0, s0_0_4);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_5 = _mm256_fmadd_ps(x, w0, s0_0_5);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      {
        const __m256 x = _mm256_set1_ps(a[k]);
        s0_0_6 = _mm256_fmadd_ps(x, w0, s0_0_6);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_4);
  s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_5);
  s0_0_2 = _mm256_add_ps(s0_0_2, s0_0_6);
  s0_0_3 = _mm256_add_ps(s0_0_3, s0_0_7);
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
  s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  _mm256_store_ps(sum, s0_0_0);
}

/* Sums plus bias through sigmoid into y. */
FFN_NOINLINE void layer3_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 3312 + column;
  const size_t valid = column < 1 ? ffn_min(1 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < valid; c += 8) {
      const __m256 linear = _mm256_add_ps(_mm256_load_ps(sum + c), _mm256_load_ps(bias + c));
      const __m256 value = act_sigmoid(linear);
      if (valid - c >= 8)
        _mm256_storeu_ps(out + c, value);
      else
        _mm256_maskstore_ps(out + c, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(valid - c)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), value);
    }
  }
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer3_pass(const ffn_task *task) {
  const float *panels = task->packed + 2800;
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 8, most = 1, sums = layer3_sums_8;
    const size_t chunk = task->rows <= most ? cols : ffn_min(left / cols * cols, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    for (size_t c = 0; c < chunk; c += cols) {
      const float *w = panels + (column + c) / FFN_PANEL * 512 + (column + c) % FFN_PANEL;
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        sums(sum, task->in + row * 48, w, ffn_min(rows, task->rows - row));
      }
    }
    for (size_t c = 0; c < chunk; c += cols) {
      for (size_t row = 0; row < task->rows; row += rows) {
        float *sum = task->sum + 1 * (c * task->rows + row * cols);
        layer3_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
      }
    }
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {10, 64, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     10, 2, 7, 0.0f, 0.0f},
    {64, 32, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     64, 4, 19, 0.0f, 0.0f},
    {32, 1, FFN_ACT_SIGMOID, FFN_PRODUCT_NONE, 1, 0.0f,
     32, 8, 8, 2.7f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {layer1_pass, 10, 64, 1, 1,
     16, 656, 0, 16, 32},
    {layer2_pass, 64, 32, 1, 1,
     720, 2768, 10656, 80, 16},
    {layer3_pass, 32, 1, 1, 1,
     2800, 3312, 0, 48, 16},
};

static const ffn_chain chain = {UINT64_C(0x764069b59f8f69af), 3, chain_stages, 3, 222,
                                28416, 42624, 5440};

static void pack(void *packed, const ffn_weights *weights) {
  ffn_pack_header(packed, &chain, 0.0f);
  ffn_pack_branch(packed, &chain_stages[0], 0, &weights->chain[0]);
  ffn_pack_branch(packed, &chain_stages[1], 0, &weights->chain[1]);
  ffn_pack_branch(packed, &chain_stages[2], 0, &weights->chain[2]);
}

static void unpack(ffn_weights *weights, const void *packed) {
  weights->beta = ffn_packed_beta((const float *)packed);
  ffn_unpack_branch(&weights->chain[0], packed, &chain_stages[0], 0);
  ffn_unpack_branch(&weights->chain[1], packed, &chain_stages[1], 0);
  ffn_unpack_branch(&weights->chain[2], packed, &chain_stages[2], 0);
}

static void run(float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens,
                const void *packed, void *work, const ffn_parallel *parallel) {
  ffn_chain_run(&chain, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2 = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2",
    "mlp_10_relu64_relu32_sigmoid1_bias_f32",
    FFN_KIND_MLP,
    FFN_IDENTITY,
    FFN_F32,
    FFN_ISA_AVX2,
    10,
    0,
    1,
    1,
    0,
    3,
    stages,
    13312,
    170496,
    5440,
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
