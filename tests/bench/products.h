/* A layer as matrix products of a library, with loops for biases, activations and gates: the peers
 * that have nothing but a product. Each of them defines the three functions below. */
#ifndef BENCH_PRODUCTS_H
#define BENCH_PRODUCTS_H

#include "peer.h"

/* y[tokens][outputs] = x[tokens][inputs] W^T, W[outputs][inputs], all dense. */
void bench_product(float *y, const float *x, const float *w, size_t tokens, size_t inputs,
                   size_t outputs);
void bench_product_threads(size_t threads);

void *bench_products_open(const bench_layer *layer, const char **why);
int bench_products_shape(void *state, const bench_shape *shape);
void bench_products_run(void *state, size_t copy, float *y, const float *x);
void bench_products_close(void *state);

/* The rest of a bench_peer made of products. */
#define BENCH_PRODUCTS_PEER                                                                        \
  .reads_weights = 1, .open = bench_products_open, .shape = bench_products_shape,                  \
  .run = bench_products_run, .close = bench_products_close

#endif
