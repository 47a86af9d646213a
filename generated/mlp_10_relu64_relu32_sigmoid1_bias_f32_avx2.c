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
 * Templates  file, sizes, straight, group, loop, step, straight_rows, tables, api, about
 * Tiles      layer1: rows x columns 2 x 24, 2 x 16; 1 x 32, 1 branch
 * Tiles      layer2: rows x columns 1 x 16; 1 x 16, 1 branch
 * Tiles      layer3: rows x columns 1 x 8; 1 x 8, 1 branch
 * Walk       none: straight-line code for 4 rows and 1 row at a time
 * Cost       5440 flop per token; 13312 bytes of packed weights; 1792 bytes of work memory per
 *            thread
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 4 interleaved chains; at most 19 roundings
 * Sums       layer3: k ascends in 8 interleaved chains; at most 8 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 19 2^-24; relu exact
 * Error      layer3: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 8 2^-24; sigmoid at most 2.5
 *            ULP, and within (2.7 |y|) 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 4
#error "made for ABI 4 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
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
  ROWS = 4, /* of one walk */
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

/* The work memory of one thread. */
typedef struct work_memory {
  float x[ROWS][LAYER1_ROW];
  float h1[ROWS][LAYER2_ROW];
  float h2[ROWS][LAYER3_ROW];
} work_memory;

FFN_INLINE void ffn_store_tail_avx2(float *out, __m256 value, size_t count) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  _mm256_maskstore_ps(out, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lane), value);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE __m256 act_relu(const __m256 x) {
  return _mm256_max_ps(_mm256_set1_ps(0.0f), x);
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. */
FFN_INLINE __m256 act_sigmoid(const __m256 x) {
  const __m256 t = _mm256_max_ps(_mm256_set1_ps(-104.0f), x);
  const __m256 a = _mm256_min_ps(_mm256_set1_ps(24.0f), t);
  const __m256 shifted =
      _mm256_fmadd_ps(a, _mm256_set1_ps(-1.442695f), _mm256_set1_ps(12582912.0f));
  const __m256 steps = _mm256_sub_ps(shifted, _mm256_set1_ps(12582912.0f));
  const __m256i t_2 = _mm256_castps_si256(shifted);
  const __m256i n = _mm256_sub_epi32(t_2, _mm256_set1_epi32(1262485536));
  const __m256 t_3 = _mm256_fmadd_ps(steps, _mm256_set1_ps(0.6931472f), a);
  const __m256 r = _mm256_fmadd_ps(steps, _mm256_set1_ps(-1.9046542e-09f), t_3);
  const __m256 t_4 =
      _mm256_fmadd_ps(_mm256_set1_ps(0.0013818297f), r, _mm256_set1_ps(-0.008368532f));
  const __m256 t_5 = _mm256_fmadd_ps(t_4, r, _mm256_set1_ps(0.041668292f));
  const __m256 t_6 = _mm256_fmadd_ps(t_5, r, _mm256_set1_ps(-0.16666523f));
  const __m256 t_7 = _mm256_fmadd_ps(t_6, r, _mm256_set1_ps(0.49999994f));
  const __m256 t_8 = _mm256_fmadd_ps(t_7, r, _mm256_set1_ps(-1.0f));
  const __m256 p = _mm256_fmadd_ps(t_8, r, _mm256_set1_ps(1.0f));
  const __m256i t_9 = _mm256_add_epi32(n, _mm256_set1_epi32(127));
  const __m256i t_10 = _mm256_slli_epi32(t_9, 23);
  const __m256 t_11 = _mm256_castsi256_ps(t_10);
  const __m256 denominator = _mm256_fmadd_ps(p, t_11, _mm256_set1_ps(2.3283064e-10f));
  return _mm256_div_ps(_mm256_set1_ps(2.3283064e-10f), denominator);
}

/* layer1: 2 rows of 24 columns. */
FFN_INLINE void layer1_group_2x24(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s1_2_0 = _mm256_setzero_ps();
  __m256 s1_2_1 = _mm256_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      const __m256 w1 = _mm256_load_ps(w + 8);
      const __m256 w2 = _mm256_load_ps(w + LAYER1_PANEL);
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
      s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
      s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + LAYER1_STEP);
      const __m256 w1 = _mm256_load_ps(w + LAYER1_STEP + 8);
      const __m256 w2 = _mm256_load_ps(w + LAYER1_STEP + LAYER1_PANEL);
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
      s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW + 1]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
      s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    }
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
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
}

/* layer1: 2 rows of 24 columns, from column 8 of a panel on. */
FFN_INLINE void layer1_group_2x24_at_8(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_2_0 = _mm256_setzero_ps();
  __m256 s0_2_1 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  __m256 s1_2_0 = _mm256_setzero_ps();
  __m256 s1_2_1 = _mm256_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const __m256 w0 = _mm256_load_ps(w + 8);
      const __m256 w1 = _mm256_load_ps(w + LAYER1_PANEL);
      const __m256 w2 = _mm256_load_ps(w + LAYER1_PANEL + 8);
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
      s0_2_0 = _mm256_fmadd_ps(x0, w2, s0_2_0);
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
      s1_2_0 = _mm256_fmadd_ps(x1, w2, s1_2_0);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + LAYER1_STEP + 8);
      const __m256 w1 = _mm256_load_ps(w + LAYER1_STEP + LAYER1_PANEL);
      const __m256 w2 = _mm256_load_ps(w + LAYER1_STEP + LAYER1_PANEL + 8);
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
      s0_2_1 = _mm256_fmadd_ps(x0, w2, s0_2_1);
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW + 1]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
      s1_2_1 = _mm256_fmadd_ps(x1, w2, s1_2_1);
    }
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_2_0 = _mm256_add_ps(s0_2_0, s0_2_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
  s1_2_0 = _mm256_add_ps(s1_2_0, s1_2_1);
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
}

/* layer1: 2 rows of 16 columns. */
FFN_INLINE void layer1_group_2x16(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s1_0_0 = _mm256_setzero_ps();
  __m256 s1_0_1 = _mm256_setzero_ps();
  __m256 s1_1_0 = _mm256_setzero_ps();
  __m256 s1_1_1 = _mm256_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      const __m256 w1 = _mm256_load_ps(w + 8);
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
      s1_1_0 = _mm256_fmadd_ps(x1, w1, s1_1_0);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + LAYER1_STEP);
      const __m256 w1 = _mm256_load_ps(w + LAYER1_STEP + 8);
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
      const __m256 x1 = _mm256_set1_ps(a[k + LAYER1_ROW + 1]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm256_fmadd_ps(x1, w1, s1_1_1);
    }
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm256_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm256_add_ps(s1_1_0, s1_1_1);
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
}

/* layer2: a row of 16 columns. */
FFN_INLINE void layer2_group_1x16(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m256 s0_0_0 = _mm256_setzero_ps();
  __m256 s0_0_1 = _mm256_setzero_ps();
  __m256 s0_0_2 = _mm256_setzero_ps();
  __m256 s0_0_3 = _mm256_setzero_ps();
  __m256 s0_1_0 = _mm256_setzero_ps();
  __m256 s0_1_1 = _mm256_setzero_ps();
  __m256 s0_1_2 = _mm256_setzero_ps();
  __m256 s0_1_3 = _mm256_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      const __m256 w1 = _mm256_load_ps(w + 8);
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
      s0_1_0 = _mm256_fmadd_ps(x0, w1, s0_1_0);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + LAYER2_STEP);
      const __m256 w1 = _mm256_load_ps(w + LAYER2_STEP + 8);
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm256_fmadd_ps(x0, w1, s0_1_1);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 2 * LAYER2_STEP);
      const __m256 w1 = _mm256_load_ps(w + 2 * LAYER2_STEP + 8);
      const __m256 x0 = _mm256_set1_ps(a[k + 2]);
      s0_0_2 = _mm256_fmadd_ps(x0, w0, s0_0_2);
      s0_1_2 = _mm256_fmadd_ps(x0, w1, s0_1_2);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 3 * LAYER2_STEP);
      const __m256 w1 = _mm256_load_ps(w + 3 * LAYER2_STEP + 8);
      const __m256 x0 = _mm256_set1_ps(a[k + 3]);
      s0_0_3 = _mm256_fmadd_ps(x0, w0, s0_0_3);
      s0_1_3 = _mm256_fmadd_ps(x0, w1, s0_1_3);
    }
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_2);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_2);
  s0_0_1 = _mm256_add_ps(s0_0_1, s0_0_3);
  s0_1_1 = _mm256_add_ps(s0_1_1, s0_1_3);
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm256_add_ps(s0_1_0, s0_1_1);
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_setzero_ps());
  s0_0_0 = _mm256_add_ps(s0_0_0, _mm256_load_ps(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  _mm256_store_ps(out, s0_0_0);
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_setzero_ps());
  s0_1_0 = _mm256_add_ps(s0_1_0, _mm256_load_ps(linear_bias + 8));
  s0_1_0 = act_relu(s0_1_0);
  _mm256_store_ps(out + 8, s0_1_0);
}

/* layer3: a row of 1 columns. */
FFN_INLINE void layer3_group_1x8_of_1(
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
  for (; k + 8 <= LAYER3_INPUTS; k += 8, w += 8 * LAYER3_STEP) {
    {
      const __m256 w0 = _mm256_load_ps(w);
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + LAYER3_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 2 * LAYER3_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 2]);
      s0_0_2 = _mm256_fmadd_ps(x0, w0, s0_0_2);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 3 * LAYER3_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 3]);
      s0_0_3 = _mm256_fmadd_ps(x0, w0, s0_0_3);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 4 * LAYER3_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 4]);
      s0_0_4 = _mm256_fmadd_ps(x0, w0, s0_0_4);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 5 * LAYER3_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 5]);
      s0_0_5 = _mm256_fmadd_ps(x0, w0, s0_0_5);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 6 * LAYER3_STEP);
      const __m256 x0 = _mm256_set1_ps(a[k + 6]);
      s0_0_6 = _mm256_fmadd_ps(x0, w0, s0_0_6);
    }
    {
      const __m256 w0 = _mm256_load_ps(w + 7 * LAYER3_STEP);
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
  s0_0_0 = act_sigmoid(s0_0_0);
  ffn_store_tail_avx2(out, s0_0_0, 1);
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

/* 4 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  work_memory *work = (work_memory *)memory;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(work->x[0], x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(work->x[1], x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(work->x[2], x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(work->x[3], x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = work->x[0];
    float *out = work->h1[0];
    layer1_group_2x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_2x24_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_2x16(in, packed->layer1[3][0][0], packed->layer1_bias[0] + 48, out + 48);
    FFN_SETTLE();
    layer1_group_2x24(in + 2 * LAYER1_ROW, packed->layer1[0][0][0], packed->layer1_bias[0],
        out + 2 * LAYER2_ROW);
    FFN_SETTLE();
    layer1_group_2x24_at_8(in + 2 * LAYER1_ROW, packed->layer1[1][0][0],
        packed->layer1_bias[0] + 24, out + 2 * LAYER2_ROW + 24);
    FFN_SETTLE();
    layer1_group_2x16(in + 2 * LAYER1_ROW, packed->layer1[3][0][0], packed->layer1_bias[0] + 48,
        out + 2 * LAYER2_ROW + 48);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work->h1[0];
    float *out = work->h2[0];
    layer2_group_1x16(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
    layer2_group_1x16(in, packed->layer2[1][0][0], packed->layer2_bias[0] + 16, out + 16);
    FFN_SETTLE();
    layer2_group_1x16(in + LAYER2_ROW, packed->layer2[0][0][0], packed->layer2_bias[0],
        out + LAYER3_ROW);
    FFN_SETTLE();
    layer2_group_1x16(in + LAYER2_ROW, packed->layer2[1][0][0], packed->layer2_bias[0] + 16,
        out + LAYER3_ROW + 16);
    FFN_SETTLE();
    layer2_group_1x16(in + 2 * LAYER2_ROW, packed->layer2[0][0][0], packed->layer2_bias[0],
        out + 2 * LAYER3_ROW);
    FFN_SETTLE();
    layer2_group_1x16(in + 2 * LAYER2_ROW, packed->layer2[1][0][0], packed->layer2_bias[0] + 16,
        out + 2 * LAYER3_ROW + 16);
    FFN_SETTLE();
    layer2_group_1x16(in + 3 * LAYER2_ROW, packed->layer2[0][0][0], packed->layer2_bias[0],
        out + 3 * LAYER3_ROW);
    FFN_SETTLE();
    layer2_group_1x16(in + 3 * LAYER2_ROW, packed->layer2[1][0][0], packed->layer2_bias[0] + 16,
        out + 3 * LAYER3_ROW + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = work->h2[0];
    layer3_group_1x8_of_1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y);
    FFN_SETTLE();
    layer3_group_1x8_of_1(in + LAYER3_ROW, packed->layer3[0][0][0], packed->layer3_bias[0],
        y + call->y_stride);
    FFN_SETTLE();
    layer3_group_1x8_of_1(in + 2 * LAYER3_ROW, packed->layer3[0][0][0], packed->layer3_bias[0],
        y + 2 * call->y_stride);
    FFN_SETTLE();
    layer3_group_1x8_of_1(in + 3 * LAYER3_ROW, packed->layer3[0][0][0], packed->layer3_bias[0],
        y + 3 * call->y_stride);
    FFN_SETTLE();
  }
}

/* One row through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  work_memory *work = (work_memory *)memory;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const float *in = x;
    float *out = work->h1[0];
    layer1_group_1x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_1x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work->h1[0];
    float *out = work->h2[0];
    layer2_group_1x16(in, packed->layer2[0][0][0], packed->layer2_bias[0], out);
    FFN_SETTLE();
    layer2_group_1x16(in, packed->layer2[1][0][0], packed->layer2_bias[0] + 16, out + 16);
    FFN_SETTLE();
  }
  { /* layer3 */
    const float *in = work->h2[0];
    layer3_group_1x8_of_1(in, packed->layer3[0][0][0], packed->layer3_bias[0], y);
    FFN_SETTLE();
  }
}

/* Rows [first, last). A lone row, the commonest call, saves no registers for the others. */
static void straight_rows(const ffn_call *call, float *memory, size_t first, size_t last) {
  if (last - first == 1) {
    one_row(call, memory, first);
    return;
  }
  for (; first + 4 <= last; first += 4)
    rows_of_4(call, memory, first);
  for (; first < last; ++first)
    one_row(call, memory, first);
}

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
    4, /* row_tile */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
    0, /* list_at */
    sizeof(work_memory) / sizeof(float), /* work_floats */
    LAYER1_INPUTS, /* inputs */
    LAYER3_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS +
        2 * (uint64_t)LAYER3_INPUTS * LAYER3_OUTPUTS, /* flop_per_token */
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
    void *work, const ffn_parallel *parallel) {
  ffn_pass_run(&forward, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2 = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_avx2", /* name */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* layer */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_AVX2, /* isa */
    LAYER1_INPUTS, /* inputs */
    0, /* hidden */
    LAYER3_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    3, /* stage_count */
    stages, /* stages */
    sizeof(packed_weights), /* packed_bytes */
    sizeof(work_memory), /* work_bytes */
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
    run, /* run */
};
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
