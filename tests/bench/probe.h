/* What a machine can do at most: multiply-adds from registers, and plain reads. */
#ifndef BENCH_PROBE_H
#define BENCH_PROBE_H

#include "ffn.h"

/* parallel is NULL for the calling thread alone. */

/* f32 multiply-adds for some ten microseconds, and how many flop these are. 0: not on this CPU. */
double bench_peak_flop(ffn_isa isa, size_t threads);
void bench_peak_run(ffn_isa isa, const ffn_parallel *parallel);

/* A way to read: each thread's share in `streams` parts side by side, each forward, with prefetches
 * `ahead` bytes in front where that is not 0; in vectors that take a whole cache line, where the
 * CPU has such, or half of one. */
typedef struct bench_way {
  size_t streams, ahead;
  int halves;
} bench_way;

/* Those that are tried. Which is the fastest depends on how much is read, and on its pages. */
enum { BENCH_WAYS = 18 };
bench_way bench_way_at(size_t i);

/* Reads that memory, at 64 bytes' alignment, once. Returns the bytes read: all but a few. */
size_t bench_read_run(const void *data, size_t bytes, bench_way way, const ffn_parallel *parallel);

#endif
