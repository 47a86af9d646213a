/* What the benchmark compares ffngen with: one struct per library.
 *
 * Libraries that export the same names (OpenBLAS, BLIS) cannot be linked together, so each peer is
 * a shared object of its own, with one symbol, `peer`. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "ffn.h"

/* A layer as peers get it. Everything outlives the peer's state. */
typedef struct bench_layer {
  const ffn_kernel *kernel;   /* for sizes, stages and names: any instruction set's */
  const ffn_weights *weights; /* [copies], equal in value */
  size_t copies;              /* how many copies of the weights to rotate among */
  size_t tokens_most;         /* shape() will ask for no more */
} bench_layer;

typedef struct bench_shape {
  size_t tokens, threads;
  double flop;                  /* of one call */
  const ffn_parallel *parallel; /* the benchmark's own threads, for loops that a library leaves */
} bench_shape;

typedef struct bench_peer {
  const char *name;
  int reads_weights; /* 1: run() reads layer->weights, so each copy needs memory of its own */
  int takes_blocks;  /* 1: weights need not be floats */
  /* Of a peer that rounds what it multiplies to fewer bits than f32: the rms of its error over that
   * of y, at most. 0: its sums are those of floats. */
  double noise;
  const char *(*version)(void);

  /* Packs the weights. NULL where the peer does not do this layer: *why tells why. */
  void *(*open)(const bench_layer *layer, const char **why);
  /* Makes ready for calls of that shape. 0 where the peer cannot. */
  int (*shape)(void *state, const bench_shape *shape);
  /* y[tokens][outputs] = layer(x[tokens][inputs]), both dense, with copy `copy` of the weights. */
  void (*run)(void *state, size_t copy, float *y, const float *x);
  void (*close)(void *state);

  /* For a peer in another process: what `calls` calls of run() take, in seconds, by its own clock,
   * on the x of the last run(). The first uses copy `copy`, the next the same one, or, where cold,
   * the one after it. NULL: the benchmark takes the time. */
  double (*seconds)(void *state, size_t copy, int cold, size_t calls);
  /* And why it died, hung or answered what is none; NULL while it has not. Then what it gave is
   * nothing. open() begins anew. NULL: it cannot. */
  const char *(*failed)(void);
} bench_peer;

/* The symbol of a shared object. */
extern const bench_peer peer;

#endif
