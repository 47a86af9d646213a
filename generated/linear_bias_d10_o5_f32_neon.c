/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * linear_bias_d10_o5_f32_neon
 * linear, 10 -> 5, with biases, f32, for neon
 * One linear layer
 *
 *     y = x W^T + b
 *
 * Remake     ffngen generate
 * Spec       linear_10_5
 * Templates  file, sizes, straight, group, loop, step, straight_rows, tables, api, about
 * Tiles      linear: rows x columns 4 x 8; 1 x 8, 1 branch
 * Walk       none: straight-line code for 4 rows and 1 row at a time
 * Cost       100 flop per token; 768 bytes of packed weights; 256 bytes of work memory per thread
 * Sums       linear: k ascends in 2 interleaved chains; at most 7 roundings
 * Error      linear: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 4
#error "made for ABI 4 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* linear: 10 -> 5, linear with bias, y = linear */
enum {
  LINEAR_INPUTS = 10,
  LINEAR_OUTPUTS = 5,
  LINEAR_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  LINEAR_STEP = FFN_PANEL, /* weights of one k in a panel */
  LINEAR_PANEL = LINEAR_INPUTS * LINEAR_STEP,
  LINEAR_ROUNDINGS = 7, /* at most, of a product in its sum */
  LINEAR_ROW = 16, /* floats of a row in a block of the input */
};

enum {
  ROWS = 4, /* of one walk */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float linear[LINEAR_PANELS][LINEAR_INPUTS][1][FFN_PANEL];
  float linear_bias[1][LINEAR_PANELS * FFN_PANEL];
} packed_weights;

/* The work memory of one thread. */
typedef struct work_memory {
  float x[ROWS][LINEAR_ROW];
} work_memory;

FFN_INLINE void ffn_store_tail_neon(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

/* linear: 4 rows of 5 columns. */
FFN_INLINE void linear_group_4x8_of_5(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t w1 = vld1q_f32(w + 4);
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
      const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW]);
      s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
      s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW]);
      s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
      s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LINEAR_ROW]);
      s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
      s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + LINEAR_STEP);
      const float32x4_t w1 = vld1q_f32(w + LINEAR_STEP + 4);
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
      const float32x4_t x1 = vdupq_n_f32(a[k + LINEAR_ROW + 1]);
      s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
      s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
      const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LINEAR_ROW + 1]);
      s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
      s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
      const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LINEAR_ROW + 1]);
      s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
      s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4, s0_1_0, 1);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + stride, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + stride + 4, s1_1_0, 1);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 2 * stride, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 2 * stride + 4, s2_1_0, 1);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out + 3 * stride, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 3 * stride + 4, s3_1_0, 1);
}

/* linear: a row of 5 columns. */
FFN_INLINE void linear_group_1x8_of_5(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t w1 = vld1q_f32(w + 4);
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + LINEAR_STEP);
      const float32x4_t w1 = vld1q_f32(w + LINEAR_STEP + 4);
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  ffn_store_tail_neon(out + 4, s0_1_0, 1);
}

/* 4 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  work_memory *work = (work_memory *)memory;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    FFN_MEMCPY(work->x[0], x, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(work->x[1], x + call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(work->x[2], x + 2 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    FFN_MEMCPY(work->x[3], x + 3 * call->x_stride, LINEAR_INPUTS * sizeof *x);
    const float *in = work->x[0];
    linear_group_4x8_of_5(in, packed->linear[0][0][0], packed->linear_bias[0], y,
        call->y_stride);
    FFN_SETTLE();
  }
}

/* One row through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  (void)memory;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* linear */
    const float *in = x;
    linear_group_1x8_of_5(in, packed->linear[0][0][0], packed->linear_bias[0], y);
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
    },
};

static const ffn_pass forward = {
    UINT64_C(0x526446c42c18317f), /* layer_hash */
    straight_rows, /* rows */
    0, /* stage_count */
    NULL, /* stages */
    4, /* row_tile */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
    0, /* list_at */
    sizeof(work_memory) / sizeof(float), /* work_floats */
    LINEAR_INPUTS, /* inputs */
    LINEAR_OUTPUTS, /* outputs */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
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
      &packed->header, packed->linear, packed->linear_bias[0],
      stages, 0, weights, store);
}

static void unpack(ffn_weights *weights, const void *from) {
  const packed_weights *packed = (const packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
  ffn_unpack_stage(
      weights, packed->linear, packed->linear_bias[0],
      stages, 0, load);
}
#endif

static void run(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, const ffn_parallel *parallel) {
  ffn_pass_run(&forward, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel linear_bias_d10_o5_f32_neon;
const ffn_kernel linear_bias_d10_o5_f32_neon = {
    "linear_bias_d10_o5_f32_neon", /* name */
    "linear_bias_d10_o5_f32", /* layer */
    FFN_KIND_LINEAR, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_NEON, /* isa */
    LINEAR_INPUTS, /* inputs */
    0, /* hidden */
    LINEAR_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    1, /* stage_count */
    stages, /* stages */
    sizeof(packed_weights), /* packed_bytes */
    sizeof(work_memory), /* work_bytes */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_PACK
    pack, /* pack */
    unpack, /* unpack */
#else
    NULL, /* pack */
    NULL, /* unpack */
#endif
    run, /* run */
};
#endif
