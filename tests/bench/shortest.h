/* How fast a peer is that can compute a layer in several ways, of which it takes the best. */
#ifndef BENCH_SHORTEST_H
#define BENCH_SHORTEST_H

#include "clock.h"
#include "peer.h"

#include <stdlib.h>

/* Seconds of the shortest of three runs of that shape, with the first copy of the weights; 1e30
 * without memory. */
static inline double bench_shortest(void (*run)(void *state, size_t copy, float *y, const float *x),
                                    void *state, const bench_layer *layer,
                                    const bench_shape *shape) {
  double best = 1e30;
  float *x = calloc(shape->tokens * layer->kernel->inputs, sizeof *x);
  float *y = calloc(shape->tokens * layer->kernel->outputs, sizeof *y);
  for (int i = 0; x && y && i < 3; ++i) {
    const double begin = bench_now();
    run(state, 0, y, x);
    const double seconds = bench_now() - begin;
    best = seconds < best ? seconds : best;
  }
  free(x), free(y);
  return best;
}

#endif
