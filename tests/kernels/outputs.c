/* Several outputs of one x: each has the bits of a linear layer of its own, wherever it goes, for
 * any number of tokens and threads; nothing beside it is written; what overlaps is an assert. */
#define _GNU_SOURCE
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"
#include "support/refused.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 37, GAP = 3 };
static const float scale = -0.3f;

/* What an output holds before, where it is added to. */
static float old(size_t i) { return (float)(i * 37 % 101) / 16 - 3; }

/* The kernel of output i alone. */
static const ffn_kernel *alone(const ffn_kernel *kernel, size_t i) {
  const ffn_kernel *found = ffn_find(&(ffn_query){.kind = FFN_KIND_LINEAR,
                                                  .d_model = kernel->inputs,
                                                  .d_out = kernel->stages[i].outputs,
                                                  .bias = kernel->bias,
                                                  .hidden_format = kernel->stages[i].format,
                                                  .hidden_arithmetic = kernel->stages[i].arithmetic,
                                                  .cpu = 1u << kernel->isa});
  cr_assert(found && found->stage_count == 1 && !ffn_outputs_of(found), "%s: output %zu alone",
            kernel->name, i);
  return found;
}

/* What output i is, by a layer of its own: to be freed. */
static float *expected_of(const test_model *model, size_t i, const float *x, size_t tokens) {
  const ffn_kernel *kernel = alone(model->kernel, i);
  void *packed = ffn_alloc(kernel->packed_bytes);
  kernel->pack(packed, &(ffn_weights){.chain = &model->chain[i]});
  float *y = test_outputs(kernel, x, tokens, packed);
  ffn_free(packed);
  return y;
}

/* Where an output goes: rows at a stride of their own, the last of which ends at a page that
 * faults. */
typedef struct place {
  test_guard guard;
  size_t width, stride, floats;
} place;

static place place_open(size_t width, size_t gap, size_t tokens, test_side side) {
  place p = {.width = width, .stride = width + gap};
  p.floats = tokens ? (tokens - 1) * p.stride + width : 0;
  p.guard = test_guard_open(p.floats * sizeof(float), sizeof(float), side);
  for (size_t i = 0; i < p.floats; i++)
    ((float *)p.guard.memory)[i] = old(i);
  return p;
}

/* Every number of it: the result, or that added to what was there; old ones between the rows, and
 * everywhere where the output was not wanted. */
static void place_check(const place *p, const float *result, int wanted, int adds,
                        const char *name) {
  for (size_t i = 0; i < p->floats; i++) {
    const size_t row = i / p->stride, column = i % p->stride;
    float value = old(i);
    if (wanted && column < p->width) {
      const float y = result[row * p->width + column];
      value = adds ? fmaf(scale, y, value) : y;
    }
    cr_assert(test_same((const float *)p->guard.memory + i, &value, 1),
              "%s: column %zu of row %zu%s", name, column, row, adds ? ", added" : "");
  }
  cr_assert(test_guard_intact(&p->guard), "%s: writes beside an output", name);
}

/* A call with the outputs whose bits `wanted` has. */
static void check_call(const ffn_outputs *outputs, float *const *expected, const float *x,
                       const test_guard *packed, size_t tokens, unsigned wanted, int adds,
                       const ffn_parallel *parallel) {
  const ffn_kernel *kernel = outputs->kernel;
  const test_side side = (tokens + wanted) % 2 ? TEST_AT_END : TEST_AT_START;
  const size_t bytes = ffn_work_bytes(kernel, parallel ? parallel->threads : 1, tokens);
  const test_guard work = test_guard_open(bytes, FFN_ALIGNMENT, side);
  place places[FFN_MAX_STAGES];
  ffn_destination to[FFN_MAX_STAGES];
  for (size_t i = 0; i < outputs->count; i++) {
    places[i] = place_open(outputs->outputs[i].width, i % 2 ? GAP + i : 0, tokens, side);
    to[i].y = wanted >> i & 1 ? places[i].guard.memory : NULL;
    to[i].stride = places[i].stride;
  }
  if (adds)
    ffn_add_to(outputs, to, scale, x, kernel->inputs, tokens, packed->memory, work.memory, bytes,
               parallel);
  else
    ffn_run_to(outputs, to, x, kernel->inputs, tokens, packed->memory, work.memory, bytes,
               parallel);
  for (size_t i = 0; i < outputs->count; i++) {
    place_check(&places[i], expected[i], wanted >> i & 1, adds, kernel->name);
    test_guard_close(&places[i].guard);
  }
  cr_assert(test_guard_intact(&work), "%s: writes beside its work memory", kernel->name);
  test_guard_close(&work);
}

EACH_MODEL(outputs, bits, TEST_SMALL, TEST_REALS, 111) {
  static const size_t batches[] = {0, 1, 2, 3, 5, 19, MOST};
  const ffn_outputs *outputs = ffn_outputs_of(kernel);
  if (!outputs)
    return;
  const size_t most = MOST;
  const unsigned all = (1u << outputs->count) - 1;
  float *x = test_inputs(kernel, most, TEST_REALS, 112), *expected[FFN_MAX_STAGES];
  for (size_t i = 0; i < outputs->count; i++)
    expected[i] = expected_of(model, i, x, most);
  const test_guard packed =
      test_guard_copy(model->packed, kernel->packed_bytes, FFN_ALIGNMENT, TEST_AT_END);
  test_pool *pool = test_pool_open(0, TEST_ORDER_SHUFFLE);
  for (size_t b = 0; b < sizeof batches / sizeof *batches && batches[b] <= most; b++)
    for (size_t threads = 1; threads <= 3; threads++)
      for (int adds = 0; adds < 2; adds++) {
        const ffn_parallel parallel = test_pool_parallel(pool, threads);
        check_call(outputs, expected, x, &packed, batches[b], all, adds,
                   threads > 1 ? &parallel : NULL);
        check_call(outputs, expected, x, &packed, batches[b],
                   (unsigned)(7 * b + threads + 3 * (size_t)adds) & all, adds, &parallel);
      }
  test_pool_close(pool);
  test_guard_close(&packed);
  for (size_t i = 0; i < outputs->count; i++)
    free(expected[i]);
  free(x);
}

/* run() and add() of the kernel have them side by side. */
EACH_MODEL(outputs, beside, TEST_SMALL, TEST_REALS, 113) {
  const ffn_outputs *outputs = ffn_outputs_of(kernel);
  if (!outputs)
    return;
  const size_t tokens = 7;
  float *x = test_inputs(kernel, tokens, TEST_REALS, 114);
  float *y = test_outputs(kernel, x, tokens, model->packed);
  size_t at = 0;
  for (size_t i = 0; i < outputs->count; i++) {
    float *expected = expected_of(model, i, x, tokens);
    const size_t width = outputs->outputs[i].width;
    for (size_t t = 0; t < tokens; t++)
      cr_assert(test_same(y + t * kernel->outputs + at, expected + t * width, width),
                "%s: output %zu of row %zu", kernel->name, i, t);
    at += width;
    free(expected);
  }
  cr_assert(at == kernel->outputs, "%s", kernel->name);
  free(x), free(y);
}

/* Outputs may be columns of one array, and one of them may be columns of x, row on row. */
EACH_MODEL(outputs, one_array, TEST_SMALL, TEST_REALS, 115) {
  const ffn_outputs *outputs = ffn_outputs_of(kernel);
  if (!outputs)
    return;
  const size_t in = kernel->inputs, tokens = 19;
  const size_t last = outputs->count - 1, stride = in + kernel->outputs + outputs->count * GAP;
  float *x = test_inputs(kernel, tokens, TEST_REALS, 116), *expected[FFN_MAX_STAGES];
  float *rows = test_memory(tokens * stride * sizeof(float));
  const size_t bytes = ffn_work_bytes(kernel, 3, tokens);
  void *work = ffn_alloc(bytes);
  test_pool *pool = test_pool_open(0, TEST_ORDER_DOWN);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  for (size_t i = 0; i < outputs->count; i++)
    expected[i] = expected_of(model, i, x, tokens);
  for (int in_x = 0; in_x < 2; in_x++) {
    ffn_destination to[FFN_MAX_STAGES];
    size_t at = in;
    for (size_t i = outputs->count; i-- > 0; at += outputs->outputs[i].width + GAP)
      to[i] = (ffn_destination){rows + at, stride};
    if (in_x) /* of what was given it takes the place of x, and as many numbers behind it */
      to[last].y = outputs->outputs[last].width <= in ? rows : to[last].y;
    for (size_t i = 0; i < tokens * stride; i++)
      rows[i] = i % stride < in ? x[i / stride * in + i % stride] : old(i);
    ffn_run_to(outputs, to, rows, stride, tokens, model->packed, work, bytes, &parallel);
    for (size_t i = 0; i < outputs->count; i++)
      for (size_t t = 0; t < tokens; t++)
        cr_assert(test_same(to[i].y + t * stride, expected[i] + t * outputs->outputs[i].width,
                            outputs->outputs[i].width),
                  "%s: output %zu of row %zu%s", kernel->name, i, t, in_x ? ", in x" : "");
    for (size_t t = 0; t < tokens && !in_x; t++)
      cr_assert(memcmp(rows + t * stride, x + t * in, in * sizeof(float)) == 0, "%s: x of row %zu",
                kernel->name, t);
  }
  test_pool_close(pool);
  ffn_free(work);
  for (size_t i = 0; i < outputs->count; i++)
    free(expected[i]);
  free(x), free(rows);
}

typedef struct attempt {
  const ffn_outputs *outputs;
  const ffn_destination *to;
  const float *x;
  size_t x_stride;
  void *packed, *work;
  size_t work_bytes;
} attempt;

static void make(const void *misused) {
  const attempt *a = misused;
  ffn_run_to(a->outputs, a->to, a->x, a->x_stride, 2, a->packed, a->work, a->work_bytes, NULL);
}

/* What may not be is an assert, and what may be is none. */
EACH_MODEL(outputs, misuse, TEST_SMALL, TEST_REALS, 117) {
  const ffn_outputs *outputs = ffn_outputs_of(kernel);
  if (!outputs || kernel->isa != FFN_ISA_C)
    return;
  const size_t in = kernel->inputs, width = outputs->outputs[0].width;
  const size_t second = outputs->outputs[1].width, all = in + kernel->outputs;
  float *floats = calloc(4 * all, sizeof *floats);
  const size_t bytes = ffn_work_bytes(kernel, 1, 2);
  ffn_destination right[FFN_MAX_STAGES], to[FFN_MAX_STAGES];
  size_t at = in;
  for (size_t i = 0; i < outputs->count; i++, at += outputs->outputs[i - 1].width)
    right[i] = (ffn_destination){floats + at, all};
  attempt a = {outputs, to, floats, all, model->packed, ffn_alloc(bytes), bytes};
#define TRY(what, change, refused)                                                                 \
  do {                                                                                             \
    memcpy(to, right, sizeof to);                                                                  \
    a.to = to, a.x = floats, a.x_stride = all;                                                     \
    change;                                                                                        \
    cr_assert(test_is_refused(make, &a) == (refused), "%s: %s", kernel->name, what);               \
  } while (0)
  TRY("nothing is wrong", (void)0, 0);
  TRY("no destinations", a.to = NULL, 1);
  TRY("no output is wanted", memset(to, 0, sizeof to), 0);
  TRY("rows over the next", to[0].stride = width - 1, 1);
  TRY("the last of the first is the first of the second", to[0].y = right[1].y - width + 1,
      width > 1 || second > 0);
  TRY("both at one place", to[1].y = right[0].y, 1);
  TRY("the second row of the second is the first of the first",
      (to[0].y = floats + 2 * all, to[1].y = floats + 2 * all - second - 1,
       to[1].stride = second + 1),
      1);
  TRY("one at no place, the other at its", (to[1].y = right[0].y, to[0].y = NULL), 0);
  TRY("x, row on row", to[0].y = floats, width > in && second > 0);
  TRY("x, in another stride", (to[0].y = floats, to[0].stride = all + 1), 1);
  TRY("packed weights", to[1].y = a.packed, 1);
  TRY("work memory", to[1].y = a.work, 1);
  TRY("between two floats", to[1].y = (float *)((char *)right[1].y + 1), 1);
  TRY("windows of x, an output in one", a.x_stride = 1, 1);
  TRY("one row of x for all", a.x_stride = 0, 0);
  TRY("x is not there", a.x = NULL, 1);
  TRY("the row of x behind its own", to[0].y = floats + all, 1);
  ffn_free(a.work), free(floats);
}

/* A query for one output finds none of several; names and widths in their order find those. */
Test(outputs, find) {
  const ffn_output heads[] = {{"k", 8}, {"q", 40}, {"v", 24}};
  const ffn_output ordered[] = {{"q", 520}, {"k", 130}, {"v", 130}};
  ffn_query query = {.kind = FFN_KIND_LINEAR, .d_model = 300, .bias = 1, .cpu = ffn_cpu()};
  const ffn_outputs *found = ffn_find_outputs(&query, heads, 3);
  cr_assert(found && strcmp(found->kernel->layer, "linear_bias_d300_to_k8_q40_v24_f32") == 0);
  cr_assert(ffn_outputs_of(found->kernel) == found && found->count == 3);
  cr_assert(ffn_find_layer(found->kernel->layer, ffn_cpu()) == found->kernel);
  query.d_out = 72;
  cr_assert(ffn_find_outputs(&query, heads, 3) == found && !ffn_find(&query));
  query.d_out = 71;
  cr_assert(!ffn_find_outputs(&query, heads, 3));
  query.d_out = 0;
  cr_assert(!ffn_find_outputs(&query, heads, 2) && !ffn_find_outputs(&query, NULL, 0));
  cr_assert(!ffn_find_outputs(NULL, heads, 3));
  for (size_t i = 0; i < 3; i++) {
    ffn_output wrong[3];
    memcpy(wrong, heads, sizeof wrong);
    wrong[i].width++;
    cr_assert(!ffn_find_outputs(&query, wrong, 3));
    wrong[i].width--, wrong[i].name = "o";
    cr_assert(!ffn_find_outputs(&query, wrong, 3));
    cr_assert(ffn_output_index(found, heads[i].name) == i);
  }
  cr_assert(ffn_output_index(found, "o") == 3 && ffn_output_index(found, "") == 3);
  cr_assert(!ffn_outputs_of(NULL));
  query.bias = 0;
  cr_assert(!ffn_find_outputs(&query, heads, 3));
  query.d_model = 520;
  found = ffn_find_outputs(&query, ordered, 3);
  cr_assert(found && found->kernel->outputs == 780);
  query.cpu = 1u << FFN_ISA_C;
  cr_assert(ffn_find_outputs(&query, ordered, 3)->kernel->isa == FFN_ISA_C);
  query.cpu = 0;
  cr_assert(!ffn_find_outputs(&query, ordered, 3));
}

/* Work for threads is split over the columns of all outputs at once: one run for few tokens. */
Test(outputs, one_run) {
  const ffn_kernel *kernel = ffn_find_layer("linear_d520_to_q520_k130_v130_f32", ffn_cpu());
  test_model model;
  cr_assert(kernel != NULL);
  test_model_open(&model, kernel, TEST_REALS, 118);
  test_model_pack(&model);
  float *x = test_inputs(kernel, 1, TEST_REALS, 119);
  float *y = test_memory(kernel->outputs * sizeof(float));
  const size_t bytes = ffn_work_bytes(kernel, 3, 1);
  void *work = ffn_alloc(bytes);
  test_pool *pool = test_pool_open(0, TEST_ORDER_UP);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, 1, model.packed, work, bytes, &parallel);
  cr_assert(test_pool_runs(pool) == 1 && test_pool_most_tasks(pool) == 3);
  test_pool_close(pool);
  ffn_free(work);
  free(x), free(y);
  test_model_close(&model);
}
