/* Zeros of relu and its like: few tokens may skip what many multiply, and no bit may show it. */
#include "support/each.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 5, MANY = 67 };

static int makes_zeros(const ffn_stage *stage) {
  return stage->activation == FFN_ACT_RELU || stage->activation == FFN_ACT_RELU2;
}

/* Turns rows of the first matrix, without bias, so that `percent` of its outputs are negative for
 * every row of x: these are one row, scaled. */
static void turn(test_model *model, const float *x, unsigned percent) {
  const test_matrix *first = &model->matrices[0];
  for (size_t o = 0; o < first->outputs; o++) {
    double sum = 0;
    float *row = first->weight + o * first->inputs;
    for (size_t i = 0; i < first->inputs; i++)
      sum += (double)row[i] * x[i];
    if ((sum > 0) == ((o * 37 + 11) % 100 < percent))
      for (size_t i = 0; i < first->inputs; i++)
        row[i] = -row[i];
    if (first->bias)
      first->bias[o] = 0;
  }
}

/* Hidden values below a half. */
static void shrink(test_model *model) {
  const test_matrix *first = &model->matrices[0];
  for (size_t i = 0; i < first->outputs * first->inputs; i++)
    first->weight[i] *= 0x1p-7f;
}

/* The last matrix: as it is, or made of one value. */
typedef enum last_weights {
  AS_THEY_ARE,
  UNDERFLOWING,
  VANISHING, /* with hidden values so small that every sum is a zero, of either sign */
  INFINITE,
  FIRST_INFINITE, /* the first weight alone */
  LAST_INFINITE,
  LAST_WEIGHTS_COUNT
} last_weights;

static void change(const test_matrix *last, last_weights how) {
  const size_t count = last->outputs * last->inputs;
  for (size_t i = 0; (how == UNDERFLOWING || how == VANISHING) && i < count; i++)
    last->weight[i] = i % 7 ? -0x1p-149f : 0x1p-149f;
  if (how == FIRST_INFINITE || how == LAST_INFINITE)
    last->weight[how == FIRST_INFINITE ? 0 : count - 1] = INFINITY;
  if (how == INFINITE)
    for (size_t k = 0; k < last->inputs; k += 3)
      last->weight[(k % last->outputs) * last->inputs + k] = k % 2 ? INFINITY : NAN;
}

/* `few` rows at a time against all at once. */
static void expect_same(const ffn_kernel *kernel, const float *x, const void *packed,
                        const float *all, size_t few) {
  for (size_t t = 0; t + few <= MANY; t += 7 * test_step(t, 0)) {
    float *y = test_outputs(kernel, x + t * kernel->inputs, few, packed);
    cr_assert(test_same(y, all + t * kernel->outputs, few * kernel->outputs),
              "%s: %zu rows from row %zu on have other bits alone than in a batch of %d",
              kernel->name, few, t, (int)MANY);
    free(y);
  }
}

EACH_MODEL(zeros, few_rows_and_many, TEST_SMALL, TEST_REALS, 91) {
  static const unsigned percents[] = {0, 50, 70, 80, 90, 97, 100};
  if (kernel->stage_count < 2 || !makes_zeros(&kernel->stages[0]))
    cr_skip_test("no stage after one that makes zeros");
  if (!test_thorough() && kernel->isa == FFN_ISA_C && kernel->flop_per_token > 1000000)
    cr_skip_test("portable C of a large layer: in the full form");
  float *x = test_inputs(kernel, MANY, TEST_REALS, 92);
  for (size_t t = 1; t < MANY; t++)
    for (size_t i = 0; i < kernel->inputs; i++)
      x[t * kernel->inputs + i] = x[i] * (1 + (float)t / 16);
  for (size_t p = 0; p < sizeof percents / sizeof *percents; p += test_step(p, 0))
    for (last_weights how = AS_THEY_ARE; how < LAST_WEIGHTS_COUNT; how++) {
      test_model_fill(model, TEST_REALS, 91);
      turn(model, x, percents[p]);
      if (how == VANISHING)
        shrink(model);
      change(&model->matrices[model->matrix_count - 1], how);
      test_model_pack(model);
      float *all = test_outputs(kernel, x, MANY, model->packed);
      for (size_t few = 1; few <= FEW; few += test_step(few, 0))
        expect_same(kernel, x, model->packed, all, few);
      free(all);
    }
  free(x);
}

/* Rows with most zeros at the same places: what is zero in one of them only is not skipped. */
EACH_MODEL(zeros, of_different_rows, TEST_SMALL, TEST_REALS, 93) {
  if (kernel->stage_count < 2 || !makes_zeros(&kernel->stages[0]))
    cr_skip_test("no stage after one that makes zeros");
  float *x = test_inputs(kernel, MANY, TEST_REALS, 94);
  turn(model, x, 97);
  test_model_pack(model);
  for (size_t t = 1; t < MANY; t++)
    for (size_t i = 0; i < kernel->inputs; i++)
      x[t * kernel->inputs + i] = x[i] + x[t * kernel->inputs + i] / 4;
  float *all = test_outputs(kernel, x, MANY, model->packed);
  for (size_t few = 1; few <= FEW; few += test_step(few, 0))
    expect_same(kernel, x, model->packed, all, few);
  free(x), free(all);
}

/* A hidden row of zeros alone gives the bias, or a zero with the same sign as any sum that is. */
EACH_MODEL(zeros, all, TEST_PLAIN, TEST_REALS, 95) {
  const size_t last = kernel->stage_count - 1;
  if (last == 0 || !makes_zeros(&kernel->stages[last - 1]) ||
      kernel->stages[last].activation != FFN_ACT_IDENTITY)
    cr_skip_test("the last stage is not a sum after one that makes zeros");
  for (size_t m = 0; m + 1 < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    for (size_t i = 0; i < matrix->outputs * matrix->inputs; i++)
      matrix->weight[i] = 0;
    for (size_t o = 0; matrix->bias && o < matrix->outputs; o++)
      matrix->bias[o] = -1;
  }
  test_model_pack(model);
  const float *bias = model->matrices[model->matrix_count - 1].bias;
  float *x = test_inputs(kernel, FEW, TEST_REALS, 96);
  for (size_t few = 1; few <= FEW; few += test_step(few, 0)) {
    float *y = test_outputs(kernel, x, few, model->packed);
    for (size_t i = 0; i < few * kernel->outputs; i++) {
      const float expected = bias ? bias[i % kernel->outputs] : 0.0f;
      cr_assert(test_bits(y[i]) == test_bits(expected), "%s: output %zu of %zu rows is %g, not %g",
                kernel->name, i, few, (double)y[i], (double)expected);
    }
    free(y);
  }
  free(x);
}
