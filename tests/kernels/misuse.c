/* What a caller may not do is an assert: each misuse in a process of its own, which ends of it. */
#define _GNU_SOURCE
#include "support/each.h"
#include "support/refused.h"

#include <stdlib.h>

/* Bytes of packed weights: larger layers have the same asserts. */
static const size_t enough = 1 << 16;

/* A call that breaks a precondition. */
typedef struct misuse {
  const ffn_kernel *kernel;
  const ffn_weights *weights; /* pack(), or */
  const float *x;             /* run() of two rows */
  float *y;
  void *packed, *work;
  size_t work_bytes;
} misuse;

static void make(const void *misused) {
  const misuse *call = misused;
  if (call->weights)
    call->kernel->pack(call->packed, call->weights);
  else
    call->kernel->run(call->y, call->kernel->outputs, call->x, call->kernel->inputs, 2,
                      call->packed, call->work, call->work_bytes, NULL);
}

static int is_refused(const misuse *call) { return test_is_refused(make, call); }

/* What ffn_weights_problem() tells is an assert of pack(). */
EACH_MODEL(misuse, pack, TEST_SMALL_LAYER, TEST_REALS, 71) {
  const float something = 1;
  if (kernel->packed_bytes > enough)
    return;
  const misuse call = {kernel, &model->weights, NULL, NULL, model->packed, NULL, 0};
  cr_assert(!is_refused(&call), "%s: nothing is wrong", kernel->name);
  for (size_t m = 0; m < model->matrix_count; m++) {
    const ffn_linear kept = *model->matrices[m].linear;
    model->matrices[m].linear->weight = NULL;
    cr_assert(is_refused(&call), "%s: weight %zu is NULL", kernel->name, m);
    *model->matrices[m].linear =
        (ffn_linear){.weight = kept.weight, .bias = kept.bias ? NULL : &something};
    cr_assert(is_refused(&call), "%s: bias %zu is there or not", kernel->name, m);
    const size_t row = model->matrices[m].inputs * sizeof(float);
    const ffn_source own = kernel->stages[model->matrices[m].stage].source;
    const ffn_source other = own == FFN_SOURCE_F16 ? FFN_SOURCE_BF16 : FFN_SOURCE_F16;
    const ffn_linear wrong[] = {{.weight = kept.weight, .source = other},
                                {.weight = kept.weight, .source = (ffn_source)3},
                                {.weight = kept.weight, .row_bytes = row + 1},
                                {.weight = kept.weight, .row_bytes = 1},
                                {.weight = kept.weight, .scales = &something},
                                {.weight = kept.weight, .zeros = &something},
                                {.weight = (const char *)kept.weight + 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      *model->matrices[m].linear = wrong[i];
      model->matrices[m].linear->bias = kept.bias;
      cr_assert(is_refused(&call), "%s: matrix %zu is none that it takes: %zu", kernel->name, m, i);
    }
    *model->matrices[m].linear = kept;
  }
  if (kernel->stages[0].matrix[0] == FFN_MATRIX_CHAIN) {
    const ffn_linear *kept = model->weights.chain;
    model->weights.chain = NULL;
    cr_assert(is_refused(&call), "%s: chain is NULL", kernel->name);
    model->weights.chain = kept;
  }
}

/* y may stand beside x in one array, but not on it: walks and straight lines alike. */
EACH_MODEL(misuse, run, TEST_SMALL, TEST_REALS, 72) {
  const size_t inputs = kernel->inputs, outputs = kernel->outputs;
  if (kernel->packed_bytes > enough)
    return;
  float *floats = calloc(4 * (inputs + outputs), sizeof *floats);
  const size_t bytes = ffn_work_bytes(kernel, 1, 2);
  const int in_place = kernel->in_place && inputs == outputs; /* which are the strides */
  misuse call = {kernel, NULL, floats, floats + 2 * inputs, model->packed, ffn_alloc(bytes), bytes};
  cr_assert(!is_refused(&call), "%s: y behind x", kernel->name);
  call.work_bytes = bytes - 1;
  cr_assert(is_refused(&call), "%s: a byte of work memory is missing", kernel->name);
  call.work_bytes = bytes;
  call.x = floats + 2 * outputs, call.y = floats;
  cr_assert(!is_refused(&call), "%s: y in front of x", kernel->name);
  call.x = floats + outputs - 1;
  cr_assert(is_refused(&call) || (call.x == call.y && in_place), "%s: the last y is the first x",
            kernel->name);
  call.x = floats;
  cr_assert(is_refused(&call) != in_place, "%s: y is x", kernel->name);
  call.y = floats + inputs - 1;
  cr_assert(is_refused(&call) || (call.x == call.y && in_place), "%s: the first y is the last x",
            kernel->name);
  ffn_free(call.work), free(floats);
}
