/* Who is timed in a cell: kernels, peers, and what the machine can do meanwhile. */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include "clock.h"
#include "data.h"
#include "machine.h"
#include "pool.h"

typedef struct bench_cell {
  size_t tokens, threads;
  int cold;                     /* 1: each call takes weights that have rested */
  const ffn_parallel *parallel; /* NULL for one thread */
  double budget;                /* seconds for all subjects together, after which rounds end */
  bench_way way;         /* to read weights where they lie; of no streams: reads are not timed */
  bench_buffers *others; /* what is read while weights rest; NULL where nothing is cold */
} bench_cell;

/* A limit is a peak or a plain read of the weights, in turns with the others. */
typedef enum bench_kind { BENCH_KERNEL, BENCH_PEER, BENCH_PEAK, BENCH_READ } bench_kind;

typedef struct bench_subject {
  bench_kind kind;
  char name[24];
  const ffn_kernel *kernel; /* BENCH_KERNEL */
  void *work;
  size_t work_bytes;
  const bench_peer *peer; /* BENCH_PEER */
  bench_layer layer;      /* as that peer sees it */
  void *state;            /* NULL where it does not do this layer */
  size_t set;             /* of copies, of packed or given weights */
  bench_rested own;       /* a peer's own copies */
  ffn_isa isa;            /* BENCH_PEAK */
  char failed[512];       /* why a peer in another process is gone; "": it is not */
  /* What the last cell gave. Times are of one call; a limit's, of as many flop or bytes. */
  int timed;      /* 0: not in this cell */
  int slow;       /* 1: so slow that one sample was taken */
  double error;   /* of what is allowed; more than 1 is a wrong answer */
  double seconds; /* median */
  double spread;  /* (third quartile - first) / median */
  double ratio;   /* over the first subject's time: median of the rounds */
  double unsure;  /* that ratio, by so much of it */
  size_t rounds, calls;
  double once;  /* of a call, before it was timed in turns */
  double scale; /* the work of a cell over that of a call */
  double samples[BENCH_ROUNDS_MOST];
} bench_subject;

/* Each fills in a subject of zeros, which stays where it is. number: more than 1 for the same
 * kernel once more. set: which of the data's sets of copies it uses. */
void bench_kernel_subject(bench_subject *s, const ffn_kernel *kernel, size_t threads, size_t number,
                          size_t set);
/* Says so where the peer does not do the layer. */
void bench_peer_subject(bench_subject *s, const bench_peer *library, const bench_data *data,
                        size_t set);
void bench_peak_subject(bench_subject *s, ffn_isa isa);
void bench_read_subject(bench_subject *s, size_t set);
void bench_subjects_close(bench_subject *subjects, size_t count);

/* Whether a peer is gone: then it is timed no more, and `failed` says why. */
int bench_subject_failed(bench_subject *s);

/* Makes ready for the cell. 0 where the subject has nothing to do in it. */
int bench_subject_shape(bench_data *data, bench_subject *s, const bench_cell *cell);

/* Before a subject's turn: lets its weights rest, waits for other threads, and binds ours. */
void bench_subject_prepare(bench_data *data, bench_subject *s, const bench_cell *cell);

/* One call, whose answer is in data->y, on the first copy. Returns its seconds. */
double bench_subject_answer(bench_data *data, bench_subject *s, const bench_cell *cell);

/* Seconds of so many calls, where cold each on a copy of its own from this one on. */
double bench_subject_time(bench_data *data, bench_subject *s, const bench_cell *cell, size_t copy,
                          size_t calls);

int bench_is_limit(const bench_subject *s);
/* The limit that is nearer to the first subject, a kernel; the fastest peer whose sums are those of
 * floats. NULL: there is none. */
const bench_subject *bench_nearest_limit(const bench_subject *subjects, size_t count);
const bench_subject *bench_best_peer(const bench_subject *subjects, size_t count);

#endif
