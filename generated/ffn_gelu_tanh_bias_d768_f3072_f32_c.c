/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_gelu_tanh_bias_d768_f3072_f32_c
 * FFN gelu_tanh, 768 -> 3072 -> 768, with biases, f32, for c
 * GPT-2 124M: feed-forward block, tanh GELU
 *
 *     h = gelu_tanh(x W_up^T + b_up)
 *     y = h W_down^T + b_down
 *
 * Remake     ffngen generate
 * Spec       gpt2_124m; templates kernel.c.tpl, stage.c.tpl
 * Tiles      up: rows x columns 1 x 64, 3 x 16, 1 branch, at most 66 of 66 registers
 * Tiles      down: rows x columns 1 x 64, 3 x 16, 1 branch, at most 66 of 66 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       9437184 flop per token; 18889792 bytes of packed weights;
 *            3921408 bytes of work memory per thread
 * Sums       up: k ascends in 6 blocks of 128; at most 134 roundings
 * Sums       down: k ascends in 24 blocks of 128; at most 152 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 134 2^-24;
 *            gelu_tanh at most 2.3 ULP, and within (3 |y|) 2^-24
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 152 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 3
#error "made for ABI 3 of kernel.h: generate this file anew, or use its own kernel.h"
#endif


/* 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))); at most 2.3 ULP, and within (3 |y|) 2^-24. */
FFN_INLINE float act_gelu_tanh(const float x) {
  const float t = ffn_abs(x);
  const float a = (t > 10.8125f ? 10.8125f : t);
  const float sum = ffn_fma(a, a, 22.363861f);
  const float t_2 = (22.363861f - sum);
  const float t_3 = ffn_fma(a, a, t_2);
  const float sum_low = (t_3 + -1.081748e-06f);
  const float t_4 = (a * sum);
  const float t_5 = ffn_fma(-(a), sum, t_4);
  const float excess = ffn_fma(-(a), sum_low, t_5);
  const float shifted = ffn_fma(t_4, 0.10294324f, 12582912.0f);
  const float steps = (shifted - 12582912.0f);
  const int32_t t_6 = ffn_bits(shifted);
  const int32_t n = (t_6 - 1262485544);
  const float t_7 = ffn_fma(-(steps), 9.714091f, t_4);
  const float t_8 = ffn_fma(steps, -2.7294067e-07f, excess);
  const float r = (t_7 - t_8);
  const float t_9 = ffn_fma(1.8558499e-10f, r, 1.5510384e-08f);
  const float t_10 = ffn_fma(t_9, r, 1.0800941e-06f);
  const float t_11 = ffn_fma(t_10, r, 6.0549228e-05f);
  const float t_12 = ffn_fma(t_11, r, 0.0025457551f);
  const float t_13 = ffn_fma(t_12, r, 0.07135482f);
  const float p = ffn_fma(t_13, r, 1.0f);
  const float t_14 = ffn_pow2(n);
  const float denominator = ffn_fma(p, t_14, 9.094947e-13f);
  const float tail = (a / denominator);
  const float t_15 = (x < 0.0f ? 0.0f : x);
  return ffn_fma(-(tail), 9.094947e-13f, t_15);
}

/* ---- up: 768 -> 3072 ---------------------------------------------------------------------
 *
 * Panels [192][768][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][64] (+)= a w over `count` k for one row of 64 columns; 66 of 66 registers.
 */
FFN_NOINLINE void up_sums_64(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
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
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 12288);
    FFN_FETCH((const float *)next + 24576); FFN_FETCH((const float *)next + 36864);
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
      s0_16 = ffn_fma(x, *(w + 12288), s0_16); s0_17 = ffn_fma(x, *(w + 12289), s0_17);
      s0_18 = ffn_fma(x, *(w + 12290), s0_18); s0_19 = ffn_fma(x, *(w + 12291), s0_19);
      s0_20 = ffn_fma(x, *(w + 12292), s0_20); s0_21 = ffn_fma(x, *(w + 12293), s0_21);
      s0_22 = ffn_fma(x, *(w + 12294), s0_22); s0_23 = ffn_fma(x, *(w + 12295), s0_23);
      s0_24 = ffn_fma(x, *(w + 12296), s0_24); s0_25 = ffn_fma(x, *(w + 12297), s0_25);
      s0_26 = ffn_fma(x, *(w + 12298), s0_26); s0_27 = ffn_fma(x, *(w + 12299), s0_27);
      s0_28 = ffn_fma(x, *(w + 12300), s0_28); s0_29 = ffn_fma(x, *(w + 12301), s0_29);
      s0_30 = ffn_fma(x, *(w + 12302), s0_30); s0_31 = ffn_fma(x, *(w + 12303), s0_31);
      s0_32 = ffn_fma(x, *(w + 24576), s0_32); s0_33 = ffn_fma(x, *(w + 24577), s0_33);
      s0_34 = ffn_fma(x, *(w + 24578), s0_34); s0_35 = ffn_fma(x, *(w + 24579), s0_35);
      s0_36 = ffn_fma(x, *(w + 24580), s0_36); s0_37 = ffn_fma(x, *(w + 24581), s0_37);
      s0_38 = ffn_fma(x, *(w + 24582), s0_38); s0_39 = ffn_fma(x, *(w + 24583), s0_39);
      s0_40 = ffn_fma(x, *(w + 24584), s0_40); s0_41 = ffn_fma(x, *(w + 24585), s0_41);
      s0_42 = ffn_fma(x, *(w + 24586), s0_42); s0_43 = ffn_fma(x, *(w + 24587), s0_43);
      s0_44 = ffn_fma(x, *(w + 24588), s0_44); s0_45 = ffn_fma(x, *(w + 24589), s0_45);
      s0_46 = ffn_fma(x, *(w + 24590), s0_46); s0_47 = ffn_fma(x, *(w + 24591), s0_47);
      s0_48 = ffn_fma(x, *(w + 36864), s0_48); s0_49 = ffn_fma(x, *(w + 36865), s0_49);
      s0_50 = ffn_fma(x, *(w + 36866), s0_50); s0_51 = ffn_fma(x, *(w + 36867), s0_51);
      s0_52 = ffn_fma(x, *(w + 36868), s0_52); s0_53 = ffn_fma(x, *(w + 36869), s0_53);
      s0_54 = ffn_fma(x, *(w + 36870), s0_54); s0_55 = ffn_fma(x, *(w + 36871), s0_55);
      s0_56 = ffn_fma(x, *(w + 36872), s0_56); s0_57 = ffn_fma(x, *(w + 36873), s0_57);
      s0_58 = ffn_fma(x, *(w + 36874), s0_58); s0_59 = ffn_fma(x, *(w + 36875), s0_59);
      s0_60 = ffn_fma(x, *(w + 36876), s0_60); s0_61 = ffn_fma(x, *(w + 36877), s0_61);
      s0_62 = ffn_fma(x, *(w + 36878), s0_62); s0_63 = ffn_fma(x, *(w + 36879), s0_63);
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
FFN_INLINE void up_sums_tile_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, const int rows) {
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

FFN_NOINLINE void up_sums_16(float *sum, const float *a, const float *w, size_t count, int add, const char *next, size_t advance, size_t rows) {
  switch (rows) {
  case 1: up_sums_tile_16(sum, a, w, count, add, next, advance, 1); break;
  case 2: up_sums_tile_16(sum, a, w, count, add, next, advance, 2); break;
  case 3: up_sums_tile_16(sum, a, w, count, add, next, advance, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through gelu_tanh into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 2359312 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 128);
      const float up = (*(sum + c) + *(bias + c));
      const float value = act_gelu_tanh(up);
      *(out) = value;
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *up_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 16 + column / FFN_PANEL * 12288 + column % FFN_PANEL + k * 16;
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
    else
      cols = 16, most = 3, sums = up_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 576);
    const size_t rows = ffn_even_part(task->rows, most);
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows);
    size_t block = 0;
    do {
      const size_t count = ffn_min(768 - block, 128);
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = up_weights(task, column + g, block);
        const float *then = /* the weights that come next */
            g + group < chunk ? up_weights(task, column + g + group, block)
            : block + 128 < 768
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
    } while (block < 768);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        up_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

/* ---- down: 3072 -> 768 -------------------------------------------------------------------
 *
 * Panels [48][3072][1][16]: sixteen outputs of each branch side by side for every k.
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
    FFN_FETCH((const float *)next); FFN_FETCH((const float *)next + 49152);
    FFN_FETCH((const float *)next + 98304); FFN_FETCH((const float *)next + 147456);
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
      s0_16 = ffn_fma(x, *(w + 49152), s0_16); s0_17 = ffn_fma(x, *(w + 49153), s0_17);
      s0_18 = ffn_fma(x, *(w + 49154), s0_18); s0_19 = ffn_fma(x, *(w + 49155), s0_19);
      s0_20 = ffn_fma(x, *(w + 49156), s0_20); s0_21 = ffn_fma(x, *(w + 49157), s0_21);
      s0_22 = ffn_fma(x, *(w + 49158), s0_22); s0_23 = ffn_fma(x, *(w + 49159), s0_23);
      s0_24 = ffn_fma(x, *(w + 49160), s0_24); s0_25 = ffn_fma(x, *(w + 49161), s0_25);
      s0_26 = ffn_fma(x, *(w + 49162), s0_26); s0_27 = ffn_fma(x, *(w + 49163), s0_27);
      s0_28 = ffn_fma(x, *(w + 49164), s0_28); s0_29 = ffn_fma(x, *(w + 49165), s0_29);
      s0_30 = ffn_fma(x, *(w + 49166), s0_30); s0_31 = ffn_fma(x, *(w + 49167), s0_31);
      s0_32 = ffn_fma(x, *(w + 98304), s0_32); s0_33 = ffn_fma(x, *(w + 98305), s0_33);
      s0_34 = ffn_fma(x, *(w + 98306), s0_34); s0_35 = ffn_fma(x, *(w + 98307), s0_35);
      s0_36 = ffn_fma(x, *(w + 98308), s0_36); s0_37 = ffn_fma(x, *(w + 98309), s0_37);
      s0_38 = ffn_fma(x, *(w + 98310), s0_38); s0_39 = ffn_fma(x, *(w + 98311), s0_39);
      s0_40 = ffn_fma(x, *(w + 98312), s0_40); s0_41 = ffn_fma(x, *(w + 98313), s0_41);
      s0_42 = ffn_fma(x, *(w + 98314), s0_42); s0_43 = ffn_fma(x, *(w + 98315), s0_43);
      s0_44 = ffn_fma(x, *(w + 98316), s0_44); s0_45 = ffn_fma(x, *(w + 98317), s0_45);
      s0_46 = ffn_fma(x, *(w + 98318), s0_46); s0_47 = ffn_fma(x, *(w + 98319), s0_47);
      s0_48 = ffn_fma(x, *(w + 147456), s0_48); s0_49 = ffn_fma(x, *(w + 147457), s0_49);
      s0_50 = ffn_fma(x, *(w + 147458), s0_50); s0_51 = ffn_fma(x, *(w + 147459), s0_51);
      s0_52 = ffn_fma(x, *(w + 147460), s0_52); s0_53 = ffn_fma(x, *(w + 147461), s0_53);
      s0_54 = ffn_fma(x, *(w + 147462), s0_54); s0_55 = ffn_fma(x, *(w + 147463), s0_55);
      s0_56 = ffn_fma(x, *(w + 147464), s0_56); s0_57 = ffn_fma(x, *(w + 147465), s0_57);
      s0_58 = ffn_fma(x, *(w + 147466), s0_58); s0_59 = ffn_fma(x, *(w + 147467), s0_59);
      s0_60 = ffn_fma(x, *(w + 147468), s0_60); s0_61 = ffn_fma(x, *(w + 147469), s0_61);
      s0_62 = ffn_fma(x, *(w + 147470), s0_62); s0_63 = ffn_fma(x, *(w + 147471), s0_63);
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

/* Sums plus bias into y. */
FFN_NOINLINE void down_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 4721680 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const float down = (*(sum + c) + *(bias + c));
      const float value = down;
      *(out) = value;
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *down_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 2362384 + column / FFN_PANEL * 49152 + column % FFN_PANEL + k * 16;
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
        task->rows <= 32 ? group : ffn_min(left / group * group, 576);
    const size_t rows = ffn_even_part(task->rows, most);
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows);
    size_t block = 0;
    do {
      const size_t count = ffn_min(3072 - block, 128);
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = down_weights(task, column + g, block);
        const float *then = /* the weights that come next */
            g + group < chunk ? down_weights(task, column + g + group, block)
            : block + 128 < 3072
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
    } while (block < 3072);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        down_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {768, 3072, 1, {FFN_MATRIX_UP}, FFN_ACT_GELU_TANH, FFN_PRODUCT_NONE, 1, 0.0f,
     128, 1, 134, 3.0f, 0.0f},
    {3072, 768, 1, {FFN_MATRIX_DOWN}, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE, 1, 0.0f,
     128, 1, 152, 0.0f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {up_pass, 768, 3072, 1, 1,
     16, 2359312, 0, 128, 64},
    {down_pass, 3072, 768, 1, 1,
     2362384, 4721680, 170496, 128, 64},
};

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0xfc1c32662077581e), 2, chain_stages, 3, 222,
                                852480, 980352, 9437184};

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

extern const ffn_kernel ffn_gelu_tanh_bias_d768_f3072_f32_c;
const ffn_kernel ffn_gelu_tanh_bias_d768_f3072_f32_c = {
    "ffn_gelu_tanh_bias_d768_f3072_f32_c",
    "ffn_gelu_tanh_bias_d768_f3072_f32",
    FFN_KIND_FFN,
    FFN_GELU_TANH,
    FFN_F32,
    FFN_ISA_C,
    768,
    3072,
    768,
    1,
    0,
    2,
    stages,
    18889792,
    3921408,
    9437184,
    pack,
    unpack,
    run,
};

