/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * train_walk.h - all that a generated training kernel includes: the walk of its two passes. Both
 * walk alike: a slab of rows, whole blocks of tokens, goes through one region of stages after the
 * other; their columns are split over threads. No split touches a sum. */
#ifndef FFN_TRAIN_WALK_H
#define FFN_TRAIN_WALK_H

#include "dropout.h"
#include "ffn_train.h"
#include "kernel.h"
/*@ end */

/* FFN_NO_TRAIN leaves training out. Who packs nothing trains nothing: every step packs. */
#if defined(FFN_NO_PACK) && !defined(FFN_NO_TRAIN)
#define FFN_NO_TRAIN
#endif

#ifndef FFN_NO_TRAIN
FFN_EXACT_BEGIN

/* Columns that are put in place together: so many of a row are read at once, and so few streams
 * written that a cache follows all of them. */
#define FFN_STRIP 64

/* Columns and zeros beyond the last, whole panels of them. */
#define FFN_WHOLE_PANELS(columns) (((columns) + FFN_PANEL - 1) / FFN_PANEL * FFN_PANEL)

/* What a call wants: a bit for each gradient of grad(), and for y, which is all that run_train()
 * gives; those of a gradient and of all in front of it. */
#define FFN_WANTS(gradient) (UINT64_C(1) << (gradient))
#define FFN_WANTS_TO(gradient) (2 * FFN_WANTS(gradient) - 1)
#define FFN_WANTS_Y FFN_WANTS(0)

/* What threads claim columns by. Where there is nothing to do it with, one thread does all. */
#if defined(__GNUC__) && __GCC_ATOMIC_POINTER_LOCK_FREE == 2
#define FFN_TRAIN_THREADS 1
#define FFN_TRAIN_LOAD(at) __atomic_load_n(at, __ATOMIC_RELAXED)
#define FFN_TRAIN_SET(at, was, to) \
  __atomic_compare_exchange_n(at, was, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#else
#define FFN_TRAIN_THREADS 0
#define FFN_TRAIN_LOAD(at) (*(at))
#define FFN_TRAIN_SET(at, was, to) (*(at) = (to), 1)
#endif

/* One task of a stage: rows [0, rows) of a slab, columns [first, last), multiples of 16: of what it
 * makes, or of the operand of a sum over tokens. */
typedef struct ffn_slab {
  float *out; /* what the stage makes first: the caller's rows, or a place in memory */
  size_t out_stride;
  const float *in; /* the stage's operand in memory, blocked as ffn_blocked() says */
  const char *weights; /* as an ffn_task has them */
  const float *bias;
  size_t begins, bias_step;
  const void *header;
  float *sum; /* this thread's sums */
  void *memory; /* what the stages of a pass give to each other */
  float *saved; /* of the slab's first row */
  const float *x, *dy; /* the caller's, of the slab's first row */
  size_t x_stride, dy_stride;
  const ffn_gradients *to;
  const ffn_dropout *dropout;
  size_t token; /* of the call: the slab's first row */
  int adds; /* sums over tokens are added to what is there */
  size_t rows, first, last;
} ffn_slab;

/* How the walk runs a stage. */
typedef struct ffn_train_stage {
  void (*columns)(const ffn_slab *task);
  size_t width, column_step; /* how many columns; threads take columns in multiples of the step */
  size_t weights_at, bias_at; /* bytes of packed weights in front of these */
  size_t region; /* stages of one need nothing of each other, and stand together */
  int over_tokens; /* a sum over tokens: of none it is 0 */
  size_t in_at, out_at; /* bytes of memory in front of these; SIZE_MAX for the caller's rows */
  uint64_t wants; /* FFN_WANTS(): runs where one of these gradients is wanted */
} ffn_train_stage;

typedef struct ffn_train_pass {
  const ffn_training *training;
  uint64_t packed_hash;
  const ffn_train_stage *stages;
  size_t stage_count;
  size_t rows; /* of a slab */
  size_t shared_bytes, thread_bytes; /* of work memory */
  uint64_t flop_per_token;
} ffn_train_pass;

/* A call that is under way. */
typedef struct ffn_train_walk {
  const ffn_train_pass *pass;
  const ffn_train_call *call; /* the caller's */
  ffn_slab slab; /* but for what a thread has of its own */
  uint64_t wanted;
  float *rows_out; /* the caller's: y, or dx */
  size_t token, tasks;
  const ffn_train_stage *region, *region_end; /* the stages under way */
  size_t claimed; /* columns of theirs that a thread has begun, one stage behind the other */
  ffn_mode mode; /* of who called, in which all tasks compute */
} ffn_train_walk;

/* Where column c of a row lies among panels [block of tokens][columns / 16][FFN_TOKEN_BLOCK][16].
 */
FFN_SHARED size_t ffn_paneled(size_t row, size_t c, size_t panels) {
  const size_t block = row / FFN_TOKEN_BLOCK * panels + c / FFN_PANEL;
  return (block * FFN_TOKEN_BLOCK + row % FFN_TOKEN_BLOCK) * FFN_PANEL + c % FFN_PANEL;
}

/* In front of each block of tokens among what is saved: from which call it is. */
typedef struct ffn_saved_header {
  char magic[4]; /* "FFNS" */
  uint32_t dropped; /* 0: nothing; 1: by the numbers below; 2: by masks, too */
  uint64_t packed; /* hash of the pass */
  uint64_t tokens; /* of the call, from this block on */
  uint64_t seed, first_token; /* the block's own */
  uint32_t layer, step;
} ffn_saved_header;

/* Where column c of a row lies, in elements, among what is saved of a slab: of the `of` of a token
 * behind `before`: [block of tokens][tensor][columns / 16][rows of the block][16], and a header in
 * front of the next block. What a tile makes stands together, and each block by itself, so that
 * gradients may begin at any. */
FFN_SHARED size_t ffn_saved_at(size_t rows, size_t row, size_t c, size_t of, size_t before) {
  const size_t first = row / FFN_TOKEN_BLOCK * FFN_TOKEN_BLOCK;
  const size_t count = ffn_min(rows - first, FFN_TOKEN_BLOCK);
  const size_t headers = first / FFN_TOKEN_BLOCK * (FFN_SAVED_HEADER / sizeof(float));
  return headers + first * of + before * count + ffn_blocked(count, row - first, c, FFN_PANEL);
}

/* The task's columns of the caller's rows into blocks of `width`, as ffn_blocked() says. */
FFN_SHARED void ffn_take_blocked(const ffn_slab *task, float *to, const float *from, size_t stride,
    size_t columns, size_t width) {
  const size_t last = ffn_min(task->last, columns);
  for (size_t c = task->first, count; c < last; c += count) {
    count = ffn_min(width - c % width, last - c);
    for (size_t row = 0; row < task->rows; ++row)
      FFN_MEMCPY(
          to + ffn_blocked(task->rows, row, c, width), from + row * stride + c, count * sizeof *to);
  }
}

/* The task's columns of the caller's rows into panels, with zeros behind the last column. */
FFN_SHARED void ffn_take_panels(
    const ffn_slab *task, float *to, const float *from, size_t stride, size_t columns) {
  const size_t panels = (columns + FFN_PANEL - 1) / FFN_PANEL;
  for (size_t strip = task->first; strip < task->last; strip += FFN_STRIP)
    for (size_t row = 0; row < task->rows; ++row)
      for (size_t c = strip; c < ffn_min(task->last, strip + FFN_STRIP); c += FFN_PANEL) {
        float *line = to + ffn_paneled(row, c, panels);
        const size_t count = ffn_min(columns - c, FFN_PANEL);
        if (count == FFN_PANEL) { /* a line, not a call */
          FFN_MEMCPY(line, from + row * stride + c, FFN_PANEL * sizeof *to);
          continue;
        }
        for (size_t i = 0; i < FFN_PANEL; ++i)
          line[i] = i < count ? from[row * stride + c + i] : 0.0f;
      }
}

/* What dropout multiplies the task's columns with, `columns` in a row, into blocks of `width`: its
 * place `index` of a layer. */
FFN_SHARED void ffn_take_mask(const ffn_slab *task, float *to, const ffn_dropout_place *places,
    size_t index, size_t columns, size_t width) {
  const ffn_dropout *dropout = task->dropout;
  if (!dropout)
    return;
  if (dropout->masks && dropout->masks[index]) {
    const float *given = dropout->masks[index] + task->token * columns;
    ffn_take_blocked(task, to, given, columns, columns, width);
    return;
  }
  for (size_t row = 0; row < task->rows; ++row) {
    uint64_t number = (dropout->first_token + task->token + row) * columns + task->first;
    for (size_t c = task->first, count, part; c < task->last; c += count, number += count) {
      float factors[FFN_PHILOX_WORDS];
      ffn_dropout_factors(factors, &places[index], index, dropout, number / 4);
      count = ffn_min(FFN_PHILOX_WORDS - (size_t)(number % 4), task->last - c);
      for (size_t i = 0; i < count; i += part) {
        part = ffn_min(width - (c + i) % width, count - i);
        FFN_MEMCPY(to + ffn_blocked(task->rows, row, c + i, width), factors + number % 4 + i,
            part * sizeof *to);
      }
    }
  }
}

/* The first `valid` columns of a tile's sums to where they belong. */
FFN_SHARED void ffn_put_sums(
    float *to, size_t stride, const float *sum, size_t cols, size_t rows, size_t valid, int adds) {
  for (size_t row = 0; row < rows; ++row)
    for (size_t c = 0; c < valid; ++c)
      to[row * stride + c] =
          adds ? to[row * stride + c] + sum[row * cols + c] : sum[row * cols + c];
}

/* The task's sums over no tokens: `each` of them for every one of the operand's columns. */
FFN_SHARED void ffn_put_zeros(const ffn_slab *task, float *to, size_t columns, size_t each) {
  for (size_t i = task->first * each; i < ffn_min(task->last, columns) * each && !task->adds; ++i)
    to[i] = 0.0f;
}

/* Sums of the operand's columns over tokens. */
FFN_SHARED void ffn_sum_columns(
    const ffn_slab *task, float *to, const float *in, size_t columns, size_t width) {
  if (!to)
    return;
  if (task->rows == 0)
    ffn_put_zeros(task, to, columns, 1);
  for (size_t c = task->first; c < ffn_min(task->last, columns); c += FFN_PANEL) {
    const size_t count = ffn_min(columns - c, FFN_PANEL);
    for (size_t token = 0; token < task->rows; token += FFN_TOKEN_BLOCK) {
      float sum[FFN_PANEL] = {0};
      for (size_t row = token; row < ffn_min(task->rows, token + FFN_TOKEN_BLOCK); ++row) {
        const float *line = in + ffn_blocked(task->rows, row, c, width);
        for (size_t i = 0; i < FFN_PANEL; ++i)
          sum[i] += line[i];
      }
      ffn_put_sums(to + c, 0, sum, FFN_PANEL, 1, count, token > 0 || task->adds);
    }
  }
}

/* weights -> the stream of a stage whose outputs are the inputs of stage `index`: k over the
 * outputs of each branch of that, one after the other, each filled up to `length` with zeros, whole
 * groups. It has no biases. */
FFN_SHARED void ffn_pack_transposed(ffn_packed_header *header, const ffn_packing *packing,
    size_t panels_at, size_t width, size_t bias_at, size_t length, const ffn_stage *stages,
    size_t index, const ffn_weights *weights, float *group) {
  const ffn_stage *stage = &stages[index];
  char *panels = (char *)header + panels_at;
  FFN_ASSERT(bias_at == 0);
  (void)bias_at; /* where asserts vanish */
  for (size_t c = 0; c < ffn_round_up(stage->inputs, FFN_PANEL); ++c) {
    const ffn_panel_place place = ffn_panel_at(packing, stage->branches * length, 1, width, 0, c);
    for (size_t branch = 0; branch < stage->branches; ++branch) {
      const ffn_linear *linear = ffn_stage_linear(stages, weights, index, branch);
      const size_t each =
          ffn_source_block(linear->source).bytes; /* of one input, in all of these */
      const size_t bytes = ffn_row_step(stage, linear->source, linear->row_bytes);
      for (size_t k = 0; k < length; k += packing->k) {
        const int there = k < stage->outputs && c < stage->inputs;
        const ffn_numbers from = {there ? ffn_linear_place(stage, linear, k) + c * each : NULL,
            bytes, there ? stage->outputs - k : 0, 0.0f, NULL, NULL, linear->source};
        ffn_pack_group(
            packing, panels, &place, (branch * length + k) / packing->k, from, group, NULL);
      }
    }
  }
  ffn_pack_pad(packing, panels, stage->inputs, stage->branches * length, 1);
}

/* A weight as a float, of bits too: those of bf16, the only ones that are trained. */
FFN_SHARED float ffn_trained_weight(
    const ffn_stage *stage, const ffn_linear *linear, size_t row, size_t column) {
  const char *at = ffn_linear_place(stage, linear, row);
  float value;
  if (linear->source == FFN_SOURCE_F32) {
    FFN_MEMCPY(&value, at + column * sizeof value, sizeof value);
  } else {
    uint16_t half;
    FFN_ASSERT(linear->source == stage->source);
    FFN_MEMCPY(&half, at + column * sizeof half, sizeof half);
    const uint32_t bits = (uint32_t)half << 16;
    FFN_MEMCPY(&value, &bits, sizeof value);
  }
  return value;
}

/* Packs the transposed matrices of all stages of a layer whose stages read x: one matrix of the
 * rows of all of theirs, so many together, in order. */
FFN_SHARED void ffn_pack_stacked(ffn_packed_header *header, const ffn_packing *packing,
    size_t panels_at, size_t width, size_t bias_at, size_t rows, const ffn_stage *stages,
    const ffn_weights *weights, float *group) {
  const size_t inputs = stages->inputs;
  char *panels = (char *)header + panels_at;
  const ffn_numbers from = {
      (const char *)group, sizeof *group, packing->k, 0.0f, NULL, NULL, FFN_SOURCE_F32};
  FFN_ASSERT(bias_at == 0);
  (void)bias_at; /* where asserts vanish */
  for (size_t c = 0; c < ffn_round_up(inputs, FFN_PANEL); ++c) {
    const ffn_panel_place place = ffn_panel_at(packing, rows, 1, width, 0, c);
    size_t s = 0, row = 0; /* which row of which stage comes next */
    for (size_t k = 0; k < rows; k += packing->k) {
      for (size_t i = 0; i < packing->k; ++i, ++row) {
        if (k + i < rows && row == stages[s].outputs)
          ++s, row = 0;
        group[i] = k + i < rows && c < inputs
                       ? ffn_trained_weight(&stages[s], &weights->chain[s], row, c)
                       : 0.0f;
      }
      ffn_pack_group(packing, panels, &place, k / packing->k, from, group, NULL);
    }
  }
  ffn_pack_pad(packing, panels, inputs, rows, 1);
}

/* One value of each row's: 16 partial sums in ascending order, column c in that of c modulo 16,
 * folded pairwise; added to what is there from a later stage, or not. The first of a line holds it.
 */
FFN_SHARED void ffn_fold_rows(
    const ffn_slab *task, float *to, const float *in, size_t columns, size_t width, int adds) {
  for (size_t row = 0; row < task->rows; ++row) {
    float sum[FFN_PANEL] = {0};
    for (size_t c = 0; c < columns; c += FFN_PANEL) {
      const float *line = in + ffn_blocked(task->rows, row, c, width);
      for (size_t i = 0; i < ffn_min(columns - c, FFN_PANEL); ++i)
        sum[i] += line[i];
    }
    for (size_t half = FFN_PANEL / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; ++i)
        sum[i] += sum[i + half];
    to[row * FFN_PANEL] = adds ? to[row * FFN_PANEL] + sum[0] : sum[0];
  }
}

/* Whether a stage has anything to do: where a slab has no rows, what sums over tokens has. */
FFN_SHARED int ffn_train_runs(const ffn_train_walk *walk, const ffn_train_stage *stage) {
  return (stage->wants & walk->wanted) != 0 && (walk->slab.rows > 0 || stage->over_tokens);
}

/* How many of the columns left a thread takes at once: half of an even part, so that no thread
 * waits long for another, whatever else its core has to do. */
FFN_SHARED size_t ffn_next_share(size_t left, size_t step, size_t tasks) {
  const size_t half = left / (2 * tasks) / step * step;
  return tasks <= 1 ? left : ffn_min(half > step ? half : step, left);
}

/* Columns [*first, *last) of a stage of the region, which no thread has begun; NULL: none is left.
 */
FFN_SHARED const ffn_train_stage *ffn_claim_columns(
    ffn_train_walk *walk, size_t *first, size_t *last) {
  size_t claimed = FFN_TRAIN_LOAD(&walk->claimed), share;
  const ffn_train_stage *stage;
  do {
    *first = claimed;
    for (stage = walk->region; stage < walk->region_end; ++stage) {
      const size_t width = ffn_train_runs(walk, stage) ? stage->width : 0;
      if (*first < width)
        break;
      *first -= width;
    }
    if (stage == walk->region_end)
      return NULL;
    share = ffn_next_share(stage->width - *first, stage->column_step, walk->tasks);
    *last = *first + share;
  } while (!FFN_TRAIN_SET(&walk->claimed, &claimed, claimed + share));
  return stage;
}

static inline void ffn_train_columns(void *context, size_t index) {
  ffn_train_walk *walk = (ffn_train_walk *)context;
  const ffn_train_stage *stage;
  ffn_slab task = walk->slab;
  task.sum = (float *)ffn_further(
      walk->call->work, walk->pass->shared_bytes + index * walk->pass->thread_bytes);
  while ((stage = ffn_claim_columns(walk, &task.first, &task.last)) != NULL) {
    task.weights = (const char *)task.header + stage->weights_at;
    task.bias = (const float *)((const char *)task.header + stage->bias_at);
    task.bias_step = stage->width;
    task.in = (const float *)ffn_further(walk->call->work, stage->in_at);
    task.out = stage->out_at == SIZE_MAX ? walk->rows_out
                                         : (float *)ffn_further(walk->call->work, stage->out_at);
    stage->columns(&task);
  }
}

/* The same on a host's thread. */
static inline void ffn_train_task(void *context, size_t index) {
  const ffn_mode other = ffn_mode_enter(((const ffn_train_walk *)context)->mode);
  ffn_train_columns(context, index);
  ffn_mode_leave(other);
}

/* All regions over a slab, one after the other. */
static inline void ffn_train_slab(ffn_train_walk *walk, const ffn_parallel *parallel, int split) {
  const ffn_train_stage *end = walk->pass->stages + walk->pass->stage_count;
  for (walk->region = walk->pass->stages; walk->region < end; walk->region = walk->region_end) {
    size_t steps = 0;
    for (walk->region_end = walk->region;
         walk->region_end < end && walk->region_end->region == walk->region->region;
         ++walk->region_end)
      if (ffn_train_runs(walk, walk->region_end))
        steps += (walk->region_end->width + walk->region_end->column_step - 1) /
                 walk->region_end->column_step;
    walk->claimed = 0;
    walk->tasks = split ? ffn_min(parallel->threads, steps) : 1;
    if (walk->tasks > 1)
      parallel->run(parallel->pool, walk->tasks, ffn_train_task, walk);
    else if (steps > 0)
      ffn_train_columns(walk, 0);
  }
}

/* A call of a pass as it begins, but for where its rows go, and what is saved. */
FFN_SHARED ffn_train_walk ffn_train_begin(
    const ffn_train_pass *pass, const ffn_train_call *call, uint64_t wanted) {
  ffn_train_walk walk;
  walk.pass = pass;
  walk.call = call;
  walk.slab.out = NULL, walk.slab.in = NULL, walk.slab.sum = NULL;
  walk.slab.out_stride = 0;
  walk.slab.weights = NULL, walk.slab.bias = NULL;
  walk.slab.begins = walk.slab.bias_step = 0;
  walk.slab.header = call->packed;
  walk.slab.memory = call->work;
  walk.slab.saved = NULL;
  walk.slab.x = call->x, walk.slab.dy = NULL;
  walk.slab.x_stride = call->x_stride, walk.slab.dy_stride = 0;
  walk.slab.to = NULL;
  walk.slab.dropout = call->dropout;
  walk.slab.token = 0;
  walk.slab.adds = 0;
  walk.slab.rows = walk.slab.first = walk.slab.last = 0;
  walk.wanted = wanted;
  walk.rows_out = NULL;
  walk.token = walk.tasks = walk.claimed = 0;
  walk.region = walk.region_end = NULL;
  walk.mode = 0;
  return walk;
}

/* ---- What is saved between the passes ------------------------------------------------------- */

/* Bytes of so many tokens, headers included; 0 where nothing is saved. */
FFN_SHARED size_t ffn_saved_extent(const ffn_training *training, size_t tokens) {
  return training->saved_row_bytes == 0
             ? 0
             : tokens * training->saved_row_bytes +
                   ffn_round_up(tokens, FFN_TOKEN_BLOCK) / FFN_TOKEN_BLOCK * FFN_SAVED_HEADER;
}

/* The header of a call's block that begins at `token`. */
FFN_SHARED ffn_saved_header ffn_saved_header_of(const ffn_training *training, uint64_t packed_hash,
    const ffn_dropout *drops, size_t tokens, size_t token) {
  const ffn_dropout *dropout = training->dropout_count > 0 ? drops : NULL;
  const ffn_saved_header header = {{'F', 'F', 'N', 'S'}, dropout ? dropout->masks ? 2u : 1u : 0u,
      packed_hash, tokens - token, dropout ? dropout->seed : 0,
      dropout ? dropout->first_token + token : 0, dropout ? dropout->layer : 0,
      dropout ? dropout->step : 0};
  return header;
}

/* Takes memory that is to be saved, and says in front of each block what it will hold. */
static inline void ffn_train_save(ffn_train_walk *walk) {
  const ffn_training *training = walk->pass->training;
  if (training->saved_row_bytes == 0 || walk->call->tokens == 0)
    return;
  for (size_t token = 0; token < walk->call->tokens; token += FFN_TOKEN_BLOCK) {
    const ffn_saved_header header = ffn_saved_header_of(
        training, walk->pass->packed_hash, walk->slab.dropout, walk->call->tokens, token);
    FFN_MEMCPY(
        ffn_further(walk->call->saved, ffn_saved_extent(training, token)), &header, sizeof header);
  }
  walk->slab.saved = (float *)ffn_further(walk->call->saved, FFN_SAVED_HEADER);
}

/* Takes what was saved, which this pass only reads. */
FFN_SHARED void ffn_train_load(ffn_train_walk *walk) {
  if (walk->pass->training->saved_row_bytes > 0 && walk->call->tokens > 0)
    walk->slab.saved = (float *)ffn_further(walk->call->saved, FFN_SAVED_HEADER);
}

/* Whether a call is that of run_train() which saved this, or for its first blocks. */
FFN_APART int ffn_train_is_saved(const ffn_training *training, uint64_t packed_hash,
    const ffn_dropout *dropout, size_t tokens, const void *saved) {
  const ffn_saved_header mine = ffn_saved_header_of(training, packed_hash, dropout, tokens, 0);
  ffn_saved_header there;
  if (training->saved_row_bytes == 0 || tokens == 0)
    return 1;
  FFN_MEMCPY(&there, saved, sizeof there);
  return there.magic[0] == 'F' && there.magic[1] == 'F' && there.magic[2] == 'N' &&
         there.magic[3] == 'S' && there.packed == mine.packed && there.dropped == mine.dropped &&
         there.seed == mine.seed && there.first_token == mine.first_token &&
         there.layer == mine.layer && there.step == mine.step &&
         (there.tokens == mine.tokens ||
             (there.tokens > mine.tokens && mine.tokens % FFN_TOKEN_BLOCK == 0));
}

/* ---- What a call asks for, told by asserts -------------------------------------------------- */

/* What a call reads and writes, gathered. */
typedef struct ffn_train_given {
  size_t reads, writes;
  ffn_span read[4 + FFN_MAX_STAGES], write[3 + 2 * FFN_MAX_BRANCHES * FFN_MAX_STAGES];
} ffn_train_given;

FFN_SHARED ffn_span ffn_train_rows(
    const ffn_train_walk *walk, const float *first, size_t stride, size_t columns) {
  const ffn_span rows = {first, stride, columns, walk->call->tokens};
  return rows;
}

/* What either pass reads, and its work memory. */
FFN_SHARED void ffn_train_gather(ffn_train_given *all, const ffn_train_walk *walk) {
  const ffn_training *training = walk->pass->training;
  const ffn_dropout *dropout = walk->slab.dropout;
  const size_t threads = ffn_threads_of(walk->call->parallel);
  all->reads = all->writes = 0;
  for (size_t i = 0; dropout && dropout->masks && i < training->dropout_count; ++i)
    all->read[all->reads++] = ffn_span_vector(dropout->masks[i],
        walk->call->tokens * training->stages[training->dropouts[i].stage].outputs);
  all->read[all->reads++] =
      ffn_train_rows(walk, walk->slab.x, walk->slab.x_stride, training->inputs);
  all->read[all->reads++] = ffn_span_bytes(walk->slab.header, training->packed_bytes);
  all->write[all->writes++] = ffn_span_bytes(
      walk->call->work, walk->pass->shared_bytes + threads * walk->pass->thread_bytes);
}

/* Whether nothing that is written has a float in common with anything else. */
FFN_APART int ffn_train_apart(const ffn_train_given *all) {
  for (size_t i = 0; i < all->writes; ++i) {
    for (size_t j = 0; j < all->reads; ++j)
      if (!ffn_span_apart(&all->write[i], &all->read[j]))
        return 0;
    for (size_t j = 0; j < i; ++j)
      if (!ffn_span_apart(&all->write[i], &all->write[j]))
        return 0;
  }
  return 1;
}

/* Whether what both passes take is there and aligned. */
FFN_APART int ffn_train_fits(const ffn_train_walk *walk) {
  const ffn_training *training = walk->pass->training;
  const ffn_slab *slab = &walk->slab;
  const ffn_span x = ffn_train_rows(walk, slab->x, slab->x_stride, training->inputs);
  for (size_t i = 0; slab->dropout && slab->dropout->masks && i < training->dropout_count; ++i)
    if (!ffn_span_aligned(slab->dropout->masks[i]))
      return 0;
  return slab->header && walk->call->work && (uintptr_t)slab->header % FFN_ALIGNMENT == 0 &&
         (uintptr_t)walk->call->work % FFN_ALIGNMENT == 0 &&
         (training->saved_row_bytes == 0 ||
             ((walk->call->saved || walk->call->tokens == 0) &&
                 (uintptr_t)walk->call->saved % FFN_ALIGNMENT == 0)) &&
         ffn_packed_is(slab->header, walk->pass->packed_hash) && ffn_span_reads(&x) &&
         (ffn_threads_of(walk->call->parallel) == 1 || walk->call->parallel->run);
}

/* Whether y can be written, and is apart from all that the call takes. */
FFN_APART int ffn_train_y_apart(const ffn_train_walk *walk) {
  const ffn_training *training = walk->pass->training;
  const ffn_span y = ffn_train_rows(walk, walk->rows_out, walk->slab.out_stride, training->outputs);
  ffn_train_given all;
  ffn_train_gather(&all, walk);
  all.write[all.writes++] =
      ffn_span_bytes(walk->call->saved, ffn_saved_extent(training, walk->call->tokens));
  all.write[all.writes++] = y;
  return ffn_span_writes(&y) && ffn_train_apart(&all);
}

/* Where the gradients of a matrix go. */
FFN_SHARED const ffn_linear_gradient *ffn_gradient_of(
    const ffn_training *training, const ffn_gradients *to, size_t stage, size_t branch) {
  switch (training->stages[stage].matrix[branch]) {
  case FFN_MATRIX_GATE:
    return &to->gate;
  case FFN_MATRIX_UP:
    return &to->up;
  case FFN_MATRIX_DOWN:
    return &to->down;
  case FFN_MATRIX_CHAIN:
  default:
    break;
  }
  return to->chain ? &to->chain[stage] : NULL;
}

/* Whether dy can be read and gradients written, which are apart from each other and from all that
 * the call takes. */
FFN_APART int ffn_gradients_apart(const ffn_train_walk *walk) {
  const ffn_training *training = walk->pass->training;
  const ffn_gradients *to = walk->slab.to;
  const ffn_span dy = ffn_train_rows(walk, walk->slab.dy, walk->slab.dy_stride, training->outputs);
  const ffn_span dx = ffn_train_rows(walk, to->dx, to->dx_stride, training->inputs);
  ffn_train_given all;
  ffn_train_gather(&all, walk);
  all.read[all.reads++] = dy;
  all.read[all.reads++] =
      ffn_span_bytes(walk->call->saved, ffn_saved_extent(training, walk->call->tokens));
  if (to->dx)
    all.write[all.writes++] = dx;
  all.write[all.writes++] = ffn_span_vector(to->parameters, training->runtime_parameters);
  for (size_t s = 0; s < training->stage_count; ++s)
    for (size_t b = 0; b < training->stages[s].branches; ++b) {
      const ffn_stage *stage = &training->stages[s];
      const ffn_linear_gradient *linear = ffn_gradient_of(training, to, s, b);
      if (!linear)
        continue;
      all.write[all.writes++] = ffn_span_vector(linear->weight, stage->outputs * stage->inputs);
      all.write[all.writes++] = ffn_span_vector(stage->bias ? linear->bias : NULL, stage->outputs);
    }
  for (size_t i = 0; i < all.writes; ++i)
    if (!ffn_span_aligned(all.write[i].first))
      return 0;
  return ffn_span_reads(&dy) && (!to->dx || ffn_span_writes(&dx)) && ffn_train_apart(&all);
}

/* All tokens, a slab at a time. */
static inline void ffn_train_slabs(ffn_train_walk *walk) {
  const ffn_train_pass *pass = walk->pass;
  const ffn_parallel *parallel = walk->call->parallel;
  ffn_slab *slab = &walk->slab;
  const int split =
      FFN_TRAIN_THREADS && ffn_threads_of(parallel) > 1 &&
      walk->call->tokens >= 2 * FFN_PARALLEL_FLOP / pass->flop_per_token; /* it waits often */
  if (split)
    walk->mode = ffn_mode_of_thread();
  if (walk->call->tokens == 0)
    ffn_train_slab(walk, parallel, 0);
  while (walk->token < walk->call->tokens) {
    slab->rows = ffn_min(walk->call->tokens - walk->token, pass->rows);
    ffn_train_slab(walk, parallel, split);
    walk->token += slab->rows;
    if (walk->token == walk->call->tokens)
      return; /* no pointer moves on behind the last row */
    slab->token = walk->token;
    slab->adds = 1;
    if (walk->rows_out)
      walk->rows_out += slab->rows * slab->out_stride;
    slab->x += slab->rows * slab->x_stride;
    if (slab->dy)
      slab->dy += slab->rows * slab->dy_stride;
    slab->saved = (float *)ffn_further(slab->saved, ffn_saved_extent(pass->training, slab->rows));
  }
}

/* y and what is saved, as a call asks for them. */
static inline void ffn_train_run(const ffn_train_pass *pass, const ffn_train_call *call) {
  ffn_train_walk walk = ffn_train_begin(pass, call, FFN_WANTS_Y);
  walk.slab.out_stride = call->y_stride;
  walk.rows_out = call->y;
  FFN_ASSERT(ffn_train_fits(&walk));
  FFN_ASSERT(ffn_train_y_apart(&walk));
  ffn_train_save(&walk);
  ffn_train_slabs(&walk);
}

/* The gradients that a call wants. */
static inline void ffn_grad_run(
    const ffn_train_pass *pass, const ffn_train_call *call, uint64_t wanted) {
  ffn_train_walk walk = ffn_train_begin(pass, call, wanted);
  walk.slab.out_stride = call->to->dx_stride;
  walk.rows_out = call->to->dx;
  walk.slab.dy = call->dy;
  walk.slab.dy_stride = call->dy_stride;
  walk.slab.to = call->to;
  walk.slab.adds = call->to->accumulate;
  FFN_ASSERT(ffn_train_fits(&walk));
  FFN_ASSERT(ffn_packed_trains(call->packed, pass->training->packed_bytes));
  FFN_ASSERT(ffn_train_is_saved(
      pass->training, pass->packed_hash, call->dropout, call->tokens, call->saved));
  FFN_ASSERT(ffn_gradients_apart(&walk));
  ffn_train_load(&walk);
  ffn_train_slabs(&walk);
}

FFN_EXACT_END
#endif
/*@ foot */
#endif
/*@ end */
