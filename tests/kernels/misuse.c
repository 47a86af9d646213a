/* What a caller may not do is an assert: each misuse in a process of its own, which ends of it. For
 * each function and each argument: what is not there, not aligned, over another one, or so large
 * that addresses wrap around. And what looks like a misuse, but is allowed. */
#define _GNU_SOURCE
#include "support/each.h"
#include "support/refused.h"

#include <stdlib.h>

/* Bytes of packed weights: larger layers have the same asserts. */
static const size_t enough = 1 << 16;

static const size_t wraps = SIZE_MAX / sizeof(float) + 1; /* a stride: 2^62 */

typedef enum which { RUN, ADD, PACK, UNPACK, REFERENCE, REFERENCE_ADD } which;

/* A call that may break a precondition. */
typedef struct call {
  which which;
  const ffn_kernel *kernel;
  const ffn_weights *weights;
  ffn_unpacked *unpacked;
  char *y;
  const char *x;
  size_t y_stride, x_stride, tokens;
  char *packed, *work;
  size_t work_bytes;
  const ffn_parallel *parallel;
  double *values, *bounds;
} call;

static const char *name_of(const call *c) { return c->kernel ? c->kernel->name : "no kernel"; }

static void make(const void *made) {
  const call *c = made;
  float *y = (float *)(void *)c->y;
  const float *x = (const float *)(const void *)c->x;
  switch (c->which) {
  case RUN:
    ffn_run(c->kernel, y, c->y_stride, x, c->x_stride, c->tokens, c->packed, c->work, c->work_bytes,
            c->parallel);
    return;
  case ADD:
    ffn_add(c->kernel, y, c->y_stride, 0.5f, x, c->x_stride, c->tokens, c->packed, c->work,
            c->work_bytes, c->parallel);
    return;
  case PACK:
    c->kernel->pack(c->packed, c->weights);
    return;
  case UNPACK:
    c->kernel->unpack(c->unpacked, c->packed);
    return;
  case REFERENCE:
    ffn_reference(c->kernel, c->values, c->bounds, x, c->x_stride, c->tokens, c->weights, c->work);
    return;
  case REFERENCE_ADD:
    ffn_reference_add(c->kernel, c->values, c->bounds, x, c->x_stride, 1, c->tokens);
  }
}

/* What ffn_weights_problem() tells is an assert of pack(). */
EACH_MODEL(misuse, pack, TEST_SMALL_LAYER, TEST_REALS, 71) {
  const float something = 1;
  if (kernel->packed_bytes > enough)
    return;
  const call good = {
      .which = PACK, .kernel = kernel, .weights = &model->weights, .packed = model->packed};
  EXPECT(0, good, (void)c);
  EXPECT(1, good, c.packed = NULL);
  EXPECT(1, good, c.packed += 4);
  EXPECT(1, good, c.weights = NULL);
  for (size_t m = 0; m < model->matrix_count; m++) {
    ffn_linear *linear = model->matrices[m].linear;
    const ffn_linear kept = *linear;
    EXPECT(1, good, linear->weight = NULL);
    *linear = (ffn_linear){.weight = kept.weight,
                           .bias = kept.bias ? NULL : &something,
                           .operand_scale = kept.operand_scale};
    EXPECT(1, good, (void)"a bias is there, or is not");
    const char *last = (const char *)model->packed + kernel->packed_bytes - sizeof(float);
    const size_t row = model->matrices[m].inputs * sizeof(float);
    const ffn_source own = kernel->stages[model->matrices[m].stage].source;
    const ffn_source other = own == FFN_SOURCE_F16 ? FFN_SOURCE_BF16 : FFN_SOURCE_F16;
    const ffn_linear wrong[] = {{.weight = kept.weight, .source = other},
                                {.weight = kept.weight, .source = FFN_SOURCE_COUNT},
                                {.weight = kept.weight, .row_bytes = row + 1},
                                {.weight = kept.weight, .row_bytes = 1},
                                {.weight = kept.weight, .scales = &something},
                                {.weight = kept.weight, .zeros = &something},
                                {.weight = (const char *)kept.weight + 1},
                                {.weight = last},
                                {.weight = model->packed}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      *linear = wrong[i];
      linear->bias = kept.bias;
      EXPECT(1, good, (void)wrong[i]);
    }
    *linear = kept;
    if (model->matrices[m].scales && ffn_source_block(own).scale == sizeof(float)) {
      float *scale = (float *)(void *)model->matrices[m].scales;
      const float before = *scale;
      EXPECT(1, good, *scale = 0x1p-101f); /* a part of it is no f32 */
      *scale = before;
    }
    if (kept.bias)
      EXPECT(1, good, linear->bias = (const float *)(const void *)last);
    *linear = kept;
  }
  if (kernel->stages[0].matrix[0] == FFN_MATRIX_CHAIN) {
    const ffn_linear *kept = model->weights.chain;
    EXPECT(1, good, model->weights.chain = NULL);
    model->weights.chain = kept;
  }
}

EACH_MODEL(misuse, unpack, TEST_SMALL_LAYER, TEST_REALS, 74) {
  ffn_unpacked nothing = {.chain = NULL};
  char *other = ffn_alloc(kernel->packed_bytes);
  memset(other, 0, kernel->packed_bytes);
  const call good = {
      .which = UNPACK, .kernel = kernel, .unpacked = &nothing, .packed = model->packed};
  EXPECT(0, good, (void)c);
  EXPECT(1, good, c.unpacked = NULL);
  EXPECT(1, good, c.packed = NULL);
  EXPECT(1, good, c.packed += 4);
  EXPECT(1, good, c.packed = other);
  ffn_free(other);
}

/* Two rows of y and of x in the first half and the second of some floats, with room around. */
typedef struct rows {
  float *floats, *x, *y;
  size_t inputs, outputs;
} rows;

static rows open_rows(const ffn_kernel *kernel) {
  const size_t inputs = kernel->inputs, outputs = kernel->outputs, part = 4 * (inputs + outputs);
  float *floats = calloc(3 * part, sizeof *floats);
  return (rows){floats, floats + part, floats + 2 * part, inputs, outputs};
}

static char *at(const float *place) { return (char *)(uintptr_t)place; }

/* What is there, aligned, and of a size. */
static void check_arguments(const call *good) {
  const size_t inputs = good->kernel->inputs;
  const ffn_parallel nobody = {NULL, NULL, 2};
  EXPECT(0, *good, (void)c);
  EXPECT(0, *good, c.tokens = 0, c.x = c.y = NULL, c.y_stride = 0);
  EXPECT(0, *good, c.tokens = 1, c.x_stride = c.y_stride = 0);
  EXPECT(0, *good, c.tokens = 1, c.x_stride = c.y_stride = SIZE_MAX);
  EXPECT(1, *good, c.x = NULL);
  EXPECT(1, *good, c.y = NULL);
  EXPECT(1, *good, c.packed = NULL);
  EXPECT(1, *good, c.work = NULL);
  EXPECT(1, *good, c.x++);
  EXPECT(1, *good, c.y++);
  EXPECT(1, *good, c.packed += 4);
  EXPECT(1, *good, c.work += 4);
  EXPECT(1, *good, c.work_bytes--);
  EXPECT(1, *good, c.parallel = &nobody);
  EXPECT(1, *good, c.y_stride--);
  EXPECT(1, *good, c.y_stride = wraps);
  EXPECT(1, *good, c.x_stride = wraps);
  EXPECT(1, *good, c.y_stride = SIZE_MAX);
  EXPECT(1, *good, c.x_stride = SIZE_MAX);
  EXPECT(0, *good, c.x_stride = 0);
  EXPECT(0, *good, c.x_stride = 1);
  EXPECT(0, *good, c.x_stride = inputs - 1);
}

/* What has its own memory, whatever lies in it. */
static void check_overlaps(const call *good, const rows *r) {
  const size_t inputs = r->inputs, outputs = r->outputs, both = inputs + outputs;
  EXPECT(1, *good, c.work = c.packed);
  EXPECT(1, *good, c.work = c.packed + (c.kernel->packed_bytes - 1) / 64 * 64);
  EXPECT(1, *good, c.y = c.packed);
  EXPECT(1, *good, c.y = c.packed + c.kernel->packed_bytes - 4);
  EXPECT(1, *good, c.y = c.work);
  EXPECT(1, *good, c.x = c.work);
  EXPECT(1, *good, c.y = at(r->x - 2 * outputs + 1));
  EXPECT(0, *good, c.y = at(r->x - 2 * outputs));
  EXPECT(1, *good, c.y = at(r->x + 2 * inputs - 1));
  EXPECT(0, *good, c.y = at(r->x + 2 * inputs));
  /* Columns of one array: the strides say what lies between the rows. */
  EXPECT(0, *good, c.y = at(r->x + inputs), c.x_stride = c.y_stride = both);
  EXPECT(0, *good, c.y = at(r->x - outputs), c.x_stride = c.y_stride = both);
  EXPECT(1, *good, c.y = at(r->x + inputs), c.x_stride = c.y_stride = both - 1);
  /* Over the last of a row of x: refused, unless that is all of it, or each output lies in its row.
   */
  const int in_row = good->kernel->in_place && (inputs == 1 || ffn_outputs_of(good->kernel));
  EXPECT(!in_row, *good, c.y = at(r->x + inputs - 1), c.x_stride = c.y_stride = both);
  EXPECT(1, *good, c.y = at(r->x + inputs), c.x_stride = both, c.y_stride = both - 1);
  EXPECT(0, *good, c.y = at(r->x + inputs), c.x_stride = both, c.y_stride = both + 1);
  /* Windows lie over each other; y may stand in none of them. */
  EXPECT(1, *good, c.y = at(r->x + inputs), c.x_stride = 1);
  EXPECT(0, *good, c.y = at(r->x + inputs + 1), c.x_stride = 1);
  EXPECT(1, *good, c.y = at(r->x + inputs - 1), c.x_stride = 0);
  EXPECT(0, *good, c.y = at(r->x + inputs), c.x_stride = 0);
}

/* y is x where a kernel says so: rows of one stride, none of which is over the next. */
static void check_in_place(const call *good, const rows *r) {
  const size_t most = r->inputs > r->outputs ? r->inputs : r->outputs;
  const int refused = !good->kernel->in_place;
  EXPECT(refused, *good, c.y = at(r->x), c.x_stride = c.y_stride = most);
  EXPECT(refused, *good, c.y = at(r->x), c.tokens = 1, c.x_stride = most, c.y_stride = 0);
  EXPECT(1, *good, c.y = at(r->x), c.x_stride = most, c.y_stride = most + 1);
  if (r->inputs > r->outputs)
    EXPECT(1, *good, c.y = at(r->x), c.x_stride = c.y_stride = r->inputs - 1);
  const int in_row = !refused && ffn_outputs_of(good->kernel); /* several, each in its row */
  EXPECT(r->inputs > 1 && !in_row, *good, c.y = at(r->x + 1), c.x_stride = c.y_stride = most + 1);
}

EACH_MODEL(misuse, run, TEST_SMALL, TEST_REALS, 72) {
  if (kernel->packed_bytes > enough)
    return;
  const rows r = open_rows(kernel);
  const size_t bytes = ffn_work_bytes(kernel, 1, 2);
  call good = {.kernel = kernel,
               .y = at(r.y),
               .x = at(r.x),
               .y_stride = r.outputs,
               .x_stride = r.inputs,
               .tokens = 2,
               .packed = model->packed,
               .work = ffn_alloc(bytes),
               .work_bytes = bytes};
  for (good.which = RUN; good.which <= ADD; good.which++) {
    check_arguments(&good);
    check_overlaps(&good, &r);
    check_in_place(&good, &r);
  }
  ffn_free(good.work), free(r.floats);
}

EACH_MODEL(misuse, reference, TEST_SMALL_LAYER, TEST_REALS, 73) {
  const rows r = open_rows(kernel);
  double *values = calloc(4 * r.outputs, sizeof *values);
  call good = {.which = REFERENCE,
               .kernel = kernel,
               .weights = &model->weights,
               .x = at(r.x),
               .x_stride = r.inputs,
               .tokens = 2,
               .work = malloc(ffn_reference_bytes(kernel)),
               .values = values,
               .bounds = values + 2 * r.outputs};
  EXPECT(0, good, (void)c);
  EXPECT(0, good, c.values = c.bounds = NULL);
  EXPECT(0, good, c.x = NULL, c.tokens = 0);
  EXPECT(0, good, c.x_stride = 0);
  EXPECT(1, good, c.kernel = NULL);
  EXPECT(1, good, c.weights = NULL);
  EXPECT(1, good, c.x = NULL);
  EXPECT(1, good, c.work = NULL);
  EXPECT(1, good, c.work++);
  good.which = REFERENCE_ADD, good.x_stride = r.outputs;
  EXPECT(0, good, (void)c);
  EXPECT(0, good, c.x = NULL, c.values = c.bounds = NULL, c.tokens = 0);
  EXPECT(1, good, c.kernel = NULL);
  EXPECT(1, good, c.x = NULL);
  EXPECT(1, good, c.values = NULL);
  EXPECT(1, good, c.bounds = NULL);
  free(good.work), free(values), free(r.floats);
}

/* Functions that say something of what they are given, say it of nothing, too. */
Test(misuse, nothing) {
  const ffn_kernel *kernel = *ffn_all(NULL);
  cr_assert(ffn_find(NULL) == NULL && ffn_find_layer(NULL, ~0u) == NULL &&
            ffn_find_limited(NULL, 1, ~0u) == NULL && ffn_find_packed(NULL, 1, ~0u) == NULL &&
            ffn_find_packed("", 0, ~0u) == NULL);
  cr_assert(ffn_work_bytes(NULL, 1, 1) == 0 && ffn_reference_bytes(NULL) == 0);
  cr_assert(ffn_work_bytes(kernel, SIZE_MAX, SIZE_MAX) == SIZE_MAX);
  cr_assert(ffn_alloc(0) == NULL && ffn_alloc(SIZE_MAX) == NULL);
  ffn_free(NULL);
  cr_assert(ffn_weights_problem(NULL, NULL) && ffn_weights_problem(kernel, NULL));
  cr_assert(!ffn_packed_fits(NULL, kernel) && !ffn_packed_fits(kernel, NULL));
  cr_assert(ffn_packed_problem(NULL, kernel, 64) && ffn_packed_problem(kernel, NULL, SIZE_MAX));
}
