/* What the benchmark says: lines on the terminal, and all of it as JSON. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "cell.h"
#include "stack_turns.h"

#include <stdio.h>

enum { BENCH_THREAD_COUNTS_MOST = 4 };

typedef struct bench_report {
  FILE *json; /* NULL: none */
  bench_machine machine;
  size_t roof_count;
  bench_roofs roofs[BENCH_THREAD_COUNTS_MOST];
  size_t models, cells, undecided, failed; /* so far */
} bench_report;

/* Models first, then cells. */
void bench_report_open(bench_report *report, const char *json);
void bench_report_stack(bench_report *report, const bench_stack *stack,
                        const bench_stack_times *times);
void bench_report_cells(const bench_report *report);
void bench_report_layer(const bench_report *report, const char *spec, const bench_layer *layer,
                        const bench_subject *subjects, size_t count);
void bench_report_cell(bench_report *report, const char *spec, const bench_layer *layer,
                       const bench_cell *cell, const bench_outcome *outcome,
                       const bench_subject *subjects, size_t count);
/* Those peers of a layer that are gone, a row for each. How many that are. */
size_t bench_report_failed(bench_report *report, const bench_subject *subjects, size_t count);
void bench_report_close(bench_report *report, int wrong);

#endif
