/* A SwiGLU layer by three threads that call it together, compared with one thread:
 *     cc -O2 -pthread team.c KERNELS -lm && ./a.out */
#include "parallel_team.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D = 512, F = 1365, TOKENS = 7, MEMBERS = 3 };

/* What the host's threads share. */
static ffn_team team;
static const ffn_kernel *k;
static float *x, *y;
static void *packed, *work;
static size_t bytes;

static void *member(void *number) {
  ffn_team_run(&team, *(const size_t *)number, k, y, D, x, D, TOKENS, packed, work, bytes);
  return NULL;
}

int main(void) {
  k = ffn_find(&(ffn_query){.variant = FFN_SWIGLU, .d_model = D, .d_ff = F, .cpu = ffn_cpu()});
  float *w = malloc((3 * D * F + 3 * TOKENS * D) * sizeof *w);
  bytes = ffn_work_bytes(k, MEMBERS, TOKENS);
  packed = ffn_alloc(k->packed_bytes), work = ffn_alloc(bytes);
  if (!w || !packed || !work)
    return 1;
  x = w + 3 * D * F, y = x + TOKENS * D;
  float *expected = y + TOKENS * D;
  for (size_t i = 0; i < 3 * D * F + TOKENS * D; i++)
    w[i] = (float)(i * 7919 % 2003) / 2003 - 0.5f;

  k->pack(packed, &(ffn_weights){.gate = {.weight = w},
                                 .up = {.weight = w + D * F},
                                 .down = {.weight = w + 2 * D * F}});
  ffn_run(k, expected, D, x, D, TOKENS, packed, work, bytes, NULL);

  size_t numbers[MEMBERS] = {0, 1, 2};
  pthread_t threads[MEMBERS];
  ffn_team_init(&team, MEMBERS);
  for (size_t i = 1; i < MEMBERS; i++)
    if (pthread_create(&threads[i], NULL, member, &numbers[i]) != 0)
      return 1;
  member(&numbers[0]);
  for (size_t i = 1; i < MEMBERS; i++)
    pthread_join(threads[i], NULL);

  const int same = memcmp(y, expected, TOKENS * D * sizeof *y) == 0;
  printf("%s by a team of %d: %s\n", k->name, (int)MEMBERS, same ? "the same bits" : "OTHER BITS");
  ffn_free(packed), ffn_free(work), free(w);
  return same ? 0 : 1;
}
