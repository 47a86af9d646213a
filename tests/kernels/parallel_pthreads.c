/* The pool of parallel_pthreads.h: alone, with fewer and with more threads than there are cores. */
#include "parallel_pthreads.h"
#include "support/each.h"
#include "support/mode.h"
#include "support/parallel.h"

static const size_t sizes[] = {0, 1, 2, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

static ffn_pool *open_pool(size_t threads) {
  ffn_pool *pool = ffn_pool_create(threads);
  cr_assert(pool != NULL, "no pool of %zu threads", threads);
  return pool;
}

Test(parallel_pthreads, tasks) {
  for (size_t i = 0; i < SIZES; i++) {
    ffn_pool *pool = open_pool(sizes[i]);
    const ffn_parallel parallel = ffn_pool_parallel(pool);
    cr_assert(parallel.threads == (sizes[i] ? sizes[i] : 1));
    test_parallel_once(&parallel);
    test_parallel_nested(&parallel);
    if (sizes[i] > 1)
      test_parallel_spread(&parallel);
    ffn_pool_destroy(pool);
  }
  ffn_pool_destroy(NULL);
}

/* A run wakes threads that sleep. */
Test(parallel_pthreads, wakes) {
  ffn_pool *pool = open_pool(3);
  const ffn_parallel parallel = ffn_pool_parallel(pool);
  while (__atomic_load_n(&pool->sleepers, __ATOMIC_SEQ_CST) < (int)pool->workers)
    sched_yield();
  test_parallel_spread(&parallel);
  ffn_pool_destroy(pool);
}

/* Threads end whether they have begun to wait, sleep, or have just worked. */
Test(parallel_pthreads, comes_and_goes) {
  for (int i = 0; i < 50; i++) {
    ffn_pool *pool = open_pool(3);
    const ffn_parallel parallel = ffn_pool_parallel(pool);
    if (i % 2)
      test_parallel_spread(&parallel);
    ffn_pool_destroy(pool);
  }
}

EACH_KERNEL(parallel_pthreads, bits, TEST_SMALL_LAYER) {
  for (size_t i = 0; i < SIZES; i++) {
    ffn_pool *pool = open_pool(sizes[i]);
    const ffn_parallel parallel = ffn_pool_parallel(pool);
    test_parallel_bits(kernel, &parallel);
    ffn_pool_destroy(pool);
  }
}

/* In the mode of run()'s caller, not in that of create()'s. */
EACH_KERNEL(parallel_pthreads, modes, TEST_SMALL_LAYER) {
  for (size_t m = 0; m < 2 && m < test_mode_count; m++) {
    const test_mode_before before = test_mode_enter(&test_modes[m]);
    ffn_pool *pool = open_pool(3);
    test_mode_leave(before);
    const ffn_parallel parallel = ffn_pool_parallel(pool);
    test_parallel_modes(kernel, &parallel);
    ffn_pool_destroy(pool);
  }
}

EACH_KERNEL(parallel_pthreads, callers, TEST_SMALL_LAYER) {
  ffn_pool *pool = open_pool(2), *other = open_pool(7);
  const ffn_parallel parallel = ffn_pool_parallel(pool), another = ffn_pool_parallel(other);
  test_parallel_callers(kernel, &parallel, &parallel);
  test_parallel_callers(kernel, &parallel, &another);
  ffn_pool_destroy(pool), ffn_pool_destroy(other);
}
