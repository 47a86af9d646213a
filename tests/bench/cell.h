/* A cell of the benchmark: one layer, number of tokens, number of threads, and state of the caches,
 * with all subjects checked, then timed in turns. */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "data.h"
#include "pool.h"

enum { BENCH_ROUNDS_MOST = 101 };

/* A kernel, or a peer. */
typedef struct bench_subject {
  const char *name;
  const ffn_kernel *kernel; /* NULL: a peer */
  const bench_peer *peer;
  void *state; /* of the peer; NULL where it does not do this layer */
  void *work;  /* of the kernel */
  /* What the last cell gave. */
  int timed;      /* 0: not in this cell */
  int slow;       /* 1: so slow that one sample was taken */
  double error;   /* of what is allowed; more than 1 is a wrong answer */
  double seconds; /* median of one call */
  double spread;  /* (third quartile - first) / median */
  size_t rounds, calls;
  double samples[BENCH_ROUNDS_MOST];
} bench_subject;

typedef struct bench_cell {
  size_t tokens, threads;
  int cold; /* 1: each call takes another copy of the weights, out of more than caches hold */
  const ffn_parallel *parallel; /* NULL for one thread */
  double budget;                /* seconds for all subjects together, after which rounds end */
} bench_cell;

bench_subject bench_kernel_subject(const ffn_kernel *kernel, size_t threads);
/* Says so where the peer does not do the layer. */
bench_subject bench_peer_subject(const bench_peer *library, const bench_layer *layer);
void bench_subjects_close(bench_subject *subjects, size_t count);

/* The first subject is a kernel. Returns the number of wrong answers, which are told on stderr. */
int bench_cell_measure(bench_data *data, bench_subject *subjects, size_t count,
                       const bench_cell *cell);

#endif
