/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_neon
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for neon
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

#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24.
 * Elfwing et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202. */
FFN_INLINE float32x4_t act_silu(const float32x4_t x) {
  const float32x4_t t = vabsq_f32(x);
  const float32x4_t a = vbslq_f32(vcgtq_f32(t, vdupq_n_f32(112.0f)), vdupq_n_f32(112.0f), t);
  const float32x4_t shifted = vfmaq_f32(vdupq_n_f32(12582912.0f), a, vdupq_n_f32(1.442695f));
  const float32x4_t steps = vsubq_f32(shifted, vdupq_n_f32(12582912.0f));
  const int32x4_t t_2 = vreinterpretq_s32_f32(shifted);
  const int32x4_t n = vsubq_s32(t_2, vdupq_n_s32(1262485544));
  const float32x4_t t_3 = vfmsq_f32(a, steps, vdupq_n_f32(0.6931472f));
  const float32x4_t r = vfmsq_f32(t_3, steps, vdupq_n_f32(-1.9046542e-09f));
  const float32x4_t t_4 = vfmaq_f32(vdupq_n_f32(0.008368532f), vdupq_n_f32(0.0013818297f), r);
  const float32x4_t t_5 = vfmaq_f32(vdupq_n_f32(0.041668292f), t_4, r);
  const float32x4_t t_6 = vfmaq_f32(vdupq_n_f32(0.16666523f), t_5, r);
  const float32x4_t t_7 = vfmaq_f32(vdupq_n_f32(0.49999994f), t_6, r);
  const float32x4_t t_8 = vfmaq_f32(vdupq_n_f32(1.0f), t_7, r);
  const float32x4_t p = vfmaq_f32(vdupq_n_f32(1.0f), t_8, r);
  const float32x4_t t_9 = vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(n, vdupq_n_s32(127)), 23));
  const float32x4_t denominator = vfmaq_f32(vdupq_n_f32(9.094947e-13f), p, t_9);
  const float32x4_t tail = vdivq_f32(a, denominator);
  const float32x4_t t_10 = vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
  return vfmsq_f32(t_10, tail, vdupq_n_f32(9.094947e-13f));
}

/* ---- gate_up: 512 -> 1365 ----------------------------------------------------------------
 *
 * Panels [86][512][2][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][32] (+)= a w over `count` k for one row of 32 columns; 18 of 32 registers.
 */
FFN_NOINLINE void gate_up_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f), s0_4 = vdupq_n_f32(0.0f), s0_5 = vdupq_n_f32(0.0f),
    s0_6 = vdupq_n_f32(0.0f), s0_7 = vdupq_n_f32(0.0f), s0_8 = vdupq_n_f32(0.0f),
    s0_9 = vdupq_n_f32(0.0f), s0_10 = vdupq_n_f32(0.0f), s0_11 = vdupq_n_f32(0.0f),
    s0_12 = vdupq_n_f32(0.0f), s0_13 = vdupq_n_f32(0.0f), s0_14 = vdupq_n_f32(0.0f),
    s0_15 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    FFN_FETCH((const float *)next + 16384); FFN_FETCH((const float *)next + 16400);
    next += advance;
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w));
      s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 4)); s0_2 = vfmaq_f32(s0_2, x, vld1q_f32(w + 8));
      s0_3 = vfmaq_f32(s0_3, x, vld1q_f32(w + 12));
      s0_4 = vfmaq_f32(s0_4, x, vld1q_f32(w + 16384));
      s0_5 = vfmaq_f32(s0_5, x, vld1q_f32(w + 16388));
      s0_6 = vfmaq_f32(s0_6, x, vld1q_f32(w + 16392));
      s0_7 = vfmaq_f32(s0_7, x, vld1q_f32(w + 16396));
      s0_8 = vfmaq_f32(s0_8, x, vld1q_f32(w + 16)); s0_9 = vfmaq_f32(s0_9, x, vld1q_f32(w + 20));
      s0_10 = vfmaq_f32(s0_10, x, vld1q_f32(w + 24));
      s0_11 = vfmaq_f32(s0_11, x, vld1q_f32(w + 28));
      s0_12 = vfmaq_f32(s0_12, x, vld1q_f32(w + 16400));
      s0_13 = vfmaq_f32(s0_13, x, vld1q_f32(w + 16404));
      s0_14 = vfmaq_f32(s0_14, x, vld1q_f32(w + 16408));
      s0_15 = vfmaq_f32(s0_15, x, vld1q_f32(w + 16412));
    }
  }
  if (add) {
    s0_0 = vaddq_f32(vld1q_f32(sum), s0_0);
    s0_1 = vaddq_f32(vld1q_f32(sum + 4), s0_1);
    s0_2 = vaddq_f32(vld1q_f32(sum + 8), s0_2);
    s0_3 = vaddq_f32(vld1q_f32(sum + 12), s0_3);
    s0_4 = vaddq_f32(vld1q_f32(sum + 16), s0_4);
    s0_5 = vaddq_f32(vld1q_f32(sum + 20), s0_5);
    s0_6 = vaddq_f32(vld1q_f32(sum + 24), s0_6);
    s0_7 = vaddq_f32(vld1q_f32(sum + 28), s0_7);
    s0_8 = vaddq_f32(vld1q_f32(sum + 32), s0_8);
    s0_9 = vaddq_f32(vld1q_f32(sum + 36), s0_9);
    s0_10 = vaddq_f32(vld1q_f32(sum + 40), s0_10);
    s0_11 = vaddq_f32(vld1q_f32(sum + 44), s0_11);
    s0_12 = vaddq_f32(vld1q_f32(sum + 48), s0_12);
    s0_13 = vaddq_f32(vld1q_f32(sum + 52), s0_13);
    s0_14 = vaddq_f32(vld1q_f32(sum + 56), s0_14);
    s0_15 = vaddq_f32(vld1q_f32(sum + 60), s0_15);
  }
  vst1q_f32(sum, s0_0);
  vst1q_f32(sum + 4, s0_1);
  vst1q_f32(sum + 8, s0_2);
  vst1q_f32(sum + 12, s0_3);
  vst1q_f32(sum + 16, s0_4);
  vst1q_f32(sum + 20, s0_5);
  vst1q_f32(sum + 24, s0_6);
  vst1q_f32(sum + 28, s0_7);
  vst1q_f32(sum + 32, s0_8);
  vst1q_f32(sum + 36, s0_9);
  vst1q_f32(sum + 40, s0_10);
  vst1q_f32(sum + 44, s0_11);
  vst1q_f32(sum + 48, s0_12);
  vst1q_f32(sum + 52, s0_13);
  vst1q_f32(sum + 56, s0_14);
  vst1q_f32(sum + 60, s0_15);
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 2 rows of 16 columns; 25 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f), s0_4 = vdupq_n_f32(0.0f), s0_5 = vdupq_n_f32(0.0f),
    s0_6 = vdupq_n_f32(0.0f), s0_7 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f), s1_1 = vdupq_n_f32(0.0f), s1_2 = vdupq_n_f32(0.0f),
    s1_3 = vdupq_n_f32(0.0f), s1_4 = vdupq_n_f32(0.0f), s1_5 = vdupq_n_f32(0.0f),
    s1_6 = vdupq_n_f32(0.0f), s1_7 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
      w3 = vld1q_f32(w + 12), w4 = vld1q_f32(w + 16), w5 = vld1q_f32(w + 20),
      w6 = vld1q_f32(w + 24), w7 = vld1q_f32(w + 28);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, w0);
      s0_1 = vfmaq_f32(s0_1, x, w1); s0_2 = vfmaq_f32(s0_2, x, w2); s0_3 = vfmaq_f32(s0_3, x, w3);
      s0_4 = vfmaq_f32(s0_4, x, w4); s0_5 = vfmaq_f32(s0_5, x, w5); s0_6 = vfmaq_f32(s0_6, x, w6);
      s0_7 = vfmaq_f32(s0_7, x, w7);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 128]); s1_0 = vfmaq_f32(s1_0, x, w0);
      s1_1 = vfmaq_f32(s1_1, x, w1); s1_2 = vfmaq_f32(s1_2, x, w2); s1_3 = vfmaq_f32(s1_3, x, w3);
      s1_4 = vfmaq_f32(s1_4, x, w4); s1_5 = vfmaq_f32(s1_5, x, w5); s1_6 = vfmaq_f32(s1_6, x, w6);
      s1_7 = vfmaq_f32(s1_7, x, w7);
    }
  }
  if (add) {
    s0_0 = vaddq_f32(vld1q_f32(sum), s0_0);
    s0_1 = vaddq_f32(vld1q_f32(sum + 4), s0_1);
    s0_2 = vaddq_f32(vld1q_f32(sum + 8), s0_2);
    s0_3 = vaddq_f32(vld1q_f32(sum + 12), s0_3);
    s0_4 = vaddq_f32(vld1q_f32(sum + 16), s0_4);
    s0_5 = vaddq_f32(vld1q_f32(sum + 20), s0_5);
    s0_6 = vaddq_f32(vld1q_f32(sum + 24), s0_6);
    s0_7 = vaddq_f32(vld1q_f32(sum + 28), s0_7);
    if (rows > 1) {
      s1_0 = vaddq_f32(vld1q_f32(sum + 32), s1_0);
      s1_1 = vaddq_f32(vld1q_f32(sum + 36), s1_1);
      s1_2 = vaddq_f32(vld1q_f32(sum + 40), s1_2);
      s1_3 = vaddq_f32(vld1q_f32(sum + 44), s1_3);
      s1_4 = vaddq_f32(vld1q_f32(sum + 48), s1_4);
      s1_5 = vaddq_f32(vld1q_f32(sum + 52), s1_5);
      s1_6 = vaddq_f32(vld1q_f32(sum + 56), s1_6);
      s1_7 = vaddq_f32(vld1q_f32(sum + 60), s1_7);
    }
  }
  vst1q_f32(sum, s0_0);
  vst1q_f32(sum + 4, s0_1);
  vst1q_f32(sum + 8, s0_2);
  vst1q_f32(sum + 12, s0_3);
  vst1q_f32(sum + 16, s0_4);
  vst1q_f32(sum + 20, s0_5);
  vst1q_f32(sum + 24, s0_6);
  vst1q_f32(sum + 28, s0_7);
  if (rows > 1) {
    vst1q_f32(sum + 32, s1_0);
    vst1q_f32(sum + 36, s1_1);
    vst1q_f32(sum + 40, s1_2);
    vst1q_f32(sum + 44, s1_3);
    vst1q_f32(sum + 48, s1_4);
    vst1q_f32(sum + 52, s1_5);
    vst1q_f32(sum + 56, s1_6);
    vst1q_f32(sum + 60, s1_7);
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
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f), s1_1 = vdupq_n_f32(0.0f), s1_2 = vdupq_n_f32(0.0f),
    s1_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_0 = vdupq_n_f32(0.0f), s2_1 = vdupq_n_f32(0.0f), s2_2 = vdupq_n_f32(0.0f),
    s2_3 = vdupq_n_f32(0.0f);
  float32x4_t s3_0 = vdupq_n_f32(0.0f), s3_1 = vdupq_n_f32(0.0f), s3_2 = vdupq_n_f32(0.0f),
    s3_3 = vdupq_n_f32(0.0f);
  float32x4_t s4_0 = vdupq_n_f32(0.0f), s4_1 = vdupq_n_f32(0.0f), s4_2 = vdupq_n_f32(0.0f),
    s4_3 = vdupq_n_f32(0.0f);
  float32x4_t s5_0 = vdupq_n_f32(0.0f), s5_1 = vdupq_n_f32(0.0f), s5_2 = vdupq_n_f32(0.0f),
    s5_3 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 16),
      w3 = vld1q_f32(w + 20);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, w0);
      s0_1 = vfmaq_f32(s0_1, x, w1); s0_2 = vfmaq_f32(s0_2, x, w2); s0_3 = vfmaq_f32(s0_3, x, w3);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 128]); s1_0 = vfmaq_f32(s1_0, x, w0);
      s1_1 = vfmaq_f32(s1_1, x, w1); s1_2 = vfmaq_f32(s1_2, x, w2); s1_3 = vfmaq_f32(s1_3, x, w3);
    }
    if (rows > 2) {
      const float32x4_t x = vdupq_n_f32(a[k + 256]); s2_0 = vfmaq_f32(s2_0, x, w0);
      s2_1 = vfmaq_f32(s2_1, x, w1); s2_2 = vfmaq_f32(s2_2, x, w2); s2_3 = vfmaq_f32(s2_3, x, w3);
    }
    if (rows > 3) {
      const float32x4_t x = vdupq_n_f32(a[k + 384]); s3_0 = vfmaq_f32(s3_0, x, w0);
      s3_1 = vfmaq_f32(s3_1, x, w1); s3_2 = vfmaq_f32(s3_2, x, w2); s3_3 = vfmaq_f32(s3_3, x, w3);
    }
    if (rows > 4) {
      const float32x4_t x = vdupq_n_f32(a[k + 512]); s4_0 = vfmaq_f32(s4_0, x, w0);
      s4_1 = vfmaq_f32(s4_1, x, w1); s4_2 = vfmaq_f32(s4_2, x, w2); s4_3 = vfmaq_f32(s4_3, x, w3);
    }
    if (rows > 5) {
      const float32x4_t x = vdupq_n_f32(a[k + 640]); s5_0 = vfmaq_f32(s5_0, x, w0);
      s5_1 = vfmaq_f32(s5_1, x, w1); s5_2 = vfmaq_f32(s5_2, x, w2); s5_3 = vfmaq_f32(s5_3, x, w3);
    }
  }
  if (add) {
    s0_0 = vaddq_f32(vld1q_f32(sum), s0_0);
    s0_1 = vaddq_f32(vld1q_f32(sum + 4), s0_1);
    s0_2 = vaddq_f32(vld1q_f32(sum + 8), s0_2);
    s0_3 = vaddq_f32(vld1q_f32(sum + 12), s0_3);
    if (rows > 1) {
      s1_0 = vaddq_f32(vld1q_f32(sum + 16), s1_0);
      s1_1 = vaddq_f32(vld1q_f32(sum + 20), s1_1);
      s1_2 = vaddq_f32(vld1q_f32(sum + 24), s1_2);
      s1_3 = vaddq_f32(vld1q_f32(sum + 28), s1_3);
    }
    if (rows > 2) {
      s2_0 = vaddq_f32(vld1q_f32(sum + 32), s2_0);
      s2_1 = vaddq_f32(vld1q_f32(sum + 36), s2_1);
      s2_2 = vaddq_f32(vld1q_f32(sum + 40), s2_2);
      s2_3 = vaddq_f32(vld1q_f32(sum + 44), s2_3);
    }
    if (rows > 3) {
      s3_0 = vaddq_f32(vld1q_f32(sum + 48), s3_0);
      s3_1 = vaddq_f32(vld1q_f32(sum + 52), s3_1);
      s3_2 = vaddq_f32(vld1q_f32(sum + 56), s3_2);
      s3_3 = vaddq_f32(vld1q_f32(sum + 60), s3_3);
    }
    if (rows > 4) {
      s4_0 = vaddq_f32(vld1q_f32(sum + 64), s4_0);
      s4_1 = vaddq_f32(vld1q_f32(sum + 68), s4_1);
      s4_2 = vaddq_f32(vld1q_f32(sum + 72), s4_2);
      s4_3 = vaddq_f32(vld1q_f32(sum + 76), s4_3);
    }
    if (rows > 5) {
      s5_0 = vaddq_f32(vld1q_f32(sum + 80), s5_0);
      s5_1 = vaddq_f32(vld1q_f32(sum + 84), s5_1);
      s5_2 = vaddq_f32(vld1q_f32(sum + 88), s5_2);
      s5_3 = vaddq_f32(vld1q_f32(sum + 92), s5_3);
    }
  }
  vst1q_f32(sum, s0_0);
  vst1q_f32(sum + 4, s0_1);
  vst1q_f32(sum + 8, s0_2);
  vst1q_f32(sum + 12, s0_3);
  if (rows > 1) {
    vst1q_f32(sum + 16, s1_0);
    vst1q_f32(sum + 20, s1_1);
    vst1q_f32(sum + 24, s1_2);
    vst1q_f32(sum + 28, s1_3);
  }
  if (rows > 2) {
    vst1q_f32(sum + 32, s2_0);
    vst1q_f32(sum + 36, s2_1);
    vst1q_f32(sum + 40, s2_2);
    vst1q_f32(sum + 44, s2_3);
  }
  if (rows > 3) {
    vst1q_f32(sum + 48, s3_0);
    vst1q_f32(sum + 52, s3_1);
    vst1q_f32(sum + 56, s3_2);
    vst1q_f32(sum + 60, s3_3);
  }
  if (rows > 4) {
    vst1q_f32(sum + 64, s4_0);
    vst1q_f32(sum + 68, s4_1);
    vst1q_f32(sum + 72, s4_2);
    vst1q_f32(sum + 76, s4_3);
  }
  if (rows > 5) {
    vst1q_f32(sum + 80, s5_0);
    vst1q_f32(sum + 84, s5_1);
    vst1q_f32(sum + 88, s5_2);
    vst1q_f32(sum + 92, s5_3);
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
      const float32x4_t gate = vld1q_f32(sum + c);
      const float32x4_t up = vld1q_f32(sum + cols + c);
      const float32x4_t value = vmulq_f32(act_silu(gate), up);
      vst1q_f32(out, value);
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
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f), s0_4 = vdupq_n_f32(0.0f), s0_5 = vdupq_n_f32(0.0f),
    s0_6 = vdupq_n_f32(0.0f), s0_7 = vdupq_n_f32(0.0f), s0_8 = vdupq_n_f32(0.0f),
    s0_9 = vdupq_n_f32(0.0f), s0_10 = vdupq_n_f32(0.0f), s0_11 = vdupq_n_f32(0.0f),
    s0_12 = vdupq_n_f32(0.0f), s0_13 = vdupq_n_f32(0.0f), s0_14 = vdupq_n_f32(0.0f),
    s0_15 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    FFN_FETCH((const float *)next + 43680); FFN_FETCH((const float *)next + 65520);
    next += advance;
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w));
      s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 4)); s0_2 = vfmaq_f32(s0_2, x, vld1q_f32(w + 8));
      s0_3 = vfmaq_f32(s0_3, x, vld1q_f32(w + 12));
      s0_4 = vfmaq_f32(s0_4, x, vld1q_f32(w + 21840));
      s0_5 = vfmaq_f32(s0_5, x, vld1q_f32(w + 21844));
      s0_6 = vfmaq_f32(s0_6, x, vld1q_f32(w + 21848));
      s0_7 = vfmaq_f32(s0_7, x, vld1q_f32(w + 21852));
      s0_8 = vfmaq_f32(s0_8, x, vld1q_f32(w + 43680));
      s0_9 = vfmaq_f32(s0_9, x, vld1q_f32(w + 43684));
      s0_10 = vfmaq_f32(s0_10, x, vld1q_f32(w + 43688));
      s0_11 = vfmaq_f32(s0_11, x, vld1q_f32(w + 43692));
      s0_12 = vfmaq_f32(s0_12, x, vld1q_f32(w + 65520));
      s0_13 = vfmaq_f32(s0_13, x, vld1q_f32(w + 65524));
      s0_14 = vfmaq_f32(s0_14, x, vld1q_f32(w + 65528));
      s0_15 = vfmaq_f32(s0_15, x, vld1q_f32(w + 65532));
    }
  }
  if (add) {
    s0_0 = vaddq_f32(vld1q_f32(sum), s0_0);
    s0_1 = vaddq_f32(vld1q_f32(sum + 4), s0_1);
    s0_2 = vaddq_f32(vld1q_f32(sum + 8), s0_2);
    s0_3 = vaddq_f32(vld1q_f32(sum + 12), s0_3);
    s0_4 = vaddq_f32(vld1q_f32(sum + 16), s0_4);
    s0_5 = vaddq_f32(vld1q_f32(sum + 20), s0_5);
    s0_6 = vaddq_f32(vld1q_f32(sum + 24), s0_6);
    s0_7 = vaddq_f32(vld1q_f32(sum + 28), s0_7);
    s0_8 = vaddq_f32(vld1q_f32(sum + 32), s0_8);
    s0_9 = vaddq_f32(vld1q_f32(sum + 36), s0_9);
    s0_10 = vaddq_f32(vld1q_f32(sum + 40), s0_10);
    s0_11 = vaddq_f32(vld1q_f32(sum + 44), s0_11);
    s0_12 = vaddq_f32(vld1q_f32(sum + 48), s0_12);
    s0_13 = vaddq_f32(vld1q_f32(sum + 52), s0_13);
    s0_14 = vaddq_f32(vld1q_f32(sum + 56), s0_14);
    s0_15 = vaddq_f32(vld1q_f32(sum + 60), s0_15);
  }
  vst1q_f32(sum, s0_0);
  vst1q_f32(sum + 4, s0_1);
  vst1q_f32(sum + 8, s0_2);
  vst1q_f32(sum + 12, s0_3);
  vst1q_f32(sum + 16, s0_4);
  vst1q_f32(sum + 20, s0_5);
  vst1q_f32(sum + 24, s0_6);
  vst1q_f32(sum + 28, s0_7);
  vst1q_f32(sum + 32, s0_8);
  vst1q_f32(sum + 36, s0_9);
  vst1q_f32(sum + 40, s0_10);
  vst1q_f32(sum + 44, s0_11);
  vst1q_f32(sum + 48, s0_12);
  vst1q_f32(sum + 52, s0_13);
  vst1q_f32(sum + 56, s0_14);
  vst1q_f32(sum + 60, s0_15);
}

/* sum[row][branch][32] (+)= a w over `count` k for up to 2 rows of 32 columns; 25 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f), s0_4 = vdupq_n_f32(0.0f), s0_5 = vdupq_n_f32(0.0f),
    s0_6 = vdupq_n_f32(0.0f), s0_7 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f), s1_1 = vdupq_n_f32(0.0f), s1_2 = vdupq_n_f32(0.0f),
    s1_3 = vdupq_n_f32(0.0f), s1_4 = vdupq_n_f32(0.0f), s1_5 = vdupq_n_f32(0.0f),
    s1_6 = vdupq_n_f32(0.0f), s1_7 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    next += advance;
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
      w3 = vld1q_f32(w + 12), w4 = vld1q_f32(w + 21840), w5 = vld1q_f32(w + 21844),
      w6 = vld1q_f32(w + 21848), w7 = vld1q_f32(w + 21852);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, w0);
      s0_1 = vfmaq_f32(s0_1, x, w1); s0_2 = vfmaq_f32(s0_2, x, w2); s0_3 = vfmaq_f32(s0_3, x, w3);
      s0_4 = vfmaq_f32(s0_4, x, w4); s0_5 = vfmaq_f32(s0_5, x, w5); s0_6 = vfmaq_f32(s0_6, x, w6);
      s0_7 = vfmaq_f32(s0_7, x, w7);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 128]); s1_0 = vfmaq_f32(s1_0, x, w0);
      s1_1 = vfmaq_f32(s1_1, x, w1); s1_2 = vfmaq_f32(s1_2, x, w2); s1_3 = vfmaq_f32(s1_3, x, w3);
      s1_4 = vfmaq_f32(s1_4, x, w4); s1_5 = vfmaq_f32(s1_5, x, w5); s1_6 = vfmaq_f32(s1_6, x, w6);
      s1_7 = vfmaq_f32(s1_7, x, w7);
    }
  }
  if (add) {
    s0_0 = vaddq_f32(vld1q_f32(sum), s0_0);
    s0_1 = vaddq_f32(vld1q_f32(sum + 4), s0_1);
    s0_2 = vaddq_f32(vld1q_f32(sum + 8), s0_2);
    s0_3 = vaddq_f32(vld1q_f32(sum + 12), s0_3);
    s0_4 = vaddq_f32(vld1q_f32(sum + 16), s0_4);
    s0_5 = vaddq_f32(vld1q_f32(sum + 20), s0_5);
    s0_6 = vaddq_f32(vld1q_f32(sum + 24), s0_6);
    s0_7 = vaddq_f32(vld1q_f32(sum + 28), s0_7);
    if (rows > 1) {
      s1_0 = vaddq_f32(vld1q_f32(sum + 32), s1_0);
      s1_1 = vaddq_f32(vld1q_f32(sum + 36), s1_1);
      s1_2 = vaddq_f32(vld1q_f32(sum + 40), s1_2);
      s1_3 = vaddq_f32(vld1q_f32(sum + 44), s1_3);
      s1_4 = vaddq_f32(vld1q_f32(sum + 48), s1_4);
      s1_5 = vaddq_f32(vld1q_f32(sum + 52), s1_5);
      s1_6 = vaddq_f32(vld1q_f32(sum + 56), s1_6);
      s1_7 = vaddq_f32(vld1q_f32(sum + 60), s1_7);
    }
  }
  vst1q_f32(sum, s0_0);
  vst1q_f32(sum + 4, s0_1);
  vst1q_f32(sum + 8, s0_2);
  vst1q_f32(sum + 12, s0_3);
  vst1q_f32(sum + 16, s0_4);
  vst1q_f32(sum + 20, s0_5);
  vst1q_f32(sum + 24, s0_6);
  vst1q_f32(sum + 28, s0_7);
  if (rows > 1) {
    vst1q_f32(sum + 32, s1_0);
    vst1q_f32(sum + 36, s1_1);
    vst1q_f32(sum + 40, s1_2);
    vst1q_f32(sum + 44, s1_3);
    vst1q_f32(sum + 48, s1_4);
    vst1q_f32(sum + 52, s1_5);
    vst1q_f32(sum + 56, s1_6);
    vst1q_f32(sum + 60, s1_7);
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
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f), s1_1 = vdupq_n_f32(0.0f), s1_2 = vdupq_n_f32(0.0f),
    s1_3 = vdupq_n_f32(0.0f);
  float32x4_t s2_0 = vdupq_n_f32(0.0f), s2_1 = vdupq_n_f32(0.0f), s2_2 = vdupq_n_f32(0.0f),
    s2_3 = vdupq_n_f32(0.0f);
  float32x4_t s3_0 = vdupq_n_f32(0.0f), s3_1 = vdupq_n_f32(0.0f), s3_2 = vdupq_n_f32(0.0f),
    s3_3 = vdupq_n_f32(0.0f);
  float32x4_t s4_0 = vdupq_n_f32(0.0f), s4_1 = vdupq_n_f32(0.0f), s4_2 = vdupq_n_f32(0.0f),
    s4_3 = vdupq_n_f32(0.0f);
  float32x4_t s5_0 = vdupq_n_f32(0.0f), s5_1 = vdupq_n_f32(0.0f), s5_2 = vdupq_n_f32(0.0f),
    s5_3 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next);
    next += advance;
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
      w3 = vld1q_f32(w + 12);
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, w0);
      s0_1 = vfmaq_f32(s0_1, x, w1); s0_2 = vfmaq_f32(s0_2, x, w2); s0_3 = vfmaq_f32(s0_3, x, w3);
    }
    if (rows > 1) {
      const float32x4_t x = vdupq_n_f32(a[k + 128]); s1_0 = vfmaq_f32(s1_0, x, w0);
      s1_1 = vfmaq_f32(s1_1, x, w1); s1_2 = vfmaq_f32(s1_2, x, w2); s1_3 = vfmaq_f32(s1_3, x, w3);
    }
    if (rows > 2) {
      const float32x4_t x = vdupq_n_f32(a[k + 256]); s2_0 = vfmaq_f32(s2_0, x, w0);
      s2_1 = vfmaq_f32(s2_1, x, w1); s2_2 = vfmaq_f32(s2_2, x, w2); s2_3 = vfmaq_f32(s2_3, x, w3);
    }
    if (rows > 3) {
      const float32x4_t x = vdupq_n_f32(a[k + 384]); s3_0 = vfmaq_f32(s3_0, x, w0);
      s3_1 = vfmaq_f32(s3_1, x, w1); s3_2 = vfmaq_f32(s3_2, x, w2); s3_3 = vfmaq_f32(s3_3, x, w3);
    }
    if (rows > 4) {
      const float32x4_t x = vdupq_n_f32(a[k + 512]); s4_0 = vfmaq_f32(s4_0, x, w0);
      s4_1 = vfmaq_f32(s4_1, x, w1); s4_2 = vfmaq_f32(s4_2, x, w2); s4_3 = vfmaq_f32(s4_3, x, w3);
    }
    if (rows > 5) {
      const float32x4_t x = vdupq_n_f32(a[k + 640]); s5_0 = vfmaq_f32(s5_0, x, w0);
      s5_1 = vfmaq_f32(s5_1, x, w1); s5_2 = vfmaq_f32(s5_2, x, w2); s5_3 = vfmaq_f32(s5_3, x, w3);
    }
  }
  if (add) {
    s0_0 = vaddq_f32(vld1q_f32(sum), s0_0);
    s0_1 = vaddq_f32(vld1q_f32(sum + 4), s0_1);
    s0_2 = vaddq_f32(vld1q_f32(sum + 8), s0_2);
    s0_3 = vaddq_f32(vld1q_f32(sum + 12), s0_3);
    if (rows > 1) {
      s1_0 = vaddq_f32(vld1q_f32(sum + 16), s1_0);
      s1_1 = vaddq_f32(vld1q_f32(sum + 20), s1_1);
      s1_2 = vaddq_f32(vld1q_f32(sum + 24), s1_2);
      s1_3 = vaddq_f32(vld1q_f32(sum + 28), s1_3);
    }
    if (rows > 2) {
      s2_0 = vaddq_f32(vld1q_f32(sum + 32), s2_0);
      s2_1 = vaddq_f32(vld1q_f32(sum + 36), s2_1);
      s2_2 = vaddq_f32(vld1q_f32(sum + 40), s2_2);
      s2_3 = vaddq_f32(vld1q_f32(sum + 44), s2_3);
    }
    if (rows > 3) {
      s3_0 = vaddq_f32(vld1q_f32(sum + 48), s3_0);
      s3_1 = vaddq_f32(vld1q_f32(sum + 52), s3_1);
      s3_2 = vaddq_f32(vld1q_f32(sum + 56), s3_2);
      s3_3 = vaddq_f32(vld1q_f32(sum + 60), s3_3);
    }
    if (rows > 4) {
      s4_0 = vaddq_f32(vld1q_f32(sum + 64), s4_0);
      s4_1 = vaddq_f32(vld1q_f32(sum + 68), s4_1);
      s4_2 = vaddq_f32(vld1q_f32(sum + 72), s4_2);
      s4_3 = vaddq_f32(vld1q_f32(sum + 76), s4_3);
    }
    if (rows > 5) {
      s5_0 = vaddq_f32(vld1q_f32(sum + 80), s5_0);
      s5_1 = vaddq_f32(vld1q_f32(sum + 84), s5_1);
      s5_2 = vaddq_f32(vld1q_f32(sum + 88), s5_2);
      s5_3 = vaddq_f32(vld1q_f32(sum + 92), s5_3);
    }
  }
  vst1q_f32(sum, s0_0);
  vst1q_f32(sum + 4, s0_1);
  vst1q_f32(sum + 8, s0_2);
  vst1q_f32(sum + 12, s0_3);
  if (rows > 1) {
    vst1q_f32(sum + 16, s1_0);
    vst1q_f32(sum + 20, s1_1);
    vst1q_f32(sum + 24, s1_2);
    vst1q_f32(sum + 28, s1_3);
  }
  if (rows > 2) {
    vst1q_f32(sum + 32, s2_0);
    vst1q_f32(sum + 36, s2_1);
    vst1q_f32(sum + 40, s2_2);
    vst1q_f32(sum + 44, s2_3);
  }
  if (rows > 3) {
    vst1q_f32(sum + 48, s3_0);
    vst1q_f32(sum + 52, s3_1);
    vst1q_f32(sum + 56, s3_2);
    vst1q_f32(sum + 60, s3_3);
  }
  if (rows > 4) {
    vst1q_f32(sum + 64, s4_0);
    vst1q_f32(sum + 68, s4_1);
    vst1q_f32(sum + 72, s4_2);
    vst1q_f32(sum + 76, s4_3);
  }
  if (rows > 5) {
    vst1q_f32(sum + 80, s5_0);
    vst1q_f32(sum + 84, s5_1);
    vst1q_f32(sum + 88, s5_2);
    vst1q_f32(sum + 92, s5_3);
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
      const float32x4_t down = vld1q_f32(sum + c);
      const float32x4_t value = down;
      vst1q_f32(out, value);
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

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_neon;
const ffn_kernel ffn_swiglu_d512_f1365_f32_neon = {
    "ffn_swiglu_d512_f1365_f32_neon",
    "ffn_swiglu_d512_f1365_f32",
    FFN_KIND_FFN,
    FFN_SWIGLU,
    FFN_F32,
    FFN_ISA_NEON,
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
