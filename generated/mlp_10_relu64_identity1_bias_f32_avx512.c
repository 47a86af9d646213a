/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_avx512
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for avx512
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1; templates kernel.c.tpl, stage.c.tpl
 * Tiles      layer1: rows x columns 3 x 64, 7 x 32, 1 branch, at most 31 of 32 registers
 * Tiles      layer2: rows x columns 3 x 16, 1 branch, at most 26 of 32 registers
 * Walk       224 rows at a time; activations as [block of k][row][k]
 * Cost       1408 flop per token; 7040 bytes of packed weights;
 *            129024 bytes of work memory per thread
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
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif

/* max(x, 0); exact.
 * Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE __m512 act_relu(const __m512 x) {
  return _mm512_max_ps(_mm512_set1_ps(0.0f), x);
}

/* ---- layer1: 10 -> 64 --------------------------------------------------------------------
 *
 * Panels [4][10][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][64] = a w for up to 3 rows of 64 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer1_sums_tile_64(float *sum, const float *a, const float *w, const int rows) {
  __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
    s0_1_0 = _mm512_setzero_ps(), s0_1_1 = _mm512_setzero_ps(),
    s0_2_0 = _mm512_setzero_ps(), s0_2_1 = _mm512_setzero_ps(),
    s0_3_0 = _mm512_setzero_ps(), s0_3_1 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
    s1_1_0 = _mm512_setzero_ps(), s1_1_1 = _mm512_setzero_ps(),
    s1_2_0 = _mm512_setzero_ps(), s1_2_1 = _mm512_setzero_ps(),
    s1_3_0 = _mm512_setzero_ps(), s1_3_1 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps(),
    s2_1_0 = _mm512_setzero_ps(), s2_1_1 = _mm512_setzero_ps(),
    s2_2_0 = _mm512_setzero_ps(), s2_2_1 = _mm512_setzero_ps(),
    s2_3_0 = _mm512_setzero_ps(), s2_3_1 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 160),
        w2 = _mm512_load_ps(w + 320), w3 = _mm512_load_ps(w + 480);
      {
        const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm512_fmadd_ps(x, w2, s0_2_0);
        s0_3_0 = _mm512_fmadd_ps(x, w3, s0_3_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm512_fmadd_ps(x, w2, s1_2_0);
        s1_3_0 = _mm512_fmadd_ps(x, w3, s1_3_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
        s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0); s2_2_0 = _mm512_fmadd_ps(x, w2, s2_2_0);
        s2_3_0 = _mm512_fmadd_ps(x, w3, s2_3_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16), w1 = _mm512_load_ps(w + 176),
        w2 = _mm512_load_ps(w + 336), w3 = _mm512_load_ps(w + 496);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1); s0_2_1 = _mm512_fmadd_ps(x, w2, s0_2_1);
        s0_3_1 = _mm512_fmadd_ps(x, w3, s0_3_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 17]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1); s1_2_1 = _mm512_fmadd_ps(x, w2, s1_2_1);
        s1_3_1 = _mm512_fmadd_ps(x, w3, s1_3_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 33]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
        s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1); s2_2_1 = _mm512_fmadd_ps(x, w2, s2_2_1);
        s2_3_1 = _mm512_fmadd_ps(x, w3, s2_3_1);
      }
    }
  }
  if (k < 10) {
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 160),
      w2 = _mm512_load_ps(w + 320), w3 = _mm512_load_ps(w + 480);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
      s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0); s0_2_0 = _mm512_fmadd_ps(x, w2, s0_2_0);
      s0_3_0 = _mm512_fmadd_ps(x, w3, s0_3_0);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
      s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0); s1_2_0 = _mm512_fmadd_ps(x, w2, s1_2_0);
      s1_3_0 = _mm512_fmadd_ps(x, w3, s1_3_0);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
      s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0); s2_2_0 = _mm512_fmadd_ps(x, w2, s2_2_0);
      s2_3_0 = _mm512_fmadd_ps(x, w3, s2_3_0);
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm512_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm512_add_ps(s0_3_0, s0_3_1);
  if (rows > 1) {
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
    s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
    s1_2_0 = _mm512_add_ps(s1_2_0, s1_2_1);
    s1_3_0 = _mm512_add_ps(s1_3_0, s1_3_1);
  }
  if (rows > 2) {
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
    s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
    s2_2_0 = _mm512_add_ps(s2_2_0, s2_2_1);
    s2_3_0 = _mm512_add_ps(s2_3_0, s2_3_1);
  }
  _mm512_store_ps(sum, s0_0_0);
  _mm512_store_ps(sum + 16, s0_1_0);
  _mm512_store_ps(sum + 32, s0_2_0);
  _mm512_store_ps(sum + 48, s0_3_0);
  if (rows > 1) {
    _mm512_store_ps(sum + 64, s1_0_0);
    _mm512_store_ps(sum + 80, s1_1_0);
    _mm512_store_ps(sum + 96, s1_2_0);
    _mm512_store_ps(sum + 112, s1_3_0);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 128, s2_0_0);
    _mm512_store_ps(sum + 144, s2_1_0);
    _mm512_store_ps(sum + 160, s2_2_0);
    _mm512_store_ps(sum + 176, s2_3_0);
  }
}

FFN_NOINLINE void layer1_sums_64(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer1_sums_tile_64(sum, a, w, 1); break;
  case 2: layer1_sums_tile_64(sum, a, w, 2); break;
  case 3: layer1_sums_tile_64(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* sum[row][branch][32] = a w for up to 7 rows of 32 columns; 31 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer1_sums_tile_32(float *sum, const float *a, const float *w, const int rows) {
  __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
    s0_1_0 = _mm512_setzero_ps(), s0_1_1 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
    s1_1_0 = _mm512_setzero_ps(), s1_1_1 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps(),
    s2_1_0 = _mm512_setzero_ps(), s2_1_1 = _mm512_setzero_ps();
  __m512 s3_0_0 = _mm512_setzero_ps(), s3_0_1 = _mm512_setzero_ps(),
    s3_1_0 = _mm512_setzero_ps(), s3_1_1 = _mm512_setzero_ps();
  __m512 s4_0_0 = _mm512_setzero_ps(), s4_0_1 = _mm512_setzero_ps(),
    s4_1_0 = _mm512_setzero_ps(), s4_1_1 = _mm512_setzero_ps();
  __m512 s5_0_0 = _mm512_setzero_ps(), s5_0_1 = _mm512_setzero_ps(),
    s5_1_0 = _mm512_setzero_ps(), s5_1_1 = _mm512_setzero_ps();
  __m512 s6_0_0 = _mm512_setzero_ps(), s6_0_1 = _mm512_setzero_ps(),
    s6_1_0 = _mm512_setzero_ps(), s6_1_1 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 160);
      {
        const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
        s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
      }
      if (rows > 3) {
        const __m512 x = _mm512_set1_ps(a[k + 48]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
        s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
      }
      if (rows > 4) {
        const __m512 x = _mm512_set1_ps(a[k + 64]); s4_0_0 = _mm512_fmadd_ps(x, w0, s4_0_0);
        s4_1_0 = _mm512_fmadd_ps(x, w1, s4_1_0);
      }
      if (rows > 5) {
        const __m512 x = _mm512_set1_ps(a[k + 80]); s5_0_0 = _mm512_fmadd_ps(x, w0, s5_0_0);
        s5_1_0 = _mm512_fmadd_ps(x, w1, s5_1_0);
      }
      if (rows > 6) {
        const __m512 x = _mm512_set1_ps(a[k + 96]); s6_0_0 = _mm512_fmadd_ps(x, w0, s6_0_0);
        s6_1_0 = _mm512_fmadd_ps(x, w1, s6_1_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16), w1 = _mm512_load_ps(w + 176);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 17]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 33]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
        s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
      }
      if (rows > 3) {
        const __m512 x = _mm512_set1_ps(a[k + 49]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
        s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
      }
      if (rows > 4) {
        const __m512 x = _mm512_set1_ps(a[k + 65]); s4_0_1 = _mm512_fmadd_ps(x, w0, s4_0_1);
        s4_1_1 = _mm512_fmadd_ps(x, w1, s4_1_1);
      }
      if (rows > 5) {
        const __m512 x = _mm512_set1_ps(a[k + 81]); s5_0_1 = _mm512_fmadd_ps(x, w0, s5_0_1);
        s5_1_1 = _mm512_fmadd_ps(x, w1, s5_1_1);
      }
      if (rows > 6) {
        const __m512 x = _mm512_set1_ps(a[k + 97]); s6_0_1 = _mm512_fmadd_ps(x, w0, s6_0_1);
        s6_1_1 = _mm512_fmadd_ps(x, w1, s6_1_1);
      }
    }
  }
  if (k < 10) {
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 160);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
      s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
      s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
      s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
    }
    if (rows > 3) {
      const __m512 x = _mm512_set1_ps(a[k + 48]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
      s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
    }
    if (rows > 4) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s4_0_0 = _mm512_fmadd_ps(x, w0, s4_0_0);
      s4_1_0 = _mm512_fmadd_ps(x, w1, s4_1_0);
    }
    if (rows > 5) {
      const __m512 x = _mm512_set1_ps(a[k + 80]); s5_0_0 = _mm512_fmadd_ps(x, w0, s5_0_0);
      s5_1_0 = _mm512_fmadd_ps(x, w1, s5_1_0);
    }
    if (rows > 6) {
      const __m512 x = _mm512_set1_ps(a[k + 96]); s6_0_0 = _mm512_fmadd_ps(x, w0, s6_0_0);
      s6_1_0 = _mm512_fmadd_ps(x, w1, s6_1_0);
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  if (rows > 1) {
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
    s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  }
  if (rows > 2) {
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
    s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  }
  if (rows > 3) {
    s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
    s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
  }
  if (rows > 4) {
    s4_0_0 = _mm512_add_ps(s4_0_0, s4_0_1);
    s4_1_0 = _mm512_add_ps(s4_1_0, s4_1_1);
  }
  if (rows > 5) {
    s5_0_0 = _mm512_add_ps(s5_0_0, s5_0_1);
    s5_1_0 = _mm512_add_ps(s5_1_0, s5_1_1);
  }
  if (rows > 6) {
    s6_0_0 = _mm512_add_ps(s6_0_0, s6_0_1);
    s6_1_0 = _mm512_add_ps(s6_1_0, s6_1_1);
  }
  _mm512_store_ps(sum, s0_0_0);
  _mm512_store_ps(sum + 16, s0_1_0);
  if (rows > 1) {
    _mm512_store_ps(sum + 32, s1_0_0);
    _mm512_store_ps(sum + 48, s1_1_0);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 64, s2_0_0);
    _mm512_store_ps(sum + 80, s2_1_0);
  }
  if (rows > 3) {
    _mm512_store_ps(sum + 96, s3_0_0);
    _mm512_store_ps(sum + 112, s3_1_0);
  }
  if (rows > 4) {
    _mm512_store_ps(sum + 128, s4_0_0);
    _mm512_store_ps(sum + 144, s4_1_0);
  }
  if (rows > 5) {
    _mm512_store_ps(sum + 160, s5_0_0);
    _mm512_store_ps(sum + 176, s5_1_0);
  }
  if (rows > 6) {
    _mm512_store_ps(sum + 192, s6_0_0);
    _mm512_store_ps(sum + 208, s6_1_0);
  }
}

FFN_NOINLINE void layer1_sums_32(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer1_sums_tile_32(sum, a, w, 1); break;
  case 2: layer1_sums_tile_32(sum, a, w, 2); break;
  case 3: layer1_sums_tile_32(sum, a, w, 3); break;
  case 4: layer1_sums_tile_32(sum, a, w, 4); break;
  case 5: layer1_sums_tile_32(sum, a, w, 5); break;
  case 6: layer1_sums_tile_32(sum, a, w, 6); break;
  case 7: layer1_sums_tile_32(sum, a, w, 7); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer1_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 656 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 16) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 64);
      const __m512 linear = _mm512_add_ps(_mm512_load_ps(sum + c), _mm512_load_ps(bias + c));
      const __m512 value = act_relu(linear);
      _mm512_store_ps(out, value);
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
    if (task->rows <= 3 && left >= 64)
      cols = 64, most = 3, sums = layer1_sums_64;
    else
      cols = 32, most = 7, sums = layer1_sums_32;
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

/* sum[row][branch][16] = a w for up to 3 rows of 16 columns; 26 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer2_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
  __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
    s0_0_2 = _mm512_setzero_ps(), s0_0_3 = _mm512_setzero_ps(),
    s0_0_4 = _mm512_setzero_ps(), s0_0_5 = _mm512_setzero_ps(),
    s0_0_6 = _mm512_setzero_ps(), s0_0_7 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
    s1_0_2 = _mm512_setzero_ps(), s1_0_3 = _mm512_setzero_ps(),
    s1_0_4 = _mm512_setzero_ps(), s1_0_5 = _mm512_setzero_ps(),
    s1_0_6 = _mm512_setzero_ps(), s1_0_7 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps(),
    s2_0_2 = _mm512_setzero_ps(), s2_0_3 = _mm512_setzero_ps(),
    s2_0_4 = _mm512_setzero_ps(), s2_0_5 = _mm512_setzero_ps(),
    s2_0_6 = _mm512_setzero_ps(), s2_0_7 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k + 8 <= 64; k += 8, w += 128) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 65]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 129]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 32);
      {
        const __m512 x = _mm512_set1_ps(a[k + 2]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 66]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 130]); s2_0_2 = _mm512_fmadd_ps(x, w0, s2_0_2);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 48);
      {
        const __m512 x = _mm512_set1_ps(a[k + 3]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 67]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 131]); s2_0_3 = _mm512_fmadd_ps(x, w0, s2_0_3);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 64);
      {
        const __m512 x = _mm512_set1_ps(a[k + 4]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 68]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 132]); s2_0_4 = _mm512_fmadd_ps(x, w0, s2_0_4);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 80);
      {
        const __m512 x = _mm512_set1_ps(a[k + 5]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 69]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 133]); s2_0_5 = _mm512_fmadd_ps(x, w0, s2_0_5);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 96);
      {
        const __m512 x = _mm512_set1_ps(a[k + 6]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 70]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 134]); s2_0_6 = _mm512_fmadd_ps(x, w0, s2_0_6);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 112);
      {
        const __m512 x = _mm512_set1_ps(a[k + 7]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 71]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 135]); s2_0_7 = _mm512_fmadd_ps(x, w0, s2_0_7);
      }
    }
  }
  if (k < 64) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_2 = _mm512_fmadd_ps(x, w0, s2_0_2);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_3 = _mm512_fmadd_ps(x, w0, s2_0_3);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_4 = _mm512_fmadd_ps(x, w0, s2_0_4);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_5 = _mm512_fmadd_ps(x, w0, s2_0_5);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s2_0_6 = _mm512_fmadd_ps(x, w0, s2_0_6);
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_4);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_5);
  s0_0_2 = _mm512_add_ps(s0_0_2, s0_0_6);
  s0_0_3 = _mm512_add_ps(s0_0_3, s0_0_7);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  if (rows > 1) {
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_4);
    s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_5);
    s1_0_2 = _mm512_add_ps(s1_0_2, s1_0_6);
    s1_0_3 = _mm512_add_ps(s1_0_3, s1_0_7);
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
    s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  }
  if (rows > 2) {
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_4);
    s2_0_1 = _mm512_add_ps(s2_0_1, s2_0_5);
    s2_0_2 = _mm512_add_ps(s2_0_2, s2_0_6);
    s2_0_3 = _mm512_add_ps(s2_0_3, s2_0_7);
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_2);
    s2_0_1 = _mm512_add_ps(s2_0_1, s2_0_3);
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  }
  _mm512_store_ps(sum, s0_0_0);
  if (rows > 1) {
    _mm512_store_ps(sum + 16, s1_0_0);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 32, s2_0_0);
  }
}

FFN_NOINLINE void layer2_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer2_sums_tile_16(sum, a, w, 1); break;
  case 2: layer2_sums_tile_16(sum, a, w, 2); break;
  case 3: layer2_sums_tile_16(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias into y. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 1744 + column;
  const size_t valid = column < 1 ? ffn_min(1 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 16) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const __m512 linear = _mm512_add_ps(_mm512_add_ps(_mm512_load_ps(sum + c), _mm512_setzero_ps()), _mm512_load_ps(bias + c));
      const __m512 value = linear;
      if (valid - c >= 16)
        _mm512_storeu_ps(out, value);
      else
        _mm512_mask_storeu_ps(out, (__mmask16)((1u << (valid - c)) - 1u), value);
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
      cols = 16, most = 3, sums = layer2_sums_16;
    const size_t group = cols;
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
                task->in + block * task->rows + row * 64, weights,
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
     16, 656, 0, 16, 64},
    {layer2_pass, 64, 1, 1, 1,
     720, 1744, 3584, 64, 16},
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
    enum { rows = 4 };
    {
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
  s0_1_0 = _mm512_setzero_ps(), s0_1_1 = _mm512_setzero_ps();
      __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
  s1_1_0 = _mm512_setzero_ps(), s1_1_1 = _mm512_setzero_ps();
      __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps(),
  s2_1_0 = _mm512_setzero_ps(), s2_1_1 = _mm512_setzero_ps();
      __m512 s3_0_0 = _mm512_setzero_ps(), s3_0_1 = _mm512_setzero_ps(),
  s3_1_0 = _mm512_setzero_ps(), s3_1_1 = _mm512_setzero_ps();
      {
        const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 160);
        {
          const __m512 x = _mm512_set1_ps(in[0]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[48]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 16), w1 = _mm512_load_ps(w + 176);
        {
          const __m512 x = _mm512_set1_ps(in[1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[17]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[33]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[49]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 32), w1 = _mm512_load_ps(w + 192);
        {
          const __m512 x = _mm512_set1_ps(in[2]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[18]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[34]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[50]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 48), w1 = _mm512_load_ps(w + 208);
        {
          const __m512 x = _mm512_set1_ps(in[3]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[19]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[35]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[51]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 64), w1 = _mm512_load_ps(w + 224);
        {
          const __m512 x = _mm512_set1_ps(in[4]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[20]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[36]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[52]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 80), w1 = _mm512_load_ps(w + 240);
        {
          const __m512 x = _mm512_set1_ps(in[5]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[21]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[37]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[53]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 96), w1 = _mm512_load_ps(w + 256);
        {
          const __m512 x = _mm512_set1_ps(in[6]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[22]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[38]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[54]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 112), w1 = _mm512_load_ps(w + 272);
        {
          const __m512 x = _mm512_set1_ps(in[7]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[23]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[39]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[55]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 128), w1 = _mm512_load_ps(w + 288);
        {
          const __m512 x = _mm512_set1_ps(in[8]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[24]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[40]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[56]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 144), w1 = _mm512_load_ps(w + 304);
        {
          const __m512 x = _mm512_set1_ps(in[9]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[25]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[41]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[57]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
      if (rows > 1) {
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
      }
      if (rows > 2) {
        s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
        s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
      }
      if (rows > 3) {
        s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
        s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
      }
      {
        const __m512 linear = _mm512_add_ps(s0_0_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s0_1_0, _mm512_load_ps(bias + 16));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 16, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s1_0_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 64, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s1_1_0, _mm512_load_ps(bias + 16));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 80, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s2_0_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 128, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s2_1_0, _mm512_load_ps(bias + 16));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 144, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s3_0_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 192, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s3_1_0, _mm512_load_ps(bias + 16));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 208, value);
      }
    }
    FFN_SETTLE();
    {
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
  s0_1_0 = _mm512_setzero_ps(), s0_1_1 = _mm512_setzero_ps();
      __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
  s1_1_0 = _mm512_setzero_ps(), s1_1_1 = _mm512_setzero_ps();
      __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps(),
  s2_1_0 = _mm512_setzero_ps(), s2_1_1 = _mm512_setzero_ps();
      __m512 s3_0_0 = _mm512_setzero_ps(), s3_0_1 = _mm512_setzero_ps(),
  s3_1_0 = _mm512_setzero_ps(), s3_1_1 = _mm512_setzero_ps();
      {
        const __m512 w0 = _mm512_load_ps(w + 320), w1 = _mm512_load_ps(w + 480);
        {
          const __m512 x = _mm512_set1_ps(in[0]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[48]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 336), w1 = _mm512_load_ps(w + 496);
        {
          const __m512 x = _mm512_set1_ps(in[1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[17]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[33]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[49]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 352), w1 = _mm512_load_ps(w + 512);
        {
          const __m512 x = _mm512_set1_ps(in[2]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[18]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[34]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[50]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 368), w1 = _mm512_load_ps(w + 528);
        {
          const __m512 x = _mm512_set1_ps(in[3]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[19]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[35]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[51]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 384), w1 = _mm512_load_ps(w + 544);
        {
          const __m512 x = _mm512_set1_ps(in[4]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[20]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[36]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[52]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 400), w1 = _mm512_load_ps(w + 560);
        {
          const __m512 x = _mm512_set1_ps(in[5]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[21]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[37]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[53]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 416), w1 = _mm512_load_ps(w + 576);
        {
          const __m512 x = _mm512_set1_ps(in[6]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[22]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[38]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[54]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 432), w1 = _mm512_load_ps(w + 592);
        {
          const __m512 x = _mm512_set1_ps(in[7]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[23]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[39]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[55]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 448), w1 = _mm512_load_ps(w + 608);
        {
          const __m512 x = _mm512_set1_ps(in[8]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[24]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
          s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[40]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
          s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[56]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
          s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 464), w1 = _mm512_load_ps(w + 624);
        {
          const __m512 x = _mm512_set1_ps(in[9]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[25]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
          s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[41]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
          s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[57]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
          s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
      if (rows > 1) {
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
        s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
      }
      if (rows > 2) {
        s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
        s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
      }
      if (rows > 3) {
        s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
        s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
      }
      {
        const __m512 linear = _mm512_add_ps(s0_0_0, _mm512_load_ps(bias + 32));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 32, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s0_1_0, _mm512_load_ps(bias + 48));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 48, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s1_0_0, _mm512_load_ps(bias + 32));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 96, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s1_1_0, _mm512_load_ps(bias + 48));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 112, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s2_0_0, _mm512_load_ps(bias + 32));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 160, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s2_1_0, _mm512_load_ps(bias + 48));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 176, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s3_0_0, _mm512_load_ps(bias + 32));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 224, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s3_1_0, _mm512_load_ps(bias + 48));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 240, value);
      }
    }
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work + 64;
    const float *w = packed + 720;
    const float *bias = packed + 1744;
    enum { rows = 2 };
    {
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
  s0_0_2 = _mm512_setzero_ps(), s0_0_3 = _mm512_setzero_ps(),
  s0_0_4 = _mm512_setzero_ps(), s0_0_5 = _mm512_setzero_ps(),
  s0_0_6 = _mm512_setzero_ps(), s0_0_7 = _mm512_setzero_ps();
      __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
  s1_0_2 = _mm512_setzero_ps(), s1_0_3 = _mm512_setzero_ps(),
  s1_0_4 = _mm512_setzero_ps(), s1_0_5 = _mm512_setzero_ps(),
  s1_0_6 = _mm512_setzero_ps(), s1_0_7 = _mm512_setzero_ps();
      {
        const __m512 w0 = _mm512_load_ps(w);
        {
          const __m512 x = _mm512_set1_ps(in[0]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[64]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 16);
        {
          const __m512 x = _mm512_set1_ps(in[1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[65]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 32);
        {
          const __m512 x = _mm512_set1_ps(in[2]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[66]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 48);
        {
          const __m512 x = _mm512_set1_ps(in[3]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[67]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 64);
        {
          const __m512 x = _mm512_set1_ps(in[4]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[68]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 80);
        {
          const __m512 x = _mm512_set1_ps(in[5]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[69]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 96);
        {
          const __m512 x = _mm512_set1_ps(in[6]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[70]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 112);
        {
          const __m512 x = _mm512_set1_ps(in[7]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[71]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 128);
        {
          const __m512 x = _mm512_set1_ps(in[8]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[72]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 144);
        {
          const __m512 x = _mm512_set1_ps(in[9]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[73]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 160);
        {
          const __m512 x = _mm512_set1_ps(in[10]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[74]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 176);
        {
          const __m512 x = _mm512_set1_ps(in[11]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[75]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 192);
        {
          const __m512 x = _mm512_set1_ps(in[12]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[76]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 208);
        {
          const __m512 x = _mm512_set1_ps(in[13]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[77]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 224);
        {
          const __m512 x = _mm512_set1_ps(in[14]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[78]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 240);
        {
          const __m512 x = _mm512_set1_ps(in[15]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[79]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 256);
        {
          const __m512 x = _mm512_set1_ps(in[16]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[80]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 272);
        {
          const __m512 x = _mm512_set1_ps(in[17]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[81]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 288);
        {
          const __m512 x = _mm512_set1_ps(in[18]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[82]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 304);
        {
          const __m512 x = _mm512_set1_ps(in[19]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[83]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 320);
        {
          const __m512 x = _mm512_set1_ps(in[20]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[84]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 336);
        {
          const __m512 x = _mm512_set1_ps(in[21]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[85]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 352);
        {
          const __m512 x = _mm512_set1_ps(in[22]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[86]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 368);
        {
          const __m512 x = _mm512_set1_ps(in[23]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[87]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 384);
        {
          const __m512 x = _mm512_set1_ps(in[24]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[88]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 400);
        {
          const __m512 x = _mm512_set1_ps(in[25]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[89]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 416);
        {
          const __m512 x = _mm512_set1_ps(in[26]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[90]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 432);
        {
          const __m512 x = _mm512_set1_ps(in[27]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[91]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 448);
        {
          const __m512 x = _mm512_set1_ps(in[28]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[92]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 464);
        {
          const __m512 x = _mm512_set1_ps(in[29]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[93]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 480);
        {
          const __m512 x = _mm512_set1_ps(in[30]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[94]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 496);
        {
          const __m512 x = _mm512_set1_ps(in[31]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[95]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 512);
        {
          const __m512 x = _mm512_set1_ps(in[32]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[96]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 528);
        {
          const __m512 x = _mm512_set1_ps(in[33]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[97]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 544);
        {
          const __m512 x = _mm512_set1_ps(in[34]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[98]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 560);
        {
          const __m512 x = _mm512_set1_ps(in[35]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[99]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 576);
        {
          const __m512 x = _mm512_set1_ps(in[36]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[100]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 592);
        {
          const __m512 x = _mm512_set1_ps(in[37]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[101]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 608);
        {
          const __m512 x = _mm512_set1_ps(in[38]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[102]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 624);
        {
          const __m512 x = _mm512_set1_ps(in[39]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[103]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 640);
        {
          const __m512 x = _mm512_set1_ps(in[40]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[104]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 656);
        {
          const __m512 x = _mm512_set1_ps(in[41]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[105]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 672);
        {
          const __m512 x = _mm512_set1_ps(in[42]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[106]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 688);
        {
          const __m512 x = _mm512_set1_ps(in[43]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[107]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 704);
        {
          const __m512 x = _mm512_set1_ps(in[44]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[108]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 720);
        {
          const __m512 x = _mm512_set1_ps(in[45]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[109]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 736);
        {
          const __m512 x = _mm512_set1_ps(in[46]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[110]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 752);
        {
          const __m512 x = _mm512_set1_ps(in[47]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[111]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 768);
        {
          const __m512 x = _mm512_set1_ps(in[48]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[112]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 784);
        {
          const __m512 x = _mm512_set1_ps(in[49]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[113]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 800);
        {
          const __m512 x = _mm512_set1_ps(in[50]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[114]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 816);
        {
          const __m512 x = _mm512_set1_ps(in[51]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[115]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 832);
        {
          const __m512 x = _mm512_set1_ps(in[52]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[116]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 848);
        {
          const __m512 x = _mm512_set1_ps(in[53]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[117]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 864);
        {
          const __m512 x = _mm512_set1_ps(in[54]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[118]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 880);
        {
          const __m512 x = _mm512_set1_ps(in[55]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[119]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 896);
        {
          const __m512 x = _mm512_set1_ps(in[56]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[120]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 912);
        {
          const __m512 x = _mm512_set1_ps(in[57]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[121]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 928);
        {
          const __m512 x = _mm512_set1_ps(in[58]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[122]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 944);
        {
          const __m512 x = _mm512_set1_ps(in[59]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[123]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 960);
        {
          const __m512 x = _mm512_set1_ps(in[60]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[124]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 976);
        {
          const __m512 x = _mm512_set1_ps(in[61]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[125]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 992);
        {
          const __m512 x = _mm512_set1_ps(in[62]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[126]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 1008);
        {
          const __m512 x = _mm512_set1_ps(in[63]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[127]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm512_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm512_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      if (rows > 1) {
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_4);
        s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_5);
        s1_0_2 = _mm512_add_ps(s1_0_2, s1_0_6);
        s1_0_3 = _mm512_add_ps(s1_0_3, s1_0_7);
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
        s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
      }
      {
        const __m512 linear = _mm512_add_ps(_mm512_add_ps(s0_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = linear;
        _mm512_mask_storeu_ps(y, (__mmask16)((1u << (1)) - 1u), value);
      }
      {
        const __m512 linear = _mm512_add_ps(_mm512_add_ps(s1_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = linear;
        _mm512_mask_storeu_ps(y + 1 * y_stride, (__mmask16)((1u << (1)) - 1u), value);
      }
    }
    FFN_SETTLE();
    {
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
  s0_0_2 = _mm512_setzero_ps(), s0_0_3 = _mm512_setzero_ps(),
  s0_0_4 = _mm512_setzero_ps(), s0_0_5 = _mm512_setzero_ps(),
  s0_0_6 = _mm512_setzero_ps(), s0_0_7 = _mm512_setzero_ps();
      __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
  s1_0_2 = _mm512_setzero_ps(), s1_0_3 = _mm512_setzero_ps(),
  s1_0_4 = _mm512_setzero_ps(), s1_0_5 = _mm512_setzero_ps(),
  s1_0_6 = _mm512_setzero_ps(), s1_0_7 = _mm512_setzero_ps();
      {
        const __m512 w0 = _mm512_load_ps(w);
        {
          const __m512 x = _mm512_set1_ps(in[128]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 64]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 16);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 65]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 32);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 2]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 66]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 48);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 3]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 67]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 64);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 4]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 68]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 80);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 5]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 69]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 96);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 6]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 70]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 112);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 7]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 71]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 128);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 8]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 72]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 144);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 9]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 73]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 160);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 10]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 74]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 176);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 11]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 75]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 192);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 12]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 76]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 208);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 13]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 77]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 224);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 14]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 78]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 240);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 15]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 79]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 256);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 16]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 80]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 272);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 17]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 81]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 288);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 18]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 82]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 304);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 19]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 83]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 320);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 20]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 84]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 336);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 21]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 85]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 352);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 22]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 86]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 368);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 23]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 87]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 384);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 24]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 88]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 400);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 25]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 89]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 416);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 26]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 90]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 432);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 27]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 91]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 448);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 28]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 92]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 464);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 29]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 93]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 480);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 30]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 94]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 496);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 31]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 95]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 512);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 32]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 96]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 528);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 33]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 97]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 544);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 34]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 98]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 560);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 35]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 99]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 576);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 36]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 100]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 592);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 37]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 101]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 608);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 38]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 102]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 624);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 39]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 103]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 640);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 40]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 104]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 656);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 41]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 105]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 672);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 42]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 106]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 688);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 43]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 107]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 704);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 44]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 108]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 720);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 45]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 109]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 736);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 46]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 110]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 752);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 47]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 111]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 768);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 48]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 112]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 784);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 49]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 113]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 800);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 50]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 114]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 816);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 51]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 115]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 832);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 52]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 116]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 848);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 53]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 117]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 864);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 54]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 118]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 880);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 55]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 119]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 896);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 56]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 120]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 912);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 57]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 121]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 928);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 58]); s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 122]); s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 944);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 59]); s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 123]); s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 960);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 60]); s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 124]); s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 976);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 61]); s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 125]); s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 992);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 62]); s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 126]); s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 1008);
        {
          const __m512 x = _mm512_set1_ps(in[128 + 63]); s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[128 + 127]); s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm512_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm512_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      if (rows > 1) {
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_4);
        s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_5);
        s1_0_2 = _mm512_add_ps(s1_0_2, s1_0_6);
        s1_0_3 = _mm512_add_ps(s1_0_3, s1_0_7);
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
        s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
      }
      {
        const __m512 linear = _mm512_add_ps(_mm512_add_ps(s0_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = linear;
        _mm512_mask_storeu_ps(y + 2 * y_stride, (__mmask16)((1u << (1)) - 1u), value);
      }
      {
        const __m512 linear = _mm512_add_ps(_mm512_add_ps(s1_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = linear;
        _mm512_mask_storeu_ps(y + 3 * y_stride, (__mmask16)((1u << (1)) - 1u), value);
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
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
  s0_1_0 = _mm512_setzero_ps(), s0_1_1 = _mm512_setzero_ps(),
  s0_2_0 = _mm512_setzero_ps(), s0_2_1 = _mm512_setzero_ps(),
  s0_3_0 = _mm512_setzero_ps(), s0_3_1 = _mm512_setzero_ps();
      {
        {
          const __m512 x = _mm512_set1_ps(in[0]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w), s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 160), s0_1_0);
          s0_2_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 320), s0_2_0);
          s0_3_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 480), s0_3_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[1]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 16), s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 176), s0_1_1);
          s0_2_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 336), s0_2_1);
          s0_3_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 496), s0_3_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[2]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 32), s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 192), s0_1_0);
          s0_2_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 352), s0_2_0);
          s0_3_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 512), s0_3_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[3]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 48), s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 208), s0_1_1);
          s0_2_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 368), s0_2_1);
          s0_3_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 528), s0_3_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[4]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 64), s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 224), s0_1_0);
          s0_2_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 384), s0_2_0);
          s0_3_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 544), s0_3_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[5]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 80), s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 240), s0_1_1);
          s0_2_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 400), s0_2_1);
          s0_3_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 560), s0_3_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[6]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 96), s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 256), s0_1_0);
          s0_2_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 416), s0_2_0);
          s0_3_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 576), s0_3_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[7]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 112), s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 272), s0_1_1);
          s0_2_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 432), s0_2_1);
          s0_3_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 592), s0_3_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[8]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 128), s0_0_0);
          s0_1_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 288), s0_1_0);
          s0_2_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 448), s0_2_0);
          s0_3_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 608), s0_3_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[9]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 144), s0_0_1);
          s0_1_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 304), s0_1_1);
          s0_2_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 464), s0_2_1);
          s0_3_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 624), s0_3_1);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
      s0_2_0 = _mm512_add_ps(s0_2_0, s0_2_1);
      s0_3_0 = _mm512_add_ps(s0_3_0, s0_3_1);
      {
        const __m512 linear = _mm512_add_ps(s0_0_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s0_1_0, _mm512_load_ps(bias + 16));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 16, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s0_2_0, _mm512_load_ps(bias + 32));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 32, value);
      }
      {
        const __m512 linear = _mm512_add_ps(s0_3_0, _mm512_load_ps(bias + 48));
        const __m512 value = act_relu(linear);
        _mm512_store_ps(out + 48, value);
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
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
  s0_0_2 = _mm512_setzero_ps(), s0_0_3 = _mm512_setzero_ps(),
  s0_0_4 = _mm512_setzero_ps(), s0_0_5 = _mm512_setzero_ps(),
  s0_0_6 = _mm512_setzero_ps(), s0_0_7 = _mm512_setzero_ps();
      {
        {
          const __m512 x = _mm512_set1_ps(in[0]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[1]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 16), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[2]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 32), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[3]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 48), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[4]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 64), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[5]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 80), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[6]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 96), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[7]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 112), s0_0_7);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[8]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 128), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[9]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 144), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[10]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 160), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[11]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 176), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[12]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 192), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[13]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 208), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[14]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 224), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[15]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 240), s0_0_7);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[16]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 256), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[17]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 272), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[18]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 288), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[19]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 304), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[20]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 320), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[21]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 336), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[22]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 352), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[23]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 368), s0_0_7);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[24]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 384), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[25]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 400), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[26]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 416), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[27]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 432), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[28]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 448), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[29]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 464), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[30]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 480), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[31]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 496), s0_0_7);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[32]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 512), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[33]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 528), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[34]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 544), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[35]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 560), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[36]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 576), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[37]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 592), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[38]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 608), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[39]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 624), s0_0_7);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[40]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 640), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[41]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 656), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[42]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 672), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[43]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 688), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[44]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 704), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[45]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 720), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[46]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 736), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[47]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 752), s0_0_7);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[48]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 768), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[49]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 784), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[50]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 800), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[51]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 816), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[52]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 832), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[53]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 848), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[54]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 864), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[55]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 880), s0_0_7);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[56]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 896), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[57]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 912), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[58]);
          s0_0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 928), s0_0_2);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[59]);
          s0_0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 944), s0_0_3);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[60]);
          s0_0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 960), s0_0_4);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[61]);
          s0_0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 976), s0_0_5);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[62]);
          s0_0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 992), s0_0_6);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[63]);
          s0_0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 1008), s0_0_7);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_4);
      s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_5);
      s0_0_2 = _mm512_add_ps(s0_0_2, s0_0_6);
      s0_0_3 = _mm512_add_ps(s0_0_3, s0_0_7);
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
      s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      {
        const __m512 linear = _mm512_add_ps(_mm512_add_ps(s0_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = linear;
        _mm512_mask_storeu_ps(y, (__mmask16)((1u << (1)) - 1u), value);
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
static const ffn_chain chain = {straight_rows, UINT64_C(0x1c1fdb03ec7cab65), 2, chain_stages, 7, 224,
                                17920, 32256, 1408};

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

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx512;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx512 = {
    "mlp_10_relu64_identity1_bias_f32_avx512",
    "mlp_10_relu64_identity1_bias_f32",
    FFN_KIND_MLP,
    FFN_IDENTITY,
    FFN_F32,
    FFN_ISA_AVX512,
    10,
    0,
    1,
    1,
    0,
    2,
    stages,
    7040,
    129024,
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
