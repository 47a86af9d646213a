/* Peers that are Python packages. Each runs in a child process, peers.py, which answers one line
 * for each line it is sent; weights, x and y go through files that both have open. */
#define _POSIX_C_SOURCE 200809L /* fork, pipe, fdopen */
#include "peers.h"
#include "stage.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const script = "tests/bench/peers.py";
static const char *const folder = "build/bench";

typedef struct child {
  const char *name;
  FILE *to, *from;
  bench_layer layer;
  size_t tokens;
  char line[256]; /* the last answer */
} child;

static void start(child *c) {
  const char *wanted = getenv("BENCH_PYTHON"), *python = wanted ? wanted : "python3";
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0)
    return;
  fflush(NULL);
  if (fork() == 0) {
    dup2(to[0], 0), dup2(from[1], 1);
    close(to[0]), close(to[1]), close(from[0]), close(from[1]);
    execlp(python, python, script, c->name, (char *)NULL);
    _exit(127);
  }
  signal(SIGPIPE, SIG_IGN); /* a child that is gone shows as an empty answer */
  close(to[0]), close(from[1]);
  c->to = fdopen(to[1], "w");
  c->from = fdopen(from[0], "r");
}

/* The child's next line: 1 where it begins with "ok". */
static int answer(child *c) {
  fflush(c->to);
  if (!fgets(c->line, sizeof c->line, c->from))
    snprintf(c->line, sizeof c->line, "the child process is gone");
  c->line[strcspn(c->line, "\n")] = 0;
  return strncmp(c->line, "ok", 2) == 0;
}

static const char *version(child *c) {
  if (!c->to)
    start(c);
  return c->to && answer(c) ? c->line + 3 : NULL;
}

static FILE *open_file(const child *c, const char *what, const char *mode) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s_%s.raw", folder, c->name, what);
  FILE *file = fopen(path, mode);
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

static void write_floats(FILE *file, const float *values, size_t count) {
  if (values && fwrite(values, sizeof *values, count, file) != count) {
    perror("bench: a file of weights");
    exit(1);
  }
}

static void write_matrix(FILE *file, const ffn_linear *linear, const ffn_stage *stage) {
  write_floats(file, linear->weight, stage->inputs * stage->outputs);
  write_floats(file, linear->bias, stage->outputs);
}

static void *open_layer(child *c, const bench_layer *layer, const char **why) {
  const ffn_kernel *kernel = layer->kernel;
  FILE *file = open_file(c, "weights", "wb");
  c->layer = *layer;
  fprintf(c->to, "open %zu %s/%s %zu", layer->copies, folder, c->name, kernel->stage_count);
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_stage *stage = &kernel->stages[i];
    const int gated = stage->product == FFN_PRODUCT_UP;
    write_matrix(file, bench_matrix(kernel, layer->weights, i), stage);
    if (gated)
      write_matrix(file, &layer->weights->up, stage);
    fprintf(c->to, " %zu %zu %d %d %s %.9g", stage->inputs, stage->outputs, stage->bias, gated,
            ffn_activation_name(stage->activation), (double)bench_beta(stage, layer->weights));
  }
  fputc('\n', c->to);
  fclose(file);
  *why = c->line;
  return answer(c) ? c : NULL;
}

static int shape_layer(void *argument, const bench_shape *shape) {
  child *c = argument;
  c->tokens = shape->tokens;
  fprintf(c->to, "shape %zu %zu\n", shape->tokens, shape->threads);
  const int ok = answer(c);
  if (!ok)
    fprintf(stderr, "bench: %s: %s\n", c->name, c->line);
  return ok;
}

static void must_answer(child *c) {
  if (!answer(c)) {
    fprintf(stderr, "bench: %s: %s\n", c->name, c->line);
    exit(1);
  }
}

static void run(void *argument, size_t copy, float *y, const float *x) {
  child *c = argument;
  const size_t outputs = c->tokens * c->layer.kernel->outputs;
  FILE *file = open_file(c, "x", "wb");
  write_floats(file, x, c->tokens * c->layer.kernel->inputs);
  fclose(file);
  fprintf(c->to, "run %zu\n", copy);
  must_answer(c);
  file = open_file(c, "y", "rb");
  if (fread(y, sizeof *y, outputs, file) != outputs) {
    fprintf(stderr, "bench: %s wrote too short a y\n", c->name);
    exit(1);
  }
  fclose(file);
}

static double seconds(void *argument, size_t copy, int cold, size_t calls) {
  child *c = argument;
  fprintf(c->to, "time %zu %d %zu\n", copy, cold, calls);
  must_answer(c);
  return strtod(c->line + 3, NULL);
}

static void close_layer(void *argument) {
  child *c = argument;
  fprintf(c->to, "close\n");
  must_answer(c);
}

#define PYTHON_PEER(package)                                                                       \
  static child package = {.name = #package};                                                       \
  static const char *version_##package(void) { return version(&package); }                         \
  static void *open_##package(const bench_layer *layer, const char **why) {                        \
    return open_layer(&package, layer, why);                                                       \
  }                                                                                                \
  const bench_peer bench_##package = {.name = #package,                                            \
                                      .version = version_##package,                                \
                                      .open = open_##package,                                      \
                                      .shape = shape_layer,                                        \
                                      .run = run,                                                  \
                                      .close = close_layer,                                        \
                                      .seconds = seconds};
PYTHON_PEER(onnxruntime)
PYTHON_PEER(openvino)
PYTHON_PEER(pytorch)
