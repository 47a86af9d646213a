/* Gradients of several outputs: each matrix and bias has the bits of a linear layer for its output
 * alone; dx has those of one linear layer whose matrix has the rows of all; and what is not wanted
 * changes nothing of what is. */
#include "support/each.h"
#include "support/pool.h"
#include "support/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A linear layer of so many outputs, on the same instruction set; NULL where none is linked. */
static const ffn_kernel *alone(const ffn_kernel *kernel, size_t outputs) {
  return ffn_find(&(ffn_query){.kind = FFN_KIND_LINEAR,
                               .d_model = kernel->inputs,
                               .d_out = outputs,
                               .bias = kernel->bias,
                               .cpu = 1u << kernel->isa});
}

/* Columns [at, at + width) of rows as dense rows of their own: to be freed. */
static float *columns_of(const float *rows, size_t stride, size_t at, size_t width, size_t tokens) {
  float *own = test_memory((tokens * width + 1) * sizeof *own);
  for (size_t t = 0; t < tokens; t++)
    memcpy(own + t * width, rows + t * stride + at, width * sizeof *own);
  return own;
}

/* What a layer of one output gives for some of the rows of dy. Its gradients are freed by
 * test_gradients_close(). */
static void one_output(test_gradients *gradients, test_model *one, const ffn_kernel *kernel,
                       const float *const *weights, const float *const *biases,
                       const size_t *widths, size_t count, const float *x, const float *dy,
                       float *y, size_t tokens) {
  test_model_open(one, kernel, TEST_REALS, 1);
  for (size_t i = 0, row = 0; i < count; row += widths[i++]) {
    const size_t floats = widths[i] * kernel->inputs;
    memcpy(one->matrices->weight + row * kernel->inputs, weights[i], floats * sizeof(float));
    memcpy(one->matrices->bias + row, biases[i], widths[i] * sizeof(float));
  }
  const ffn_training *t = ffn_training_of(kernel);
  void *packed = test_pack_train(t, one), *saved = test_saved(t, tokens);
  test_train(t, y, x, tokens, saved, packed, NULL, NULL);
  test_gradients_open(gradients, one, tokens);
  test_grad(t, &gradients->to, dy, x, tokens, saved, packed, NULL, NULL);
  ffn_free(packed), ffn_free(saved);
}

/* The gradients of output i, and its columns of y. */
static void check_output(const test_gradients *given, size_t i, size_t at, const float *x,
                         const float *dy, const float *y, size_t tokens) {
  const test_model *model = given->model;
  const ffn_kernel *kernel = model->kernel, *own = alone(kernel, kernel->stages[i].outputs);
  const test_matrix *matrix = &model->matrices[i];
  const size_t width = matrix->outputs;
  test_model one;
  test_gradients expected;
  float *own_dy = columns_of(dy, kernel->outputs, at, width, tokens);
  float *own_y = columns_of(y, kernel->outputs, at, width, tokens);
  float *expected_y = test_memory((tokens * width + 1) * sizeof(float));
  one_output(&expected, &one, own, (const float *const *)&matrix->weight,
             (const float *const *)&matrix->bias, &width, 1, x, own_dy, expected_y, tokens);
  cr_assert(test_same(own_y, expected_y, tokens * width), "%s: output %zu", kernel->name, i);
  for (size_t g = 1; g < expected.count; g++)
    cr_assert(
        test_same(given->all[2 * i + g].values, expected.all[g].values, expected.all[g].count),
        "%s: %s of output %zu, %zu tokens", kernel->name, expected.all[g].name, i, tokens);
  test_gradients_close(&expected), test_model_close(&one);
  free(own_dy), free(own_y), free(expected_y);
}

/* dx, and all matrices as the rows of one. */
static void check_all(const test_gradients *given, const float *x, const float *dy, size_t tokens) {
  const test_model *model = given->model;
  const ffn_kernel *kernel = model->kernel;
  const float *weights[FFN_MAX_STAGES], *biases[FFN_MAX_STAGES];
  size_t widths[FFN_MAX_STAGES];
  test_model one;
  test_gradients expected;
  float *y = test_memory((tokens * kernel->outputs + 1) * sizeof *y);
  for (size_t i = 0; i < kernel->stage_count; i++) {
    weights[i] = model->matrices[i].weight, biases[i] = model->matrices[i].bias;
    widths[i] = model->matrices[i].outputs;
  }
  one_output(&expected, &one, alone(kernel, kernel->outputs), weights, biases, widths,
             kernel->stage_count, x, dy, y, tokens);
  cr_assert(test_same(given->all[0].values, expected.all[0].values, expected.all[0].count),
            "%s: dx of %zu tokens", kernel->name, tokens);
  for (size_t i = 0, row = 0; i < kernel->stage_count; row += widths[i++])
    cr_assert(test_same(given->all[2 * i + 1].values, expected.all[1].values + row * kernel->inputs,
                        widths[i] * kernel->inputs),
              "%s: the matrix of output %zu among all", kernel->name, i);
  test_gradients_close(&expected), test_model_close(&one);
  free(y);
}

/* Each gradient alone, in a call that wants nothing else. */
static void check_wanted(const test_gradients *given, const ffn_training *training, const float *x,
                         const float *dy, size_t tokens, const void *saved, const void *packed) {
  for (size_t wanted = 0; wanted < given->count; wanted++) {
    test_gradients some;
    test_gradients_open(&some, given->model, tokens);
    for (size_t g = 0; g < some.count; g++)
      if (g != wanted)
        *some.all[g].where = NULL;
    test_grad(training, &some.to, dy, x, tokens, saved, packed, NULL, NULL);
    cr_assert(
        test_same(some.all[wanted].values, given->all[wanted].values, given->all[wanted].count),
        "%s: %s alone", training->name, given->all[wanted].name);
    test_gradients_close(&some);
  }
}

EACH_MODEL(gradient_outputs, bits, TEST_SMALL, TEST_REALS, 141) {
  static const size_t batches[] = {0, 1, 19, 130, 300};
  const ffn_training *training = ffn_training_of(kernel);
  if (!ffn_outputs_of(kernel) || !training || !alone(kernel, kernel->outputs))
    return;
  test_pool *pool = test_pool_open(0, TEST_ORDER_SHUFFLE);
  void *packed = test_pack_train(training, model);
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++)
    for (size_t threads = 1; threads <= 3; threads++) {
      const size_t tokens = batches[b];
      const ffn_parallel parallel = test_pool_parallel(pool, threads);
      float *x = test_inputs(kernel, tokens, TEST_REALS, 142);
      float *dy = test_loss(kernel, tokens, TEST_REALS, 143);
      float *y = test_memory((tokens * kernel->outputs + 1) * sizeof *y);
      void *saved = test_saved(training, tokens);
      test_gradients gradients;
      test_train(training, y, x, tokens, saved, packed, NULL, &parallel);
      test_gradients_open(&gradients, model, tokens);
      test_grad(training, &gradients.to, dy, x, tokens, saved, packed, NULL, &parallel);
      for (size_t i = 0, at = 0; i < kernel->stage_count; at += kernel->stages[i++].outputs)
        check_output(&gradients, i, at, x, dy, y, tokens);
      check_all(&gradients, x, dy, tokens);
      if (threads == 1)
        check_wanted(&gradients, training, x, dy, tokens, saved, packed);
      test_gradients_close(&gradients);
      free(x), free(dy), free(y), ffn_free(saved);
    }
  ffn_free(packed);
  test_pool_close(pool);
}
