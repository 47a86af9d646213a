/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_avx512
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for avx512
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1
 * Templates  file, sizes, straight, group, loop, step, straight_rows, tables, api, about
 * Tiles      layer1: rows x columns 4 x 32; 1 x 64, 1 branch
 * Tiles      layer2: rows x columns 2 x 16; 1 x 16, 1 branch
 * Walk       none: straight-line code for 4 rows and 1 row at a time
 * Cost       1408 flop per token; 7040 bytes of packed weights; 1280 bytes of work memory per
 *            thread
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 8 interleaved chains; at most 12 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 12 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 4
#error "made for ABI 4 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f")
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
  ROWS = 4, /* of one walk */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float layer1[LAYER1_PANELS][LAYER1_INPUTS][1][FFN_PANEL];
  float layer1_bias[1][LAYER1_PANELS * FFN_PANEL];
  float layer2[LAYER2_PANELS][LAYER2_INPUTS][1][FFN_PANEL];
  float layer2_bias[1][LAYER2_PANELS * FFN_PANEL];
} packed_weights;

/* The work memory of one thread. */
typedef struct work_memory {
  float x[ROWS][LAYER1_ROW];
  float h[ROWS][LAYER2_ROW];
} work_memory;

FFN_INLINE void ffn_store_tail_avx512(float *out, __m512 value, size_t count) {
  _mm512_mask_storeu_ps(out, (__mmask16)((1u << count) - 1u), value);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE __m512 act_relu(const __m512 x) {
  return _mm512_max_ps(_mm512_set1_ps(0.0f), x);
}

/* layer1: 4 rows of 32 columns. */
FFN_INLINE void layer1_group_4x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_1_0 = _mm512_setzero_ps();
  __m512 s0_1_1 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_1_0 = _mm512_setzero_ps();
  __m512 s1_1_1 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps();
  __m512 s2_0_1 = _mm512_setzero_ps();
  __m512 s2_1_0 = _mm512_setzero_ps();
  __m512 s2_1_1 = _mm512_setzero_ps();
  __m512 s3_0_0 = _mm512_setzero_ps();
  __m512 s3_0_1 = _mm512_setzero_ps();
  __m512 s3_1_0 = _mm512_setzero_ps();
  __m512 s3_1_1 = _mm512_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      const __m512 w1 = _mm512_load_ps(w + LAYER1_PANEL);
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
    }
    {
      const __m512 w0 = _mm512_load_ps(w + LAYER1_STEP);
      const __m512 w1 = _mm512_load_ps(w + LAYER1_STEP + LAYER1_PANEL);
      const __m512 x0 = _mm512_set1_ps(a[k + 1]);
      s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
      s0_1_1 = _mm512_fmadd_ps(x0, w1, s0_1_1);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER1_ROW + 1]);
      s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
      s1_1_1 = _mm512_fmadd_ps(x1, w1, s1_1_1);
      const __m512 x2 = _mm512_set1_ps(a[k + 2 * LAYER1_ROW + 1]);
      s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
      s2_1_1 = _mm512_fmadd_ps(x2, w1, s2_1_1);
      const __m512 x3 = _mm512_set1_ps(a[k + 3 * LAYER1_ROW + 1]);
      s3_0_1 = _mm512_fmadd_ps(x3, w0, s3_0_1);
      s3_1_1 = _mm512_fmadd_ps(x3, w1, s3_1_1);
    }
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s0_1_0 = _mm512_add_ps(s0_1_0, s0_1_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s1_1_0 = _mm512_add_ps(s1_1_0, s1_1_1);
  s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  s2_1_0 = _mm512_add_ps(s2_1_0, s2_1_1);
  s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
  s3_1_0 = _mm512_add_ps(s3_1_0, s3_1_1);
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
}

/* layer2: 2 rows of 1 columns. */
FFN_INLINE void layer2_group_2x16_of_1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  __m512 s0_0_0 = _mm512_setzero_ps();
  __m512 s0_0_1 = _mm512_setzero_ps();
  __m512 s0_0_2 = _mm512_setzero_ps();
  __m512 s0_0_3 = _mm512_setzero_ps();
  __m512 s0_0_4 = _mm512_setzero_ps();
  __m512 s0_0_5 = _mm512_setzero_ps();
  __m512 s0_0_6 = _mm512_setzero_ps();
  __m512 s0_0_7 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps();
  __m512 s1_0_1 = _mm512_setzero_ps();
  __m512 s1_0_2 = _mm512_setzero_ps();
  __m512 s1_0_3 = _mm512_setzero_ps();
  __m512 s1_0_4 = _mm512_setzero_ps();
  __m512 s1_0_5 = _mm512_setzero_ps();
  __m512 s1_0_6 = _mm512_setzero_ps();
  __m512 s1_0_7 = _mm512_setzero_ps();
  size_t k = 0;
  FFN_UNROLL
  for (; k + 8 <= LAYER2_INPUTS; k += 8, w += 8 * LAYER2_STEP) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW]);
      s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 1]);
      s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW + 1]);
      s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 2 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 2]);
      s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW + 2]);
      s1_0_2 = _mm512_fmadd_ps(x1, w0, s1_0_2);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 3 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 3]);
      s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW + 3]);
      s1_0_3 = _mm512_fmadd_ps(x1, w0, s1_0_3);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 4 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 4]);
      s0_0_4 = _mm512_fmadd_ps(x0, w0, s0_0_4);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW + 4]);
      s1_0_4 = _mm512_fmadd_ps(x1, w0, s1_0_4);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 5 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 5]);
      s0_0_5 = _mm512_fmadd_ps(x0, w0, s0_0_5);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW + 5]);
      s1_0_5 = _mm512_fmadd_ps(x1, w0, s1_0_5);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 6 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 6]);
      s0_0_6 = _mm512_fmadd_ps(x0, w0, s0_0_6);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW + 6]);
      s1_0_6 = _mm512_fmadd_ps(x1, w0, s1_0_6);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 7 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 7]);
      s0_0_7 = _mm512_fmadd_ps(x0, w0, s0_0_7);
      const __m512 x1 = _mm512_set1_ps(a[k + LAYER2_ROW + 7]);
      s1_0_7 = _mm512_fmadd_ps(x1, w0, s1_0_7);
    }
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_4);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_5);
  s0_0_2 = _mm512_add_ps(s0_0_2, s0_0_6);
  s0_0_3 = _mm512_add_ps(s0_0_3, s0_0_7);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_2);
  s0_0_1 = _mm512_add_ps(s0_0_1, s0_0_3);
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_4);
  s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_5);
  s1_0_2 = _mm512_add_ps(s1_0_2, s1_0_6);
  s1_0_3 = _mm512_add_ps(s1_0_3, s1_0_7);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_2);
  s1_0_1 = _mm512_add_ps(s1_0_1, s1_0_3);
  s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_setzero_ps());
  s0_0_0 = _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias));
  ffn_store_tail_avx512(out, s0_0_0, 1);
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_setzero_ps());
  s1_0_0 = _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias));
  ffn_store_tail_avx512(out + stride, s1_0_0, 1);
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

/* layer2: a row of 1 columns. */
FFN_INLINE void layer2_group_1x16_of_1(
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
  for (; k + 8 <= LAYER2_INPUTS; k += 8, w += 8 * LAYER2_STEP) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 1]);
      s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 2 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 2]);
      s0_0_2 = _mm512_fmadd_ps(x0, w0, s0_0_2);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 3 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 3]);
      s0_0_3 = _mm512_fmadd_ps(x0, w0, s0_0_3);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 4 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 4]);
      s0_0_4 = _mm512_fmadd_ps(x0, w0, s0_0_4);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 5 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 5]);
      s0_0_5 = _mm512_fmadd_ps(x0, w0, s0_0_5);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 6 * LAYER2_STEP);
      const __m512 x0 = _mm512_set1_ps(a[k + 6]);
      s0_0_6 = _mm512_fmadd_ps(x0, w0, s0_0_6);
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 7 * LAYER2_STEP);
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
  ffn_store_tail_avx512(out, s0_0_0, 1);
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
    float *out = work->h[0];
    layer1_group_4x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_4x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work->h[0];
    layer2_group_2x16_of_1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y,
        call->y_stride);
    FFN_SETTLE();
    layer2_group_2x16_of_1(in + 2 * LAYER2_ROW, packed->layer2[0][0][0], packed->layer2_bias[0],
        y + 2 * call->y_stride, call->y_stride);
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
    float *out = work->h[0];
    layer1_group_1x64(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = work->h[0];
    layer2_group_1x16_of_1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y);
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
    4, /* row_tile */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
    0, /* list_at */
    sizeof(work_memory) / sizeof(float), /* work_floats */
    LAYER1_INPUTS, /* inputs */
    LAYER2_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
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
    void *work, const ffn_parallel *parallel) {
  ffn_pass_run(&forward, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx512;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_avx512 = {
    "mlp_10_relu64_identity1_bias_f32_avx512", /* name */
    "mlp_10_relu64_identity1_bias_f32", /* layer */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_AVX512, /* isa */
    LAYER1_INPUTS, /* inputs */
    0, /* hidden */
    LAYER2_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    2, /* stage_count */
    stages, /* stages */
    sizeof(packed_weights), /* packed_bytes */
    sizeof(work_memory), /* work_bytes */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
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
