#include "goldens.h"
#include "kernels.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const test_golden test_goldens[] = {
    {"ffn_relu_d24_f40", "ffn_relu_d24_f40_f32"},
    {"ffn_relu_bias_d24_f40", "ffn_relu_bias_d24_f40_f32"},
    {"ffn_gelu_d24_f40", "ffn_gelu_d24_f40_f32"},
    {"ffn_gelu_bias_d24_f40", "ffn_gelu_bias_d24_f40_f32"},
    {"ffn_gelu_tanh_d24_f40", "ffn_gelu_tanh_d24_f40_f32"},
    {"ffn_gelu_tanh_bias_d24_f40", "ffn_gelu_tanh_bias_d24_f40_f32"},
    {"ffn_silu_d24_f40", "ffn_silu_d24_f40_f32"},
    {"ffn_silu_bias_d24_f40", "ffn_silu_bias_d24_f40_f32"},
    {"ffn_swish_d24_f40", "ffn_swish_d24_f40_f32"},
    {"ffn_swish_bias_d24_f40", "ffn_swish_bias_d24_f40_f32"},
    {"ffn_glu_d24_f40", "ffn_glu_d24_f40_f32"},
    {"ffn_glu_bias_d24_f40", "ffn_glu_bias_d24_f40_f32"},
    {"ffn_bilinear_d24_f40", "ffn_bilinear_d24_f40_f32"},
    {"ffn_bilinear_bias_d24_f40", "ffn_bilinear_bias_d24_f40_f32"},
    {"ffn_reglu_d24_f40", "ffn_reglu_d24_f40_f32"},
    {"ffn_reglu_bias_d24_f40", "ffn_reglu_bias_d24_f40_f32"},
    {"ffn_geglu_d24_f40", "ffn_geglu_d24_f40_f32"},
    {"ffn_geglu_bias_d24_f40", "ffn_geglu_bias_d24_f40_f32"},
    {"ffn_geglu_tanh_d24_f40", "ffn_geglu_tanh_d24_f40_f32"},
    {"ffn_geglu_tanh_bias_d24_f40", "ffn_geglu_tanh_bias_d24_f40_f32"},
    {"ffn_swiglu_d24_f40", "ffn_swiglu_d24_f40_f32"},
    {"ffn_swiglu_bias_d24_f40", "ffn_swiglu_bias_d24_f40_f32"},
    {"ffn_swiglu_beta_d24_f40", "ffn_swiglu_beta_d24_f40_f32"},
    {"ffn_swiglu_beta_bias_d24_f40", "ffn_swiglu_beta_bias_d24_f40_f32"},
    {"glu_layer_bias_d24_f40", "glu_glu_bias_d24_o40_f32"},
    {"selfgate_sigmoid_d24", "selfgate_sigmoid_d24_f32"},
    {"selfgate_gelu_tanh_d24", "selfgate_gelu_tanh_d24_f32"},
    {"selfgate_silu_d24", "selfgate_silu_d24_f32"},
    {"linear_10_5", "linear_bias_d10_o5_f32"},
    {"ffn_10_64_1", "mlp_10_relu64_identity1_bias_f32"},
    {"mlp_10_64_32_1", "mlp_10_relu64_relu32_sigmoid1_bias_f32"},
};
const size_t test_golden_count = sizeof test_goldens / sizeof *test_goldens;

void test_golden_name(char name[16], const test_model *model, size_t m) {
  const ffn_weights *w = &model->weights;
  const ffn_linear *linear = model->matrices[m].linear;
  const char *field = linear == &w->gate   ? "_gate"
                      : linear == &w->up   ? "_up"
                      : linear == &w->down ? "_down"
                                           : "";
  if (*field)
    snprintf(name, 16, "%s", field);
  else
    snprintf(name, 16, "%zu", m);
}

/* The tensor's values into the matrix, which has just as many. */
static void take(const test_tensors *tensors, float *into, size_t count, const char *prefix,
                 const char *name) {
  char full[32];
  snprintf(full, sizeof full, "%s%s", prefix, name);
  size_t there;
  float *values = test_tensor_f32(tensors, full, &there);
  cr_assert(values && there == count, "tensor %s has %zu values, not %zu", full, there, count);
  memcpy(into, values, count * sizeof *into);
  free(values);
}

void test_golden_matrices(test_model *model, const test_tensors *tensors) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    char name[16];
    test_golden_name(name, model, m);
    take(tensors, matrix->weight, matrix->outputs * matrix->inputs, "w", name);
    if (matrix->bias)
      take(tensors, matrix->bias, matrix->outputs, "b", name);
  }
  size_t count;
  float *beta = test_tensor_f32(tensors, "beta", &count);
  cr_assert(!beta == !model->kernel->runtime_parameters, "beta in one of file and kernel only");
  if (beta)
    model->weights.parameters[0] = *beta;
  free(beta);
}
