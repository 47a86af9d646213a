/* ffn_moe_run() over a host's threads: how often it runs them, and that it has the same bits for
 * any number of threads, with stages and without, in one group of rows and in several. */
#include "ffn_moe.h"
#include "support/each.h"
#include "support/pool.h"
#include "support/rng.h"

#include <stdlib.h>
#include <string.h>

/* As walk.h has it. */
#ifndef FFN_PARALLEL_FLOP
#define FFN_PARALLEL_FLOP 1000000u
#endif

/* Columns that a thread takes at least: with fewer there is nothing to share. */
enum { STEP = 64, MOST_EXPERTS = 100, BLOCK = 256 };

/* Runs that 700 tokens and 257 of 4 experts and a shared one need at least: more, where a group is
 * made small. */
#ifdef FFN_MOE_GROUP
enum { MANY_TOKENS = 700, MANY_RUNS = 2 * 13, FEW_RUNS = 2 * 5 };
#else
enum { MANY_TOKENS = 700, MANY_RUNS = 2, FEW_RUNS = 2 };
#endif

/* A layer whose experts all have the same weights, and a router where one is linked. */
typedef struct scene {
  ffn_moe moe;
  ffn_moe_parts parts;
  ffn_kernel whole; /* the expert without its stages */
  const void *experts[MOST_EXPERTS];
  float *x, *logits;
  size_t tokens;
  ffn_moe_given given; /* what a NULL stands for: the router's logits */
} scene;

static void *packed_of(const ffn_kernel *kernel, uint64_t seed) {
  test_model model;
  test_model_open(&model, kernel, TEST_REALS, seed);
  test_model_pack(&model);
  void *packed = ffn_alloc(kernel->packed_bytes);
  memcpy(packed, model.packed, kernel->packed_bytes);
  test_model_close(&model);
  return packed;
}

static int is_router(const ffn_kernel *k, const ffn_kernel *expert) {
  return test_runs_here(k) && k->kind == FFN_KIND_LINEAR && k->staged && k->max_tokens == 0 &&
         !k->stages_share_x && k->inputs == expert->inputs && k->outputs > STEP &&
         k->outputs <= MOST_EXPERTS && test_sums_f32(k);
}

/* A small layer of two stages, and a router for it if there is one. */
static const ffn_kernel *kernels_of(const ffn_kernel **router, int waiting) {
  const ffn_kernel *expert = NULL;
  *router = NULL;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k && !*router; k++) {
    if (!test_runs_here(*k) || test_is_large(*k) || !(*k)->staged || (*k)->stages_share_x ||
        (*k)->stage_count != 2 || (*k)->max_tokens > 0 || (*k)->flop_per_token > 200000 ||
        (*k)->outputs <= STEP || test_takes_whole_rows(&(*k)->stages[1]) != waiting)
      continue;
    expert = expert ? expert : *k;
    for (const ffn_kernel *const *r = ffn_all(NULL); *r && !*router; r++)
      if (is_router(*r, *k))
        expert = *k, *router = *r;
  }
  return expert;
}

static int open_scene_of(scene *s, size_t tokens, size_t top_k, int waiting) {
  const ffn_kernel *router, *expert = kernels_of(&router, waiting);
  if (!expert)
    return 0;
  const size_t experts = router ? router->outputs : 5;
  s->moe = (ffn_moe){.inputs = expert->inputs,
                     .outputs = expert->outputs,
                     .shared = FFN_MOE_SHARED,
                     .rule = {.experts = experts, .top_k = top_k ? top_k : experts}};
  s->whole = *expert, s->whole.staged = NULL;
  void *packed = packed_of(expert, 300);
  for (size_t e = 0; e < MOST_EXPERTS; e++)
    s->experts[e] = packed;
  s->parts = (ffn_moe_parts){.expert_kernel = expert,
                             .shared_kernel = expert,
                             .router_kernel = router,
                             .experts = s->experts,
                             .shared = packed_of(expert, 301),
                             .router = router ? packed_of(router, 302) : NULL};
  s->tokens = tokens;
  s->x = test_inputs(expert, tokens, TEST_REALS, 303);
  s->logits = test_memory(tokens * experts * sizeof *s->logits);
  for (size_t i = 0; i < tokens * experts; i++)
    s->logits[i] = test_uniform(304, i);
  for (size_t t = 0; router && t < tokens; t++)
    test_run(router, s->logits + t * experts, s->x + t * expert->inputs, 1, s->parts.router);
  s->given = (ffn_moe_given){.logits = s->logits, .logits_stride = experts};
  return 1;
}

static int open_scene(scene *s, size_t tokens, size_t top_k) {
  return open_scene_of(s, tokens, top_k, 0);
}

static void close_scene(scene *s) {
  ffn_free((void *)(uintptr_t)s->experts[0]), ffn_free((void *)(uintptr_t)s->parts.shared);
  ffn_free((void *)(uintptr_t)s->parts.router);
  free(s->x), free(s->logits);
}

/* y of the first so many tokens by so many threads; how often these were run. */
static size_t run_scene(const scene *s, float *y, size_t tokens, size_t threads, int routes) {
  const size_t bytes = ffn_moe_work_bytes(&s->moe, &s->parts, threads, tokens);
  void *work = ffn_alloc(bytes);
  test_pool *pool = test_pool_open(threads - 1, TEST_ORDER_DOWN);
  const ffn_parallel parallel = test_pool_parallel(pool, threads);
  memset(work, 0xff, bytes);
  cr_assert(ffn_moe_run(&s->moe, &s->parts, y, s->moe.outputs, s->x, s->moe.inputs, tokens,
                        routes && s->parts.router_kernel ? NULL : &s->given, work, bytes,
                        &parallel) == FFN_MOE_OK);
  const size_t runs = test_pool_runs(pool);
  cr_assert(runs == 0 || test_pool_most_tasks(pool) <= threads);
  test_pool_close(pool), ffn_free(work);
  return runs;
}

/* So many tokens are work for two threads. */
static size_t least_tokens(const scene *s, size_t top_k) {
  const ffn_kernel *router = s->parts.router_kernel;
  const uint64_t flop =
      (top_k + 1) * s->parts.expert_kernel->flop_per_token + (router ? router->flop_per_token : 0);
  return (size_t)((FFN_PARALLEL_FLOP / flop) + (FFN_PARALLEL_FLOP / flop == 0));
}

/* The router, the first stage of all experts, and the last: three runs, whatever top_k is. One
 * token less is no work for a second thread, though the whole call counts and not each kernel. */
Test(phases, three_runs) {
  scene s;
  if (!open_scene(&s, BLOCK, 0))
    cr_skip_test("no small kernel with two stages");
  float *y = test_memory(BLOCK * s.moe.outputs * sizeof *y);
  const size_t router = s.parts.router_kernel ? 1 : 0;
  for (size_t top_k = 1; top_k <= s.moe.rule.experts; top_k++) {
    const size_t tokens = least_tokens(&s, top_k);
    s.moe.rule.top_k = top_k;
    if (tokens > BLOCK)
      continue;
    for (size_t threads = 2; threads <= 3; threads++) {
      cr_assert(run_scene(&s, y, tokens, threads, 1) == router + 2, "top_k = %zu", top_k);
      cr_assert(run_scene(&s, y, tokens, threads, 0) == 2, "top_k = %zu", top_k);
    }
    if (tokens > 1)
      cr_assert(run_scene(&s, y, tokens - 1, 3, 1) == 0, "top_k = %zu", top_k);
  }
  free(y), close_scene(&s);
}

/* A router that gives logits and a gate: of a layer whose router has as many logits. */
static const ffn_kernel *router_with_gate(const scene *s) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k && s->parts.router_kernel; k++)
    if (test_runs_here(*k) && (*k)->staged && (*k)->stages_share_x && (*k)->stage_count == 2 &&
        (*k)->inputs == s->moe.inputs && (*k)->stages[0].outputs == s->moe.rule.experts &&
        (*k)->stages[1].outputs == 1 && test_sums_f32(*k))
      return *k;
  return NULL;
}

/* Both outputs of a router in one run of the threads: three runs, too, with the bits of the
 * router's own run(), for one token and for more than a walk of it has. */
Test(phases, router_with_gate) {
  scene s;
  if (!open_scene(&s, BLOCK, 4))
    cr_skip_test("no small kernel with two stages");
  const ffn_kernel *router = router_with_gate(&s);
  const size_t bytes = BLOCK * s.moe.outputs * sizeof(float), logits = s.moe.rule.experts + 1;
  float *y = test_memory(bytes), *right = test_memory(bytes);
  if (router) {
    s.moe.shared = FFN_MOE_SHARED_SIGMOID;
    ffn_free((void *)(uintptr_t)s.parts.router), free(s.logits);
    s.parts.router_kernel = router, s.parts.router = packed_of(router, 305);
    s.logits = test_memory(BLOCK * logits * sizeof *s.logits);
    test_run(router, s.logits, s.x, BLOCK, s.parts.router);
    s.given = (ffn_moe_given){.logits = s.logits, .logits_stride = logits};
    cr_assert(run_scene(&s, right, BLOCK, 1, 0) == 0);
  }
  for (size_t i = 0; router && i < 6; i++) {
    const size_t tokens = i % 2 ? BLOCK : least_tokens(&s, 4), threads = 1 + i / 2;
    memset(y, 0xff, bytes);
    const size_t runs = run_scene(&s, y, tokens, threads, 1);
    cr_assert(threads == 1 ? runs == 0 : runs % 2 == 1 && (i % 2 || runs == 3), "%zu", runs);
    cr_assert(memcmp(y, right, tokens * s.moe.outputs * sizeof *y) == 0, "%zu", i);
  }
  free(y), free(right), close_scene(&s);
}

/* Where hidden values wait for the whole row, one run more lays the rows of all experts: the bits
 * are those of one thread, and of experts that run one after the other. */
Test(phases, rows_that_wait) {
  scene s;
  if (!open_scene_of(&s, BLOCK, 0, 1))
    cr_skip_test("no small kernel whose hidden values have one scale for a row");
  float *y = test_memory(BLOCK * s.moe.outputs * sizeof *y);
  float *right = test_memory(BLOCK * s.moe.outputs * sizeof *y);
  for (size_t top_k = 1; top_k <= s.moe.rule.experts; top_k++) {
    s.moe.rule.top_k = top_k;
    const size_t tokens = least_tokens(&s, top_k) + 2, bytes = tokens * s.moe.outputs * sizeof *y;
    if (tokens > BLOCK)
      continue;
    const ffn_kernel *kernel = s.parts.expert_kernel;
    s.parts.expert_kernel = s.parts.shared_kernel = &s.whole;
    run_scene(&s, right, tokens, 1, 0);
    s.parts.expert_kernel = s.parts.shared_kernel = kernel;
    for (size_t threads = 1; threads <= 3; threads++) {
      memset(y, 0xff, bytes);
      const size_t runs = run_scene(&s, y, tokens, threads, 0);
      cr_assert(threads == 1 ? runs == 0 : FEW_RUNS > 2 ? runs >= 3 : runs == 3, "%zu", runs);
      cr_assert(memcmp(y, right, bytes) == 0, "top_k = %zu, %zu threads", top_k, threads);
    }
  }
  free(y), free(right), close_scene(&s);
}

/* More tokens than a block of the router, and more rows than a group: more runs, the same bits, as
 * without stages and on one thread. */
Test(phases, groups) {
  scene s;
  if (!open_scene(&s, MANY_TOKENS, 4))
    cr_skip_test("no small kernel with two stages");
  const size_t router = s.parts.router_kernel ? 1 : 0, bytes = s.moe.outputs * sizeof(float);
  float *y = test_memory(s.tokens * bytes), *right = test_memory(s.tokens * bytes);
  cr_assert(run_scene(&s, right, s.tokens, 1, 1) == 0);
  for (size_t threads = 2; threads <= 3; threads++) {
    memset(y, 0xff, s.tokens * bytes);
    const size_t few = run_scene(&s, y, BLOCK + 1, threads, 1) - 2 * router;
    cr_assert(few >= FEW_RUNS && few % 2 == 0 && few < MANY_RUNS + 2, "%zu", few);
    cr_assert(memcmp(y, right, (BLOCK + 1) * bytes) == 0);
    const size_t runs = run_scene(&s, y, s.tokens, threads, 0);
    cr_assert(runs >= MANY_RUNS && runs % 2 == 0, "%zu", runs);
    cr_assert(memcmp(y, right, s.tokens * bytes) == 0);
  }
  s.parts.expert_kernel = s.parts.shared_kernel = &s.whole;
  for (size_t threads = 1; threads <= 3; threads++) {
    memset(y, 0xff, s.tokens * bytes);
    run_scene(&s, y, s.tokens, threads, 1);
    cr_assert(memcmp(y, right, s.tokens * bytes) == 0);
  }
  free(y), free(right), close_scene(&s);
}

/* Experts of a kernel with stages, and a shared one of a kernel without: by run() alike. */
Test(phases, stages_of_some) {
  scene s;
  if (!open_scene(&s, 33, 3))
    cr_skip_test("no small kernel with two stages");
  const ffn_kernel *kernel = s.parts.expert_kernel;
  const size_t bytes = s.tokens * s.moe.outputs * sizeof(float);
  float *y = test_memory(bytes), *right = test_memory(bytes);
  run_scene(&s, right, s.tokens, 1, 1);
  for (int i = 0; i < 2; i++) {
    s.parts.expert_kernel = i == 0 ? &s.whole : kernel;
    s.parts.shared_kernel = i == 0 ? kernel : &s.whole;
    run_scene(&s, y, s.tokens, 2, 1);
    cr_assert(memcmp(y, right, bytes) == 0, "%d", i);
  }
  free(y), free(right), close_scene(&s);
}

/* A token whose places all are -1, and no shared expert: no job, and rows of -0. */
Test(phases, nothing_to_do) {
  scene s;
  if (!open_scene(&s, 2, 1))
    cr_skip_test("no small kernel with two stages");
  const int32_t numbers[2] = {-1, -1};
  const float weights[2] = {0, 0};
  s.given = (ffn_moe_given){.numbers = numbers, .weights = weights};
  s.moe.shared = FFN_MOE_NONE_SHARED, s.parts.shared_kernel = NULL;
  float *y = test_memory(2 * s.moe.outputs * sizeof *y);
  memset(y, 0xff, 2 * s.moe.outputs * sizeof *y);
  run_scene(&s, y, 2, 3, 0);
  for (size_t i = 0; i < 2 * s.moe.outputs; i++)
    cr_assert(memcmp(&y[i], &(float){-0.0f}, sizeof *y) == 0, "%zu", i);
  close_scene(&s), free(y);
}
