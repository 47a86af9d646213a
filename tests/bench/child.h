/* A Python program in a process of its own, which answers one line for each line it is sent. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stddef.h>
#include <stdio.h>

typedef struct bench_child {
  const char *name;
  FILE *to, *from; /* NULL: not started */
  char line[256];  /* the last answer */
} bench_child;

/* Starts BENCH_PYTHON, or python3, on a script with the child's name as its argument. */
void bench_child_start(bench_child *child, const char *script);

/* Reads the next line: 1 where it begins with "ok". The other ends the program where it does not.
 */
int bench_child_answer(bench_child *child);
void bench_child_must_answer(bench_child *child);

/* build/bench/NAME_WHAT.raw, which both have open; ends the program where it cannot be opened. */
FILE *bench_child_file(const bench_child *child, const char *what, const char *mode);

/* NULL values are skipped; what cannot be written or read ends the program. */
void bench_child_write(FILE *file, const float *values, size_t count);
void bench_child_read(FILE *file, float *values, size_t count);

#endif
