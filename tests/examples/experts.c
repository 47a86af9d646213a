/* A mixture of experts: 16 experts of which each token takes 4, and one that all take. The weights
 * of the experts are packed when they are first needed. */
#include "ffn_moe.h"
#include "moes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D = 256, F = 96, SHARED_F = 160, EXPERTS = 16, TOP_K = 4, TOKENS = 7 };
#define SEED 12345u /* of a model that was never trained */

static float random_float(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

/* Packed weights of a layer of random numbers. */
static void *packed_of(const ffn_kernel *kernel, size_t hidden, uint32_t seed) {
  const size_t most = D * (size_t)(SHARED_F > EXPERTS ? SHARED_F : EXPERTS + 1);
  float *floats = ffn_alloc(3 * most * sizeof *floats);
  void *packed = ffn_alloc(kernel->packed_bytes);
  for (size_t i = 0; i < 3 * most; i++)
    floats[i] = random_float(&seed) / 8;
  const ffn_linear router[2] = {{.weight = floats}, {.weight = floats + EXPERTS * D}};
  const ffn_weights weights = {.gate.weight = floats,
                               .up.weight = floats + most,
                               .down.weight = floats + 2 * most,
                               .chain = hidden ? NULL : router};
  kernel->pack(packed, &weights);
  ffn_free(floats);
  return packed;
}

int main(void) {
  const ffn_moe *moe = &ffn_moe_mine;
  const void *experts[EXPERTS] = {NULL}; /* none is in memory */
  ffn_moe_parts parts = {.experts = experts};
  if (!ffn_moe_find(moe, 0, ffn_cpu(), &parts))
    return 1; /* no linked kernel has these sizes, or none runs on this CPU */
  void *router = packed_of(parts.router_kernel, 0, SEED);
  void *shared = packed_of(parts.shared_kernel, SHARED_F, SEED + 1);
  parts.router = router, parts.shared = shared;

  static float x[TOKENS * D], y[TOKENS * D], alone[D];
  uint32_t state = SEED + 2;
  for (size_t i = 0; i < TOKENS * D; i++)
    x[i] = random_float(&state);
  const size_t bytes = ffn_moe_work_bytes(moe, &parts, 1, TOKENS);
  void *work = ffn_alloc(bytes);

  size_t fetched = 0;
  while (ffn_moe_run(moe, &parts, y, D, x, D, TOKENS, NULL, work, bytes, NULL) == FFN_MOE_ABSENT) {
    const size_t e = ffn_moe_tell(moe, work, TOKENS).expert;
    experts[e] = packed_of(parts.expert_kernel, F, SEED + 3 + (uint32_t)e);
    fetched++;
  }
  const ffn_moe_told told = ffn_moe_tell(moe, work, TOKENS);
  size_t rows = 0;
  for (size_t e = 0; e < EXPERTS; e++)
    rows += told.rows[e];
  printf("token 0 takes experts");
  for (size_t k = 0; k < TOP_K; k++)
    printf(" %d (%.3f)", (int)told.numbers[k], (double)told.weights[k]);
  printf("; %zu experts were fetched for %zu rows\n", fetched, rows);

  for (size_t t = 0; t < TOKENS; t++) { /* a token has the same bits alone */
    ffn_moe_run(moe, &parts, alone, D, x + t * D, D, 1, NULL, work, bytes, NULL);
    if (memcmp(alone, y + t * D, sizeof alone) != 0)
      return 1;
  }
  puts("each token alone: the same bits");
  for (size_t e = 0; e < EXPERTS; e++)
    ffn_free((void *)(uintptr_t)experts[e]);
  ffn_free(router), ffn_free(shared), ffn_free(work);
  return 0;
}
