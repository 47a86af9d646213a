/* Every linked kernel on hostile weights and inputs: within the reference's bound, where bytes are
 * multiplied with the bits of their reference, the same bits on every instruction set, in any
 * batch, on any threads, at any place; and no byte but its own.
 *
 *     layers SEED    exit 1 where something is wrong, after a line that tells it */
#define _GNU_SOURCE
#include "hostile.h"
#include "kernels.h"
#include "model.h"
#include "pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 24, RUNS = 4, MOST_TOKENS = 41, MOST_GAP = 5 };

/* A round: weights, inputs, and what they come to. */
typedef struct truth {
  test_model model;
  size_t tokens;
  float *x, *y; /* y by the layer's first kernel, all at once */
  double *reference, *bound;
} truth;

/* Tokens that one call takes, of so many. */
static size_t of_a_call(const ffn_kernel *kernel, size_t tokens) {
  return kernel->max_tokens && kernel->max_tokens < tokens ? kernel->max_tokens : tokens;
}

static void truth_open(truth *t, const ffn_kernel *kernel) {
  const int tame = fuzz_below(2) == 0;
  fuzz_model_open(&t->model, kernel, tame);
  t->tokens = 1 + fuzz_below(of_a_call(kernel, test_tokens(kernel, 4e6, 2, MOST_TOKENS)));
  t->x = test_memory(t->tokens * kernel->inputs * sizeof *t->x);
  for (size_t row = 0; row < t->tokens; row++)
    fuzz_put(t->x + row * kernel->inputs, kernel->inputs, 2, tame);
  t->y = test_outputs(kernel, t->x, t->tokens, t->model.packed);
  t->reference = test_memory(t->tokens * kernel->outputs * sizeof *t->reference);
  t->bound = test_memory(t->tokens * kernel->outputs * sizeof *t->bound);
  test_reference(&t->model, t->reference, t->bound, t->x, t->tokens);
}

static void truth_close(truth *t) {
  free(t->x), free(t->y), free(t->reference), free(t->bound);
  test_model_close(&t->model);
}

/* The same in products of bytes, whose reference gives bits. */
static int truth_is_equal(const truth *t, const ffn_kernel *kernel) {
  const size_t bytes = ffn_reference_s8_bytes(kernel);
  if (bytes == 0)
    return 1;
  float *y = test_memory(t->tokens * kernel->outputs * sizeof *y);
  void *scratch = test_memory(bytes);
  ffn_reference_s8(kernel, y, t->x, kernel->inputs, t->tokens, &t->model.weights, scratch);
  const int equal = test_same(t->y, y, t->tokens * kernel->outputs);
  free(scratch), free(y);
  return equal || fuzz_fail(kernel, "other bits than those of the reference of integers");
}

/* The first kernel's results against the reference; a NaN of a row is in all of its outputs. */
static int truth_holds(const truth *t, const ffn_kernel *kernel) {
  for (size_t row = 0; row < t->tokens; row++) {
    int has_nan = 0;
    for (size_t k = 0; k < kernel->inputs; k++)
      has_nan |= isnan(t->x[row * kernel->inputs + k]);
    for (size_t i = row * kernel->outputs; i < (row + 1) * kernel->outputs; i++) {
      if (has_nan && !isnan(t->y[i]))
        return fuzz_fail(kernel, "a NaN among the inputs is lost");
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
  fuzz_area packed, work, x, y;
  float times; /* y, how many times */
} job;

static void job_open(job *j, const truth *t, const ffn_kernel *kernel) {
  j->first = fuzz_below(t->tokens);
  j->tokens = of_a_call(kernel, t->tokens - j->first);
  if (fuzz_below(4))
    j->tokens = 1 + fuzz_below(j->tokens);
  j->x_stride = kernel->inputs + fuzz_below(MOST_GAP),
  j->y_stride = kernel->outputs + fuzz_below(MOST_GAP);
  j->threads = 1 + fuzz_below(4);
  const size_t last = j->tokens - 1;
  j->packed = fuzz_area_open(kernel->packed_bytes, FFN_ALIGNMENT);
  j->work = fuzz_area_open(ffn_work_bytes(kernel, j->threads, j->tokens), FFN_ALIGNMENT);
  j->x = fuzz_area_open((last * j->x_stride + kernel->inputs) * sizeof(float), sizeof(float));
  j->y = fuzz_area_open((last * j->y_stride + kernel->outputs) * sizeof(float), sizeof(float));
  for (size_t row = 0; row < j->tokens; row++)
    memcpy((float *)j->x.memory + row * j->x_stride, t->x + (j->first + row) * kernel->inputs,
           kernel->inputs * sizeof(float));
  kernel->pack(j->packed.memory, &t->model.weights);
  fuzz_area_read_only(&j->packed), fuzz_area_read_only(&j->x);
}

static int job_close(job *j) {
  return fuzz_area_close(&j->packed) & fuzz_area_close(&j->work) & fuzz_area_close(&j->x) &
         fuzz_area_close(&j->y);
}

static int job_holds(const job *j, const truth *t, const ffn_kernel *kernel) {
  for (size_t row = 0; row < j->tokens; row++) {
    const float *y = (float *)j->y.memory + row * j->y_stride;
    for (size_t o = 0; o < kernel->outputs; o++) {
      const float wanted = j->times * t->y[(j->first + row) * kernel->outputs + o];
      if (!test_same(&y[o], &wanted, 1))
        return fuzz_fail(kernel,
                         "other bits than those of the layer's first kernel, all rows at once");
    }
    for (size_t o = kernel->outputs; o < j->y_stride && row + 1 < j->tokens; o++)
      if (test_bits(y[o]) != UINT32_MAX)
        return fuzz_fail(kernel, "it wrote between the rows of y");
  }
  if (memcmp(j->packed.memory, t->model.packed, kernel->packed_bytes) != 0)
    return fuzz_fail(kernel, "packed weights differ from those of the layer's first kernel");
  return 1;
}

static int run(const truth *t, const ffn_kernel *kernel) {
  job j;
  job_open(&j, t, kernel);
  test_pool *pool = j.threads > 1 ? test_pool_open(fuzz_below(4), (test_order)fuzz_below(3)) : NULL;
  const ffn_parallel parallel = pool ? test_pool_parallel(pool, j.threads) : (ffn_parallel){0};
  const size_t bytes = ffn_work_bytes(kernel, j.threads, j.tokens);
  ffn_run(kernel, j.y.memory, j.y_stride, j.x.memory, j.x_stride, j.tokens, j.packed.memory,
          j.work.memory, bytes, pool ? &parallel : NULL);
  j.times = 1;
  if (fuzz_below(2)) { /* the same added: twice as much is exact */
    ffn_add(kernel, j.y.memory, j.y_stride, 1, j.x.memory, j.x_stride, j.tokens, j.packed.memory,
            j.work.memory, bytes, pool ? &parallel : NULL);
    j.times = 2;
  }
  if (pool)
    test_pool_close(pool);
  const int holds = job_holds(&j, t, kernel);
  return (job_close(&j) || fuzz_fail(kernel, "it wrote beside its memory")) && holds;
}

/* What one array of a matrix comes back to, in memory of exactly its size. */
typedef struct given_back {
  fuzz_area area;
  const void *given; /* NULL: the matrix has none */
  size_t bytes;
} given_back;

static given_back back_open(const void *given, size_t bytes, size_t alignment) {
  return (given_back){fuzz_area_open(bytes, alignment), given, bytes};
}

static void *back_memory(const given_back *b) { return b->given ? b->area.memory : NULL; }

static int back_close(const given_back *b) {
  const int same = !b->given || memcmp(b->area.memory, b->given, b->bytes) == 0;
  return same & fuzz_area_close(&b->area);
}

/* Weights come back as they were given. */
static int unpacks(const truth *t, const ffn_kernel *kernel) {
  enum { ARRAYS = 4 };
  test_model back;
  given_back all[FFN_MAX_STAGES * FFN_MAX_BRANCHES][ARRAYS];
  int same = 1;
  test_model_shape(&back, kernel);
  for (size_t m = 0; m < back.matrix_count; m++) {
    const test_matrix *matrix = &t->model.matrices[m];
    const ffn_linear *linear = matrix->linear;
    const size_t align = ffn_source_block(linear->source).align;
    given_back *b = all[m];
    b[0] = back_open(linear->weight, test_matrix_bytes(matrix), align);
    b[1] = back_open(linear->bias, matrix->outputs * sizeof(float), sizeof(float));
    b[2] = back_open(linear->scales, test_scales_bytes(matrix), sizeof(float));
    b[3] = back_open(linear->zeros, test_zeros_bytes(matrix), 1);
    *back.matrices[m].linear = (ffn_linear){.source = linear->source,
                                            .weight = back_memory(&b[0]),
                                            .bias = back_memory(&b[1]),
                                            .scales = back_memory(&b[2]),
                                            .zeros = back_memory(&b[3]),
                                            .scale_rows = linear->scale_rows};
  }
  test_unpack(kernel, &back, t->model.packed);
  for (size_t m = 0; m < back.matrix_count; m++)
    for (size_t i = 0; i < ARRAYS; i++)
      same &= back_close(&all[m][i]);
  return same || fuzz_fail(kernel, "unpack() gives other weights");
}

static int layer_holds(const ffn_kernel *base, size_t *runs) {
  for (size_t round = 0; round < ROUNDS; round++) {
    truth t;
    truth_open(&t, base);
    int holds = truth_holds(&t, base) && truth_is_equal(&t, base);
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
  fuzz_seed = count > 1 ? strtoull(words[1], NULL, 10) : 1;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (test_is_base(*k) && test_runs_here(*k) && !layer_holds(*k, &runs))
      return 1;
  printf("%zu runs\n", runs);
  return runs == 0;
}
