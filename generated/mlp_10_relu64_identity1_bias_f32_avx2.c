/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_avx2
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for avx2
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1; templates kernel.c.tpl, stage.c.tpl
 * Tiles      layer1: rows x columns 1 x 32, 3 x 16, 1 branch, at most 15 of 16 registers
 * Tiles      layer2: rows x columns 1 x 8, 1 branch, at most 10 of 16 registers
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

#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

/* max(x, 0); exact.
 * Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE __m256 act_relu(const __m256 x) {
  return _mm256_max_ps(_mm256_set1_ps(0.0f), x);
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
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 8), s0_1_0);
      s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_2_0);
      s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 168), s0_3_0);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 24), s0_1_1);
      s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 176), s0_2_1);
      s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 184), s0_3_1);
    }
  }
  if (k < 10) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 8), s0_1_0);
      s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_2_0);
      s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 168), s0_3_0);
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
FFN_INLINE void layer1_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
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
        const __m256 x = _mm256_set1_ps(a[k]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
        s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m256 x = _mm256_set1_ps(a[k + 16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
        s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m256 x = _mm256_set1_ps(a[k + 32]); s2_0_0 = _mm256_fmadd_ps(x, w0, s2_0_0);
        s2_1_0 = _mm256_fmadd_ps(x, w1, s2_1_0);
      }
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 16), w1 = _mm256_load_ps(w + 24);
      {
        const __m256 x = _mm256_set1_ps(a[k + 1]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
        s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
      }
      if (rows > 1) {
        const __m256 x = _mm256_set1_ps(a[k + 17]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
        s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
      }
      if (rows > 2) {
        const __m256 x = _mm256_set1_ps(a[k + 33]); s2_0_1 = _mm256_fmadd_ps(x, w0, s2_0_1);
        s2_1_1 = _mm256_fmadd_ps(x, w1, s2_1_1);
      }
    }
  }
  if (k < 10) {
    const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8);
    {
      const __m256 x = _mm256_set1_ps(a[k]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
    }
    if (rows > 1) {
      const __m256 x = _mm256_set1_ps(a[k + 16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
    }
    if (rows > 2) {
      const __m256 x = _mm256_set1_ps(a[k + 32]); s2_0_0 = _mm256_fmadd_ps(x, w0, s2_0_0);
      s2_1_0 = _mm256_fmadd_ps(x, w1, s2_1_0);
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
    for (size_t c = 0; c < cols; c += 8) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 64);
      const __m256 linear = _mm256_add_ps(_mm256_load_ps(sum + c), _mm256_load_ps(bias + c));
      const __m256 value = act_relu(linear);
      _mm256_store_ps(out, value);
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

/* sum[row][branch][8] = a w for one row of 8 columns; 10 of 16 registers.
 */
FFN_NOINLINE void layer2_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
    s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
    s0_0_4 = _mm256_setzero_ps(), s0_0_5 = _mm256_setzero_ps(),
    s0_0_6 = _mm256_setzero_ps(), s0_0_7 = _mm256_setzero_ps();
  size_t k = 0;
  for (; k + 8 <= 64; k += 8, w += 128) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 2]);
      s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 32), s0_0_2);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 3]);
      s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 48), s0_0_3);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 4]);
      s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 64), s0_0_4);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 5]);
      s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 80), s0_0_5);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 6]);
      s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 96), s0_0_6);
    }
    {
      const __m256 x = _mm256_set1_ps(a[k + 7]);
      s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 112), s0_0_7);
    }
  }
  if (k < 64) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_1);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_2);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_3);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_4);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_5);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m256 x = _mm256_set1_ps(a[k]);
      s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_6);
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

/* Sums plus bias into y. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 1744 + column;
  const size_t valid = column < 1 ? ffn_min(1 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 8) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const __m256 linear = _mm256_add_ps(_mm256_add_ps(_mm256_load_ps(sum + c), _mm256_setzero_ps()), _mm256_load_ps(bias + c));
      const __m256 value = linear;
      if (valid - c >= 8)
        _mm256_storeu_ps(out, value);
      else
        _mm256_maskstore_ps(out, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(valid - c)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), value);
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
    enum { rows = 2 };
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
  s0_2_0 = _mm256_setzero_ps(), s0_2_1 = _mm256_setzero_ps();
      __m256 s1_0_0 = _mm256_setzero_ps(), s1_0_1 = _mm256_setzero_ps(),
  s1_1_0 = _mm256_setzero_ps(), s1_1_1 = _mm256_setzero_ps(),
  s1_2_0 = _mm256_setzero_ps(), s1_2_1 = _mm256_setzero_ps();
      {
        const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8),
          w2 = _mm256_load_ps(w + 160);
        {
          const __m256 x = _mm256_set1_ps(in[0]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 16), w1 = _mm256_load_ps(w + 24),
          w2 = _mm256_load_ps(w + 176);
        {
          const __m256 x = _mm256_set1_ps(in[1]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[17]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 32), w1 = _mm256_load_ps(w + 40),
          w2 = _mm256_load_ps(w + 192);
        {
          const __m256 x = _mm256_set1_ps(in[2]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[18]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 48), w1 = _mm256_load_ps(w + 56),
          w2 = _mm256_load_ps(w + 208);
        {
          const __m256 x = _mm256_set1_ps(in[3]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[19]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 64), w1 = _mm256_load_ps(w + 72),
          w2 = _mm256_load_ps(w + 224);
        {
          const __m256 x = _mm256_set1_ps(in[4]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[20]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 80), w1 = _mm256_load_ps(w + 88),
          w2 = _mm256_load_ps(w + 240);
        {
          const __m256 x = _mm256_set1_ps(in[5]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[21]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 96), w1 = _mm256_load_ps(w + 104),
          w2 = _mm256_load_ps(w + 256);
        {
          const __m256 x = _mm256_set1_ps(in[6]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[22]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 112), w1 = _mm256_load_ps(w + 120),
          w2 = _mm256_load_ps(w + 272);
        {
          const __m256 x = _mm256_set1_ps(in[7]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[23]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 128), w1 = _mm256_load_ps(w + 136),
          w2 = _mm256_load_ps(w + 288);
        {
          const __m256 x = _mm256_set1_ps(in[8]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[24]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 144), w1 = _mm256_load_ps(w + 152),
          w2 = _mm256_load_ps(w + 304);
        {
          const __m256 x = _mm256_set1_ps(in[9]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[25]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
        s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 8));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 8, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_2_0, _mm256_load_ps(bias + 16));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 16, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_0_0, _mm256_load_ps(bias));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 64, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_1_0, _mm256_load_ps(bias + 8));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 72, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_2_0, _mm256_load_ps(bias + 16));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 80, value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
  s0_2_0 = _mm256_setzero_ps(), s0_2_1 = _mm256_setzero_ps();
      __m256 s1_0_0 = _mm256_setzero_ps(), s1_0_1 = _mm256_setzero_ps(),
  s1_1_0 = _mm256_setzero_ps(), s1_1_1 = _mm256_setzero_ps(),
  s1_2_0 = _mm256_setzero_ps(), s1_2_1 = _mm256_setzero_ps();
      {
        const __m256 w0 = _mm256_load_ps(w + 168), w1 = _mm256_load_ps(w + 320),
          w2 = _mm256_load_ps(w + 328);
        {
          const __m256 x = _mm256_set1_ps(in[0]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 184), w1 = _mm256_load_ps(w + 336),
          w2 = _mm256_load_ps(w + 344);
        {
          const __m256 x = _mm256_set1_ps(in[1]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[17]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 200), w1 = _mm256_load_ps(w + 352),
          w2 = _mm256_load_ps(w + 360);
        {
          const __m256 x = _mm256_set1_ps(in[2]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[18]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 216), w1 = _mm256_load_ps(w + 368),
          w2 = _mm256_load_ps(w + 376);
        {
          const __m256 x = _mm256_set1_ps(in[3]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[19]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 232), w1 = _mm256_load_ps(w + 384),
          w2 = _mm256_load_ps(w + 392);
        {
          const __m256 x = _mm256_set1_ps(in[4]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[20]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 248), w1 = _mm256_load_ps(w + 400),
          w2 = _mm256_load_ps(w + 408);
        {
          const __m256 x = _mm256_set1_ps(in[5]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[21]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 264), w1 = _mm256_load_ps(w + 416),
          w2 = _mm256_load_ps(w + 424);
        {
          const __m256 x = _mm256_set1_ps(in[6]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[22]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 280), w1 = _mm256_load_ps(w + 432),
          w2 = _mm256_load_ps(w + 440);
        {
          const __m256 x = _mm256_set1_ps(in[7]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[23]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 296), w1 = _mm256_load_ps(w + 448),
          w2 = _mm256_load_ps(w + 456);
        {
          const __m256 x = _mm256_set1_ps(in[8]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[24]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 312), w1 = _mm256_load_ps(w + 464),
          w2 = _mm256_load_ps(w + 472);
        {
          const __m256 x = _mm256_set1_ps(in[9]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[25]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
        s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias + 24));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 24, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 32));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 32, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_2_0, _mm256_load_ps(bias + 40));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 40, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_0_0, _mm256_load_ps(bias + 24));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 88, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_1_0, _mm256_load_ps(bias + 32));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 96, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_2_0, _mm256_load_ps(bias + 40));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 104, value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps();
      __m256 s1_0_0 = _mm256_setzero_ps(), s1_0_1 = _mm256_setzero_ps(),
  s1_1_0 = _mm256_setzero_ps(), s1_1_1 = _mm256_setzero_ps();
      {
        const __m256 w0 = _mm256_load_ps(w + 480), w1 = _mm256_load_ps(w + 488);
        {
          const __m256 x = _mm256_set1_ps(in[0]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 496), w1 = _mm256_load_ps(w + 504);
        {
          const __m256 x = _mm256_set1_ps(in[1]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[17]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 512), w1 = _mm256_load_ps(w + 520);
        {
          const __m256 x = _mm256_set1_ps(in[2]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[18]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 528), w1 = _mm256_load_ps(w + 536);
        {
          const __m256 x = _mm256_set1_ps(in[3]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[19]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 544), w1 = _mm256_load_ps(w + 552);
        {
          const __m256 x = _mm256_set1_ps(in[4]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[20]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 560), w1 = _mm256_load_ps(w + 568);
        {
          const __m256 x = _mm256_set1_ps(in[5]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[21]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 576), w1 = _mm256_load_ps(w + 584);
        {
          const __m256 x = _mm256_set1_ps(in[6]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[22]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 592), w1 = _mm256_load_ps(w + 600);
        {
          const __m256 x = _mm256_set1_ps(in[7]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[23]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 608), w1 = _mm256_load_ps(w + 616);
        {
          const __m256 x = _mm256_set1_ps(in[8]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[24]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 624), w1 = _mm256_load_ps(w + 632);
        {
          const __m256 x = _mm256_set1_ps(in[9]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[25]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      if (rows > 1) {
        s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias + 48));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 48, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 56));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 56, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_0_0, _mm256_load_ps(bias + 48));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 112, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_1_0, _mm256_load_ps(bias + 56));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 120, value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
  s0_2_0 = _mm256_setzero_ps(), s0_2_1 = _mm256_setzero_ps();
      __m256 s1_0_0 = _mm256_setzero_ps(), s1_0_1 = _mm256_setzero_ps(),
  s1_1_0 = _mm256_setzero_ps(), s1_1_1 = _mm256_setzero_ps(),
  s1_2_0 = _mm256_setzero_ps(), s1_2_1 = _mm256_setzero_ps();
      {
        const __m256 w0 = _mm256_load_ps(w), w1 = _mm256_load_ps(w + 8),
          w2 = _mm256_load_ps(w + 160);
        {
          const __m256 x = _mm256_set1_ps(in[32]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 16), w1 = _mm256_load_ps(w + 24),
          w2 = _mm256_load_ps(w + 176);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 1]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 17]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 32), w1 = _mm256_load_ps(w + 40),
          w2 = _mm256_load_ps(w + 192);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 2]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 18]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 48), w1 = _mm256_load_ps(w + 56),
          w2 = _mm256_load_ps(w + 208);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 3]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 19]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 64), w1 = _mm256_load_ps(w + 72),
          w2 = _mm256_load_ps(w + 224);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 4]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 20]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 80), w1 = _mm256_load_ps(w + 88),
          w2 = _mm256_load_ps(w + 240);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 5]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 21]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 96), w1 = _mm256_load_ps(w + 104),
          w2 = _mm256_load_ps(w + 256);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 6]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 22]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 112), w1 = _mm256_load_ps(w + 120),
          w2 = _mm256_load_ps(w + 272);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 7]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 23]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 128), w1 = _mm256_load_ps(w + 136),
          w2 = _mm256_load_ps(w + 288);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 8]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 24]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 144), w1 = _mm256_load_ps(w + 152),
          w2 = _mm256_load_ps(w + 304);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 9]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 25]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
        s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 128, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 8));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 136, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_2_0, _mm256_load_ps(bias + 16));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 144, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_0_0, _mm256_load_ps(bias));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 192, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_1_0, _mm256_load_ps(bias + 8));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 200, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_2_0, _mm256_load_ps(bias + 16));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 208, value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
  s0_2_0 = _mm256_setzero_ps(), s0_2_1 = _mm256_setzero_ps();
      __m256 s1_0_0 = _mm256_setzero_ps(), s1_0_1 = _mm256_setzero_ps(),
  s1_1_0 = _mm256_setzero_ps(), s1_1_1 = _mm256_setzero_ps(),
  s1_2_0 = _mm256_setzero_ps(), s1_2_1 = _mm256_setzero_ps();
      {
        const __m256 w0 = _mm256_load_ps(w + 168), w1 = _mm256_load_ps(w + 320),
          w2 = _mm256_load_ps(w + 328);
        {
          const __m256 x = _mm256_set1_ps(in[32]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 184), w1 = _mm256_load_ps(w + 336),
          w2 = _mm256_load_ps(w + 344);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 1]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 17]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 200), w1 = _mm256_load_ps(w + 352),
          w2 = _mm256_load_ps(w + 360);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 2]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 18]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 216), w1 = _mm256_load_ps(w + 368),
          w2 = _mm256_load_ps(w + 376);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 3]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 19]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 232), w1 = _mm256_load_ps(w + 384),
          w2 = _mm256_load_ps(w + 392);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 4]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 20]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 248), w1 = _mm256_load_ps(w + 400),
          w2 = _mm256_load_ps(w + 408);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 5]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 21]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 264), w1 = _mm256_load_ps(w + 416),
          w2 = _mm256_load_ps(w + 424);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 6]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 22]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 280), w1 = _mm256_load_ps(w + 432),
          w2 = _mm256_load_ps(w + 440);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 7]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 23]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 296), w1 = _mm256_load_ps(w + 448),
          w2 = _mm256_load_ps(w + 456);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 8]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm256_fmadd_ps(x, w2, s0_2_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 24]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm256_fmadd_ps(x, w2, s1_2_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 312), w1 = _mm256_load_ps(w + 464),
          w2 = _mm256_load_ps(w + 472);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 9]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm256_fmadd_ps(x, w2, s0_2_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 25]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm256_fmadd_ps(x, w2, s1_2_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
      if (rows > 1) {
        s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
        s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias + 24));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 152, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 32));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 160, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_2_0, _mm256_load_ps(bias + 40));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 168, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_0_0, _mm256_load_ps(bias + 24));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 216, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_1_0, _mm256_load_ps(bias + 32));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 224, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_2_0, _mm256_load_ps(bias + 40));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 232, value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps();
      __m256 s1_0_0 = _mm256_setzero_ps(), s1_0_1 = _mm256_setzero_ps(),
  s1_1_0 = _mm256_setzero_ps(), s1_1_1 = _mm256_setzero_ps();
      {
        const __m256 w0 = _mm256_load_ps(w + 480), w1 = _mm256_load_ps(w + 488);
        {
          const __m256 x = _mm256_set1_ps(in[32]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 16]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 496), w1 = _mm256_load_ps(w + 504);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 1]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 17]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 512), w1 = _mm256_load_ps(w + 520);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 2]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 18]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 528), w1 = _mm256_load_ps(w + 536);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 3]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 19]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 544), w1 = _mm256_load_ps(w + 552);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 4]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 20]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 560), w1 = _mm256_load_ps(w + 568);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 5]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 21]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 576), w1 = _mm256_load_ps(w + 584);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 6]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 22]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 592), w1 = _mm256_load_ps(w + 600);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 7]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 23]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 608), w1 = _mm256_load_ps(w + 616);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 8]); s0_0_0 = _mm256_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 24]); s1_0_0 = _mm256_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm256_fmadd_ps(x, w1, s1_1_0);
        }
      }
      {
        const __m256 w0 = _mm256_load_ps(w + 624), w1 = _mm256_load_ps(w + 632);
        {
          const __m256 x = _mm256_set1_ps(in[32 + 9]); s0_0_1 = _mm256_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m256 x = _mm256_set1_ps(in[32 + 25]); s1_0_1 = _mm256_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm256_fmadd_ps(x, w1, s1_1_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      if (rows > 1) {
        s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias + 48));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 176, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 56));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 184, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_0_0, _mm256_load_ps(bias + 48));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 240, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s1_1_0, _mm256_load_ps(bias + 56));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 248, value);
      }
    }
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work + 64;
    const float *w = packed + 720;
    const float *bias = packed + 1744;
    enum { rows = 1 };
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
  s0_0_4 = _mm256_setzero_ps(), s0_0_5 = _mm256_setzero_ps(),
  s0_0_6 = _mm256_setzero_ps(), s0_0_7 = _mm256_setzero_ps();
      {
        {
          const __m256 x = _mm256_set1_ps(in[0]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[1]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[2]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 32), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[3]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 48), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[4]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 64), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[5]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 80), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[6]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 96), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[7]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 112), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[8]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 128), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[9]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 144), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[10]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[11]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 176), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[12]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 192), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[13]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 208), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[14]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 224), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[15]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 240), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[16]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 256), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[17]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 272), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[18]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 288), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[19]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 304), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[20]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 320), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[21]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 336), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[22]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 352), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[23]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 368), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[24]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 384), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[25]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 400), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[26]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 416), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[27]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 432), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[28]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 448), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[29]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 464), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[30]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 480), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[31]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 496), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[32]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 512), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[33]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 528), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[34]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 544), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[35]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 560), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[36]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 576), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[37]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 592), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[38]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 608), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[39]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 624), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[40]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 640), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[41]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 656), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[42]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 672), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[43]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 688), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[44]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 704), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[45]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 720), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[46]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 736), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[47]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 752), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[48]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 768), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[49]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 784), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[50]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 800), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[51]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 816), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[52]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 832), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[53]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 848), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[54]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 864), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[55]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 880), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[56]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 896), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[57]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 912), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[58]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 928), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[59]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 944), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[60]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 960), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[61]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 976), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[62]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 992), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[63]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 1008), s0_0_7);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm256_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm256_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      {
        const __m256 linear = _mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()), _mm256_load_ps(bias));
        const __m256 value = linear;
        _mm256_maskstore_ps(y, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(1)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
  s0_0_4 = _mm256_setzero_ps(), s0_0_5 = _mm256_setzero_ps(),
  s0_0_6 = _mm256_setzero_ps(), s0_0_7 = _mm256_setzero_ps();
      {
        {
          const __m256 x = _mm256_set1_ps(in[64]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 1]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 2]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 32), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 3]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 48), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 4]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 64), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 5]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 80), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 6]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 96), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 7]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 112), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 8]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 128), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 9]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 144), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 10]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 11]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 176), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 12]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 192), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 13]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 208), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 14]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 224), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 15]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 240), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 16]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 256), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 17]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 272), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 18]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 288), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 19]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 304), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 20]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 320), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 21]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 336), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 22]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 352), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 23]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 368), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 24]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 384), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 25]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 400), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 26]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 416), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 27]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 432), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 28]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 448), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 29]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 464), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 30]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 480), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 31]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 496), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 32]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 512), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 33]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 528), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 34]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 544), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 35]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 560), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 36]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 576), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 37]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 592), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 38]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 608), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 39]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 624), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 40]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 640), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 41]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 656), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 42]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 672), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 43]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 688), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 44]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 704), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 45]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 720), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 46]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 736), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 47]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 752), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 48]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 768), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 49]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 784), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 50]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 800), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 51]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 816), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 52]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 832), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 53]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 848), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 54]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 864), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 55]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 880), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 56]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 896), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 57]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 912), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 58]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 928), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 59]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 944), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 60]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 960), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 61]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 976), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 62]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 992), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[64 + 63]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 1008), s0_0_7);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm256_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm256_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      {
        const __m256 linear = _mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()), _mm256_load_ps(bias));
        const __m256 value = linear;
        _mm256_maskstore_ps(y + 1 * y_stride, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(1)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
  s0_0_4 = _mm256_setzero_ps(), s0_0_5 = _mm256_setzero_ps(),
  s0_0_6 = _mm256_setzero_ps(), s0_0_7 = _mm256_setzero_ps();
      {
        {
          const __m256 x = _mm256_set1_ps(in[128]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 1]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 2]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 32), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 3]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 48), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 4]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 64), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 5]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 80), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 6]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 96), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 7]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 112), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 8]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 128), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 9]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 144), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 10]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 11]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 176), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 12]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 192), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 13]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 208), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 14]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 224), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 15]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 240), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 16]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 256), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 17]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 272), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 18]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 288), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 19]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 304), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 20]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 320), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 21]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 336), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 22]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 352), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 23]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 368), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 24]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 384), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 25]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 400), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 26]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 416), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 27]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 432), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 28]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 448), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 29]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 464), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 30]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 480), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 31]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 496), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 32]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 512), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 33]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 528), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 34]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 544), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 35]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 560), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 36]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 576), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 37]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 592), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 38]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 608), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 39]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 624), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 40]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 640), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 41]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 656), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 42]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 672), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 43]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 688), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 44]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 704), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 45]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 720), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 46]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 736), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 47]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 752), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 48]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 768), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 49]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 784), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 50]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 800), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 51]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 816), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 52]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 832), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 53]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 848), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 54]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 864), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 55]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 880), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 56]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 896), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 57]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 912), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 58]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 928), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 59]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 944), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 60]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 960), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 61]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 976), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 62]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 992), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[128 + 63]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 1008), s0_0_7);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm256_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm256_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      {
        const __m256 linear = _mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()), _mm256_load_ps(bias));
        const __m256 value = linear;
        _mm256_maskstore_ps(y + 2 * y_stride, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(1)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
  s0_0_4 = _mm256_setzero_ps(), s0_0_5 = _mm256_setzero_ps(),
  s0_0_6 = _mm256_setzero_ps(), s0_0_7 = _mm256_setzero_ps();
      {
        {
          const __m256 x = _mm256_set1_ps(in[192]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 1]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 2]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 32), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 3]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 48), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 4]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 64), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 5]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 80), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 6]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 96), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 7]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 112), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 8]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 128), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 9]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 144), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 10]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 11]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 176), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 12]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 192), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 13]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 208), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 14]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 224), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 15]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 240), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 16]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 256), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 17]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 272), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 18]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 288), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 19]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 304), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 20]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 320), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 21]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 336), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 22]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 352), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 23]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 368), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 24]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 384), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 25]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 400), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 26]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 416), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 27]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 432), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 28]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 448), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 29]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 464), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 30]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 480), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 31]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 496), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 32]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 512), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 33]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 528), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 34]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 544), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 35]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 560), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 36]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 576), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 37]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 592), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 38]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 608), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 39]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 624), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 40]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 640), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 41]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 656), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 42]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 672), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 43]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 688), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 44]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 704), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 45]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 720), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 46]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 736), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 47]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 752), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 48]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 768), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 49]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 784), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 50]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 800), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 51]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 816), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 52]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 832), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 53]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 848), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 54]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 864), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 55]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 880), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 56]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 896), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 57]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 912), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 58]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 928), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 59]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 944), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 60]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 960), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 61]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 976), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 62]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 992), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[192 + 63]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 1008), s0_0_7);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm256_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm256_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      {
        const __m256 linear = _mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()), _mm256_load_ps(bias));
        const __m256 value = linear;
        _mm256_maskstore_ps(y + 3 * y_stride, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(1)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), value);
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
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
  s0_2_0 = _mm256_setzero_ps(), s0_2_1 = _mm256_setzero_ps(),
  s0_3_0 = _mm256_setzero_ps(), s0_3_1 = _mm256_setzero_ps();
      {
        {
          const __m256 x = _mm256_set1_ps(in[0]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 8), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 168), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[1]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 24), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 176), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 184), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[2]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 32), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 40), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 192), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 200), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[3]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 48), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 56), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 208), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 216), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[4]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 64), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 72), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 224), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 232), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[5]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 80), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 88), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 240), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 248), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[6]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 96), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 104), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 256), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 264), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[7]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 112), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 120), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 272), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 280), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[8]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 128), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 136), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 288), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 296), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[9]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 144), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 152), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 304), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 312), s0_3_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
      s0_3_0 = _mm256_add_ps(s0_3_0, s0_3_1);
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 8));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 8, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_2_0, _mm256_load_ps(bias + 16));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 16, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_3_0, _mm256_load_ps(bias + 24));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 24, value);
      }
    }
    FFN_SETTLE();
    {
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_1_0 = _mm256_setzero_ps(), s0_1_1 = _mm256_setzero_ps(),
  s0_2_0 = _mm256_setzero_ps(), s0_2_1 = _mm256_setzero_ps(),
  s0_3_0 = _mm256_setzero_ps(), s0_3_1 = _mm256_setzero_ps();
      {
        {
          const __m256 x = _mm256_set1_ps(in[0]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 320), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 328), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 480), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 488), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[1]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 336), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 344), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 496), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 504), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[2]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 352), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 360), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 512), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 520), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[3]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 368), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 376), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 528), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 536), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[4]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 384), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 392), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 544), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 552), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[5]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 400), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 408), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 560), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 568), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[6]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 416), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 424), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 576), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 584), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[7]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 432), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 440), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 592), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 600), s0_3_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[8]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 448), s0_0_0);
          s0_1_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 456), s0_1_0);
          s0_2_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 608), s0_2_0);
          s0_3_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 616), s0_3_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[9]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 464), s0_0_1);
          s0_1_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 472), s0_1_1);
          s0_2_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 624), s0_2_1);
          s0_3_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 632), s0_3_1);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
      s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
      s0_3_0 = _mm256_add_ps(s0_3_0, s0_3_1);
      {
        const __m256 linear = _mm256_add_ps(s0_0_0, _mm256_load_ps(bias + 32));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 32, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_1_0, _mm256_load_ps(bias + 40));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 40, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_2_0, _mm256_load_ps(bias + 48));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 48, value);
      }
      {
        const __m256 linear = _mm256_add_ps(s0_3_0, _mm256_load_ps(bias + 56));
        const __m256 value = act_relu(linear);
        _mm256_store_ps(out + 56, value);
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
      __m256 s0_0_0 = _mm256_setzero_ps(), s0_0_1 = _mm256_setzero_ps(),
  s0_0_2 = _mm256_setzero_ps(), s0_0_3 = _mm256_setzero_ps(),
  s0_0_4 = _mm256_setzero_ps(), s0_0_5 = _mm256_setzero_ps(),
  s0_0_6 = _mm256_setzero_ps(), s0_0_7 = _mm256_setzero_ps();
      {
        {
          const __m256 x = _mm256_set1_ps(in[0]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[1]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 16), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[2]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 32), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[3]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 48), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[4]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 64), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[5]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 80), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[6]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 96), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[7]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 112), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[8]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 128), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[9]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 144), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[10]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 160), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[11]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 176), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[12]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 192), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[13]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 208), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[14]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 224), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[15]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 240), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[16]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 256), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[17]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 272), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[18]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 288), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[19]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 304), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[20]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 320), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[21]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 336), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[22]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 352), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[23]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 368), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[24]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 384), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[25]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 400), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[26]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 416), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[27]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 432), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[28]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 448), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[29]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 464), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[30]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 480), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[31]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 496), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[32]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 512), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[33]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 528), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[34]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 544), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[35]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 560), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[36]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 576), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[37]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 592), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[38]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 608), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[39]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 624), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[40]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 640), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[41]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 656), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[42]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 672), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[43]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 688), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[44]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 704), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[45]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 720), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[46]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 736), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[47]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 752), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[48]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 768), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[49]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 784), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[50]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 800), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[51]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 816), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[52]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 832), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[53]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 848), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[54]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 864), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[55]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 880), s0_0_7);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[56]);
          s0_0_0 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 896), s0_0_0);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[57]);
          s0_0_1 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 912), s0_0_1);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[58]);
          s0_0_2 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 928), s0_0_2);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[59]);
          s0_0_3 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 944), s0_0_3);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[60]);
          s0_0_4 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 960), s0_0_4);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[61]);
          s0_0_5 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 976), s0_0_5);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[62]);
          s0_0_6 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 992), s0_0_6);
        }
      }
      {
        {
          const __m256 x = _mm256_set1_ps(in[63]);
          s0_0_7 = _mm256_fmadd_ps(x, _mm256_load_ps(w + 1008), s0_0_7);
        }
      }
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm256_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm256_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
      {
        const __m256 linear = _mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()), _mm256_load_ps(bias));
        const __m256 value = linear;
        _mm256_maskstore_ps(y, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(1)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), value);
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

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx2;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx2 = {
    "mlp_10_relu64_identity1_bias_f32_avx2",
    "mlp_10_relu64_identity1_bias_f32",
    FFN_KIND_MLP,
    FFN_IDENTITY,
    FFN_F32,
    FFN_ISA_AVX2,
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

#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
