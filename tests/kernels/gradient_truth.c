/* What the reference of gradients is held against: PyTorch's gradients, and the reference of the
 * layer itself, moved a little this way and that. */
#include "support/each.h"
#include "support/goldens.h"
#include "support/rng.h"
#include "support/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tensor of gradients[i] in a golden file. */
static void name_of(char name[24], const test_gradients *gradients, size_t i) {
  const char *whole = gradients->all[i].where == &gradients->to.dx           ? "d_x"
                      : gradients->all[i].where == &gradients->to.parameters ? "d_beta"
                                                                             : NULL;
  if (whole) {
    snprintf(name, 24, "%s", whole);
    return;
  }
  size_t m;
  char kind[8], suffix[16];
  cr_assert(sscanf(gradients->all[i].name, "%7s %zu", kind, &m) == 2);
  test_golden_name(suffix, gradients->model, m);
  snprintf(name, 24, "d_%c%s", *kind == 'm' ? 'w' : 'b', suffix);
}

/* PyTorch's gradients are the reference's, and within the bound of the kernel's. */
EACH_MODEL(gradient_truth, pytorch, TEST_SMALL, TEST_REALS, 61) {
  const char *file = NULL;
  for (size_t i = 0; i < test_golden_count; i++)
    if (strcmp(test_goldens[i].layer, kernel->layer) == 0)
      file = test_goldens[i].file;
  if (!file)
    return;
  const ffn_training *training = ffn_training_of(kernel);
  const test_tensors tensors = test_tensors_open(file);
  test_golden_matrices(model, &tensors);
  size_t inputs, outputs, count;
  float *x = test_tensor_f32(&tensors, "x", &inputs),
        *dy = test_tensor_f32(&tensors, "dy", &outputs);
  const size_t tokens = inputs / kernel->inputs;
  cr_assert(x && dy && outputs == tokens * kernel->outputs, "%s: sizes", file);
  float *y = test_memory(outputs * sizeof *y);
  void *packed = test_pack_train(training, model), *saved = test_saved(training, tokens);
  test_gradients gradients;
  test_references references;
  test_train(training, y, x, tokens, saved, packed, NULL, NULL);
  test_gradients_open(&gradients, model, tokens);
  test_grad(training, &gradients.to, dy, x, tokens, saved, packed, NULL, NULL);
  test_references_open(&references, &gradients, training, dy, x, NULL);
  for (size_t g = 0; g < gradients.count; g++) {
    char name[24];
    name_of(name, &gradients, g);
    double *expected = test_tensor_f64(&tensors, name, &count);
    cr_assert(expected && count == gradients.all[g].count, "%s has %zu of %s", file, count, name);
    for (size_t i = 0; i < count; i++) {
      const double slack = 1e-12 * (1 + fabs(expected[i]));
      cr_assert(fabs(references.all[g].value[i] - expected[i]) <= slack,
                "%s: value %zu of %s: the reference is %.17g, not %.17g", file, i, name,
                references.all[g].value[i], expected[i]);
      cr_assert(fabs(gradients.all[g].values[i] - expected[i]) <=
                    references.all[g].bound[i] + slack,
                "%s: value %zu of %s is %.9g, not %.17g", training->name, i, name,
                (double)gradients.all[g].values[i], expected[i]);
    }
    free(expected);
  }
  test_references_close(&references), test_gradients_close(&gradients);
  free(x), free(dy), free(y), ffn_free(packed), ffn_free(saved);
  test_tensors_close(&tensors);
}

/* sum(y dy) of the layer in double, with what dropout leaves of it. */
static double loss(const test_model *model, const float *x, const float *dy, size_t tokens) {
  const size_t values = tokens * model->kernel->outputs;
  double *y = test_memory(values * sizeof *y), sum = 0;
  const ffn_training *training = ffn_training_of(model->kernel);
  void *scratch = test_memory(ffn_reference_grad_bytes(training));
  ffn_reference_train(training, y, NULL, x, training->inputs, tokens, &model->weights,
                      &test_dropout, scratch);
  free(scratch);
  for (size_t i = 0; i < values; i++)
    sum += y[i] * dy[i];
  free(y);
  return sum;
}

/* Moves the numbers of an array along a direction, step by step, to what is stored of them where
 * they are weights of a matrix, and compares the loss's change
 * with what its gradient says. A kink on the way shows as a second difference: such a way is passed
 * over. */
static int along(test_model *model, const float *x, const float *dy, size_t tokens, float *moved,
                 const test_matrix *matrix, const double *gradient, size_t count, uint64_t seed) {
  const float step = 0x1p-12f;
  const double here = loss(model, x, dy, tokens);
  float *before = test_memory(count * sizeof *before);
  memcpy(before, moved, count * sizeof *before);
  double ends[2], said[2] = {0, 0};
  const ffn_stage *stage = matrix ? &model->kernel->stages[matrix->stage] : NULL;
  stage = stage && stage->source != FFN_SOURCE_F32 ? stage : NULL;
  for (int end = 0; end < 2; end++) {
    for (size_t i = 0; i < count; i++)
      moved[i] = before[i] + (end ? step : -step) * test_uniform(seed, i);
    for (size_t o = 0; stage && o < matrix->outputs; o++)
      ffn_linear_values(stage, matrix->linear, o, moved + o * matrix->inputs);
    for (size_t i = 0; i < count; i++)
      said[end] += gradient[i] * ((double)moved[i] - (double)before[i]);
    ends[end] = loss(model, x, dy, tokens);
  }
  memcpy(moved, before, count * sizeof *before);
  free(before);
  const double change = ends[1] - ends[0], expected = said[1] - said[0];
  const double bend = fabs(ends[0] + ends[1] - 2 * here), size = fabs(said[0]) + fabs(said[1]);
  if (bend > 0x1p-9 * size)
    return 0;
  cr_assert(fabs(change - expected) <= 1e-4 * size, "%s: the loss changes by %g, not by %g",
            model->kernel->layer, change, expected);
  return 1;
}

EACH_MODEL(gradient_truth, differences, TEST_SMALL_LAYER, TEST_REALS, 62) {
  enum { TOKENS = 3, WAYS = 5 };
  const ffn_training *training = ffn_training_of(kernel);
  float *x = test_inputs(kernel, TOKENS, TEST_REALS, 63);
  float *dy = test_loss(kernel, TOKENS, TEST_REALS, 64);
  test_gradients gradients;
  test_references references;
  test_gradients_open(&gradients, model, TOKENS);
  test_references_open(&references, &gradients, training, dy, x, &test_dropout);
  size_t straight = 0, ways = 0;
  for (size_t way = 0; way < WAYS; way++) {
    straight += (size_t)along(model, x, dy, TOKENS, x, NULL, references.all[0].value,
                              gradients.all[0].count, 70 + way);
    ways++;
    for (size_t m = 0, g = 1; m < model->matrix_count; m++) {
      const test_matrix *matrix = &model->matrices[m];
      float *moved[] = {matrix->weight, matrix->bias};
      for (size_t i = 0; i < 2 && moved[i]; i++, g++, ways++)
        straight +=
            (size_t)along(model, x, dy, TOKENS, moved[i], i == 0 ? matrix : NULL,
                          references.all[g].value, gradients.all[g].count, 80 + way * 8 + g);
    }
    if (kernel->runtime_parameters) {
      straight += (size_t)along(model, x, dy, TOKENS, model->weights.parameters, NULL,
                                references.all[gradients.count - 1].value,
                                kernel->runtime_parameters, 90 + way);
      ways++;
    }
  }
  cr_assert(2 * straight > ways, "%s: only %zu of %zu ways are straight", kernel->layer, straight,
            ways);
  test_references_close(&references), test_gradients_close(&gradients);
  free(x), free(dy);
}
