/* Products of a Llama as plain loops, in place of kernels: include this before what calls them. Of
 * each packed layer the floats that unpack() gives are kept. */
#ifndef FFN_BENCH_PLAIN_PRODUCTS_H
#define FFN_BENCH_PLAIN_PRODUCTS_H

#include "ffn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_MOST = 4096 }; /* layers of all models */

typedef struct plain_layer {
  const void *packed;
  float *weights[FFN_MAX_STAGES][FFN_MAX_BRANCHES]; /* [outputs][inputs] of each matrix */
} plain_layer;

/* One call of a stage: tasks share its outputs. */
typedef struct plain_call {
  const ffn_stage *stage;
  float *const *weights;
  const float *x;
  float *y;
  size_t x_stride, y_stride, tokens, tasks;
  int adds;
} plain_call;

static float *plain_floats(const ffn_stage *stage) {
  float *floats = (float *)malloc(stage->inputs * stage->outputs * sizeof(float));
  if (!floats || stage->bias)
    abort(); /* no memory; this model has no biases */
  return floats;
}

static plain_layer *plain_layer_of(const ffn_kernel *kernel, const void *packed) {
  static plain_layer layers[PLAIN_MOST];
  plain_layer *layer = layers;
  while (layer->packed && layer->packed != packed)
    ++layer;
  if (layer->packed || layer == layers + PLAIN_MOST - 1)
    return layer;
  ffn_unpacked to = {0};
  ffn_unpacked_linear chain[FFN_MAX_STAGES] = {{0}};
  to.chain = chain;
  for (size_t s = 0; s < kernel->stage_count; s++)
    for (size_t b = 0; b < kernel->stages[s].branches; b++) {
      float *floats = layer->weights[s][b] = plain_floats(&kernel->stages[s]);
      switch (kernel->stages[s].matrix[b]) {
      case FFN_MATRIX_GATE:
        to.gate.weight = floats;
        break;
      case FFN_MATRIX_UP:
        to.up.weight = floats;
        break;
      case FFN_MATRIX_DOWN:
        to.down.weight = floats;
        break;
      case FFN_MATRIX_CHAIN:
      default:
        chain[s].weight = floats;
        break;
      }
    }
  kernel->unpack(&to, packed);
  layer->packed = packed;
  return layer;
}

static float plain_dot(const float *w, const float *x, size_t count) {
  float sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += w[i] * x[i];
  return sum;
}

static void plain_task(void *context, size_t task) {
  const plain_call *call = (const plain_call *)context;
  const ffn_stage *stage = call->stage;
  const size_t first = stage->outputs * task / call->tasks;
  const size_t last = stage->outputs * (task + 1) / call->tasks;
  for (size_t o = first; o < last; o++)
    for (size_t t = 0; t < call->tokens; t++) {
      const float *x = call->x + t * call->x_stride;
      float y = plain_dot(call->weights[0] + o * stage->inputs, x, stage->inputs);
      if (stage->branches == 2)
        y = y / (1 + expf(-y)) * plain_dot(call->weights[1] + o * stage->inputs, x, stage->inputs);
      float *to = call->y + t * call->y_stride + o;
      *to = call->adds ? *to + y : y;
    }
}

static void plain_stage(const ffn_parallel *threads, plain_call call) {
  call.tasks = threads->threads;
  threads->run(threads->pool, call.tasks, plain_task, &call);
}

static void plain_chain(const ffn_kernel *kernel, float *y, size_t y_stride, const float *x,
                        size_t x_stride, size_t tokens, const void *packed, int adds,
                        const ffn_parallel *threads) {
  static float hidden[64 * 65536];
  const plain_layer *layer = plain_layer_of(kernel, packed);
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const int ends = s + 1 == kernel->stage_count;
    const size_t wide = kernel->stages[s].outputs;
    const plain_call call = {.stage = &kernel->stages[s],
                             .weights = layer->weights[s],
                             .x = s ? hidden : x,
                             .y = ends ? y : hidden,
                             .x_stride = s ? kernel->stages[s].inputs : x_stride,
                             .y_stride = ends ? y_stride : wide,
                             .tokens = tokens,
                             .adds = ends && adds};
    if (s > 1 || wide > 65536)
      abort(); /* hidden is one array */
    plain_stage(threads, call);
  }
}

static void plain_to(const ffn_outputs *outputs, const ffn_destination *to, const float *x,
                     size_t x_stride, size_t tokens, const void *packed,
                     const ffn_parallel *threads) {
  const ffn_kernel *kernel = outputs->kernel;
  const plain_layer *layer = plain_layer_of(kernel, packed);
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const plain_call call = {.stage = &kernel->stages[s],
                             .weights = layer->weights[s],
                             .x = x,
                             .y = to[s].y,
                             .x_stride = x_stride,
                             .y_stride = to[s].stride,
                             .tokens = tokens};
    plain_stage(threads, call);
  }
}

#define ffn_run(kernel, y, y_stride, x, x_stride, tokens, packed, work, bytes, threads)            \
  plain_chain(kernel, y, y_stride, x, x_stride, tokens, packed, 0, threads)
#define ffn_add(kernel, y, y_stride, scale, x, x_stride, tokens, packed, work, bytes, threads)     \
  plain_chain(kernel, y, y_stride, x, x_stride, tokens, packed, 1, threads)
#define ffn_run_to(outputs, to, x, x_stride, tokens, packed, work, bytes, threads)                 \
  plain_to(outputs, to, x, x_stride, tokens, packed, threads)

#endif
