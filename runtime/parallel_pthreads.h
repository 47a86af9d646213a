/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * parallel_pthreads.h - a small pool of POSIX threads, for products without one. Compile and link
 * with -pthread.
 *
 *     ffn_pool *pool = ffn_pool_create(4);
 *     const ffn_parallel threads = ffn_pool_parallel(pool);
 *     const size_t bytes = ffn_work_bytes(k, threads.threads, tokens);
 *     void *work = ffn_alloc(bytes);
 *     ffn_run(k, y, 512, x, 512, tokens, packed, work, bytes, &threads);
 *     ffn_pool_destroy(pool);
 *
 * - Memory is allocated by create() alone. A run cannot fail.
 * - Host threads may call at once on one pool, each with its own work memory: the first has the
 *   pool, the others do their tasks themselves. So does a task that calls into its own pool.
 * - Between runs the pool's threads watch for work for a while (FFN_POOL_SPIN), then sleep. A run
 *   waits only for tasks that were begun: a thread that the system holds up costs no more.
 * - The pool's threads begin in the floating-point mode of create()'s caller; kernels compute in
 *   that of run()'s (see ffn.h).
 * - After fork() the child must not use its parent's pool. */
#ifndef FFN_PARALLEL_PTHREADS_H
#define FFN_PARALLEL_PTHREADS_H

#include "ffn.h"
#include "tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How often a waiting thread looks before it sleeps: for about 100 us, so that the gap between
 * two layers costs no wake-up. 0 sleeps at once. */
#ifndef FFN_POOL_SPIN
#define FFN_POOL_SPIN 2000
#endif

typedef struct ffn_pool {
  ffn_tasks tasks;
  int busy; /* 1: a run has the pool */
  int closing; /* 1: threads shall end */
  int sleepers; /* threads that wait for `change`; changed under the lock */
  pthread_mutex_t lock;
  pthread_cond_t change;
  size_t workers;
  pthread_t *threads; /* [workers] */
} ffn_pool;

static inline int ffn_pool_called(const ffn_pool *pool) {
  return ffn_tasks_offered(&pool->tasks) || __atomic_load_n(&pool->closing, __ATOMIC_SEQ_CST);
}

static inline int ffn_pool_done(const ffn_pool *pool) { return ffn_tasks_done(&pool->tasks); }

/* Returns once ready(). Gives its core away now and then: where threads outnumber cores, the one
 * that is waited for may need it. */
static inline void ffn_pool_await(ffn_pool *pool, int (*ready)(const ffn_pool *pool)) {
  for (int look = 1; look <= FFN_POOL_SPIN; ++look) {
    if (ready(pool))
      return;
    if (look % 64 == 0)
      sched_yield();
    else
      ffn_spin_pause();
  }
  pthread_mutex_lock(&pool->lock);
  __atomic_add_fetch(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
  while (!ready(pool))
    pthread_cond_wait(&pool->change, &pool->lock);
  __atomic_sub_fetch(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&pool->lock);
}

/* To be called after what makes ready() true. Both that store and this load are sequentially
 * consistent, as are a sleeper's in the opposite order: one of the two sees the other. */
static inline void ffn_pool_wake(ffn_pool *pool) {
  if (__atomic_load_n(&pool->sleepers, __ATOMIC_SEQ_CST) == 0)
    return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->change);
  pthread_mutex_unlock(&pool->lock);
}

static inline void *ffn_pool_worker(void *argument) {
  ffn_pool *pool = (ffn_pool *)argument;
  for (;;) {
    ffn_pool_await(pool, ffn_pool_called);
    if (__atomic_load_n(&pool->closing, __ATOMIC_SEQ_CST))
      return NULL;
    if (ffn_tasks_help(&pool->tasks))
      ffn_pool_wake(pool);
  }
}

static inline void ffn_pool_run(
    void *argument, size_t tasks, void (*task)(void *context, size_t index), void *context) {
  ffn_pool *pool = (ffn_pool *)argument;
  if (tasks <= 1 || __atomic_exchange_n(&pool->busy, 1, __ATOMIC_ACQUIRE)) {
    for (size_t index = 0; index < tasks; ++index)
      task(context, index);
    return;
  }
  ffn_tasks_offer(&pool->tasks, tasks, task, context);
  ffn_pool_wake(pool);
  ffn_tasks_help(&pool->tasks);
  ffn_pool_await(pool, ffn_pool_done);
  __atomic_store_n(&pool->busy, 0, __ATOMIC_RELEASE);
}

/* Ends the pool's threads and frees it; NULL is fine. No run may be under way. */
static inline void ffn_pool_destroy(ffn_pool *pool) {
  if (!pool)
    return;
  __atomic_store_n(&pool->closing, 1, __ATOMIC_SEQ_CST);
  ffn_pool_wake(pool);
  for (size_t i = 0; i < pool->workers; ++i)
    pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->change);
  pthread_mutex_destroy(&pool->lock);
  free(pool->threads);
  free(pool);
}

/* A pool of that many threads, the caller's among them: 4 start three, 1 (or 0) none. NULL where
 * memory or threads are not to be had. To be given to ffn_pool_destroy(). */
static inline ffn_pool *ffn_pool_create(size_t threads) {
  ffn_pool *pool = (ffn_pool *)calloc(1, sizeof *pool);
  pthread_t *ids = (pthread_t *)calloc(threads ? threads : 1, sizeof *ids);
  if (!pool || !ids || pthread_mutex_init(&pool->lock, NULL) != 0) {
    free(ids);
    free(pool);
    return NULL;
  }
  if (pthread_cond_init(&pool->change, NULL) != 0) {
    pthread_mutex_destroy(&pool->lock);
    free(ids);
    free(pool);
    return NULL;
  }
  pool->threads = ids;
  for (; pool->workers + 1 < threads; ++pool->workers)
    if (pthread_create(&ids[pool->workers], NULL, ffn_pool_worker, pool) != 0) {
      ffn_pool_destroy(pool);
      return NULL;
    }
  return pool;
}

/* What a kernel is given. It holds as long as the pool. */
static inline ffn_parallel ffn_pool_parallel(ffn_pool *pool) {
  ffn_parallel parallel;
  parallel.run = ffn_pool_run;
  parallel.pool = pool;
  parallel.threads = pool->workers + 1;
  return parallel;
}

#ifdef __cplusplus
}
#endif
#endif
