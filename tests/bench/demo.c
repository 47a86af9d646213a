/* The demo: real layers, checked and timed, beside OpenBLAS sgemm and a loop.
 *
 *   demo [LAYER...]     layer names; without any, GPT-2 124M's block and the notebook's SwiGLU
 *
 * One thread. Each answer is checked against the reference before it is timed: the column "error"
 * is the largest |y - exact| as a fraction of its proven bound. Kernels and OpenBLAS are timed in
 * turns; times are medians. Exit status 1 where any answer is wrong.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "ffn.h"

#include <cblas.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOKENS_MOST = 128, ROUNDS_MOST = 64 };
static const size_t token_counts[] = {1, 16, TOKENS_MOST};
static const double seconds_per_cell = 0.25;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *memory) {
  if (!memory) {
    fprintf(stderr, "demo: out of memory\n");
    exit(1);
  }
  return memory;
}

static float *random_floats(size_t count, float scale, uint64_t *state) {
  float *values = (float *)need(malloc(count * sizeof *values));
  for (size_t i = 0; i < count; ++i) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    values[i] = scale * ((float)(*state >> 40) * 0x1p-23f - 1.0f);
  }
  return values;
}

/* A layer with its weights, input and exact answer. */
typedef struct layer {
  const ffn_kernel *kernel; /* any instruction set's: sizes and stages are the same */
  ffn_weights weights;
  float *x, *y, *hidden, *gate;
  double *exact, *bound;
} layer;

static ffn_linear random_linear(size_t inputs, size_t outputs, int bias, uint64_t *state) {
  const float scale = 1.0f / sqrtf((float)inputs); /* as torch.nn.Linear */
  ffn_linear linear = {random_floats(inputs * outputs, scale, state), NULL};
  if (bias)
    linear.bias = random_floats(outputs, scale, state);
  return linear;
}

static layer make_layer(const ffn_kernel *k) {
  uint64_t state = 1;
  layer l = {k, {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}, NULL, 1.0f}, 0, 0, 0, 0, 0, 0};
  if (k->stages[0].product == FFN_PRODUCT_UP)
    l.weights.gate = random_linear(k->inputs, k->hidden, k->bias, &state);
  l.weights.up = random_linear(k->inputs, k->hidden, k->bias, &state);
  l.weights.down = random_linear(k->hidden, k->outputs, k->bias, &state);
  l.x = random_floats(TOKENS_MOST * k->inputs, 1.0f, &state);
  l.y = (float *)need(malloc(TOKENS_MOST * k->outputs * sizeof(float)));
  l.hidden = (float *)need(malloc(TOKENS_MOST * k->hidden * sizeof(float)));
  l.gate = (float *)need(malloc(TOKENS_MOST * k->hidden * sizeof(float)));
  l.exact = (double *)need(malloc(TOKENS_MOST * k->outputs * sizeof(double)));
  l.bound = (double *)need(malloc(TOKENS_MOST * k->outputs * sizeof(double)));
  void *scratch = need(malloc(ffn_reference_bytes(k)));
  ffn_reference(k, l.exact, l.bound, l.x, k->inputs, TOKENS_MOST, &l.weights, scratch);
  free(scratch);
  return l;
}

static void free_layer(layer *l) {
  const ffn_linear all[] = {l->weights.gate, l->weights.up, l->weights.down};
  for (size_t i = 0; i < 3; ++i) {
    free((void *)(uintptr_t)all[i].weight);
    free((void *)(uintptr_t)all[i].bias);
  }
  free(l->x), free(l->y), free(l->hidden), free(l->gate), free(l->exact), free(l->bound);
}

/* ---- The same layer through OpenBLAS and a loop ---- */

static void sgemm(const ffn_linear *linear, const float *x, float *y, size_t tokens, size_t inputs,
                  size_t outputs) {
  for (size_t t = 0; linear->bias && t < tokens; ++t)
    memcpy(y + t * outputs, linear->bias, outputs * sizeof *y);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)tokens, (int)outputs, (int)inputs, 1.0f,
              x, (int)inputs, linear->weight, (int)inputs, linear->bias ? 1.0f : 0.0f, y,
              (int)outputs);
}

static void run_openblas(const layer *l, size_t tokens) {
  const ffn_kernel *k = l->kernel;
  const int gated = k->stages[0].product == FFN_PRODUCT_UP;
  float *h = l->hidden;
  sgemm(&l->weights.up, l->x, h, tokens, k->inputs, k->hidden);
  if (gated)
    sgemm(&l->weights.gate, l->x, l->gate, tokens, k->inputs, k->hidden);
  for (size_t i = 0; i < tokens * k->hidden; ++i) {
    const float v = gated ? l->gate[i] : h[i];
    float a = v;
    switch (k->stages[0].activation) {
    case FFN_ACT_RELU:
      a = v < 0.0f ? 0.0f : v;
      break;
    case FFN_ACT_GELU:
      a = 0.5f * v * erfcf(-v * 0.70710678f);
      break;
    case FFN_ACT_GELU_TANH:
      a = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
      break;
    case FFN_ACT_SILU:
      a = v / (1.0f + expf(-v));
      break;
    default:
      a = (float)ffn_activation_value(k->stages[0].activation, v, l->weights.beta);
    }
    h[i] = gated ? a * h[i] : a;
  }
  sgemm(&l->weights.down, h, l->y, tokens, k->hidden, k->outputs);
}

/* ---- Measuring ---- */

/* The largest |y - exact| / bound; NaN where y is not a number. */
static double error_ratio(const layer *l, size_t tokens) {
  double worst = 0.0;
  for (size_t i = 0; i < tokens * l->kernel->outputs; ++i) {
    const double ratio = fabs((double)l->y[i] - l->exact[i]) / l->bound[i];
    if (!(ratio <= worst))
      worst = ratio;
  }
  return worst;
}

typedef struct subject {
  const char *name;
  const ffn_kernel *kernel; /* NULL: OpenBLAS */
  void *packed, *work;
  double error, times[ROUNDS_MOST];
} subject;

static void run_subject(const subject *s, const layer *l, size_t tokens) {
  if (s->kernel)
    s->kernel->run(l->y, l->kernel->outputs, l->x, l->kernel->inputs, tokens, s->packed, s->work,
                   NULL);
  else
    run_openblas(l, tokens);
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Checks and times all subjects in turns. Returns the number of wrong answers. */
static int measure(subject *subjects, size_t count, const layer *l, size_t tokens) {
  int wrong = 0;
  size_t rounds = 0;
  for (size_t i = 0; i < count; ++i) {
    memset(l->y, 0xff, tokens * l->kernel->outputs * sizeof(float));
    run_subject(&subjects[i], l, tokens);
    subjects[i].error = error_ratio(l, tokens);
    wrong += !(subjects[i].error <= 1.0);
  }
  for (const double start = now(); rounds < ROUNDS_MOST; ++rounds) {
    if (rounds >= 3 && now() - start > seconds_per_cell * (double)count)
      break;
    for (size_t i = 0; i < count; ++i) {
      const double begin = now();
      run_subject(&subjects[i], l, tokens);
      subjects[i].times[rounds] = now() - begin;
    }
  }
  double openblas = 0.0;
  for (size_t i = count; i-- > 0;) {
    qsort(subjects[i].times, rounds, sizeof(double), by_value);
    if (!subjects[i].kernel)
      openblas = subjects[i].times[rounds / 2];
  }
  for (size_t i = 0; i < count; ++i) {
    const double seconds = subjects[i].times[rounds / 2];
    printf("  %-10s %6zu  %8.1e  %11.2f  %9.1f  %10.2fx  %s\n", subjects[i].name, tokens,
           subjects[i].error, 1e6 * seconds / (double)tokens,
           1e-9 * (double)l->kernel->flop_per_token * (double)tokens / seconds, openblas / seconds,
           subjects[i].error <= 1.0 ? "ok" : "WRONG");
  }
  return wrong;
}

static int demo_layer(const char *name) {
  static const char *const c_layer = "portable C";
  const unsigned cpu = ffn_cpu();
  const ffn_kernel *any = ffn_find_layer(name, cpu);
  subject subjects[FFN_ISA_COUNT + 1];
  size_t count = 0;
  int wrong = 0;
  if (!any || any->kind != FFN_KIND_FFN) {
    fprintf(stderr, "demo: no linked ffn layer \"%s\" (see ffngen list)\n", name);
    return 1;
  }
  layer l = make_layer(any);
  printf("\n%s: %zu -> %zu -> %zu, %s%s, %.1f MB of weights, %.2f MFLOP per token\n", name,
         any->inputs, any->hidden, any->outputs, ffn_variant_name(any->variant),
         any->bias ? " with biases" : "", 1e-6 * (double)any->packed_bytes,
         1e-6 * (double)any->flop_per_token);
  printf("  %-10s %6s  %8s  %11s  %9s  %11s\n", "kernel", "tokens", "error", "us/token", "GFLOP/s",
         "vs OpenBLAS");
  for (int isa = FFN_ISA_COUNT; isa-- > 0;) {
    const ffn_kernel *k = ffn_find_layer(name, cpu & 1u << isa);
    if (!k)
      continue;
    subject *s = &subjects[count++];
    s->name = isa == FFN_ISA_C ? c_layer : ffn_isa_name((ffn_isa)isa);
    s->kernel = k;
    s->packed = need(ffn_alloc(k->packed_bytes));
    s->work = need(ffn_alloc(ffn_work_bytes(k, 1)));
    k->pack(s->packed, &l.weights);
  }
  subjects[count].name = "OpenBLAS";
  subjects[count++].kernel = NULL;
  for (size_t i = 0; i < sizeof token_counts / sizeof *token_counts; ++i)
    wrong += measure(subjects, count, &l, token_counts[i]);
  for (size_t i = 0; i + 1 < count; ++i)
    ffn_free(subjects[i].packed), ffn_free(subjects[i].work);
  free_layer(&l);
  return wrong;
}

int main(int argc, char **argv) {
  static char gpt2[] = "ffn_gelu_tanh_bias_d768_f3072_f32";
  static char notebook[] = "ffn_swiglu_d512_f1365_f32";
  char *shown[] = {gpt2, notebook};
  char **layers = argc > 1 ? argv + 1 : shown;
  const int count = argc > 1 ? argc - 1 : 2;
  int wrong = 0;
  openblas_set_num_threads(1);
  printf("Feed-forward kernels on one thread; error is |y - exact| / proven bound, at most 1.\n");
  printf("OpenBLAS: %s, core %s, %d thread\n", openblas_get_config(), openblas_get_corename(),
         openblas_get_num_threads());
  for (int i = 0; i < count; ++i)
    wrong += demo_layer(layers[i]);
  printf("\n%s\n",
         wrong ? "demo: SOME ANSWERS ARE WRONG" : "demo: all answers lie within their bounds");
  return wrong != 0;
}
