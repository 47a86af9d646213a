/* More rows than one walk over the weights takes, and as many as it takes at most: then a work slot
 * is used to its last byte, and split columns go over several blocks of rows. */
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"

#include <stdlib.h>
#include <string.h>

static const double most_flop = 4e8;
enum { TOKENS = 460 };

/* Rows in batches too small for the walk under test. */
static float *in_small_batches(const ffn_kernel *kernel, const float *x, size_t tokens,
                               const void *packed) {
  float *y = test_memory(tokens * kernel->outputs * sizeof(float));
  for (size_t t = 0; t < tokens; t += 13)
    test_run(kernel, y + t * kernel->outputs, x + t * kernel->inputs,
             tokens - t < 13 ? tokens - t : 13, packed);
  return y;
}

EACH_MODEL(walks, work_to_the_last_byte, TEST_SMALL, TEST_REALS, 71) {
  static const size_t batches[] = {216, 220, 222, 223, 224, 225, TOKENS};
  if (test_tokens(kernel, most_flop, 1, TOKENS) < TOKENS)
    cr_skip_test("too many flop for so many rows");
  float *x = test_inputs(kernel, TOKENS, TEST_REALS, 72);
  float *expected = in_small_batches(kernel, x, TOKENS, model->packed);
  float *y = test_memory(TOKENS * kernel->outputs * sizeof(float));
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    const size_t bytes = ffn_work_bytes(kernel, 1, batches[b]);
    test_guard work = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_END);
    memset(y, 0xff, TOKENS * kernel->outputs * sizeof(float));
    ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, batches[b], model->packed, work.memory,
            bytes, NULL);
    cr_assert(test_same(y, expected, batches[b] * kernel->outputs), "%s with %zu tokens",
              kernel->name, batches[b]);
    test_guard_close(&work);
  }
  free(x), free(y), free(expected);
}

EACH_MODEL(walks, split_columns_of_many_rows, TEST_SMALL, TEST_REALS, 73) {
  enum { THREADS = TOKENS / 4 + 1 }; /* with fewer rows each than any takes as its own */
  if (test_tokens(kernel, most_flop, 1, TOKENS) < TOKENS)
    cr_skip_test("too many flop for so many rows");
  float *x = test_inputs(kernel, TOKENS, TEST_REALS, 74);
  float *expected = in_small_batches(kernel, x, TOKENS, model->packed);
  float *y = test_memory(TOKENS * kernel->outputs * sizeof(float));
  const size_t bytes = ffn_work_bytes(kernel, THREADS, TOKENS);
  test_guard work = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_END);
  test_pool *pool = test_pool_open(1, TEST_ORDER_SHUFFLE);
  const ffn_parallel parallel = test_pool_parallel(pool, THREADS);
  memset(y, 0xff, TOKENS * kernel->outputs * sizeof(float));
  ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, TOKENS, model->packed, work.memory, bytes,
          &parallel);
  cr_assert(test_same(y, expected, TOKENS * kernel->outputs), "%s", kernel->name);
  test_pool_close(pool);
  test_guard_close(&work);
  free(x), free(y), free(expected);
}
