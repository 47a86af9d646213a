/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_gelu_d4544_f18176_f32_neon
 * FFN gelu, 4544 -> 18176 -> 4544, no bias, f32, for neon
 * Falcon 7B: feed-forward block; no power of two above 64 divides its width
 *
 *     h = gelu(x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       falcon_7b; templates kernel.c.tpl, stage.c.tpl
 * Tiles      up: rows x columns 1 x 64, 2 x 32, 6 x 16, 1 branch, at most 29 of 32 registers
 * Tiles      down: rows x columns 1 x 64, 2 x 32, 6 x 16, 1 branch, at most 29 of 32 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       330366976 flop per token; 660734016 bytes of packed weights;
 *            20743680 bytes of work memory per thread
 * Sums       up: k ascends in 36 blocks of 128; at most 163 roundings
 * Sums       down: k ascends in 142 blocks of 128; at most 269 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w|), g = 163 2^-24;
 *            gelu at most 4.7 ULP, and within (5.4 |y|) 2^-24
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w|), g = 269 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 3
#error "made for ABI 3 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* x * Phi(x), Phi the normal distribution function; at most 4.7 ULP, and within (5.4 |y|) 2^-24. */
FFN_INLINE float32x4_t act_gelu(const float32x4_t x) {
  const float32x4_t t = vabsq_f32(x);
  const float32x4_t a = vbslq_f32(vcgtq_f32(t, vdupq_n_f32(14.5f)), vdupq_n_f32(14.5f), t);
  const float32x4_t square = vmulq_f32(a, a);
  const float32x4_t excess = vfmsq_f32(square, a, a);
  const float32x4_t shifted = vfmaq_f32(vdupq_n_f32(12582912.0f), square, vdupq_n_f32(0.7213475f));
  const float32x4_t steps = vsubq_f32(shifted, vdupq_n_f32(12582912.0f));
  const int32x4_t t_2 = vreinterpretq_s32_f32(shifted);
  const int32x4_t n = vsubq_s32(t_2, vdupq_n_s32(1262485544));
  const float32x4_t t_3 = vfmsq_f32(square, steps, vdupq_n_f32(1.3862944f));
  const float32x4_t t_4 = vfmaq_f32(excess, steps, vdupq_n_f32(-3.8093084e-09f));
  const float32x4_t r = vsubq_f32(t_3, t_4);
  const float32x4_t t_5 = vfmaq_f32(vdupq_n_f32(0.00026151663f), vdupq_n_f32(2.159109e-05f), r);
  const float32x4_t t_6 = vfmaq_f32(vdupq_n_f32(0.0026042683f), t_5, r);
  const float32x4_t t_7 = vfmaq_f32(vdupq_n_f32(0.020833153f), t_6, r);
  const float32x4_t t_8 = vfmaq_f32(vdupq_n_f32(0.124999985f), t_7, r);
  const float32x4_t t_9 = vfmaq_f32(vdupq_n_f32(0.5f), t_8, r);
  const float32x4_t q = vmulq_f32(t_9, r);
  const float32x4_t t_10 = vfmaq_f32(vdupq_n_f32(0.04068323f), a, vdupq_n_f32(0.004123316f));
  const float32x4_t t_11 = vfmaq_f32(vdupq_n_f32(0.43849686f), a, vdupq_n_f32(0.18338461f));
  const float32x4_t t_12 = vfmaq_f32(t_11, square, t_10);
  const float32x4_t t_13 = vmulq_f32(a, vdupq_n_f32(0.5f));
  const float32x4_t numerator = vfmaq_f32(t_13, square, t_12);
  const float32x4_t t_14 = vfmaq_f32(vdupq_n_f32(0.10198413f), a, vdupq_n_f32(0.010335502f));
  const float32x4_t t_15 = vfmaq_f32(vdupq_n_f32(1.2031246f), a, vdupq_n_f32(0.4698638f));
  const float32x4_t t_16 = vfmaq_f32(t_15, square, t_14);
  const float32x4_t t_17 = vfmaq_f32(vdupq_n_f32(1.0f), a, vdupq_n_f32(1.6748786f));
  const float32x4_t d = vfmaq_f32(t_17, square, t_16);
  const float32x4_t t_18 = vfmaq_f32(d, d, q);
  const float32x4_t t_19 = vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(n, vdupq_n_s32(127)), 23));
  const float32x4_t denominator = vmulq_f32(t_18, t_19);
  const float32x4_t tail = vdivq_f32(numerator, denominator);
  const float32x4_t t_20 = vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
  return vfmsq_f32(t_20, tail, vdupq_n_f32(9.094947e-13f));
}

/* ---- up: 4544 -> 18176 -------------------------------------------------------------------
 *
 * Panels [1136][4544][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][64] (+)= a w over `count` k for one row of 64 columns; 18 of 32 registers.
 */
FFN_NOINLINE void up_sums_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f), s0_4 = vdupq_n_f32(0.0f), s0_5 = vdupq_n_f32(0.0f),
    s0_6 = vdupq_n_f32(0.0f), s0_7 = vdupq_n_f32(0.0f), s0_8 = vdupq_n_f32(0.0f),
    s0_9 = vdupq_n_f32(0.0f), s0_10 = vdupq_n_f32(0.0f), s0_11 = vdupq_n_f32(0.0f),
    s0_12 = vdupq_n_f32(0.0f), s0_13 = vdupq_n_f32(0.0f), s0_14 = vdupq_n_f32(0.0f),
    s0_15 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 72704);
    FFN_FETCH((const float *)next + 145408); FFN_FETCH((const float *)next + 218112);
    next += advance;
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w));
      s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 4)); s0_2 = vfmaq_f32(s0_2, x, vld1q_f32(w + 8));
      s0_3 = vfmaq_f32(s0_3, x, vld1q_f32(w + 12));
      s0_4 = vfmaq_f32(s0_4, x, vld1q_f32(w + 72704));
      s0_5 = vfmaq_f32(s0_5, x, vld1q_f32(w + 72708));
      s0_6 = vfmaq_f32(s0_6, x, vld1q_f32(w + 72712));
      s0_7 = vfmaq_f32(s0_7, x, vld1q_f32(w + 72716));
      s0_8 = vfmaq_f32(s0_8, x, vld1q_f32(w + 145408));
      s0_9 = vfmaq_f32(s0_9, x, vld1q_f32(w + 145412));
      s0_10 = vfmaq_f32(s0_10, x, vld1q_f32(w + 145416));
      s0_11 = vfmaq_f32(s0_11, x, vld1q_f32(w + 145420));
      s0_12 = vfmaq_f32(s0_12, x, vld1q_f32(w + 218112));
      s0_13 = vfmaq_f32(s0_13, x, vld1q_f32(w + 218116));
      s0_14 = vfmaq_f32(s0_14, x, vld1q_f32(w + 218120));
      s0_15 = vfmaq_f32(s0_15, x, vld1q_f32(w + 218124));
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
FFN_INLINE void up_sums_tile_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  float32x4_t s0_0 = vdupq_n_f32(0.0f), s0_1 = vdupq_n_f32(0.0f), s0_2 = vdupq_n_f32(0.0f),
    s0_3 = vdupq_n_f32(0.0f), s0_4 = vdupq_n_f32(0.0f), s0_5 = vdupq_n_f32(0.0f),
    s0_6 = vdupq_n_f32(0.0f), s0_7 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f), s1_1 = vdupq_n_f32(0.0f), s1_2 = vdupq_n_f32(0.0f),
    s1_3 = vdupq_n_f32(0.0f), s1_4 = vdupq_n_f32(0.0f), s1_5 = vdupq_n_f32(0.0f),
    s1_6 = vdupq_n_f32(0.0f), s1_7 = vdupq_n_f32(0.0f);
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 72704);
    next += advance;
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
      w3 = vld1q_f32(w + 12), w4 = vld1q_f32(w + 72704), w5 = vld1q_f32(w + 72708),
      w6 = vld1q_f32(w + 72712), w7 = vld1q_f32(w + 72716);
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

FFN_NOINLINE void up_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: up_sums_tile_32(sum, a, w, count, add, next, advance, 1); break;
  case 2: up_sums_tile_32(sum, a, w, count, add, next, advance, 2); break;
  default: assert(0);
  }
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 6 rows of 16 columns; 29 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void up_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
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

FFN_NOINLINE void up_sums_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: up_sums_tile_16(sum, a, w, count, add, next, advance, 1); break;
  case 2: up_sums_tile_16(sum, a, w, count, add, next, advance, 2); break;
  case 3: up_sums_tile_16(sum, a, w, count, add, next, advance, 3); break;
  case 4: up_sums_tile_16(sum, a, w, count, add, next, advance, 4); break;
  case 5: up_sums_tile_16(sum, a, w, count, add, next, advance, 5); break;
  case 6: up_sums_tile_16(sum, a, w, count, add, next, advance, 6); break;
  default: assert(0);
  }
}

/* Sums through gelu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 128);
      const float32x4_t up = vld1q_f32(sum + c);
      const float32x4_t value = act_gelu(up);
      vst1q_f32(out, value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *up_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 16 + column / FFN_PANEL * 72704 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void up_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t, int, const char *, size_t, size_t);
    if (task->rows <= 1 && left >= 64)
      cols = 64, most = 1, sums = up_sums_64;
    else if (task->rows <= 2 && left >= 32)
      cols = 32, most = 2, sums = up_sums_32;
    else
      cols = 16, most = 6, sums = up_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 576);
    const size_t rows = ffn_even_part(task->rows, most);
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows);
    size_t block = 0;
    do {
      const size_t count = ffn_min(4544 - block, 128);
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = up_weights(task, column + g, block);
        const float *then = /* the weights that come next */
            g + group < chunk ? up_weights(task, column + g + group, block)
            : block + 128 < 4544
                ? up_weights(task, column, block + 128)
            : chunk < left ? up_weights(task, column + chunk, 0) : weights;
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
    } while (block < 4544);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        up_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

/* ---- down: 18176 -> 4544 -----------------------------------------------------------------
 *
 * Panels [284][18176][1][16]: sixteen outputs of each branch side by side for every k.
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
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 290816);
    FFN_FETCH((const float *)next + 581632); FFN_FETCH((const float *)next + 872448);
    next += advance;
    {
      const float32x4_t x = vdupq_n_f32(a[k]); s0_0 = vfmaq_f32(s0_0, x, vld1q_f32(w));
      s0_1 = vfmaq_f32(s0_1, x, vld1q_f32(w + 4)); s0_2 = vfmaq_f32(s0_2, x, vld1q_f32(w + 8));
      s0_3 = vfmaq_f32(s0_3, x, vld1q_f32(w + 12));
      s0_4 = vfmaq_f32(s0_4, x, vld1q_f32(w + 290816));
      s0_5 = vfmaq_f32(s0_5, x, vld1q_f32(w + 290820));
      s0_6 = vfmaq_f32(s0_6, x, vld1q_f32(w + 290824));
      s0_7 = vfmaq_f32(s0_7, x, vld1q_f32(w + 290828));
      s0_8 = vfmaq_f32(s0_8, x, vld1q_f32(w + 581632));
      s0_9 = vfmaq_f32(s0_9, x, vld1q_f32(w + 581636));
      s0_10 = vfmaq_f32(s0_10, x, vld1q_f32(w + 581640));
      s0_11 = vfmaq_f32(s0_11, x, vld1q_f32(w + 581644));
      s0_12 = vfmaq_f32(s0_12, x, vld1q_f32(w + 872448));
      s0_13 = vfmaq_f32(s0_13, x, vld1q_f32(w + 872452));
      s0_14 = vfmaq_f32(s0_14, x, vld1q_f32(w + 872456));
      s0_15 = vfmaq_f32(s0_15, x, vld1q_f32(w + 872460));
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
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 290816);
    next += advance;
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w2 = vld1q_f32(w + 8),
      w3 = vld1q_f32(w + 12), w4 = vld1q_f32(w + 290816), w5 = vld1q_f32(w + 290820),
      w6 = vld1q_f32(w + 290824), w7 = vld1q_f32(w + 290828);
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
  return task->packed + 82591760 + column / FFN_PANEL * 290816 + column % FFN_PANEL + k * 16;
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
        task->rows <= 32 ? group : ffn_min(left / group * group, 576);
    const size_t rows = ffn_even_part(task->rows, most);
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows);
    size_t block = 0;
    do {
      const size_t count = ffn_min(18176 - block, 128);
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = down_weights(task, column + g, block);
        const float *then = /* the weights that come next */
            g + group < chunk ? down_weights(task, column + g + group, block)
            : block + 128 < 18176
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
    } while (block < 18176);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        down_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {4544, 18176, 1, {FFN_MATRIX_UP}, FFN_ACT_GELU, FFN_PRODUCT_NONE, 0, 0.0f,
     128, 1, 163, 5.4f, 0.0f},
    {18176, 4544, 1, {FFN_MATRIX_DOWN}, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE, 0, 0.0f,
     128, 1, 269, 0.0f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {up_pass, 4544, 18176, 1, 0,
     16, 82591760, 0, 128, 64},
    {down_pass, 18176, 4544, 1, 0,
     82591760, 165183504, 1022976, 128, 64},
};

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0x73a64ac20bc819d5), 2, chain_stages, 6, 222,
                                5058048, 5185920, 330366976};

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

extern const ffn_kernel ffn_gelu_d4544_f18176_f32_neon;
const ffn_kernel ffn_gelu_d4544_f18176_f32_neon = {
    "ffn_gelu_d4544_f18176_f32_neon",
    "ffn_gelu_d4544_f18176_f32",
    FFN_KIND_FFN,
    FFN_GELU,
    FFN_F32,
    FFN_ISA_NEON,
    4544,
    18176,
    4544,
    0,
    0,
    2,
    stages,
    660734016,
    20743680,
    330366976,
    pack,
    unpack,
    run,
};

#endif
