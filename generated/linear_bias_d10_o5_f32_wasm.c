/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * linear_bias_d10_o5_f32_wasm
 * linear, 10 -> 5, with biases, f32, for wasm
 * One linear layer
 *
 *     y = x W^T + b
 *
 * Remake     ffngen generate
 * Spec       linear_10_5
 * Templates  file, sizes, rows, call, tile, loop, ascend, step, finish, weights, chunk, strips,
 *            columns, add, tables, api, staged, descriptor, about
 * Tiles      linear: rows x columns 3 x 16, 1 branch, at most 29 of 32 registers
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Cost       100 flop per token; 768 bytes of packed weights; 42624 bytes of work memory per
 *            thread, 192 for one token
 * Sums       linear: k ascends in 2 interleaved chains; at most 7 roundings
 * Error      linear: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

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
  LINEAR_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  LINEAR_CHUNK = 16, /* columns whose sums are kept, where there are more */
};

enum {
  OWN_ROWS = 4, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = 64, /* bytes of each in work memory: x */
  SUM = 64, /* and sums */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = 192, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 768 };

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

/* sum[row][branch][16] = a w: at most 3 rows x 16 columns, all 10 k, in 29 of 32 registers.
 * `sum` begins at a multiple of 16 bytes, `w` of 64, `a` of 4. `rows` is a constant at each
 * call: what fewer rows do not use compiles away. */
FFN_INLINE void linear_sums_tile_16(
    float *sum, const float *a, const char *w, const int rows) {
  const v128_t zero = wasm_f32x4_splat(0.0f);
  v128_t s0_0_0 = zero, s0_1_0 = zero, s0_2_0 = zero, s0_3_0 = zero, s0_0_1 = zero,
      s0_1_1 = zero, s0_2_1 = zero, s0_3_1 = zero;
  v128_t s1_0_0 = zero, s1_1_0 = zero, s1_2_0 = zero, s1_3_0 = zero, s1_0_1 = zero,
      s1_1_1 = zero, s1_2_1 = zero, s1_3_1 = zero;
  v128_t s2_0_0 = zero, s2_1_0 = zero, s2_2_0 = zero, s2_3_0 = zero, s2_0_1 = zero,
      s2_1_1 = zero, s2_2_1 = zero, s2_3_1 = zero;
  size_t k = 0;
  for (; k + 2 <= LINEAR_INPUTS; k += 2, w += 2 * LINEAR_STEP) {
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
        const v128_t x1 = wasm_f32x4_splat(a[k + LINEAR_ROW]);
        s1_0_0 = ffn_fma_once(x1, w0, s1_0_0);
        s1_1_0 = ffn_fma_once(x1, w1, s1_1_0);
        s1_2_0 = ffn_fma_once(x1, w2, s1_2_0);
        s1_3_0 = ffn_fma_once(x1, w3, s1_3_0);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LINEAR_ROW]);
        s2_0_0 = ffn_fma_once(x2, w0, s2_0_0);
        s2_1_0 = ffn_fma_once(x2, w1, s2_1_0);
        s2_2_0 = ffn_fma_once(x2, w2, s2_2_0);
        s2_3_0 = ffn_fma_once(x2, w3, s2_3_0);
      }
    }
    {
      const v128_t w0 = wasm_v128_load((const float *)(w + LINEAR_STEP));
      const v128_t w1 = wasm_v128_load((const float *)(w + LINEAR_STEP + 16));
      const v128_t w2 = wasm_v128_load((const float *)(w + LINEAR_STEP + 32));
      const v128_t w3 = wasm_v128_load((const float *)(w + LINEAR_STEP + 48));
      const v128_t x0 = wasm_f32x4_splat(a[k + 1]);
      s0_0_1 = ffn_fma_once(x0, w0, s0_0_1);
      s0_1_1 = ffn_fma_once(x0, w1, s0_1_1);
      s0_2_1 = ffn_fma_once(x0, w2, s0_2_1);
      s0_3_1 = ffn_fma_once(x0, w3, s0_3_1);
      if (rows > 1) {
        const v128_t x1 = wasm_f32x4_splat(a[k + LINEAR_ROW + 1]);
        s1_0_1 = ffn_fma_once(x1, w0, s1_0_1);
        s1_1_1 = ffn_fma_once(x1, w1, s1_1_1);
        s1_2_1 = ffn_fma_once(x1, w2, s1_2_1);
        s1_3_1 = ffn_fma_once(x1, w3, s1_3_1);
      }
      if (rows > 2) {
        const v128_t x2 = wasm_f32x4_splat(a[k + 2 * LINEAR_ROW + 1]);
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
FFN_NOINLINE void linear_sums_16(float *sum, const float *a, const char *w, size_t rows) {
  switch (rows) {
  case 1:
    linear_sums_tile_16(sum, a, w, 1);
    break;
  case 2:
    linear_sums_tile_16(sum, a, w, 2);
    break;
  case 3:
    linear_sums_tile_16(sum, a, w, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = linear, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 16
 * bytes, `out` of 4. */
FFN_NOINLINE void linear_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  const float *linear_bias = task->bias + column - task->begins;
  const size_t valid = column < LINEAR_OUTPUTS ? ffn_min(LINEAR_OUTPUTS - column, cols) : 0;
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < valid; c += 4) {
      float *out = task->out + row * task->out_stride + column + c;
      const v128_t linear = wasm_f32x4_add(wasm_v128_load(sum + c),
          wasm_v128_load(linear_bias + c));
      if (valid - c >= 4)
        wasm_v128_store(out, linear);
      else
        ffn_store_tail_wasm(out, linear, valid - c);
    }
  }
}

/* The bundle of the output `column`, from input k on. */
FFN_INLINE const char *linear_weights(const ffn_task *task, size_t column, size_t k) {
  const size_t bundle = (column - task->begins) / LINEAR_WIDTH;
  return task->weights + bundle * LINEAR_BUNDLE + k * LINEAR_STEP;
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t linear_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= LINEAR_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, LINEAR_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  for (size_t g = 0; g < chunk; g += strip) {
    const char *weights = linear_weights(task, column + g, 0);
    for (size_t row = 0, part; row < task->rows; row += part) {
      part = ffn_next_part(task->rows - row, rows);
      for (size_t c = g; c < g + strip; c += cols) {
        float *sum = task->sum + c * task->rows + row * cols;
        const float *a = task->in + row * LINEAR_ROW;
        const char *w = weights;
        sums(sum, a, w, part);
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    linear_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void linear_columns(const ffn_task *task) {
  size_t column = task->first;
  while (column < task->last)
    column += linear_chunk(task, column, 16, 3, linear_sums_16);
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
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        linear_columns, /* columns */
        ffn_take_f32, /* take */
        LINEAR_INPUTS, /* inputs */
        LINEAR_OUTPUTS, /* outputs */
        0, /* in_at */
        LINEAR_ROW, /* block */
        16, /* column_step */
        LINEAR_AT, /* weights_at */
        LINEAR_BIAS_AT, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x526446c42c18317f), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    ffn_walk_rows, /* rows */
    ffn_walk_columns, /* columns */
    1, /* stage_count */
    walks, /* stages */
    1, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    LINEAR_INPUTS, /* inputs */
    LINEAR_OUTPUTS, /* outputs */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
    OPERAND1 + SUM, /* add_at */
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

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), LINEAR_WIDTH, LINEAR_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 1 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

extern const ffn_kernel linear_bias_d10_o5_f32_wasm;
const ffn_kernel linear_bias_d10_o5_f32_wasm = {
    "linear_bias_d10_o5_f32_wasm", /* name */
    "linear_bias_d10_o5_f32", /* layer */
    "linear_bias_d10_o5_f32", /* packed */
    FFN_KIND_LINEAR, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_WASM, /* isa */
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
    1, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    2 * (uint64_t)LINEAR_INPUTS * LINEAR_OUTPUTS, /* flop_per_token */
    FFN_IF_PACK(pack), /* pack */
    FFN_IF_PACK(unpack), /* unpack */
    run_forward, /* run */
    NULL, /* choices */
    FFN_IF_STAGES(&by_stage), /* staged */
};
#endif
FFN_EXACT_END
