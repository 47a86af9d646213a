/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_wasm
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for wasm
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu
 * Templates  file, sizes, rows, finish, weights, chunk, strips, columns, add, tables, api, staged,
 *            descriptor, about
 * Tiles      gate_up: rows x columns 1 x 32, 2 x 16, 6 x 8, 2 branches, summed in vectors of
 *            doubles
 * Tiles      down: rows x columns 1 x 64, 2 x 32, 6 x 16, 1 branch, summed in vectors of doubles
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Cost       4193280 flop per token; 8431680 bytes of packed weights; 2216448 bytes of work memory
 *            per thread, 9984 for one token
 * Sums       gate_up: k ascends in 4 blocks of 128; at most 131 roundings
 * Sums       down: k ascends in 11 blocks of 128; at most 138 roundings
 * Error      gate_up: |sum - exact| <= g/(1-g) (sum |x||w|), g = 131 2^-24; silu at most 2.4 ULP,
 *            and within (3 |y|) 2^-24
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w|), g = 138 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

/* gate_up: 512 -> 1365, gate and up, h = silu(gate) * up */
enum {
  GATE_UP_INPUTS = 512,
  GATE_UP_OUTPUTS = 1365,
  GATE_UP_COLUMNS = 1376, /* outputs and zeros beyond the last, whole panels of sixteen */
  GATE_UP_WIDTH = 16, /* columns of a bundle */
  GATE_UP_STEP = 128, /* bytes of one k of it: [branch][16] */
  GATE_UP_BUNDLE = GATE_UP_INPUTS * GATE_UP_STEP,
  GATE_UP_AT = 64, /* bytes of packed weights in front of these */
  GATE_UP_BLOCK = 128, /* k of one accumulation */
  GATE_UP_BLOCKS = 4,
  GATE_UP_ROUNDINGS = 131, /* at most, of a product in its sum */
  GATE_UP_ROW = 128, /* numbers of a row in a block of the input */
  GATE_UP_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  GATE_UP_CHUNK = 288, /* columns whose sums are kept, where there are more */
  GATE_UP_AHEAD = 8192, /* bytes of a tile's weights that are fetched ahead */
  GATE_UP_FEW_ROWS = 4, /* at most: what they fetch ahead is a choice of its own */
  GATE_UP_FEW_AHEAD = 0,
};

/* down: 1365 -> 512, down, y = down */
enum {
  DOWN_INPUTS = 1365,
  DOWN_OUTPUTS = 512,
  DOWN_COLUMNS = 512, /* outputs and zeros beyond the last, whole panels of sixteen */
  DOWN_WIDTH = 16, /* columns of a bundle */
  DOWN_STEP = 64, /* bytes of one k of it: [16] */
  DOWN_BUNDLE = DOWN_INPUTS * DOWN_STEP,
  DOWN_AT = 5636160, /* bytes of packed weights in front of these */
  DOWN_BLOCK = 128, /* k of one accumulation */
  DOWN_BLOCKS = 11,
  DOWN_LAST = 85, /* k of the last block */
  DOWN_ROUNDINGS = 138, /* at most, of a product in its sum */
  DOWN_ROW = 128, /* numbers of a row in a block of the input */
  DOWN_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  DOWN_CHUNK = 512, /* columns whose sums are kept, where there are more */
  DOWN_AHEAD = 8192, /* bytes of a tile's weights that are fetched ahead */
  DOWN_FEW_ROWS = 4, /* at most: what they fetch ahead is a choice of its own */
  DOWN_FEW_AHEAD = 0,
};

enum {
  OWN_ROWS = 12, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = 2048, /* bytes of each in work memory: x */
  OPERAND2 = 5632, /* bytes of each in work memory: h */
  SUM = 2304, /* and sums */
  ADD = 512, /* columns of each that are added to y at a time */
  WORK_ROW = 9984, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 8431680 };

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

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24. Elfwing et al., arXiv:1702.03118;
 * swiglu: Shazeer, arXiv:2002.05202. In each of 4 lanes. */
FFN_INLINE v128_t act_silu(const v128_t x) {
  const float vanishes = 112.0f; /* the tail is 0 here */
  /* 1.5 * 2^23: sums with it are rounded to integers, in the lowest bits */
  const float magic = 12582912.0f;
  const float per_one = 1.442695f; /* log2(e^k), k = 1 */
  const float high = 0.6931472f; /* the size of its inverse, to 24 bits */
  const float low = -1.9046542e-09f; /* what that misses of it */
  const int32_t magic_bits = 0x4b400028; /* the bits of magic: n is 40 less than the exponent */
  /* e^(k r) = 1 + e1 r + e2 r^2 + ..., k = 1, nearly */
  const float e1 = 1.0f, e2 = 0.49999994f, e3 = 0.16666523f, e4 = 0.041668292f,
      e5 = 0.008368532f, e6 = 0.0013818297f;
  const float down = 9.094947e-13f; /* 2^-40: quotients are so much too large up to the last step */
  const int32_t exponent_of_1 = 127; /* in the bits of 1, above 23 of its mantissa */
  const v128_t size = wasm_f32x4_abs(x);
  const v128_t a = wasm_f32x4_pmin(size, wasm_f32x4_splat(vanishes));
  const v128_t shifted = ffn_fma_once(a, wasm_f32x4_splat(per_one), wasm_f32x4_splat(magic));
  const v128_t steps = wasm_f32x4_sub(shifted, wasm_f32x4_splat(magic));
  const v128_t bits = (shifted);
  const v128_t n = wasm_i32x4_sub(bits, wasm_i32x4_splat(magic_bits));
  const v128_t nearly_r = ffn_fma_once(wasm_f32x4_neg(steps), wasm_f32x4_splat(high), a);
  const v128_t r = ffn_fma_once(wasm_f32x4_neg(steps), wasm_f32x4_splat(low), nearly_r);
  const v128_t poly = ffn_fma_once(wasm_f32x4_splat(e6), r, wasm_f32x4_splat(e5));
  const v128_t poly_2 = ffn_fma_once(poly, r, wasm_f32x4_splat(e4));
  const v128_t poly_3 = ffn_fma_once(poly_2, r, wasm_f32x4_splat(e3));
  const v128_t poly_4 = ffn_fma_once(poly_3, r, wasm_f32x4_splat(e2));
  const v128_t poly_5 = ffn_fma_once(poly_4, r, wasm_f32x4_splat(e1));
  const v128_t p = ffn_fma_once(poly_5, r, wasm_f32x4_splat(1.0f));
  const v128_t biased = wasm_i32x4_add(n, wasm_i32x4_splat(exponent_of_1));
  const v128_t exponent = wasm_i32x4_shl(biased, 23);
  const v128_t scale = (exponent);
  const v128_t denominator = ffn_fma_once(p, scale, wasm_f32x4_splat(down));
  const v128_t tail = wasm_f32x4_div(a, denominator);
  const v128_t relu = wasm_f32x4_pmax(x, wasm_f32x4_splat(0.0f));
  return ffn_fma_once(wasm_f32x4_neg(tail), wasm_f32x4_splat(down), relu);
}

/* sum[row][16][4] (+)= a w: one row x 64 sums, the k of a block. `sum` begins at a multiple of
 * 16 bytes, `w` of 64, `a` of 4. */
FFN_NOINLINE void gate_up_sums_32(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)ahead;
  (void)lane;
  const ffn_wide_columns panel[] = {
    {w, 32},
    {w + GATE_UP_BUNDLE, 32},
    {w + 64, 32},
    {w + GATE_UP_BUNDLE + 64, 32},
  };
  ffn_wide_sums(sum, 64, a, GATE_UP_ROW, panel, 4, GATE_UP_STEP,
      GATE_UP_BLOCK, rows, block > 0);
}

/* sum[row][8][4] (+)= a w: at most 2 rows x 32 sums, the k of a block. `sum` begins at a
 * multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_NOINLINE void gate_up_sums_16(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)ahead;
  (void)lane;
  const ffn_wide_columns panel[] = {
    {w, 32},
    {w + 64, 32},
  };
  ffn_wide_sums(sum, 32, a, GATE_UP_ROW, panel, 2, GATE_UP_STEP,
      GATE_UP_BLOCK, rows, block > 0);
}

/* sum[row][4][4] (+)= a w: at most 6 rows x 16 sums, the k of a block. `sum` begins at a
 * multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_NOINLINE void gate_up_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)ahead;
  w += lane * 4;
  const ffn_wide_columns panel[] = {
    {w, 64},
  };
  ffn_wide_sums(sum, 16, a, GATE_UP_ROW, panel, 1, GATE_UP_STEP,
      GATE_UP_BLOCK, rows, block > 0);
}

/* h = silu(gate) * up, of all rows x `cols` columns from `column` on, in 7 of 32 registers;
 * beyond the last output it meets zero weights. `sum` begins at a multiple of 16 bytes, `out` of
 * 16. */
FFN_NOINLINE void gate_up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += 2 * cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const v128_t gate = wasm_v128_load(sum + c);
      const v128_t up = wasm_v128_load(sum + cols + c);
      wasm_v128_store(out, wasm_f32x4_mul(act_silu(gate), up));
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
FFN_INLINE size_t gate_up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t, const ffn_ahead *,
        const int, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = ffn_max(cols, GATE_UP_WIDTH); /* whole bundles */
  const size_t chunk = task->rows <= GATE_UP_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, GATE_UP_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows * (strip / cols);
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (GATE_UP_STEP + shares - 1) / shares;
  const size_t ahead = task->rows <= GATE_UP_FEW_ROWS ? GATE_UP_FEW_AHEAD : GATE_UP_AHEAD;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (strip / GATE_UP_WIDTH * GATE_UP_STEP);
  const int fetches = ffn_fetches(ahead, shares, 1, 0, 0);
  for (size_t block = 0; block < GATE_UP_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += strip) {
      const char *weights = weights_at(task, column + g, block * GATE_UP_BLOCK, GATE_UP_WIDTH,
          GATE_UP_BUNDLE, GATE_UP_STEP);
      const char *then = weights; /* what comes next */
      if (g + strip < chunk)
        then = weights_at(task, column + g + strip, block * GATE_UP_BLOCK, GATE_UP_WIDTH,
            GATE_UP_BUNDLE, GATE_UP_STEP);
      else if (block + 1 < GATE_UP_BLOCKS)
        then = weights_at(task, column, (block + 1) * GATE_UP_BLOCK, GATE_UP_WIDTH, GATE_UP_BUNDLE,
            GATE_UP_STEP);
      else if (chunk < left)
        then = weights_at(task, column + chunk, 0, GATE_UP_WIDTH, GATE_UP_BUNDLE, GATE_UP_STEP);
      const size_t count = GATE_UP_BLOCK; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = shares > 1 ? then : weights + early * GATE_UP_STEP;
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + strip; c += cols) {
          float *sum = task->sum + 2 * (c * task->rows + row * cols);
          const float *a = task->in + (block * task->rows + row) * GATE_UP_ROW;
          const char *w = weights;
          const size_t lane = c - g;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), then, mine, count - early, 0};
          ++turn;
          sums(sum, a, w, lane, block, &share, fetches, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    gate_up_finish(task, task->sum + 2 * c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void gate_up_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 32)
    column += gate_up_chunk(task, column, 32, 1, gate_up_sums_32);
  while (task->rows <= 2 && task->last - column >= 16)
    column += gate_up_chunk(task, column, 16, FFN_TILE_ROWS(2), gate_up_sums_16);
  while (column < task->last)
    column += gate_up_chunk(task, column, 8, FFN_TILE_ROWS(6), gate_up_sums_8);
}

/* sum[row][16][4] (+)= a w: one row x 64 sums, the k of a block. `sum` begins at a multiple of
 * 16 bytes, `w` of 64, `a` of 4. */
FFN_NOINLINE void down_sums_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)ahead;
  const ffn_wide_columns panel[] = {
    {w, 32},
    {w + DOWN_BUNDLE, 32},
    {w + 2 * DOWN_BUNDLE, 32},
    {w + 3 * DOWN_BUNDLE, 32},
  };
  ffn_wide_sums(sum, 64, a, DOWN_ROW, panel, 4, DOWN_STEP,
      block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, rows, block > 0);
}

/* sum[row][8][4] (+)= a w: at most 2 rows x 32 sums, the k of a block. `sum` begins at a
 * multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_NOINLINE void down_sums_32(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)ahead;
  const ffn_wide_columns panel[] = {
    {w, 32},
    {w + DOWN_BUNDLE, 32},
  };
  ffn_wide_sums(sum, 32, a, DOWN_ROW, panel, 2, DOWN_STEP,
      block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, rows, block > 0);
}

/* sum[row][4][4] (+)= a w: at most 6 rows x 16 sums, the k of a block. `sum` begins at a
 * multiple of 16 bytes, `w` of 64, `a` of 4. */
FFN_NOINLINE void down_sums_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)ahead;
  const ffn_wide_columns panel[] = {
    {w, 32},
  };
  ffn_wide_sums(sum, 16, a, DOWN_ROW, panel, 1, DOWN_STEP,
      block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, rows, block > 0);
}

/* y = down, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 16
 * bytes, `out` of 4. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 4) {
      float *out = task->out + row * task->out_stride + column + c;
      const v128_t down = wasm_v128_load(sum + c);
      wasm_v128_store(out, down);
    }
  }
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t down_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, const ffn_ahead *, const int,
        size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= DOWN_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, DOWN_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows;
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (DOWN_STEP + shares - 1) / shares;
  const size_t ahead = task->rows <= DOWN_FEW_ROWS ? DOWN_FEW_AHEAD : DOWN_AHEAD;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (strip / DOWN_WIDTH * DOWN_STEP);
  const int fetches = ffn_fetches(ahead, shares, 1, 0, 0);
  for (size_t block = 0; block < DOWN_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += strip) {
      const char *weights = weights_at(task, column + g, block * DOWN_BLOCK, DOWN_WIDTH,
          DOWN_BUNDLE, DOWN_STEP);
      const char *then = weights; /* what comes next */
      if (g + strip < chunk)
        then = weights_at(task, column + g + strip, block * DOWN_BLOCK, DOWN_WIDTH, DOWN_BUNDLE,
            DOWN_STEP);
      else if (block + 1 < DOWN_BLOCKS)
        then = weights_at(task, column, (block + 1) * DOWN_BLOCK, DOWN_WIDTH, DOWN_BUNDLE,
            DOWN_STEP);
      else if (chunk < left)
        then = weights_at(task, column + chunk, 0, DOWN_WIDTH, DOWN_BUNDLE, DOWN_STEP);
      const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = shares > 1 ? then : weights + early * DOWN_STEP;
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + strip; c += cols) {
          float *sum = task->sum + c * task->rows + row * cols;
          const float *a = task->in + (block * task->rows + row) * DOWN_ROW;
          const char *w = weights;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), then, mine, count - early, 0};
          ++turn;
          sums(sum, a, w, block, &share, fetches, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    down_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 64)
    column += down_chunk(task, column, 64, 1, down_sums_64);
  while (task->rows <= 2 && task->last - column >= 32)
    column += down_chunk(task, column, 32, FFN_TILE_ROWS(2), down_sums_32);
  while (column < task->last)
    column += down_chunk(task, column, 16, FFN_TILE_ROWS(6), down_sums_16);
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
        GATE_UP_INPUTS, /* inputs */
        GATE_UP_OUTPUTS, /* outputs */
        2, /* branches */
        {FFN_MATRIX_GATE, FFN_MATRIX_UP}, /* matrix */
        FFN_ACT_SILU, /* activation */
        FFN_PRODUCT_UP, /* product */
        0, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        GATE_UP_BLOCK, /* k_block */
        1, /* chains */
        GATE_UP_ROUNDINGS, /* sum_length */
        3.0f, /* act_relative */
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
        0, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        DOWN_BLOCK, /* k_block */
        1, /* chains */
        DOWN_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        gate_up_columns, /* columns */
        ffn_take_f32, /* take */
        GATE_UP_INPUTS, /* inputs */
        GATE_UP_OUTPUTS, /* outputs */
        0, /* in_at */
        GATE_UP_ROW, /* block */
        32, /* column_step */
        GATE_UP_AT, /* weights_at */
        0, /* bias_at */
    },
    {
        down_columns, /* columns */
        NULL, /* take */
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        DOWN_ROW, /* block */
        32, /* column_step */
        DOWN_AT, /* weights_at */
        0, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xaf8e17bce9cd1694), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    ffn_walk_rows, /* rows */
    ffn_walk_columns, /* columns */
    2, /* stage_count */
    walks, /* stages */
    1, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1 + OPERAND2, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    GATE_UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS +
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
      header, &packing_f32, GATE_UP_AT, GATE_UP_WIDTH, 0,
      stages, 0, weights, group);
  ffn_pack_stage(
      header, &packing_f32, DOWN_AT, DOWN_WIDTH, 0,
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
      to, header, &packing_f32, GATE_UP_AT, GATE_UP_WIDTH, 0,
      stages, 0, group);
  ffn_unpack_stage(
      to, header, &packing_f32, DOWN_AT, DOWN_WIDTH, 0,
      stages, 1, group);
}
#endif

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), GATE_UP_WIDTH, GATE_UP_BUNDLE},
    {FFN_IF_PACK(&packing_f32), DOWN_WIDTH, DOWN_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 2 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_wasm;
const ffn_kernel ffn_swiglu_d512_f1365_f32_wasm = {
    "ffn_swiglu_d512_f1365_f32_wasm", /* name */
    "ffn_swiglu_d512_f1365_f32", /* layer */
    "ffn_swiglu_d512_f1365_f32", /* packed */
    FFN_KIND_FFN, /* kind */
    FFN_SWIGLU, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_WASM, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    GATE_UP_INPUTS, /* inputs */
    GATE_UP_OUTPUTS, /* hidden */
    DOWN_OUTPUTS, /* outputs */
    0, /* bias */
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
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS +
            2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
    FFN_IF_PACK(pack), /* pack */
    FFN_IF_PACK(unpack), /* unpack */
    run_forward, /* run */
    NULL, /* choices */
    FFN_IF_STAGES(&by_stage), /* staged */
};
#endif
FFN_EXACT_END
