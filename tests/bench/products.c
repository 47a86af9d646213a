#include "products.h"
#include "stage.h"

#include <stdlib.h>

typedef struct state {
  bench_layer layer;
  bench_shape shape;
  float *buffers[3]; /* a stage's input and output in turns, and `up` */
} state;

void bench_products_close(void *argument) {
  state *s = argument;
  for (size_t i = 0; i < 3; ++i)
    free(s->buffers[i]);
  free(s);
}

void *bench_products_open(const bench_layer *layer, const char **why) {
  const size_t floats = layer->tokens_most * bench_widest(layer->kernel);
  state *s = calloc(1, sizeof *s);
  *why = "out of memory";
  if (!s)
    return NULL;
  s->layer = *layer;
  for (size_t i = 0; i < 3; ++i)
    if (!(s->buffers[i] = malloc(floats * sizeof(float)))) {
      bench_products_close(s);
      return NULL;
    }
  return s;
}

int bench_products_shape(void *argument, const bench_shape *shape) {
  ((state *)argument)->shape = *shape;
  bench_product_threads(shape->threads);
  return 1;
}

/* The loop over some rows of a stage's output, which is large enough to share among threads. */
typedef struct rows {
  const bench_epilogue *epilogue;
  float *y;
  size_t tokens, columns, tasks;
} rows;

static void finish_rows(void *context, size_t index) {
  const rows *r = context;
  const size_t first = r->tokens * index / r->tasks, last = r->tokens * (index + 1) / r->tasks;
  bench_epilogue e = *r->epilogue;
  if (e.up)
    e.up += first * e.up_stride;
  bench_finish(&e, r->y + first * r->columns, r->columns, last - first, r->columns);
}

static void finish(const bench_shape *shape, const bench_epilogue *epilogue, float *y,
                   size_t columns) {
  rows r = {epilogue, y, shape->tokens, columns, shape->threads};
  if (epilogue->activation == FFN_ACT_IDENTITY && !epilogue->bias && !epilogue->up)
    return;
  if (shape->threads > 1 && shape->tokens >= shape->threads && shape->tokens * columns > 20000) {
    shape->parallel->run(shape->parallel->pool, r.tasks, finish_rows, &r);
  } else {
    r.tasks = 1;
    finish_rows(&r, 0);
  }
}

void bench_products_run(void *argument, size_t copy, float *y, const float *x) {
  state *s = argument;
  const ffn_kernel *kernel = s->layer.kernel;
  const ffn_weights *weights = &s->layer.weights[copy];
  const float *in = x;
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_stage *stage = &kernel->stages[i];
    const ffn_linear *matrix = bench_matrix(kernel, weights, i);
    float *out = i + 1 == kernel->stage_count ? y : s->buffers[i % 2];
    bench_epilogue e = {.activation = stage->activation,
                        .beta = bench_beta(stage, weights),
                        .bias = matrix->bias,
                        .up_stride = stage->outputs};
    if (stage->product == FFN_PRODUCT_UP) {
      bench_product(s->buffers[2], in, weights->up.weight, s->shape.tokens, stage->inputs,
                    stage->outputs);
      e.up = s->buffers[2];
      e.up_bias = weights->up.bias;
    }
    bench_product(out, in, matrix->weight, s->shape.tokens, stage->inputs, stage->outputs);
    finish(&s->shape, &e, out, stage->outputs);
    in = out;
  }
}
