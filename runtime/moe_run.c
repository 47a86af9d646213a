/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_run.c - a mixture of experts, by calls of its experts' kernels: each expert runs once for all
 * tokens that take it, on rows that are gathered before, in ascending order of experts. So each row
 * of y is summed in this order, whatever the batch. */
#include "ffn_moe.h"
#include "kernel.h"

FFN_EXACT_BEGIN

/* Rows of one call of a kernel, at most. */
#define FFN_MOE_ROWS 256

/* ---- Work memory ---------------------------------------------------------------------------- */

/* Places in work memory, in bytes; `tell` needs those in front of `pairs` alone. */
typedef struct ffn_moe_places {
  size_t fault; /* size_t[2]: expert, token */
  size_t numbers, weights, rows; /* as ffn_moe_told has them */
  size_t pairs; /* uint32_t[tokens * top_k]: places in numbers, by expert */
  size_t gates; /* float[tokens]: what multiplies the shared expert */
  size_t logits, in, out; /* of a block of rows */
  size_t kernels; /* work memory of a kernel */
  size_t end; /* SIZE_MAX: more than there can be */
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

static void ffn_moe_places_of(const ffn_moe *moe, const ffn_moe_parts *parts, size_t threads,
    size_t tokens, ffn_moe_places *to) {
  const size_t block = ffn_moe_block(parts, tokens);
  const size_t of_expert = ffn_work_bytes(parts->expert_kernel, threads, block);
  const size_t of_shared = ffn_work_bytes(parts->shared_kernel, threads, block);
  const size_t of_router = ffn_work_bytes(parts->router_kernel, threads, block);
  ffn_moe_place_told(moe, tokens, to);
  to->pairs = ffn_moe_place(&to->end, tokens, moe->rule.top_k * sizeof(uint32_t));
  to->gates = ffn_moe_place(&to->end, tokens, sizeof(float));
  to->logits = ffn_moe_place(&to->end, block, ffn_moe_logits(moe) * sizeof(float));
  to->in = ffn_moe_place(&to->end, block, moe->inputs * sizeof(float));
  to->out = ffn_moe_place(&to->end, block, moe->outputs * sizeof(float));
  to->kernels = ffn_moe_place(&to->end, 1, ffn_max(of_expert, ffn_max(of_shared, of_router)));
}

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

/* ---- A call --------------------------------------------------------------------------------- */

typedef struct ffn_moe_call {
  const ffn_moe *moe;
  const ffn_moe_parts *parts;
  ffn_moe_rule rule; /* with what parts have of it */
  float *y;
  const float *x;
  size_t y_stride, x_stride, tokens, block;
  const ffn_moe_given *given;
  const ffn_parallel *parallel;
  int32_t *numbers;
  uint32_t *rows, *pairs;
  float *weights, *gates, *logits, *in, *out;
  size_t *fault;
  void *work;
  size_t work_bytes;
} ffn_moe_call;

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

static void ffn_moe_kernel(const ffn_moe_call *call, const ffn_kernel *kernel, float *y,
    size_t y_stride, const float *x, size_t x_stride, size_t rows, const void *packed) {
  ffn_run(
      kernel, y, y_stride, x, x_stride, rows, packed, call->work, call->work_bytes, call->parallel);
}

/* ---- Which experts -------------------------------------------------------------------------- */

static int ffn_moe_needs_logits(const ffn_moe *moe, const ffn_moe_given *given) {
  return !given || !given->numbers || !given->weights || moe->shared == FFN_MOE_SHARED_SIGMOID;
}

/* numbers and weights of a token whose logits are known, or NULL where nobody asks for them. */
static void ffn_moe_token(ffn_moe_call *call, size_t token, const float *logits) {
  const ffn_moe_given *given = call->given;
  const size_t top_k = call->rule.top_k, at = token * top_k;
  for (size_t i = at; given && given->numbers && i < at + top_k; ++i) {
    call->numbers[i] = given->numbers[i];
    if (given->weights)
      call->weights[i] = given->weights[i];
  }
  if (!given || !given->numbers) {
    ffn_moe_route(&call->rule, logits, call->numbers + at, call->weights + at);
  } else if (!given->weights) {
    ffn_moe_weigh(&call->rule, logits, call->numbers + at, call->weights + at);
  }
  if (call->moe->shared == FFN_MOE_SHARED_SIGMOID)
    call->gates[token] = ffn_moe_gate(logits[call->rule.experts]);
}

/* Whether a host's numbers of a token are experts, or -1, and each is there once. */
static int ffn_moe_is_choice(const ffn_moe_call *call, size_t token) {
  const int32_t *numbers = call->given->numbers + token * call->rule.top_k;
  for (size_t i = 0; i < call->rule.top_k; ++i) {
    int is_wrong = numbers[i] < -1 || numbers[i] >= (int32_t)call->rule.experts;
    for (size_t k = 0; k < i; ++k)
      is_wrong |= numbers[i] >= 0 && numbers[k] == numbers[i];
    if (is_wrong) {
      call->fault[0] = (size_t)(uint32_t)numbers[i], call->fault[1] = token;
      return 0;
    }
  }
  return 1;
}

/* The experts of all tokens. */
static void ffn_moe_choose_all(ffn_moe_call *call) {
  const ffn_moe_parts *parts = call->parts;
  const size_t width = ffn_moe_logits(call->moe);
  const int is_given = call->given && call->given->logits;
  const int is_needed = ffn_moe_needs_logits(call->moe, call->given);
  FFN_ASSERT(!is_needed || is_given || (parts->router_kernel && parts->router));
  for (size_t first = 0, rows; first < call->tokens; first += rows) {
    rows = ffn_min(call->block, call->tokens - first);
    if (is_needed && !is_given)
      ffn_moe_kernel(call, parts->router_kernel, call->logits, width,
          call->x + first * call->x_stride, call->x_stride, rows, parts->router);
    for (size_t token = first; token < first + rows; ++token)
      ffn_moe_token(call, token,
          is_given ? call->given->logits + token * call->given->logits_stride
                   : call->logits + (token - first) * width);
  }
}

/* pairs[] <- places in numbers, those of the first expert in front, each in the order of tokens;
 * rows[] <- how many each expert has. FFN_MOE_ABSENT: one of those is not there. */
static ffn_moe_status ffn_moe_deal(ffn_moe_call *call) {
  const size_t experts = call->rule.experts, all = call->tokens * call->rule.top_k;
  uint32_t next = 0;
  for (size_t e = 0; e < experts; ++e) {
    call->rows[e] = 0;
    FFN_SETTLE();
  }
  for (size_t i = 0; i < all; ++i)
    if (call->numbers[i] >= 0)
      ++call->rows[call->numbers[i]];
  for (size_t e = 0; e < experts; ++e)
    if (call->rows[e] > 0 && !call->parts->experts[e]) {
      call->fault[0] = e;
      for (call->fault[1] = 0; call->numbers[call->fault[1]] != (int32_t)e; ++call->fault[1])
        continue;
      call->fault[1] /= call->rule.top_k;
      return FFN_MOE_ABSENT;
    }
  for (size_t e = 0; e < experts; ++e) {
    const uint32_t rows = call->rows[e];
    call->rows[e] = next, next += rows; /* for now where its pairs begin */
  }
  for (size_t i = 0; i < all; ++i)
    if (call->numbers[i] >= 0)
      call->pairs[call->rows[call->numbers[i]]++] = (uint32_t)i;
  for (size_t e = experts; e-- > 1;) /* now where they end */
    call->rows[e] -= call->rows[e - 1];
  return FFN_MOE_OK;
}

/* ---- What they give ------------------------------------------------------------------------- */

/* Whether a token has no choice. */
static int ffn_moe_is_nowhere(const ffn_moe_call *call, size_t token) {
  const size_t top_k = call->rule.top_k;
  for (size_t i = token * top_k; i < (token + 1) * top_k; ++i)
    if (call->numbers[i] < 0 && call->weights[i] != call->weights[i])
      return 1;
  return 0;
}

static void ffn_moe_fill(float *row, size_t count, float value) {
  for (size_t i = 0; i < count; ++i) {
    row[i] = value;
    FFN_SETTLE();
  }
}

/* Rows of y before the experts: what the shared one gives, or -0.0. fmaf(weight, o, -0.0) is the
 * product, rounded. */
static void ffn_moe_begin_rows(ffn_moe_call *call) {
  const ffn_moe_parts *parts = call->parts;
  const ffn_moe_shared shared = call->moe->shared;
  for (size_t first = 0, rows; shared != FFN_MOE_NONE_SHARED && first < call->tokens;
       first += rows) {
    rows = ffn_min(call->block, call->tokens - first);
    ffn_moe_kernel(call, parts->shared_kernel, call->y + first * call->y_stride, call->y_stride,
        call->x + first * call->x_stride, call->x_stride, rows, parts->shared);
  }
  for (size_t token = 0; token < call->tokens; ++token) {
    float *row = call->y + token * call->y_stride;
    if (ffn_moe_is_nowhere(call, token)) {
      ffn_moe_fill(row, call->moe->outputs, ffn_from_bits(0x7fc00000));
    } else if (shared == FFN_MOE_NONE_SHARED) {
      ffn_moe_fill(row, call->moe->outputs, -0.0f);
    } else if (shared != FFN_MOE_SHARED) {
      const float by = shared == FFN_MOE_SHARED_MEAN ? 0.5f : call->gates[token];
      for (size_t i = 0; i < call->moe->outputs; ++i)
        row[i] *= by;
    }
  }
}

/* What multiplies the result of a pair. */
static float ffn_moe_factor(const ffn_moe_call *call, uint32_t pair) {
  const float weight = call->rule.on_input ? 1 : call->weights[pair];
  return call->moe->shared == FFN_MOE_SHARED_MEAN ? weight * 0.5f : weight;
}

/* y = fmaf(factor, o, y), by the kernel's own code where it has some. */
static void ffn_moe_add(const ffn_kernel *kernel, float *y, const float *o, float factor) {
#ifndef FFN_NO_ADD
  if (kernel->adds && kernel->staged) {
    kernel->staged->pass->add_row(y, o, kernel->outputs, factor);
    return;
  }
#endif
  for (size_t i = 0; i < kernel->outputs; ++i)
    y[i] = ffn_fma(factor, o[i], y[i]);
}

/* One expert and so many of its pairs. A single row needs no copy. */
static void ffn_moe_expert(
    ffn_moe_call *call, const void *packed, const uint32_t *pairs, size_t rows) {
  const ffn_kernel *kernel = call->parts->expert_kernel;
  const size_t top_k = call->rule.top_k, inputs = call->moe->inputs;
  const int on_input = call->rule.on_input;
  if (rows == 1 && kernel->adds && !on_input) {
    const size_t token = pairs[0] / top_k;
    ffn_add(kernel, call->y + token * call->y_stride, call->y_stride,
        ffn_moe_factor(call, pairs[0]), call->x + token * call->x_stride, call->x_stride, 1, packed,
        call->work, call->work_bytes, call->parallel);
    return;
  }
  for (size_t r = 0; r < rows; ++r) {
    float *to = call->in + r * inputs;
    FFN_MEMCPY(to, call->x + pairs[r] / top_k * call->x_stride, inputs * sizeof *to);
    for (size_t i = 0; on_input && i < inputs; ++i)
      to[i] *= call->weights[pairs[r]];
  }
  ffn_moe_kernel(call, kernel, call->out, call->moe->outputs, call->in, inputs, rows, packed);
  for (size_t r = 0; r < rows; ++r)
    ffn_moe_add(kernel, call->y + pairs[r] / top_k * call->y_stride,
        call->out + r * call->moe->outputs, ffn_moe_factor(call, pairs[r]));
}

static void ffn_moe_experts(ffn_moe_call *call) {
  const uint32_t *pairs = call->pairs;
  for (size_t e = 0; e < call->rule.experts; ++e)
    for (size_t left = call->rows[e], rows; left > 0; left -= rows, pairs += rows) {
      rows = ffn_min(left, call->block);
      ffn_moe_expert(call, call->parts->experts[e], pairs, rows);
    }
}

/* ---- The layer ------------------------------------------------------------------------------ */

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
  call.work_bytes = work_bytes;
  FFN_ASSERT(ffn_moe_apart(&call, work) && tokens <= UINT32_MAX / moe->rule.top_k);
  ffn_moe_complete(moe, parts, &call.rule);
  ffn_moe_lay(&call, work, parallel ? parallel->threads : 1);
  for (size_t token = 0; given && given->numbers && token < tokens; ++token)
    if (!ffn_moe_is_choice(&call, token))
      return FFN_MOE_CHOICE;
  ffn_moe_choose_all(&call);
  const ffn_moe_status status = ffn_moe_deal(&call);
  if (status != FFN_MOE_OK)
    return status;
  ffn_moe_begin_rows(&call);
  ffn_moe_experts(&call);
  return FFN_MOE_OK;
}

FFN_EXACT_END
