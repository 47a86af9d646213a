/* All layers of a model in one piece of memory, which small ones share huge pages of:
 *     cc -O2 model.c KERNELS -lm && ./a.out */
#include "ffn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D = 512, F = 1365, LAYERS = 6 };

int main(void) {
  const ffn_kernel *k =
      ffn_find(&(ffn_query){.variant = FFN_SWIGLU, .d_model = D, .d_ff = F, .cpu = ffn_cpu()});
  if (!k)
    return puts("no linked kernel has these sizes"), 1;
  const size_t work_bytes = ffn_work_bytes(k, 1, 1), bytes = LAYERS * k->packed_bytes + work_bytes;
  ffn_arena arena = {ffn_alloc(bytes), bytes, 0};
  void *work = ffn_arena_alloc(&arena, work_bytes), *packed[LAYERS];
  float *w = malloc(3 * D * F * sizeof *w), x[D], h[D];
  if (!work || !w)
    return puts("no memory"), 1;
  for (size_t i = 0; i < 3 * D * F; i++)
    w[i] = (float)(i * 7919 % 2003) / 2003 - 0.5f;
  for (size_t l = 0; l < LAYERS; l++) { /* here all have the same weights */
    packed[l] = ffn_arena_alloc(&arena, k->packed_bytes);
    k->pack(packed[l], &(ffn_weights){.gate = {.weight = w},
                                      .up = {.weight = w + D * F},
                                      .down = {.weight = w + 2 * D * F}});
  }
  for (size_t i = 0; i < D; i++)
    x[i] = h[i] = (float)(i % 7) / 4096;
  for (size_t l = 0; l < LAYERS; l++) /* h += layer(h): a token on its way through the model */
    ffn_add(k, h, D, 1.0f, h, D, 1, packed[l], work, work_bytes, NULL);
  printf("%s, %d layers: from %g to %g, %zu bytes left\n", k->name, LAYERS, x[1], h[1],
         arena.bytes - arena.used);
  const int is_whole = arena.used == arena.bytes && memcmp(x, h, sizeof x) != 0;
  ffn_free(arena.memory), free(w);
  return is_whole ? 0 : 1;
}
