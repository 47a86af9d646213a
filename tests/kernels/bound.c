/* Every kernel stays within the error bound of the reference, and well within what rounding to
 * nearest at the promised places explains. */
#include "support/blocks.h"
#include "support/each.h"
#include "support/spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Batches of every remainder of the usual tiles, and some longer than a walk of rows. */
static const size_t batches[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  11,
                                 13, 14, 15, 16, 17, 29, 31, 48, 49, 97};

/* The largest error as a fraction of its bound; more than 1 is a failure. */
static double largest(const ffn_kernel *kernel, const float *y, const double *reference,
                      const double *bound, size_t count) {
  double worst = 0;
  for (size_t i = 0; i < count; i++) {
    const double error = fabs(y[i] - reference[i]);
    cr_assert(bound[i] < INFINITY, "%s: the bound of output %zu of row %zu is %g", kernel->name,
              i % kernel->outputs, i / kernel->outputs, bound[i]);
    cr_assert(error <= bound[i], "%s: row %zu of %zu, output %zu: %.9g, reference %.17g, bound %g",
              kernel->name, i / kernel->outputs, count / kernel->outputs, i % kernel->outputs,
              (double)y[i], reference[i], bound[i]);
    if (error > worst * bound[i])
      worst = error / bound[i];
  }
  return worst;
}

/* Flop of a kernel that its rows come to: the reference decodes blocks anew for each of them. */
static double flop_of(const ffn_kernel *kernel) { return test_in_blocks(kernel) ? 2e7 : 2e8; }

EACH_KERNEL(bound, hard, TEST_SMALL) {
  double worst = 0;
  for (test_fill fill = TEST_REALS; fill <= TEST_WIDE; fill++) {
    const size_t most = test_tokens(kernel, flop_of(kernel), 7, 97),
                 values = most * kernel->outputs;
    test_model model;
    test_model_open(&model, kernel, fill, 1);
    test_model_pack(&model);
    float *x = test_inputs(kernel, most, fill, 2);
    double *reference = test_memory(values * sizeof *reference);
    double *bound = test_memory(values * sizeof *bound);
    test_reference(&model, reference, bound, x, most);
    for (size_t b = 0; b < sizeof batches / sizeof *batches && batches[b] <= most; b++) {
      float *y = test_outputs(kernel, x, batches[b], model.packed);
      worst = fmax(worst, largest(kernel, y, reference, bound, batches[b] * kernel->outputs));
      free(y);
    }
    free(x), free(reference), free(bound);
    test_model_close(&model);
  }
  printf("%-56s largest error %.2g of its bound\n", kernel->name, worst);
}

/* Errors measured in the standard deviation that rounding to nearest gives each output. Worse
 * arithmetic that hides within the hard bound (a truncation, an intermediate value of fewer bits)
 * shows here. Inputs are fixed, so the test is no gamble. */
EACH_MODEL(bound, typical, TEST_SUMS_F32, TEST_REALS, 3) {
  const size_t tokens = test_tokens(kernel, flop_of(kernel), 7, 400),
               values = tokens * kernel->outputs;
  float *x = test_inputs(kernel, tokens, TEST_REALS, 4);
  float *y = test_outputs(kernel, x, tokens, model->packed);
  double *reference = test_memory(values * sizeof *reference);
  double *spread = test_memory(values * sizeof *spread);
  test_reference(model, reference, NULL, x, tokens);
  test_spread(model, spread, x, tokens);
  double squares = 0, outward = 0;
  for (size_t i = 0; i < values; i++) {
    const double error = (y[i] - reference[i]) / spread[i];
    squares += error * error;
    outward += reference[i] < 0 ? -error : error;
  }
  const double rms = sqrt(squares / (double)values), mean = outward / (double)values;
  printf("%-56s typical error %.2f, mean outward %+.3f (in standard deviations)\n", kernel->name,
         rms, mean);
  cr_assert(rms <= 1.2, "%s: errors are %.2f times what rounding explains", kernel->name, rms);
  /* Rows and outputs of one stage err independently, those of more stages do not. */
  if (kernel->kind == FFN_KIND_LINEAR)
    cr_assert(fabs(mean) <= 4 * rms / sqrt((double)values) + 1e-9,
              "%s: errors are biased by %g standard deviations", kernel->name, mean);
  free(x), free(y), free(reference), free(spread);
}
