#define _GNU_SOURCE
#include "hostile.h"
#include "blocks.h"
#include "kernels.h"
#include "rng.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t fuzz_seed;
static uint64_t drawn;

size_t fuzz_below(size_t count) { return (size_t)test_below(fuzz_seed, drawn++, count); }

fuzz_area fuzz_area_open(size_t bytes, size_t alignment) {
  fuzz_area a = {.block = NULL};
  const size_t how = fuzz_below(3);
  if (how < 2) {
    a.guard = test_guard_open(bytes, alignment, how == 0 ? TEST_AT_START : TEST_AT_END);
    a.memory = a.guard.memory;
    return a;
  }
  const size_t ahead = alignment < FFN_ALIGNMENT ? fuzz_below(16) * alignment : 0;
  void *block;
  if (posix_memalign(&block, FFN_ALIGNMENT, ahead + bytes + !(ahead + bytes)) != 0)
    abort();
  a.block = block;
  a.memory = memset(a.block + ahead, 0xff, bytes);
  return a;
}

void fuzz_area_read_only(const fuzz_area *a) {
  if (!a->block)
    test_guard_read_only(&a->guard);
}

int fuzz_area_close(const fuzz_area *a) {
  const int intact = a->block || test_guard_intact(&a->guard);
  if (a->block)
    free(a->block);
  else
    test_guard_close(&a->guard);
  return intact;
}

typedef enum fill { REALS, WIDE, ZEROS, TINY, HUGE_VALUES, SPECIALS, ONE_VALUE, BITS, FILLS } fill;

static float special(size_t i) {
  static const float values[] = {0.0f,       -0.0f,     INFINITY, -INFINITY, NAN,   FLT_MAX,
                                 -FLT_MAX,   FLT_MIN,   -FLT_MIN, 0x1p-149f, 1.0f,  -1.0f,
                                 -0x1p-149f, 0x1p-126f, 88.0f,    -104.0f,   1e20f, -1e-20f};
  return values[i % (sizeof values / sizeof *values)];
}

static float value(fill how, uint64_t stream, size_t i, float scale) {
  const uint64_t other = test_random(stream ^ 0x5555, i);
  const float real = test_uniform(stream, i);
  switch (how) {
  case WIDE:
    return scale * real * ldexpf(1, (int)(other % 33) - 24);
  case ZEROS:
    return other % 4 ? (other & 64 ? 0.0f : -0.0f) : scale * real;
  case TINY:
    return real * ldexpf(1, -120 - (int)(other % 30));
  case HUGE_VALUES:
    return real * ldexpf(1, 20 + (int)(other % 108));
  case SPECIALS:
    return other % 16 ? scale * real : special(other >> 8);
  case ONE_VALUE:
    return special(stream);
  case BITS:
    return test_float((uint32_t)other);
  case REALS:
  case FILLS:
    break;
  }
  return scale * real;
}

void fuzz_put(float *values, size_t count, float scale, int tame) {
  const fill how = (fill)(tame || fuzz_below(2) ? fuzz_below(TINY) : fuzz_below(FILLS));
  const uint64_t stream = test_random(fuzz_seed, drawn++);
  for (size_t i = 0; i < count; i++)
    values[i] = value(how, stream, i, scale);
}

int fuzz_fail(const ffn_kernel *kernel, const char *what) {
  printf("%s: %s\n", kernel->name, what);
  return 0;
}

/* Bytes of any value, but for f32 scales so small that pack() refuses them. */
static void put_bytes(unsigned char *bytes, size_t count) {
  const uint64_t stream = test_random(fuzz_seed, drawn++);
  for (size_t i = 0; bytes && i < count; i++)
    bytes[i] = (unsigned char)test_below(stream, i, 256);
}

static void put_scales(const test_matrix *matrix) {
  const size_t bytes = test_scales_bytes(matrix);
  put_bytes(matrix->scales, bytes);
  for (size_t at = 0; test_scale_of(matrix->linear->source) == TEST_SCALE_F32 && at < bytes;
       at += sizeof(float)) {
    float scale;
    memcpy(&scale, matrix->scales + at, sizeof scale);
    if (fabsf(scale) < 0x1p-100f)
      memset(matrix->scales + at, 0, sizeof scale);
  }
}

void fuzz_model_open(test_model *model, const ffn_kernel *kernel, int tame) {
  static const float betas[] = {1.25f, 0.0f, -2.0f, 0.5f, 1.0f, 0x1p-30f, 30.0f};
  test_model_open(model, kernel, TEST_REALS, fuzz_seed);
  for (size_t i = 0; i < FFN_MAX_PARAMETERS; i++)
    model->weights.parameters[i] = betas[fuzz_below(sizeof betas / sizeof *betas)];
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const ffn_stage *stage = &kernel->stages[matrix->stage];
    fuzz_put(matrix->weight, matrix->outputs * matrix->inputs, sqrtf(3 / (float)matrix->inputs),
             tame);
    if (matrix->own && !tame && fuzz_below(2)) {
      put_bytes(matrix->own, test_matrix_bytes(matrix));
      put_scales(matrix);
    }
    /* As they are stored, so that they come back as they are. */
    for (size_t o = 0; stage->source != FFN_SOURCE_F32 && o < matrix->outputs; o++)
      ffn_linear_values(stage, matrix->linear, o, matrix->weight + o * matrix->inputs);
    if (matrix->bias)
      fuzz_put(matrix->bias, matrix->outputs, 1, tame);
  }
  test_model_pack(model);
}
