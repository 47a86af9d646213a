/* The caller's floating-point mode: it is that of every row, whichever thread computes it and
 * whichever rows it rides with; threads and exceptions stay as they are. */
#include "support/each.h"
#include "support/mode.h"
#include "support/pool.h"
#include "support/rng.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

/* What modes make a difference to: rows of usual size; rows that a first sum makes subnormal, or,
 * where branches are multiplied, the product of two; and rows with some of both. */
static float *inputs(const ffn_kernel *kernel, size_t tokens) {
  float *x = test_inputs(kernel, tokens, TEST_REALS, 92);
  for (size_t t = 0; t < tokens; t++)
    for (size_t i = 0; i < kernel->inputs; i++)
      if (t % 3 == 1 || (t % 3 == 2 && test_below(93, t * kernel->inputs + i, 2)))
        x[t * kernel->inputs + i] *= t % 2 == 0 ? 0x1p-126f : 0x1p-63f;
  return x;
}

/* Half of the biases as small. */
static void shrink_biases(test_model *model) {
  for (size_t m = 0; m < model->matrix_count; m++)
    for (size_t o = 0; model->matrices[m].bias && o < model->matrices[m].outputs; o += 2)
      model->matrices[m].bias[o] *= 0x1p-126f;
  test_model_pack(model);
}

/* Rows in parts of so many, without threads. */
static void run_in_parts(const ffn_kernel *kernel, float *y, const float *x, size_t tokens,
                         size_t part, const void *packed) {
  for (size_t t = 0; t < tokens; t += part)
    test_run(kernel, y + t * kernel->outputs, x + t * kernel->inputs,
             part < tokens - t ? part : tokens - t, packed);
}

/* Threads of a host's that are in one mode, for a caller that is in another. */
typedef struct scene {
  const ffn_kernel *kernel;
  const void *packed;
  const float *x;
  float *y, *expected;
  void *work;
  test_pool *pool;
} scene;

enum { THREADS = 3 };

static void expect_threads(scene *s, const test_mode *mode, const test_mode *other, size_t tokens) {
  const ffn_kernel *k = s->kernel;
  const ffn_parallel inner = test_pool_parallel(s->pool, THREADS);
  test_mode_threads threads = {.inner = &inner, .mode = other};
  const ffn_parallel parallel = test_mode_parallel(&threads);
  const size_t bytes = ffn_work_bytes(k, THREADS, tokens);
  memset(s->y, 0xff, tokens * k->outputs * sizeof(float));
  const test_mode_before before = test_mode_enter(mode);
  feclearexcept(FE_ALL_EXCEPT); /* no thread is to lose its own, or to have this one's */
  feraiseexcept(FE_DIVBYZERO);
  ffn_run(k, s->y, k->outputs, s->x, k->inputs, tokens, s->packed, s->work, bytes, &parallel);
  test_mode_leave(before);
  cr_assert(test_same(s->y, s->expected, tokens * k->outputs),
            "%s, %s: other bits with %zu tokens on threads that are %s", k->name, mode->name,
            tokens, other->name);
  cr_assert(threads.changed == 0, "%s, %s: a thread that was %s no longer is what it was", k->name,
            mode->name, other->name);
}

/* y += layer(x) / 4, on threads or, where `parallel` is NULL, without. */
static void add(const scene *s, float *y, const test_mode *mode, size_t tokens,
                const ffn_parallel *parallel) {
  const ffn_kernel *k = s->kernel;
  for (size_t i = 0; i < tokens * k->outputs; i++)
    y[i] = i % 2 ? 0x1p-130f : 0x1p-3f;
  const test_mode_before before = test_mode_enter(mode);
  ffn_add(k, y, k->outputs, 0.25f, s->x, k->inputs, tokens, s->packed, s->work,
          ffn_work_bytes(k, THREADS, tokens), parallel);
  test_mode_leave(before);
}

static void expect_added(scene *s, const test_mode *mode, const test_mode *other, size_t tokens) {
  const ffn_parallel inner = test_pool_parallel(s->pool, THREADS);
  test_mode_threads threads = {.inner = &inner, .mode = other};
  const ffn_parallel parallel = test_mode_parallel(&threads);
  if (!s->kernel->adds)
    return;
  add(s, s->expected, mode, tokens, NULL);
  add(s, s->y, mode, tokens, &parallel);
  cr_assert(test_same(s->y, s->expected, tokens * s->kernel->outputs),
            "%s, %s: add() has other bits with %zu tokens on threads that are %s", s->kernel->name,
            mode->name, tokens, other->name);
}

EACH_MODEL(modes, threads, TEST_SMALL, TEST_REALS, 91) {
  static const size_t parts[] = {1, 2, 3, 5, 8};
  const size_t tokens = test_tokens(kernel, 1e7, 5, 97);
  const size_t bytes = tokens * kernel->outputs * sizeof(float);
  shrink_biases(model);
  float *x = inputs(kernel, tokens);
  scene s = {.kernel = kernel,
             .packed = model->packed,
             .x = x,
             .y = test_memory(bytes),
             .expected = test_memory(bytes),
             .work = ffn_alloc(ffn_work_bytes(kernel, THREADS, tokens)),
             .pool = test_pool_open(THREADS - 1, TEST_ORDER_UP)};
  for (size_t m = 0; m < test_mode_count; m += test_step(m, 1)) {
    const test_mode *mode = &test_modes[m];
    test_mode_before before = test_mode_enter(mode);
    test_run(kernel, s.expected, x, tokens, model->packed);
    test_mode_leave(before);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p += test_step(p, 1)) {
      before = test_mode_enter(mode);
      run_in_parts(kernel, s.y, x, tokens, parts[p], model->packed);
      test_mode_leave(before);
      cr_assert(test_same(s.y, s.expected, tokens * kernel->outputs),
                "%s, %s: other bits %zu tokens at a time", kernel->name, mode->name, parts[p]);
    }
    for (size_t o = m == 0; o < test_mode_count; o += m == 0 || test_thorough() ? 1 : 2)
      for (size_t t = tokens; t > 0; t = t > 5 ? 5 : 0)
        expect_threads(&s, mode, &test_modes[o], t);
    for (size_t t = tokens; t > 0; t = t > 5 ? 5 : 0)
      expect_added(&s, mode, &test_modes[m == 0 && test_mode_count > 1], t);
  }
  test_pool_close(s.pool);
  ffn_free(s.work);
  free(x), free(s.y), free(s.expected);
}

/* Every mode but the usual one makes a difference to some layer that takes threads: else the test
 * above is none. */
Test(modes, matter) {
  enum { TOKENS = 9, MOST_MODES = 16 };
  size_t layers = 0, differ[MOST_MODES] = {0};
  cr_assert(test_mode_count <= MOST_MODES);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (!test_is_base(*k) || !test_runs_here(*k) || test_is_large(*k) ||
        (*k)->flop_per_token < 1000000)
      continue;
    test_model model;
    test_model_open(&model, *k, TEST_REALS, 94);
    shrink_biases(&model);
    float *x = inputs(*k, TOKENS), *usual = test_outputs(*k, x, TOKENS, model.packed);
    for (size_t m = 1; m < test_mode_count; m++) {
      const test_mode_before before = test_mode_enter(&test_modes[m]);
      float *y = test_outputs(*k, x, TOKENS, model.packed);
      test_mode_leave(before);
      differ[m] += !test_same(y, usual, TOKENS * (*k)->outputs);
      free(y);
    }
    layers++;
    free(x), free(usual);
    test_model_close(&model);
  }
  if (layers == 0)
    cr_skip_test("no kernel of a million flop and more is linked");
  for (size_t m = 1; m < test_mode_count; m++)
    cr_assert(differ[m] > 0, "no layer of %zu has other bits %s", layers, test_modes[m].name);
}
