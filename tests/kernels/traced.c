/* Traced activations: a kernel lies within the bound that the reference computes from their graphs,
 * for exact arguments and for such with an error; derivatives follow central differences. And the
 * textbook definitions of the others, traced, agree with what is written by hand. */
#include "support/arguments.h"
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

enum { COUNT = 3000 };

static void free_indices(struct criterion_test_params *parameters) { cr_free(parameters->params); }

static struct criterion_test_params each_activation(void) {
  size_t count = 0;
  while (test_activation(count))
    count++;
  size_t *indices = cr_malloc((count + 1) * sizeof *indices);
  for (size_t i = 0; i < count; i++)
    indices[i] = i;
  return (struct criterion_test_params){
      .size = sizeof *indices, .params = indices, .length = count, .cleanup = free_indices};
}

ParameterizedTestParameters(traced, bound) { return each_activation(); }

/* y of a kernel for arguments that are wrong by up to dx, against the value at the right ones. */
ParameterizedTest(const size_t *index, traced, bound) {
  static const double errors[] = {0, 1e-7, 1e-4};
  const ffn_test_activation *a = test_activation(*index);
  if (!a->traced || a->isa != FFN_ISA_C)
    cr_skip_test("%s: not traced, or another has its bits", a->name);
  const ffn_activation activation = test_activation_named(a->name);
  double worst = 0;
  for (size_t s = 0; s < TEST_SETTINGS; s++)
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
      float x[COUNT], up[COUNT], y[COUNT];
      double right_x[COUNT], right_up[COUNT];
      for (size_t i = 0; i < COUNT; i++) {
        x[i] = test_argument(1, i), up[i] = test_argument(5, i);
        right_x[i] = x[i] + errors[e] * (double)test_uniform(9, i);
        right_up[i] = up[i] + errors[e] * (double)test_uniform(10, i);
      }
      a->run(y, x, up, COUNT, test_settings[s]);
      for (size_t i = 0; i < COUNT; i++) {
        /* The reference knows only the right arguments, and how far those of the kernel may be. */
        const double value =
            ffn_activation_value(activation, right_x[i], right_up[i], test_settings[s]);
        const double bound = ffn_activation_slope(activation, right_x[i], errors[e], right_up[i],
                                                  errors[e], test_settings[s]);
        cr_assert(!isnan(value) && !isnan(y[i]), "%s(%a, %a)", a->name, (double)x[i],
                  (double)up[i]);
        const double error = fabs(y[i] - value);
        cr_assert(isinf(bound) || error <= bound, "%s(%a, %a) is %a, not %.17g: %g, not at most %g",
                  a->name, (double)x[i], (double)up[i], (double)y[i], value, error, bound);
        if (isfinite(bound) && error > worst * bound)
          worst = error / bound;
        /* Nothing is promised where f32 may overflow on the way, which none of these does before
         * the largest arguments. */
        cr_assert(isfinite(bound) || fabsf(x[i]) > 80, "%s(%a): no bound", a->name, (double)x[i]);
      }
    }
  printf("%-14s at most %.3f of its bound\n", a->name, worst);
  cr_assert(worst > 0.1, "%s: a bound that says nothing", a->name);
}

ParameterizedTestParameters(traced, unsure) { return each_activation(); }

/* A sum that may overflow may be a NaN, which no clamp makes certain: no bound is promised. */
ParameterizedTest(const size_t *index, traced, unsure) {
  static const double sums[] = {INFINITY, -INFINITY, 1e38, -1e38, 5, -5, 0, (double)NAN};
  const ffn_test_activation *a = test_activation(*index);
  const ffn_activation activation = test_activation_named(a->name);
  if (a->isa != FFN_ISA_C || activation == FFN_ACTIVATION_COUNT)
    cr_skip_test("%s: no layer applies it, or another has its bits", a->name);
  const float *parameters = test_settings[0];
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    const double s = sums[i], unsure = INFINITY;
    const double bound = ffn_activation_slope(activation, s, unsure, 1, 0, parameters);
    cr_assert(!(bound < INFINITY), "%s(%g): a bound of %g", a->name, s, bound);
    if (a->both) {
      const double other = ffn_activation_slope(activation, 1, 0, s, unsure, parameters);
      cr_assert(!(other < INFINITY), "%s(1, %g): a bound of %g", a->name, s, other);
    }
  }
}

ParameterizedTestParameters(traced, derivatives) { return each_activation(); }

/* By x, up and every parameter. */
ParameterizedTest(const size_t *index, traced, derivatives) {
  const ffn_test_activation *a = test_activation(*index);
  if (a->isa != FFN_ISA_C || test_activation_named(a->name) == FFN_ACTIVATION_COUNT)
    cr_skip_test("%s: no layer applies it, or another has its bits", a->name);
  const ffn_activation activation = test_activation_named(a->name);
  size_t compared = 0;
  for (size_t by = 0; by < 2 + a->parameter_count; by++) {
    if (!a->derivative[by])
      continue;
    for (size_t i = 0; i < 2000; i++) {
      const double x = 8 * (double)test_uniform(3, i) + 0x1p-20,
                   up = 9 * (double)test_uniform(4, i);
      const double h = 0x1p-14;
      float low[FFN_MAX_PARAMETERS] = {0.5f, 0.75f}, high[FFN_MAX_PARAMETERS] = {0.5f, 0.75f};
      if (by >= 2)
        low[by - 2] -= (float)h, high[by - 2] += (float)h;
      const double step_x = by == 0 ? h : 0, step_up = by == 1 ? h : 0;
      const double above = ffn_activation_value(activation, x + step_x, up + step_up, high);
      const double below = ffn_activation_value(activation, x - step_x, up - step_up, low);
      const double difference = (above - below) / (2 * h);
      const float middle[FFN_MAX_PARAMETERS] = {0.5f, 0.75f};
      const double d = a->derivative[by](x, up, middle);
      /* The function bends, and has a kink here and there. */
      const double here = ffn_activation_value(activation, x, up, middle);
      const double bend = fabs(above - 2 * here + below) / (2 * h);
      cr_assert(fabs(d - difference) <= bend + 2e-7 * (1 + fabs(d)),
                "%s' (%zu) at %g, %g is %.12g, differences say %.12g", a->name, by, x, up, d,
                difference);
      compared++;
    }
  }
  cr_assert(compared >= 2000);
}

ParameterizedTestParameters(traced, textbook) { return each_activation(); }

/* Definitions that are traced against meanings and derivatives that are written by hand, and the
 * bits of a kernel against both. */
ParameterizedTest(const size_t *index, traced, textbook) {
  const ffn_test_activation *a = test_activation(*index);
  const ffn_activation activation = test_activation_named(a->name);
  if (a->isa != FFN_ISA_C || activation == FFN_ACTIVATION_COUNT || a->traced)
    cr_skip_test("%s: it has no other definition", a->name);
  cr_assert(a->textbook[0] && a->textbook[1], "%s has no textbook definition", a->name);
  for (size_t s = 0; s < TEST_SETTINGS; s++)
    for (size_t i = 0; i < COUNT; i++) {
      const float x = test_argument(1, i);
      const double size = 1 + fabs((double)x);
      float y;
      a->run(&y, &x, NULL, 1, test_settings[s]);
      const double book = a->textbook[0](x, 0, test_settings[s]);
      const double value = ffn_activation_value(activation, x, 0, test_settings[s]);
      cr_assert(fabs(book - value) <= 1e-14 * size * size, "%s(%a) is %.17g by hand, %.17g traced",
                a->name, (double)x, value, book);
      cr_assert(fabs(y - book) <=
                    (a->relative * fabs(book) + a->absolute * size) * 0x1p-24 + 1e-14 * size * size,
                "%s(%a) is %a, traced %.17g", a->name, (double)x, (double)y, book);
      const double by_hand = a->derivative[0](x, 0, test_settings[s]);
      const double traced = a->textbook[1](x, 0, test_settings[s]);
      cr_assert(fabs(by_hand - traced) <= 1e-13 * size * size,
                "%s'(%a) is %.17g by hand, %.17g traced", a->name, (double)x, by_hand, traced);
    }
}
