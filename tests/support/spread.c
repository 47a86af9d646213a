/* Errors as independent random variables of mean 0, each value with its variance.
 *
 * Rounding s to nearest errs by ulp(s)^2 / 12 in square, at most u^2 s^2 / 3, and 0.54 of that for
 * a significand that may be anything: 0.18 u^2 s^2.
 * A sum's n roundings are of partial sums: on their way to s they grow like a random walk of n
 * steps, of mean square Q / 2 with Q = sum (x w)^2, around a straight line, of mean square s^2 / 3.
 */
#include "spread.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>

typedef struct noisy {
  double value, variance;
} noisy;

static double square(double x) { return x * x; }

static double rounding(double value) { return 0.18 * square(value * 0x1p-24) + square(0x1p-150); }

/* Of one output, whose bias and weights these are. */
static noisy sum(const ffn_stage *stage, double bias, const float *weights, const noisy *x) {
  noisy s = {bias, 0};
  double walk = square(bias);
  for (size_t k = 0; k < stage->inputs; k++) {
    const double w = (double)weights[k];
    s.value += x[k].value * w;
    s.variance += x[k].variance * square(w);
    walk += square(x[k].value * w);
  }
  s.variance += (double)stage->sum_length * rounding(sqrt(walk / 2 + square(s.value) / 3));
  /* The last rounding, of s itself, is certain: a single term has no walk. */
  s.variance += rounding(s.value);
  return s;
}

static noisy activate(const ffn_stage *stage, const float *parameters, noisy s, noisy up) {
  const double h = 1e-4 * (1 + fabs(s.value)), g = 1e-4 * (1 + fabs(up.value));
#define AT(x, y) ffn_activation_value(stage->activation, (x), (y), parameters)
  const double a = AT(s.value, up.value);
  const double by_s = (AT(s.value + h, up.value) - AT(s.value - h, up.value)) / (2 * h);
  const double by_up = (AT(s.value, up.value + g) - AT(s.value, up.value - g)) / (2 * g);
#undef AT
  /* Its own: as promised, or as its graph makes it. */
  const double own =
      (stage->act_relative * fabs(a) + stage->act_absolute * fabs(s.value)) * 0x1p-24 +
      ffn_activation_slope(stage->activation, s.value, 0, up.value, 0, parameters);
  return (noisy){a, square(by_s) * s.variance + square(by_up) * up.variance + square(own) / 3};
}

static noisy multiply(noisy p, noisy q) {
  const double h = p.value * q.value;
  return (noisy){h, square(p.value) * q.variance + square(q.value) * p.variance + rounding(h)};
}

/* The weights of an output, all of them at once: reading one of a block reads the block. Its bias.
 */
static double weights_of(const ffn_stage *stage, const test_matrix *matrix, size_t o,
                         float *weights) {
  ffn_linear_values(stage, matrix->linear, o, weights);
  return stage->bias ? (double)matrix->linear->bias[o] : 0;
}

/* An output of a stage for many tokens, whose inputs and outputs are `width` apart. */
static void spread_output(const ffn_stage *stage, const float *parameters,
                          const test_matrix *matrices, size_t o, noisy *out, const noisy *in,
                          size_t tokens, size_t width) {
  const int two = stage->branches == 2;
  float *weights = test_memory(2 * stage->inputs * sizeof *weights);
  float *of_up = weights + stage->inputs;
  const double bias = weights_of(stage, &matrices[0], o, weights);
  const double bias_of_up = two ? weights_of(stage, &matrices[1], o, of_up) : 0;
  for (size_t t = 0; t < tokens; t++) {
    const noisy *x = in + t * width;
    const noisy up = two ? sum(stage, bias_of_up, of_up, x) : (noisy){0, 0};
    noisy y = activate(stage, parameters, sum(stage, bias, weights, x), up);
    if (stage->product == FFN_PRODUCT_UP)
      y = multiply(y, up);
    if (stage->product == FFN_PRODUCT_INPUT)
      y = multiply(y, x[o]);
    out[t * width + o] = y;
  }
  free(weights);
}

void test_spread(const test_model *model, double *spread, const float *x, size_t tokens) {
  const ffn_kernel *kernel = model->kernel;
  size_t width = kernel->inputs;
  for (size_t s = 0; s < kernel->stage_count; s++)
    if (width < kernel->stages[s].outputs)
      width = kernel->stages[s].outputs;
  noisy *memory = test_memory(2 * tokens * width * sizeof *memory);
  noisy *in = memory, *out = memory + tokens * width;
  for (size_t t = 0; t < tokens; t++)
    for (size_t k = 0; k < kernel->inputs; k++)
      in[t * width + k] = (noisy){x[t * kernel->inputs + k], 0};
  const test_matrix *matrices = model->matrices;
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const ffn_stage *stage = &kernel->stages[s];
    const float *parameters = ffn_stage_parameters(stage, &model->weights);
    for (size_t o = 0; o < stage->outputs; o++)
      spread_output(stage, parameters, matrices, o, out, in, tokens, width);
    matrices += stage->branches;
    noisy *swap = in;
    in = out, out = swap;
  }
  for (size_t t = 0; t < tokens; t++)
    for (size_t o = 0; o < kernel->outputs; o++)
      spread[t * kernel->outputs + o] = sqrt(in[t * width + o].variance) + 0x1p-149;
  free(memory);
}
