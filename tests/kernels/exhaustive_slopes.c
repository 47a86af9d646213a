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

enum { THREADS = 2, CHUNK = 1 << 14, ROWS = 6 };

typedef struct sweep {
  const ffn_test_activation *c;
  float beta;
  uint64_t from, to;  /* bits of the floats, to excluded */
  double worst, turn; /* as parts of what is promised */
  float worst_at, turn_at;
  uint64_t different;
} sweep;

static void note(double *worst, float *at, double error, float x) {
  if (!(error <= *worst))
    *worst = isnan(error) ? INFINITY : error, *at = x;
}

static void measure(sweep *s, float x, float slope, float turn) {
  const ffn_test_activation *a = s->c;
  const double exact = a->derivative(x, s->beta);
  if (fabs(exact) <= FLT_MAX) {
    const double error = fabs(slope - exact);
    note(&s->worst, &s->worst_at, error > 0 ? error * 0x1p24 / a->slope_error : error, x);
  }
  if (!a->turn || fabs(a->turn(x, s->beta)) > FLT_MAX)
    return;
  const double by_beta = a->turn(x, s->beta);
  const double allowed = a->turn_error(by_beta, s->beta) * 0x1p-24 + 0x1p-148;
  note(&s->turn, &s->turn_at, fabs(turn - by_beta) / allowed, x);
}

static void *run(void *argument) {
  sweep *s = argument;
  float *x = test_memory(ROWS * CHUNK * sizeof *x), *y = x + CHUNK, *slope = y + CHUNK;
  float *turn = slope + CHUNK, *other = turn + CHUNK, *other_turn = other + CHUNK;
  memset(turn, 0, CHUNK * sizeof *turn), memset(other_turn, 0, CHUNK * sizeof *turn);
  for (uint64_t bits = s->from; bits < s->to; bits += CHUNK) {
    for (uint32_t i = 0; i < CHUNK; i++)
      x[i] = test_float((uint32_t)bits + i);
    s->c->gradient(y, slope, turn, x, CHUNK, s->beta);
    for (size_t t = 0; test_activation(t); t++) {
      const ffn_test_activation *a = test_activation(t);
      if (a == s->c || strcmp(a->name, s->c->name) != 0 || !(ffn_cpu() >> a->isa & 1))
        continue;
      a->gradient(y, other, other_turn, x, CHUNK, s->beta);
      s->different += !test_same(slope, other, CHUNK) || !test_same(turn, other_turn, CHUNK);
    }
    for (size_t i = 0; i < CHUNK; i++)
      if (isfinite(x[i]))
        measure(s, x[i], slope[i], turn[i]);
      else
        s->different += isnan(x[i]) && !isnan(slope[i]);
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
    note(&whole.worst, &whole.worst_at, parts[t].worst, parts[t].worst_at);
    note(&whole.turn, &whole.turn_at, parts[t].turn, parts[t].turn_at);
    whole.different += parts[t].different;
  }
  const int ok = whole.worst <= 1 && whole.turn <= 1 && whole.different == 0;
  printf(
      "%-12s beta %g: slope at most %.3f of %.2f 2^-24, at %a; by beta %.3f of its bound, at %a; "
      "%llu other bits: %s\n",
      c->name, (double)beta, whole.worst, c->slope_error, (double)whole.worst_at, whole.turn,
      (double)whole.turn_at, (unsigned long long)whole.different, ok ? "ok" : "FAILED");
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
    for (size_t b = 0; wanted && a->gradient && b < (a->takes_beta ? 2 : 1); b++, swept++)
      failed += !sweep_all(a, betas[b]);
  }
  printf("%d swept, %d failed\n", swept, failed);
  return failed || !swept;
}
