/* Gradients: within the bound of their reference, exact where arithmetic is, and the same bits for
 * any instruction set, threads, splits of a batch and choice of what is wanted. */
#include "support/each.h"
#include "support/pool.h"
#include "support/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below, at and beyond blocks of tokens, and beyond the rows that go through a layer at once. */
static const size_t batches[] = {1, 3, 17, 127, 128, 129, 300};
enum { BATCHES = sizeof batches / sizeof *batches, MOST = 300 };

static const ffn_training *training_of(const ffn_kernel *kernel) {
  const ffn_training *training = ffn_training_of(kernel);
  cr_assert(training != NULL, "no training of %s is linked", kernel->name);
  return training;
}

/* A layer with inputs, the gradient of its outputs, and what run_train() leaves of them. */
typedef struct scene {
  const ffn_training *training;
  const test_model *model;
  const ffn_dropout *dropout;
  float *x, *dy;
  void *packed, *saved;
} scene;

static scene open_scene(const test_model *model, size_t tokens, test_fill fill,
                        const ffn_dropout *dropout) {
  const ffn_kernel *kernel = model->kernel;
  scene s = {.training = training_of(kernel), .model = model, .dropout = dropout};
  s.x = test_inputs(kernel, tokens, fill, 52);
  s.dy = test_loss(kernel, tokens, fill, 53);
  s.packed = test_pack_train(s.training, model);
  s.saved = test_saved(s.training, tokens);
  float *y = test_memory(tokens * kernel->outputs * sizeof *y);
  float *expected = test_outputs(kernel, s.x, tokens, model->packed);
  test_train(s.training, y, s.x, tokens, s.saved, s.packed, NULL, NULL);
  cr_assert(test_same(y, expected, tokens * kernel->outputs),
            "%s: run_train() has other bits than run()", s.training->name);
  test_train(s.training, y, s.x, tokens, s.saved, s.packed, dropout, NULL);
  free(y), free(expected);
  return s;
}

static void close_scene(const scene *s) {
  free(s->x), free(s->dy);
  ffn_free(s->packed), ffn_free(s->saved);
}

/* The gradients of the scene's first tokens. */
static void take(const scene *s, test_gradients *gradients, size_t tokens,
                 const ffn_parallel *parallel) {
  test_gradients_open(gradients, s->model, tokens);
  test_grad(s->training, &gradients->to, s->dy, s->x, tokens, s->saved, s->packed, s->dropout,
            parallel);
}

static void expect_same(const test_gradients *a, const test_gradients *b, const char *name,
                        const char *what) {
  for (size_t i = 0; i < a->count; i++)
    cr_assert(test_same(a->all[i].values, b->all[i].values, a->all[i].count),
              "%s: %s has other bits %s", name, a->all[i].name, what);
}

/* The kernel's own packed weights come first in those of training, whose header says how many bytes
 * they are in all, where that of a kernel has zeros; the kernel takes them, too. */
EACH_MODEL(gradient, packed, TEST_SMALL, TEST_REALS, 50) {
  enum { SAID = 24, BEHIND = 32 };
  const ffn_training *training = training_of(kernel);
  char *packed = test_pack_train(training, model);
  const char *own = model->packed;
  uint64_t said, none;
  memcpy(&said, packed + SAID, sizeof said), memcpy(&none, own + SAID, sizeof none);
  cr_assert(training->packed_bytes > kernel->packed_bytes && memcmp(packed, own, SAID) == 0 &&
                memcmp(packed + BEHIND, own + BEHIND, kernel->packed_bytes - BEHIND) == 0 &&
                said == training->packed_bytes && none == 0 && ffn_packed_fits(kernel, packed),
            "%s packs otherwise than pack()", training->name);
  ffn_free(packed);
}

EACH_MODEL(gradient, bound, TEST_SMALL, TEST_REALS, 51) {
  double worst[2] = {0, 0};
  for (size_t b = 0; b < BATCHES; b++) {
    const scene s = open_scene(model, batches[b], TEST_REALS, &test_dropout);
    test_gradients gradients;
    test_references references;
    take(&s, &gradients, batches[b], NULL);
    test_references_open(&references, &gradients, s.training, s.dy, s.x, s.dropout);
    for (size_t g = 0; g < gradients.count; g++)
      for (size_t i = 0; i < gradients.all[g].count; i++) {
        const double bound = references.all[g].bound[i], value = gradients.all[g].values[i];
        const double error = fabs(value - references.all[g].value[i]);
        cr_assert(bound < INFINITY && error <= bound,
                  "%s: %zu tokens, %s, value %zu: %.9g, reference %.17g, bound %g",
                  s.training->name, batches[b], gradients.all[g].name, i, value,
                  references.all[g].value[i], bound);
        worst[g > 0] = fmax(worst[g > 0], bound > 0 ? error / bound : 0);
      }
    test_references_close(&references);
    test_gradients_close(&gradients);
    close_scene(&s);
  }
  printf("%-56s largest error %.2g of its bound for dx, %.2g for weights\n", kernel->name, worst[0],
         worst[1]);
}

/* Dropout that rounds nothing. */
static int drops_exactly(const ffn_training *training) {
  int exponent, exactly = 1;
  for (size_t i = 0; i < training->dropout_count; i++)
    exactly = exactly && frexpf(training->dropouts[i].scale, &exponent) <= 0.5f;
  return exactly;
}

/* Small integers, where a bound below one leaves no other. */
EACH_MODEL(gradient, exact, TEST_SMALL_EXACT, TEST_INTEGERS, 54) {
  const size_t tokens = 17;
  const ffn_dropout *dropout = drops_exactly(training_of(kernel)) ? &test_dropout : NULL;
  const scene s = open_scene(model, tokens, TEST_INTEGERS, dropout);
  test_gradients gradients;
  test_references references;
  take(&s, &gradients, tokens, NULL);
  test_references_open(&references, &gradients, s.training, s.dy, s.x, s.dropout);
  size_t checked = 0, nonzero = 0, all = 0;
  for (size_t g = 0; g < gradients.count; g++)
    for (size_t i = 0; i < gradients.all[g].count; i++, all++) {
      if (references.all[g].bound[i] >= 0.25)
        continue;
      checked++;
      nonzero += fabs(references.all[g].value[i]) > 0;
      cr_assert(fabs(gradients.all[g].values[i] - references.all[g].value[i]) <= 0,
                "%s: %s, value %zu: %.9g, not %.9g", s.training->name, gradients.all[g].name, i,
                (double)gradients.all[g].values[i], references.all[g].value[i]);
    }
  cr_assert(4 * checked > all && nonzero > 0, "%s: %zu of %zu values are exact", kernel->name,
            checked, all);
  test_references_close(&references);
  test_gradients_close(&gradients);
  close_scene(&s);
}

EACH_MODEL(gradient, instruction_sets, TEST_SMALL, TEST_REALS, 51) {
  const ffn_kernel *base = test_base(kernel);
  const scene s = open_scene(model, MOST, TEST_REALS, &test_dropout);
  const ffn_training *other = training_of(base);
  void *packed = test_pack_train(other, model);
  cr_assert(other->packed_bytes == s.training->packed_bytes &&
                memcmp(packed, s.packed, other->packed_bytes) == 0,
            "%s packs otherwise than %s", s.training->name, other->name);
  scene twin = s;
  twin.training = other;
  test_gradients mine, expected;
  take(&s, &mine, MOST, NULL);
  take(&twin, &expected, MOST, NULL);
  expect_same(&mine, &expected, s.training->name, "than on another instruction set");
  test_gradients_close(&mine), test_gradients_close(&expected);
  ffn_free(packed);
  close_scene(&s);
}

/* A batch in two calls, the second of which accumulates: at multiples of a block of tokens. */
EACH_MODEL(gradient, splits, TEST_SMALL, TEST_REALS, 51) {
  const scene s = open_scene(model, MOST, TEST_REALS, &test_dropout);
  test_gradients whole, parts;
  take(&s, &whole, MOST, NULL);
  for (size_t first = FFN_TOKEN_BLOCK; first < MOST; first += FFN_TOKEN_BLOCK) {
    take(&s, &parts, MOST, NULL);
    for (size_t i = 0; i < parts.count; i++)
      test_poison(parts.all[i].values, parts.all[i].count * sizeof(float));
    test_grad(s.training, &parts.to, s.dy, s.x, first, s.saved, s.packed, s.dropout, NULL);
    parts.to.accumulate = 1;
    parts.to.dx += first * kernel->inputs;
    ffn_dropout rest = *s.dropout;
    rest.first_token += first;
    test_grad(s.training, &parts.to, s.dy + first * kernel->outputs, s.x + first * kernel->inputs,
              MOST - first, (const char *)s.saved + ffn_saved_bytes(s.training, first), s.packed,
              &rest, NULL);
    expect_same(&parts, &whole, s.training->name, "in two calls");
    test_gradients_close(&parts);
  }
  test_gradients_close(&whole);
  close_scene(&s);
}

/* Each gradient alone, and all but one: the same bits, and nothing written elsewhere. */
EACH_MODEL(gradient, wanted, TEST_SMALL, TEST_REALS, 51) {
  const size_t tokens = kernel->inputs < 100 ? 131 : 5;
  const scene s = open_scene(model, tokens, TEST_REALS, &test_dropout);
  test_gradients whole, some;
  take(&s, &whole, tokens, NULL);
  for (size_t choice = 0; choice < 2 * whole.count; choice++) {
    test_gradients_open(&some, model, tokens);
    for (size_t i = 0; i < some.count; i++)
      if ((choice / 2 == i) == (choice % 2 == 1))
        *some.all[i].where = NULL;
    test_grad(s.training, &some.to, s.dy, s.x, tokens, s.saved, s.packed, s.dropout, NULL);
    for (size_t i = 0; i < some.count; i++)
      if (*some.all[i].where)
        cr_assert(test_same(some.all[i].values, whole.all[i].values, some.all[i].count),
                  "%s: %s has other bits where others are not wanted", s.training->name,
                  some.all[i].name);
    test_gradients_close(&some);
  }
  const ffn_gradients nothing = {.dx = NULL};
  test_grad(s.training, &nothing, s.dy, s.x, tokens, s.saved, s.packed, s.dropout, NULL);
  test_gradients_close(&whole);
  close_scene(&s);
}

EACH_MODEL(gradient, threads, TEST_SMALL, TEST_REALS, 51) {
  static const size_t threads[] = {2, 3, 7};
  const size_t tokens = MOST;
  const scene s = open_scene(model, tokens, TEST_REALS, &test_dropout);
  test_gradients alone, split;
  take(&s, &alone, tokens, NULL);
  void *saved = test_saved(s.training, tokens);
  float *y = test_memory(tokens * kernel->outputs * sizeof *y);
  for (test_order order = TEST_ORDER_UP; order < TEST_ORDER_COUNT; order++) {
    test_pool *pool = test_pool_open(1, order);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
      const ffn_parallel parallel = test_pool_parallel(pool, threads[i]);
      test_train(s.training, y, s.x, tokens, saved, s.packed, s.dropout, &parallel);
      test_gradients_open(&split, model, tokens);
      test_grad(s.training, &split.to, s.dy, s.x, tokens, saved, s.packed, s.dropout, &parallel);
      expect_same(&split, &alone, s.training->name, "on several threads");
      test_gradients_close(&split);
    }
    /* A panel is never split. */
    cr_assert(test_pool_most_tasks(pool) > 1 || (kernel->inputs <= 16 && kernel->outputs <= 16),
              "%s keeps to one of several threads", s.training->name);
    test_pool_close(pool);
  }
  test_gradients_close(&alone);
  ffn_free(saved), free(y);
  close_scene(&s);
}

/* Rows apart, and no tokens at all. */
EACH_MODEL(gradient, rows_apart, TEST_SMALL, TEST_REALS, 51) {
  enum { GAP = 3, TOKENS = 33 };
  const size_t in = kernel->inputs + GAP, out = kernel->outputs + GAP;
  const scene s = open_scene(model, TOKENS, TEST_REALS, &test_dropout);
  test_gradients whole, apart;
  take(&s, &whole, TOKENS, NULL);
  float *x = test_memory(TOKENS * in * sizeof *x), *dx = test_memory(TOKENS * in * sizeof *dx);
  float *dy = test_memory(TOKENS * out * sizeof *dy), *y = test_memory(TOKENS * out * sizeof *y);
  test_poison(x, TOKENS * in * sizeof *x), test_poison(dy, TOKENS * out * sizeof *dy);
  memset(dx, 0x7f, TOKENS * in * sizeof *dx), memset(y, 0x7f, TOKENS * out * sizeof *y);
  for (size_t t = 0; t < TOKENS; t++) {
    memcpy(x + t * in, s.x + t * kernel->inputs, kernel->inputs * sizeof *x);
    memcpy(dy + t * out, s.dy + t * kernel->outputs, kernel->outputs * sizeof *dy);
  }
  void *saved = test_saved(s.training, TOKENS);
  void *work = ffn_alloc(ffn_train_work_bytes(s.training, 1));
  ffn_run_train(s.training, y, out, x, in, TOKENS, saved, s.packed, work, s.dropout, NULL);
  test_gradients_open(&apart, model, TOKENS);
  apart.to.dx = dx, apart.to.dx_stride = in;
  ffn_grad(s.training, &apart.to, dy, out, x, in, TOKENS, saved, s.packed, work, s.dropout, NULL);
  for (size_t t = 0; t < TOKENS; t++) {
    memcpy(apart.all[0].values + t * kernel->inputs, dx + t * in, kernel->inputs * sizeof *dx);
    for (size_t i = 0; i < GAP; i++)
      cr_assert(test_bits(dx[t * in + kernel->inputs + i]) == 0x7f7f7f7f &&
                    test_bits(y[t * out + kernel->outputs + i]) == 0x7f7f7f7f,
                "%s writes between rows", s.training->name);
  }
  expect_same(&apart, &whole, s.training->name, "with rows apart");
  ffn_run_train(s.training, y, out, x, in, 0, saved, s.packed, work, s.dropout, NULL);
  apart.to.accumulate = 1;
  ffn_grad(s.training, &apart.to, dy, out, x, in, 0, saved, s.packed, work, s.dropout, NULL);
  expect_same(&apart, &whole, s.training->name, "after no tokens");
  apart.to.accumulate = 0;
  ffn_grad(s.training, &apart.to, dy, out, x, in, 0, saved, s.packed, work, s.dropout, NULL);
  for (size_t g = 1; g < apart.count; g++)
    for (size_t i = 0; i < apart.all[g].count; i++)
      cr_assert(test_bits(apart.all[g].values[i]) == 0, "%s: %s of no tokens is not 0",
                s.training->name, apart.all[g].name);
  test_gradients_close(&whole), test_gradients_close(&apart);
  free(x), free(dx), free(dy), free(y), ffn_free(saved), ffn_free(work);
  close_scene(&s);
}
