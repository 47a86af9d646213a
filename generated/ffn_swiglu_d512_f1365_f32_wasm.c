/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_wasm
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for wasm
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu; templates kernel.c.tpl, stage.c.tpl
 * Tiles      gate_up: rows x columns 1 x 32, 2 x 16, 6 x 8, 2 branches, at most 29 of 32 registers
 * Tiles      down: rows x columns 1 x 64, 2 x 32, 6 x 16, 1 branch, at most 29 of 32 registers
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

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24.
 * Elfwing et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202. */
FFN_INLINE v128_t act_silu(const v128_t x) {
  const v128_t t = wasm_f32x4_abs(x);
  const v128_t a = wasm_f32x4_pmin(t, wasm_f32x4_splat(112.0f));
  const v128_t shifted = fma_once(a, wasm_f32x4_splat(1.442695f), wasm_f32x4_splat(12582912.0f));
  const v128_t steps = wasm_f32x4_sub(shifted, wasm_f32x4_splat(12582912.0f));
  const v128_t t_2 = (shifted);
  const v128_t n = wasm_i32x4_sub(t_2, wasm_i32x4_splat(1262485544));
  const v128_t t_3 = fma_once(wasm_f32x4_neg(steps), wasm_f32x4_splat(0.6931472f), a);
  const v128_t r = fma_once(wasm_f32x4_neg(steps), wasm_f32x4_splat(-1.9046542e-09f), t_3);
  const v128_t t_4 = fma_once(wasm_f32x4_splat(0.0013818297f), r, wasm_f32x4_splat(0.008368532f));
  const v128_t t_5 = fma_once(t_4, r, wasm_f32x4_splat(0.041668292f));
  const v128_t t_6 = fma_once(t_5, r, wasm_f32x4_splat(0.16666523f));
  const v128_t t_7 = fma_once(t_6, r, wasm_f32x4_splat(0.49999994f));
  const v128_t t_8 = fma_once(t_7, r, wasm_f32x4_splat(1.0f));
  const v128_t p = fma_once(t_8, r, wasm_f32x4_splat(1.0f));
  const v128_t t_9 = wasm_i32x4_shl(wasm_i32x4_add(n, wasm_i32x4_splat(127)), 23);
  const v128_t denominator = fma_once(p, t_9, wasm_f32x4_splat(9.094947e-13f));
  const v128_t tail = wasm_f32x4_div(a, denominator);
  const v128_t t_10 = wasm_f32x4_pmax(x, wasm_f32x4_splat(0.0f));
  return fma_once(wasm_f32x4_neg(tail), wasm_f32x4_splat(9.094947e-13f), t_10);
}

/* ---- gate_up: 512 -> 1365 ----------------------------------------------------------------
 *
 * Panels [86][512][2][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][32] (+)= a w over `count` k for one row of 32 columns; 18 of 32 registers.
 */
FFN_NOINLINE void gate_up_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  v128_t s0_0 = wasm_f32x4_splat(0.0f), s0_1 = wasm_f32x4_splat(0.0f),
    s0_2 = wasm_f32x4_splat(0.0f), s0_3 = wasm_f32x4_splat(0.0f),
    s0_4 = wasm_f32x4_splat(0.0f), s0_5 = wasm_f32x4_splat(0.0f),
    s0_6 = wasm_f32x4_splat(0.0f), s0_7 = wasm_f32x4_splat(0.0f),
    s0_8 = wasm_f32x4_splat(0.0f), s0_9 = wasm_f32x4_splat(0.0f),
    s0_10 = wasm_f32x4_splat(0.0f), s0_11 = wasm_f32x4_splat(0.0f),
    s0_12 = wasm_f32x4_splat(0.0f), s0_13 = wasm_f32x4_splat(0.0f),
    s0_14 = wasm_f32x4_splat(0.0f), s0_15 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    FFN_FETCH((const float *)next + 16384); FFN_FETCH((const float *)next + 16400);
    next += advance;
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0 = fma_once(x, wasm_v128_load(w), s0_0);
      s0_1 = fma_once(x, wasm_v128_load(w + 4), s0_1);
      s0_2 = fma_once(x, wasm_v128_load(w + 8), s0_2);
      s0_3 = fma_once(x, wasm_v128_load(w + 12), s0_3);
      s0_4 = fma_once(x, wasm_v128_load(w + 16384), s0_4);
      s0_5 = fma_once(x, wasm_v128_load(w + 16388), s0_5);
      s0_6 = fma_once(x, wasm_v128_load(w + 16392), s0_6);
      s0_7 = fma_once(x, wasm_v128_load(w + 16396), s0_7);
      s0_8 = fma_once(x, wasm_v128_load(w + 16), s0_8);
      s0_9 = fma_once(x, wasm_v128_load(w + 20), s0_9);
      s0_10 = fma_once(x, wasm_v128_load(w + 24), s0_10);
      s0_11 = fma_once(x, wasm_v128_load(w + 28), s0_11);
      s0_12 = fma_once(x, wasm_v128_load(w + 16400), s0_12);
      s0_13 = fma_once(x, wasm_v128_load(w + 16404), s0_13);
      s0_14 = fma_once(x, wasm_v128_load(w + 16408), s0_14);
      s0_15 = fma_once(x, wasm_v128_load(w + 16412), s0_15);
    }
  }
  if (add) {
    s0_0 = wasm_f32x4_add(wasm_v128_load(sum), s0_0);
    s0_1 = wasm_f32x4_add(wasm_v128_load(sum + 4), s0_1);
    s0_2 = wasm_f32x4_add(wasm_v128_load(sum + 8), s0_2);
    s0_3 = wasm_f32x4_add(wasm_v128_load(sum + 12), s0_3);
    s0_4 = wasm_f32x4_add(wasm_v128_load(sum + 16), s0_4);
    s0_5 = wasm_f32x4_add(wasm_v128_load(sum + 20), s0_5);
    s0_6 = wasm_f32x4_add(wasm_v128_load(sum + 24), s0_6);
    s0_7 = wasm_f32x4_add(wasm_v128_load(sum + 28), s0_7);
    s0_8 = wasm_f32x4_add(wasm_v128_load(sum + 32), s0_8);
    s0_9 = wasm_f32x4_add(wasm_v128_load(sum + 36), s0_9);
    s0_10 = wasm_f32x4_add(wasm_v128_load(sum + 40), s0_10);
    s0_11 = wasm_f32x4_add(wasm_v128_load(sum + 44), s0_11);
    s0_12 = wasm_f32x4_add(wasm_v128_load(sum + 48), s0_12);
    s0_13 = wasm_f32x4_add(wasm_v128_load(sum + 52), s0_13);
    s0_14 = wasm_f32x4_add(wasm_v128_load(sum + 56), s0_14);
    s0_15 = wasm_f32x4_add(wasm_v128_load(sum + 60), s0_15);
  }
  wasm_v128_store(sum, s0_0);
  wasm_v128_store(sum + 4, s0_1);
  wasm_v128_store(sum + 8, s0_2);
  wasm_v128_store(sum + 12, s0_3);
  wasm_v128_store(sum + 16, s0_4);
  wasm_v128_store(sum + 20, s0_5);
  wasm_v128_store(sum + 24, s0_6);
  wasm_v128_store(sum + 28, s0_7);
  wasm_v128_store(sum + 32, s0_8);
  wasm_v128_store(sum + 36, s0_9);
  wasm_v128_store(sum + 40, s0_10);
  wasm_v128_store(sum + 44, s0_11);
  wasm_v128_store(sum + 48, s0_12);
  wasm_v128_store(sum + 52, s0_13);
  wasm_v128_store(sum + 56, s0_14);
  wasm_v128_store(sum + 60, s0_15);
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 2 rows of 16 columns; 25 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  v128_t s0_0 = wasm_f32x4_splat(0.0f), s0_1 = wasm_f32x4_splat(0.0f),
    s0_2 = wasm_f32x4_splat(0.0f), s0_3 = wasm_f32x4_splat(0.0f),
    s0_4 = wasm_f32x4_splat(0.0f), s0_5 = wasm_f32x4_splat(0.0f),
    s0_6 = wasm_f32x4_splat(0.0f), s0_7 = wasm_f32x4_splat(0.0f);
  v128_t s1_0 = wasm_f32x4_splat(0.0f), s1_1 = wasm_f32x4_splat(0.0f),
    s1_2 = wasm_f32x4_splat(0.0f), s1_3 = wasm_f32x4_splat(0.0f),
    s1_4 = wasm_f32x4_splat(0.0f), s1_5 = wasm_f32x4_splat(0.0f),
    s1_6 = wasm_f32x4_splat(0.0f), s1_7 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4), w2 = wasm_v128_load(w + 8),
      w3 = wasm_v128_load(w + 12), w4 = wasm_v128_load(w + 16),
      w5 = wasm_v128_load(w + 20), w6 = wasm_v128_load(w + 24),
      w7 = wasm_v128_load(w + 28);
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0 = fma_once(x, w0, s0_0);
      s0_1 = fma_once(x, w1, s0_1); s0_2 = fma_once(x, w2, s0_2); s0_3 = fma_once(x, w3, s0_3);
      s0_4 = fma_once(x, w4, s0_4); s0_5 = fma_once(x, w5, s0_5); s0_6 = fma_once(x, w6, s0_6);
      s0_7 = fma_once(x, w7, s0_7);
    }
    if (rows > 1) {
      const v128_t x = wasm_f32x4_splat(a[k + 128]); s1_0 = fma_once(x, w0, s1_0);
      s1_1 = fma_once(x, w1, s1_1); s1_2 = fma_once(x, w2, s1_2); s1_3 = fma_once(x, w3, s1_3);
      s1_4 = fma_once(x, w4, s1_4); s1_5 = fma_once(x, w5, s1_5); s1_6 = fma_once(x, w6, s1_6);
      s1_7 = fma_once(x, w7, s1_7);
    }
  }
  if (add) {
    s0_0 = wasm_f32x4_add(wasm_v128_load(sum), s0_0);
    s0_1 = wasm_f32x4_add(wasm_v128_load(sum + 4), s0_1);
    s0_2 = wasm_f32x4_add(wasm_v128_load(sum + 8), s0_2);
    s0_3 = wasm_f32x4_add(wasm_v128_load(sum + 12), s0_3);
    s0_4 = wasm_f32x4_add(wasm_v128_load(sum + 16), s0_4);
    s0_5 = wasm_f32x4_add(wasm_v128_load(sum + 20), s0_5);
    s0_6 = wasm_f32x4_add(wasm_v128_load(sum + 24), s0_6);
    s0_7 = wasm_f32x4_add(wasm_v128_load(sum + 28), s0_7);
    if (rows > 1) {
      s1_0 = wasm_f32x4_add(wasm_v128_load(sum + 32), s1_0);
      s1_1 = wasm_f32x4_add(wasm_v128_load(sum + 36), s1_1);
      s1_2 = wasm_f32x4_add(wasm_v128_load(sum + 40), s1_2);
      s1_3 = wasm_f32x4_add(wasm_v128_load(sum + 44), s1_3);
      s1_4 = wasm_f32x4_add(wasm_v128_load(sum + 48), s1_4);
      s1_5 = wasm_f32x4_add(wasm_v128_load(sum + 52), s1_5);
      s1_6 = wasm_f32x4_add(wasm_v128_load(sum + 56), s1_6);
      s1_7 = wasm_f32x4_add(wasm_v128_load(sum + 60), s1_7);
    }
  }
  wasm_v128_store(sum, s0_0);
  wasm_v128_store(sum + 4, s0_1);
  wasm_v128_store(sum + 8, s0_2);
  wasm_v128_store(sum + 12, s0_3);
  wasm_v128_store(sum + 16, s0_4);
  wasm_v128_store(sum + 20, s0_5);
  wasm_v128_store(sum + 24, s0_6);
  wasm_v128_store(sum + 28, s0_7);
  if (rows > 1) {
    wasm_v128_store(sum + 32, s1_0);
    wasm_v128_store(sum + 36, s1_1);
    wasm_v128_store(sum + 40, s1_2);
    wasm_v128_store(sum + 44, s1_3);
    wasm_v128_store(sum + 48, s1_4);
    wasm_v128_store(sum + 52, s1_5);
    wasm_v128_store(sum + 56, s1_6);
    wasm_v128_store(sum + 60, s1_7);
  }
}

FFN_NOINLINE void gate_up_sums_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 1); break;
  case 2: gate_up_sums_tile_16(sum, a, w, count, add, next, advance, 2); break;
  default: assert(0);
  }
}

/* sum[row][branch][8] (+)= a w over `count` k for up to 6 rows of 8 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_8(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
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
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4), w2 = wasm_v128_load(w + 16),
      w3 = wasm_v128_load(w + 20);
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0 = fma_once(x, w0, s0_0);
      s0_1 = fma_once(x, w1, s0_1); s0_2 = fma_once(x, w2, s0_2); s0_3 = fma_once(x, w3, s0_3);
    }
    if (rows > 1) {
      const v128_t x = wasm_f32x4_splat(a[k + 128]); s1_0 = fma_once(x, w0, s1_0);
      s1_1 = fma_once(x, w1, s1_1); s1_2 = fma_once(x, w2, s1_2); s1_3 = fma_once(x, w3, s1_3);
    }
    if (rows > 2) {
      const v128_t x = wasm_f32x4_splat(a[k + 256]); s2_0 = fma_once(x, w0, s2_0);
      s2_1 = fma_once(x, w1, s2_1); s2_2 = fma_once(x, w2, s2_2); s2_3 = fma_once(x, w3, s2_3);
    }
    if (rows > 3) {
      const v128_t x = wasm_f32x4_splat(a[k + 384]); s3_0 = fma_once(x, w0, s3_0);
      s3_1 = fma_once(x, w1, s3_1); s3_2 = fma_once(x, w2, s3_2); s3_3 = fma_once(x, w3, s3_3);
    }
    if (rows > 4) {
      const v128_t x = wasm_f32x4_splat(a[k + 512]); s4_0 = fma_once(x, w0, s4_0);
      s4_1 = fma_once(x, w1, s4_1); s4_2 = fma_once(x, w2, s4_2); s4_3 = fma_once(x, w3, s4_3);
    }
    if (rows > 5) {
      const v128_t x = wasm_f32x4_splat(a[k + 640]); s5_0 = fma_once(x, w0, s5_0);
      s5_1 = fma_once(x, w1, s5_1); s5_2 = fma_once(x, w2, s5_2); s5_3 = fma_once(x, w3, s5_3);
    }
  }
  if (add) {
    s0_0 = wasm_f32x4_add(wasm_v128_load(sum), s0_0);
    s0_1 = wasm_f32x4_add(wasm_v128_load(sum + 4), s0_1);
    s0_2 = wasm_f32x4_add(wasm_v128_load(sum + 8), s0_2);
    s0_3 = wasm_f32x4_add(wasm_v128_load(sum + 12), s0_3);
    if (rows > 1) {
      s1_0 = wasm_f32x4_add(wasm_v128_load(sum + 16), s1_0);
      s1_1 = wasm_f32x4_add(wasm_v128_load(sum + 20), s1_1);
      s1_2 = wasm_f32x4_add(wasm_v128_load(sum + 24), s1_2);
      s1_3 = wasm_f32x4_add(wasm_v128_load(sum + 28), s1_3);
    }
    if (rows > 2) {
      s2_0 = wasm_f32x4_add(wasm_v128_load(sum + 32), s2_0);
      s2_1 = wasm_f32x4_add(wasm_v128_load(sum + 36), s2_1);
      s2_2 = wasm_f32x4_add(wasm_v128_load(sum + 40), s2_2);
      s2_3 = wasm_f32x4_add(wasm_v128_load(sum + 44), s2_3);
    }
    if (rows > 3) {
      s3_0 = wasm_f32x4_add(wasm_v128_load(sum + 48), s3_0);
      s3_1 = wasm_f32x4_add(wasm_v128_load(sum + 52), s3_1);
      s3_2 = wasm_f32x4_add(wasm_v128_load(sum + 56), s3_2);
      s3_3 = wasm_f32x4_add(wasm_v128_load(sum + 60), s3_3);
    }
    if (rows > 4) {
      s4_0 = wasm_f32x4_add(wasm_v128_load(sum + 64), s4_0);
      s4_1 = wasm_f32x4_add(wasm_v128_load(sum + 68), s4_1);
      s4_2 = wasm_f32x4_add(wasm_v128_load(sum + 72), s4_2);
      s4_3 = wasm_f32x4_add(wasm_v128_load(sum + 76), s4_3);
    }
    if (rows > 5) {
      s5_0 = wasm_f32x4_add(wasm_v128_load(sum + 80), s5_0);
      s5_1 = wasm_f32x4_add(wasm_v128_load(sum + 84), s5_1);
      s5_2 = wasm_f32x4_add(wasm_v128_load(sum + 88), s5_2);
      s5_3 = wasm_f32x4_add(wasm_v128_load(sum + 92), s5_3);
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
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 128);
      const v128_t gate = wasm_v128_load(sum + c);
      const v128_t up = wasm_v128_load(sum + cols + c);
      const v128_t value = wasm_f32x4_mul(act_silu(gate), up);
      wasm_v128_store(out, value);
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

/* sum[row][branch][64] (+)= a w over `count` k for one row of 64 columns; 18 of 32 registers.
 */
FFN_NOINLINE void down_sums_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  v128_t s0_0 = wasm_f32x4_splat(0.0f), s0_1 = wasm_f32x4_splat(0.0f),
    s0_2 = wasm_f32x4_splat(0.0f), s0_3 = wasm_f32x4_splat(0.0f),
    s0_4 = wasm_f32x4_splat(0.0f), s0_5 = wasm_f32x4_splat(0.0f),
    s0_6 = wasm_f32x4_splat(0.0f), s0_7 = wasm_f32x4_splat(0.0f),
    s0_8 = wasm_f32x4_splat(0.0f), s0_9 = wasm_f32x4_splat(0.0f),
    s0_10 = wasm_f32x4_splat(0.0f), s0_11 = wasm_f32x4_splat(0.0f),
    s0_12 = wasm_f32x4_splat(0.0f), s0_13 = wasm_f32x4_splat(0.0f),
    s0_14 = wasm_f32x4_splat(0.0f), s0_15 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    FFN_FETCH((const float *)next + 43680); FFN_FETCH((const float *)next + 65520);
    next += advance;
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0 = fma_once(x, wasm_v128_load(w), s0_0);
      s0_1 = fma_once(x, wasm_v128_load(w + 4), s0_1);
      s0_2 = fma_once(x, wasm_v128_load(w + 8), s0_2);
      s0_3 = fma_once(x, wasm_v128_load(w + 12), s0_3);
      s0_4 = fma_once(x, wasm_v128_load(w + 21840), s0_4);
      s0_5 = fma_once(x, wasm_v128_load(w + 21844), s0_5);
      s0_6 = fma_once(x, wasm_v128_load(w + 21848), s0_6);
      s0_7 = fma_once(x, wasm_v128_load(w + 21852), s0_7);
      s0_8 = fma_once(x, wasm_v128_load(w + 43680), s0_8);
      s0_9 = fma_once(x, wasm_v128_load(w + 43684), s0_9);
      s0_10 = fma_once(x, wasm_v128_load(w + 43688), s0_10);
      s0_11 = fma_once(x, wasm_v128_load(w + 43692), s0_11);
      s0_12 = fma_once(x, wasm_v128_load(w + 65520), s0_12);
      s0_13 = fma_once(x, wasm_v128_load(w + 65524), s0_13);
      s0_14 = fma_once(x, wasm_v128_load(w + 65528), s0_14);
      s0_15 = fma_once(x, wasm_v128_load(w + 65532), s0_15);
    }
  }
  if (add) {
    s0_0 = wasm_f32x4_add(wasm_v128_load(sum), s0_0);
    s0_1 = wasm_f32x4_add(wasm_v128_load(sum + 4), s0_1);
    s0_2 = wasm_f32x4_add(wasm_v128_load(sum + 8), s0_2);
    s0_3 = wasm_f32x4_add(wasm_v128_load(sum + 12), s0_3);
    s0_4 = wasm_f32x4_add(wasm_v128_load(sum + 16), s0_4);
    s0_5 = wasm_f32x4_add(wasm_v128_load(sum + 20), s0_5);
    s0_6 = wasm_f32x4_add(wasm_v128_load(sum + 24), s0_6);
    s0_7 = wasm_f32x4_add(wasm_v128_load(sum + 28), s0_7);
    s0_8 = wasm_f32x4_add(wasm_v128_load(sum + 32), s0_8);
    s0_9 = wasm_f32x4_add(wasm_v128_load(sum + 36), s0_9);
    s0_10 = wasm_f32x4_add(wasm_v128_load(sum + 40), s0_10);
    s0_11 = wasm_f32x4_add(wasm_v128_load(sum + 44), s0_11);
    s0_12 = wasm_f32x4_add(wasm_v128_load(sum + 48), s0_12);
    s0_13 = wasm_f32x4_add(wasm_v128_load(sum + 52), s0_13);
    s0_14 = wasm_f32x4_add(wasm_v128_load(sum + 56), s0_14);
    s0_15 = wasm_f32x4_add(wasm_v128_load(sum + 60), s0_15);
  }
  wasm_v128_store(sum, s0_0);
  wasm_v128_store(sum + 4, s0_1);
  wasm_v128_store(sum + 8, s0_2);
  wasm_v128_store(sum + 12, s0_3);
  wasm_v128_store(sum + 16, s0_4);
  wasm_v128_store(sum + 20, s0_5);
  wasm_v128_store(sum + 24, s0_6);
  wasm_v128_store(sum + 28, s0_7);
  wasm_v128_store(sum + 32, s0_8);
  wasm_v128_store(sum + 36, s0_9);
  wasm_v128_store(sum + 40, s0_10);
  wasm_v128_store(sum + 44, s0_11);
  wasm_v128_store(sum + 48, s0_12);
  wasm_v128_store(sum + 52, s0_13);
  wasm_v128_store(sum + 56, s0_14);
  wasm_v128_store(sum + 60, s0_15);
}

/* sum[row][branch][32] (+)= a w over `count` k for up to 2 rows of 32 columns; 25 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  v128_t s0_0 = wasm_f32x4_splat(0.0f), s0_1 = wasm_f32x4_splat(0.0f),
    s0_2 = wasm_f32x4_splat(0.0f), s0_3 = wasm_f32x4_splat(0.0f),
    s0_4 = wasm_f32x4_splat(0.0f), s0_5 = wasm_f32x4_splat(0.0f),
    s0_6 = wasm_f32x4_splat(0.0f), s0_7 = wasm_f32x4_splat(0.0f);
  v128_t s1_0 = wasm_f32x4_splat(0.0f), s1_1 = wasm_f32x4_splat(0.0f),
    s1_2 = wasm_f32x4_splat(0.0f), s1_3 = wasm_f32x4_splat(0.0f),
    s1_4 = wasm_f32x4_splat(0.0f), s1_5 = wasm_f32x4_splat(0.0f),
    s1_6 = wasm_f32x4_splat(0.0f), s1_7 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    next += advance;
    const v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4), w2 = wasm_v128_load(w + 8),
      w3 = wasm_v128_load(w + 12), w4 = wasm_v128_load(w + 21840),
      w5 = wasm_v128_load(w + 21844), w6 = wasm_v128_load(w + 21848),
      w7 = wasm_v128_load(w + 21852);
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0 = fma_once(x, w0, s0_0);
      s0_1 = fma_once(x, w1, s0_1); s0_2 = fma_once(x, w2, s0_2); s0_3 = fma_once(x, w3, s0_3);
      s0_4 = fma_once(x, w4, s0_4); s0_5 = fma_once(x, w5, s0_5); s0_6 = fma_once(x, w6, s0_6);
      s0_7 = fma_once(x, w7, s0_7);
    }
    if (rows > 1) {
      const v128_t x = wasm_f32x4_splat(a[k + 128]); s1_0 = fma_once(x, w0, s1_0);
      s1_1 = fma_once(x, w1, s1_1); s1_2 = fma_once(x, w2, s1_2); s1_3 = fma_once(x, w3, s1_3);
      s1_4 = fma_once(x, w4, s1_4); s1_5 = fma_once(x, w5, s1_5); s1_6 = fma_once(x, w6, s1_6);
      s1_7 = fma_once(x, w7, s1_7);
    }
  }
  if (add) {
    s0_0 = wasm_f32x4_add(wasm_v128_load(sum), s0_0);
    s0_1 = wasm_f32x4_add(wasm_v128_load(sum + 4), s0_1);
    s0_2 = wasm_f32x4_add(wasm_v128_load(sum + 8), s0_2);
    s0_3 = wasm_f32x4_add(wasm_v128_load(sum + 12), s0_3);
    s0_4 = wasm_f32x4_add(wasm_v128_load(sum + 16), s0_4);
    s0_5 = wasm_f32x4_add(wasm_v128_load(sum + 20), s0_5);
    s0_6 = wasm_f32x4_add(wasm_v128_load(sum + 24), s0_6);
    s0_7 = wasm_f32x4_add(wasm_v128_load(sum + 28), s0_7);
    if (rows > 1) {
      s1_0 = wasm_f32x4_add(wasm_v128_load(sum + 32), s1_0);
      s1_1 = wasm_f32x4_add(wasm_v128_load(sum + 36), s1_1);
      s1_2 = wasm_f32x4_add(wasm_v128_load(sum + 40), s1_2);
      s1_3 = wasm_f32x4_add(wasm_v128_load(sum + 44), s1_3);
      s1_4 = wasm_f32x4_add(wasm_v128_load(sum + 48), s1_4);
      s1_5 = wasm_f32x4_add(wasm_v128_load(sum + 52), s1_5);
      s1_6 = wasm_f32x4_add(wasm_v128_load(sum + 56), s1_6);
      s1_7 = wasm_f32x4_add(wasm_v128_load(sum + 60), s1_7);
    }
  }
  wasm_v128_store(sum, s0_0);
  wasm_v128_store(sum + 4, s0_1);
  wasm_v128_store(sum + 8, s0_2);
  wasm_v128_store(sum + 12, s0_3);
  wasm_v128_store(sum + 16, s0_4);
  wasm_v128_store(sum + 20, s0_5);
  wasm_v128_store(sum + 24, s0_6);
  wasm_v128_store(sum + 28, s0_7);
  if (rows > 1) {
    wasm_v128_store(sum + 32, s1_0);
    wasm_v128_store(sum + 36, s1_1);
    wasm_v128_store(sum + 40, s1_2);
    wasm_v128_store(sum + 44, s1_3);
    wasm_v128_store(sum + 48, s1_4);
    wasm_v128_store(sum + 52, s1_5);
    wasm_v128_store(sum + 56, s1_6);
    wasm_v128_store(sum + 60, s1_7);
  }
}

FFN_NOINLINE void down_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_32(sum, a, w, count, add, next, advance, 1); break;
  case 2: down_sums_tile_32(sum, a, w, count, add, next, advance, 2); break;
  default: assert(0);
  }
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 6 rows of 16 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
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
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next);
    next += advance;
    const v128_t w0 = wasm_v128_load(w), w1 = wasm_v128_load(w + 4), w2 = wasm_v128_load(w + 8),
      w3 = wasm_v128_load(w + 12);
    {
      const v128_t x = wasm_f32x4_splat(a[k]); s0_0 = fma_once(x, w0, s0_0);
      s0_1 = fma_once(x, w1, s0_1); s0_2 = fma_once(x, w2, s0_2); s0_3 = fma_once(x, w3, s0_3);
    }
    if (rows > 1) {
      const v128_t x = wasm_f32x4_splat(a[k + 128]); s1_0 = fma_once(x, w0, s1_0);
      s1_1 = fma_once(x, w1, s1_1); s1_2 = fma_once(x, w2, s1_2); s1_3 = fma_once(x, w3, s1_3);
    }
    if (rows > 2) {
      const v128_t x = wasm_f32x4_splat(a[k + 256]); s2_0 = fma_once(x, w0, s2_0);
      s2_1 = fma_once(x, w1, s2_1); s2_2 = fma_once(x, w2, s2_2); s2_3 = fma_once(x, w3, s2_3);
    }
    if (rows > 3) {
      const v128_t x = wasm_f32x4_splat(a[k + 384]); s3_0 = fma_once(x, w0, s3_0);
      s3_1 = fma_once(x, w1, s3_1); s3_2 = fma_once(x, w2, s3_2); s3_3 = fma_once(x, w3, s3_3);
    }
    if (rows > 4) {
      const v128_t x = wasm_f32x4_splat(a[k + 512]); s4_0 = fma_once(x, w0, s4_0);
      s4_1 = fma_once(x, w1, s4_1); s4_2 = fma_once(x, w2, s4_2); s4_3 = fma_once(x, w3, s4_3);
    }
    if (rows > 5) {
      const v128_t x = wasm_f32x4_splat(a[k + 640]); s5_0 = fma_once(x, w0, s5_0);
      s5_1 = fma_once(x, w1, s5_1); s5_2 = fma_once(x, w2, s5_2); s5_3 = fma_once(x, w3, s5_3);
    }
  }
  if (add) {
    s0_0 = wasm_f32x4_add(wasm_v128_load(sum), s0_0);
    s0_1 = wasm_f32x4_add(wasm_v128_load(sum + 4), s0_1);
    s0_2 = wasm_f32x4_add(wasm_v128_load(sum + 8), s0_2);
    s0_3 = wasm_f32x4_add(wasm_v128_load(sum + 12), s0_3);
    if (rows > 1) {
      s1_0 = wasm_f32x4_add(wasm_v128_load(sum + 16), s1_0);
      s1_1 = wasm_f32x4_add(wasm_v128_load(sum + 20), s1_1);
      s1_2 = wasm_f32x4_add(wasm_v128_load(sum + 24), s1_2);
      s1_3 = wasm_f32x4_add(wasm_v128_load(sum + 28), s1_3);
    }
    if (rows > 2) {
      s2_0 = wasm_f32x4_add(wasm_v128_load(sum + 32), s2_0);
      s2_1 = wasm_f32x4_add(wasm_v128_load(sum + 36), s2_1);
      s2_2 = wasm_f32x4_add(wasm_v128_load(sum + 40), s2_2);
      s2_3 = wasm_f32x4_add(wasm_v128_load(sum + 44), s2_3);
    }
    if (rows > 3) {
      s3_0 = wasm_f32x4_add(wasm_v128_load(sum + 48), s3_0);
      s3_1 = wasm_f32x4_add(wasm_v128_load(sum + 52), s3_1);
      s3_2 = wasm_f32x4_add(wasm_v128_load(sum + 56), s3_2);
      s3_3 = wasm_f32x4_add(wasm_v128_load(sum + 60), s3_3);
    }
    if (rows > 4) {
      s4_0 = wasm_f32x4_add(wasm_v128_load(sum + 64), s4_0);
      s4_1 = wasm_f32x4_add(wasm_v128_load(sum + 68), s4_1);
      s4_2 = wasm_f32x4_add(wasm_v128_load(sum + 72), s4_2);
      s4_3 = wasm_f32x4_add(wasm_v128_load(sum + 76), s4_3);
    }
    if (rows > 5) {
      s5_0 = wasm_f32x4_add(wasm_v128_load(sum + 80), s5_0);
      s5_1 = wasm_f32x4_add(wasm_v128_load(sum + 84), s5_1);
      s5_2 = wasm_f32x4_add(wasm_v128_load(sum + 88), s5_2);
      s5_3 = wasm_f32x4_add(wasm_v128_load(sum + 92), s5_3);
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
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const v128_t down = wasm_v128_load(sum + c);
      const v128_t value = down;
      wasm_v128_store(out, value);
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

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_wasm;
const ffn_kernel ffn_swiglu_d512_f1365_f32_wasm = {
    "ffn_swiglu_d512_f1365_f32_wasm",
    "ffn_swiglu_d512_f1365_f32",
    FFN_KIND_FFN,
    FFN_SWIGLU,
    FFN_F32,
    FFN_ISA_WASM,
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

#endif
