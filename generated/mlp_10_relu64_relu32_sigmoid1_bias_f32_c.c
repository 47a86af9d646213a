/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_relu32_sigmoid1_bias_f32_c
 * MLP chain 10 -> 64 relu -> 32 relu -> 1 sigmoid, with biases, f32, for c
 * A classifier: relu, relu, sigmoid
 *
 *     h1 = relu(x W_layer1^T + b_layer1)
 *     h2 = relu(h1 W_layer2^T + b_layer2)
 *     y = sigmoid(h2 W_layer3^T + b_layer3)
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_32_1; templates kernel.c.tpl, stage.c.tpl
 * Tiles      layer1: rows x columns 1 x 32, 3 x 8, 1 branch, at most 66 of 66 registers
 * Tiles      layer2: rows x columns 1 x 16, 1 branch, at most 66 of 66 registers
 * Tiles      layer3: rows x columns 1 x 8, 1 branch, at most 66 of 66 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       5440 flop per token; 13312 bytes of packed weights;
 *            142080 bytes of work memory per thread
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

#if FFN_ABI != 3
#error "made for ABI 3 of kernel.h: generate this file anew, or use its own kernel.h"
#endif


/* max(x, 0); exact.
 * Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE float act_relu(const float x) {
  return (x < 0.0f ? 0.0f : x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24.
 * logistic function; glu: Dauphin et al., arXiv:1612.08083. */
FFN_INLINE float act_sigmoid(const float x) {
  const float t = (x < -104.0f ? -104.0f : x);
  const float a = (t > 24.0f ? 24.0f : t);
  const float shifted = ffn_fma(a, -1.442695f, 12582912.0f);
  const float steps = (shifted - 12582912.0f);
  const int32_t t_2 = ffn_bits(shifted);
  const int32_t n = (t_2 - 1262485536);
  const float t_3 = ffn_fma(steps, 0.6931472f, a);
  const float r = ffn_fma(steps, -1.9046542e-09f, t_3);
  const float t_4 = ffn_fma(0.0013818297f, r, -0.008368532f);
  const float t_5 = ffn_fma(t_4, r, 0.041668292f);
  const float t_6 = ffn_fma(t_5, r, -0.16666523f);
  const float t_7 = ffn_fma(t_6, r, 0.49999994f);
  const float t_8 = ffn_fma(t_7, r, -1.0f);
  const float p = ffn_fma(t_8, r, 1.0f);
  const float t_9 = ffn_pow2(n);
  const float denominator = ffn_fma(p, t_9, 2.3283064e-10f);
  return (2.3283064e-10f / denominator);
}

/* ---- layer1: 10 -> 64 --------------------------------------------------------------------
 *
 * Panels [4][10][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][32] = a w for one row of 32 columns; 66 of 66 registers.
 */
FFN_NOINLINE void layer1_sums_32(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float s0_0_0 = 0.0f, s0_0_1 = 0.0f, s0_1_0 = 0.0f, s0_1_1 = 0.0f, s0_2_0 = 0.0f,
    s0_2_1 = 0.0f, s0_3_0 = 0.0f, s0_3_1 = 0.0f, s0_4_0 = 0.0f, s0_4_1 = 0.0f,
    s0_5_0 = 0.0f, s0_5_1 = 0.0f, s0_6_0 = 0.0f, s0_6_1 = 0.0f, s0_7_0 = 0.0f,
    s0_7_1 = 0.0f, s0_8_0 = 0.0f, s0_8_1 = 0.0f, s0_9_0 = 0.0f, s0_9_1 = 0.0f,
    s0_10_0 = 0.0f, s0_10_1 = 0.0f, s0_11_0 = 0.0f, s0_11_1 = 0.0f, s0_12_0 = 0.0f,
    s0_12_1 = 0.0f, s0_13_0 = 0.0f, s0_13_1 = 0.0f, s0_14_0 = 0.0f, s0_14_1 = 0.0f,
    s0_15_0 = 0.0f, s0_15_1 = 0.0f, s0_16_0 = 0.0f, s0_16_1 = 0.0f, s0_17_0 = 0.0f,
    s0_17_1 = 0.0f, s0_18_0 = 0.0f, s0_18_1 = 0.0f, s0_19_0 = 0.0f, s0_19_1 = 0.0f,
    s0_20_0 = 0.0f, s0_20_1 = 0.0f, s0_21_0 = 0.0f, s0_21_1 = 0.0f, s0_22_0 = 0.0f,
    s0_22_1 = 0.0f, s0_23_0 = 0.0f, s0_23_1 = 0.0f, s0_24_0 = 0.0f, s0_24_1 = 0.0f,
    s0_25_0 = 0.0f, s0_25_1 = 0.0f, s0_26_0 = 0.0f, s0_26_1 = 0.0f, s0_27_0 = 0.0f,
    s0_27_1 = 0.0f, s0_28_0 = 0.0f, s0_28_1 = 0.0f, s0_29_0 = 0.0f, s0_29_1 = 0.0f,
    s0_30_0 = 0.0f, s0_30_1 = 0.0f, s0_31_0 = 0.0f, s0_31_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0); s0_8_0 = ffn_fma(x, *(w + 8), s0_8_0);
      s0_9_0 = ffn_fma(x, *(w + 9), s0_9_0); s0_10_0 = ffn_fma(x, *(w + 10), s0_10_0);
      s0_11_0 = ffn_fma(x, *(w + 11), s0_11_0); s0_12_0 = ffn_fma(x, *(w + 12), s0_12_0);
      s0_13_0 = ffn_fma(x, *(w + 13), s0_13_0); s0_14_0 = ffn_fma(x, *(w + 14), s0_14_0);
      s0_15_0 = ffn_fma(x, *(w + 15), s0_15_0); s0_16_0 = ffn_fma(x, *(w + 160), s0_16_0);
      s0_17_0 = ffn_fma(x, *(w + 161), s0_17_0); s0_18_0 = ffn_fma(x, *(w + 162), s0_18_0);
      s0_19_0 = ffn_fma(x, *(w + 163), s0_19_0); s0_20_0 = ffn_fma(x, *(w + 164), s0_20_0);
      s0_21_0 = ffn_fma(x, *(w + 165), s0_21_0); s0_22_0 = ffn_fma(x, *(w + 166), s0_22_0);
      s0_23_0 = ffn_fma(x, *(w + 167), s0_23_0); s0_24_0 = ffn_fma(x, *(w + 168), s0_24_0);
      s0_25_0 = ffn_fma(x, *(w + 169), s0_25_0); s0_26_0 = ffn_fma(x, *(w + 170), s0_26_0);
      s0_27_0 = ffn_fma(x, *(w + 171), s0_27_0); s0_28_0 = ffn_fma(x, *(w + 172), s0_28_0);
      s0_29_0 = ffn_fma(x, *(w + 173), s0_29_0); s0_30_0 = ffn_fma(x, *(w + 174), s0_30_0);
      s0_31_0 = ffn_fma(x, *(w + 175), s0_31_0);
    }
    {
      const float x = a[k + 1]; s0_0_1 = ffn_fma(x, *(w + 16), s0_0_1);
      s0_1_1 = ffn_fma(x, *(w + 17), s0_1_1); s0_2_1 = ffn_fma(x, *(w + 18), s0_2_1);
      s0_3_1 = ffn_fma(x, *(w + 19), s0_3_1); s0_4_1 = ffn_fma(x, *(w + 20), s0_4_1);
      s0_5_1 = ffn_fma(x, *(w + 21), s0_5_1); s0_6_1 = ffn_fma(x, *(w + 22), s0_6_1);
      s0_7_1 = ffn_fma(x, *(w + 23), s0_7_1); s0_8_1 = ffn_fma(x, *(w + 24), s0_8_1);
      s0_9_1 = ffn_fma(x, *(w + 25), s0_9_1); s0_10_1 = ffn_fma(x, *(w + 26), s0_10_1);
      s0_11_1 = ffn_fma(x, *(w + 27), s0_11_1); s0_12_1 = ffn_fma(x, *(w + 28), s0_12_1);
      s0_13_1 = ffn_fma(x, *(w + 29), s0_13_1); s0_14_1 = ffn_fma(x, *(w + 30), s0_14_1);
      s0_15_1 = ffn_fma(x, *(w + 31), s0_15_1); s0_16_1 = ffn_fma(x, *(w + 176), s0_16_1);
      s0_17_1 = ffn_fma(x, *(w + 177), s0_17_1); s0_18_1 = ffn_fma(x, *(w + 178), s0_18_1);
      s0_19_1 = ffn_fma(x, *(w + 179), s0_19_1); s0_20_1 = ffn_fma(x, *(w + 180), s0_20_1);
      s0_21_1 = ffn_fma(x, *(w + 181), s0_21_1); s0_22_1 = ffn_fma(x, *(w + 182), s0_22_1);
      s0_23_1 = ffn_fma(x, *(w + 183), s0_23_1); s0_24_1 = ffn_fma(x, *(w + 184), s0_24_1);
      s0_25_1 = ffn_fma(x, *(w + 185), s0_25_1); s0_26_1 = ffn_fma(x, *(w + 186), s0_26_1);
      s0_27_1 = ffn_fma(x, *(w + 187), s0_27_1); s0_28_1 = ffn_fma(x, *(w + 188), s0_28_1);
      s0_29_1 = ffn_fma(x, *(w + 189), s0_29_1); s0_30_1 = ffn_fma(x, *(w + 190), s0_30_1);
      s0_31_1 = ffn_fma(x, *(w + 191), s0_31_1);
    }
  }
  if (k < 10) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0); s0_8_0 = ffn_fma(x, *(w + 8), s0_8_0);
      s0_9_0 = ffn_fma(x, *(w + 9), s0_9_0); s0_10_0 = ffn_fma(x, *(w + 10), s0_10_0);
      s0_11_0 = ffn_fma(x, *(w + 11), s0_11_0); s0_12_0 = ffn_fma(x, *(w + 12), s0_12_0);
      s0_13_0 = ffn_fma(x, *(w + 13), s0_13_0); s0_14_0 = ffn_fma(x, *(w + 14), s0_14_0);
      s0_15_0 = ffn_fma(x, *(w + 15), s0_15_0); s0_16_0 = ffn_fma(x, *(w + 160), s0_16_0);
      s0_17_0 = ffn_fma(x, *(w + 161), s0_17_0); s0_18_0 = ffn_fma(x, *(w + 162), s0_18_0);
      s0_19_0 = ffn_fma(x, *(w + 163), s0_19_0); s0_20_0 = ffn_fma(x, *(w + 164), s0_20_0);
      s0_21_0 = ffn_fma(x, *(w + 165), s0_21_0); s0_22_0 = ffn_fma(x, *(w + 166), s0_22_0);
      s0_23_0 = ffn_fma(x, *(w + 167), s0_23_0); s0_24_0 = ffn_fma(x, *(w + 168), s0_24_0);
      s0_25_0 = ffn_fma(x, *(w + 169), s0_25_0); s0_26_0 = ffn_fma(x, *(w + 170), s0_26_0);
      s0_27_0 = ffn_fma(x, *(w + 171), s0_27_0); s0_28_0 = ffn_fma(x, *(w + 172), s0_28_0);
      s0_29_0 = ffn_fma(x, *(w + 173), s0_29_0); s0_30_0 = ffn_fma(x, *(w + 174), s0_30_0);
      s0_31_0 = ffn_fma(x, *(w + 175), s0_31_0);
    }
    ++k, w += 16;
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

/* sum[row][branch][8] = a w for up to 3 rows of 8 columns; 57 of 66 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void layer1_sums_tile_8(float *sum, const float *a, const float *w, const int rows) {
  float s0_0_0 = 0.0f, s0_0_1 = 0.0f, s0_1_0 = 0.0f, s0_1_1 = 0.0f, s0_2_0 = 0.0f,
    s0_2_1 = 0.0f, s0_3_0 = 0.0f, s0_3_1 = 0.0f, s0_4_0 = 0.0f, s0_4_1 = 0.0f,
    s0_5_0 = 0.0f, s0_5_1 = 0.0f, s0_6_0 = 0.0f, s0_6_1 = 0.0f, s0_7_0 = 0.0f, s0_7_1 = 0.0f;
  float s1_0_0 = 0.0f, s1_0_1 = 0.0f, s1_1_0 = 0.0f, s1_1_1 = 0.0f, s1_2_0 = 0.0f,
    s1_2_1 = 0.0f, s1_3_0 = 0.0f, s1_3_1 = 0.0f, s1_4_0 = 0.0f, s1_4_1 = 0.0f,
    s1_5_0 = 0.0f, s1_5_1 = 0.0f, s1_6_0 = 0.0f, s1_6_1 = 0.0f, s1_7_0 = 0.0f, s1_7_1 = 0.0f;
  float s2_0_0 = 0.0f, s2_0_1 = 0.0f, s2_1_0 = 0.0f, s2_1_1 = 0.0f, s2_2_0 = 0.0f,
    s2_2_1 = 0.0f, s2_3_0 = 0.0f, s2_3_1 = 0.0f, s2_4_0 = 0.0f, s2_4_1 = 0.0f,
    s2_5_0 = 0.0f, s2_5_1 = 0.0f, s2_6_0 = 0.0f, s2_6_1 = 0.0f, s2_7_0 = 0.0f, s2_7_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= 10; k += 2, w += 32) {
    {
      const float w0 = *(w), w1 = *(w + 1), w2 = *(w + 2), w3 = *(w + 3), w4 = *(w + 4),
        w5 = *(w + 5), w6 = *(w + 6), w7 = *(w + 7);
      {
        const float x = a[k]; s0_0_0 = ffn_fma(x, w0, s0_0_0); s0_1_0 = ffn_fma(x, w1, s0_1_0);
        s0_2_0 = ffn_fma(x, w2, s0_2_0); s0_3_0 = ffn_fma(x, w3, s0_3_0);
        s0_4_0 = ffn_fma(x, w4, s0_4_0); s0_5_0 = ffn_fma(x, w5, s0_5_0);
        s0_6_0 = ffn_fma(x, w6, s0_6_0); s0_7_0 = ffn_fma(x, w7, s0_7_0);
      }
      if (rows > 1) {
        const float x = a[k + 16]; s1_0_0 = ffn_fma(x, w0, s1_0_0); s1_1_0 = ffn_fma(x, w1, s1_1_0);
        s1_2_0 = ffn_fma(x, w2, s1_2_0); s1_3_0 = ffn_fma(x, w3, s1_3_0);
        s1_4_0 = ffn_fma(x, w4, s1_4_0); s1_5_0 = ffn_fma(x, w5, s1_5_0);
        s1_6_0 = ffn_fma(x, w6, s1_6_0); s1_7_0 = ffn_fma(x, w7, s1_7_0);
      }
      if (rows > 2) {
        const float x = a[k + 32]; s2_0_0 = ffn_fma(x, w0, s2_0_0); s2_1_0 = ffn_fma(x, w1, s2_1_0);
        s2_2_0 = ffn_fma(x, w2, s2_2_0); s2_3_0 = ffn_fma(x, w3, s2_3_0);
        s2_4_0 = ffn_fma(x, w4, s2_4_0); s2_5_0 = ffn_fma(x, w5, s2_5_0);
        s2_6_0 = ffn_fma(x, w6, s2_6_0); s2_7_0 = ffn_fma(x, w7, s2_7_0);
      }
    }
    {
      const float w0 = *(w + 16), w1 = *(w + 17), w2 = *(w + 18), w3 = *(w + 19), w4 = *(w + 20),
        w5 = *(w + 21), w6 = *(w + 22), w7 = *(w + 23);
      {
        const float x = a[k + 1]; s0_0_1 = ffn_fma(x, w0, s0_0_1); s0_1_1 = ffn_fma(x, w1, s0_1_1);
        s0_2_1 = ffn_fma(x, w2, s0_2_1); s0_3_1 = ffn_fma(x, w3, s0_3_1);
        s0_4_1 = ffn_fma(x, w4, s0_4_1); s0_5_1 = ffn_fma(x, w5, s0_5_1);
        s0_6_1 = ffn_fma(x, w6, s0_6_1); s0_7_1 = ffn_fma(x, w7, s0_7_1);
      }
      if (rows > 1) {
        const float x = a[k + 17]; s1_0_1 = ffn_fma(x, w0, s1_0_1); s1_1_1 = ffn_fma(x, w1, s1_1_1);
        s1_2_1 = ffn_fma(x, w2, s1_2_1); s1_3_1 = ffn_fma(x, w3, s1_3_1);
        s1_4_1 = ffn_fma(x, w4, s1_4_1); s1_5_1 = ffn_fma(x, w5, s1_5_1);
        s1_6_1 = ffn_fma(x, w6, s1_6_1); s1_7_1 = ffn_fma(x, w7, s1_7_1);
      }
      if (rows > 2) {
        const float x = a[k + 33]; s2_0_1 = ffn_fma(x, w0, s2_0_1); s2_1_1 = ffn_fma(x, w1, s2_1_1);
        s2_2_1 = ffn_fma(x, w2, s2_2_1); s2_3_1 = ffn_fma(x, w3, s2_3_1);
        s2_4_1 = ffn_fma(x, w4, s2_4_1); s2_5_1 = ffn_fma(x, w5, s2_5_1);
        s2_6_1 = ffn_fma(x, w6, s2_6_1); s2_7_1 = ffn_fma(x, w7, s2_7_1);
      }
    }
  }
  if (k < 10) {
    const float w0 = *(w), w1 = *(w + 1), w2 = *(w + 2), w3 = *(w + 3), w4 = *(w + 4),
      w5 = *(w + 5), w6 = *(w + 6), w7 = *(w + 7);
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, w0, s0_0_0); s0_1_0 = ffn_fma(x, w1, s0_1_0);
      s0_2_0 = ffn_fma(x, w2, s0_2_0); s0_3_0 = ffn_fma(x, w3, s0_3_0);
      s0_4_0 = ffn_fma(x, w4, s0_4_0); s0_5_0 = ffn_fma(x, w5, s0_5_0);
      s0_6_0 = ffn_fma(x, w6, s0_6_0); s0_7_0 = ffn_fma(x, w7, s0_7_0);
    }
    if (rows > 1) {
      const float x = a[k + 16]; s1_0_0 = ffn_fma(x, w0, s1_0_0); s1_1_0 = ffn_fma(x, w1, s1_1_0);
      s1_2_0 = ffn_fma(x, w2, s1_2_0); s1_3_0 = ffn_fma(x, w3, s1_3_0);
      s1_4_0 = ffn_fma(x, w4, s1_4_0); s1_5_0 = ffn_fma(x, w5, s1_5_0);
      s1_6_0 = ffn_fma(x, w6, s1_6_0); s1_7_0 = ffn_fma(x, w7, s1_7_0);
    }
    if (rows > 2) {
      const float x = a[k + 32]; s2_0_0 = ffn_fma(x, w0, s2_0_0); s2_1_0 = ffn_fma(x, w1, s2_1_0);
      s2_2_0 = ffn_fma(x, w2, s2_2_0); s2_3_0 = ffn_fma(x, w3, s2_3_0);
      s2_4_0 = ffn_fma(x, w4, s2_4_0); s2_5_0 = ffn_fma(x, w5, s2_5_0);
      s2_6_0 = ffn_fma(x, w6, s2_6_0); s2_7_0 = ffn_fma(x, w7, s2_7_0);
    }
    ++k, w += 16;
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

FFN_NOINLINE void layer1_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: layer1_sums_tile_8(sum, a, w, 1); break;
  case 2: layer1_sums_tile_8(sum, a, w, 2); break;
  case 3: layer1_sums_tile_8(sum, a, w, 3); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer1_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 656 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 64);
      const float linear = (*(sum + c) + *(bias + c));
      const float value = act_relu(linear);
      *(out) = value;
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
    if (task->rows <= 1 && left >= 32)
      cols = 32, most = 1, sums = layer1_sums_32;
    else
      cols = 8, most = 3, sums = layer1_sums_8;
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
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
                task->in + block * task->rows + row * 16, weights + (c - g) % FFN_PANEL,
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

/* ---- layer2: 64 -> 32 --------------------------------------------------------------------
 *
 * Panels [2][64][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for one row of 16 columns; 66 of 66 registers.
 */
FFN_NOINLINE void layer2_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float s0_0_0 = 0.0f, s0_0_1 = 0.0f, s0_0_2 = 0.0f, s0_0_3 = 0.0f, s0_1_0 = 0.0f,
    s0_1_1 = 0.0f, s0_1_2 = 0.0f, s0_1_3 = 0.0f, s0_2_0 = 0.0f, s0_2_1 = 0.0f,
    s0_2_2 = 0.0f, s0_2_3 = 0.0f, s0_3_0 = 0.0f, s0_3_1 = 0.0f, s0_3_2 = 0.0f,
    s0_3_3 = 0.0f, s0_4_0 = 0.0f, s0_4_1 = 0.0f, s0_4_2 = 0.0f, s0_4_3 = 0.0f,
    s0_5_0 = 0.0f, s0_5_1 = 0.0f, s0_5_2 = 0.0f, s0_5_3 = 0.0f, s0_6_0 = 0.0f,
    s0_6_1 = 0.0f, s0_6_2 = 0.0f, s0_6_3 = 0.0f, s0_7_0 = 0.0f, s0_7_1 = 0.0f,
    s0_7_2 = 0.0f, s0_7_3 = 0.0f, s0_8_0 = 0.0f, s0_8_1 = 0.0f, s0_8_2 = 0.0f,
    s0_8_3 = 0.0f, s0_9_0 = 0.0f, s0_9_1 = 0.0f, s0_9_2 = 0.0f, s0_9_3 = 0.0f,
    s0_10_0 = 0.0f, s0_10_1 = 0.0f, s0_10_2 = 0.0f, s0_10_3 = 0.0f, s0_11_0 = 0.0f,
    s0_11_1 = 0.0f, s0_11_2 = 0.0f, s0_11_3 = 0.0f, s0_12_0 = 0.0f, s0_12_1 = 0.0f,
    s0_12_2 = 0.0f, s0_12_3 = 0.0f, s0_13_0 = 0.0f, s0_13_1 = 0.0f, s0_13_2 = 0.0f,
    s0_13_3 = 0.0f, s0_14_0 = 0.0f, s0_14_1 = 0.0f, s0_14_2 = 0.0f, s0_14_3 = 0.0f,
    s0_15_0 = 0.0f, s0_15_1 = 0.0f, s0_15_2 = 0.0f, s0_15_3 = 0.0f;
  size_t k = 0;
  for (; k + 4 <= 64; k += 4, w += 64) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0); s0_8_0 = ffn_fma(x, *(w + 8), s0_8_0);
      s0_9_0 = ffn_fma(x, *(w + 9), s0_9_0); s0_10_0 = ffn_fma(x, *(w + 10), s0_10_0);
      s0_11_0 = ffn_fma(x, *(w + 11), s0_11_0); s0_12_0 = ffn_fma(x, *(w + 12), s0_12_0);
      s0_13_0 = ffn_fma(x, *(w + 13), s0_13_0); s0_14_0 = ffn_fma(x, *(w + 14), s0_14_0);
      s0_15_0 = ffn_fma(x, *(w + 15), s0_15_0);
    }
    {
      const float x = a[k + 1]; s0_0_1 = ffn_fma(x, *(w + 16), s0_0_1);
      s0_1_1 = ffn_fma(x, *(w + 17), s0_1_1); s0_2_1 = ffn_fma(x, *(w + 18), s0_2_1);
      s0_3_1 = ffn_fma(x, *(w + 19), s0_3_1); s0_4_1 = ffn_fma(x, *(w + 20), s0_4_1);
      s0_5_1 = ffn_fma(x, *(w + 21), s0_5_1); s0_6_1 = ffn_fma(x, *(w + 22), s0_6_1);
      s0_7_1 = ffn_fma(x, *(w + 23), s0_7_1); s0_8_1 = ffn_fma(x, *(w + 24), s0_8_1);
      s0_9_1 = ffn_fma(x, *(w + 25), s0_9_1); s0_10_1 = ffn_fma(x, *(w + 26), s0_10_1);
      s0_11_1 = ffn_fma(x, *(w + 27), s0_11_1); s0_12_1 = ffn_fma(x, *(w + 28), s0_12_1);
      s0_13_1 = ffn_fma(x, *(w + 29), s0_13_1); s0_14_1 = ffn_fma(x, *(w + 30), s0_14_1);
      s0_15_1 = ffn_fma(x, *(w + 31), s0_15_1);
    }
    {
      const float x = a[k + 2]; s0_0_2 = ffn_fma(x, *(w + 32), s0_0_2);
      s0_1_2 = ffn_fma(x, *(w + 33), s0_1_2); s0_2_2 = ffn_fma(x, *(w + 34), s0_2_2);
      s0_3_2 = ffn_fma(x, *(w + 35), s0_3_2); s0_4_2 = ffn_fma(x, *(w + 36), s0_4_2);
      s0_5_2 = ffn_fma(x, *(w + 37), s0_5_2); s0_6_2 = ffn_fma(x, *(w + 38), s0_6_2);
      s0_7_2 = ffn_fma(x, *(w + 39), s0_7_2); s0_8_2 = ffn_fma(x, *(w + 40), s0_8_2);
      s0_9_2 = ffn_fma(x, *(w + 41), s0_9_2); s0_10_2 = ffn_fma(x, *(w + 42), s0_10_2);
      s0_11_2 = ffn_fma(x, *(w + 43), s0_11_2); s0_12_2 = ffn_fma(x, *(w + 44), s0_12_2);
      s0_13_2 = ffn_fma(x, *(w + 45), s0_13_2); s0_14_2 = ffn_fma(x, *(w + 46), s0_14_2);
      s0_15_2 = ffn_fma(x, *(w + 47), s0_15_2);
    }
    {
      const float x = a[k + 3]; s0_0_3 = ffn_fma(x, *(w + 48), s0_0_3);
      s0_1_3 = ffn_fma(x, *(w + 49), s0_1_3); s0_2_3 = ffn_fma(x, *(w + 50), s0_2_3);
      s0_3_3 = ffn_fma(x, *(w + 51), s0_3_3); s0_4_3 = ffn_fma(x, *(w + 52), s0_4_3);
      s0_5_3 = ffn_fma(x, *(w + 53), s0_5_3); s0_6_3 = ffn_fma(x, *(w + 54), s0_6_3);
      s0_7_3 = ffn_fma(x, *(w + 55), s0_7_3); s0_8_3 = ffn_fma(x, *(w + 56), s0_8_3);
      s0_9_3 = ffn_fma(x, *(w + 57), s0_9_3); s0_10_3 = ffn_fma(x, *(w + 58), s0_10_3);
      s0_11_3 = ffn_fma(x, *(w + 59), s0_11_3); s0_12_3 = ffn_fma(x, *(w + 60), s0_12_3);
      s0_13_3 = ffn_fma(x, *(w + 61), s0_13_3); s0_14_3 = ffn_fma(x, *(w + 62), s0_14_3);
      s0_15_3 = ffn_fma(x, *(w + 63), s0_15_3);
    }
  }
  if (k < 64) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0); s0_8_0 = ffn_fma(x, *(w + 8), s0_8_0);
      s0_9_0 = ffn_fma(x, *(w + 9), s0_9_0); s0_10_0 = ffn_fma(x, *(w + 10), s0_10_0);
      s0_11_0 = ffn_fma(x, *(w + 11), s0_11_0); s0_12_0 = ffn_fma(x, *(w + 12), s0_12_0);
      s0_13_0 = ffn_fma(x, *(w + 13), s0_13_0); s0_14_0 = ffn_fma(x, *(w + 14), s0_14_0);
      s0_15_0 = ffn_fma(x, *(w + 15), s0_15_0);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float x = a[k]; s0_0_1 = ffn_fma(x, *(w), s0_0_1);
      s0_1_1 = ffn_fma(x, *(w + 1), s0_1_1); s0_2_1 = ffn_fma(x, *(w + 2), s0_2_1);
      s0_3_1 = ffn_fma(x, *(w + 3), s0_3_1); s0_4_1 = ffn_fma(x, *(w + 4), s0_4_1);
      s0_5_1 = ffn_fma(x, *(w + 5), s0_5_1); s0_6_1 = ffn_fma(x, *(w + 6), s0_6_1);
      s0_7_1 = ffn_fma(x, *(w + 7), s0_7_1); s0_8_1 = ffn_fma(x, *(w + 8), s0_8_1);
      s0_9_1 = ffn_fma(x, *(w + 9), s0_9_1); s0_10_1 = ffn_fma(x, *(w + 10), s0_10_1);
      s0_11_1 = ffn_fma(x, *(w + 11), s0_11_1); s0_12_1 = ffn_fma(x, *(w + 12), s0_12_1);
      s0_13_1 = ffn_fma(x, *(w + 13), s0_13_1); s0_14_1 = ffn_fma(x, *(w + 14), s0_14_1);
      s0_15_1 = ffn_fma(x, *(w + 15), s0_15_1);
    }
    ++k, w += 16;
  }
  if (k < 64) {
    {
      const float x = a[k]; s0_0_2 = ffn_fma(x, *(w), s0_0_2);
      s0_1_2 = ffn_fma(x, *(w + 1), s0_1_2); s0_2_2 = ffn_fma(x, *(w + 2), s0_2_2);
      s0_3_2 = ffn_fma(x, *(w + 3), s0_3_2); s0_4_2 = ffn_fma(x, *(w + 4), s0_4_2);
      s0_5_2 = ffn_fma(x, *(w + 5), s0_5_2); s0_6_2 = ffn_fma(x, *(w + 6), s0_6_2);
      s0_7_2 = ffn_fma(x, *(w + 7), s0_7_2); s0_8_2 = ffn_fma(x, *(w + 8), s0_8_2);
      s0_9_2 = ffn_fma(x, *(w + 9), s0_9_2); s0_10_2 = ffn_fma(x, *(w + 10), s0_10_2);
      s0_11_2 = ffn_fma(x, *(w + 11), s0_11_2); s0_12_2 = ffn_fma(x, *(w + 12), s0_12_2);
      s0_13_2 = ffn_fma(x, *(w + 13), s0_13_2); s0_14_2 = ffn_fma(x, *(w + 14), s0_14_2);
      s0_15_2 = ffn_fma(x, *(w + 15), s0_15_2);
    }
    ++k, w += 16;
  }
  s0_0_0 = (s0_0_0 + s0_0_2);
  s0_0_1 = (s0_0_1 + s0_0_3);
  s0_0_0 = (s0_0_0 + s0_0_1);
  s0_1_0 = (s0_1_0 + s0_1_2);
  s0_1_1 = (s0_1_1 + s0_1_3);
  s0_1_0 = (s0_1_0 + s0_1_1);
  s0_2_0 = (s0_2_0 + s0_2_2);
  s0_2_1 = (s0_2_1 + s0_2_3);
  s0_2_0 = (s0_2_0 + s0_2_1);
  s0_3_0 = (s0_3_0 + s0_3_2);
  s0_3_1 = (s0_3_1 + s0_3_3);
  s0_3_0 = (s0_3_0 + s0_3_1);
  s0_4_0 = (s0_4_0 + s0_4_2);
  s0_4_1 = (s0_4_1 + s0_4_3);
  s0_4_0 = (s0_4_0 + s0_4_1);
  s0_5_0 = (s0_5_0 + s0_5_2);
  s0_5_1 = (s0_5_1 + s0_5_3);
  s0_5_0 = (s0_5_0 + s0_5_1);
  s0_6_0 = (s0_6_0 + s0_6_2);
  s0_6_1 = (s0_6_1 + s0_6_3);
  s0_6_0 = (s0_6_0 + s0_6_1);
  s0_7_0 = (s0_7_0 + s0_7_2);
  s0_7_1 = (s0_7_1 + s0_7_3);
  s0_7_0 = (s0_7_0 + s0_7_1);
  s0_8_0 = (s0_8_0 + s0_8_2);
  s0_8_1 = (s0_8_1 + s0_8_3);
  s0_8_0 = (s0_8_0 + s0_8_1);
  s0_9_0 = (s0_9_0 + s0_9_2);
  s0_9_1 = (s0_9_1 + s0_9_3);
  s0_9_0 = (s0_9_0 + s0_9_1);
  s0_10_0 = (s0_10_0 + s0_10_2);
  s0_10_1 = (s0_10_1 + s0_10_3);
  s0_10_0 = (s0_10_0 + s0_10_1);
  s0_11_0 = (s0_11_0 + s0_11_2);
  s0_11_1 = (s0_11_1 + s0_11_3);
  s0_11_0 = (s0_11_0 + s0_11_1);
  s0_12_0 = (s0_12_0 + s0_12_2);
  s0_12_1 = (s0_12_1 + s0_12_3);
  s0_12_0 = (s0_12_0 + s0_12_1);
  s0_13_0 = (s0_13_0 + s0_13_2);
  s0_13_1 = (s0_13_1 + s0_13_3);
  s0_13_0 = (s0_13_0 + s0_13_1);
  s0_14_0 = (s0_14_0 + s0_14_2);
  s0_14_1 = (s0_14_1 + s0_14_3);
  s0_14_0 = (s0_14_0 + s0_14_1);
  s0_15_0 = (s0_15_0 + s0_15_2);
  s0_15_1 = (s0_15_1 + s0_15_3);
  s0_15_0 = (s0_15_0 + s0_15_1);
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
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void layer2_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 2768 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 32);
      const float linear = ((*(sum + c) + 0.0f) + *(bias + c));
      const float value = act_relu(linear);
      *(out) = value;
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
      cols = 16, most = 1, sums = layer2_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 32);
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

/* ---- layer3: 32 -> 1 ---------------------------------------------------------------------
 *
 * Panels [1][32][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][8] = a w for one row of 8 columns; 66 of 66 registers.
 */
FFN_NOINLINE void layer3_sums_8(float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  float s0_0_0 = 0.0f, s0_0_1 = 0.0f, s0_0_2 = 0.0f, s0_0_3 = 0.0f, s0_0_4 = 0.0f,
    s0_0_5 = 0.0f, s0_0_6 = 0.0f, s0_0_7 = 0.0f, s0_1_0 = 0.0f, s0_1_1 = 0.0f,
    s0_1_2 = 0.0f, s0_1_3 = 0.0f, s0_1_4 = 0.0f, s0_1_5 = 0.0f, s0_1_6 = 0.0f,
    s0_1_7 = 0.0f, s0_2_0 = 0.0f, s0_2_1 = 0.0f, s0_2_2 = 0.0f, s0_2_3 = 0.0f,
    s0_2_4 = 0.0f, s0_2_5 = 0.0f, s0_2_6 = 0.0f, s0_2_7 = 0.0f, s0_3_0 = 0.0f,
    s0_3_1 = 0.0f, s0_3_2 = 0.0f, s0_3_3 = 0.0f, s0_3_4 = 0.0f, s0_3_5 = 0.0f,
    s0_3_6 = 0.0f, s0_3_7 = 0.0f, s0_4_0 = 0.0f, s0_4_1 = 0.0f, s0_4_2 = 0.0f,
    s0_4_3 = 0.0f, s0_4_4 = 0.0f, s0_4_5 = 0.0f, s0_4_6 = 0.0f, s0_4_7 = 0.0f,
    s0_5_0 = 0.0f, s0_5_1 = 0.0f, s0_5_2 = 0.0f, s0_5_3 = 0.0f, s0_5_4 = 0.0f,
    s0_5_5 = 0.0f, s0_5_6 = 0.0f, s0_5_7 = 0.0f, s0_6_0 = 0.0f, s0_6_1 = 0.0f,
    s0_6_2 = 0.0f, s0_6_3 = 0.0f, s0_6_4 = 0.0f, s0_6_5 = 0.0f, s0_6_6 = 0.0f,
    s0_6_7 = 0.0f, s0_7_0 = 0.0f, s0_7_1 = 0.0f, s0_7_2 = 0.0f, s0_7_3 = 0.0f,
    s0_7_4 = 0.0f, s0_7_5 = 0.0f, s0_7_6 = 0.0f, s0_7_7 = 0.0f;
  size_t k = 0;
  for (; k + 8 <= 32; k += 8, w += 128) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0);
    }
    {
      const float x = a[k + 1]; s0_0_1 = ffn_fma(x, *(w + 16), s0_0_1);
      s0_1_1 = ffn_fma(x, *(w + 17), s0_1_1); s0_2_1 = ffn_fma(x, *(w + 18), s0_2_1);
      s0_3_1 = ffn_fma(x, *(w + 19), s0_3_1); s0_4_1 = ffn_fma(x, *(w + 20), s0_4_1);
      s0_5_1 = ffn_fma(x, *(w + 21), s0_5_1); s0_6_1 = ffn_fma(x, *(w + 22), s0_6_1);
      s0_7_1 = ffn_fma(x, *(w + 23), s0_7_1);
    }
    {
      const float x = a[k + 2]; s0_0_2 = ffn_fma(x, *(w + 32), s0_0_2);
      s0_1_2 = ffn_fma(x, *(w + 33), s0_1_2); s0_2_2 = ffn_fma(x, *(w + 34), s0_2_2);
      s0_3_2 = ffn_fma(x, *(w + 35), s0_3_2); s0_4_2 = ffn_fma(x, *(w + 36), s0_4_2);
      s0_5_2 = ffn_fma(x, *(w + 37), s0_5_2); s0_6_2 = ffn_fma(x, *(w + 38), s0_6_2);
      s0_7_2 = ffn_fma(x, *(w + 39), s0_7_2);
    }
    {
      const float x = a[k + 3]; s0_0_3 = ffn_fma(x, *(w + 48), s0_0_3);
      s0_1_3 = ffn_fma(x, *(w + 49), s0_1_3); s0_2_3 = ffn_fma(x, *(w + 50), s0_2_3);
      s0_3_3 = ffn_fma(x, *(w + 51), s0_3_3); s0_4_3 = ffn_fma(x, *(w + 52), s0_4_3);
      s0_5_3 = ffn_fma(x, *(w + 53), s0_5_3); s0_6_3 = ffn_fma(x, *(w + 54), s0_6_3);
      s0_7_3 = ffn_fma(x, *(w + 55), s0_7_3);
    }
    {
      const float x = a[k + 4]; s0_0_4 = ffn_fma(x, *(w + 64), s0_0_4);
      s0_1_4 = ffn_fma(x, *(w + 65), s0_1_4); s0_2_4 = ffn_fma(x, *(w + 66), s0_2_4);
      s0_3_4 = ffn_fma(x, *(w + 67), s0_3_4); s0_4_4 = ffn_fma(x, *(w + 68), s0_4_4);
      s0_5_4 = ffn_fma(x, *(w + 69), s0_5_4); s0_6_4 = ffn_fma(x, *(w + 70), s0_6_4);
      s0_7_4 = ffn_fma(x, *(w + 71), s0_7_4);
    }
    {
      const float x = a[k + 5]; s0_0_5 = ffn_fma(x, *(w + 80), s0_0_5);
      s0_1_5 = ffn_fma(x, *(w + 81), s0_1_5); s0_2_5 = ffn_fma(x, *(w + 82), s0_2_5);
      s0_3_5 = ffn_fma(x, *(w + 83), s0_3_5); s0_4_5 = ffn_fma(x, *(w + 84), s0_4_5);
      s0_5_5 = ffn_fma(x, *(w + 85), s0_5_5); s0_6_5 = ffn_fma(x, *(w + 86), s0_6_5);
      s0_7_5 = ffn_fma(x, *(w + 87), s0_7_5);
    }
    {
      const float x = a[k + 6]; s0_0_6 = ffn_fma(x, *(w + 96), s0_0_6);
      s0_1_6 = ffn_fma(x, *(w + 97), s0_1_6); s0_2_6 = ffn_fma(x, *(w + 98), s0_2_6);
      s0_3_6 = ffn_fma(x, *(w + 99), s0_3_6); s0_4_6 = ffn_fma(x, *(w + 100), s0_4_6);
      s0_5_6 = ffn_fma(x, *(w + 101), s0_5_6); s0_6_6 = ffn_fma(x, *(w + 102), s0_6_6);
      s0_7_6 = ffn_fma(x, *(w + 103), s0_7_6);
    }
    {
      const float x = a[k + 7]; s0_0_7 = ffn_fma(x, *(w + 112), s0_0_7);
      s0_1_7 = ffn_fma(x, *(w + 113), s0_1_7); s0_2_7 = ffn_fma(x, *(w + 114), s0_2_7);
      s0_3_7 = ffn_fma(x, *(w + 115), s0_3_7); s0_4_7 = ffn_fma(x, *(w + 116), s0_4_7);
      s0_5_7 = ffn_fma(x, *(w + 117), s0_5_7); s0_6_7 = ffn_fma(x, *(w + 118), s0_6_7);
      s0_7_7 = ffn_fma(x, *(w + 119), s0_7_7);
    }
  }
  if (k < 32) {
    {
      const float x = a[k]; s0_0_0 = ffn_fma(x, *(w), s0_0_0);
      s0_1_0 = ffn_fma(x, *(w + 1), s0_1_0); s0_2_0 = ffn_fma(x, *(w + 2), s0_2_0);
      s0_3_0 = ffn_fma(x, *(w + 3), s0_3_0); s0_4_0 = ffn_fma(x, *(w + 4), s0_4_0);
      s0_5_0 = ffn_fma(x, *(w + 5), s0_5_0); s0_6_0 = ffn_fma(x, *(w + 6), s0_6_0);
      s0_7_0 = ffn_fma(x, *(w + 7), s0_7_0);
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float x = a[k]; s0_0_1 = ffn_fma(x, *(w), s0_0_1);
      s0_1_1 = ffn_fma(x, *(w + 1), s0_1_1); s0_2_1 = ffn_fma(x, *(w + 2), s0_2_1);
      s0_3_1 = ffn_fma(x, *(w + 3), s0_3_1); s0_4_1 = ffn_fma(x, *(w + 4), s0_4_1);
      s0_5_1 = ffn_fma(x, *(w + 5), s0_5_1); s0_6_1 = ffn_fma(x, *(w + 6), s0_6_1);
      s0_7_1 = ffn_fma(x, *(w + 7), s0_7_1);
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float x = a[k]; s0_0_2 = ffn_fma(x, *(w), s0_0_2);
      s0_1_2 = ffn_fma(x, *(w + 1), s0_1_2); s0_2_2 = ffn_fma(x, *(w + 2), s0_2_2);
      s0_3_2 = ffn_fma(x, *(w + 3), s0_3_2); s0_4_2 = ffn_fma(x, *(w + 4), s0_4_2);
      s0_5_2 = ffn_fma(x, *(w + 5), s0_5_2); s0_6_2 = ffn_fma(x, *(w + 6), s0_6_2);
      s0_7_2 = ffn_fma(x, *(w + 7), s0_7_2);
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float x = a[k]; s0_0_3 = ffn_fma(x, *(w), s0_0_3);
      s0_1_3 = ffn_fma(x, *(w + 1), s0_1_3); s0_2_3 = ffn_fma(x, *(w + 2), s0_2_3);
      s0_3_3 = ffn_fma(x, *(w + 3), s0_3_3); s0_4_3 = ffn_fma(x, *(w + 4), s0_4_3);
      s0_5_3 = ffn_fma(x, *(w + 5), s0_5_3); s0_6_3 = ffn_fma(x, *(w + 6), s0_6_3);
      s0_7_3 = ffn_fma(x, *(w + 7), s0_7_3);
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float x = a[k]; s0_0_4 = ffn_fma(x, *(w), s0_0_4);
      s0_1_4 = ffn_fma(x, *(w + 1), s0_1_4); s0_2_4 = ffn_fma(x, *(w + 2), s0_2_4);
      s0_3_4 = ffn_fma(x, *(w + 3), s0_3_4); s0_4_4 = ffn_fma(x, *(w + 4), s0_4_4);
      s0_5_4 = ffn_fma(x, *(w + 5), s0_5_4); s0_6_4 = ffn_fma(x, *(w + 6), s0_6_4);
      s0_7_4 = ffn_fma(x, *(w + 7), s0_7_4);
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float x = a[k]; s0_0_5 = ffn_fma(x, *(w), s0_0_5);
      s0_1_5 = ffn_fma(x, *(w + 1), s0_1_5); s0_2_5 = ffn_fma(x, *(w + 2), s0_2_5);
      s0_3_5 = ffn_fma(x, *(w + 3), s0_3_5); s0_4_5 = ffn_fma(x, *(w + 4), s0_4_5);
      s0_5_5 = ffn_fma(x, *(w + 5), s0_5_5); s0_6_5 = ffn_fma(x, *(w + 6), s0_6_5);
      s0_7_5 = ffn_fma(x, *(w + 7), s0_7_5);
    }
    ++k, w += 16;
  }
  if (k < 32) {
    {
      const float x = a[k]; s0_0_6 = ffn_fma(x, *(w), s0_0_6);
      s0_1_6 = ffn_fma(x, *(w + 1), s0_1_6); s0_2_6 = ffn_fma(x, *(w + 2), s0_2_6);
      s0_3_6 = ffn_fma(x, *(w + 3), s0_3_6); s0_4_6 = ffn_fma(x, *(w + 4), s0_4_6);
      s0_5_6 = ffn_fma(x, *(w + 5), s0_5_6); s0_6_6 = ffn_fma(x, *(w + 6), s0_6_6);
      s0_7_6 = ffn_fma(x, *(w + 7), s0_7_6);
    }
    ++k, w += 16;
  }
  s0_0_0 = (s0_0_0 + s0_0_4);
  s0_0_1 = (s0_0_1 + s0_0_5);
  s0_0_2 = (s0_0_2 + s0_0_6);
  s0_0_3 = (s0_0_3 + s0_0_7);
  s0_0_0 = (s0_0_0 + s0_0_2);
  s0_0_1 = (s0_0_1 + s0_0_3);
  s0_0_0 = (s0_0_0 + s0_0_1);
  s0_1_0 = (s0_1_0 + s0_1_4);
  s0_1_1 = (s0_1_1 + s0_1_5);
  s0_1_2 = (s0_1_2 + s0_1_6);
  s0_1_3 = (s0_1_3 + s0_1_7);
  s0_1_0 = (s0_1_0 + s0_1_2);
  s0_1_1 = (s0_1_1 + s0_1_3);
  s0_1_0 = (s0_1_0 + s0_1_1);
  s0_2_0 = (s0_2_0 + s0_2_4);
  s0_2_1 = (s0_2_1 + s0_2_5);
  s0_2_2 = (s0_2_2 + s0_2_6);
  s0_2_3 = (s0_2_3 + s0_2_7);
  s0_2_0 = (s0_2_0 + s0_2_2);
  s0_2_1 = (s0_2_1 + s0_2_3);
  s0_2_0 = (s0_2_0 + s0_2_1);
  s0_3_0 = (s0_3_0 + s0_3_4);
  s0_3_1 = (s0_3_1 + s0_3_5);
  s0_3_2 = (s0_3_2 + s0_3_6);
  s0_3_3 = (s0_3_3 + s0_3_7);
  s0_3_0 = (s0_3_0 + s0_3_2);
  s0_3_1 = (s0_3_1 + s0_3_3);
  s0_3_0 = (s0_3_0 + s0_3_1);
  s0_4_0 = (s0_4_0 + s0_4_4);
  s0_4_1 = (s0_4_1 + s0_4_5);
  s0_4_2 = (s0_4_2 + s0_4_6);
  s0_4_3 = (s0_4_3 + s0_4_7);
  s0_4_0 = (s0_4_0 + s0_4_2);
  s0_4_1 = (s0_4_1 + s0_4_3);
  s0_4_0 = (s0_4_0 + s0_4_1);
  s0_5_0 = (s0_5_0 + s0_5_4);
  s0_5_1 = (s0_5_1 + s0_5_5);
  s0_5_2 = (s0_5_2 + s0_5_6);
  s0_5_3 = (s0_5_3 + s0_5_7);
  s0_5_0 = (s0_5_0 + s0_5_2);
  s0_5_1 = (s0_5_1 + s0_5_3);
  s0_5_0 = (s0_5_0 + s0_5_1);
  s0_6_0 = (s0_6_0 + s0_6_4);
  s0_6_1 = (s0_6_1 + s0_6_5);
  s0_6_2 = (s0_6_2 + s0_6_6);
  s0_6_3 = (s0_6_3 + s0_6_7);
  s0_6_0 = (s0_6_0 + s0_6_2);
  s0_6_1 = (s0_6_1 + s0_6_3);
  s0_6_0 = (s0_6_0 + s0_6_1);
  s0_7_0 = (s0_7_0 + s0_7_4);
  s0_7_1 = (s0_7_1 + s0_7_5);
  s0_7_2 = (s0_7_2 + s0_7_6);
  s0_7_3 = (s0_7_3 + s0_7_7);
  s0_7_0 = (s0_7_0 + s0_7_2);
  s0_7_1 = (s0_7_1 + s0_7_3);
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

/* Sums plus bias through sigmoid into y. */
FFN_NOINLINE void layer3_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 3312 + column;
  const size_t valid = column < 1 ? ffn_min(1 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 1) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const float linear = ((*(sum + c) + 0.0f) + *(bias + c));
      const float value = act_sigmoid(linear);
      *(out) = value;
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer3_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 2800 + column / FFN_PANEL * 512 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void layer3_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 8, most = 1, sums = layer3_sums_8;
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = layer3_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 32, weights + (c - g) % FFN_PANEL,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 32;
    } while (block < 32);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        layer3_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {10, 64, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     10, 2, 7, 0.0f, 0.0f},
    {64, 32, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     64, 4, 19, 0.0f, 0.0f},
    {32, 1, 1, {FFN_MATRIX_CHAIN}, FFN_ACT_SIGMOID, FFN_PRODUCT_NONE, 1, 0.0f,
     32, 8, 8, 2.7f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {layer1_pass, 10, 64, 1, 1,
     16, 656, 0, 16, 32},
    {layer2_pass, 64, 32, 1, 1,
     720, 2768, 7104, 64, 16},
    {layer3_pass, 32, 1, 1, 1,
     2800, 3312, 0, 32, 16},
};

static const ffn_chain chain = {ffn_walk_rows, UINT64_C(0x764069b59f8f69af), 3, chain_stages, 3, 222,
                                21312, 35520, 5440};

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

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_c;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_c = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_c",
    "mlp_10_relu64_relu32_sigmoid1_bias_f32",
    FFN_KIND_MLP,
    FFN_IDENTITY,
    FFN_F32,
    FFN_ISA_C,
    10,
    0,
    1,
    1,
    0,
    3,
    stages,
    13312,
    142080,
    5440,
    pack,
    unpack,
    run,
};

