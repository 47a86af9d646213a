/* A test for every linked kernel, by index: parameters cross a process boundary. An instruction
 * set that this CPU lacks is a skipped test.
 *
 *     EACH_KERNEL(suite, name, TEST_SMALL) { ... kernel ... }
 *
 * And with a model of its layer, filled and packed:
 *
 *     EACH_MODEL(suite, name, TEST_SMALL, TEST_REALS, seed) { ... kernel ... model ... }
 */
#ifndef TEST_EACH_H
#define TEST_EACH_H

#include "kernels.h"
#include "model.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

typedef enum test_which {
  TEST_SMALL,       /* all but those of large.c */
  TEST_SMALL_LAYER, /* one kernel for each layer of them */
  TEST_SUMS_F32,    /* all but those of large.c that test_sums_f32() */
  TEST_PLAIN,       /* the same without weights in blocks: a test sets weights one by one */
  TEST_PLAIN_LAYER,
  TEST_SMALL_EXACT, /* those of the plain ones that test_is_exact() */
  TEST_LARGE_LAYER  /* one kernel for each layer of large.c; the largest if thorough alone */
} test_which;

struct criterion_test_params test_kernel_parameters(test_which which);

/* The kernel, or the test ends here as skipped. */
const ffn_kernel *test_kernel_or_skip(size_t index);

/* A model, filled and packed, until the next one is asked for: a test that ends early leaves it. */
test_model *test_model_of(const ffn_kernel *kernel, test_fill fill, uint64_t seed);
void test_model_done(void);

#define EACH_KERNEL(suite, name, which)                                                            \
  static void suite##_##name##_of(const ffn_kernel *kernel);                                       \
  ParameterizedTestParameters(suite, name) { return test_kernel_parameters(which); }               \
  ParameterizedTest(const size_t *index, suite, name) {                                            \
    suite##_##name##_of(test_kernel_or_skip(*index));                                              \
  }                                                                                                \
  static void suite##_##name##_of(const ffn_kernel *kernel)

#define EACH_MODEL(suite, name, which, fill, seed)                                                 \
  static void suite##_##name##_on(const ffn_kernel *kernel, test_model *model);                    \
  EACH_KERNEL(suite, name, which) {                                                                \
    suite##_##name##_on(kernel, test_model_of(kernel, fill, seed));                                \
    test_model_done();                                                                             \
  }                                                                                                \
  static void suite##_##name##_on(const ffn_kernel *kernel, test_model *model)

#endif
