/* Training as one composes it from OpenBLAS's sgemm: forward keeps the sums before the activation,
 * as the kernels under measurement do; between the products, loops that the compiler makes vector
 * code of, exp included (-O3 -march=native -ffast-math), shared among the benchmark's threads. */
#include "clock.h"
#include "training.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct state {
  const training_scene *scene;
  ffn_activation activation;
  const ffn_linear *first; /* what is activated: gate, or up where there is no gate */
  const ffn_linear_gradient *dfirst;
  size_t d, f, o;
  const float *bias, *up_bias; /* zeros where there is none */
  float *sums, *up;            /* [tokens][f], saved: x W^T of first, and of up where gated */
  float *h, *dh, *dsums, *dup;
} state;

static state s;

static const char *version(size_t threads) {
  static char text[256];
  openblas_set_num_threads((int)threads);
  const int got = openblas_get_num_threads();
  snprintf(text, sizeof text, "%s; core %s; %d thread%s", openblas_get_config(),
           openblas_get_corename(), got, got == 1 ? "" : "s");
  return text;
}

static int open_scene(training_scene *scene) {
  const ffn_kernel *k = scene->kernel;
  const size_t count = scene->tokens * k->hidden;
  float **all[] = {&s.sums, &s.up, &s.h, &s.dh, &s.dsums, &s.dup};
  s = (state){.scene = scene,
              .activation = k->stages[0].activation,
              .first = scene->gated ? &scene->weights.gate : &scene->weights.up,
              .dfirst = scene->gated ? &scene->theirs.to.gate : &scene->theirs.to.up,
              .d = k->inputs,
              .f = k->hidden,
              .o = k->outputs};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = training_floats(scene, count, 0);
  s.bias = k->bias ? s.first->bias : training_floats(scene, k->hidden, 0);
  s.up_bias = k->bias && scene->gated ? scene->weights.up.bias : s.bias;
  openblas_set_num_threads((int)scene->threads);
  return s.activation == FFN_ACT_SILU || s.activation == FFN_ACT_GELU_TANH;
}

/* Calls a loop once for each thread. */
static void share(void (*loop)(void *context, size_t task)) {
  const ffn_parallel *parallel = s.scene->parallel;
  if (parallel)
    parallel->run(parallel->pool, parallel->threads, loop, NULL);
  else
    loop(NULL, 0);
}

static size_t part(size_t count, size_t task) { return count * task / s.scene->threads; }

typedef struct activated {
  float value, slope;
} activated;

static inline float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }

static inline activated activate(ffn_activation activation, float v) {
  if (activation == FFN_ACT_SILU) {
    const float g = sigmoid(v);
    return (activated){v * g, g * (1.0f + v * (1.0f - g))};
  }
  const float c = 1.59576912f, g = sigmoid(c * (v + 0.044715f * v * v * v));
  return (activated){v * g, g + v * g * (1.0f - g) * c * (1.0f + 0.134145f * v * v)};
}

/* One row; `activation` and `gated` are constants at each call, and so each has a loop. */
static inline __attribute__((always_inline)) void hidden_row(ffn_activation activation, int gated,
                                                             size_t row) {
  const float *restrict sums = s.sums + row, *restrict up = s.up + row;
  const float *restrict bias = s.bias, *restrict up_bias = s.up_bias;
  float *restrict h = s.h + row;
  for (size_t i = 0; i < s.f; i++) {
    const float value = activate(activation, sums[i] + bias[i]).value;
    h[i] = gated ? value * (up[i] + up_bias[i]) : value;
  }
}

static inline __attribute__((always_inline)) void slope_row(ffn_activation activation, int gated,
                                                            size_t row) {
  const float *restrict sums = s.sums + row, *restrict up = s.up + row, *restrict dh = s.dh + row;
  const float *restrict bias = s.bias, *restrict up_bias = s.up_bias;
  float *restrict h = s.h + row, *restrict dsums = s.dsums + row, *restrict dup = s.dup + row;
  for (size_t i = 0; i < s.f; i++) {
    const activated a = activate(activation, sums[i] + bias[i]);
    const float factor = gated ? up[i] + up_bias[i] : 1.0f;
    h[i] = a.value * factor;
    dsums[i] = dh[i] * factor * a.slope;
    if (gated)
      dup[i] = dh[i] * a.value;
  }
}

/* The loops of one task, over some of the tokens. */
#define OVER_TOKENS(name, row)                                                                     \
  static void name(void *context, size_t task) {                                                   \
    const size_t first = s.f * part(s.scene->tokens, task);                                        \
    const size_t end = s.f * part(s.scene->tokens, task + 1);                                      \
    (void)context;                                                                                 \
    for (size_t at = first; at < end; at += s.f)                                                   \
      if (s.activation == FFN_ACT_SILU)                                                            \
        s.scene->gated ? row(FFN_ACT_SILU, 1, at) : row(FFN_ACT_SILU, 0, at);                      \
      else                                                                                         \
        s.scene->gated ? row(FFN_ACT_GELU_TANH, 1, at) : row(FFN_ACT_GELU_TANH, 0, at);            \
  }
OVER_TOKENS(make_hidden, hidden_row)
OVER_TOKENS(make_slopes, slope_row)

/* y = bias, for the product to be added to. */
static void fill_bias(void *context, size_t task) {
  const float *bias = s.scene->weights.down.bias;
  const size_t end = part(s.scene->tokens, task + 1);
  (void)context;
  for (size_t t = part(s.scene->tokens, task); t < end; t++)
    memcpy(s.scene->theirs.y + t * s.o, bias, s.o * sizeof *bias);
}

/* db = sum of dy over tokens, for some of the columns. */
static void sum_columns(float *restrict db, const float *restrict dy, size_t columns, size_t task) {
  const size_t first = part(columns, task), end = part(columns, task + 1);
  memset(db + first, 0, (end - first) * sizeof *db);
  for (size_t t = 0; t < s.scene->tokens; t++)
    for (size_t c = first; c < end; c++)
      db[c] += dy[t * columns + c];
}

static void sum_biases(void *context, size_t task) {
  const ffn_gradients *to = &s.scene->theirs.to;
  (void)context;
  sum_columns(s.dfirst->bias, s.dsums, s.f, task);
  if (s.scene->gated)
    sum_columns(to->up.bias, s.dup, s.f, task);
  sum_columns(to->down.bias, s.scene->dy, s.o, task);
}

/* c[rows][columns] = a b + scale c, sums of `length`; a or b lies transposed. */
static void product(float *c, const float *a, CBLAS_TRANSPOSE of_a, const float *b,
                    CBLAS_TRANSPOSE of_b, size_t rows, size_t columns, size_t length, float scale) {
  const int m = (int)rows, n = (int)columns, k = (int)length;
  cblas_sgemm(CblasRowMajor, of_a, of_b, m, n, k, 1.0f, a, of_a == CblasTrans ? m : k, b,
              of_b == CblasTrans ? k : n, scale, c, n);
}

static double forward(void) {
  const training_scene *scene = s.scene;
  const size_t tokens = scene->tokens;
  const double began = bench_now();
  product(s.sums, scene->x, CblasNoTrans, s.first->weight, CblasTrans, tokens, s.f, s.d, 0);
  if (scene->gated)
    product(s.up, scene->x, CblasNoTrans, scene->weights.up.weight, CblasTrans, tokens, s.f, s.d,
            0);
  share(make_hidden);
  const float *bias = scene->weights.down.bias;
  if (bias)
    share(fill_bias);
  product(scene->theirs.y, s.h, CblasNoTrans, scene->weights.down.weight, CblasTrans, tokens, s.o,
          s.f, bias ? 1 : 0);
  return bench_now() - began;
}

static double gradients(void) {
  const training_scene *scene = s.scene;
  const ffn_gradients *to = &scene->theirs.to;
  const ffn_weights *w = &scene->weights;
  const size_t tokens = scene->tokens;
  const double began = bench_now();
  product(s.dh, scene->dy, CblasNoTrans, w->down.weight, CblasNoTrans, tokens, s.f, s.o, 0);
  share(make_slopes);
  product(to->down.weight, scene->dy, CblasTrans, s.h, CblasNoTrans, s.o, s.f, tokens, 0);
  product(s.dfirst->weight, s.dsums, CblasTrans, scene->x, CblasNoTrans, s.f, s.d, tokens, 0);
  product(to->dx, s.dsums, CblasNoTrans, s.first->weight, CblasNoTrans, tokens, s.d, s.f, 0);
  if (scene->gated) {
    product(to->up.weight, s.dup, CblasTrans, scene->x, CblasNoTrans, s.f, s.d, tokens, 0);
    product(to->dx, s.dup, CblasNoTrans, w->up.weight, CblasNoTrans, tokens, s.d, s.f, 1);
  }
  if (scene->kernel->bias)
    share(sum_biases);
  return bench_now() - began;
}

const training_peer training_openblas = {.name = "OpenBLAS",
                                         .version = version,
                                         .open = open_scene,
                                         .forward = forward,
                                         .gradients = gradients};
