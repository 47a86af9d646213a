/* Rows of x that lie over each other, as windows of a signal do, or that are one row for all: the
 * bits of copies that lie apart, and nothing is read behind the last one. */
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 37 };
static const float scale = 0.75f;

/* Windows `stride` apart, whose last one ends where memory does, or whose first begins there. */
static void check_windows(const ffn_kernel *kernel, const test_model *model, size_t stride,
                          size_t tokens, const ffn_parallel *parallel) {
  const size_t in = kernel->inputs, out = kernel->outputs, floats = (tokens - 1) * stride + in;
  const size_t bytes = ffn_work_bytes(kernel, parallel ? parallel->threads : 1, tokens);
  float *signal = test_memory(floats * sizeof(float)), *copies = test_memory(tokens * in * 4);
  float *expected = test_memory(tokens * out * sizeof(float));
  float *y = test_memory(tokens * out * sizeof(float));
  void *work = ffn_alloc(bytes);
  for (size_t i = 0; i < floats; i++)
    signal[i] = i % 5 == 4 ? 0 : (float)(i * 29 % 61) / 16 - 2;
  for (size_t t = 0; t < tokens; t++)
    memcpy(copies + t * in, signal + t * stride, in * sizeof(float));
  test_run(kernel, expected, copies, tokens, model->packed);
  for (test_side side = TEST_AT_START; side <= TEST_AT_END; side++) {
    const test_guard x = test_guard_copy(signal, floats * sizeof(float), sizeof(float), side);
    test_poison(y, tokens * out * sizeof(float));
    test_poison(work, bytes);
    ffn_run(kernel, y, out, x.memory, stride, tokens, model->packed, work, bytes, parallel);
    cr_assert(test_same(y, expected, tokens * out), "%s: %zu windows %zu apart", kernel->name,
              tokens, stride);
    memset(y, 0, tokens * out * sizeof(float));
    ffn_add(kernel, y, out, scale, x.memory, stride, tokens, model->packed, work, bytes, parallel);
    for (size_t i = 0; i < tokens * out; i++) {
      const float sum = fmaf(scale, expected[i], 0);
      cr_assert(test_same(&y[i], &sum, 1), "%s: %zu windows %zu apart, added", kernel->name, tokens,
                stride);
    }
    test_guard_close(&x);
  }
  ffn_free(work);
  free(signal), free(copies), free(expected), free(y);
}

/* Two windows between two rows of y: what lies apart row by row alone is looked at closely. */
static void check_between(const ffn_kernel *kernel, const test_model *model, size_t stride) {
  enum { TOKENS = 2 };
  const size_t in = kernel->inputs, out = kernel->outputs, floats = stride + in;
  const size_t bytes = ffn_work_bytes(kernel, 1, TOKENS);
  float *area = test_memory((2 * out + floats) * sizeof(float)), *x = area + out;
  float *copies = test_memory(TOKENS * in * sizeof(float));
  float *expected = test_memory(TOKENS * out * sizeof(float));
  void *work = ffn_alloc(bytes);
  for (size_t i = 0; i < floats; i++)
    x[i] = (float)(i * 29 % 61) / 16 - 2;
  for (size_t t = 0; t < TOKENS; t++)
    memcpy(copies + t * in, x + t * stride, in * sizeof(float));
  test_run(kernel, expected, copies, TOKENS, model->packed);
  ffn_run(kernel, area, out + floats, x, stride, TOKENS, model->packed, work, bytes, NULL);
  for (size_t t = 0; t < TOKENS; t++)
    cr_assert(test_same(area + t * (out + floats), expected + t * out, out),
              "%s: windows %zu apart between rows of y", kernel->name, stride);
  ffn_free(work);
  free(area), free(copies), free(expected);
}

EACH_MODEL(windows, between_rows, TEST_SMALL, TEST_REALS, 62) {
  if (kernel->max_tokens == 1)
    cr_skip_test("one token has one window");
  check_between(kernel, model, 1);
  check_between(kernel, model, 0);
}

EACH_MODEL(windows, bits, TEST_SMALL, TEST_REALS, 61) {
  const size_t strides[] = {0, 1, kernel->inputs - 1};
  const size_t limit = kernel->max_tokens > 0 ? kernel->max_tokens : MOST;
  const size_t most = test_tokens(kernel, 1e7, limit < 7 ? limit : 7, limit);
  test_pool *pool = test_pool_open(0, TEST_ORDER_DOWN);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  for (size_t s = 0; s < sizeof strides / sizeof *strides; s++)
    for (size_t tokens = 1; tokens <= most; tokens += test_step(tokens, 2)) {
      check_windows(kernel, model, strides[s], tokens, NULL);
      check_windows(kernel, model, strides[s], tokens, &parallel);
    }
  test_pool_close(pool);
}
