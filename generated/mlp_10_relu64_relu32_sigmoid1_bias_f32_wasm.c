/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_relu32_sigmoid1_bias_f32_wasm
 * MLP chain 10 -> 64 relu -> 32 relu -> 1 sigmoid, with biases, f32, for wasm
 * A classifier: relu, relu, sigmoid
 *
 *     h1 = relu(x W_layer1^T + b_layer1)
 *     h2 = relu(h1 W_layer2^T + b_layer2)
 *     y = sigmoid(h2 W_layer3^T + b_layer3)
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_32_1
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, rows, call, tile, loop, ascend, step,
 *            finish, weights, chunk, strips, columns, lanes_blocks, lanes_rows, add, tables, api,
 *            staged, descriptor, about
 * Tiles      layer1: rows x columns 1 x 32, 3 x 16, 1 branch, at most 29 of 32 registers
 * Tiles      layer2: rows x columns 1 x 16, 3 x 8, 1 branch, at most 27 of 32 registers
 * Tiles      layer3: rows x columns 1 x 8, 1 branch, at most 18 of 32 registers
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Lanes      from 4 tokens on, blocks of 4 with one in each lane, sums of at most 4 outputs side by
 *            side
 * Cost       5440 flop per token; 13312 bytes of packed weights; 143616 bytes of work memory per
 *            thread, 2176 for one token
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
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

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
  LANES = 4, /* tokens of a block, one in each lane */
  LANES_LEAST = 4, /* so many are worth a block */
  OPERAND1 = 128, /* bytes of each in work memory: x, h2 */
  OPERAND2 = 256, /* bytes of each in work memory: h1 */
  SUM = 256, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 640, /* bytes of each in work memory */
  BESIDE = 1536, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 13312 };

/* A block of 4 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[32 * LANES];
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

/* a * b + c rounded to odd in double, then to float, in each of 4 lanes. */
FFN_NOINLINE v128_t ffn_fma_odd(v128_t a, v128_t b, v128_t c) {
  const v128_t low = ffn_odd_sum(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high = ffn_odd_sum(
      ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  return ffn_narrow(low, high);
}

/* Sums that a second rounding may take the wrong way: those halfway between two floats, and those
 * below the normal floats but for zero, which an addition that wraps around tells from them. */
FFN_INLINE v128_t ffn_unsure(v128_t sum) {
  const v128_t halfway = wasm_i64x2_eq(wasm_i64x2_shl(sum, 35), wasm_i64x2_splat(INT64_MIN));
  const v128_t below = wasm_i64x2_lt(
      wasm_i64x2_add(wasm_f64x2_abs(sum), wasm_i64x2_splat(INT64_MAX)),
      wasm_i64x2_splat(INT64_MIN + (INT64_C(897) << 52) - 1));
  return wasm_v128_or(halfway, below);
}

/* a * b + c with one rounding. */
FFN_SHARED v128_t ffn_fma_once(v128_t a, v128_t b, v128_t c) {
  const v128_t low = wasm_f64x2_add(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high = wasm_f64x2_add(
      ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  if (wasm_v128_any_true(wasm_v128_or(ffn_unsure(low), ffn_unsure(high))))
    return ffn_fma_odd(a, b, c);
  return ffn_narrow(low, high);
}

FFN_INLINE void ffn_store_tail_wasm(float *out, v128_t value, size_t count) {
  float lanes[4];
  wasm_v128_store(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

/* 4 floats of each of 4 tokens: [token][4] to [4][token], or back. Pointers begin at any float. */
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

/* Puts sums into an array. */
FFN_SHARED void ffn_put_4_wasm(
    v128_t *to, const v128_t a, const v128_t b, const v128_t c, const v128_t d) {
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}

/* Adds sums to others. */
FFN_SHARED void ffn_add_4_wasm(
    v128_t *to_a, v128_t *to_b, v128_t *to_c, v128_t *to_d, const v128_t a, const v128_t b,
    const v128_t c, const v128_t d) {
  *to_a = wasm_f32x4_add(*to_a, a);
  *to_b = wasm_f32x4_add(*to_b, b);
  *to_c = wasm_f32x4_add(*to_c, c);
  *to_d = wasm_f32x4_add(*to_d, d);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_wasm(
    float *kept, const v128_t a, const v128_t b, const v128_t c, const v128_t d) {
  wasm_v128_store(kept, a);
  wasm_v128_store(kept + 4, b);
  wasm_v128_store(kept + 8, c);
  wasm_v128_store(kept + 12, d);
}

/* Adds sums to others. */
FFN_SHARED void ffn_add_2_wasm(
    v128_t *to_a, v128_t *to_b, const v128_t a, const v128_t b) {
  *to_a = wasm_f32x4_add(*to_a, a);
  *to_b = wasm_f32x4_add(*to_b, b);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_2_wasm(
    float *kept, const v128_t a, const v128_t b) {
  wasm_v128_store(kept, a);
  wasm_v128_store(kept + 4, b);
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202.
 * In each of 4 lanes. */
FFN_INLINE v128_t act_relu(const v128_t x) {
  return wasm_f32x4_pmax(x, wasm_f32x4_splat(0.0f));
}

/* 1 / (1 + exp(-x)); at most 2.5 ULP, and within (2.7 |y|) 2^-24. logistic function; glu:
 * Dauphin et al., arXiv:1612.08083. In each of 4 lanes. */
FFN_INLINE v128_t act_sigmoid(const v128_t x) {
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
  const v128_t least = wasm_f32x4_pmax(x, wasm_f32x4_splat(vanishes));
  const v128_t a = wasm_f32x4_pmin(least, wasm_f32x4_splat(is_one));
  const v128_t shifted = ffn_fma_once(a, wasm_f32x4_splat(per_one), wasm_f32x4_splat(magic));
  const v128_t steps = wasm_f32x4_sub(shifted, wasm_f32x4_splat(magic));
  const v128_t bits = (shifted);
  const v128_t n = wasm_i32x4_sub(bits, wasm_i32x4_splat(magic_bits));
  const v128_t nearly_r = ffn_fma_once(steps, wasm_f32x4_splat(high), a);
  const v128_t r = ffn_fma_once(steps, wasm_f32x4_splat(low), nearly_r);
  const v128_t poly = ffn_fma_once(wasm_f32x4_splat(e6), r, wasm_f32x4_splat(e5));
  const v128_t poly_2 = ffn_fma_once(poly, r, wasm_f32x4_splat(e4));
  const v128_t poly_3 = ffn_fma_once(poly_2, r, wasm_f32x4_splat(e3));
  const v128_t poly_4 = ffn_fma_once(poly_3, r, wasm_f32x4_splat(e2));
  const v128_t poly_5 = ffn_fma_once(poly_4, r, wasm_f32x4_splat(e1));
  const v128_t p = ffn_fma_once(poly_5, r, wasm_f32x4_splat(1.0f));
  const v128_t biased = wasm_i32x4_add(n, wasm_i32x4_splat(exponent_of_1));
  const v128_t exponent = wasm_i32x4_shl(biased, 23);
  const v128_t scale = (exponent);
  const v128_t denominator = ffn_fma_once(p, scale, wasm_f32x4_splat(one));
  return wasm_f32x4_div(wasm_f32x4_splat(one), denominator);
}

/* layer1: sums of at most 4 outputs over every 2. of 10 k, from `k` on, 4 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 16 bytes, `w` of 64. */
FFN_INLINE void layer1_chain(
    v128_t *s, const float *a, const char *w, size_t k, const int outputs) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0 = zero, s1_0 = zero, s2_0 = zero, s3_0 = zero;
  a += k * LANES;
  w += k * LAYER1_STEP;
  for (; k < LAYER1_INPUTS;
       k += 2, a += 2 * LANES, w += 2 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    const v128_t x0 = wasm_v128_load(a);
    const v128_t w0 = wasm_f32x4_splat(*(const float *)(w));
    s0_0 = ffn_fma_once(x0, w0, s0_0);
    if (outputs > 1) {
      const v128_t w1 = wasm_f32x4_splat(*(const float *)(w + 4));
      s1_0 = ffn_fma_once(x0, w1, s1_0);
    }
    if (outputs > 2) {
      const v128_t w2 = wasm_f32x4_splat(*(const float *)(w + 8));
      s2_0 = ffn_fma_once(x0, w2, s2_0);
    }
    if (outputs > 3) {
      const v128_t w3 = wasm_f32x4_splat(*(const float *)(w + 12));
      s3_0 = ffn_fma_once(x0, w3, s3_0);
    }
  }
  ffn_put_4_wasm(s, s0_0, s1_0, s2_0, s3_0);
  (void)outputs;
}

/* At most 4 `outputs` of 4 tokens, over all 10 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 16 bytes, `a` of 16, `w` of 64. */
FFN_INLINE void layer1_lanes(
    const float *a, const char *w, size_t lane, const float *linear_bias, float *out,
    const int outputs) {
  w += lane * 4;
  v128_t s[2][4];
  layer1_chain(s[0], a, w, 0, outputs);
  layer1_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const v128_t linear_b = wasm_f32x4_splat(linear_bias[i]);
    wasm_v128_store(out + i * LANES, act_relu(wasm_f32x4_add(s[0][i], linear_b)));
  }
}

/* layer2: sums of at most 4 outputs over every 4. of 64 k, from `k` on, 4 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 16 bytes, `w` of 64. */
FFN_INLINE void layer2_chain(
    v128_t *s, const float *a, const char *w, size_t k, const int outputs) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0 = zero, s1_0 = zero, s2_0 = zero, s3_0 = zero;
  a += k * LANES;
  w += k * LAYER2_STEP;
  for (; k < LAYER2_INPUTS;
       k += 4, a += 4 * LANES, w += 4 * LAYER2_STEP) {
    FFN_OPAQUE(a, w);
    const v128_t x0 = wasm_v128_load(a);
    const v128_t w0 = wasm_f32x4_splat(*(const float *)(w));
    s0_0 = ffn_fma_once(x0, w0, s0_0);
    if (outputs > 1) {
      const v128_t w1 = wasm_f32x4_splat(*(const float *)(w + 4));
      s1_0 = ffn_fma_once(x0, w1, s1_0);
    }
    if (outputs > 2) {
      const v128_t w2 = wasm_f32x4_splat(*(const float *)(w + 8));
      s2_0 = ffn_fma_once(x0, w2, s2_0);
    }
    if (outputs > 3) {
      const v128_t w3 = wasm_f32x4_splat(*(const float *)(w + 12));
      s3_0 = ffn_fma_once(x0, w3, s3_0);
    }
  }
  ffn_put_4_wasm(s, s0_0, s1_0, s2_0, s3_0);
  (void)outputs;
}

/* At most 4 `outputs` of 4 tokens, over all 64 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 16 bytes, `a` of 16, `w` of 64. */
FFN_INLINE void layer2_lanes(
    const float *a, const char *w, size_t lane, const float *linear_bias, float *out,
    const int outputs) {
  w += lane * 4;
  v128_t s[3][4];
  layer2_chain(s[0], a, w, 0, outputs);
  layer2_chain(s[1], a, w, 2, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 1, outputs);
  layer2_chain(s[2], a, w, 3, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = wasm_f32x4_add(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const v128_t linear_b = wasm_f32x4_splat(linear_bias[i]);
    wasm_v128_store(out + i * LANES, act_relu(wasm_f32x4_add(wasm_f32x4_add(s[0][i],
        wasm_f32x4_splat(0.0f)), linear_b)));
  }
}

/* layer3: sums of at most 1 outputs over every 8. of 32 k, from `k` on, 4 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 16 bytes, `w` of 64. */
FFN_INLINE void layer3_chain(
    v128_t *s, const float *a, const char *w, size_t k, const int outputs) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0 = zero;
  a += k * LANES;
  w += k * LAYER3_STEP;
  for (; k < LAYER3_INPUTS;
       k += 8, a += 8 * LANES, w += 8 * LAYER3_STEP) {
    FFN_OPAQUE(a, w);
    const v128_t x0 = wasm_v128_load(a);
    const v128_t w0 = wasm_f32x4_splat(*(const float *)(w));
    s0_0 = ffn_fma_once(x0, w0, s0_0);
  }
  s[0] = s0_0;
  (void)outputs;
}

/* At most 1 `outputs` of 4 tokens, over all 32 k: chains are folded as soon as they can be.
 * `out` begins at a multiple of 16 bytes, `a` of 16, `w` of 64. */
FFN_INLINE void layer3_lanes(
    const float *a, const char *w, size_t lane, const float *linear_bias, float *out,
    const int outputs) {
  w += lane * 4;
  v128_t s[4][1];
  layer3_chain(s[0], a, w, 0, outputs);
  layer3_chain(s[1], a, w, 4, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  layer3_chain(s[1], a, w, 2, outputs);
  layer3_chain(s[2], a, w, 6, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = wasm_f32x4_add(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  layer3_chain(s[1], a, w, 1, outputs);
  layer3_chain(s[2], a, w, 5, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[1][i] = wasm_f32x4_add(s[1][i], s[2][i]);
  layer3_chain(s[2], a, w, 3, outputs);
  layer3_chain(s[3], a, w, 7, outputs);
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
    wasm_v128_store(out + i * LANES, act_sigmoid(wasm_f32x4_add(wasm_f32x4_add(s[0][i],
        wasm_f32x4_splat(0.0f)), linear_b)));
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
    for (size_t token = 0; token < LANES; token += 4)
      ffn_turn_in_wasm(
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

/* At most 4 tokens from `token` on through all stages, all columns and k, each in a lane of its
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

/* sum[row][branch][32] = a w: one row x 32 columns, all 10 k, in 18 of 32 registers. `sum`
 * begins at a multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void layer1_sums_tile_32(
    float *sum, const float *a, const char *w, const int rows) {
  (void)rows;
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_4_0 = zero,
      s0_5_0 = zero, s0_6_0 = zero, s0_7_0 = zero, s0_0_1 = zero, s0_1_1 = zero,
      s0_2_1 = zero, s0_3_1 = zero, s0_4_1 = zero, s0_5_1 = zero, s0_6_1 = zero,
      s0_7_1 = zero;
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const v128_t w0 = wasm_v128_load((const float *)(w));
      const v128_t w1 = wasm_v128_load((const float *)(w + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + 48));
      const v128_t w4 = wasm_v128_load((const float *)(w + LAYER1_BUNDLE));
      const v128_t w5 = wasm_v128_load((const float *)(w + LAYER1_BUNDLE + 16));
      const v128_t w6 = wasm_v128_load((const float *)(w + LAYER1_BUNDLE + 32));
      const v128_t w7 = wasm_v128_load((const float *)(w + LAYER1_BUNDLE + 48));
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
      const v128_t w0 = wasm_v128_load((const float *)(w + LAYER1_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + LAYER1_STEP + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + LAYER1_STEP + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + LAYER1_STEP + 48));
      const v128_t w4 = wasm_v128_load((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE));
      const v128_t w5 = wasm_v128_load((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 16));
      const v128_t w6 = wasm_v128_load((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 32));
      const v128_t w7 = wasm_v128_load((const float *)(w + LAYER1_STEP + LAYER1_BUNDLE + 48));
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
  ffn_add_4_wasm(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_add_4_wasm(&s0_4_0, &s0_5_0, &s0_6_0, &s0_7_0, s0_4_1, s0_5_1, s0_6_1, s0_7_1);
  ffn_keep_4_wasm(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  ffn_keep_4_wasm(sum + 16, s0_4_0, s0_5_0, s0_6_0, s0_7_0);
}

/* The 32 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void layer1_sums_32(float *sum, const float *a, const char *w, size_t rows) {
  (void)rows;
  layer1_sums_tile_32(sum, a, w, 1);
}

/* sum[row][branch][16] = a w: at most 3 rows x 16 columns, all 10 k, in 29 of 32 registers.
 * `sum` begins at a multiple of 16 bytes, `w` of 64, `a` of 4. `rows` is a constant at each
 * call: what fewer rows do not use compiles away. */
FFN_INLINE void layer1_sums_tile_16(
    float *sum, const float *a, const char *w, const int rows) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_0_1 = zero,
      s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero;
  v128_t s1_0_0 = zero, s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero, s1_0_1 = zero,
      s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero;
  v128_t s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero, s2_3_0 = zero, s2_0_1 = zero,
      s2_1_1 = zero, s2_2_1 = zero, s2_3_1 = zero;
  size_t k = 0;
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const v128_t w0 = wasm_v128_load((const float *)(w));
      const v128_t w1 = wasm_v128_load((const float *)(w + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + 48));
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
      const v128_t w0 = wasm_v128_load((const float *)(w + LAYER1_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + LAYER1_STEP + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + LAYER1_STEP + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + LAYER1_STEP + 48));
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
  ffn_add_4_wasm(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  if (rows > 1)
    ffn_add_4_wasm(&s1_0_0, &s1_1_0, &s1_2_0, &s1_3_0, s1_0_1, s1_1_1, s1_2_1, s1_3_1);
  if (rows > 2)
    ffn_add_4_wasm(&s2_0_0, &s2_1_0, &s2_2_0, &s2_3_0, s2_0_1, s2_1_1, s2_2_1, s2_3_1);
  ffn_keep_4_wasm(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
  if (rows > 1)
    ffn_keep_4_wasm(sum + 16, s1_0_0, s1_1_0, s1_2_0, s1_3_0);
  if (rows > 2)
    ffn_keep_4_wasm(sum + 32, s2_0_0, s2_1_0, s2_2_0, s2_3_0);
}

/* The 16 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void layer1_sums_16(float *sum, const float *a, const char *w, size_t rows) {
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

/* h1 = relu(linear), of all rows x `cols` columns from `column` on, in 2 of 32 registers; beyond
 * the last output it meets zero weights. `sum` begins at a multiple of 16 bytes, `out` of 16. */
FFN_NOINLINE void layer1_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, LAYER2_ROW);
      const v128_t linear = wasm_f32x4_add(wasm_v128_load(sum + c),
          wasm_v128_load(linear_bias + c));
      wasm_v128_store(out, act_relu(linear));
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
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t layer1_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= LAYER1_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, LAYER1_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += strip) {
    const char *weights = weights_at(task, column + g, 0, LAYER1_WIDTH, LAYER1_BUNDLE, LAYER1_STEP);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + strip; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LAYER1_ROW;
        const char *w = weights;
        sums(sum, a, w, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    layer1_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void layer1_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 32)
    column += layer1_chunk(task, column, 32, 1, layer1_sums_32);
  while (column < task->last)
    column += layer1_chunk(task, column, 16, 3, layer1_sums_16);
}

/* sum[row][branch][16] = a w: one row x 16 columns, all 64 k, in 18 of 32 registers. `sum`
 * begins at a multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void layer2_sums_tile_16(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  (void)rows;
  (void)lane;
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_0_1 = zero,
      s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero, s0_0_2 = zero, s0_1_2 = zero,
      s0_2_2 = zero, s0_3_2 = zero, s0_0_3 = zero, s0_1_3 = zero, s0_2_3 = zero,
      s0_3_3 = zero;
  size_t k = 0;
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const v128_t w0 = wasm_v128_load((const float *)(w));
      const v128_t w1 = wasm_v128_load((const float *)(w + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + 48));
      const v128_t x0 = wasm_f32x4_splat(a[k]);
      s0_0_0 = ffn_fma_once(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma_once(x0, w1, s0_1_0);
      s0_2_0 = ffn_fma_once(x0, w2, s0_2_0);
      s0_3_0 = ffn_fma_once(x0, w3, s0_3_0);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + LAYER2_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + LAYER2_STEP + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + LAYER2_STEP + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + LAYER2_STEP + 48));
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma_once(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma_once(x0, w3, s0_3_1);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 2 * LAYER2_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 2 * LAYER2_STEP + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + 2 * LAYER2_STEP + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + 2 * LAYER2_STEP + 48));
      const v128_t x0 = wasm_f32x4_splat(a[k + 2]);
      s0_0_2 = ffn_fma_once(x0, w0, s0_0_2);
      s0_1_2 = ffn_fma_once(x0, w1, s0_1_2);
      s0_2_2 = ffn_fma_once(x0, w2, s0_2_2);
      s0_3_2 = ffn_fma_once(x0, w3, s0_3_2);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 3 * LAYER2_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 3 * LAYER2_STEP + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + 3 * LAYER2_STEP + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + 3 * LAYER2_STEP + 48));
      const v128_t x0 = wasm_f32x4_splat(a[k + 3]);
      s0_0_3 = ffn_fma_once(x0, w0, s0_0_3);
      s0_1_3 = ffn_fma_once(x0, w1, s0_1_3);
      s0_2_3 = ffn_fma_once(x0, w2, s0_2_3);
      s0_3_3 = ffn_fma_once(x0, w3, s0_3_3);
    }
  }
  ffn_add_4_wasm(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_2, s0_1_2, s0_2_2, s0_3_2);
  ffn_add_4_wasm(&s0_0_1, &s0_1_1, &s0_2_1, &s0_3_1, s0_0_3, s0_1_3, s0_2_3, s0_3_3);
  ffn_add_4_wasm(&s0_0_0, &s0_1_0, &s0_2_0, &s0_3_0, s0_0_1, s0_1_1, s0_2_1, s0_3_1);
  ffn_keep_4_wasm(sum, s0_0_0, s0_1_0, s0_2_0, s0_3_0);
}

/* The 16 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void layer2_sums_16(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  (void)rows;
  layer2_sums_tile_16(sum, a, w, lane, 1);
}

/* sum[row][branch][8] = a w: at most 3 rows x 8 columns, all 64 k, in 27 of 32 registers. `sum`
 * begins at a multiple of 16 bytes, `w` of 64, `a` of 4. `rows` is a constant at each call: what
 * fewer rows do not use compiles away. */
FFN_INLINE void layer2_sums_tile_8(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  w += lane * 4;
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0_0 = zero, s0_1_0 = zero, s0_0_1 = zero, s0_1_1 = zero, s0_0_2 = zero,
      s0_1_2 = zero, s0_0_3 = zero, s0_1_3 = zero;
  v128_t s1_0_0 = zero, s1_1_0 = zero, s1_0_1 = zero, s1_1_1 = zero, s1_0_2 = zero,
      s1_1_2 = zero, s1_0_3 = zero, s1_1_3 = zero;
  v128_t s2_0_0 = zero, s2_1_0 = zero, s2_0_1 = zero, s2_1_1 = zero, s2_0_2 = zero,
      s2_1_2 = zero, s2_0_3 = zero, s2_1_3 = zero;
  size_t k = 0;
  for (; k + 4 <= LAYER2_INPUTS; k += 4, w += 4 * LAYER2_STEP) {
    {
      const v128_t w0 = wasm_v128_load((const float *)(w));
      const v128_t w1 = wasm_v128_load((const float *)(w + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k]);
      s0_0_0 = ffn_fma_once(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma_once(x0, w1, s0_1_0);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + LAYER2_ROW]);
        s1_0_0 = ffn_fma_once(x1, w0, s1_0_0);
        s1_1_0 = ffn_fma_once(x1, w1, s1_1_0);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LAYER2_ROW]);
        s2_0_0 = ffn_fma_once(x2, w0, s2_0_0);
        s2_1_0 = ffn_fma_once(x2, w1, s2_1_0);
      }
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + LAYER2_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + LAYER2_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + LAYER2_ROW + 1]);
        s1_0_1 = ffn_fma_once(x1, w0, s1_0_1);
        s1_1_1 = ffn_fma_once(x1, w1, s1_1_1);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LAYER2_ROW + 1]);
        s2_0_1 = ffn_fma_once(x2, w0, s2_0_1);
        s2_1_1 = ffn_fma_once(x2, w1, s2_1_1);
      }
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 2 * LAYER2_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 2 * LAYER2_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 2]);
      s0_0_2 = ffn_fma_once(x0, w0, s0_0_2);
      s0_1_2 = ffn_fma_once(x0, w1, s0_1_2);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + LAYER2_ROW + 2]);
        s1_0_2 = ffn_fma_once(x1, w0, s1_0_2);
        s1_1_2 = ffn_fma_once(x1, w1, s1_1_2);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LAYER2_ROW + 2]);
        s2_0_2 = ffn_fma_once(x2, w0, s2_0_2);
        s2_1_2 = ffn_fma_once(x2, w1, s2_1_2);
      }
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 3 * LAYER2_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 3 * LAYER2_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 3]);
      s0_0_3 = ffn_fma_once(x0, w0, s0_0_3);
      s0_1_3 = ffn_fma_once(x0, w1, s0_1_3);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + LAYER2_ROW + 3]);
        s1_0_3 = ffn_fma_once(x1, w0, s1_0_3);
        s1_1_3 = ffn_fma_once(x1, w1, s1_1_3);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LAYER2_ROW + 3]);
        s2_0_3 = ffn_fma_once(x2, w0, s2_0_3);
        s2_1_3 = ffn_fma_once(x2, w1, s2_1_3);
      }
    }
  }
  ffn_add_2_wasm(&s0_0_0, &s0_1_0, s0_0_2, s0_1_2);
  ffn_add_2_wasm(&s0_0_1, &s0_1_1, s0_0_3, s0_1_3);
  ffn_add_2_wasm(&s0_0_0, &s0_1_0, s0_0_1, s0_1_1);
  if (rows > 1)
    ffn_add_2_wasm(&s1_0_0, &s1_1_0, s1_0_2, s1_1_2);
  if (rows > 1)
    ffn_add_2_wasm(&s1_0_1, &s1_1_1, s1_0_3, s1_1_3);
  if (rows > 1)
    ffn_add_2_wasm(&s1_0_0, &s1_1_0, s1_0_1, s1_1_1);
  if (rows > 2)
    ffn_add_2_wasm(&s2_0_0, &s2_1_0, s2_0_2, s2_1_2);
  if (rows > 2)
    ffn_add_2_wasm(&s2_0_1, &s2_1_1, s2_0_3, s2_1_3);
  if (rows > 2)
    ffn_add_2_wasm(&s2_0_0, &s2_1_0, s2_0_1, s2_1_1);
  ffn_keep_2_wasm(sum, s0_0_0, s0_1_0);
  if (rows > 1)
    ffn_keep_2_wasm(sum + 8, s1_0_0, s1_1_0);
  if (rows > 2)
    ffn_keep_2_wasm(sum + 16, s2_0_0, s2_1_0);
}

/* The 8 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void layer2_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  switch (rows) {
  case 1:
    layer2_sums_tile_8(sum, a, w, lane, 1);
    break;
  case 2:
    layer2_sums_tile_8(sum, a, w, lane, 2);
    break;
  case 3:
    layer2_sums_tile_8(sum, a, w, lane, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* h2 = relu(linear), of all rows x `cols` columns from `column` on, in 2 of 32 registers; beyond
 * the last output it meets zero weights. `sum` begins at a multiple of 16 bytes, `out` of 16. */
FFN_NOINLINE void layer2_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, LAYER3_ROW);
      const v128_t linear = wasm_f32x4_add(wasm_f32x4_add(wasm_v128_load(sum + c),
          wasm_f32x4_splat(0.0f)), wasm_v128_load(linear_bias + c));
      wasm_v128_store(out, act_relu(linear));
    }
  }
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
FFN_INLINE size_t layer2_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t)) {
  return walk_chunk(task, column, cols, most, sums, LAYER2_WIDTH, LAYER2_STREAM_ROWS, LAYER2_CHUNK,
    LAYER2_BUNDLE, LAYER2_STEP, LAYER2_ROW, layer2_finish);
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void layer2_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 16)
    column += layer2_chunk(task, column, 16, 1, layer2_sums_16);
  while (column < task->last)
    column += layer2_chunk(task, column, 8, 3, layer2_sums_8);
}

/* sum[row][branch][8] = a w: one row x 8 columns, all 32 k, in 18 of 32 registers. `sum` begins
 * at a multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void layer3_sums_tile_8(
    float *sum, const float *a, const char *w, size_t lane, const int rows) {
  (void)rows;
  w += lane * 4;
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0_0 = zero, s0_1_0 = zero, s0_0_1 = zero, s0_1_1 = zero, s0_0_2 = zero,
      s0_1_2 = zero, s0_0_3 = zero, s0_1_3 = zero, s0_0_4 = zero, s0_1_4 = zero,
      s0_0_5 = zero, s0_1_5 = zero, s0_0_6 = zero, s0_1_6 = zero, s0_0_7 = zero,
      s0_1_7 = zero;
  size_t k = 0;
  for (; k + 8 <= LAYER3_INPUTS; k += 8, w += 8 * LAYER3_STEP) {
    {
      const v128_t w0 = wasm_v128_load((const float *)(w));
      const v128_t w1 = wasm_v128_load((const float *)(w + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k]);
      s0_0_0 = ffn_fma_once(x0, w0, s0_0_0);
      s0_1_0 = ffn_fma_once(x0, w1, s0_1_0);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + LAYER3_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + LAYER3_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 2 * LAYER3_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 2 * LAYER3_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 2]);
      s0_0_2 = ffn_fma_once(x0, w0, s0_0_2);
      s0_1_2 = ffn_fma_once(x0, w1, s0_1_2);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 3 * LAYER3_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 3 * LAYER3_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 3]);
      s0_0_3 = ffn_fma_once(x0, w0, s0_0_3);
      s0_1_3 = ffn_fma_once(x0, w1, s0_1_3);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 4 * LAYER3_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 4 * LAYER3_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 4]);
      s0_0_4 = ffn_fma_once(x0, w0, s0_0_4);
      s0_1_4 = ffn_fma_once(x0, w1, s0_1_4);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 5 * LAYER3_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 5 * LAYER3_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 5]);
      s0_0_5 = ffn_fma_once(x0, w0, s0_0_5);
      s0_1_5 = ffn_fma_once(x0, w1, s0_1_5);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 6 * LAYER3_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 6 * LAYER3_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 6]);
      s0_0_6 = ffn_fma_once(x0, w0, s0_0_6);
      s0_1_6 = ffn_fma_once(x0, w1, s0_1_6);
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + 7 * LAYER3_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + 7 * LAYER3_STEP + 16));
      const v128_t x0 = wasm_f32x4_splat(a[k + 7]);
      s0_0_7 = ffn_fma_once(x0, w0, s0_0_7);
      s0_1_7 = ffn_fma_once(x0, w1, s0_1_7);
    }
  }
  ffn_add_2_wasm(&s0_0_0, &s0_1_0, s0_0_4, s0_1_4);
  ffn_add_2_wasm(&s0_0_1, &s0_1_1, s0_0_5, s0_1_5);
  ffn_add_2_wasm(&s0_0_2, &s0_1_2, s0_0_6, s0_1_6);
  ffn_add_2_wasm(&s0_0_3, &s0_1_3, s0_0_7, s0_1_7);
  ffn_add_2_wasm(&s0_0_0, &s0_1_0, s0_0_2, s0_1_2);
  ffn_add_2_wasm(&s0_0_1, &s0_1_1, s0_0_3, s0_1_3);
  ffn_add_2_wasm(&s0_0_0, &s0_1_0, s0_0_1, s0_1_1);
  ffn_keep_2_wasm(sum, s0_0_0, s0_1_0);
}

/* The 8 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void layer3_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t rows) {
  (void)rows;
  layer3_sums_tile_8(sum, a, w, lane, 1);
}

/* y = sigmoid(linear), of all rows x `cols` columns from `column` on, in 5 of 32 registers.
 * `sum` begins at a multiple of 16 bytes, `out` of 4. */
FFN_NOINLINE void layer3_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  const size_t valid = column < LAYER3_OUTPUTS ? ffn_min(LAYER3_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + row * task->out_stride + column + c;
      const v128_t linear = wasm_f32x4_add(wasm_f32x4_add(wasm_v128_load(sum + c),
          wasm_f32x4_splat(0.0f)), wasm_v128_load(linear_bias + c));
      const v128_t value = act_sigmoid(linear);
      if (valid - c >= 4)
        wasm_v128_store(out, value);
      else
        ffn_store_tail_wasm(out, value, valid - c);
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

/* Rows [first, last), all columns and k: blocks of tokens in lanes, and a walk for the rest. */
static void lanes_rows(const ffn_walk *walk, void *memory, size_t first, size_t last) {
  void *beside = ffn_further(memory, walk->slot_rows * WORK_ROW);
  for (; last - first >= LANES_LEAST; first += ffn_min(last - first, LANES))
    lanes(walk->call, beside, first, ffn_min(last - first, LANES));
  ffn_walk_rows(walk, memory, first, last);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
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
    lanes_rows, /* rows */
    ffn_walk_columns, /* columns */
    3, /* stage_count */
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

extern const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_wasm;
const ffn_kernel mlp_10_relu64_relu32_sigmoid1_bias_f32_wasm = {
    "mlp_10_relu64_relu32_sigmoid1_bias_f32_wasm", /* name */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* layer */
    "mlp_10_relu64_relu32_sigmoid1_bias_f32", /* packed */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_WASM, /* isa */
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
#endif
FFN_EXACT_END
