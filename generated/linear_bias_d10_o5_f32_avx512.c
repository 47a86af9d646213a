/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * linear_bias_d10_o5_f32_avx512
 * linear, 10 -> 5, with biases, f32, for avx512
 * One linear layer
 *
 *     y = x W^T + b
 *
 * Remake     ffngen generate
 * Spec       linear_10_5
 * Templates  file, sizes, straight, line_tile, chains_loop, step, loop, ascend, straight_rows, add,
 *            tables, api, descriptor, about
 * Tiles      linear: rows x columns 8 x 16; 4 x 16; 3 x 16; 2 x 16; 1 x 16, 1 branch
 * Walk       none: loops for 8 rows, loops for 4 rows, loops for 3 rows, loops for 2 rows, a
 *            straight line for 1 row
 * Cost       100 flop per token; 768 bytes of packed weights; 1024 bytes of work memory per thread,
 *            128 for one token
 * Sums       linear: k ascends in 2 interleaved chains; at most 7 roundings
 * Error      linear: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 11
#error "made for ABI 11 of kernel.h: generate this file anew, or use its own kernel.h"
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

/* linear: 10 -> 5, linear with bias, y = linear */
enum {
  LINEAR_INPUTS = 10,
  LINEAR_OUTPUTS = 5,
  LINEAR_COLUMNS = 16, /* outputs and zeros beyond the last, whole panels of sixteen */
  LINEAR_WIDTH = 16, /* columns of a bundle */
  LINEAR_STEP = 64, /* bytes of one k of it: [16] */
  LINEAR_BUNDLE = LINEAR_INPUTS * LINEAR_STEP,
  LINEAR_AT = 64, /* bytes of packed weights in front of these */
  LINEAR_BIAS_AT = 704, /* and of its biases, [branch][columns] */
  LINEAR_ROUNDINGS = 7, /* at most, of a product in its sum */
  LINEAR_ROW = 16, /* numbers of a row in a block of the input */
};

enum {
  ROWS = 8, /* that are added to y at a time, at most */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 128, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 768 };

FFN_INLINE void ffn_store_tail_avx512(float *out, __m512 value, size_t count) {
  _mm512_mask_storeu_ps(out, (__mmask16)((1u << count) - 1u), value);
}

/* Adds sums to others. */
FFN_SHARED void ffn_add_4_avx512(
    __m512 *to_a, __m512 *to_b, __m512 *to_c, __m512 *to_d, const __m512 a, const __m512 b,
    const __m512 c, const __m512 d) {
  *to_a = _mm512_add_ps(*to_a, a);
  *to_b = _mm512_add_ps(*to_b, b);
  *to_c = _mm512_add_ps(*to_c, c);
  *to_d = _mm512_add_ps(*to_d, d);
}

/* linear: 8 rows x 5 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out` of
 * 4. */
FFN_INLINE void linear_tile_8x16_of_5(
    const float *a, const char *w, const float *linear_bias, float *out, size_t stride) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 s0_0_0 = zero, s1_0_0 = zero, s2_0_0 = zero, s3_0_0 = zero, s4_0_0 = zero,
      s5_0_0 = zero, s6_0_0 = zero, s7_0_0 = zero;
  for (size_t k = 0; k < LINEAR_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps((const float *)(w + k * LINEAR_STEP));
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    const __m512 x1 = _mm512_set1_ps(a[k + LINEAR_ROW]);
    s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LINEAR_ROW]);
    s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LINEAR_ROW]);
    s3_0_0 = _mm512_fmadd_ps(x3, w0, s3_0_0);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LINEAR_ROW]);
    s4_0_0 = _mm512_fmadd_ps(x4, w0, s4_0_0);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LINEAR_ROW]);
    s5_0_0 = _mm512_fmadd_ps(x5, w0, s5_0_0);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LINEAR_ROW]);
    s6_0_0 = _mm512_fmadd_ps(x6, w0, s6_0_0);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LINEAR_ROW]);
    s7_0_0 = _mm512_fmadd_ps(x7, w0, s7_0_0);
  }
  __m512 s0_0_1 = zero, s1_0_1 = zero, s2_0_1 = zero, s3_0_1 = zero, s4_0_1 = zero,
      s5_0_1 = zero, s6_0_1 = zero, s7_0_1 = zero;
  for (size_t k = 1; k < LINEAR_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps((const float *)(w + k * LINEAR_STEP));
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    const __m512 x1 = _mm512_set1_ps(a[k + LINEAR_ROW]);
    s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    const __m512 x2 = _mm512_set1_ps(a[k + 2 * LINEAR_ROW]);
    s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    const __m512 x3 = _mm512_set1_ps(a[k + 3 * LINEAR_ROW]);
    s3_0_1 = _mm512_fmadd_ps(x3, w0, s3_0_1);
    const __m512 x4 = _mm512_set1_ps(a[k + 4 * LINEAR_ROW]);
    s4_0_1 = _mm512_fmadd_ps(x4, w0, s4_0_1);
    const __m512 x5 = _mm512_set1_ps(a[k + 5 * LINEAR_ROW]);
    s5_0_1 = _mm512_fmadd_ps(x5, w0, s5_0_1);
    const __m512 x6 = _mm512_set1_ps(a[k + 6 * LINEAR_ROW]);
    s6_0_1 = _mm512_fmadd_ps(x6, w0, s6_0_1);
    const __m512 x7 = _mm512_set1_ps(a[k + 7 * LINEAR_ROW]);
    s7_0_1 = _mm512_fmadd_ps(x7, w0, s7_0_1);
  }
  ffn_add_4_avx512(&s0_0_0, &s1_0_0, &s2_0_0, &s3_0_0, s0_0_1, s1_0_1, s2_0_1, s3_0_1);
  ffn_add_4_avx512(&s4_0_0, &s5_0_0, &s6_0_0, &s7_0_0, s4_0_1, s5_0_1, s6_0_1, s7_0_1);
  ffn_store_tail_avx512(out, _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias)), 5);
  ffn_store_tail_avx512(out + stride, _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias)), 5);
  ffn_store_tail_avx512(out + 2 * stride, _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias)), 5);
  ffn_store_tail_avx512(out + 3 * stride, _mm512_add_ps(s3_0_0, _mm512_load_ps(linear_bias)), 5);
  ffn_store_tail_avx512(out + 4 * stride, _mm512_add_ps(s4_0_0, _mm512_load_ps(linear_bias)), 5);
  ffn_store_tail_avx512(out + 5 * stride, _mm512_add_ps(s5_0_0, _mm512_load_ps(linear_bias)), 5);
  ffn_store_tail_avx512(out + 6 * stride, _mm512_add_ps(s6_0_0, _mm512_load_ps(linear_bias)), 5);
  ffn_store_tail_avx512(out + 7 * stride, _mm512_add_ps(s7_0_0, _mm512_load_ps(linear_bias)), 5);
}

/* linear: at most 4 rows x 5 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4,
 * `out` of 4. */
FFN_INLINE void linear_tile_4x16_of_5(
    const float *a, const char *w, const float *linear_bias, float *out, size_t stride,
    const int rows) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 s0_0_0 = zero, s1_0_0 = zero, s2_0_0 = zero, s3_0_0 = zero;
  for (size_t k = 0; k < LINEAR_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps((const float *)(w + k * LINEAR_STEP));
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    if (rows > 1) {
      const __m512 x1 = _mm512_set1_ps(a[k + LINEAR_ROW]);
      s1_0_0 = _mm512_fmadd_ps(x1, w0, s1_0_0);
    }
    if (rows > 2) {
      const __m512 x2 = _mm512_set1_ps(a[k + 2 * LINEAR_ROW]);
      s2_0_0 = _mm512_fmadd_ps(x2, w0, s2_0_0);
    }
    if (rows > 3) {
      const __m512 x3 = _mm512_set1_ps(a[k + 3 * LINEAR_ROW]);
      s3_0_0 = _mm512_fmadd_ps(x3, w0, s3_0_0);
    }
  }
  __m512 s0_0_1 = zero, s1_0_1 = zero, s2_0_1 = zero, s3_0_1 = zero;
  for (size_t k = 1; k < LINEAR_INPUTS; k += 2) {
    const __m512 w0 = _mm512_load_ps((const float *)(w + k * LINEAR_STEP));
    const __m512 x0 = _mm512_set1_ps(a[k]);
    s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    if (rows > 1) {
      const __m512 x1 = _mm512_set1_ps(a[k + LINEAR_ROW]);
      s1_0_1 = _mm512_fmadd_ps(x1, w0, s1_0_1);
    }
    if (rows > 2) {
      const __m512 x2 = _mm512_set1_ps(a[k + 2 * LINEAR_ROW]);
      s2_0_1 = _mm512_fmadd_ps(x2, w0, s2_0_1);
    }
    if (rows > 3) {
      const __m512 x3 = _mm512_set1_ps(a[k + 3 * LINEAR_ROW]);
      s3_0_1 = _mm512_fmadd_ps(x3, w0, s3_0_1);
    }
  }
  ffn_add_4_avx512(&s0_0_0, &s1_0_0, &s2_0_0, &s3_0_0, s0_0_1, s1_0_1, s2_0_1, s3_0_1);
  ffn_store_tail_avx512(out, _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias)), 5);
  if (rows > 1)
    ffn_store_tail_avx512(out + stride, _mm512_add_ps(s1_0_0, _mm512_load_ps(linear_bias)), 5);
  if (rows > 2)
    ffn_store_tail_avx512(out + 2 * stride, _mm512_add_ps(s2_0_0, _mm512_load_ps(linear_bias)), 5);
  if (rows > 3)
    ffn_store_tail_avx512(out + 3 * stride, _mm512_add_ps(s3_0_0, _mm512_load_ps(linear_bias)), 5);
}

/* linear: one row x 5 columns, all 10 k. `w` begins at a multiple of 64 bytes, `a` of 4, `out`
 * of 4. */
FFN_INLINE void linear_tile_1x16_of_5(
    const float *a, const char *w, const float *linear_bias, float *out) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 s0_0_0 = zero, s0_0_1 = zero;
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const __m512 w0 = _mm512_load_ps((const float *)(w));
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0_0 = _mm512_fmadd_ps(x0, w0, s0_0_0);
    }
    {
      const __m512 w0 = _mm512_load_ps((const float *)(w + LINEAR_STEP));
      const __m512 x0 = _mm512_set1_ps(a[k + 1]);
      s0_0_1 = _mm512_fmadd_ps(x0, w0, s0_0_1);
    }
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  ffn_store_tail_avx512(out, _mm512_add_ps(s0_0_0, _mm512_load_ps(linear_bias)), 5);
}

/* 8 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_8(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    const char *weights = packed + LINEAR_AT;
    const float *bias = (const float *)(packed + LINEAR_BIAS_AT);
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LINEAR_ROW, x + 2 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LINEAR_ROW, x + 3 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 4 * LINEAR_ROW, x + 4 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 5 * LINEAR_ROW, x + 5 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 6 * LINEAR_ROW, x + 6 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 7 * LINEAR_ROW, x + 7 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_tile_8x16_of_5(in, weights, bias, y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 4 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    const char *weights = packed + LINEAR_AT;
    const float *bias = (const float *)(packed + LINEAR_BIAS_AT);
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LINEAR_ROW, x + 2 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LINEAR_ROW, x + 3 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_tile_4x16_of_5(in, weights, bias, y, call->y_stride, 4);
    FFN_SETTLE();
  }
}

/* 3 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    const char *weights = packed + LINEAR_AT;
    const float *bias = (const float *)(packed + LINEAR_BIAS_AT);
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LINEAR_ROW, x + 2 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_tile_4x16_of_5(in, weights, bias, y, call->y_stride, 3);
    FFN_SETTLE();
  }
}

/* 2 rows from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    const char *weights = packed + LINEAR_AT;
    const float *bias = (const float *)(packed + LINEAR_BIAS_AT);
    FFN_MEMCPY(memory, x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LINEAR_ROW, x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = memory;
    linear_tile_4x16_of_5(in, weights, bias, y, call->y_stride, 2);
    FFN_SETTLE();
  }
}

/* One row from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const char *packed = (const char *)call->packed;
  (void)memory;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    const char *weights = packed + LINEAR_AT;
    const float *bias = (const float *)(packed + LINEAR_BIAS_AT);
    const float *in = x;
    linear_tile_1x16_of_5(in, weights, bias, y);
    FFN_SETTLE();
  }
}

/* Several rows [first, last), all columns and k. `memory` begins at a multiple of 64 bytes. */
FFN_NOINLINE void several_rows(const ffn_walk *walk, float *memory, size_t first, size_t last) {
  for (; first + 8 <= last; first += 8)
    rows_of_8(walk->call, memory, first);
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
        LINEAR_INPUTS, /* inputs */
        LINEAR_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LINEAR_INPUTS, /* k_block */
        2, /* chains */
        LINEAR_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, /* source, source_alone */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x526446c42c18317f), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    straight_rows, /* rows */
    NULL, /* columns */
    0, /* stage_count */
    NULL, /* stages */
    ROWS, /* row_step */
    0, /* own_rows */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    0, /* in_place */
    0, /* max_tokens */
    LINEAR_INPUTS, /* inputs */
    LINEAR_OUTPUTS, /* outputs */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_add_whole, /* add */
    64, /* add_at */
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

/* Packs all matrices and biases of 1 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 1, weights));
  ffn_pack_stage(
      header, &packing_f32, LINEAR_AT, LINEAR_WIDTH, LINEAR_BIAS_AT,
      stages, 0, weights, group);
}

/* Unpacks all matrices and biases of 1 stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[1];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
  ffn_unpack_stage(
      to, header, &packing_f32, LINEAR_AT, LINEAR_WIDTH, LINEAR_BIAS_AT,
      stages, 0, group);
}
#endif

/* All rows of a call through all 1 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel linear_bias_d10_o5_f32_avx512;
const ffn_kernel linear_bias_d10_o5_f32_avx512 = {
    "linear_bias_d10_o5_f32_avx512", /* name */
    "linear_bias_d10_o5_f32", /* layer */
    "linear_bias_d10_o5_f32", /* packed */
    FFN_KIND_LINEAR, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_AVX512, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    LINEAR_INPUTS, /* inputs */
    0, /* hidden */
    LINEAR_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    1, /* stage_count */
    stages, /* stages */
    WEIGHT_BYTES, /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW, /* work_row_bytes */
    BESIDE, /* work_beside_bytes */
    0, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
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
