/* Training: a small SwiGLU layer learns what another one computes, by gradient descent, until its
 * squared error is less than 1 % of the other's square.
 *
 *     ffngen generate train.lua --out trained/
 *     cc -O2 -DFFN_NO_MAIN -Itrained train.c KERNELS -lm -o train && ./train */
#include "ffn_train.h"

#include <stdio.h>

enum { D = 16, F = 24, TOKENS = 256, MOST_STEPS = 2000, WEIGHTS = 3 * D * F };

static float teacher[WEIGHTS], student[WEIGHTS], gradient[WEIGHTS], speed[WEIGHTS];
static float x[TOKENS * D], wanted[TOKENS * D], y[TOKENS * D], dy[TOKENS * D];

/* In [-1, 1), the same on every machine. */
static float random_number(void) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (float)(state >> 8) / (1 << 23) - 1;
}

static ffn_weights weights_in(const float *w) {
  ffn_weights weights = {
      .gate = {.weight = w}, .up = {.weight = w + D * F}, .down = {.weight = w + 2 * D * F}};
  return weights;
}

int main(void) {
  const ffn_query query = {.variant = FFN_SWIGLU, .d_model = D, .d_ff = F, .cpu = ffn_cpu()};
  const ffn_kernel *kernel = ffn_find(&query);
  const ffn_training *t = ffn_training_of(kernel);
  if (!t)
    return puts("train.lua's student is not linked, or not with its training"), 1;
  void *packed = ffn_alloc(t->packed_bytes), *saved = ffn_alloc(ffn_saved_bytes(t, TOKENS));
  const size_t bytes = ffn_work_bytes(kernel, 1, TOKENS), more = ffn_train_work_bytes(t, 1);
  void *work = ffn_alloc(bytes + more);
  const ffn_gradients to = {
      .gate.weight = gradient, .up.weight = gradient + D * F, .down.weight = gradient + 2 * D * F};
  for (int i = 0; i < WEIGHTS; i++)
    teacher[i] = random_number() / 2, student[i] = random_number() / 2;
  double loss = 1, size = 1;
  for (int step = 0; step < MOST_STEPS && loss > 0.01; step++) {
    for (int i = 0; i < TOKENS * D; i++)
      x[i] = 2 * random_number();
    const ffn_weights truth = weights_in(teacher), mine = weights_in(student);
    t->pack_train(packed, &truth);
    ffn_run(kernel, wanted, D, x, D, TOKENS, packed, work, bytes, NULL);
    t->pack_train(packed, &mine);
    ffn_run_train(t, y, D, x, D, TOKENS, saved, packed, work, NULL, NULL);
    loss = 0, size = 0;
    for (int i = 0; i < TOKENS * D; i++) {
      dy[i] = (y[i] - wanted[i]) / TOKENS;
      loss += (double)(dy[i] * (y[i] - wanted[i]));
      size += (double)(wanted[i] * wanted[i] / TOKENS);
    }
    loss /= size;
    ffn_grad(t, &to, dy, D, x, D, TOKENS, saved, packed, work, NULL, NULL);
    for (int i = 0; i < WEIGHTS; i++) {
      speed[i] = 0.9f * speed[i] - 0.05f * gradient[i];
      student[i] += speed[i];
    }
    if (step % 100 == 0)
      printf("step %4d: loss %.6f\n", step, loss);
  }
  printf("loss %.6f\n", loss);
  ffn_free(packed), ffn_free(saved), ffn_free(work);
  return loss < 0.01 ? 0 : 1;
}
