/* Two vendored copies of one layer in one program, each on a pool of its own, at the same time: the
 * same bits from both, and nothing for ThreadSanitizer to report. */
#define TWO_B_IMPLEMENTATION
#include "one.h"
#include "one_parallel_pthreads.h"
#include "two_b.h"
#include "two_b_parallel_pthreads.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { D = ONE_BLOCK_INPUTS, F = 40, TOKENS = 9, RUNS = 50, THREADS = 3 };

static float weights[3 * D * F], x[TOKENS * D], first[TOKENS * D], second[TOKENS * D];

static void *run_one(void *failed) {
  const one_kernel *k = one_block();
  one_pool *pool = one_pool_create(THREADS);
  const one_parallel threads = one_pool_parallel(pool);
  const size_t bytes = one_work_bytes(k, THREADS, TOKENS);
  void *packed = one_alloc(k->packed_bytes), *work = one_alloc(bytes);
  k->pack(packed, &(one_weights){.gate = {.weight = weights},
                                 .up = {.weight = weights + D * F},
                                 .down = {.weight = weights + 2 * D * F}});
  for (int run = 0; run < RUNS; run++)
    one_run(k, first, D, x, D, TOKENS, packed, work, bytes, &threads);
  *(int *)failed = !one_packed_fits(k, packed);
  one_pool_destroy(pool);
  one_free(packed);
  one_free(work);
  return NULL;
}

static void *run_two(void *failed) {
  const two_b_kernel *k = two_b_block();
  two_b_pool *pool = two_b_pool_create(THREADS);
  const two_b_parallel threads = two_b_pool_parallel(pool);
  const size_t bytes = two_b_work_bytes(k, THREADS, TOKENS);
  void *packed = two_b_alloc(k->packed_bytes), *work = two_b_alloc(bytes);
  k->pack(packed, &(two_b_weights){.gate = {.weight = weights},
                                   .up = {.weight = weights + D * F},
                                   .down = {.weight = weights + 2 * D * F}});
  for (int run = 0; run < RUNS; run++)
    two_b_run(k, second, D, x, D, TOKENS, packed, work, bytes, &threads);
  *(int *)failed = !two_b_packed_fits(k, packed);
  two_b_pool_destroy(pool);
  two_b_free(packed);
  two_b_free(work);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int failed[2] = {0};
  for (int i = 0; i < 3 * D * F; i++)
    weights[i] = (float)(i * 37 % 101 - 50) / 256;
  for (int i = 0; i < TOKENS * D; i++)
    x[i] = (float)(i * 29 % 53 - 26) / 16;
  pthread_create(&threads[0], NULL, run_one, &failed[0]);
  pthread_create(&threads[1], NULL, run_two, &failed[1]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  if (failed[0] || failed[1] || memcmp(first, second, sizeof first) != 0) {
    puts("the two copies do not agree");
    return 1;
  }
  return 0;
}
