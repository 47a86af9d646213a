/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * parallel_openmp.h - OpenMP's threads for a kernel. Compile and link with -fopenmp (OpenMP 3.0).
 *
 *     const ffn_parallel threads = ffn_openmp(0);
 *     const size_t bytes = ffn_work_bytes(k, threads.threads, tokens);
 *     void *work = ffn_alloc(bytes);
 *     ffn_run(k, y, 512, x, 512, tokens, packed, work, bytes, &threads);
 *
 * Nothing is allocated, and nothing has to be freed. All tasks run, in the same bits, also where
 * OpenMP gives fewer threads than asked for. Inside an active parallel region (a nested call) they
 * run on the calling thread. Host threads may call at once, each with its own work memory; OpenMP
 * gives each its own team, so together they may use more threads than there are cores. */
#ifndef FFN_PARALLEL_OPENMP_H
#define FFN_PARALLEL_OPENMP_H

#include "ffn.h"

#ifndef _OPENMP
#error "parallel_openmp.h needs OpenMP: compile and link with -fopenmp"
#endif

#include <assert.h>
#include <omp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `pool` is the number of threads. Every run asks for all of them, however few its tasks: a team
 * that changes its size is slow. The schedule is static so that a thread meets the same weights
 * from run to run. */
static inline void ffn_openmp_run(
    void *pool, size_t tasks, void (*task)(void *context, size_t index), void *context) {
  const int threads = (int)(uintptr_t)pool;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (!omp_in_parallel())
  for (size_t index = 0; index < tasks; ++index)
    task(context, index);
}

/* That many threads of OpenMP, the caller's among them; 0 for omp_get_max_threads(). */
static inline ffn_parallel ffn_openmp(int threads) {
  ffn_parallel parallel;
  assert(threads >= 0);
  parallel.threads = (size_t)(threads > 0 ? threads : omp_get_max_threads());
  parallel.run = ffn_openmp_run;
  parallel.pool = (void *)(uintptr_t)parallel.threads;
  return parallel;
}

#ifdef __cplusplus
}
#endif
#endif
