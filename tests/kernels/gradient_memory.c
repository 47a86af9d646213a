/* Training reads and writes what it declares and nothing else: every buffer ends, or begins, at a
 * page that may not be touched; and user memory may lie at any float. */
#include "support/each.h"
#include "support/guard.h"
#include "support/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A copy between guard pages that cannot be written. */
static test_guard copy_of(const void *values, size_t bytes, size_t alignment, test_side side) {
  const test_guard copy = test_guard_open(bytes, alignment, side);
  if (bytes)
    memcpy(copy.memory, values, bytes);
  test_guard_read_only(&copy);
  return copy;
}

/* Weights as the bits of their format give the packed bytes of floats, transposed ones as well. */
EACH_MODEL(gradient_memory, pack_bits, TEST_SMALL_LAYER, TEST_REALS, 37) {
  const ffn_training *t = ffn_training_of(kernel);
  test_guard bits[FFN_MAX_STAGES * FFN_MAX_BRANCHES] = {{0}};
  test_model given;
  if (!t || kernel->stages[0].source == FFN_SOURCE_F32)
    return;
  void *expected = test_pack_train(t, model);
  test_model_shape(&given, kernel);
  memcpy(given.weights.parameters, model->weights.parameters, sizeof given.weights.parameters);
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const ffn_source source = kernel->stages[matrix->stage].source;
    *given.matrices[m].linear = *matrix->linear;
    if (source == FFN_SOURCE_F32)
      continue;
    bits[m] = test_guard_open(matrix->outputs * matrix->inputs * sizeof(uint16_t), sizeof(uint16_t),
                              TEST_AT_END);
    given.matrices[m].linear->weight = bits[m].memory;
    given.matrices[m].linear->source = source;
  }
  test_unpack(kernel, &given, expected);
  void *packed = ffn_alloc(t->packed_bytes);
  memset(packed, 0x7f, t->packed_bytes);
  t->pack_train(packed, &given.weights);
  cr_assert(memcmp(packed, expected, t->packed_bytes) == 0, "%s: pack_train() of bits", t->name);
  for (size_t m = 0; m < model->matrix_count; m++)
    if (bits[m].memory)
      test_guard_close(&bits[m]);
  ffn_free(packed), ffn_free(expected);
}

/* Whatever lay in memory before, the results are these. */
static void walk(const test_model *model, const float *x, const float *dy, size_t tokens,
                 test_side side, const test_gradients *expected) {
  const ffn_kernel *kernel = model->kernel;
  const ffn_training *t = ffn_training_of(kernel);
  const size_t in = tokens * kernel->inputs * sizeof(float);
  const size_t out = tokens * kernel->outputs * sizeof(float);
  const test_guard packed = test_guard_open(t->packed_bytes, FFN_ALIGNMENT, side);
  t->pack_train(packed.memory, &model->weights);
  cr_assert(test_guard_intact(&packed), "%s: pack_train() writes beside packed", t->name);
  test_guard_read_only(&packed);
  const test_guard gx = copy_of(x, in, sizeof(float), side);
  const test_guard gdy = copy_of(dy, out, sizeof(float), side);
  const test_guard y = test_guard_open(out, sizeof(float), side);
  const test_guard saved = test_guard_open(ffn_saved_bytes(t, tokens), FFN_ALIGNMENT, side);
  const test_guard work = test_guard_open(ffn_train_work_bytes(t, 1), FFN_ALIGNMENT, side);
  ffn_run_train(t, y.memory, kernel->outputs, gx.memory, kernel->inputs, tokens, saved.memory,
                packed.memory, work.memory, &test_dropout, NULL);
  cr_assert(test_guard_intact(&y) && test_guard_intact(&saved) && test_guard_intact(&work),
            "%s: run_train() writes beside its buffers", t->name);
  test_guard_read_only(&saved);
  test_gradients gradients;
  test_guard guards[TEST_MOST_GRADIENTS];
  test_gradients_open(&gradients, model, tokens);
  for (size_t i = 0; i < gradients.count; i++) {
    guards[i] = test_guard_open(gradients.all[i].count * sizeof(float), sizeof(float), side);
    *gradients.all[i].where = guards[i].memory;
  }
  memset(work.memory, side == TEST_AT_START ? 0xff : 0x7f, ffn_train_work_bytes(t, 1));
  ffn_grad(t, &gradients.to, gdy.memory, kernel->outputs, gx.memory, kernel->inputs, tokens,
           saved.memory, packed.memory, work.memory, &test_dropout, NULL);
  cr_assert(test_guard_intact(&work), "%s: grad() writes beside work memory", t->name);
  for (size_t i = 0; i < gradients.count; i++) {
    cr_assert(test_guard_intact(&guards[i]), "%s: grad() writes beside %s", t->name,
              gradients.all[i].name);
    cr_assert(test_same(guards[i].memory, expected->all[i].values, gradients.all[i].count),
              "%s: %s depends on what lay in memory, or where", t->name, gradients.all[i].name);
    test_guard_close(&guards[i]);
  }
  test_gradients_close(&gradients);
  test_guard_close(&packed), test_guard_close(&gx), test_guard_close(&gdy), test_guard_close(&y);
  test_guard_close(&saved), test_guard_close(&work);
}

EACH_MODEL(gradient_memory, extents, TEST_SMALL, TEST_REALS, 91) {
  static const size_t batches[] = {1, 15, 130};
  const ffn_training *t = ffn_training_of(kernel);
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    const size_t tokens = batches[b], values = tokens * kernel->outputs;
    float *x = test_inputs(kernel, tokens, TEST_REALS, 92);
    float *dy = test_loss(kernel, tokens, TEST_REALS, 93), *y = test_memory(values * sizeof *y);
    void *packed = test_pack_train(t, model), *saved = test_saved(t, tokens);
    test_gradients expected;
    test_train(t, y, x, tokens, saved, packed, &test_dropout, NULL);
    test_gradients_open(&expected, model, tokens);
    test_grad(t, &expected.to, dy, x, tokens, saved, packed, &test_dropout, NULL);
    for (test_side side = TEST_AT_START; side <= TEST_AT_END; side++)
      walk(model, x, dy, tokens, side, &expected);
    test_gradients_close(&expected);
    free(x), free(dy), free(y), ffn_free(packed), ffn_free(saved);
  }
}

/* Rows of x and of dy that lie over each other, to the end of memory: the bits of copies. */
EACH_MODEL(gradient_memory, windows, TEST_SMALL, TEST_REALS, 97) {
  enum { TOKENS = 131 };
  const ffn_training *t = ffn_training_of(kernel);
  const size_t in = kernel->inputs, out = kernel->outputs;
  float *x = test_inputs(kernel, TOKENS, TEST_REALS, 98), *xs = test_memory(TOKENS * in * 4);
  float *dy = test_loss(kernel, TOKENS, TEST_REALS, 99), *dys = test_memory(TOKENS * out * 4);
  float *y = test_memory(TOKENS * out * 4), *expected_y = test_memory(TOKENS * out * 4);
  void *packed = test_pack_train(t, model), *saved = test_saved(t, TOKENS);
  void *work = ffn_alloc(ffn_train_work_bytes(t, 1));
  const size_t strides[][2] = {{0, 0}, {1, 1}, {in - 1, out - 1}};
  for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
    const size_t x_stride = strides[s][0], dy_stride = strides[s][1];
    for (size_t i = 0; i < TOKENS; i++) {
      memcpy(xs + i * in, x + i * x_stride, in * sizeof *x);
      memcpy(dys + i * out, dy + i * dy_stride, out * sizeof *dy);
    }
    const size_t x_bytes = ((TOKENS - 1) * x_stride + in) * sizeof *x;
    const size_t dy_bytes = ((TOKENS - 1) * dy_stride + out) * sizeof *dy;
    const test_guard gx = copy_of(x, x_bytes, sizeof(float), TEST_AT_END);
    const test_guard gdy = copy_of(dy, dy_bytes, sizeof(float), TEST_AT_END);
    test_gradients expected, given;
    test_gradients_open(&expected, model, TOKENS), test_gradients_open(&given, model, TOKENS);
    test_train(t, expected_y, xs, TOKENS, saved, packed, &test_dropout, NULL);
    test_grad(t, &expected.to, dys, xs, TOKENS, saved, packed, &test_dropout, NULL);
    ffn_run_train(t, y, out, gx.memory, x_stride, TOKENS, saved, packed, work, &test_dropout, NULL);
    ffn_grad(t, &given.to, gdy.memory, dy_stride, gx.memory, x_stride, TOKENS, saved, packed, work,
             &test_dropout, NULL);
    cr_assert(test_same(y, expected_y, TOKENS * out), "%s: windows %zu apart", t->name, x_stride);
    for (size_t g = 0; g < given.count; g++)
      cr_assert(test_same(given.all[g].values, expected.all[g].values, given.all[g].count),
                "%s: %s of windows %zu apart", t->name, given.all[g].name, x_stride);
    test_gradients_close(&expected), test_gradients_close(&given);
    test_guard_close(&gx), test_guard_close(&gdy);
  }
  free(x), free(xs), free(dy), free(dys), free(y), free(expected_y);
  ffn_free(packed), ffn_free(saved), ffn_free(work);
}

/* NaN in one row of dy stays in that row of dx, and comes out in all that sums over rows. */
EACH_MODEL(gradient_memory, nan_in_a_row, TEST_SMALL, TEST_REALS, 94) {
  enum { TOKENS = 19, ROW = 7 };
  const ffn_training *t = ffn_training_of(kernel);
  const size_t values = TOKENS * kernel->outputs;
  float *x = test_inputs(kernel, TOKENS, TEST_REALS, 95), *y = test_memory(values * sizeof *y);
  float *dy = test_loss(kernel, TOKENS, TEST_REALS, 96);
  void *packed = test_pack_train(t, model), *saved = test_saved(t, TOKENS);
  test_train(t, y, x, TOKENS, saved, packed, &test_dropout, NULL);
  test_gradients clean, stained;
  test_gradients_open(&clean, model, TOKENS), test_gradients_open(&stained, model, TOKENS);
  test_grad(t, &clean.to, dy, x, TOKENS, saved, packed, &test_dropout, NULL);
  for (size_t o = 0; o < kernel->outputs; o++)
    dy[ROW * kernel->outputs + o] = NAN;
  test_grad(t, &stained.to, dy, x, TOKENS, saved, packed, &test_dropout, NULL);
  for (size_t row = 0; row < TOKENS; row++)
    for (size_t k = 0; k < kernel->inputs; k++) {
      const float value = stained.all[0].values[row * kernel->inputs + k];
      cr_assert(row == ROW ? isnan(value)
                           : test_same(&value, &clean.all[0].values[row * kernel->inputs + k], 1),
                "%s: dx of row %zu is %g", t->name, row, (double)value);
    }
  for (size_t g = 1; g < stained.count; g++)
    for (size_t i = 0; i < stained.all[g].count; i++)
      cr_assert(isnan(stained.all[g].values[i]), "%s: value %zu of %s loses a NaN", t->name, i,
                stained.all[g].name);
  test_gradients_close(&clean), test_gradients_close(&stained);
  free(x), free(dy), free(y), ffn_free(packed), ffn_free(saved);
}

/* Sizes that overflow are refused by ffn_alloc(); every kernel here has its training. */
Test(gradient_memory, sizes) {
  size_t count;
  const ffn_training *const *all = ffn_all_trainings(&count);
  cr_assert(count > 0 && all[count] == NULL && ffn_training_of(NULL) == NULL);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const ffn_training *t = ffn_training_of(*k);
    const size_t length = strlen((*k)->name);
    cr_assert(t && t->isa == (*k)->isa && strcmp(t->layer, (*k)->layer) == 0 &&
                  strncmp(t->name, (*k)->name, length) == 0 &&
                  strcmp(t->name + length, "_train") == 0,
              "%s has no training of its own", (*k)->name);
    cr_assert(t->inputs == (*k)->inputs && t->outputs == (*k)->outputs &&
              t->stage_count == (*k)->stage_count);
    const size_t headers = t->saved_row_bytes > 0 ? FFN_SAVED_HEADER : 0, block = FFN_TOKEN_BLOCK;
    cr_assert(ffn_saved_bytes(t, 0) == 0 &&
              ffn_saved_bytes(t, 3) == 3 * t->saved_row_bytes + headers &&
              ffn_saved_bytes(t, block) == block * t->saved_row_bytes + headers &&
              ffn_saved_bytes(t, block + 1) == (block + 1) * t->saved_row_bytes + 2 * headers);
    cr_assert(t->saved_row_bytes % FFN_ALIGNMENT == 0);
    cr_assert(t->saved_row_bytes == 0 || ffn_saved_bytes(t, SIZE_MAX / 2) == SIZE_MAX);
    cr_assert(ffn_train_work_bytes(t, 0) == ffn_train_work_bytes(t, 1) &&
              ffn_train_work_bytes(t, 5) - ffn_train_work_bytes(t, 2) == 3 * t->thread_bytes);
    cr_assert(ffn_train_work_bytes(t, SIZE_MAX / 2) == SIZE_MAX);
  }
}
