/* Threads for a race detector: a plain program, since Criterion's own processes do not live with
 * ThreadSanitizer. Every kernel is split among a pool's threads, and run by several callers at once
 * that share its packed weights. Exit 1 where a bit differs; the detector reports races. */
#include "support/kernels.h"
#include "support/model.h"
#include "support/pool.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLERS = 3, TOKENS = 61 };

typedef struct caller {
  const ffn_kernel *kernel;
  const float *x, *expected;
  const void *packed;
  size_t threads, tokens;
  int wrong;
} caller;

static void *call(void *argument) {
  caller *c = argument;
  const ffn_kernel *kernel = c->kernel;
  test_pool *pool = test_pool_open(2, TEST_ORDER_SHUFFLE);
  const ffn_parallel parallel = test_pool_parallel(pool, c->threads);
  void *work = ffn_alloc(ffn_work_bytes(kernel, c->threads));
  float *y = test_memory(c->tokens * kernel->outputs * sizeof(float));
  kernel->run(y, kernel->outputs, c->x, kernel->inputs, c->tokens, c->packed, work, &parallel);
  c->wrong = !test_same(y, c->expected, c->tokens * kernel->outputs);
  free(y);
  ffn_free(work);
  test_pool_close(pool);
  return NULL;
}

/* 1 where a caller got other bits. */
static int check(const ffn_kernel *kernel) {
  const size_t tokens = test_tokens(kernel, 2e7, 3, TOKENS);
  int wrong = 0;
  test_model model;
  test_model_open(&model, kernel, TEST_REALS, 51);
  test_model_pack(&model);
  float *x = test_inputs(kernel, tokens, TEST_REALS, 52);
  float *expected = test_outputs(kernel, x, tokens, model.packed);
  caller callers[CALLERS];
  pthread_t threads[CALLERS];
  for (size_t i = 0; i < CALLERS; i++) {
    callers[i] = (caller){kernel, x, expected, model.packed, 2 + 3 * i, tokens, 0};
    if (pthread_create(&threads[i], NULL, call, &callers[i]) != 0)
      abort();
  }
  for (size_t i = 0; i < CALLERS; i++) {
    pthread_join(threads[i], NULL);
    wrong |= callers[i].wrong;
  }
  free(x), free(expected);
  test_model_close(&model);
  return wrong;
}

int main(void) {
  size_t count, passed = 0, failed = 0, skipped = 0;
  const ffn_kernel *const *kernels = ffn_all(&count);
  for (size_t i = 0; i < count; i++) {
    if (!test_runs_here(kernels[i])) {
      skipped++;
    } else if (check(kernels[i])) {
      printf("%s: other bits\n", kernels[i]->name);
      failed++;
    } else {
      passed++;
    }
  }
  printf("%zu passed, %zu failed, %zu skipped\n", passed, failed, skipped);
  return failed || !passed;
}
