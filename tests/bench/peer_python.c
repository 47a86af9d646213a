/* Peers that are Python packages. Each runs in a child process, peers.py; weights, x and y go
 * through files that both have open. */
#include "child.h"
#include "peers.h"
#include "stage.h"

#include <stdlib.h>

static const char *const script = "tests/bench/peers.py";

typedef struct package {
  bench_child child;
  bench_layer layer;
  size_t tokens;
} package;

static const char *version(package *p) {
  if (!p->child.to)
    bench_child_start(&p->child, script);
  return p->child.to && bench_child_answer(&p->child) ? p->child.line + 3 : NULL;
}

static void write_matrix(FILE *file, const ffn_linear *linear, const ffn_stage *stage) {
  bench_child_write(file, linear->weight, stage->inputs * stage->outputs);
  bench_child_write(file, linear->bias, stage->outputs);
}

static void *open_layer(package *p, const bench_layer *layer, const char **why) {
  const ffn_kernel *kernel = layer->kernel;
  FILE *file = bench_child_file(&p->child, "weights", "wb"), *to = p->child.to;
  p->layer = *layer;
  fprintf(to, "open %zu build/bench/%s %zu", layer->copies, p->child.name, kernel->stage_count);
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_stage *stage = &kernel->stages[i];
    const int gated = stage->product == FFN_PRODUCT_UP;
    write_matrix(file, bench_matrix(kernel, layer->weights, i), stage);
    if (gated)
      write_matrix(file, &layer->weights->up, stage);
    fprintf(to, " %zu %zu %d %d %s %.9g", stage->inputs, stage->outputs, stage->bias, gated,
            ffn_activation_name(stage->activation), (double)bench_beta(stage, layer->weights));
  }
  fputc('\n', to);
  fclose(file);
  *why = p->child.line;
  return bench_child_answer(&p->child) ? p : NULL;
}

static int shape_layer(void *argument, const bench_shape *shape) {
  package *p = argument;
  p->tokens = shape->tokens;
  fprintf(p->child.to, "shape %zu %zu\n", shape->tokens, shape->threads);
  const int ok = bench_child_answer(&p->child);
  if (!ok)
    fprintf(stderr, "bench: %s: %s\n", p->child.name, p->child.line);
  return ok;
}

static void run(void *argument, size_t copy, float *y, const float *x) {
  package *p = argument;
  FILE *file = bench_child_file(&p->child, "x", "wb");
  bench_child_write(file, x, p->tokens * p->layer.kernel->inputs);
  fclose(file);
  fprintf(p->child.to, "run %zu\n", copy);
  bench_child_must_answer(&p->child);
  file = bench_child_file(&p->child, "y", "rb");
  bench_child_read(file, y, p->tokens * p->layer.kernel->outputs);
  fclose(file);
}

static double seconds(void *argument, size_t copy, int cold, size_t calls) {
  package *p = argument;
  fprintf(p->child.to, "time %zu %d %zu\n", copy, cold, calls);
  bench_child_must_answer(&p->child);
  return strtod(p->child.line + 3, NULL);
}

static void close_layer(void *argument) {
  package *p = argument;
  fprintf(p->child.to, "close\n");
  bench_child_must_answer(&p->child);
}

#define PYTHON_PEER(its)                                                                           \
  static package package_##its = {.child = {.name = #its}};                                        \
  static const char *version_##its(void) { return version(&package_##its); }                       \
  static void *open_##its(const bench_layer *layer, const char **why) {                            \
    return open_layer(&package_##its, layer, why);                                                 \
  }                                                                                                \
  const bench_peer bench_##its = {.name = #its,                                                    \
                                  .version = version_##its,                                        \
                                  .open = open_##its,                                              \
                                  .shape = shape_layer,                                            \
                                  .run = run,                                                      \
                                  .close = close_layer,                                            \
                                  .seconds = seconds};
PYTHON_PEER(onnxruntime)
PYTHON_PEER(openvino)
PYTHON_PEER(pytorch)
