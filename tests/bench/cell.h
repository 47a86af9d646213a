/* A cell of the benchmark: one layer, number of tokens, number of threads, and state of the caches,
 * with all subjects checked, then timed in turns. */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "subject.h"

/* Whether the cell's result, the speed over the best peer, can be believed. */
typedef struct bench_outcome {
  int wrong;     /* answers, which are told on stderr */
  double moved;  /* the spread of the nearer limit, or the result's uncertainty */
  int repeated;  /* 1: it had moved more than the result is away from 1 */
  int undecided; /* 1: and so it did once more */
} bench_outcome;

/* The fastest way to read the layer's weights where such a cell finds them: cell->way says how
 * other memory is read. The same for every number of tokens. */
bench_way bench_cell_way(bench_data *data, bench_subject *subjects, size_t count,
                         const bench_cell *cell);

/* The first subject is a kernel. */
bench_outcome bench_cell_measure(bench_data *data, bench_subject *subjects, size_t count,
                                 const bench_cell *cell);

#endif
