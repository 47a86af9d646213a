/* NaN, infinities, subnormal and huge values: they stay where they belong, and are what the
 * reference says. */
#include "support/each.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 19 };

/* 0 finite, 1 +Inf, 2 -Inf, 3 NaN. */
static int class_of(double value) {
  return value != value ? 3 : isinf(value) ? (value > 0 ? 1 : 2) : 0;
}

static size_t rows_of(const ffn_kernel *kernel) { return test_tokens(kernel, 2e7, 3, ROWS); }

static void expect_other_rows(const ffn_kernel *kernel, const float *y, const float *clean,
                              size_t rows, size_t row, float poison) {
  for (size_t t = 0; t < rows; t++)
    if (t != row)
      cr_assert(test_same(y + t * kernel->outputs, clean + t * kernel->outputs, kernel->outputs),
                "%s: %g in row %zu changes row %zu", kernel->name, (double)poison, row, t);
}

EACH_MODEL(special, rows, TEST_SMALL, TEST_REALS, 51) {
  static const float poisons[] = {NAN, INFINITY, -INFINITY, FLT_MAX, 1e20f};
  const size_t rows = rows_of(kernel), in = kernel->inputs, out = kernel->outputs;
  const size_t columns[] = {0, in / 2, in - 1};
  const int sums = test_sums_f32(kernel), clips = kernel->stages[0].operand_scale;
  float *x = test_inputs(kernel, rows, TEST_REALS, 52);
  float *clean = test_outputs(kernel, x, rows, model->packed);
  double *reference = test_memory(out * sizeof *reference);
  double *bound = test_memory(out * sizeof *bound);
  for (size_t p = 0; p < sizeof poisons / sizeof *poisons; p++)
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
      for (size_t row = c; row < rows; row += 6) {
        float *poisoned = x + row * in + columns[c], kept = *poisoned;
        *poisoned = poisons[p];
        float *y = test_outputs(kernel, x, rows, model->packed);
        expect_other_rows(kernel, y, clean, rows, row, poisons[p]);
        test_reference(model, reference, bound, x + row * in, 1);
        for (size_t o = 0; o < out; o++) {
          const float actual = y[row * out + o];
          if (p > 0 && p <= 2 && clips)
            cr_assert(fabsf(actual) < INFINITY, "%s: %g at input %zu is not clipped", kernel->name,
                      (double)poisons[p], columns[c]);
          else if (p == 0 || (p <= 2 && !sums)) /* a row of bytes has no infinities */
            cr_assert(actual != actual, "%s: %g at input %zu, but output %zu is %g", kernel->name,
                      (double)poisons[p], columns[c], o, (double)actual);
          else if (p <= 2)
            cr_assert(class_of(actual) == class_of(reference[o]),
                      "%s: %g at input %zu: output %zu is %g, reference %g", kernel->name,
                      (double)poisons[p], columns[c], o, (double)actual, reference[o]);
          else
            cr_assert(!(bound[o] < INFINITY) || fabs(actual - reference[o]) <= bound[o],
                      "%s: %g at input %zu: output %zu is %g, reference %g", kernel->name,
                      (double)poisons[p], columns[c], o, (double)actual, reference[o]);
        }
        free(y);
        *poisoned = kept;
      }
  free(x), free(clean), free(reference), free(bound);
}

/* A NaN in the last stage's weights, or among its biases, belongs to one output; of a linear of
 * several each stage is a last one, and its outputs stand behind those before. */
EACH_MODEL(special, columns, TEST_PLAIN, TEST_REALS, 53) {
  const size_t rows = rows_of(kernel), out = kernel->outputs;
  float *x = test_inputs(kernel, rows, TEST_REALS, 54);
  float *clean = test_outputs(kernel, x, rows, model->packed);
  for (size_t m = 0, first = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const size_t outputs[] = {0, matrix->outputs / 2, matrix->outputs - 1};
    if (!kernel->stages_share_x && matrix->stage + 1 < kernel->stage_count)
      continue;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
      for (int bias = 0; bias <= (matrix->bias != NULL); bias++) {
        const size_t o = outputs[i];
        float *poisoned =
            bias ? &matrix->bias[o] : &matrix->weight[o * matrix->inputs + o % matrix->inputs];
        const float kept = *poisoned;
        *poisoned = NAN;
        test_model_pack(model);
        *poisoned = kept;
        float *y = test_outputs(kernel, x, rows, model->packed);
        for (size_t t = 0; t < rows; t++)
          for (size_t c = 0; c < out; c++)
            cr_assert(c == first + o ? isnan(y[t * out + c])
                                     : test_same(y + t * out + c, clean + t * out + c, 1),
                      "%s: NaN in a %s of output %zu: output %zu is %g", kernel->name,
                      bias ? "bias" : "weight", first + o, c, (double)y[t * out + c]);
        free(y);
      }
    if (kernel->stages_share_x)
      first += matrix->outputs;
  }
  free(x), free(clean);
}

/* A weight that is small, and no zero, as it is stored. */
static float small_of(const ffn_kernel *kernel, size_t stage) {
  return kernel->stages[stage].source == FFN_SOURCE_F16 ? 0x1p-24f : 0x1p-100f;
}

/* A sum of products that vanish below zero is -0, in blocks and chains as well: where each chain
 * has one, for it begins at +0. */
EACH_MODEL(special, vanishing, TEST_PLAIN, TEST_REALS, 57) {
  const ffn_kernel *base = test_base(kernel);
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    for (size_t i = 0; i < matrix->outputs * matrix->inputs; i++)
      matrix->weight[i] = small_of(kernel, matrix->stage);
    for (size_t o = 0; matrix->bias && o < matrix->outputs; o++)
      matrix->bias[o] = -0.0f;
  }
  test_model_pack(model);
  float *x = test_inputs(kernel, 1, TEST_REALS, 58);
  for (size_t k = 0; k < kernel->inputs; k++)
    x[k] = kernel->stages[0].source == FFN_SOURCE_F16 ? -0x1p-140f : -0x1p-100f;
  float *y = test_outputs(kernel, x, 1, model->packed);
  float *expected = test_outputs(base, x, 1, model->packed);
  for (size_t o = 0; o < kernel->outputs; o++) {
    cr_assert(test_same(y + o, expected + o, 1), "%s and %s differ: %g, %g", kernel->name,
              base->name, (double)y[o], (double)expected[o]);
    const ffn_stage *stage = &kernel->stages[0];
    const size_t last = stage->inputs % stage->k_block;
    const uint32_t zero = last == 0 || last >= stage->chains ? 0x80000000 : 0;
    cr_assert(kernel->kind != FFN_KIND_LINEAR || test_bits(y[o]) == zero, "%s: output %zu is %g",
              kernel->name, o, (double)y[o]);
  }
  free(x), free(y), free(expected);
}

/* Rows of extreme size stay within the bound where there is one, and equal on every instruction
 * set in any case. */
EACH_MODEL(special, extremes, TEST_SMALL, TEST_REALS, 55) {
  static const float sizes[] = {0.0f,  0x1p-149f, 0x1p-140f, FLT_MIN, 1e-30f, 1e-20f, 1e-10f, 1e-3f,
                                30.0f, 1e3f,      1e4f,      1e10f,   1e19f,  1e30f,  FLT_MAX};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  const size_t in = kernel->inputs, out = kernel->outputs;
  const ffn_kernel *base = test_base(kernel);
  /* Halves of biases away, for the small values to show. */
  for (size_t m = 0; m < model->matrix_count; m++)
    for (size_t o = 0; model->matrices[m].bias && o < model->matrices[m].outputs; o += 2)
      model->matrices[m].bias[o] = o % 4 ? -0.0f : 0.0f;
  test_model_pack(model);
  float *x = test_inputs(kernel, SIZES, TEST_REALS, 56);
  for (size_t t = 0; t < SIZES; t++)
    for (size_t k = 0; k < in; k++)
      x[t * in + k] *= sizes[t] / 2;
  double *reference = test_memory(SIZES * out * sizeof *reference);
  double *bound = test_memory(SIZES * out * sizeof *bound);
  test_reference(model, reference, bound, x, SIZES);
  float *y = test_outputs(kernel, x, SIZES, model->packed);
  float *expected = test_outputs(base, x, SIZES, model->packed);
  for (size_t i = 0; i < SIZES * out; i++) {
    cr_assert(!(bound[i] < INFINITY) || fabs(y[i] - reference[i]) <= bound[i],
              "%s: x of size %g: output %zu is %g, reference %g, bound %g", kernel->name,
              (double)sizes[i / out], i % out, (double)y[i], reference[i], bound[i]);
    cr_assert(sizes[i / out] > 1e4f || bound[i] < INFINITY || !test_sums_f32(kernel),
              "%s: no bound for x of size %g", kernel->name, (double)sizes[i / out]);
    cr_assert(test_same(y + i, expected + i, 1), "%s and %s differ for x of size %g", kernel->name,
              base->name, (double)sizes[i / out]);
  }
  free(x), free(y), free(expected), free(reference), free(bound);
}
