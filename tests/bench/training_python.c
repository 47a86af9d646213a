/* PyTorch's autograd, in a child process: training.py. */
#include "child.h"
#include "training.h"

#include <math.h>
#include <stdlib.h>

static bench_child child = {.name = "training"};
static training_scene *scene;

static const char *version(size_t threads) {
  if (!bench_child_start(&child, "tests/bench/training.py") || !bench_child_answer(&child))
    return NULL;
  static char text[300];
  snprintf(text, sizeof text, "%s; %zu thread%s", child.line + 3, threads, threads > 1 ? "s" : "");
  return text;
}

static void write_weights(void *file, const float *weights, float *gradient, size_t count) {
  (void)gradient;
  bench_child_write(file, weights, count);
}

static void read_gradient(void *file, const float *weights, float *gradient, size_t count) {
  (void)weights;
  bench_child_read(&child, file, gradient, count);
}

static const char *failed(void) { return *child.failed ? child.failed : NULL; }

static int open_scene(training_scene *of) {
  const ffn_kernel *k = of->kernel;
  if (!child.pid)
    return 0;
  FILE *file = bench_child_file(&child, "layer");
  scene = of;
  bench_child_write(file, of->x, of->tokens * k->inputs);
  bench_child_write(file, of->dy, of->tokens * k->outputs);
  training_each(of, &of->theirs, write_weights, file);
  fclose(file);
  fprintf(child.to, "open %zu %s %d %d %zu %zu %zu %zu\n", of->threads,
          ffn_activation_name(k->stages[0].activation), of->gated, k->bias, of->tokens, k->inputs,
          k->hidden, k->outputs);
  const int ok = bench_child_answer(&child);
  if (!ok && child.pid)
    fprintf(stderr, "training: PyTorch: %s\n", child.line);
  return ok;
}

static double seconds(const char *what) {
  fprintf(child.to, "%s\n", what);
  return bench_child_must_answer(&child) ? strtod(child.line + 2, NULL) : NAN;
}

static double forward(void) { return seconds("forward"); }
static double gradients(void) { return seconds("gradients"); }

static void answer(void) {
  const ffn_kernel *k = scene->kernel;
  FILE *file = bench_child_file(&child, "answer");
  fprintf(child.to, "answer\n");
  if (bench_child_must_answer(&child)) {
    bench_child_read(&child, file, scene->theirs.y, scene->tokens * k->outputs);
    bench_child_read(&child, file, scene->theirs.to.dx, scene->tokens * k->inputs);
    training_each(scene, &scene->theirs, read_gradient, file);
  }
  fclose(file);
}

const training_peer training_pytorch = {.name = "PyTorch",
                                        .version = version,
                                        .open = open_scene,
                                        .forward = forward,
                                        .gradients = gradients,
                                        .answer = answer,
                                        .failed = failed};
