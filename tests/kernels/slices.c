/* A layer in slices, a rank for each, has the bits of the whole one: for any number of ranks, which
 * differ in instruction set, threads and work memory. */
#include "ffn_slice.h"
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"
#include "support/ranks.h"

#include <stdlib.h>
#include <string.h>

static const size_t counts[] = {1, 2, 3, 4, 7, TEST_MOST_RANKS};
enum { COUNTS = sizeof counts / sizeof *counts, MOST_KERNELS = 16 };

static int has_slices(const ffn_kernel *kernel) { return kernel->staged != NULL; }

/* Kernels of a layer that run here, and have slices. */
static size_t sliced(const ffn_kernel *kernel, const ffn_kernel **list) {
  size_t count = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k && count < MOST_KERNELS; k++)
    if (strcmp((*k)->layer, kernel->layer) == 0 && test_runs_here(*k) && has_slices(*k) &&
        (*k)->max_tokens == kernel->max_tokens)
      list[count++] = *k;
  return count;
}

/* A rank's guarded copy of its packed weights, which come from any kernel of the layer. */
static test_guard packed_of(const test_model *model, const ffn_kernel *kernel, size_t rank,
                            size_t ranks) {
  const size_t bytes = ffn_slice_bytes(kernel, rank, ranks);
  const test_guard packed = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_END);
  ffn_pack_slice(kernel, packed.memory, &model->weights, rank, ranks);
  cr_assert(test_guard_intact(&packed), "%s packs beside rank %zu's slice", kernel->name, rank);
  test_guard_read_only(&packed);
  return packed;
}

typedef struct job {
  const test_model *model;
  const ffn_kernel *const *kernels;
  size_t kernel_count, tokens;
  const float *x;
  float *y; /* [ranks][tokens][outputs] */
  int failed[TEST_MOST_RANKS], intact[TEST_MOST_RANKS];
} job;

/* One rank: its own kernel, threads and bytes of work memory. */
static void run_rank(void *context, const ffn_exchange *exchange) {
  job *j = context;
  const size_t r = exchange->rank;
  const ffn_kernel *k = j->kernels[r % j->kernel_count];
  const size_t threads = 1 + r * 2 % 3;
  test_pool *pool = test_pool_open(r % 2, TEST_ORDER_SHUFFLE);
  const ffn_parallel parallel = test_pool_parallel(pool, threads);
  const test_guard packed = packed_of(j->model, k, r, exchange->ranks);
  const size_t bytes =
      ffn_slice_work_bytes(k, threads, j->tokens, exchange->ranks) + r % 3 * FFN_ALIGNMENT;
  const test_guard work = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_END);
  j->failed[r] =
      ffn_run_slice(k, j->y + r * j->tokens * k->outputs, k->outputs, j->x, k->inputs, j->tokens,
                    packed.memory, work.memory, bytes, threads > 1 ? &parallel : NULL, exchange);
  j->intact[r] = test_guard_intact(&work);
  test_guard_close(&packed), test_guard_close(&work);
  test_pool_close(pool);
}

/* Whether a column of y is made by a rank. */
static int is_own(const ffn_kernel *k, size_t column, size_t rank, size_t ranks) {
  const int beside = k->stages_share_x;
  size_t first, last;
  for (size_t s = beside ? 0 : k->stage_count - 1; s < k->stage_count; s++) {
    ffn_slice_columns(k, s, rank, ranks, &first, &last);
    if (column < k->stages[s].outputs)
      return column >= first && column < last;
    column -= k->stages[s].outputs;
  }
  return 0;
}

/* The rows of a rank: all that it has to write, and nothing else. */
static void check_rows(const ffn_kernel *k, const float *y, const float *expected, size_t tokens,
                       size_t rank, size_t ranks, int gathered) {
  static const unsigned char poison[sizeof(float)] = {0xff, 0xff, 0xff, 0xff};
  for (size_t i = 0; i < tokens * k->outputs; i++) {
    const int written = gathered || is_own(k, i % k->outputs, rank, ranks);
    const void *as = written ? (const void *)&expected[i] : poison;
    cr_assert(memcmp(&y[i], as, sizeof *y) == 0,
              "%s: row %zu, column %zu of %zu tokens on rank %zu of %zu %s", k->name,
              i / k->outputs, i % k->outputs, tokens, rank, ranks,
              written ? "has other bits" : "is another rank's, and was written");
  }
}

/* Whether a stage gives what the next one takes as bytes, in groups: not where a whole row is one,
 * which waits as floats, and which each rank lays. */
static int gives_bytes(const ffn_kernel *k, size_t s) {
  const ffn_stage *next = &k->stages[s + 1];
  return !k->stages_share_x && s + 1 < k->stage_count && ffn_stage_in_bytes(next) &&
         !test_takes_whole_rows(next);
}

/* The bytes of each exchange of so many rows: floats; or of 32 numbers that the next stage takes as
 * bytes these, a scale and what is kept of their sums. */
static void check_bytes(const ffn_kernel *k, const size_t *bytes, size_t exchanges, size_t tokens) {
  for (size_t s = 0; s < exchanges; s++) {
    const size_t outputs = k->stages[s].outputs, most = 44 * ((outputs + 31) / 32) * tokens;
    cr_assert(gives_bytes(k, s) ? bytes[s] > most / 44 * 32 && bytes[s] <= most
                                : bytes[s] == outputs * tokens * sizeof(float),
              "%s: %zu bytes of stage %zu are gathered", k->name, bytes[s], s);
  }
}

static void check_bits(const test_model *model, const ffn_kernel *const *kernels, size_t count,
                       size_t ranks, size_t tokens, int gathered) {
  const ffn_kernel *k = kernels[0];
  float *x = test_inputs(k, tokens, TEST_REALS, 51);
  float *expected = test_outputs(k, x, tokens, model->packed);
  const size_t floats = tokens * k->outputs;
  job j = {.model = model, .kernels = kernels, .kernel_count = count, .tokens = tokens, .x = x};
  j.y = test_memory(ranks * floats * sizeof(float));
  memset(j.y, 0xff, ranks * floats * sizeof(float));
  test_ranks *all = test_ranks_open(ranks, -1, gathered);
  test_ranks_run(all, run_rank, &j);
  cr_assert(!test_ranks_problem(all), "%s on %zu ranks: %s", k->name, ranks,
            test_ranks_problem(all));
  for (size_t r = 0; r < ranks; r++) {
    cr_assert(j.failed[r] == 0 && j.intact[r], "%s: rank %zu of %zu gave %d", k->name, r, ranks,
              j.failed[r]);
    check_rows(k, j.y + r * floats, expected, tokens, r, ranks, gathered);
  }
  const size_t blocks = (tokens + FFN_SLICE_ROWS - 1) / FFN_SLICE_ROWS;
  const size_t each =
      k->stages_share_x ? (gathered ? k->stage_count : 0) : k->stage_count - (gathered ? 0 : 1);
  cr_assert(test_ranks_exchanges(all) == (ranks > 1 ? blocks * each : 0),
            "%s: %zu exchanges of %zu tokens on %zu ranks", k->name, test_ranks_exchanges(all),
            tokens, ranks);
  if (ranks > 1 && blocks == 1)
    check_bytes(k, test_ranks_bytes(all), each, tokens);
  test_ranks_close(all);
  free(x), free(expected), free(j.y);
}

EACH_MODEL(slices, bits, TEST_SMALL_LAYER, TEST_REALS, 50) {
  const ffn_kernel *kernels[MOST_KERNELS];
  const size_t count = sliced(kernel, kernels);
  if (count == 0)
    cr_skip_test("no kernel of the layer that runs here has slices");
  const size_t most = kernel->max_tokens ? kernel->max_tokens : FFN_SLICE_ROWS + 45;
  const size_t many = test_tokens(kernel, 3e6, 5, most);
  for (size_t i = 0; i < COUNTS; i += test_step(i, 2)) {
    check_bits(model, kernels, count, counts[i], 1, 1);
    check_bits(model, kernels, count, counts[i], many < most ? many : most, i % 2 == 0);
    check_bits(model, kernels, count, counts[i], 0, 1);
  }
}

/* Scales that more outputs share than a unit has: a slice begins among these. */
EACH_MODEL(slices, shared_scales, TEST_SMALL_LAYER, TEST_REALS, 53) {
  const ffn_kernel *kernels[MOST_KERNELS];
  const size_t count = sliced(kernel, kernels);
  size_t shared = 0;
  for (size_t m = 0; m < model->matrix_count; m++) {
    ffn_linear *linear = model->matrices[m].linear;
    if (linear->scale_rows > 0 && model->matrices[m].outputs > 2 * FFN_SLICE_UNIT)
      linear->scale_rows = 2 * FFN_SLICE_UNIT, shared++;
  }
  if (count == 0 || shared == 0)
    cr_skip_test("no outputs share scales in a layer with slices");
  test_model_pack(model);
  for (size_t i = 1; i < COUNTS; i++)
    check_bits(model, kernels, count, counts[i], 1, 1);
}

/* A token in place, however far apart rows would lie: as kernel->run() takes it. */
EACH_MODEL(slices, in_place, TEST_SMALL_LAYER, TEST_REALS, 56) {
  const size_t in = kernel->inputs, out = kernel->outputs;
  if (!has_slices(kernel) || !kernel->in_place)
    cr_skip_test("no slices, or it writes where it still reads");
  float *x = test_inputs(kernel, 1, TEST_REALS, 57), *row = test_memory((in + out) * sizeof *row);
  float *expected = test_outputs(kernel, x, 1, model->packed);
  const ffn_exchange alone = {.ranks = 1};
  const size_t bytes = ffn_slice_work_bytes(kernel, 1, 1, 1);
  void *packed = ffn_alloc(ffn_slice_bytes(kernel, 0, 1)), *work = ffn_alloc(bytes);
  ffn_pack_slice(kernel, packed, &model->weights, 0, 1);
  memcpy(row, x, in * sizeof *row);
  cr_assert(ffn_run_slice(kernel, row, out, row, in + 1, 1, packed, work, bytes, NULL, &alone) ==
            0);
  cr_assert(test_same(row, expected, out), "%s", kernel->name);
  ffn_free(packed), ffn_free(work);
  free(x), free(row), free(expected);
}

/* More rows than an exchange has, and fewer, of which a walk has not all: chains, in which one
 * stage's rows are read while another's are made. */
Test(slices, blocks_of_rows) {
  size_t tried = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const ffn_kernel *kernels[MOST_KERNELS];
    if (test_is_large(*k) || (*k)->max_tokens > 0 || (*k)->flop_per_token > 60000 ||
        (*k)->stage_count < 3 || (*k)->stages_share_x || (tried > 1 && !test_thorough()) ||
        sliced(*k, kernels) == 0 || kernels[0] != *k)
      continue;
    test_model model;
    test_model_open(&model, *k, TEST_REALS, 52);
    test_model_pack(&model);
    check_bits(&model, kernels, sliced(*k, kernels), 3, 2 * FFN_SLICE_ROWS + 1, 1);
    check_bits(&model, kernels, sliced(*k, kernels), 2, FFN_SLICE_ROWS - 1, 1);
    test_model_close(&model);
    tried++;
  }
  if (tried == 0)
    cr_skip_test("no small chain has slices");
}

/* A rank packs the same on every instruction set, and reads no other rank's rows. */
EACH_MODEL(slices, packs, TEST_PLAIN_LAYER, TEST_REALS, 53) {
  const ffn_kernel *kernels[MOST_KERNELS];
  const size_t count = sliced(kernel, kernels);
  if (count == 0)
    cr_skip_test("no kernel of the layer that runs here has slices");
  test_model other;
  test_model_open(&other, kernel, TEST_REALS, 53);
  for (size_t rank = 0; rank < 3; rank++) {
    for (size_t m = 0; m < other.matrix_count; m++) {
      const test_matrix *matrix = &other.matrices[m];
      size_t first, last;
      ffn_slice_columns(kernel, matrix->stage, rank, 3, &first, &last);
      for (size_t o = 0; o < matrix->outputs; o++)
        if (o < first || o >= last)
          test_poison(matrix->weight + o * matrix->inputs, matrix->inputs * sizeof(float));
    }
    const size_t bytes = ffn_slice_bytes(kernels[0], rank, 3);
    const test_guard first = packed_of(model, kernels[0], rank, 3);
    cr_assert(ffn_slice_fits(kernels[0], first.memory, rank, 3) &&
              !ffn_slice_fits(kernels[0], first.memory, (rank + 1) % 3, 3) &&
              !ffn_slice_fits(kernels[0], first.memory, rank, 4) &&
              !ffn_packed_fits(kernels[0], first.memory));
    for (size_t i = 0; i < count; i++) {
      const test_guard packed = packed_of(&other, kernels[i], rank, 3);
      cr_assert(bytes == ffn_slice_bytes(kernels[i], rank, 3) &&
                    memcmp(packed.memory, first.memory, bytes) == 0,
                "%s packs rank %zu of 3 otherwise", kernels[i]->name, rank);
      test_guard_close(&packed);
    }
    test_guard_close(&first);
    test_model_fill(&other, TEST_REALS, 53);
  }
  test_model_close(&other);
}

/* What an exchange returns ends the call on every rank, and comes back. */
EACH_MODEL(slices, failures, TEST_SMALL_LAYER, TEST_REALS, 54) {
  const ffn_kernel *kernels[MOST_KERNELS];
  const size_t count = sliced(kernel, kernels);
  if (count == 0)
    cr_skip_test("no kernel of the layer that runs here has slices");
  float *x = test_inputs(kernel, 2, TEST_REALS, 55);
  job j = {.model = model, .kernels = kernels, .kernel_count = count, .tokens = 2, .x = x};
  j.y = test_memory(3 * 2 * kernel->outputs * sizeof(float));
  for (size_t fails = 0; fails < kernel->stage_count; fails++) {
    if (kernel->max_tokens == 1)
      break;
    test_ranks *all = test_ranks_open(3, (long)fails, 1);
    test_ranks_run(all, run_rank, &j);
    cr_assert(!test_ranks_problem(all) && test_ranks_exchanges(all) == fails + 1,
              "%s exchanges %zu times, and %zu fails", kernel->name, test_ranks_exchanges(all),
              fails);
    for (size_t r = 0; r < 3; r++)
      cr_assert(j.failed[r] == 7, "%s: rank %zu gave %d", kernel->name, r, j.failed[r]);
    test_ranks_close(all);
  }
  free(x), free(j.y);
}

/* Units are all somebody's, once; who has none has a header alone. */
Test(slices, units) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (!has_slices(*k)) {
      cr_assert(ffn_slice_problem(*k, 2) && ffn_slice_bytes(*k, 0, 2) == SIZE_MAX &&
                ffn_slice_work_bytes(*k, 1, 1, 2) == SIZE_MAX);
      continue;
    }
    cr_assert(!ffn_slice_problem(*k, 2) && ffn_slice_problem(*k, 0));
    cr_assert(ffn_slice_bytes(*k, 0, 1) == (*k)->packed_bytes, "%s: one rank has %zu bytes",
              (*k)->name, ffn_slice_bytes(*k, 0, 1));
    cr_assert(ffn_slice_bytes(*k, 2, 2) == SIZE_MAX);
    for (size_t i = 0; i < COUNTS; i++)
      for (size_t s = 0; s < (*k)->stage_count; s++) {
        const size_t outputs = (*k)->stages[s].outputs;
        const size_t unit =
            gives_bytes(*k, s) ? ffn_stage_group(&(*k)->stages[s + 1]) : (size_t)FFN_SLICE_UNIT;
        const size_t units = (outputs + unit - 1) / unit;
        size_t end = 0, first, last;
        for (size_t r = 0; r < counts[i]; r++) {
          ffn_slice_columns(*k, s, r, counts[i], &first, &last);
          cr_assert(first == end && first == units * r / counts[i] * unit,
                    "%s: stage %zu, rank %zu of %zu", (*k)->name, s, r, counts[i]);
          end = last;
        }
        cr_assert(end == outputs);
      }
  }
  cr_assert(ffn_slice_problem(NULL, 2) != NULL);
}
