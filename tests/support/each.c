#include "each.h"
#include "blocks.h"

static int chosen(const ffn_kernel *kernel, test_which which) {
  switch (which) {
  case TEST_SMALL:
    return !test_is_large(kernel);
  case TEST_SUMS_F32:
    return !test_is_large(kernel) && test_sums_f32(kernel);
  case TEST_SMALL_EXACT:
    return !test_is_large(kernel) && test_is_exact(kernel) && !test_in_blocks(kernel);
  case TEST_SMALL_LAYER:
    return !test_is_large(kernel) && test_is_base(kernel);
  case TEST_PLAIN:
    return !test_is_large(kernel) && !test_in_blocks(kernel);
  case TEST_PLAIN_LAYER:
    return !test_is_large(kernel) && test_is_base(kernel) && !test_in_blocks(kernel);
  case TEST_LARGE_LAYER:
    return test_is_large(kernel) && test_is_base(kernel) &&
           (test_thorough() || kernel->packed_bytes < (size_t)256 << 20);
  }
  return 0;
}

static void free_parameters(struct criterion_test_params *parameters) {
  cr_free(parameters->params);
}

struct criterion_test_params test_kernel_parameters(test_which which) {
  size_t count, length = 0;
  const ffn_kernel *const *kernels = ffn_all(&count);
  size_t *indices = cr_malloc((count + 1) * sizeof *indices);
  for (size_t i = 0; i < count; i++)
    if (chosen(kernels[i], which))
      indices[length++] = i;
  return (struct criterion_test_params){
      .size = sizeof *indices, .params = indices, .length = length, .cleanup = free_parameters};
}

static test_model current; /* kernel is NULL where there is none */

test_model *test_model_of(const ffn_kernel *kernel, test_fill fill, uint64_t seed) {
  test_model_done();
  test_model_open(&current, kernel, fill, seed);
  test_model_pack(&current);
  return &current;
}

void test_model_done(void) {
  if (current.kernel)
    test_model_close(&current);
  current.kernel = NULL;
}

const ffn_kernel *test_kernel_or_skip(size_t index) {
  const ffn_kernel *kernel = ffn_all(NULL)[index];
  if (!test_runs_here(kernel))
    cr_skip_test("%s: this CPU has no %s", kernel->name, ffn_isa_name(kernel->isa));
  return kernel;
}
