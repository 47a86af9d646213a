/* y += scale * layer(x) is run() and one fused multiply-add for each output, on every instruction
 * set, for any batch, stride and number of threads; and y may be x where a kernel says so. */
#include "kernel.h"
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 229, GAP = 3 };
static const float scale = -0.3f;
static const double most_flop = 4e7;

/* What is there before. */
static float old(size_t i) { return (float)(i * 37 % 101) / 16 - 3; }

/* Also what rounds, cancels and compares in its own way: zeros of both signs, the smallest and the
 * largest floats, infinities, NaN. */
static float any_old(size_t i) {
  static const float odd[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 0x1p-149f, FLT_MAX, -FLT_MAX};
  return i % 5 == 0 ? odd[i / 5 % (sizeof odd / sizeof *odd)] : old(i);
}

/* The two steps, one after the other. */
static float sum_of(float before, float result) { return fmaf(scale, result, before); }

/* A call on some threads in memory of exactly its size; rows of y and what lies between them. */
static void check_batch(const ffn_kernel *kernel, const test_model *model, const float *x,
                        const float *results, size_t tokens, size_t gap,
                        const ffn_parallel *parallel) {
  const size_t in = kernel->inputs, out = kernel->outputs, stride = out + gap;
  const size_t floats = (tokens - 1) * stride + out;
  const size_t bytes = ffn_work_bytes(kernel, parallel ? parallel->threads : 1, tokens);
  const test_guard y = test_guard_open(floats * sizeof(float), sizeof(float), TEST_AT_END);
  const test_guard work = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_END);
  float *values = y.memory;
  for (size_t i = 0; i < floats; i++)
    values[i] = any_old(i);
  memset(work.memory, 0xff, bytes);
  ffn_add(kernel, values, stride, scale, x, in, tokens, model->packed, work.memory, bytes,
          parallel);
  for (size_t i = 0; i < floats; i++) {
    const size_t row = i / stride, column = i % stride;
    const float wanted =
        column < out ? sum_of(any_old(i), results[row * out + column]) : any_old(i);
    cr_assert(test_same(&values[i], &wanted, 1), "%s: column %zu of row %zu of %zu, gap %zu",
              kernel->name, column, row, tokens, gap);
  }
  cr_assert(test_guard_intact(&y) && test_guard_intact(&work), "%s", kernel->name);
  test_guard_close(&y), test_guard_close(&work);
}

EACH_MODEL(add, bits, TEST_SMALL, TEST_REALS, 81) {
  static const size_t batches[] = {1, 2, 3, 5, 7, 17, 34, 97, MOST};
  const size_t most = test_tokens(kernel, most_flop, 5, MOST);
  float *x = test_inputs(kernel, most, TEST_REALS, 82);
  float *results = test_outputs(kernel, x, most, model->packed);
  test_pool *pool = test_pool_open(0, TEST_ORDER_SHUFFLE);
  for (size_t b = 0; b < sizeof batches / sizeof *batches && batches[b] <= most; b++)
    for (size_t threads = 1; threads <= 7; threads += 3) {
      const ffn_parallel parallel = test_pool_parallel(pool, threads);
      check_batch(kernel, model, x, results, batches[b], b % 2 ? GAP : 0,
                  threads > 1 ? &parallel : NULL);
    }
  test_pool_close(pool);
  free(x), free(results);
}

static char rows_taken[64];

static void note_rows(const ffn_walk *walk, void *work, size_t first, size_t last) {
  (void)walk, (void)work;
  rows_taken[strlen(rows_taken)] = (char)('0' + last - first);
}

static void note_nothing(float *y, const float *row, size_t count, float by) {
  (void)y, (void)row, (void)count, (void)by;
}

/* Whole rows are added as many at a time as there is a function for: 8, or 4 and fewer. */
Test(add, whole_rows) {
  static const struct {
    size_t most, rows;
    const char *parts;
  } cases[] = {{8, 23, "8843"}, {8, 6, "42"}, {8, 3, "3"},
               {4, 9, "441"},   {3, 5, "32"}, {1, 3, "111"}};
  float work[16] = {0}, y[32] = {0}, by = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const ffn_pass pass = {
        .rows = note_rows, .rows_per_walk = cases[i].most, .add_row = note_nothing};
    const ffn_call call = {.x = y, .y = y, .scale = &by};
    const ffn_walk walk = {.pass = &pass, .call = &call};
    memset(rows_taken, 0, sizeof rows_taken);
    ffn_add_whole(&walk, work, 0, cases[i].rows);
    cr_assert(strcmp(rows_taken, cases[i].parts) == 0, "%zu rows, %zu at a time: %s", cases[i].rows,
              cases[i].most, rows_taken);
  }
}

EACH_MODEL(add, in_place, TEST_SMALL, TEST_REALS, 83) {
  const size_t in = kernel->inputs, out = kernel->outputs, stride = (in > out ? in : out) + GAP;
  const size_t tokens = test_tokens(kernel, most_flop, 5, 33);
  if (!kernel->in_place)
    cr_skip_test("%s writes where it still reads", kernel->name);
  float *x = test_inputs(kernel, tokens, TEST_REALS, 84);
  float *results = test_outputs(kernel, x, tokens, model->packed);
  float *rows = test_memory(tokens * stride * sizeof(float));
  const size_t bytes = ffn_work_bytes(kernel, 3, tokens);
  void *work = ffn_alloc(bytes);
  test_pool *pool = test_pool_open(0, TEST_ORDER_DOWN);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  for (int adds = 0; adds < 2; adds++) {
    for (size_t i = 0; i < tokens * stride; i++)
      rows[i] = i % stride < in ? x[i / stride * in + i % stride] : old(i);
    if (adds)
      ffn_add(kernel, rows, stride, scale, rows, stride, tokens, model->packed, work, bytes,
              &parallel);
    else
      ffn_run(kernel, rows, stride, rows, stride, tokens, model->packed, work, bytes, &parallel);
    for (size_t t = 0; t < tokens; t++)
      for (size_t o = 0; o < out; o++) {
        const float before = o < in ? x[t * in + o] : old(t * stride + o);
        const float result = results[t * out + o], sum = sum_of(before, result);
        cr_assert(test_same(&rows[t * stride + o], adds ? &sum : &result, 1),
                  "%s: output %zu of row %zu, %s", kernel->name, o, t, adds ? "added" : "given");
      }
  }
  test_pool_close(pool);
  ffn_free(work);
  free(x), free(results), free(rows);
}

EACH_MODEL(add, bound, TEST_SMALL, TEST_WIDE, 85) {
  const size_t out = kernel->outputs, tokens = test_tokens(kernel, most_flop, 3, 13);
  float *x = test_inputs(kernel, tokens, TEST_WIDE, 86);
  float *before = test_memory(tokens * out * sizeof *before);
  float *y = test_memory(tokens * out * sizeof *y);
  double *reference = test_memory(tokens * out * sizeof *reference);
  double *bound = test_memory(tokens * out * sizeof *bound);
  test_reference(model, reference, bound, x, tokens);
  /* Every other sum cancels to what two roundings leave. */
  for (size_t i = 0; i < tokens * out; i++)
    before[i] = y[i] = i % 2 ? old(i) : -(float)((double)scale * reference[i]);
  ffn_reference_add(kernel, reference, bound, before, out, scale, tokens);
  const size_t bytes = ffn_work_bytes(kernel, 1, tokens);
  void *work = ffn_alloc(bytes);
  ffn_add(kernel, y, out, scale, x, kernel->inputs, tokens, model->packed, work, bytes, NULL);
  for (size_t i = 0; i < tokens * out; i++)
    cr_assert(bound[i] < INFINITY && fabs((double)y[i] - reference[i]) <= bound[i],
              "%s: %.9g, reference %.17g, bound %g", kernel->name, (double)y[i], reference[i],
              bound[i]);
  ffn_free(work);
  free(x), free(before), free(y), free(reference), free(bound);
}

/* Where a sum may be beyond float, the bound says so: no finite one is beside an infinite sum. */
EACH_MODEL(add, overflow, TEST_SMALL_LAYER, TEST_REALS, 87) {
  const float large[] = {FLT_MAX, -FLT_MAX, 0x1p126f, 0};
  const size_t out = kernel->outputs, bytes = ffn_work_bytes(kernel, 1, 1);
  float *x = test_inputs(kernel, 1, TEST_REALS, 88);
  float *before = test_memory(out * sizeof *before), *y = test_memory(out * sizeof *y);
  double *reference = test_memory(out * sizeof *reference);
  double *bound = test_memory(out * sizeof *bound);
  void *work = ffn_alloc(bytes);
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    for (size_t sign = 0; sign < 2; sign++) {
      for (size_t o = 0; o < out; o++)
        before[o] = y[o] = sign ? -FLT_MAX : FLT_MAX;
      test_reference(model, reference, bound, x, 1);
      ffn_reference_add(kernel, reference, bound, before, out, large[i], 1);
      ffn_add(kernel, y, out, large[i], x, kernel->inputs, 1, model->packed, work, bytes, NULL);
      for (size_t o = 0; o < out; o++)
        cr_assert(bound[o] == INFINITY || fabs((double)y[o] - reference[o]) <= bound[o],
                  "%s: %.9g, reference %.17g, bound %g", kernel->name, (double)y[o], reference[o],
                  bound[o]);
    }
  ffn_free(work);
  free(x), free(before), free(y), free(reference), free(bound);
}
