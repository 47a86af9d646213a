/* What a caller of training may not do is an assert: each misuse in a process of its own, which
 * ends of it. And what looks like one, but is allowed. */
#define _GNU_SOURCE
#include "support/each.h"
#include "support/refused.h"
#include "support/training.h"

#include <stdlib.h>

enum { TOKENS = 2 };

/* A call that may break a precondition: grad() where it goes back, else run_train(). */
typedef struct call {
  const ffn_training *training;
  float *y;
  const float *x, *dy;
  size_t y_stride, x_stride, dy_stride, tokens;
  int back;
  ffn_gradients to;
  char *saved, *packed, *work;
} call;

static void make(const void *made) {
  const call *c = made;
  if (c->back)
    c->training->grad(&c->to, c->dy, c->dy_stride, c->x, c->x_stride, c->tokens, c->saved,
                      c->packed, c->work, NULL, NULL);
  else
    c->training->run_train(c->y, c->y_stride, c->x, c->x_stride, c->tokens, c->saved, c->packed,
                           c->work, NULL, NULL);
}

/* The call with one thing changed, and whether that is refused. */
#define EXPECT(refused, base, ...)                                                                 \
  do {                                                                                             \
    call c = base;                                                                                 \
    __VA_ARGS__;                                                                                   \
    cr_assert(test_is_refused(make, &c) == refused, "%s: " #__VA_ARGS__, c.training->name);        \
  } while (0)

/* What both functions ask for. */
static void check_shared(const call *good) {
  EXPECT(1, *good, c.x = NULL);
  EXPECT(1, *good, c.packed = NULL);
  EXPECT(1, *good, c.work = NULL);
  EXPECT(1, *good, c.packed += 4);
  EXPECT(1, *good, c.work += 4);
  EXPECT(1, *good, c.x_stride--);
  EXPECT(1, *good, c.packed = c.work);
  EXPECT(0, *good, c.x_stride = 0, c.tokens = 1);
  EXPECT(0, *good, c.x = NULL, c.y = NULL, c.dy = NULL, c.saved = NULL, c.tokens = 0);
  if (good->training->saved_bytes == 0)
    return;
  EXPECT(1, *good, c.saved = NULL);
  EXPECT(1, *good, c.saved += 4);
}

EACH_MODEL(gradient_misuse, calls, TEST_SMALL_LAYER, TEST_REALS, 73) {
  const ffn_training *training = ffn_training_of(kernel);
  const size_t inputs = kernel->inputs, outputs = kernel->outputs;
  float *floats = calloc(4 * TOKENS * (inputs + outputs), sizeof *floats);
  float *x = floats + TOKENS * outputs, *y = floats, *dx = x + TOKENS * inputs;
  void *packed = test_pack_train(training, model), *saved = test_saved(training, TOKENS);
  void *work = ffn_alloc(ffn_train_work_bytes(training, 1));
  const call train = {.training = training,
                      .y = y,
                      .x = x,
                      .y_stride = outputs,
                      .x_stride = inputs,
                      .tokens = TOKENS,
                      .saved = saved,
                      .packed = packed,
                      .work = work};
  EXPECT(0, train, (void)c);
  check_shared(&train);
  EXPECT(1, train, c.y = NULL);
  EXPECT(1, train, c.y_stride--);
  EXPECT(1, train, c.y = x);
  EXPECT(1, train, c.y = x + inputs - 1);
  EXPECT(1, train, c.x = y + outputs - 1);

  make(&train);
  call grad = train;
  grad.back = 1, grad.to = (ffn_gradients){.dx = dx, .dx_stride = inputs};
  grad.y = NULL, grad.dy = y, grad.dy_stride = outputs;
  EXPECT(0, grad, (void)c);
  check_shared(&grad);
  EXPECT(1, grad, c.dy = NULL);
  EXPECT(1, grad, c.dy_stride--);
  EXPECT(1, grad, c.to.dx_stride--);
  EXPECT(1, grad, c.to.dx = x);
  EXPECT(1, grad, c.to.dx = x + inputs - 1);
  EXPECT(1, grad, c.to.dx = y);
  EXPECT(1, grad, c.to.dx = y + outputs - 1);
  EXPECT(0, grad, c.to.dx = NULL, c.to.dx_stride = 0);
  EXPECT(0, grad, c.to.dx = NULL, c.to.accumulate = 1);
  free(floats), ffn_free(packed), ffn_free(saved), ffn_free(work);
}
