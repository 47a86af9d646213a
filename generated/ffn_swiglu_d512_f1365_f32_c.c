/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_c
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for c
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu; templates kernel.c.tpl, stage.c.tpl
 * Tiles      gate_up: rows x columns 1 x 32, 3 x 8, 2 branches, at most 66 of 66 registers
 * Tiles      down: rows x columns 1 x 64, 3 x 16, 1 branch, at most 66 of 66 registers
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


/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24.
 * Elfwing et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202. */
FFN_INLINE float act_silu(const float x) {
  const float t = ffn_abs(x);
  const float a = (t > 112.0f ? 112.0f : t);
  const float shifted = ffn_fma(a, 1.442695f, 12582912.0f);
  const float steps = (shifted - 12582912.0f);
  const int32_t t_2 = ffn_bits(shifted);
  const int32_t n = (t_2 - 1262485544);
  const float t_3 = ffn_fma(-(steps), 0.6931472f, a);
  const float r = ffn_fma(-(steps), -1.9046542e-09f, t_3);
  const float t_4 = ffn_fma(0.0013818297f, r, 0.008368532f);
  const float t_5 = ffn_fma(t_4, r, 0.041668292f);
  const float t_6 = ffn_fma(t_5, r, 0.16666523f);
  const float t_7 = ffn_fma(t_6, r, 0.49999994f);
  const float t_8 = ffn_fma(t_7, r, 1.0f);
  const float p = ffn_fma(t_8, r, 1.0f);
  const float t_9 = ffn_pow2(n);
  const float denominator = ffn_fma(p, t_9, 9.094947e-13f);
  const float tail = (a / denominator);
  const float t_10 = (x < 0.0f ? 0.0f : x);
  return ffn_fma(-(tail), 9.094947e-13f, t_10);
}

/* ---- gate_up: 512 -> 1365 ----------------------------------------------------------------
 *
 * Panels [86][512][2][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][32] (+)= a w over `count` k for one row of 32 columns; 66 of 66 registers.
 */
FFN_NOINLINE void gate_up_sums_32(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
    s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
    s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f, s0_16 = 0.0f, s0_17 = 0.0f,
    s0_18 = 0.0f, s0_19 = 0.0f, s0_20 = 0.0f, s0_21 = 0.0f, s0_22 = 0.0f, s0_23 = 0.0f,
    s0_24 = 0.0f, s0_25 = 0.0f, s0_26 = 0.0f, s0_27 = 0.0f, s0_28 = 0.0f, s0_29 = 0.0f,
    s0_30 = 0.0f, s0_31 = 0.0f, s0_32 = 0.0f, s0_33 = 0.0f, s0_34 = 0.0f, s0_35 = 0.0f,
    s0_36 = 0.0f, s0_37 = 0.0f, s0_38 = 0.0f, s0_39 = 0.0f, s0_40 = 0.0f, s0_41 = 0.0f,
    s0_42 = 0.0f, s0_43 = 0.0f, s0_44 = 0.0f, s0_45 = 0.0f, s0_46 = 0.0f, s0_47 = 0.0f,
    s0_48 = 0.0f, s0_49 = 0.0f, s0_50 = 0.0f, s0_51 = 0.0f, s0_52 = 0.0f, s0_53 = 0.0f,
    s0_54 = 0.0f, s0_55 = 0.0f, s0_56 = 0.0f, s0_57 = 0.0f, s0_58 = 0.0f, s0_59 = 0.0f,
    s0_60 = 0.0f, s0_61 = 0.0f, s0_62 = 0.0f, s0_63 = 0.0f;
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    FFN_FETCH((const float *)next + 16384); FFN_FETCH((const float *)next + 16400);
    next += advance;
    {
      const float x = a[k]; s0_0 = ffn_fma(x, *(w), s0_0); s0_1 = ffn_fma(x, *(w + 1), s0_1);
      s0_2 = ffn_fma(x, *(w + 2), s0_2); s0_3 = ffn_fma(x, *(w + 3), s0_3);
      s0_4 = ffn_fma(x, *(w + 4), s0_4); s0_5 = ffn_fma(x, *(w + 5), s0_5);
      s0_6 = ffn_fma(x, *(w + 6), s0_6); s0_7 = ffn_fma(x, *(w + 7), s0_7);
      s0_8 = ffn_fma(x, *(w + 8), s0_8); s0_9 = ffn_fma(x, *(w + 9), s0_9);
      s0_10 = ffn_fma(x, *(w + 10), s0_10); s0_11 = ffn_fma(x, *(w + 11), s0_11);
      s0_12 = ffn_fma(x, *(w + 12), s0_12); s0_13 = ffn_fma(x, *(w + 13), s0_13);
      s0_14 = ffn_fma(x, *(w + 14), s0_14); s0_15 = ffn_fma(x, *(w + 15), s0_15);
      s0_16 = ffn_fma(x, *(w + 16384), s0_16); s0_17 = ffn_fma(x, *(w + 16385), s0_17);
      s0_18 = ffn_fma(x, *(w + 16386), s0_18); s0_19 = ffn_fma(x, *(w + 16387), s0_19);
      s0_20 = ffn_fma(x, *(w + 16388), s0_20); s0_21 = ffn_fma(x, *(w + 16389), s0_21);
      s0_22 = ffn_fma(x, *(w + 16390), s0_22); s0_23 = ffn_fma(x, *(w + 16391), s0_23);
      s0_24 = ffn_fma(x, *(w + 16392), s0_24); s0_25 = ffn_fma(x, *(w + 16393), s0_25);
      s0_26 = ffn_fma(x, *(w + 16394), s0_26); s0_27 = ffn_fma(x, *(w + 16395), s0_27);
      s0_28 = ffn_fma(x, *(w + 16396), s0_28); s0_29 = ffn_fma(x, *(w + 16397), s0_29);
      s0_30 = ffn_fma(x, *(w + 16398), s0_30); s0_31 = ffn_fma(x, *(w + 16399), s0_31);
      s0_32 = ffn_fma(x, *(w + 16), s0_32); s0_33 = ffn_fma(x, *(w + 17), s0_33);
      s0_34 = ffn_fma(x, *(w + 18), s0_34); s0_35 = ffn_fma(x, *(w + 19), s0_35);
      s0_36 = ffn_fma(x, *(w + 20), s0_36); s0_37 = ffn_fma(x, *(w + 21), s0_37);
      s0_38 = ffn_fma(x, *(w + 22), s0_38); s0_39 = ffn_fma(x, *(w + 23), s0_39);
      s0_40 = ffn_fma(x, *(w + 24), s0_40); s0_41 = ffn_fma(x, *(w + 25), s0_41);
      s0_42 = ffn_fma(x, *(w + 26), s0_42); s0_43 = ffn_fma(x, *(w + 27), s0_43);
      s0_44 = ffn_fma(x, *(w + 28), s0_44); s0_45 = ffn_fma(x, *(w + 29), s0_45);
      s0_46 = ffn_fma(x, *(w + 30), s0_46); s0_47 = ffn_fma(x, *(w + 31), s0_47);
      s0_48 = ffn_fma(x, *(w + 16400), s0_48); s0_49 = ffn_fma(x, *(w + 16401), s0_49);
      s0_50 = ffn_fma(x, *(w + 16402), s0_50); s0_51 = ffn_fma(x, *(w + 16403), s0_51);
      s0_52 = ffn_fma(x, *(w + 16404), s0_52); s0_53 = ffn_fma(x, *(w + 16405), s0_53);
      s0_54 = ffn_fma(x, *(w + 16406), s0_54); s0_55 = ffn_fma(x, *(w + 16407), s0_55);
      s0_56 = ffn_fma(x, *(w + 16408), s0_56); s0_57 = ffn_fma(x, *(w + 16409), s0_57);
      s0_58 = ffn_fma(x, *(w + 16410), s0_58); s0_59 = ffn_fma(x, *(w + 16411), s0_59);
      s0_60 = ffn_fma(x, *(w + 16412), s0_60); s0_61 = ffn_fma(x, *(w + 16413), s0_61);
      s0_62 = ffn_fma(x, *(w + 16414), s0_62); s0_63 = ffn_fma(x, *(w + 16415), s0_63);
    }
  }
  if (add) {
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    s0_16 = (*(sum + 16) + s0_16);
    s0_17 = (*(sum + 17) + s0_17);
    s0_18 = (*(sum + 18) + s0_18);
    s0_19 = (*(sum + 19) + s0_19);
    s0_20 = (*(sum + 20) + s0_20);
    s0_21 = (*(sum + 21) + s0_21);
    s0_22 = (*(sum + 22) + s0_22);
    s0_23 = (*(sum + 23) + s0_23);
    s0_24 = (*(sum + 24) + s0_24);
    s0_25 = (*(sum + 25) + s0_25);
    s0_26 = (*(sum + 26) + s0_26);
    s0_27 = (*(sum + 27) + s0_27);
    s0_28 = (*(sum + 28) + s0_28);
    s0_29 = (*(sum + 29) + s0_29);
    s0_30 = (*(sum + 30) + s0_30);
    s0_31 = (*(sum + 31) + s0_31);
    s0_32 = (*(sum + 32) + s0_32);
    s0_33 = (*(sum + 33) + s0_33);
    s0_34 = (*(sum + 34) + s0_34);
    s0_35 = (*(sum + 35) + s0_35);
    s0_36 = (*(sum + 36) + s0_36);
    s0_37 = (*(sum + 37) + s0_37);
    s0_38 = (*(sum + 38) + s0_38);
    s0_39 = (*(sum + 39) + s0_39);
    s0_40 = (*(sum + 40) + s0_40);
    s0_41 = (*(sum + 41) + s0_41);
    s0_42 = (*(sum + 42) + s0_42);
    s0_43 = (*(sum + 43) + s0_43);
    s0_44 = (*(sum + 44) + s0_44);
    s0_45 = (*(sum + 45) + s0_45);
    s0_46 = (*(sum + 46) + s0_46);
    s0_47 = (*(sum + 47) + s0_47);
    s0_48 = (*(sum + 48) + s0_48);
    s0_49 = (*(sum + 49) + s0_49);
    s0_50 = (*(sum + 50) + s0_50);
    s0_51 = (*(sum + 51) + s0_51);
    s0_52 = (*(sum + 52) + s0_52);
    s0_53 = (*(sum + 53) + s0_53);
    s0_54 = (*(sum + 54) + s0_54);
    s0_55 = (*(sum + 55) + s0_55);
    s0_56 = (*(sum + 56) + s0_56);
    s0_57 = (*(sum + 57) + s0_57);
    s0_58 = (*(sum + 58) + s0_58);
    s0_59 = (*(sum + 59) + s0_59);
    s0_60 = (*(sum + 60) + s0_60);
    s0_61 = (*(sum + 61) + s0_61);
    s0_62 = (*(sum + 62) + s0_62);
    s0_63 = (*(sum + 63) + s0_63);
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  *(sum + 16) = s0_16;
  *(sum + 17) = s0_17;
  *(sum + 18) = s0_18;
  *(sum + 19) = s0_19;
  *(sum + 20) = s0_20;
  *(sum + 21) = s0_21;
  *(sum + 22) = s0_22;
  *(sum + 23) = s0_23;
  *(sum + 24) = s0_24;
  *(sum + 25) = s0_25;
  *(sum + 26) = s0_26;
  *(sum + 27) = s0_27;
  *(sum + 28) = s0_28;
  *(sum + 29) = s0_29;
  *(sum + 30) = s0_30;
  *(sum + 31) = s0_31;
  *(sum + 32) = s0_32;
  *(sum + 33) = s0_33;
  *(sum + 34) = s0_34;
  *(sum + 35) = s0_35;
  *(sum + 36) = s0_36;
  *(sum + 37) = s0_37;
  *(sum + 38) = s0_38;
  *(sum + 39) = s0_39;
  *(sum + 40) = s0_40;
  *(sum + 41) = s0_41;
  *(sum + 42) = s0_42;
  *(sum + 43) = s0_43;
  *(sum + 44) = s0_44;
  *(sum + 45) = s0_45;
  *(sum + 46) = s0_46;
  *(sum + 47) = s0_47;
  *(sum + 48) = s0_48;
  *(sum + 49) = s0_49;
  *(sum + 50) = s0_50;
  *(sum + 51) = s0_51;
  *(sum + 52) = s0_52;
  *(sum + 53) = s0_53;
  *(sum + 54) = s0_54;
  *(sum + 55) = s0_55;
  *(sum + 56) = s0_56;
  *(sum + 57) = s0_57;
  *(sum + 58) = s0_58;
  *(sum + 59) = s0_59;
  *(sum + 60) = s0_60;
  *(sum + 61) = s0_61;
  *(sum + 62) = s0_62;
  *(sum + 63) = s0_63;
}

/* sum[row][branch][8] (+)= a w over `count` k for up to 3 rows of 8 columns; 65 of 66 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void gate_up_sums_tile_8(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
    s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
    s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f;
  float s1_0 = 0.0f, s1_1 = 0.0f, s1_2 = 0.0f, s1_3 = 0.0f, s1_4 = 0.0f, s1_5 = 0.0f,
    s1_6 = 0.0f, s1_7 = 0.0f, s1_8 = 0.0f, s1_9 = 0.0f, s1_10 = 0.0f, s1_11 = 0.0f,
    s1_12 = 0.0f, s1_13 = 0.0f, s1_14 = 0.0f, s1_15 = 0.0f;
  float s2_0 = 0.0f, s2_1 = 0.0f, s2_2 = 0.0f, s2_3 = 0.0f, s2_4 = 0.0f, s2_5 = 0.0f,
    s2_6 = 0.0f, s2_7 = 0.0f, s2_8 = 0.0f, s2_9 = 0.0f, s2_10 = 0.0f, s2_11 = 0.0f,
    s2_12 = 0.0f, s2_13 = 0.0f, s2_14 = 0.0f, s2_15 = 0.0f;
  size_t k = 0;
  for (; k < count; ++k, w += 32) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 16);
    next += advance;
    const float w0 = *(w), w1 = *(w + 1), w2 = *(w + 2), w3 = *(w + 3), w4 = *(w + 4),
      w5 = *(w + 5), w6 = *(w + 6), w7 = *(w + 7), w8 = *(w + 16), w9 = *(w + 17),
      w10 = *(w + 18), w11 = *(w + 19), w12 = *(w + 20), w13 = *(w + 21),
      w14 = *(w + 22), w15 = *(w + 23);
    {
      const float x = a[k]; s0_0 = ffn_fma(x, w0, s0_0); s0_1 = ffn_fma(x, w1, s0_1);
      s0_2 = ffn_fma(x, w2, s0_2); s0_3 = ffn_fma(x, w3, s0_3); s0_4 = ffn_fma(x, w4, s0_4);
      s0_5 = ffn_fma(x, w5, s0_5); s0_6 = ffn_fma(x, w6, s0_6); s0_7 = ffn_fma(x, w7, s0_7);
      s0_8 = ffn_fma(x, w8, s0_8); s0_9 = ffn_fma(x, w9, s0_9); s0_10 = ffn_fma(x, w10, s0_10);
      s0_11 = ffn_fma(x, w11, s0_11); s0_12 = ffn_fma(x, w12, s0_12);
      s0_13 = ffn_fma(x, w13, s0_13); s0_14 = ffn_fma(x, w14, s0_14);
      s0_15 = ffn_fma(x, w15, s0_15);
    }
    if (rows > 1) {
      const float x = a[k + 128]; s1_0 = ffn_fma(x, w0, s1_0); s1_1 = ffn_fma(x, w1, s1_1);
      s1_2 = ffn_fma(x, w2, s1_2); s1_3 = ffn_fma(x, w3, s1_3); s1_4 = ffn_fma(x, w4, s1_4);
      s1_5 = ffn_fma(x, w5, s1_5); s1_6 = ffn_fma(x, w6, s1_6); s1_7 = ffn_fma(x, w7, s1_7);
      s1_8 = ffn_fma(x, w8, s1_8); s1_9 = ffn_fma(x, w9, s1_9); s1_10 = ffn_fma(x, w10, s1_10);
      s1_11 = ffn_fma(x, w11, s1_11); s1_12 = ffn_fma(x, w12, s1_12);
      s1_13 = ffn_fma(x, w13, s1_13); s1_14 = ffn_fma(x, w14, s1_14);
      s1_15 = ffn_fma(x, w15, s1_15);
    }
    if (rows > 2) {
      const float x = a[k + 256]; s2_0 = ffn_fma(x, w0, s2_0); s2_1 = ffn_fma(x, w1, s2_1);
      s2_2 = ffn_fma(x, w2, s2_2); s2_3 = ffn_fma(x, w3, s2_3); s2_4 = ffn_fma(x, w4, s2_4);
      s2_5 = ffn_fma(x, w5, s2_5); s2_6 = ffn_fma(x, w6, s2_6); s2_7 = ffn_fma(x, w7, s2_7);
      s2_8 = ffn_fma(x, w8, s2_8); s2_9 = ffn_fma(x, w9, s2_9); s2_10 = ffn_fma(x, w10, s2_10);
      s2_11 = ffn_fma(x, w11, s2_11); s2_12 = ffn_fma(x, w12, s2_12);
      s2_13 = ffn_fma(x, w13, s2_13); s2_14 = ffn_fma(x, w14, s2_14);
      s2_15 = ffn_fma(x, w15, s2_15);
    }
  }
  if (add) {
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    if (rows > 1) {
      s1_0 = (*(sum + 16) + s1_0);
      s1_1 = (*(sum + 17) + s1_1);
      s1_2 = (*(sum + 18) + s1_2);
      s1_3 = (*(sum + 19) + s1_3);
      s1_4 = (*(sum + 20) + s1_4);
      s1_5 = (*(sum + 21) + s1_5);
      s1_6 = (*(sum + 22) + s1_6);
      s1_7 = (*(sum + 23) + s1_7);
      s1_8 = (*(sum + 24) + s1_8);
      s1_9 = (*(sum + 25) + s1_9);
      s1_10 = (*(sum + 26) + s1_10);
      s1_11 = (*(sum + 27) + s1_11);
      s1_12 = (*(sum + 28) + s1_12);
      s1_13 = (*(sum + 29) + s1_13);
      s1_14 = (*(sum + 30) + s1_14);
      s1_15 = (*(sum + 31) + s1_15);
    }
    if (rows > 2) {
      s2_0 = (*(sum + 32) + s2_0);
      s2_1 = (*(sum + 33) + s2_1);
      s2_2 = (*(sum + 34) + s2_2);
      s2_3 = (*(sum + 35) + s2_3);
      s2_4 = (*(sum + 36) + s2_4);
      s2_5 = (*(sum + 37) + s2_5);
      s2_6 = (*(sum + 38) + s2_6);
      s2_7 = (*(sum + 39) + s2_7);
      s2_8 = (*(sum + 40) + s2_8);
      s2_9 = (*(sum + 41) + s2_9);
      s2_10 = (*(sum + 42) + s2_10);
      s2_11 = (*(sum + 43) + s2_11);
      s2_12 = (*(sum + 44) + s2_12);
      s2_13 = (*(sum + 45) + s2_13);
      s2_14 = (*(sum + 46) + s2_14);
      s2_15 = (*(sum + 47) + s2_15);
    }
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  if (rows > 1) {
    *(sum + 16) = s1_0;
    *(sum + 17) = s1_1;
    *(sum + 18) = s1_2;
    *(sum + 19) = s1_3;
    *(sum + 20) = s1_4;
    *(sum + 21) = s1_5;
    *(sum + 22) = s1_6;
    *(sum + 23) = s1_7;
    *(sum + 24) = s1_8;
    *(sum + 25) = s1_9;
    *(sum + 26) = s1_10;
    *(sum + 27) = s1_11;
    *(sum + 28) = s1_12;
    *(sum + 29) = s1_13;
    *(sum + 30) = s1_14;
    *(sum + 31) = s1_15;
  }
  if (rows > 2) {
    *(sum + 32) = s2_0;
    *(sum + 33) = s2_1;
    *(sum + 34) = s2_2;
    *(sum + 35) = s2_3;
    *(sum + 36) = s2_4;
    *(sum + 37) = s2_5;
    *(sum + 38) = s2_6;
    *(sum + 39) = s2_7;
    *(sum + 40) = s2_8;
    *(sum + 41) = s2_9;
    *(sum + 42) = s2_10;
    *(sum + 43) = s2_11;
    *(sum + 44) = s2_12;
    *(sum + 45) = s2_13;
    *(sum + 46) = s2_14;
    *(sum + 47) = s2_15;
  }
}

FFN_NOINLINE void gate_up_sums_8(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 1); break;
  case 2: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 2); break;
  case 3: gate_up_sums_tile_8(sum, a, w, count, add, next, advance, 3); break;
  default: assert(0);
  }
}

/* Sums through silu times up into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void gate_up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  for (size_t r = 0; r < rows; ++r, sum += 2 * cols)
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 128);
      const float gate = *(sum + c);
      const float up = *(sum + cols + c);
      const float value = (act_silu(gate) * up);
      *(out) = value;
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
    else
      cols = 8, most = 3, sums = gate_up_sums_8;
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

/* sum[row][branch][64] (+)= a w over `count` k for one row of 64 columns; 66 of 66 registers.
 */
FFN_NOINLINE void down_sums_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  (void)rows;
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
    s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
    s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f, s0_16 = 0.0f, s0_17 = 0.0f,
    s0_18 = 0.0f, s0_19 = 0.0f, s0_20 = 0.0f, s0_21 = 0.0f, s0_22 = 0.0f, s0_23 = 0.0f,
    s0_24 = 0.0f, s0_25 = 0.0f, s0_26 = 0.0f, s0_27 = 0.0f, s0_28 = 0.0f, s0_29 = 0.0f,
    s0_30 = 0.0f, s0_31 = 0.0f, s0_32 = 0.0f, s0_33 = 0.0f, s0_34 = 0.0f, s0_35 = 0.0f,
    s0_36 = 0.0f, s0_37 = 0.0f, s0_38 = 0.0f, s0_39 = 0.0f, s0_40 = 0.0f, s0_41 = 0.0f,
    s0_42 = 0.0f, s0_43 = 0.0f, s0_44 = 0.0f, s0_45 = 0.0f, s0_46 = 0.0f, s0_47 = 0.0f,
    s0_48 = 0.0f, s0_49 = 0.0f, s0_50 = 0.0f, s0_51 = 0.0f, s0_52 = 0.0f, s0_53 = 0.0f,
    s0_54 = 0.0f, s0_55 = 0.0f, s0_56 = 0.0f, s0_57 = 0.0f, s0_58 = 0.0f, s0_59 = 0.0f,
    s0_60 = 0.0f, s0_61 = 0.0f, s0_62 = 0.0f, s0_63 = 0.0f;
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 21840);
    FFN_FETCH((const float *)next + 43680); FFN_FETCH((const float *)next + 65520);
    next += advance;
    {
      const float x = a[k]; s0_0 = ffn_fma(x, *(w), s0_0); s0_1 = ffn_fma(x, *(w + 1), s0_1);
      s0_2 = ffn_fma(x, *(w + 2), s0_2); s0_3 = ffn_fma(x, *(w + 3), s0_3);
      s0_4 = ffn_fma(x, *(w + 4), s0_4); s0_5 = ffn_fma(x, *(w + 5), s0_5);
      s0_6 = ffn_fma(x, *(w + 6), s0_6); s0_7 = ffn_fma(x, *(w + 7), s0_7);
      s0_8 = ffn_fma(x, *(w + 8), s0_8); s0_9 = ffn_fma(x, *(w + 9), s0_9);
      s0_10 = ffn_fma(x, *(w + 10), s0_10); s0_11 = ffn_fma(x, *(w + 11), s0_11);
      s0_12 = ffn_fma(x, *(w + 12), s0_12); s0_13 = ffn_fma(x, *(w + 13), s0_13);
      s0_14 = ffn_fma(x, *(w + 14), s0_14); s0_15 = ffn_fma(x, *(w + 15), s0_15);
      s0_16 = ffn_fma(x, *(w + 21840), s0_16); s0_17 = ffn_fma(x, *(w + 21841), s0_17);
      s0_18 = ffn_fma(x, *(w + 21842), s0_18); s0_19 = ffn_fma(x, *(w + 21843), s0_19);
      s0_20 = ffn_fma(x, *(w + 21844), s0_20); s0_21 = ffn_fma(x, *(w + 21845), s0_21);
      s0_22 = ffn_fma(x, *(w + 21846), s0_22); s0_23 = ffn_fma(x, *(w + 21847), s0_23);
      s0_24 = ffn_fma(x, *(w + 21848), s0_24); s0_25 = ffn_fma(x, *(w + 21849), s0_25);
      s0_26 = ffn_fma(x, *(w + 21850), s0_26); s0_27 = ffn_fma(x, *(w + 21851), s0_27);
      s0_28 = ffn_fma(x, *(w + 21852), s0_28); s0_29 = ffn_fma(x, *(w + 21853), s0_29);
      s0_30 = ffn_fma(x, *(w + 21854), s0_30); s0_31 = ffn_fma(x, *(w + 21855), s0_31);
      s0_32 = ffn_fma(x, *(w + 43680), s0_32); s0_33 = ffn_fma(x, *(w + 43681), s0_33);
      s0_34 = ffn_fma(x, *(w + 43682), s0_34); s0_35 = ffn_fma(x, *(w + 43683), s0_35);
      s0_36 = ffn_fma(x, *(w + 43684), s0_36); s0_37 = ffn_fma(x, *(w + 43685), s0_37);
      s0_38 = ffn_fma(x, *(w + 43686), s0_38); s0_39 = ffn_fma(x, *(w + 43687), s0_39);
      s0_40 = ffn_fma(x, *(w + 43688), s0_40); s0_41 = ffn_fma(x, *(w + 43689), s0_41);
      s0_42 = ffn_fma(x, *(w + 43690), s0_42); s0_43 = ffn_fma(x, *(w + 43691), s0_43);
      s0_44 = ffn_fma(x, *(w + 43692), s0_44); s0_45 = ffn_fma(x, *(w + 43693), s0_45);
      s0_46 = ffn_fma(x, *(w + 43694), s0_46); s0_47 = ffn_fma(x, *(w + 43695), s0_47);
      s0_48 = ffn_fma(x, *(w + 65520), s0_48); s0_49 = ffn_fma(x, *(w + 65521), s0_49);
      s0_50 = ffn_fma(x, *(w + 65522), s0_50); s0_51 = ffn_fma(x, *(w + 65523), s0_51);
      s0_52 = ffn_fma(x, *(w + 65524), s0_52); s0_53 = ffn_fma(x, *(w + 65525), s0_53);
      s0_54 = ffn_fma(x, *(w + 65526), s0_54); s0_55 = ffn_fma(x, *(w + 65527), s0_55);
      s0_56 = ffn_fma(x, *(w + 65528), s0_56); s0_57 = ffn_fma(x, *(w + 65529), s0_57);
      s0_58 = ffn_fma(x, *(w + 65530), s0_58); s0_59 = ffn_fma(x, *(w + 65531), s0_59);
      s0_60 = ffn_fma(x, *(w + 65532), s0_60); s0_61 = ffn_fma(x, *(w + 65533), s0_61);
      s0_62 = ffn_fma(x, *(w + 65534), s0_62); s0_63 = ffn_fma(x, *(w + 65535), s0_63);
    }
  }
  if (add) {
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    s0_16 = (*(sum + 16) + s0_16);
    s0_17 = (*(sum + 17) + s0_17);
    s0_18 = (*(sum + 18) + s0_18);
    s0_19 = (*(sum + 19) + s0_19);
    s0_20 = (*(sum + 20) + s0_20);
    s0_21 = (*(sum + 21) + s0_21);
    s0_22 = (*(sum + 22) + s0_22);
    s0_23 = (*(sum + 23) + s0_23);
    s0_24 = (*(sum + 24) + s0_24);
    s0_25 = (*(sum + 25) + s0_25);
    s0_26 = (*(sum + 26) + s0_26);
    s0_27 = (*(sum + 27) + s0_27);
    s0_28 = (*(sum + 28) + s0_28);
    s0_29 = (*(sum + 29) + s0_29);
    s0_30 = (*(sum + 30) + s0_30);
    s0_31 = (*(sum + 31) + s0_31);
    s0_32 = (*(sum + 32) + s0_32);
    s0_33 = (*(sum + 33) + s0_33);
    s0_34 = (*(sum + 34) + s0_34);
    s0_35 = (*(sum + 35) + s0_35);
    s0_36 = (*(sum + 36) + s0_36);
    s0_37 = (*(sum + 37) + s0_37);
    s0_38 = (*(sum + 38) + s0_38);
    s0_39 = (*(sum + 39) + s0_39);
    s0_40 = (*(sum + 40) + s0_40);
    s0_41 = (*(sum + 41) + s0_41);
    s0_42 = (*(sum + 42) + s0_42);
    s0_43 = (*(sum + 43) + s0_43);
    s0_44 = (*(sum + 44) + s0_44);
    s0_45 = (*(sum + 45) + s0_45);
    s0_46 = (*(sum + 46) + s0_46);
    s0_47 = (*(sum + 47) + s0_47);
    s0_48 = (*(sum + 48) + s0_48);
    s0_49 = (*(sum + 49) + s0_49);
    s0_50 = (*(sum + 50) + s0_50);
    s0_51 = (*(sum + 51) + s0_51);
    s0_52 = (*(sum + 52) + s0_52);
    s0_53 = (*(sum + 53) + s0_53);
    s0_54 = (*(sum + 54) + s0_54);
    s0_55 = (*(sum + 55) + s0_55);
    s0_56 = (*(sum + 56) + s0_56);
    s0_57 = (*(sum + 57) + s0_57);
    s0_58 = (*(sum + 58) + s0_58);
    s0_59 = (*(sum + 59) + s0_59);
    s0_60 = (*(sum + 60) + s0_60);
    s0_61 = (*(sum + 61) + s0_61);
    s0_62 = (*(sum + 62) + s0_62);
    s0_63 = (*(sum + 63) + s0_63);
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  *(sum + 16) = s0_16;
  *(sum + 17) = s0_17;
  *(sum + 18) = s0_18;
  *(sum + 19) = s0_19;
  *(sum + 20) = s0_20;
  *(sum + 21) = s0_21;
  *(sum + 22) = s0_22;
  *(sum + 23) = s0_23;
  *(sum + 24) = s0_24;
  *(sum + 25) = s0_25;
  *(sum + 26) = s0_26;
  *(sum + 27) = s0_27;
  *(sum + 28) = s0_28;
  *(sum + 29) = s0_29;
  *(sum + 30) = s0_30;
  *(sum + 31) = s0_31;
  *(sum + 32) = s0_32;
  *(sum + 33) = s0_33;
  *(sum + 34) = s0_34;
  *(sum + 35) = s0_35;
  *(sum + 36) = s0_36;
  *(sum + 37) = s0_37;
  *(sum + 38) = s0_38;
  *(sum + 39) = s0_39;
  *(sum + 40) = s0_40;
  *(sum + 41) = s0_41;
  *(sum + 42) = s0_42;
  *(sum + 43) = s0_43;
  *(sum + 44) = s0_44;
  *(sum + 45) = s0_45;
  *(sum + 46) = s0_46;
  *(sum + 47) = s0_47;
  *(sum + 48) = s0_48;
  *(sum + 49) = s0_49;
  *(sum + 50) = s0_50;
  *(sum + 51) = s0_51;
  *(sum + 52) = s0_52;
  *(sum + 53) = s0_53;
  *(sum + 54) = s0_54;
  *(sum + 55) = s0_55;
  *(sum + 56) = s0_56;
  *(sum + 57) = s0_57;
  *(sum + 58) = s0_58;
  *(sum + 59) = s0_59;
  *(sum + 60) = s0_60;
  *(sum + 61) = s0_61;
  *(sum + 62) = s0_62;
  *(sum + 63) = s0_63;
}

/* sum[row][branch][16] (+)= a w over `count` k for up to 3 rows of 16 columns; 65 of 66 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
    s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
    s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f;
  float s1_0 = 0.0f, s1_1 = 0.0f, s1_2 = 0.0f, s1_3 = 0.0f, s1_4 = 0.0f, s1_5 = 0.0f,
    s1_6 = 0.0f, s1_7 = 0.0f, s1_8 = 0.0f, s1_9 = 0.0f, s1_10 = 0.0f, s1_11 = 0.0f,
    s1_12 = 0.0f, s1_13 = 0.0f, s1_14 = 0.0f, s1_15 = 0.0f;
  float s2_0 = 0.0f, s2_1 = 0.0f, s2_2 = 0.0f, s2_3 = 0.0f, s2_4 = 0.0f, s2_5 = 0.0f,
    s2_6 = 0.0f, s2_7 = 0.0f, s2_8 = 0.0f, s2_9 = 0.0f, s2_10 = 0.0f, s2_11 = 0.0f,
    s2_12 = 0.0f, s2_13 = 0.0f, s2_14 = 0.0f, s2_15 = 0.0f;
  size_t k = 0;
  for (; k < count; ++k, w += 16) {
    FFN_FETCH(a + 128 * rows + k * (size_t)rows);
    FFN_FETCH((const float *)next);
    next += advance;
    const float w0 = *(w), w1 = *(w + 1), w2 = *(w + 2), w3 = *(w + 3), w4 = *(w + 4),
      w5 = *(w + 5), w6 = *(w + 6), w7 = *(w + 7), w8 = *(w + 8), w9 = *(w + 9),
      w10 = *(w + 10), w11 = *(w + 11), w12 = *(w + 12), w13 = *(w + 13),
      w14 = *(w + 14), w15 = *(w + 15);
    {
      const float x = a[k]; s0_0 = ffn_fma(x, w0, s0_0); s0_1 = ffn_fma(x, w1, s0_1);
      s0_2 = ffn_fma(x, w2, s0_2); s0_3 = ffn_fma(x, w3, s0_3); s0_4 = ffn_fma(x, w4, s0_4);
      s0_5 = ffn_fma(x, w5, s0_5); s0_6 = ffn_fma(x, w6, s0_6); s0_7 = ffn_fma(x, w7, s0_7);
      s0_8 = ffn_fma(x, w8, s0_8); s0_9 = ffn_fma(x, w9, s0_9); s0_10 = ffn_fma(x, w10, s0_10);
      s0_11 = ffn_fma(x, w11, s0_11); s0_12 = ffn_fma(x, w12, s0_12);
      s0_13 = ffn_fma(x, w13, s0_13); s0_14 = ffn_fma(x, w14, s0_14);
      s0_15 = ffn_fma(x, w15, s0_15);
    }
    if (rows > 1) {
      const float x = a[k + 128]; s1_0 = ffn_fma(x, w0, s1_0); s1_1 = ffn_fma(x, w1, s1_1);
      s1_2 = ffn_fma(x, w2, s1_2); s1_3 = ffn_fma(x, w3, s1_3); s1_4 = ffn_fma(x, w4, s1_4);
      s1_5 = ffn_fma(x, w5, s1_5); s1_6 = ffn_fma(x, w6, s1_6); s1_7 = ffn_fma(x, w7, s1_7);
      s1_8 = ffn_fma(x, w8, s1_8); s1_9 = ffn_fma(x, w9, s1_9); s1_10 = ffn_fma(x, w10, s1_10);
      s1_11 = ffn_fma(x, w11, s1_11); s1_12 = ffn_fma(x, w12, s1_12);
      s1_13 = ffn_fma(x, w13, s1_13); s1_14 = ffn_fma(x, w14, s1_14);
      s1_15 = ffn_fma(x, w15, s1_15);
    }
    if (rows > 2) {
      const float x = a[k + 256]; s2_0 = ffn_fma(x, w0, s2_0); s2_1 = ffn_fma(x, w1, s2_1);
      s2_2 = ffn_fma(x, w2, s2_2); s2_3 = ffn_fma(x, w3, s2_3); s2_4 = ffn_fma(x, w4, s2_4);
      s2_5 = ffn_fma(x, w5, s2_5); s2_6 = ffn_fma(x, w6, s2_6); s2_7 = ffn_fma(x, w7, s2_7);
      s2_8 = ffn_fma(x, w8, s2_8); s2_9 = ffn_fma(x, w9, s2_9); s2_10 = ffn_fma(x, w10, s2_10);
      s2_11 = ffn_fma(x, w11, s2_11); s2_12 = ffn_fma(x, w12, s2_12);
      s2_13 = ffn_fma(x, w13, s2_13); s2_14 = ffn_fma(x, w14, s2_14);
      s2_15 = ffn_fma(x, w15, s2_15);
    }
  }
  if (add) {
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    if (rows > 1) {
      s1_0 = (*(sum + 16) + s1_0);
      s1_1 = (*(sum + 17) + s1_1);
      s1_2 = (*(sum + 18) + s1_2);
      s1_3 = (*(sum + 19) + s1_3);
      s1_4 = (*(sum + 20) + s1_4);
      s1_5 = (*(sum + 21) + s1_5);
      s1_6 = (*(sum + 22) + s1_6);
      s1_7 = (*(sum + 23) + s1_7);
      s1_8 = (*(sum + 24) + s1_8);
      s1_9 = (*(sum + 25) + s1_9);
      s1_10 = (*(sum + 26) + s1_10);
      s1_11 = (*(sum + 27) + s1_11);
      s1_12 = (*(sum + 28) + s1_12);
      s1_13 = (*(sum + 29) + s1_13);
      s1_14 = (*(sum + 30) + s1_14);
      s1_15 = (*(sum + 31) + s1_15);
    }
    if (rows > 2) {
      s2_0 = (*(sum + 32) + s2_0);
      s2_1 = (*(sum + 33) + s2_1);
      s2_2 = (*(sum + 34) + s2_2);
      s2_3 = (*(sum + 35) + s2_3);
      s2_4 = (*(sum + 36) + s2_4);
      s2_5 = (*(sum + 37) + s2_5);
      s2_6 = (*(sum + 38) + s2_6);
      s2_7 = (*(sum + 39) + s2_7);
      s2_8 = (*(sum + 40) + s2_8);
      s2_9 = (*(sum + 41) + s2_9);
      s2_10 = (*(sum + 42) + s2_10);
      s2_11 = (*(sum + 43) + s2_11);
      s2_12 = (*(sum + 44) + s2_12);
      s2_13 = (*(sum + 45) + s2_13);
      s2_14 = (*(sum + 46) + s2_14);
      s2_15 = (*(sum + 47) + s2_15);
    }
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  if (rows > 1) {
    *(sum + 16) = s1_0;
    *(sum + 17) = s1_1;
    *(sum + 18) = s1_2;
    *(sum + 19) = s1_3;
    *(sum + 20) = s1_4;
    *(sum + 21) = s1_5;
    *(sum + 22) = s1_6;
    *(sum + 23) = s1_7;
    *(sum + 24) = s1_8;
    *(sum + 25) = s1_9;
    *(sum + 26) = s1_10;
    *(sum + 27) = s1_11;
    *(sum + 28) = s1_12;
    *(sum + 29) = s1_13;
    *(sum + 30) = s1_14;
    *(sum + 31) = s1_15;
  }
  if (rows > 2) {
    *(sum + 32) = s2_0;
    *(sum + 33) = s2_1;
    *(sum + 34) = s2_2;
    *(sum + 35) = s2_3;
    *(sum + 36) = s2_4;
    *(sum + 37) = s2_5;
    *(sum + 38) = s2_6;
    *(sum + 39) = s2_7;
    *(sum + 40) = s2_8;
    *(sum + 41) = s2_9;
    *(sum + 42) = s2_10;
    *(sum + 43) = s2_11;
    *(sum + 44) = s2_12;
    *(sum + 45) = s2_13;
    *(sum + 46) = s2_14;
    *(sum + 47) = s2_15;
  }
}

FFN_NOINLINE void down_sums_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_16(sum, a, w, count, add, next, advance, 1); break;
  case 2: down_sums_tile_16(sum, a, w, count, add, next, advance, 2); break;
  case 3: down_sums_tile_16(sum, a, w, count, add, next, advance, 3); break;
  default: assert(0);
  }
}

/* Sums into y. */
FFN_NOINLINE void down_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const float down = *(sum + c);
      const float value = down;
      *(out) = value;
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
    else
      cols = 16, most = 3, sums = down_sums_16;
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

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0xaf8e17bce9cd1694), 2, chain_stages, 3, 222,
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

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_c;
const ffn_kernel ffn_swiglu_d512_f1365_f32_c = {
    "ffn_swiglu_d512_f1365_f32_c",
    "ffn_swiglu_d512_f1365_f32",
    FFN_KIND_FFN,
    FFN_SWIGLU,
    FFN_F32,
    FFN_ISA_C,
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

