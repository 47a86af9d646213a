#include "model.h"
#include "blocks.h"
#include "kernels.h"
#include "rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void test_model_shape(test_model *model, const ffn_kernel *kernel) {
  memset(model, 0, sizeof *model);
  model->kernel = kernel;
  for (size_t i = 0; i < FFN_MAX_PARAMETERS; i++)
    model->weights.parameters[i] = 1.25f - 0.125f * (float)i;
  model->weights.chain = model->chain;
  for (size_t s = 0; s < kernel->stage_count; s++)
    for (size_t b = 0; b < kernel->stages[s].branches; b++)
      model->matrices[model->matrix_count++] = (test_matrix){
          /* It lies in the model, which is no constant. */
          .linear =
              (ffn_linear *)(uintptr_t)ffn_stage_linear(kernel->stages, &model->weights, s, b),
          .outputs = kernel->stages[s].outputs,
          .inputs = kernel->stages[s].inputs,
          .stage = s,
      };
}

/* scale is for reals, `length` (of the sum they are for) thins integers out. */
static float value(test_fill fill, uint64_t stream, size_t i, float scale, size_t length) {
  switch (fill) {
  case TEST_REALS:
    break;
  case TEST_WIDE:
    return scale * test_uniform(stream, i) *
           ldexpf(1, (int)test_below(stream ^ 0xabcd, i, 33) - 24);
  case TEST_TIES: {
    const uint64_t choice = test_below(stream, i, 4);
    return (choice & 1 ? 0x1.001p0f : 0x1p-60f) * (choice & 2 ? 1.0f : -1.0f);
  }
  case TEST_INTEGERS:
    if (length > 24 && test_below(stream ^ 0x1234, i, length) >= 24)
      return 0;
    return (float)test_below(stream, i, 5) - 2;
  case TEST_FILL_COUNT:
    abort();
  }
  return scale * test_uniform(stream, i);
}

size_t test_matrix_bytes(const test_matrix *matrix) {
  return matrix->outputs * ffn_source_row(matrix->linear->source, matrix->inputs);
}

/* Of scales and of zeros as many. */
static size_t scales_of(const test_matrix *matrix) {
  const ffn_block_size block = ffn_source_block(matrix->linear->source);
  return ffn_matrix_scales(block, matrix->linear->scale_rows, matrix->outputs, matrix->inputs);
}

size_t test_scales_bytes(const test_matrix *matrix) {
  return scales_of(matrix) * ffn_source_block(matrix->linear->source).scale;
}

size_t test_zeros_bytes(const test_matrix *matrix) {
  return scales_of(matrix) * ffn_source_block(matrix->linear->source).zero;
}

static void fill_blocks(const test_matrix *matrix, uint64_t stream) {
  const ffn_source source = matrix->linear->source;
  test_blocks_fill(source, matrix->own, test_matrix_bytes(matrix), matrix->inputs, stream);
  if (matrix->scales)
    test_scales_fill(source, matrix->scales, scales_of(matrix), matrix->inputs, stream);
  for (size_t i = 0; matrix->zeros && i < test_zeros_bytes(matrix); i++)
    matrix->zeros[i] = (unsigned char)test_below(stream ^ 0x71, i, 16);
}

void test_model_fill(test_model *model, test_fill fill, uint64_t seed) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const uint64_t stream = seed * 64 + 2 * m;
    const float scale = sqrtf(3 / (float)matrix->inputs);
    const ffn_stage *stage = &model->kernel->stages[matrix->stage];
    /* Some values are clipped; integers are not, and stay what they are. */
    if (stage->operand_scale)
      matrix->linear->operand_scale = fill == TEST_INTEGERS ? 1 : 1.8f / 127;
    for (size_t i = 0; i < matrix->outputs * matrix->inputs; i++)
      matrix->weight[i] = value(fill, stream + 1, i, scale, matrix->inputs);
    if (matrix->own)
      fill_blocks(matrix, stream + 1);
    /* As the kernel stores them, so that they come back as they are. */
    for (size_t o = 0; stage->source != FFN_SOURCE_F32 && o < matrix->outputs; o++)
      ffn_linear_values(stage, matrix->linear, o, matrix->weight + o * matrix->inputs);
    for (size_t o = 0; matrix->bias && o < matrix->outputs; o++)
      matrix->bias[o] = value(fill, stream + 2, o, 1, 1);
  }
}

void test_model_open(test_model *model, const ffn_kernel *kernel, test_fill fill, uint64_t seed) {
  test_model_shape(model, kernel);
  for (size_t m = 0; m < model->matrix_count; m++) {
    test_matrix *matrix = &model->matrices[m];
    matrix->weight = test_memory(matrix->outputs * matrix->inputs * sizeof(float));
    if (kernel->stages[matrix->stage].bias)
      matrix->bias = test_memory(matrix->outputs * sizeof(float));
    *matrix->linear = (ffn_linear){.weight = matrix->weight, .bias = matrix->bias};
    if (test_is_blocks(kernel->stages[matrix->stage].source)) {
      matrix->linear->source = kernel->stages[matrix->stage].source;
      matrix->linear->weight = matrix->own = test_memory(test_matrix_bytes(matrix));
      matrix->linear->scale_rows = test_scale_rows(matrix->linear->source);
      if (test_scales_bytes(matrix) > 0)
        matrix->linear->scales = matrix->scales = test_memory(test_scales_bytes(matrix));
      if (test_zeros_bytes(matrix) > 0)
        matrix->linear->zeros = matrix->zeros = test_memory(test_zeros_bytes(matrix));
    }
  }
  test_model_fill(model, fill, seed);
}

void test_model_pack(test_model *model) {
  const ffn_kernel *kernel = model->kernel;
  if (!model->packed && !(model->packed = ffn_alloc(kernel->packed_bytes)))
    abort();
  test_poison(model->packed, kernel->packed_bytes);
  kernel->pack(model->packed, &model->weights);
}

void test_unpack(const ffn_kernel *kernel, test_model *into, const void *packed) {
  ffn_unpacked_linear chain[FFN_MAX_STAGES] = {{0}};
  ffn_unpacked to = {.chain = chain};
  for (size_t m = 0; m < into->matrix_count; m++) {
    const ffn_linear *linear = into->matrices[m].linear;
    const ffn_weights *weights = &into->weights;
    ffn_unpacked_linear *place = linear == &weights->gate   ? &to.gate
                                 : linear == &weights->up   ? &to.up
                                 : linear == &weights->down ? &to.down
                                                            : &chain[linear - into->chain];
    /* Whoever hung it there may write to it. */
    *place = (ffn_unpacked_linear){.weight = (void *)(uintptr_t)linear->weight,
                                   .bias = (float *)(uintptr_t)linear->bias,
                                   .source = linear->source,
                                   .row_bytes = linear->row_bytes,
                                   .scales = (void *)(uintptr_t)linear->scales,
                                   .zeros = (void *)(uintptr_t)linear->zeros,
                                   .scale_rows = linear->scale_rows,
                                   .operand_scale = &into->matrices[m].linear->operand_scale};
  }
  kernel->unpack(&to, packed);
  memcpy(into->weights.parameters, to.parameters, sizeof to.parameters);
}

void test_model_close(test_model *model) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    free(model->matrices[m].weight);
    free(model->matrices[m].own);
    free(model->matrices[m].scales);
    free(model->matrices[m].zeros);
    free(model->matrices[m].bias);
  }
  ffn_free(model->packed);
}

float *test_inputs(const ffn_kernel *kernel, size_t tokens, test_fill fill, uint64_t seed) {
  float *x = test_memory(tokens * kernel->inputs * sizeof(float));
  for (size_t i = 0; i < tokens * kernel->inputs; i++)
    x[i] = value(fill, seed * 64, i, 2, 1);
  return x;
}

void test_run(const ffn_kernel *kernel, float *y, const float *x, size_t tokens,
              const void *packed) {
  const size_t bytes = ffn_work_bytes(kernel, 1, tokens);
  void *work = ffn_alloc(bytes ? bytes : 1);
  if (!work)
    abort();
  test_poison(work, bytes);
  ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, tokens, packed, work, bytes, NULL);
  ffn_free(work);
}

float *test_outputs(const ffn_kernel *kernel, const float *x, size_t tokens, const void *packed) {
  float *y = test_memory(tokens * kernel->outputs * sizeof(float));
  test_poison(y, tokens * kernel->outputs * sizeof(float));
  test_run(kernel, y, x, tokens, packed);
  return y;
}

void test_reference(const test_model *model, double *y, double *bound, const float *x,
                    size_t tokens) {
  void *scratch = test_memory(ffn_reference_bytes(model->kernel));
  ffn_reference(model->kernel, y, bound, x, model->kernel->inputs, tokens, &model->weights,
                scratch);
  free(scratch);
}
