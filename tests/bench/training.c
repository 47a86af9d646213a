/* Training in turns with the kernel that only runs: run_train() beside run(), and gradients at how
 * much of run()'s speed. training.sh compiles and runs it. */
#define _POSIX_C_SOURCE 200809L /* for clock_gettime() */
#include "ffn_train.h"
#include "parallel_pthreads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 15, SUBJECTS = 6 };
static const char *const names[SUBJECTS] = {"run",      "run_train",    "grad: all",
                                            "grad: dx", "grad: dW, db", "pack_train"};

/* A layer with random weights, and memory for its gradients. */
typedef struct scene {
  const ffn_kernel *kernel;
  const ffn_training *training;
  ffn_weights weights;
  ffn_gradients all, dx, weights_only;
  size_t tokens;
  float *x, *y, *dy;
  void *packed, *saved, *work;
  const ffn_parallel *parallel;
} scene;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float *numbers(size_t count, float scale) {
  float *values = ffn_alloc(count * sizeof *values);
  if (!values)
    exit(1);
  for (size_t i = 0; i < count; i++)
    values[i] = scale * ((float)(i * 7919 % 2003) / 1001.5f - 1);
  return values;
}

static void set_linear(ffn_linear *linear, ffn_linear_gradient *gradient, size_t inputs,
                       size_t outputs, int bias) {
  linear->weight = numbers(inputs * outputs, 1 / sqrtf((float)inputs));
  gradient->weight = numbers(inputs * outputs, 0);
  if (bias) {
    linear->bias = numbers(outputs, 1);
    gradient->bias = numbers(outputs, 0);
  }
}

static void open_scene(scene *s, const ffn_kernel *k, size_t tokens, const ffn_parallel *parallel) {
  const size_t threads = parallel ? parallel->threads : 1;
  const int gated = k->stages[0].product == FFN_PRODUCT_UP;
  *s = (scene){.kernel = k, .training = ffn_training_of(k), .tokens = tokens, .parallel = parallel};
  if (gated)
    set_linear(&s->weights.gate, &s->all.gate, k->inputs, k->hidden, k->bias);
  set_linear(&s->weights.up, &s->all.up, k->inputs, k->hidden, k->bias);
  set_linear(&s->weights.down, &s->all.down, k->hidden, k->outputs, k->bias);
  s->weights_only = s->all;
  s->dx.dx = s->all.dx = numbers(tokens * k->inputs, 0);
  s->dx.dx_stride = s->all.dx_stride = k->inputs;
  s->x = numbers(tokens * k->inputs, 1), s->dy = numbers(tokens * k->outputs, 1);
  s->y = numbers(tokens * k->outputs, 0);
  s->packed = ffn_alloc(s->training->packed_bytes);
  s->saved = ffn_alloc(ffn_saved_bytes(s->training, tokens));
  const size_t mine = ffn_train_work_bytes(s->training, threads), its = ffn_work_bytes(k, threads);
  s->work = ffn_alloc(mine > its ? mine : its);
  s->training->pack_train(s->packed, &s->weights);
}

static void call(const scene *s, int subject) {
  const ffn_training *t = s->training;
  const size_t in = t->inputs, out = t->outputs, tokens = s->tokens;
  const ffn_gradients *wanted[] = {&s->all, &s->dx, &s->weights_only};
  if (subject == 0)
    s->kernel->run(s->y, out, s->x, in, tokens, s->packed, s->work, s->parallel);
  else if (subject == 1)
    t->run_train(s->y, out, s->x, in, tokens, s->saved, s->packed, s->work, NULL, s->parallel);
  else if (subject < 5)
    t->grad(wanted[subject - 2], s->dy, out, s->x, in, tokens, s->saved, s->packed, s->work, NULL,
            s->parallel);
  else
    t->pack_train(s->packed, &s->weights);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void time_scene(const scene *s, size_t threads) {
  double times[SUBJECTS][TURNS], median[SUBJECTS];
  for (int turn = -1; turn < TURNS; turn++)
    for (int subject = 0; subject < SUBJECTS; subject++) {
      const double began = now();
      call(s, subject);
      if (turn >= 0)
        times[subject][turn] = now() - began;
    }
  const double flop = (double)s->kernel->flop_per_token * (double)s->tokens;
  const double work[SUBJECTS] = {flop, flop, 2 * flop, flop, flop, 0};
  printf("%s, %zu tokens, %zu thread%s\n", s->kernel->name, s->tokens, threads,
         threads > 1 ? "s" : "");
  for (int i = 0; i < SUBJECTS; i++) {
    qsort(times[i], TURNS, sizeof times[i][0], by_size);
    median[i] = times[i][TURNS / 2];
    printf("  %-14s %9.3f ms", names[i], 1e3 * median[i]);
    if (work[i] > 0)
      printf("  %7.1f GFLOP/s, %5.1f %% of run()", 1e-9 * work[i] / median[i],
             100 * work[i] / median[i] / (flop / median[0]));
    printf("\n");
  }
}

int main(int argc, char **argv) {
  const size_t threads = argc > 1 ? (size_t)atoi(argv[1]) : 1;
  ffn_pool *pool = threads > 1 ? ffn_pool_create(threads) : NULL;
  const ffn_parallel parallel = pool ? ffn_pool_parallel(pool) : (ffn_parallel){NULL, NULL, 0};
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (ffn_find_layer((*k)->layer, ffn_cpu()) != *k)
      continue;
    for (size_t tokens = 256; tokens <= 512; tokens *= 2) {
      scene s;
      open_scene(&s, *k, tokens, pool ? &parallel : NULL);
      time_scene(&s, threads);
    }
  }
  if (pool)
    ffn_pool_destroy(pool);
  return 0;
}
