/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * selfcheck_train.h - the part of selfcheck.c for layers that are trained, by its helpers. */
#include "ffn_train.h"
/*@ end */

/* For every linked training that this CPU can run: y has the bits of run(); all gradients lie
 * within the bound of ffn_reference_grad(); all instruction sets of a layer, and a batch in two
 * parts, give the same bits, and batches of all sizes those that a row alone has for y and for its
 * gradient; nothing is written behind saved and work memory, and what lay there
 * is of no consequence. The memory of it is about eight times the bytes of the largest layer's
 * weights. */

/* More than a block of tokens, where that is affordable. */
enum { MOST_TRAIN_TOKENS = FFN_TOKEN_BLOCK + 5 };

/* Gradients side by side, in floats: dx, then of each slot the weight and the bias, then those of
 * parameters; in doubles their reference and its bound. */
typedef struct gradients {
  size_t tokens, count;
  size_t rows; /* of x and dy: as many as `tokens`, and as some batch has */
  float *values;
  double *reference, *bound;
  ffn_gradients to;
  ffn_reference_gradients truth;
  ffn_linear_gradient chain[FFN_MAX_STAGES];
  ffn_reference_linear truth_chain[FFN_MAX_STAGES];
  float *x, *y, *dy;
  float *dx, *first_dx; /* of some rows; of each row alone, the bits that all batches must give */
  int have_first;
  uint64_t hash; /* of the bits that all trainings of the layer must give; 0: none yet */
} gradients;

/* The next `count` of all gradients. */
static float *next_of(gradients *g, size_t count, ffn_reference_array *truth) {
  float *values = g->values ? g->values + g->count : NULL;
  if (values) {
    truth->value = g->reference + g->count;
    truth->bound = g->bound + g->count;
  }
  g->count += count;
  return values;
}

/* Hands all places out, or counts them where there is no memory yet. */
static void hand_out(gradients *g, layer *l, const ffn_training *t) {
  g->count = 0;
  g->to.dx = next_of(g, g->tokens * t->inputs, &g->truth.dx);
  g->to.dx_stride = t->inputs;
  g->to.chain = g->chain;
  g->truth.chain = g->truth_chain;
  for (size_t i = 0; i < l->slot_count; i++) {
    const slot *s = &l->slots[i];
    const ffn_weights *w = &l->weights;
    ffn_linear_gradient *to = s->linear == &w->gate   ? &g->to.gate
                              : s->linear == &w->up   ? &g->to.up
                              : s->linear == &w->down ? &g->to.down
                                                      : &g->chain[s->linear - l->chain];
    ffn_reference_linear *truth = s->linear == &w->gate   ? &g->truth.gate
                                  : s->linear == &w->up   ? &g->truth.up
                                  : s->linear == &w->down ? &g->truth.down
                                                          : &g->truth_chain[s->linear - l->chain];
    to->weight = next_of(g, s->outputs * s->inputs, &truth->weight);
    to->bias = s->bias ? next_of(g, s->outputs, &truth->bias) : NULL;
  }
  if (l->kernel->runtime_parameters > 0)
    g->to.parameters = next_of(g, l->kernel->runtime_parameters, &g->truth.parameters);
}

/* What all gradients should be, and within which bounds. */
static void find_gradients(gradients *g, const layer *l, const ffn_training *t) {
  void *scratch = need(ffn_reference_grad_bytes(t));
  ffn_reference_grad(
      t, &g->truth, g->dy, t->outputs, g->x, l->x_stride, g->tokens, &l->weights, NULL, scratch);
  free(scratch);
}

/* The most rows of a batch of any training of a layer that this CPU runs. */
static size_t train_rows_of(const char *name, unsigned cpu) {
  size_t most = 0;
  for (const ffn_training *const *t = ffn_all_trainings(NULL); *t; t++) {
    const int runs = strcmp((*t)->layer, name) == 0 && (cpu & 1u << (*t)->isa);
    const char *own = runs ? batches_of((*t)->name) : NULL;
    if (own && most_of(own) > most)
      most = most_of(own);
  }
  return most;
}

static void open_gradients(gradients *g, layer *l, unsigned cpu, const ffn_training *t) {
  memset(g, 0, sizeof *g);
  const uint64_t affordable = 50000000 / (l->kernel->flop_per_token + 1);
  const size_t most = MOST_TRAIN_TOKENS;
  g->tokens = affordable > most ? most : affordable < 3 ? 3 : (size_t)affordable;
  g->rows = train_rows_of(t->layer, cpu);
  g->rows = g->rows > g->tokens ? g->rows : g->tokens;
  hand_out(g, l, t);
  g->values = (float *)need(g->count * sizeof(float));
  g->reference = (double *)need(g->count * sizeof(double));
  g->bound = (double *)need(g->count * sizeof(double));
  hand_out(g, l, t);
  g->x = (float *)need(g->rows * l->x_stride * sizeof(float));
  for (size_t i = 0; i < g->rows; i++) /* rows whose y is known */
    memcpy(g->x + i * l->x_stride, l->x + i % l->rows * l->x_stride, l->x_stride * sizeof(float));
  g->y = (float *)need(g->rows * t->outputs * sizeof(float));
  g->dy = numbers(97, g->rows * t->outputs, 1);
  g->dx = (float *)need(g->rows * t->inputs * sizeof(float));
  g->first_dx = (float *)need(g->rows * t->inputs * sizeof(float));
  find_gradients(g, l, t);
  /* What grows beyond f32 on its way back begins with less. */
  size_t none = unbounded(g->bound, g->count), before = SIZE_MAX;
  for (int i = 0; i < 2 && may_help(none, before, g->count); i++) {
    for (size_t o = 0; o < g->rows * t->outputs; o++)
      g->dy[o] *= 0x1p-30f;
    find_gradients(g, l, t);
    before = none;
    none = unbounded(g->bound, g->count);
  }
}

static void close_gradients(gradients *g) {
  free(g->values);
  free(g->reference);
  free(g->bound);
  free(g->x);
  free(g->y);
  free(g->dy);
  free(g->dx);
  free(g->first_dx);
}

/* Both passes over rows [first, first + tokens) for these gradients, in memory that is poisoned. */
static const char *train(gradients *g, const layer *l, const ffn_training *t,
    const ffn_gradients *to, size_t first, size_t tokens, const void *packed, int poison) {
  const size_t saved_bytes = ffn_saved_bytes(t, tokens), work_bytes = ffn_train_work_bytes(t, 1);
  const float *x = g->x + first * l->x_stride, *dy = g->dy + first * t->outputs;
  const char *wrong = NULL;
  void *saved_block, *work_block;
  unsigned char *saved = need_aligned(saved_bytes + GUARD, &saved_block);
  unsigned char *work = need_aligned(work_bytes + GUARD, &work_block);
  memset(saved, poison, saved_bytes + GUARD);
  memset(work, poison, work_bytes + GUARD);
  ffn_run_train(t, g->y + first * t->outputs, t->outputs, x, l->x_stride, tokens, saved, packed,
      work, NULL, NULL);
  memset(work, poison, work_bytes + GUARD);
  ffn_grad(t, to, dy, t->outputs, x, l->x_stride, tokens, saved, packed, work, NULL, NULL);
  for (size_t i = 0; i < GUARD; i++) {
    if (saved[saved_bytes + i] != (unsigned char)poison)
      wrong = "writes behind what it saves";
    if (work[work_bytes + i] != (unsigned char)poison)
      wrong = "writes behind its work memory";
  }
  free(saved_block);
  free(work_block);
  return wrong;
}

/* The same for all gradients, which are added to those of the rows before. */
static const char *train_part(gradients *g, const layer *l, const ffn_training *t, size_t first,
    size_t tokens, const void *packed, int poison) {
  ffn_gradients to = g->to;
  to.dx += first * t->inputs;
  to.accumulate = first > 0;
  return train(g, l, t, &to, first, tokens, packed, poison);
}

/* For that of x alone, of some rows into g->dx. */
static const char *train_rows(gradients *g, const layer *l, const ffn_training *t, size_t first,
    size_t tokens, const void *packed) {
  ffn_linear_gradient none[FFN_MAX_STAGES];
  ffn_gradients to;
  memset(none, 0, sizeof none);
  memset(&to, 0, sizeof to);
  to.dx = g->dx, to.dx_stride = t->inputs;
  to.chain = none;
  memset(g->dx, 0x7f, g->rows * t->inputs * sizeof(float));
  return train(g, l, t, &to, first, tokens, packed, tokens % 2 ? 0x7f : 0xff);
}

/* The bits of each row alone. */
static const char *find_dx(
    gradients *g, const layer *l, const ffn_training *t, const void *packed) {
  const char *wrong = NULL;
  for (size_t i = 0; i < g->rows && !wrong; i++) {
    wrong = train_rows(g, l, t, i, 1, packed);
    memcpy(g->first_dx + i * t->inputs, g->dx, t->inputs * sizeof(float));
  }
  g->have_first = 1;
  return wrong;
}

/* Whether some rows have the bits of each row alone: y that of run(). */
static const char *check_row_bits(const gradients *g, const layer *l, const ffn_training *t,
    const float *dx, size_t first, size_t tokens) {
  for (size_t i = first; i < first + tokens; i++) {
    if (memcmp(g->y + i * t->outputs, l->first_y + i % l->rows * t->outputs,
            t->outputs * sizeof(float)) != 0)
      return "run_train gives other bits than run";
    if (memcmp(dx + (i - first) * t->inputs, g->first_dx + i * t->inputs,
            t->inputs * sizeof(float)) != 0)
      return "the gradient of x has other bits than another batch or instruction set gives";
  }
  return NULL;
}

/* Batches that run all code of the training's stages over weights. */
static const char *check_train_batches(
    gradients *g, const layer *l, const ffn_training *t, const void *packed) {
  const char *own = batches_of(t->name), *wrong = NULL;
  if (!own)
    return "the self-check was made for other kernels: it knows no batches of this one";
  for (size_t rows = 1; rows <= g->rows && !wrong; rows++) {
    if (!has_batch(own, rows))
      continue;
    wrong = train_rows(g, l, t, g->rows - rows, rows, packed);
    if (!wrong)
      wrong = check_row_bits(g, l, t, g->dx, g->rows - rows, rows);
  }
  return wrong;
}

static const char *check_gradient_bits(gradients *g, const layer *l, const ffn_training *t) {
  uint64_t hash = 0xcbf29ce484222325u;
  const unsigned char *bytes = (const unsigned char *)g->values;
  for (size_t i = 0; i < g->count * sizeof(float); i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  const char *wrong = check_row_bits(g, l, t, g->to.dx, 0, g->tokens);
  if (wrong)
    return wrong;
  if (g->hash != 0 && g->hash != hash)
    return "gradients of other bits than other parts or another instruction set give";
  g->hash = hash;
  return NULL;
}

static const char *check_training(
    gradients *g, const layer *l, const ffn_training *t, const void *packed, double *worst) {
  memset(g->values, 0x7f, g->count * sizeof(float));
  const char *wrong = g->have_first ? NULL : find_dx(g, l, t, packed);
  if (!wrong)
    wrong = train_part(g, l, t, 0, g->tokens, packed, 0x7f);
  for (size_t i = 0; i < g->count && !wrong; i++) {
    const double error = fabs((double)g->values[i] - g->reference[i]);
    if (!(g->bound[i] < (double)INFINITY))
      continue;
    if (error > *worst * g->bound[i])
      *worst = error / g->bound[i];
    if (!(error <= g->bound[i]))
      wrong = "error of a gradient beyond the bound";
  }
  const size_t none = unbounded(g->bound, g->count);
  if (!wrong && none > 0)
    wrong = no_bound(none, g->count, "gradients");
  if (!wrong)
    wrong = check_gradient_bits(g, l, t);
  if (!wrong)
    wrong = check_train_batches(g, l, t, packed);
  if (wrong || g->tokens <= FFN_TOKEN_BLOCK)
    return wrong;
  wrong = train_part(g, l, t, 0, FFN_TOKEN_BLOCK, packed, 0xff);
  if (!wrong)
    wrong = train_part(g, l, t, FFN_TOKEN_BLOCK, g->tokens - FFN_TOKEN_BLOCK, packed, 0);
  return wrong ? wrong : check_gradient_bits(g, l, t);
}

/* All trainings of a layer. */
static void check_trainings(layer *l, unsigned cpu, unsigned long *passed, unsigned long *failed) {
  gradients g;
  int opened = 0;
  for (const ffn_training *const *list = ffn_all_trainings(NULL); *list; list++) {
    const ffn_training *t = *list;
    if (strcmp(t->layer, l->kernel->layer) != 0 || !(cpu & 1u << t->isa))
      continue; /* its kernel has told that this CPU does not run it */
    if (!opened)
      open_gradients(&g, l, cpu, t);
    opened = 1;
    void *block;
    unsigned char *packed = need_aligned(t->packed_bytes, &block);
    memset(packed, 0x7f, t->packed_bytes);
    t->pack_train(packed, &l->weights);
    double worst = 0;
    const char *wrong = ffn_packed_fits(l->kernel, packed)
                            ? check_training(&g, l, t, packed, &worst)
                            : "run() refuses pack_train()'s work";
    printf("%-60s largest error %-7.2g of its bound: %s\n", t->name, worst, wrong ? wrong : "ok");
    fflush(stdout);
    wrong ? (*failed)++ : (*passed)++;
    free(block);
  }
  if (opened)
    close_gradients(&g);
}
