/* How long weights have rested: by the bytes of other weights that were read since. Caches know no
 * other clock, so whoever reads cold weights must read such that rested equally long. */
#ifndef BENCH_COLD_WEIGHTS_H
#define BENCH_COLD_WEIGHTS_H

#include <stddef.h>

typedef struct bench_rest {
  size_t wanted; /* bytes of other memory between two uses of the same */
  size_t read;   /* bytes so far, of anything */
} bench_rest;

/* Memory that subjects share, or one has for itself: all of it is used at each turn. */
typedef struct bench_rested {
  size_t at; /* bench_rest.read at the end of its last use; 0: never used */
} bench_rested;

/* Bytes of other memory that are still to be read before this one is used again. */
size_t bench_rest_owed(const bench_rest *rest, const bench_rested *memory);

/* So many bytes of it were read. */
void bench_rest_used(bench_rest *rest, bench_rested *memory, size_t bytes);

#endif
