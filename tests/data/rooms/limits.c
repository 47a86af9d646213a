/* Rows of bytes as long as a layer may have them, of the largest sizes: every kernel of the folder
 * gives the exact sum, rounded once. The weights are those that 32 bits hold just so. */
#include "ffn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS = 3 };

/* All x are 127 in size, of the same sign or of both, and all weights the same number. */
static int64_t fill(float *x, size_t inputs, int signs, int64_t weight) {
  int64_t sum = 0;
  for (size_t k = 0; k < inputs; k++) {
    x[k] = signs == 2 && k % 3 == 0 ? -127.0f : signs == 1 ? -127.0f : 127.0f;
    sum += (int64_t)x[k] * weight;
  }
  return sum;
}

static int wrong(const ffn_kernel *kernel, int byte, int zero, int signs) {
  const size_t inputs = kernel->inputs;
  const float scales[OUTPUTS] = {1, 1, 1};
  signed char zeros[OUTPUTS], *bytes = malloc(OUTPUTS * inputs);
  float *x = malloc(inputs * sizeof *x), y[OUTPUTS];
  void *packed = ffn_alloc(kernel->packed_bytes);
  const size_t work_bytes = ffn_work_bytes(kernel, 1, 1);
  void *work = ffn_alloc(work_bytes);
  memset(bytes, byte, OUTPUTS * inputs), memset(zeros, zero, sizeof zeros);
  const ffn_linear linear = {.weight = bytes,
                             .source = kernel->stages[0].source,
                             .scales = scales,
                             .zeros = kernel->stages[0].source == FFN_SOURCE_I8Z ? zeros : NULL};
  const ffn_weights weights = {.chain = &linear};
  kernel->pack(packed, &weights);
  const int64_t sum = fill(x, inputs, signs, byte - zero);
  ffn_run(kernel, y, OUTPUTS, x, inputs, 1, packed, work, work_bytes, NULL);
  int found = 0;
  for (size_t o = 0; o < OUTPUTS; o++)
    found += y[o] != (float)sum;
  if (found)
    printf("%s: bytes %d, zeros %d: %.9g, not %lld\n", kernel->name, byte, zero, (double)y[0],
           (long long)sum);
  free(bytes), free(x), ffn_free(packed), ffn_free(work);
  return found;
}

int main(void) {
  int compared = 0, found = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const int has_zeros = (*k)->stages[0].source == FFN_SOURCE_I8Z;
    if ((ffn_cpu() >> (*k)->isa & 1) == 0)
      continue;
    for (int signs = 0; signs < 3; signs++, compared++) {
      found += wrong(*k, -128, has_zeros ? 127 : 0, signs);
      found += wrong(*k, 127, has_zeros ? -128 : 0, signs);
    }
  }
  printf("%d compared, %d wrong\n", compared, found);
  return found > 0;
}
