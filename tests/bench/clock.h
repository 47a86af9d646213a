/* Time, and what to make of many times. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stddef.h>

double bench_now(void); /* seconds, monotonic */

/* Waits until no other thread of this process runs: those of some libraries spin for a while after
 * a call, and would take the cores from whoever is measured next. */
void bench_settle(void);

/* Samples that a subject has at most. */
enum { BENCH_ROUNDS_MOST = 101 };

typedef struct bench_quartiles {
  double low, median, high;
} bench_quartiles;

/* Sorts the times. */
bench_quartiles bench_quartiles_of(double *times, size_t count);

#endif
