/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * subjects.h - what measure.c times: kernels of one layer, in memory that they share. */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include "ffn.h"
#include "parallel_pthreads.h"

enum { ARMS_MOST = 64 };

typedef struct cell {
  size_t tokens, threads;
  int cold;
  size_t calls; /* of a sample */
  double seconds;
} cell;

/* What all candidates run on: their packed weights are the same. */
typedef struct subjects {
  const ffn_kernel *kernels[ARMS_MOST]; /* the one that all are measured by, then the candidates */
  size_t numbers[ARMS_MOST];
  size_t count;
  unsigned char *packed; /* `copies` of the weights, `stride` bytes apart */
  size_t stride, copies, turn;
  float *x, *y, *expected;
  void *work;
  size_t work_bytes;
  ffn_pool *pool; /* NULL where all cells are of one thread */
  ffn_parallel parallel;
} subjects;

/* Seconds of a clock that only rises. */
double now(void);

/* Prints "tick" now and then. */
void tick(void);

/* Ends the program where there is no memory. */
void *given(void *memory);

/* Threads that this machine runs at once. */
size_t cpus_here(void);

/* Memory for cells of at most so many tokens and threads; `cold`: weights that no cache holds. */
void open_subjects(subjects *set, size_t tokens, size_t threads, int cold);
void close_subjects(subjects *set);

/* Seconds of one of `calls` calls. */
double time_calls(subjects *set, const ffn_kernel *kernel, const cell *c, size_t calls);

#endif
