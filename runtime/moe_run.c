/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_run.c - a mixture of experts: each expert runs once for all tokens that take it, on rows that
 * are gathered before. Experts are added to a row of y in ascending order, whatever the batch.
 *
 * Where kernels can be run by their stages, as most can, a call is three runs of the host's
 * threads: the router, the first stage of all experts, and the last, in which a thread has columns
 * of y to itself (moe_phases.h); a fourth one in front of the last lays hidden values of which a
 * whole row has one scale, as in dot_s8 those of i8. Elsewhere kernels run one after the other
 * (moe_jobs.h). */
#include "ffn_moe.h"
#include "kernel.h"

#include "moe_call.h"
#include "moe_jobs.h"
#include "moe_phases.h"
#include "moe_taken.h"

FFN_EXACT_BEGIN

/* ---- A layer and its parts ------------------------------------------------------------------ */

static void ffn_moe_complete(const ffn_moe *moe, const ffn_moe_parts *parts, ffn_moe_rule *rule) {
  FFN_MEMCPY(rule, &moe->rule, sizeof *rule);
  rule->correction = parts->correction;
  rule->expert_scale = parts->expert_scale;
}

static int ffn_moe_fits(const ffn_kernel *kernel, size_t inputs, size_t outputs) {
  return kernel && kernel->inputs == inputs && kernel->outputs == outputs;
}

const char *ffn_moe_problem(const ffn_moe *moe, const ffn_moe_parts *parts) {
  ffn_moe_rule rule;
  if (!moe || !parts)
    return "there is no layer, or there are no parts";
  ffn_moe_complete(moe, parts, &rule);
  if (moe->scales_experts != (rule.expert_scale != NULL))
    return "expert_scale is missing, or the layer has none";
  if (ffn_moe_rule_problem(&rule))
    return ffn_moe_rule_problem(&rule);
  if (!parts->experts)
    return "experts is NULL";
  if (!ffn_moe_fits(parts->expert_kernel, moe->inputs, moe->outputs))
    return "expert_kernel is missing, or has other sizes than the layer";
  if (parts->router_kernel && !ffn_moe_fits(parts->router_kernel, moe->inputs, ffn_moe_logits(moe)))
    return "router_kernel has other sizes than the layer";
  if ((moe->shared != FFN_MOE_NONE_SHARED) != (parts->shared_kernel != NULL))
    return "shared_kernel is missing, or the layer has no shared expert";
  if (!parts->shared_kernel)
    return NULL;
  return ffn_moe_fits(parts->shared_kernel, moe->inputs, moe->outputs)
             ? NULL
             : "shared_kernel has other sizes than the layer";
}

const char *ffn_moe_given_problem(const ffn_moe *moe, const ffn_moe_given *given, size_t tokens) {
  FFN_ASSERT(moe);
  if (!given)
    return NULL;
  if (given->weights && !given->numbers)
    return "weights are given, but no numbers, whose weights they are";
  if (given->weights && given->logits && moe->shared != FFN_MOE_SHARED_SIGMOID)
    return "logits are given beside numbers and weights, and nothing reads them";
  if (given->logits && tokens > 1 && given->logits_stride < ffn_moe_logits(moe))
    return "logits_stride is less than the logits of a token";
  return NULL;
}

/*@ dispatch */
int ffn_moe_find(const ffn_moe *moe, size_t max_tokens, unsigned cpu, ffn_moe_parts *parts) {
  FFN_ASSERT(moe && parts);
  parts->expert_kernel = ffn_find_limited(moe->expert_layer, max_tokens, cpu);
  parts->shared_kernel = ffn_find_limited(moe->shared_layer, max_tokens, cpu);
  parts->router_kernel = ffn_find_limited(moe->router_layer, max_tokens, cpu);
  return parts->expert_kernel && parts->router_kernel &&
         (parts->shared_kernel || moe->shared == FFN_MOE_NONE_SHARED);
}
/*@ end */

size_t ffn_moe_work_bytes(
    const ffn_moe *moe, const ffn_moe_parts *parts, size_t threads, size_t tokens) {
  ffn_moe_places places;
  FFN_ASSERT(!ffn_moe_problem(moe, parts));
  ffn_moe_places_of(moe, parts, threads, tokens < 1 ? 1 : tokens, &places);
  return places.end;
}

ffn_moe_told ffn_moe_tell(const ffn_moe *moe, const void *work, size_t tokens) {
  const char *from = (const char *)work;
  ffn_moe_places places;
  size_t fault[2];
  FFN_ASSERT(moe && work);
  ffn_moe_place_told(moe, tokens, &places);
  FFN_MEMCPY(fault, from + places.fault, sizeof fault);
  const ffn_moe_told told = {(const int32_t *)(const void *)(from + places.numbers),
      (const float *)(const void *)(from + places.weights),
      (const uint32_t *)(const void *)(from + places.rows), fault[0], fault[1]};
  return told;
}

/* ---- A call -------------------------------------------------------------------------------- */

static void ffn_moe_lay(ffn_moe_call *call, void *work, size_t threads) {
  ffn_moe_places places;
  char *at = (char *)work;
  ffn_moe_places_of(call->moe, call->parts, threads, call->tokens, &places);
  FFN_ASSERT(call->work_bytes >= places.end);
  call->fault = (size_t *)(void *)(at + places.fault);
  call->numbers = (int32_t *)(void *)(at + places.numbers);
  call->weights = (float *)(void *)(at + places.weights);
  call->rows = (uint32_t *)(void *)(at + places.rows);
  call->pairs = (uint32_t *)(void *)(at + places.pairs);
  call->gates = (float *)(void *)(at + places.gates);
  call->logits = (float *)(void *)(at + places.logits);
  call->in = (float *)(void *)(at + places.in);
  call->out = (float *)(void *)(at + places.out);
  call->jobs = (ffn_moe_job *)(void *)(at + places.jobs);
  call->laid = at + places.laid, call->operands = at + places.operands;
  call->slots = at + places.slots;
  call->group = places.group, call->row_bytes = places.row_bytes;
  call->slot_bytes = places.slot_bytes, call->room = places.room;
  call->work = at + places.kernels;
  call->work_bytes = places.end - places.kernels;
  call->fault[0] = call->fault[1] = SIZE_MAX;
}

/* What an assert asks of the memory of a call. */
FFN_APART int ffn_moe_apart(const ffn_moe_call *call, const void *work) {
  const ffn_span y = {call->y, call->y_stride, call->moe->outputs, call->tokens};
  const ffn_span x = {call->x, call->x_stride, call->moe->inputs, call->tokens};
  const ffn_span own = ffn_span_bytes(work, call->work_bytes / FFN_ALIGNMENT * FFN_ALIGNMENT);
  return work && (uintptr_t)work % FFN_ALIGNMENT == 0 && ffn_span_reads(&x) &&
         ffn_span_writes(&y) && ffn_span_reads(&own) && ffn_span_apart(&x, &y) &&
         ffn_span_apart(&own, &x) && ffn_span_apart(&own, &y);
}

/* Whether a call has too little work for a second thread: counted over all that it does. */
static int ffn_moe_is_small(const ffn_moe *moe, const ffn_moe_parts *parts, size_t tokens) {
  uint64_t flop = moe->rule.top_k * parts->expert_kernel->flop_per_token;
  flop += parts->shared_kernel ? parts->shared_kernel->flop_per_token : 0;
  flop += parts->router_kernel ? parts->router_kernel->flop_per_token : 0;
  return tokens < FFN_PARALLEL_FLOP / flop;
}

ffn_moe_status ffn_moe_run(const ffn_moe *moe, const ffn_moe_parts *parts, float *y,
    size_t y_stride, const float *x, size_t x_stride, size_t tokens, const ffn_moe_given *given,
    void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_moe_call call;
  FFN_ASSERT(!ffn_moe_problem(moe, parts));
  FFN_ASSERT(moe->shared == FFN_MOE_NONE_SHARED || parts->shared);
  if (tokens == 0)
    return FFN_MOE_OK;
  if (ffn_moe_given_problem(moe, given, tokens))
    return FFN_MOE_GIVEN;
  call.moe = moe, call.parts = parts, call.given = given, call.parallel = parallel;
  call.y = y, call.y_stride = y_stride, call.x = x, call.x_stride = x_stride;
  call.tokens = tokens, call.block = ffn_moe_block(parts, tokens);
  call.work_bytes = work_bytes, call.mode = ffn_mode_of_thread();
  call.threads = ffn_moe_is_small(moe, parts, tokens) ? 1 : ffn_threads_of(parallel);
  FFN_ASSERT(ffn_moe_apart(&call, work) && tokens <= UINT32_MAX / moe->rule.top_k);
  ffn_moe_complete(moe, parts, &call.rule);
  ffn_moe_lay(&call, work, ffn_threads_of(parallel));
  for (size_t token = 0; given && given->numbers && token < tokens; ++token)
    if (!ffn_moe_is_choice(&call, token))
      return FFN_MOE_CHOICE;
  ffn_moe_choose_all(&call);
  const ffn_moe_status status = ffn_moe_deal(&call);
  if (status != FFN_MOE_OK)
    return status;
  if (ffn_moe_in_phases(parts)) {
    ffn_moe_all_groups(&call);
  } else {
    ffn_moe_in_turn(&call);
  }
  return FFN_MOE_OK;
}

FFN_EXACT_END
