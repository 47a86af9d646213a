/* Layers of real models: few rows, all instruction sets at once on the same packed weights, and
 * OpenBLAS as a second opinion. */
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"
#include "support/spread.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3 };

static float *product(const float *x, size_t rows, const test_matrix *matrix) {
  const size_t in = matrix->inputs, out = matrix->outputs;
  float *s = test_memory(rows * out * sizeof *s);
  for (size_t i = 0; i < rows * out; i++)
    s[i] = matrix->bias ? matrix->bias[i % out] : 0;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)rows, (blasint)out, (blasint)in, 1,
              x, (blasint)in, matrix->weight, (blasint)in, 1, s, (blasint)out);
  return s;
}

/* The layer by sgemm and a loop: to be freed. */
static float *by_openblas(const test_model *model, const float *x, size_t rows) {
  const ffn_kernel *kernel = model->kernel;
  float *in = test_memory(rows * kernel->inputs * sizeof *in);
  memcpy(in, x, rows * kernel->inputs * sizeof *in);
  size_t m = 0;
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const ffn_stage *stage = &kernel->stages[s];
    const float *parameters = ffn_stage_parameters(stage, &model->weights);
    float *out = product(in, rows, &model->matrices[m++]);
    for (size_t i = 0; i < rows * stage->outputs; i++)
      out[i] = (float)ffn_activation_value(stage->activation, out[i], 0, parameters);
    float *other =
        stage->product == FFN_PRODUCT_UP ? product(in, rows, &model->matrices[m++]) : NULL;
    for (size_t i = 0; stage->product != FFN_PRODUCT_NONE && i < rows * stage->outputs; i++)
      out[i] *= other ? other[i] : in[i];
    free(other), free(in);
    in = out;
  }
  return in;
}

static double largest(const char *name, const float *y, const double *reference,
                      const double *bound, size_t count) {
  double worst = 0;
  for (size_t i = 0; i < count; i++) {
    const double error = fabs(y[i] - reference[i]);
    cr_assert(bound[i] < INFINITY && error <= bound[i],
              "%s: value %zu: %.9g, reference %.17g, bound %g", name, i, (double)y[i], reference[i],
              bound[i]);
    if (error > worst * bound[i])
      worst = error / bound[i];
  }
  return worst;
}

/* As in bound.c: long sums have bounds that much can hide in. */
static double typical(const char *name, const float *y, const double *reference,
                      const double *spread, size_t count) {
  double squares = 0;
  for (size_t i = 0; i < count; i++)
    squares += (y[i] - reference[i]) / spread[i] * ((y[i] - reference[i]) / spread[i]);
  const double rms = sqrt(squares / (double)count);
  cr_assert(rms <= 1.2, "%s: errors are %.2f times what rounding explains", name, rms);
  return rms;
}

/* Each matrix by itself, to be modest: the others are NULL. */
static void expect_unpacked(const test_model *model) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const size_t bytes = matrix->outputs * matrix->inputs * sizeof(float);
    float *back = test_memory(bytes);
    test_model one;
    test_model_shape(&one, model->kernel);
    one.matrices[m].linear->weight = back;
    test_unpack(model->kernel, &one, model->packed);
    cr_assert(memcmp(back, matrix->weight, bytes) == 0, "%s: matrix %zu comes back changed",
              model->kernel->name, m);
    free(back);
  }
}

/* The same rows between guard pages, on `parallel` or on this thread. */
static void expect_guarded(const test_model *model, const ffn_kernel *k, const float *x,
                           const float *expected, test_side side, const ffn_parallel *parallel) {
  const size_t in = ROWS * k->inputs * sizeof(float), out = ROWS * k->outputs * sizeof(float);
  const size_t work = ffn_work_bytes(k, parallel ? parallel->threads : 1, ROWS);
  const test_guard gx = test_guard_open(in, sizeof(float), side);
  const test_guard gy = test_guard_open(out, sizeof(float), side);
  const test_guard gw = test_guard_open(work, FFN_ALIGNMENT, side);
  memcpy(gx.memory, x, in);
  test_guard_read_only(&gx);
  ffn_run(k, gy.memory, k->outputs, gx.memory, k->inputs, ROWS, model->packed, gw.memory, work,
          parallel);
  cr_assert(test_same(gy.memory, expected, ROWS * k->outputs), "%s: other bits on %zu threads",
            k->name, parallel ? parallel->threads : 1);
  cr_assert(test_guard_intact(&gy) && test_guard_intact(&gw), "%s: writes beside y or work",
            k->name);
  test_guard_close(&gx), test_guard_close(&gy), test_guard_close(&gw);
}

EACH_MODEL(large, layer, TEST_LARGE_LAYER, TEST_REALS, 71) {
  /* The rows to check come last in a batch that is longer than a tile. */
  const size_t batch = test_tokens(kernel, 2e9, ROWS + 1, 50), first = batch - ROWS;
  const size_t out = kernel->outputs, values = ROWS * out;
  expect_unpacked(model);
  float *x = test_inputs(kernel, batch, TEST_REALS, 72), *rows = x + first * kernel->inputs;
  double *reference = test_memory(values * sizeof *reference);
  double *bound = test_memory(values * sizeof *bound);
  double *spread = test_memory(values * sizeof *spread);
  test_reference(model, reference, bound, rows, ROWS);
  test_spread(model, spread, rows, ROWS);
  float *blas = by_openblas(model, rows, ROWS);
  printf("%-56s largest error %.2g of its bound\n", "OpenBLAS, for comparison",
         largest("OpenBLAS", blas, reference, bound, values));
  float *expected = NULL;
  test_pool *pool = test_pool_open(1, TEST_ORDER_SHUFFLE);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  for (const ffn_kernel *const *all = ffn_all(NULL); *all; all++) {
    const ffn_kernel *k = *all;
    if (strcmp(k->layer, kernel->layer) != 0 || !test_runs_here(k))
      continue;
    float *y = test_outputs(k, rows, ROWS, model->packed);
    const double worst = largest(k->name, y, reference, bound, values);
    printf("%-56s largest error %.2g of its bound; typical error %.2f standard deviations\n",
           k->name, worst, typical(k->name, y, reference, spread, values));
    if (!expected) {
      expected = test_memory(values * sizeof *expected);
      memcpy(expected, y, values * sizeof *expected);
    }
    cr_assert(test_same(y, expected, values), "%s has other bits than %s", k->name, kernel->name);
    float *all_rows = test_outputs(k, x, batch, model->packed);
    cr_assert(test_same(all_rows + first * out, expected, values),
              "%s: other bits in a batch of %zu than in one of 3", k->name, batch);
    expect_guarded(model, k, rows, expected, TEST_AT_START, NULL);
    expect_guarded(model, k, rows, expected, TEST_AT_END, &parallel);
    cr_assert(test_pool_most_tasks(pool) > 1, "%s keeps to one thread", k->name);
    free(y), free(all_rows);
  }
  test_pool_close(pool);
  free(x), free(reference), free(bound), free(spread), free(blas), free(expected);
}
