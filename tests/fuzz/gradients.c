/* Every linked training on hostile weights, inputs and gradients of outputs: without dropout y has
 * run()'s bits, gradients are within the reference's bound and have the same bits on every
 * instruction set, on any threads, at any place, in calls split at blocks of tokens, whatever else
 * is wanted; and no byte is written but their own.
 *
 *     gradients SEED    exit 1 where something is wrong, after a line that tells it */
#define _GNU_SOURCE
#include "hostile.h"
#include "kernels.h"
#include "pool.h"
#include "training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 6, RUNS = 2, MOST_TOKENS = 300, MOST_GAP = 5 };

/* Tokens times weights of a round. */
static const double affordable = 6e5;

/* A round: inputs, and what they come to by the layer's first training, all at once. */
typedef struct truth {
  test_model model;
  size_t tokens;
  int accumulates;
  ffn_dropout dropout;
  float *x, *dy, *y;
  float *begin[TEST_MOST_GRADIENTS]; /* what accumulates begins with */
  test_gradients gradients;
} truth;

static float *hostile(size_t rows, size_t columns, float scale, int tame) {
  float *values = test_memory(rows * columns * sizeof *values);
  for (size_t row = 0; row < rows; row++)
    fuzz_put(values + row * columns, columns, scale, tame);
  return values;
}

static void truth_open(truth *t, const ffn_kernel *kernel) {
  const ffn_training *training = ffn_training_of(kernel);
  const int tame = fuzz_below(2) == 0;
  const double most = affordable / (double)kernel->flop_per_token * 2;
  fuzz_model_open(&t->model, kernel, tame);
  t->tokens = 1 + fuzz_below(fuzz_below(3) || most < 2 ? 24 : MOST_TOKENS);
  if ((double)t->tokens > most)
    t->tokens = 1 + (size_t)most;
  t->accumulates = fuzz_below(3) == 0;
  t->dropout = (ffn_dropout){.seed = fuzz_below(1 << 20),
                             .first_token = fuzz_below(2) ? fuzz_below(1000) : UINT64_MAX - 5,
                             .layer = (uint32_t)fuzz_below(9),
                             .step = (uint32_t)fuzz_below(99)};
  t->x = hostile(t->tokens, kernel->inputs, 2, tame);
  t->dy = hostile(t->tokens, kernel->outputs, 1, tame);
  t->y = test_memory(t->tokens * kernel->outputs * sizeof *t->y);
  void *packed = test_pack_train(training, &t->model), *saved = test_saved(training, t->tokens);
  test_train(training, t->y, t->x, t->tokens, saved, packed, &t->dropout, NULL);
  test_gradients_open(&t->gradients, &t->model, t->tokens);
  for (size_t g = 1; g < t->gradients.count && t->accumulates; g++) {
    const size_t count = t->gradients.all[g].count;
    t->begin[g] = hostile(1, count, 1, tame);
    memcpy(t->gradients.all[g].values, t->begin[g], count * sizeof(float));
  }
  t->gradients.to.accumulate = t->accumulates;
  test_grad(training, &t->gradients.to, t->dy, t->x, t->tokens, saved, packed, &t->dropout, NULL);
  ffn_free(packed), ffn_free(saved);
}

static void truth_close(truth *t) {
  for (size_t g = 1; g < t->gradients.count && t->accumulates; g++)
    free(t->begin[g]);
  test_gradients_close(&t->gradients);
  free(t->x), free(t->dy), free(t->y);
  test_model_close(&t->model);
}

/* Where nothing is dropped, y is run()'s. */
static int runs_alike(const truth *t, const ffn_kernel *kernel) {
  if (ffn_training_of(kernel)->dropout_count > 0)
    return 1;
  float *y = test_outputs(kernel, t->x, t->tokens, t->model.packed);
  const int same = test_same(t->y, y, t->tokens * kernel->outputs);
  free(y);
  return same || fuzz_fail(kernel, "run_train() has other bits than run()");
}

/* A NaN of a row of dy is in all of that row of dx. */
static int keeps_nan(const truth *t, const ffn_kernel *kernel) {
  for (size_t row = 0; row < t->tokens; row++) {
    int has_nan = 0;
    for (size_t o = 0; o < kernel->outputs; o++)
      has_nan |= isnan(t->dy[row * kernel->outputs + o]);
    for (size_t k = 0; has_nan && k < kernel->inputs; k++)
      if (!isnan(t->gradients.all[0].values[row * kernel->inputs + k]))
        return fuzz_fail(kernel, "a NaN among the gradients of outputs is lost");
  }
  return 1;
}

/* The first training's gradients against the reference, which knows no accumulating. */
static int truth_holds(const truth *t, const ffn_kernel *kernel) {
  const test_gradients *gradients = &t->gradients;
  test_references references;
  int holds = runs_alike(t, kernel) && keeps_nan(t, kernel);
  test_references_open(&references, gradients, ffn_training_of(kernel), t->dy, t->x, &t->dropout);
  for (size_t g = 0; g < (t->accumulates ? 1 : gradients->count); g++)
    for (size_t i = 0; holds && i < gradients->all[g].count; i++) {
      const double bound = references.all[g].bound[i], exact = references.all[g].value[i];
      const float value = gradients->all[g].values[i];
      holds = !(bound < INFINITY) || fabs(value - exact) <= bound;
      if (!holds)
        printf("%s: %zu tokens, value %zu of %s: %a, reference %a, bound %a\n", kernel->name,
               t->tokens, i, gradients->all[g].name, (double)value, exact, bound);
    }
  test_references_close(&references);
  return holds;
}

/* A round's rows once more, in memory of their own. */
typedef struct job {
  const truth *t;
  const ffn_training *training;
  size_t x_stride, dx_stride, y_stride, threads;
  fuzz_area packed, saved, work, x, dy, y, gradients[TEST_MOST_GRADIENTS];
  test_gradients to; /* its arrays are not used, but for what is wanted */
} job;

static size_t floats(size_t rows, size_t stride, size_t columns) {
  return ((rows - 1) * stride + columns) * sizeof(float);
}

static fuzz_area rows_of(const float *from, size_t rows, size_t stride, size_t columns) {
  const fuzz_area area = fuzz_area_open(floats(rows, stride, columns), sizeof(float));
  for (size_t row = 0; row < rows; row++)
    memcpy((float *)area.memory + row * stride, from + row * columns, columns * sizeof(float));
  fuzz_area_read_only(&area);
  return area;
}

static void job_open(job *j, const truth *t, const ffn_training *training) {
  *j = (job){.t = t, .training = training, .threads = 1 + fuzz_below(4)};
  const size_t inputs = training->inputs, outputs = training->outputs;
  j->x_stride = inputs + fuzz_below(MOST_GAP), j->dx_stride = inputs + fuzz_below(MOST_GAP);
  j->y_stride = outputs + fuzz_below(MOST_GAP);
  j->packed = fuzz_area_open(training->packed_bytes, FFN_ALIGNMENT);
  j->saved = fuzz_area_open(ffn_saved_bytes(training, t->tokens), FFN_ALIGNMENT);
  j->work = fuzz_area_open(ffn_train_work_bytes(training, j->threads), FFN_ALIGNMENT);
  j->x = rows_of(t->x, t->tokens, j->x_stride, inputs);
  j->dy = rows_of(t->dy, t->tokens, j->y_stride, outputs);
  j->y = fuzz_area_open(floats(t->tokens, j->y_stride, outputs), sizeof(float));
  training->pack_train(j->packed.memory, &t->model.weights);
  fuzz_area_read_only(&j->packed);
  test_gradients_open(&j->to, &t->model, t->tokens);
  j->to.to.dx_stride = j->dx_stride;
  j->to.to.accumulate = t->accumulates;
  for (size_t g = 0; g < j->to.count; g++) {
    const size_t bytes = g == 0 ? floats(t->tokens, j->dx_stride, inputs)
                                : t->gradients.all[g].count * sizeof(float);
    j->gradients[g] = fuzz_area_open(bytes, sizeof(float));
    if (t->accumulates && g > 0)
      memcpy(j->gradients[g].memory, t->begin[g], bytes);
    *j->to.all[g].where = fuzz_below(4) ? j->gradients[g].memory : NULL;
  }
}

static int job_close(job *j) {
  int intact = fuzz_area_close(&j->packed) & fuzz_area_close(&j->saved) &
               fuzz_area_close(&j->work) & fuzz_area_close(&j->x) & fuzz_area_close(&j->dy) &
               fuzz_area_close(&j->y);
  for (size_t g = 0; g < j->to.count; g++)
    intact &= fuzz_area_close(&j->gradients[g]);
  test_gradients_close(&j->to);
  return intact;
}

/* Whether rows are as expected, and what lies between them is as it was. */
static int rows_hold(const float *rows, size_t stride, const float *expected, size_t columns,
                     size_t tokens) {
  for (size_t row = 0; row < tokens; row++) {
    if (!test_same(rows + row * stride, expected + row * columns, columns))
      return 0;
    for (size_t c = columns; c < stride && row + 1 < tokens; c++)
      if (test_bits(rows[row * stride + c]) != UINT32_MAX)
        return 0;
  }
  return 1;
}

static int job_holds(const job *j, const ffn_kernel *kernel) {
  const truth *t = j->t;
  if (!rows_hold(j->y.memory, j->y_stride, t->y, kernel->outputs, t->tokens))
    return fuzz_fail(kernel,
                     "run_train() has other bits than all at once, or wrote between its rows");
  for (size_t g = 0; g < j->to.count; g++) {
    const int wanted = *j->to.all[g].where != NULL;
    const float *values = j->gradients[g].memory, *expected = t->gradients.all[g].values;
    const int holds = g > 0 ? test_same(values, expected, t->gradients.all[g].count)
                            : rows_hold(values, j->dx_stride, expected, kernel->inputs, t->tokens);
    if (wanted && !holds) {
      printf("%s: %zu tokens, other bits of %s than all at once\n", kernel->name, t->tokens,
             j->to.all[g].name);
      return 0;
    }
  }
  return 1;
}

/* Rows [first, last) of the job. */
static void part(job *j, size_t first, size_t last, const ffn_parallel *parallel) {
  const ffn_training *training = j->training;
  char *saved = (char *)j->saved.memory + ffn_saved_bytes(training, first);
  const float *x = (const float *)j->x.memory + first * j->x_stride;
  ffn_dropout dropout = j->t->dropout;
  dropout.first_token += first;
  ffn_run_train(training, (float *)j->y.memory + first * j->y_stride, j->y_stride, x, j->x_stride,
                last - first, saved, j->packed.memory, j->work.memory, &dropout, parallel);
  ffn_gradients to = j->to.to;
  if (to.dx)
    to.dx += first * j->dx_stride;
  to.accumulate |= first > 0;
  ffn_grad(training, &to, (const float *)j->dy.memory + first * j->y_stride, j->y_stride, x,
           j->x_stride, last - first, saved, j->packed.memory, j->work.memory, &dropout, parallel);
}

static int run(const truth *t, const ffn_kernel *kernel) {
  job j;
  job_open(&j, t, ffn_training_of(kernel));
  test_pool *pool = j.threads > 1 ? test_pool_open(fuzz_below(4), (test_order)fuzz_below(3)) : NULL;
  const ffn_parallel parallel = pool ? test_pool_parallel(pool, j.threads) : (ffn_parallel){0};
  const size_t blocks = t->tokens / FFN_TOKEN_BLOCK;
  const size_t split = FFN_TOKEN_BLOCK * fuzz_below(blocks + 1);
  if (split > 0)
    part(&j, 0, split, pool ? &parallel : NULL);
  if (split < t->tokens)
    part(&j, split, t->tokens, pool ? &parallel : NULL);
  if (pool)
    test_pool_close(pool);
  const int holds = job_holds(&j, kernel);
  return (job_close(&j) || fuzz_fail(kernel, "it wrote beside its memory")) && holds;
}

static int layer_holds(const ffn_kernel *base, size_t *runs) {
  for (size_t round = 0; round < ROUNDS; round++) {
    truth t;
    truth_open(&t, base);
    int holds = truth_holds(&t, base);
    for (const ffn_kernel *const *k = ffn_all(NULL); holds && *k; k++)
      if (strcmp((*k)->layer, base->layer) == 0 && test_runs_here(*k))
        for (size_t r = 0; holds && r < RUNS; r++, ++*runs)
          holds = run(&t, *k);
    truth_close(&t);
    if (!holds)
      return 0;
  }
  return 1;
}

int main(int count, char **words) {
  size_t runs = 0;
  fuzz_seed = count > 1 ? strtoull(words[1], NULL, 10) : 1;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (ffn_training_of(*k) && test_is_base(*k) && test_runs_here(*k) && !layer_holds(*k, &runs))
      return 1;
  printf("%zu runs\n", runs);
  return runs == 0;
}
