#include "training.h"
#include "kernels.h"
#include "rng.h"

#include <stdio.h>
#include <stdlib.h>

/* Tokens from just below 2^32 on, in numbers that do not fit into 32 bits. */
const ffn_dropout test_dropout = {
    .seed = UINT64_C(0x0123456789abcdef), .first_token = 0xfffffff0u, .layer = 7, .step = 1000};

static void add(test_gradients *g, const char *kind, size_t index, float **where, size_t count) {
  test_gradient *one = &g->all[g->count++];
  snprintf(one->name, sizeof one->name, "%s %zu", kind, index);
  one->where = where;
  one->count = count;
  one->values = test_memory((count ? count : 1) * sizeof(float));
  test_poison(one->values, count * sizeof(float));
  *where = one->values;
}

static ffn_linear_gradient *linear_of(test_gradients *g, const test_matrix *matrix) {
  const ffn_weights *weights = &g->model->weights;
  if (matrix->linear == &weights->gate)
    return &g->to.gate;
  if (matrix->linear == &weights->up)
    return &g->to.up;
  if (matrix->linear == &weights->down)
    return &g->to.down;
  return &g->chain[matrix->stage];
}

void test_gradients_open(test_gradients *g, const test_model *model, size_t tokens) {
  *g = (test_gradients){.model = model, .tokens = tokens};
  g->to.chain = g->chain;
  g->to.dx_stride = model->kernel->inputs;
  add(g, "dx", 0, &g->to.dx, tokens * model->kernel->inputs);
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    ffn_linear_gradient *linear = linear_of(g, matrix);
    add(g, "matrix", m, &linear->weight, matrix->outputs * matrix->inputs);
    if (matrix->bias)
      add(g, "bias", m, &linear->bias, matrix->outputs);
  }
  if (model->kernel->runtime_parameters)
    add(g, "parameters", 0, &g->to.parameters, model->kernel->runtime_parameters);
}

void test_gradients_close(test_gradients *g) {
  for (size_t i = 0; i < g->count; i++)
    free(g->all[i].values);
}

void test_references_open(test_references *references, const test_gradients *g,
                          const ffn_training *training, const float *dy, const float *x,
                          const ffn_dropout *dropout) {
  const test_model *model = g->model;
  const ffn_weights *weights = &model->weights;
  ffn_reference_linear chain[FFN_MAX_STAGES] = {{{NULL, NULL}, {NULL, NULL}}};
  ffn_reference_gradients to = {.chain = chain};
  references->count = g->count;
  for (size_t i = 0; i < g->count; i++) {
    const size_t bytes = (g->all[i].count + 1) * sizeof(double);
    references->all[i] = (ffn_reference_array){test_memory(bytes), test_memory(bytes)};
  }
  to.dx = references->all[0];
  for (size_t m = 0, i = 1; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    ffn_reference_linear *linear = matrix->linear == &weights->gate   ? &to.gate
                                   : matrix->linear == &weights->up   ? &to.up
                                   : matrix->linear == &weights->down ? &to.down
                                                                      : &chain[matrix->stage];
    linear->weight = references->all[i++];
    if (matrix->bias)
      linear->bias = references->all[i++];
  }
  if (model->kernel->runtime_parameters)
    to.parameters = references->all[g->count - 1];
  void *scratch = test_memory(ffn_reference_grad_bytes(training));
  ffn_reference_grad(training, &to, dy, training->outputs, x, training->inputs, g->tokens, weights,
                     dropout, scratch);
  free(scratch);
}

void test_references_close(test_references *references) {
  for (size_t i = 0; i < references->count; i++)
    free(references->all[i].value), free(references->all[i].bound);
}

/* Work memory for the threads, poisoned. */
static void *work_for(const ffn_training *training, const ffn_parallel *parallel) {
  const size_t bytes = ffn_train_work_bytes(training, parallel ? parallel->threads : 1);
  void *work = ffn_alloc(bytes);
  if (!work)
    abort();
  test_poison(work, bytes);
  return work;
}

void test_train(const ffn_training *training, float *y, const float *x, size_t tokens, void *saved,
                const void *packed, const ffn_dropout *dropout, const ffn_parallel *parallel) {
  void *work = work_for(training, parallel);
  ffn_run_train(training, y, training->outputs, x, training->inputs, tokens, saved, packed, work,
                dropout, parallel);
  ffn_free(work);
}

void test_grad(const ffn_training *training, const ffn_gradients *to, const float *dy,
               const float *x, size_t tokens, const void *saved, const void *packed,
               const ffn_dropout *dropout, const ffn_parallel *parallel) {
  void *work = work_for(training, parallel);
  ffn_grad(training, to, dy, training->outputs, x, training->inputs, tokens, saved, packed, work,
           dropout, parallel);
  ffn_free(work);
}

float *test_loss(const ffn_kernel *kernel, size_t tokens, test_fill fill, uint64_t seed) {
  const size_t values = tokens * kernel->outputs;
  float *dy = test_memory(values * sizeof *dy);
  for (size_t i = 0; i < values; i++)
    dy[i] = fill == TEST_INTEGERS ? (float)test_below(seed, i, 5) - 2 : test_uniform(seed, i);
  return dy;
}

void *test_pack_train(const ffn_training *training, const test_model *model) {
  void *packed = ffn_alloc(training->packed_bytes);
  if (!packed)
    abort();
  test_poison(packed, training->packed_bytes);
  training->pack_train(packed, &model->weights);
  return packed;
}

void *test_saved(const ffn_training *training, size_t tokens) {
  const size_t bytes = ffn_saved_bytes(training, tokens) + FFN_ALIGNMENT;
  void *saved = ffn_alloc(bytes);
  if (!saved)
    abort();
  test_poison(saved, bytes);
  return saved;
}
