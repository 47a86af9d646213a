/* Dropout: which elements are kept, on every way to them. */
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"
#include "support/training.h"

#include "train_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words -------------------------------------------------------------------------------- */

/* Of Random123, kat_vectors: counter, key, words. */
static const uint32_t known[][10] = {
    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
    {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e,
     0xa20bc7c6, 0x6d5451fd},
    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb,
     0x5001e420, 0x24126ea1},
};

static uint64_t wide(const uint32_t *words) { return (uint64_t)words[1] << 32 | words[0]; }

Test(dropout, known_words) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    uint32_t words[4], many[FFN_PHILOX_WORDS];
    ffn_philox(words, known[i], known[i] + 4);
    cr_assert(memcmp(words, known[i] + 6, sizeof words) == 0, "vector %zu, one counter", i);
    ffn_philox_words(many, wide(known[i]), UINT64_MAX, known[i][2], known[i][3],
                     wide(known[i] + 4));
    cr_assert(memcmp(many, known[i] + 6, sizeof words) == 0, "vector %zu, many counters", i);
  }
}

/* Counters go on from 32 bits into 64; those of 2^64 elements, four a counter, go on with 0. */
Test(dropout, neighbouring_words) {
  static const uint64_t starts[] = {0, UINT64_C(0xfffffffc), UINT64_C(0x3ffffffffffffff9),
                                    UINT64_C(0x123456789abcdef)};
  const uint64_t seed = UINT64_C(0xfedcba9876543210);
  const uint32_t key[2] = {0x76543210, 0xfedcba98};
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
    uint32_t many[FFN_PHILOX_WORDS], words[4];
    ffn_philox_words(many, starts[s], UINT64_MAX >> 2, 5, 6, seed);
    for (size_t i = 0; i < FFN_PHILOX_WORDS / 4; i++) {
      const uint64_t at = (starts[s] + i) % (UINT64_C(1) << 62);
      const uint32_t counter[4] = {(uint32_t)at, (uint32_t)(at >> 32), 5, 6};
      ffn_philox(words, counter, key);
      cr_assert(memcmp(words, many + 4 * i, sizeof words) == 0, "counter %zu from %llx on", i,
                (unsigned long long)starts[s]);
    }
  }
}

/* ---- Masks -------------------------------------------------------------------------------- */

static size_t width_of(const ffn_training *t, size_t place) {
  return t->stages[t->dropouts[place].stage].outputs;
}

/* Masks of all places of a training, at the end of their memory. */
typedef struct masks {
  size_t count;
  test_guard memory[FFN_MAX_STAGES];
  const float *at[FFN_MAX_STAGES];
  ffn_dropout dropout; /* whose masks are these */
} masks;

static void open_masks(masks *m, const ffn_training *t, const ffn_dropout *dropout, size_t tokens) {
  m->count = t->dropout_count;
  for (size_t i = 0; i < m->count; i++) {
    const size_t bytes = tokens * width_of(t, i) * sizeof(float);
    m->memory[i] = test_guard_open(bytes, sizeof(float), TEST_AT_END);
    ffn_dropout_mask(t, i, dropout, m->memory[i].memory, tokens);
    test_guard_read_only(&m->memory[i]);
    m->at[i] = m->memory[i].memory;
  }
  m->dropout = (ffn_dropout){.masks = m->at};
}

static void close_masks(masks *m) {
  for (size_t i = 0; i < m->count; i++)
    test_guard_close(&m->memory[i]);
}

/* y and all gradients of one way through a training. */
typedef struct way {
  float *y;
  test_gradients gradients;
} way;

enum { TOKENS = 150 };

/* Tokens from `from` to `to` of TOKENS. */
static void go(way *w, const ffn_training *t, const test_model *model, const ffn_dropout *dropout,
               size_t from, size_t to, const ffn_parallel *parallel) {
  const size_t tokens = to - from;
  float *x = test_inputs(model->kernel, TOKENS, TEST_REALS, 31);
  float *dy = test_loss(model->kernel, TOKENS, TEST_REALS, 32);
  void *packed = test_pack_train(t, model), *saved = test_saved(t, tokens);
  w->y = test_memory(tokens * t->outputs * sizeof *w->y);
  test_train(t, w->y, x + from * t->inputs, tokens, saved, packed, dropout, parallel);
  test_gradients_open(&w->gradients, model, tokens);
  test_grad(t, &w->gradients.to, dy + from * t->outputs, x + from * t->inputs, tokens, saved,
            packed, dropout, parallel);
  free(x), free(dy), ffn_free(packed), ffn_free(saved);
}

static void leave(way *w) {
  test_gradients_close(&w->gradients);
  free(w->y);
}

static void expect_same(const way *a, const way *b, const char *name, const char *what) {
  const test_gradients *g = &a->gradients;
  cr_assert(test_same(a->y, b->y, g->tokens * g->model->kernel->outputs), "%s: y has other bits %s",
            name, what);
  for (size_t i = 0; i < g->count; i++)
    cr_assert(test_same(g->all[i].values, b->gradients.all[i].values, g->all[i].count),
              "%s: %s has other bits %s", name, g->all[i].name, what);
}

/* The masks of ffn_dropout_mask(), given back, do what the numbers do that they were made of. */
EACH_MODEL(dropout, given, TEST_SMALL, TEST_REALS, 30) {
  const ffn_training *t = ffn_training_of(kernel);
  if (t->dropout_count == 0)
    return;
  way random, given;
  masks m;
  open_masks(&m, t, &test_dropout, TOKENS);
  go(&random, t, model, &test_dropout, 0, TOKENS, NULL);
  go(&given, t, model, &m.dropout, 0, TOKENS, NULL);
  expect_same(&random, &given, t->name, "with the mask given");
  leave(&given), close_masks(&m);
  open_masks(&m, t, NULL, TOKENS);
  way plain;
  go(&plain, t, model, NULL, 0, TOKENS, NULL);
  go(&given, t, model, &m.dropout, 0, TOKENS, NULL);
  expect_same(&plain, &given, t->name, "with a mask of ones");
  leave(&random), leave(&plain), leave(&given), close_masks(&m);
}

/* The same elements on every instruction set and for any threads. */
EACH_MODEL(dropout, same_everywhere, TEST_SMALL, TEST_REALS, 30) {
  const ffn_training *t = ffn_training_of(kernel);
  if (t->dropout_count == 0)
    return;
  way here, there;
  go(&here, t, model, &test_dropout, 0, TOKENS, NULL);
  go(&there, ffn_training_of(test_base(kernel)), model, &test_dropout, 0, TOKENS, NULL);
  expect_same(&here, &there, t->name, "than on another instruction set");
  leave(&there);
  test_pool *pool = test_pool_open(1, TEST_ORDER_SHUFFLE);
  for (size_t threads = 2; threads <= 5; threads += 3) {
    const ffn_parallel parallel = test_pool_parallel(pool, threads);
    go(&there, t, model, &test_dropout, 0, TOKENS, &parallel);
    expect_same(&here, &there, t->name, "on several threads");
    leave(&there);
  }
  test_pool_close(pool);
  leave(&here);
}

/* What is asked for by sizes drops nothing. */
EACH_KERNEL(dropout, has_a_name_alone, TEST_SMALL_LAYER) {
  ffn_query query = {.kind = kernel->kind,
                     .variant = kernel->variant,
                     .d_model = kernel->inputs,
                     .d_ff = kernel->hidden,
                     .d_out = kernel->outputs,
                     .bias = kernel->bias,
                     .dtype = kernel->dtype,
                     .cpu = 1u << kernel->isa,
                     .hidden_format = kernel->stages[0].format};
  if (kernel->kind == FFN_KIND_FFN)
    query.down_format = kernel->stages[1].format;
  for (size_t s = 0; s < kernel->stage_count; s++)
    if (kernel->stages[s].parameters_fixed)
      memcpy(query.parameters, kernel->stages[s].parameters, sizeof query.parameters);
  const ffn_kernel *found = ffn_find(&query);
  cr_assert(kernel->dropout == (ffn_training_of(kernel)->dropout_count > 0), "%s", kernel->name);
  cr_assert(!found || !found->dropout, "%s is found", found->name);
  const int by_sizes = kernel->kind != FFN_KIND_MLP && !ffn_outputs_of(kernel);
  cr_assert(kernel->dropout || !by_sizes || found, "%s", kernel->name);
  cr_assert(ffn_find_layer(kernel->layer, query.cpu) == kernel, "%s", kernel->name);
}

/* A batch may be cut behind any token. */
EACH_MODEL(dropout, splits, TEST_SMALL, TEST_REALS, 30) {
  static const size_t cuts[] = {1, 3, 64, 129};
  const ffn_training *t = ffn_training_of(kernel);
  if (t->dropout_count == 0)
    return;
  way whole, part;
  go(&whole, t, model, &test_dropout, 0, TOKENS, NULL);
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    ffn_dropout rest = test_dropout;
    rest.first_token += cuts[i];
    go(&part, t, model, &rest, cuts[i], TOKENS, NULL);
    const size_t tokens = TOKENS - cuts[i];
    cr_assert(test_same(part.y, whole.y + cuts[i] * t->outputs, tokens * t->outputs) &&
                  test_same(part.gradients.all[0].values,
                            whole.gradients.all[0].values + cuts[i] * t->inputs,
                            tokens * t->inputs),
              "%s: y or dx has other bits behind token %zu", t->name, cuts[i]);
    leave(&part);
  }
  leave(&whole);
}

/* Every number that a mask is made of makes another mask. */
EACH_KERNEL(dropout, numbers, TEST_SMALL_LAYER) {
  const ffn_training *t = ffn_training_of(kernel);
  enum { CHANGES = 5 };
  ffn_dropout changed[CHANGES];
  for (size_t i = 0; i < CHANGES; i++)
    changed[i] = test_dropout;
  changed[0].seed ^= 1, changed[1].seed ^= UINT64_C(1) << 63, changed[2].first_token++;
  changed[3].layer += 100, changed[4].step++;
  for (size_t place = 0; place < t->dropout_count; place++) {
    const float rate = t->dropouts[place].rate;
    if (rate < 0.05f || rate > 0.95f)
      continue;
    const size_t values = TOKENS * width_of(t, place);
    float *mask = test_memory(values * sizeof *mask), *other = test_memory(values * sizeof *other);
    ffn_dropout_mask(t, place, &test_dropout, mask, TOKENS);
    for (size_t i = 0; i < CHANGES; i++) {
      ffn_dropout_mask(t, place, &changed[i], other, TOKENS);
      cr_assert(!test_same(mask, other, values), "%s: change %zu changes nothing", t->name, i);
    }
    free(mask), free(other);
  }
}

/* As many are kept as chance allows, five standard deviations, and these are scaled. */
EACH_KERNEL(dropout, rates, TEST_SMALL_LAYER) {
  enum { MANY = 3000 };
  const ffn_training *t = ffn_training_of(kernel);
  for (size_t place = 0; place < t->dropout_count; place++) {
    const ffn_dropout_place *p = &t->dropouts[place];
    const size_t values = MANY * width_of(t, place);
    float *mask = test_memory(values * sizeof *mask);
    ffn_dropout_mask(t, place, &test_dropout, mask, MANY);
    size_t kept = 0;
    for (size_t i = 0; i < values; i++) {
      kept += mask[i] > 0;
      cr_assert(test_bits(mask[i]) == 0 || test_same(&mask[i], &p->scale, 1), "%s: a factor of %g",
                t->name, (double)mask[i]);
    }
    const double rate = p->rate, expected = (double)values * (1 - rate);
    const double deviation = sqrt((double)values * rate * (1 - rate));
    cr_assert(fabs((double)kept - expected) <= 5 * deviation, "%s: %zu of %zu kept, rate %g",
              t->name, kept, values, rate);
    cr_assert(rate < 1 ? test_same(&p->scale, &(float){(float)(1 / (1 - rate))}, 1)
                       : p->below == 0 && kept == 0 && test_bits(p->scale) == 0,
              "%s: rate %g has the scale %g", t->name, rate, (double)p->scale);
    free(mask);
  }
}

/* Where everything is dropped, nothing but zeros comes out, whatever went in. */
EACH_MODEL(dropout, everything, TEST_SMALL, TEST_REALS, 30) {
  const ffn_training *t = ffn_training_of(kernel);
  if (t->dropout_count == 0 || t->dropouts[0].rate < 1 || kernel->bias)
    return;
  way w;
  go(&w, t, model, &test_dropout, 0, TOKENS, NULL);
  for (size_t i = 0; i < TOKENS * t->outputs; i++)
    cr_assert(fabsf(w.y[i]) <= 0, "%s: y is %g", t->name, (double)w.y[i]);
  for (size_t g = 0; g < w.gradients.count; g++)
    for (size_t i = 0; i < w.gradients.all[g].count; i++)
      cr_assert(fabsf(w.gradients.all[g].values[i]) <= 0, "%s: %s is %g", t->name,
                w.gradients.all[g].name, (double)w.gradients.all[g].values[i]);
  leave(&w);
}
