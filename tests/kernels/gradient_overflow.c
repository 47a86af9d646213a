/* Where f32 may overflow on the way to a gradient, its reference promises nothing; where it
 * promises a bound, it is kept. */
#include "support/each.h"
#include "support/rng.h"
#include "support/training.h"

#include <math.h>
#include <stdlib.h>

enum { TOKENS = 9 };

/* How many gradients have no bound; those that have one are within it. */
static size_t unbounded(const test_model *model, const float *x, const float *dy) {
  const ffn_training *t = ffn_training_of(model->kernel);
  float *y = test_memory(TOKENS * t->outputs * sizeof *y);
  void *packed = test_pack_train(t, model), *saved = test_saved(t, TOKENS);
  test_gradients gradients;
  test_references references;
  test_train(t, y, x, TOKENS, saved, packed, &test_dropout, NULL);
  test_gradients_open(&gradients, model, TOKENS);
  test_grad(t, &gradients.to, dy, x, TOKENS, saved, packed, &test_dropout, NULL);
  test_references_open(&references, &gradients, t, dy, x, &test_dropout);
  size_t count = 0;
  for (size_t g = 0; g < gradients.count; g++)
    for (size_t i = 0; i < gradients.all[g].count; i++) {
      const double bound = references.all[g].bound[i], exact = references.all[g].value[i];
      const float value = gradients.all[g].values[i];
      count += !(bound < INFINITY);
      cr_assert(!(bound < INFINITY) || fabs(value - exact) <= bound,
                "%s: value %zu of %s is %g, reference %g, bound %g", t->name, i,
                gradients.all[g].name, (double)value, exact, bound);
    }
  test_references_close(&references), test_gradients_close(&gradients);
  free(y), ffn_free(packed), ffn_free(saved);
  return count;
}

EACH_MODEL(gradient_overflow, bound, TEST_SMALL_LAYER, TEST_REALS, 75) {
  const ffn_training *t = ffn_training_of(kernel);
  for (size_t place = 0; place < t->dropout_count; place++)
    if (t->dropouts[place].rate >= 1)
      return; /* nothing is left that could */
  float *x = test_inputs(kernel, TOKENS, TEST_REALS, 76);
  float *dy = test_loss(kernel, TOKENS, TEST_REALS, 77);
  cr_assert(unbounded(model, x, dy) == 0, "%s: nothing overflows", kernel->layer);
  /* A row of infinities of both signs, whose sums are NaN. */
  for (size_t k = 0; k < kernel->inputs; k++)
    x[k] = copysignf(INFINITY, x[k]);
  cr_assert(unbounded(model, x, dy) > 0, "%s: infinities are bounded", kernel->layer);
  /* Finite all, but for sums over tokens. */
  for (size_t i = 0; i < TOKENS * kernel->inputs; i++)
    x[i] = 0x1p90f * test_uniform(78, i);
  for (size_t i = 0; i < TOKENS * kernel->outputs; i++)
    dy[i] *= 0x1p90f;
  cr_assert(unbounded(model, x, dy) > 0, "%s: what overflows is bounded", kernel->layer);
  free(x), free(dy);
}
