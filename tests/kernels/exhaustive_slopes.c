/* Every derivative of an activation at all 2^32 floats, as exhaustive.c does the activations:
 * `exhaustive_slopes [NAME...]`. Portable C is measured against the formula in double, whose own
 * error is nothing beside 2^-24; other instruction sets must give its bits. About a quarter of an
 * hour on two threads. */
#include "support/kernels.h"
#include "support/oracle.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, CHUNK = 1 << 14, VARIABLES = 3 };

typedef struct sweep {
  const ffn_test_activation *c;
  float beta;
  uint64_t from, to; /* bits of the floats, to excluded */
  /* By x, and by beta: as parts of what is promised. */
  double worst[VARIABLES];
  float at[VARIABLES];
  uint64_t different;
} sweep;

static void note(sweep *s, size_t by, double error, float x) {
  if (!(error <= s->worst[by]))
    s->worst[by] = isnan(error) ? INFINITY : error, s->at[by] = x;
}

static void measure(sweep *s, size_t by, float x, float slope) {
  const double exact = s->c->derivative[by](x, 0, &s->beta);
  if (fabs(exact) > FLT_MAX)
    return;
  const double error = fabs(slope - exact);
  const double allowed = s->c->error[by](exact, &s->beta) * 0x1p-24 + (by > 0 ? 0x1p-148 : 0);
  note(s, by, error > 0 ? error / allowed : error, x);
}

static void *run(void *argument) {
  sweep *s = argument;
  float *x = test_memory((2 + 2 * VARIABLES) * CHUNK * sizeof *x), *y = x + CHUNK;
  float *by[VARIABLES], *other[VARIABLES];
  memset(x, 0, (2 + 2 * VARIABLES) * CHUNK * sizeof *x);
  for (size_t i = 0; i < VARIABLES; i++)
    by[i] = y + (1 + i) * CHUNK, other[i] = by[i] + VARIABLES * CHUNK;
  for (uint64_t bits = s->from; bits < s->to; bits += CHUNK) {
    for (uint32_t i = 0; i < CHUNK; i++)
      x[i] = test_float((uint32_t)bits + i);
    s->c->gradient(y, by, x, NULL, CHUNK, &s->beta);
    for (size_t t = 0; test_activation(t); t++) {
      const ffn_test_activation *a = test_activation(t);
      if (a == s->c || strcmp(a->name, s->c->name) != 0 || !(ffn_cpu() >> a->isa & 1))
        continue;
      a->gradient(y, other, x, NULL, CHUNK, &s->beta);
      s->different += !test_same(by[0], other[0], VARIABLES * CHUNK);
    }
    for (size_t v = 0; v < VARIABLES; v++)
      for (size_t i = 0; i < CHUNK && v < 2 + s->c->parameter_count && s->c->error[v]; i++)
        if (isfinite(x[i]))
          measure(s, v, x[i], by[v][i]);
        else
          s->different += isnan(x[i]) && !isnan(by[v][i]);
  }
  free(x);
  return NULL;
}

static int sweep_all(const ffn_test_activation *c, float beta) {
  pthread_t threads[THREADS];
  sweep parts[THREADS], whole = {.c = c, .beta = beta};
  for (size_t t = 0; t < THREADS; t++) {
    parts[t] = whole;
    parts[t].from = (UINT64_C(1) << 32) / THREADS * t;
    parts[t].to = (UINT64_C(1) << 32) / THREADS * (t + 1);
    if (pthread_create(&threads[t], NULL, run, &parts[t]) != 0)
      abort();
  }
  for (size_t t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    for (size_t v = 0; v < VARIABLES; v++)
      note(&whole, v, parts[t].worst[v], parts[t].at[v]);
    whole.different += parts[t].different;
  }
  const int ok = whole.worst[0] <= 1 && whole.worst[2] <= 1 && whole.different == 0;
  printf("%-12s beta %g: by x at most %.3f of its bound, at %a; by beta %.3f, at %a; "
         "%llu other bits: %s\n",
         c->name, (double)beta, whole.worst[0], (double)whole.at[0], whole.worst[2],
         (double)whole.at[2], (unsigned long long)whole.different, ok ? "ok" : "FAILED");
  fflush(stdout);
  return ok;
}

int main(int count, char **names) {
  static const float betas[] = {1.5f, -0.75f};
  int failed = 0, swept = 0;
  for (size_t i = 0; i < ffn_test_activation_count_c; i++) {
    const ffn_test_activation *a = &ffn_test_activations_c[i];
    int wanted = count <= 1;
    for (int n = 1; n < count; n++)
      wanted |= strcmp(names[n], a->name) == 0;
    for (size_t b = 0; wanted && a->gradient && !a->traced && b < (a->parameter_count ? 2 : 1);
         b++, swept++)
      failed += !sweep_all(a, betas[b]);
  }
  printf("%d swept, %d failed\n", swept, failed);
  return failed || !swept;
}
