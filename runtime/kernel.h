/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * kernel.h - all that a generated kernel includes. A kernel file and this header link and work by
 * themselves: here are the portable scalar words, the packed layout and the walk of a layer's
 * stages over rows, columns and the host's threads. Everything is static inline.
 */
#ifndef FFN_KERNEL_H
#define FFN_KERNEL_H

#include "ffn.h"

#include <assert.h>
#include <float.h>
#include <string.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "ffn kernels promise exact bits, NaN and Inf: compile them without -ffast-math"
#endif

#if FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error "ffn kernels promise exact bits, unlike the x87: compile them with -mfpmath=sse -msse2"
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define FFN_ARCH_X86 1
#else
#define FFN_ARCH_X86 0
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
#define FFN_ARCH_ARM64 1
#else
#define FFN_ARCH_ARM64 0
#endif

#if defined(__GNUC__)
#define FFN_INLINE static inline __attribute__((always_inline))
#define FFN_NOINLINE static __attribute__((noinline))
#else
#define FFN_INLINE static inline
#define FFN_NOINLINE static
#endif

/* Asks for the cache line of an address: it will be read soon. */
#if defined(__GNUC__)
#define FFN_FETCH(address) __builtin_prefetch(address)
#elif FFN_ARCH_X86
#include <xmmintrin.h>
#define FFN_FETCH(address) _mm_prefetch((address), _MM_HINT_T0)
#else
#define FFN_FETCH(address) ((void)(address))
#endif

/* Floats in a panel: sixteen outputs, one cache line, stand side by side for each k. */
#define FFN_PANEL 16

/* ---- Scalar words of the portable kernels ------------------------------------------------- */

FFN_INLINE int32_t ffn_bits(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

FFN_INLINE float ffn_pow2(int32_t n) /* 2^n for -126 <= n <= 127 */
{
  const uint32_t bits = (uint32_t)(n + 127) << 23;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

FFN_INLINE float ffn_abs(float x) {
  const uint32_t bits = (uint32_t)ffn_bits(x) & 0x7fffffffu;
  float y;
  memcpy(&y, &bits, sizeof y);
  return y;
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__riscv_flen) ||                     \
    defined(__FP_FAST_FMAF)
#define ffn_fma(a, b, c) __builtin_fmaf(a, b, c)
#else
/* a * b + c with one rounding, for machines without the instruction. The product is exact in
 * double; the sum is rounded to odd, which makes the second rounding, to float, the only one that
 * shows (Boldo and Melquiond, 2008). It has the bits of the instruction, at a fraction of its
 * speed: compile with -mfma where the machine has it. */
FFN_INLINE float ffn_fma(float a, float b, float c) {
  const double product = (double)a * (double)b;
  const double addend = (double)c;
  const double sum = product + addend;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (addend - back);
  int64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  const int64_t above = error > 0.0, below = error < 0.0;
  const int64_t outward = sum > 0.0 ? above - below : below - above;
  bits += (bits & 1) ? 0 : outward;
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return (float)odd;
}
#endif

/* ---- Packed weights ----------------------------------------------------------------------- *
 *
 * A header of one cache line, then for each stage its panels, then its biases:
 *   panels  [outputs / 16, rounded up][inputs][branches][16], zeros beyond the last output
 *   biases  [branches][outputs rounded up to 16]
 */
typedef struct ffn_packed_header {
  char magic[4]; /* "FFNP" */
  uint32_t abi;
  uint64_t layer; /* hash of the layer's name */
  float beta;
  uint32_t finite; /* 1: no weight is Inf or NaN, so 0 times any of them is 0 */
  uint32_t zero[10];
} ffn_packed_header;

/* One task of a stage: rows [0, rows) of columns [first, last), both multiples of 16. */
typedef struct ffn_task {
  float *out; /* y at row 0, rows at out_stride; or the next stage's input, blocked */
  size_t out_stride;
  const float *in; /* the stage's input, blocked as ffn_blocked() says */
  const float *packed;
  float *sum; /* this thread's tile of sums */
  size_t rows, first, last;
} ffn_task;

/* What the run, pack and unpack of a layer need to know of a stage. */
typedef struct ffn_chain_stage {
  void (*pass)(const ffn_task *task);
  size_t inputs, outputs, branches;
  int bias;
  size_t panels_at, bias_at; /* in floats, from the start of packed */
  size_t in_at;              /* where its input lies in a work slot, in floats */
  size_t row_stride;         /* of that input: see ffn_blocked() */
  size_t column_step;        /* threads take columns in multiples of this */
} ffn_chain_stage;

struct ffn_walk;
typedef struct ffn_chain {
  /* Rows [token, end) by one thread, in one work slot: ffn_walk_rows(), or straight-line code. */
  void (*rows)(const struct ffn_walk *walk, float *slot, size_t token, size_t end);
  uint64_t layer_hash;
  size_t stage_count;
  const ffn_chain_stage *stages;
  size_t row_tile, row_block; /* rows of the largest register tile, and of one walk */
  size_t sum_at, slot_floats; /* of a thread's work slot */
  uint64_t flop_per_token;
} ffn_chain;

FFN_INLINE size_t ffn_round_up(size_t n, size_t step) { return (n + step - 1) / step * step; }
FFN_INLINE size_t ffn_min(size_t a, size_t b) { return a < b ? a : b; }

/* The largest part of an even split of n into parts of at most `most`. */
FFN_INLINE size_t ffn_even_part(size_t n, size_t most) {
  const size_t parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

/* In how many shares the row tiles of a pass fetch the next block of weights: as many as there are
 * tiles, or the next power of two below, so that a share advances by whole bytes. */
FFN_INLINE size_t ffn_shares(size_t tiles) { return tiles < 8 ? tiles : tiles < 16 ? 8 : 16; }

/* Where input k of a row of a stage lies, in floats: the rows of a block of k stand together,
 * [k / row_stride][rows][row_stride], so that the rows of a tile are contiguous, whatever the
 * width. A block has row_stride inputs; the only one of a stage may have fewer. */
FFN_INLINE size_t ffn_blocked(size_t rows, size_t row, size_t k, size_t row_stride) {
  return (k / row_stride * rows + row) * row_stride + k % row_stride;
}

/* What was stored is read back from memory, a broadcast for each use: without it gcc holds vectors
 * in registers, more than there are, and permutes them on a port that FMAs need. */
#if defined(__GNUC__)
#define FFN_SETTLE() __asm__ volatile("" ::: "memory")
#else
#define FFN_SETTLE() ((void)0)
#endif

/* Entries of a list of inputs that are read ahead of their use. */
#define FFN_LIST_AHEAD 8

/* Which of the inputs of `rows` rows are not zero in all of them, in ascending order; their count.
 * Behind the last come FFN_LIST_AHEAD more, to be fetched and never used. */
static inline size_t ffn_list_nonzero(uint32_t *list, const float *a, size_t rows, size_t inputs,
                                      size_t row_stride) {
  size_t count = 0;
  for (size_t block = 0; block < inputs; block += row_stride, a += rows * row_stride)
    for (size_t k = 0; k < ffn_min(inputs - block, row_stride); ++k) {
      uint32_t any = 0;
      for (size_t row = 0; row < rows; ++row)
        any |= (uint32_t)ffn_bits(a[row * row_stride + k]) << 1;
      list[count] = (uint32_t)(block + k);
      count += any != 0;
    }
  for (size_t i = 0; i < FFN_LIST_AHEAD; ++i)
    list[count + i] = 0;
  return count;
}

/* 64-bit FNV-1a of a layer's name. */
static inline uint64_t ffn_layer_hash(const char *layer) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *layer; ++layer)
    hash = (hash ^ (unsigned char)*layer) * UINT64_C(0x100000001b3);
  return hash;
}

static inline void ffn_pack_header(void *packed, const ffn_chain *chain, float beta) {
  ffn_packed_header header = {{'F', 'F', 'N', 'P'}, FFN_ABI, 0, 0.0f, 1, {0}};
  assert((uintptr_t)packed % FFN_ALIGNMENT == 0);
  header.layer = chain->layer_hash;
  header.beta = beta;
  memcpy(packed, &header, sizeof header);
}

static inline int ffn_packed_is(const void *packed, uint64_t layer_hash) {
  ffn_packed_header header;
  memcpy(&header, packed, sizeof header);
  return memcmp(header.magic, "FFNP", 4) == 0 && header.abi == FFN_ABI &&
         header.layer == layer_hash;
}

static inline float ffn_packed_beta(const float *packed) {
  ffn_packed_header header;
  memcpy(&header, packed, sizeof header);
  return header.beta;
}

static inline int ffn_packed_finite(const float *packed) {
  ffn_packed_header header;
  memcpy(&header, packed, sizeof header);
  return (int)header.finite;
}

/* Notes in the header whether all `count` weights from w on are finite. */
static inline void ffn_pack_note_finite(void *packed, const float *w, size_t count) {
  ffn_packed_header header;
  uint32_t finite = 1;
  for (size_t i = 0; i < count; ++i)
    finite &= ffn_abs(w[i]) <= FLT_MAX;
  memcpy(&header, packed, sizeof header);
  header.finite &= finite;
  memcpy(packed, &header, sizeof header);
}

/* linear -> branch `branch` of a stage. */
static inline void ffn_pack_branch(void *packed, const ffn_chain_stage *stage, size_t branch,
                                   const ffn_linear *linear) {
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL);
  const size_t step = stage->branches * FFN_PANEL;
  float *panels = (float *)packed + stage->panels_at;
  float *bias = (float *)packed + stage->bias_at + branch * columns;
  for (size_t column = 0; column < columns; ++column) {
    float *out =
        panels + column / FFN_PANEL * inputs * step + branch * FFN_PANEL + column % FFN_PANEL;
    const float *row = column < outputs ? linear->weight + column * inputs : NULL;
    for (size_t k = 0; k < inputs; ++k)
      out[k * step] = row ? row[k] : 0.0f;
  }
  if (stage->bias)
    for (size_t column = 0; column < columns; ++column)
      bias[column] = column < outputs ? linear->bias[column] : 0.0f;
  ffn_pack_note_finite(packed, linear->weight, inputs * outputs);
}

/* The way back. Matrices that are NULL are passed over. */
static inline void ffn_unpack_branch(const ffn_linear *linear, const void *packed,
                                     const ffn_chain_stage *stage, size_t branch) {
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t step = stage->branches * FFN_PANEL;
  const float *panels = (const float *)packed + stage->panels_at;
  const float *bias =
      (const float *)packed + stage->bias_at + branch * ffn_round_up(outputs, FFN_PANEL);
  float *weight_out = (float *)(uintptr_t)linear->weight;
  float *bias_out = (float *)(uintptr_t)linear->bias;
  for (size_t column = 0; weight_out && column < outputs; ++column) {
    const float *in =
        panels + column / FFN_PANEL * inputs * step + branch * FFN_PANEL + column % FFN_PANEL;
    for (size_t k = 0; k < inputs; ++k)
      weight_out[column * inputs + k] = in[k * step];
  }
  if (stage->bias && bias_out)
    memcpy(bias_out, bias, outputs * sizeof *bias);
}

/* weights -> packed. */
static inline void ffn_pack_stages(void *packed, const ffn_chain *chain, const ffn_stage *stages,
                                   const ffn_weights *weights, float beta) {
  ffn_pack_header(packed, chain, beta);
  for (size_t s = 0; s < chain->stage_count; ++s)
    for (size_t b = 0; b < stages[s].branches; ++b)
      ffn_pack_branch(packed, &chain->stages[s], b, ffn_stage_linear(stages, weights, s, b));
}

static inline void ffn_unpack_stages(ffn_weights *weights, const ffn_chain *chain,
                                     const ffn_stage *stages, const void *packed) {
  weights->beta = ffn_packed_beta((const float *)packed);
  for (size_t s = 0; s < chain->stage_count; ++s)
    for (size_t b = 0; b < stages[s].branches; ++b)
      ffn_unpack_branch(ffn_stage_linear(stages, weights, s, b), packed, &chain->stages[s], b);
}

/* ---- The walk of a chain ------------------------------------------------------------------ */

/* Below this much work a second thread costs more than it brings (about 10 us of one core). */
#ifndef FFN_PARALLEL_FLOP
#define FFN_PARALLEL_FLOP 2000000u
#endif

typedef struct ffn_walk {
  const ffn_chain *chain;
  float *y;
  size_t y_stride;
  const float *x;
  size_t x_stride, tokens;
  const float *packed;
  float *work;
  size_t tasks;              /* of the parallel run under way */
  size_t stage, token, rows; /* of the stage under way, where its columns are split */
} ffn_walk;

/* Rows [token, token + rows) of x into the first stage's input, in its blocks, whatever the
 * caller's stride. */
static inline void ffn_walk_load(const ffn_walk *walk, float *slot, size_t token, size_t rows) {
  const ffn_chain_stage *stage = walk->chain->stages;
  for (size_t k = 0; k < stage->inputs; k += stage->row_stride)
    for (size_t row = 0; row < rows; ++row)
      memcpy(slot + stage->in_at + ffn_blocked(rows, row, k, stage->row_stride),
             walk->x + (token + row) * walk->x_stride + k,
             ffn_min(stage->inputs - k, stage->row_stride) * sizeof(float));
}

/* Columns [first, last) of a stage for a block of rows whose input lies in `slot`. */
static inline void ffn_walk_stage(const ffn_walk *walk, size_t s, float *slot, float *sum,
                                  size_t token, size_t rows, size_t first, size_t last) {
  const ffn_chain *chain = walk->chain;
  const ffn_chain_stage *stage = &chain->stages[s], *next = stage + 1;
  const int final = s + 1 == chain->stage_count;
  ffn_task task;
  task.out = final ? walk->y + token * walk->y_stride : slot + next->in_at;
  task.out_stride = walk->y_stride;
  task.in = slot + stage->in_at;
  task.packed = walk->packed;
  task.sum = sum;
  task.rows = rows;
  task.first = first;
  task.last = last;
  stage->pass(&task);
}

/* Rows [token, end) through all stages, a block of rows at a time. */
static inline void ffn_walk_rows(const ffn_walk *walk, float *slot, size_t token, size_t end) {
  const ffn_chain *chain = walk->chain;
  while (token < end) {
    const size_t rows = ffn_even_part(end - token, chain->row_block);
    ffn_walk_load(walk, slot, token, rows);
    for (size_t s = 0; s < chain->stage_count; ++s)
      ffn_walk_stage(walk, s, slot, slot + chain->sum_at, token, rows, 0,
                     ffn_round_up(chain->stages[s].outputs, FFN_PANEL));
    token += rows;
  }
}

/* Part `index` of `parts` of n, in multiples of step: [*first, *last). */
FFN_INLINE void ffn_share(size_t n, size_t step, size_t parts, size_t index, size_t *first,
                          size_t *last) {
  const size_t steps = (n + step - 1) / step;
  *first = ffn_min(steps * index / parts * step, n);
  *last = ffn_min(steps * (index + 1) / parts * step, n);
}

static inline void ffn_walk_rows_task(void *context, size_t index) {
  const ffn_walk *walk = (const ffn_walk *)context;
  size_t first, last;
  ffn_share(walk->tokens, walk->chain->row_tile, walk->tasks, index, &first, &last);
  walk->chain->rows(walk, walk->work + index * walk->chain->slot_floats, first, last);
}

static inline void ffn_walk_columns_task(void *context, size_t index) {
  const ffn_walk *walk = (const ffn_walk *)context;
  const ffn_chain *chain = walk->chain;
  const ffn_chain_stage *stage = &chain->stages[walk->stage];
  size_t first, last;
  ffn_share(ffn_round_up(stage->outputs, FFN_PANEL), stage->column_step, walk->tasks, index, &first,
            &last);
  if (first < last)
    ffn_walk_stage(walk, walk->stage, walk->work,
                   walk->work + index * chain->slot_floats + chain->sum_at, walk->token, walk->rows,
                   first, last);
}

/* y = layer(x). Many rows are split over rows: each thread walks the whole chain for its own. Few
 * rows are split over columns, one stage after the other. Never over k: no split changes a bit. */
static inline void ffn_chain_run(const ffn_chain *chain, float *y, size_t y_stride, const float *x,
                                 size_t x_stride, size_t tokens, const void *packed, void *work,
                                 const ffn_parallel *parallel) {
  ffn_walk walk = {chain, y, y_stride, x, x_stride, tokens, NULL, NULL, 0, 0, 0, 0};
  size_t threads = parallel ? parallel->threads : 1;
  assert(tokens == 0 || (x && y && packed && work));
  assert((uintptr_t)packed % FFN_ALIGNMENT == 0 && (uintptr_t)work % FFN_ALIGNMENT == 0);
  assert(tokens == 0 || ffn_packed_is(packed, chain->layer_hash));
  assert(x_stride >= chain->stages[0].inputs || tokens <= 1);
  assert(y_stride >= chain->stages[chain->stage_count - 1].outputs || tokens <= 1);
  if (tokens == 0)
    return;
  walk.packed = (const float *)packed;
  walk.work = (float *)work;

  if (tokens < FFN_PARALLEL_FLOP / chain->flop_per_token)
    threads = 1;
  if (threads <= 1) {
    chain->rows(&walk, walk.work, 0, tokens);
  } else if (tokens / threads >= 2 * chain->row_tile) {
    walk.tasks = threads;
    parallel->run(parallel->pool, threads, ffn_walk_rows_task, &walk);
  } else {
    while (walk.token < tokens) {
      walk.rows = ffn_even_part(tokens - walk.token, chain->row_block);
      ffn_walk_load(&walk, walk.work, walk.token, walk.rows);
      for (walk.stage = 0; walk.stage < chain->stage_count; ++walk.stage) {
        const ffn_chain_stage *stage = &chain->stages[walk.stage];
        walk.tasks =
            ffn_min(threads, (stage->outputs + stage->column_step - 1) / stage->column_step);
        parallel->run(parallel->pool, walk.tasks, ffn_walk_columns_task, &walk);
      }
      walk.token += walk.rows;
    }
  }
}

#endif
