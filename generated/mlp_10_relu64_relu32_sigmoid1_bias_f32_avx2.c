/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2
 * MLP chain 10 -> 64 relu -> 32 relu -> 1 sigmoid, with biases, f32, for avx2
 * A classifier: relu, relu, sigmoid
 *
 *     h1 = relu(x W_layer1^T + b_layer1)
 *     h2 = relu(h1 W_layer2^T + b_layer2)
 *     y = sigmoid(h2 W_layer3^T + b_layer3)
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_32_1
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, straight, line_tile, chains_loop, step,
 *            dots, loop, ascend, lanes_blocks, straight_rows, add, tables, api, descriptor, about
 * Tiles      layer1: rows x columns 4 x 24, 4 x 16; 3 x 24, 3 x 16; 2 x 32; 1 x 32, 1 branch
 * Tiles      layer2: rows x columns 4 x 16; 3 x 16; 2 x 32; 1 x 16, 1 branch
 * Tiles      layer3: rows x columns 4 x 1; 3 x 1; 2 x 1; 1 x 8, 1 branch
 * Walk       none: loops for 4 rows, loops for 3 rows, loops for 2 rows, a straight line for 1 row
 * Lanes      from 14 tokens on, blocks of 16 with one in each lane, sums of at most 4 outputs side
 *            by side
 * Cost       5440 flop per token; 13312 bytes of packed weights; 7936 bytes of work memory per
 *            thread, 6592 for one token
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 4 interleaved chains; at most 19 roundings
 * Sums       layer3: k ascends in 8 interleaved chains; at most 8 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 19 2^-24; relu exact
 * Error      layer3: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 8 2^-24; sigmoid at most 2.5
 *            ULP, and within (2.7 |y|) 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 11
#error "made for ABI 11 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif

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
};

enum {
  ROWS = 4, /* that are added to y at a time, at most */
  LANES = 16, /* tokens of a block, one in each lane */
  LANES_LEAST = 14, /* so many are worth a block */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 448, /* bytes of each in work memory */
  BESIDE = 6144, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 13312 };

/* A block of 16 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[32 * LANES];
  float odd[64 * LANES];
} lanes_memory;

FFN_INLINE void ffn_store_tail_avx2(float *out, __m256 value, size_t count) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  _mm256_maskstore_ps(out, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lane), value);
}

/* Four by four in each lane of 128 bits. */
FFN_INLINE void ffn_turn_avx2(__m256 *v) {
  const __m256 low = _mm256_unpacklo_ps(v[0], v[1]), low_2 = _mm256_unpacklo_ps(v[2], v[3]);
  const __m256 high = _mm256_unpackhi_ps(v[0], v[1]), high_2 = _mm256_unpackhi_ps(v[2], v[3]);
  v[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(low), _mm256_castps_pd(low_2)));
  v[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(low), _mm256_castps_pd(low_2)));
  v[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(high), _mm256_castps_pd(high_2)));
  v[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(high), _mm256_castps_pd(high_2)));
}

/* 4 floats of each of 8 tokens: [token][4], which begins at any float, to [4][token], at a multiple
 * of 32 bytes. */
FFN_INLINE void ffn_turn_in_avx2(float *to, size_t step, const float *from, size_t stride) {
  __m256 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    const float *row = from + i * stride;
    v[i] = _mm256_castps128_ps256(_mm_loadu_ps(row));
    v[i] = _mm256_insertf128_ps(v[i], _mm_loadu_ps(row + 4 * stride), 1);
  }
  ffn_turn_avx2(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    _mm256_store_ps(to + i * step, v[i]);
}

/* At most four `rows` of `a`, all `inputs` of each, times a column of weights, `step` apart. The
 * eight chains of a sum are lanes, and four sums are folded at once. The sum of row r in lane r.
 * `a` and its rows begin at a multiple of 32 bytes, w at any float. */
FFN_INLINE __m128 ffn_four_dots_avx2(
    const float *a, size_t stride, const float *w, size_t step, size_t inputs, const int rows) {
  __m256 s[4];
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    s[r] = _mm256_setzero_ps();
  for (size_t k = 0; k < inputs; k += 8, w += 8 * step) {
    const __m256 column = _mm256_setr_ps(w[0], w[step], w[2 * step], w[3 * step], w[4 * step],
                                         w[5 * step], w[6 * step], w[7 * step]);
    FFN_UNROLL
    for (int r = 0; r < rows; ++r)
      s[r] = _mm256_fmadd_ps(_mm256_load_ps(a + (size_t)r * stride + k), column, s[r]);
  }
  __m128 h[4];
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    h[r] = _mm_add_ps(_mm256_castps256_ps128(s[r]), _mm256_extractf128_ps(s[r], 1));
  h[0] = _mm_add_ps(_mm_unpacklo_ps(h[0], h[1]), _mm_unpackhi_ps(h[0], h[1]));
  h[2] = _mm_add_ps(_mm_unpacklo_ps(h[2], h[3]), _mm_unpackhi_ps(h[2], h[3]));
  return _mm_add_ps(_mm_movelh_ps(h[0], h[2]), _mm_movehl_ps(h[2], h[0]));
}

FFN_INLINE __m256 ffn_dots_avx2(
    const float *a, size_t stride, const float *w, size_t step, size_t inputs, const int rows) {
  return _mm256_zextps128_ps256(ffn_four_dots_avx2(a, stride, w, step, inputs, rows));
}

/* Puts sums into an array. */
FFN_SHARED void ffn_put_4_avx2(
    __m256 *to, const __m256 a, const __m256 b, const __m256 c, const __m256 d) {
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}

/* Puts sums into an array. */
FFN_SHARED void ffn_put_2_avx2(
    __m256 *to, const __m256 a, const __m256 b) {
  to[0] = a;
  to[1] = b;
}

/* Adds sums to others. */
FFN_SHARED void ffn_add_4_avx2(
    __m256 *to_a, __m256 *to_b, __m256 *to_c, __m256 *to_d, const __m256 a, const __m256 b,
    const __m256 c, const __m256 d) {
  *to_a = _mm256_add_ps(*to_a, a);
  *to_b = _mm256_add_ps(*to_b, b);
  *to_c = _mm256_add_ps(*to_c, c);
  *to_d = _mm256_add_ps(*to_d, d);
}

/* Adds sums to others. */
FFN_SHARED void ffn_add_2_avx2(
    __m256 *to_a, __m256 *to_b, const __m256 a, const __m256 b) {
  *to_a = _mm256_add_ps(*to_a, a);
  *to_b = _mm256_add_ps(*to_b, b);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202.
 * In each of 8 lanes. */
FFN_INLINE __m256 act_relu(const __m256 x) {
  return _mm256_max_ps(_mm256_set1_ps(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. In each of 8 lanes. */
FFN_INLINE __m256 act_sigmoid(const __m256 x) {
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
  const __m256 least = _mm256_max_ps(_mm256_set1_ps(vanishes), x);
  const __m256 a = _mm256_min_ps(_mm256_set1_ps(is_one), least);
  const __m256 shifted = _mm256_fmadd_ps(a, _mm256_set1_ps(per_one), _mm256_set1_ps(magic));
  const __m256 steps = _mm256_sub_ps(shifted, _mm256_set1_ps(magic));
  const __m256i bits = _mm256_castps_si256(shifted);
  const __m256i n = _mm256_sub_epi32(bits, _mm256_set1_epi32(magic_bits));
  const __m256 nearly_r = _mm256_fmadd_ps(steps, _mm256_set1_ps(high), a);
  const __m256 r = _mm256_fmadd_ps(steps, _mm256_set1_ps(low), nearly_r);
  const __m256 poly = _mm256_fmadd_ps(_mm256_set1_ps(e6), r, _mm256_set1_ps(e5));
  const __m256 poly_2 = _mm256_fmadd_ps(poly, r, _mm256_set1_ps(e4));
  const __m256 poly_3 = _mm256_fmadd_ps(poly_2, r, _mm256_set1_ps(e3));
  const __m256 poly_4 = _mm256_fmadd_ps(poly_3, r, _mm256_set1_ps(e2));
  const __m256 poly_5 = _mm256_fmadd_ps(poly_4, r, _mm256_set1_ps(e1));
  const __m256 p = _mm256_fmadd_ps(poly_5, r, _mm256_set1_ps(1.0f));
  const __m256i biased = _mm256_add_epi32(n, _mm256_set1_epi32(exponent_of_1));
  const __m256i exponent = _mm256_slli_epi32(biased, 23);
  const __m256 scale = _mm256_castsi256_ps(exponent);
  const __m256 denominator = _mm256_fmadd_ps(p, scale, _mm256_set1_ps(one));
  return _mm256_div_ps(_mm256_set1_ps(one), denominator);
}

/* layer1: sums of at most 4 outputs over every 2. of 10 k, from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 32 bytes, `w` of 64. */
FFN_INLINE void layer1_chain(
    __m256 *s, const float *a, const char *w, size_t k, const int outputs) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s1_0 = zero, s1_1 = zero, s2_0 = zero, s2_1 = zero,
      s3_0 = zero, s3_1 = zero;
  a += k * LANES;
  w += k * LAYER1_STEP;
  for (; k + 6 < LAYER1_INPUTS;
       k += 8, a += 8 * LANES, w += 8 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m256 x0 = _mm256_load_ps(a + u * 2 * LANES);
      const __m256 x1 = _mm256_load_ps(a + u * 2 * LANES + 8);
      const __m256 w0 = _mm256_set1_ps(*(const float *)(w + u * 2 * LAYER1_STEP));
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m256 w1 = _mm256_set1_ps(*(const float *)(w + u * 2 * LAYER1_STEP + 4));
        s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m256 w2 = _mm256_set1_ps(*(const float *)(w + u * 2 * LAYER1_STEP + 8));
        s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m256 w3 = _mm256_set1_ps(*(const float *)(w + u * 2 * LAYER1_STEP + 12));
        s3_0 = _mm256_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm256_fmadd_ps(x1, w3, s3_1);
      }
    }
  }
  for (; k < LAYER1_INPUTS;
       k += 2, a += 2 * LANES, w += 2 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    const __m256 x0 = _mm256_load_ps(a);
    const __m256 x1 = _mm256_load_ps(a + 8);
    const __m256 w0 = _mm256_set1_ps(*(const float *)(w));
    s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
    s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
    if (outputs > 1) {
      const __m256 w1 = _mm256_set1_ps(*(const float *)(w + 4));
      s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
      s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
    }
    if (outputs > 2) {
      const __m256 w2 = _mm256_set1_ps(*(const float *)(w + 8));
      s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
      s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
    }
    if (outputs > 3) {
      const __m256 w3 = _mm256_set1_ps(*(const float *)(w + 12));
      s3_0 = _mm256_fmadd_ps(x0, w3, s3_0);
      s3_1 = _mm256_fmadd_ps(x1, w3, s3_1);
    }
  }
  ffn_put_4_avx2(s, s0_0, s0_1, s1_0, s1_1);
  ffn_put_4_avx2(s + 4, s2_0, s2_1, s3_0, s3_1);
  (void)outputs;
}

/* At most 4 `outputs` of 16 tokens, over all 10 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 32 bytes, `a` of 32, `w` of 64. */
FFN_INLINE void layer1_lanes(
    const float *a, const char *w, size_t lane, const float *linear_bias, float *out,
    const int outputs) {
  w += lane * 4;
  __m256 s[2][8];
  layer1_chain(s[0], a, w, 0, outputs);
  layer1_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m256 linear_b = _mm256_set1_ps(linear_bias[i]);
    _mm256_store_ps(out + i * LANES, act_relu(_mm256_add_ps(s[0][2 * i], linear_b)));
    _mm256_store_ps(out + i * LANES + 8, act_relu(_mm256_add_ps(s[0][2 * i + 1], linear_b)));
  }
}

/* layer2: sums of at most 4 outputs over every 4. of 64 k, from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 32 bytes, `w` of 64. */
FFN_INLINE void layer2_chain(
    __m256 *s, const float *a, const char *w, size_t k, const int outputs) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s1_0 = zero, s1_1 = zero, s2_0 = zero, s2_1 = zero,
      s3_0 = zero, s3_1 = zero;
  a += k * LANES;
  w += k * LAYER2_STEP;
  for (; k + 12 < LAYER2_INPUTS;
       k += 16, a += 16 * LANES, w += 16 * LAYER2_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m256 x0 = _mm256_load_ps(a + u * 4 * LANES);
      const __m256 x1 = _mm256_load_ps(a + u * 4 * LANES + 8);
      const __m256 w0 = _mm256_set1_ps(*(const float *)(w + u * 4 * LAYER2_STEP));
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m256 w1 = _mm256_set1_ps(*(const float *)(w + u * 4 * LAYER2_STEP + 4));
        s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m256 w2 = _mm256_set1_ps(*(const float *)(w + u * 4 * LAYER2_STEP + 8));
        s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m256 w3 = _mm256_set1_ps(*(const float *)(w + u * 4 * LAYER2_STEP + 12));
        s3_0 = _mm256_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm256_fmadd_ps(x1, w3, s3_1);
      }
    }
  }
  ffn_put_4_avx2(s, s0_0, s0_1, s1_0, s1_1);
  ffn_put_4_avx2(s + 4, s2_0, s2_1, s3_0, s3_1);
  (void)outputs;
}

/* At most 4 `outputs` of 16 tokens, over all 64 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 32 bytes, `a` of 32, `w` of 64. */
FFN_INLINE void layer2_lanes(
    const float *a, const char *w, size_t lane, const float *linear_bias, float *out,
    const int outputs) {
  w += lane * 4;
  __m256 s[3][8];
  layer2_chain(s[0], a, w, 0, outputs);
  layer2_chain(s[1], a, w, 2, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 1, outputs);
  layer2_chain(s[2], a, w, 3, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm256_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m256 linear_b = _mm256_set1_ps(linear_bias[i]);
    _mm256_store_ps(out + i * LANES, act_relu(_mm256_add_ps(_mm256_add_ps(s[0][2 * i],
        _mm256_setzero_ps()), linear_b)));
    _mm256_store_ps(out + i * LANES + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s[0][2 * i + 1],
        _mm256_setzero_ps()), linear_b)));
  }
}

/* layer3: sums of at most 1 outputs over every 8. of 32 k, from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 32 bytes, `w` of 64. */
FFN_INLINE void layer3_chain(
    __m256 *s, const float *a, const char *w, size_t k, const int outputs) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero;
  a += k * LANES;
  w += k * LAYER3_STEP;
  for (; k + 24 < LAYER3_INPUTS;
       k += 32, a += 32 * LANES, w += 32 * LAYER3_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m256 x0 = _mm256_load_ps(a + u * 8 * LANES);
      const __m256 x1 = _mm256_load_ps(a + u * 8 * LANES + 8);
      const __m256 w0 = _mm256_set1_ps(*(const float *)(w + u * 8 * LAYER3_STEP));
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
    }
  }
  ffn_put_2_avx2(s, s0_0, s0_1);
  (void)outputs;
}

/* At most 1 `outputs` of 16 tokens, over all 32 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 32 bytes, `a` of 32, `w` of 64. */
FFN_INLINE void layer3_lanes(
    const float *a, const char *w, size_t lane, const float *linear_bias, float *out,
    const int outputs) {
  w += lane * 4;
  __m256 s[4][2];
  layer3_chain(s[0], a, w, 0, outputs);
  layer3_chain(s[1], a, w, 4, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  layer3_chain(s[1], a, w, 2, outputs);
  layer3_chain(s[2], a, w, 6, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm256_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  layer3_chain(s[1], a, w, 1, outputs);
  layer3_chain(s[2], a, w, 5, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm256_add_ps(s[1][i], s[2][i]);
  layer3_chain(s[2], a, w, 3, outputs);
  layer3_chain(s[3], a, w, 7, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[2][i] = _mm256_add_ps(s[2][i], s[3][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm256_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m256 linear_b = _mm256_set1_ps(linear_bias[i]);
    _mm256_store_ps(out + i * LANES, act_sigmoid(_mm256_add_ps(_mm256_add_ps(s[0][2 * i],
        _mm256_setzero_ps()), linear_b)));
    _mm256_store_ps(out + i * LANES + 8, act_sigmoid(_mm256_add_ps(_mm256_add_ps(s[0][2 * i + 1],
        _mm256_setzero_ps()), linear_b)));
  }
}

/* All 10 inputs of `count` tokens from x into `to`, side by side. Where lanes are left over,
 * copies of the first token fill them, from `rows`. x begins at any float. */
FFN_INLINE void lanes_in(
    float *to, float *rows, const float *x, size_t stride, size_t count) {
  if (count < LANES) {
    for (size_t token = 0; token < LANES; ++token)
      FFN_MEMCPY(rows + token * LAYER1_INPUTS, x + (token < count ? token : 0) * stride,
          LAYER1_INPUTS * sizeof *x);
    x = rows;
    stride = LAYER1_INPUTS;
  }
  for (size_t k = 0; k < LAYER1_INPUTS; k += 4) {
    const size_t at = ffn_min(k, LAYER1_INPUTS - 4);
    for (size_t token = 0; token < LANES; token += 8)
      ffn_turn_in_avx2(
          to + at * LANES + token, LANES, x + token * stride + at, stride);
  }
}

/* All 1 outputs of `count` tokens to y, each where it belongs; by way of `rows` where lanes are
 * left over. y begins at any float. */
FFN_INLINE void lanes_out(
    float *y, size_t stride, float *rows, const float *from, size_t count) {
  (void)rows;
  for (size_t token = 0; token < count; ++token)
    for (size_t output = 0; output < LAYER3_OUTPUTS; ++output)
      y[token * stride + output] = from[output * LANES + token];
}

/* At most 16 tokens from `token` on through all stages, all columns and k, each in a lane of its
 * own. x and y begin at any float, packed weights and `beside` at a multiple of 64 bytes. */
FFN_NOINLINE void lanes(
    const ffn_call *call, void *beside, size_t token, size_t count) {
  const char *packed = (const char *)call->packed;
  lanes_memory *work = (lanes_memory *)beside;
  lanes_in(
      work->even, work->odd, call->x + token * call->x_stride, call->x_stride, count);
  { /* layer1 */
    const float *in = work->even;
    float *out = work->odd;
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    for (size_t output = 0; output + 4 <= LAYER1_OUTPUTS; output += 4)
      layer1_lanes(in, weights + output / LAYER1_WIDTH * LAYER1_BUNDLE, output % LAYER1_WIDTH,
          bias + output, out + output * LANES, 4);
  }
  { /* layer2 */
    const float *in = work->odd;
    float *out = work->even;
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    for (size_t output = 0; output + 4 <= LAYER2_OUTPUTS; output += 4)
      layer2_lanes(in, weights + output / LAYER2_WIDTH * LAYER2_BUNDLE, output % LAYER2_WIDTH,
          bias + output, out + output * LANES, 4);
  }
  { /* layer3 */
    const float *in = work->even;
    float *out = work->odd;
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const size_t last = LAYER3_OUTPUTS - 1;
    layer3_lanes(in, weights + last / LAYER3_WIDTH * LAYER3_BUNDLE, last % LAYER3_WIDTH,
        bias + last, out + last * LANES, 1);
  }
  lanes_out(call->y + token * call->y_stride, call->y_stride,
      work->even, work->odd, count);
}

/* layer1: at most 4 rows x 24 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 32. */
FFN_INLINE void layer1_tile_4x24(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s1_0_0 = zero, s1_1_0 = zero,
      s1_2_0 = zero, s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero, s3_0_0 = zero,
      s3_1_0 = zero, s3_2_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
      s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
      s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
      s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
      s2_2_0 = _mm256_fmadd_ps(x2, w2, s2_2_0);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
      s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
      s3_1_0 = _mm256_fmadd_ps(x3, w1, s3_1_0);
      s3_2_0 = _mm256_fmadd_ps(x3, w2, s3_2_0);
    }
  }
  __m256 s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s1_0_1 = zero, s1_1_1 = zero,
      s1_2_1 = zero, s2_0_1 = zero, s2_1_1 = zero, s2_2_1 = zero, s3_0_1 = zero,
      s3_1_1 = zero, s3_2_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
      s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
      s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
      s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
      s2_2_1 = _mm256_fmadd_ps(x2, w2, s2_2_1);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
      s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
      s3_1_1 = _mm256_fmadd_ps(x3, w1, s3_1_1);
      s3_2_1 = _mm256_fmadd_ps(x3, w2, s3_2_1);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s0_2_0, &s1_0_0, s0_0_1, s0_1_1, s0_2_1, s1_0_1);
  ffn_add_4_avx2(&s1_1_0, &s1_2_0, &s2_0_0, &s2_1_0, s1_1_1, s1_2_1, s2_0_1, s2_1_1);
  ffn_add_4_avx2(&s2_2_0, &s3_0_0, &s3_1_0, &s3_2_0, s2_2_1, s3_0_1, s3_1_1, s3_2_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8))));
  _mm256_store_ps(out + 16, act_relu(_mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16))));
  if (rows > 1) {
    _mm256_store_ps(out + LAYER2_ROW, act_relu(_mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + LAYER2_ROW + 8, act_relu(_mm256_add_ps(s1_1_0,
        _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + LAYER2_ROW + 16, act_relu(_mm256_add_ps(s1_2_0,
        _mm256_load_ps(linear_bias + 16))));
  }
  if (rows > 2) {
    _mm256_store_ps(out + 2 * LAYER2_ROW, act_relu(_mm256_add_ps(s2_0_0,
        _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 2 * LAYER2_ROW + 8, act_relu(_mm256_add_ps(s2_1_0,
        _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + 2 * LAYER2_ROW + 16, act_relu(_mm256_add_ps(s2_2_0,
        _mm256_load_ps(linear_bias + 16))));
  }
  if (rows > 3) {
    _mm256_store_ps(out + 3 * LAYER2_ROW, act_relu(_mm256_add_ps(s3_0_0,
        _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 3 * LAYER2_ROW + 8, act_relu(_mm256_add_ps(s3_1_0,
        _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + 3 * LAYER2_ROW + 16, act_relu(_mm256_add_ps(s3_2_0,
        _mm256_load_ps(linear_bias + 16))));
  }
}

/* layer1: at most 4 rows x 24 columns, from column 8 of a bundle on, all 10 k. `w` begins at a
 * multiple of 64 bytes, `a` of 4, `out` of 32. */
FFN_INLINE void layer1_tile_4x24_at_8(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s1_0_0 = zero, s1_1_0 = zero,
      s1_2_0 = zero, s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero, s3_0_0 = zero,
      s3_1_0 = zero, s3_2_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
      s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
      s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
      s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
      s2_2_0 = _mm256_fmadd_ps(x2, w2, s2_2_0);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
      s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
      s3_1_0 = _mm256_fmadd_ps(x3, w1, s3_1_0);
      s3_2_0 = _mm256_fmadd_ps(x3, w2, s3_2_0);
    }
  }
  __m256 s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s1_0_1 = zero, s1_1_1 = zero,
      s1_2_1 = zero, s2_0_1 = zero, s2_1_1 = zero, s2_2_1 = zero, s3_0_1 = zero,
      s3_1_1 = zero, s3_2_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
      s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
      s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
      s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
      s2_2_1 = _mm256_fmadd_ps(x2, w2, s2_2_1);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
      s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
      s3_1_1 = _mm256_fmadd_ps(x3, w1, s3_1_1);
      s3_2_1 = _mm256_fmadd_ps(x3, w2, s3_2_1);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s0_2_0, &s1_0_0, s0_0_1, s0_1_1, s0_2_1, s1_0_1);
  ffn_add_4_avx2(&s1_1_0, &s1_2_0, &s2_0_0, &s2_1_0, s1_1_1, s1_2_1, s2_0_1, s2_1_1);
  ffn_add_4_avx2(&s2_2_0, &s3_0_0, &s3_1_0, &s3_2_0, s2_2_1, s3_0_1, s3_1_1, s3_2_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8))));
  _mm256_store_ps(out + 16, act_relu(_mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16))));
  if (rows > 1) {
    _mm256_store_ps(out + LAYER2_ROW, act_relu(_mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + LAYER2_ROW + 8, act_relu(_mm256_add_ps(s1_1_0,
        _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + LAYER2_ROW + 16, act_relu(_mm256_add_ps(s1_2_0,
        _mm256_load_ps(linear_bias + 16))));
  }
  if (rows > 2) {
    _mm256_store_ps(out + 2 * LAYER2_ROW, act_relu(_mm256_add_ps(s2_0_0,
        _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 2 * LAYER2_ROW + 8, act_relu(_mm256_add_ps(s2_1_0,
        _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + 2 * LAYER2_ROW + 16, act_relu(_mm256_add_ps(s2_2_0,
        _mm256_load_ps(linear_bias + 16))));
  }
  if (rows > 3) {
    _mm256_store_ps(out + 3 * LAYER2_ROW, act_relu(_mm256_add_ps(s3_0_0,
        _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 3 * LAYER2_ROW + 8, act_relu(_mm256_add_ps(s3_1_0,
        _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + 3 * LAYER2_ROW + 16, act_relu(_mm256_add_ps(s3_2_0,
        _mm256_load_ps(linear_bias + 16))));
  }
}

/* layer1: at most 4 rows x 16 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 32. */
FFN_INLINE void layer1_tile_4x16(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s1_0_0 = zero, s1_1_0 = zero, s2_0_0 = zero,
      s2_1_0 = zero, s3_0_0 = zero, s3_1_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
      s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
      s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
      s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
      s3_1_0 = _mm256_fmadd_ps(x3, w1, s3_1_0);
    }
  }
  __m256 s0_0_1 = zero, s0_1_1 = zero, s1_0_1 = zero, s1_1_1 = zero, s2_0_1 = zero,
      s2_1_1 = zero, s3_0_1 = zero, s3_1_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
      s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
      s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
      s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
      s3_1_1 = _mm256_fmadd_ps(x3, w1, s3_1_1);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s1_0_0, &s1_1_0, s0_0_1, s0_1_1, s1_0_1, s1_1_1);
  ffn_add_4_avx2(&s2_0_0, &s2_1_0, &s3_0_0, &s3_1_0, s2_0_1, s2_1_1, s3_0_1, s3_1_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8))));
  if (rows > 1) {
    _mm256_store_ps(out + LAYER2_ROW, act_relu(_mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + LAYER2_ROW + 8, act_relu(_mm256_add_ps(s1_1_0,
        _mm256_load_ps(linear_bias + 8))));
  }
  if (rows > 2) {
    _mm256_store_ps(out + 2 * LAYER2_ROW, act_relu(_mm256_add_ps(s2_0_0,
        _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 2 * LAYER2_ROW + 8, act_relu(_mm256_add_ps(s2_1_0,
        _mm256_load_ps(linear_bias + 8))));
  }
  if (rows > 3) {
    _mm256_store_ps(out + 3 * LAYER2_ROW, act_relu(_mm256_add_ps(s3_0_0,
        _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 3 * LAYER2_ROW + 8, act_relu(_mm256_add_ps(s3_1_0,
        _mm256_load_ps(linear_bias + 8))));
  }
}

/* layer2: at most 4 rows x 16 columns, all 64 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 32. */
FFN_INLINE void layer2_tile_4x16(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s1_0_0 = zero, s1_1_0 = zero, s2_0_0 = zero,
      s2_1_0 = zero, s3_0_0 = zero, s3_1_0 = zero;
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER2_ROW]);
      s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
      s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER2_ROW]);
      s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
      s3_1_0 = _mm256_fmadd_ps(x3, w1, s3_1_0);
    }
  }
  __m256 s0_0_2 = zero, s0_1_2 = zero, s1_0_2 = zero, s1_1_2 = zero, s2_0_2 = zero,
      s2_1_2 = zero, s3_0_2 = zero, s3_1_2 = zero;
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_2 = _mm256_fmadd_ps(x0, w0, s0_0_2);
    s0_1_2 = _mm256_fmadd_ps(x0, w1, s0_1_2);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_2 = _mm256_fmadd_ps(x1, w0, s1_0_2);
      s1_1_2 = _mm256_fmadd_ps(x1, w1, s1_1_2);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER2_ROW]);
      s2_0_2 = _mm256_fmadd_ps(x2, w0, s2_0_2);
      s2_1_2 = _mm256_fmadd_ps(x2, w1, s2_1_2);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER2_ROW]);
      s3_0_2 = _mm256_fmadd_ps(x3, w0, s3_0_2);
      s3_1_2 = _mm256_fmadd_ps(x3, w1, s3_1_2);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s1_0_0, &s1_1_0, s0_0_2, s0_1_2, s1_0_2, s1_1_2);
  ffn_add_4_avx2(&s2_0_0, &s2_1_0, &s3_0_0, &s3_1_0, s2_0_2, s2_1_2, s3_0_2, s3_1_2);
  __m256 s0_0_1 = zero, s0_1_1 = zero, s1_0_1 = zero, s1_1_1 = zero, s2_0_1 = zero,
      s2_1_1 = zero, s3_0_1 = zero, s3_1_1 = zero;
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER2_ROW]);
      s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
      s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER2_ROW]);
      s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
      s3_1_1 = _mm256_fmadd_ps(x3, w1, s3_1_1);
    }
  }
  __m256 s0_0_3 = zero, s0_1_3 = zero, s1_0_3 = zero, s1_1_3 = zero, s2_0_3 = zero,
      s2_1_3 = zero, s3_0_3 = zero, s3_1_3 = zero;
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_3 = _mm256_fmadd_ps(x0, w0, s0_0_3);
    s0_1_3 = _mm256_fmadd_ps(x0, w1, s0_1_3);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_3 = _mm256_fmadd_ps(x1, w0, s1_0_3);
      s1_1_3 = _mm256_fmadd_ps(x1, w1, s1_1_3);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER2_ROW]);
      s2_0_3 = _mm256_fmadd_ps(x2, w0, s2_0_3);
      s2_1_3 = _mm256_fmadd_ps(x2, w1, s2_1_3);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER2_ROW]);
      s3_0_3 = _mm256_fmadd_ps(x3, w0, s3_0_3);
      s3_1_3 = _mm256_fmadd_ps(x3, w1, s3_1_3);
    }
  }
  ffn_add_4_avx2(&s0_0_1, &s0_1_1, &s1_0_1, &s1_1_1, s0_0_3, s0_1_3, s1_0_3, s1_1_3);
  ffn_add_4_avx2(&s2_0_1, &s2_1_1, &s3_0_1, &s3_1_1, s2_0_3, s2_1_3, s3_0_3, s3_1_3);
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s1_0_0, &s1_1_0, s0_0_1, s0_1_1, s1_0_1, s1_1_1);
  ffn_add_4_avx2(&s2_0_0, &s2_1_0, &s3_0_0, &s3_1_0, s2_0_1, s2_1_1, s3_0_1, s3_1_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s0_1_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias + 8))));
  if (rows > 1) {
    _mm256_store_ps(out + LAYER3_ROW, act_relu(_mm256_add_ps(_mm256_add_ps(s1_0_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + LAYER3_ROW + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s1_1_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias + 8))));
  }
  if (rows > 2) {
    _mm256_store_ps(out + 2 * LAYER3_ROW, act_relu(_mm256_add_ps(_mm256_add_ps(s2_0_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 2 * LAYER3_ROW + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s2_1_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias + 8))));
  }
  if (rows > 3) {
    _mm256_store_ps(out + 3 * LAYER3_ROW, act_relu(_mm256_add_ps(_mm256_add_ps(s3_0_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + 3 * LAYER3_ROW + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s3_1_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias + 8))));
  }
}

/* layer3: at most 4 rows x 1 column, all 32 k. `w` begins at a multiple of 64 bytes, `a` of 32,
 * `out` of 4. */
FFN_INLINE void layer3_tile_4x1(
    const float *a, const char *w, const size_t lane, const float *linear_bias, float *out,
    size_t stride, const int rows) {
  (void)lane;
  const __m256 sums = ffn_dots_avx2(
      a, LAYER3_ROW, (const float *)w, LAYER3_STEP / sizeof(float), LAYER3_INPUTS, rows);
  float results[8];
  _mm256_storeu_ps(results, act_sigmoid(_mm256_add_ps(_mm256_add_ps(sums, _mm256_setzero_ps()),
      _mm256_set1_ps(linear_bias[0]))));
  out[0] = results[0];
  if (rows > 1)
    out[stride] = results[1];
  if (rows > 2)
    out[2 * stride] = results[2];
  if (rows > 3)
    out[3 * stride] = results[3];
}

/* layer1: at most 2 rows x 32 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 32. */
FFN_INLINE void layer1_tile_2x32(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s1_0_0 = zero,
      s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero;
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const __m256 w3 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    s0_3_0 = _mm256_fmadd_ps(x0, w3, s0_3_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
      s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
      s1_3_0 = _mm256_fmadd_ps(x1, w3, s1_3_0);
    }
  }
  __m256 s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s1_0_1 = zero,
      s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero;
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE));
    const __m256 w3 = _mm256_load_ps((const float *)(w + k * LAYER1_STEP + LAYER1_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    s0_3_1 = _mm256_fmadd_ps(x0, w3, s0_3_1);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
      s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
      s1_3_1 = _mm256_fmadd_ps(x1, w3, s1_3_1);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_avx2(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8))));
  _mm256_store_ps(out + 16, act_relu(_mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16))));
  _mm256_store_ps(out + 24, act_relu(_mm256_add_ps(s0_3_0, _mm256_load_ps(linear_bias + 24))));
  if (rows > 1) {
    _mm256_store_ps(out + LAYER2_ROW, act_relu(_mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + LAYER2_ROW + 8, act_relu(_mm256_add_ps(s1_1_0,
        _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + LAYER2_ROW + 16, act_relu(_mm256_add_ps(s1_2_0,
        _mm256_load_ps(linear_bias + 16))));
    _mm256_store_ps(out + LAYER2_ROW + 24, act_relu(_mm256_add_ps(s1_3_0,
        _mm256_load_ps(linear_bias + 24))));
  }
}

/* layer2: at most 2 rows x 32 columns, all 64 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 32. */
FFN_INLINE void layer2_tile_2x32(
    const float *a, const char *w, const float *linear_bias, float *out, const int rows) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s1_0_0 = zero,
      s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero;
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const __m256 w3 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    s0_3_0 = _mm256_fmadd_ps(x0, w3, s0_3_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
      s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
      s1_3_0 = _mm256_fmadd_ps(x1, w3, s1_3_0);
    }
  }
  __m256 s0_0_2 = zero, s0_1_2 = zero, s0_2_2 = zero, s0_3_2 = zero, s1_0_2 = zero,
      s1_1_2 = zero, s1_2_2 = zero, s1_3_2 = zero;
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const __m256 w3 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_2 = _mm256_fmadd_ps(x0, w0, s0_0_2);
    s0_1_2 = _mm256_fmadd_ps(x0, w1, s0_1_2);
    s0_2_2 = _mm256_fmadd_ps(x0, w2, s0_2_2);
    s0_3_2 = _mm256_fmadd_ps(x0, w3, s0_3_2);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_2 = _mm256_fmadd_ps(x1, w0, s1_0_2);
      s1_1_2 = _mm256_fmadd_ps(x1, w1, s1_1_2);
      s1_2_2 = _mm256_fmadd_ps(x1, w2, s1_2_2);
      s1_3_2 = _mm256_fmadd_ps(x1, w3, s1_3_2);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_2, s0_1_2, s0_2_2, s0_3_2);
  ffn_add_4_avx2(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_2, s1_1_2, s1_2_2, s1_3_2);
  __m256 s0_0_1 = zero, s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s1_0_1 = zero,
      s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero;
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const __m256 w3 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    s0_3_1 = _mm256_fmadd_ps(x0, w3, s0_3_1);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
      s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
      s1_3_1 = _mm256_fmadd_ps(x1, w3, s1_3_1);
    }
  }
  __m256 s0_0_3 = zero, s0_1_3 = zero, s0_2_3 = zero, s0_3_3 = zero, s1_0_3 = zero,
      s1_1_3 = zero, s1_2_3 = zero, s1_3_3 = zero;
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP));
    const __m256 w1 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + 32));
    const __m256 w2 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE));
    const __m256 w3 = _mm256_load_ps((const float *)(w + k * LAYER2_STEP + LAYER2_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_3 = _mm256_fmadd_ps(x0, w0, s0_0_3);
    s0_1_3 = _mm256_fmadd_ps(x0, w1, s0_1_3);
    s0_2_3 = _mm256_fmadd_ps(x0, w2, s0_2_3);
    s0_3_3 = _mm256_fmadd_ps(x0, w3, s0_3_3);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER2_ROW]);
      s1_0_3 = _mm256_fmadd_ps(x1, w0, s1_0_3);
      s1_1_3 = _mm256_fmadd_ps(x1, w1, s1_1_3);
      s1_2_3 = _mm256_fmadd_ps(x1, w2, s1_2_3);
      s1_3_3 = _mm256_fmadd_ps(x1, w3, s1_3_3);
    }
  }
  ffn_add_4_avx2(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_3, s0_1_3, s0_2_3, s0_3_3);
  ffn_add_4_avx2(&s1_0_1, &s1_1_1, &s1_2_1, &s1_3_1, s1_0_3, s1_1_3, s1_2_3, s1_3_3);
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_avx2(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s0_1_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias + 8))));
  _mm256_store_ps(out + 16, act_relu(_mm256_add_ps(_mm256_add_ps(s0_2_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias + 16))));
  _mm256_store_ps(out + 24, act_relu(_mm256_add_ps(_mm256_add_ps(s0_3_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias + 24))));
  if (rows > 1) {
    _mm256_store_ps(out + LAYER3_ROW, act_relu(_mm256_add_ps(_mm256_add_ps(s1_0_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias))));
    _mm256_store_ps(out + LAYER3_ROW + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s1_1_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias + 8))));
    _mm256_store_ps(out + LAYER3_ROW + 16, act_relu(_mm256_add_ps(_mm256_add_ps(s1_2_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias + 16))));
    _mm256_store_ps(out + LAYER3_ROW + 24, act_relu(_mm256_add_ps(_mm256_add_ps(s1_3_0,
        _mm256_setzero_ps()), _mm256_load_ps(linear_bias + 24))));
  }
}

/* layer1: one row x 32 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out`
 * of 32. */
FFN_INLINE void layer1_tile_1x32(
    const float *a, const char *w, const float *linear_bias, float *out) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_0_1 = zero,
      s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w));
      const __m256 w1 = _mm256_load_ps((const float *)(w + 32));
      const __m256 w2 = _mm256_load_ps((const float *)(w + LAYER1_BUNDLE));
      const __m256 w3 = _mm256_load_ps((const float *)(w + LAYER1_BUNDLE + 32));
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
      s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
      s0_3_0 = _mm256_fmadd_ps(x0, w3, s0_3_0);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + LAYER1_STEP));
      const __m256 w1 = _mm256_load_ps((const float *)(w + LAYER1_STEP + 32));
      const __m256 w2 = _mm256_load_ps((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE));
      const __m256 w3 = _mm256_load_ps((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 32));
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
      s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
      s0_3_1 = _mm256_fmadd_ps(x0, w3, s0_3_1);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8))));
  _mm256_store_ps(out + 16, act_relu(_mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16))));
  _mm256_store_ps(out + 24, act_relu(_mm256_add_ps(s0_3_0, _mm256_load_ps(linear_bias + 24))));
}

/* layer2: one row x 16 columns, all 64 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out`
 * of 32. */
FFN_INLINE void layer2_tile_1x16(
    const float *a, const char *w, const float *linear_bias, float *out) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_1_0 = zero, s0_0_1 = zero, s0_1_1 = zero, s0_0_2 = zero,
      s0_1_2 = zero, s0_0_3 = zero, s0_1_3 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w));
      const __m256 w1 = _mm256_load_ps((const float *)(w + 32));
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + LAYER2_STEP));
      const __m256 w1 = _mm256_load_ps((const float *)(w + LAYER2_STEP + 32));
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 2 * LAYER2_STEP));
      const __m256 w1 = _mm256_load_ps((const float *)(w + 2 * LAYER2_STEP + 32));
      const __m256 x0 = _mm256_set1_ps(a[k + 2]);
      s0_0_2 = _mm256_fmadd_ps(x0, w0, s0_0_2);
      s0_1_2 = _mm256_fmadd_ps(x0, w1, s0_1_2);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 3 * LAYER2_STEP));
      const __m256 w1 = _mm256_load_ps((const float *)(w + 3 * LAYER2_STEP + 32));
      const __m256 x0 = _mm256_set1_ps(a[k + 3]);
      s0_0_3 = _mm256_fmadd_ps(x0, w0, s0_0_3);
      s0_1_3 = _mm256_fmadd_ps(x0, w1, s0_1_3);
    }
  }
  ffn_add_2_avx2(&s0_0_0, &s0_1_0, s0_0_2, s0_1_2);
  ffn_add_2_avx2(&s0_0_1, &s0_1_1, s0_0_3, s0_1_3);
  ffn_add_2_avx2(&s0_0_0, &s0_1_0, s0_0_1, s0_1_1);
  _mm256_store_ps(out, act_relu(_mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias))));
  _mm256_store_ps(out + 8, act_relu(_mm256_add_ps(_mm256_add_ps(s0_1_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias + 8))));
}

/* layer3: one row x 1 column, all 32 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of
 * 4. */
FFN_INLINE void layer3_tile_1x8_of_1(
    const float *a, const char *w, const size_t lane, const float *linear_bias, float *out) {
  w += lane * 4;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_0_1 = zero, s0_0_2 = zero, s0_0_3 = zero, s0_0_4 = zero,
      s0_0_5 = zero, s0_0_6 = zero, s0_0_7 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 8 <= LAYER3_INPUTS; k += 8, w += 8 * LAYER3_STEP) {
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w));
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + LAYER3_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 2 * LAYER3_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 2]);
      s0_0_2 = _mm256_fmadd_ps(x0, w0, s0_0_2);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 3 * LAYER3_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 3]);
      s0_0_3 = _mm256_fmadd_ps(x0, w0, s0_0_3);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 4 * LAYER3_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 4]);
      s0_0_4 = _mm256_fmadd_ps(x0, w0, s0_0_4);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 5 * LAYER3_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 5]);
      s0_0_5 = _mm256_fmadd_ps(x0, w0, s0_0_5);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 6 * LAYER3_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 6]);
      s0_0_6 = _mm256_fmadd_ps(x0, w0, s0_0_6);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + 7 * LAYER3_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 7]);
      s0_0_7 = _mm256_fmadd_ps(x0, w0, s0_0_7);
    }
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_4);
  s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_5);
  s0_0_2 = _mm256_add_ps(s0_0_2, s0_0_6);
  s0_0_3 = _mm256_add_ps(s0_0_3, s0_0_7);
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
  s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  ffn_store_tail_avx2(out, act_sigmoid(_mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()),
      _mm256_load_ps(linear_bias))), 1);
}

/* 4 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LAYER1_ROW, x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 4 * LAYER1_ROW;
    layer1_tile_4x24(in, weights, bias, out, 4);
    FFN_SETTLE();
    layer1_tile_4x24_at_8(in, weights + LAYER1_BUNDLE, bias + 24, out + 24, 4);
    FFN_SETTLE();
    layer1_tile_4x16(in, weights + 3 * LAYER1_BUNDLE, bias + 48, out + 48, 4);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + 4 * LAYER1_ROW;
    float *out = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer2_tile_4x16(in, weights, bias, out, 4);
    FFN_SETTLE();
    layer2_tile_4x16(in, weights + LAYER2_BUNDLE, bias + 16, out + 16, 4);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer3_tile_4x1(in, weights, 0, bias, y, call->y_stride, 4);
    FFN_SETTLE();
  }
}

/* 3 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 3 * LAYER1_ROW;
    layer1_tile_4x24(in, weights, bias, out, 3);
    FFN_SETTLE();
    layer1_tile_4x24_at_8(in, weights + LAYER1_BUNDLE, bias + 24, out + 24, 3);
    FFN_SETTLE();
    layer1_tile_4x16(in, weights + 3 * LAYER1_BUNDLE, bias + 48, out + 48, 3);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + 3 * LAYER1_ROW;
    float *out = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer2_tile_4x16(in, weights, bias, out, 3);
    FFN_SETTLE();
    layer2_tile_4x16(in, weights + LAYER2_BUNDLE, bias + 16, out + 16, 3);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer3_tile_4x1(in, weights, 0, bias, y, call->y_stride, 3);
    FFN_SETTLE();
  }
}

/* 2 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 2 * LAYER1_ROW;
    layer1_tile_2x32(in, weights, bias, out, 2);
    FFN_SETTLE();
    layer1_tile_2x32(in, weights + 2 * LAYER1_BUNDLE, bias + 32, out + 32, 2);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + 2 * LAYER1_ROW;
    float *out = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer2_tile_2x32(in, weights, bias, out, 2);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer3_tile_4x1(in, weights, 0, bias, y, call->y_stride, 2);
    FFN_SETTLE();
  }
}

/* One row from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const char *weights = packed + LAYER1_AT;
    const float *bias = (const float *)(packed + LAYER1_BIAS_AT);
    const float *in = x;
    float *out = memory + LAYER1_ROW;
    layer1_tile_1x32(in, weights, bias, out);
    FFN_SETTLE();
    layer1_tile_1x32(in, weights + 2 * LAYER1_BUNDLE, bias + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const char *weights = packed + LAYER2_AT;
    const float *bias = (const float *)(packed + LAYER2_BIAS_AT);
    const float *in = memory + LAYER1_ROW;
    float *out = memory + LAYER1_ROW + LAYER2_ROW;
    layer2_tile_1x16(in, weights, bias, out);
    FFN_SETTLE();
    layer2_tile_1x16(in, weights + LAYER2_BUNDLE, bias + 16, out + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const char *weights = packed + LAYER3_AT;
    const float *bias = (const float *)(packed + LAYER3_BIAS_AT);
    const float *in = memory + LAYER1_ROW + LAYER2_ROW;
    layer3_tile_1x8_of_1(in, weights, 0, bias, y);
    FFN_SETTLE();
  }
}

/* Several rows [first, last), all columns and k. `memory` begins at a multiple of 64 bytes. */
FFN_NOINLINE void several_rows(const ffn_walk *walk, float *memory, size_t first, size_t last) {
  void *beside = ffn_further(memory, walk->slot_rows * WORK_ROW);
  for (; last - first >= LANES_LEAST; first += ffn_min(last - first, LANES))
    lanes(walk->call, beside, first, ffn_min(last - first, LANES));
  for (; first + 4 <= last; first += 4)
    rows_of_4(walk->call, memory, first);
  for (; first + 3 <= last; first += 3)
    rows_of_3(walk->call, memory, first);
  for (; first + 2 <= last; first += 2)
    rows_of_2(walk->call, memory, first);
  for (; first < last; ++first)
    one_row(walk->call, memory, first);
}

/* Rows [first, last), all columns and k. A lone row, the commonest, saves no registers for more. */
static void straight_rows(const ffn_walk *walk, void *memory, size_t first, size_t last) {
  if (last - first == 1)
    one_row(walk->call, (float *)memory, first);
  else
    several_rows(walk, (float *)memory, first, last);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  const __m256 by = _mm256_set1_ps(scale);
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(y + i, _mm256_fmadd_ps(by, _mm256_loadu_ps(row + i), _mm256_loadu_ps(y + i)));
  if (i < count) {
    float from[8] = {0}, to[8] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    _mm256_storeu_ps(to, _mm256_fmadd_ps(by, _mm256_loadu_ps(from), _mm256_loadu_ps(to)));
    FFN_MEMCPY(y + i, to, (count - i) * sizeof *y);
  }
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
        FFN_SOURCE_F32, 0, /* source, source_alone */
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
        FFN_SOURCE_F32, 0, /* source, source_alone */
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
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x764069b59f8f69af), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    straight_rows, /* rows */
    NULL, /* columns */
    0, /* stage_count */
    NULL, /* stages */
    LANES, /* row_step */
    0, /* own_rows */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
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
    ffn_add_whole, /* add */
    0, /* add_at */
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

/* All rows of a call through all 3 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2 = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2", /* name */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* layer */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* packed */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_AVX2, /* isa */
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
    NULL, /* staged */
};
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
FFN_EXACT_END
