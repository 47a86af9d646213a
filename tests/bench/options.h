/* The command line of the benchmark. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "data.h"
#include "report.h"

enum { BENCH_AGAIN_MOST = 8 };

typedef struct bench_spec {
  const char *name, *layer;
} bench_spec;

typedef struct bench_options {
  size_t spec_count;
  const bench_spec *specs[64];
  size_t token_count_count, token_counts[BENCH_TOKEN_COUNTS_MOST];    /* ascending */
  size_t thread_count_count, thread_counts[BENCH_THREAD_COUNTS_MOST]; /* ascending */
  unsigned cpu;                                                       /* allowed instruction sets */
  int hot, cold;
  int models;   /* 1: stacks of layers, too */
  size_t again; /* times that the best kernel is a subject once more */
  const char *json;
  double budget;
} bench_options;

/* Also sets `wanted` in bench_peers. Ends the program at --help, or with status 2 at a mistake. */
bench_options bench_options_read(int argc, char **argv);

#endif
