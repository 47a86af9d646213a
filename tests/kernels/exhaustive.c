/* Every activation at all 2^32 floats: `exhaustive [NAME...]`, all of them without a name.
 *
 * Portable C is measured against the reference's formulas in double, and against MPFR where the
 * error comes near the promise; other instruction sets must give its bits. One line for each
 * activation; exit 0 when all keep their promises, 1 when not, 2 for a name that is none. About
 * forty minutes on two threads. */
#include "support/kernels.h"
#include "support/oracle.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, CHUNK = 1 << 14, MOST_ISAS = FFN_ISA_COUNT };

typedef struct sweep {
  const ffn_test_activation *c;                /* the portable one */
  const ffn_test_activation *twins[MOST_ISAS]; /* the others of this name that run here */
  size_t twin_count;
  ffn_activation activation;
  double (*function)(double); /* in place of an activation */
  float beta;
  uint64_t from, to; /* bits of the floats, to excluded */
  double ulp, contract;
  float ulp_at, contract_at;
  uint64_t asked, different;
} sweep;

/* exp and its like, which no layer applies. */
static double (*function_of(const char *name))(double) {
  static const struct {
    const char *name;
    double (*function)(double);
  } functions[] = {{"exp", exp},   {"expm1", expm1}, {"log1p", log1p},
                   {"sqrt", sqrt}, {"erf", erf},     {"erfc", erfc}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0)
      return functions[i].function;
  return NULL;
}

/* One unit in the last place of f32 at `exact`: 2^(e - 23) for an exponent e of -126 to 127. */
static double unit(double exact) {
  uint64_t bits;
  memcpy(&bits, &exact, sizeof bits);
  const int e = (int)(bits >> 52 & 0x7ff) - 1023, within = e < -126 ? -126 : e > 127 ? 127 : e;
  bits = (uint64_t)(within - 23 + 1023) << 52;
  memcpy(&exact, &bits, sizeof exact);
  return exact;
}

static void measure(sweep *s, float x, float y) {
  const ffn_test_activation *a = s->c;
  const double exact =
      s->function ? s->function(x) : ffn_activation_value(s->activation, x, 0, &s->beta);
  const int overflows = fabs(exact) >= 0x1.ffffffp127;
  const double error =
      isinf(y) && overflows ? 0 : fabs((isinf(y) ? copysign(0x1p128, y) : y) - exact);
  double ulp = x >= a->ulp_from ? error / unit(exact) : 0;
  double contract =
      error / ((a->relative * fabs(exact) + a->absolute * fabs((double)x)) * 0x1p-24 + 0x1p-149);
  /* The double's own error is far below a hundredth of a ULP. A NaN in y fails the test here. */
  if (error != 0 && !(ulp < a->ulp - 0.01 && contract < 0.99)) {
    const test_error e = test_oracle_error(a, x, s->beta, y);
    ulp = x >= a->ulp_from ? e.ulp : 0;
    contract = e.contract;
    s->asked++;
  }
  if (!(ulp <= s->ulp))
    s->ulp = isnan(ulp) ? INFINITY : ulp, s->ulp_at = x;
  if (!(contract <= s->contract))
    s->contract = isnan(contract) ? INFINITY : contract, s->contract_at = x;
}

static void *run(void *argument) {
  sweep *s = argument;
  float *x = test_memory(3 * CHUNK * sizeof *x), *y = x + CHUNK, *twin = y + CHUNK;
  for (uint64_t bits = s->from; bits < s->to; bits += CHUNK) {
    for (uint32_t i = 0; i < CHUNK; i++)
      x[i] = test_float((uint32_t)bits + i);
    s->c->run(y, x, NULL, CHUNK, &s->beta);
    for (size_t t = 0; t < s->twin_count; t++) {
      s->twins[t]->run(twin, x, NULL, CHUNK, &s->beta);
      const int same = memcmp(y, twin, CHUNK * sizeof *y) == 0;
      for (size_t i = 0; i < CHUNK && !same; i++)
        s->different += !test_same(y + i, twin + i, 1);
    }
    for (size_t i = 0; i < CHUNK; i++) {
      if (isfinite(x[i]) && x[i] >= s->c->least)
        measure(s, x[i], y[i]);
      else if ((isnan(x[i]) || x[i] < s->c->least) != isnan(y[i]))
        s->different++;
    }
  }
  free(x);
  test_oracle_close();
  return NULL;
}

static int sweep_all(const ffn_test_activation *c, float beta) {
  pthread_t threads[THREADS];
  sweep parts[THREADS];
  sweep whole = {.c = c,
                 .activation = test_activation_named(c->name),
                 .function = function_of(c->name),
                 .beta = beta};
  for (size_t i = 0; test_activation(i); i++) {
    const ffn_test_activation *a = test_activation(i);
    if (a != c && strcmp(a->name, c->name) == 0 && (ffn_cpu() >> a->isa & 1))
      whole.twins[whole.twin_count++] = a;
  }
  for (size_t t = 0; t < THREADS; t++) {
    parts[t] = whole;
    parts[t].from = (UINT64_C(1) << 32) / THREADS * t;
    parts[t].to = (UINT64_C(1) << 32) / THREADS * (t + 1);
    if (pthread_create(&threads[t], NULL, run, &parts[t]) != 0)
      abort();
  }
  for (size_t t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    if (parts[t].ulp > whole.ulp)
      whole.ulp = parts[t].ulp, whole.ulp_at = parts[t].ulp_at;
    if (parts[t].contract > whole.contract)
      whole.contract = parts[t].contract, whole.contract_at = parts[t].contract_at;
    whole.asked += parts[t].asked;
    whole.different += parts[t].different;
  }
  const int ok = whole.ulp <= c->ulp && whole.contract <= 1 && whole.different == 0;
  char name[64];
  snprintf(name, sizeof name, c->parameter_count > 0 ? "%s, beta %g" : "%s", c->name, (double)beta);
  printf(
      "%-18s %.4f ULP of %.2f at %a, %.4f of its bound at %a, %llu cases to MPFR, %llu other bits "
      "on %zu more instruction sets: %s\n",
      name, whole.ulp, c->ulp, (double)whole.ulp_at, whole.contract, (double)whole.contract_at,
      (unsigned long long)whole.asked, (unsigned long long)whole.different, whole.twin_count,
      ok ? "ok" : "FAILED");
  fflush(stdout);
  return ok;
}

static int wanted(const char *name, int count, char **names) {
  for (int i = 1; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return 1;
  return count <= 1;
}

int main(int count, char **names) {
  static const float betas[] = {1.5f, -0.75f};
  int failed = 0, swept = 0;
  for (int i = 1; i < count; i++)
    if (!test_oracle_knows(names[i])) {
      fprintf(stderr, "exhaustive: no activation is named %s\n", names[i]);
      return 2;
    }
  for (size_t i = 0; i < ffn_test_activation_count_c; i++) {
    const ffn_test_activation *a = &ffn_test_activations_c[i];
    if (a->traced || !wanted(a->name, count, names))
      continue;
    for (size_t b = 0; b < (a->parameter_count > 0 ? sizeof betas / sizeof *betas : 1); b++) {
      failed += !sweep_all(a, betas[b]);
      swept++;
    }
  }
  printf("%d swept, %d failed\n", swept, failed);
  return failed || !swept;
}
