/* Inputs on which f32 arithmetic is exact, so that one bit off is an error: small integers against
 * sums in int64, one-hot rows, and powers of two. */
#include "support/each.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = 1 << 24 };

/* -0 may stand for 0. */
static int equal(float a, float b) { return a == b; }

static int64_t activate(ffn_activation activation, int64_t s) {
  if (activation == FFN_ACT_IDENTITY)
    return s;
  s = s < 0 ? 0 : s;
  return activation == FFN_ACT_RELU2 ? s * s : s;
}

/* sum x w + b, and its size sum |x w| + |b| into *largest where that is larger. */
static int64_t sum(const test_matrix *matrix, size_t o, const int64_t *x, int64_t *largest) {
  int64_t s = 0, size = 0;
  for (size_t k = 0; k < matrix->inputs; k++) {
    const int64_t term = x[k] * (int64_t)matrix->weight[o * matrix->inputs + k];
    s += term;
    size += llabs(term);
  }
  if (matrix->bias) {
    s += (int64_t)matrix->bias[o];
    size += llabs((int64_t)matrix->bias[o]);
  }
  *largest = size > *largest ? size : *largest;
  return s;
}

static int64_t larger(int64_t largest, int64_t value) {
  return llabs(value) > largest ? llabs(value) : largest;
}

/* The matrix of a linear's output, which becomes a row of it: several outputs have one each. */
static const test_matrix *matrix_of(const test_model *model, size_t *output) {
  const test_matrix *matrix = model->matrices;
  for (; *output >= matrix->outputs; matrix++)
    *output -= matrix->outputs;
  return matrix;
}

/* The layer of one row in integers, y having room for the widest stage; returns the largest integer
 * on the way. */
static int64_t integer_row(const test_model *model, int64_t *y, const float *x) {
  const ffn_kernel *kernel = model->kernel;
  int64_t largest = 0, *in = y;
  for (size_t k = 0; k < kernel->inputs; k++)
    in[k] = (int64_t)x[k];
  if (kernel->stages_share_x) {
    int64_t *all = test_memory(kernel->outputs * sizeof *all);
    for (size_t o = 0; o < kernel->outputs; o++) {
      size_t row = o;
      const test_matrix *matrix = matrix_of(model, &row);
      all[o] = sum(matrix, row, in, &largest);
    }
    memcpy(y, all, kernel->outputs * sizeof *all);
    free(all);
    return largest;
  }
  size_t m = 0;
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const ffn_stage *stage = &kernel->stages[s];
    int64_t *out = test_memory(stage->outputs * sizeof *out);
    for (size_t o = 0; o < stage->outputs; o++) {
      out[o] = activate(stage->activation, sum(&model->matrices[m], o, in, &largest));
      largest = larger(largest, out[o]);
      if (stage->product == FFN_PRODUCT_UP)
        out[o] *= sum(&model->matrices[m + 1], o, in, &largest);
      if (stage->product == FFN_PRODUCT_INPUT)
        out[o] *= in[o];
      largest = larger(largest, out[o]);
    }
    m += stage->product == FFN_PRODUCT_UP ? 2 : 1;
    memcpy(y, out, stage->outputs * sizeof *out);
    free(out);
  }
  return largest;
}

static size_t widest(const ffn_kernel *kernel) {
  size_t width = kernel->inputs > kernel->outputs ? kernel->inputs : kernel->outputs;
  for (size_t s = 0; s < kernel->stage_count; s++)
    width = kernel->stages[s].outputs > width ? kernel->stages[s].outputs : width;
  return width;
}

EACH_MODEL(exact, integers, TEST_SMALL_EXACT, TEST_INTEGERS, 41) {
  const size_t tokens = test_tokens(kernel, 1e8, 5, 97);
  float *x = test_inputs(kernel, tokens, TEST_INTEGERS, 42);
  float *y = test_outputs(kernel, x, tokens, model->packed);
  int64_t *row = test_memory(widest(kernel) * sizeof *row);
  size_t checked = 0, nonzero = 0;
  for (size_t t = 0; t < tokens; t++) {
    if (integer_row(model, row, x + t * kernel->inputs) > EXACT)
      continue; /* not exact in f32 */
    checked++;
    for (size_t o = 0; o < kernel->outputs; o++) {
      const float actual = y[t * kernel->outputs + o];
      nonzero += row[o] != 0;
      cr_assert(equal(actual, (float)row[o]), "%s: row %zu, output %zu: %.9g is not %lld",
                kernel->name, t, o, (double)actual, (long long)row[o]);
    }
  }
  cr_assert(2 * checked >= tokens, "%s: only %zu of %zu rows have small integers", kernel->name,
            checked, tokens);
  /* Chains of many ReLU may well be 0; not all of them. */
  cr_assert(nonzero > 0, "%s: all outputs are 0", kernel->name);
  free(x), free(y), free(row);
}

/* A row with a single 1 picks one column of the weights, to the bit. */
EACH_MODEL(exact, one_hot, TEST_SMALL_EXACT, TEST_WIDE, 43) {
  if (kernel->kind != FFN_KIND_LINEAR)
    return;
  const size_t tokens = kernel->inputs < 200 ? kernel->inputs : 200;
  float *x = test_memory(tokens * kernel->inputs * sizeof *x);
  memset(x, 0, tokens * kernel->inputs * sizeof *x);
  for (size_t t = 0; t < tokens; t++)
    x[t * kernel->inputs + (kernel->inputs - 1 - t)] = t % 2 ? 1.0f : -0.5f;
  float *y = test_outputs(kernel, x, tokens, model->packed);
  for (size_t t = 0; t < tokens; t++)
    for (size_t o = 0; o < kernel->outputs; o++) {
      size_t row = o;
      const test_matrix *matrix = matrix_of(model, &row);
      const size_t k = kernel->inputs - 1 - t;
      const float term = x[t * kernel->inputs + k] * matrix->weight[row * kernel->inputs + k];
      const float expected = matrix->bias ? term + matrix->bias[row] : term;
      cr_assert(equal(y[t * kernel->outputs + o], expected),
                "%s: input %zu, output %zu: %g, not %g", kernel->name, k, o,
                (double)y[t * kernel->outputs + o], (double)expected);
    }
  free(x), free(y);
}

/* Without biases and with ReLU and products alone, the layer is homogeneous: x 2^p gives
 * y 2^(p degree), to the bit, whatever the weights. */
EACH_MODEL(exact, powers_of_two, TEST_SMALL_EXACT, TEST_REALS, 44) {
  if (kernel->bias)
    return;
  int degree = 1;
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const int inner = degree * (kernel->stages[s].activation == FFN_ACT_RELU2 ? 2 : 1);
    degree = kernel->stages[s].product == FFN_PRODUCT_NONE ? inner : inner + degree;
  }
  const size_t tokens = test_tokens(kernel, 1e8, 5, 49), in = tokens * kernel->inputs;
  float *x = test_inputs(kernel, tokens, TEST_REALS, 45);
  float *y = test_outputs(kernel, x, tokens, model->packed);
  static const int powers[] = {-7, 1, 5};
  for (size_t p = 0; p < sizeof powers / sizeof *powers; p++) {
    float *scaled = test_memory(in * sizeof *scaled);
    for (size_t i = 0; i < in; i++)
      scaled[i] = ldexpf(x[i], powers[p]);
    float *y_scaled = test_outputs(kernel, scaled, tokens, model->packed);
    for (size_t i = 0; i < tokens * kernel->outputs; i++)
      cr_assert(equal(y_scaled[i], ldexpf(y[i], powers[p] * degree)),
                "%s: x 2^%d gives %.9g, not %.9g 2^%d", kernel->name, powers[p],
                (double)y_scaled[i], (double)y[i], powers[p] * degree);
    free(scaled), free(y_scaled);
  }
  free(x), free(y);
}

/* Permutations: up picks inputs in one order, down picks hidden values in another. Every value of
 * x that can arrive at an output arrives unchanged, and at the right place. */
EACH_MODEL(exact, permutations, TEST_SMALL_EXACT, TEST_REALS, 46) {
  if (kernel->kind != FFN_KIND_FFN || kernel->stages[0].product != FFN_PRODUCT_NONE ||
      kernel->stages[0].activation != FFN_ACT_RELU)
    return;
  const size_t d = kernel->inputs, f = kernel->hidden, out = kernel->outputs, tokens = 7;
  const test_matrix *up = &model->matrices[0], *down = &model->matrices[1];
  memset(up->weight, 0, f * d * sizeof(float));
  memset(down->weight, 0, out * f * sizeof(float));
  for (size_t h = 0; h < f; h++)
    up->weight[h * d + (h * 7 + 3) % d] = 1;
  for (size_t o = 0; o < out; o++)
    down->weight[o * f + (o * 5 + 1) % f] = 1;
  for (size_t h = 0; up->bias && h < f; h++)
    up->bias[h] = 0;
  for (size_t o = 0; down->bias && o < out; o++)
    down->bias[o] = 0;
  test_model_pack(model);
  float *x = test_inputs(kernel, tokens, TEST_WIDE, 47);
  float *y = test_outputs(kernel, x, tokens, model->packed);
  for (size_t t = 0; t < tokens; t++)
    for (size_t o = 0; o < out; o++) {
      const float from = x[t * d + ((o * 5 + 1) % f * 7 + 3) % d];
      cr_assert(equal(y[t * out + o], from > 0 ? from : 0), "%s: row %zu, output %zu", kernel->name,
                t, o);
    }
  free(x), free(y);
}
