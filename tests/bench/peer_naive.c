/* The loops that one writes first. Compiled twice: with -O3 -march=native, where the compiler must
 * keep the order of every sum, and with -ffast-math, where it may not ("naive_fast"). */
#include "products.h"

#include <stdio.h>

#ifdef __FAST_MATH__
#define NAME "naive_fast"
#define OPTIONS "-O3 -march=native -ffast-math"
#else
#define NAME "naive"
#define OPTIONS "-O3 -march=native"
#endif

/* Past this many flop a call takes seconds, and nobody learns from it. */
static const double flop_most = 4e8;

static const char *version(void) { return "compiler " __VERSION__ ", " OPTIONS; }

void bench_product_threads(size_t threads) { (void)threads; }

void bench_product(float *y, const float *x, const float *w, size_t tokens, size_t inputs,
                   size_t outputs) {
  for (size_t t = 0; t < tokens; ++t)
    for (size_t o = 0; o < outputs; ++o) {
      float sum = 0.0f;
      for (size_t k = 0; k < inputs; ++k)
        sum += x[t * inputs + k] * w[o * inputs + k];
      y[t * outputs + o] = sum;
    }
}

static int shape(void *state, const bench_shape *shape) {
  return shape->threads == 1 && shape->flop <= flop_most && bench_products_shape(state, shape);
}

const bench_peer peer = {.name = NAME,
                         .reads_weights = 1,
                         .version = version,
                         .open = bench_products_open,
                         .shape = shape,
                         .run = bench_products_run,
                         .close = bench_products_close};
