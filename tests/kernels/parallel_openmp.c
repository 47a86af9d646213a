/* The threads of parallel_openmp.h: fewer and more than there are cores. */
#include "parallel_openmp.h"
#include "support/each.h"
#include "support/parallel.h"

static const int sizes[] = {1, 2, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

Test(parallel_openmp, tasks) {
  cr_assert(ffn_openmp(0).threads == (size_t)omp_get_max_threads());
  for (size_t i = 0; i < SIZES; i++) {
    const ffn_parallel parallel = ffn_openmp(sizes[i]);
    cr_assert(parallel.threads == (size_t)sizes[i]);
    test_parallel_once(&parallel);
    test_parallel_nested(&parallel);
    if (sizes[i] > 1)
      test_parallel_spread(&parallel);
  }
}

/* OpenMP may open a region within a region, or give one thread where seven are asked for. */
Test(parallel_openmp, regions) {
  const ffn_parallel parallel = ffn_openmp(7);
  omp_set_max_active_levels(2);
  test_parallel_nested(&parallel);
  omp_set_max_active_levels(0);
  test_parallel_once(&parallel);
}

EACH_KERNEL(parallel_openmp, bits, TEST_SMALL_LAYER) {
  for (size_t i = 0; i < SIZES; i++) {
    const ffn_parallel parallel = ffn_openmp(sizes[i]);
    test_parallel_bits(kernel, &parallel);
  }
}

/* OpenMP's threads begin with its first region, in the mode of that time, and stay. */
EACH_KERNEL(parallel_openmp, modes, TEST_SMALL_LAYER) {
  const ffn_parallel parallel = ffn_openmp(3);
  test_parallel_modes(kernel, &parallel);
}

EACH_KERNEL(parallel_openmp, callers, TEST_SMALL_LAYER) {
  const ffn_parallel parallel = ffn_openmp(2), another = ffn_openmp(7);
  test_parallel_callers(kernel, &parallel, &parallel);
  test_parallel_callers(kernel, &parallel, &another);
}
