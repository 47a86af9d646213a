/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * binding_moe.c - mixtures of experts, behind binding.c where a folder has some: building.py puts
 * their names into PYFFN_MIXTURES(X). mixture.py repeats the two records below. */
#ifndef PYFFN_API
#include "binding.c"
#define PYFFN_MIXTURES(X)
#define PYFFN_MIXTURE_HEADER 1
#endif
#if PYFFN_MIXTURE_HEADER
#include "ffn_moe.h"
#include "moes.h"
#endif

typedef struct pyffn_moe {
  const char *name; /* in the spec */
  const ffn_moe *moe;
  size_t experts, top_k;
  size_t logits; /* outputs of the router */
  int has_shared, has_correction, has_expert_scale;
} pyffn_moe;

/* What a call takes beside rows: kernels and packed weights, what a host hands over, and where what
 * the call tells goes. All but kernels, experts, router and told may be NULL. */
typedef struct pyffn_mixed {
  const ffn_kernel *expert_kernel, *shared_kernel, *router_kernel;
  const void *const *experts;
  const void *shared, *router;
  const float *correction, *expert_scale;
  const float *logits;
  size_t logits_stride;
  const int32_t *numbers;
  const float *weights;
  size_t *told; /* [2]: the expert that is missing or wrong, and the token */
} pyffn_mixed;

static const ffn_moe *const pyffn_moes[] = {
#define PYFFN_MIXTURE(name) &ffn_moe_##name,
    PYFFN_MIXTURES(PYFFN_MIXTURE) NULL};

/* 1, or 0 where there are fewer. */
PYFFN_API int pyffn_moe_at(size_t index, pyffn_moe *to) {
  const ffn_moe *moe = pyffn_moes[index];
  if (!moe)
    return 0;
  to->name = moe->name;
  to->moe = moe;
  to->experts = moe->rule.experts;
  to->top_k = moe->rule.top_k;
  to->logits = to->experts + (moe->shared == FFN_MOE_SHARED_SIGMOID ? 1 : 0);
  to->has_shared = moe->shared != FFN_MOE_NONE_SHARED;
  to->has_correction = moe->rule.corrected != FFN_MOE_NOT_CORRECTED;
  to->has_expert_scale = moe->scales_experts;
  return 1;
}

static ffn_moe_parts parts_of(const pyffn_mixed *mixed) {
  return (ffn_moe_parts){.expert_kernel = mixed->expert_kernel,
                         .shared_kernel = mixed->shared_kernel,
                         .router_kernel = mixed->router_kernel,
                         .experts = mixed->experts,
                         .shared = mixed->shared,
                         .router = mixed->router,
                         .correction = mixed->correction,
                         .expert_scale = mixed->expert_scale};
}

PYFFN_API size_t pyffn_moe_work_bytes(const ffn_moe *moe, const pyffn_mixed *mixed, size_t threads,
                                      size_t tokens) {
  const ffn_moe_parts parts = parts_of(mixed);
  return ffn_moe_work_bytes(moe, &parts, threads, tokens);
}

/* 0, or an ffn_moe_status. */
PYFFN_API int pyffn_moe_run(const ffn_moe *moe, const pyffn_mixed *mixed, float *y, size_t y_stride,
                            const float *x, size_t x_stride, size_t tokens, void *work,
                            size_t work_bytes, void *pool) {
  const ffn_moe_parts parts = parts_of(mixed);
  const ffn_moe_given given = {.logits = mixed->logits,
                               .logits_stride = mixed->logits_stride,
                               .numbers = mixed->numbers,
                               .weights = mixed->weights};
  const int is_given = mixed->logits || mixed->numbers;
  ffn_parallel threads = {NULL, NULL, 1};
  const ffn_moe_status status =
      ffn_moe_run(moe, &parts, y, y_stride, x, x_stride, tokens, is_given ? &given : NULL, work,
                  work_bytes, parallel_of(&threads, pool));
  if (status != FFN_MOE_OK) {
    const ffn_moe_told told = ffn_moe_tell(moe, work, tokens);
    mixed->told[0] = told.expert;
    mixed->told[1] = told.token;
  }
  return (int)status;
}

/* The choice of so many tokens. */
PYFFN_API void pyffn_moe_route(const ffn_moe *moe, const float *correction,
                               const float *expert_scale, const float *logits, size_t logits_stride,
                               size_t tokens, int32_t *numbers, float *weights) {
  ffn_moe_rule rule = moe->rule;
  rule.correction = correction;
  rule.expert_scale = expert_scale;
  for (size_t t = 0; t < tokens; ++t)
    ffn_moe_route(&rule, logits + t * logits_stride, numbers + t * rule.top_k,
                  weights + t * rule.top_k);
}
