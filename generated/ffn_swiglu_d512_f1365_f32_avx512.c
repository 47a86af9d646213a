/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_avx512
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for avx512
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu; templates kernel.c.tpl, stage.c.tpl
 * Tiles      gate_up: rows x columns 1 x 128, 2 x 64, 6 x 32, 14 x 16, 2 branches, at most 31 of 32 registers
 * Tiles      down: rows x columns 2 x 128, 6 x 64, 14 x 32, 1 branch, at most 31 of 32 registers
 * Walk       224 rows at a time; activations as [block of k][row][k]
 * Cost       4193280 flop per token; 8431680 bytes of packed weights;
 *            2236416 bytes of work memory per thread
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
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24.
 * Elfwing et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202. */
FFN_INLINE __m512 act_silu(const __m512 x) {
  const __m512 t = _mm512_abs_ps(x);
  const __m512 a = _mm512_min_ps(_mm512_set1_ps(112.0f), t);
  const __m512 shifted = _mm512_fmadd_ps(a, _mm512_set1_ps(1.442695f), _mm512_set1_ps(12582912.0f));
  const __m512 steps = _mm512_sub_ps(shifted, _mm512_set1_ps(12582912.0f));
  const __m512i t_2 = _mm512_castps_si512(shifted);
  const __m512i n = _mm512_sub_epi32(t_2, _mm512_set1_epi32(1262485544));
  const __m512 t_3 = _mm512_fnmadd_ps(steps, _mm512_set1_ps(0.6931472f), a);
  const __m512 r = _mm512_fnmadd_ps(steps, _mm512_set1_ps(-1.9046542e-09f), t_3);
  const __m512 t_4 = _mm512_fmadd_ps(_mm512_set1_ps(0.0013818297f), r, _mm512_set1_ps(0.008368532f));
  const __m512 t_5 = _mm512_fmadd_ps(t_4, r, _mm512_set1_ps(0.041668292f));
  const __m512 t_6 = _mm512_fmadd_ps(t_5, r, _mm512_set1_ps(0.16666523f));
  const __m512 t_7 = _mm512_fmadd_ps(t_6, r, _mm512_set1_ps(0.49999994f));
  const __m512 t_8 = _mm512_fmadd_ps(t_7, r, _mm512_set1_ps(1.0f));
  const __m512 p = _mm512_fmadd_ps(t_8, r, _mm512_set1_ps(1.0f));
  const __m512 t_9 = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(n, _mm512_set1_epi32(127)), 23));
  const __m512 denominator = _mm512_fmadd_ps(p, t_9, _mm512_set1_ps(9.094947e-13f));
  const __m512 tail = _mm512_div_ps(a, denominator);
  const __m512 t_10 = _mm512_max_ps(_mm512_set1_ps(0.0f), x);
  return _mm512_fnmadd_ps(tail, _mm512_set1_ps(9.094947e-13f), t_10);
}

/* ---- gate_up: 512 -> 1365 ----------------------------------------------------------------
 *
 * Panels [86][512][2][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][128] (+)= a w over `count` k for one row of 128 columns; 18 of 32 registers.
 */
FFN_NOINLINE void gate_up_sums_128(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  __m512 s0_0 = _mm512_setzero_ps(), s0_1 = _mm512_setzero_ps(), s0_2 = _mm512_setzero_ps(),
    s0_3 = _mm512_setzero_ps(), s0_4 = _mm512_setzero_ps(), s0_5 = _mm512_setzero_ps(),
    s0_6 = _mm512_setzero_ps(), s0_7 = _mm512_setzero_ps(), s0_8 = _mm512_setzero_ps(),
    s0_9 = _mm512_setzero_ps(), s0_10 = _mm512_setzero_ps(), s0_11 = _mm512_setzero_ps(),
    s0_12 = _mm512_setzero_ps(), s0_13 = _mm512_setzero_ps(), s0_14 = _mm512_setzero_ps(),
    s0_15 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    FFN_FETCH((const float *)next + 16384); FFN_FETCH((const float *)next + 16400);
    FFN_FETCH((const float *)next + 32768); FFN_FETCH((const float *)next + 32784);
    FFN_FETCH((const float *)next + 49152); FFN_FETCH((const float *)next + 49168);
    FFN_FETCH((const float *)next + 65536); FFN_FETCH((const float *)next + 65552);
    FFN_FETCH((const float *)next + 81920); FFN_FETCH((const float *)next + 81936);
    FFN_FETCH((const float *)next + 98304); FFN_FETCH((const float *)next + 98320);
    FFN_FETCH((const float *)next + 114688); FFN_FETCH((const float *)next + 114704);
    next += advance;
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w), s0_0);
      s0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 16384), s0_1);
      s0_2 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 32768), s0_2);
      s0_3 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 49152), s0_3);
      s0_4 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 65536), s0_4);
      s0_5 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 81920), s0_5);
      s0_6 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 98304), s0_6);
      s0_7 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 114688), s0_7);
      s0_8 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 16), s0_8);
      s0_9 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 16400), s0_9);
      s0_10 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 32784), s0_10);
      s0_11 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 49168), s0_11);
      s0_12 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 65552), s0_12);
      s0_13 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 81936), s0_13);
      s0_14 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 98320), s0_14);
      s0_15 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 114704), s0_15);
    }
  }
  if (add) {
    s0_0 = _mm512_add_ps(_mm512_load_ps(sum), s0_0);
    s0_1 = _mm512_add_ps(_mm512_load_ps(sum + 16), s0_1);
    s0_2 = _mm512_add_ps(_mm512_load_ps(sum + 32), s0_2);
    s0_3 = _mm512_add_ps(_mm512_load_ps(sum + 48), s0_3);
    s0_4 = _mm512_add_ps(_mm512_load_ps(sum + 64), s0_4);
    s0_5 = _mm512_add_ps(_mm512_load_ps(sum + 80), s0_5);
    s0_6 = _mm512_add_ps(_mm512_load_ps(sum + 96), s0_6);
    s0_7 = _mm512_add_ps(_mm512_load_ps(sum + 112), s0_7);
    s0_8 = _mm512_add_ps(_mm512_load_ps(sum + 128), s0_8);
    s0_9 = _mm512_add_ps(_mm512_load_ps(sum + 144), s0_9);
    s0_10 = _mm512_add_ps(_mm512_load_ps(sum + 160), s0_10);
    s0_11 = _mm512_add_ps(_mm512_load_ps(sum + 176), s0_11);
    s0_12 = _mm512_add_ps(_mm512_load_ps(sum + 192), s0_12);
    s0_13 = _mm512_add_ps(_mm512_load_ps(sum + 208), s0_13);
    s0_14 = _mm512_add_ps(_mm512_load_ps(sum + 224), s0_14);
    s0_15 = _mm512_add_ps(_mm512_load_ps(sum + 240), s0_15);
  }
  _mm512_store_ps(sum, s0_0);
  _mm512_store_ps(sum + 16, s0_1);
  _mm512_store_ps(sum + 32, s0_2);
  _mm512_store_ps(sum + 48, s0_3);
  _mm512_store_ps(sum + 64, s0_4);
  _mm512_store_ps(sum + 80, s0_5);
  _mm512_store_ps(sum + 96, s0_6);
  _mm512_store_ps(sum + 112, s0_7);
  _mm512_store_ps(sum + 128, s0_8);
  _mm512_store_ps(sum + 144, s0_9);
  _mm512_store_ps(sum + 160, s0_10);
  _mm512_store_ps(sum + 176, s0_11);
  _mm512_store_ps(sum + 192, s0_12);
  _mm512_store_ps(sum + 208, s0_13);
  _mm512_store_ps(sum + 224, s0_14);
  _mm512_store_ps(sum + 240, s0_15);
}

/* sum[row][branch][64] (+)= a w over `count` k for up to 2 rows of 64 columns; 25 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m512 s0_0 = _mm512_setzero_ps(), s0_1 = _mm512_setzero_ps(), s0_2 = _mm512_setzero_ps(),
    s0_3 = _mm512_setzero_ps(), s0_4 = _mm512_setzero_ps(), s0_5 = _mm512_setzero_ps(),
    s0_6 = _mm512_setzero_ps(), s0_7 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps(), s1_1 = _mm512_setzero_ps(), s1_2 = _mm512_setzero_ps(),
    s1_3 = _mm512_setzero_ps(), s1_4 = _mm512_setzero_ps(), s1_5 = _mm512_setzero_ps(),
    s1_6 = _mm512_setzero_ps(), s1_7 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    FFN_FETCH((const float *)next + 16384); FFN_FETCH((const float *)next + 16400);
    FFN_FETCH((const float *)next + 32768); FFN_FETCH((const float *)next + 32784);
    FFN_FETCH((const float *)next + 49152); FFN_FETCH((const float *)next + 49168);
    next += advance;
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 16384),
      w2 = _mm512_load_ps(w + 32768), w3 = _mm512_load_ps(w + 49152),
      w4 = _mm512_load_ps(w + 16), w5 = _mm512_load_ps(w + 16400),
      w6 = _mm512_load_ps(w + 32784), w7 = _mm512_load_ps(w + 49168);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x, w1, s0_1); s0_2 = _mm512_fmadd_ps(x, w2, s0_2);
      s0_3 = _mm512_fmadd_ps(x, w3, s0_3); s0_4 = _mm512_fmadd_ps(x, w4, s0_4);
      s0_5 = _mm512_fmadd_ps(x, w5, s0_5); s0_6 = _mm512_fmadd_ps(x, w6, s0_6);
      s0_7 = _mm512_fmadd_ps(x, w7, s0_7);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm512_fmadd_ps(x, w1, s1_1); s1_2 = _mm512_fmadd_ps(x, w2, s1_2);
      s1_3 = _mm512_fmadd_ps(x, w3, s1_3); s1_4 = _mm512_fmadd_ps(x, w4, s1_4);
      s1_5 = _mm512_fmadd_ps(x, w5, s1_5); s1_6 = _mm512_fmadd_ps(x, w6, s1_6);
      s1_7 = _mm512_fmadd_ps(x, w7, s1_7);
    }
  }
  if (add) {
    s0_0 = _mm512_add_ps(_mm512_load_ps(sum), s0_0);
    s0_1 = _mm512_add_ps(_mm512_load_ps(sum + 16), s0_1);
    s0_2 = _mm512_add_ps(_mm512_load_ps(sum + 32), s0_2);
    s0_3 = _mm512_add_ps(_mm512_load_ps(sum + 48), s0_3);
    s0_4 = _mm512_add_ps(_mm512_load_ps(sum + 64), s0_4);
    s0_5 = _mm512_add_ps(_mm512_load_ps(sum + 80), s0_5);
    s0_6 = _mm512_add_ps(_mm512_load_ps(sum + 96), s0_6);
    s0_7 = _mm512_add_ps(_mm512_load_ps(sum + 112), s0_7);
    if (rows > 1) {
      s1_0 = _mm512_add_ps(_mm512_load_ps(sum + 128), s1_0);
      s1_1 = _mm512_add_ps(_mm512_load_ps(sum + 144), s1_1);
      s1_2 = _mm512_add_ps(_mm512_load_ps(sum + 160), s1_2);
      s1_3 = _mm512_add_ps(_mm512_load_ps(sum + 176), s1_3);
      s1_4 = _mm512_add_ps(_mm512_load_ps(sum + 192), s1_4);
      s1_5 = _mm512_add_ps(_mm512_load_ps(sum + 208), s1_5);
      s1_6 = _mm512_add_ps(_mm512_load_ps(sum + 224), s1_6);
      s1_7 = _mm512_add_ps(_mm512_load_ps(sum + 240), s1_7);
    }
  }
  _mm512_store_ps(sum, s0_0);
  _mm512_store_ps(sum + 16, s0_1);
  _mm512_store_ps(sum + 32, s0_2);
  _mm512_store_ps(sum + 48, s0_3);
  _mm512_store_ps(sum + 64, s0_4);
  _mm512_store_ps(sum + 80, s0_5);
  _mm512_store_ps(sum + 96, s0_6);
  _mm512_store_ps(sum + 112, s0_7);
  if (rows > 1) {
    _mm512_store_ps(sum + 128, s1_0);
    _mm512_store_ps(sum + 144, s1_1);
    _mm512_store_ps(sum + 160, s1_2);
    _mm512_store_ps(sum + 176, s1_3);
    _mm512_store_ps(sum + 192, s1_4);
    _mm512_store_ps(sum + 208, s1_5);
    _mm512_store_ps(sum + 224, s1_6);
    _mm512_store_ps(sum + 240, s1_7);
  }
}

FFN_NOINLINE void gate_up_sums_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: gate_up_sums_tile_64(sum, a, w, count, add, next, advance, 1); break;
  case 2: gate_up_sums_tile_64(sum, a, w, count, add, next, advance, 2); break;
  default: assert(0);
  }
}

/* sum[row][branch][32] (+)= a w over `count` k for up to 6 rows of 32 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m512 s0_0 = _mm512_setzero_ps(), s0_1 = _mm512_setzero_ps(), s0_2 = _mm512_setzero_ps(),
    s0_3 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps(), s1_1 = _mm512_setzero_ps(), s1_2 = _mm512_setzero_ps(),
    s1_3 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps(), s2_1 = _mm512_setzero_ps(), s2_2 = _mm512_setzero_ps(),
    s2_3 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps(), s3_1 = _mm512_setzero_ps(), s3_2 = _mm512_setzero_ps(),
    s3_3 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps(), s4_1 = _mm512_setzero_ps(), s4_2 = _mm512_setzero_ps(),
    s4_3 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps(), s5_1 = _mm512_setzero_ps(), s5_2 = _mm512_setzero_ps(),
    s5_3 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    FFN_FETCH((const float *)next + 16384); FFN_FETCH((const float *)next + 16400);
    next += advance;
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 16384),
      w2 = _mm512_load_ps(w + 16), w3 = _mm512_load_ps(w + 16400);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x, w1, s0_1); s0_2 = _mm512_fmadd_ps(x, w2, s0_2);
      s0_3 = _mm512_fmadd_ps(x, w3, s0_3);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm512_fmadd_ps(x, w1, s1_1); s1_2 = _mm512_fmadd_ps(x, w2, s1_2);
      s1_3 = _mm512_fmadd_ps(x, w3, s1_3);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 256]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
      s2_1 = _mm512_fmadd_ps(x, w1, s2_1); s2_2 = _mm512_fmadd_ps(x, w2, s2_2);
      s2_3 = _mm512_fmadd_ps(x, w3, s2_3);
    }
    if (rows > 3) {
      const __m512 x = _mm512_set1_ps(a[k + 384]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
      s3_1 = _mm512_fmadd_ps(x, w1, s3_1); s3_2 = _mm512_fmadd_ps(x, w2, s3_2);
      s3_3 = _mm512_fmadd_ps(x, w3, s3_3);
    }
    if (rows > 4) {
      const __m512 x = _mm512_set1_ps(a[k + 512]); s4_0 = _mm512_fmadd_ps(x, w0, s4_0);
      s4_1 = _mm512_fmadd_ps(x, w1, s4_1); s4_2 = _mm512_fmadd_ps(x, w2, s4_2);
      s4_3 = _mm512_fmadd_ps(x, w3, s4_3);
    }
    if (rows > 5) {
      const __m512 x = _mm512_set1_ps(a[k + 640]); s5_0 = _mm512_fmadd_ps(x, w0, s5_0);
      s5_1 = _mm512_fmadd_ps(x, w1, s5_1); s5_2 = _mm512_fmadd_ps(x, w2, s5_2);
      s5_3 = _mm512_fmadd_ps(x, w3, s5_3);
    }
  }
  if (add) {
    s0_0 = _mm512_add_ps(_mm512_load_ps(sum), s0_0);
    s0_1 = _mm512_add_ps(_mm512_load_ps(sum + 16), s0_1);
    s0_2 = _mm512_add_ps(_mm512_load_ps(sum + 32), s0_2);
    s0_3 = _mm512_add_ps(_mm512_load_ps(sum + 48), s0_3);
    if (rows > 1) {
      s1_0 = _mm512_add_ps(_mm512_load_ps(sum + 64), s1_0);
      s1_1 = _mm512_add_ps(_mm512_load_ps(sum + 80), s1_1);
      s1_2 = _mm512_add_ps(_mm512_load_ps(sum + 96), s1_2);
      s1_3 = _mm512_add_ps(_mm512_load_ps(sum + 112), s1_3);
    }
    if (rows > 2) {
      s2_0 = _mm512_add_ps(_mm512_load_ps(sum + 128), s2_0);
      s2_1 = _mm512_add_ps(_mm512_load_ps(sum + 144), s2_1);
      s2_2 = _mm512_add_ps(_mm512_load_ps(sum + 160), s2_2);
      s2_3 = _mm512_add_ps(_mm512_load_ps(sum + 176), s2_3);
    }
    if (rows > 3) {
      s3_0 = _mm512_add_ps(_mm512_load_ps(sum + 192), s3_0);
      s3_1 = _mm512_add_ps(_mm512_load_ps(sum + 208), s3_1);
      s3_2 = _mm512_add_ps(_mm512_load_ps(sum + 224), s3_2);
      s3_3 = _mm512_add_ps(_mm512_load_ps(sum + 240), s3_3);
    }
    if (rows > 4) {
      s4_0 = _mm512_add_ps(_mm512_load_ps(sum + 256), s4_0);
      s4_1 = _mm512_add_ps(_mm512_load_ps(sum + 272), s4_1);
      s4_2 = _mm512_add_ps(_mm512_load_ps(sum + 288), s4_2);
      s4_3 = _mm512_add_ps(_mm512_load_ps(sum + 304), s4_3);
    }
    if (rows > 5) {
      s5_0 = _mm512_add_ps(_mm512_load_ps(sum + 320), s5_0);
      s5_1 = _mm512_add_ps(_mm512_load_ps(sum + 336), s5_1);
      s5_2 = _mm512_add_ps(_mm512_load_ps(sum + 352), s5_2);
      s5_3 = _mm512_add_ps(_mm512_load_ps(sum + 368), s5_3);
    }
  }
  _mm512_store_ps(sum, s0_0);
  _mm512_store_ps(sum + 16, s0_1);
  _mm512_store_ps(sum + 32, s0_2);
  _mm512_store_ps(sum + 48, s0_3);
  if (rows > 1) {
    _mm512_store_ps(sum + 64, s1_0);
    _mm512_store_ps(sum + 80, s1_1);
    _mm512_store_ps(sum + 96, s1_2);
    _mm512_store_ps(sum + 112, s1_3);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 128, s2_0);
    _mm512_store_ps(sum + 144, s2_1);
    _mm512_store_ps(sum + 160, s2_2);
    _mm512_store_ps(sum + 176, s2_3);
  }
  if (rows > 3) {
    _mm512_store_ps(sum + 192, s3_0);
    _mm512_store_ps(sum + 208, s3_1);
    _mm512_store_ps(sum + 224, s3_2);
    _mm512_store_ps(sum + 240, s3_3);
  }
  if (rows > 4) {
    _mm512_store_ps(sum + 256, s4_0);
    _mm512_store_ps(sum + 272, s4_1);
    _mm512_store_ps(sum + 288, s4_2);
    _mm512_store_ps(sum + 304, s4_3);
  }
  if (rows > 5) {
    _mm512_store_ps(sum + 320, s5_0);
    _mm512_store_ps(sum + 336, s5_1);
    _mm512_store_ps(sum + 352, s5_2);
    _mm512_store_ps(sum + 368, s5_3);
  }
}

FFN_NOINLINE void gate_up_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: gate_up_sums_tile_32(sum, a, w, count, add, next, advance, 1); break;
  case 2: gate_up_sums_tile_32(sum, a, w, count, add, next, advance, 2); break;
  case 3: gate_up_sums_tile_32(sum, a, w, count, add, next, advance, 3); break;
  case 4: gate_up_sums_tile_32(sum, a, w, count, add, next, advance, 4); break;
  case 5: gate_up_sums_tile_32(sum, a, w, count, add, next, advance, 5); break;
  case 6: gate_up_sums_tile_32(sum, a, w, count, add, next, advance, 6); break;
  default: assert(0);
  }
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 14 rows of 16 columns; 31 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m512 s0_0 = _mm512_setzero_ps(), s0_1 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps(), s1_1 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps(), s2_1 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps(), s3_1 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps(), s4_1 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps(), s5_1 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps(), s6_1 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps(), s7_1 = _mm512_setzero_ps();
  __m512 s8_0 = _mm512_setzero_ps(), s8_1 = _mm512_setzero_ps();
  __m512 s9_0 = _mm512_setzero_ps(), s9_1 = _mm512_setzero_ps();
  __m512 s10_0 = _mm512_setzero_ps(), s10_1 = _mm512_setzero_ps();
  __m512 s11_0 = _mm512_setzero_ps(), s11_1 = _mm512_setzero_ps();
  __m512 s12_0 = _mm512_setzero_ps(), s12_1 = _mm512_setzero_ps();
  __m512 s13_0 = _mm512_setzero_ps(), s13_1 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 16);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x, w1, s0_1);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm512_fmadd_ps(x, w1, s1_1);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 256]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
      s2_1 = _mm512_fmadd_ps(x, w1, s2_1);
    }
    if (rows > 3) {
      const __m512 x = _mm512_set1_ps(a[k + 384]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
      s3_1 = _mm512_fmadd_ps(x, w1, s3_1);
    }
    if (rows > 4) {
      const __m512 x = _mm512_set1_ps(a[k + 512]); s4_0 = _mm512_fmadd_ps(x, w0, s4_0);
      s4_1 = _mm512_fmadd_ps(x, w1, s4_1);
    }
    if (rows > 5) {
      const __m512 x = _mm512_set1_ps(a[k + 640]); s5_0 = _mm512_fmadd_ps(x, w0, s5_0);
      s5_1 = _mm512_fmadd_ps(x, w1, s5_1);
    }
    if (rows > 6) {
      const __m512 x = _mm512_set1_ps(a[k + 768]); s6_0 = _mm512_fmadd_ps(x, w0, s6_0);
      s6_1 = _mm512_fmadd_ps(x, w1, s6_1);
    }
    if (rows > 7) {
      const __m512 x = _mm512_set1_ps(a[k + 896]); s7_0 = _mm512_fmadd_ps(x, w0, s7_0);
      s7_1 = _mm512_fmadd_ps(x, w1, s7_1);
    }
    if (rows > 8) {
      const __m512 x = _mm512_set1_ps(a[k + 1024]); s8_0 = _mm512_fmadd_ps(x, w0, s8_0);
      s8_1 = _mm512_fmadd_ps(x, w1, s8_1);
    }
    if (rows > 9) {
      const __m512 x = _mm512_set1_ps(a[k + 1152]); s9_0 = _mm512_fmadd_ps(x, w0, s9_0);
      s9_1 = _mm512_fmadd_ps(x, w1, s9_1);
    }
    if (rows > 10) {
      const __m512 x = _mm512_set1_ps(a[k + 1280]); s10_0 = _mm512_fmadd_ps(x, w0, s10_0);
      s10_1 = _mm512_fmadd_ps(x, w1, s10_1);
    }
    if (rows > 11) {
      const __m512 x = _mm512_set1_ps(a[k + 1408]); s11_0 = _mm512_fmadd_ps(x, w0, s11_0);
      s11_1 = _mm512_fmadd_ps(x, w1, s11_1);
    }
    if (rows > 12) {
      const __m512 x = _mm512_set1_ps(a[k + 1536]); s12_0 = _mm512_fmadd_ps(x, w0, s12_0);
      s12_1 = _mm512_fmadd_ps(x, w1, s12_1);
    }
    if (rows > 13) {
      const __m512 x = _mm512_set1_ps(a[k + 1664]); s13_0 = _mm512_fmadd_ps(x, w0, s13_0);
      s13_1 = _mm512_fmadd_ps(x, w1, s13_1);
    }
  }
  if (add) {
    s0_0 = _mm512_add_ps(_mm512_load_ps(sum), s0_0);
    s0_1 = _mm512_add_ps(_mm512_load_ps(sum + 16), s0_1);
    if (rows > 1) {
      s1_0 = _mm512_add_ps(_mm512_load_ps(sum + 32), s1_0);
      s1_1 = _mm512_add_ps(_mm512_load_ps(sum + 48), s1_1);
    }
    if (rows > 2) {
      s2_0 = _mm512_add_ps(_mm512_load_ps(sum + 64), s2_0);
      s2_1 = _mm512_add_ps(_mm512_load_ps(sum + 80), s2_1);
    }
    if (rows > 3) {
      s3_0 = _mm512_add_ps(_mm512_load_ps(sum + 96), s3_0);
      s3_1 = _mm512_add_ps(_mm512_load_ps(sum + 112), s3_1);
    }
    if (rows > 4) {
      s4_0 = _mm512_add_ps(_mm512_load_ps(sum + 128), s4_0);
      s4_1 = _mm512_add_ps(_mm512_load_ps(sum + 144), s4_1);
    }
    if (rows > 5) {
      s5_0 = _mm512_add_ps(_mm512_load_ps(sum + 160), s5_0);
      s5_1 = _mm512_add_ps(_mm512_load_ps(sum + 176), s5_1);
    }
    if (rows > 6) {
      s6_0 = _mm512_add_ps(_mm512_load_ps(sum + 192), s6_0);
      s6_1 = _mm512_add_ps(_mm512_load_ps(sum + 208), s6_1);
    }
    if (rows > 7) {
      s7_0 = _mm512_add_ps(_mm512_load_ps(sum + 224), s7_0);
      s7_1 = _mm512_add_ps(_mm512_load_ps(sum + 240), s7_1);
    }
    if (rows > 8) {
      s8_0 = _mm512_add_ps(_mm512_load_ps(sum + 256), s8_0);
      s8_1 = _mm512_add_ps(_mm512_load_ps(sum + 272), s8_1);
    }
    if (rows > 9) {
      s9_0 = _mm512_add_ps(_mm512_load_ps(sum + 288), s9_0);
      s9_1 = _mm512_add_ps(_mm512_load_ps(sum + 304), s9_1);
    }
    if (rows > 10) {
      s10_0 = _mm512_add_ps(_mm512_load_ps(sum + 320), s10_0);
      s10_1 = _mm512_add_ps(_mm512_load_ps(sum + 336), s10_1);
    }
    if (rows > 11) {
      s11_0 = _mm512_add_ps(_mm512_load_ps(sum + 352), s11_0);
      s11_1 = _mm512_add_ps(_mm512_load_ps(sum + 368), s11_1);
    }
    if (rows > 12) {
      s12_0 = _mm512_add_ps(_mm512_load_ps(sum + 384), s12_0);
      s12_1 = _mm512_add_ps(_mm512_load_ps(sum + 400), s12_1);
    }
    if (rows > 13) {
      s13_0 = _mm512_add_ps(_mm512_load_ps(sum + 416), s13_0);
      s13_1 = _mm512_add_ps(_mm512_load_ps(sum + 432), s13_1);
    }
  }
  _mm512_store_ps(sum, s0_0);
  _mm512_store_ps(sum + 16, s0_1);
  if (rows > 1) {
    _mm512_store_ps(sum + 32, s1_0);
    _mm512_store_ps(sum + 48, s1_1);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 64, s2_0);
    _mm512_store_ps(sum + 80, s2_1);
  }
  if (rows > 3) {
    _mm512_store_ps(sum + 96, s3_0);
    _mm512_store_ps(sum + 112, s3_1);
  }
  if (rows > 4) {
    _mm512_store_ps(sum + 128, s4_0);
    _mm512_store_ps(sum + 144, s4_1);
  }
  if (rows > 5) {
    _mm512_store_ps(sum + 160, s5_0);
    _mm512_store_ps(sum + 176, s5_1);
  }
  if (rows > 6) {
    _mm512_store_ps(sum + 192, s6_0);
    _mm512_store_ps(sum + 208, s6_1);
  }
  if (rows > 7) {
    _mm512_store_ps(sum + 224, s7_0);
    _mm512_store_ps(sum + 240, s7_1);
  }
  if (rows > 8) {
    _mm512_store_ps(sum + 256, s8_0);
    _mm512_store_ps(sum + 272, s8_1);
  }
  if (rows > 9) {
    _mm512_store_ps(sum + 288, s9_0);
    _mm512_store_ps(sum + 304, s9_1);
  }
  if (rows > 10) {
    _mm512_store_ps(sum + 320, s10_0);
    _mm512_store_ps(sum + 336, s10_1);
  }
  if (rows > 11) {
    _mm512_store_ps(sum + 352, s11_0);
    _mm512_store_ps(sum + 368, s11_1);
  }
  if (rows > 12) {
    _mm512_store_ps(sum + 384, s12_0);
    _mm512_store_ps(sum + 400, s12_1);
  }
  if (rows > 13) {
    _mm512_store_ps(sum + 416, s13_0);
    _mm512_store_ps(sum + 432, s13_1);
  }
}

FFN_NOINLINE void gate_up_sums_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 1); break;
  case 2: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 2); break;
  case 3: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 3); break;
  case 4: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 4); break;
  case 5: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 5); break;
  case 6: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 6); break;
  case 7: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 7); break;
  case 8: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 8); break;
  case 9: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 9); break;
  case 10: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 10); break;
  case 11: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 11); break;
  case 12: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 12); break;
  case 13: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 13); break;
  case 14: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 14); break;
  default: assert(0);
  }
}

/* Sums through silu times up into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void gate_up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  for (size_t r = 0; r < rows; ++r, sum += 2 * cols)
    for (size_t c = 0; c < cols; c += 16) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 128);
      const __m512 gate = _mm512_load_ps(sum + c);
      const __m512 up = _mm512_load_ps(sum + cols + c);
      const __m512 value = _mm512_mul_ps(act_silu(gate), up);
      _mm512_store_ps(out, value);
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
    if (task->rows <= 1 && left >= 128)
      cols = 128, most = 1, sums = gate_up_sums_128;
    else if (task->rows <= 2 && left >= 64)
      cols = 64, most = 2, sums = gate_up_sums_64;
    else if (task->rows <= 6 && left >= 32)
      cols = 32, most = 6, sums = gate_up_sums_32;
    else
      cols = 16, most = 14, sums = gate_up_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 288);
    const size_t rows = ffn_even_part(task->rows, most);
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows);
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
                task->in + block * task->rows + row * 128, weights, count, block > 0,
                ahead + ffn_min(visit, shares - 1) * (count * 128 / shares), 128 / shares,
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

/* sum[row][branch][128] (+)= a w over `count` k for up to 2 rows of 128 columns; 25 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_128(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m512 s0_0 = _mm512_setzero_ps(), s0_1 = _mm512_setzero_ps(), s0_2 = _mm512_setzero_ps(),
    s0_3 = _mm512_setzero_ps(), s0_4 = _mm512_setzero_ps(), s0_5 = _mm512_setzero_ps(),
    s0_6 = _mm512_setzero_ps(), s0_7 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps(), s1_1 = _mm512_setzero_ps(), s1_2 = _mm512_setzero_ps(),
    s1_3 = _mm512_setzero_ps(), s1_4 = _mm512_setzero_ps(), s1_5 = _mm512_setzero_ps(),
    s1_6 = _mm512_setzero_ps(), s1_7 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    FFN_FETCH((const float *)next + 43680); FFN_FETCH((const float *)next + 65520);
    FFN_FETCH((const float *)next + 87360); FFN_FETCH((const float *)next + 109200);
    FFN_FETCH((const float *)next + 131040); FFN_FETCH((const float *)next + 152880);
    next += advance;
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 21840),
      w2 = _mm512_load_ps(w + 43680), w3 = _mm512_load_ps(w + 65520),
      w4 = _mm512_load_ps(w + 87360), w5 = _mm512_load_ps(w + 109200),
      w6 = _mm512_load_ps(w + 131040), w7 = _mm512_load_ps(w + 152880);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x, w1, s0_1); s0_2 = _mm512_fmadd_ps(x, w2, s0_2);
      s0_3 = _mm512_fmadd_ps(x, w3, s0_3); s0_4 = _mm512_fmadd_ps(x, w4, s0_4);
      s0_5 = _mm512_fmadd_ps(x, w5, s0_5); s0_6 = _mm512_fmadd_ps(x, w6, s0_6);
      s0_7 = _mm512_fmadd_ps(x, w7, s0_7);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm512_fmadd_ps(x, w1, s1_1); s1_2 = _mm512_fmadd_ps(x, w2, s1_2);
      s1_3 = _mm512_fmadd_ps(x, w3, s1_3); s1_4 = _mm512_fmadd_ps(x, w4, s1_4);
      s1_5 = _mm512_fmadd_ps(x, w5, s1_5); s1_6 = _mm512_fmadd_ps(x, w6, s1_6);
      s1_7 = _mm512_fmadd_ps(x, w7, s1_7);
    }
  }
  if (add) {
    s0_0 = _mm512_add_ps(_mm512_load_ps(sum), s0_0);
    s0_1 = _mm512_add_ps(_mm512_load_ps(sum + 16), s0_1);
    s0_2 = _mm512_add_ps(_mm512_load_ps(sum + 32), s0_2);
    s0_3 = _mm512_add_ps(_mm512_load_ps(sum + 48), s0_3);
    s0_4 = _mm512_add_ps(_mm512_load_ps(sum + 64), s0_4);
    s0_5 = _mm512_add_ps(_mm512_load_ps(sum + 80), s0_5);
    s0_6 = _mm512_add_ps(_mm512_load_ps(sum + 96), s0_6);
    s0_7 = _mm512_add_ps(_mm512_load_ps(sum + 112), s0_7);
    if (rows > 1) {
      s1_0 = _mm512_add_ps(_mm512_load_ps(sum + 128), s1_0);
      s1_1 = _mm512_add_ps(_mm512_load_ps(sum + 144), s1_1);
      s1_2 = _mm512_add_ps(_mm512_load_ps(sum + 160), s1_2);
      s1_3 = _mm512_add_ps(_mm512_load_ps(sum + 176), s1_3);
      s1_4 = _mm512_add_ps(_mm512_load_ps(sum + 192), s1_4);
      s1_5 = _mm512_add_ps(_mm512_load_ps(sum + 208), s1_5);
      s1_6 = _mm512_add_ps(_mm512_load_ps(sum + 224), s1_6);
      s1_7 = _mm512_add_ps(_mm512_load_ps(sum + 240), s1_7);
    }
  }
  _mm512_store_ps(sum, s0_0);
  _mm512_store_ps(sum + 16, s0_1);
  _mm512_store_ps(sum + 32, s0_2);
  _mm512_store_ps(sum + 48, s0_3);
  _mm512_store_ps(sum + 64, s0_4);
  _mm512_store_ps(sum + 80, s0_5);
  _mm512_store_ps(sum + 96, s0_6);
  _mm512_store_ps(sum + 112, s0_7);
  if (rows > 1) {
    _mm512_store_ps(sum + 128, s1_0);
    _mm512_store_ps(sum + 144, s1_1);
    _mm512_store_ps(sum + 160, s1_2);
    _mm512_store_ps(sum + 176, s1_3);
    _mm512_store_ps(sum + 192, s1_4);
    _mm512_store_ps(sum + 208, s1_5);
    _mm512_store_ps(sum + 224, s1_6);
    _mm512_store_ps(sum + 240, s1_7);
  }
}

FFN_NOINLINE void down_sums_128(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_128(sum, a, w, count, add, next, advance, 1); break;
  case 2: down_sums_tile_128(sum, a, w, count, add, next, advance, 2); break;
  default: assert(0);
  }
}

/* sum[row][branch][64] (+)= a w over `count` k for up to 6 rows of 64 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m512 s0_0 = _mm512_setzero_ps(), s0_1 = _mm512_setzero_ps(), s0_2 = _mm512_setzero_ps(),
    s0_3 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps(), s1_1 = _mm512_setzero_ps(), s1_2 = _mm512_setzero_ps(),
    s1_3 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps(), s2_1 = _mm512_setzero_ps(), s2_2 = _mm512_setzero_ps(),
    s2_3 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps(), s3_1 = _mm512_setzero_ps(), s3_2 = _mm512_setzero_ps(),
    s3_3 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps(), s4_1 = _mm512_setzero_ps(), s4_2 = _mm512_setzero_ps(),
    s4_3 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps(), s5_1 = _mm512_setzero_ps(), s5_2 = _mm512_setzero_ps(),
    s5_3 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    FFN_FETCH((const float *)next + 43680); FFN_FETCH((const float *)next + 65520);
    next += advance;
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 21840),
      w2 = _mm512_load_ps(w + 43680), w3 = _mm512_load_ps(w + 65520);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x, w1, s0_1); s0_2 = _mm512_fmadd_ps(x, w2, s0_2);
      s0_3 = _mm512_fmadd_ps(x, w3, s0_3);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm512_fmadd_ps(x, w1, s1_1); s1_2 = _mm512_fmadd_ps(x, w2, s1_2);
      s1_3 = _mm512_fmadd_ps(x, w3, s1_3);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 256]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
      s2_1 = _mm512_fmadd_ps(x, w1, s2_1); s2_2 = _mm512_fmadd_ps(x, w2, s2_2);
      s2_3 = _mm512_fmadd_ps(x, w3, s2_3);
    }
    if (rows > 3) {
      const __m512 x = _mm512_set1_ps(a[k + 384]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
      s3_1 = _mm512_fmadd_ps(x, w1, s3_1); s3_2 = _mm512_fmadd_ps(x, w2, s3_2);
      s3_3 = _mm512_fmadd_ps(x, w3, s3_3);
    }
    if (rows > 4) {
      const __m512 x = _mm512_set1_ps(a[k + 512]); s4_0 = _mm512_fmadd_ps(x, w0, s4_0);
      s4_1 = _mm512_fmadd_ps(x, w1, s4_1); s4_2 = _mm512_fmadd_ps(x, w2, s4_2);
      s4_3 = _mm512_fmadd_ps(x, w3, s4_3);
    }
    if (rows > 5) {
      const __m512 x = _mm512_set1_ps(a[k + 640]); s5_0 = _mm512_fmadd_ps(x, w0, s5_0);
      s5_1 = _mm512_fmadd_ps(x, w1, s5_1); s5_2 = _mm512_fmadd_ps(x, w2, s5_2);
      s5_3 = _mm512_fmadd_ps(x, w3, s5_3);
    }
  }
  if (add) {
    s0_0 = _mm512_add_ps(_mm512_load_ps(sum), s0_0);
    s0_1 = _mm512_add_ps(_mm512_load_ps(sum + 16), s0_1);
    s0_2 = _mm512_add_ps(_mm512_load_ps(sum + 32), s0_2);
    s0_3 = _mm512_add_ps(_mm512_load_ps(sum + 48), s0_3);
    if (rows > 1) {
      s1_0 = _mm512_add_ps(_mm512_load_ps(sum + 64), s1_0);
      s1_1 = _mm512_add_ps(_mm512_load_ps(sum + 80), s1_1);
      s1_2 = _mm512_add_ps(_mm512_load_ps(sum + 96), s1_2);
      s1_3 = _mm512_add_ps(_mm512_load_ps(sum + 112), s1_3);
    }
    if (rows > 2) {
      s2_0 = _mm512_add_ps(_mm512_load_ps(sum + 128), s2_0);
      s2_1 = _mm512_add_ps(_mm512_load_ps(sum + 144), s2_1);
      s2_2 = _mm512_add_ps(_mm512_load_ps(sum + 160), s2_2);
      s2_3 = _mm512_add_ps(_mm512_load_ps(sum + 176), s2_3);
    }
    if (rows > 3) {
      s3_0 = _mm512_add_ps(_mm512_load_ps(sum + 192), s3_0);
      s3_1 = _mm512_add_ps(_mm512_load_ps(sum + 208), s3_1);
      s3_2 = _mm512_add_ps(_mm512_load_ps(sum + 224), s3_2);
      s3_3 = _mm512_add_ps(_mm512_load_ps(sum + 240), s3_3);
    }
    if (rows > 4) {
      s4_0 = _mm512_add_ps(_mm512_load_ps(sum + 256), s4_0);
      s4_1 = _mm512_add_ps(_mm512_load_ps(sum + 272), s4_1);
      s4_2 = _mm512_add_ps(_mm512_load_ps(sum + 288), s4_2);
      s4_3 = _mm512_add_ps(_mm512_load_ps(sum + 304), s4_3);
    }
    if (rows > 5) {
      s5_0 = _mm512_add_ps(_mm512_load_ps(sum + 320), s5_0);
      s5_1 = _mm512_add_ps(_mm512_load_ps(sum + 336), s5_1);
      s5_2 = _mm512_add_ps(_mm512_load_ps(sum + 352), s5_2);
      s5_3 = _mm512_add_ps(_mm512_load_ps(sum + 368), s5_3);
    }
  }
  _mm512_store_ps(sum, s0_0);
  _mm512_store_ps(sum + 16, s0_1);
  _mm512_store_ps(sum + 32, s0_2);
  _mm512_store_ps(sum + 48, s0_3);
  if (rows > 1) {
    _mm512_store_ps(sum + 64, s1_0);
    _mm512_store_ps(sum + 80, s1_1);
    _mm512_store_ps(sum + 96, s1_2);
    _mm512_store_ps(sum + 112, s1_3);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 128, s2_0);
    _mm512_store_ps(sum + 144, s2_1);
    _mm512_store_ps(sum + 160, s2_2);
    _mm512_store_ps(sum + 176, s2_3);
  }
  if (rows > 3) {
    _mm512_store_ps(sum + 192, s3_0);
    _mm512_store_ps(sum + 208, s3_1);
    _mm512_store_ps(sum + 224, s3_2);
    _mm512_store_ps(sum + 240, s3_3);
  }
  if (rows > 4) {
    _mm512_store_ps(sum + 256, s4_0);
    _mm512_store_ps(sum + 272, s4_1);
    _mm512_store_ps(sum + 288, s4_2);
    _mm512_store_ps(sum + 304, s4_3);
  }
  if (rows > 5) {
    _mm512_store_ps(sum + 320, s5_0);
    _mm512_store_ps(sum + 336, s5_1);
    _mm512_store_ps(sum + 352, s5_2);
    _mm512_store_ps(sum + 368, s5_3);
  }
}

FFN_NOINLINE void down_sums_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_64(sum, a, w, count, add, next, advance, 1); break;
  case 2: down_sums_tile_64(sum, a, w, count, add, next, advance, 2); break;
  case 3: down_sums_tile_64(sum, a, w, count, add, next, advance, 3); break;
  case 4: down_sums_tile_64(sum, a, w, count, add, next, advance, 4); break;
  case 5: down_sums_tile_64(sum, a, w, count, add, next, advance, 5); break;
  case 6: down_sums_tile_64(sum, a, w, count, add, next, advance, 6); break;
  default: assert(0);
  }
}

/* sum[row][branch][32] (+)= a w over `count` k for up to 14 rows of 32 columns; 31 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  __m512 s0_0 = _mm512_setzero_ps(), s0_1 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps(), s1_1 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps(), s2_1 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps(), s3_1 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps(), s4_1 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps(), s5_1 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps(), s6_1 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps(), s7_1 = _mm512_setzero_ps();
  __m512 s8_0 = _mm512_setzero_ps(), s8_1 = _mm512_setzero_ps();
  __m512 s9_0 = _mm512_setzero_ps(), s9_1 = _mm512_setzero_ps();
  __m512 s10_0 = _mm512_setzero_ps(), s10_1 = _mm512_setzero_ps();
  __m512 s11_0 = _mm512_setzero_ps(), s11_1 = _mm512_setzero_ps();
  __m512 s12_0 = _mm512_setzero_ps(), s12_1 = _mm512_setzero_ps();
  __m512 s13_0 = _mm512_setzero_ps(), s13_1 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    next += advance;
    const __m512 w0 = _mm512_load_ps(w), w1 = _mm512_load_ps(w + 21840);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x, w1, s0_1);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
      s1_1 = _mm512_fmadd_ps(x, w1, s1_1);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 256]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
      s2_1 = _mm512_fmadd_ps(x, w1, s2_1);
    }
    if (rows > 3) {
      const __m512 x = _mm512_set1_ps(a[k + 384]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
      s3_1 = _mm512_fmadd_ps(x, w1, s3_1);
    }
    if (rows > 4) {
      const __m512 x = _mm512_set1_ps(a[k + 512]); s4_0 = _mm512_fmadd_ps(x, w0, s4_0);
      s4_1 = _mm512_fmadd_ps(x, w1, s4_1);
    }
    if (rows > 5) {
      const __m512 x = _mm512_set1_ps(a[k + 640]); s5_0 = _mm512_fmadd_ps(x, w0, s5_0);
      s5_1 = _mm512_fmadd_ps(x, w1, s5_1);
    }
    if (rows > 6) {
      const __m512 x = _mm512_set1_ps(a[k + 768]); s6_0 = _mm512_fmadd_ps(x, w0, s6_0);
      s6_1 = _mm512_fmadd_ps(x, w1, s6_1);
    }
    if (rows > 7) {
      const __m512 x = _mm512_set1_ps(a[k + 896]); s7_0 = _mm512_fmadd_ps(x, w0, s7_0);
      s7_1 = _mm512_fmadd_ps(x, w1, s7_1);
    }
    if (rows > 8) {
      const __m512 x = _mm512_set1_ps(a[k + 1024]); s8_0 = _mm512_fmadd_ps(x, w0, s8_0);
      s8_1 = _mm512_fmadd_ps(x, w1, s8_1);
    }
    if (rows > 9) {
      const __m512 x = _mm512_set1_ps(a[k + 1152]); s9_0 = _mm512_fmadd_ps(x, w0, s9_0);
      s9_1 = _mm512_fmadd_ps(x, w1, s9_1);
    }
    if (rows > 10) {
      const __m512 x = _mm512_set1_ps(a[k + 1280]); s10_0 = _mm512_fmadd_ps(x, w0, s10_0);
      s10_1 = _mm512_fmadd_ps(x, w1, s10_1);
    }
    if (rows > 11) {
      const __m512 x = _mm512_set1_ps(a[k + 1408]); s11_0 = _mm512_fmadd_ps(x, w0, s11_0);
      s11_1 = _mm512_fmadd_ps(x, w1, s11_1);
    }
    if (rows > 12) {
      const __m512 x = _mm512_set1_ps(a[k + 1536]); s12_0 = _mm512_fmadd_ps(x, w0, s12_0);
      s12_1 = _mm512_fmadd_ps(x, w1, s12_1);
    }
    if (rows > 13) {
      const __m512 x = _mm512_set1_ps(a[k + 1664]); s13_0 = _mm512_fmadd_ps(x, w0, s13_0);
      s13_1 = _mm512_fmadd_ps(x, w1, s13_1);
    }
  }
  if (add) {
    s0_0 = _mm512_add_ps(_mm512_load_ps(sum), s0_0);
    s0_1 = _mm512_add_ps(_mm512_load_ps(sum + 16), s0_1);
    if (rows > 1) {
      s1_0 = _mm512_add_ps(_mm512_load_ps(sum + 32), s1_0);
      s1_1 = _mm512_add_ps(_mm512_load_ps(sum + 48), s1_1);
    }
    if (rows > 2) {
      s2_0 = _mm512_add_ps(_mm512_load_ps(sum + 64), s2_0);
      s2_1 = _mm512_add_ps(_mm512_load_ps(sum + 80), s2_1);
    }
    if (rows > 3) {
      s3_0 = _mm512_add_ps(_mm512_load_ps(sum + 96), s3_0);
      s3_1 = _mm512_add_ps(_mm512_load_ps(sum + 112), s3_1);
    }
    if (rows > 4) {
      s4_0 = _mm512_add_ps(_mm512_load_ps(sum + 128), s4_0);
      s4_1 = _mm512_add_ps(_mm512_load_ps(sum + 144), s4_1);
    }
    if (rows > 5) {
      s5_0 = _mm512_add_ps(_mm512_load_ps(sum + 160), s5_0);
      s5_1 = _mm512_add_ps(_mm512_load_ps(sum + 176), s5_1);
    }
    if (rows > 6) {
      s6_0 = _mm512_add_ps(_mm512_load_ps(sum + 192), s6_0);
      s6_1 = _mm512_add_ps(_mm512_load_ps(sum + 208), s6_1);
    }
    if (rows > 7) {
      s7_0 = _mm512_add_ps(_mm512_load_ps(sum + 224), s7_0);
      s7_1 = _mm512_add_ps(_mm512_load_ps(sum + 240), s7_1);
    }
    if (rows > 8) {
      s8_0 = _mm512_add_ps(_mm512_load_ps(sum + 256), s8_0);
      s8_1 = _mm512_add_ps(_mm512_load_ps(sum + 272), s8_1);
    }
    if (rows > 9) {
      s9_0 = _mm512_add_ps(_mm512_load_ps(sum + 288), s9_0);
      s9_1 = _mm512_add_ps(_mm512_load_ps(sum + 304), s9_1);
    }
    if (rows > 10) {
      s10_0 = _mm512_add_ps(_mm512_load_ps(sum + 320), s10_0);
      s10_1 = _mm512_add_ps(_mm512_load_ps(sum + 336), s10_1);
    }
    if (rows > 11) {
      s11_0 = _mm512_add_ps(_mm512_load_ps(sum + 352), s11_0);
      s11_1 = _mm512_add_ps(_mm512_load_ps(sum + 368), s11_1);
    }
    if (rows > 12) {
      s12_0 = _mm512_add_ps(_mm512_load_ps(sum + 384), s12_0);
      s12_1 = _mm512_add_ps(_mm512_load_ps(sum + 400), s12_1);
    }
    if (rows > 13) {
      s13_0 = _mm512_add_ps(_mm512_load_ps(sum + 416), s13_0);
      s13_1 = _mm512_add_ps(_mm512_load_ps(sum + 432), s13_1);
    }
  }
  _mm512_store_ps(sum, s0_0);
  _mm512_store_ps(sum + 16, s0_1);
  if (rows > 1) {
    _mm512_store_ps(sum + 32, s1_0);
    _mm512_store_ps(sum + 48, s1_1);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 64, s2_0);
    _mm512_store_ps(sum + 80, s2_1);
  }
  if (rows > 3) {
    _mm512_store_ps(sum + 96, s3_0);
    _mm512_store_ps(sum + 112, s3_1);
  }
  if (rows > 4) {
    _mm512_store_ps(sum + 128, s4_0);
    _mm512_store_ps(sum + 144, s4_1);
  }
  if (rows > 5) {
    _mm512_store_ps(sum + 160, s5_0);
    _mm512_store_ps(sum + 176, s5_1);
  }
  if (rows > 6) {
    _mm512_store_ps(sum + 192, s6_0);
    _mm512_store_ps(sum + 208, s6_1);
  }
  if (rows > 7) {
    _mm512_store_ps(sum + 224, s7_0);
    _mm512_store_ps(sum + 240, s7_1);
  }
  if (rows > 8) {
    _mm512_store_ps(sum + 256, s8_0);
    _mm512_store_ps(sum + 272, s8_1);
  }
  if (rows > 9) {
    _mm512_store_ps(sum + 288, s9_0);
    _mm512_store_ps(sum + 304, s9_1);
  }
  if (rows > 10) {
    _mm512_store_ps(sum + 320, s10_0);
    _mm512_store_ps(sum + 336, s10_1);
  }
  if (rows > 11) {
    _mm512_store_ps(sum + 352, s11_0);
    _mm512_store_ps(sum + 368, s11_1);
  }
  if (rows > 12) {
    _mm512_store_ps(sum + 384, s12_0);
    _mm512_store_ps(sum + 400, s12_1);
  }
  if (rows > 13) {
    _mm512_store_ps(sum + 416, s13_0);
    _mm512_store_ps(sum + 432, s13_1);
  }
}

FFN_NOINLINE void down_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_32(sum, a, w, count, add, next, advance, 1); break;
  case 2: down_sums_tile_32(sum, a, w, count, add, next, advance, 2); break;
  case 3: down_sums_tile_32(sum, a, w, count, add, next, advance, 3); break;
  case 4: down_sums_tile_32(sum, a, w, count, add, next, advance, 4); break;
  case 5: down_sums_tile_32(sum, a, w, count, add, next, advance, 5); break;
  case 6: down_sums_tile_32(sum, a, w, count, add, next, advance, 6); break;
  case 7: down_sums_tile_32(sum, a, w, count, add, next, advance, 7); break;
  case 8: down_sums_tile_32(sum, a, w, count, add, next, advance, 8); break;
  case 9: down_sums_tile_32(sum, a, w, count, add, next, advance, 9); break;
  case 10: down_sums_tile_32(sum, a, w, count, add, next, advance, 10); break;
  case 11: down_sums_tile_32(sum, a, w, count, add, next, advance, 11); break;
  case 12: down_sums_tile_32(sum, a, w, count, add, next, advance, 12); break;
  case 13: down_sums_tile_32(sum, a, w, count, add, next, advance, 13); break;
  case 14: down_sums_tile_32(sum, a, w, count, add, next, advance, 14); break;
  default: assert(0);
  }
}

/* Sums into y. */
FFN_NOINLINE void down_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 16) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const __m512 down = _mm512_load_ps(sum + c);
      const __m512 value = down;
      _mm512_storeu_ps(out, value);
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
    if (task->rows <= 2 && left >= 128)
      cols = 128, most = 2, sums = down_sums_128;
    else if (task->rows <= 6 && left >= 64)
      cols = 64, most = 6, sums = down_sums_64;
    else
      cols = 32, most = 14, sums = down_sums_32;
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
     16, 1409040, 0, 128, 128},
    {down_pass, 1365, 512, 1, 0,
     1409040, 2107920, 114688, 128, 128},
};

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0xaf8e17bce9cd1694), 2, chain_stages, 14, 224,
                                430080, 559104, 4193280};

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

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512 = {
    "ffn_swiglu_d512_f1365_f32_avx512",
    "ffn_swiglu_d512_f1365_f32",
    FFN_KIND_FFN,
    FFN_SWIGLU,
    FFN_F32,
    FFN_ISA_AVX512,
    512,
    1365,
    512,
    0,
    0,
    2,
    stages,
    8431680,
    2236416,
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
