/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * parallel_pthreadpool.h - a pthreadpool of the host's for a kernel. Link with -lpthreadpool.
 *
 *     const ffn_parallel threads = ffn_pthreadpool(pool);
 *     const size_t bytes = ffn_work_bytes(k, threads.threads, tokens);
 *     void *work = ffn_alloc(bytes);
 *     ffn_run(k, y, 512, x, 512, tokens, packed, work, bytes, &threads);
 *
 * The pool stays the host's: create it before, destroy it when no run is under way. Nothing is
 * allocated. What pthreadpool promises of itself:
 * - Host threads may call at once on one pool; the calls run one after the other.
 * - A task must not call into its own pool: it would wait for itself for ever. Kernels never do;
 *   a host that runs kernels inside pthreadpool's tasks gives them NULL or another pool. */
#ifndef FFN_PARALLEL_PTHREADPOOL_H
#define FFN_PARALLEL_PTHREADPOOL_H

#include "ffn.h"

#include <pthreadpool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No flags: kernels compute in the caller's mode, which PTHREADPOOL_FLAG_DISABLE_DENORMALS is not.
 */
static inline void ffn_pthreadpool_run(
    void *pool, size_t tasks, void (*task)(void *context, size_t index), void *context) {
  pthreadpool_parallelize_1d((pthreadpool_t)pool, task, context, tasks, 0);
}

/* All threads of the pool, the caller's among them; NULL for the caller's alone. */
static inline ffn_parallel ffn_pthreadpool(pthreadpool_t pool) {
  ffn_parallel parallel;
  parallel.run = ffn_pthreadpool_run;
  parallel.pool = pool;
  parallel.threads = pool ? pthreadpool_get_threads_count(pool) : 1;
  return parallel;
}

#ifdef __cplusplus
}
#endif
#endif
