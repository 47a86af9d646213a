/* Arguments and parameters for activations. */
#ifndef TEST_ARGUMENTS_H
#define TEST_ARGUMENTS_H

#include "ffn.h"
#include "rng.h"

static const float test_settings[][FFN_MAX_PARAMETERS] = {{1, 0.5f}, {0.25f, -0.75f}, {1.5f, 21}};
enum { TEST_SETTINGS = sizeof test_settings / sizeof *test_settings };

/* Near 0, and around every kink of the shipped activations, so that some have a kink within their
 * error. */
static inline float test_argument(uint64_t stream, uint64_t i) {
  static const double centres[] = {0, -3, 3, 6, 7, -7, 10, 20, -90, 90};
  const double spread = i % 3 == 0 ? 1e-6 : i % 3 == 1 ? 0.1 : 8;
  const double centre = centres[test_random(stream, i) % (sizeof centres / sizeof *centres)];
  return (float)(centre + spread * (double)test_uniform(stream + 1, i));
}

#endif
