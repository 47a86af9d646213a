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
 * Spec       mlp_10_64_32_1
 * Templates  file, sizes, rows, call, tile, loop, ascend, step, finish, weights, chunk, strips,
 *            columns, add, tables, api, staged, descriptor, about
 * Tiles      layer1: rows x columns 1 x 32, 3 x 8, 1 branch, at most 66 scalars
 * Tiles      layer2: rows x columns 1 x 16, 1 branch, at most 66 scalars
 * Tiles      layer3: rows x columns 1 x 8, 1 branch, at most 66 scalars
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Cost       5440 flop per token; 13312 bytes of packed weights; 142080 bytes of work memory per
 *            thread, 640 for one token
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 4 interleaved chains; at most 19 roundings
 * Sums       layer3: k ascends in 8 interleaved chains; at most 8 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 19 2^-24; relu exact
 * Error      layer3: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 8 2^-24; sigmoid at most 2.5
 *            ULP, and within (2.7 |y|) 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
/* layer1: 10 -> 64, linear with bias, h1 = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_COLUMNS = 64, /* outputs and zeros beyond the last, whole panels of sixteen */
  LAYER1_WIDTH = 16, /* columns of a bundle */
  LAYER1_STEP = 64, /* bytes of one k of it: [16] */
  LAYER1_BUNDLE = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_AT = 64, /* bytes of packed weights in front of these */
  LAYER1_BIAS_AT = 2624, /* and of its biases, [branch][columns] */
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* numbers of a row in a block of the input */
  LAYER1_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  LAYER1_CHUNK = 64, /* columns whose sums are kept, where there are more */
};

/* layer2: 64 -> 32, linear with bias, h2 = relu(linear) */
enum {
  LAYER2_INPUTS = 64,
  LAYER2_OUTPUTS = 32,
  LAYER2_COLUMNS = 32, /* outputs and zeros beyond the last, whole panels of sixteen */
  LAYER2_WIDTH = 16, /* columns of a bundle */
  LAYER2_STEP = 64, /* bytes of one k of it: [16] */
  LAYER2_BUNDLE = LAYER2_INPUTS * LAYER2_STEP,
  LAYER2_AT = 2880, /* bytes of packed weights in front of these */
  LAYER2_BIAS_AT = 11072, /* and of its biases, [branch][columns] */
  LAYER2_ROUNDINGS = 19, /* at most, of a product in its sum */
  LAYER2_ROW = 64, /* numbers of a row in a block of the input */
  LAYER2_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  LAYER2_CHUNK = 32, /* columns whose sums are kept, where there are more */
};

/* layer3: 32 -> 1, linear with bias, y = sigmoid(linear) */
enum {
  LAYER3_INPUTS = 32,
  LAYER3_OUTPUTS = 1,
  LAYER3_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  LAYER3_WIDTH = 16, /* columns of a bundle */
  LAYER3_STEP = 64, /* bytes of one k of it: [16] */
  LAYER3_BUNDLE = LAYER3_INPUTS * LAYER3_STEP,
  LAYER3_AT = 11200, /* bytes of packed weights in front of these */
  LAYER3_BIAS_AT = 13248, /* and of its biases, [branch][columns] */
  LAYER3_ROUNDINGS = 8, /* at most, of a product in its sum */
  LAYER3_ROW = 32, /* numbers of a row in a block of the input */
  LAYER3_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  LAYER3_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = 128, /* bytes of each in work memory: x, h2 */
  OPERAND2 = 256, /* bytes of each in work memory: h1 */
  SUM = 256, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 640, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 13312 };

/* Adds sums to others. */
FFN_SHARED void ffn_add_4_c(
    float *to_a, float *to_b, float *to_c, float *to_d, const float a, const float b,
    const float c, const float d) {
  *to_a = (*to_a + a);
  *to_b = (*to_b + b);
  *to_c = (*to_c + c);
  *to_d = (*to_d + d);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_c(
    float *kept, const float a, const float b, const float c, const float d) {
  *(kept) = a;
  *(kept + 1) = b;
  *(kept + 2) = c;
  *(kept + 3) = d;
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202.
 * Of one float. */
FFN_INLINE float act_relu(const float x) {
  return (x < 0.0f ? 0.0f : x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. Of one float. */
FFN_INLINE float act_sigmoid(const float x) {
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

/* sum[row][branch][32] = a w: one row x 32 columns, all 10 k, in 66 scalars. `sum` begins at a
 * multiple of 4 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void layer1_sums_tile_32(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  (void)rows;
  (void)lane;
  float s0_0_0 = 0.0f, s0_1_0 = 0.0f, s0_2_0 = 0.0f, s0_3_0 = 0.0f, s0_4_0 = 0.0f,
      s0_5_0 = 0.0f, s0_6_0 = 0.0f, s0_7_0 = 0.0f, s0_8_0 = 0.0f, s0_9_0 = 0.0f,
      s0_10_0 = 0.0f, s0_11_0 = 0.0f, s0_12_0 = 0.0f, s0_13_0 = 0.0f, s0_14_0 = 0.0f,
      s0_15_0 = 0.0f, s0_16_0 = 0.0f, s0_17_0 = 0.0f, s0_18_0 = 0.0f, s0_19_0 = 0.0f,
      s0_20_0 = 0.0f, s0_21_0 = 0.0f, s0_22_0 = 0.0f, s0_23_0 = 0.0f, s0_24_0 = 0.0f,
      s0_25_0 = 0.0f, s0_26_0 = 0.0f, s0_27_0 = 0.0f, s0_28_0 = 0.0f, s0_29_0 = 0.0f,
      s0_30_0 = 0.0f, s0_31_0 = 0.0f, s0_0_1 = 0.0f, s0_1_1 = 0.0f, s0_2_1 = 0.0f,
      s0_3_1 = 0.0f, s0_4_1 = 0.0f, s0_5_1 = 0.0f, s0_6_1 = 0.0f, s0_7_1 = 0.0f,
      s0_8_1 = 0.0f, s0_9_1 = 0.0f, s0_10_1 = 0.0f, s0_11_1 = 0.0f, s0_12_1 = 0.0f,
      s0_13_1 = 0.0f, s0_14_1 = 0.0f, s0_15_1 = 0.0f, s0_16_1 = 0.0f, s0_17_1 = 0.0f,
      s0_18_1 = 0.0f, s0_19_1 = 0.0f, s0_20_1 = 0.0f, s0_21_1 = 0.0f, s0_22_1 = 0.0f,
      s0_23_1 = 0.0f, s0_24_1 = 0.0f, s0_25_1 = 0.0f, s0_26_1 = 0.0f, s0_27_1 = 0.0f,
      s0_28_1 = 0.0f, s0_29_1 = 0.0f, s0_30_1 = 0.0f, s0_31_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
      const float w8 = *((const float *)(w + 32));
      const float w9 = *((const float *)(w + 36));
      const float w10 = *((const float *)(w + 40));
      const float w11 = *((const float *)(w + 44));
      const float w12 = *((const float *)(w + 48));
      const float w13 = *((const float *)(w + 52));
      const float w14 = *((const float *)(w + 56));
      const float w15 = *((const float *)(w + 60));
      const float w16 = *((const float *)(w + LAYER1_BUNDLE));
      const float w17 = *((const float *)(w + LAYER1_BUNDLE + 4));
      const float w18 = *((const float *)(w + LAYER1_BUNDLE + 8));
      const float w19 = *((const float *)(w + LAYER1_BUNDLE + 12));
      const float w20 = *((const float *)(w + LAYER1_BUNDLE + 16));
      const float w21 = *((const float *)(w + LAYER1_BUNDLE + 20));
      const float w22 = *((const float *)(w + LAYER1_BUNDLE + 24));
      const float w23 = *((const float *)(w + LAYER1_BUNDLE + 28));
      const float w24 = *((const float *)(w + LAYER1_BUNDLE + 32));
      const float w25 = *((const float *)(w + LAYER1_BUNDLE + 36));
      const float w26 = *((const float *)(w + LAYER1_BUNDLE + 40));
      const float w27 = *((const float *)(w + LAYER1_BUNDLE + 44));
      const float w28 = *((const float *)(w + LAYER1_BUNDLE + 48));
      const float w29 = *((const float *)(w + LAYER1_BUNDLE + 52));
      const float w30 = *((const float *)(w + LAYER1_BUNDLE + 56));
      const float w31 = *((const float *)(w + LAYER1_BUNDLE + 60));
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
      const float w0 = *((const float *)(w + LAYER1_STEP));
      const float w1 = *((const float *)(w + LAYER1_STEP + 4));
      const float w2 = *((const float *)(w + LAYER1_STEP + 8));
      const float w3 = *((const float *)(w + LAYER1_STEP + 12));
      const float w4 = *((const float *)(w + LAYER1_STEP + 16));
      const float w5 = *((const float *)(w + LAYER1_STEP + 20));
      const float w6 = *((const float *)(w + LAYER1_STEP + 24));
      const float w7 = *((const float *)(w + LAYER1_STEP + 28));
      const float w8 = *((const float *)(w + LAYER1_STEP + 32));
      const float w9 = *((const float *)(w + LAYER1_STEP + 36));
      const float w10 = *((const float *)(w + LAYER1_STEP + 40));
      const float w11 = *((const float *)(w + LAYER1_STEP + 44));
      const float w12 = *((const float *)(w + LAYER1_STEP + 48));
      const float w13 = *((const float *)(w + LAYER1_STEP + 52));
      const float w14 = *((const float *)(w + LAYER1_STEP + 56));
      const float w15 = *((const float *)(w + LAYER1_STEP + 60));
      const float w16 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE));
      const float w17 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 4));
      const float w18 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 8));
      const float w19 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 12));
      const float w20 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 16));
      const float w21 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 20));
      const float w22 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 24));
      const float w23 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 28));
      const float w24 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 32));
      const float w25 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 36));
      const float w26 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 40));
      const float w27 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 44));
      const float w28 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 48));
      const float w29 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 52));
      const float w30 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 56));
      const float w31 = *((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 60));
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
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  ffn_add_4_c(&s0_8_0, &s0_9_0, &s0_10_0, &s0_11_0, s0_8_1, s0_9_1, s0_10_1, s0_11_1);
  ffn_add_4_c(&s0_12_0, &s0_13_0, &s0_14_0, &s0_15_0, s0_12_1, s0_13_1, s0_14_1, s0_15_1);
  ffn_add_4_c(&s0_16_0, &s0_17_0, &s0_18_0, &s0_19_0, s0_16_1, s0_17_1, s0_18_1, s0_19_1);
  ffn_add_4_c(&s0_20_0, &s0_21_0, &s0_22_0, &s0_23_0, s0_20_1, s0_21_1, s0_22_1, s0_23_1);
  ffn_add_4_c(&s0_24_0, &s0_25_0, &s0_26_0, &s0_27_0, s0_24_1, s0_25_1, s0_26_1, s0_27_1);
  ffn_add_4_c(&s0_28_0, &s0_29_0, &s0_30_0, &s0_31_0, s0_28_1, s0_29_1, s0_30_1, s0_31_1);
  ffn_keep_4_c(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  ffn_keep_4_c(sum + 4, s0_4_0, s0_5_0, s0_6_0, s0_7_0);
  ffn_keep_4_c(sum + 8, s0_8_0, s0_9_0, s0_10_0, s0_11_0);
  ffn_keep_4_c(sum + 12, s0_12_0, s0_13_0, s0_14_0, s0_15_0);
  ffn_keep_4_c(sum + 16, s0_16_0, s0_17_0, s0_18_0, s0_19_0);
  ffn_keep_4_c(sum + 20, s0_20_0, s0_21_0, s0_22_0, s0_23_0);
  ffn_keep_4_c(sum + 24, s0_24_0, s0_25_0, s0_26_0, s0_27_0);
  ffn_keep_4_c(sum + 28, s0_28_0, s0_29_0, s0_30_0, s0_31_0);
}

/* The 32 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void layer1_sums_32(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  (void)rows;
  layer1_sums_tile_32(sum, a, w, lane, 1);
}

/* sum[row][branch][8] = a w: at most 3 rows x 8 columns, all 10 k, in 57 scalars. `sum` begins
 * at a multiple of 4 bytes, `w` of 64, `a` of 4. `rows` is a constant at each call: what fewer
 * rows do not use compiles away. */
FFN_INLINE void layer1_sums_tile_8(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  w += lane * 4;
  float s0_0_0 = 0.0f, s0_1_0 = 0.0f, s0_2_0 = 0.0f, s0_3_0 = 0.0f, s0_4_0 = 0.0f,
      s0_5_0 = 0.0f, s0_6_0 = 0.0f, s0_7_0 = 0.0f, s0_0_1 = 0.0f, s0_1_1 = 0.0f,
      s0_2_1 = 0.0f, s0_3_1 = 0.0f, s0_4_1 = 0.0f, s0_5_1 = 0.0f, s0_6_1 = 0.0f,
      s0_7_1 = 0.0f;
  float s1_0_0 = 0.0f, s1_1_0 = 0.0f, s1_2_0 = 0.0f, s1_3_0 = 0.0f, s1_4_0 = 0.0f,
      s1_5_0 = 0.0f, s1_6_0 = 0.0f, s1_7_0 = 0.0f, s1_0_1 = 0.0f, s1_1_1 = 0.0f,
      s1_2_1 = 0.0f, s1_3_1 = 0.0f, s1_4_1 = 0.0f, s1_5_1 = 0.0f, s1_6_1 = 0.0f,
      s1_7_1 = 0.0f;
  float s2_0_0 = 0.0f, s2_1_0 = 0.0f, s2_2_0 = 0.0f, s2_3_0 = 0.0f, s2_4_0 = 0.0f,
      s2_5_0 = 0.0f, s2_6_0 = 0.0f, s2_7_0 = 0.0f, s2_0_1 = 0.0f, s2_1_1 = 0.0f,
      s2_2_1 = 0.0f, s2_3_1 = 0.0f, s2_4_1 = 0.0f, s2_5_1 = 0.0f, s2_6_1 = 0.0f,
      s2_7_1 = 0.0f;
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
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
      const float w0 = *((const float *)(w + LAYER1_STEP));
      const float w1 = *((const float *)(w + LAYER1_STEP + 4));
      const float w2 = *((const float *)(w + LAYER1_STEP + 8));
      const float w3 = *((const float *)(w + LAYER1_STEP + 12));
      const float w4 = *((const float *)(w + LAYER1_STEP + 16));
      const float w5 = *((const float *)(w + LAYER1_STEP + 20));
      const float w6 = *((const float *)(w + LAYER1_STEP + 24));
      const float w7 = *((const float *)(w + LAYER1_STEP + 28));
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
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  if (rows > 1) {
    ffn_add_4_c(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
    ffn_add_4_c(&s1_4_0, &s1_5_0, &s1_6_0, &s1_7_0, s1_4_1, s1_5_1, s1_6_1, s1_7_1);
  }
  if (rows > 2) {
    ffn_add_4_c(&s2_0_0, &s2_1_0, &s2_2_0, &s2_3_0, s2_0_1, s2_1_1, s2_2_1, s2_3_1);
    ffn_add_4_c(&s2_4_0, &s2_5_0, &s2_6_0, &s2_7_0, s2_4_1, s2_5_1, s2_6_1, s2_7_1);
  }
  ffn_keep_4_c(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  ffn_keep_4_c(sum + 4, s0_4_0, s0_5_0, s0_6_0, s0_7_0);
  if (rows > 1) {
    ffn_keep_4_c(sum + 8, s1_0_0, s1_1_0, s1_2_0, s1_3_0);
    ffn_keep_4_c(sum + 12, s1_4_0, s1_5_0, s1_6_0, s1_7_0);
  }
  if (rows > 2) {
    ffn_keep_4_c(sum + 16, s2_0_0, s2_1_0, s2_2_0, s2_3_0);
    ffn_keep_4_c(sum + 20, s2_4_0, s2_5_0, s2_6_0, s2_7_0);
  }
}

/* The 8 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void layer1_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  switch (rows) {
  case 1:
    layer1_sums_tile_8(sum, a, w, lane, 1);
    break;
  case 2:
    layer1_sums_tile_8(sum, a, w, lane, 2);
    break;
  case 3:
    layer1_sums_tile_8(sum, a, w, lane, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* h1 = relu(linear), of all rows x `cols` columns from `column` on, in 2 scalars; beyond the
 * last output it meets zero weights. `sum` begins at a multiple of 4 bytes, `out` of 4. */
FFN_NOINLINE void layer1_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, LAYER2_ROW);
      const float linear = (*(sum + c) + *(linear_bias + c));
      *(out) = act_relu(linear);
    }
  }
}

/* The bundle of the output `column`, from input k on. Sizes, in capitals, are those of the
 * caller, and constants. */
FFN_INLINE const char *weights_at(
    const ffn_task *task, size_t column, size_t k,
    const size_t WIDTH, const size_t BUNDLE, const size_t STEP) {
  const size_t bundle = (column - task->begins) / WIDTH;
  return task->weights + bundle * BUNDLE + k * STEP;
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. Sizes, in capitals, are
 * those of the caller, and constants. */
FFN_INLINE size_t walk_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t),
    const size_t WIDTH, const size_t STREAM_ROWS, const size_t CHUNK, const size_t BUNDLE,
    const size_t STEP, const size_t ROW,
    void (*const finish)(const ffn_task *, const float *, size_t, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = ffn_max(cols, WIDTH); /* whole bundles */
  const size_t chunk = task->rows <= STREAM_ROWS ? strip : ffn_min(left / strip * strip, CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += strip) {
    const char *weights = weights_at(task, column + g, 0, WIDTH, BUNDLE, STEP);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + strip; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * ROW;
        const char *w = weights;
        const size_t lane = c - g;
        sums(sum, a, w, lane, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer1_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t)) {
  return walk_chunk(task, column, cols, most, sums, LAYER1_WIDTH, LAYER1_STREAM_ROWS, LAYER1_CHUNK,
    LAYER1_BUNDLE, LAYER1_STEP, LAYER1_ROW, layer1_finish);
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void layer1_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 32)
    column += layer1_chunk(task, column, 32, 1, layer1_sums_32);
  while (column < task->last)
    column += layer1_chunk(task, column, 8, 3, layer1_sums_8);
}

/* sum[row][branch][16] = a w: one row x 16 columns, all 64 k, in 66 scalars. `sum` begins at a
 * multiple of 4 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void layer2_sums_tile_16(
    float *sum, const float *a, const char *w, const int rows) {
  (void)rows;
  float s0_0_0 = 0.0f, s0_1_0 = 0.0f, s0_2_0 = 0.0f, s0_3_0 = 0.0f, s0_4_0 = 0.0f,
      s0_5_0 = 0.0f, s0_6_0 = 0.0f, s0_7_0 = 0.0f, s0_8_0 = 0.0f, s0_9_0 = 0.0f,
      s0_10_0 = 0.0f, s0_11_0 = 0.0f, s0_12_0 = 0.0f, s0_13_0 = 0.0f, s0_14_0 = 0.0f,
      s0_15_0 = 0.0f, s0_0_1 = 0.0f, s0_1_1 = 0.0f, s0_2_1 = 0.0f, s0_3_1 = 0.0f,
      s0_4_1 = 0.0f, s0_5_1 = 0.0f, s0_6_1 = 0.0f, s0_7_1 = 0.0f, s0_8_1 = 0.0f,
      s0_9_1 = 0.0f, s0_10_1 = 0.0f, s0_11_1 = 0.0f, s0_12_1 = 0.0f, s0_13_1 = 0.0f,
      s0_14_1 = 0.0f, s0_15_1 = 0.0f, s0_0_2 = 0.0f, s0_1_2 = 0.0f, s0_2_2 = 0.0f,
      s0_3_2 = 0.0f, s0_4_2 = 0.0f, s0_5_2 = 0.0f, s0_6_2 = 0.0f, s0_7_2 = 0.0f,
      s0_8_2 = 0.0f, s0_9_2 = 0.0f, s0_10_2 = 0.0f, s0_11_2 = 0.0f, s0_12_2 = 0.0f,
      s0_13_2 = 0.0f, s0_14_2 = 0.0f, s0_15_2 = 0.0f, s0_0_3 = 0.0f, s0_1_3 = 0.0f,
      s0_2_3 = 0.0f, s0_3_3 = 0.0f, s0_4_3 = 0.0f, s0_5_3 = 0.0f, s0_6_3 = 0.0f,
      s0_7_3 = 0.0f, s0_8_3 = 0.0f, s0_9_3 = 0.0f, s0_10_3 = 0.0f, s0_11_3 = 0.0f,
      s0_12_3 = 0.0f, s0_13_3 = 0.0f, s0_14_3 = 0.0f, s0_15_3 = 0.0f;
  size_t k = 0;
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
      const float w8 = *((const float *)(w + 32));
      const float w9 = *((const float *)(w + 36));
      const float w10 = *((const float *)(w + 40));
      const float w11 = *((const float *)(w + 44));
      const float w12 = *((const float *)(w + 48));
      const float w13 = *((const float *)(w + 52));
      const float w14 = *((const float *)(w + 56));
      const float w15 = *((const float *)(w + 60));
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
    }
    {
      const float w0 = *((const float *)(w + LAYER2_STEP));
      const float w1 = *((const float *)(w + LAYER2_STEP + 4));
      const float w2 = *((const float *)(w + LAYER2_STEP + 8));
      const float w3 = *((const float *)(w + LAYER2_STEP + 12));
      const float w4 = *((const float *)(w + LAYER2_STEP + 16));
      const float w5 = *((const float *)(w + LAYER2_STEP + 20));
      const float w6 = *((const float *)(w + LAYER2_STEP + 24));
      const float w7 = *((const float *)(w + LAYER2_STEP + 28));
      const float w8 = *((const float *)(w + LAYER2_STEP + 32));
      const float w9 = *((const float *)(w + LAYER2_STEP + 36));
      const float w10 = *((const float *)(w + LAYER2_STEP + 40));
      const float w11 = *((const float *)(w + LAYER2_STEP + 44));
      const float w12 = *((const float *)(w + LAYER2_STEP + 48));
      const float w13 = *((const float *)(w + LAYER2_STEP + 52));
      const float w14 = *((const float *)(w + LAYER2_STEP + 56));
      const float w15 = *((const float *)(w + LAYER2_STEP + 60));
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
    }
    {
      const float w0 = *((const float *)(w + 2 * LAYER2_STEP));
      const float w1 = *((const float *)(w + 2 * LAYER2_STEP + 4));
      const float w2 = *((const float *)(w + 2 * LAYER2_STEP + 8));
      const float w3 = *((const float *)(w + 2 * LAYER2_STEP + 12));
      const float w4 = *((const float *)(w + 2 * LAYER2_STEP + 16));
      const float w5 = *((const float *)(w + 2 * LAYER2_STEP + 20));
      const float w6 = *((const float *)(w + 2 * LAYER2_STEP + 24));
      const float w7 = *((const float *)(w + 2 * LAYER2_STEP + 28));
      const float w8 = *((const float *)(w + 2 * LAYER2_STEP + 32));
      const float w9 = *((const float *)(w + 2 * LAYER2_STEP + 36));
      const float w10 = *((const float *)(w + 2 * LAYER2_STEP + 40));
      const float w11 = *((const float *)(w + 2 * LAYER2_STEP + 44));
      const float w12 = *((const float *)(w + 2 * LAYER2_STEP + 48));
      const float w13 = *((const float *)(w + 2 * LAYER2_STEP + 52));
      const float w14 = *((const float *)(w + 2 * LAYER2_STEP + 56));
      const float w15 = *((const float *)(w + 2 * LAYER2_STEP + 60));
      const float x0 = a[k + 2];
      s0_0_2 = ffn_fma(x0, w0, s0_0_2);
      s0_1_2 = ffn_fma(x0, w1, s0_1_2);
      s0_2_2 = ffn_fma(x0, w2, s0_2_2);
      s0_3_2 = ffn_fma(x0, w3, s0_3_2);
      s0_4_2 = ffn_fma(x0, w4, s0_4_2);
      s0_5_2 = ffn_fma(x0, w5, s0_5_2);
      s0_6_2 = ffn_fma(x0, w6, s0_6_2);
      s0_7_2 = ffn_fma(x0, w7, s0_7_2);
      s0_8_2 = ffn_fma(x0, w8, s0_8_2);
      s0_9_2 = ffn_fma(x0, w9, s0_9_2);
      s0_10_2 = ffn_fma(x0, w10, s0_10_2);
      s0_11_2 = ffn_fma(x0, w11, s0_11_2);
      s0_12_2 = ffn_fma(x0, w12, s0_12_2);
      s0_13_2 = ffn_fma(x0, w13, s0_13_2);
      s0_14_2 = ffn_fma(x0, w14, s0_14_2);
      s0_15_2 = ffn_fma(x0, w15, s0_15_2);
    }
    {
      const float w0 = *((const float *)(w + 3 * LAYER2_STEP));
      const float w1 = *((const float *)(w + 3 * LAYER2_STEP + 4));
      const float w2 = *((const float *)(w + 3 * LAYER2_STEP + 8));
      const float w3 = *((const float *)(w + 3 * LAYER2_STEP + 12));
      const float w4 = *((const float *)(w + 3 * LAYER2_STEP + 16));
      const float w5 = *((const float *)(w + 3 * LAYER2_STEP + 20));
      const float w6 = *((const float *)(w + 3 * LAYER2_STEP + 24));
      const float w7 = *((const float *)(w + 3 * LAYER2_STEP + 28));
      const float w8 = *((const float *)(w + 3 * LAYER2_STEP + 32));
      const float w9 = *((const float *)(w + 3 * LAYER2_STEP + 36));
      const float w10 = *((const float *)(w + 3 * LAYER2_STEP + 40));
      const float w11 = *((const float *)(w + 3 * LAYER2_STEP + 44));
      const float w12 = *((const float *)(w + 3 * LAYER2_STEP + 48));
      const float w13 = *((const float *)(w + 3 * LAYER2_STEP + 52));
      const float w14 = *((const float *)(w + 3 * LAYER2_STEP + 56));
      const float w15 = *((const float *)(w + 3 * LAYER2_STEP + 60));
      const float x0 = a[k + 3];
      s0_0_3 = ffn_fma(x0, w0, s0_0_3);
      s0_1_3 = ffn_fma(x0, w1, s0_1_3);
      s0_2_3 = ffn_fma(x0, w2, s0_2_3);
      s0_3_3 = ffn_fma(x0, w3, s0_3_3);
      s0_4_3 = ffn_fma(x0, w4, s0_4_3);
      s0_5_3 = ffn_fma(x0, w5, s0_5_3);
      s0_6_3 = ffn_fma(x0, w6, s0_6_3);
      s0_7_3 = ffn_fma(x0, w7, s0_7_3);
      s0_8_3 = ffn_fma(x0, w8, s0_8_3);
      s0_9_3 = ffn_fma(x0, w9, s0_9_3);
      s0_10_3 = ffn_fma(x0, w10, s0_10_3);
      s0_11_3 = ffn_fma(x0, w11, s0_11_3);
      s0_12_3 = ffn_fma(x0, w12, s0_12_3);
      s0_13_3 = ffn_fma(x0, w13, s0_13_3);
      s0_14_3 = ffn_fma(x0, w14, s0_14_3);
      s0_15_3 = ffn_fma(x0, w15, s0_15_3);
    }
  }
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_2, s0_1_2, s0_2_2, s0_3_2);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_2, s0_5_2, s0_6_2, s0_7_2);
  ffn_add_4_c(&s0_8_0, &s0_9_0, &s0_10_0, &s0_11_0, s0_8_2, s0_9_2, s0_10_2, s0_11_2);
  ffn_add_4_c(&s0_12_0, &s0_13_0, &s0_14_0, &s0_15_0, s0_12_2, s0_13_2, s0_14_2, s0_15_2);
  ffn_add_4_c(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_3, s0_1_3, s0_2_3, s0_3_3);
  ffn_add_4_c(&s0_4_1, &s0_5_1, &s0_6_1, &s0_7_1, s0_4_3, s0_5_3, s0_6_3, s0_7_3);
  ffn_add_4_c(&s0_8_1, &s0_9_1, &s0_10_1, &s0_11_1, s0_8_3, s0_9_3, s0_10_3, s0_11_3);
  ffn_add_4_c(&s0_12_1, &s0_13_1, &s0_14_1, &s0_15_1, s0_12_3, s0_13_3, s0_14_3, s0_15_3);
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  ffn_add_4_c(&s0_8_0, &s0_9_0, &s0_10_0, &s0_11_0, s0_8_1, s0_9_1, s0_10_1, s0_11_1);
  ffn_add_4_c(&s0_12_0, &s0_13_0, &s0_14_0, &s0_15_0, s0_12_1, s0_13_1, s0_14_1, s0_15_1);
  ffn_keep_4_c(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  ffn_keep_4_c(sum + 4, s0_4_0, s0_5_0, s0_6_0, s0_7_0);
  ffn_keep_4_c(sum + 8, s0_8_0, s0_9_0, s0_10_0, s0_11_0);
  ffn_keep_4_c(sum + 12, s0_12_0, s0_13_0, s0_14_0, s0_15_0);
}

/* The 16 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void layer2_sums_16(float *sum, const float *a, const char *w, size_t rows) {
  (void)rows;
  layer2_sums_tile_16(sum, a, w, 1);
}

/* h2 = relu(linear), of all rows x `cols` columns from `column` on, in 2 scalars; beyond the
 * last output it meets zero weights. `sum` begins at a multiple of 4 bytes, `out` of 4. */
FFN_NOINLINE void layer2_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, LAYER3_ROW);
      const float linear = ((*(sum + c) + 0.0f) + *(linear_bias + c));
      *(out) = act_relu(linear);
    }
  }
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer2_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= LAYER2_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, LAYER2_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += strip) {
    const char *weights = weights_at(task, column + g, 0, LAYER2_WIDTH, LAYER2_BUNDLE, LAYER2_STEP);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + strip; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LAYER2_ROW;
        const char *w = weights;
        sums(sum, a, w, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    layer2_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void layer2_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += layer2_chunk(task, column, 16, 1, layer2_sums_16);
}

/* sum[row][branch][8] = a w: one row x 8 columns, all 32 k, in 66 scalars. `sum` begins at a
 * multiple of 4 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void layer3_sums_tile_8(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  (void)rows;
  w += lane * 4;
  float s0_0_0 = 0.0f, s0_1_0 = 0.0f, s0_2_0 = 0.0f, s0_3_0 = 0.0f, s0_4_0 = 0.0f,
      s0_5_0 = 0.0f, s0_6_0 = 0.0f, s0_7_0 = 0.0f, s0_0_1 = 0.0f, s0_1_1 = 0.0f,
      s0_2_1 = 0.0f, s0_3_1 = 0.0f, s0_4_1 = 0.0f, s0_5_1 = 0.0f, s0_6_1 = 0.0f,
      s0_7_1 = 0.0f, s0_0_2 = 0.0f, s0_1_2 = 0.0f, s0_2_2 = 0.0f, s0_3_2 = 0.0f,
      s0_4_2 = 0.0f, s0_5_2 = 0.0f, s0_6_2 = 0.0f, s0_7_2 = 0.0f, s0_0_3 = 0.0f,
      s0_1_3 = 0.0f, s0_2_3 = 0.0f, s0_3_3 = 0.0f, s0_4_3 = 0.0f, s0_5_3 = 0.0f,
      s0_6_3 = 0.0f, s0_7_3 = 0.0f, s0_0_4 = 0.0f, s0_1_4 = 0.0f, s0_2_4 = 0.0f,
      s0_3_4 = 0.0f, s0_4_4 = 0.0f, s0_5_4 = 0.0f, s0_6_4 = 0.0f, s0_7_4 = 0.0f,
      s0_0_5 = 0.0f, s0_1_5 = 0.0f, s0_2_5 = 0.0f, s0_3_5 = 0.0f, s0_4_5 = 0.0f,
      s0_5_5 = 0.0f, s0_6_5 = 0.0f, s0_7_5 = 0.0f, s0_0_6 = 0.0f, s0_1_6 = 0.0f,
      s0_2_6 = 0.0f, s0_3_6 = 0.0f, s0_4_6 = 0.0f, s0_5_6 = 0.0f, s0_6_6 = 0.0f,
      s0_7_6 = 0.0f, s0_0_7 = 0.0f, s0_1_7 = 0.0f, s0_2_7 = 0.0f, s0_3_7 = 0.0f,
      s0_4_7 = 0.0f, s0_5_7 = 0.0f, s0_6_7 = 0.0f, s0_7_7 = 0.0f;
  size_t k = 0;
  for (; k + 8 <= LAYER3_INPUTS; k += 8, w += 8 * LAYER3_STEP) {
    {
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
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
      const float w0 = *((const float *)(w + LAYER3_STEP));
      const float w1 = *((const float *)(w + LAYER3_STEP + 4));
      const float w2 = *((const float *)(w + LAYER3_STEP + 8));
      const float w3 = *((const float *)(w + LAYER3_STEP + 12));
      const float w4 = *((const float *)(w + LAYER3_STEP + 16));
      const float w5 = *((const float *)(w + LAYER3_STEP + 20));
      const float w6 = *((const float *)(w + LAYER3_STEP + 24));
      const float w7 = *((const float *)(w + LAYER3_STEP + 28));
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
      const float w0 = *((const float *)(w + 2 * LAYER3_STEP));
      const float w1 = *((const float *)(w + 2 * LAYER3_STEP + 4));
      const float w2 = *((const float *)(w + 2 * LAYER3_STEP + 8));
      const float w3 = *((const float *)(w + 2 * LAYER3_STEP + 12));
      const float w4 = *((const float *)(w + 2 * LAYER3_STEP + 16));
      const float w5 = *((const float *)(w + 2 * LAYER3_STEP + 20));
      const float w6 = *((const float *)(w + 2 * LAYER3_STEP + 24));
      const float w7 = *((const float *)(w + 2 * LAYER3_STEP + 28));
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
      const float w0 = *((const float *)(w + 3 * LAYER3_STEP));
      const float w1 = *((const float *)(w + 3 * LAYER3_STEP + 4));
      const float w2 = *((const float *)(w + 3 * LAYER3_STEP + 8));
      const float w3 = *((const float *)(w + 3 * LAYER3_STEP + 12));
      const float w4 = *((const float *)(w + 3 * LAYER3_STEP + 16));
      const float w5 = *((const float *)(w + 3 * LAYER3_STEP + 20));
      const float w6 = *((const float *)(w + 3 * LAYER3_STEP + 24));
      const float w7 = *((const float *)(w + 3 * LAYER3_STEP + 28));
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
      const float w0 = *((const float *)(w + 4 * LAYER3_STEP));
      const float w1 = *((const float *)(w + 4 * LAYER3_STEP + 4));
      const float w2 = *((const float *)(w + 4 * LAYER3_STEP + 8));
      const float w3 = *((const float *)(w + 4 * LAYER3_STEP + 12));
      const float w4 = *((const float *)(w + 4 * LAYER3_STEP + 16));
      const float w5 = *((const float *)(w + 4 * LAYER3_STEP + 20));
      const float w6 = *((const float *)(w + 4 * LAYER3_STEP + 24));
      const float w7 = *((const float *)(w + 4 * LAYER3_STEP + 28));
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
      const float w0 = *((const float *)(w + 5 * LAYER3_STEP));
      const float w1 = *((const float *)(w + 5 * LAYER3_STEP + 4));
      const float w2 = *((const float *)(w + 5 * LAYER3_STEP + 8));
      const float w3 = *((const float *)(w + 5 * LAYER3_STEP + 12));
      const float w4 = *((const float *)(w + 5 * LAYER3_STEP + 16));
      const float w5 = *((const float *)(w + 5 * LAYER3_STEP + 20));
      const float w6 = *((const float *)(w + 5 * LAYER3_STEP + 24));
      const float w7 = *((const float *)(w + 5 * LAYER3_STEP + 28));
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
      const float w0 = *((const float *)(w + 6 * LAYER3_STEP));
      const float w1 = *((const float *)(w + 6 * LAYER3_STEP + 4));
      const float w2 = *((const float *)(w + 6 * LAYER3_STEP + 8));
      const float w3 = *((const float *)(w + 6 * LAYER3_STEP + 12));
      const float w4 = *((const float *)(w + 6 * LAYER3_STEP + 16));
      const float w5 = *((const float *)(w + 6 * LAYER3_STEP + 20));
      const float w6 = *((const float *)(w + 6 * LAYER3_STEP + 24));
      const float w7 = *((const float *)(w + 6 * LAYER3_STEP + 28));
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
      const float w0 = *((const float *)(w + 7 * LAYER3_STEP));
      const float w1 = *((const float *)(w + 7 * LAYER3_STEP + 4));
      const float w2 = *((const float *)(w + 7 * LAYER3_STEP + 8));
      const float w3 = *((const float *)(w + 7 * LAYER3_STEP + 12));
      const float w4 = *((const float *)(w + 7 * LAYER3_STEP + 16));
      const float w5 = *((const float *)(w + 7 * LAYER3_STEP + 20));
      const float w6 = *((const float *)(w + 7 * LAYER3_STEP + 24));
      const float w7 = *((const float *)(w + 7 * LAYER3_STEP + 28));
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
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_4, s0_1_4, s0_2_4, s0_3_4);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_4, s0_5_4, s0_6_4, s0_7_4);
  ffn_add_4_c(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_5, s0_1_5, s0_2_5, s0_3_5);
  ffn_add_4_c(&s0_4_1, &s0_5_1, &s0_6_1, &s0_7_1, s0_4_5, s0_5_5, s0_6_5, s0_7_5);
  ffn_add_4_c(&s0_0_2, &s0_1_2, &s0_2_2, &s0_3_2, s0_0_6, s0_1_6, s0_2_6, s0_3_6);
  ffn_add_4_c(&s0_4_2, &s0_5_2, &s0_6_2, &s0_7_2, s0_4_6, s0_5_6, s0_6_6, s0_7_6);
  ffn_add_4_c(&s0_0_3, &s0_1_3, &s0_2_3, &s0_3_3, s0_0_7, s0_1_7, s0_2_7, s0_3_7);
  ffn_add_4_c(&s0_4_3, &s0_5_3, &s0_6_3, &s0_7_3, s0_4_7, s0_5_7, s0_6_7, s0_7_7);
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_2, s0_1_2, s0_2_2, s0_3_2);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_2, s0_5_2, s0_6_2, s0_7_2);
  ffn_add_4_c(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_3, s0_1_3, s0_2_3, s0_3_3);
  ffn_add_4_c(&s0_4_1, &s0_5_1, &s0_6_1, &s0_7_1, s0_4_3, s0_5_3, s0_6_3, s0_7_3);
  ffn_add_4_c(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_c(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  ffn_keep_4_c(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  ffn_keep_4_c(sum + 4, s0_4_0, s0_5_0, s0_6_0, s0_7_0);
}

/* The 8 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void layer3_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  (void)rows;
  layer3_sums_tile_8(sum, a, w, lane, 1);
}

/* y = sigmoid(linear), of all rows x `cols` columns from `column` on, in 5 scalars. `sum` begins
 * at a multiple of 4 bytes, `out` of 4. */
FFN_NOINLINE void layer3_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  const size_t valid = column < LAYER3_OUTPUTS ? ffn_min(LAYER3_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 1) {
      float *out = task->out + row * task->out_stride + column + c;
      const float linear = ((*(sum + c) + 0.0f) + *(linear_bias + c));
      *(out) = act_sigmoid(linear);
    }
  }
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer3_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t)) {
  return walk_chunk(task, column, cols, most, sums, LAYER3_WIDTH, LAYER3_STREAM_ROWS, LAYER3_CHUNK,
    LAYER3_BUNDLE, LAYER3_STEP, LAYER3_ROW, layer3_finish);
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void layer3_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += layer3_chunk(task, column, 8, 1, layer3_sums_8);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
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
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
    {
        LAYER2_INPUTS, /* inputs */
        LAYER2_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_RELU, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER2_INPUTS, /* k_block */
        4, /* chains */
        LAYER2_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
    {
        LAYER3_INPUTS, /* inputs */
        LAYER3_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_SIGMOID, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER3_INPUTS, /* k_block */
        8, /* chains */
        LAYER3_ROUNDINGS, /* sum_length */
        2.7f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        layer1_columns, /* columns */
        ffn_take_f32, /* take */
        LAYER1_INPUTS, /* inputs */
        LAYER1_OUTPUTS, /* outputs */
        0, /* in_at */
        LAYER1_ROW, /* block */
        32, /* column_step */
        LAYER1_AT, /* weights_at */
        LAYER1_BIAS_AT, /* bias_at */
    },
    {
        layer2_columns, /* columns */
        NULL, /* take */
        LAYER2_INPUTS, /* inputs */
        LAYER2_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        LAYER2_ROW, /* block */
        32, /* column_step */
        LAYER2_AT, /* weights_at */
        LAYER2_BIAS_AT, /* bias_at */
    },
    {
        layer3_columns, /* columns */
        NULL, /* take */
        LAYER3_INPUTS, /* inputs */
        LAYER3_OUTPUTS, /* outputs */
        0, /* in_at */
        LAYER3_ROW, /* block */
        16, /* column_step */
        LAYER3_AT, /* weights_at */
        LAYER3_BIAS_AT, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x764069b59f8f69af), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    ffn_walk_rows, /* rows */
    ffn_walk_columns, /* columns */
    3, /* stage_count */
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
    LAYER3_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS +
        2 * (uint64_t)LAYER3_INPUTS * LAYER3_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
    OPERAND1, /* add_at */
    ADD, /* add_columns */
    add_row, /* add_row */
#endif
};

#ifndef FFN_NO_PACK
/* Unpacks one weight of one output from lane `lane` of `members` panels side by side. `group`
 * begins at a multiple of 64 bytes, `w` of 4. */
static void unpack_f32(
    const char *group, size_t members, size_t lane, float *w, const char *head) {
  (void)members;
  (void)head;
  w[0] = *((const float *)group + lane);
}
/* Packs one weight of one output into lane `lane` of `members` panels side by side. `group`
 * begins at a multiple of 64 bytes, `w` of 4. */
static void pack_f32(
    char *group, size_t members, size_t lane, const float *w, char *head) {
  (void)members;
  (void)head;
  float weight;
  weight = w[0];
  FFN_MEMCPY(group + lane * sizeof weight, &weight, sizeof weight);
}
static const ffn_packing packing_f32 = {1, 64, 0, NULL, NULL, pack_f32, unpack_f32, NULL, NULL};

/* Packs all matrices and biases of 3 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 3, weights));
  ffn_pack_stage(
      header, &packing_f32, LAYER1_AT, LAYER1_WIDTH, LAYER1_BIAS_AT,
      stages, 0, weights, group);
  ffn_pack_stage(
      header, &packing_f32, LAYER2_AT, LAYER2_WIDTH, LAYER2_BIAS_AT,
      stages, 1, weights, group);
  ffn_pack_stage(
      header, &packing_f32, LAYER3_AT, LAYER3_WIDTH, LAYER3_BIAS_AT,
      stages, 2, weights, group);
}

/* Unpacks all matrices and biases of 3 stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[1];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
  ffn_unpack_stage(
      to, header, &packing_f32, LAYER1_AT, LAYER1_WIDTH, LAYER1_BIAS_AT,
      stages, 0, group);
  ffn_unpack_stage(
      to, header, &packing_f32, LAYER2_AT, LAYER2_WIDTH, LAYER2_BIAS_AT,
      stages, 1, group);
  ffn_unpack_stage(
      to, header, &packing_f32, LAYER3_AT, LAYER3_WIDTH, LAYER3_BIAS_AT,
      stages, 2, group);
}
#endif

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), LAYER1_WIDTH, LAYER1_BUNDLE},
    {FFN_IF_PACK(&packing_f32), LAYER2_WIDTH, LAYER2_BUNDLE},
    {FFN_IF_PACK(&packing_f32), LAYER3_WIDTH, LAYER3_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 3 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_c;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_c = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_c", /* name */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* layer */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* packed */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_C, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    0, /* hidden */
    LAYER3_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    3, /* stage_count */
    stages, /* stages */
    WEIGHT_BYTES, /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW, /* work_row_bytes */
    BESIDE, /* work_beside_bytes */
    1, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
            2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS +
            2 * (uint64_t)LAYER3_INPUTS * LAYER3_OUTPUTS, /* flop_per_token */
    FFN_IF_PACK(pack), /* pack */
    FFN_IF_PACK(unpack), /* unpack */
    run_forward, /* run */
    NULL, /* choices */
    FFN_IF_STAGES(&by_stage), /* staged */
};
FFN_EXACT_END
