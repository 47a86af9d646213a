/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_relu_bias_d4_f8_f32_avx2
 * FFN relu, 4 -> 8 -> 4, with biases, f32, for avx2
 * The worked example on paper: 4 -> 8 -> 4, ReLU
 *
 *     h = relu(x W_up^T + b_up)
 *     y = h W_down^T + b_down
 *
 * Remake     ffngen generate
 * Spec       paper_example
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, straight, line_tile, chains_loop, step,
 *            loop, ascend, lanes_blocks, straight_rows, add, tables, api, descriptor, about
 * Tiles      up: rows x columns 4 x 8; 3 x 8; 2 x 8; 1 x 8, 1 branch
 * Tiles      down: rows x columns 4 x 8; 3 x 8; 2 x 8; 1 x 8, 1 branch
 * Walk       none: loops for 4 rows, loops for 3 rows, loops for 2 rows, a straight line for 1 row
 * Lanes      from 12 tokens on, blocks of 16 with one in each lane, sums of at most 4 outputs side
 *            by side
 * Cost       128 flop per token; 960 bytes of packed weights; 1280 bytes of work memory per thread,
 *            896 for one token
 * Sums       up: k ascends; at most 5 roundings
 * Sums       down: k ascends in 2 interleaved chains; at most 6 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 5 2^-24; relu exact
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 6 2^-24
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

/* up: 4 -> 8, up with bias, h = relu(up) */
enum {
  UP_INPUTS = 4,
  UP_OUTPUTS = 8,
  UP_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  UP_WIDTH = 16, /* columns of a bundle */
  UP_STEP = 64, /* bytes of one k of it: [16] */
  UP_BUNDLE = UP_INPUTS * UP_STEP,
  UP_AT = 64, /* bytes of packed weights in front of these */
  UP_BIAS_AT = 320, /* and of its biases, [branch][columns] */
  UP_ROUNDINGS = 5, /* at most, of a product in its sum */
  UP_ROW = 16, /* numbers of a row in a block of the input */
};

/* down: 8 -> 4, down with bias, y = down */
enum {
  DOWN_INPUTS = 8,
  DOWN_OUTPUTS = 4,
  DOWN_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  DOWN_WIDTH = 16, /* columns of a bundle */
  DOWN_STEP = 64, /* bytes of one k of it: [16] */
  DOWN_BUNDLE = DOWN_INPUTS * DOWN_STEP,
  DOWN_AT = 384, /* bytes of packed weights in front of these */
  DOWN_BIAS_AT = 896, /* and of its biases, [branch][columns] */
  DOWN_ROUNDINGS = 6, /* at most, of a product in its sum */
  DOWN_ROW = 16, /* numbers of a row in a block of the input */
};

enum {
  ROWS = 4, /* that are added to y at a time, at most */
  LANES = 16, /* tokens of a block, one in each lane */
  LANES_LEAST = 12, /* so many are worth a block */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 128, /* bytes of each in work memory */
  BESIDE = 768, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 960 };

/* A block of 16 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[4 * LANES];
  float odd[8 * LANES];
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

/* And back. 4 floats of each of 8 tokens: `to` begins at any float. */
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

/* Puts sums into an array. */
FFN_SHARED void ffn_put_4_avx2(
    __m256 *to, const __m256 a, const __m256 b, const __m256 c, const __m256 d) {
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
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

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202.
 * In each of 8 lanes. */
FFN_INLINE __m256 act_relu(const __m256 x) {
  return _mm256_max_ps(_mm256_set1_ps(0.0f), x);
}

/* up: sums of at most 4 outputs over all 4 k, 16 tokens side by side. `outputs` is a constant at
 * each call: what fewer outputs do not use compiles away. `a` begins at a multiple of 32 bytes,
 * `w` of 64. */
FFN_INLINE void up_chain(
    __m256 *s, const float *a, const char *w, size_t k, const int outputs) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s1_0 = zero, s1_1 = zero, s2_0 = zero, s2_1 = zero,
      s3_0 = zero, s3_1 = zero;
  a += k * LANES;
  w += k * UP_STEP;
  for (; k + 3 < UP_INPUTS;
       k += 4, a += 4 * LANES, w += 4 * UP_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m256 x0 = _mm256_load_ps(a + u * LANES);
      const __m256 x1 = _mm256_load_ps(a + u * LANES + 8);
      const __m256 w0 = _mm256_set1_ps(*(const float *)(w + u * UP_STEP));
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m256 w1 = _mm256_set1_ps(*(const float *)(w + u * UP_STEP + 4));
        s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m256 w2 = _mm256_set1_ps(*(const float *)(w + u * UP_STEP + 8));
        s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m256 w3 = _mm256_set1_ps(*(const float *)(w + u * UP_STEP + 12));
        s3_0 = _mm256_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm256_fmadd_ps(x1, w3, s3_1);
      }
    }
  }
  ffn_put_4_avx2(s, s0_0, s0_1, s1_0, s1_1);
  ffn_put_4_avx2(s + 4, s2_0, s2_1, s3_0, s3_1);
  (void)outputs;
}

/* At most 4 `outputs` of 16 tokens, over all 4 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 32 bytes, `a` of 32, `w` of 64. */
FFN_INLINE void up_lanes(
    const float *a, const char *w, size_t lane, const float *up_bias, float *out,
    const int outputs) {
  w += lane * 4;
  __m256 s[1][8];
  up_chain(s[0], a, w, 0, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m256 up_b = _mm256_set1_ps(up_bias[i]);
    _mm256_store_ps(out + i * LANES, act_relu(_mm256_add_ps(s[0][2 * i], up_b)));
    _mm256_store_ps(out + i * LANES + 8, act_relu(_mm256_add_ps(s[0][2 * i + 1], up_b)));
  }
}

/* down: sums of at most 4 outputs over every 2. of 8 k, from `k` on, 16 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 32 bytes, `w` of 64. */
FFN_INLINE void down_chain(
    __m256 *s, const float *a, const char *w, size_t k, const int outputs) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s1_0 = zero, s1_1 = zero, s2_0 = zero, s2_1 = zero,
      s3_0 = zero, s3_1 = zero;
  a += k * LANES;
  w += k * DOWN_STEP;
  for (; k + 6 < DOWN_INPUTS;
       k += 8, a += 8 * LANES, w += 8 * DOWN_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 4; ++u) {
      const __m256 x0 = _mm256_load_ps(a + u * 2 * LANES);
      const __m256 x1 = _mm256_load_ps(a + u * 2 * LANES + 8);
      const __m256 w0 = _mm256_set1_ps(*(const float *)(w + u * 2 * DOWN_STEP));
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x1, w0, s0_1);
      if (outputs > 1) {
        const __m256 w1 = _mm256_set1_ps(*(const float *)(w + u * 2 * DOWN_STEP + 4));
        s1_0 = _mm256_fmadd_ps(x0, w1, s1_0);
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      }
      if (outputs > 2) {
        const __m256 w2 = _mm256_set1_ps(*(const float *)(w + u * 2 * DOWN_STEP + 8));
        s2_0 = _mm256_fmadd_ps(x0, w2, s2_0);
        s2_1 = _mm256_fmadd_ps(x1, w2, s2_1);
      }
      if (outputs > 3) {
        const __m256 w3 = _mm256_set1_ps(*(const float *)(w + u * 2 * DOWN_STEP + 12));
        s3_0 = _mm256_fmadd_ps(x0, w3, s3_0);
        s3_1 = _mm256_fmadd_ps(x1, w3, s3_1);
      }
    }
  }
  ffn_put_4_avx2(s, s0_0, s0_1, s1_0, s1_1);
  ffn_put_4_avx2(s + 4, s2_0, s2_1, s3_0, s3_1);
  (void)outputs;
}

/* At most 4 `outputs` of 16 tokens, over all 8 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 32 bytes, `a` of 32, `w` of 64. */
FFN_INLINE void down_lanes(
    const float *a, const char *w, size_t lane, const float *down_bias, float *out,
    const int outputs) {
  w += lane * 4;
  __m256 s[2][8];
  down_chain(s[0], a, w, 0, outputs);
  down_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = _mm256_add_ps(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const __m256 down_b = _mm256_set1_ps(down_bias[i]);
    _mm256_store_ps(out + i * LANES, _mm256_add_ps(_mm256_add_ps(s[0][2 * i], _mm256_setzero_ps()),
        down_b));
    _mm256_store_ps(out + i * LANES + 8, _mm256_add_ps(_mm256_add_ps(s[0][2 * i + 1],
        _mm256_setzero_ps()), down_b));
  }
}

/* All 4 inputs of `count` tokens from x into `to`, side by side. Where lanes are left over,
 * copies of the first token fill them, from `rows`. x begins at any float. */
FFN_INLINE void lanes_in(
    float *to, float *rows, const float *x, size_t stride, size_t count) {
  if (count < LANES) {
    for (size_t token = 0; token < LANES; ++token)
      FFN_MEMCPY(rows + token * UP_INPUTS, x + (token < count ? token : 0) * stride,
          UP_INPUTS * sizeof *x);
    x = rows;
    stride = UP_INPUTS;
  }
  for (size_t k = 0; k < UP_INPUTS; k += 4) {
    const size_t at = ffn_min(k, UP_INPUTS - 4);
    for (size_t token = 0; token < LANES; token += 8)
      ffn_turn_in_avx2(
          to + at * LANES + token, LANES, x + token * stride + at, stride);
  }
}

/* All 4 outputs of `count` tokens to y, each where it belongs; by way of `rows` where lanes are
 * left over. y begins at any float. */
FFN_INLINE void lanes_out(
    float *y, size_t stride, float *rows, const float *from, size_t count) {
  const size_t outputs = DOWN_OUTPUTS;
  float *to = count < LANES ? rows : y;
  const size_t to_stride = count < LANES ? outputs : stride;
  for (size_t output = 0; output < DOWN_OUTPUTS; output += 4) {
    const size_t at = ffn_min(output, DOWN_OUTPUTS - 4);
    for (size_t token = 0; token < LANES; token += 8)
      ffn_turn_out_avx2(
          to + token * to_stride + at, to_stride, from + at * LANES + token, LANES);
  }
  for (size_t token = 0; count < LANES && token < count; ++token)
    FFN_MEMCPY(y + token * stride, rows + token * DOWN_OUTPUTS, DOWN_OUTPUTS * sizeof *y);
}

/* At most 16 tokens from `token` on through all stages, all columns and k, each in a lane of its
 * own. x and y begin at any float, packed weights and `beside` at a multiple of 64 bytes. */
FFN_NOINLINE void lanes(
    const ffn_call *call, void *beside, size_t token, size_t count) {
  const char *packed = (const char *)call->packed;
  lanes_memory *work = (lanes_memory *)beside;
  lanes_in(
      work->even, work->odd, call->x + token * call->x_stride, call->x_stride, count);
  { /* up */
    const float *in = work->even;
    float *out = work->odd;
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    for (size_t output = 0; output + 4 <= UP_OUTPUTS; output += 4)
      up_lanes(in, weights + output / UP_WIDTH * UP_BUNDLE, output % UP_WIDTH, bias + output,
          out + output * LANES, 4);
  }
  { /* down */
    const float *in = work->odd;
    float *out = work->even;
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    for (size_t output = 0; output + 4 <= DOWN_OUTPUTS; output += 4)
      down_lanes(in, weights + output / DOWN_WIDTH * DOWN_BUNDLE, output % DOWN_WIDTH,
          bias + output, out + output * LANES, 4);
  }
  lanes_out(call->y + token * call->y_stride, call->y_stride,
      work->odd, work->even, count);
}

/* up: at most 4 rows x 8 columns, all 4 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out`
 * of 32. */
FFN_INLINE void up_tile_4x8(
    const float *a, const char *w, const size_t lane, const float *up_bias, float *out,
    const int rows) {
  w += lane * 4;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s1_0 = zero, s2_0 = zero, s3_0 = zero;
  for (size_t k = 0; k < UP_INPUTS; k += 1) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * UP_STEP));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + UP_ROW]);
      s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * UP_ROW]);
      s2_0 = _mm256_fmadd_ps(x2, w0, s2_0);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * UP_ROW]);
      s3_0 = _mm256_fmadd_ps(x3, w0, s3_0);
    }
  }
  _mm256_store_ps(out, act_relu(_mm256_add_ps(s0_0, _mm256_load_ps(up_bias))));
  if (rows > 1)
    _mm256_store_ps(out + DOWN_ROW, act_relu(_mm256_add_ps(s1_0, _mm256_load_ps(up_bias))));
  if (rows > 2)
    _mm256_store_ps(out + 2 * DOWN_ROW, act_relu(_mm256_add_ps(s2_0, _mm256_load_ps(up_bias))));
  if (rows > 3)
    _mm256_store_ps(out + 3 * DOWN_ROW, act_relu(_mm256_add_ps(s3_0, _mm256_load_ps(up_bias))));
}

/* down: at most 4 rows x 4 columns, all 8 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 4. */
FFN_INLINE void down_tile_4x8_of_4(
    const float *a, const char *w, const size_t lane, const float *down_bias, float *out,
    size_t stride, const int rows) {
  w += lane * 4;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s1_0_0 = zero, s2_0_0 = zero, s3_0_0 = zero;
  for (size_t k = 0; k < DOWN_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * DOWN_STEP));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + DOWN_ROW]);
      s1_0_0 = _mm256_fmadd_ps(x1, w0, s1_0_0);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * DOWN_ROW]);
      s2_0_0 = _mm256_fmadd_ps(x2, w0, s2_0_0);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * DOWN_ROW]);
      s3_0_0 = _mm256_fmadd_ps(x3, w0, s3_0_0);
    }
  }
  __m256 s0_0_1 = zero, s1_0_1 = zero, s2_0_1 = zero, s3_0_1 = zero;
  for (size_t k = 1; k < DOWN_INPUTS; k += 2) {
    const __m256 w0 = _mm256_load_ps((const float *)(w + k * DOWN_STEP));
    if (rows == 2)
      FFN_SETTLE();
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    if (rows > 1) {
      const __m256 x1 = _mm256_set1_ps(a[k + DOWN_ROW]);
      s1_0_1 = _mm256_fmadd_ps(x1, w0, s1_0_1);
    }
    if (rows > 2) {
      const __m256 x2 = _mm256_set1_ps(a[k + 2 * DOWN_ROW]);
      s2_0_1 = _mm256_fmadd_ps(x2, w0, s2_0_1);
    }
    if (rows > 3) {
      const __m256 x3 = _mm256_set1_ps(a[k + 3 * DOWN_ROW]);
      s3_0_1 = _mm256_fmadd_ps(x3, w0, s3_0_1);
    }
  }
  ffn_add_4_avx2(&s0_0_0, &s1_0_0, &s2_0_0, &s3_0_0, s0_0_1, s1_0_1, s2_0_1, s3_0_1);
  ffn_store_tail_avx2(out, _mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()),
      _mm256_load_ps(down_bias)), 4);
  if (rows > 1) {
    ffn_store_tail_avx2(out + stride, _mm256_add_ps(_mm256_add_ps(s1_0_0, _mm256_setzero_ps()),
        _mm256_load_ps(down_bias)), 4);
  }
  if (rows > 2) {
    ffn_store_tail_avx2(out + 2 * stride, _mm256_add_ps(_mm256_add_ps(s2_0_0, _mm256_setzero_ps()),
        _mm256_load_ps(down_bias)), 4);
  }
  if (rows > 3) {
    ffn_store_tail_avx2(out + 3 * stride, _mm256_add_ps(_mm256_add_ps(s3_0_0, _mm256_setzero_ps()),
        _mm256_load_ps(down_bias)), 4);
  }
}

/* up: one row x 8 columns, all 4 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of 32. */
FFN_INLINE void up_tile_1x8(
    const float *a, const char *w, const size_t lane, const float *up_bias, float *out) {
  w += lane * 4;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero;
  FFN_UNROLL
  for (size_t k = 0; k < UP_INPUTS; ++k, w += UP_STEP) {
    const __m256 w0 = _mm256_load_ps((const float *)(w));
    const __m256 x0 = _mm256_set1_ps(a[k]);
    s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
  }
  _mm256_store_ps(out, act_relu(_mm256_add_ps(s0_0, _mm256_load_ps(up_bias))));
}

/* down: one row x 4 columns, all 8 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of
 * 4. */
FFN_INLINE void down_tile_1x8_of_4(
    const float *a, const char *w, const size_t lane, const float *down_bias, float *out) {
  w += lane * 4;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0_0 = zero, s0_0_1 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= DOWN_INPUTS; k += 2, w += 2 * DOWN_STEP) {
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w));
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0_0 = _mm256_fmadd_ps(x0, w0, s0_0_0);
    }
    {
      const __m256 w0 = _mm256_load_ps((const float *)(w + DOWN_STEP));
      const __m256 x0 = _mm256_set1_ps(a[k + 1]);
      s0_0_1 = _mm256_fmadd_ps(x0, w0, s0_0_1);
    }
  }
  s0_0_0 = _mm256_add_ps(s0_0_0, s0_0_1);
  ffn_store_tail_avx2(out, _mm256_add_ps(_mm256_add_ps(s0_0_0, _mm256_setzero_ps()),
      _mm256_load_ps(down_bias)), 4);
}

/* 4 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    FFN_MEMCPY(memory, x, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + UP_ROW, x + call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * UP_ROW, x + 2 * call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * UP_ROW, x + 3 * call->x_stride, UP_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 4 * UP_ROW;
    up_tile_4x8(in, weights, 0, bias, out, 4);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + 4 * UP_ROW;
    down_tile_4x8_of_4(in, weights, 0, bias, y, call->y_stride, 4);
    FFN_SETTLE();
  }
}

/* 3 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    FFN_MEMCPY(memory, x, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + UP_ROW, x + call->x_stride, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * UP_ROW, x + 2 * call->x_stride, UP_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 3 * UP_ROW;
    up_tile_4x8(in, weights, 0, bias, out, 3);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + 3 * UP_ROW;
    down_tile_4x8_of_4(in, weights, 0, bias, y, call->y_stride, 3);
    FFN_SETTLE();
  }
}

/* 2 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    FFN_MEMCPY(memory, x, UP_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + UP_ROW, x + call->x_stride, UP_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 2 * UP_ROW;
    up_tile_4x8(in, weights, 0, bias, out, 2);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + 2 * UP_ROW;
    down_tile_4x8_of_4(in, weights, 0, bias, y, call->y_stride, 2);
    FFN_SETTLE();
  }
}

/* One row from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* up */
    const char *weights = packed + UP_AT;
    const float *bias = (const float *)(packed + UP_BIAS_AT);
    const float *in = x;
    float *out = memory + UP_ROW;
    up_tile_1x8(in, weights, 0, bias, out);
    FFN_SETTLE();
  }
  { /* down */
    const char *weights = packed + DOWN_AT;
    const float *bias = (const float *)(packed + DOWN_BIAS_AT);
    const float *in = memory + UP_ROW;
    down_tile_1x8_of_4(in, weights, 0, bias, y);
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
        UP_INPUTS, /* inputs */
        UP_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_UP}, /* matrix */
        FFN_ACT_RELU, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        UP_INPUTS, /* k_block */
        1, /* chains */
        UP_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
    {
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_DOWN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        DOWN_INPUTS, /* k_block */
        2, /* chains */
        DOWN_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xf02d40da8de26944), /* packed_hash */
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
    UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
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

/* Packs all matrices and biases of 2 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 2, weights));
  ffn_pack_stage(
      header, &packing_f32, UP_AT, UP_WIDTH, UP_BIAS_AT,
      stages, 0, weights, group);
  ffn_pack_stage(
      header, &packing_f32, DOWN_AT, DOWN_WIDTH, DOWN_BIAS_AT,
      stages, 1, weights, group);
}

/* Unpacks all matrices and biases of 2 stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[1];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
  ffn_unpack_stage(
      to, header, &packing_f32, UP_AT, UP_WIDTH, UP_BIAS_AT,
      stages, 0, group);
  ffn_unpack_stage(
      to, header, &packing_f32, DOWN_AT, DOWN_WIDTH, DOWN_BIAS_AT,
      stages, 1, group);
}
#endif

/* All rows of a call through all 2 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_avx2;
const ffn_kernel ffn_relu_bias_d4_f8_f32_avx2 = {
    "ffn_relu_bias_d4_f8_f32_avx2", /* name */
    "ffn_relu_bias_d4_f8_f32", /* layer */
    "ffn_relu_bias_d4_f8_f32", /* packed */
    FFN_KIND_FFN, /* kind */
    FFN_RELU, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_AVX2, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    UP_INPUTS, /* inputs */
    UP_OUTPUTS, /* hidden */
    DOWN_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    2, /* stage_count */
    stages, /* stages */
    WEIGHT_BYTES, /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW, /* work_row_bytes */
    BESIDE, /* work_beside_bytes */
    1, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
            2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
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
