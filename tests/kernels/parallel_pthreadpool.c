/* pthreadpool by parallel_pthreadpool.h: none, and a few threads. Those without work spin for so
 * long that many would take the cores from those that have some. */
#include "parallel_pthreadpool.h"
#include "support/each.h"
#include "support/mode.h"
#include "support/parallel.h"

static const size_t sizes[] = {1, 2, 3};
enum { SIZES = sizeof sizes / sizeof *sizes };

static pthreadpool_t open_pool(size_t threads) {
  pthreadpool_t pool = pthreadpool_create(threads);
  cr_assert(pool != NULL, "no pool of %zu threads", threads);
  return pool;
}

Test(parallel_pthreadpool, tasks) {
  const ffn_parallel alone = ffn_pthreadpool(NULL);
  cr_assert(alone.threads == 1);
  test_parallel_once(&alone);
  for (size_t i = 0; i < SIZES; i++) {
    pthreadpool_t pool = open_pool(sizes[i]);
    const ffn_parallel parallel = ffn_pthreadpool(pool);
    cr_assert(parallel.threads == sizes[i]);
    test_parallel_once(&parallel);
    if (sizes[i] > 1)
      test_parallel_spread(&parallel);
    pthreadpool_destroy(pool);
  }
}

EACH_KERNEL(parallel_pthreadpool, bits, TEST_SMALL_LAYER) {
  for (size_t i = 0; i < SIZES; i++) {
    pthreadpool_t pool = open_pool(sizes[i]);
    const ffn_parallel parallel = ffn_pthreadpool(pool);
    test_parallel_bits(kernel, &parallel);
    pthreadpool_destroy(pool);
  }
}

/* In the mode of run()'s caller, not in that of who made the pool. */
EACH_KERNEL(parallel_pthreadpool, modes, TEST_SMALL_LAYER) {
  const test_mode_before before = test_mode_enter(&test_modes[test_mode_count > 1]);
  pthreadpool_t pool = open_pool(2);
  test_mode_leave(before);
  const ffn_parallel parallel = ffn_pthreadpool(pool);
  test_parallel_modes(kernel, &parallel);
  pthreadpool_destroy(pool);
}

EACH_KERNEL(parallel_pthreadpool, callers, TEST_SMALL_LAYER) {
  pthreadpool_t pool = open_pool(2), other = open_pool(3);
  const ffn_parallel parallel = ffn_pthreadpool(pool), another = ffn_pthreadpool(other);
  test_parallel_callers(kernel, &parallel, &parallel);
  test_parallel_callers(kernel, &parallel, &another);
  pthreadpool_destroy(pool), pthreadpool_destroy(other);
}
