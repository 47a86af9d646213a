#include "allowance.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>

/* In units of 2^-24 of the result and of the argument: vector exp and tanh err by a few, the erf of
 * oneDNN by 1.5e-7 absolutely. */
static const float relative = 16, absolute = 8;

void bench_allowance(const test_model *model, double *bound, const float *x) {
  ffn_kernel library = *model->kernel;
  ffn_stage stages[FFN_MAX_STAGES];
  for (size_t i = 0; i < library.stage_count; ++i) {
    stages[i] = library.stages[i];
    stages[i].arithmetic = FFN_ARITHMETIC_FMA_F32; /* no library rounds to bytes as kernels do */
    stages[i].sum_length = stages[i].inputs + 2;   /* a product, the sums, the bias */
    stages[i].act_relative += relative;
    stages[i].act_absolute += absolute;
  }
  library.stages = stages;
  void *scratch = test_memory(ffn_reference_bytes(&library));
  ffn_reference(&library, NULL, bound, x, library.inputs, 1, &model->weights, scratch);
  free(scratch);
}

/* Roundings of a sum of n random terms add up like a random walk: to sqrt(n) / 2.4 units of 2^-24
 * of the sum's usual size, with a normal distribution. Three times sqrt(n) is beyond seven of its
 * deviations; 32 for what activations and products add. */
double bench_difference_most(const ffn_kernel *kernel) {
  double terms = 0;
  for (size_t i = 0; i < kernel->stage_count; ++i)
    terms += (double)kernel->stages[i].inputs;
  return (32 + 3 * sqrt(terms)) * 0x1p-24;
}
