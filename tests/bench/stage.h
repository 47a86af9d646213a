/* A stage of a layer as peers compute it: matrix products, then one loop for all the rest. */
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "ffn.h"

/* The gate's matrix, or the only one, of a stage. The other of a stage of two is weights->up. */
const ffn_linear *bench_matrix(const ffn_kernel *kernel, const ffn_weights *weights, size_t stage);

/* beta of a stage's activation. */
float bench_beta(const ffn_stage *stage, const ffn_weights *weights);

/* Most floats in a row between two stages, input and output included. */
size_t bench_widest(const ffn_kernel *kernel);

/* What is left of a stage when the matrix products are there. The matrices are [rows][columns]
 * with a stride each. */
typedef struct bench_epilogue {
  ffn_activation activation;
  float beta;
  const float *bias;    /* of y: NULL where there is none */
  const float *up_bias; /* of up */
  const float *up;      /* NULL: nothing to multiply with */
  size_t up_stride;
} bench_epilogue;

/* y = act(y + bias) * (up + up_bias) */
void bench_finish(const bench_epilogue *e, float *y, size_t stride, size_t rows, size_t columns);

#endif
