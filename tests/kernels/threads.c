/* Threads change no bit: a layer split over a host's pool, and callers that share weights. */
#include "support/each.h"
#include "support/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const size_t batches[] = {1, 5, 33, 97};

EACH_MODEL(threads, pool, TEST_SMALL, TEST_REALS, 21) {
  enum { MOST = 33 };
  static const size_t threads[] = {0, 1, 2, 3, 4, 7, MOST}, workers[] = {0, 1, 3};
  const size_t affordable = test_tokens(kernel, 3e7, 5, 97);
  float *x = test_inputs(kernel, affordable, TEST_REALS, 22);
  float *expected = test_outputs(kernel, x, affordable, model->packed);
  float *y = test_memory(affordable * kernel->outputs * sizeof(float));
  void *work = ffn_alloc(ffn_work_bytes(kernel, MOST, affordable));
  for (size_t w = 0; w < sizeof workers / sizeof *workers; w += test_step(w, 1))
    for (test_order order = TEST_ORDER_UP; order < TEST_ORDER_COUNT; order++) {
      test_pool *pool = test_pool_open(workers[w], order);
      for (size_t i = 0; i < sizeof threads / sizeof *threads; i += test_step(i, 0))
        for (size_t b = 0; b < sizeof batches / sizeof *batches && batches[b] <= affordable; b++) {
          const ffn_parallel parallel = test_pool_parallel(pool, threads[i]);
          memset(y, 0xff, affordable * kernel->outputs * sizeof(float));
          const size_t bytes = ffn_work_bytes(kernel, threads[i], batches[b]);
          memset(work, 0xff, bytes);
          ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, batches[b], model->packed, work,
                  bytes, &parallel);
          cr_assert(test_same(y, expected, batches[b] * kernel->outputs),
                    "%s: other bits with %zu tokens on %zu threads", kernel->name, batches[b],
                    threads[i]);
          const size_t most = test_pool_most_tasks(pool);
          cr_assert(most <= threads[i] || most == 0, "%s asked for %zu tasks of %zu threads",
                    kernel->name, most, threads[i]);
        }
      test_pool_close(pool);
    }
  ffn_free(work);
  free(x), free(expected), free(y);
}

/* A layer that is worth it is split at all: else the test above is none. */
Test(threads, are_used) {
  size_t split = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (!test_is_base(*k) || !test_runs_here(*k) || test_is_large(*k) ||
        (*k)->flop_per_token < 1000000)
      continue;
    test_model model;
    test_model_open(&model, *k, TEST_REALS, 23);
    test_model_pack(&model);
    float *x = test_inputs(*k, 17, TEST_REALS, 24);
    float *y = test_memory(17 * (*k)->outputs * sizeof(float));
    const size_t bytes = ffn_work_bytes(*k, 4, 17);
    void *work = ffn_alloc(bytes);
    test_pool *pool = test_pool_open(0, TEST_ORDER_UP);
    const ffn_parallel parallel = test_pool_parallel(pool, 4);
    ffn_run(*k, y, (*k)->outputs, x, (*k)->inputs, 17, model.packed, work, bytes, &parallel);
    cr_assert(test_pool_most_tasks(pool) > 1, "%s keeps to one of 4 threads", (*k)->name);
    split++;
    test_pool_close(pool);
    ffn_free(work);
    free(x), free(y);
    test_model_close(&model);
  }
  if (split == 0)
    cr_skip_test("no kernel of a million flop and more is linked");
}

typedef struct caller {
  const ffn_kernel *kernel;
  const float *x, *expected;
  const void *packed;
  size_t first, tokens;
  int same;
} caller;

static void *call(void *argument) {
  caller *c = argument;
  const ffn_kernel *k = c->kernel;
  for (int i = 0; i < 3; i++) {
    float *y = test_outputs(k, c->x + c->first * k->inputs, c->tokens, c->packed);
    c->same = test_same(y, c->expected + c->first * k->outputs, c->tokens * k->outputs);
    free(y);
    if (!c->same)
      break;
  }
  return NULL;
}

EACH_MODEL(threads, callers, TEST_SMALL, TEST_REALS, 25) {
  enum { CALLERS = 8 };
  const size_t tokens = test_tokens(kernel, 3e7, 3, 67);
  float *x = test_inputs(kernel, tokens, TEST_REALS, 26);
  float *expected = test_outputs(kernel, x, tokens, model->packed);
  caller callers[CALLERS];
  pthread_t threads[CALLERS];
  for (size_t i = 0; i < CALLERS; i++) {
    const size_t first = i % tokens;
    callers[i] = (caller){.kernel = kernel,
                          .x = x,
                          .expected = expected,
                          .packed = model->packed,
                          .first = first,
                          .tokens = tokens - first};
    cr_assert(pthread_create(&threads[i], NULL, call, &callers[i]) == 0);
  }
  for (size_t i = 0; i < CALLERS; i++)
    pthread_join(threads[i], NULL);
  for (size_t i = 0; i < CALLERS; i++)
    cr_assert(callers[i].same, "%s: caller %zu of %d got other bits", kernel->name, i,
              (int)CALLERS);
  free(x), free(expected);
}
