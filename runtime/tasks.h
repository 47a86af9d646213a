/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * tasks.h - the tasks of one ffn_parallel run, for any threads to claim. What parallel_pthreads.h
 * and parallel_team.h share; a host includes those.
 *
 * `unclaimed` alone says whether there is work: whoever lowers it from n to n - 1 owns task n - 1
 * of the run under way and, until that task is done, keeps the run from ending. So a thread may
 * come late or never: nobody waits for it before it has claimed a task. */
#ifndef FFN_TASKS_H
#define FFN_TASKS_H

#include <stddef.h>

#if !defined(__GNUC__)
#error "tasks.h uses the __atomic builtins of gcc and clang, which C and C++ share"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: no tasks. */
typedef struct ffn_tasks {
  void (*task)(void *context, size_t index); /* these two are read after a claim only */
  void *context;
  size_t unclaimed, unfinished;
} ffn_tasks;

/* Tells the core that this thread waits for another. */
static inline void ffn_spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/* By one thread, when the tasks before are done. The order of the stores matters: once unclaimed
 * is seen, so is all that was written before. */
static inline void ffn_tasks_offer(
    ffn_tasks *tasks, size_t count, void (*task)(void *context, size_t index), void *context) {
  tasks->task = task;
  tasks->context = context;
  __atomic_store_n(&tasks->unfinished, count, __ATOMIC_RELAXED);
  __atomic_store_n(&tasks->unclaimed, count, __ATOMIC_SEQ_CST);
}

static inline int ffn_tasks_offered(const ffn_tasks *tasks) {
  return __atomic_load_n(&tasks->unclaimed, __ATOMIC_SEQ_CST) != 0;
}

/* Once this is 1, what the tasks wrote is visible. */
static inline int ffn_tasks_done(const ffn_tasks *tasks) {
  return __atomic_load_n(&tasks->unfinished, __ATOMIC_SEQ_CST) == 0;
}

/* Claims and does tasks until none is left to claim. 1 where one of them was the last to finish. */
static inline int ffn_tasks_help(ffn_tasks *tasks) {
  size_t left = __atomic_load_n(&tasks->unclaimed, __ATOMIC_RELAXED);
  int last = 0;
  while (left > 0)
    if (__atomic_compare_exchange_n(
            &tasks->unclaimed, &left, left - 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      tasks->task(tasks->context, left - 1);
      last |= __atomic_sub_fetch(&tasks->unfinished, 1, __ATOMIC_SEQ_CST) == 0;
      left = __atomic_load_n(&tasks->unclaimed, __ATOMIC_RELAXED);
    }
  return last;
}

#ifdef __cplusplus
}
#endif
#endif
