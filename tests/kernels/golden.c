/* Numbers that others computed: PyTorch's, a published notebook's, and one layer on paper.
 * tests/data/README.md says where they come from. */
#include "support/each.h"
#include "support/goldens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All kernels of the layer that run here give y within the bound, and a little for the rounding of
 * both doubles, of what is expected. `slack` is how far the reference may be from it. */
static void expect(const test_model *model, const float *x, const double *y, size_t tokens,
                   double slack) {
  const char *layer = model->kernel->layer;
  const size_t values = tokens * model->kernel->outputs;
  double *reference = test_memory(values * sizeof *reference);
  double *bound = test_memory(values * sizeof *bound);
  test_reference(model, reference, bound, x, tokens);
  for (size_t i = 0; i < values; i++)
    cr_assert(fabs(reference[i] - y[i]) <= slack * (1 + fabs(y[i])),
              "%s: value %zu: the reference is %.17g, not %.17g", layer, i, reference[i], y[i]);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (strcmp((*k)->layer, layer) != 0 || !test_runs_here(*k))
      continue;
    float *actual = test_outputs(*k, x, tokens, model->packed);
    for (size_t i = 0; i < values; i++)
      cr_assert(bound[i] < INFINITY &&
                    fabs(actual[i] - y[i]) <= bound[i] + slack * (1 + fabs(y[i])),
                "%s: value %zu is %.9g, not %.17g", (*k)->name, i, (double)actual[i], y[i]);
    free(actual);
  }
  free(reference), free(bound);
}

static const ffn_kernel *linked(const char *layer) {
  const ffn_kernel *kernel = ffn_find_layer(layer, ffn_cpu());
  cr_assert(kernel != NULL, "no kernel of layer %s is linked", layer);
  return kernel;
}

ParameterizedTestParameters(golden, pytorch) {
  static size_t indices[64];
  cr_assert(test_golden_count <= sizeof indices / sizeof *indices);
  for (size_t i = 0; i < test_golden_count; i++)
    indices[i] = i;
  return cr_make_param_array(size_t, indices, test_golden_count);
}

ParameterizedTest(const size_t *index, golden, pytorch) {
  if (!test_thorough() && !ffn_find_layer(test_goldens[*index].layer, ffn_cpu()))
    cr_skip_test("the quick form has fewer kernels");
  const ffn_kernel *kernel = linked(test_goldens[*index].layer);
  const test_tensors tensors = test_tensors_open(test_goldens[*index].file);
  test_model model;
  test_model_open(&model, kernel, TEST_REALS, 0);
  test_golden_matrices(&model, &tensors);
  test_model_pack(&model);
  size_t inputs, outputs;
  float *x = test_tensor_f32(&tensors, "x", &inputs);
  double *y = test_tensor_f64(&tensors, "y", &outputs);
  const size_t tokens = inputs / kernel->inputs;
  cr_assert(x && y && tokens == 5 && outputs == tokens * kernel->outputs, "%s: sizes",
            test_goldens[*index].file);
  expect(&model, x, y, tokens, 1e-13);
  free(x), free(y);
  test_tensors_close(&tensors);
  test_model_close(&model);
}

/* ---- The notebook ------------------------------------------------------------------------- */

/* MT19937, Matsumoto and Nishimura 1998. */
typedef struct twister {
  uint32_t state[624];
  size_t at;
} twister;

static void seed(twister *t, uint32_t s) {
  for (uint32_t i = 0; i < 624; i++) {
    t->state[i] = s;
    s = 1812433253u * (s ^ s >> 30) + i + 1;
  }
  t->at = 624;
}

static uint32_t draw(twister *t) {
  if (t->at == 624) {
    for (size_t i = 0; i < 624; i++) {
      const uint32_t y = (t->state[i] & 0x80000000u) | (t->state[(i + 1) % 624] & 0x7fffffffu);
      t->state[i] = t->state[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    t->at = 0;
  }
  uint32_t y = t->state[t->at++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

/* torch.nn.Linear's weights. */
static void draw_matrix(twister *t, float *weight, size_t outputs, size_t inputs) {
  const float bound = (float)(1 / sqrt((double)inputs));
  for (size_t i = 0; i < outputs * inputs; i++) {
    const float u = (float)(draw(t) & 0xffffff) * 0x1p-24f;
    weight[i] = u * (2 * bound) - bound;
  }
}

static double dot(const float *w, const float *x, size_t count) {
  double s = 0;
  for (size_t k = 0; k < count; k++)
    s += (double)w[k] * x[k];
  return s;
}

/* 1 where value printed with four digits behind the point, as PyTorch does, is `printed`. */
static int prints(double value, double printed) { return fabs(value - printed) <= 0.5001e-4; }

Test(golden, notebook) {
  enum { D = 512, F = 1365, TOKENS = 14 };
  const ffn_kernel *kernel = linked("ffn_swiglu_d512_f1365_f32");
  const test_tensors tensors = test_tensors_open("notebook_swiglu_512_seed42");
  twister t;
  seed(&t, 42);
  for (int i = 0; i < TOKENS * D; i++) /* those of x, which is in the file */
    draw(&t);
  test_model model;
  test_model_open(&model, kernel, TEST_REALS, 0);
  float *gate = model.matrices[0].weight, *up = model.matrices[1].weight;
  draw_matrix(&t, up, F, D);
  draw_matrix(&t, model.matrices[2].weight, D, F);
  draw_matrix(&t, gate, F, D);
  test_model_pack(&model);
  size_t inputs, outputs, count;
  float *x = test_tensor_f32(&tensors, "x", &inputs);
  double *y = test_tensor_f64(&tensors, "y", &outputs);
  cr_assert(x && y && inputs == TOKENS * D && outputs == TOKENS * D);
  /* PyTorch's own f32 weights are up to 4e-9 from these. */
  expect(&model, x, y, TOKENS, 1e-7);
  double *printed_gate = test_tensor_f64(&tensors, "printed_silu_gate", &count);
  double *printed_up = test_tensor_f64(&tensors, "printed_up", &count);
  double *printed_hidden = test_tensor_f64(&tensors, "printed_hidden", &count);
  cr_assert(printed_gate && printed_up && printed_hidden && count == 10);
  for (size_t i = 0; i < count; i++) {
    const double a = ffn_activation_value(FFN_ACT_SILU, dot(gate + i * D, x, D), 0, NULL);
    const double u = dot(up + i * D, x, D);
    cr_assert(prints(a, printed_gate[i]), "silu(gate) %zu: %g, printed %g", i, a, printed_gate[i]);
    cr_assert(prints(u, printed_up[i]), "up %zu: %g, printed %g", i, u, printed_up[i]);
    cr_assert(prints(a * u, printed_hidden[i]), "hidden %zu: %g, printed %g", i, a * u,
              printed_hidden[i]);
  }
  free(x), free(y), free(printed_gate), free(printed_up), free(printed_hidden);
  test_tensors_close(&tensors);
  test_model_close(&model);
}

/* ---- On paper ----------------------------------------------------------------------------- */

Test(golden, paper) {
  enum { D = 4, F = 8, TOKENS = 6 };
  static const float w1[D][F] = {{0.1f, 0.2f, -0.1f, 0.3f, 0.4f, -0.2f, 0.5f, -0.3f},
                                 {-0.2f, 0.3f, 0.4f, -0.1f, -0.3f, 0.5f, 0.2f, -0.4f},
                                 {0.3f, -0.4f, 0.2f, 0.5f, -0.1f, -0.3f, 0.4f, 0.2f},
                                 {0.4f, 0.1f, -0.3f, -0.2f, 0.5f, 0.3f, -0.4f, 0.1f}};
  static const float b1[F] = {0.1f, 0.2f, -0.1f, 0.3f, -0.2f, 0.4f, 0.5f, -0.3f};
  static const float w2[F][D] = {
      {-0.1f, 0.2f, 0.3f, -0.4f}, {0.5f, -0.6f, 0.1f, 0.2f},  {-0.3f, 0.4f, -0.5f, 0.6f},
      {0.7f, -0.8f, 0.9f, -0.2f}, {0.1f, 0.3f, 0.5f, -0.7f},  {-0.2f, 0.6f, -0.4f, 0.8f},
      {0.9f, -0.1f, 0.7f, -0.3f}, {-0.6f, 0.5f, -0.8f, 0.4f},
  };
  static const float b2[D] = {0.1f, -0.2f, 0.3f, -0.4f};
  static const double y[TOKENS * D] = {0.827, -0.309, 0.939, -0.321, 1.226, -0.38,  1.422, -0.534,
                                       1.609, -0.408, 1.895, -0.74,  1.989, -0.432, 2.363, -0.94,
                                       2.369, -0.456, 2.831, -1.14,  2.749, -0.48,  3.299, -1.34};
  float x[TOKENS * D];
  for (int i = 0; i < TOKENS * D; i++)
    x[i] = (float)(i + 1) / 10;
  test_model model;
  test_model_open(&model, linked("ffn_relu_bias_d4_f8_f32"), TEST_REALS, 0);
  for (int f = 0; f < F; f++)
    for (int d = 0; d < D; d++) {
      model.matrices[0].weight[f * D + d] = w1[d][f];
      model.matrices[1].weight[d * F + f] = w2[f][d];
    }
  memcpy(model.matrices[0].bias, b1, sizeof b1);
  memcpy(model.matrices[1].bias, b2, sizeof b2);
  test_model_pack(&model);
  expect(&model, x, y, TOKENS, 2e-7); /* 0.1 is no f32 */
  float *actual = test_outputs(model.kernel, x, TOKENS, model.packed);
  for (int i = 0; i < TOKENS * D; i++) {
    char digits[2][16];
    snprintf(digits[0], sizeof *digits, "%.3f", (double)actual[i]);
    snprintf(digits[1], sizeof *digits, "%.3f", y[i]);
    cr_assert(strcmp(digits[0], digits[1]) == 0, "value %d: %s, on paper %s", i, digits[0],
              digits[1]);
  }
  free(actual);
  test_model_close(&model);
}
