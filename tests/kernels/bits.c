/* A row of y has the same bits whatever the instruction set, the batch it rides in, the alignment
 * of x and y, and what ran before. Threads are in threads.c. */
#include "support/each.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 67 };

/* 1 to 67 where that is affordable, else a few on both sides of what tiles are made of. */
static size_t next_batch(const ffn_kernel *kernel, size_t batch) {
  static const size_t few[] = {1, 2, 3, 5, 6, 7, 12, 13, 16, 17, 24, 25, 48, 49, MOST};
  if (test_tokens(kernel, 4e8, 0, MOST * MOST) == MOST * MOST)
    return batch + 1;
  size_t i = 0;
  while (i < sizeof few / sizeof *few && few[i] <= batch)
    i++;
  return i < sizeof few / sizeof *few ? few[i] : MOST + 1;
}

EACH_KERNEL(bits, instruction_sets, TEST_SMALL) {
  const ffn_kernel *base = test_base(kernel);
  for (test_fill fill = TEST_REALS; fill <= TEST_WIDE; fill++) {
    const size_t tokens = test_tokens(kernel, 2e8, 3, 97);
    test_model model;
    test_model_open(&model, base, fill, 11);
    test_model_pack(&model);
    void *packed = ffn_alloc(kernel->packed_bytes);
    memset(packed, 0x7f, kernel->packed_bytes);
    kernel->pack(packed, &model.weights);
    cr_assert(kernel->packed_bytes == base->packed_bytes &&
                  memcmp(packed, model.packed, base->packed_bytes) == 0,
              "%s packs otherwise than %s", kernel->name, base->name);
    float *x = test_inputs(kernel, tokens, fill, 12);
    float *expected = test_outputs(base, x, tokens, model.packed);
    float *y = test_outputs(kernel, x, tokens, packed);
    cr_assert(test_same(y, expected, tokens * kernel->outputs), "%s has other bits than %s",
              kernel->name, base->name);
    free(x), free(expected), free(y);
    ffn_free(packed);
    test_model_close(&model);
  }
}

EACH_MODEL(bits, batches, TEST_SMALL, TEST_REALS, 13) {
  const size_t row = kernel->outputs;
  float *x = test_inputs(kernel, MOST, TEST_REALS, 14);
  float *all = test_outputs(kernel, x, MOST, model->packed);
  for (size_t batch = 1; batch <= MOST; batch = next_batch(kernel, batch)) {
    const size_t first = (batch * 31) % (MOST - batch + 1);
    float *y = test_outputs(kernel, x + first * kernel->inputs, batch, model->packed);
    for (size_t t = 0; t < batch; t++)
      cr_assert(test_same(y + t * row, all + (first + t) * row, row),
                "%s: row %zu has other bits in a batch of %zu than in one of %d", kernel->name,
                first + t, batch, (int)MOST);
    free(y);
  }
  free(x), free(all);
}

EACH_MODEL(bits, alignments, TEST_SMALL, TEST_REALS, 15) {
  enum { PLACES = FFN_ALIGNMENT / sizeof(float) };
  const size_t tokens = 3, in = tokens * kernel->inputs, out = tokens * kernel->outputs;
  float *x = test_inputs(kernel, tokens, TEST_REALS, 16);
  float *expected = test_outputs(kernel, x, tokens, model->packed);
  float *shifted_x = ffn_alloc((in + PLACES) * sizeof(float));
  float *shifted_y = ffn_alloc((out + PLACES) * sizeof(float));
  const size_t bytes = ffn_work_bytes(kernel, 1, tokens);
  void *work = ffn_alloc(bytes);
  const int full = test_tokens(kernel, 1e9, 0, 1000) == 1000;
  /* All pairs for small kernels; each place of x and of y for the others. Work is not cleared. */
  for (size_t pair = 0; pair < (full ? PLACES * PLACES : PLACES); pair++) {
    const size_t x_at = pair % PLACES, y_at = full ? pair / PLACES : (7 * pair + 3) % PLACES;
    memcpy(shifted_x + x_at, x, in * sizeof(float));
    memset(shifted_y, 0xff, (out + PLACES) * sizeof(float));
    ffn_run(kernel, shifted_y + y_at, kernel->outputs, shifted_x + x_at, kernel->inputs, tokens,
            model->packed, work, bytes, NULL);
    cr_assert(test_same(shifted_y + y_at, expected, out),
              "%s has other bits with x at byte %zu and y at byte %zu of 64", kernel->name,
              x_at * sizeof(float), y_at * sizeof(float));
  }
  ffn_free(work), ffn_free(shifted_x), ffn_free(shifted_y);
  free(x), free(expected);
}

EACH_KERNEL(bits, packing, TEST_SMALL_LAYER) {
  test_model model, back;
  test_model_open(&model, kernel, TEST_WIDE, 17);
  test_model_pack(&model);
  test_model_open(&back, kernel, TEST_INTEGERS, 18);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (strcmp((*k)->layer, kernel->layer) != 0 || !test_runs_here(*k))
      continue;
    cr_assert(ffn_packed_fits(*k, model.packed));
    test_model_fill(&back, TEST_INTEGERS, 18);
    memset(back.weights.parameters, 0, sizeof back.weights.parameters);
    test_unpack(*k, &back, model.packed);
    for (size_t m = 0; m < model.matrix_count; m++) {
      const test_matrix *a = &model.matrices[m], *b = &back.matrices[m];
      cr_assert(memcmp(a->linear->weight, b->linear->weight, test_matrix_bytes(a)) == 0,
                "%s: matrix %zu comes back changed", (*k)->name, m);
      cr_assert(!a->bias || memcmp(a->bias, b->bias, a->outputs * sizeof(float)) == 0,
                "%s: bias %zu comes back changed", (*k)->name, m);
    }
    cr_assert(
        test_same(back.weights.parameters, model.weights.parameters, kernel->runtime_parameters),
        "%s: the parameters come back as others", (*k)->name);
  }
  /* NULL matrices are left out. */
  test_model none;
  test_model_shape(&none, kernel);
  test_unpack(kernel, &none, model.packed);
  test_model_close(&model), test_model_close(&back);
}

/* Rows that lie apart, in the rows of a larger matrix, are packed as dense ones, and come back. */
EACH_MODEL(bits, strides, TEST_SMALL_LAYER, TEST_REALS, 64) {
  const size_t gap = 3;
  test_model apart;
  char *rows[FFN_MAX_STAGES * FFN_MAX_BRANCHES];
  test_model_pack(model);
  test_model_shape(&apart, kernel);
  memcpy(apart.weights.parameters, model->weights.parameters, sizeof apart.weights.parameters);
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const size_t row = ffn_source_row(matrix->linear->source, matrix->inputs);
    const size_t width = row + gap * ffn_source_block(matrix->linear->source).align;
    rows[m] = test_memory(matrix->outputs * width);
    memset(rows[m], 0xff, matrix->outputs * width); /* NaN, where it is read as a float */
    for (size_t o = 0; o < matrix->outputs; o++)
      memcpy(rows[m] + o * width, (const char *)matrix->linear->weight + o * row, row);
    *apart.matrices[m].linear = *matrix->linear;
    apart.matrices[m].linear->weight = rows[m];
    apart.matrices[m].linear->row_bytes = width;
  }
  void *packed = ffn_alloc(kernel->packed_bytes);
  memset(packed, 0x7f, kernel->packed_bytes);
  cr_assert(ffn_weights_problem(kernel, &apart.weights) == NULL);
  kernel->pack(packed, &apart.weights);
  cr_assert(memcmp(packed, model->packed, kernel->packed_bytes) == 0, "%s: rows apart",
            kernel->name);
  const size_t tokens = 3;
  float *x = test_inputs(kernel, tokens, TEST_REALS, 65);
  double *y = test_memory(2 * tokens * kernel->outputs * sizeof *y);
  test_reference(model, y, NULL, x, tokens);
  test_reference(&apart, y + tokens * kernel->outputs, NULL, x, tokens);
  cr_assert(memcmp(y, y + tokens * kernel->outputs, tokens * kernel->outputs * sizeof *y) == 0,
            "%s: the reference of rows apart", kernel->name);
  free(x), free(y);
  for (size_t m = 0; m < model->matrix_count; m++)
    for (size_t o = 0; o < model->matrices[m].outputs; o++)
      memset(rows[m] + o * apart.matrices[m].linear->row_bytes, 0,
             ffn_source_row(model->matrices[m].linear->source, model->matrices[m].inputs));
  test_unpack(kernel, &apart, packed);
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const size_t bytes = ffn_source_row(matrix->linear->source, matrix->inputs);
    const size_t width = apart.matrices[m].linear->row_bytes;
    for (size_t o = 0; o < matrix->outputs; o++) {
      const char *row = rows[m] + o * width;
      cr_assert(memcmp(row, (const char *)matrix->linear->weight + o * bytes, bytes) == 0,
                "%s: row %zu of matrix %zu comes back changed", kernel->name, o, m);
      for (size_t i = bytes; i < width; i++)
        cr_assert((unsigned char)row[i] == 0xff, "%s: unpack() writes between rows", kernel->name);
    }
    free(rows[m]);
  }
  ffn_free(packed);
}
