/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * parallel_team.h - "call me with my thread's number", for hosts that fork and join by themselves:
 * every one of N threads calls, and together they run one kernel.
 *
 *     ffn_team team;                   shared by all
 *     ffn_team_init(&team, N);         once, before any thread calls
 *
 *     ffn_team_run(&team, i, k, y, 512, x, 512, tokens, packed, work, bytes);    on thread i of N
 *
 * - Member 0 runs the kernel; members 1 to N - 1 do its tasks, and return when it has.
 * - Each call is a barrier at both ends: the tasks see what any member wrote before its call, and
 *   all of y is there for whichever member returns. Calls may follow each other at once.
 * - N threads, one for each number, must call equally often. A number may pass to another thread
 *   once the first has returned and the host has handed it over.
 * - Nothing is allocated, nothing has to be freed, and no call to the system is made: who waits,
 *   spins. Where members outnumber cores, define FFN_TEAM_WAIT(). */
#ifndef FFN_PARALLEL_TEAM_H
#define FFN_PARALLEL_TEAM_H

#include "ffn.h"
#include "tasks.h"

#include <assert.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a waiting member does between two looks. May be defined before this header is included: as
 * sched_yield(), say. */
#ifndef FFN_TEAM_WAIT
#define FFN_TEAM_WAIT() ffn_spin_pause()
#endif

typedef struct ffn_team {
  ffn_tasks tasks;
  size_t members;
  size_t arrived; /* members but 0 that have called */
  size_t ended; /* calls that member 0 has ended; wraps */
} ffn_team;

/* A team of that many members, at least 1. */
static inline void ffn_team_init(ffn_team *team, size_t members) {
  const ffn_tasks none = {NULL, NULL, 0, 0};
  assert(members >= 1);
  team->tasks = none;
  team->members = members;
  team->arrived = team->ended = 0;
}

static inline void ffn_team_share(
    void *argument, size_t tasks, void (*task)(void *context, size_t index), void *context) {
  ffn_team *team = (ffn_team *)argument;
  ffn_tasks_offer(&team->tasks, tasks, task, context);
  ffn_tasks_help(&team->tasks);
  while (!ffn_tasks_done(&team->tasks))
    FFN_TEAM_WAIT();
}

/* Does the tasks of one call. It cannot end before this member has arrived, so `ended` is read in
 * time; it may end before the member sees a task. */
static inline void ffn_team_serve(ffn_team *team) {
  const size_t ended = __atomic_load_n(&team->ended, __ATOMIC_RELAXED);
  __atomic_add_fetch(&team->arrived, 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&team->ended, __ATOMIC_ACQUIRE) == ended) {
    ffn_tasks_help(&team->tasks);
    FFN_TEAM_WAIT();
  }
}

/* kernel->run() by the whole team; the sizes and conditions are that function's. work has
 * work_bytes bytes, ffn_work_bytes(kernel, members, tokens) at least. Of members 1 to N - 1 the
 * arguments after `member` are not read. */
static inline void ffn_team_run(ffn_team *team, size_t member, const ffn_kernel *kernel, float *y,
    size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed, void *work,
    size_t work_bytes) {
  assert(member < team->members);
  if (member > 0) {
    ffn_team_serve(team);
    return;
  }
  while (__atomic_load_n(&team->arrived, __ATOMIC_ACQUIRE) != team->members - 1)
    FFN_TEAM_WAIT();
  __atomic_store_n(&team->arrived, 0, __ATOMIC_RELAXED);
  const ffn_parallel parallel = {ffn_team_share, team, team->members};
  ffn_run(kernel, y, y_stride, x, x_stride, tokens, packed, work, work_bytes, &parallel);
  __atomic_add_fetch(&team->ended, 1, __ATOMIC_RELEASE);
}

#ifdef __cplusplus
}
#endif
#endif
