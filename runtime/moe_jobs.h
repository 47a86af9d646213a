/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_jobs.h - a mixture as jobs, each of one kernel and some rows, in the order in which a row of
 * y is summed; and these one after the other, by run(). A part of moe_run.c. */
#ifndef FFN_MOE_JOBS_H
#define FFN_MOE_JOBS_H

#include "ffn_moe.h"
#include "kernel.h"

#include "moe_call.h"
/*@ end */

FFN_EXACT_BEGIN

static size_t ffn_moe_token_of(const ffn_moe_call *call, const ffn_moe_job *job, size_t row) {
  return job->pairs ? job->pairs[row] / call->rule.top_k : job->first + row;
}

/* What multiplies the result of a row. */
static float ffn_moe_factor(const ffn_moe_call *call, const ffn_moe_job *job, size_t row) {
  const ffn_moe_shared shared = call->moe->shared;
  const float half = shared == FFN_MOE_SHARED_MEAN ? 0.5f : 1;
  if (!job->pairs)
    return shared == FFN_MOE_SHARED_SIGMOID ? call->gates[job->first + row] : half;
  return call->rule.on_input ? half : call->weights[job->pairs[row]] * half;
}

/* y = fmaf(factor, o, y) of some columns, by the kernel's own code where it has some. */
static void ffn_moe_add(
    const ffn_kernel *kernel, float *y, const float *o, size_t count, float factor) {
#ifndef FFN_NO_ADD
  if (kernel->adds && kernel->staged) {
    kernel->staged->pass->add_row(y, o, count, factor);
    return;
  }
#else
  (void)kernel;
#endif
  for (size_t i = 0; i < count; ++i)
    y[i] = ffn_fma(factor, o[i], y[i]);
}

/* Rows of x of a job, `stride` apart: where they lie one behind the other, they are not copied. */
static const float *ffn_moe_rows(const ffn_moe_call *call, const ffn_moe_job *job, size_t *stride) {
  const size_t inputs = call->moe->inputs, first = ffn_moe_token_of(call, job, 0);
  const int on_input = job->pairs && call->rule.on_input;
  *stride = call->x_stride;
  if (!on_input && ffn_moe_token_of(call, job, job->rows - 1) - first == job->rows - 1)
    return call->x + first * call->x_stride;
  for (size_t r = 0; r < job->rows; ++r) {
    float *to = call->in + r * inputs;
    FFN_MEMCPY(to, call->x + ffn_moe_token_of(call, job, r) * call->x_stride, inputs * sizeof *to);
    for (size_t i = 0; on_input && i < inputs; ++i)
      to[i] *= call->weights[job->pairs[r]];
  }
  *stride = inputs;
  return call->in;
}

/* ---- All jobs, in their order --------------------------------------------------------------- */

/* What comes next: the expert that all tokens take, then the others, by ascending number. */
typedef struct ffn_moe_cursor {
  size_t token, expert, done; /* rows of the expert that are */
  const uint32_t *pairs;
} ffn_moe_cursor;

static void ffn_moe_begin(const ffn_moe_call *call, ffn_moe_cursor *at) {
  at->token = call->moe->shared == FFN_MOE_NONE_SHARED ? call->tokens : 0;
  at->expert = at->done = 0;
  at->pairs = call->pairs;
}

/* The next job, of one row at least. 0: there is none. */
static int ffn_moe_next_job(const ffn_moe_call *call, ffn_moe_cursor *at, ffn_moe_job *job) {
  const ffn_moe_parts *parts = call->parts;
  const int is_shared = at->token < call->tokens;
  while (!is_shared && at->expert < call->rule.experts && at->done == call->rows[at->expert])
    ++at->expert, at->done = 0;
  if (!is_shared && at->expert == call->rule.experts)
    return 0;
  job->kernel = is_shared ? parts->shared_kernel : parts->expert_kernel;
  job->packed = is_shared ? parts->shared : parts->experts[at->expert];
  job->y = call->y, job->y_stride = call->y_stride;
  job->first = at->token, job->output = 0;
  job->pairs = is_shared ? NULL : at->pairs;
  job->rows =
      ffn_even_part(is_shared ? call->tokens - at->token : call->rows[at->expert] - at->done,
          ffn_moe_job_rows(job->kernel, call->block));
  if (is_shared) {
    at->token += job->rows;
  } else {
    at->done += job->rows, at->pairs += job->rows;
  }
  return 1;
}

/* ---- How rows of y begin -------------------------------------------------------------------- */

/* Whether a token has no choice. */
static int ffn_moe_is_nowhere(const ffn_moe_call *call, size_t token) {
  const size_t top_k = call->rule.top_k;
  for (size_t i = token * top_k; i < (token + 1) * top_k; ++i)
    if (call->numbers[i] < 0 && call->weights[i] != call->weights[i])
      return 1;
  return 0;
}

/* Columns [first, last) of all rows of y, before any job: fmaf(factor, o, -0.0) is the product,
 * rounded. A row whose token has no choice is NaN, and stays so. */
static void ffn_moe_begin_rows(const ffn_moe_call *call, size_t first, size_t last) {
  for (size_t token = 0; token < call->tokens; ++token) {
    float *row = call->y + token * call->y_stride;
    const float value = ffn_moe_is_nowhere(call, token) ? ffn_from_bits(0x7fc00000) : -0.0f;
    for (size_t i = first; i < last; ++i) {
      row[i] = value;
      FFN_SETTLE();
    }
  }
}

/* ---- One job after the other, by run() ------------------------------------------------------ */

static void ffn_moe_run_job(const ffn_moe_call *call, const ffn_moe_job *job) {
  size_t stride;
  const float *x = ffn_moe_rows(call, job, &stride);
  ffn_run(job->kernel, job->y, job->y_stride, x, stride, job->rows, job->packed, call->work,
      call->work_bytes, call->parallel);
}

static void ffn_moe_in_turn(const ffn_moe_call *call) {
  const size_t outputs = call->moe->outputs;
  ffn_moe_cursor at;
  ffn_moe_job job;
  ffn_moe_begin(call, &at);
  ffn_moe_begin_rows(call, 0, outputs);
  while (ffn_moe_next_job(call, &at, &job)) {
    job.y = call->out, job.y_stride = outputs;
    ffn_moe_run_job(call, &job);
    for (size_t r = 0; r < job.rows; ++r)
      ffn_moe_add(job.kernel, call->y + ffn_moe_token_of(call, &job, r) * call->y_stride,
          call->out + r * outputs, outputs, ffn_moe_factor(call, &job, r));
  }
}

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
