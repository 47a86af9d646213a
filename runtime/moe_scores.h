/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_scores.h - functions of one logit, as the graphs of activations have them: the bits of
 * kernels. tests/support/moe_scores.lua makes this file. A part of moe.c, which stands in it where
 * kernels are generated. */
#ifndef FFN_MOE_SCORES_H
#define FFN_MOE_SCORES_H

#include "kernel.h"
/*@ end */

FFN_EXACT_BEGIN

/* clang-format off */
/* e^x; at most 0.9 ULP, and within (1.3 |y|) 2^-24. Cody and Waite, Software Manual for the
 * Elementary Functions, 1980. Of one float. */
FFN_INLINE float ffn_moe_exp(const float x) {
  const float vanishes = -104.5f; /* e^x is 0 here */
  const float overflows = 89.5f; /* and infinite here */
  /* 1.5 * 2^23: sums with it are rounded to integers, in the lowest bits */
  const float magic = 12582912.0f;
  const float per_one = 1.442695f; /* log2(e^k), k = 1 */
  const float high = 0.6931472f; /* the size of its inverse, to 24 bits */
  const float low = -1.9046542e-09f; /* what that misses of it */
  const int32_t magic_bits = 0x4b400000; /* the bits of magic */
  /* e^(k r) = 1 + e1 r + e2 r^2 + ..., k = 1, nearly */
  const float e1 = 1.0f, e2 = 0.49999994f, e3 = 0.16666523f, e4 = 0.041668292f,
      e5 = 0.008368532f, e6 = 0.0013818297f;
  const int32_t exponent_of_1 = 127; /* in the bits of 1, above 23 of its mantissa */
  const float least = (x < vanishes ? vanishes : x);
  const float a = (least > overflows ? overflows : least);
  const float shifted = ffn_fma(a, per_one, magic);
  const float steps = (shifted - magic);
  const int32_t bits = ffn_bits(shifted);
  const int32_t n = (int32_t)((uint32_t)bits - (uint32_t)magic_bits);
  const float nearly_r = ffn_fma(-(steps), high, a);
  const float r = ffn_fma(-(steps), low, nearly_r);
  const float poly = ffn_fma(e6, r, e5);
  const float poly_2 = ffn_fma(poly, r, e4);
  const float poly_3 = ffn_fma(poly_2, r, e3);
  const float poly_4 = ffn_fma(poly_3, r, e2);
  const float poly_5 = ffn_fma(poly_4, r, e1);
  const float p = ffn_fma(poly_5, r, 1.0f);
  const int32_t half = (n >> 1);
  const int32_t biased = (half + exponent_of_1);
  const int32_t exponent = (int32_t)((uint32_t)biased << 23);
  const float scale = ffn_from_bits(exponent);
  const float part = (p * scale);
  const int32_t other_half = (int32_t)((uint32_t)n - (uint32_t)half);
  const int32_t biased_2 = (other_half + exponent_of_1);
  const int32_t exponent_2 = (int32_t)((uint32_t)biased_2 << 23);
  const float other_scale = ffn_from_bits(exponent_2);
  return ffn_fma(part, other_scale, -0.0f);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. Of one float. */
FFN_INLINE float ffn_moe_sigmoid(const float x) {
  const float vanishes = -104.0f; /* the sigmoid is 0 here */
  const float is_one = 24.0f; /* and 1 here */
  /* 1.5 * 2^23: sums with it are rounded to integers, in the lowest bits */
  const float magic = 12582912.0f;
  const float per_one = -1.442695f; /* log2(e^k), k = -1 */
  const float high = 0.6931472f; /* the size of its inverse, to 24 bits */
  const float low = -1.9046542e-09f; /* what that misses of it */
  const int32_t magic_bits = 0x4b400020; /* the bits of magic: n is 32 less than the exponent */
  /* e^(k r) = 1 + e1 r + e2 r^2 + ..., k = -1, nearly */
  const float e1 = -1.0f, e2 = 0.49999994f, e3 = -0.16666523f, e4 = 0.041668292f,
      e5 = -0.008368532f, e6 = 0.0013818297f;
  const float one = 2.3283064e-10f; /* 2^-32, the 1 of 1 / (1 + e^-x) as it is scaled */
  const int32_t exponent_of_1 = 127; /* in the bits of 1, above 23 of its mantissa */
  const float least = (x < vanishes ? vanishes : x);
  const float a = (least > is_one ? is_one : least);
  const float shifted = ffn_fma(a, per_one, magic);
  const float steps = (shifted - magic);
  const int32_t bits = ffn_bits(shifted);
  const int32_t n = (int32_t)((uint32_t)bits - (uint32_t)magic_bits);
  const float nearly_r = ffn_fma(steps, high, a);
  const float r = ffn_fma(steps, low, nearly_r);
  const float poly = ffn_fma(e6, r, e5);
  const float poly_2 = ffn_fma(poly, r, e4);
  const float poly_3 = ffn_fma(poly_2, r, e3);
  const float poly_4 = ffn_fma(poly_3, r, e2);
  const float poly_5 = ffn_fma(poly_4, r, e1);
  const float p = ffn_fma(poly_5, r, 1.0f);
  const int32_t biased = (n + exponent_of_1);
  const int32_t exponent = (int32_t)((uint32_t)biased << 23);
  const float scale = ffn_from_bits(exponent);
  const float denominator = ffn_fma(p, scale, one);
  return (one / denominator);
}

/* ln(1 + e^x); within the running error of its graph, where that is finite. Dugas et al.,
 * Incorporating Second-Order Functional Knowledge, NIPS 2000. Of one float. */
FFN_INLINE float ffn_moe_softplus(const float x) {
  const float vanishes = -104.5f; /* e^x is 0 here */
  const float overflows = 89.5f; /* and infinite here */
  /* 1.5 * 2^23: sums with it are rounded to integers, in the lowest bits */
  const float magic = 12582912.0f;
  const float per_one = 1.442695f; /* log2(e^k), k = 1 */
  const float high = 0.6931472f; /* the size of its inverse, to 24 bits */
  const float low = -1.9046542e-09f; /* what that misses of it */
  const int32_t magic_bits = 0x4b400000; /* the bits of magic */
  /* e^(k r) = 1 + e1 r + e2 r^2 + ..., k = 1, nearly */
  const float e1 = 1.0f, e2 = 0.49999994f, e3 = 0.16666523f, e4 = 0.041668292f,
      e5 = 0.008368532f, e6 = 0.0013818297f;
  const int32_t exponent_of_1 = 127; /* in the bits of 1, above 23 of its mantissa */
  const int32_t root_half = 0x3f3504f3; /* the bits of sqrt(1/2) */
  const int32_t bits_of_1 = 0x3f800000; /* as a float */
  /* ln(1 + f) = f - f^2 / 2 + l3 f^3 + l4 f^4 + ..., nearly */
  const float l3 = 0.3333333f, l4 = -0.2500082f, l5 = 0.20001242f, l6 = -0.16623409f,
      l7 = 0.14201583f, l8 = -0.13159618f, l9 = 0.1276218f, l10 = -0.07636347f;
  const float ln2_high = 0.6931472f; /* ln(2), to 24 bits */
  const float ln2_low = -1.9046542e-09f; /* what that misses of it */
  const int32_t inf_bits = 0x7f800000; /* of infinity */
  const int32_t nan_bits = 0x7fc00000; /* of a NaN */
  const float t = (x > 2e+01f ? 2e+01f : x);
  const float least = (t < vanishes ? vanishes : t);
  const float a = (least > overflows ? overflows : least);
  const float shifted = ffn_fma(a, per_one, magic);
  const float steps = (shifted - magic);
  const int32_t bits = ffn_bits(shifted);
  const int32_t n = (int32_t)((uint32_t)bits - (uint32_t)magic_bits);
  const float nearly_r = ffn_fma(-(steps), high, a);
  const float r = ffn_fma(-(steps), low, nearly_r);
  const float poly = ffn_fma(e6, r, e5);
  const float poly_2 = ffn_fma(poly, r, e4);
  const float poly_3 = ffn_fma(poly_2, r, e3);
  const float poly_4 = ffn_fma(poly_3, r, e2);
  const float poly_5 = ffn_fma(poly_4, r, e1);
  const float p = ffn_fma(poly_5, r, 1.0f);
  const int32_t half = (n >> 1);
  const int32_t biased = (half + exponent_of_1);
  const int32_t exponent = (int32_t)((uint32_t)biased << 23);
  const float scale = ffn_from_bits(exponent);
  const float part = (p * scale);
  const int32_t other_half = (int32_t)((uint32_t)n - (uint32_t)half);
  const int32_t biased_2 = (other_half + exponent_of_1);
  const int32_t exponent_2 = (int32_t)((uint32_t)biased_2 << 23);
  const float other_scale = ffn_from_bits(exponent_2);
  const float t_2 = ffn_fma(part, other_scale, -0.0f);
  const float u = (t_2 + 1.0f);
  const float back = (u - t_2);
  const float x_in_u = (u - back);
  const float of_x = (t_2 - x_in_u);
  const float of_1 = (1.0f - back);
  const float low_2 = (of_x + of_1);
  const int32_t bits_2 = ffn_bits(u);
  const int32_t from_root = (int32_t)((uint32_t)bits_2 - (uint32_t)root_half);
  const int32_t n_2 = (from_root >> 23);
  const int32_t shift = (int32_t)((uint32_t)n_2 << 23);
  const int32_t same_bits = ffn_bits(u);
  const int32_t bits_of_m = (int32_t)((uint32_t)same_bits - (uint32_t)shift);
  const float m = ffn_from_bits(bits_of_m);
  const int32_t bits_down = (int32_t)((uint32_t)bits_of_1 - (uint32_t)shift);
  const float power = ffn_from_bits(bits_down);
  const float down = (power < 0.0f ? 0.0f : power);
  const float m_less_1 = (m - 1.0f);
  const float f = ffn_fma(low_2, down, m_less_1);
  const int32_t n_and_magic = (n_2 + magic_bits);
  const float shifted_2 = ffn_from_bits(n_and_magic);
  const float steps_2 = (shifted_2 - magic);
  const float poly_6 = ffn_fma(l10, f, l9);
  const float poly_7 = ffn_fma(poly_6, f, l8);
  const float poly_8 = ffn_fma(poly_7, f, l7);
  const float poly_9 = ffn_fma(poly_8, f, l6);
  const float poly_10 = ffn_fma(poly_9, f, l5);
  const float poly_11 = ffn_fma(poly_10, f, l4);
  const float poly_12 = ffn_fma(poly_11, f, l3);
  const float curve = ffn_fma(f, poly_12, -0.5f);
  const float square = (f * f);
  const float lowest = ffn_fma(steps_2, ln2_low, f);
  const float sum = ffn_fma(square, curve, lowest);
  const float y = ffn_fma(steps_2, ln2_high, sum);
  const float inf = ffn_from_bits(inf_bits);
  const float above = (u < inf ? y : u);
  const float nan = ffn_from_bits(nan_bits);
  const float beyond = (u - inf);
  const float outside = (u < 0.0f ? nan : beyond);
  const float t_3 = (0.0f < u ? above : outside);
  return (2e+01f < x ? x : t_3);
}
/* clang-format on */

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
