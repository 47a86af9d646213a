/* ffn_moe_run(): memcmp with a loop over run(), token by token and expert by expert, for any split
 * of a batch, threads and formats; what it refuses; tokens without a choice; the sign of zeros. */
#include "ffn_moe.h"
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"
#include "support/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXPERTS = 5, MOST_TOKENS = 300 };

/* A layer whose experts are a kernel's, each with weights of its own; the last is the shared one.
 */
typedef struct rig {
  ffn_moe moe;
  ffn_moe_parts parts;
  const ffn_kernel *kernel;
  void *packed[EXPERTS + 1];
  const void *experts[EXPERTS];
  float scale[EXPERTS], correction[EXPERTS];
} rig;

static void open_rig(rig *r, const ffn_kernel *kernel, size_t top_k, ffn_moe_shared shared,
                     int on_input) {
  memset(r, 0, sizeof *r);
  r->kernel = kernel;
  r->moe = (ffn_moe){.inputs = kernel->inputs,
                     .outputs = kernel->outputs,
                     .shared = shared,
                     .rule = {.experts = EXPERTS,
                              .top_k = top_k,
                              .score = FFN_MOE_SIGMOID,
                              .corrected = FFN_MOE_SCORE_CORRECTED,
                              .on_input = on_input},
                     .scales_experts = 1};
  for (size_t e = 0; e <= EXPERTS; e++) {
    test_model model;
    test_model_open(&model, kernel, TEST_REALS, 200 + e);
    for (size_t m = 0; m < model.matrix_count; m++) /* each brings scales of its own */
      model.matrices[m].linear->operand_scale *= 1 + (float)e / 4;
    test_model_pack(&model);
    r->packed[e] = ffn_alloc(kernel->packed_bytes);
    memcpy(r->packed[e], model.packed, kernel->packed_bytes);
    test_model_close(&model);
  }
  for (size_t e = 0; e < EXPERTS; e++) {
    r->experts[e] = r->packed[e];
    r->scale[e] = 1.5f + test_uniform(31, e), r->correction[e] = test_uniform(32, e);
  }
  r->parts = (ffn_moe_parts){.expert_kernel = kernel,
                             .experts = r->experts,
                             .correction = r->correction,
                             .expert_scale = r->scale};
  if (shared != FFN_MOE_NONE_SHARED)
    r->parts.shared_kernel = kernel, r->parts.shared = r->packed[EXPERTS];
}

static void close_rig(rig *r) {
  for (size_t e = 0; e <= EXPERTS; e++)
    ffn_free(r->packed[e]);
}

/* y += factor * an expert's run() of one token, whose x is multiplied by `by`. */
static void naive_expert(const rig *r, float *y, const float *x, size_t e, float factor, float by) {
  const ffn_kernel *k = r->kernel;
  float *in = test_memory(k->inputs * sizeof *in), *o = test_memory(k->outputs * sizeof *o);
  for (size_t i = 0; i < k->inputs; i++)
    in[i] = by == 1 ? x[i] : by * x[i];
  test_run(k, o, in, 1, r->packed[e]);
  for (size_t i = 0; i < k->outputs; i++)
    y[i] = fmaf(factor, o[i], y[i]);
  free(in), free(o);
}

static void naive_token(const rig *r, float *y, const float *x, const float *logits) {
  const size_t top_k = r->moe.rule.top_k;
  int32_t numbers[EXPERTS];
  float weights[EXPERTS];
  ffn_moe_rule rule = r->moe.rule;
  rule.correction = r->correction, rule.expert_scale = r->scale;
  ffn_moe_route(&rule, logits, numbers, weights);
  for (size_t i = 0; i < r->kernel->outputs; i++)
    y[i] = numbers[0] < 0 ? NAN : -0.0f;
  const float half = r->moe.shared == FFN_MOE_SHARED_MEAN ? 0.5f : 1;
  if (r->moe.shared == FFN_MOE_SHARED_SIGMOID)
    naive_expert(r, y, x, EXPERTS, ffn_moe_gate(logits[EXPERTS]), 1);
  else if (r->moe.shared != FFN_MOE_NONE_SHARED)
    naive_expert(r, y, x, EXPERTS, half, 1);
  for (size_t k = 0; k < top_k && numbers[k] >= 0; k++) {
    const int on_input = rule.on_input;
    naive_expert(r, y, x, (size_t)numbers[k], half * (on_input ? 1 : weights[k]),
                 on_input ? weights[k] : 1);
  }
}

static void check_rows(const rig *r, const float *y, const float *right, size_t tokens,
                       const char *what) {
  for (size_t i = 0; i < tokens * r->kernel->outputs; i++)
    cr_assert(memcmp(&y[i], &right[i], sizeof *y) == 0 || (isnan(y[i]) && isnan(right[i])),
              "%s, %s: row %zu of %zu, column %zu: %a and not %a", r->kernel->name, what,
              i / r->kernel->outputs, tokens, i % r->kernel->outputs, (double)y[i],
              (double)right[i]);
}

/* Tokens [first, last) in a call of their own, whose memory is guarded. */
static void run_part(const rig *r, float *y, const float *x, const float *logits, size_t first,
                     size_t last, size_t threads) {
  const ffn_kernel *k = r->kernel;
  const size_t tokens = last - first, stride = k->outputs + 3;
  const size_t bytes = ffn_moe_work_bytes(&r->moe, &r->parts, threads, tokens);
  const test_guard work = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_END);
  const test_guard to =
      test_guard_open(((tokens - 1) * stride + k->outputs) * sizeof *y, sizeof *y, TEST_AT_END);
  float *rows = to.memory;
  test_pool *pool = test_pool_open(threads - 1, TEST_ORDER_SHUFFLE);
  const ffn_parallel parallel = test_pool_parallel(pool, threads);
  const ffn_moe_given given = {.logits = logits + first * (EXPERTS + 1),
                               .logits_stride = EXPERTS + 1};
  cr_assert(ffn_moe_run(&r->moe, &r->parts, rows, stride, x + first * k->inputs, k->inputs, tokens,
                        &given, work.memory, bytes, threads > 1 ? &parallel : NULL) == FFN_MOE_OK);
  for (size_t t = 0; t < tokens; t++)
    memcpy(y + (first + t) * k->outputs, rows + t * stride, k->outputs * sizeof *y);
  cr_assert(test_guard_intact(&work) && test_guard_intact(&to), "%s", k->name);
  test_pool_close(pool);
  test_guard_close(&work), test_guard_close(&to);
}

typedef enum choice { RANDOM, ONE, SOME_NAN } choice;

/* Random logits; the same for all tokens, so that experts have all or none; a NaN in some. */
static float logit_of(choice c, size_t token, size_t i) {
  const float logit = 3 * test_uniform(c == ONE ? 40 : 41 + token, i);
  return c == SOME_NAN && token % 3 == 1 && i == 2 ? NAN : logit;
}

static void check(const rig *r, size_t tokens, choice c, const char *what) {
  const ffn_kernel *k = r->kernel;
  float *x = test_inputs(k, tokens, TEST_REALS, 61), logits[MOST_TOKENS * (EXPERTS + 1)];
  float *y = test_memory(tokens * k->outputs * sizeof *y);
  float *right = test_memory(tokens * k->outputs * sizeof *y);
  for (size_t t = 0; t < tokens; t++) {
    for (size_t i = 0; i <= EXPERTS; i++)
      logits[t * (EXPERTS + 1) + i] = logit_of(c, t, i);
    naive_token(r, right + t * k->outputs, x + t * k->inputs, logits + t * (EXPERTS + 1));
  }
  for (size_t threads = 1; threads <= 3; threads++) {
    const size_t middle = tokens * threads / 4;
    run_part(r, y, x, logits, 0, tokens, threads);
    check_rows(r, y, right, tokens, what);
    if (middle > 0)
      run_part(r, y, x, logits, 0, middle, threads);
    run_part(r, y, x, logits, middle, tokens, threads);
    run_part(r, y, x, logits, tokens - 1, tokens, threads); /* one token, whose experts share x */
    check_rows(r, y, right, tokens, what);
  }
  free(x), free(y), free(right);
}

/* Every format and kind of layer once, with all that a layer may have in turn. */
EACH_KERNEL(mixtures, bits, TEST_SMALL_LAYER) {
  static const ffn_moe_shared shared[] = {FFN_MOE_NONE_SHARED, FFN_MOE_SHARED,
                                          FFN_MOE_SHARED_SIGMOID, FFN_MOE_SHARED_MEAN};
  const size_t turn = strlen(kernel->name) + kernel->inputs;
  const size_t most = kernel->max_tokens ? kernel->max_tokens : 9;
  rig r;
  open_rig(&r, kernel, 1 + turn % EXPERTS, shared[turn / 2 % 4], turn % 3 == 0);
  check(&r, most < 9 ? most : 9, (choice)(turn / 8 % 3), "in turn");
  close_rig(&r);
}

/* The first small layer that sums floats, or NULL. */
static const ffn_kernel *small_kernel(void) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (test_runs_here(*k) && test_is_base(*k) && !test_is_large(*k) && test_sums_f32(*k) &&
        (*k)->max_tokens == 0 && (*k)->flop_per_token < 100000 && (*k)->outputs > 4)
      return *k;
  return NULL;
}

/* All that a layer may have, on one kernel, in more rows than a call of a kernel takes; each third
 * form without its stages. */
Test(mixtures, forms) {
  const ffn_kernel *kernel = small_kernel();
  if (!kernel)
    cr_skip_test("no small kernel");
  ffn_kernel whole = *kernel;
  whole.staged = NULL;
  for (size_t i = 0; i < 4 * 2 * 3; i++) {
    rig r;
    open_rig(&r, i % 3 == 1 ? &whole : kernel, 1 + i % EXPERTS, (ffn_moe_shared)(i % 4),
             i / 4 % 2 == 1);
    check(&r, i < 4 ? MOST_TOKENS : 5, (choice)(i / 8), "a form");
    close_rig(&r);
  }
}

/* ---- The host's choice ---------------------------------------------------------------------- */

typedef struct hosts {
  rig r;
  float *x, *y, logits[3 * (EXPERTS + 1)];
  size_t bytes;
  void *work;
} hosts;

static int open_hosts(hosts *h) {
  const ffn_kernel *kernel = small_kernel();
  if (!kernel)
    return 0;
  open_rig(&h->r, kernel, 2, FFN_MOE_NONE_SHARED, 0);
  h->x = test_inputs(kernel, 3, TEST_REALS, 62);
  h->y = test_memory(3 * kernel->outputs * sizeof *h->y);
  h->bytes = ffn_moe_work_bytes(&h->r.moe, &h->r.parts, 1, 3);
  h->work = ffn_alloc(h->bytes);
  for (size_t i = 0; i < 3 * (EXPERTS + 1); i++)
    h->logits[i] = test_uniform(63, i);
  return 1;
}

static void close_hosts(hosts *h) {
  close_rig(&h->r);
  free(h->x), free(h->y), ffn_free(h->work);
}

static ffn_moe_status run_hosts(hosts *h, const ffn_moe_given *given) {
  const ffn_kernel *k = h->r.kernel;
  memset(h->y, 0xff, 3 * k->outputs * sizeof *h->y);
  memset(h->work, 0xff, h->bytes);
  return ffn_moe_run(&h->r.moe, &h->r.parts, h->y, k->outputs, h->x, k->inputs, 3, given, h->work,
                     h->bytes, NULL);
}

static int untouched(const hosts *h) {
  for (size_t i = 0; i < 3 * h->r.kernel->outputs * sizeof *h->y; i++)
    if (((const unsigned char *)h->y)[i] != 0xff)
      return 0;
  return 1;
}

/* Numbers in any order, with the host's weights and with the router's; -1 is no expert, and with
 * NaN no row. */
Test(mixtures, numbers) {
  hosts h;
  if (!open_hosts(&h))
    cr_skip_test("no small kernel");
  const int32_t numbers[6] = {4, 1, -1, 2, 3, -1};
  const float weights[6] = {0.75f, 0.5f, 9, -0.25f, 1, NAN};
  const size_t out = h.r.kernel->outputs, in = h.r.kernel->inputs;
  const ffn_moe_given given = {.numbers = numbers, .weights = weights};
  float *right = test_memory(3 * out * sizeof *right);
  for (size_t i = 0; i < 3 * out; i++)
    right[i] = i < 2 * out ? -0.0f : NAN;
  naive_expert(&h.r, right, h.x, 1, 0.5f, 1);
  naive_expert(&h.r, right, h.x, 4, 0.75f, 1);
  naive_expert(&h.r, right + out, h.x + in, 2, -0.25f, 1);
  cr_assert(run_hosts(&h, &given) == FFN_MOE_OK);
  check_rows(&h.r, h.y, right, 3, "the host's weights");
  const ffn_moe_told told = ffn_moe_tell(&h.r.moe, h.work, 3);
  cr_assert(memcmp(told.numbers, numbers, sizeof numbers) == 0 && told.weights[3] == -0.25f);
  cr_assert(told.rows[0] == 0 && told.rows[1] == 1 && told.rows[2] == 1 && told.rows[4] == 1);

  const ffn_moe_given routed = {.numbers = numbers, .logits = h.logits, .logits_stride = EXPERTS};
  for (size_t i = 0; i < 3 * out; i++)
    right[i] = -0.0f;
  for (size_t i = 0; i < 6; i++) {
    static const size_t order[] = {1, 0, 3, 4};
    const size_t pair = order[i < 4 ? i : 3], e = (size_t)numbers[pair], t = pair / 2;
    if (i < 4)
      naive_expert(&h.r, right + t * out, h.x + t * in, e,
                   ffn_moe_gate(h.logits[t * EXPERTS + e]) * h.r.scale[e], 1);
  }
  cr_assert(run_hosts(&h, &routed) == FFN_MOE_OK);
  check_rows(&h.r, h.y, right, 3, "the router's weights");
  free(right), close_hosts(&h);
}

/* A weight of 0 is one like others: 0 times NaN is no 0. */
Test(mixtures, weight_of_zero) {
  hosts h;
  if (!open_hosts(&h))
    cr_skip_test("no small kernel");
  const int32_t numbers[6] = {4, -1, 4, -1, 1, -1};
  const float weights[6] = {0};
  const ffn_moe_given given = {.numbers = numbers, .weights = weights};
  for (size_t i = 0; i < 3 * h.r.kernel->inputs; i++)
    h.x[i] = NAN;
  cr_assert(run_hosts(&h, &given) == FFN_MOE_OK);
  for (size_t i = 0; i < 3 * h.r.kernel->outputs; i++)
    cr_assert(isnan(h.y[i]), "%zu", i);
  close_hosts(&h);
}

/* A choice that is none, and an expert that is not there: nothing is written. */
Test(mixtures, refused) {
  hosts h;
  if (!open_hosts(&h))
    cr_skip_test("no small kernel");
  const float weights[6] = {1, 1, 1, 1, 1, 1};
  int32_t numbers[6] = {0, 1, 2, 3, 4, 2};
  const ffn_moe_given given = {.numbers = numbers, .weights = weights};
  static const int32_t bad[][2] = {{5, EXPERTS}, {5, -2}, {5, 4}, {0, INT32_MIN}, {1, INT32_MAX}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int32_t before = numbers[bad[i][0]];
    numbers[bad[i][0]] = bad[i][1];
    cr_assert(run_hosts(&h, &given) == FFN_MOE_CHOICE && untouched(&h), "%zu", i);
    const ffn_moe_told told = ffn_moe_tell(&h.r.moe, h.work, 3);
    cr_assert(told.expert == (uint32_t)bad[i][1] && told.token == (size_t)bad[i][0] / 2, "%zu", i);
    numbers[bad[i][0]] = before;
  }
  h.r.experts[2] = NULL;
  cr_assert(run_hosts(&h, &given) == FFN_MOE_ABSENT && untouched(&h));
  cr_assert(ffn_moe_tell(&h.r.moe, h.work, 3).expert == 2);
  cr_assert(ffn_moe_tell(&h.r.moe, h.work, 3).token == 1);
  static const uint32_t rows[EXPERTS] = {1, 1, 2, 1, 1};
  cr_assert(memcmp(ffn_moe_tell(&h.r.moe, h.work, 3).rows, rows, sizeof rows) == 0);
  numbers[2] = numbers[5] = -1;
  cr_assert(run_hosts(&h, &given) == FFN_MOE_OK && !untouched(&h));
  close_hosts(&h);
}

/* What a host may hand over: each combination runs, or is refused and nothing is written. */
Test(mixtures, given) {
  hosts h;
  if (!open_hosts(&h))
    cr_skip_test("no small kernel");
  const float weights[6] = {1, 1, 1, 1, 1, 1};
  const int32_t numbers[6] = {0, 1, 2, 3, 4, 2};
  static const int taken[2][8] = {{1, 1, 0, 0, 1, 1, 1, 0}, {1, 1, 0, 0, 1, 1, 1, 1}};
  for (int i = 0; i < 16; i++) {
    const int gated = i / 8, logits = i & 1, weighed = i & 2, chosen = i & 4;
    const int right = taken[gated][i & 7];
    h.r.moe.shared = gated ? FFN_MOE_SHARED_SIGMOID : FFN_MOE_NONE_SHARED;
    const ffn_moe_given given = {.logits = logits ? h.logits : NULL,
                                 .logits_stride = EXPERTS + 1,
                                 .numbers = chosen ? numbers : NULL,
                                 .weights = weighed ? weights : NULL};
    cr_assert((ffn_moe_given_problem(&h.r.moe, &given, 3) == NULL) == right, "%d", i);
    if (gated || (right && !logits && !weighed))
      continue; /* what needs a shared expert, or a router */
    if (!right)
      cr_assert(run_hosts(&h, &given) == FFN_MOE_GIVEN && untouched(&h), "%d", i);
    else
      cr_assert(run_hosts(&h, &given) == FFN_MOE_OK && !untouched(&h), "%d", i);
  }
  const ffn_moe_given narrow = {.logits = h.logits, .logits_stride = EXPERTS - 1};
  h.r.moe.shared = FFN_MOE_NONE_SHARED;
  cr_assert(run_hosts(&h, &narrow) == FFN_MOE_GIVEN && untouched(&h));
  cr_assert(!ffn_moe_given_problem(&h.r.moe, &narrow, 1));
  close_hosts(&h);
}

/* What parts may not be. */
Test(mixtures, problems) {
  hosts h;
  if (!open_hosts(&h))
    cr_skip_test("no small kernel");
  const ffn_moe_parts good = h.r.parts;
  cr_assert(!ffn_moe_problem(&h.r.moe, &good) && ffn_moe_problem(&h.r.moe, NULL));
  for (int i = 0; i < 6; i++) {
    ffn_moe_parts bad = good;
    ffn_moe moe = h.r.moe;
    if (i == 0)
      bad.experts = NULL;
    if (i == 1)
      bad.expert_scale = NULL;
    if (i == 2)
      bad.correction = NULL;
    if (i == 3)
      bad.shared_kernel = good.expert_kernel;
    if (i == 4)
      moe.inputs++;
    if (i == 5)
      moe.shared = FFN_MOE_SHARED;
    cr_assert(ffn_moe_problem(&moe, &bad), "%d", i);
  }
  close_hosts(&h);
}

/* Sums of products of -2^-160 are -0 in a kernel. A row that began as +0 would be +0. */
Test(mixtures, signed_zero) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (!test_runs_here(*k) || (*k)->kind != FFN_KIND_LINEAR || (*k)->stages[0].bias ||
        (*k)->stages[0].format != FFN_FORMAT_F32 || (*k)->stage_count != 1)
      continue;
    test_model model;
    test_model_open(&model, *k, TEST_REALS, 1);
    for (size_t i = 0; i < (*k)->inputs * (*k)->outputs; i++)
      model.matrices[0].weight[i] = -0x1p-80f;
    test_model_pack(&model);
    rig r;
    open_rig(&r, *k, 1, FFN_MOE_NONE_SHARED, 0);
    float *x = test_memory(2 * (*k)->inputs * sizeof *x), *right, logits[2 * (EXPERTS + 1)] = {0};
    for (size_t i = 0; i < 2 * (*k)->inputs; i++)
      x[i] = 0x1p-80f;
    for (size_t e = 0; e < EXPERTS; e++)
      memcpy(r.packed[e], model.packed, (*k)->packed_bytes);
    float *y = test_memory(2 * (*k)->outputs * sizeof *y);
    right = test_memory(2 * (*k)->outputs * sizeof *y);
    for (size_t i = 0; i < 2 * (*k)->outputs; i++)
      right[i] = -0.0f;
    run_part(&r, y, x, logits, 0, 2, 1);
    check_rows(&r, y, right, 2, "zeros of a batch");
    run_part(&r, y, x, logits, 1, 2, 1);
    check_rows(&r, y, right, 2, "zeros of a token");
    close_rig(&r), test_model_close(&model);
    free(x), free(y), free(right);
    return;
  }
  cr_skip_test("no linear layer without a bias");
}
