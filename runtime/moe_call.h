/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_call.h - a call of a mixture: what it knows, and where this lies in work memory. A part of
 * moe_run.c, which stands in it where kernels are generated. */
#ifndef FFN_MOE_CALL_H
#define FFN_MOE_CALL_H

#include "ffn_moe.h"
#include "kernel.h"
/*@ end */

FFN_EXACT_BEGIN

/* Rows of a call of a kernel, at most. */
#define FFN_MOE_ROWS 256

/* Several threads take so many bytes of operands at a time, and FFN_MOE_ROWS rows at least. */
#ifndef FFN_MOE_GROUP
#define FFN_MOE_GROUP ((size_t)16 << 20)
#endif

/* Columns of y that a thread computes before it adds them, where there are many rows. */
#define FFN_MOE_COLUMNS 512

/* One kernel and some rows of x: what one expert does at a time. */
typedef struct ffn_moe_job {
  const ffn_kernel *kernel;
  const void *packed;
  const uint32_t *pairs; /* of its rows: places in numbers; NULL: tokens from `first` on */
  size_t first, rows;
  size_t output; /* of a kernel with several outputs, which one; else 0 */
  float *y; /* where the last stage gives whole rows */
  size_t y_stride;
  char *operands; /* of all stages, of all its rows: ffn_pass.sum_at bytes of each */
  const char *in; /* the operand of the first stage */
} ffn_moe_job;

typedef struct ffn_moe_call {
  const ffn_moe *moe;
  const ffn_moe_parts *parts;
  ffn_moe_rule rule; /* with what parts have of it */
  float *y;
  const float *x;
  size_t y_stride, x_stride, tokens, block;
  const ffn_moe_given *given;
  const ffn_parallel *parallel;
  size_t threads;
  ffn_mode mode;
  int32_t *numbers;
  uint32_t *rows, *pairs;
  float *weights, *gates, *logits, *in, *out;
  size_t *fault;
  ffn_moe_job *jobs;
  char *laid, *operands, *slots;
  size_t group, row_bytes, slot_bytes, room; /* as ffn_moe_places has them */
  void *work; /* of a kernel's run() */
  size_t work_bytes;
} ffn_moe_call;

/* ---- Kernels that are run by their stages --------------------------------------------------- */

static int ffn_moe_has_stages(const ffn_kernel *kernel) { return kernel && kernel->staged; }

/* The same of an expert, whose stages are a chain. */
static int ffn_moe_has_chain(const ffn_kernel *kernel) {
  return ffn_moe_has_stages(kernel) && !kernel->stages_share_x;
}

/* Whether experts are, or by run(). */
static int ffn_moe_in_phases(const ffn_moe_parts *parts) {
  return ffn_moe_has_chain(parts->expert_kernel) &&
         (!parts->shared_kernel || ffn_moe_has_chain(parts->shared_kernel));
}

/* Threads take columns of y in multiples of what all last stages do. */
static size_t ffn_moe_step(const ffn_moe_parts *parts) {
  const ffn_pass *pass = parts->expert_kernel->staged->pass;
  const size_t own = pass->stages[pass->stage_count - 1].column_step;
  if (!parts->shared_kernel)
    return own;
  pass = parts->shared_kernel->staged->pass;
  size_t step = own;
  while (step % pass->stages[pass->stage_count - 1].column_step != 0)
    step += own;
  return step;
}

/* ---- Work memory ---------------------------------------------------------------------------- */

/* Places in work memory, in bytes; `tell` needs those in front of `pairs` alone. */
typedef struct ffn_moe_places {
  size_t fault; /* size_t[2]: expert, token */
  size_t numbers, weights, rows; /* as ffn_moe_told has them */
  size_t pairs; /* uint32_t[tokens * top_k]: places in numbers, by expert */
  size_t gates; /* float[tokens]: what multiplies the shared expert */
  size_t logits, in, out; /* of a block of rows */
  size_t jobs, operands; /* of a group */
  size_t laid; /* one row, as an operand of experts and of the shared one */
  size_t slots; /* of threads: sums, a list or scratch, and columns to add */
  size_t kernels; /* work memory of a kernel's run() */
  size_t end; /* SIZE_MAX: more than there can be */
  size_t group, row_bytes; /* rows of a group, and bytes of the operands of each */
  size_t slot_bytes, room; /* of a thread, and floats of its columns to add, in front */
} ffn_moe_places;

/* The next so many values of so many bytes, and the end behind them. */
static size_t ffn_moe_place(size_t *end, size_t count, size_t bytes) {
  const size_t at = *end, room = SIZE_MAX - FFN_ALIGNMENT;
  if (at > room || (count > 0 && bytes > (room - at) / count)) {
    *end = SIZE_MAX;
  } else {
    *end = ffn_round_up(at + count * bytes, FFN_ALIGNMENT);
  }
  return at;
}

/* What a call tells lies in front, where neither kernels nor threads move it. */
static void ffn_moe_place_told(const ffn_moe *moe, size_t tokens, ffn_moe_places *to) {
  const size_t top_k = moe->rule.top_k;
  size_t end = 0;
  to->fault = ffn_moe_place(&end, 2, sizeof(size_t));
  to->rows = ffn_moe_place(&end, moe->rule.experts, sizeof(uint32_t));
  to->numbers = ffn_moe_place(&end, tokens, top_k * sizeof(int32_t));
  to->weights = ffn_moe_place(&end, tokens, top_k * sizeof(float));
  to->end = end;
}

static size_t ffn_moe_least(size_t most, const ffn_kernel *kernel) {
  return kernel && kernel->max_tokens > 0 ? ffn_min(most, kernel->max_tokens) : most;
}

/* Rows of a call of any of the kernels. */
static size_t ffn_moe_block(const ffn_moe_parts *parts, size_t tokens) {
  const size_t most = ffn_moe_least(ffn_min(tokens, FFN_MOE_ROWS), parts->expert_kernel);
  return ffn_moe_least(ffn_moe_least(most, parts->shared_kernel), parts->router_kernel);
}

static size_t ffn_moe_logits(const ffn_moe *moe) {
  return moe->rule.experts + (moe->shared == FFN_MOE_SHARED_SIGMOID ? 1 : 0);
}

/* Rows of a job of a kernel, of a block of rows. */
static size_t ffn_moe_job_rows(const ffn_kernel *kernel, size_t block) {
  return ffn_moe_has_stages(kernel) ? ffn_min(block, kernel->staged->pass->rows_per_walk) : block;
}

/* Bytes of the operands of a row. */
static size_t ffn_moe_operands(const ffn_kernel *kernel) {
  return ffn_moe_has_stages(kernel) ? kernel->staged->pass->sum_at : 0;
}

/* Bytes that a thread needs beside operands, for a job of so many rows at most: sums, and behind
 * them the list or scratch. */
static size_t ffn_moe_sums(const ffn_kernel *kernel, size_t rows) {
  const ffn_pass *pass = kernel->staged->pass;
  return ffn_round_up(rows * (pass->work_row - pass->sum_at), FFN_ALIGNMENT);
}

static size_t ffn_moe_slot(const ffn_kernel *kernel, size_t block) {
  if (!ffn_moe_has_stages(kernel))
    return 0;
  return ffn_moe_sums(kernel, ffn_moe_job_rows(kernel, block)) +
         ffn_round_up(kernel->staged->pass->beside, FFN_ALIGNMENT);
}

/* Columns of y, in whole steps; some columns of a job's rows are added at a time. */
static size_t ffn_moe_columns(const ffn_moe *moe, const ffn_moe_parts *parts) {
  return ffn_round_up(moe->outputs, ffn_moe_step(parts));
}

static size_t ffn_moe_room(const ffn_moe *moe, const ffn_moe_parts *parts, size_t block) {
  const size_t columns = ffn_moe_columns(moe, parts), step = ffn_moe_step(parts);
  const size_t many = ffn_min(columns, ffn_round_up(FFN_MOE_COLUMNS, step));
  return ffn_max(block * many, ffn_min(columns, ffn_round_up(8 * FFN_MOE_COLUMNS, step)));
}

/* What phases need: of one thread a job is a group. */
static void ffn_moe_place_phases(const ffn_moe *moe, const ffn_moe_parts *parts, size_t threads,
    size_t tokens, ffn_moe_places *to) {
  const int in_phases = ffn_moe_in_phases(parts);
  const size_t block = ffn_moe_block(parts, tokens);
  const ffn_kernel *expert = in_phases ? parts->expert_kernel : NULL;
  const ffn_kernel *shared = in_phases ? parts->shared_kernel : NULL;
  const ffn_kernel *router = parts->router_kernel;
  const size_t slot = ffn_max(ffn_moe_slot(expert, block), ffn_moe_slot(shared, block));
  const size_t a_token = moe->rule.top_k + (shared ? 1 : 0);
  to->row_bytes = ffn_max(ffn_moe_operands(expert), ffn_moe_operands(shared));
  to->group = block;
  if (threads > 1 && in_phases) {
    const size_t most = ffn_max(FFN_MOE_ROWS, FFN_MOE_GROUP / to->row_bytes);
    to->group = ffn_max(block, tokens < most / a_token ? tokens * a_token : most);
  }
  to->room = in_phases ? ffn_moe_room(moe, parts, block) : 0;
  to->slot_bytes = ffn_round_up(to->room * sizeof(float), FFN_ALIGNMENT) +
                   ffn_max(slot, ffn_moe_slot(router, block));
  to->jobs = ffn_moe_place(&to->end, 2 * to->group, sizeof(ffn_moe_job)); /* a router has two */
  to->laid = ffn_moe_place(&to->end, 2, to->row_bytes);
  to->operands = ffn_moe_place(
      &to->end, 1, ffn_max(to->group * to->row_bytes, block * ffn_moe_operands(router)));
  to->slots = ffn_moe_place(&to->end, threads, to->slot_bytes);
}

static void ffn_moe_places_of(const ffn_moe *moe, const ffn_moe_parts *parts, size_t threads,
    size_t tokens, ffn_moe_places *to) {
  const size_t block = ffn_moe_block(parts, tokens);
  const int in_phases = ffn_moe_in_phases(parts);
  const ffn_kernel *router = ffn_moe_has_stages(parts->router_kernel) ? NULL : parts->router_kernel;
  const size_t of_router = ffn_work_bytes(router, threads, block);
  const size_t of_expert = in_phases ? 0 : ffn_work_bytes(parts->expert_kernel, threads, block);
  const size_t of_shared = in_phases ? 0 : ffn_work_bytes(parts->shared_kernel, threads, block);
  ffn_moe_place_told(moe, tokens, to);
  to->pairs = ffn_moe_place(&to->end, tokens, moe->rule.top_k * sizeof(uint32_t));
  to->gates = ffn_moe_place(&to->end, tokens, sizeof(float));
  to->logits = ffn_moe_place(&to->end, block, ffn_moe_logits(moe) * sizeof(float));
  to->in = ffn_moe_place(&to->end, block, moe->inputs * sizeof(float));
  to->out = ffn_moe_place(&to->end, in_phases ? 0 : block, moe->outputs * sizeof(float));
  ffn_moe_place_phases(moe, parts, ffn_max(threads, 1), tokens, to);
  to->kernels = ffn_moe_place(&to->end, 1, ffn_max(of_expert, ffn_max(of_shared, of_router)));
}

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
