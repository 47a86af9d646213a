/* The caller's floating-point mode is that of a training's every sum, whichever thread computes it;
 * threads stay as they are. */
#include "support/each.h"
#include "support/mode.h"
#include "support/pool.h"
#include "support/rng.h"
#include "support/training.h"

#include <stdlib.h>

enum { TOKENS = 33, THREADS = 3 };

/* What run_train() and grad() give. */
typedef struct result {
  float *y;
  test_gradients gradients;
} result;

typedef struct scene {
  const ffn_training *training;
  const test_model *model;
  void *packed, *saved;
  const float *x, *dy;
} scene;

/* Every second row such that its products are subnormal: with what is near 1, or, where branches
 * and squares multiply a row with itself, with each other. */
static float *half_of_them_tiny(float *rows, size_t columns) {
  for (size_t t = 0; t < TOKENS; t += 2)
    for (size_t i = 0; i < columns; i++)
      rows[t * columns + i] *= t % 4 == 0 ? 0x1p-126f : 0x1p-63f;
  return rows;
}

static result train(const scene *s, const test_mode *mode, const ffn_parallel *parallel) {
  result r = {.y = test_memory(TOKENS * s->model->kernel->outputs * sizeof(float))};
  test_gradients_open(&r.gradients, s->model, TOKENS);
  const test_mode_before before = test_mode_enter(mode);
  test_train(s->training, r.y, s->x, TOKENS, s->saved, s->packed, NULL, parallel);
  test_grad(s->training, &r.gradients.to, s->dy, s->x, TOKENS, s->saved, s->packed, NULL, parallel);
  test_mode_leave(before);
  return r;
}

static void forget(result *r) {
  test_gradients_close(&r->gradients);
  free(r->y);
}

/* The first of the arrays that differ, or NULL. */
static const char *difference(const result *a, const result *b) {
  const test_model *model = a->gradients.model;
  if (!test_same(a->y, b->y, TOKENS * model->kernel->outputs))
    return "y";
  for (size_t g = 0; g < a->gradients.count; g++)
    if (!test_same(a->gradients.all[g].values, b->gradients.all[g].values,
                   a->gradients.all[g].count))
      return a->gradients.all[g].name;
  return NULL;
}

EACH_MODEL(gradient_modes, threads, TEST_SMALL, TEST_REALS, 95) {
  const ffn_training *training = ffn_training_of(kernel);
  cr_assert(training != NULL, "no training of %s is linked", kernel->name);
  float *x = half_of_them_tiny(test_inputs(kernel, TOKENS, TEST_REALS, 96), kernel->inputs);
  float *dy = half_of_them_tiny(test_loss(kernel, TOKENS, TEST_REALS, 97), kernel->outputs);
  const scene s = {.training = training,
                   .model = model,
                   .packed = test_pack_train(training, model),
                   .x = x,
                   .dy = dy,
                   .saved = test_saved(training, TOKENS)};
  test_pool *pool = test_pool_open(THREADS - 1, TEST_ORDER_UP);
  const ffn_parallel inner = test_pool_parallel(pool, THREADS);
  result usual = train(&s, &test_modes[0], NULL);
  for (size_t m = 0; m < test_mode_count; m++) {
    const test_mode *mode = &test_modes[m];
    result alone = train(&s, mode, NULL);
    cr_assert(m == 0 || difference(&alone, &usual), "%s: nothing differs %s", training->name,
              mode->name);
    for (size_t o = m == 0; o < test_mode_count; o += m == 0 || test_thorough() ? 1 : 2) {
      test_mode_threads threads = {.inner = &inner, .mode = &test_modes[o]};
      const ffn_parallel parallel = test_mode_parallel(&threads);
      result split = train(&s, mode, &parallel);
      const char *differs = difference(&split, &alone);
      cr_assert(!differs, "%s, %s: %s has other bits on threads that are %s", training->name,
                mode->name, differs, test_modes[o].name);
      cr_assert(threads.changed == 0, "%s, %s: a thread that was %s no longer is what it was",
                training->name, mode->name, test_modes[o].name);
      forget(&split);
    }
    forget(&alone);
  }
  forget(&usual);
  test_pool_close(pool);
  ffn_free(s.packed), ffn_free(s.saved);
  free(x), free(dy);
}
