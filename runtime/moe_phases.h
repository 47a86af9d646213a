/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_phases.h - the jobs of a mixture stage by stage: one run of the host's threads for each stage
 * of all of them, and not for each expert. A part of moe_run.c. */
#ifndef FFN_MOE_PHASES_H
#define FFN_MOE_PHASES_H

#include "ffn_moe.h"
#include "kernel.h"

#include "moe_jobs.h"
/*@ end */

FFN_EXACT_BEGIN

/* One run of the host's threads: a stage of some jobs. */
typedef struct ffn_moe_region {
  const ffn_moe_call *call;
  const ffn_moe_job *jobs;
  size_t count, behind; /* stages that come behind this one: 0, the last */
  size_t tasks;
  uint64_t cost; /* of all steps, in that of a row */
  int begins; /* 1: the rows of y begin here */
} ffn_moe_region;

/* ---- A job's part of a stage ---------------------------------------------------------------- */

/* A step reads weights once, which takes as long as so many rows. */
#define FFN_MOE_READ 4

static const ffn_pass *ffn_moe_pass(const ffn_moe_job *job) { return job->kernel->staged->pass; }

/* Stages of a job, one behind the other. Those of several outputs are jobs of their own. */
static size_t ffn_moe_stages(const ffn_moe_job *job) {
  return job->kernel->stages_share_x ? 1 : ffn_moe_pass(job)->stage_count;
}

/* All columns of a stage of a job. */
static void ffn_moe_part(
    const ffn_moe_region *region, const ffn_moe_job *job, size_t index, ffn_part *part) {
  const ffn_pass *pass = ffn_moe_pass(job);
  const size_t s = job->output + ffn_moe_stages(job) - 1 - region->behind;
  const ffn_call inner = {
      job->y, job->y_stride, NULL, 0, job->rows, job->packed, job->operands, 0, NULL, NULL, NULL};
  char *own = region->call->slots + index * region->call->slot_bytes;
  ffn_walk walk;
  ffn_walk_begin(&walk, pass, job->kernel, &inner);
  ffn_part_begin(part, &walk, s, job->operands, 0, job->rows, 1);
  if (s == 0)
    part->task.in = (const float *)(const void *)job->in;
  if (region->behind == 0)
    part->task.out = job->y;
  own += ffn_round_up(region->call->room * sizeof(float), FFN_ALIGNMENT);
  part->task.sum = (float *)(void *)own;
  part->task.list = (uint32_t *)(void *)(own + ffn_moe_sums(job->kernel, job->rows));
}

static uint64_t ffn_moe_cost(const ffn_moe_job *job, const ffn_stage_walk *stage) {
  return (uint64_t)stage->inputs * (job->rows + FFN_MOE_READ);
}

/* Steps of a part, each of so much cost, in front of a place among all steps. */
static size_t ffn_moe_steps_before(uint64_t place, uint64_t begins, size_t steps, uint64_t cost) {
  const uint64_t before = place > begins ? (place - begins + cost - 1) / cost : 0;
  return before < steps ? (size_t)before : steps;
}

/* Columns of a stage of each job that has it: a task has a share of the work of all. */
static void ffn_moe_stage_task(void *context, size_t index) {
  const ffn_moe_region *region = (const ffn_moe_region *)context;
  const ffn_mode other = ffn_mode_enter(region->call->mode);
  const uint64_t from = region->cost * index / region->tasks;
  const uint64_t until = region->cost * (index + 1) / region->tasks;
  uint64_t begins = 0;
  for (size_t i = 0; i < region->count; ++i) {
    const ffn_moe_job *job = &region->jobs[i];
    if (ffn_moe_stages(job) <= region->behind)
      continue;
    ffn_part part;
    ffn_moe_part(region, job, index, &part);
    const size_t steps = ffn_part_steps(&part), step = part.column_step;
    const uint64_t cost = ffn_moe_cost(job, part.stage);
    const size_t first = ffn_moe_steps_before(from, begins, steps, cost) * step;
    const size_t last = ffn_moe_steps_before(until, begins, steps, cost) * step;
    begins += steps * cost;
    part.task.last = ffn_min(part.task.last, last);
    part.task.first = first;
    if (first < part.task.last)
      part.stage->columns(&part.task);
  }
  ffn_mode_leave(other);
}

/* Columns [first, last) of the last stage of a job, added to y. */
static void ffn_moe_add_columns(
    const ffn_moe_region *region, const ffn_moe_job *job, size_t index, size_t first, size_t last) {
  const ffn_moe_call *call = region->call;
  const size_t step = ffn_moe_step(call->parts), outputs = call->moe->outputs;
  const size_t width = ffn_min(last - first, ffn_max(call->room / job->rows / step, 1) * step);
  float *columns = (float *)(void *)(call->slots + index * call->slot_bytes);
  ffn_part part;
  ffn_moe_part(region, job, index, &part);
  const size_t end = ffn_min(last, part.task.last);
  part.task.out_stride = width;
  for (size_t column = first, until; column < end; column = until) {
    until = ffn_min(end, column + width);
    part.task.first = column, part.task.last = until;
    /* Stages count columns from a row's first, which is not there. */
    part.task.out = (float *)((uintptr_t)columns - column * sizeof(float));
    part.stage->columns(&part.task);
    for (size_t r = 0; r < job->rows; ++r)
      ffn_moe_add(job->kernel, call->y + ffn_moe_token_of(call, job, r) * call->y_stride + column,
          columns + r * width, ffn_min(until, outputs) - column, ffn_moe_factor(call, job, r));
  }
}

/* Columns of y that one task has to itself, so that all jobs are added there in their order. */
static void ffn_moe_rows_task(void *context, size_t index) {
  const ffn_moe_region *region = (const ffn_moe_region *)context;
  const ffn_moe_call *call = region->call;
  const ffn_mode other = ffn_mode_enter(call->mode);
  size_t first, last;
  ffn_share(ffn_moe_columns(call->moe, call->parts), ffn_moe_step(call->parts), region->tasks,
      index, &first, &last);
  if (region->begins)
    ffn_moe_begin_rows(call, first, ffn_min(last, call->moe->outputs));
  for (size_t i = 0; first < last && i < region->count; ++i)
    ffn_moe_add_columns(region, &region->jobs[i], index, first, last);
  ffn_mode_leave(other);
}

/* ---- Runs of the host's threads ------------------------------------------------------------- */

static void ffn_moe_spread(
    ffn_moe_region *region, size_t most, void (*task)(void *context, size_t index)) {
  const ffn_parallel *parallel = region->call->parallel;
  region->tasks = ffn_min(region->call->threads, most);
  if (region->tasks > 1) {
    parallel->run(parallel->pool, region->tasks, task, region);
  } else if (region->tasks == 1) {
    task(region, 0);
  }
}

/* Rows of a job that wait for a stage as floats. */
static size_t ffn_moe_waiting(const ffn_moe_region *region, const ffn_moe_job *job) {
  const size_t stages = ffn_moe_stages(job), behind = region->behind + 1;
  return stages > behind && ffn_rows_wait(ffn_moe_pass(job), stages - behind) ? job->rows : 0;
}

/* A share of the rows of all jobs that wait. */
static void ffn_moe_lay_task(void *context, size_t index) {
  const ffn_moe_region *region = (const ffn_moe_region *)context;
  const ffn_mode other = ffn_mode_enter(region->call->mode);
  const uint64_t from = region->cost * index / region->tasks;
  const uint64_t until = region->cost * (index + 1) / region->tasks;
  uint64_t begins = 0;
  for (size_t i = 0; i < region->count; ++i) {
    const ffn_moe_job *job = &region->jobs[i];
    const size_t rows = ffn_moe_waiting(region, job);
    const size_t first = ffn_moe_steps_before(from, begins, rows, 1);
    const size_t last = ffn_moe_steps_before(until, begins, rows, 1);
    begins += rows;
    if (first < last)
      ffn_lay_waiting(ffn_moe_pass(job), ffn_moe_stages(job) - 1 - region->behind, job->packed,
          job->operands, rows, first, last);
  }
  ffn_mode_leave(other);
}

/* What waits for a stage: nothing, if no job has one that lays whole rows. */
static void ffn_moe_lay_waiting(ffn_moe_region *region) {
  region->cost = 0;
  for (size_t i = 0; i < region->count; ++i)
    region->cost += ffn_moe_waiting(region, &region->jobs[i]);
  ffn_moe_spread(region, (size_t)region->cost, ffn_moe_lay_task);
}

/* A stage of all jobs that have it. */
static void ffn_moe_stage(ffn_moe_region *region) {
  size_t all = 0;
  ffn_moe_lay_waiting(region);
  region->cost = 0;
  for (size_t i = 0; i < region->count; ++i) {
    const ffn_moe_job *job = &region->jobs[i];
    if (ffn_moe_stages(job) > region->behind) {
      ffn_part part;
      ffn_moe_part(region, job, 0, &part);
      const size_t steps = ffn_part_steps(&part);
      all += steps;
      region->cost += steps * ffn_moe_cost(job, part.stage);
    }
  }
  ffn_moe_spread(region, all, ffn_moe_stage_task);
}

/* Stages in front of the last one of some jobs. */
static size_t ffn_moe_most_behind(const ffn_moe_job *jobs, size_t count) {
  size_t most = 0;
  for (size_t i = 0; i < count; ++i)
    most = ffn_max(most, ffn_moe_stages(&jobs[i]) - 1);
  return most;
}

/* What an assert asks of packed weights. */
FFN_APART int ffn_moe_packed_is_right(const ffn_moe_call *call, const ffn_moe_job *job) {
  const ffn_pass *pass = ffn_moe_pass(job);
  const ffn_span y = {call->y, call->y_stride, call->moe->outputs, call->tokens};
  const ffn_span packed = ffn_span_bytes(job->packed, pass->packed_bytes);
  return (uintptr_t)job->packed % FFN_ALIGNMENT == 0 &&
         ffn_packed_is(job->packed, pass->packed_hash) && ffn_span_apart(&packed, &y);
}

/* Rows of x as an operand of floats, from where they lie. */
static void ffn_moe_lay_floats(const ffn_moe_call *call, const ffn_moe_job *job, float *to) {
  const ffn_stage_walk *stage = ffn_moe_pass(job)->stages;
  for (size_t r = 0; r < job->rows; ++r) {
    const float *x = call->x + ffn_moe_token_of(call, job, r) * call->x_stride;
    for (size_t k = 0; k < stage->inputs; k += stage->block)
      FFN_MEMCPY(to + ffn_blocked(job->rows, r, k, stage->block), x + k,
          ffn_min(stage->inputs - k, stage->block) * sizeof *to);
  }
}

/* Rows of x of a job as its operand, in work memory of its own. */
static void ffn_moe_lay_rows(const ffn_moe_call *call, ffn_moe_job *job, char *to) {
  const ffn_stage_walk *stage = ffn_moe_pass(job)->stages;
  const int of_floats = job->kernel->stages[0].arithmetic == FFN_ARITHMETIC_FMA_F32;
  FFN_ASSERT(ffn_moe_packed_is_right(call, job));
  to += job->rows * stage->in_at;
  job->in = to;
  if (of_floats && !(job->pairs && call->rule.on_input)) {
    ffn_moe_lay_floats(call, job, (float *)(void *)to);
    return;
  }
  size_t stride;
  const float *x = ffn_moe_rows(call, job, &stride);
  stage->take(stage, job->packed, to, x, stride, job->rows);
}

/* ---- Groups of jobs ------------------------------------------------------------------------- */

/* All jobs of a group, whose rows of x are laid. */
static void ffn_moe_run_group(const ffn_moe_call *call, size_t count, int begins) {
  ffn_moe_region region = {call, call->jobs, count, 0, 0, 0, begins};
  for (region.behind = ffn_moe_most_behind(call->jobs, count); region.behind > 0; --region.behind)
    ffn_moe_stage(&region);
  ffn_moe_lay_waiting(&region);
  ffn_moe_spread(&region, ffn_moe_columns(call->moe, call->parts) / ffn_moe_step(call->parts),
      ffn_moe_rows_task);
}

/* One token's x is laid once for all experts, and once for the shared one; but for each, where each
 * brings a scale of x. */
static void ffn_moe_lay_job(const ffn_moe_call *call, ffn_moe_job *job, const char **laid) {
  if (call->tokens > 1 || (job->pairs && call->rule.on_input) ||
      job->kernel->stages[0].operand_scale) {
    ffn_moe_lay_rows(call, job, job->operands);
    return;
  }
  const int shared = !job->pairs;
  if (!laid[shared])
    ffn_moe_lay_rows(call, job, call->laid + (size_t)shared * call->row_bytes),
        laid[shared] = job->in;
  FFN_ASSERT(ffn_moe_packed_is_right(call, job));
  job->in = laid[shared];
}

static void ffn_moe_all_groups(const ffn_moe_call *call) {
  const char *laid[2] = {NULL, NULL};
  size_t count = 0, rows = 0;
  int begins = 1;
  ffn_moe_cursor at;
  ffn_moe_job job;
  ffn_moe_begin(call, &at);
  while (ffn_moe_next_job(call, &at, &job)) {
    if (count > 0 && (call->threads == 1 || job.rows > call->group - rows)) {
      ffn_moe_run_group(call, count, begins);
      count = rows = 0, begins = 0;
    }
    job.operands = call->operands + rows * call->row_bytes;
    ffn_moe_lay_job(call, &job, laid);
    FFN_MEMCPY(&call->jobs[count++], &job, sizeof job);
    rows += job.rows;
  }
  if (count > 0 || begins)
    ffn_moe_run_group(call, count, begins);
}

/* Adds a job of the router; of one with several outputs a job for each. */
static void ffn_moe_add_router(const ffn_moe_call *call, ffn_moe_region *region, ffn_moe_job *job) {
  const ffn_pass *pass = ffn_moe_pass(job);
  const size_t outputs = job->kernel->stages_share_x ? pass->stage_count : 1;
  float *y = job->y;
  for (job->output = 0; job->output < outputs; ++job->output) {
    FFN_MEMCPY(&call->jobs[region->count++], job, sizeof *job);
    job->y += pass->stages[job->output].outputs;
  }
  job->y = y + job->rows * job->y_stride;
  job->first += job->rows;
}

/* What the router gives of a block of tokens from `first` on. */
static void ffn_moe_block_logits(const ffn_moe_call *call, size_t first, size_t rows) {
  const ffn_kernel *kernel = call->parts->router_kernel;
  ffn_moe_region region = {call, call->jobs, 0, 0, 0, 0, 0};
  ffn_moe_job job = {kernel, call->parts->router, NULL, first, rows, 0, call->logits,
      ffn_moe_logits(call->moe), NULL, NULL};
  if (!ffn_moe_has_stages(kernel)) {
    ffn_moe_run_job(call, &job);
    return;
  }
  job.operands = call->operands;
  for (size_t left = rows; left > 0; left -= job.rows) {
    job.rows = ffn_even_part(left, ffn_moe_job_rows(kernel, call->block));
    ffn_moe_lay_rows(call, &job, job.operands);
    ffn_moe_add_router(call, &region, &job);
    job.operands += job.rows * ffn_moe_operands(kernel);
  }
  for (region.behind = ffn_moe_most_behind(call->jobs, region.count) + 1; region.behind-- > 0;)
    ffn_moe_stage(&region);
}

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
