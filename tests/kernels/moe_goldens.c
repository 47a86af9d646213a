/* Whole mixtures of experts beside what the classes of transformers give, in double: the experts
 * that are chosen, their weights, and y. */
#include "ffn_moe.h"
#include "support/each.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/data/mixtures.inc"

enum {
  D = MIXTURES_INPUTS,
  F = MIXTURES_HIDDEN,
  E = MIXTURES_EXPERTS,
  K = MIXTURES_TOP_K,
  TOKENS = MIXTURES_TOKENS
};
enum { ROUTER = 1, GATE = 2, X = 3, SHARED = 10, EXPERT = 20 }; /* as mixtures.py has them */

typedef struct golden {
  const char *form, *name;
  ffn_moe_rule rule;
  ffn_moe_shared shared;
  float logits[TOKENS * E];
  int32_t numbers[TOKENS * K];
  float weights[TOKENS * K], y[TOKENS * D];
} golden;

#define OPEN(...) __VA_ARGS__
#define MIXTURE(form, name, how, of_all, own, logits, numbers, weights, y)                         \
  {#form,          #name,         {.experts = E, .top_k = K, .corrected = how, OPEN own},          \
   of_all,         {OPEN logits}, {OPEN numbers},                                                  \
   {OPEN weights}, {OPEN y}},
static const golden goldens[] = {
#include "tests/data/mixtures.inc"
};

/* A number of a stream of mixtures.py. */
static float number(uint32_t stream, uint32_t i) {
  uint32_t n = stream * 7919u + i * 104729u + 12345u;
  n ^= n >> 15;
  n *= 2654435761u;
  n ^= n >> 13;
  return ((float)(n >> 8 & 255) - 128) / 256;
}

static void fill(float *to, uint32_t stream, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    to[i] = number(stream, i);
}

/* The kernel of a layer without biases, in f32, or NULL. */
static const ffn_kernel *kernel_of(ffn_kind kind, size_t outputs) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (test_runs_here(*k) && (*k)->kind == kind && (*k)->inputs == D && !(*k)->bias &&
        (*k)->outputs == outputs && test_sums_f32(*k) && (*k)->max_tokens == 0 &&
        (*k)->stages[0].format == FFN_FORMAT_F32 && (*k)->stage_count == (*k)->hidden / F + 1 &&
        (kind == FFN_KIND_LINEAR || ((*k)->hidden == F && (*k)->variant == FFN_SWIGLU)))
      return *k;
  return NULL;
}

static void *expert_of(const ffn_kernel *kernel, uint32_t stream) {
  float gate[F * D], up[F * D], down[D * F];
  fill(gate, stream, F * D), fill(up, stream + 1, F * D), fill(down, stream + 2, D * F);
  const ffn_weights weights = {.gate.weight = gate, .up.weight = up, .down.weight = down};
  void *packed = ffn_alloc(kernel->packed_bytes);
  kernel->pack(packed, &weights);
  return packed;
}

static void *router_of(const ffn_kernel *kernel) {
  float weight[(E + 1) * D];
  fill(weight, ROUTER, E * D), fill(weight + E * D, GATE, D);
  const ffn_linear chain = {.weight = weight};
  const ffn_weights weights = {.chain = &chain};
  void *packed = ffn_alloc(kernel->packed_bytes);
  kernel->pack(packed, &weights);
  return packed;
}

static void close_to(const golden *g, const char *what, size_t at, float is, float right,
                     float scale) {
  cr_assert(fabsf(is - right) <= 4e-6f * scale, "%s %s: %s[%zu] = %a and not %a", g->form, g->name,
            what, at, (double)is, (double)right);
}

static void check(const golden *g, const float *y, const ffn_moe_told *told) {
  float most = 0;
  for (size_t i = 0; i < TOKENS * D; i++)
    most = fmaxf(most, fabsf(g->y[i]));
  for (size_t i = 0; i < TOKENS * K; i++) {
    cr_assert(told->numbers[i] == g->numbers[i], "%s %s: number %zu is %d and not %d", g->form,
              g->name, i, (int)told->numbers[i], (int)g->numbers[i]);
    close_to(g, "weights", i, told->weights[i], g->weights[i], fabsf(g->weights[i]));
  }
  for (size_t i = 0; i < TOKENS * D; i++)
    close_to(g, "y", i, y[i], g->y[i], most);
}

/* By the router, and by the logits that the classes had. */
static void run(const golden *g, const ffn_kernel *expert, const ffn_kernel *router) {
  const void *experts[E];
  float x[TOKENS * D], y[TOKENS * D];
  const ffn_moe moe = {.inputs = D, .outputs = D, .rule = g->rule, .shared = g->shared};
  ffn_moe_parts parts = {.expert_kernel = expert,
                         .router_kernel = router,
                         .experts = experts,
                         .correction = g->rule.corrected ? mixtures_correction : NULL};
  void *of_all = NULL, *of_router = router_of(router);
  for (uint32_t e = 0; e < E; e++)
    experts[e] = expert_of(expert, EXPERT + 3 * e);
  if (g->shared != FFN_MOE_NONE_SHARED)
    parts.shared_kernel = expert, parts.shared = of_all = expert_of(expert, SHARED);
  parts.router = of_router;
  fill(x, X, TOKENS * D);
  for (size_t i = 0; i < TOKENS * D; i++)
    x[i] *= 4;
  const size_t bytes = ffn_moe_work_bytes(&moe, &parts, 1, TOKENS);
  void *work = ffn_alloc(bytes);
  const ffn_moe_given given = {.logits = g->logits, .logits_stride = E};
  for (int i = 0; i < (g->shared == FFN_MOE_SHARED_SIGMOID ? 1 : 2); i++) {
    cr_assert(!ffn_moe_problem(&moe, &parts), "%s", ffn_moe_problem(&moe, &parts));
    cr_assert(ffn_moe_run(&moe, &parts, y, D, x, D, TOKENS, i == 0 ? NULL : &given, work, bytes,
                          NULL) == FFN_MOE_OK);
    const ffn_moe_told told = ffn_moe_tell(&moe, work, TOKENS);
    check(g, y, &told);
  }
  for (size_t e = 0; e < E; e++)
    ffn_free((void *)(uintptr_t)experts[e]);
  ffn_free(of_all), ffn_free(of_router), ffn_free(work);
}

Test(moe_goldens, transformers) {
  const ffn_kernel *expert = kernel_of(FFN_KIND_FFN, D);
  const ffn_kernel *router = kernel_of(FFN_KIND_LINEAR, E);
  const ffn_kernel *gated = kernel_of(FFN_KIND_LINEAR, E + 1);
  if (!expert || !router || !gated)
    cr_skip_test("no layers of these sizes");
  cr_assert(sizeof goldens / sizeof *goldens == 13);
  for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++)
    run(&goldens[i], expert, goldens[i].shared == FFN_MOE_SHARED_SIGMOID ? gated : router);
}
