/* Derivatives of traced activations: within the bound that the reference computes from their
 * graphs, for exact arguments and for such with an error; and PyTorch's at ties. Instruction sets
 * have the bits of portable C, which is looked at: see activation.c. */
#include "activation_table.h"
#include "ffn_train.h"
#include "support/arguments.h"
#include "support/kernels.h"
#include "support/rng.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 1000, MOST = 2 + FFN_MAX_PARAMETERS };

/* The largest error of a derivative of an activation as a part of its bound; arguments are wrong by
 * up to `off`. */
static double worst_of(const ffn_test_activation *a, int by, const float *parameters, double off) {
  const ffn_activation activation = test_activation_named(a->name);
  static float x[COUNT], up[COUNT], y[COUNT], slopes[MOST][COUNT];
  float *to[MOST];
  for (size_t i = 0; i < MOST; i++)
    to[i] = slopes[i];
  for (size_t i = 0; i < COUNT; i++)
    x[i] = test_argument(1, i), up[i] = test_argument(5, i);
  a->gradient(y, to, x, up, COUNT, parameters);
  double worst = 0;
  size_t bounded = 0;
  for (size_t i = 0; i < COUNT; i++) {
    /* The reference knows only the right arguments, and how far those of the kernel may be. */
    const double right_x = x[i] + off * (double)test_uniform(9, i);
    const double right_up = up[i] + off * (double)test_uniform(10, i);
    const double value = ffn_derivative_value(activation, by, right_x, right_up, parameters);
    const double bound =
        ffn_derivative_bound(activation, by, right_x, off, right_up, off, parameters);
    const double error = fabs((double)slopes[by][i] - value);
    cr_assert(!(bound < INFINITY) || error <= bound,
              "%s: derivative %d at %a, %a is %a, not %.17g: %g, not at most %g", a->name, by,
              (double)x[i], (double)up[i], (double)slopes[by][i], value, error, bound);
    if (bound < INFINITY && error > worst * bound)
      worst = error / bound;
    bounded += bound < INFINITY;
  }
  cr_assert(10 * bounded > 9 * COUNT, "%s: derivative %d has %zu bounds of %d", a->name, by,
            bounded, COUNT);
  return worst;
}

Test(gradient_activation, bound) {
  static const double errors[] = {0, 1e-7, 1e-4};
  size_t traced = 0;
  for (size_t i = 0; i < ffn_test_activation_count_c; i++) {
    const ffn_test_activation *a = &ffn_test_activations_c[i];
    traced += a->traced != 0;
    for (int by = 0; a->traced && by < 2 + (int)a->parameter_count; by++) {
      double worst = 0;
      for (size_t s = 0; s < TEST_SETTINGS && a->derivative[by]; s++)
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
          worst = fmax(worst, worst_of(a, by, test_settings[s], errors[e]));
      if (a->derivative[by])
        printf("%-14s derivative %d at most %.3f of its bound\n", a->name, by, worst);
    }
  }
  cr_assert(traced >= 11, "%zu are traced", traced);
}

/* What PyTorch says at a kink: hardtanh_backward passes nothing on at its ends, hardsigmoid's and
 * hardswish's lie inside of theirs, clamp() passes on at both ends, elu's and leaky_relu's x > 0
 * has 0 on the other side, and torch.min of two tensors halves. */
Test(gradient_activation, ties) {
  static const struct {
    const char *name;
    int by;
    float x, up, parameters[2];
    double expected;
  } ties[] = {
      {"elu", FFN_BY_X, 0, 0, {1.5f}, 1.5},
      {"leaky_relu", FFN_BY_X, 0, 0, {0.25f}, 0.25},
      {"leaky_relu", FFN_BY_X, -0.0f, 0, {0.25f}, 0.25},
      {"celu", FFN_BY_X, 0, 0, {2}, 1},
      {"relu6", FFN_BY_X, 0, 0, {0}, 0},
      {"relu6", FFN_BY_X, 6, 0, {0}, 0},
      {"relu6", FFN_BY_X, 0x1.7ffffep+2f, 0, {0}, 1},
      {"hardswish", FFN_BY_X, -3, 0, {0}, 0},
      {"hardswish", FFN_BY_X, 3, 0, {0}, 1},
      {"hardsigmoid", FFN_BY_X, -3, 0, {0}, 0},
      {"hardsigmoid", FFN_BY_X, 3, 0, {0}, 0},
      {"hardsigmoid", FFN_BY_X, 0, 0, {0}, 1.0 / 6},
      {"softplus", FFN_BY_X, 20, 0, {0}, 1 / (1 + 2.0611536224385578e-9)},
      {"gelu_10", FFN_BY_X, 10, 0, {0}, 1},
      {"gelu_10", FFN_BY_X, 0x1.400002p+3f, 0, {0}, 0},
      {"clamped_swiglu", FFN_BY_X, 7, 0, {0}, 1.0000730791369106},
      {"clamped_swiglu", FFN_BY_X, 0x1.c00002p+2f, 0, {0}, 0},
      {"clamped_swiglu", FFN_BY_UP, 0.5f, 7, {0}, 0.35038843660638014},
      {"clamped_swiglu", FFN_BY_UP, 0.5f, -7, {0}, 0.35038843660638014},
      {"clamped_swiglu", FFN_BY_UP, 0.5f, 0x1.c00002p+2f, {0}, 0},
      /* b = 0.5 + ln 2: at 0 the exponential's argument is clamped, at -1e-6 half of it. */
      {"xielu", FFN_BY_X, 0, 0, {0, 0}, -0.69314718055994531},
      {"xielu", FFN_BY_X, -1e-6f, 0, {0, 0}, -0.0965741866},
  };
  for (size_t t = 0; t < sizeof ties / sizeof *ties; t++)
    for (size_t i = 0; i < ffn_test_activation_count_c; i++) {
      const ffn_test_activation *a = &ffn_test_activations_c[i];
      if (strcmp(a->name, ties[t].name) != 0)
        continue;
      float y, slopes[MOST], *to[MOST];
      for (size_t s = 0; s < MOST; s++)
        to[s] = &slopes[s];
      a->gradient(&y, to, &ties[t].x, &ties[t].up, 1, ties[t].parameters);
      const double exact = ffn_derivative_value(test_activation_named(a->name), ties[t].by,
                                                ties[t].x, ties[t].up, ties[t].parameters);
      cr_assert(fabs(slopes[ties[t].by] - ties[t].expected) <= 1e-6 &&
                    fabs(exact - ties[t].expected) <= 1e-6,
                "%s at the tie %a: derivative %d is %.9g, in double %.9g, PyTorch's %.9g", a->name,
                (double)ties[t].x, ties[t].by, (double)slopes[ties[t].by], exact, ties[t].expected);
    }
}
