/* Threads for kernels, for the loops of peers and for the probes: one per core, each on a core of
 * its own. Idle ones spin for a while before they sleep, as a host's pool would. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "ffn.h"

typedef struct bench_pool bench_pool;

/* threads counts the caller's own. */
bench_pool *bench_pool_open(size_t threads);
void bench_pool_close(bench_pool *pool);
ffn_parallel bench_pool_parallel(bench_pool *pool);

/* Binds the calling thread to the core that the pool left for it, or gives it back all cores.
 * Threads that a library starts inherit what is allowed then. */
void bench_pool_bind(int bound);

#endif
