/* Activations on their own, and those of the reference, against MPFR: a dense sample of all floats,
 * with every power of two and its neighbours. exhaustive.c does them all. */
#include "support/kernels.h"
#include "support/oracle.h"
#include "support/rng.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float betas[] = {1.0f, 1.5f, 0.25f, -0.75f, 1.702f, 30.0f, 1e-3f, 0.0f};

static void add(float *x, size_t *count, uint32_t bits) {
  const float value = test_float(bits);
  if (isfinite(value))
    x[(*count)++] = value;
}

/* Finite floats: six on either side of each power of two, some of every size, and thousands
 * from 2^-4 to 2^7, where all the curves are. To be freed. */
static float *sample(size_t *count) {
  enum { NEAR = 6, EACH = 12, MORE = 4000, FEWER = 400 };
  float *x = test_memory(2 * 256 * (2 * NEAR + 1 + EACH + MORE) * sizeof *x);
  *count = 0;
  for (uint32_t sign = 0; sign < 2; sign++)
    for (uint32_t exponent = 0; exponent < 256; exponent++) {
      const uint32_t power = sign << 31 | exponent << 23;
      for (uint32_t i = 0; i < NEAR && exponent > 0; i++)
        add(x, count, power - 1 - i);
      for (uint32_t i = 0; i <= NEAR; i++)
        add(x, count, power + i);
      const uint32_t more = exponent < 123 || exponent >= 134 ? EACH
                            : test_thorough()                 ? MORE
                                                              : FEWER;
      for (uint32_t i = 0; i < more; i++)
        add(x, count, power | (uint32_t)(test_random(power, i) & 0x7fffff));
    }
  add(x, count, test_bits(FLT_MAX));
  add(x, count, test_bits(-FLT_MAX));
  return x;
}

static size_t activation_count(void) {
  size_t count = 0;
  while (test_activation(count))
    count++;
  return count;
}

static void free_indices(struct criterion_test_params *parameters) { cr_free(parameters->params); }

static struct criterion_test_params each_activation(void) {
  const size_t count = activation_count();
  size_t *indices = cr_malloc((count + 1) * sizeof *indices);
  for (size_t i = 0; i < count; i++)
    indices[i] = i;
  return (struct criterion_test_params){
      .size = sizeof *indices, .params = indices, .length = count, .cleanup = free_indices};
}

static const ffn_test_activation *activation_or_skip(size_t index) {
  const ffn_test_activation *a = test_activation(index);
  if (!(ffn_cpu() >> a->isa & 1))
    cr_skip_test("%s: this CPU has no %s", a->name, ffn_isa_name(a->isa));
  return a;
}

static size_t beta_count(const ffn_test_activation *a) {
  return a->parameter_count > 0 ? sizeof betas / sizeof *betas : 1;
}

/* The b-th parameters: betas[b], and others behind it. */
static const float *parameters_of(size_t b) {
  static float parameters[FFN_MAX_PARAMETERS];
  for (size_t i = 0; i < FFN_MAX_PARAMETERS; i++)
    parameters[i] = betas[b] + 0.5f * (float)i;
  return parameters;
}

/* Instruction sets agree in bits (see `bits` below), so MPFR is asked for one of them. */
static int is_c(const ffn_test_activation *a) { return a->isa == FFN_ISA_C; }

ParameterizedTestParameters(activation, accuracy) { return each_activation(); }

ParameterizedTest(const size_t *index, activation, accuracy) {
  const ffn_test_activation *a = activation_or_skip(*index);
  if (!is_c(a) || a->traced)
    return;
  cr_assert(test_oracle_knows(a->name), "add %s to tests/support/oracle.c", a->name);
  for (size_t b = 0; b < beta_count(a); b++) {
    size_t count;
    float *x = sample(&count), *y = test_memory(count * sizeof *y);
    a->run(y, x, NULL, count, parameters_of(b));
    double worst_ulp = 0, worst_contract = 0;
    float ulp_at = 0, contract_at = 0;
    for (size_t i = 0; i < count; i++) {
      if (x[i] < a->least) {
        cr_assert(isnan(y[i]), "%s(%a) is no NaN", a->name, (double)x[i]);
        continue;
      }
      cr_assert(!isnan(y[i]), "%s(%a) is NaN (beta %g)", a->name, (double)x[i], (double)betas[b]);
      const test_error e = test_oracle_error(a, x[i], betas[b], y[i]);
      if (x[i] >= a->ulp_from && e.ulp > worst_ulp)
        worst_ulp = e.ulp, ulp_at = x[i];
      if (e.contract > worst_contract)
        worst_contract = e.contract, contract_at = x[i];
    }
    char beta[32] = "";
    if (a->parameter_count > 0)
      snprintf(beta, sizeof beta, ", beta %g", (double)betas[b]);
    printf("%-10s at most %.3f ULP, at %a%s; %.3f of its bound, at %a\n", a->name, worst_ulp,
           (double)ulp_at, beta, worst_contract, (double)contract_at);
    cr_assert(worst_ulp <= a->ulp, "%s(%a): %.4f ULP, promised %.2f%s", a->name, (double)ulp_at,
              worst_ulp, a->ulp, beta);
    cr_assert(worst_contract <= 1, "%s(%a): %.4f of its bound%s", a->name, (double)contract_at,
              worst_contract, beta);
    free(x), free(y);
  }
  test_oracle_close();
}

/* Room for the derivatives of an activation at so many floats: by[i] of it. To be freed by
 * by[0]. */
static void derivatives_of(float *by[FFN_MAX_PARAMETERS + 2], size_t count) {
  by[0] = test_memory((FFN_MAX_PARAMETERS + 2) * count * sizeof **by);
  memset(by[0], 0, (FFN_MAX_PARAMETERS + 2) * count * sizeof **by);
  for (size_t i = 1; i < FFN_MAX_PARAMETERS + 2; i++)
    by[i] = by[i - 1] + count;
}

/* The largest error of what a kernel gave for the derivative `by`, as a part of what is allowed. */
static double slope_error(const ffn_test_activation *a, size_t by, const float *x,
                          const float *slope, size_t count, const float *parameters, float *at) {
  double worst = 0;
  for (size_t i = 0; i < count; i++) {
    if (isnan(x[i])) {
      cr_assert(isnan(slope[i]), "%s: derivative %zu at NaN is %g", a->name, by, (double)slope[i]);
      continue;
    }
    if (isinf(x[i]) && by > 0)
      continue;
    const double exact =
        a->derivative[by](isinf(x[i]) ? copysign(1e30, x[i]) : x[i], 0, parameters);
    if (fabs(exact) > FLT_MAX || (isinf(x[i]) && isinf(slope[i]) && exact > 1e30))
      continue;
    const double error = fabs(slope[i] - exact);
    const double allowed = a->error[by](exact, parameters) * 0x1p-24 + (by > 0 ? 0x1p-148 : 0);
    cr_assert(error <= allowed, "%s: derivative %zu at %a is %g, not %g (beta %g)", a->name, by,
              (double)x[i], (double)slope[i], exact, (double)parameters[0]);
    if (error > worst * allowed)
      worst = error / allowed, *at = x[i];
  }
  return worst;
}

ParameterizedTestParameters(activation, gradient) { return each_activation(); }

/* The kernels' derivatives against those in double, at every float of the sample; beside them the
 * values of run(), and the bits of portable C. Bounds of traced ones are gradient_activation.c's.
 */
ParameterizedTest(const size_t *index, activation, gradient) {
  const ffn_test_activation *a = activation_or_skip(*index), *c = NULL;
  if (!a->gradient)
    return;
  for (size_t i = 0; i < ffn_test_activation_count_c; i++)
    if (strcmp(ffn_test_activations_c[i].name, a->name) == 0)
      c = &ffn_test_activations_c[i];
  for (size_t b = 0; b < beta_count(a); b++) {
    const float *parameters = parameters_of(b);
    size_t count;
    float *x = sample(&count), *up = test_memory(count * sizeof *up);
    float *y = test_memory(count * sizeof *y), *value = test_memory(count * sizeof *y);
    x[0] = NAN, x[1] = INFINITY, x[2] = -INFINITY, x[3] = 0, x[4] = -0.0f;
    for (size_t i = 0; i < count; i++)
      up[i] = x[count - 1 - i];
    float *by[FFN_MAX_PARAMETERS + 2], *expected[FFN_MAX_PARAMETERS + 2];
    derivatives_of(by, count), derivatives_of(expected, count);
    a->run(y, x, up, count, parameters);
    c->gradient(value, expected, x, up, count, parameters);
    a->gradient(value, by, x, up, count, parameters);
    cr_assert(test_same(value, y, count), "%s: other values beside its slope", a->name);
    cr_assert(test_same(by[0], expected[0], (FFN_MAX_PARAMETERS + 2) * count),
              "%s: other derivatives than portable C", a->name);
    for (size_t i = 0; i < 2 + a->parameter_count && is_c(a); i++) {
      float at = 0;
      if (!a->error[i])
        continue;
      const double worst = slope_error(a, i, x, by[i], count, parameters, &at);
      printf("%-10s derivative %zu within %.3f of what is allowed, at %a, beta %g\n", a->name, i,
             worst, (double)at, (double)betas[b]);
    }
    free(x), free(up), free(y), free(value), free(by[0]), free(expected[0]);
  }
}

ParameterizedTestParameters(activation, bits) { return each_activation(); }

ParameterizedTest(const size_t *index, activation, bits) {
  const ffn_test_activation *a = activation_or_skip(*index), *c = NULL;
  for (size_t i = 0; i < ffn_test_activation_count_c; i++)
    if (strcmp(ffn_test_activations_c[i].name, a->name) == 0)
      c = &ffn_test_activations_c[i];
  cr_assert(c != NULL, "%s is not among those of c", a->name);
  cr_assert(c->ulp == a->ulp && c->relative == a->relative && c->absolute == a->absolute);
  for (size_t b = 0; b < beta_count(a); b++) {
    size_t count;
    float *x = sample(&count);
    x[0] = NAN, x[1] = INFINITY, x[2] = -INFINITY, x[count / 2] = -NAN;
    float *y = test_memory(count * sizeof *y), *expected = test_memory(count * sizeof *y);
    /* The other branch is x, backwards. */
    float *up = test_memory(count * sizeof *up);
    for (size_t i = 0; i < count; i++)
      up[i] = x[count - 1 - i];
    a->run(y, x, up, count, parameters_of(b));
    c->run(expected, x, up, count, parameters_of(b));
    for (size_t i = 0; i < count; i++)
      cr_assert(test_same(y + i, expected + i, 1), "%s(%a) is %a on %s, %a on c", a->name,
                (double)x[i], (double)y[i], ffn_isa_name(a->isa), (double)expected[i]);
    /* One at a time: no lane differs from another. */
    for (size_t i = 0; i < count; i += 97) {
      float alone;
      a->run(&alone, x + i, up + i, 1, parameters_of(b));
      cr_assert(test_same(&alone, y + i, 1), "%s(%a) alone is another", a->name, (double)x[i]);
    }
    free(x), free(y), free(expected), free(up);
  }
}

ParameterizedTestParameters(activation, special) { return each_activation(); }

/* Infinities, zeros of both signs and NaN, at every index of a vector that is no whole number of
 * them. A NaN has either sign. */
ParameterizedTest(const size_t *index, activation, special) {
  enum { LONG = 67, KINDS = 5 };
  const ffn_test_activation *a = activation_or_skip(*index);
  float x[LONG], y[LONG];
  if (a->traced)
    cr_skip_test("%s: traced.c looks at it", a->name);
  cr_assert(a->special_count == KINDS, "%s: the special values are 0, -0, inf, -inf and nan",
            a->name);
  for (size_t at = 0; at < LONG; at++) {
    for (size_t s = 0; s <= KINDS; s++) {
      const ffn_test_special *special = &a->specials[s < KINDS ? s : KINDS - 1];
      const float value = (float)(s < KINDS ? special->x : -special->x);
      const float expected = (float)special->y;
      for (size_t i = 0; i < LONG; i++)
        x[i] = 0.5f;
      x[at] = value;
      a->run(y, x, NULL, LONG, parameters_of(0));
      cr_assert(test_same(&y[at], &expected, 1), "%s(%g) at index %zu is %g on %s, not %g", a->name,
                (double)value, at, (double)y[at], ffn_isa_name(a->isa), special->y);
      for (size_t i = 0; i < LONG; i++)
        cr_assert(i == at || y[i] == y[at == 0 ? 1 : 0], "%s: index %zu changes index %zu", a->name,
                  at, i);
    }
  }
}

/* Derivatives against central differences of the reference's values, whose slopes bound them. */
ParameterizedTestParameters(activation, derivative) { return each_activation(); }

ParameterizedTest(const size_t *index, activation, derivative) {
  const ffn_test_activation *a = activation_or_skip(*index);
  ffn_activation activation = 0;
  while (activation < FFN_ACTIVATION_COUNT && strcmp(ffn_activation_name(activation), a->name) != 0)
    activation++;
  if (activation == FFN_ACTIVATION_COUNT || a->traced)
    cr_skip_test("%s: no layer applies it, or traced.c looks at it", a->name);
  const double h = 0x1p-16;
  for (size_t b = 0; b < beta_count(a); b++) {
    const double beta = (double)betas[b], scale = 1 + fabs(beta);
    /* Never at 0, where relu has an edge. */
    for (double x = -30.03; x < 30; x += 0.0625) {
      const double difference = (ffn_activation_value(activation, x + h, 0, parameters_of(b)) -
                                 ffn_activation_value(activation, x - h, 0, parameters_of(b))) /
                                (2 * h);
      const double d = a->derivative[0](x, 0, parameters_of(b));
      cr_assert(fabs(d - difference) <= 1e-8 * scale * scale * scale * (1 + fabs(x)),
                "%s'(%g) is %.12g, differences say %.12g (beta %g)", a->name, x, d, difference,
                beta);
      const double slope = ffn_activation_slope(activation, x, h, 0, 0, parameters_of(b)) / h;
      cr_assert(fabs(d) <= slope * (1 + 1e-9), "%s'(%g) is %g, steeper than its bound %g (beta %g)",
                a->name, x, d, slope, beta);
    }
  }
}

/* How far a derivative moves, beside its bound: the reference's bounds on gradients rest on it. */
ParameterizedTestParameters(activation, curvature) { return each_activation(); }

ParameterizedTest(const size_t *index, activation, curvature) {
  const ffn_test_activation *a = activation_or_skip(*index);
  const double steps[] = {1e-9, 1e-3, 0.3, 4};
  for (size_t by = 0; by < 2 + a->parameter_count && is_c(a); by++)
    for (size_t b = 0; b < beta_count(a) && a->spread[by]; b++) {
      const float *parameters = parameters_of(b);
      for (double x = -20; x <= 20; x += 0.0078125)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
          const double bound = a->spread[by](x, steps[s], parameters);
          const double here = a->derivative[by](x, 0, parameters);
          for (int part = -4; part <= 4; part++) {
            const double there = a->derivative[by](x + steps[s] * part / 4, 0, parameters);
            cr_assert(fabs(there - here) <=
                          bound * (1 + 1e-6) + 1e-12 * (by > 0) + 1e-14 * (1 + fabs(x)),
                      "%s: derivative %zu at %g +- %g moves by %g, not at most %g (beta %g)",
                      a->name, by, x, steps[s], fabs(there - here), bound, (double)betas[b]);
          }
        }
    }
}

/* Nothing is written behind the last value. */
ParameterizedTestParameters(activation, lengths) { return each_activation(); }

ParameterizedTest(const size_t *index, activation, lengths) {
  enum { LONG = 40 };
  const ffn_test_activation *a = activation_or_skip(*index);
  float x[LONG], y[LONG + 1], expected[LONG];
  for (size_t i = 0; i < LONG; i++)
    x[i] = 4 * test_uniform(1, i);
  a->run(expected, x, x, LONG, parameters_of(0));
  for (size_t n = 0; n <= LONG; n++) {
    memset(y, 0x7f, sizeof y);
    a->run(y, x, x, n, parameters_of(0));
    cr_assert(test_same(y, expected, n), "%s: other values for a length of %zu", a->name, n);
    cr_assert(test_bits(y[n]) == 0x7f7f7f7f, "%s: writes behind a length of %zu", a->name, n);
  }
}

/* The reference's own formulas: its bound allows them (|value| + |x|) 2^-50. And its slopes. */
ParameterizedTestParameters(activation, reference) {
  size_t *indices = cr_malloc(FFN_ACTIVATION_COUNT * sizeof *indices);
  for (size_t i = 0; i < FFN_ACTIVATION_COUNT; i++)
    indices[i] = i;
  return (struct criterion_test_params){.size = sizeof *indices,
                                        .params = indices,
                                        .length = FFN_ACTIVATION_COUNT,
                                        .cleanup = free_indices};
}

ParameterizedTest(const size_t *index, activation, reference) {
  const ffn_activation activation = (ffn_activation)*index;
  const char *name = ffn_activation_name(activation);
  if (activation > FFN_ACT_MISH)
    cr_skip_test("%s: traced.c looks at it", name);
  cr_assert(test_oracle_knows(name), "add %s to tests/support/oracle.c", name);
  /* Of the table's fields the oracle takes the name, and a bound to be measured with. */
  const ffn_test_activation oracle = {.name = name, .relative = 0x1p-26, .absolute = 0x1p-26};
  const int takes_beta = activation == FFN_ACT_SWISH;
  for (size_t b = 0; b < (takes_beta ? sizeof betas / sizeof *betas : 1); b++) {
    size_t count;
    float *x = sample(&count);
    for (size_t i = 0; i < count; i++) {
      const double y = ffn_activation_value(activation, x[i], 0, parameters_of(b));
      const test_error e = test_oracle_error(&oracle, x[i], betas[b], y);
      cr_assert(e.contract <= 1, "%s(%a) is %.17g, not %.17g (beta %g)", name, (double)x[i], y,
                e.exact, (double)betas[b]);
      const double steps[] = {1e-7, 1e-3, 0.3, 4};
      for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        const double dx = steps[s] * (1 + fabs(x[i]));
        const double slope = ffn_activation_slope(activation, x[i], dx, 0, 0, parameters_of(b));
        for (int part = -4; part <= 4; part++) {
          const double there =
              ffn_activation_value(activation, x[i] + dx * part / 4, 0, parameters_of(b));
          cr_assert(fabs(there - y) <= slope * (1 + 1e-9) + (fabs(y) + fabs(there)) * 0x1p-50,
                    "%s(%a +- %g) moves by %g, not at most %g (beta %g)", name, (double)x[i], dx,
                    fabs(there - y), slope, (double)betas[b]);
        }
      }
    }
    free(x);
  }
  test_oracle_close();
}
