/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512
 * MLP chain 10 -> 64 relu -> 32 relu -> 1 sigmoid, with biases, f32, for avx512
 * A classifier: relu, relu, sigmoid
 *
 *     h1 = relu(x W_layer1^T + b_layer1)
 *     h2 = relu(h1 W_layer2^T + b_layer2)
 *     y = sigmoid(h2 W_layer3^T + b_layer3)
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_32_1
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, straight, group, chains_loop, step, dots,
 *            loop, ascend, lanes_blocks, straight_rows, add, tables, api, about
 * Tiles      layer1: rows x columns 8 x 32; 4 x 64; 3 x 64; 2 x 64; 1 x 64, 1 branch
 * Tiles      layer2: rows x columns 8 x 32; 4 x 32; 3 x 32; 2 x 32; 1 x 32, 1 branch
 * Tiles      layer3: rows x columns 4 x 1; 4 x 1; 3 x 1; 2 x 1; 1 x 16, 1 branch
 * Walk       none: loops for 8 rows, loops for 4 rows, loops for 3 rows, loops for 2 rows, a
 *            straight line for 1 row
 * Lanes      from 14 tokens on, blocks of 16 with one in each lane, sums of at most 16 outputs side
 *            by side; of 32, 8 outputs, where there are as many
 * Cost       5440 flop per token; 13312 bytes of packed weights; 22016 bytes of work memory per
 *            thread, 18880 for one token
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 4 interleaved chains; at most 19 roundings
 * Sums       layer3: k ascends in 8 interleaved chains; at most 8 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 19 2^-24; relu exact
 * Error      layer3: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 8 2^-24; sigmoid at most 2.5
 *            ULP, and within (2.7 |y|) 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 5
#error "made for ABI 5 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f,fma")
#endif

/* layer1: 10 -> 64, linear with bias, h1 = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_PANELS = 4, /* of sixteen outputs, zeros beyond the last */
  LAYER1_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER1_PANEL = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* floats of a row in a block of the input */
};

/* layer2: 64 -> 32, linear with bias, h2 = relu(linear) */
enum {
  LAYER2_INPUTS = 64,
  LAYER2_OUTPUTS = 32,
  LAYER2_PANELS = 2, /* of sixteen outputs, zeros beyond the last */
  LAYER2_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER2_PANEL = LAYER2_INPUTS * LAYER2_STEP,
  LAYER2_ROUNDINGS = 19, /* at most, of a product in its sum */
  LAYER2_ROW = 64, /* floats of a row in a block of the input */
};

/* layer3: 32 -> 1, linear with bias, y = sigmoid(linear) */
enum {
  LAYER3_INPUTS = 32,
  LAYER3_OUTPUTS = 1,
  LAYER3_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  LAYER3_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER3_PANEL = LAYER3_INPUTS * LAYER3_STEP,
  LAYER3_ROUNDINGS = 8, /* at most, of a product in its sum */
  LAYER3_ROW = 32, /* floats of a row in a block of the input */
};

enum {
  ROWS = 8, /* that are added to y at a time, at most */
  LANES = 16, /* tokens of a block, one in each lane */
  LANES_LEAST = 14, /* so many are worth a block */
  LANES_PAIR = 32, /* tokens of a block of two vectors */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = LAYER1_ROW + LAYER2_ROW + LAYER3_ROW, /* floats of each in work memory */
  BESIDE = 4608, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float layer1[LAYER1_PANELS][LAYER1_INPUTS][1][FFN_PANEL];
  float layer1_bias[1][LAYER1_PANELS * FFN_PANEL];
  float layer2[LAYER2_PANELS][LAYER2_INPUTS][1][FFN_PANEL];
  float layer2_bias[1][LAYER2_PANELS * FFN_PANEL];
  float layer3[LAYER3_PANELS][LAYER3_INPUTS][1][FFN_PANEL];
  float layer3_bias[1][LAYER3_PANELS * FFN_PANEL];
} packed_weights;

/* A block of 32 tokens: operands of every second stage, and y. */
typedef struct lanes_pair_memory {
  float even[32 * LANES_PAIR];
  float odd[64 * LANES_PAIR];
} lanes_pair_memory;

/* A block of 16 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[32 * LANES];
  float odd[64 * LANES];
} lanes_memory;

FFN_INLINE void ffn_store_tail_avx512(float *out, __m512 value, size_t count) {
  _mm512_mask_storeu_ps(out, (__mmask16)((1u << count) - 1u), value);
}

/* Four by four in each lane of 128 bits. */
FFN_INLINE void ffn_turn_avx512(__m512 *v) {
  const __m512 low = _mm512_unpacklo_ps(v[0], v[1]), low_2 = _mm512_unpacklo_ps(v[2], v[3]);
  const __m512 high = _mm512_unpackhi_ps(v[0], v[1]), high_2 = _mm512_unpackhi_ps(v[2], v[3]);
  v[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(low), _mm512_castps_pd(low_2)));
  v[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(low), _mm512_castps_pd(low_2)));
  v[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(high), _mm512_castps_pd(high_2)));
  v[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(high), _mm512_castps_pd(high_2)));
}

FFN_INLINE void ffn_turn_in_avx512(float *to, size_t step, const float *from, size_t stride) {
  __m512 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    const float *row = from + i * stride;
    v[i] = _mm512_castps128_ps512(_mm_loadu_ps(row));
    v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(row + 4 * stride), 1);
    v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(row + 8 * stride), 2);
    v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(row + 12 * stride), 3);
  }
  ffn_turn_avx512(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    _mm512_store_ps(to + i * step, v[i]);
}

FFN_INLINE void ffn_turn_out_avx512(float *to, size_t stride, const float *from, size_t step) {
  __m512 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    v[i] = _mm512_load_ps(from + i * step);
  ffn_turn_avx512(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    float *row = to + i * stride;
    _mm_storeu_ps(row, _mm512_castps512_ps128(v[i]));
    _mm_storeu_ps(row + 4 * stride, _mm512_extractf32x4_ps(v[i], 1));
    _mm_storeu_ps(row + 8 * stride, _mm512_extractf32x4_ps(v[i], 2));
    _mm_storeu_ps(row + 12 * stride, _mm512_extractf32x4_ps(v[i], 3));
  }
}

/* At most four `rows` of `a` times a column of weights that are `step` apart. The eight chains of a
 * sum are lanes, and four sums are folded at once. The sum of row r in lane r. */
FFN_INLINE __m128 ffn_four_dots_avx512(
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

FFN_INLINE __m512 ffn_dots_avx512(
    const float *a, size_t stride, const float *w, size_t step, size_t inputs, const int rows) {
  return _mm512_zextps128_ps512(ffn_four_dots_avx512(a, stride, w, step, inputs, rows));
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE __m512 act_relu(const __m512 x) {
  return _mm512_max_ps(_mm512_set1_ps(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. */
FFN_INLINE __m512 act_sigmoid(const __m512 x) {
  const __m512 t = _mm512_max_ps(_mm512_set1_ps(-104.0f), x);
  const __m512 a = _mm512_min_ps(_mm512_set1_ps(24.0f), t);
  const __m512 shifted =
      _mm512_fmadd_ps(a, _mm512_set1_ps(-1.442695f), _mm512_set1_ps(12582912.0f));
  const __m512 steps = _mm512_sub_ps(shifted, _mm512_set1_ps(12582912.0f));
  const __m512i t_2 = _mm512_castps_si512(shifted);
  const __m512i n = _mm512_sub_epi32(t_2, _mm512_set1_epi32(1262485536));
  const __m512 t_3 = _mm512_fmadd_ps(steps, _mm512_set1_ps(0.6931472f), a);
  const __m512 r = _mm512_fmadd_ps(steps, _mm512_set1_ps(-1.9046542e-09f), t_3);
  const __m512 t_4 =
      _mm512_fmadd_ps(_mm512_set1_ps(0.0013818297f), r, _mm512_set1_ps(-0.008368532f));
  const __m512 t_5 = _mm512_fmadd_ps(t_4, r, _mm512_set1_ps(0.041668292f));
  const __m512 t_6 = _mm512_fmadd_ps(t_5, r, _mm512_set1_ps(-0.16666523f));
  const __m512 t_7 = _mm512_fmadd_ps(t_6, r, _mm512_set1_ps(0.49999994f));
  const __m512 t_8 = _mm512_fmadd_ps(t_7, r, _mm512_set1_ps(-1.0f));
  const __m512 p = _mm512_fmadd_ps(t_8, r, _mm512_set1_ps(1.0f));
  const __m512i t_9 = _mm512_add_epi32(n, _mm512_set1_epi32(127));
  const __m512i t_10 = _mm512_slli_epi32(t_9, 23);
  const __m512 t_11 = _mm512_castsi512_ps(t_10);
  const __m512 denominator = _mm512_fmadd_ps(p, t_11, _mm512_set1_ps(2.3283064e-10f));
  return _mm512_div_ps(_mm512_set1_ps(2.3283064e-10f), denominator);
}

/* layer1: sums of at most 8 outputs over every 2. k from `k` on, 32 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer1_pair_chain(
    __m512 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m512 s0_0 = _mm512_setzero_ps();
  __m512 s0_1 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps();
  __m512 s1_1 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps();
  __m512 s2_1 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps();
  __m512 s3_1 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps();
  __m512 s4_1 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps();
  __m512 s5_1 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps();
  __m512 s6_1 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps();
  __m512 s7_1 = _mm512_setzero_ps();
  a += k * LANES_PAIR;
  w += k * LAYER1_STEP;
  for (; k + 6 < LAYER1_INPUTS;
       k += 8, a += 8 * LANES_PAIR, w += 8 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m512 x0 = _mm512_load_ps(a + u * 2 * LANES_PAIR);
      const __m512 x1 = _mm512_load_ps(a + u * 2 * LANES_PAIR + 16);
      const __m512 w0 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m512 w1 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 1]);
        s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm512_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m512 w2 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 2]);
        s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm512_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m512 w3 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 3]);
        s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm512_fmadd_ps(x1, w3, s3_1);
      }
      if (outputs > 4) {
        const __m512 w4 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 4]);
        s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
        s4_1 = _mm512_fmadd_ps(x1, w4, s4_1);
      }
      if (outputs > 5) {
        const __m512 w5 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 5]);
        s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
        s5_1 = _mm512_fmadd_ps(x1, w5, s5_1);
      }
      if (outputs > 6) {
        const __m512 w6 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 6]);
        s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
        s6_1 = _mm512_fmadd_ps(x1, w6, s6_1);
      }
      if (outputs > 7) {
        const __m512 w7 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 7]);
        s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
        s7_1 = _mm512_fmadd_ps(x1, w7, s7_1);
      }
    }
  }
  for (; k < LAYER1_INPUTS;
       k += 2, a += 2 * LANES_PAIR, w += 2 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    const __m512 x0 = _mm512_load_ps(a);
    const __m512 x1 = _mm512_load_ps(a + 16);
    const __m512 w0 = _mm512_set1_ps(w[0]);
    s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
    s0_1 = _mm512_fmadd_ps(x1, w0, s0_1);
    if (outputs > 1) {
      const __m512 w1 = _mm512_set1_ps(w[1]);
      s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
      s1_1 = _mm512_fmadd_ps(x1, w1, s1_1);
    }
    if (outputs > 2) {
      const __m512 w2 = _mm512_set1_ps(w[2]);
      s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
      s2_1 = _mm512_fmadd_ps(x1, w2, s2_1);
    }
    if (outputs > 3) {
      const __m512 w3 = _mm512_set1_ps(w[3]);
      s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
      s3_1 = _mm512_fmadd_ps(x1, w3, s3_1);
    }
    if (outputs > 4) {
      const __m512 w4 = _mm512_set1_ps(w[4]);
      s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
      s4_1 = _mm512_fmadd_ps(x1, w4, s4_1);
    }
    if (outputs > 5) {
      const __m512 w5 = _mm512_set1_ps(w[5]);
      s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
      s5_1 = _mm512_fmadd_ps(x1, w5, s5_1);
    }
    if (outputs > 6) {
      const __m512 w6 = _mm512_set1_ps(w[6]);
      s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
      s6_1 = _mm512_fmadd_ps(x1, w6, s6_1);
    }
    if (outputs > 7) {
      const __m512 w7 = _mm512_set1_ps(w[7]);
      s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
      s7_1 = _mm512_fmadd_ps(x1, w7, s7_1);
    }
  }
  s[0] = s0_0;
  s[1] = s0_1;
  s[2] = s1_0;
  s[3] = s1_1;
  s[4] = s2_0;
  s[5] = s2_1;
  s[6] = s3_0;
  s[7] = s3_1;
  s[8] = s4_0;
  s[9] = s4_1;
  s[10] = s5_0;
  s[11] = s5_1;
  s[12] = s6_0;
  s[13] = s6_1;
  s[14] = s7_0;
  s[15] = s7_1;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer1_pair_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m512 s[2][16];
  layer1_pair_chain(s[0], a, w, 0, outputs);
  layer1_pair_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m512 linear_b = _mm512_set1_ps(linear_bias[i]);
    s[0][2 * i] = _mm512_add_ps(s[0][2 * i], linear_b);
    _mm512_store_ps(out + i * LANES_PAIR, act_relu(s[0][2 * i]));
    s[0][2 * i + 1] = _mm512_add_ps(s[0][2 * i + 1], linear_b);
    _mm512_store_ps(out + i * LANES_PAIR + 16, act_relu(s[0][2 * i + 1]));
  }
}

/* layer2: sums of at most 8 outputs over every 4. k from `k` on, 32 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer2_pair_chain(
    __m512 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m512 s0_0 = _mm512_setzero_ps();
  __m512 s0_1 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps();
  __m512 s1_1 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps();
  __m512 s2_1 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps();
  __m512 s3_1 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps();
  __m512 s4_1 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps();
  __m512 s5_1 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps();
  __m512 s6_1 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps();
  __m512 s7_1 = _mm512_setzero_ps();
  a += k * LANES_PAIR;
  w += k * LAYER2_STEP;
  for (; k + 12 < LAYER2_INPUTS;
       k += 16, a += 16 * LANES_PAIR, w += 16 * LAYER2_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m512 x0 = _mm512_load_ps(a + u * 4 * LANES_PAIR);
      const __m512 x1 = _mm512_load_ps(a + u * 4 * LANES_PAIR + 16);
      const __m512 w0 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m512 w1 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 1]);
        s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm512_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m512 w2 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 2]);
        s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm512_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m512 w3 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 3]);
        s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm512_fmadd_ps(x1, w3, s3_1);
      }
      if (outputs > 4) {
        const __m512 w4 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 4]);
        s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
        s4_1 = _mm512_fmadd_ps(x1, w4, s4_1);
      }
      if (outputs > 5) {
        const __m512 w5 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 5]);
        s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
        s5_1 = _mm512_fmadd_ps(x1, w5, s5_1);
      }
      if (outputs > 6) {
        const __m512 w6 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 6]);
        s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
        s6_1 = _mm512_fmadd_ps(x1, w6, s6_1);
      }
      if (outputs > 7) {
        const __m512 w7 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 7]);
        s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
        s7_1 = _mm512_fmadd_ps(x1, w7, s7_1);
      }
    }
  }
  s[0] = s0_0;
  s[1] = s0_1;
  s[2] = s1_0;
  s[3] = s1_1;
  s[4] = s2_0;
  s[5] = s2_1;
  s[6] = s3_0;
  s[7] = s3_1;
  s[8] = s4_0;
  s[9] = s4_1;
  s[10] = s5_0;
  s[11] = s5_1;
  s[12] = s6_0;
  s[13] = s6_1;
  s[14] = s7_0;
  s[15] = s7_1;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer2_pair_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m512 s[3][16];
  layer2_pair_chain(s[0], a, w, 0, outputs);
  layer2_pair_chain(s[1], a, w, 2, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  layer2_pair_chain(s[1], a, w, 1, outputs);
  layer2_pair_chain(s[2], a, w, 3, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m512 linear_b = _mm512_set1_ps(linear_bias[i]);
    s[0][2 * i] = _mm512_add_ps(s[0][2 * i], _mm512_setzero_ps());
    s[0][2 * i] = _mm512_add_ps(s[0][2 * i], linear_b);
    _mm512_store_ps(out + i * LANES_PAIR, act_relu(s[0][2 * i]));
    s[0][2 * i + 1] = _mm512_add_ps(s[0][2 * i + 1], _mm512_setzero_ps());
    s[0][2 * i + 1] = _mm512_add_ps(s[0][2 * i + 1], linear_b);
    _mm512_store_ps(out + i * LANES_PAIR + 16, act_relu(s[0][2 * i + 1]));
  }
}

/* layer3: sums of at most 8 outputs over every 8. k from `k` on, 32 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer3_pair_chain(
    __m512 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m512 s0_0 = _mm512_setzero_ps();
  __m512 s0_1 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps();
  __m512 s1_1 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps();
  __m512 s2_1 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps();
  __m512 s3_1 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps();
  __m512 s4_1 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps();
  __m512 s5_1 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps();
  __m512 s6_1 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps();
  __m512 s7_1 = _mm512_setzero_ps();
  a += k * LANES_PAIR;
  w += k * LAYER3_STEP;
  for (; k + 24 < LAYER3_INPUTS;
       k += 32, a += 32 * LANES_PAIR, w += 32 * LAYER3_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m512 x0 = _mm512_load_ps(a + u * 8 * LANES_PAIR);
      const __m512 x1 = _mm512_load_ps(a + u * 8 * LANES_PAIR + 16);
      const __m512 w0 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m512 w1 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 1]);
        s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm512_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m512 w2 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 2]);
        s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm512_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m512 w3 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 3]);
        s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm512_fmadd_ps(x1, w3, s3_1);
      }
      if (outputs > 4) {
        const __m512 w4 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 4]);
        s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
        s4_1 = _mm512_fmadd_ps(x1, w4, s4_1);
      }
      if (outputs > 5) {
        const __m512 w5 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 5]);
        s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
        s5_1 = _mm512_fmadd_ps(x1, w5, s5_1);
      }
      if (outputs > 6) {
        const __m512 w6 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 6]);
        s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
        s6_1 = _mm512_fmadd_ps(x1, w6, s6_1);
      }
      if (outputs > 7) {
        const __m512 w7 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 7]);
        s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
        s7_1 = _mm512_fmadd_ps(x1, w7, s7_1);
      }
    }
  }
  s[0] = s0_0;
  s[1] = s0_1;
  s[2] = s1_0;
  s[3] = s1_1;
  s[4] = s2_0;
  s[5] = s2_1;
  s[6] = s3_0;
  s[7] = s3_1;
  s[8] = s4_0;
  s[9] = s4_1;
  s[10] = s5_0;
  s[11] = s5_1;
  s[12] = s6_0;
  s[13] = s6_1;
  s[14] = s7_0;
  s[15] = s7_1;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer3_pair_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m512 s[4][16];
  layer3_pair_chain(s[0], a, w, 0, outputs);
  layer3_pair_chain(s[1], a, w, 4, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  layer3_pair_chain(s[1], a, w, 2, outputs);
  layer3_pair_chain(s[2], a, w, 6, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  layer3_pair_chain(s[1], a, w, 1, outputs);
  layer3_pair_chain(s[2], a, w, 5, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  layer3_pair_chain(s[2], a, w, 3, outputs);
  layer3_pair_chain(s[3], a, w, 7, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[2][i] = _mm512_add_ps(s[2][i], s[3][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m512 linear_b = _mm512_set1_ps(linear_bias[i]);
    s[0][2 * i] = _mm512_add_ps(s[0][2 * i], _mm512_setzero_ps());
    s[0][2 * i] = _mm512_add_ps(s[0][2 * i], linear_b);
    _mm512_store_ps(out + i * LANES_PAIR, act_sigmoid(s[0][2 * i]));
    s[0][2 * i + 1] = _mm512_add_ps(s[0][2 * i + 1], _mm512_setzero_ps());
    s[0][2 * i + 1] = _mm512_add_ps(s[0][2 * i + 1], linear_b);
    _mm512_store_ps(out + i * LANES_PAIR + 16, act_sigmoid(s[0][2 * i + 1]));
  }
}

/* Inputs of `count` tokens side by side. Where lanes are left over, copies of the first one fill
 * them, from `rows`. */
FFN_INLINE void lanes_pair_in(
    float *to, float *rows, const float *x, size_t stride, size_t count) {
  if (count < LANES_PAIR) {
    for (size_t token = 0; token < LANES_PAIR; ++token)
      FFN_MEMCPY(rows + token * LAYER1_INPUTS, x + (token < count ? token : 0) * stride,
          LAYER1_INPUTS * sizeof *x);
    x = rows;
    stride = LAYER1_INPUTS;
  }
  for (size_t k = 0; k < LAYER1_INPUTS; k += 4) {
    const size_t at = ffn_min(k, LAYER1_INPUTS - 4);
    for (size_t token = 0; token < LANES_PAIR; token += 16)
      ffn_turn_in_avx512(
          to + at * LANES_PAIR + token, LANES_PAIR, x + token * stride + at, stride);
  }
}

/* Outputs of `count` tokens, each where it belongs; by way of `rows` where lanes are left over. */
FFN_INLINE void lanes_pair_out(
    float *y, size_t stride, float *rows, const float *from, size_t count) {
  (void)rows;
  for (size_t token = 0; token < count; ++token)
    for (size_t output = 0; output < LAYER3_OUTPUTS; ++output)
      y[token * stride + output] = from[output * LANES_PAIR + token];
}

/* At most 32 tokens through all stages, each in a lane of its own. */
FFN_NOINLINE void lanes_pair(
    const ffn_call *call, float *memory, size_t token, size_t count) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  float *beside = memory + call->slot_rows * WORK_ROW;
  lanes_pair_memory *work = (lanes_pair_memory *)(void *)beside;
  lanes_pair_in(
      work->even, work->odd, call->x + token * call->x_stride, call->x_stride, count);
  { /* layer1 */
    const float *in = work->even;
    float *out = work->odd;
    for (size_t output = 0; output + 8 <= LAYER1_OUTPUTS; output += 8)
      layer1_pair_lanes(in, packed->layer1[output / FFN_PANEL][0][0] + output % FFN_PANEL,
          packed->layer1_bias[0] + output, out + output * LANES_PAIR, 8);
  }
  { /* layer2 */
    const float *in = work->odd;
    float *out = work->even;
    for (size_t output = 0; output + 8 <= LAYER2_OUTPUTS; output += 8)
      layer2_pair_lanes(in, packed->layer2[output / FFN_PANEL][0][0] + output % FFN_PANEL,
          packed->layer2_bias[0] + output, out + output * LANES_PAIR, 8);
  }
  { /* layer3 */
    const float *in = work->even;
    float *out = work->odd;
    const size_t last = LAYER3_OUTPUTS - 1;
    layer3_pair_lanes(in, packed->layer3[last / FFN_PANEL][0][0] + last % FFN_PANEL,
        packed->layer3_bias[0] + last, out + last * LANES_PAIR, 1);
  }
  lanes_pair_out(call->y + token * call->y_stride, call->y_stride,
      work->even, work->odd, count);
}

/* layer1: sums of at most 16 outputs over every 2. k from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer1_chain(
    __m512 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m512 s0_0 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps();
  __m512 s8_0 = _mm512_setzero_ps();
  __m512 s9_0 = _mm512_setzero_ps();
  __m512 s10_0 = _mm512_setzero_ps();
  __m512 s11_0 = _mm512_setzero_ps();
  __m512 s12_0 = _mm512_setzero_ps();
  __m512 s13_0 = _mm512_setzero_ps();
  __m512 s14_0 = _mm512_setzero_ps();
  __m512 s15_0 = _mm512_setzero_ps();
  a += k * LANES;
  w += k * LAYER1_STEP;
  for (; k + 2 < LAYER1_INPUTS;
       k += 4, a += 4 * LANES, w += 4 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 2; ++u) {
      const __m512 x0 = _mm512_load_ps(a + u * 2 * LANES);
      const __m512 w0 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      if (outputs > 1) {
        const __m512 w1 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 1]);
        s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
      }
      if (outputs > 2) {
        const __m512 w2 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 2]);
        s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
      }
      if (outputs > 3) {
        const __m512 w3 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 3]);
        s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
      }
      if (outputs > 4) {
        const __m512 w4 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 4]);
        s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
      }
      if (outputs > 5) {
        const __m512 w5 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 5]);
        s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
      }
      if (outputs > 6) {
        const __m512 w6 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 6]);
        s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
      }
      if (outputs > 7) {
        const __m512 w7 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 7]);
        s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
      }
      if (outputs > 8) {
        const __m512 w8 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 8]);
        s8_0 = _mm512_fmadd_ps(x0, w8, s8_0);
      }
      if (outputs > 9) {
        const __m512 w9 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 9]);
        s9_0 = _mm512_fmadd_ps(x0, w9, s9_0);
      }
      if (outputs > 10) {
        const __m512 w10 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 10]);
        s10_0 = _mm512_fmadd_ps(x0, w10, s10_0);
      }
      if (outputs > 11) {
        const __m512 w11 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 11]);
        s11_0 = _mm512_fmadd_ps(x0, w11, s11_0);
      }
      if (outputs > 12) {
        const __m512 w12 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 12]);
        s12_0 = _mm512_fmadd_ps(x0, w12, s12_0);
      }
      if (outputs > 13) {
        const __m512 w13 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 13]);
        s13_0 = _mm512_fmadd_ps(x0, w13, s13_0);
      }
      if (outputs > 14) {
        const __m512 w14 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 14]);
        s14_0 = _mm512_fmadd_ps(x0, w14, s14_0);
      }
      if (outputs > 15) {
        const __m512 w15 = _mm512_set1_ps(w[u * 2 * LAYER1_STEP + 15]);
        s15_0 = _mm512_fmadd_ps(x0, w15, s15_0);
      }
    }
  }
  for (; k < LAYER1_INPUTS;
       k += 2, a += 2 * LANES, w += 2 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    const __m512 x0 = _mm512_load_ps(a);
    const __m512 w0 = _mm512_set1_ps(w[0]);
    s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
    if (outputs > 1) {
      const __m512 w1 = _mm512_set1_ps(w[1]);
      s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
    }
    if (outputs > 2) {
      const __m512 w2 = _mm512_set1_ps(w[2]);
      s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
    }
    if (outputs > 3) {
      const __m512 w3 = _mm512_set1_ps(w[3]);
      s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
    }
    if (outputs > 4) {
      const __m512 w4 = _mm512_set1_ps(w[4]);
      s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
    }
    if (outputs > 5) {
      const __m512 w5 = _mm512_set1_ps(w[5]);
      s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
    }
    if (outputs > 6) {
      const __m512 w6 = _mm512_set1_ps(w[6]);
      s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
    }
    if (outputs > 7) {
      const __m512 w7 = _mm512_set1_ps(w[7]);
      s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
    }
    if (outputs > 8) {
      const __m512 w8 = _mm512_set1_ps(w[8]);
      s8_0 = _mm512_fmadd_ps(x0, w8, s8_0);
    }
    if (outputs > 9) {
      const __m512 w9 = _mm512_set1_ps(w[9]);
      s9_0 = _mm512_fmadd_ps(x0, w9, s9_0);
    }
    if (outputs > 10) {
      const __m512 w10 = _mm512_set1_ps(w[10]);
      s10_0 = _mm512_fmadd_ps(x0, w10, s10_0);
    }
    if (outputs > 11) {
      const __m512 w11 = _mm512_set1_ps(w[11]);
      s11_0 = _mm512_fmadd_ps(x0, w11, s11_0);
    }
    if (outputs > 12) {
      const __m512 w12 = _mm512_set1_ps(w[12]);
      s12_0 = _mm512_fmadd_ps(x0, w12, s12_0);
    }
    if (outputs > 13) {
      const __m512 w13 = _mm512_set1_ps(w[13]);
      s13_0 = _mm512_fmadd_ps(x0, w13, s13_0);
    }
    if (outputs > 14) {
      const __m512 w14 = _mm512_set1_ps(w[14]);
      s14_0 = _mm512_fmadd_ps(x0, w14, s14_0);
    }
    if (outputs > 15) {
      const __m512 w15 = _mm512_set1_ps(w[15]);
      s15_0 = _mm512_fmadd_ps(x0, w15, s15_0);
    }
  }
  s[0] = s0_0;
  s[1] = s1_0;
  s[2] = s2_0;
  s[3] = s3_0;
  s[4] = s4_0;
  s[5] = s5_0;
  s[6] = s6_0;
  s[7] = s7_0;
  s[8] = s8_0;
  s[9] = s9_0;
  s[10] = s10_0;
  s[11] = s11_0;
  s[12] = s12_0;
  s[13] = s13_0;
  s[14] = s14_0;
  s[15] = s15_0;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer1_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m512 s[2][16];
  layer1_chain(s[0], a, w, 0, outputs);
  layer1_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m512 linear_b = _mm512_set1_ps(linear_bias[i]);
    s[0][i] = _mm512_add_ps(s[0][i], linear_b);
    _mm512_store_ps(out + i * LANES, act_relu(s[0][i]));
  }
}

/* layer2: sums of at most 16 outputs over every 4. k from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer2_chain(
    __m512 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m512 s0_0 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps();
  __m512 s8_0 = _mm512_setzero_ps();
  __m512 s9_0 = _mm512_setzero_ps();
  __m512 s10_0 = _mm512_setzero_ps();
  __m512 s11_0 = _mm512_setzero_ps();
  __m512 s12_0 = _mm512_setzero_ps();
  __m512 s13_0 = _mm512_setzero_ps();
  __m512 s14_0 = _mm512_setzero_ps();
  __m512 s15_0 = _mm512_setzero_ps();
  a += k * LANES;
  w += k * LAYER2_STEP;
  for (; k + 4 < LAYER2_INPUTS;
       k += 8, a += 8 * LANES, w += 8 * LAYER2_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 2; ++u) {
      const __m512 x0 = _mm512_load_ps(a + u * 4 * LANES);
      const __m512 w0 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      if (outputs > 1) {
        const __m512 w1 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 1]);
        s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
      }
      if (outputs > 2) {
        const __m512 w2 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 2]);
        s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
      }
      if (outputs > 3) {
        const __m512 w3 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 3]);
        s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
      }
      if (outputs > 4) {
        const __m512 w4 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 4]);
        s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
      }
      if (outputs > 5) {
        const __m512 w5 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 5]);
        s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
      }
      if (outputs > 6) {
        const __m512 w6 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 6]);
        s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
      }
      if (outputs > 7) {
        const __m512 w7 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 7]);
        s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
      }
      if (outputs > 8) {
        const __m512 w8 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 8]);
        s8_0 = _mm512_fmadd_ps(x0, w8, s8_0);
      }
      if (outputs > 9) {
        const __m512 w9 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 9]);
        s9_0 = _mm512_fmadd_ps(x0, w9, s9_0);
      }
      if (outputs > 10) {
        const __m512 w10 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 10]);
        s10_0 = _mm512_fmadd_ps(x0, w10, s10_0);
      }
      if (outputs > 11) {
        const __m512 w11 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 11]);
        s11_0 = _mm512_fmadd_ps(x0, w11, s11_0);
      }
      if (outputs > 12) {
        const __m512 w12 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 12]);
        s12_0 = _mm512_fmadd_ps(x0, w12, s12_0);
      }
      if (outputs > 13) {
        const __m512 w13 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 13]);
        s13_0 = _mm512_fmadd_ps(x0, w13, s13_0);
      }
      if (outputs > 14) {
        const __m512 w14 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 14]);
        s14_0 = _mm512_fmadd_ps(x0, w14, s14_0);
      }
      if (outputs > 15) {
        const __m512 w15 = _mm512_set1_ps(w[u * 4 * LAYER2_STEP + 15]);
        s15_0 = _mm512_fmadd_ps(x0, w15, s15_0);
      }
    }
  }
  s[0] = s0_0;
  s[1] = s1_0;
  s[2] = s2_0;
  s[3] = s3_0;
  s[4] = s4_0;
  s[5] = s5_0;
  s[6] = s6_0;
  s[7] = s7_0;
  s[8] = s8_0;
  s[9] = s9_0;
  s[10] = s10_0;
  s[11] = s11_0;
  s[12] = s12_0;
  s[13] = s13_0;
  s[14] = s14_0;
  s[15] = s15_0;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer2_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m512 s[3][16];
  layer2_chain(s[0], a, w, 0, outputs);
  layer2_chain(s[1], a, w, 2, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 1, outputs);
  layer2_chain(s[2], a, w, 3, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m512 linear_b = _mm512_set1_ps(linear_bias[i]);
    s[0][i] = _mm512_add_ps(s[0][i], _mm512_setzero_ps());
    s[0][i] = _mm512_add_ps(s[0][i], linear_b);
    _mm512_store_ps(out + i * LANES, act_relu(s[0][i]));
  }
}

/* layer3: sums of at most 16 outputs over every 8. k from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer3_chain(
    __m512 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m512 s0_0 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps();
  __m512 s8_0 = _mm512_setzero_ps();
  __m512 s9_0 = _mm512_setzero_ps();
  __m512 s10_0 = _mm512_setzero_ps();
  __m512 s11_0 = _mm512_setzero_ps();
  __m512 s12_0 = _mm512_setzero_ps();
  __m512 s13_0 = _mm512_setzero_ps();
  __m512 s14_0 = _mm512_setzero_ps();
  __m512 s15_0 = _mm512_setzero_ps();
  a += k * LANES;
  w += k * LAYER3_STEP;
  for (; k + 8 < LAYER3_INPUTS;
       k += 16, a += 16 * LANES, w += 16 * LAYER3_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 2; ++u) {
      const __m512 x0 = _mm512_load_ps(a + u * 8 * LANES);
      const __m512 w0 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      if (outputs > 1) {
        const __m512 w1 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 1]);
        s1_0 = _mm512_fmadd_ps(x0, w1, s1_0);
      }
      if (outputs > 2) {
        const __m512 w2 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 2]);
        s2_0 = _mm512_fmadd_ps(x0, w2, s2_0);
      }
      if (outputs > 3) {
        const __m512 w3 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 3]);
        s3_0 = _mm512_fmadd_ps(x0, w3, s3_0);
      }
      if (outputs > 4) {
        const __m512 w4 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 4]);
        s4_0 = _mm512_fmadd_ps(x0, w4, s4_0);
      }
      if (outputs > 5) {
        const __m512 w5 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 5]);
        s5_0 = _mm512_fmadd_ps(x0, w5, s5_0);
      }
      if (outputs > 6) {
        const __m512 w6 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 6]);
        s6_0 = _mm512_fmadd_ps(x0, w6, s6_0);
      }
      if (outputs > 7) {
        const __m512 w7 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 7]);
        s7_0 = _mm512_fmadd_ps(x0, w7, s7_0);
      }
      if (outputs > 8) {
        const __m512 w8 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 8]);
        s8_0 = _mm512_fmadd_ps(x0, w8, s8_0);
      }
      if (outputs > 9) {
        const __m512 w9 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 9]);
        s9_0 = _mm512_fmadd_ps(x0, w9, s9_0);
      }
      if (outputs > 10) {
        const __m512 w10 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 10]);
        s10_0 = _mm512_fmadd_ps(x0, w10, s10_0);
      }
      if (outputs > 11) {
        const __m512 w11 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 11]);
        s11_0 = _mm512_fmadd_ps(x0, w11, s11_0);
      }
      if (outputs > 12) {
        const __m512 w12 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 12]);
        s12_0 = _mm512_fmadd_ps(x0, w12, s12_0);
      }
      if (outputs > 13) {
        const __m512 w13 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 13]);
        s13_0 = _mm512_fmadd_ps(x0, w13, s13_0);
      }
      if (outputs > 14) {
        const __m512 w14 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 14]);
        s14_0 = _mm512_fmadd_ps(x0, w14, s14_0);
      }
      if (outputs > 15) {
        const __m512 w15 = _mm512_set1_ps(w[u * 8 * LAYER3_STEP + 15]);
        s15_0 = _mm512_fmadd_ps(x0, w15, s15_0);
      }
    }
  }
  s[0] = s0_0;
  s[1] = s1_0;
  s[2] = s2_0;
  s[3] = s3_0;
  s[4] = s4_0;
  s[5] = s5_0;
  s[6] = s6_0;
  s[7] = s7_0;
  s[8] = s8_0;
  s[9] = s9_0;
  s[10] = s10_0;
  s[11] = s11_0;
  s[12] = s12_0;
  s[13] = s13_0;
  s[14] = s14_0;
  s[15] = s15_0;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer3_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m512 s[4][16];
  layer3_chain(s[0], a, w, 0, outputs);
  layer3_chain(s[1], a, w, 4, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  layer3_chain(s[1], a, w, 2, outputs);
  layer3_chain(s[2], a, w, 6, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  layer3_chain(s[1], a, w, 1, outputs);
  layer3_chain(s[2], a, w, 5, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  layer3_chain(s[2], a, w, 3, outputs);
  layer3_chain(s[3], a, w, 7, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[2][i] = _mm512_add_ps(s[2][i], s[3][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = _mm512_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = _mm512_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m512 linear_b = _mm512_set1_ps(linear_bias[i]);
    s[0][i] = _mm512_add_ps(s[0][i], _mm512_setzero_ps());
    s[0][i] = _mm512_add_ps(s[0][i], linear_b);
    _mm512_store_ps(out + i * LANES, act_sigmoid(s[0][i]));
  }
}

/* Inputs of `count` tokens side by side. Where lanes are left over, copies of the first one fill
 * them, from `rows`. */
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
    for (size_t token = 0; token < LANES; token += 16)
      ffn_turn_in_avx512(
          to + at * LANES + token, LANES, x + token * stride + at, stride);
  }
}

/* Outputs of `count` tokens, each where it belongs; by way of `rows` where lanes are left over. */
FFN_INLINE void lanes_out(
    float *y, size_t stride, float *rows, const float *from, size_t count) {
  (void)rows;
  for (size_t token = 0; token < count; ++token)
    for (size_t output = 0; output < LAYER3_OUTPUTS; ++output)
      y[token * stride + output] = from[output * LANES + token];
}

/* At most 16 tokens through all stages, each in a lane of its own. */
FFN_NOINLINE void lanes(
    const ffn_call *call, float *memory, size_t token, size_t count) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  float *beside = memory + call->slot_rows * WORK_ROW;
  /* Not where a pair's last stores may still be under way: loads would wait for them. */
  beside += sizeof(lanes_pair_memory) / sizeof *beside;
  lanes_memory *work = (lanes_memory *)(void *)beside;
  lanes_in(
      work->even, work->odd, call->x + token * call->x_stride, call->x_stride, count);
  { /* layer1 */
    const float *in = work->even;
    float *out = work->odd;
    for (size_t output = 0; output + 16 <= LAYER1_OUTPUTS; output += 16)
      layer1_lanes(in, packed->layer1[output / FFN_PANEL][0][0] + output % FFN_PANEL,
          packed->layer1_bias[0] + output, out + output * LANES, 16);
  }
  { /* layer2 */
    const float *in = work->odd;
    float *out = work->even;
    for (size_t output = 0; output + 16 <= LAYER2_OUTPUTS; output += 16)
      layer2_lanes(in, packed->layer2[output / FFN_PANEL][0][0] + output % FFN_PANEL,
          packed->layer2_bias[0] + output, out + output * LANES, 16);
  }
  { /* layer3 */
    const float *in = work->even;
    float *out = work->odd;
    const size_t last = LAYER3_OUTPUTS - 1;
    layer3_lanes(in, packed->layer3[last / FFN_PANEL][0][0] + last % FFN_PANEL,
        packed->layer3_bias[0] + last, out + last * LANES, 1);
  }
  lanes_out(call->y + token * call->y_stride, call->y_stride,
      work->even, work->odd, count);
}

/* layer1: 8 rows of 32 columns. */
FFN_INLINE void layer1_group_8x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps();
  __m512 s2_1_0 = _mm512_setzero_ps();
  __m512 s3_0_0 = _mm512_setzero_ps();
  __m512 s3_1_0 = _mm512_setzero_ps();
  __m512 s4_0_0 = _mm512_setzero_ps();
  __m512 s4_1_0 = _mm512_setzero_ps();
  __m512 s5_0_0 = _mm512_setzero_ps();
  __m512 s5_1_0 = _mm512_setzero_ps();
  __m512 s6_0_0 = _mm512_setzero_ps();
  __m512 s6_1_0 = _mm512_setzero_ps();
  __m512 s7_0_0 = _mm512_setzero_ps();
  __m512 s7_1_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm512_fmadd_ps(x2, w1, s2_1_0);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = _mm512_fmadd_ps(x3, w0, s3_0_0);
    s3_1_0 = _mm512_fmadd_ps(x3, w1, s3_1_0);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LAYER1_ROW]);
    s4_0_0 = _mm512_fmadd_ps(x4, w0, s4_0_0);
    s4_1_0 = _mm512_fmadd_ps(x4, w1, s4_1_0);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LAYER1_ROW]);
    s5_0_0 = _mm512_fmadd_ps(x5, w0, s5_0_0);
    s5_1_0 = _mm512_fmadd_ps(x5, w1, s5_1_0);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LAYER1_ROW]);
    s6_0_0 = _mm512_fmadd_ps(x6, w0, s6_0_0);
    s6_1_0 = _mm512_fmadd_ps(x6, w1, s6_1_0);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LAYER1_ROW]);
    s7_0_0 = _mm512_fmadd_ps(x7, w0, s7_0_0);
    s7_1_0 = _mm512_fmadd_ps(x7, w1, s7_1_0);
  }
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s2_0_1 = _mm512_setzero_ps();
  __m512 s2_1_1 = _mm512_setzero_ps();
  __m512 s3_0_1 = _mm512_setzero_ps();
  __m512 s3_1_1 = _mm512_setzero_ps();
  __m512 s4_0_1 = _mm512_setzero_ps();
  __m512 s4_1_1 = _mm512_setzero_ps();
  __m512 s5_0_1 = _mm512_setzero_ps();
  __m512 s5_1_1 = _mm512_setzero_ps();
  __m512 s6_0_1 = _mm512_setzero_ps();
  __m512 s6_1_1 = _mm512_setzero_ps();
  __m512 s7_0_1 = _mm512_setzero_ps();
  __m512 s7_1_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm512_fmadd_ps(x2, w1, s2_1_1);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = _mm512_fmadd_ps(x3, w0, s3_0_1);
    s3_1_1 = _mm512_fmadd_ps(x3, w1, s3_1_1);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LAYER1_ROW]);
    s4_0_1 = _mm512_fmadd_ps(x4, w0, s4_0_1);
    s4_1_1 = _mm512_fmadd_ps(x4, w1, s4_1_1);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LAYER1_ROW]);
    s5_0_1 = _mm512_fmadd_ps(x5, w0, s5_0_1);
    s5_1_1 = _mm512_fmadd_ps(x5, w1, s5_1_1);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LAYER1_ROW]);
    s6_0_1 = _mm512_fmadd_ps(x6, w0, s6_0_1);
    s6_1_1 = _mm512_fmadd_ps(x6, w1, s6_1_1);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LAYER1_ROW]);
    s7_0_1 = _mm512_fmadd_ps(x7, w0, s7_0_1);
    s7_1_1 = _mm512_fmadd_ps(x7, w1, s7_1_1);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
  s4_0_0 = _mm512_add_ps(s4_0_0, s4_0_1);
  s4_1_0 = _mm512_add_ps(s4_1_0, s4_1_1);
  s5_0_0 = _mm512_add_ps(s5_0_0, s5_0_1);
  s5_1_0 = _mm512_add_ps(s5_1_0, s5_1_1);
  s6_0_0 = _mm512_add_ps(s6_0_0, s6_0_1);
  s6_1_0 = _mm512_add_ps(s6_1_0, s6_1_1);
  s7_0_0 = _mm512_add_ps(s7_0_0, s7_0_1);
  s7_1_0 = _mm512_add_ps(s7_1_0, s7_1_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER2_ROW + 16, s1_1_0);
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_load_ps(linear_bias + 16));
  s2_1_0 = act_relu(s2_1_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW + 16, s2_1_0);
  s3_0_0 = _mm512_add_ps(s3_0_0, _mm512_load_ps(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  _mm512_store_ps(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = _mm512_add_ps(s3_1_0, _mm512_load_ps(linear_bias + 16));
  s3_1_0 = act_relu(s3_1_0);
  _mm512_store_ps(out + 3 * LAYER2_ROW + 16, s3_1_0);
  s4_0_0 = _mm512_add_ps(s4_0_0, _mm512_load_ps(linear_bias));
  s4_0_0 = act_relu(s4_0_0);
  _mm512_store_ps(out + 4 * LAYER2_ROW, s4_0_0);
  s4_1_0 = _mm512_add_ps(s4_1_0, _mm512_load_ps(linear_bias + 16));
  s4_1_0 = act_relu(s4_1_0);
  _mm512_store_ps(out + 4 * LAYER2_ROW + 16, s4_1_0);
  s5_0_0 = _mm512_add_ps(s5_0_0, _mm512_load_ps(linear_bias));
  s5_0_0 = act_relu(s5_0_0);
  _mm512_store_ps(out + 5 * LAYER2_ROW, s5_0_0);
  s5_1_0 = _mm512_add_ps(s5_1_0, _mm512_load_ps(linear_bias + 16));
  s5_1_0 = act_relu(s5_1_0);
  _mm512_store_ps(out + 5 * LAYER2_ROW + 16, s5_1_0);
  s6_0_0 = _mm512_add_ps(s6_0_0, _mm512_load_ps(linear_bias));
  s6_0_0 = act_relu(s6_0_0);
  _mm512_store_ps(out + 6 * LAYER2_ROW, s6_0_0);
  s6_1_0 = _mm512_add_ps(s6_1_0, _mm512_load_ps(linear_bias + 16));
  s6_1_0 = act_relu(s6_1_0);
  _mm512_store_ps(out + 6 * LAYER2_ROW + 16, s6_1_0);
  s7_0_0 = _mm512_add_ps(s7_0_0, _mm512_load_ps(linear_bias));
  s7_0_0 = act_relu(s7_0_0);
  _mm512_store_ps(out + 7 * LAYER2_ROW, s7_0_0);
  s7_1_0 = _mm512_add_ps(s7_1_0, _mm512_load_ps(linear_bias + 16));
  s7_1_0 = act_relu(s7_1_0);
  _mm512_store_ps(out + 7 * LAYER2_ROW + 16, s7_1_0);
}

/* layer2: 8 rows of 32 columns. */
FFN_INLINE void layer2_group_8x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps();
  __m512 s2_1_0 = _mm512_setzero_ps();
  __m512 s3_0_0 = _mm512_setzero_ps();
  __m512 s3_1_0 = _mm512_setzero_ps();
  __m512 s4_0_0 = _mm512_setzero_ps();
  __m512 s4_1_0 = _mm512_setzero_ps();
  __m512 s5_0_0 = _mm512_setzero_ps();
  __m512 s5_1_0 = _mm512_setzero_ps();
  __m512 s6_0_0 = _mm512_setzero_ps();
  __m512 s6_1_0 = _mm512_setzero_ps();
  __m512 s7_0_0 = _mm512_setzero_ps();
  __m512 s7_1_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm512_fmadd_ps(x2, w1, s2_1_0);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_0 = _mm512_fmadd_ps(x3, w0, s3_0_0);
    s3_1_0 = _mm512_fmadd_ps(x3, w1, s3_1_0);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LAYER2_ROW]);
    s4_0_0 = _mm512_fmadd_ps(x4, w0, s4_0_0);
    s4_1_0 = _mm512_fmadd_ps(x4, w1, s4_1_0);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LAYER2_ROW]);
    s5_0_0 = _mm512_fmadd_ps(x5, w0, s5_0_0);
    s5_1_0 = _mm512_fmadd_ps(x5, w1, s5_1_0);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LAYER2_ROW]);
    s6_0_0 = _mm512_fmadd_ps(x6, w0, s6_0_0);
    s6_1_0 = _mm512_fmadd_ps(x6, w1, s6_1_0);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LAYER2_ROW]);
    s7_0_0 = _mm512_fmadd_ps(x7, w0, s7_0_0);
    s7_1_0 = _mm512_fmadd_ps(x7, w1, s7_1_0);
  }
  __m512 s0_0_2 = _mm512_setzero_ps();
  __m512 s0_1_2 = _mm512_setzero_ps();
  __m512 s1_0_2 = _mm512_setzero_ps();
  __m512 s1_1_2 = _mm512_setzero_ps();
  __m512 s2_0_2 = _mm512_setzero_ps();
  __m512 s2_1_2 = _mm512_setzero_ps();
  __m512 s3_0_2 = _mm512_setzero_ps();
  __m512 s3_1_2 = _mm512_setzero_ps();
  __m512 s4_0_2 = _mm512_setzero_ps();
  __m512 s4_1_2 = _mm512_setzero_ps();
  __m512 s5_0_2 = _mm512_setzero_ps();
  __m512 s5_1_2 = _mm512_setzero_ps();
  __m512 s6_0_2 = _mm512_setzero_ps();
  __m512 s6_1_2 = _mm512_setzero_ps();
  __m512 s7_0_2 = _mm512_setzero_ps();
  __m512 s7_1_2 = _mm512_setzero_ps();
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
    s0_1_2 = _mm512_fmadd_ps(x0, w1, s0_1_2);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_2 = _mm512_fmadd_ps(x1, w0, s1_0_2);
    s1_1_2 = _mm512_fmadd_ps(x1, w1, s1_1_2);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_2 = _mm512_fmadd_ps(x2, w0, s2_0_2);
    s2_1_2 = _mm512_fmadd_ps(x2, w1, s2_1_2);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_2 = _mm512_fmadd_ps(x3, w0, s3_0_2);
    s3_1_2 = _mm512_fmadd_ps(x3, w1, s3_1_2);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LAYER2_ROW]);
    s4_0_2 = _mm512_fmadd_ps(x4, w0, s4_0_2);
    s4_1_2 = _mm512_fmadd_ps(x4, w1, s4_1_2);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LAYER2_ROW]);
    s5_0_2 = _mm512_fmadd_ps(x5, w0, s5_0_2);
    s5_1_2 = _mm512_fmadd_ps(x5, w1, s5_1_2);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LAYER2_ROW]);
    s6_0_2 = _mm512_fmadd_ps(x6, w0, s6_0_2);
    s6_1_2 = _mm512_fmadd_ps(x6, w1, s6_1_2);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LAYER2_ROW]);
    s7_0_2 = _mm512_fmadd_ps(x7, w0, s7_0_2);
    s7_1_2 = _mm512_fmadd_ps(x7, w1, s7_1_2);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_2);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_2);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_2);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_2);
  s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_2);
  s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_2);
  s4_0_0 = _mm512_add_ps(s4_0_0, s4_0_2);
  s4_1_0 = _mm512_add_ps(s4_1_0, s4_1_2);
  s5_0_0 = _mm512_add_ps(s5_0_0, s5_0_2);
  s5_1_0 = _mm512_add_ps(s5_1_0, s5_1_2);
  s6_0_0 = _mm512_add_ps(s6_0_0, s6_0_2);
  s6_1_0 = _mm512_add_ps(s6_1_0, s6_1_2);
  s7_0_0 = _mm512_add_ps(s7_0_0, s7_0_2);
  s7_1_0 = _mm512_add_ps(s7_1_0, s7_1_2);
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s2_0_1 = _mm512_setzero_ps();
  __m512 s2_1_1 = _mm512_setzero_ps();
  __m512 s3_0_1 = _mm512_setzero_ps();
  __m512 s3_1_1 = _mm512_setzero_ps();
  __m512 s4_0_1 = _mm512_setzero_ps();
  __m512 s4_1_1 = _mm512_setzero_ps();
  __m512 s5_0_1 = _mm512_setzero_ps();
  __m512 s5_1_1 = _mm512_setzero_ps();
  __m512 s6_0_1 = _mm512_setzero_ps();
  __m512 s6_1_1 = _mm512_setzero_ps();
  __m512 s7_0_1 = _mm512_setzero_ps();
  __m512 s7_1_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm512_fmadd_ps(x2, w1, s2_1_1);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_1 = _mm512_fmadd_ps(x3, w0, s3_0_1);
    s3_1_1 = _mm512_fmadd_ps(x3, w1, s3_1_1);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LAYER2_ROW]);
    s4_0_1 = _mm512_fmadd_ps(x4, w0, s4_0_1);
    s4_1_1 = _mm512_fmadd_ps(x4, w1, s4_1_1);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LAYER2_ROW]);
    s5_0_1 = _mm512_fmadd_ps(x5, w0, s5_0_1);
    s5_1_1 = _mm512_fmadd_ps(x5, w1, s5_1_1);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LAYER2_ROW]);
    s6_0_1 = _mm512_fmadd_ps(x6, w0, s6_0_1);
    s6_1_1 = _mm512_fmadd_ps(x6, w1, s6_1_1);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LAYER2_ROW]);
    s7_0_1 = _mm512_fmadd_ps(x7, w0, s7_0_1);
    s7_1_1 = _mm512_fmadd_ps(x7, w1, s7_1_1);
  }
  __m512 s0_0_3 = _mm512_setzero_ps();
  __m512 s0_1_3 = _mm512_setzero_ps();
  __m512 s1_0_3 = _mm512_setzero_ps();
  __m512 s1_1_3 = _mm512_setzero_ps();
  __m512 s2_0_3 = _mm512_setzero_ps();
  __m512 s2_1_3 = _mm512_setzero_ps();
  __m512 s3_0_3 = _mm512_setzero_ps();
  __m512 s3_1_3 = _mm512_setzero_ps();
  __m512 s4_0_3 = _mm512_setzero_ps();
  __m512 s4_1_3 = _mm512_setzero_ps();
  __m512 s5_0_3 = _mm512_setzero_ps();
  __m512 s5_1_3 = _mm512_setzero_ps();
  __m512 s6_0_3 = _mm512_setzero_ps();
  __m512 s6_1_3 = _mm512_setzero_ps();
  __m512 s7_0_3 = _mm512_setzero_ps();
  __m512 s7_1_3 = _mm512_setzero_ps();
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
    s0_1_3 = _mm512_fmadd_ps(x0, w1, s0_1_3);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_3 = _mm512_fmadd_ps(x1, w0, s1_0_3);
    s1_1_3 = _mm512_fmadd_ps(x1, w1, s1_1_3);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_3 = _mm512_fmadd_ps(x2, w0, s2_0_3);
    s2_1_3 = _mm512_fmadd_ps(x2, w1, s2_1_3);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_3 = _mm512_fmadd_ps(x3, w0, s3_0_3);
    s3_1_3 = _mm512_fmadd_ps(x3, w1, s3_1_3);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LAYER2_ROW]);
    s4_0_3 = _mm512_fmadd_ps(x4, w0, s4_0_3);
    s4_1_3 = _mm512_fmadd_ps(x4, w1, s4_1_3);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LAYER2_ROW]);
    s5_0_3 = _mm512_fmadd_ps(x5, w0, s5_0_3);
    s5_1_3 = _mm512_fmadd_ps(x5, w1, s5_1_3);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LAYER2_ROW]);
    s6_0_3 = _mm512_fmadd_ps(x6, w0, s6_0_3);
    s6_1_3 = _mm512_fmadd_ps(x6, w1, s6_1_3);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LAYER2_ROW]);
    s7_0_3 = _mm512_fmadd_ps(x7, w0, s7_0_3);
    s7_1_3 = _mm512_fmadd_ps(x7, w1, s7_1_3);
  }
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_1_1 = _mm512_add_ps(s0_1_1, s0_1_3);
  s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
  s1_1_1 = _mm512_add_ps(s1_1_1, s1_1_3);
  s2_0_1 = _mm512_add_ps(s2_0_1, s2_0_3);
  s2_1_1 = _mm512_add_ps(s2_1_1, s2_1_3);
  s3_0_1 = _mm512_add_ps(s3_0_1, s3_0_3);
  s3_1_1 = _mm512_add_ps(s3_1_1, s3_1_3);
  s4_0_1 = _mm512_add_ps(s4_0_1, s4_0_3);
  s4_1_1 = _mm512_add_ps(s4_1_1, s4_1_3);
  s5_0_1 = _mm512_add_ps(s5_0_1, s5_0_3);
  s5_1_1 = _mm512_add_ps(s5_1_1, s5_1_3);
  s6_0_1 = _mm512_add_ps(s6_0_1, s6_0_3);
  s6_1_1 = _mm512_add_ps(s6_1_1, s6_1_3);
  s7_0_1 = _mm512_add_ps(s7_0_1, s7_0_3);
  s7_1_1 = _mm512_add_ps(s7_1_1, s7_1_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
  s4_0_0 = _mm512_add_ps(s4_0_0, s4_0_1);
  s4_1_0 = _mm512_add_ps(s4_1_0, s4_1_1);
  s5_0_0 = _mm512_add_ps(s5_0_0, s5_0_1);
  s5_1_0 = _mm512_add_ps(s5_1_0, s5_1_1);
  s6_0_0 = _mm512_add_ps(s6_0_0, s6_0_1);
  s6_1_0 = _mm512_add_ps(s6_1_0, s6_1_1);
  s7_0_0 = _mm512_add_ps(s7_0_0, s7_0_1);
  s7_1_0 = _mm512_add_ps(s7_1_0, s7_1_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_setzero_ps());
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_setzero_ps());
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_setzero_ps());
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER3_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_setzero_ps());
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER3_ROW + 16, s1_1_0);
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_setzero_ps());
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm512_store_ps(out + 2 * LAYER3_ROW, s2_0_0);
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_setzero_ps());
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_load_ps(linear_bias + 16));
  s2_1_0 = act_relu(s2_1_0);
  _mm512_store_ps(out + 2 * LAYER3_ROW + 16, s2_1_0);
  s3_0_0 = _mm512_add_ps(s3_0_0, _mm512_setzero_ps());
  s3_0_0 = _mm512_add_ps(s3_0_0, _mm512_load_ps(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  _mm512_store_ps(out + 3 * LAYER3_ROW, s3_0_0);
  s3_1_0 = _mm512_add_ps(s3_1_0, _mm512_setzero_ps());
  s3_1_0 = _mm512_add_ps(s3_1_0, _mm512_load_ps(linear_bias + 16));
  s3_1_0 = act_relu(s3_1_0);
  _mm512_store_ps(out + 3 * LAYER3_ROW + 16, s3_1_0);
  s4_0_0 = _mm512_add_ps(s4_0_0, _mm512_setzero_ps());
  s4_0_0 = _mm512_add_ps(s4_0_0, _mm512_load_ps(linear_bias));
  s4_0_0 = act_relu(s4_0_0);
  _mm512_store_ps(out + 4 * LAYER3_ROW, s4_0_0);
  s4_1_0 = _mm512_add_ps(s4_1_0, _mm512_setzero_ps());
  s4_1_0 = _mm512_add_ps(s4_1_0, _mm512_load_ps(linear_bias + 16));
  s4_1_0 = act_relu(s4_1_0);
  _mm512_store_ps(out + 4 * LAYER3_ROW + 16, s4_1_0);
  s5_0_0 = _mm512_add_ps(s5_0_0, _mm512_setzero_ps());
  s5_0_0 = _mm512_add_ps(s5_0_0, _mm512_load_ps(linear_bias));
  s5_0_0 = act_relu(s5_0_0);
  _mm512_store_ps(out + 5 * LAYER3_ROW, s5_0_0);
  s5_1_0 = _mm512_add_ps(s5_1_0, _mm512_setzero_ps());
  s5_1_0 = _mm512_add_ps(s5_1_0, _mm512_load_ps(linear_bias + 16));
  s5_1_0 = act_relu(s5_1_0);
  _mm512_store_ps(out + 5 * LAYER3_ROW + 16, s5_1_0);
  s6_0_0 = _mm512_add_ps(s6_0_0, _mm512_setzero_ps());
  s6_0_0 = _mm512_add_ps(s6_0_0, _mm512_load_ps(linear_bias));
  s6_0_0 = act_relu(s6_0_0);
  _mm512_store_ps(out + 6 * LAYER3_ROW, s6_0_0);
  s6_1_0 = _mm512_add_ps(s6_1_0, _mm512_setzero_ps());
  s6_1_0 = _mm512_add_ps(s6_1_0, _mm512_load_ps(linear_bias + 16));
  s6_1_0 = act_relu(s6_1_0);
  _mm512_store_ps(out + 6 * LAYER3_ROW + 16, s6_1_0);
  s7_0_0 = _mm512_add_ps(s7_0_0, _mm512_setzero_ps());
  s7_0_0 = _mm512_add_ps(s7_0_0, _mm512_load_ps(linear_bias));
  s7_0_0 = act_relu(s7_0_0);
  _mm512_store_ps(out + 7 * LAYER3_ROW, s7_0_0);
  s7_1_0 = _mm512_add_ps(s7_1_0, _mm512_setzero_ps());
  s7_1_0 = _mm512_add_ps(s7_1_0, _mm512_load_ps(linear_bias + 16));
  s7_1_0 = act_relu(s7_1_0);
  _mm512_store_ps(out + 7 * LAYER3_ROW + 16, s7_1_0);
}

/* layer3: 4 rows of 1 column. */
FFN_INLINE void layer3_group_4x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  __m512 sums =
      ffn_dots_avx512(a, LAYER3_ROW, w, LAYER3_STEP, LAYER3_INPUTS, 4);
  sums = _mm512_add_ps(sums, _mm512_setzero_ps());
  sums = _mm512_add_ps(sums, _mm512_set1_ps(linear_bias[0]));
  sums = act_sigmoid(sums);
  float results[16];
  _mm512_storeu_ps(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
  out[3 * stride] = results[3];
}

/* layer1: 4 rows of 64 columns. */
FFN_INLINE void layer1_group_4x64(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s0_2_0 = _mm512_setzero_ps();
  __m512 s0_3_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s1_2_0 = _mm512_setzero_ps();
  __m512 s1_3_0 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps();
  __m512 s2_1_0 = _mm512_setzero_ps();
  __m512 s2_2_0 = _mm512_setzero_ps();
  __m512 s2_3_0 = _mm512_setzero_ps();
  __m512 s3_0_0 = _mm512_setzero_ps();
  __m512 s3_1_0 = _mm512_setzero_ps();
  __m512 s3_2_0 = _mm512_setzero_ps();
  __m512 s3_3_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 w2 = _mm512_load_ps(w + k * LAYER1_STEP + 2 * LAYER1_PANEL);
    const __m512 w3 = _mm512_load_ps(w + k * LAYER1_STEP + 3 * LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm512_fmadd_ps(x0, w2, s0_2_0);
    s0_3_0 = _mm512_fmadd_ps(x0, w3, s0_3_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm512_fmadd_ps(x1, w2, s1_2_0);
    s1_3_0 = _mm512_fmadd_ps(x1, w3, s1_3_0);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm512_fmadd_ps(x2, w1, s2_1_0);
    s2_2_0 = _mm512_fmadd_ps(x2, w2, s2_2_0);
    s2_3_0 = _mm512_fmadd_ps(x2, w3, s2_3_0);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = _mm512_fmadd_ps(x3, w0, s3_0_0);
    s3_1_0 = _mm512_fmadd_ps(x3, w1, s3_1_0);
    s3_2_0 = _mm512_fmadd_ps(x3, w2, s3_2_0);
    s3_3_0 = _mm512_fmadd_ps(x3, w3, s3_3_0);
  }
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s0_2_1 = _mm512_setzero_ps();
  __m512 s0_3_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s1_2_1 = _mm512_setzero_ps();
  __m512 s1_3_1 = _mm512_setzero_ps();
  __m512 s2_0_1 = _mm512_setzero_ps();
  __m512 s2_1_1 = _mm512_setzero_ps();
  __m512 s2_2_1 = _mm512_setzero_ps();
  __m512 s2_3_1 = _mm512_setzero_ps();
  __m512 s3_0_1 = _mm512_setzero_ps();
  __m512 s3_1_1 = _mm512_setzero_ps();
  __m512 s3_2_1 = _mm512_setzero_ps();
  __m512 s3_3_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 w2 = _mm512_load_ps(w + k * LAYER1_STEP + 2 * LAYER1_PANEL);
    const __m512 w3 = _mm512_load_ps(w + k * LAYER1_STEP + 3 * LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm512_fmadd_ps(x0, w2, s0_2_1);
    s0_3_1 = _mm512_fmadd_ps(x0, w3, s0_3_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm512_fmadd_ps(x1, w2, s1_2_1);
    s1_3_1 = _mm512_fmadd_ps(x1, w3, s1_3_1);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm512_fmadd_ps(x2, w1, s2_1_1);
    s2_2_1 = _mm512_fmadd_ps(x2, w2, s2_2_1);
    s2_3_1 = _mm512_fmadd_ps(x2, w3, s2_3_1);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = _mm512_fmadd_ps(x3, w0, s3_0_1);
    s3_1_1 = _mm512_fmadd_ps(x3, w1, s3_1_1);
    s3_2_1 = _mm512_fmadd_ps(x3, w2, s3_2_1);
    s3_3_1 = _mm512_fmadd_ps(x3, w3, s3_3_1);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm512_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm512_add_ps(s0_3_0, s0_3_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm512_add_ps(s1_2_0, s1_2_1);
  s1_3_0 = _mm512_add_ps(s1_3_0, s1_3_1);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  s2_2_0 = _mm512_add_ps(s2_2_0, s2_2_1);
  s2_3_0 = _mm512_add_ps(s2_3_0, s2_3_1);
  s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
  s3_2_0 = _mm512_add_ps(s3_2_0, s3_2_1);
  s3_3_0 = _mm512_add_ps(s3_3_0, s3_3_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s0_2_0 = _mm512_add_ps(s0_2_0, _mm512_load_ps(linear_bias + 32));
  s0_2_0 = act_relu(s0_2_0);
  _mm512_store_ps(out + 32, s0_2_0);
  s0_3_0 = _mm512_add_ps(s0_3_0, _mm512_load_ps(linear_bias + 48));
  s0_3_0 = act_relu(s0_3_0);
  _mm512_store_ps(out + 48, s0_3_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER2_ROW + 16, s1_1_0);
  s1_2_0 = _mm512_add_ps(s1_2_0, _mm512_load_ps(linear_bias + 32));
  s1_2_0 = act_relu(s1_2_0);
  _mm512_store_ps(out + LAYER2_ROW + 32, s1_2_0);
  s1_3_0 = _mm512_add_ps(s1_3_0, _mm512_load_ps(linear_bias + 48));
  s1_3_0 = act_relu(s1_3_0);
  _mm512_store_ps(out + LAYER2_ROW + 48, s1_3_0);
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_load_ps(linear_bias + 16));
  s2_1_0 = act_relu(s2_1_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW + 16, s2_1_0);
  s2_2_0 = _mm512_add_ps(s2_2_0, _mm512_load_ps(linear_bias + 32));
  s2_2_0 = act_relu(s2_2_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW + 32, s2_2_0);
  s2_3_0 = _mm512_add_ps(s2_3_0, _mm512_load_ps(linear_bias + 48));
  s2_3_0 = act_relu(s2_3_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW + 48, s2_3_0);
  s3_0_0 = _mm512_add_ps(s3_0_0, _mm512_load_ps(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  _mm512_store_ps(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = _mm512_add_ps(s3_1_0, _mm512_load_ps(linear_bias + 16));
  s3_1_0 = act_relu(s3_1_0);
  _mm512_store_ps(out + 3 * LAYER2_ROW + 16, s3_1_0);
  s3_2_0 = _mm512_add_ps(s3_2_0, _mm512_load_ps(linear_bias + 32));
  s3_2_0 = act_relu(s3_2_0);
  _mm512_store_ps(out + 3 * LAYER2_ROW + 32, s3_2_0);
  s3_3_0 = _mm512_add_ps(s3_3_0, _mm512_load_ps(linear_bias + 48));
  s3_3_0 = act_relu(s3_3_0);
  _mm512_store_ps(out + 3 * LAYER2_ROW + 48, s3_3_0);
}

/* layer2: 4 rows of 32 columns. */
FFN_INLINE void layer2_group_4x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps();
  __m512 s2_1_0 = _mm512_setzero_ps();
  __m512 s3_0_0 = _mm512_setzero_ps();
  __m512 s3_1_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm512_fmadd_ps(x2, w1, s2_1_0);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_0 = _mm512_fmadd_ps(x3, w0, s3_0_0);
    s3_1_0 = _mm512_fmadd_ps(x3, w1, s3_1_0);
  }
  __m512 s0_0_2 = _mm512_setzero_ps();
  __m512 s0_1_2 = _mm512_setzero_ps();
  __m512 s1_0_2 = _mm512_setzero_ps();
  __m512 s1_1_2 = _mm512_setzero_ps();
  __m512 s2_0_2 = _mm512_setzero_ps();
  __m512 s2_1_2 = _mm512_setzero_ps();
  __m512 s3_0_2 = _mm512_setzero_ps();
  __m512 s3_1_2 = _mm512_setzero_ps();
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
    s0_1_2 = _mm512_fmadd_ps(x0, w1, s0_1_2);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_2 = _mm512_fmadd_ps(x1, w0, s1_0_2);
    s1_1_2 = _mm512_fmadd_ps(x1, w1, s1_1_2);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_2 = _mm512_fmadd_ps(x2, w0, s2_0_2);
    s2_1_2 = _mm512_fmadd_ps(x2, w1, s2_1_2);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_2 = _mm512_fmadd_ps(x3, w0, s3_0_2);
    s3_1_2 = _mm512_fmadd_ps(x3, w1, s3_1_2);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_2);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_2);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_2);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_2);
  s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_2);
  s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_2);
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s2_0_1 = _mm512_setzero_ps();
  __m512 s2_1_1 = _mm512_setzero_ps();
  __m512 s3_0_1 = _mm512_setzero_ps();
  __m512 s3_1_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm512_fmadd_ps(x2, w1, s2_1_1);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_1 = _mm512_fmadd_ps(x3, w0, s3_0_1);
    s3_1_1 = _mm512_fmadd_ps(x3, w1, s3_1_1);
  }
  __m512 s0_0_3 = _mm512_setzero_ps();
  __m512 s0_1_3 = _mm512_setzero_ps();
  __m512 s1_0_3 = _mm512_setzero_ps();
  __m512 s1_1_3 = _mm512_setzero_ps();
  __m512 s2_0_3 = _mm512_setzero_ps();
  __m512 s2_1_3 = _mm512_setzero_ps();
  __m512 s3_0_3 = _mm512_setzero_ps();
  __m512 s3_1_3 = _mm512_setzero_ps();
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
    s0_1_3 = _mm512_fmadd_ps(x0, w1, s0_1_3);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_3 = _mm512_fmadd_ps(x1, w0, s1_0_3);
    s1_1_3 = _mm512_fmadd_ps(x1, w1, s1_1_3);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_3 = _mm512_fmadd_ps(x2, w0, s2_0_3);
    s2_1_3 = _mm512_fmadd_ps(x2, w1, s2_1_3);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER2_ROW]);
    s3_0_3 = _mm512_fmadd_ps(x3, w0, s3_0_3);
    s3_1_3 = _mm512_fmadd_ps(x3, w1, s3_1_3);
  }
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_1_1 = _mm512_add_ps(s0_1_1, s0_1_3);
  s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
  s1_1_1 = _mm512_add_ps(s1_1_1, s1_1_3);
  s2_0_1 = _mm512_add_ps(s2_0_1, s2_0_3);
  s2_1_1 = _mm512_add_ps(s2_1_1, s2_1_3);
  s3_0_1 = _mm512_add_ps(s3_0_1, s3_0_3);
  s3_1_1 = _mm512_add_ps(s3_1_1, s3_1_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_setzero_ps());
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_setzero_ps());
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_setzero_ps());
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER3_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_setzero_ps());
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER3_ROW + 16, s1_1_0);
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_setzero_ps());
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm512_store_ps(out + 2 * LAYER3_ROW, s2_0_0);
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_setzero_ps());
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_load_ps(linear_bias + 16));
  s2_1_0 = act_relu(s2_1_0);
  _mm512_store_ps(out + 2 * LAYER3_ROW + 16, s2_1_0);
  s3_0_0 = _mm512_add_ps(s3_0_0, _mm512_setzero_ps());
  s3_0_0 = _mm512_add_ps(s3_0_0, _mm512_load_ps(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  _mm512_store_ps(out + 3 * LAYER3_ROW, s3_0_0);
  s3_1_0 = _mm512_add_ps(s3_1_0, _mm512_setzero_ps());
  s3_1_0 = _mm512_add_ps(s3_1_0, _mm512_load_ps(linear_bias + 16));
  s3_1_0 = act_relu(s3_1_0);
  _mm512_store_ps(out + 3 * LAYER3_ROW + 16, s3_1_0);
}

/* layer1: 3 rows of 64 columns. */
FFN_INLINE void layer1_group_3x64(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s0_2_0 = _mm512_setzero_ps();
  __m512 s0_3_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s1_2_0 = _mm512_setzero_ps();
  __m512 s1_3_0 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps();
  __m512 s2_1_0 = _mm512_setzero_ps();
  __m512 s2_2_0 = _mm512_setzero_ps();
  __m512 s2_3_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 w2 = _mm512_load_ps(w + k * LAYER1_STEP + 2 * LAYER1_PANEL);
    const __m512 w3 = _mm512_load_ps(w + k * LAYER1_STEP + 3 * LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm512_fmadd_ps(x0, w2, s0_2_0);
    s0_3_0 = _mm512_fmadd_ps(x0, w3, s0_3_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm512_fmadd_ps(x1, w2, s1_2_0);
    s1_3_0 = _mm512_fmadd_ps(x1, w3, s1_3_0);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm512_fmadd_ps(x2, w1, s2_1_0);
    s2_2_0 = _mm512_fmadd_ps(x2, w2, s2_2_0);
    s2_3_0 = _mm512_fmadd_ps(x2, w3, s2_3_0);
  }
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s0_2_1 = _mm512_setzero_ps();
  __m512 s0_3_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s1_2_1 = _mm512_setzero_ps();
  __m512 s1_3_1 = _mm512_setzero_ps();
  __m512 s2_0_1 = _mm512_setzero_ps();
  __m512 s2_1_1 = _mm512_setzero_ps();
  __m512 s2_2_1 = _mm512_setzero_ps();
  __m512 s2_3_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 w2 = _mm512_load_ps(w + k * LAYER1_STEP + 2 * LAYER1_PANEL);
    const __m512 w3 = _mm512_load_ps(w + k * LAYER1_STEP + 3 * LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm512_fmadd_ps(x0, w2, s0_2_1);
    s0_3_1 = _mm512_fmadd_ps(x0, w3, s0_3_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm512_fmadd_ps(x1, w2, s1_2_1);
    s1_3_1 = _mm512_fmadd_ps(x1, w3, s1_3_1);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm512_fmadd_ps(x2, w1, s2_1_1);
    s2_2_1 = _mm512_fmadd_ps(x2, w2, s2_2_1);
    s2_3_1 = _mm512_fmadd_ps(x2, w3, s2_3_1);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm512_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm512_add_ps(s0_3_0, s0_3_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm512_add_ps(s1_2_0, s1_2_1);
  s1_3_0 = _mm512_add_ps(s1_3_0, s1_3_1);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  s2_2_0 = _mm512_add_ps(s2_2_0, s2_2_1);
  s2_3_0 = _mm512_add_ps(s2_3_0, s2_3_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s0_2_0 = _mm512_add_ps(s0_2_0, _mm512_load_ps(linear_bias + 32));
  s0_2_0 = act_relu(s0_2_0);
  _mm512_store_ps(out + 32, s0_2_0);
  s0_3_0 = _mm512_add_ps(s0_3_0, _mm512_load_ps(linear_bias + 48));
  s0_3_0 = act_relu(s0_3_0);
  _mm512_store_ps(out + 48, s0_3_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER2_ROW + 16, s1_1_0);
  s1_2_0 = _mm512_add_ps(s1_2_0, _mm512_load_ps(linear_bias + 32));
  s1_2_0 = act_relu(s1_2_0);
  _mm512_store_ps(out + LAYER2_ROW + 32, s1_2_0);
  s1_3_0 = _mm512_add_ps(s1_3_0, _mm512_load_ps(linear_bias + 48));
  s1_3_0 = act_relu(s1_3_0);
  _mm512_store_ps(out + LAYER2_ROW + 48, s1_3_0);
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_load_ps(linear_bias + 16));
  s2_1_0 = act_relu(s2_1_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW + 16, s2_1_0);
  s2_2_0 = _mm512_add_ps(s2_2_0, _mm512_load_ps(linear_bias + 32));
  s2_2_0 = act_relu(s2_2_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW + 32, s2_2_0);
  s2_3_0 = _mm512_add_ps(s2_3_0, _mm512_load_ps(linear_bias + 48));
  s2_3_0 = act_relu(s2_3_0);
  _mm512_store_ps(out + 2 * LAYER2_ROW + 48, s2_3_0);
}

/* layer2: 3 rows of 32 columns. */
FFN_INLINE void layer2_group_3x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps();
  __m512 s2_1_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm512_fmadd_ps(x2, w1, s2_1_0);
  }
  __m512 s0_0_2 = _mm512_setzero_ps();
  __m512 s0_1_2 = _mm512_setzero_ps();
  __m512 s1_0_2 = _mm512_setzero_ps();
  __m512 s1_1_2 = _mm512_setzero_ps();
  __m512 s2_0_2 = _mm512_setzero_ps();
  __m512 s2_1_2 = _mm512_setzero_ps();
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
    s0_1_2 = _mm512_fmadd_ps(x0, w1, s0_1_2);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_2 = _mm512_fmadd_ps(x1, w0, s1_0_2);
    s1_1_2 = _mm512_fmadd_ps(x1, w1, s1_1_2);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_2 = _mm512_fmadd_ps(x2, w0, s2_0_2);
    s2_1_2 = _mm512_fmadd_ps(x2, w1, s2_1_2);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_2);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_2);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_2);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_2);
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s2_0_1 = _mm512_setzero_ps();
  __m512 s2_1_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm512_fmadd_ps(x2, w1, s2_1_1);
  }
  __m512 s0_0_3 = _mm512_setzero_ps();
  __m512 s0_1_3 = _mm512_setzero_ps();
  __m512 s1_0_3 = _mm512_setzero_ps();
  __m512 s1_1_3 = _mm512_setzero_ps();
  __m512 s2_0_3 = _mm512_setzero_ps();
  __m512 s2_1_3 = _mm512_setzero_ps();
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
    s0_1_3 = _mm512_fmadd_ps(x0, w1, s0_1_3);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_3 = _mm512_fmadd_ps(x1, w0, s1_0_3);
    s1_1_3 = _mm512_fmadd_ps(x1, w1, s1_1_3);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER2_ROW]);
    s2_0_3 = _mm512_fmadd_ps(x2, w0, s2_0_3);
    s2_1_3 = _mm512_fmadd_ps(x2, w1, s2_1_3);
  }
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_1_1 = _mm512_add_ps(s0_1_1, s0_1_3);
  s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
  s1_1_1 = _mm512_add_ps(s1_1_1, s1_1_3);
  s2_0_1 = _mm512_add_ps(s2_0_1, s2_0_3);
  s2_1_1 = _mm512_add_ps(s2_1_1, s2_1_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_setzero_ps());
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_setzero_ps());
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_setzero_ps());
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER3_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_setzero_ps());
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER3_ROW + 16, s1_1_0);
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_setzero_ps());
  s2_0_0 = _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm512_store_ps(out + 2 * LAYER3_ROW, s2_0_0);
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_setzero_ps());
  s2_1_0 = _mm512_add_ps(s2_1_0, _mm512_load_ps(linear_bias + 16));
  s2_1_0 = act_relu(s2_1_0);
  _mm512_store_ps(out + 2 * LAYER3_ROW + 16, s2_1_0);
}

/* layer3: 3 rows of 1 column. */
FFN_INLINE void layer3_group_3x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  __m512 sums =
      ffn_dots_avx512(a, LAYER3_ROW, w, LAYER3_STEP, LAYER3_INPUTS, 3);
  sums = _mm512_add_ps(sums, _mm512_setzero_ps());
  sums = _mm512_add_ps(sums, _mm512_set1_ps(linear_bias[0]));
  sums = act_sigmoid(sums);
  float results[16];
  _mm512_storeu_ps(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
}

/* layer1: 2 rows of 64 columns. */
FFN_INLINE void layer1_group_2x64(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s0_2_0 = _mm512_setzero_ps();
  __m512 s0_3_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s1_2_0 = _mm512_setzero_ps();
  __m512 s1_3_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 w2 = _mm512_load_ps(w + k * LAYER1_STEP + 2 * LAYER1_PANEL);
    const __m512 w3 = _mm512_load_ps(w + k * LAYER1_STEP + 3 * LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm512_fmadd_ps(x0, w2, s0_2_0);
    s0_3_0 = _mm512_fmadd_ps(x0, w3, s0_3_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm512_fmadd_ps(x1, w2, s1_2_0);
    s1_3_0 = _mm512_fmadd_ps(x1, w3, s1_3_0);
  }
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s0_2_1 = _mm512_setzero_ps();
  __m512 s0_3_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s1_2_1 = _mm512_setzero_ps();
  __m512 s1_3_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER1_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m512 w2 = _mm512_load_ps(w + k * LAYER1_STEP + 2 * LAYER1_PANEL);
    const __m512 w3 = _mm512_load_ps(w + k * LAYER1_STEP + 3 * LAYER1_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm512_fmadd_ps(x0, w2, s0_2_1);
    s0_3_1 = _mm512_fmadd_ps(x0, w3, s0_3_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm512_fmadd_ps(x1, w2, s1_2_1);
    s1_3_1 = _mm512_fmadd_ps(x1, w3, s1_3_1);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm512_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm512_add_ps(s0_3_0, s0_3_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm512_add_ps(s1_2_0, s1_2_1);
  s1_3_0 = _mm512_add_ps(s1_3_0, s1_3_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s0_2_0 = _mm512_add_ps(s0_2_0, _mm512_load_ps(linear_bias + 32));
  s0_2_0 = act_relu(s0_2_0);
  _mm512_store_ps(out + 32, s0_2_0);
  s0_3_0 = _mm512_add_ps(s0_3_0, _mm512_load_ps(linear_bias + 48));
  s0_3_0 = act_relu(s0_3_0);
  _mm512_store_ps(out + 48, s0_3_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER2_ROW + 16, s1_1_0);
  s1_2_0 = _mm512_add_ps(s1_2_0, _mm512_load_ps(linear_bias + 32));
  s1_2_0 = act_relu(s1_2_0);
  _mm512_store_ps(out + LAYER2_ROW + 32, s1_2_0);
  s1_3_0 = _mm512_add_ps(s1_3_0, _mm512_load_ps(linear_bias + 48));
  s1_3_0 = act_relu(s1_3_0);
  _mm512_store_ps(out + LAYER2_ROW + 48, s1_3_0);
}

/* layer2: 2 rows of 32 columns. */
FFN_INLINE void layer2_group_2x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  for (size_t k = 0; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm512_fmadd_ps(x1, w1, s1_1_0);
  }
  __m512 s0_0_2 = _mm512_setzero_ps();
  __m512 s0_1_2 = _mm512_setzero_ps();
  __m512 s1_0_2 = _mm512_setzero_ps();
  __m512 s1_1_2 = _mm512_setzero_ps();
  for (size_t k = 2; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
    s0_1_2 = _mm512_fmadd_ps(x0, w1, s0_1_2);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_2 = _mm512_fmadd_ps(x1, w0, s1_0_2);
    s1_1_2 = _mm512_fmadd_ps(x1, w1, s1_1_2);
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_2);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_2);
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  for (size_t k = 1; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
  }
  __m512 s0_0_3 = _mm512_setzero_ps();
  __m512 s0_1_3 = _mm512_setzero_ps();
  __m512 s1_0_3 = _mm512_setzero_ps();
  __m512 s1_1_3 = _mm512_setzero_ps();
  for (size_t k = 3; k < LAYER2_INPUTS; k += 4) {
    const __m512 w0 = _mm512_load_ps(w + k * LAYER2_STEP);
    const __m512 w1 = _mm512_load_ps(w + k * LAYER2_STEP + LAYER2_PANEL);
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
    s0_1_3 = _mm512_fmadd_ps(x0, w1, s0_1_3);
    const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
    s1_0_3 = _mm512_fmadd_ps(x1, w0, s1_0_3);
    s1_1_3 = _mm512_fmadd_ps(x1, w1, s1_1_3);
  }
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_1_1 = _mm512_add_ps(s0_1_1, s0_1_3);
  s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
  s1_1_1 = _mm512_add_ps(s1_1_1, s1_1_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_setzero_ps());
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_setzero_ps());
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_setzero_ps());
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm512_store_ps(out + LAYER3_ROW, s1_0_0);
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_setzero_ps());
  s1_1_0 = _mm512_add_ps(s1_1_0, _mm512_load_ps(linear_bias + 16));
  s1_1_0 = act_relu(s1_1_0);
  _mm512_store_ps(out + LAYER3_ROW + 16, s1_1_0);
}

/* layer3: 2 rows of 1 column. */
FFN_INLINE void layer3_group_2x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  __m512 sums =
      ffn_dots_avx512(a, LAYER3_ROW, w, LAYER3_STEP, LAYER3_INPUTS, 2);
  sums = _mm512_add_ps(sums, _mm512_setzero_ps());
  sums = _mm512_add_ps(sums, _mm512_set1_ps(linear_bias[0]));
  sums = act_sigmoid(sums);
  float results[16];
  _mm512_storeu_ps(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
}

/* layer1: a row of 64 columns. */
FFN_INLINE void layer1_group_1x64(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s0_2_0 = _mm512_setzero_ps();
  __m512 s0_2_1 = _mm512_setzero_ps();
  __m512 s0_3_0 = _mm512_setzero_ps();
  __m512 s0_3_1 = _mm512_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      const __m512 w1 = _mm512_load_ps(w + LAYER1_PANEL);
      const __m512 w2 = _mm512_load_ps(w + 2 * LAYER1_PANEL);
      const __m512 w3 = _mm512_load_ps(w + 3 * LAYER1_PANEL);
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
      s0_2_0 = _mm512_fmadd_ps(x0, w2, s0_2_0);
      s0_3_0 = _mm512_fmadd_ps(x0, w3, s0_3_0);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + LAYER1_STEP);
      const __m512 w1 = _mm512_load_ps(w + LAYER1_STEP + LAYER1_PANEL);
      const __m512 w2 = _mm512_load_ps(w + LAYER1_STEP + 2 * LAYER1_PANEL);
      const __m512 w3 = _mm512_load_ps(w + LAYER1_STEP + 3 * LAYER1_PANEL);
      const __m512 x0 = _mm512_set1_ps(a[k + 1]);
      s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
      s0_2_1 = _mm512_fmadd_ps(x0, w2, s0_2_1);
      s0_3_1 = _mm512_fmadd_ps(x0, w3, s0_3_1);
    }
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm512_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm512_add_ps(s0_3_0, s0_3_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
  s0_2_0 = _mm512_add_ps(s0_2_0, _mm512_load_ps(linear_bias + 32));
  s0_2_0 = act_relu(s0_2_0);
  _mm512_store_ps(out + 32, s0_2_0);
  s0_3_0 = _mm512_add_ps(s0_3_0, _mm512_load_ps(linear_bias + 48));
  s0_3_0 = act_relu(s0_3_0);
  _mm512_store_ps(out + 48, s0_3_0);
}

/* layer2: a row of 32 columns. */
FFN_INLINE void layer2_group_1x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_0_2 = _mm512_setzero_ps();
  __m512 s0_0_3 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s0_1_2 = _mm512_setzero_ps();
  __m512 s0_1_3 = _mm512_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      const __m512 w1 = _mm512_load_ps(w + LAYER2_PANEL);
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm512_fmadd_ps(x0, w1, s0_1_0);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + LAYER2_STEP);
      const __m512 w1 = _mm512_load_ps(w + LAYER2_STEP + LAYER2_PANEL);
      const __m512 x0 = _mm512_set1_ps(a[k + 1]);
      s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 2 * LAYER2_STEP);
      const __m512 w1 = _mm512_load_ps(w + 2 * LAYER2_STEP + LAYER2_PANEL);
      const __m512 x0 = _mm512_set1_ps(a[k + 2]);
      s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
      s0_1_2 = _mm512_fmadd_ps(x0, w1, s0_1_2);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 3 * LAYER2_STEP);
      const __m512 w1 = _mm512_load_ps(w + 3 * LAYER2_STEP + LAYER2_PANEL);
      const __m512 x0 = _mm512_set1_ps(a[k + 3]);
      s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
      s0_1_3 = _mm512_fmadd_ps(x0, w1, s0_1_3);
    }
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_2);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_1_1 = _mm512_add_ps(s0_1_1, s0_1_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_setzero_ps());
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm512_store_ps(out, s0_0_0);
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_setzero_ps());
  s0_1_0 = _mm512_add_ps(s0_1_0, _mm512_load_ps(linear_bias + 16));
  s0_1_0 = act_relu(s0_1_0);
  _mm512_store_ps(out + 16, s0_1_0);
}

/* layer3: a row of 1 columns. */
FFN_INLINE void layer3_group_1x16_of_1(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_0_2 = _mm512_setzero_ps();
  __m512 s0_0_3 = _mm512_setzero_ps();
  __m512 s0_0_4 = _mm512_setzero_ps();
  __m512 s0_0_5 = _mm512_setzero_ps();
  __m512 s0_0_6 = _mm512_setzero_ps();
  __m512 s0_0_7 = _mm512_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 8 <= LAYER3_INPUTS; k += 8, w += 8 * LAYER3_STEP) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + LAYER3_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 1]);
      s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 2 * LAYER3_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 2]);
      s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 3 * LAYER3_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 3]);
      s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 4 * LAYER3_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 4]);
      s0_0_4 = _mm512_fmadd_ps(x0, w0, s0_0_4);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 5 * LAYER3_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 5]);
      s0_0_5 = _mm512_fmadd_ps(x0, w0, s0_0_5);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 6 * LAYER3_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 6]);
      s0_0_6 = _mm512_fmadd_ps(x0, w0, s0_0_6);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 7 * LAYER3_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 7]);
      s0_0_7 = _mm512_fmadd_ps(x0, w0, s0_0_7);
    }
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_4);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_5);
  s0_0_2 = _mm512_add_ps(s0_0_2, s0_0_6);
  s0_0_3 = _mm512_add_ps(s0_0_3, s0_0_7);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_setzero_ps());
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  s0_0_0 = act_sigmoid(s0_0_0);
  ffn_store_tail_avx512(out, s0_0_0, 1);
}

/* 8 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_8(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LAYER1_ROW, x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 4 * LAYER1_ROW, x + 4 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 5 * LAYER1_ROW, x + 5 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 6 * LAYER1_ROW, x + 6 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 7 * LAYER1_ROW, x + 7 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 8 * LAYER1_ROW;
    layer1_group_8x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_8x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 8 * LAYER1_ROW;
    float *out = memory + 8 * LAYER1_ROW + 8 * LAYER2_ROW;
    layer2_group_8x32(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 8 * LAYER1_ROW + 8 * LAYER2_ROW;
    layer3_group_4x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
    layer3_group_4x1(in + 4 * LAYER3_ROW, packed->layer3[0][0][0], packed->layer3_bias[0],
        y + 4 * call->y_stride, call->y_stride);
    FFN_SETTLE();
  }
}

/* 4 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LAYER1_ROW, x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 4 * LAYER1_ROW;
    layer1_group_4x64(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 4 * LAYER1_ROW;
    float *out = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer2_group_4x32(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 4 * LAYER1_ROW + 4 * LAYER2_ROW;
    layer3_group_4x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 3 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 3 * LAYER1_ROW;
    layer1_group_3x64(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 3 * LAYER1_ROW;
    float *out = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer2_group_3x32(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 3 * LAYER1_ROW + 3 * LAYER2_ROW;
    layer3_group_3x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 2 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 2 * LAYER1_ROW;
    layer1_group_2x64(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 2 * LAYER1_ROW;
    float *out = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer2_group_2x32(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + 2 * LAYER1_ROW + 2 * LAYER2_ROW;
    layer3_group_2x1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* One row through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const float *in = x;
    float *out = memory + LAYER1_ROW;
    layer1_group_1x64(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + LAYER1_ROW;
    float *out = memory + LAYER1_ROW + LAYER2_ROW;
    layer2_group_1x32(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = memory + LAYER1_ROW + LAYER2_ROW;
    layer3_group_1x16_of_1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y);
    FFN_SETTLE();
  }
}

/* Rows [first, last). A lone row, the commonest call, saves no registers for the others. */
static void straight_rows(const ffn_call *call, float *memory, size_t first, size_t last) {
  if (last - first == 1) {
    one_row(call, memory, first);
    return;
  }
  for (; last - first >= LANES_PAIR; first += LANES_PAIR)
    lanes_pair(call, memory, first, LANES_PAIR);
  for (; last - first >= LANES_LEAST; first += ffn_min(last - first, LANES))
    lanes(call, memory, first, ffn_min(last - first, LANES));
  for (; first + 8 <= last; first += 8)
    rows_of_8(call, memory, first);
  for (; first + 4 <= last; first += 4)
    rows_of_4(call, memory, first);
  for (; first + 3 <= last; first += 3)
    rows_of_3(call, memory, first);
  for (; first + 2 <= last; first += 2)
    rows_of_2(call, memory, first);
  for (; first < last; ++first)
    one_row(call, memory, first);
}

#ifndef FFN_NO_ADD
/* y + scale * row, rounded once. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  const __m512 by = _mm512_set1_ps(scale);
  size_t i = 0;
  for (; i + 16 <= count; i += 16)
    _mm512_storeu_ps(y + i, _mm512_fmadd_ps(by, _mm512_loadu_ps(row + i), _mm512_loadu_ps(y + i)));
  if (i < count) {
    float from[16] = {0}, to[16] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    _mm512_storeu_ps(to, _mm512_fmadd_ps(by, _mm512_loadu_ps(from), _mm512_loadu_ps(to)));
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
    },
};

static const ffn_pass forward = {
    UINT64_C(0x764069b59f8f69af), /* layer_hash */
    straight_rows, /* rows */
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
  ffn_pack_stage(
      &packed->header, packed->layer3, packed->layer3_bias[0],
      stages, 2, weights, store);
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
  ffn_unpack_stage(
      weights, packed->layer3, packed->layer3_bias[0],
      stages, 2, load);
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

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512 = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_avx512", /* name */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* layer */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_AVX512, /* isa */
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
    sizeof(packed_weights), /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW * sizeof(float), /* work_row_bytes */
    BESIDE * sizeof(float), /* work_beside_bytes */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS +
        2 * (uint64_t)LAYER3_INPUTS * LAYER3_OUTPUTS, /* flop_per_token */
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
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
FFN_EXACT_END
