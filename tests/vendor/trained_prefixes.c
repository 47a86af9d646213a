/* One layer three times in one program: as `generate` gives it, and vendored under two prefixes,
 * as a library's file and as a header. The same bits of y and of all gradients. */
#define TWO_B_IMPLEMENTATION
#include "ffn_train.h"
#include "one.h"
#include "two_b.h"

#include <stdio.h>
#include <string.h>

enum { D = ONE_BLOCK_INPUTS, F = 24, TOKENS = 131, COUNT = 2 * D * F + F + D + 1 };

static float weights[2 * D * F + F + D], x[TOKENS * D], dy[TOKENS * D];

/* What one of them gives. */
typedef struct result {
  float y[TOKENS * D], dx[TOKENS * D], of_weights[COUNT];
} result;

/* step_PREFIX(): one step, by the training of the kernel that `kernel` gives. */
#define STEP(prefix, kernel)                                                                       \
  static int step_##prefix(result *to) {                                                           \
    const prefix##_kernel *k = (kernel);                                                           \
    const prefix##_training *t = prefix##_training_of(k);                                          \
    if (!t)                                                                                        \
      return 0;                                                                                    \
    void *packed = prefix##_alloc(t->packed_bytes),                                                \
         *saved = prefix##_alloc(prefix##_saved_bytes(t, TOKENS));                                 \
    void *work = prefix##_alloc(prefix##_train_work_bytes(t, 1));                                  \
    const prefix##_weights given = {                                                               \
        .up = {.weight = weights, .bias = weights + 2 * D * F},                                    \
        .down = {.weight = weights + D * F, .bias = weights + 2 * D * F + F},                      \
        .parameters = {1.702f},                                                                    \
    };                                                                                             \
    float *g = to->of_weights;                                                                     \
    const prefix##_gradients gradients = {                                                         \
        .dx = to->dx,                                                                              \
        .dx_stride = D,                                                                            \
        .up = {g, g + 2 * D * F},                                                                  \
        .down = {g + D * F, g + 2 * D * F + F},                                                    \
        .parameters = g + COUNT - 1,                                                               \
    };                                                                                             \
    t->pack_train(packed, &given);                                                                 \
    prefix##_run_train(t, to->y, D, x, D, TOKENS, saved, packed, work, NULL, NULL);                \
    prefix##_grad(t, &gradients, dy, D, x, D, TOKENS, saved, packed, work, NULL, NULL);            \
    prefix##_free(packed), prefix##_free(saved), prefix##_free(work);                              \
    return k->isa == t->isa;                                                                       \
  }

STEP(ffn, ffn_find_layer(one_block()->layer, ffn_cpu()))
STEP(one, one_block())
STEP(two_b, two_b_block())

int main(void) {
  static result plain, one, two;
  for (int i = 0; i < 2 * D * F + F + D; i++)
    weights[i] = (float)(i * 37 % 101 - 50) / 256;
  for (int i = 0; i < TOKENS * D; i++) {
    x[i] = (float)(i * 29 % 53 - 26) / 16;
    dy[i] = (float)(i * 31 % 47 - 23) / 64;
  }
  if (!step_ffn(&plain) || !step_one(&one) || !step_two_b(&two)) {
    puts("a layer without its training");
    return 1;
  }
  if (memcmp(&plain, &one, sizeof one) != 0 || memcmp(&plain, &two, sizeof two) != 0) {
    puts("the copies do not agree");
    return 1;
  }
  if (plain.dx[0] == 0 || plain.of_weights[0] == 0 || plain.of_weights[COUNT - 1] == 0) {
    puts("nothing was computed");
    return 1;
  }
  if (one_block_training() != one_training_of(one_block())) {
    puts("another training than that of the kernel which was chosen");
    return 1;
  }
  return 0;
}
