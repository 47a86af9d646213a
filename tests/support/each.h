/* A test for every linked kernel, by index: parameters cross a process boundary. An instruction
 * set that this CPU lacks is a skipped test.
 *
 *     EACH_KERNEL(suite, name, TEST_SMALL) { ... kernel ... }
 */
#ifndef TEST_EACH_H
#define TEST_EACH_H

#include "kernels.h"
#include "model.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

typedef enum test_which {
  TEST_SMALL,       /* all but those of large.c */
  TEST_SMALL_EXACT, /* those of them that test_is_exact() */
  TEST_SMALL_LAYER, /* one kernel for each layer of them */
  TEST_LARGE_LAYER  /* one kernel for each layer of large.c */
} test_which;

struct criterion_test_params test_kernel_parameters(test_which which);

/* The kernel, or the test ends here as skipped. */
const ffn_kernel *test_kernel_or_skip(size_t index);

#define EACH_KERNEL(suite, name, which)                                                            \
  static void suite##_##name##_of(const ffn_kernel *kernel);                                       \
  ParameterizedTestParameters(suite, name) { return test_kernel_parameters(which); }               \
  ParameterizedTest(const size_t *index, suite, name) {                                            \
    suite##_##name##_of(test_kernel_or_skip(*index));                                              \
  }                                                                                                \
  static void suite##_##name##_of(const ffn_kernel *kernel)

#endif
