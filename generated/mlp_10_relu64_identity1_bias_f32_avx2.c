/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_avx2
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for avx2
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, straight, group, chains_loop, step, dots,
 *            loop, ascend, lanes_blocks, straight_rows, add, tables, api, about
 * Tiles      layer1: rows x columns 4 x 24, 4 x 16; 3 x 24, 3 x 16; 2 x 32; 1 x 32, 1 branch
 * Tiles      layer2: rows x columns 4 x 1; 3 x 1; 2 x 1; 1 x 8, 1 branch
 * Walk       none: loops for 4 rows, loops for 3 rows, loops for 2 rows, a straight line for 1 row
 * Lanes      from 13 tokens on, blocks of 16 with one in each lane, sums of at most 4 outputs side
 *            by side
 * Cost       1408 flop per token; 7040 bytes of packed weights; 6016 bytes of work memory per
 *            thread, 5056 for one token
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
#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

/* layer1: 10 -> 64, linear with bias, h = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_PANELS = 4, /* of sixteen outputs, zeros beyond the last */
  LAYER1_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER1_PANEL = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* floats of a row in a block of the input */
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
};

enum {
  ROWS = 4, /* that are added to y at a time, at most */
  LANES = 16, /* tokens of a block, one in each lane */
  LANES_LEAST = 13, /* so many are worth a block */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = LAYER1_ROW + LAYER2_ROW, /* floats of each in work memory */
  BESIDE = 1184, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float layer1[LAYER1_PANELS][LAYER1_INPUTS][1][FFN_PANEL];
  float layer1_bias[1][LAYER1_PANELS * FFN_PANEL];
  float layer2[LAYER2_PANELS][LAYER2_INPUTS][1][FFN_PANEL];
  float layer2_bias[1][LAYER2_PANELS * FFN_PANEL];
} packed_weights;

/* A block of 16 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[10 * LANES];
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

FFN_INLINE void ffn_turn_out_avx2(float *to, size_t stride, const float *from, size_t step) {
  __m256 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    v[i] = _mm256_load_ps(from + i * step);
  ffn_turn_avx2(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    float *row = to + i * stride;
    _mm_storeu_ps(row, _mm256_castps256_ps128(v[i]));
    _mm_storeu_ps(row + 4 * stride, _mm256_extractf128_ps(v[i], 1));
  }
}

/* At most four `rows` of `a` times a column of weights that are `step` apart. The eight chains of a
 * sum are lanes, and four sums are folded at once. The sum of row r in lane r. */
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

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE __m256 act_relu(const __m256 x) {
  return _mm256_max_ps(_mm256_set1_ps(0.0f), x);
}

/* layer1: sums of at most 4 outputs over every 2. k from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer1_chain(
    __m256 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m256 s0_0 = _mm256_setzero_ps();
  __m256 s0_1 = _mm256_setzero_ps();
  __m256 s1_0 = _mm256_setzero_ps();
  __m256 s1_1 = _mm256_setzero_ps();
  __m256 s2_0 = _mm256_setzero_ps();
  __m256 s2_1 = _mm256_setzero_ps();
  __m256 s3_0 = _mm256_setzero_ps();
  __m256 s3_1 = _mm256_setzero_ps();
  a += k * LANES;
  w += k * LAYER1_STEP;
  for (; k + 6 < LAYER1_INPUTS;
       k += 8, a += 8 * LANES, w += 8 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m256 x0 = _mm256_load_ps(a + u * 2 * LANES);
      const __m256 x1 = _mm256_load_ps(a + u * 2 * LANES + 8);
      const __m256 w0 = _mm256_set1_ps(w[u * 2 * LAYER1_STEP]);
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m256 w1 = _mm256_set1_ps(w[u * 2 * LAYER1_STEP + 1]);
        s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m256 w2 = _mm256_set1_ps(w[u * 2 * LAYER1_STEP + 2]);
        s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m256 w3 = _mm256_set1_ps(w[u * 2 * LAYER1_STEP + 3]);
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
    const __m256 w0 = _mm256_set1_ps(w[0]);
    s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
    s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
    if (outputs > 1) {
      const __m256 w1 = _mm256_set1_ps(w[1]);
      s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
      s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
    }
    if (outputs > 2) {
      const __m256 w2 = _mm256_set1_ps(w[2]);
      s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
      s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
    }
    if (outputs > 3) {
      const __m256 w3 = _mm256_set1_ps(w[3]);
      s3_0 = _mm256_fmadd_ps(x0, w3, s3_0);
      s3_1 = _mm256_fmadd_ps(x1, w3, s3_1);
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
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer1_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m256 s[2][8];
  layer1_chain(s[0], a, w, 0, outputs);
  layer1_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m256 linear_b = _mm256_set1_ps(linear_bias[i]);
    s[0][2 * i] = _mm256_add_ps(s[0][2 * i], linear_b);
    _mm256_store_ps(out + i * LANES, act_relu(s[0][2 * i]));
    s[0][2 * i + 1] = _mm256_add_ps(s[0][2 * i + 1], linear_b);
    _mm256_store_ps(out + i * LANES + 8, act_relu(s[0][2 * i + 1]));
  }
}

/* layer2: sums of at most 4 outputs over every 8. k from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer2_chain(
    __m256 *s, const float *a, const float *w, size_t k, const int outputs) {
  __m256 s0_0 = _mm256_setzero_ps();
  __m256 s0_1 = _mm256_setzero_ps();
  __m256 s1_0 = _mm256_setzero_ps();
  __m256 s1_1 = _mm256_setzero_ps();
  __m256 s2_0 = _mm256_setzero_ps();
  __m256 s2_1 = _mm256_setzero_ps();
  __m256 s3_0 = _mm256_setzero_ps();
  __m256 s3_1 = _mm256_setzero_ps();
  a += k * LANES;
  w += k * LAYER2_STEP;
  for (; k + 24 < LAYER2_INPUTS;
       k += 32, a += 32 * LANES, w += 32 * LAYER2_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m256 x0 = _mm256_load_ps(a + u * 8 * LANES);
      const __m256 x1 = _mm256_load_ps(a + u * 8 * LANES + 8);
      const __m256 w0 = _mm256_set1_ps(w[u * 8 * LAYER2_STEP]);
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m256 w1 = _mm256_set1_ps(w[u * 8 * LAYER2_STEP + 1]);
        s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m256 w2 = _mm256_set1_ps(w[u * 8 * LAYER2_STEP + 2]);
        s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m256 w3 = _mm256_set1_ps(w[u * 8 * LAYER2_STEP + 3]);
        s3_0 = _mm256_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm256_fmadd_ps(x1, w3, s3_1);
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
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer2_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  __m256 s[4][8];
  layer2_chain(s[0], a, w, 0, outputs);
  layer2_chain(s[1], a, w, 4, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 2, outputs);
  layer2_chain(s[2], a, w, 6, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm256_add_ps(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 1, outputs);
  layer2_chain(s[2], a, w, 5, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = _mm256_add_ps(s[1][i], s[2][i]);
  layer2_chain(s[2], a, w, 3, outputs);
  layer2_chain(s[3], a, w, 7, outputs);
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
    s[0][2 * i] = _mm256_add_ps(s[0][2 * i], _mm256_setzero_ps());
    s[0][2 * i] = _mm256_add_ps(s[0][2 * i], linear_b);
    _mm256_store_ps(out + i * LANES, s[0][2 * i]);
    s[0][2 * i + 1] = _mm256_add_ps(s[0][2 * i + 1], _mm256_setzero_ps());
    s[0][2 * i + 1] = _mm256_add_ps(s[0][2 * i + 1], linear_b);
    _mm256_store_ps(out + i * LANES + 8, s[0][2 * i + 1]);
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
    for (size_t token = 0; token < LANES; token += 8)
      ffn_turn_in_avx2(
          to + at * LANES + token, LANES, x + token * stride + at, stride);
  }
}

/* Outputs of `count` tokens, each where it belongs; by way of `rows` where lanes are left over. */
FFN_INLINE void lanes_out(
    float *y, size_t stride, float *rows, const float *from, size_t count) {
  (void)rows;
  for (size_t token = 0; token < count; ++token)
    for (size_t output = 0; output < LAYER2_OUTPUTS; ++output)
      y[token * stride + output] = from[output * LANES + token];
}

/* At most 16 tokens through all stages, each in a lane of its own. */
FFN_NOINLINE void lanes(
    const ffn_call *call, float *memory, size_t token, size_t count) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  float *beside = memory + call->slot_rows * WORK_ROW;
  lanes_memory *work = (lanes_memory *)(void *)beside;
  lanes_in(
      work->even, work->odd, call->x + token * call->x_stride, call->x_stride, count);
  { /* layer1 */
    const float *in = work->even;
    float *out = work->odd;
    for (size_t output = 0; output + 4 <= LAYER1_OUTPUTS; output += 4)
      layer1_lanes(in, packed->layer1[output / FFN_PANEL][0][0] + output % FFN_PANEL,
          packed->layer1_bias[0] + output, out + output * LANES, 4);
  }
  { /* layer2 */
    const float *in = work->odd;
    float *out = work->even;
    const size_t last = LAYER2_OUTPUTS - 1;
    layer2_lanes(in, packed->layer2[last / FFN_PANEL][0][0] + last % FFN_PANEL,
        packed->layer2_bias[0] + last, out + last * LANES, 1);
  }
  lanes_out(call->y + token * call->y_stride, call->y_stride,
      work->odd, work->even, count);
}

/* layer1: 4 rows of 24 columns. */
FFN_INLINE void layer1_group_4x24(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_2_0 = _mm256_setzero_ps();
  __m256 s2_0_0 = _mm256_setzero_ps();
  __m256 s2_1_0 = _mm256_setzero_ps();
  __m256 s2_2_0 = _mm256_setzero_ps();
  __m256 s3_0_0 = _mm256_setzero_ps();
  __m256 s3_1_0 = _mm256_setzero_ps();
  __m256 s3_2_0 = _mm256_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
    s2_2_0 = _mm256_fmadd_ps(x2, w2, s2_2_0);
    const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
    s3_1_0 = _mm256_fmadd_ps(x3, w1, s3_1_0);
    s3_2_0 = _mm256_fmadd_ps(x3, w2, s3_2_0);
  }
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s1_2_1 = _mm256_setzero_ps();
  __m256 s2_0_1 = _mm256_setzero_ps();
  __m256 s2_1_1 = _mm256_setzero_ps();
  __m256 s2_2_1 = _mm256_setzero_ps();
  __m256 s3_0_1 = _mm256_setzero_ps();
  __m256 s3_1_1 = _mm256_setzero_ps();
  __m256 s3_2_1 = _mm256_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
    s2_2_1 = _mm256_fmadd_ps(x2, w2, s2_2_1);
    const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
    s3_1_1 = _mm256_fmadd_ps(x3, w1, s3_1_1);
    s3_2_1 = _mm256_fmadd_ps(x3, w2, s3_2_1);
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
  s2_0_0 = _mm256_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm256_add_ps(s2_1_0, s2_1_1);
  s2_2_0 = _mm256_add_ps(s2_2_0, s2_2_1);
  s3_0_0 = _mm256_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm256_add_ps(s3_1_0, s3_1_1);
  s3_2_0 = _mm256_add_ps(s3_2_0, s3_2_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s0_2_0 = _mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16));
  s0_2_0 = act_relu(s0_2_0);
  _mm256_store_ps(out + 16, s0_2_0);
  s1_0_0 = _mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm256_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm256_add_ps(s1_1_0, _mm256_load_ps(linear_bias + 8));
  s1_1_0 = act_relu(s1_1_0);
  _mm256_store_ps(out + LAYER2_ROW + 8, s1_1_0);
  s1_2_0 = _mm256_add_ps(s1_2_0, _mm256_load_ps(linear_bias + 16));
  s1_2_0 = act_relu(s1_2_0);
  _mm256_store_ps(out + LAYER2_ROW + 16, s1_2_0);
  s2_0_0 = _mm256_add_ps(s2_0_0, _mm256_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm256_add_ps(s2_1_0, _mm256_load_ps(linear_bias + 8));
  s2_1_0 = act_relu(s2_1_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 8, s2_1_0);
  s2_2_0 = _mm256_add_ps(s2_2_0, _mm256_load_ps(linear_bias + 16));
  s2_2_0 = act_relu(s2_2_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 16, s2_2_0);
  s3_0_0 = _mm256_add_ps(s3_0_0, _mm256_load_ps(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = _mm256_add_ps(s3_1_0, _mm256_load_ps(linear_bias + 8));
  s3_1_0 = act_relu(s3_1_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW + 8, s3_1_0);
  s3_2_0 = _mm256_add_ps(s3_2_0, _mm256_load_ps(linear_bias + 16));
  s3_2_0 = act_relu(s3_2_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW + 16, s3_2_0);
}

/* layer1: 4 rows of 24 columns, from column 8 of a panel on. */
FFN_INLINE void layer1_group_4x24_at_8(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_2_0 = _mm256_setzero_ps();
  __m256 s2_0_0 = _mm256_setzero_ps();
  __m256 s2_1_0 = _mm256_setzero_ps();
  __m256 s2_2_0 = _mm256_setzero_ps();
  __m256 s3_0_0 = _mm256_setzero_ps();
  __m256 s3_1_0 = _mm256_setzero_ps();
  __m256 s3_2_0 = _mm256_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
    s2_2_0 = _mm256_fmadd_ps(x2, w2, s2_2_0);
    const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
    s3_1_0 = _mm256_fmadd_ps(x3, w1, s3_1_0);
    s3_2_0 = _mm256_fmadd_ps(x3, w2, s3_2_0);
  }
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s1_2_1 = _mm256_setzero_ps();
  __m256 s2_0_1 = _mm256_setzero_ps();
  __m256 s2_1_1 = _mm256_setzero_ps();
  __m256 s2_2_1 = _mm256_setzero_ps();
  __m256 s3_0_1 = _mm256_setzero_ps();
  __m256 s3_1_1 = _mm256_setzero_ps();
  __m256 s3_2_1 = _mm256_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
    s2_2_1 = _mm256_fmadd_ps(x2, w2, s2_2_1);
    const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
    s3_1_1 = _mm256_fmadd_ps(x3, w1, s3_1_1);
    s3_2_1 = _mm256_fmadd_ps(x3, w2, s3_2_1);
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
  s2_0_0 = _mm256_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm256_add_ps(s2_1_0, s2_1_1);
  s2_2_0 = _mm256_add_ps(s2_2_0, s2_2_1);
  s3_0_0 = _mm256_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm256_add_ps(s3_1_0, s3_1_1);
  s3_2_0 = _mm256_add_ps(s3_2_0, s3_2_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s0_2_0 = _mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16));
  s0_2_0 = act_relu(s0_2_0);
  _mm256_store_ps(out + 16, s0_2_0);
  s1_0_0 = _mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm256_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm256_add_ps(s1_1_0, _mm256_load_ps(linear_bias + 8));
  s1_1_0 = act_relu(s1_1_0);
  _mm256_store_ps(out + LAYER2_ROW + 8, s1_1_0);
  s1_2_0 = _mm256_add_ps(s1_2_0, _mm256_load_ps(linear_bias + 16));
  s1_2_0 = act_relu(s1_2_0);
  _mm256_store_ps(out + LAYER2_ROW + 16, s1_2_0);
  s2_0_0 = _mm256_add_ps(s2_0_0, _mm256_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm256_add_ps(s2_1_0, _mm256_load_ps(linear_bias + 8));
  s2_1_0 = act_relu(s2_1_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 8, s2_1_0);
  s2_2_0 = _mm256_add_ps(s2_2_0, _mm256_load_ps(linear_bias + 16));
  s2_2_0 = act_relu(s2_2_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 16, s2_2_0);
  s3_0_0 = _mm256_add_ps(s3_0_0, _mm256_load_ps(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = _mm256_add_ps(s3_1_0, _mm256_load_ps(linear_bias + 8));
  s3_1_0 = act_relu(s3_1_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW + 8, s3_1_0);
  s3_2_0 = _mm256_add_ps(s3_2_0, _mm256_load_ps(linear_bias + 16));
  s3_2_0 = act_relu(s3_2_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW + 16, s3_2_0);
}

/* layer1: 4 rows of 16 columns. */
FFN_INLINE void layer1_group_4x16(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s2_0_0 = _mm256_setzero_ps();
  __m256 s2_1_0 = _mm256_setzero_ps();
  __m256 s3_0_0 = _mm256_setzero_ps();
  __m256 s3_1_0 = _mm256_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
    const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
    s3_1_0 = _mm256_fmadd_ps(x3, w1, s3_1_0);
  }
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s2_0_1 = _mm256_setzero_ps();
  __m256 s2_1_1 = _mm256_setzero_ps();
  __m256 s3_0_1 = _mm256_setzero_ps();
  __m256 s3_1_1 = _mm256_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
    const __m256 x3 = _mm256_set1_ps(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
    s3_1_1 = _mm256_fmadd_ps(x3, w1, s3_1_1);
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s2_0_0 = _mm256_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm256_add_ps(s2_1_0, s2_1_1);
  s3_0_0 = _mm256_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm256_add_ps(s3_1_0, s3_1_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s1_0_0 = _mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm256_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm256_add_ps(s1_1_0, _mm256_load_ps(linear_bias + 8));
  s1_1_0 = act_relu(s1_1_0);
  _mm256_store_ps(out + LAYER2_ROW + 8, s1_1_0);
  s2_0_0 = _mm256_add_ps(s2_0_0, _mm256_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm256_add_ps(s2_1_0, _mm256_load_ps(linear_bias + 8));
  s2_1_0 = act_relu(s2_1_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 8, s2_1_0);
  s3_0_0 = _mm256_add_ps(s3_0_0, _mm256_load_ps(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = _mm256_add_ps(s3_1_0, _mm256_load_ps(linear_bias + 8));
  s3_1_0 = act_relu(s3_1_0);
  _mm256_store_ps(out + 3 * LAYER2_ROW + 8, s3_1_0);
}

/* layer2: 4 rows of 1 column. */
FFN_INLINE void layer2_group_4x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  __m256 sums =
      ffn_dots_avx2(a, LAYER2_ROW, w, LAYER2_STEP, LAYER2_INPUTS, 4);
  sums = _mm256_add_ps(sums, _mm256_setzero_ps());
  sums = _mm256_add_ps(sums, _mm256_set1_ps(linear_bias[0]));
  float results[8];
  _mm256_storeu_ps(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
  out[3 * stride] = results[3];
}

/* layer1: 3 rows of 24 columns. */
FFN_INLINE void layer1_group_3x24(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_2_0 = _mm256_setzero_ps();
  __m256 s2_0_0 = _mm256_setzero_ps();
  __m256 s2_1_0 = _mm256_setzero_ps();
  __m256 s2_2_0 = _mm256_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
    s2_2_0 = _mm256_fmadd_ps(x2, w2, s2_2_0);
  }
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s1_2_1 = _mm256_setzero_ps();
  __m256 s2_0_1 = _mm256_setzero_ps();
  __m256 s2_1_1 = _mm256_setzero_ps();
  __m256 s2_2_1 = _mm256_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
    s2_2_1 = _mm256_fmadd_ps(x2, w2, s2_2_1);
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
  s2_0_0 = _mm256_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm256_add_ps(s2_1_0, s2_1_1);
  s2_2_0 = _mm256_add_ps(s2_2_0, s2_2_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s0_2_0 = _mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16));
  s0_2_0 = act_relu(s0_2_0);
  _mm256_store_ps(out + 16, s0_2_0);
  s1_0_0 = _mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm256_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm256_add_ps(s1_1_0, _mm256_load_ps(linear_bias + 8));
  s1_1_0 = act_relu(s1_1_0);
  _mm256_store_ps(out + LAYER2_ROW + 8, s1_1_0);
  s1_2_0 = _mm256_add_ps(s1_2_0, _mm256_load_ps(linear_bias + 16));
  s1_2_0 = act_relu(s1_2_0);
  _mm256_store_ps(out + LAYER2_ROW + 16, s1_2_0);
  s2_0_0 = _mm256_add_ps(s2_0_0, _mm256_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm256_add_ps(s2_1_0, _mm256_load_ps(linear_bias + 8));
  s2_1_0 = act_relu(s2_1_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 8, s2_1_0);
  s2_2_0 = _mm256_add_ps(s2_2_0, _mm256_load_ps(linear_bias + 16));
  s2_2_0 = act_relu(s2_2_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 16, s2_2_0);
}

/* layer1: 3 rows of 24 columns, from column 8 of a panel on. */
FFN_INLINE void layer1_group_3x24_at_8(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_2_0 = _mm256_setzero_ps();
  __m256 s2_0_0 = _mm256_setzero_ps();
  __m256 s2_1_0 = _mm256_setzero_ps();
  __m256 s2_2_0 = _mm256_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
    s2_2_0 = _mm256_fmadd_ps(x2, w2, s2_2_0);
  }
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s1_2_1 = _mm256_setzero_ps();
  __m256 s2_0_1 = _mm256_setzero_ps();
  __m256 s2_1_1 = _mm256_setzero_ps();
  __m256 s2_2_1 = _mm256_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
    s2_2_1 = _mm256_fmadd_ps(x2, w2, s2_2_1);
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
  s2_0_0 = _mm256_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm256_add_ps(s2_1_0, s2_1_1);
  s2_2_0 = _mm256_add_ps(s2_2_0, s2_2_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s0_2_0 = _mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16));
  s0_2_0 = act_relu(s0_2_0);
  _mm256_store_ps(out + 16, s0_2_0);
  s1_0_0 = _mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm256_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm256_add_ps(s1_1_0, _mm256_load_ps(linear_bias + 8));
  s1_1_0 = act_relu(s1_1_0);
  _mm256_store_ps(out + LAYER2_ROW + 8, s1_1_0);
  s1_2_0 = _mm256_add_ps(s1_2_0, _mm256_load_ps(linear_bias + 16));
  s1_2_0 = act_relu(s1_2_0);
  _mm256_store_ps(out + LAYER2_ROW + 16, s1_2_0);
  s2_0_0 = _mm256_add_ps(s2_0_0, _mm256_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm256_add_ps(s2_1_0, _mm256_load_ps(linear_bias + 8));
  s2_1_0 = act_relu(s2_1_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 8, s2_1_0);
  s2_2_0 = _mm256_add_ps(s2_2_0, _mm256_load_ps(linear_bias + 16));
  s2_2_0 = act_relu(s2_2_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 16, s2_2_0);
}

/* layer1: 3 rows of 16 columns. */
FFN_INLINE void layer1_group_3x16(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s2_0_0 = _mm256_setzero_ps();
  __m256 s2_1_0 = _mm256_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
    s2_1_0 = _mm256_fmadd_ps(x2, w1, s2_1_0);
  }
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s2_0_1 = _mm256_setzero_ps();
  __m256 s2_1_1 = _mm256_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    const __m256 x2 = _mm256_set1_ps(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
    s2_1_1 = _mm256_fmadd_ps(x2, w1, s2_1_1);
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s2_0_0 = _mm256_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm256_add_ps(s2_1_0, s2_1_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s1_0_0 = _mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm256_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm256_add_ps(s1_1_0, _mm256_load_ps(linear_bias + 8));
  s1_1_0 = act_relu(s1_1_0);
  _mm256_store_ps(out + LAYER2_ROW + 8, s1_1_0);
  s2_0_0 = _mm256_add_ps(s2_0_0, _mm256_load_ps(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = _mm256_add_ps(s2_1_0, _mm256_load_ps(linear_bias + 8));
  s2_1_0 = act_relu(s2_1_0);
  _mm256_store_ps(out + 2 * LAYER2_ROW + 8, s2_1_0);
}

/* layer2: 3 rows of 1 column. */
FFN_INLINE void layer2_group_3x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  __m256 sums =
      ffn_dots_avx2(a, LAYER2_ROW, w, LAYER2_STEP, LAYER2_INPUTS, 3);
  sums = _mm256_add_ps(sums, _mm256_setzero_ps());
  sums = _mm256_add_ps(sums, _mm256_set1_ps(linear_bias[0]));
  float results[8];
  _mm256_storeu_ps(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
}

/* layer1: 2 rows of 32 columns. */
FFN_INLINE void layer1_group_2x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s0_3_0 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_2_0 = _mm256_setzero_ps();
  __m256 s1_3_0 = _mm256_setzero_ps();
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 w3 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
    s0_3_0 = _mm256_fmadd_ps(x0, w3, s0_3_0);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    s1_3_0 = _mm256_fmadd_ps(x1, w3, s1_3_0);
  }
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s0_3_1 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s1_2_1 = _mm256_setzero_ps();
  __m256 s1_3_1 = _mm256_setzero_ps();
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps(w + k * LAYER1_STEP);
    const __m256 w1 = _mm256_load_ps(w + k * LAYER1_STEP + 8);
    const __m256 w2 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL);
    const __m256 w3 = _mm256_load_ps(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
    s0_3_1 = _mm256_fmadd_ps(x0, w3, s0_3_1);
    const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
    s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    s1_3_1 = _mm256_fmadd_ps(x1, w3, s1_3_1);
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm256_add_ps(s0_3_0, s0_3_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
  s1_3_0 = _mm256_add_ps(s1_3_0, s1_3_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s0_2_0 = _mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16));
  s0_2_0 = act_relu(s0_2_0);
  _mm256_store_ps(out + 16, s0_2_0);
  s0_3_0 = _mm256_add_ps(s0_3_0, _mm256_load_ps(linear_bias + 24));
  s0_3_0 = act_relu(s0_3_0);
  _mm256_store_ps(out + 24, s0_3_0);
  s1_0_0 = _mm256_add_ps(s1_0_0, _mm256_load_ps(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  _mm256_store_ps(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = _mm256_add_ps(s1_1_0, _mm256_load_ps(linear_bias + 8));
  s1_1_0 = act_relu(s1_1_0);
  _mm256_store_ps(out + LAYER2_ROW + 8, s1_1_0);
  s1_2_0 = _mm256_add_ps(s1_2_0, _mm256_load_ps(linear_bias + 16));
  s1_2_0 = act_relu(s1_2_0);
  _mm256_store_ps(out + LAYER2_ROW + 16, s1_2_0);
  s1_3_0 = _mm256_add_ps(s1_3_0, _mm256_load_ps(linear_bias + 24));
  s1_3_0 = act_relu(s1_3_0);
  _mm256_store_ps(out + LAYER2_ROW + 24, s1_3_0);
}

/* layer2: 2 rows of 1 column. */
FFN_INLINE void layer2_group_2x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  __m256 sums =
      ffn_dots_avx2(a, LAYER2_ROW, w, LAYER2_STEP, LAYER2_INPUTS, 2);
  sums = _mm256_add_ps(sums, _mm256_setzero_ps());
  sums = _mm256_add_ps(sums, _mm256_set1_ps(linear_bias[0]));
  float results[8];
  _mm256_storeu_ps(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
}

/* layer1: a row of 32 columns. */
FFN_INLINE void layer1_group_1x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s0_3_0 = _mm256_setzero_ps();
  __m256 s0_3_1 = _mm256_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      const __m256 w1 = _mm256_load_ps(w + 8);
      const __m256 w2 = _mm256_load_ps(w + LAYER1_PANEL);
      const __m256 w3 = _mm256_load_ps(w + LAYER1_PANEL + 8);
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
      s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
      s0_3_0 = _mm256_fmadd_ps(x0, w3, s0_3_0);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + LAYER1_STEP);
      const __m256 w1 = _mm256_load_ps(w + LAYER1_STEP + 8);
      const __m256 w2 = _mm256_load_ps(w + LAYER1_STEP + LAYER1_PANEL);
      const __m256 w3 = _mm256_load_ps(w + LAYER1_STEP + LAYER1_PANEL + 8);
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
      s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
      s0_3_1 = _mm256_fmadd_ps(x0, w3, s0_3_1);
    }
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s0_3_0 = _mm256_add_ps(s0_3_0, s0_3_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
  s0_2_0 = _mm256_add_ps(s0_2_0, _mm256_load_ps(linear_bias + 16));
  s0_2_0 = act_relu(s0_2_0);
  _mm256_store_ps(out + 16, s0_2_0);
  s0_3_0 = _mm256_add_ps(s0_3_0, _mm256_load_ps(linear_bias + 24));
  s0_3_0 = act_relu(s0_3_0);
  _mm256_store_ps(out + 24, s0_3_0);
}

/* layer2: a row of 1 columns. */
FFN_INLINE void layer2_group_1x8_of_1(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_0_2 = _mm256_setzero_ps();
  __m256 s0_0_3 = _mm256_setzero_ps();
  __m256 s0_0_4 = _mm256_setzero_ps();
  __m256 s0_0_5 = _mm256_setzero_ps();
  __m256 s0_0_6 = _mm256_setzero_ps();
  __m256 s0_0_7 = _mm256_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 8 <= LAYER2_INPUTS; k += 8, w += 8 * LAYER2_STEP) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + LAYER2_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 2 * LAYER2_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 2]);
      s0_0_2 = _mm256_fmadd_ps(x0, w0, s0_0_2);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 3 * LAYER2_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 3]);
      s0_0_3 = _mm256_fmadd_ps(x0, w0, s0_0_3);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 4 * LAYER2_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 4]);
      s0_0_4 = _mm256_fmadd_ps(x0, w0, s0_0_4);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 5 * LAYER2_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 5]);
      s0_0_5 = _mm256_fmadd_ps(x0, w0, s0_0_5);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 6 * LAYER2_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 6]);
      s0_0_6 = _mm256_fmadd_ps(x0, w0, s0_0_6);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 7 * LAYER2_STEP);
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
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_setzero_ps());
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  ffn_store_tail_avx2(out, s0_0_0, 1);
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
    layer1_group_4x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_4x24_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_4x16(in, packed->layer1[3][0][0], packed->layer1_bias[0] + 48, out + 48);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 4 * LAYER1_ROW;
    layer2_group_4x1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y, call->y_stride);
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
    layer1_group_3x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_3x24_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_3x16(in, packed->layer1[3][0][0], packed->layer1_bias[0] + 48, out + 48);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 3 * LAYER1_ROW;
    layer2_group_3x1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y, call->y_stride);
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
    layer1_group_2x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_2x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 2 * LAYER1_ROW;
    layer2_group_2x1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y, call->y_stride);
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
    layer1_group_1x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_1x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + LAYER1_ROW;
    layer2_group_1x8_of_1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y);
    FFN_SETTLE();
  }
}

/* Rows [first, last). A lone row, the commonest call, saves no registers for the others. */
static void straight_rows(const ffn_call *call, float *memory, size_t first, size_t last) {
  if (last - first == 1) {
    one_row(call, memory, first);
    return;
  }
  for (; last - first >= LANES_LEAST; first += ffn_min(last - first, LANES))
    lanes(call, memory, first, ffn_min(last - first, LANES));
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

static const ffn_pass forward = {
    UINT64_C(0x1c1fdb03ec7cab65), /* layer_hash */
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
    LAYER2_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
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

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx2;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx2 = {
    "mlp_10_relu64_identity1_bias_f32_avx2", /* name */
    "mlp_10_relu64_identity1_bias_f32", /* layer */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_AVX2, /* isa */
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
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
FFN_EXACT_END
