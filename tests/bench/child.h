/* A Python program in a process of its own, which answers one line for each line it is sent. It may
 * die, hang or answer anything: that is told, and ends nobody else. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stddef.h>
#include <stdio.h>

typedef struct bench_child {
  const char *name;
  long pid; /* 0: not running */
  FILE *to; /* NULL: never started. What is written to who is gone is lost */
  int from;
  char line[256];   /* the last answer */
  char failed[512]; /* why it is gone: "" while it runs, and where it said nothing and ended well */
} bench_child;

/* Starts BENCH_PYTHON, or python3, on a script with the child's name as its argument, what it says
 * on stderr in build/bench/NAME.log. 0 where it cannot. What failed before is forgotten. */
int bench_child_start(bench_child *child, const char *script);

/* Reads the next line: 1 where it begins with "ok". 0 with a line that begins with "no", which is
 * what the program does not do, or, where it is gone, with why in `failed` and in the line. Who has
 * answered nothing for BENCH_PEER_SECONDS (600) is ended. */
int bench_child_answer(bench_child *child);

/* The same of what was promised: "no" fails, too. */
int bench_child_must_answer(bench_child *child);

/* It is of no use any more. */
void bench_child_fail(bench_child *child, const char *why);

/* build/bench/NAME_WHAT.raw, which both have open, empty; ends the program where it cannot be made.
 */
FILE *bench_child_file(const bench_child *child, const char *what);

/* NULL values are skipped; what cannot be written ends the program. Who wrote too little to be read
 * has failed: 0. */
void bench_child_write(FILE *file, const float *values, size_t count);
int bench_child_read(bench_child *child, FILE *file, float *values, size_t count);

#endif
