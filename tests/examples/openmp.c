/* A SwiGLU layer on OpenMP's threads, compared with one thread:
 *     cc -O2 -fopenmp openmp.c KERNELS -lm && ./a.out */
#include "parallel_openmp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D = 512, F = 1365, TOKENS = 7 };

int main(void) {
  const ffn_kernel *k =
      ffn_find(&(ffn_query){.variant = FFN_SWIGLU, .d_model = D, .d_ff = F, .cpu = ffn_cpu()});
  const ffn_parallel threads = ffn_openmp(0);
  float *w = malloc((3 * D * F + 3 * TOKENS * D) * sizeof *w);
  const size_t bytes = ffn_work_bytes(k, threads.threads, TOKENS);
  void *packed = ffn_alloc(k->packed_bytes), *work = ffn_alloc(bytes);
  if (!w || !packed || !work)
    return 1;
  float *x = w + 3 * D * F, *y = x + TOKENS * D, *expected = y + TOKENS * D;
  for (size_t i = 0; i < 3 * D * F + TOKENS * D; i++)
    w[i] = (float)(i * 7919 % 2003) / 2003 - 0.5f;

  k->pack(packed, &(ffn_weights){.gate = {.weight = w},
                                 .up = {.weight = w + D * F},
                                 .down = {.weight = w + 2 * D * F}});
  ffn_run(k, expected, D, x, D, TOKENS, packed, work, bytes, NULL);
  ffn_run(k, y, D, x, D, TOKENS, packed, work, bytes, &threads);

  const int same = memcmp(y, expected, TOKENS * D * sizeof *y) == 0;
  printf("%s on %zu threads of OpenMP: %s\n", k->name, threads.threads,
         same ? "the same bits" : "OTHER BITS");
  ffn_free(packed), ffn_free(work), free(w);
  return same ? 0 : 1;
}
