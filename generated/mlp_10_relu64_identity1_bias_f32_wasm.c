/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_wasm
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for wasm
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, rows, call, tile, loop, ascend, step,
 *            finish, weights, dispatch, columns, groups, lanes_blocks, lanes_rows, add, tables,
 *            api, about
 * Tiles      layer1: rows x columns 1 x 32, 3 x 16, 1 branch, at most 29 of 32 registers
 * Tiles      layer2: rows x columns 1 x 8, 1 branch, at most 18 of 32 registers
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Lanes      from 3 tokens on, blocks of 4 with one in each lane, sums of at most 4 outputs side by
 *            side
 * Cost       1408 flop per token; 7040 bytes of packed weights; 129088 bytes of work memory per
 *            thread, 1792 for one token
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
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

/* layer1: 10 -> 64, linear with bias, h = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_PANELS = 4, /* of sixteen outputs, zeros beyond the last */
  LAYER1_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER1_PANEL = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* floats of a row in a block of the input */
  LAYER1_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  LAYER1_CHUNK = 64, /* columns whose sums are kept, where there are more */
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
  LAYER2_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  LAYER2_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  LANES = 4, /* tokens of a block, one in each lane */
  LANES_LEAST = 3, /* so many are worth a block */
  OPERAND1 = LAYER1_ROW, /* floats of each in work memory: x */
  OPERAND2 = LAYER2_ROW, /* floats of each in work memory: h */
  SUM = LAYER1_CHUNK, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = OPERAND1 + OPERAND2 + SUM, /* floats of each in work memory */
  BESIDE = 304, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float layer1[LAYER1_PANELS][LAYER1_INPUTS][1][FFN_PANEL];
  float layer1_bias[1][LAYER1_PANELS * FFN_PANEL];
  float layer2[LAYER2_PANELS][LAYER2_INPUTS][1][FFN_PANEL];
  float layer2_bias[1][LAYER2_PANELS * FFN_PANEL];
} packed_weights;

/* A block of 4 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[10 * LANES];
  float odd[64 * LANES];
} lanes_memory;

FFN_INLINE v128_t ffn_upper(v128_t a) { return wasm_i64x2_shuffle(a, a, 1, 1); }

/* Of the lower two lanes, a * b and c in double. */
FFN_INLINE v128_t ffn_wide_product(v128_t a, v128_t b) {
  return wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b));
}
FFN_INLINE v128_t ffn_wide(v128_t c) { return wasm_f64x2_promote_low_f32x4(c); }

FFN_INLINE v128_t ffn_narrow(v128_t low, v128_t high) {
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                            0, 2);
}

/* The sum rounded to odd: where it is inexact, one less if the error points to zero, and then the
 * last bit set, which leaves a sum that is odd already as it is. */
FFN_INLINE v128_t ffn_odd_sum(v128_t product, v128_t addend) {
  const v128_t sum = wasm_f64x2_add(product, addend);
  const v128_t back = wasm_f64x2_sub(sum, product);
  const v128_t error = wasm_f64x2_add(wasm_f64x2_sub(product, wasm_f64x2_sub(sum, back)),
                                      wasm_f64x2_sub(addend, back));
  const v128_t inexact = wasm_f64x2_gt(wasm_f64x2_abs(error), wasm_f64x2_splat(0.0));
  const v128_t inward = wasm_v128_and(wasm_v128_xor(sum, error), inexact);
  return wasm_v128_or(wasm_i64x2_sub(sum, wasm_u64x2_shr(inward, 63)),
                      wasm_u64x2_shr(inexact, 63));
}

FFN_NOINLINE v128_t ffn_fma_odd(v128_t a, v128_t b, v128_t c) {
  const v128_t low = ffn_odd_sum(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high =
      ffn_odd_sum(ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  return ffn_narrow(low, high);
}

/* Sums that a second rounding may take the wrong way: those halfway between two floats, and those
 * below the normal floats but for zero, which an addition that wraps around tells from them. */
FFN_INLINE v128_t ffn_unsure(v128_t sum) {
  const v128_t halfway = wasm_i64x2_eq(wasm_i64x2_shl(sum, 35), wasm_i64x2_splat(INT64_MIN));
  const v128_t below =
      wasm_i64x2_lt(wasm_i64x2_add(wasm_f64x2_abs(sum), wasm_i64x2_splat(INT64_MAX)),
                    wasm_i64x2_splat(INT64_MIN + (INT64_C(897) << 52) - 1));
  return wasm_v128_or(halfway, below);
}

/* a * b + c with one rounding. */
FFN_INLINE v128_t ffn_fma_once(v128_t a, v128_t b, v128_t c) {
  const v128_t low = wasm_f64x2_add(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high =
      wasm_f64x2_add(ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  if (wasm_v128_any_true(wasm_v128_or(ffn_unsure(low), ffn_unsure(high))))
    return ffn_fma_odd(a, b, c);
  return ffn_narrow(low, high);
}

FFN_INLINE void ffn_store_tail_wasm(float *out, v128_t value, size_t count) {
  float lanes[4];
  wasm_v128_store(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

FFN_INLINE void ffn_turn_wasm(float *to, size_t step, const float *from, size_t stride) {
  const v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + stride);
  const v128_t c = wasm_v128_load(from + 2 * stride), d = wasm_v128_load(from + 3 * stride);
  const v128_t low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
  const v128_t high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t low_2 = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
  const v128_t high_2 = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  wasm_v128_store(to, wasm_i64x2_shuffle(low, low_2, 0, 2));
  wasm_v128_store(to + step, wasm_i64x2_shuffle(low, low_2, 1, 3));
  wasm_v128_store(to + 2 * step, wasm_i64x2_shuffle(high, high_2, 0, 2));
  wasm_v128_store(to + 3 * step, wasm_i64x2_shuffle(high, high_2, 1, 3));
}

FFN_INLINE void ffn_turn_in_wasm(float *to, size_t step, const float *from, size_t stride) {
  ffn_turn_wasm(to, step, from, stride);
}

FFN_INLINE void ffn_turn_out_wasm(float *to, size_t stride, const float *from, size_t step) {
  ffn_turn_wasm(to, stride, from, step);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE v128_t act_relu(const v128_t x) {
  return wasm_f32x4_pmax(x, wasm_f32x4_splat(0.0f));
}

/* layer1: sums of at most 4 outputs over every 2. k from `k` on, 4 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer1_chain(
    v128_t *s, const float *a, const float *w, size_t k, const int outputs) {
  v128_t s0_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_0 = wasm_f32x4_splat(0.0f);
  v128_t s3_0 = wasm_f32x4_splat(0.0f);
  a += k * LANES;
  w += k * LAYER1_STEP;
  for (; k < LAYER1_INPUTS;
       k += 2, a += 2 * LANES, w += 2 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    const v128_t x0 = wasm_v128_load(a);
    const v128_t w0 = wasm_f32x4_splat(w[0]);
    s0_0 = ffn_fma_once(x0, w0, s0_0);
    if (outputs > 1) {
      const v128_t w1 = wasm_f32x4_splat(w[1]);
      s1_0 = ffn_fma_once(x0, w1, s1_0);
    }
    if (outputs > 2) {
      const v128_t w2 = wasm_f32x4_splat(w[2]);
      s2_0 = ffn_fma_once(x0, w2, s2_0);
    }
    if (outputs > 3) {
      const v128_t w3 = wasm_f32x4_splat(w[3]);
      s3_0 = ffn_fma_once(x0, w3, s3_0);
    }
  }
  s[0] = s0_0;
  s[1] = s1_0;
  s[2] = s2_0;
  s[3] = s3_0;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer1_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  v128_t s[2][4];
  layer1_chain(s[0], a, w, 0, outputs);
  layer1_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const v128_t linear_b = wasm_f32x4_splat(linear_bias[i]);
    s[0][i] = wasm_f32x4_add(s[0][i], linear_b);
    wasm_v128_store(out + i * LANES, act_relu(s[0][i]));
  }
}

/* layer2: sums of at most 4 outputs over every 8. k from `k` on, 4 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer2_chain(
    v128_t *s, const float *a, const float *w, size_t k, const int outputs) {
  v128_t s0_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_0 = wasm_f32x4_splat(0.0f);
  v128_t s3_0 = wasm_f32x4_splat(0.0f);
  a += k * LANES;
  w += k * LAYER2_STEP;
  for (; k < LAYER2_INPUTS;
       k += 8, a += 8 * LANES, w += 8 * LAYER2_STEP) {
    FFN_OPAQUE(a, w);
    const v128_t x0 = wasm_v128_load(a);
    const v128_t w0 = wasm_f32x4_splat(w[0]);
    s0_0 = ffn_fma_once(x0, w0, s0_0);
    if (outputs > 1) {
      const v128_t w1 = wasm_f32x4_splat(w[1]);
      s1_0 = ffn_fma_once(x0, w1, s1_0);
    }
    if (outputs > 2) {
      const v128_t w2 = wasm_f32x4_splat(w[2]);
      s2_0 = ffn_fma_once(x0, w2, s2_0);
    }
    if (outputs > 3) {
      const v128_t w3 = wasm_f32x4_splat(w[3]);
      s3_0 = ffn_fma_once(x0, w3, s3_0);
    }
  }
  s[0] = s0_0;
  s[1] = s1_0;
  s[2] = s2_0;
  s[3] = s3_0;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer2_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  v128_t s[4][4];
  layer2_chain(s[0], a, w, 0, outputs);
  layer2_chain(s[1], a, w, 4, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 2, outputs);
  layer2_chain(s[2], a, w, 6, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = wasm_f32x4_add(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 1, outputs);
  layer2_chain(s[2], a, w, 5, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = wasm_f32x4_add(s[1][i], s[2][i]);
  layer2_chain(s[2], a, w, 3, outputs);
  layer2_chain(s[3], a, w, 7, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[2][i] = wasm_f32x4_add(s[2][i], s[3][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = wasm_f32x4_add(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const v128_t linear_b = wasm_f32x4_splat(linear_bias[i]);
    s[0][i] = wasm_f32x4_add(s[0][i], wasm_f32x4_splat(0.0f));
    s[0][i] = wasm_f32x4_add(s[0][i], linear_b);
    wasm_v128_store(out + i * LANES, s[0][i]);
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
    for (size_t token = 0; token < LANES; token += 4)
      ffn_turn_in_wasm(
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

/* At most 4 tokens through all stages, each in a lane of its own. */
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

/* sum[row][branch][32] = a w over all k, one row; 18 of 32 registers. */
FFN_INLINE void layer1_sums_tile_32(
    float *sum, const float *a, const float *w, const int rows) {
  (void)rows;
  v128_t s0_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_2_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_2_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_3_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_3_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_4_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_4_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_5_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_5_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_6_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_6_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_7_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_7_1 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const v128_t w0 = wasm_v128_load(w);
      const v128_t w1 = wasm_v128_load(w + 4);
      const v128_t w2 = wasm_v128_load(w + 8);
      const v128_t w3 = wasm_v128_load(w + 12);
      const v128_t w4 = wasm_v128_load(w + LAYER1_PANEL);
      const v128_t w5 = wasm_v128_load(w + LAYER1_PANEL + 4);
      const v128_t w6 = wasm_v128_load(w + LAYER1_PANEL + 8);
      const v128_t w7 = wasm_v128_load(w + LAYER1_PANEL + 12);
      const v128_t x0 = wasm_f32x4_splat(a[k]);
      s0_0_0 = ffn_fma_once(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma_once(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma_once(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma_once(x0, w3, s0_3_0);
      s0_4_0 = ffn_fma_once(x0, w4, s0_4_0);
      s0_5_0 = ffn_fma_once(x0, w5, s0_5_0);
      s0_6_0 = ffn_fma_once(x0, w6, s0_6_0);
      s0_7_0 = ffn_fma_once(x0, w7, s0_7_0);
    }
    {
      const v128_t w0 = wasm_v128_load(w + LAYER1_STEP);
      const v128_t w1 = wasm_v128_load(w + LAYER1_STEP + 4);
      const v128_t w2 = wasm_v128_load(w + LAYER1_STEP + 8);
      const v128_t w3 = wasm_v128_load(w + LAYER1_STEP + 12);
      const v128_t w4 = wasm_v128_load(w + LAYER1_STEP + LAYER1_PANEL);
      const v128_t w5 = wasm_v128_load(w + LAYER1_STEP + LAYER1_PANEL + 4);
      const v128_t w6 = wasm_v128_load(w + LAYER1_STEP + LAYER1_PANEL + 8);
      const v128_t w7 = wasm_v128_load(w + LAYER1_STEP + LAYER1_PANEL + 12);
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma_once(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma_once(x0, w3, s0_3_1);
      s0_4_1 = ffn_fma_once(x0, w4, s0_4_1);
      s0_5_1 = ffn_fma_once(x0, w5, s0_5_1);
      s0_6_1 = ffn_fma_once(x0, w6, s0_6_1);
      s0_7_1 = ffn_fma_once(x0, w7, s0_7_1);
    }
  }
  s0_0_0 = wasm_f32x4_add(s0_0_0, s0_0_1);
  s0_1_0 = wasm_f32x4_add(s0_1_0, s0_1_1);
  s0_2_0 = wasm_f32x4_add(s0_2_0, s0_2_1);
  s0_3_0 = wasm_f32x4_add(s0_3_0, s0_3_1);
  s0_4_0 = wasm_f32x4_add(s0_4_0, s0_4_1);
  s0_5_0 = wasm_f32x4_add(s0_5_0, s0_5_1);
  s0_6_0 = wasm_f32x4_add(s0_6_0, s0_6_1);
  s0_7_0 = wasm_f32x4_add(s0_7_0, s0_7_1);
  wasm_v128_store(sum, s0_0_0);
  wasm_v128_store(sum + 4, s0_1_0);
  wasm_v128_store(sum + 8, s0_2_0);
  wasm_v128_store(sum + 12, s0_3_0);
  wasm_v128_store(sum + 16, s0_4_0);
  wasm_v128_store(sum + 20, s0_5_0);
  wasm_v128_store(sum + 24, s0_6_0);
  wasm_v128_store(sum + 28, s0_7_0);
}

FFN_NOINLINE void layer1_sums_32(
    float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  layer1_sums_tile_32(sum, a, w, 1);
}

/* sum[row][branch][16] = a w over all k, at most 3 rows; 29 of 32 registers.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void layer1_sums_tile_16(
    float *sum, const float *a, const float *w, const int rows) {
  v128_t s0_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_2_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_2_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_3_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_3_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_2_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_2_1 = wasm_f32x4_splat(0.0f);
  v128_t s1_3_0 = wasm_f32x4_splat(0.0f);
  v128_t s1_3_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_2_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_2_1 = wasm_f32x4_splat(0.0f);
  v128_t s2_3_0 = wasm_f32x4_splat(0.0f);
  v128_t s2_3_1 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const v128_t w0 = wasm_v128_load(w);
      const v128_t w1 = wasm_v128_load(w + 4);
      const v128_t w2 = wasm_v128_load(w + 8);
      const v128_t w3 = wasm_v128_load(w + 12);
      const v128_t x0 = wasm_f32x4_splat(a[k]);
      s0_0_0 = ffn_fma_once(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma_once(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma_once(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma_once(x0, w3, s0_3_0);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + LAYER1_ROW]);
        s1_0_0 = ffn_fma_once(x1, w0, s1_0_0);
        s1_1_0 = ffn_fma_once(x1, w1, s1_1_0);
        s1_2_0 = ffn_fma_once(x1, w2, s1_2_0);
        s1_3_0 = ffn_fma_once(x1, w3, s1_3_0);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LAYER1_ROW]);
        s2_0_0 = ffn_fma_once(x2, w0, s2_0_0);
        s2_1_0 = ffn_fma_once(x2, w1, s2_1_0);
        s2_2_0 = ffn_fma_once(x2, w2, s2_2_0);
        s2_3_0 = ffn_fma_once(x2, w3, s2_3_0);
      }
    }
    {
      const v128_t w0 = wasm_v128_load(w + LAYER1_STEP);
      const v128_t w1 = wasm_v128_load(w + LAYER1_STEP + 4);
      const v128_t w2 = wasm_v128_load(w + LAYER1_STEP + 8);
      const v128_t w3 = wasm_v128_load(w + LAYER1_STEP + 12);
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma_once(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma_once(x0, w3, s0_3_1);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + LAYER1_ROW + 1]);
        s1_0_1 = ffn_fma_once(x1, w0, s1_0_1);
        s1_1_1 = ffn_fma_once(x1, w1, s1_1_1);
        s1_2_1 = ffn_fma_once(x1, w2, s1_2_1);
        s1_3_1 = ffn_fma_once(x1, w3, s1_3_1);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LAYER1_ROW + 1]);
        s2_0_1 = ffn_fma_once(x2, w0, s2_0_1);
        s2_1_1 = ffn_fma_once(x2, w1, s2_1_1);
        s2_2_1 = ffn_fma_once(x2, w2, s2_2_1);
        s2_3_1 = ffn_fma_once(x2, w3, s2_3_1);
      }
    }
  }
  s0_0_0 = wasm_f32x4_add(s0_0_0, s0_0_1);
  s0_1_0 = wasm_f32x4_add(s0_1_0, s0_1_1);
  s0_2_0 = wasm_f32x4_add(s0_2_0, s0_2_1);
  s0_3_0 = wasm_f32x4_add(s0_3_0, s0_3_1);
  if (rows > 1) {
  s1_0_0 = wasm_f32x4_add(s1_0_0, s1_0_1);
  s1_1_0 = wasm_f32x4_add(s1_1_0, s1_1_1);
  s1_2_0 = wasm_f32x4_add(s1_2_0, s1_2_1);
  s1_3_0 = wasm_f32x4_add(s1_3_0, s1_3_1);
  }
  if (rows > 2) {
  s2_0_0 = wasm_f32x4_add(s2_0_0, s2_0_1);
  s2_1_0 = wasm_f32x4_add(s2_1_0, s2_1_1);
  s2_2_0 = wasm_f32x4_add(s2_2_0, s2_2_1);
  s2_3_0 = wasm_f32x4_add(s2_3_0, s2_3_1);
  }
  wasm_v128_store(sum, s0_0_0);
  wasm_v128_store(sum + 4, s0_1_0);
  wasm_v128_store(sum + 8, s0_2_0);
  wasm_v128_store(sum + 12, s0_3_0);
  if (rows > 1) {
    wasm_v128_store(sum + 16, s1_0_0);
    wasm_v128_store(sum + 20, s1_1_0);
    wasm_v128_store(sum + 24, s1_2_0);
    wasm_v128_store(sum + 28, s1_3_0);
  }
  if (rows > 2) {
    wasm_v128_store(sum + 32, s2_0_0);
    wasm_v128_store(sum + 36, s2_1_0);
    wasm_v128_store(sum + 40, s2_2_0);
    wasm_v128_store(sum + 44, s2_3_0);
  }
}

FFN_NOINLINE void layer1_sums_16(
    float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1:
    layer1_sums_tile_16(sum, a, w, 1);
    break;
  case 2:
    layer1_sums_tile_16(sum, a, w, 2);
    break;
  case 3:
    layer1_sums_tile_16(sum, a, w, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* h = relu(linear), in 2 of 32 registers; beyond the last output it meets zero weights. */
FFN_NOINLINE void layer1_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  const float *linear_bias = packed->layer1_bias[0] + column;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out =
          task->out + ffn_blocked(task->rows, row, column + c, LAYER2_ROW);
      v128_t linear = wasm_v128_load(sum + c);
      linear = wasm_f32x4_add(linear, wasm_v128_load(linear_bias + c));
      wasm_v128_store(out, act_relu(linear));
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer1_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->layer1[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void layer1_sums(
    float *sum, const float *a, const float *w, const size_t cols, size_t rows) {
  if (cols == 32)
    layer1_sums_32(sum, a, w, rows);
  else
    layer1_sums_16(sum, a, w, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer1_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols;
  const size_t chunk =
      task->rows <= LAYER1_STREAM_ROWS ? group : ffn_min(left / group * group, LAYER1_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += group) {
    const float *weights = layer1_weights(task, column + g, 0);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + group; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LAYER1_ROW;
        const float *w = weights;
        layer1_sums(sum, a, w, cols, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    layer1_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void layer1_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 32)
    column += layer1_chunk(task, column, 32, 1);
  while (column < task->last)
    column += layer1_chunk(task, column, 16, 3);
}

/* sum[row][branch][8] = a w over all k, one row; 18 of 32 registers. */
FFN_INLINE void layer2_sums_tile_8(
    float *sum, const float *a, const float *w, const int rows) {
  (void)rows;
  v128_t s0_0_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_2 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_3 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_4 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_5 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_6 = wasm_f32x4_splat(0.0f);
  v128_t s0_0_7 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_0 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_1 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_2 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_3 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_4 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_5 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_6 = wasm_f32x4_splat(0.0f);
  v128_t s0_1_7 = wasm_f32x4_splat(0.0f);
  size_t k = 0;
  for (; k + 8 <= LAYER2_INPUTS; k += 8, w += 8 * LAYER2_STEP) {
    {
      const v128_t w0 = wasm_v128_load(w);
      const v128_t w1 = wasm_v128_load(w + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k]);
      s0_0_0 = ffn_fma_once(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma_once(x0, w1, s0_1_0);
    }
    {
      const v128_t w0 = wasm_v128_load(w + LAYER2_STEP);
      const v128_t w1 = wasm_v128_load(w + LAYER2_STEP + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
    }
    {
      const v128_t w0 = wasm_v128_load(w + 2 * LAYER2_STEP);
      const v128_t w1 = wasm_v128_load(w + 2 * LAYER2_STEP + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k + 2]);
      s0_0_2 = ffn_fma_once(x0, w0, s0_0_2);
      s0_1_2 = ffn_fma_once(x0, w1, s0_1_2);
    }
    {
      const v128_t w0 = wasm_v128_load(w + 3 * LAYER2_STEP);
      const v128_t w1 = wasm_v128_load(w + 3 * LAYER2_STEP + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k + 3]);
      s0_0_3 = ffn_fma_once(x0, w0, s0_0_3);
      s0_1_3 = ffn_fma_once(x0, w1, s0_1_3);
    }
    {
      const v128_t w0 = wasm_v128_load(w + 4 * LAYER2_STEP);
      const v128_t w1 = wasm_v128_load(w + 4 * LAYER2_STEP + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k + 4]);
      s0_0_4 = ffn_fma_once(x0, w0, s0_0_4);
      s0_1_4 = ffn_fma_once(x0, w1, s0_1_4);
    }
    {
      const v128_t w0 = wasm_v128_load(w + 5 * LAYER2_STEP);
      const v128_t w1 = wasm_v128_load(w + 5 * LAYER2_STEP + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k + 5]);
      s0_0_5 = ffn_fma_once(x0, w0, s0_0_5);
      s0_1_5 = ffn_fma_once(x0, w1, s0_1_5);
    }
    {
      const v128_t w0 = wasm_v128_load(w + 6 * LAYER2_STEP);
      const v128_t w1 = wasm_v128_load(w + 6 * LAYER2_STEP + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k + 6]);
      s0_0_6 = ffn_fma_once(x0, w0, s0_0_6);
      s0_1_6 = ffn_fma_once(x0, w1, s0_1_6);
    }
    {
      const v128_t w0 = wasm_v128_load(w + 7 * LAYER2_STEP);
      const v128_t w1 = wasm_v128_load(w + 7 * LAYER2_STEP + 4);
      const v128_t x0 = wasm_f32x4_splat(a[k + 7]);
      s0_0_7 = ffn_fma_once(x0, w0, s0_0_7);
      s0_1_7 = ffn_fma_once(x0, w1, s0_1_7);
    }
  }
  s0_0_0 = wasm_f32x4_add(s0_0_0, s0_0_4);
  s0_1_0 = wasm_f32x4_add(s0_1_0, s0_1_4);
  s0_0_1 = wasm_f32x4_add(s0_0_1, s0_0_5);
  s0_1_1 = wasm_f32x4_add(s0_1_1, s0_1_5);
  s0_0_2 = wasm_f32x4_add(s0_0_2, s0_0_6);
  s0_1_2 = wasm_f32x4_add(s0_1_2, s0_1_6);
  s0_0_3 = wasm_f32x4_add(s0_0_3, s0_0_7);
  s0_1_3 = wasm_f32x4_add(s0_1_3, s0_1_7);
  s0_0_0 = wasm_f32x4_add(s0_0_0, s0_0_2);
  s0_1_0 = wasm_f32x4_add(s0_1_0, s0_1_2);
  s0_0_1 = wasm_f32x4_add(s0_0_1, s0_0_3);
  s0_1_1 = wasm_f32x4_add(s0_1_1, s0_1_3);
  s0_0_0 = wasm_f32x4_add(s0_0_0, s0_0_1);
  s0_1_0 = wasm_f32x4_add(s0_1_0, s0_1_1);
  wasm_v128_store(sum, s0_0_0);
  wasm_v128_store(sum + 4, s0_1_0);
}

FFN_NOINLINE void layer2_sums_8(
    float *sum, const float *a, const float *w, size_t rows) {
  (void)rows;
  layer2_sums_tile_8(sum, a, w, 1);
}

/* y = linear. */
FFN_NOINLINE void layer2_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  const float *linear_bias = packed->layer2_bias[0] + column;
  const size_t valid =
      column < LAYER2_OUTPUTS ? ffn_min(LAYER2_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + row * task->out_stride + column + c;
      v128_t linear = wasm_v128_load(sum + c);
      linear = wasm_f32x4_add(linear, wasm_f32x4_splat(0.0f));
      linear = wasm_f32x4_add(linear, wasm_v128_load(linear_bias + c));
      if (valid - c >= 4)
        wasm_v128_store(out, linear);
      else
        ffn_store_tail_wasm(out, linear, valid - c);
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *layer2_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->layer2[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void layer2_sums(
    float *sum, const float *a, const float *w, const size_t cols, size_t rows) {
  (void)cols;
  layer2_sums_8(sum, a, w, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer2_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols; /* whole panels */
  const size_t chunk =
      task->rows <= LAYER2_STREAM_ROWS ? group : ffn_min(left / group * group, LAYER2_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += group) {
    const float *weights = layer2_weights(task, column + g, 0);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + group; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LAYER2_ROW;
        const float *w = weights + (c - g) % FFN_PANEL;
        layer2_sums(sum, a, w, cols, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    layer2_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void layer2_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += layer2_chunk(task, column, 8, 1);
}

/* Rows [first, last). */
static void lanes_rows(const ffn_call *call, float *memory, size_t first, size_t last) {
  for (; last - first >= LANES_LEAST; first += ffn_min(last - first, LANES))
    lanes(call, memory, first, ffn_min(last - first, LANES));
  ffn_walk_rows(call, memory, first, last);
}

#ifndef FFN_NO_ADD
/* y + scale * row, rounded once. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  const v128_t by = wasm_f32x4_splat(scale);
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    wasm_v128_store(y + i, ffn_fma_once(by, wasm_v128_load(row + i), wasm_v128_load(y + i)));
  if (i < count) {
    float from[4] = {0}, to[4] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    wasm_v128_store(to, ffn_fma_once(by, wasm_v128_load(from), wasm_v128_load(to)));
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

static const ffn_stage_walk walks[] = {
    {
        layer1_columns, /* columns */
        LAYER1_INPUTS, /* inputs */
        LAYER1_OUTPUTS, /* outputs */
        0, /* in_at */
        LAYER1_ROW, /* row */
        16, /* column_step */
    },
    {
        layer2_columns, /* columns */
        LAYER2_INPUTS, /* inputs */
        LAYER2_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        LAYER2_ROW, /* row */
        16, /* column_step */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x1c1fdb03ec7cab65), /* layer_hash */
    lanes_rows, /* rows */
    2, /* stage_count */
    walks, /* stages */
    LANES, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1 + OPERAND2, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    LAYER2_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
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

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_wasm;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_wasm = {
    "mlp_10_relu64_identity1_bias_f32_wasm", /* name */
    "mlp_10_relu64_identity1_bias_f32", /* layer */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_WASM, /* isa */
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
#endif
FFN_EXACT_END
