/* What a caller of training may not do is an assert: each misuse in a process of its own, which
 * ends of it. For each function and each argument: what is not there, not aligned, over another
 * one, of another call, or so large that addresses wrap around. And what looks like a misuse, but
 * is allowed. */
#define _GNU_SOURCE
#include "support/each.h"
#include "support/refused.h"
#include "support/training.h"

#include <stdlib.h>

enum { TOKENS = 2, MANY = FFN_TOKEN_BLOCK + 3 };

static const size_t wraps = SIZE_MAX / sizeof(float) + 1; /* a stride: 2^62 */

typedef enum which { RUN, GRAD, PACK, MASK, FACTOR, REFERENCE_GRAD, REFERENCE_TRAIN } which;

/* A call that may break a precondition. */
typedef struct call {
  which which;
  const ffn_training *training;
  char *y;
  const char *x, *dy;
  size_t y_stride, x_stride, dy_stride, tokens;
  ffn_gradients to;
  char *saved, *packed, *work;
  const ffn_weights *weights;
  const ffn_dropout *dropout;
  const ffn_parallel *parallel;
  size_t place, column;
  const ffn_reference_gradients *references;
} call;

static const char *name_of(const call *c) { return c->training ? c->training->name : "none"; }

static const float *floats_of(const char *place) { return (const float *)(const void *)place; }

static void make(const void *made) {
  const call *c = made;
  const ffn_training *t = c->training;
  float *y = (float *)(void *)c->y;
  switch (c->which) {
  case RUN:
    ffn_run_train(t, y, c->y_stride, floats_of(c->x), c->x_stride, c->tokens, c->saved, c->packed,
                  c->work, c->dropout, c->parallel);
    return;
  case GRAD:
    ffn_grad(t, &c->to, floats_of(c->dy), c->dy_stride, floats_of(c->x), c->x_stride, c->tokens,
             c->saved, c->packed, c->work, c->dropout, c->parallel);
    return;
  case PACK:
    t->pack_train(c->packed, c->weights);
    return;
  case MASK:
    ffn_dropout_mask(t, c->place, c->dropout, y, c->tokens);
    return;
  case FACTOR:
    (void)ffn_dropout_factor(t, c->place, c->dropout, 0, c->column);
    return;
  case REFERENCE_GRAD:
    ffn_reference_grad(t, c->references, floats_of(c->dy), c->dy_stride, floats_of(c->x),
                       c->x_stride, c->tokens, c->weights, c->dropout, c->work);
    return;
  case REFERENCE_TRAIN:
    ffn_reference_train(t, NULL, NULL, floats_of(c->x), c->x_stride, c->tokens, c->weights,
                        c->dropout, c->work);
  }
}

/* Memory for all calls of a layer, and a call of run_train() that is right. */
typedef struct scene {
  const ffn_kernel *kernel;
  float *floats, *x, *y, *dx;
  size_t inputs, outputs;
  call good;
} scene;

static char *at(const float *place) { return (char *)(uintptr_t)place; }

static scene open_scene(const ffn_kernel *kernel, const test_model *model, size_t tokens) {
  const ffn_training *training = ffn_training_of(kernel);
  const size_t inputs = kernel->inputs, outputs = kernel->outputs;
  scene s = {.kernel = kernel, .inputs = inputs, .outputs = outputs};
  s.floats = calloc(6 * tokens * (inputs + outputs), sizeof *s.floats);
  s.y = s.floats + tokens * (inputs + outputs);
  s.x = s.y + 2 * tokens * outputs;
  s.dx = s.x + 2 * tokens * inputs;
  s.good = (call){.which = RUN,
                  .training = training,
                  .y = at(s.y),
                  .x = at(s.x),
                  .dy = at(s.y),
                  .y_stride = outputs,
                  .x_stride = inputs,
                  .dy_stride = outputs,
                  .tokens = tokens,
                  .to = {.dx = s.dx, .dx_stride = inputs},
                  .saved = test_saved(training, tokens),
                  .packed = test_pack_train(training, model),
                  .work = ffn_alloc(ffn_train_work_bytes(training, 1)),
                  .weights = &model->weights};
  return s;
}

static void close_scene(scene *s) {
  free(s->floats), ffn_free(s->good.saved), ffn_free(s->good.packed), ffn_free(s->good.work);
}

/* What both passes ask for. */
static void check_shared(const call *good) {
  const ffn_parallel nobody = {NULL, NULL, 2};
  EXPECT(0, *good, (void)c);
  EXPECT(1, *good, c.x = NULL);
  EXPECT(1, *good, c.packed = NULL);
  EXPECT(1, *good, c.work = NULL);
  EXPECT(1, *good, c.x++);
  EXPECT(1, *good, c.packed += 4);
  EXPECT(1, *good, c.work += 4);
  EXPECT(1, *good, c.packed = c.work);
  EXPECT(1, *good, c.work = c.packed);
  EXPECT(1, *good, c.x = c.work);
  EXPECT(1, *good, c.parallel = &nobody);
  EXPECT(1, *good, c.x_stride = wraps);
  EXPECT(1, *good, c.x_stride = SIZE_MAX);
  EXPECT(0, *good, c.x_stride = 0);
  EXPECT(0, *good, c.x_stride--);
  EXPECT(0, *good, c.x_stride = SIZE_MAX, c.tokens = 1, c.which = RUN);
  EXPECT(0, *good, c.x = NULL, c.y = NULL, c.dy = NULL, c.saved = NULL, c.tokens = 0);
  if (good->training->saved_row_bytes == 0)
    return;
  EXPECT(1, *good, c.saved = NULL);
  EXPECT(1, *good, c.saved += 4);
  EXPECT(1, *good, c.saved = c.work);
}

EACH_MODEL(gradient_misuse, run_train, TEST_SMALL_LAYER, TEST_REALS, 73) {
  scene s = open_scene(kernel, model, TOKENS);
  const size_t inputs = s.inputs, outputs = s.outputs;
  check_shared(&s.good);
  EXPECT(1, s.good, c.y = NULL);
  EXPECT(1, s.good, c.y++);
  EXPECT(1, s.good, c.y_stride--);
  EXPECT(1, s.good, c.y_stride = wraps);
  EXPECT(1, s.good, c.y = at(s.x));
  EXPECT(1, s.good, c.y = at(s.x + 2 * inputs - 1));
  EXPECT(1, s.good, c.y = at(s.x - 2 * outputs + 1));
  EXPECT(0, s.good, c.y = at(s.x - 2 * outputs));
  EXPECT(0, s.good, c.y = at(s.x + inputs), c.x_stride = c.y_stride = inputs + outputs);
  EXPECT(1, s.good, c.y = at(s.x + inputs - 1), c.x_stride = c.y_stride = inputs + outputs);
  EXPECT(1, s.good, c.y = c.packed + 64);
  EXPECT(1, s.good, c.y = c.work);
  if (s.good.training->saved_row_bytes > 0) {
    EXPECT(1, s.good, c.y = c.saved);
    EXPECT(1, s.good, c.x = c.saved);
    EXPECT(1, s.good, c.saved = c.packed);
  }
  close_scene(&s);
}

/* grad() of what kernel->pack() packed, of another call's saved memory, or with other dropout. */
static void check_belongs(const call *good, const test_model *model) {
  const ffn_training *t = good->training;
  const ffn_dropout others[] = {{.seed = test_dropout.seed + 1, .step = test_dropout.step},
                                {.seed = test_dropout.seed, .step = test_dropout.step + 1}};
  char *packed = ffn_alloc(t->packed_bytes), *saved = test_saved(t, TOKENS);
  memset(packed, 0, t->packed_bytes);
  model->kernel->pack(packed, &model->weights);
  EXPECT(1, *good, c.packed = packed);
  EXPECT(0, *good, c.which = RUN, c.packed = packed, c.to.dx = NULL);
  call other = *good;
  other.which = RUN;
  make(&other);
  if (t->saved_row_bytes > 0) {
    EXPECT(1, *good, c.tokens--);
    EXPECT(1, *good, c.tokens++);
    EXPECT(1, *good, c.saved = saved);
  }
  for (size_t i = 0; t->dropout_count > 0 && t->saved_row_bytes > 0 && i < 2; i++)
    EXPECT(1, *good, c.dropout = &others[i]);
  ffn_free(packed), ffn_free(saved);
}

EACH_MODEL(gradient_misuse, grad, TEST_SMALL_LAYER, TEST_REALS, 75) {
  scene s = open_scene(kernel, model, TOKENS);
  const size_t inputs = s.inputs, outputs = s.outputs;
  make(&s.good);
  s.good.which = GRAD;
  check_shared(&s.good);
  check_belongs(&s.good, model);
  EXPECT(1, s.good, c.dy = NULL);
  EXPECT(1, s.good, c.dy++);
  EXPECT(1, s.good, c.dy_stride = wraps);
  EXPECT(0, s.good, c.dy_stride = 0);
  EXPECT(1, s.good, c.dy = c.work);
  EXPECT(1, s.good, c.to.dx_stride--);
  EXPECT(1, s.good, c.to.dx_stride = wraps);
  EXPECT(1, s.good, c.to.dx = (float *)(void *)(at(s.dx) + 1));
  EXPECT(1, s.good, c.to.dx = s.x);
  EXPECT(1, s.good, c.to.dx = s.x + 2 * inputs - 1);
  EXPECT(1, s.good, c.to.dx = s.y);
  EXPECT(1, s.good, c.to.dx = s.y + 2 * outputs - 1);
  EXPECT(1, s.good, c.to.dx = (float *)(void *)(c.packed + 64));
  EXPECT(1, s.good, c.to.dx = (float *)(void *)c.work);
  EXPECT(0, s.good, c.to.dx = NULL, c.to.dx_stride = 0);
  EXPECT(0, s.good, c.to.dx = NULL, c.to.accumulate = 1);
  close_scene(&s);
}

/* Every gradient over x, dy, what is saved, packed or work memory, and over each other one. */
EACH_MODEL(gradient_misuse, overlaps, TEST_SMALL_LAYER, TEST_REALS, 76) {
  scene s = open_scene(kernel, model, TOKENS);
  test_gradients g;
  make(&s.good);
  s.good.which = GRAD;
  test_gradients_open(&g, model, TOKENS);
  s.good.to = g.to;
  EXPECT(0, s.good, (void)c);
  char *const taken[] = {
      at(s.x),       at(s.y),
      s.good.packed, s.good.packed + s.good.training->packed_bytes - 4,
      s.good.work,   s.good.training->saved_row_bytes > 0 ? s.good.saved : at(s.x)};
  for (size_t i = 0; i < g.count; i++) {
    float *own = *g.all[i].where;
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
      *g.all[i].where = (float *)(void *)taken[k];
      EXPECT(1, s.good, c.to = g.to);
    }
    for (size_t j = 0; j < g.count; j++) {
      if (j == i)
        continue;
      *g.all[i].where = g.all[j].values + g.all[j].count - 1;
      EXPECT(1, s.good, c.to = g.to);
    }
    *g.all[i].where = (float *)(void *)(at(own) + 1);
    EXPECT(1, s.good, c.to = g.to);
    *g.all[i].where = own;
  }
  test_gradients_close(&g);
  close_scene(&s);
}

/* Gradients of the first blocks of a longer call, which stand by themselves; not of parts. */
EACH_MODEL(gradient_misuse, parts, TEST_SMALL_LAYER, TEST_REALS, 77) {
  if (kernel->inputs * kernel->outputs > 2000)
    return;
  scene s = open_scene(kernel, model, MANY);
  const int saves = s.good.training->saved_row_bytes > 0;
  make(&s.good);
  s.good.which = GRAD;
  EXPECT(0, s.good, (void)c);
  EXPECT(0, s.good, c.tokens = FFN_TOKEN_BLOCK);
  EXPECT(saves, s.good, c.tokens = FFN_TOKEN_BLOCK - 1);
  EXPECT(saves, s.good, c.tokens = MANY - 1);
  if (saves)
    EXPECT(0, s.good, c.tokens = MANY - FFN_TOKEN_BLOCK,
           c.saved += ffn_saved_bytes(c.training, FFN_TOKEN_BLOCK));
  close_scene(&s);
}

EACH_MODEL(gradient_misuse, other_functions, TEST_SMALL_LAYER, TEST_REALS, 78) {
  scene s = open_scene(kernel, model, TOKENS);
  const ffn_training *t = s.good.training;
  const ffn_reference_gradients none = {.chain = NULL};
  const ffn_reference_gradients half = {.dx = {.value = malloc(8 * TOKENS * s.inputs)}};
  s.good.which = PACK;
  EXPECT(0, s.good, (void)c);
  EXPECT(1, s.good, c.weights = NULL);
  EXPECT(1, s.good, c.packed = NULL);
  EXPECT(1, s.good, c.packed += 4);
  ffn_linear *linear = model->matrices[0].linear;
  const ffn_linear kept = *linear;
  linear->weight = s.good.packed + t->packed_bytes - 4;
  EXPECT(1, s.good, (void)"a matrix over packed");
  *linear = kept;
  for (s.good.which = MASK; s.good.which <= FACTOR; s.good.which++) {
    float *mask = malloc(TOKENS * sizeof *mask * 4096);
    s.good.y = at(mask), s.good.dropout = &test_dropout;
    EXPECT(t->dropout_count == 0, s.good, (void)c);
    EXPECT(1, s.good, c.training = NULL);
    EXPECT(1, s.good, c.place = c.training->dropout_count);
    EXPECT(1, s.good, c.place = SIZE_MAX);
    if (s.good.which == MASK) {
      EXPECT(1, s.good, c.y = NULL);
      EXPECT(1, s.good, c.y++);
      EXPECT(1, s.good, c.tokens = wraps);
    } else {
      EXPECT(1, s.good, c.column = SIZE_MAX);
    }
    free(mask);
  }
  s.good.dropout = NULL, s.good.references = &none;
  char *work = s.good.work;
  s.good.work = malloc(ffn_reference_grad_bytes(t));
  for (; s.good.which <= REFERENCE_TRAIN; s.good.which++) {
    EXPECT(0, s.good, (void)c);
    EXPECT(1, s.good, c.training = NULL);
    EXPECT(1, s.good, c.weights = NULL);
    EXPECT(1, s.good, c.work = NULL);
    EXPECT(1, s.good, c.work++);
    EXPECT(1, s.good, c.x = NULL);
    if (s.good.which == REFERENCE_TRAIN)
      continue;
    EXPECT(1, s.good, c.dy = NULL);
    EXPECT(1, s.good, c.references = NULL);
    EXPECT(1, s.good, c.references = &half);
  }
  free(s.good.work), free(half.dx.value);
  s.good.work = work;
  close_scene(&s);
}

/* Functions that say something of what they are given, say it of nothing, too. */
Test(gradient_misuse, nothing) {
  cr_assert(ffn_training_of(NULL) == NULL && ffn_all_trainings(NULL) != NULL);
  cr_assert(ffn_saved_bytes(NULL, 1) == 0 && ffn_train_work_bytes(NULL, 1) == 0);
  cr_assert(ffn_reference_grad_bytes(NULL) == 0);
}
