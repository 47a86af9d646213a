/* Kernels for calls of at most so many tokens: the bits of those for any number, from the same
 * packed weights; no more work memory; more tokens are an assert; none is found by accident. */
#define _GNU_SOURCE
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"
#include "support/refused.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 9 }; /* more than any limit of tests/specs/limited.lua */

/* The kernel of the same layer, instruction set and CPU for any number of tokens. */
static const ffn_kernel *unlimited(const ffn_kernel *kernel) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (strcmp((*k)->layer, kernel->layer) == 0 && (*k)->isa == kernel->isa &&
        (*k)->profile == kernel->profile && (*k)->max_tokens == 0)
      return *k;
  cr_assert(0, "%s has nothing to be compared with", kernel->name);
  return NULL;
}

/* run(), or add() to y where scale is not 0, with work memory between pages that fault. */
static void compute(const ffn_kernel *kernel, float *y, float scale, const float *x, size_t tokens,
                    const void *packed, const ffn_parallel *parallel) {
  const size_t bytes = ffn_work_bytes(kernel, parallel ? parallel->threads : 1, tokens);
  const test_guard work = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_END);
  if (scale != 0)
    ffn_add(kernel, y, kernel->outputs, scale, x, kernel->inputs, tokens, packed, work.memory,
            bytes, parallel);
  else
    ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, tokens, packed, work.memory, bytes,
            parallel);
  cr_assert(test_guard_intact(&work), "%s: writes beside its work memory", kernel->name);
  test_guard_close(&work);
}

EACH_MODEL(few_tokens, bits, TEST_SMALL, TEST_REALS, 91) {
  if (kernel->max_tokens == 0)
    return;
  const ffn_kernel *any = unlimited(kernel);
  const size_t bytes = MOST * kernel->outputs * sizeof(float);
  float *x = test_inputs(kernel, MOST, TEST_REALS, 92);
  float *y = test_memory(bytes), *expected = test_memory(bytes);
  const test_guard packed =
      test_guard_copy(model->packed, kernel->packed_bytes, FFN_ALIGNMENT, TEST_AT_END);
  test_pool *pool = test_pool_open(0, TEST_ORDER_DOWN);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  cr_assert(ffn_packed_fits(any, model->packed) && kernel->packed_bytes == any->packed_bytes);
  for (size_t tokens = 0; tokens <= kernel->max_tokens; tokens++)
    for (int threads = 0; threads < 2; threads++)
      for (int adds = 0; adds < 2; adds++) {
        const ffn_parallel *lent = threads ? &parallel : NULL;
        memset(y, adds ? 0 : 0xff, bytes), memset(expected, adds ? 0 : 0xff, bytes);
        compute(kernel, y, adds ? -0.75f : 0, x, tokens, packed.memory, lent);
        compute(any, expected, adds ? -0.75f : 0, x, tokens, model->packed, NULL);
        cr_assert(test_same(y, expected, MOST * kernel->outputs), "%s: %zu tokens%s%s",
                  kernel->name, tokens, threads ? ", 3 threads" : "", adds ? ", added" : "");
      }
  test_pool_close(pool);
  test_guard_close(&packed);
  free(x), free(y), free(expected);
}

EACH_KERNEL(few_tokens, work, TEST_SMALL) {
  const ffn_kernel *any = unlimited(kernel);
  const size_t limit = kernel->max_tokens;
  if (limit == 0)
    return;
  cr_assert(limit < MOST && kernel->work_rows <= limit, "%s", kernel->name);
  for (size_t tokens = 1; tokens <= limit; tokens++)
    cr_assert(ffn_work_bytes(kernel, 2, tokens) <= ffn_work_bytes(any, 2, tokens),
              "%s: more work memory than without a limit", kernel->name);
  cr_assert(ffn_work_bytes(kernel, 1, SIZE_MAX) == ffn_work_bytes(kernel, 1, limit));
}

/* A call with a number of tokens, in memory for more of them. */
typedef struct attempt {
  const ffn_kernel *kernel;
  const float *x;
  float *y;
  const void *packed;
  void *work;
  size_t bytes, tokens;
} attempt;

static void make(const void *made) {
  const attempt *a = made;
  ffn_run(a->kernel, a->y, a->kernel->outputs, a->x, a->kernel->inputs, a->tokens, a->packed,
          a->work, a->bytes, NULL);
}

EACH_MODEL(few_tokens, more_are_refused, TEST_SMALL, TEST_REALS, 93) {
  if (kernel->max_tokens == 0)
    return;
  const size_t bytes = ffn_work_bytes(unlimited(kernel), 1, MOST);
  float *x = test_inputs(kernel, MOST, TEST_REALS, 94);
  attempt a = {kernel,
               x,
               test_memory(MOST * kernel->outputs * sizeof(float)),
               model->packed,
               ffn_alloc(bytes),
               bytes,
               kernel->max_tokens};
  cr_assert(!test_is_refused(make, &a), "%s: as many as may be", kernel->name);
  a.tokens++;
  cr_assert(test_is_refused(make, &a), "%s: one token too many", kernel->name);
  free(x), free(a.y), ffn_free(a.work);
}

static int is_small(const ffn_kernel *kernel) { return strstr(kernel->name, "_c_size") != NULL; }

/* The best kernel of a layer for calls of at most so many tokens, 0 for any number; where there is
 * one for speed, not that for few bytes. */
static const ffn_kernel *best(const char *layer, size_t tokens, ffn_isa isa) {
  const ffn_kernel *found = NULL;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const size_t limit = (*k)->max_tokens;
    if (strcmp((*k)->layer, layer) != 0 || (*k)->isa != isa || (*k)->profile != FFN_PROFILE_ANY ||
        (limit != 0 && (tokens == 0 || tokens > limit)))
      continue;
    if (!found || (limit != 0 && (found->max_tokens == 0 || limit < found->max_tokens)) ||
        (limit == found->max_tokens && is_small(found)))
      found = *k;
  }
  return found;
}

Test(few_tokens, find) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    for (size_t tokens = 0; tokens <= MOST; tokens++) {
      const ffn_stage *down = (*k)->kind == FFN_KIND_FFN ? &(*k)->stages[1] : NULL;
      const ffn_query query = {.kind = (*k)->kind,
                               .variant = (*k)->variant,
                               .d_model = (*k)->inputs,
                               .d_ff = (*k)->hidden,
                               .d_out = (*k)->outputs,
                               .bias = (*k)->bias,
                               .max_tokens = tokens,
                               .cpu = 1u << (*k)->isa,
                               .hidden_format = (*k)->stages[0].format,
                               .hidden_arithmetic = (*k)->stages[0].arithmetic,
                               .down_format = down ? down->format : FFN_FORMAT_F32,
                               .down_arithmetic = down ? down->arithmetic : FFN_ARITHMETIC_FMA_F32};
      const ffn_kernel *wanted = best((*k)->layer, tokens, (*k)->isa);
      cr_assert(ffn_find_limited((*k)->layer, tokens, query.cpu) == wanted, "%s, %zu tokens",
                (*k)->layer, tokens);
      const int others = (*k)->kind == FFN_KIND_MLP || ffn_outputs_of(*k); /* find such layers */
      cr_assert(ffn_find(&query) == (others ? NULL : wanted), "%s, %zu tokens", (*k)->layer,
                tokens);
      cr_assert(ffn_find_layer((*k)->layer, query.cpu) == best((*k)->layer, 0, (*k)->isa), "%s",
                (*k)->layer);
    }
}
