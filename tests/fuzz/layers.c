/* Every linked kernel on hostile weights and inputs: within the reference's bound, the same bits on
 * every instruction set, in any batch, on any threads, at any place; and no byte but its own.
 *
 *     layers SEED    exit 1 where something is wrong, after a line that tells it */
#define _GNU_SOURCE
#include "guard.h"
#include "kernels.h"
#include "model.h"
#include "pool.h"
#include "rng.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 24, RUNS = 4, MOST_TOKENS = 41, MOST_GAP = 5 };

static uint64_t seed, drawn;

/* The next random number below a count. */
static size_t below(size_t count) { return (size_t)test_below(seed, drawn++, count); }

/* Memory of exactly the bytes asked for: between pages that fault, or the allocator's, which a
 * sanitizer watches; floats anywhere that a float may lie. */
typedef struct area {
  test_guard guard;
  unsigned char *block; /* NULL where the guard has the memory */
  void *memory;
} area;

static area area_open(size_t bytes, size_t alignment) {
  area a = {.block = NULL};
  const size_t how = below(3);
  if (how < 2) {
    a.guard = test_guard_open(bytes, alignment, how == 0 ? TEST_AT_START : TEST_AT_END);
    a.memory = a.guard.memory;
    return a;
  }
  const size_t ahead = alignment < FFN_ALIGNMENT ? below(16) * alignment : 0;
  void *block;
  if (posix_memalign(&block, FFN_ALIGNMENT, ahead + bytes + !(ahead + bytes)) != 0)
    abort();
  a.block = block;
  a.memory = memset(a.block + ahead, 0xff, bytes);
  return a;
}

static void area_read_only(const area *a) {
  if (!a->block)
    test_guard_read_only(&a->guard);
}

static int area_close(const area *a) {
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

/* Half of all tensors are tame: what overflows has no bound. */
static void put(float *values, size_t count, float scale, int tame) {
  const fill how = (fill)(tame || below(2) ? below(TINY) : below(FILLS));
  const uint64_t stream = test_random(seed, drawn++);
  for (size_t i = 0; i < count; i++)
    values[i] = value(how, stream, i, scale);
}

static int fail(const ffn_kernel *kernel, const char *what) {
  printf("%s: %s\n", kernel->name, what);
  return 0;
}

/* A round: weights, inputs, and what they come to. */
typedef struct truth {
  test_model model;
  size_t tokens;
  float *x, *y; /* y by the layer's first kernel, all at once */
  double *reference, *bound;
} truth;

static void truth_open(truth *t, const ffn_kernel *kernel) {
  static const float betas[] = {1.25f, 0.0f, -2.0f, 0.5f, 1.0f, 0x1p-30f, 30.0f};
  const int tame = below(2) == 0;
  test_model_open(&t->model, kernel, TEST_REALS, seed);
  for (size_t i = 0; i < FFN_MAX_PARAMETERS; i++)
    t->model.weights.parameters[i] = betas[below(sizeof betas / sizeof *betas)];
  for (size_t m = 0; m < t->model.matrix_count; m++) {
    const test_matrix *matrix = &t->model.matrices[m];
    put(matrix->weight, matrix->outputs * matrix->inputs, sqrtf(3 / (float)matrix->inputs), tame);
    if (matrix->bias)
      put(matrix->bias, matrix->outputs, 1, tame);
  }
  test_model_pack(&t->model);
  t->tokens = 1 + below(test_tokens(kernel, 4e6, 2, MOST_TOKENS));
  t->x = test_memory(t->tokens * kernel->inputs * sizeof *t->x);
  for (size_t row = 0; row < t->tokens; row++)
    put(t->x + row * kernel->inputs, kernel->inputs, 2, tame);
  t->y = test_outputs(kernel, t->x, t->tokens, t->model.packed);
  t->reference = test_memory(t->tokens * kernel->outputs * sizeof *t->reference);
  t->bound = test_memory(t->tokens * kernel->outputs * sizeof *t->bound);
  test_reference(&t->model, t->reference, t->bound, t->x, t->tokens);
}

static void truth_close(truth *t) {
  free(t->x), free(t->y), free(t->reference), free(t->bound);
  test_model_close(&t->model);
}

/* The first kernel's results against the reference; a NaN of a row is in all of its outputs. */
static int truth_holds(const truth *t, const ffn_kernel *kernel) {
  for (size_t row = 0; row < t->tokens; row++) {
    int has_nan = 0;
    for (size_t k = 0; k < kernel->inputs; k++)
      has_nan |= isnan(t->x[row * kernel->inputs + k]);
    for (size_t i = row * kernel->outputs; i < (row + 1) * kernel->outputs; i++) {
      if (has_nan && !isnan(t->y[i]))
        return fail(kernel, "a NaN among the inputs is lost");
      if (t->bound[i] < INFINITY && !(fabs(t->y[i] - t->reference[i]) <= t->bound[i])) {
        printf("%s: row %zu: %a, reference %a, bound %a\n", kernel->name, row, (double)t->y[i],
               t->reference[i], t->bound[i]);
        return 0;
      }
    }
  }
  return 1;
}

/* Some rows of a round, in memory of their own. */
typedef struct job {
  size_t first, tokens, x_stride, y_stride, threads;
  area packed, work, x, y;
} job;

static void job_open(job *j, const truth *t, const ffn_kernel *kernel) {
  j->first = below(t->tokens);
  j->tokens = below(4) ? 1 + below(t->tokens - j->first) : t->tokens - j->first;
  j->x_stride = kernel->inputs + below(MOST_GAP), j->y_stride = kernel->outputs + below(MOST_GAP);
  j->threads = 1 + below(4);
  const size_t last = j->tokens - 1;
  j->packed = area_open(kernel->packed_bytes, FFN_ALIGNMENT);
  j->work = area_open(ffn_work_bytes(kernel, j->threads), FFN_ALIGNMENT);
  j->x = area_open((last * j->x_stride + kernel->inputs) * sizeof(float), sizeof(float));
  j->y = area_open((last * j->y_stride + kernel->outputs) * sizeof(float), sizeof(float));
  for (size_t row = 0; row < j->tokens; row++)
    memcpy((float *)j->x.memory + row * j->x_stride, t->x + (j->first + row) * kernel->inputs,
           kernel->inputs * sizeof(float));
  kernel->pack(j->packed.memory, &t->model.weights);
  area_read_only(&j->packed), area_read_only(&j->x);
}

static int job_close(job *j) {
  return area_close(&j->packed) & area_close(&j->work) & area_close(&j->x) & area_close(&j->y);
}

static int job_holds(const job *j, const truth *t, const ffn_kernel *kernel) {
  for (size_t row = 0; row < j->tokens; row++) {
    const float *y = (float *)j->y.memory + row * j->y_stride;
    if (!test_same(y, t->y + (j->first + row) * kernel->outputs, kernel->outputs))
      return fail(kernel, "other bits than those of the layer's first kernel, all rows at once");
    for (size_t o = kernel->outputs; o < j->y_stride && row + 1 < j->tokens; o++)
      if (test_bits(y[o]) != UINT32_MAX)
        return fail(kernel, "it wrote between the rows of y");
  }
  if (memcmp(j->packed.memory, t->model.packed, kernel->packed_bytes) != 0)
    return fail(kernel, "packed weights differ from those of the layer's first kernel");
  return 1;
}

static int run(const truth *t, const ffn_kernel *kernel) {
  job j;
  job_open(&j, t, kernel);
  test_pool *pool = j.threads > 1 ? test_pool_open(below(4), (test_order)below(3)) : NULL;
  const ffn_parallel parallel = pool ? test_pool_parallel(pool, j.threads) : (ffn_parallel){0};
  kernel->run(j.y.memory, j.y_stride, j.x.memory, j.x_stride, j.tokens, j.packed.memory,
              j.work.memory, pool ? &parallel : NULL);
  if (pool)
    test_pool_close(pool);
  const int holds = job_holds(&j, t, kernel);
  return (job_close(&j) || fail(kernel, "it wrote beside its memory")) && holds;
}

/* Weights come back as they were given, each in memory of exactly its size. */
static int unpacks(const truth *t, const ffn_kernel *kernel) {
  test_model back;
  area weights[FFN_MAX_STAGES * FFN_MAX_BRANCHES], biases[FFN_MAX_STAGES * FFN_MAX_BRANCHES];
  int same = 1;
  test_model_shape(&back, kernel);
  for (size_t m = 0; m < back.matrix_count; m++) {
    const test_matrix *matrix = &t->model.matrices[m];
    weights[m] = area_open(matrix->outputs * matrix->inputs * sizeof(float), sizeof(float));
    biases[m] = area_open(matrix->outputs * sizeof(float), sizeof(float));
    *back.matrices[m].linear =
        (ffn_linear){weights[m].memory, matrix->bias ? biases[m].memory : NULL};
  }
  kernel->unpack(&back.weights, t->model.packed);
  for (size_t m = 0; m < back.matrix_count; m++) {
    const test_matrix *matrix = &t->model.matrices[m];
    same &= memcmp(weights[m].memory, matrix->weight,
                   matrix->outputs * matrix->inputs * sizeof(float)) == 0;
    if (matrix->bias)
      same &= memcmp(biases[m].memory, matrix->bias, matrix->outputs * sizeof(float)) == 0;
    same &= area_close(&weights[m]) & area_close(&biases[m]);
  }
  return same || fail(kernel, "unpack() gives other weights");
}

static int layer_holds(const ffn_kernel *base, size_t *runs) {
  for (size_t round = 0; round < ROUNDS; round++) {
    truth t;
    truth_open(&t, base);
    int holds = truth_holds(&t, base);
    for (const ffn_kernel *const *k = ffn_all(NULL); holds && *k; k++) {
      if (strcmp((*k)->layer, base->layer) != 0 || !test_runs_here(*k))
        continue;
      holds = round > 0 || unpacks(&t, *k);
      for (size_t r = 0; holds && r < RUNS; r++, ++*runs)
        holds = run(&t, *k);
    }
    truth_close(&t);
    if (!holds)
      return 0;
  }
  return 1;
}

int main(int count, char **words) {
  size_t runs = 0;
  seed = count > 1 ? strtoull(words[1], NULL, 10) : 1;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (test_is_base(*k) && test_runs_here(*k) && !layer_holds(*k, &runs))
      return 1;
  printf("%zu runs\n", runs);
  return runs == 0;
}
