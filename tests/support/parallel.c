#include "parallel.h"
#include "kernels.h"
#include "mode.h"
#include "model.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { MOST_TASKS = 64, MOST_TOKENS = 33 };

/* What a run's tasks leave behind. `value` is plain memory: only the run's end makes it visible. */
typedef struct trace {
  int count[MOST_TASKS + 1], value[MOST_TASKS + 1];
  int round, away; /* away: tasks on other threads than the caller's */
  long caller_ns, other_ns;
  pthread_t caller;
  const ffn_parallel *inner; /* of nested runs */
  struct trace *inside;      /* [MOST_TASKS] */
} trace;

static void sleep_ns(long ns) {
  if (ns > 0)
    thrd_sleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static void leave_trace(void *context, size_t index) {
  trace *t = context;
  const int away = !pthread_equal(pthread_self(), t->caller);
  sleep_ns(away ? t->other_ns : t->caller_ns);
  if (index > MOST_TASKS)
    index = MOST_TASKS;
  __atomic_add_fetch(&t->count[index], 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&t->away, away, __ATOMIC_RELAXED);
  t->value[index] = t->round;
}

static void check_trace(const trace *t, size_t tasks) {
  for (size_t i = 0; i <= MOST_TASKS; i++) {
    const int times = i < tasks;
    cr_assert(t->count[i] == times, "task %zu of %zu ran %d times", i, tasks, t->count[i]);
    cr_assert(t->value[i] == times * t->round, "what task %zu of %zu wrote is not there", i, tasks);
  }
}

static int run_once(const ffn_parallel *parallel, size_t tasks, int round, long caller_ns,
                    long other_ns) {
  trace t = {
      .round = round, .caller_ns = caller_ns, .other_ns = other_ns, .caller = pthread_self()};
  parallel->run(parallel->pool, tasks, leave_trace, &t);
  check_trace(&t, tasks);
  return t.away;
}

/* Quick tasks, to meet races; slow ones, for which a run has to wait; and pauses, in which threads
 * fall asleep. */
void test_parallel_once(const ffn_parallel *parallel) {
  const size_t counts[] = {0, 1, 2, 3, parallel->threads, 3 * parallel->threads + 1, MOST_TASKS};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    for (int round = 1; round <= 500; round++)
      run_once(parallel, counts[i], round, 0, 0);
    for (int round = 1; round <= 3; round++) {
      run_once(parallel, counts[i], round, 100000, 1000000);
      sleep_ns(2000000);
    }
  }
}

void test_parallel_spread(const ffn_parallel *parallel) {
  int away = 0;
  for (int round = 1; round <= 500 && !away; round++)
    away = run_once(parallel, 2 * parallel->threads, round, 1000000, 0);
  cr_assert(away, "all tasks run on the caller's thread, of %zu", parallel->threads);
}

static void run_inside(void *context, size_t index) {
  trace *t = context, *inside = &t->inside[index];
  inside->round = t->round;
  inside->caller = pthread_self();
  t->inner->run(t->inner->pool, index, leave_trace, inside);
  leave_trace(t, index);
}

void test_parallel_nested(const ffn_parallel *parallel) {
  const size_t tasks = 2 * parallel->threads + 2;
  trace *inside = test_memory(MOST_TASKS * sizeof *inside);
  for (int round = 1; round <= 100; round++) {
    memset(inside, 0, MOST_TASKS * sizeof *inside);
    trace t = {.round = round, .caller = pthread_self(), .inner = parallel, .inside = inside};
    parallel->run(parallel->pool, tasks, run_inside, &t);
    check_trace(&t, tasks);
    for (size_t i = 0; i < tasks; i++)
      check_trace(&inside[i], i);
  }
  free(inside);
}

/* One host thread that runs a kernel. */
typedef struct host {
  const ffn_kernel *kernel;
  const ffn_parallel *parallel;
  const float *x, *expected;
  const void *packed;
  float *y;
  void *work;
  size_t work_bytes;
  size_t most;
  size_t wrong; /* 0, or a number of tokens with other bits */
} host;

static void *run_host(void *argument) {
  static const size_t batches[] = {1, 5, MOST_TOKENS};
  host *h = argument;
  const ffn_kernel *k = h->kernel;
  h->wrong = 0;
  for (size_t b = 0; b < sizeof batches / sizeof *batches && batches[b] <= h->most; b++) {
    memset(h->y, 0xff, h->most * k->outputs * sizeof(float));
    ffn_run(k, h->y, k->outputs, h->x, k->inputs, batches[b], h->packed, h->work, h->work_bytes,
            h->parallel);
    if (!test_same(h->y, h->expected, batches[b] * k->outputs))
      h->wrong = batches[b];
  }
  return NULL;
}

/* Hosts on threads of their own; or a single one on this, in a mode. */
static void run_hosts(const ffn_kernel *kernel, const ffn_parallel *const *parallels, size_t count,
                      const test_mode *mode) {
  const size_t most = test_tokens(kernel, 1e7, 5, MOST_TOKENS);
  test_model model;
  test_model_open(&model, kernel, TEST_REALS, 61);
  test_model_pack(&model);
  float *x = test_inputs(kernel, most, TEST_REALS, 62);
  const test_mode_before before = test_mode_enter(mode);
  float *expected = test_outputs(kernel, x, most, model.packed);
  host hosts[2];
  pthread_t threads[2];
  for (size_t i = 0; i < count; i++)
    hosts[i] = (host){.kernel = kernel,
                      .parallel = parallels[i],
                      .x = x,
                      .expected = expected,
                      .packed = model.packed,
                      .y = test_memory(most * kernel->outputs * sizeof(float)),
                      .work = ffn_alloc(ffn_work_bytes(kernel, parallels[i]->threads, most)),
                      .work_bytes = ffn_work_bytes(kernel, parallels[i]->threads, most),
                      .most = most};
  if (count == 1)
    run_host(&hosts[0]);
  for (size_t i = 0; i < count && count > 1; i++)
    cr_assert(pthread_create(&threads[i], NULL, run_host, &hosts[i]) == 0);
  for (size_t i = 0; i < count && count > 1; i++)
    pthread_join(threads[i], NULL);
  test_mode_leave(before);
  for (size_t i = 0; i < count; i++) {
    cr_assert(hosts[i].wrong == 0, "%s, %s: other bits with %zu tokens on %zu threads",
              kernel->name, mode->name, hosts[i].wrong, parallels[i]->threads);
    ffn_free(hosts[i].work);
    free(hosts[i].y);
  }
  free(x), free(expected);
  test_model_close(&model);
}

void test_parallel_bits(const ffn_kernel *kernel, const ffn_parallel *parallel) {
  run_hosts(kernel, &parallel, 1, &test_modes[0]);
}

void test_parallel_modes(const ffn_kernel *kernel, const ffn_parallel *parallel) {
  for (size_t m = 0; m < test_mode_count; m++)
    run_hosts(kernel, &parallel, 1, &test_modes[m]);
}

void test_parallel_callers(const ffn_kernel *kernel, const ffn_parallel *first,
                           const ffn_parallel *second) {
  run_hosts(kernel, (const ffn_parallel *const[]){first, second}, 2, &test_modes[0]);
}
