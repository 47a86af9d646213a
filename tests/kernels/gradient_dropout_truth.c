/* What comes of dropout, held against its reference and PyTorch's numbers. */
#include "support/each.h"
#include "support/goldens.h"
#include "support/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* run_train() is within the bound of its reference. */
EACH_MODEL(dropout_truth, bound, TEST_SMALL, TEST_REALS, 34) {
  enum { TOKENS = 150 };
  const ffn_training *t = ffn_training_of(kernel);
  const size_t values = TOKENS * t->outputs;
  float *x = test_inputs(kernel, TOKENS, TEST_REALS, 35), *y = test_memory(values * sizeof *y);
  double *truth = test_memory(values * sizeof *truth), *bound = test_memory(values * sizeof *bound);
  void *packed = test_pack_train(t, model), *saved = test_saved(t, TOKENS);
  void *scratch = test_memory(ffn_reference_grad_bytes(t));
  test_train(t, y, x, TOKENS, saved, packed, &test_dropout, NULL);
  ffn_reference_train(t, truth, bound, x, t->inputs, TOKENS, &model->weights, &test_dropout,
                      scratch);
  for (size_t i = 0; i < values; i++)
    cr_assert(bound[i] < INFINITY && fabs(y[i] - truth[i]) <= bound[i],
              "%s: y is %.9g, the reference %.17g, the bound %g", t->name, (double)y[i], truth[i],
              bound[i]);
  free(x), free(y), free(truth), free(bound), free(scratch), ffn_free(packed), ffn_free(saved);
}

/* PyTorch's numbers, with its masks: dropout behind the activation, or behind the layer. */
static const test_golden goldens[] = {
    {"ffn_relu_bias_dropout_hidden_d24_f40", "ffn_relu_bias_d24_f40_dropout0p25_hidden_f32"},
    {"ffn_relu_bias_dropout_output_d24_f40", "ffn_relu_bias_d24_f40_dropout0p25_output_f32"},
};

/* What PyTorch has of one of them, in the order of test_gradients; y is the last. */
static const char *const names[] = {"d_x", "d_w_up", "d_b_up", "d_w_down", "d_b_down", "y"};
enum { GRADIENTS = sizeof names / sizeof *names - 1 };

/* The tensor, times what our scale, an f32, is of 1 / (1 - rate); but for what no kept element is
 * in: behind hidden ones, the bias of the layer. */
static double *expected_of(const test_tensors *tensors, size_t g, const test_model *model,
                           double ratio, int hidden, size_t *count) {
  double *values = test_tensor_f64(tensors, names[g], count);
  cr_assert(values != NULL, "no %s", names[g]);
  const float *bias = model->matrices[1].bias;
  for (size_t i = 0; i < *count; i++) {
    const double apart = hidden && g == GRADIENTS ? bias[i % model->kernel->outputs] : 0;
    if (!(hidden && g == GRADIENTS - 1))
      values[i] = apart + (values[i] - apart) * ratio;
  }
  return values;
}

static void expect_golden(const test_tensors *tensors, test_model *model, int hidden) {
  const ffn_training *t = ffn_training_of(model->kernel);
  const float scale = t->dropouts[0].scale;
  size_t count, outputs, inputs;
  unsigned char *keep = test_tensor_u8(tensors, "keep", &count);
  float *x = test_tensor_f32(tensors, "x", &inputs), *dy = test_tensor_f32(tensors, "dy", &outputs);
  const size_t tokens = inputs / t->inputs;
  cr_assert(keep && x && dy && count == tokens * t->stages[t->dropouts[0].stage].outputs &&
            outputs == tokens * t->outputs);
  float *mask = test_memory(count * sizeof *mask);
  for (size_t i = 0; i < count; i++)
    mask[i] = keep[i] ? scale : 0;
  const ffn_dropout dropout = {.masks = (const float *const[]){mask}};
  float *y = test_memory(outputs * sizeof *y);
  double *truth = test_memory(outputs * sizeof *truth),
         *bound = test_memory(outputs * sizeof *bound);
  void *packed = test_pack_train(t, model), *saved = test_saved(t, tokens);
  void *scratch = test_memory(ffn_reference_grad_bytes(t));
  test_gradients gradients;
  test_references references;
  test_train(t, y, x, tokens, saved, packed, &dropout, NULL);
  test_gradients_open(&gradients, model, tokens);
  test_grad(t, &gradients.to, dy, x, tokens, saved, packed, &dropout, NULL);
  test_references_open(&references, &gradients, t, dy, x, &dropout);
  ffn_reference_train(t, truth, bound, x, t->inputs, tokens, &model->weights, &dropout, scratch);
  cr_assert(gradients.count == GRADIENTS);
  for (size_t g = 0; g <= GRADIENTS; g++) {
    double *expected = expected_of(tensors, g, model, scale * 0.75, hidden, &count);
    const float *mine = g < GRADIENTS ? gradients.all[g].values : y;
    const double *reference = g < GRADIENTS ? references.all[g].value : truth;
    const double *within = g < GRADIENTS ? references.all[g].bound : bound;
    cr_assert(count == (g < GRADIENTS ? gradients.all[g].count : outputs));
    for (size_t i = 0; i < count; i++) {
      const double slack = 1e-12 * (1 + fabs(expected[i]));
      cr_assert(fabs(reference[i] - expected[i]) <= slack,
                "%s: value %zu of %s: the reference is %.17g, not %.17g", t->name, i, names[g],
                reference[i], expected[i]);
      cr_assert(fabs(mine[i] - expected[i]) <= within[i] + slack,
                "%s: value %zu of %s is %.9g, not %.17g", t->name, i, names[g], (double)mine[i],
                expected[i]);
    }
    free(expected);
  }
  test_references_close(&references), test_gradients_close(&gradients);
  free(keep), free(x), free(dy), free(mask), free(y), free(truth), free(bound), free(scratch);
  ffn_free(packed), ffn_free(saved);
}

EACH_MODEL(dropout_truth, pytorch, TEST_SMALL, TEST_REALS, 33) {
  for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++)
    if (strcmp(goldens[i].layer, kernel->layer) == 0) {
      const test_tensors tensors = test_tensors_open(goldens[i].file);
      test_golden_matrices(model, &tensors);
      expect_golden(&tensors, model, i == 0);
      test_tensors_close(&tensors);
    }
}
