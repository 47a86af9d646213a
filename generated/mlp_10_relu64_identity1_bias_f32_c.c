/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_c
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for c
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1
 * Templates  file, sizes, rows, call, tile, loop, ascend, step, finish, weights, dispatch, columns,
 *            groups, add, tables, api, about
 * Tiles      layer1: rows x columns 1 x 32, 3 x 8, 1 branch, at most 66 scalars
 * Tiles      layer2: rows x columns 1 x 8, 1 branch, at most 66 scalars
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       1408 flop per token; 7040 bytes of packed weights; 127872 bytes of work memory per
 *            thread, 576 for one token
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 8 interleaved chains; at most 12 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 12 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 5
#error "made for ABI 5 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
/* layer1: 10 -> 64, linear with bias, h = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_PANELS = 4, /* of sixteen outputs, zeros beyond the last */
  LAYER1_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER1_PANEL = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* floats of a row in a block of the input */
  LAYER1_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  LAYER1_CHUNK = 64, /* columns whose sums are kept, where there are more */
};

/* layer2: 64 -> 1, linear with bias, y = linear */
enum {
  LAYER2_INPUTS = 64,
  LAYER2_OUTPUTS = 1,
  LAYER2_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  LAYER2_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER2_PANEL = LAYER2_INPUTS * LAYER2_STEP,
  LAYER2_ROUNDINGS = 12, /* at most, of a product in its sum */
  LAYER2_ROW = 64, /* floats of a row in a block of the input */
  LAYER2_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  LAYER2_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = LAYER1_ROW, /* floats of each in work memory: x */
  OPERAND2 = LAYER2_ROW, /* floats of each in work memory: h */
  SUM = LAYER1_CHUNK, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = OPERAND1 + OPERAND2 + SUM, /* floats of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float layer1[LAYER1_PANELS][LAYER1_INPUTS][1][FFN_PANEL];
  float layer1_bias[1][LAYER1_PANELS * FFN_PANEL];
  float layer2[LAYER2_PANELS][LAYER2_INPUTS][1][FFN_PANEL];
  float layer2_bias[1][LAYER2_PANELS * FFN_PANEL];
} packed_weights;

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE float act_relu(const float x) {
  return (x < 0.0f ? 0.0f : x);
}

/* sum[row][branch][32] = a w over all k, one row; 66 scalars. */
FFN_INLINE void layer1_sums_tile_32(
    float *sum, const float *a, const float *w, const int rows) {
  (void)rows;
  float s0_0_0 = 0.0f;
  float s0_0_1 = 0.0f;
  float s0_1_0 = 0.0f;
  float s0_1_1 = 0.0f;
  float s0_2_0 = 0.0f;
  float s0_2_1 = 0.0f;
  float s0_3_0 = 0.0f;
  float s0_3_1 = 0.0f;
  float s0_4_0 = 0.0f;
  float s0_4_1 = 0.0f;
  float s0_5_0 = 0.0f;
  float s0_5_1 = 0.0f;
  float s0_6_0 = 0.0f;
  float s0_6_1 = 0.0f;
  float s0_7_0 = 0.0f;
  float s0_7_1 = 0.0f;
  float s0_8_0 = 0.0f;
  float s0_8_1 = 0.0f;
  float s0_9_0 = 0.0f;
  float s0_9_1 = 0.0f;
  float s0_10_0 = 0.0f;
  float s0_10_1 = 0.0f;
  float s0_11_0 = 0.0f;
  float s0_11_1 = 0.0f;
  float s0_12_0 = 0.0f;
  float s0_12_1 = 0.0f;
  float s0_13_0 = 0.0f;
  float s0_13_1 = 0.0f;
  float s0_14_0 = 0.0f;
  float s0_14_1 = 0.0f;
  float s0_15_0 = 0.0f;
  float s0_15_1 = 0.0f;
  float s0_16_0 = 0.0f;
  float s0_16_1 = 0.0f;
  float s0_17_0 = 0.0f;
  float s0_17_1 = 0.0f;
  float s0_18_0 = 0.0f;
  float s0_18_1 = 0.0f;
  float s0_19_0 = 0.0f;
  float s0_19_1 = 0.0f;
  float s0_20_0 = 0.0f;
  float s0_20_1 = 0.0f;
  float s0_21_0 = 0.0f;
  float s0_21_1 = 0.0f;
  float s0_22_0 = 0.0f;
  float s0_22_1 = 0.0f;
  float s0_23_0 = 0.0f;
  float s0_23_1 = 0.0f;
  float s0_24_0 = 0.0f;
  float s0_24_1 = 0.0f;
  float s0_25_0 = 0.0f;
  float s0_25_1 = 0.0f;
  float s0_26_0 = 0.0f;
  float s0_26_1 = 0.0f;
  float s0_27_0 = 0.0f;
  float s0_27_1 = 0.0f;
  float s0_28_0 = 0.0f;
  float s0_28_1 = 0.0f;
  float s0_29_0 = 0.0f;
  float s0_29_1 = 0.0f;
  float s0_30_0 = 0.0f;
  float s0_30_1 = 0.0f;
  float s0_31_0 = 0.0f;
  float s0_31_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float w8 = *(w + 8);
      const float w9 = *(w + 9);
      const float w10 = *(w + 10);
      const float w11 = *(w + 11);
      const float w12 = *(w + 12);
      const float w13 = *(w + 13);
      const float w14 = *(w + 14);
      const float w15 = *(w + 15);
      const float w16 = *(w + LAYER1_PANEL);
      const float w17 = *(w + LAYER1_PANEL + 1);
      const float w18 = *(w + LAYER1_PANEL + 2);
      const float w19 = *(w + LAYER1_PANEL + 3);
      const float w20 = *(w + LAYER1_PANEL + 4);
      const float w21 = *(w + LAYER1_PANEL + 5);
      const float w22 = *(w + LAYER1_PANEL + 6);
      const float w23 = *(w + LAYER1_PANEL + 7);
      const float w24 = *(w + LAYER1_PANEL + 8);
      const float w25 = *(w + LAYER1_PANEL + 9);
      const float w26 = *(w + LAYER1_PANEL + 10);
      const float w27 = *(w + LAYER1_PANEL + 11);
      const float w28 = *(w + LAYER1_PANEL + 12);
      const float w29 = *(w + LAYER1_PANEL + 13);
      const float w30 = *(w + LAYER1_PANEL + 14);
      const float w31 = *(w + LAYER1_PANEL + 15);
      const float x0 = a[k];
      s0_0_0 = ffn_fma(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma(x0, w3, s0_3_0);
      s0_4_0 = ffn_fma(x0, w4, s0_4_0);
      s0_5_0 = ffn_fma(x0, w5, s0_5_0);
      s0_6_0 = ffn_fma(x0, w6, s0_6_0);
      s0_7_0 = ffn_fma(x0, w7, s0_7_0);
      s0_8_0 = ffn_fma(x0, w8, s0_8_0);
      s0_9_0 = ffn_fma(x0, w9, s0_9_0);
      s0_10_0 = ffn_fma(x0, w10, s0_10_0);
      s0_11_0 = ffn_fma(x0, w11, s0_11_0);
      s0_12_0 = ffn_fma(x0, w12, s0_12_0);
      s0_13_0 = ffn_fma(x0, w13, s0_13_0);
      s0_14_0 = ffn_fma(x0, w14, s0_14_0);
      s0_15_0 = ffn_fma(x0, w15, s0_15_0);
      s0_16_0 = ffn_fma(x0, w16, s0_16_0);
      s0_17_0 = ffn_fma(x0, w17, s0_17_0);
      s0_18_0 = ffn_fma(x0, w18, s0_18_0);
      s0_19_0 = ffn_fma(x0, w19, s0_19_0);
      s0_20_0 = ffn_fma(x0, w20, s0_20_0);
      s0_21_0 = ffn_fma(x0, w21, s0_21_0);
      s0_22_0 = ffn_fma(x0, w22, s0_22_0);
      s0_23_0 = ffn_fma(x0, w23, s0_23_0);
      s0_24_0 = ffn_fma(x0, w24, s0_24_0);
      s0_25_0 = ffn_fma(x0, w25, s0_25_0);
      s0_26_0 = ffn_fma(x0, w26, s0_26_0);
      s0_27_0 = ffn_fma(x0, w27, s0_27_0);
      s0_28_0 = ffn_fma(x0, w28, s0_28_0);
      s0_29_0 = ffn_fma(x0, w29, s0_29_0);
      s0_30_0 = ffn_fma(x0, w30, s0_30_0);
      s0_31_0 = ffn_fma(x0, w31, s0_31_0);
    }
    {
      const float w0 = *(w + LAYER1_STEP);
      const float w1 = *(w + LAYER1_STEP + 1);
      const float w2 = *(w + LAYER1_STEP + 2);
      const float w3 = *(w + LAYER1_STEP + 3);
      const float w4 = *(w + LAYER1_STEP + 4);
      const float w5 = *(w + LAYER1_STEP + 5);
      const float w6 = *(w + LAYER1_STEP + 6);
      const float w7 = *(w + LAYER1_STEP + 7);
      const float w8 = *(w + LAYER1_STEP + 8);
      const float w9 = *(w + LAYER1_STEP + 9);
      const float w10 = *(w + LAYER1_STEP + 10);
      const float w11 = *(w + LAYER1_STEP + 11);
      const float w12 = *(w + LAYER1_STEP + 12);
      const float w13 = *(w + LAYER1_STEP + 13);
      const float w14 = *(w + LAYER1_STEP + 14);
      const float w15 = *(w + LAYER1_STEP + 15);
      const float w16 = *(w + LAYER1_STEP + LAYER1_PANEL);
      const float w17 = *(w + LAYER1_STEP + LAYER1_PANEL + 1);
      const float w18 = *(w + LAYER1_STEP + LAYER1_PANEL + 2);
      const float w19 = *(w + LAYER1_STEP + LAYER1_PANEL + 3);
      const float w20 = *(w + LAYER1_STEP + LAYER1_PANEL + 4);
      const float w21 = *(w + LAYER1_STEP + LAYER1_PANEL + 5);
      const float w22 = *(w + LAYER1_STEP + LAYER1_PANEL + 6);
      const float w23 = *(w + LAYER1_STEP + LAYER1_PANEL + 7);
      const float w24 = *(w + LAYER1_STEP + LAYER1_PANEL + 8);
      const float w25 = *(w + LAYER1_STEP + LAYER1_PANEL + 9);
      const float w26 = *(w + LAYER1_STEP + LAYER1_PANEL + 10);
      const float w27 = *(w + LAYER1_STEP + LAYER1_PANEL + 11);
      const float w28 = *(w + LAYER1_STEP + LAYER1_PANEL + 12);
      const float w29 = *(w + LAYER1_STEP + LAYER1_PANEL + 13);
      const float w30 = *(w + LAYER1_STEP + LAYER1_PANEL + 14);
      const float w31 = *(w + LAYER1_STEP + LAYER1_PANEL + 15);
      const float x0 = a[k + 1];
      s0_0_1 = ffn_fma(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma(x0, w3, s0_3_1);
      s0_4_1 = ffn_fma(x0, w4, s0_4_1);
      s0_5_1 = ffn_fma(x0, w5, s0_5_1);
      s0_6_1 = ffn_fma(x0, w6, s0_6_1);
      s0_7_1 = ffn_fma(x0, w7, s0_7_1);
      s0_8_1 = ffn_fma(x0, w8, s0_8_1);
      s0_9_1 = ffn_fma(x0, w9, s0_9_1);
      s0_10_1 = ffn_fma(x0, w10, s0_10_1);
      s0_11_1 = ffn_fma(x0, w11, s0_11_1);
      s0_12_1 = ffn_fma(x0, w12, s0_12_1);
      s0_13_1 = ffn_fma(x0, w13, s0_13_1);
      s0_14_1 = ffn_fma(x0, w14, s0_14_1);
      s0_15_1 = ffn_fma(x0, w15, s0_15_1);
      s0_16_1 = ffn_fma(x0, w16, s0_16_1);
      s0_17_1 = ffn_fma(x0, w17, s0_17_1);
      s0_18_1 = ffn_fma(x0, w18, s0_18_1);
      s0_19_1 = ffn_fma(x0, w19, s0_19_1);
      s0_20_1 = ffn_fma(x0, w20, s0_20_1);
      s0_21_1 = ffn_fma(x0, w21, s0_21_1);
      s0_22_1 = ffn_fma(x0, w22, s0_22_1);
      s0_23_1 = ffn_fma(x0, w23, s0_23_1);
      s0_24_1 = ffn_fma(x0, w24, s0_24_1);
      s0_25_1 = ffn_fma(x0, w25, s0_25_1);
      s0_26_1 = ffn_fma(x0, w26, s0_26_1);
      s0_27_1 = ffn_fma(x0, w27, s0_27_1);
      s0_28_1 = ffn_fma(x0, w28, s0_28_1);
      s0_29_1 = ffn_fma(x0, w29, s0_29_1);
      s0_30_1 = ffn_fma(x0, w30, s0_30_1);
      s0_31_1 = ffn_fma(x0, w31, s0_31_1);
    }
  }
  s0_0_0 = (s0_0_0 + s0_0_1);
  s0_1_0 = (s0_1_0 + s0_1_1);
  s0_2_0 = (s0_2_0 + s0_2_1);
  s0_3_0 = (s0_3_0 + s0_3_1);
  s0_4_0 = (s0_4_0 + s0_4_1);
  s0_5_0 = (s0_5_0 + s0_5_1);
  s0_6_0 = (s0_6_0 + s0_6_1);
  s0_7_0 = (s0_7_0 + s0_7_1);
  s0_8_0 = (s0_8_0 + s0_8_1);
  s0_9_0 = (s0_9_0 + s0_9_1);
  s0_10_0 = (s0_10_0 + s0_10_1);
  s0_11_0 = (s0_11_0 + s0_11_1);
  s0_12_0 = (s0_12_0 + s0_12_1);
  s0_13_0 = (s0_13_0 + s0_13_1);
  s0_14_0 = (s0_14_0 + s0_14_1);
  s0_15_0 = (s0_15_0 + s0_15_1);
  s0_16_0 = (s0_16_0 + s0_16_1);
  s0_17_0 = (s0_17_0 + s0_17_1);
  s0_18_0 = (s0_18_0 + s0_18_1);
  s0_19_0 = (s0_19_0 + s0_19_1);
  s0_20_0 = (s0_20_0 + s0_20_1);
  s0_21_0 = (s0_21_0 + s0_21_1);
  s0_22_0 = (s0_22_0 + s0_22_1);
  s0_23_0 = (s0_23_0 + s0_23_1);
  s0_24_0 = (s0_24_0 + s0_24_1);
  s0_25_0 = (s0_25_0 + s0_25_1);
  s0_26_0 = (s0_26_0 + s0_26_1);
  s0_27_0 = (s0_27_0 + s0_27_1);
  s0_28_0 = (s0_28_0 + s0_28_1);
  s0_29_0 = (s0_29_0 + s0_29_1);
  s0_30_0 = (s0_30_0 + s0_30_1);
  s0_31_0 = (s0_31_0 + s0_31_1);
  *(sum) = s0_0_0;
  *(sum + 1) = s0_1_0;
  *(sum + 2) = s0_2_0;
  *(sum + 3) = s0_3_0;
  *(sum + 4) = s0_4_0;
  *(sum + 5) = s0_5_0;
  *(sum + 6) = s0_6_0;
  *(sum + 7) = s0_7_0;
  *(sum + 8) = s0_8_0;
  *(sum + 9) = s0_9_0;
  *(sum + 10) = s0_10_0;
  *(sum + 11) = s0_11_0;
  *(sum + 12) = s0_12_0;
  *(sum + 13) = s0_13_0;
  *(sum + 14) = s0_14_0;
  *(sum + 15) = s0_15_0;
  *(sum + 16) = s0_16_0;
  *(sum + 17) = s0_17_0;
  *(sum + 18) = s0_18_0;
  *(sum + 19) = s0_19_0;
  *(sum + 20) = s0_20_0;
  *(sum + 21) = s0_21_0;
  *(sum + 22) = s0_22_0;
  *(sum + 23) = s0_23_0;
  *(sum + 24) = s0_24_0;
  *(sum + 25) = s0_25_0;
  *(sum + 26) = s0_26_0;
  *(sum + 27) = s0_27_0;
  *(sum + 28) = s0_28_0;
  *(sum + 29) = s0_29_0;
  *(sum + 30) = s0_30_0;
  *(sum + 31) = s0_31_0;
}

FFN_NOINLINE void layer1_sums_32(
    float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  layer1_sums_tile_32(sum, a, w, 1);
}

/* sum[row][branch][8] = a w over all k, at most 3 rows; 57 scalars.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void layer1_sums_tile_8(
    float *sum, const float *a, const float *w, const int rows) {
  float s0_0_0 = 0.0f;
  float s0_0_1 = 0.0f;
  float s0_1_0 = 0.0f;
  float s0_1_1 = 0.0f;
  float s0_2_0 = 0.0f;
  float s0_2_1 = 0.0f;
  float s0_3_0 = 0.0f;
  float s0_3_1 = 0.0f;
  float s0_4_0 = 0.0f;
  float s0_4_1 = 0.0f;
  float s0_5_0 = 0.0f;
  float s0_5_1 = 0.0f;
  float s0_6_0 = 0.0f;
  float s0_6_1 = 0.0f;
  float s0_7_0 = 0.0f;
  float s0_7_1 = 0.0f;
  float s1_0_0 = 0.0f;
  float s1_0_1 = 0.0f;
  float s1_1_0 = 0.0f;
  float s1_1_1 = 0.0f;
  float s1_2_0 = 0.0f;
  float s1_2_1 = 0.0f;
  float s1_3_0 = 0.0f;
  float s1_3_1 = 0.0f;
  float s1_4_0 = 0.0f;
  float s1_4_1 = 0.0f;
  float s1_5_0 = 0.0f;
  float s1_5_1 = 0.0f;
  float s1_6_0 = 0.0f;
  float s1_6_1 = 0.0f;
  float s1_7_0 = 0.0f;
  float s1_7_1 = 0.0f;
  float s2_0_0 = 0.0f;
  float s2_0_1 = 0.0f;
  float s2_1_0 = 0.0f;
  float s2_1_1 = 0.0f;
  float s2_2_0 = 0.0f;
  float s2_2_1 = 0.0f;
  float s2_3_0 = 0.0f;
  float s2_3_1 = 0.0f;
  float s2_4_0 = 0.0f;
  float s2_4_1 = 0.0f;
  float s2_5_0 = 0.0f;
  float s2_5_1 = 0.0f;
  float s2_6_0 = 0.0f;
  float s2_6_1 = 0.0f;
  float s2_7_0 = 0.0f;
  float s2_7_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float x0 = a[k];
      s0_0_0 = ffn_fma(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma(x0, w3, s0_3_0);
      s0_4_0 = ffn_fma(x0, w4, s0_4_0);
      s0_5_0 = ffn_fma(x0, w5, s0_5_0);
      s0_6_0 = ffn_fma(x0, w6, s0_6_0);
      s0_7_0 = ffn_fma(x0, w7, s0_7_0);
      if (rows > 1) {
        const float x1 = a[k + LAYER1_ROW];
        s1_0_0 = ffn_fma(x1, w0, s1_0_0);
        s1_1_0 = ffn_fma(x1, w1, s1_1_0);
        s1_2_0 = ffn_fma(x1, w2, s1_2_0);
        s1_3_0 = ffn_fma(x1, w3, s1_3_0);
        s1_4_0 = ffn_fma(x1, w4, s1_4_0);
        s1_5_0 = ffn_fma(x1, w5, s1_5_0);
        s1_6_0 = ffn_fma(x1, w6, s1_6_0);
        s1_7_0 = ffn_fma(x1, w7, s1_7_0);
      }
      if (rows > 2) {
        const float x2 = a[k + 2 * LAYER1_ROW];
        s2_0_0 = ffn_fma(x2, w0, s2_0_0);
        s2_1_0 = ffn_fma(x2, w1, s2_1_0);
        s2_2_0 = ffn_fma(x2, w2, s2_2_0);
        s2_3_0 = ffn_fma(x2, w3, s2_3_0);
        s2_4_0 = ffn_fma(x2, w4, s2_4_0);
        s2_5_0 = ffn_fma(x2, w5, s2_5_0);
        s2_6_0 = ffn_fma(x2, w6, s2_6_0);
        s2_7_0 = ffn_fma(x2, w7, s2_7_0);
      }
    }
    {
      const float w0 = *(w + LAYER1_STEP);
      const float w1 = *(w + LAYER1_STEP + 1);
      const float w2 = *(w + LAYER1_STEP + 2);
      const float w3 = *(w + LAYER1_STEP + 3);
      const float w4 = *(w + LAYER1_STEP + 4);
      const float w5 = *(w + LAYER1_STEP + 5);
      const float w6 = *(w + LAYER1_STEP + 6);
      const float w7 = *(w + LAYER1_STEP + 7);
      const float x0 = a[k + 1];
      s0_0_1 = ffn_fma(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma(x0, w3, s0_3_1);
      s0_4_1 = ffn_fma(x0, w4, s0_4_1);
      s0_5_1 = ffn_fma(x0, w5, s0_5_1);
      s0_6_1 = ffn_fma(x0, w6, s0_6_1);
      s0_7_1 = ffn_fma(x0, w7, s0_7_1);
      if (rows > 1) {
        const float x1 = a[k + LAYER1_ROW + 1];
        s1_0_1 = ffn_fma(x1, w0, s1_0_1);
        s1_1_1 = ffn_fma(x1, w1, s1_1_1);
        s1_2_1 = ffn_fma(x1, w2, s1_2_1);
        s1_3_1 = ffn_fma(x1, w3, s1_3_1);
        s1_4_1 = ffn_fma(x1, w4, s1_4_1);
        s1_5_1 = ffn_fma(x1, w5, s1_5_1);
        s1_6_1 = ffn_fma(x1, w6, s1_6_1);
        s1_7_1 = ffn_fma(x1, w7, s1_7_1);
      }
      if (rows > 2) {
        const float x2 = a[k + 2 * LAYER1_ROW + 1];
        s2_0_1 = ffn_fma(x2, w0, s2_0_1);
        s2_1_1 = ffn_fma(x2, w1, s2_1_1);
        s2_2_1 = ffn_fma(x2, w2, s2_2_1);
        s2_3_1 = ffn_fma(x2, w3, s2_3_1);
        s2_4_1 = ffn_fma(x2, w4, s2_4_1);
        s2_5_1 = ffn_fma(x2, w5, s2_5_1);
        s2_6_1 = ffn_fma(x2, w6, s2_6_1);
        s2_7_1 = ffn_fma(x2, w7, s2_7_1);
      }
    }
  }
  s0_0_0 = (s0_0_0 + s0_0_1);
  s0_1_0 = (s0_1_0 + s0_1_1);
  s0_2_0 = (s0_2_0 + s0_2_1);
  s0_3_0 = (s0_3_0 + s0_3_1);
  s0_4_0 = (s0_4_0 + s0_4_1);
  s0_5_0 = (s0_5_0 + s0_5_1);
  s0_6_0 = (s0_6_0 + s0_6_1);
  s0_7_0 = (s0_7_0 + s0_7_1);
  if (rows > 1) {
  s1_0_0 = (s1_0_0 + s1_0_1);
  s1_1_0 = (s1_1_0 + s1_1_1);
  s1_2_0 = (s1_2_0 + s1_2_1);
  s1_3_0 = (s1_3_0 + s1_3_1);
  s1_4_0 = (s1_4_0 + s1_4_1);
  s1_5_0 = (s1_5_0 + s1_5_1);
  s1_6_0 = (s1_6_0 + s1_6_1);
  s1_7_0 = (s1_7_0 + s1_7_1);
  }
  if (rows > 2) {
  s2_0_0 = (s2_0_0 + s2_0_1);
  s2_1_0 = (s2_1_0 + s2_1_1);
  s2_2_0 = (s2_2_0 + s2_2_1);
  s2_3_0 = (s2_3_0 + s2_3_1);
  s2_4_0 = (s2_4_0 + s2_4_1);
  s2_5_0 = (s2_5_0 + s2_5_1);
  s2_6_0 = (s2_6_0 + s2_6_1);
  s2_7_0 = (s2_7_0 + s2_7_1);
  }
  *(sum) = s0_0_0;
  *(sum + 1) = s0_1_0;
  *(sum + 2) = s0_2_0;
  *(sum + 3) = s0_3_0;
  *(sum + 4) = s0_4_0;
  *(sum + 5) = s0_5_0;
  *(sum + 6) = s0_6_0;
  *(sum + 7) = s0_7_0;
  if (rows > 1) {
    *(sum + 8) = s1_0_0;
    *(sum + 9) = s1_1_0;
    *(sum + 10) = s1_2_0;
    *(sum + 11) = s1_3_0;
    *(sum + 12) = s1_4_0;
    *(sum + 13) = s1_5_0;
    *(sum + 14) = s1_6_0;
    *(sum + 15) = s1_7_0;
  }
  if (rows > 2) {
    *(sum + 16) = s2_0_0;
    *(sum + 17) = s2_1_0;
    *(sum + 18) = s2_2_0;
    *(sum + 19) = s2_3_0;
    *(sum + 20) = s2_4_0;
    *(sum + 21) = s2_5_0;
    *(sum + 22) = s2_6_0;
    *(sum + 23) = s2_7_0;
  }
}

FFN_NOINLINE void layer1_sums_8(
    float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1:
    layer1_sums_tile_8(sum, a, w, 1);
    break;
  case 2:
    layer1_sums_tile_8(sum, a, w, 2);
    break;
  case 3:
    layer1_sums_tile_8(sum, a, w, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* h = relu(linear), in 2 scalars; beyond the last output it meets zero weights. */
FFN_NOINLINE void layer1_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  const float *linear_bias = packed->layer1_bias[0] + column;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 1) {
      float *out =
          task->out + ffn_blocked(task->rows, row, column + c, LAYER2_ROW);
      float linear = *(sum + c);
      linear = (linear + *(linear_bias + c));
      *(out) = act_relu(linear);
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer1_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->layer1[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void layer1_sums(
    float *sum, const float *a, const float *w, const size_t cols, size_t rows) {
  if (cols == 32)
    layer1_sums_32(sum, a, w, rows);
  else
    layer1_sums_8(sum, a, w, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer1_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols; /* whole panels */
  const size_t chunk =
      task->rows <= LAYER1_STREAM_ROWS ? group : ffn_min(left / group * group, LAYER1_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += group) {
    const float *weights = layer1_weights(task, column + g, 0);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + group; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LAYER1_ROW;
        const float *w = weights + (c - g) % FFN_PANEL;
        layer1_sums(sum, a, w, cols, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    layer1_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void layer1_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 32)
    column += layer1_chunk(task, column, 32, 1);
  while (column < task->last)
    column += layer1_chunk(task, column, 8, 3);
}

/* sum[row][branch][8] = a w over all k, one row; 66 scalars. */
FFN_INLINE void layer2_sums_tile_8(
    float *sum, const float *a, const float *w, const int rows) {
  (void)rows;
  float s0_0_0 = 0.0f;
  float s0_0_1 = 0.0f;
  float s0_0_2 = 0.0f;
  float s0_0_3 = 0.0f;
  float s0_0_4 = 0.0f;
  float s0_0_5 = 0.0f;
  float s0_0_6 = 0.0f;
  float s0_0_7 = 0.0f;
  float s0_1_0 = 0.0f;
  float s0_1_1 = 0.0f;
  float s0_1_2 = 0.0f;
  float s0_1_3 = 0.0f;
  float s0_1_4 = 0.0f;
  float s0_1_5 = 0.0f;
  float s0_1_6 = 0.0f;
  float s0_1_7 = 0.0f;
  float s0_2_0 = 0.0f;
  float s0_2_1 = 0.0f;
  float s0_2_2 = 0.0f;
  float s0_2_3 = 0.0f;
  float s0_2_4 = 0.0f;
  float s0_2_5 = 0.0f;
  float s0_2_6 = 0.0f;
  float s0_2_7 = 0.0f;
  float s0_3_0 = 0.0f;
  float s0_3_1 = 0.0f;
  float s0_3_2 = 0.0f;
  float s0_3_3 = 0.0f;
  float s0_3_4 = 0.0f;
  float s0_3_5 = 0.0f;
  float s0_3_6 = 0.0f;
  float s0_3_7 = 0.0f;
  float s0_4_0 = 0.0f;
  float s0_4_1 = 0.0f;
  float s0_4_2 = 0.0f;
  float s0_4_3 = 0.0f;
  float s0_4_4 = 0.0f;
  float s0_4_5 = 0.0f;
  float s0_4_6 = 0.0f;
  float s0_4_7 = 0.0f;
  float s0_5_0 = 0.0f;
  float s0_5_1 = 0.0f;
  float s0_5_2 = 0.0f;
  float s0_5_3 = 0.0f;
  float s0_5_4 = 0.0f;
  float s0_5_5 = 0.0f;
  float s0_5_6 = 0.0f;
  float s0_5_7 = 0.0f;
  float s0_6_0 = 0.0f;
  float s0_6_1 = 0.0f;
  float s0_6_2 = 0.0f;
  float s0_6_3 = 0.0f;
  float s0_6_4 = 0.0f;
  float s0_6_5 = 0.0f;
  float s0_6_6 = 0.0f;
  float s0_6_7 = 0.0f;
  float s0_7_0 = 0.0f;
  float s0_7_1 = 0.0f;
  float s0_7_2 = 0.0f;
  float s0_7_3 = 0.0f;
  float s0_7_4 = 0.0f;
  float s0_7_5 = 0.0f;
  float s0_7_6 = 0.0f;
  float s0_7_7 = 0.0f;
  size_t k = 0;
  for (; k + 8 <= LAYER2_INPUTS; k += 8, w += 8 * LAYER2_STEP) {
    {
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float x0 = a[k];
      s0_0_0 = ffn_fma(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma(x0, w3, s0_3_0);
      s0_4_0 = ffn_fma(x0, w4, s0_4_0);
      s0_5_0 = ffn_fma(x0, w5, s0_5_0);
      s0_6_0 = ffn_fma(x0, w6, s0_6_0);
      s0_7_0 = ffn_fma(x0, w7, s0_7_0);
    }
    {
      const float w0 = *(w + LAYER2_STEP);
      const float w1 = *(w + LAYER2_STEP + 1);
      const float w2 = *(w + LAYER2_STEP + 2);
      const float w3 = *(w + LAYER2_STEP + 3);
      const float w4 = *(w + LAYER2_STEP + 4);
      const float w5 = *(w + LAYER2_STEP + 5);
      const float w6 = *(w + LAYER2_STEP + 6);
      const float w7 = *(w + LAYER2_STEP + 7);
      const float x0 = a[k + 1];
      s0_0_1 = ffn_fma(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma(x0, w3, s0_3_1);
      s0_4_1 = ffn_fma(x0, w4, s0_4_1);
      s0_5_1 = ffn_fma(x0, w5, s0_5_1);
      s0_6_1 = ffn_fma(x0, w6, s0_6_1);
      s0_7_1 = ffn_fma(x0, w7, s0_7_1);
    }
    {
      const float w0 = *(w + 2 * LAYER2_STEP);
      const float w1 = *(w + 2 * LAYER2_STEP + 1);
      const float w2 = *(w + 2 * LAYER2_STEP + 2);
      const float w3 = *(w + 2 * LAYER2_STEP + 3);
      const float w4 = *(w + 2 * LAYER2_STEP + 4);
      const float w5 = *(w + 2 * LAYER2_STEP + 5);
      const float w6 = *(w + 2 * LAYER2_STEP + 6);
      const float w7 = *(w + 2 * LAYER2_STEP + 7);
      const float x0 = a[k + 2];
      s0_0_2 = ffn_fma(x0, w0, s0_0_2);
      s0_1_2 = ffn_fma(x0, w1, s0_1_2);
      s0_2_2 = ffn_fma(x0, w2, s0_2_2);
      s0_3_2 = ffn_fma(x0, w3, s0_3_2);
      s0_4_2 = ffn_fma(x0, w4, s0_4_2);
      s0_5_2 = ffn_fma(x0, w5, s0_5_2);
      s0_6_2 = ffn_fma(x0, w6, s0_6_2);
      s0_7_2 = ffn_fma(x0, w7, s0_7_2);
    }
    {
      const float w0 = *(w + 3 * LAYER2_STEP);
      const float w1 = *(w + 3 * LAYER2_STEP + 1);
      const float w2 = *(w + 3 * LAYER2_STEP + 2);
      const float w3 = *(w + 3 * LAYER2_STEP + 3);
      const float w4 = *(w + 3 * LAYER2_STEP + 4);
      const float w5 = *(w + 3 * LAYER2_STEP + 5);
      const float w6 = *(w + 3 * LAYER2_STEP + 6);
      const float w7 = *(w + 3 * LAYER2_STEP + 7);
      const float x0 = a[k + 3];
      s0_0_3 = ffn_fma(x0, w0, s0_0_3);
      s0_1_3 = ffn_fma(x0, w1, s0_1_3);
      s0_2_3 = ffn_fma(x0, w2, s0_2_3);
      s0_3_3 = ffn_fma(x0, w3, s0_3_3);
      s0_4_3 = ffn_fma(x0, w4, s0_4_3);
      s0_5_3 = ffn_fma(x0, w5, s0_5_3);
      s0_6_3 = ffn_fma(x0, w6, s0_6_3);
      s0_7_3 = ffn_fma(x0, w7, s0_7_3);
    }
    {
      const float w0 = *(w + 4 * LAYER2_STEP);
      const float w1 = *(w + 4 * LAYER2_STEP + 1);
      const float w2 = *(w + 4 * LAYER2_STEP + 2);
      const float w3 = *(w + 4 * LAYER2_STEP + 3);
      const float w4 = *(w + 4 * LAYER2_STEP + 4);
      const float w5 = *(w + 4 * LAYER2_STEP + 5);
      const float w6 = *(w + 4 * LAYER2_STEP + 6);
      const float w7 = *(w + 4 * LAYER2_STEP + 7);
      const float x0 = a[k + 4];
      s0_0_4 = ffn_fma(x0, w0, s0_0_4);
      s0_1_4 = ffn_fma(x0, w1, s0_1_4);
      s0_2_4 = ffn_fma(x0, w2, s0_2_4);
      s0_3_4 = ffn_fma(x0, w3, s0_3_4);
      s0_4_4 = ffn_fma(x0, w4, s0_4_4);
      s0_5_4 = ffn_fma(x0, w5, s0_5_4);
      s0_6_4 = ffn_fma(x0, w6, s0_6_4);
      s0_7_4 = ffn_fma(x0, w7, s0_7_4);
    }
    {
      const float w0 = *(w + 5 * LAYER2_STEP);
      const float w1 = *(w + 5 * LAYER2_STEP + 1);
      const float w2 = *(w + 5 * LAYER2_STEP + 2);
      const float w3 = *(w + 5 * LAYER2_STEP + 3);
      const float w4 = *(w + 5 * LAYER2_STEP + 4);
      const float w5 = *(w + 5 * LAYER2_STEP + 5);
      const float w6 = *(w + 5 * LAYER2_STEP + 6);
      const float w7 = *(w + 5 * LAYER2_STEP + 7);
      const float x0 = a[k + 5];
      s0_0_5 = ffn_fma(x0, w0, s0_0_5);
      s0_1_5 = ffn_fma(x0, w1, s0_1_5);
      s0_2_5 = ffn_fma(x0, w2, s0_2_5);
      s0_3_5 = ffn_fma(x0, w3, s0_3_5);
      s0_4_5 = ffn_fma(x0, w4, s0_4_5);
      s0_5_5 = ffn_fma(x0, w5, s0_5_5);
      s0_6_5 = ffn_fma(x0, w6, s0_6_5);
      s0_7_5 = ffn_fma(x0, w7, s0_7_5);
    }
    {
      const float w0 = *(w + 6 * LAYER2_STEP);
      const float w1 = *(w + 6 * LAYER2_STEP + 1);
      const float w2 = *(w + 6 * LAYER2_STEP + 2);
      const float w3 = *(w + 6 * LAYER2_STEP + 3);
      const float w4 = *(w + 6 * LAYER2_STEP + 4);
      const float w5 = *(w + 6 * LAYER2_STEP + 5);
      const float w6 = *(w + 6 * LAYER2_STEP + 6);
      const float w7 = *(w + 6 * LAYER2_STEP + 7);
      const float x0 = a[k + 6];
      s0_0_6 = ffn_fma(x0, w0, s0_0_6);
      s0_1_6 = ffn_fma(x0, w1, s0_1_6);
      s0_2_6 = ffn_fma(x0, w2, s0_2_6);
      s0_3_6 = ffn_fma(x0, w3, s0_3_6);
      s0_4_6 = ffn_fma(x0, w4, s0_4_6);
      s0_5_6 = ffn_fma(x0, w5, s0_5_6);
      s0_6_6 = ffn_fma(x0, w6, s0_6_6);
      s0_7_6 = ffn_fma(x0, w7, s0_7_6);
    }
    {
      const float w0 = *(w + 7 * LAYER2_STEP);
      const float w1 = *(w + 7 * LAYER2_STEP + 1);
      const float w2 = *(w + 7 * LAYER2_STEP + 2);
      const float w3 = *(w + 7 * LAYER2_STEP + 3);
      const float w4 = *(w + 7 * LAYER2_STEP + 4);
      const float w5 = *(w + 7 * LAYER2_STEP + 5);
      const float w6 = *(w + 7 * LAYER2_STEP + 6);
      const float w7 = *(w + 7 * LAYER2_STEP + 7);
      const float x0 = a[k + 7];
      s0_0_7 = ffn_fma(x0, w0, s0_0_7);
      s0_1_7 = ffn_fma(x0, w1, s0_1_7);
      s0_2_7 = ffn_fma(x0, w2, s0_2_7);
      s0_3_7 = ffn_fma(x0, w3, s0_3_7);
      s0_4_7 = ffn_fma(x0, w4, s0_4_7);
      s0_5_7 = ffn_fma(x0, w5, s0_5_7);
      s0_6_7 = ffn_fma(x0, w6, s0_6_7);
      s0_7_7 = ffn_fma(x0, w7, s0_7_7);
    }
  }
  s0_0_0 = (s0_0_0 + s0_0_4);
  s0_1_0 = (s0_1_0 + s0_1_4);
  s0_2_0 = (s0_2_0 + s0_2_4);
  s0_3_0 = (s0_3_0 + s0_3_4);
  s0_4_0 = (s0_4_0 + s0_4_4);
  s0_5_0 = (s0_5_0 + s0_5_4);
  s0_6_0 = (s0_6_0 + s0_6_4);
  s0_7_0 = (s0_7_0 + s0_7_4);
  s0_0_1 = (s0_0_1 + s0_0_5);
  s0_1_1 = (s0_1_1 + s0_1_5);
  s0_2_1 = (s0_2_1 + s0_2_5);
  s0_3_1 = (s0_3_1 + s0_3_5);
  s0_4_1 = (s0_4_1 + s0_4_5);
  s0_5_1 = (s0_5_1 + s0_5_5);
  s0_6_1 = (s0_6_1 + s0_6_5);
  s0_7_1 = (s0_7_1 + s0_7_5);
  s0_0_2 = (s0_0_2 + s0_0_6);
  s0_1_2 = (s0_1_2 + s0_1_6);
  s0_2_2 = (s0_2_2 + s0_2_6);
  s0_3_2 = (s0_3_2 + s0_3_6);
  s0_4_2 = (s0_4_2 + s0_4_6);
  s0_5_2 = (s0_5_2 + s0_5_6);
  s0_6_2 = (s0_6_2 + s0_6_6);
  s0_7_2 = (s0_7_2 + s0_7_6);
  s0_0_3 = (s0_0_3 + s0_0_7);
  s0_1_3 = (s0_1_3 + s0_1_7);
  s0_2_3 = (s0_2_3 + s0_2_7);
  s0_3_3 = (s0_3_3 + s0_3_7);
  s0_4_3 = (s0_4_3 + s0_4_7);
  s0_5_3 = (s0_5_3 + s0_5_7);
  s0_6_3 = (s0_6_3 + s0_6_7);
  s0_7_3 = (s0_7_3 + s0_7_7);
  s0_0_0 = (s0_0_0 + s0_0_2);
  s0_1_0 = (s0_1_0 + s0_1_2);
  s0_2_0 = (s0_2_0 + s0_2_2);
  s0_3_0 = (s0_3_0 + s0_3_2);
  s0_4_0 = (s0_4_0 + s0_4_2);
  s0_5_0 = (s0_5_0 + s0_5_2);
  s0_6_0 = (s0_6_0 + s0_6_2);
  s0_7_0 = (s0_7_0 + s0_7_2);
  s0_0_1 = (s0_0_1 + s0_0_3);
  s0_1_1 = (s0_1_1 + s0_1_3);
  s0_2_1 = (s0_2_1 + s0_2_3);
  s0_3_1 = (s0_3_1 + s0_3_3);
  s0_4_1 = (s0_4_1 + s0_4_3);
  s0_5_1 = (s0_5_1 + s0_5_3);
  s0_6_1 = (s0_6_1 + s0_6_3);
  s0_7_1 = (s0_7_1 + s0_7_3);
  s0_0_0 = (s0_0_0 + s0_0_1);
  s0_1_0 = (s0_1_0 + s0_1_1);
  s0_2_0 = (s0_2_0 + s0_2_1);
  s0_3_0 = (s0_3_0 + s0_3_1);
  s0_4_0 = (s0_4_0 + s0_4_1);
  s0_5_0 = (s0_5_0 + s0_5_1);
  s0_6_0 = (s0_6_0 + s0_6_1);
  s0_7_0 = (s0_7_0 + s0_7_1);
  *(sum) = s0_0_0;
  *(sum + 1) = s0_1_0;
  *(sum + 2) = s0_2_0;
  *(sum + 3) = s0_3_0;
  *(sum + 4) = s0_4_0;
  *(sum + 5) = s0_5_0;
  *(sum + 6) = s0_6_0;
  *(sum + 7) = s0_7_0;
}

FFN_NOINLINE void layer2_sums_8(
    float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  layer2_sums_tile_8(sum, a, w, 1);
}

/* y = linear. */
FFN_NOINLINE void layer2_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  const float *linear_bias = packed->layer2_bias[0] + column;
  const size_t valid =
      column < LAYER2_OUTPUTS ? ffn_min(LAYER2_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 1) {
      float *out = task->out + row * task->out_stride + column + c;
      float linear = *(sum + c);
      linear = (linear + 0.0f);
      linear = (linear + *(linear_bias + c));
      *(out) = linear;
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer2_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->layer2[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void layer2_sums(
    float *sum, const float *a, const float *w, const size_t cols, size_t rows) {
  (void)cols;
  layer2_sums_8(sum, a, w, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer2_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols; /* whole panels */
  const size_t chunk =
      task->rows <= LAYER2_STREAM_ROWS ? group : ffn_min(left / group * group, LAYER2_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += group) {
    const float *weights = layer2_weights(task, column + g, 0);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + group; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LAYER2_ROW;
        const float *w = weights + (c - g) % FFN_PANEL;
        layer2_sums(sum, a, w, cols, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    layer2_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void layer2_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += layer2_chunk(task, column, 8, 1);
}

#ifndef FFN_NO_ADD
/* y + scale * row, rounded once. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  for (size_t i = 0; i < count; ++i)
    *(y + i) = ffn_fma(scale, *(row + i), *(y + i));
}
#endif

static const ffn_stage stages[] = {
    {
        LAYER1_INPUTS, /* inputs */
        LAYER1_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_RELU, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER1_INPUTS, /* k_block */
        2, /* chains */
        LAYER1_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
    },
    {
        LAYER2_INPUTS, /* inputs */
        LAYER2_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER2_INPUTS, /* k_block */
        8, /* chains */
        LAYER2_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
    },
};

static const ffn_stage_walk walks[] = {
    {
        layer1_columns, /* columns */
        LAYER1_INPUTS, /* inputs */
        LAYER1_OUTPUTS, /* outputs */
        0, /* in_at */
        LAYER1_ROW, /* row */
        16, /* column_step */
    },
    {
        layer2_columns, /* columns */
        LAYER2_INPUTS, /* inputs */
        LAYER2_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        LAYER2_ROW, /* row */
        16, /* column_step */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x1c1fdb03ec7cab65), /* layer_hash */
    ffn_walk_rows, /* rows */
    2, /* stage_count */
    walks, /* stages */
    1, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1 + OPERAND2, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    LAYER2_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
    0, /* add_at */
    ADD, /* add_columns */
    add_row, /* add_row */
#endif
};

#ifndef FFN_NO_PACK
static float load(const void *from, size_t at) {
  const float stored = ((const float *)from)[at];
  return stored;
}

static float store(void *to, size_t at, float value) {
  ((float *)to)[at] = value;
  return load(to, at);
}

static void pack(void *to, const ffn_weights *weights) {
  packed_weights *packed = (packed_weights *)to;
  ffn_pack_header(
      &packed->header, forward.layer_hash, weights->parameters,
      0);
  ffn_pack_stage(
      &packed->header, packed->layer1, packed->layer1_bias[0],
      stages, 0, weights, store);
  ffn_pack_stage(
      &packed->header, packed->layer2, packed->layer2_bias[0],
      stages, 1, weights, store);
}

static void unpack(ffn_weights *weights, const void *from) {
  const packed_weights *packed = (const packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
  ffn_unpack_stage(
      weights, packed->layer1, packed->layer1_bias[0],
      stages, 0, load);
  ffn_unpack_stage(
      weights, packed->layer2, packed->layer2_bias[0],
      stages, 1, load);
}
#endif

static void run(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &forward, NULL, y, y_stride, NULL, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}

#ifndef FFN_NO_ADD
static void add(
    float *y, size_t y_stride, float scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &forward, NULL, y, y_stride, &scale, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}
#endif

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_c;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_c = {
    "mlp_10_relu64_identity1_bias_f32_c", /* name */
    "mlp_10_relu64_identity1_bias_f32", /* layer */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_C, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    0, /* hidden */
    LAYER2_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    2, /* stage_count */
    stages, /* stages */
    sizeof(packed_weights), /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW * sizeof(float), /* work_row_bytes */
    BESIDE * sizeof(float), /* work_beside_bytes */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_PACK
    pack, /* pack */
    unpack, /* unpack */
#else
    NULL, /* pack */
    NULL, /* unpack */
#endif
    1, /* in_place */
    run, /* run */
#ifndef FFN_NO_ADD
    add, /* add */
#else
    NULL, /* add */
#endif
};
FFN_EXACT_END
