/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_relu_bias_d4_f8_f32_wasm
 * FFN relu, 4 -> 8 -> 4, with biases, f32, for wasm
 * The worked example on paper: 4 -> 8 -> 4, ReLU
 *
 *     h = relu(x W_up^T + b_up)
 *     y = h W_down^T + b_down
 *
 * Remake     ffngen generate
 * Spec       paper_example
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, rows, finish, weights, chunk, strips,
 *            columns, call, tile, loop, ascend, step, lanes_blocks, lanes_rows, add, tables, api,
 *            staged, descriptor, about
 * Tiles      up: rows x columns 6 x 16, 1 branch, summed in vectors of doubles
 * Tiles      down: rows x columns 3 x 16, 1 branch, at most 29 of 32 registers
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Lanes      from 4 tokens on, blocks of 4 with one in each lane, sums of at most 4 outputs side by
 *            side
 * Cost       128 flop per token; 960 bytes of packed weights; 42816 bytes of work memory per
 *            thread, 384 for one token
 * Sums       up: k ascends; at most 5 roundings
 * Sums       down: k ascends in 2 interleaved chains; at most 6 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 5 2^-24; relu exact
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 6 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

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
  UP_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  UP_CHUNK = 16, /* columns whose sums are kept, where there are more */
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
  DOWN_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  DOWN_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  LANES = 4, /* tokens of a block, one in each lane */
  LANES_LEAST = 4, /* so many are worth a block */
  OPERAND1 = 64, /* bytes of each in work memory: x */
  OPERAND2 = 64, /* bytes of each in work memory: h */
  SUM = 64, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 192, /* bytes of each in work memory */
  BESIDE = 192, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 960 };

/* A block of 4 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[4 * LANES];
  float odd[8 * LANES];
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

FFN_INLINE void ffn_turn_out_wasm(float *to, size_t stride, const float *from, size_t step) {
  ffn_turn_wasm(to, stride, from, step);
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

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202.
 * In each of 4 lanes. */
FFN_INLINE v128_t act_relu(const v128_t x) {
  return wasm_f32x4_pmax(x, wasm_f32x4_splat(0.0f));
}

/* up: sums of at most 4 outputs over all 4 k, 4 tokens side by side. `outputs` is a constant at
 * each call: what fewer outputs do not use compiles away. `a` begins at a multiple of 16 bytes,
 * `w` of 64. */
FFN_INLINE void up_chain(
    v128_t *s, const float *a, const char *w, size_t k, const int outputs) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0 = zero, s1_0 = zero, s2_0 = zero, s3_0 = zero;
  a += k * LANES;
  w += k * UP_STEP;
  for (; k < UP_INPUTS;
       k += 1, a += LANES, w += UP_STEP) {
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

/* At most 4 `outputs` of 4 tokens, over all 4 k: chains are folded as soon as they can be. `out`
 * begins at a multiple of 16 bytes, `a` of 16, `w` of 64. */
FFN_INLINE void up_lanes(
    const float *a, const char *w, size_t lane, const float *up_bias, float *out,
    const int outputs) {
  w += lane * 4;
  v128_t s[1][4];
  up_chain(s[0], a, w, 0, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const v128_t up_b = wasm_f32x4_splat(up_bias[i]);
    wasm_v128_store(out + i * LANES, act_relu(wasm_f32x4_add(s[0][i], up_b)));
  }
}

/* down: sums of at most 4 outputs over every 2. of 8 k, from `k` on, 4 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. `a` begins
 * at a multiple of 16 bytes, `w` of 64. */
FFN_INLINE void down_chain(
    v128_t *s, const float *a, const char *w, size_t k, const int outputs) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0 = zero, s1_0 = zero, s2_0 = zero, s3_0 = zero;
  a += k * LANES;
  w += k * DOWN_STEP;
  for (; k < DOWN_INPUTS;
       k += 2, a += 2 * LANES, w += 2 * DOWN_STEP) {
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

/* At most 4 `outputs` of 4 tokens, over all 8 k: chains are folded as soon as they can be. `out`
 * begins at a multiple of 16 bytes, `a` of 16, `w` of 64. */
FFN_INLINE void down_lanes(
    const float *a, const char *w, size_t lane, const float *down_bias, float *out,
    const int outputs) {
  w += lane * 4;
  v128_t s[2][4];
  down_chain(s[0], a, w, 0, outputs);
  down_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i)
    s[0][i] = wasm_f32x4_add(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const v128_t down_b = wasm_f32x4_splat(down_bias[i]);
    wasm_v128_store(out + i * LANES, wasm_f32x4_add(wasm_f32x4_add(s[0][i], wasm_f32x4_splat(0.0f)),
        down_b));
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
    for (size_t token = 0; token < LANES; token += 4)
      ffn_turn_in_wasm(
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
    for (size_t token = 0; token < LANES; token += 4)
      ffn_turn_out_wasm(
          to + token * to_stride + at, to_stride, from + at * LANES + token, LANES);
  }
  for (size_t token = 0; count < LANES && token < count; ++token)
    FFN_MEMCPY(y + token * stride, rows + token * DOWN_OUTPUTS, DOWN_OUTPUTS * sizeof *y);
}

/* At most 4 tokens from `token` on through all stages, all columns and k, each in a lane of its
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

/* sum[row][4][4] = a w: at most 6 rows x 16 sums, all k. `sum` begins at a multiple of 16 bytes,
 * `w` of 64, `a` of 4. */
FFN_NOINLINE void up_sums_16(float *sum, const float *a, const char *w, size_t rows) {
  const ffn_wide_columns panel[] = {
    {w, 32},
  };
  ffn_wide_sums(sum, 16, a, UP_ROW, panel, 1, UP_STEP,
      UP_INPUTS, rows, 0);
}

/* h = relu(up), of all rows x `cols` columns from `column` on, in 2 of 32 registers; beyond the
 * last output it meets zero weights. `sum` begins at a multiple of 16 bytes, `out` of 16. */
FFN_NOINLINE void up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *up_bias = task->bias + column - task->begins;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const v128_t up = wasm_f32x4_add(wasm_v128_load(sum + c), wasm_v128_load(up_bias + c));
      wasm_v128_store(out, act_relu(up));
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
 * weights while all rows pass over it. Returns the columns of the chunk. Sizes, in capitals, are
 * those of the caller, and constants. */
FFN_INLINE size_t walk_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t),
    const size_t STREAM_ROWS, const size_t CHUNK, const size_t WIDTH, const size_t BUNDLE,
    const size_t STEP, const size_t ROW,
    void (*const finish)(const ffn_task *, const float *, size_t, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
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
        sums(sum, a, w, part);
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
FFN_INLINE size_t up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t)) {
  return walk_chunk(task, column, cols, most, sums, UP_STREAM_ROWS, UP_CHUNK, UP_WIDTH, UP_BUNDLE,
    UP_STEP, UP_ROW, up_finish);
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void up_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += up_chunk(task, column, 16, FFN_TILE_ROWS(6), up_sums_16);
}

/* sum[row][branch][16] = a w: at most 3 rows x 16 columns, all 8 k, in 29 of 32 registers. `sum`
 * begins at a multiple of 16 bytes, `w` of 64, `a` of 4. `rows` is a constant at each call: what
 * fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_16(
    float *sum, const float *a, const char *w, const int rows) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_0_1 = zero,
      s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero;
  v128_t s1_0_0 = zero, s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero, s1_0_1 = zero,
      s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero;
  v128_t s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero, s2_3_0 = zero, s2_0_1 = zero,
      s2_1_1 = zero, s2_2_1 = zero, s2_3_1 = zero;
  size_t k = 0;
  for (; k + 2 <= DOWN_INPUTS; k += 2, w += 2 * DOWN_STEP) {
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
        const v128_t x1 = wasm_f32x4_splat(a[k + DOWN_ROW]);
        s1_0_0 = ffn_fma_once(x1, w0, s1_0_0);
        s1_1_0 = ffn_fma_once(x1, w1, s1_1_0);
        s1_2_0 = ffn_fma_once(x1, w2, s1_2_0);
        s1_3_0 = ffn_fma_once(x1, w3, s1_3_0);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * DOWN_ROW]);
        s2_0_0 = ffn_fma_once(x2, w0, s2_0_0);
        s2_1_0 = ffn_fma_once(x2, w1, s2_1_0);
        s2_2_0 = ffn_fma_once(x2, w2, s2_2_0);
        s2_3_0 = ffn_fma_once(x2, w3, s2_3_0);
      }
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + DOWN_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + DOWN_STEP + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + DOWN_STEP + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + DOWN_STEP + 48));
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma_once(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma_once(x0, w3, s0_3_1);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + DOWN_ROW + 1]);
        s1_0_1 = ffn_fma_once(x1, w0, s1_0_1);
        s1_1_1 = ffn_fma_once(x1, w1, s1_1_1);
        s1_2_1 = ffn_fma_once(x1, w2, s1_2_1);
        s1_3_1 = ffn_fma_once(x1, w3, s1_3_1);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * DOWN_ROW + 1]);
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
FFN_NOINLINE void down_sums_16(float *sum, const float *a, const char *w, size_t rows) {
  switch (rows) {
  case 1:
    down_sums_tile_16(sum, a, w, 1);
    break;
  case 2:
    down_sums_tile_16(sum, a, w, 2);
    break;
  case 3:
    down_sums_tile_16(sum, a, w, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = down, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 16
 * bytes, `out` of 4. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *down_bias = task->bias + column - task->begins;
  const size_t valid = column < DOWN_OUTPUTS ? ffn_min(DOWN_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + row * task->out_stride + column + c;
      const v128_t down = wasm_f32x4_add(wasm_f32x4_add(wasm_v128_load(sum + c),
          wasm_f32x4_splat(0.0f)), wasm_v128_load(down_bias + c));
      if (valid - c >= 4)
        wasm_v128_store(out, down);
      else
        ffn_store_tail_wasm(out, down, valid - c);
    }
  }
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t down_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t)) {
  return walk_chunk(task, column, cols, most, sums, DOWN_STREAM_ROWS, DOWN_CHUNK, DOWN_WIDTH,
    DOWN_BUNDLE, DOWN_STEP, DOWN_ROW, down_finish);
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += down_chunk(task, column, 16, 3, down_sums_16);
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
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
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
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        up_columns, /* columns */
        ffn_take_f32, /* take */
        UP_INPUTS, /* inputs */
        UP_OUTPUTS, /* outputs */
        0, /* in_at */
        UP_ROW, /* block */
        16, /* column_step */
        UP_AT, /* weights_at */
        UP_BIAS_AT, /* bias_at */
    },
    {
        down_columns, /* columns */
        NULL, /* take */
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        DOWN_ROW, /* block */
        16, /* column_step */
        DOWN_AT, /* weights_at */
        DOWN_BIAS_AT, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xf02d40da8de26944), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    lanes_rows, /* rows */
    ffn_walk_columns, /* columns */
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
    UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    2 * (uint64_t)UP_INPUTS * UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
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

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), UP_WIDTH, UP_BUNDLE},
    {FFN_IF_PACK(&packing_f32), DOWN_WIDTH, DOWN_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 2 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_wasm;
const ffn_kernel ffn_relu_bias_d4_f8_f32_wasm = {
    "ffn_relu_bias_d4_f8_f32_wasm", /* name */
    "ffn_relu_bias_d4_f8_f32", /* layer */
    "ffn_relu_bias_d4_f8_f32", /* packed */
    FFN_KIND_FFN, /* kind */
    FFN_RELU, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_WASM, /* isa */
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
    FFN_IF_STAGES(&by_stage), /* staged */
};
#endif
FFN_EXACT_END
