/* Training an activation's parameter: the beta of swish, x * sigmoid(beta x), starts at 1 and
 * learns that a teacher with the same weights has 1.702. Only its gradient is asked for, so grad()
 * computes no other.
 *
 *     ffngen generate train.lua --out trained/
 *     cc -O2 -DFFN_NO_MAIN -Itrained beta.c KERNELS -lm -o beta && ./beta */
#include "ffn_train.h"

#include <math.h>
#include <stdio.h>

enum { D = 16, F = 24, TOKENS = 128, STEPS = 40 };

/* In [-1, 1), the same on every machine. */
static float random_number(void) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (float)(state >> 8) / (1 << 23) - 1;
}

int main(void) {
  static float up[D * F], down[F * D], x[TOKENS * D], wanted[TOKENS * D], y[TOKENS * D];
  const ffn_query query = {.variant = FFN_SWISH, .d_model = D, .d_ff = F, .cpu = ffn_cpu()};
  const ffn_kernel *kernel = ffn_find(&query);
  const ffn_training *t = ffn_training_of(kernel);
  if (!t)
    return puts("train.lua's learner is not linked, or not with its training"), 1;
  void *packed = ffn_alloc(t->packed_bytes), *saved = ffn_alloc(ffn_saved_bytes(t, TOKENS));
  const size_t bytes = ffn_work_bytes(kernel, 1, TOKENS), more = ffn_train_work_bytes(t, 1);
  void *work = ffn_alloc(bytes + more);
  const float truth = 1.702f;
  float slope;
  ffn_weights weights = {.up = {.weight = up}, .down = {.weight = down}, .parameters = {truth}};
  const ffn_gradients to = {.parameters = &slope};
  for (int i = 0; i < D * F; i++)
    up[i] = random_number(), down[i] = random_number();
  for (int i = 0; i < TOKENS * D; i++)
    x[i] = random_number();
  t->pack_train(packed, &weights);
  ffn_run(kernel, wanted, D, x, D, TOKENS, packed, work, bytes, NULL);
  float *beta = &weights.parameters[0];
  *beta = 1;
  for (int step = 0; step <= STEPS; step++) {
    t->pack_train(packed, &weights);
    ffn_run_train(t, y, D, x, D, TOKENS, saved, packed, work, NULL, NULL);
    for (int i = 0; i < TOKENS * D; i++)
      y[i] = (y[i] - wanted[i]) / TOKENS; /* dy */
    ffn_grad(t, &to, y, D, x, D, TOKENS, saved, packed, work, NULL, NULL);
    if (step % 10 == 0)
      printf("step %3d: beta %.6f\n", step, (double)*beta);
    *beta -= 0.3f * slope;
  }
  ffn_free(packed), ffn_free(saved), ffn_free(work);
  return fabsf(*beta - truth) < 1e-5f ? 0 : 1;
}
