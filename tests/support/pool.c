#include "pool.h"
#include "rng.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct test_pool {
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  pthread_t *threads;
  size_t workers;
  test_order order;
  int closing;
  /* The run under way, under the lock. */
  void (*task)(void *context, size_t index);
  void *context;
  size_t *queue; /* indices in the order they are taken */
  size_t tasks, taken, finished;
  size_t most_tasks, runs, shuffles;
};

/* Takes and does tasks until none is left. The lock is held at entry and at exit. */
static void help(test_pool *pool) {
  while (pool->taken < pool->tasks) {
    const size_t index = pool->queue[pool->taken++];
    void (*task)(void *, size_t) = pool->task;
    void *context = pool->context;
    pthread_mutex_unlock(&pool->lock);
    task(context, index);
    pthread_mutex_lock(&pool->lock);
    if (++pool->finished == pool->tasks)
      pthread_cond_broadcast(&pool->done);
  }
}

static void *worker(void *argument) {
  test_pool *pool = argument;
  pthread_mutex_lock(&pool->lock);
  while (!pool->closing) {
    help(pool);
    if (!pool->closing)
      pthread_cond_wait(&pool->work, &pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

static void fill_queue(test_pool *pool, size_t tasks) {
  for (size_t i = 0; i < tasks; i++)
    pool->queue[i] = pool->order == TEST_ORDER_DOWN ? tasks - 1 - i : i;
  if (pool->order != TEST_ORDER_SHUFFLE)
    return;
  for (size_t i = tasks; i > 1; i--) {
    const size_t j = test_below(7, pool->shuffles++, i), kept = pool->queue[j];
    pool->queue[j] = pool->queue[i - 1];
    pool->queue[i - 1] = kept;
  }
}

static void run(void *argument, size_t tasks, void (*task)(void *, size_t), void *context) {
  test_pool *pool = argument;
  if (tasks == 0)
    return;
  pthread_mutex_lock(&pool->lock);
  pool->queue = realloc(pool->queue, tasks * sizeof *pool->queue);
  if (!pool->queue)
    abort();
  fill_queue(pool, tasks);
  pool->task = task;
  pool->context = context;
  pool->tasks = tasks;
  pool->taken = pool->finished = 0;
  pool->runs++;
  if (pool->most_tasks < tasks)
    pool->most_tasks = tasks;
  pthread_cond_broadcast(&pool->work);
  /* With workers the caller only waits, so that another thread's stores have to become visible. */
  if (pool->workers == 0)
    help(pool);
  while (pool->finished < pool->tasks)
    pthread_cond_wait(&pool->done, &pool->lock);
  pool->tasks = pool->taken = 0;
  pthread_mutex_unlock(&pool->lock);
}

test_pool *test_pool_open(size_t workers, test_order order) {
  test_pool *pool = calloc(1, sizeof *pool);
  if (!pool || !(pool->threads = calloc(workers + 1, sizeof *pool->threads)))
    abort();
  pool->order = order;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->work, NULL);
  pthread_cond_init(&pool->done, NULL);
  for (; pool->workers < workers; pool->workers++)
    if (pthread_create(&pool->threads[pool->workers], NULL, worker, pool) != 0) {
      perror("pthread_create");
      abort();
    }
  return pool;
}

void test_pool_close(test_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->closing = 1;
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  for (size_t i = 0; i < pool->workers; i++)
    pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->work);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->lock);
  free(pool->threads);
  free(pool->queue);
  free(pool);
}

ffn_parallel test_pool_parallel(test_pool *pool, size_t threads) {
  return (ffn_parallel){.run = run, .pool = pool, .threads = threads};
}

size_t test_pool_most_tasks(test_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  const size_t most = pool->most_tasks;
  pool->most_tasks = 0;
  pthread_mutex_unlock(&pool->lock);
  return most;
}

size_t test_pool_runs(test_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  const size_t runs = pool->runs;
  pool->runs = 0;
  pthread_mutex_unlock(&pool->lock);
  return runs;
}
