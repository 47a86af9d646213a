/* Peers that are Python packages. Each runs in a child process, peers.py; weights, x and y go
 * through files that both have open. */
#include "child.h"
#include "kernels.h"
#include "peers.h"
#include "stage.h"

#include <math.h>
#include <stdlib.h>

static const char *const script = "tests/bench/peers.py";

typedef struct package {
  bench_child child;
  bench_layer layer;
  size_t tokens;
} package;

static const char *version(package *p) {
  return bench_child_start(&p->child, script) && bench_child_answer(&p->child) ? p->child.line + 3
                                                                               : NULL;
}

static const char *failed(const package *p) { return *p->child.failed ? p->child.failed : NULL; }

/* Bytes of the numbers of a matrix that is not of floats, of its scales and of its zeros. */
typedef struct own_bytes {
  size_t row, scales, zeros;
} own_bytes;

static own_bytes own_of(const ffn_stage *stage, const ffn_linear *linear) {
  const ffn_block_size block = ffn_source_block(linear->source);
  const size_t count = ffn_matrix_scales(block, linear->scale_rows, stage->outputs, stage->inputs);
  own_bytes own = {0, count * block.scale, count * block.zero};
  if (linear->source != FFN_SOURCE_F32)
    own.row = ffn_source_row(linear->source, stage->inputs);
  return own;
}

static void write_bytes(FILE *file, const void *from, size_t bytes) {
  if (bytes > 0 && fwrite(from, 1, bytes, file) != bytes)
    abort();
}

/* The values of a matrix, its bias, and its own numbers where it has some. */
static void write_matrix(FILE *file, FILE *own, const ffn_linear *linear, const ffn_stage *stage) {
  const own_bytes bytes = own_of(stage, linear);
  float *values = test_memory(stage->inputs * sizeof *values);
  for (size_t o = 0; o < stage->outputs; ++o) {
    ffn_linear_values(stage, linear, o, values);
    bench_child_write(file, values, stage->inputs);
  }
  free(values);
  bench_child_write(file, linear->bias, stage->outputs);
  write_bytes(own, linear->weight, stage->outputs * bytes.row);
  write_bytes(own, linear->scales, bytes.scales);
  write_bytes(own, linear->zeros, bytes.zeros);
}

static void *open_layer(package *p, const bench_layer *layer, const char **why) {
  const ffn_kernel *kernel = layer->kernel;
  *why = p->child.line;
  if (!p->child.pid && !version(p)) /* it failed at the layer before */
    return NULL;
  FILE *file = bench_child_file(&p->child, "weights"), *to = p->child.to;
  FILE *own_file = bench_child_file(&p->child, "own");
  p->layer = *layer;
  fprintf(to, "open %zu build/bench/%s %zu", layer->copies, p->child.name, kernel->stage_count);
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_stage *stage = &kernel->stages[i];
    const int gated = stage->product == FFN_PRODUCT_UP;
    const ffn_linear *first = bench_matrix(kernel, layer->weights, i);
    const own_bytes own = own_of(stage, first);
    write_matrix(file, own_file, first, stage);
    if (gated)
      write_matrix(file, own_file, &layer->weights->up, stage);
    fprintf(to, " %zu %zu %d %d %s %zu %zu %zu %s %.9g", stage->inputs, stage->outputs, stage->bias,
            gated, ffn_format_name(stage->format), own.row, own.scales, own.zeros,
            ffn_activation_name(stage->activation), (double)bench_beta(stage, layer->weights));
  }
  fputc('\n', to);
  fclose(file), fclose(own_file);
  return bench_child_answer(&p->child) ? p : NULL;
}

static int shape_layer(void *argument, const bench_shape *shape) {
  package *p = argument;
  p->tokens = shape->tokens;
  fprintf(p->child.to, "shape %zu %zu\n", shape->tokens, shape->threads);
  const int ok = bench_child_answer(&p->child);
  if (!ok && p->child.pid)
    fprintf(stderr, "bench: %s: %s\n", p->child.name, p->child.line);
  return ok;
}

static void run(void *argument, size_t copy, float *y, const float *x) {
  package *p = argument;
  FILE *file = bench_child_file(&p->child, "x"), *made = bench_child_file(&p->child, "y");
  bench_child_write(file, x, p->tokens * p->layer.kernel->inputs);
  fclose(file);
  fprintf(p->child.to, "run %zu\n", copy);
  if (bench_child_must_answer(&p->child))
    bench_child_read(&p->child, made, y, p->tokens * p->layer.kernel->outputs);
  fclose(made);
}

static double seconds(void *argument, size_t copy, int cold, size_t calls) {
  package *p = argument;
  fprintf(p->child.to, "time %zu %d %zu\n", copy, cold, calls);
  const double took = bench_child_must_answer(&p->child) ? strtod(p->child.line + 2, NULL) : 0;
  if (p->child.pid && !(took > 0 && took < INFINITY))
    bench_child_fail(&p->child, "the time that it took is no number");
  return took;
}

static void close_layer(void *argument) {
  package *p = argument;
  fprintf(p->child.to, "close\n");
  bench_child_must_answer(&p->child);
}

#define PYTHON_PEER(its, most_noise)                                                               \
  static package package_##its = {.child = {.name = #its}};                                        \
  static const char *version_##its(void) { return version(&package_##its); }                       \
  static const char *failed_##its(void) { return failed(&package_##its); }                         \
  static void *open_##its(const bench_layer *layer, const char **why) {                            \
    return open_layer(&package_##its, layer, why);                                                 \
  }                                                                                                \
  const bench_peer bench_##its = {.name = #its,                                                    \
                                  .takes_blocks = 1,                                               \
                                  .noise = most_noise,                                             \
                                  .version = version_##its,                                        \
                                  .open = open_##its,                                              \
                                  .shape = shape_layer,                                            \
                                  .run = run,                                                      \
                                  .close = close_layer,                                            \
                                  .seconds = seconds,                                              \
                                  .failed = failed_##its};
PYTHON_PEER(onnxruntime, 0)
PYTHON_PEER(openvino, 0)
PYTHON_PEER(pytorch, 0)
/* They round x and what lies between stages to bf16, or to 8 bits in groups of 32 or 256. */
PYTHON_PEER(torch_bf16, 0.03)
PYTHON_PEER(ggml, 0.05)
