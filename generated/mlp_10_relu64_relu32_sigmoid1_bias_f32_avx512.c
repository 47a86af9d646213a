/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512
 * MLP chain 10 -> 64 relu -> 32 relu -> 1 sigmoid, with biases, f32, for avx512
 * A classifier: relu, relu, sigmoid
 *
 *     h1 = relu(x W_layer1^T + b_layer1)
 *     h2 = relu(h1 W_layer2^T + b_layer2)
 *     y = sigmoid(h2 W_layer3^T + b_layer3)
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_32_1; templates kernel.c.tpl, stage.c.tpl
 * Tiles      layer1: rows x columns 3 x 64, 7 x 32, 1 branch, at most 31 of 32 registers
 * Tiles      layer2: rows x columns 3 x 32, 1 branch, at most 27 of 32 registers
 * Tiles      layer3: rows x columns 3 x 16, 1 branch, at most 26 of 32 registers
 * Walk       224 rows at a time; activations at odd multiples of 64 bytes
 * Cost       5440 flop per token; 13312 bytes of packed weights;
 *            172032 bytes of work memory per thread
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
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif

/* max(x, 0); exact. */
FFN_INLINE __m512 act_relu(const __m512 x) {
  return _mm512_max_ps(_mm512_set1_ps(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. */
FFN_INLINE __m512 act_sigmoid(const __m512 x) {
  const __m512 t = _mm512_max_ps(_mm512_set1_ps(-104.0f), x);
  const __m512 a = _mm512_min_ps(_mm512_set1_ps(24.0f), t);
  const __m512 shifted = _mm512_fmadd_ps(a, _mm512_set1_ps(-1.442695f), _mm512_set1_ps(12582912.0f));
  const __m512 steps = _mm512_sub_ps(shifted, _mm512_set1_ps(12582912.0f));
  const __m512i t_2 = _mm512_castps_si512(shifted);
  const __m512i n = _mm512_sub_epi32(t_2, _mm512_set1_epi32(1262485536));
  const __m512 t_3 = _mm512_fmadd_ps(steps, _mm512_set1_ps(0.6931472f), a);
  const __m512 r = _mm512_fmadd_ps(steps, _mm512_set1_ps(-1.9046542e-09f), t_3);
  const __m512 t_4 = _mm512_fmadd_ps(_mm512_set1_ps(0.0013818297f), r, _mm512_set1_ps(-0.008368532f));
  const __m512 t_5 = _mm512_fmadd_ps(t_4, r, _mm512_set1_ps(0.041668292f));
  const __m512 t_6 = _mm512_fmadd_ps(t_5, r, _mm512_set1_ps(-0.16666523f));
  const __m512 t_7 = _mm512_fmadd_ps(t_6, r, _mm512_set1_ps(0.49999994f));
  const __m512 t_8 = _mm512_fmadd_ps(t_7, r, _mm512_set1_ps(-1.0f));
  const __m512 p = _mm512_fmadd_ps(t_8, r, _mm512_set1_ps(1.0f));
  const __m512 t_9 = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(n, _mm512_set1_epi32(127)), 23));
  const __m512 denominator = _mm512_fmadd_ps(p, t_9, _mm512_set1_ps(2.3283064e-10f));
  return _mm512_div_ps(_mm512_set1_ps(2.3283064e-10f), denominator);
}

/* ---- layer1: 10 -> 64 --------------------------------------------------------------------
 *
 * Panels [4][10][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][64] = a w for up to 3 rows of 64 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer1_tile_64(float *sum, const float *a, const float *w, const int rows) {
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
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        s0_2_0 = _mm512_fmadd_ps(x, w2, s0_2_0); s0_3_0 = _mm512_fmadd_ps(x, w3, s0_3_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 16]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        s1_2_0 = _mm512_fmadd_ps(x, w2, s1_2_0); s1_3_0 = _mm512_fmadd_ps(x, w3, s1_3_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 32]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        s2_2_0 = _mm512_fmadd_ps(x, w2, s2_2_0); s2_3_0 = _mm512_fmadd_ps(x, w3, s2_3_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16), w1 = _mm512_load_ps(w + 176),
        w2 = _mm512_load_ps(w + 336), w3 = _mm512_load_ps(w + 496);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]);
        s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
        s0_2_1 = _mm512_fmadd_ps(x, w2, s0_2_1); s0_3_1 = _mm512_fmadd_ps(x, w3, s0_3_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 17]);
        s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1); s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
        s1_2_1 = _mm512_fmadd_ps(x, w2, s1_2_1); s1_3_1 = _mm512_fmadd_ps(x, w3, s1_3_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 33]);
        s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1); s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
        s2_2_1 = _mm512_fmadd_ps(x, w2, s2_2_1); s2_3_1 = _mm512_fmadd_ps(x, w3, s2_3_1);
      }
    }
  }
  if (k < 10) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 160),
        w2 = _mm512_load_ps(w + 320), w3 = _mm512_load_ps(w + 480);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
        s0_2_0 = _mm512_fmadd_ps(x, w2, s0_2_0); s0_3_0 = _mm512_fmadd_ps(x, w3, s0_3_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 16]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
        s1_2_0 = _mm512_fmadd_ps(x, w2, s1_2_0); s1_3_0 = _mm512_fmadd_ps(x, w3, s1_3_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 32]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
        s2_2_0 = _mm512_fmadd_ps(x, w2, s2_2_0); s2_3_0 = _mm512_fmadd_ps(x, w3, s2_3_0);
      }
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
  case 1: layer1_tile_64(sum, a, w, 1); break;
  case 2: layer1_tile_64(sum, a, w, 2); break;
  case 3: layer1_tile_64(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* sum[row][branch][32] = a w for up to 7 rows of 32 columns; 31 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer1_tile_32(float *sum, const float *a, const float *w, const int rows) {
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
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 16]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 32]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
      }
      if (rows > 3) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0); s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
      }
      if (rows > 4) {
        const __m512 x = _mm512_set1_ps(a[k + 64]);
        s4_0_0 = _mm512_fmadd_ps(x, w0, s4_0_0); s4_1_0 = _mm512_fmadd_ps(x, w1, s4_1_0);
      }
      if (rows > 5) {
        const __m512 x = _mm512_set1_ps(a[k + 80]);
        s5_0_0 = _mm512_fmadd_ps(x, w0, s5_0_0); s5_1_0 = _mm512_fmadd_ps(x, w1, s5_1_0);
      }
      if (rows > 6) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s6_0_0 = _mm512_fmadd_ps(x, w0, s6_0_0); s6_1_0 = _mm512_fmadd_ps(x, w1, s6_1_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16), w1 = _mm512_load_ps(w + 176);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]);
        s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 17]);
        s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1); s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 33]);
        s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1); s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
      }
      if (rows > 3) {
        const __m512 x = _mm512_set1_ps(a[k + 49]);
        s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1); s3_1_1 = _mm512_fmadd_ps(x, w1, s3_1_1);
      }
      if (rows > 4) {
        const __m512 x = _mm512_set1_ps(a[k + 65]);
        s4_0_1 = _mm512_fmadd_ps(x, w0, s4_0_1); s4_1_1 = _mm512_fmadd_ps(x, w1, s4_1_1);
      }
      if (rows > 5) {
        const __m512 x = _mm512_set1_ps(a[k + 81]);
        s5_0_1 = _mm512_fmadd_ps(x, w0, s5_0_1); s5_1_1 = _mm512_fmadd_ps(x, w1, s5_1_1);
      }
      if (rows > 6) {
        const __m512 x = _mm512_set1_ps(a[k + 97]);
        s6_0_1 = _mm512_fmadd_ps(x, w0, s6_0_1); s6_1_1 = _mm512_fmadd_ps(x, w1, s6_1_1);
      }
    }
  }
  if (k < 10) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 160);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 16]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 32]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
      }
      if (rows > 3) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0); s3_1_0 = _mm512_fmadd_ps(x, w1, s3_1_0);
      }
      if (rows > 4) {
        const __m512 x = _mm512_set1_ps(a[k + 64]);
        s4_0_0 = _mm512_fmadd_ps(x, w0, s4_0_0); s4_1_0 = _mm512_fmadd_ps(x, w1, s4_1_0);
      }
      if (rows > 5) {
        const __m512 x = _mm512_set1_ps(a[k + 80]);
        s5_0_0 = _mm512_fmadd_ps(x, w0, s5_0_0); s5_1_0 = _mm512_fmadd_ps(x, w1, s5_1_0);
      }
      if (rows > 6) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s6_0_0 = _mm512_fmadd_ps(x, w0, s6_0_0); s6_1_0 = _mm512_fmadd_ps(x, w1, s6_1_0);
      }
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
  case 1: layer1_tile_32(sum, a, w, 1); break;
  case 2: layer1_tile_32(sum, a, w, 2); break;
  case 3: layer1_tile_32(sum, a, w, 3); break;
  case 4: layer1_tile_32(sum, a, w, 4); break;
  case 5: layer1_tile_32(sum, a, w, 5); break;
  case 6: layer1_tile_32(sum, a, w, 6); break;
  case 7: layer1_tile_32(sum, a, w, 7); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer1_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 656 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < cols; c += 16) {
      const __m512 linear = _mm512_add_ps(_mm512_load_ps(sum + c), _mm512_load_ps(bias + c));
      const __m512 value = act_relu(linear);
      _mm512_store_ps(out + c, value);
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
    if (task->rows <= 3 && left >= 64)
      cols = 64, most = 3, sums = layer1_sums_64;
    else
      cols = 32, most = 7, sums = layer1_sums_32;
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

/* sum[row][branch][32] = a w for up to 3 rows of 32 columns; 27 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer2_tile_32(float *sum, const float *a, const float *w, const int rows) {
  __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps(),
    s0_0_2 = _mm512_setzero_ps(), s0_0_3 = _mm512_setzero_ps(),
    s0_1_0 = _mm512_setzero_ps(), s0_1_1 = _mm512_setzero_ps(),
    s0_1_2 = _mm512_setzero_ps(), s0_1_3 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps(),
    s1_0_2 = _mm512_setzero_ps(), s1_0_3 = _mm512_setzero_ps(),
    s1_1_0 = _mm512_setzero_ps(), s1_1_1 = _mm512_setzero_ps(),
    s1_1_2 = _mm512_setzero_ps(), s1_1_3 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps(),
    s2_0_2 = _mm512_setzero_ps(), s2_0_3 = _mm512_setzero_ps(),
    s2_1_0 = _mm512_setzero_ps(), s2_1_1 = _mm512_setzero_ps(),
    s2_1_2 = _mm512_setzero_ps(), s2_1_3 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k + 4 <= 64; k += 4, w += 64) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 1024);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 80]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 160]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16), w1 = _mm512_load_ps(w + 1040);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]);
        s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 81]);
        s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1); s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 161]);
        s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1); s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 32), w1 = _mm512_load_ps(w + 1056);
      {
        const __m512 x = _mm512_set1_ps(a[k + 2]);
        s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2); s0_1_2 = _mm512_fmadd_ps(x, w1, s0_1_2);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 82]);
        s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2); s1_1_2 = _mm512_fmadd_ps(x, w1, s1_1_2);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 162]);
        s2_0_2 = _mm512_fmadd_ps(x, w0, s2_0_2); s2_1_2 = _mm512_fmadd_ps(x, w1, s2_1_2);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 48), w1 = _mm512_load_ps(w + 1072);
      {
        const __m512 x = _mm512_set1_ps(a[k + 3]);
        s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3); s0_1_3 = _mm512_fmadd_ps(x, w1, s0_1_3);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 83]);
        s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3); s1_1_3 = _mm512_fmadd_ps(x, w1, s1_1_3);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 163]);
        s2_0_3 = _mm512_fmadd_ps(x, w0, s2_0_3); s2_1_3 = _mm512_fmadd_ps(x, w1, s2_1_3);
      }
    }
  }
  if (k < 64) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 1024);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0); s0_1_0 = _mm512_fmadd_ps(x, w1, s0_1_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 80]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0); s1_1_0 = _mm512_fmadd_ps(x, w1, s1_1_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 160]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0); s2_1_0 = _mm512_fmadd_ps(x, w1, s2_1_0);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 1024);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1); s0_1_1 = _mm512_fmadd_ps(x, w1, s0_1_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 80]);
        s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1); s1_1_1 = _mm512_fmadd_ps(x, w1, s1_1_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 160]);
        s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1); s2_1_1 = _mm512_fmadd_ps(x, w1, s2_1_1);
      }
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 1024);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2); s0_1_2 = _mm512_fmadd_ps(x, w1, s0_1_2);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 80]);
        s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2); s1_1_2 = _mm512_fmadd_ps(x, w1, s1_1_2);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 160]);
        s2_0_2 = _mm512_fmadd_ps(x, w0, s2_0_2); s2_1_2 = _mm512_fmadd_ps(x, w1, s2_1_2);
      }
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_2);
  s0_1_1 = _mm512_add_ps(s0_1_1, s0_1_3);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  if (rows > 1) {
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
    s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
    s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_2);
    s1_1_1 = _mm512_add_ps(s1_1_1, s1_1_3);
    s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  }
  if (rows > 2) {
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_2);
    s2_0_1 = _mm512_add_ps(s2_0_1, s2_0_3);
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
    s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_2);
    s2_1_1 = _mm512_add_ps(s2_1_1, s2_1_3);
    s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
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
}

FFN_NOINLINE void layer2_sums_32(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer2_tile_32(sum, a, w, 1); break;
  case 2: layer2_tile_32(sum, a, w, 2); break;
  case 3: layer2_tile_32(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 2768 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < cols; c += 16) {
      const __m512 linear = _mm512_add_ps(_mm512_load_ps(sum + c), _mm512_load_ps(bias + c));
      const __m512 value = act_relu(linear);
      _mm512_store_ps(out + c, value);
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
      cols = 32, most = 3, sums = layer2_sums_32;
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

/* sum[row][branch][16] = a w for up to 3 rows of 16 columns; 26 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer3_tile_16(float *sum, const float *a, const float *w, const int rows) {
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
  for (; k + 8 <= 32; k += 8, w += 128) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]);
        s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 49]);
        s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 97]);
        s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 32);
      {
        const __m512 x = _mm512_set1_ps(a[k + 2]);
        s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 50]);
        s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 98]);
        s2_0_2 = _mm512_fmadd_ps(x, w0, s2_0_2);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 48);
      {
        const __m512 x = _mm512_set1_ps(a[k + 3]);
        s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 51]);
        s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 99]);
        s2_0_3 = _mm512_fmadd_ps(x, w0, s2_0_3);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 64);
      {
        const __m512 x = _mm512_set1_ps(a[k + 4]);
        s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 52]);
        s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 100]);
        s2_0_4 = _mm512_fmadd_ps(x, w0, s2_0_4);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 80);
      {
        const __m512 x = _mm512_set1_ps(a[k + 5]);
        s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 53]);
        s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 101]);
        s2_0_5 = _mm512_fmadd_ps(x, w0, s2_0_5);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 96);
      {
        const __m512 x = _mm512_set1_ps(a[k + 6]);
        s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 54]);
        s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 102]);
        s2_0_6 = _mm512_fmadd_ps(x, w0, s2_0_6);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 112);
      {
        const __m512 x = _mm512_set1_ps(a[k + 7]);
        s0_0_7 = _mm512_fmadd_ps(x, w0, s0_0_7);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 55]);
        s1_0_7 = _mm512_fmadd_ps(x, w0, s1_0_7);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 103]);
        s2_0_7 = _mm512_fmadd_ps(x, w0, s2_0_7);
      }
    }
  }
  if (k < 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_2 = _mm512_fmadd_ps(x, w0, s0_0_2);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_2 = _mm512_fmadd_ps(x, w0, s1_0_2);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_2 = _mm512_fmadd_ps(x, w0, s2_0_2);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_3 = _mm512_fmadd_ps(x, w0, s0_0_3);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_3 = _mm512_fmadd_ps(x, w0, s1_0_3);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_3 = _mm512_fmadd_ps(x, w0, s2_0_3);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_4 = _mm512_fmadd_ps(x, w0, s0_0_4);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_4 = _mm512_fmadd_ps(x, w0, s1_0_4);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_4 = _mm512_fmadd_ps(x, w0, s2_0_4);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_5 = _mm512_fmadd_ps(x, w0, s0_0_5);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_5 = _mm512_fmadd_ps(x, w0, s1_0_5);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_5 = _mm512_fmadd_ps(x, w0, s2_0_5);
      }
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]);
        s0_0_6 = _mm512_fmadd_ps(x, w0, s0_0_6);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 48]);
        s1_0_6 = _mm512_fmadd_ps(x, w0, s1_0_6);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 96]);
        s2_0_6 = _mm512_fmadd_ps(x, w0, s2_0_6);
      }
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

FFN_NOINLINE void layer3_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer3_tile_16(sum, a, w, 1); break;
  case 2: layer3_tile_16(sum, a, w, 2); break;
  case 3: layer3_tile_16(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through sigmoid into y. */
FFN_NOINLINE void layer3_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 3312 + column;
  const size_t valid = column < 1 ? ffn_min(1 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
    for (size_t c = 0; c < valid; c += 16) {
      const __m512 linear = _mm512_add_ps(_mm512_load_ps(sum + c), _mm512_load_ps(bias + c));
      const __m512 value = act_sigmoid(linear);
      if (valid - c >= 16)
        _mm512_storeu_ps(out + c, value);
      else
        _mm512_mask_storeu_ps(out + c, (__mmask16)((1u << (valid - c)) - 1u), value);
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
      cols = 16, most = 3, sums = layer3_sums_16;
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
     16, 656, 0, 16, 64},
    {layer2_pass, 64, 32, 1, 1,
     720, 2768, 10752, 80, 32},
    {layer3_pass, 32, 1, 1, 1,
     2800, 3312, 0, 48, 16},
};

static const ffn_chain chain = {UINT64_C(0x764069b59f8f69af), 3, chain_stages, 7, 224,
                                28672, 43008, 5440};

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

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512 = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512",
    "mlp_10_relu64_relu32_sigmoid1_bias_f32",
    FFN_KIND_MLP,
    FFN_IDENTITY,
    FFN_F32,
    FFN_ISA_AVX512,
    10,
    0,
    1,
    1,
    0,
    3,
    stages,
    13312,
    172032,
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
