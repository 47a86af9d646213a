#define _GNU_SOURCE /* cpu_set_t, sched_setaffinity */
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* About 100 us of pauses: longer than the gap between two stages, shorter than a wait for other
 * subjects. */
enum { SPINS = 2000 };

typedef struct worker {
  bench_pool *pool;
  size_t index;
  int cpu;
  pthread_t thread;
} worker;

struct bench_pool {
  size_t threads;
  worker *workers;  /* [threads - 1] */
  atomic_uint turn; /* goes up with each run */
  atomic_uint left; /* workers still at it */
  atomic_int closing;
  pthread_mutex_t lock; /* for sleepers alone */
  pthread_cond_t wake;
  size_t tasks;
  void (*task)(void *context, size_t index);
  void *context;
};

static cpu_set_t all_cpus;
static int own_cpu = -1; /* the caller's, in a pool of several */

static void pause_cpu(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static void bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

void bench_pool_bind(int bound) {
  if (bound && own_cpu >= 0)
    bind_to(own_cpu);
  else if (own_cpu >= 0)
    sched_setaffinity(0, sizeof all_cpus, &all_cpus);
}

static void await_turn(bench_pool *pool, unsigned seen) {
  for (int i = 0; i < SPINS; ++i) {
    if (atomic_load_explicit(&pool->turn, memory_order_acquire) != seen)
      return;
    pause_cpu();
  }
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->turn) == seen)
    pthread_cond_wait(&pool->wake, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

/* Thread i of n does the tasks i, i + n, i + 2 n ... */
static void work(const bench_pool *pool, size_t first) {
  for (size_t i = first; i < pool->tasks; i += pool->threads)
    pool->task(pool->context, i);
}

static void *worker_main(void *argument) {
  const worker *w = argument;
  bench_pool *pool = w->pool;
  bind_to(w->cpu);
  for (unsigned seen = 0;; ++seen) {
    await_turn(pool, seen);
    if (atomic_load(&pool->closing))
      return NULL;
    work(pool, w->index);
    atomic_fetch_sub_explicit(&pool->left, 1, memory_order_release);
  }
}

static void next_turn(bench_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->turn, 1);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

static void run(void *argument, size_t tasks, void (*task)(void *, size_t), void *context) {
  bench_pool *pool = argument;
  pool->tasks = tasks;
  pool->task = task;
  pool->context = context;
  atomic_store(&pool->left, (unsigned)(pool->threads - 1));
  next_turn(pool);
  work(pool, 0);
  while (atomic_load_explicit(&pool->left, memory_order_acquire) != 0)
    pause_cpu();
}

/* The n-th CPU that this process may use. */
static int nth_cpu(size_t n) {
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET((size_t)cpu, &all_cpus) && n-- == 0)
      return cpu;
  return -1;
}

bench_pool *bench_pool_open(size_t threads) {
  bench_pool *pool = calloc(1, sizeof *pool);
  if (!pool || !(pool->workers = calloc(threads, sizeof *pool->workers)))
    abort();
  sched_getaffinity(0, sizeof all_cpus, &all_cpus);
  if (threads > (size_t)CPU_COUNT(&all_cpus)) {
    fprintf(stderr, "bench: %zu threads, but only %d CPUs may be used\n", threads,
            CPU_COUNT(&all_cpus));
    exit(2);
  }
  own_cpu = nth_cpu(0);
  pool->threads = threads;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  for (size_t i = 1; i < threads; ++i) {
    worker *w = &pool->workers[i - 1];
    *w = (worker){.pool = pool, .index = i, .cpu = nth_cpu(i)};
    if (pthread_create(&w->thread, NULL, worker_main, w) != 0) {
      perror("bench: pthread_create");
      exit(1);
    }
  }
  return pool;
}

void bench_pool_close(bench_pool *pool) {
  atomic_store(&pool->closing, 1);
  next_turn(pool);
  for (size_t i = 1; i < pool->threads; ++i)
    pthread_join(pool->workers[i - 1].thread, NULL);
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->wake);
  free(pool->workers);
  free(pool);
}

ffn_parallel bench_pool_parallel(bench_pool *pool) {
  return (ffn_parallel){.run = run, .pool = pool, .threads = pool->threads};
}
