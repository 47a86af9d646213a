/* Times mixtures of experts beside what a host would write: one token beside a loop over run(),
 * many tokens beside the bare calls of run() on rows that lie ready. The answers are compared bit
 * for bit. moe.sh compiles and runs this. Usage: moe TOKENS ROUNDS [NAME] */
#define _POSIX_C_SOURCE 199309L
#include "ffn_moe.h"
#include "kernel.h"
#include "moes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_EXPERTS = 256, MOST_TOP_K = 16, CALLS = 24 };

typedef struct layer {
  const ffn_moe *moe;
  ffn_moe_parts parts;
  const void *experts[MOST_EXPERTS];
  float *x, *y, *right, *in, *out;
  int32_t *numbers;
  float *weights, *logits;
  void *work, *own;
  size_t bytes, own_bytes, tokens;
} layer;

/* Seconds of this thread alone: others of the machine do not count. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *memory) {
  if (!memory) {
    fputs("moe: too little memory\n", stderr);
    exit(1);
  }
  return memory;
}

static float random_float(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

static float *floats(size_t count, float scale, uint32_t seed) {
  float *all = need(malloc(count * sizeof *all));
  for (size_t i = 0; i < count; ++i)
    all[i] = random_float(&seed) * scale;
  return all;
}

static void *packed_of(const ffn_kernel *k) {
  const size_t most = k->inputs * (k->hidden > k->outputs ? k->hidden : k->outputs);
  float *one = floats(most, 0.02f, 3), *other = floats(most, 0.02f, 4);
  const ffn_linear chain = {.weight = one};
  const ffn_weights weights = {.gate.weight = one,
                               .up.weight = other,
                               .down.weight = one,
                               .chain = k->hidden ? NULL : &chain};
  void *packed = need(ffn_alloc(k->packed_bytes));
  k->pack(packed, &weights);
  free(one), free(other);
  return packed;
}

static void open_layer(layer *l, const ffn_moe *moe, size_t tokens) {
  const size_t top_k = moe->rule.top_k;
  *l = (layer){.moe = moe, .tokens = tokens, .parts = {.experts = l->experts}};
  if (!ffn_moe_find(moe, 0, ffn_cpu(), &l->parts) || moe->rule.experts > MOST_EXPERTS ||
      top_k > MOST_TOP_K)
    exit(1);
  const ffn_kernel *k = l->parts.expert_kernel;
  void *first = packed_of(k);
  for (size_t e = 0; e < moe->rule.experts; ++e) { /* the same weights, in memory of their own */
    void *packed = e == 0 ? first : need(ffn_alloc(k->packed_bytes));
    if (e > 0)
      FFN_MEMCPY(packed, first, k->packed_bytes);
    l->experts[e] = packed;
  }
  l->parts.experts = l->experts;
  l->parts.router = packed_of(l->parts.router_kernel);
  l->x = floats(tokens * moe->inputs, 1, 5);
  l->y = floats(tokens * moe->outputs, 0, 0), l->right = floats(tokens * moe->outputs, 0, 0);
  l->in = floats(tokens * moe->inputs, 0, 0), l->out = floats(tokens * moe->outputs, 0, 0);
  l->logits = floats(tokens * moe->rule.experts, 0, 0);
  l->weights = floats(tokens * top_k, 0, 0);
  l->numbers = need(malloc(tokens * top_k * sizeof *l->numbers));
  l->bytes = ffn_moe_work_bytes(moe, &l->parts, 1, tokens);
  const size_t of_router = ffn_work_bytes(l->parts.router_kernel, 1, tokens);
  l->own_bytes = ffn_max(ffn_work_bytes(k, 1, tokens), of_router);
  l->work = need(ffn_alloc(l->bytes)), l->own = need(ffn_alloc(l->own_bytes));
}

static void close_layer(layer *l) {
  for (size_t e = 0; e < l->moe->rule.experts; ++e)
    ffn_free((void *)(uintptr_t)l->experts[e]);
  ffn_free((void *)(uintptr_t)l->parts.router), ffn_free(l->work), ffn_free(l->own);
  free(l->x), free(l->y), free(l->right), free(l->in), free(l->out);
  free(l->logits), free(l->weights), free(l->numbers);
}

static void moe_run(layer *l, size_t tokens, const ffn_moe_given *given) {
  if (ffn_moe_run(l->moe, &l->parts, l->y, l->moe->outputs, l->x, l->moe->inputs, tokens, given,
                  l->work, l->bytes, NULL) != FFN_MOE_OK)
    exit(1);
}

static void run(layer *l, const ffn_kernel *k, float *y, const float *x, size_t rows,
                const void *packed) {
  ffn_run(k, y, k->outputs, x, k->inputs, rows, packed, l->own, l->own_bytes, NULL);
}

static void check(const layer *l, size_t tokens) {
  for (size_t i = 0; i < tokens * l->moe->outputs; ++i)
    if (ffn_bits(l->y[i]) != ffn_bits(l->right[i])) {
      fprintf(stderr, "moe: %s: y[%zu] is %a and not %a\n", l->moe->name, i, (double)l->y[i],
              (double)l->right[i]);
      exit(1);
    }
}

/* ---- One token, whose experts have rested ------------------------------------------------------
 */

/* A host's loop over the experts of a token. */
static void loop(layer *l, const ffn_moe_given *given) {
  const size_t outputs = l->moe->outputs;
  for (size_t i = 0; i < outputs; ++i)
    l->right[i] = -0.0f;
  for (size_t k = 0; k < l->moe->rule.top_k; ++k) {
    run(l, l->parts.expert_kernel, l->out, l->x, 1, l->experts[given->numbers[k]]);
    for (size_t i = 0; i < outputs; ++i)
      l->right[i] = __builtin_fmaf(given->weights[k], l->out[i], l->right[i]);
  }
}

static volatile uint64_t all_read;

/* Reads the experts of a token, and does nothing else. */
static void plain_read(const layer *l) {
  const size_t words = l->parts.expert_kernel->packed_bytes / sizeof(uint64_t);
  uint64_t sums[8] = {0};
  for (size_t k = 0; k < l->moe->rule.top_k; ++k) {
    const uint64_t *from = l->experts[l->numbers[k]];
    for (size_t i = 0; i + 8 <= words; i += 8)
      for (size_t lane = 0; lane < 8; ++lane)
        sums[lane] += from[i + lane];
  }
  for (size_t lane = 0; lane < 8; ++lane)
    all_read += sums[lane];
}

/* The fewest seconds of each over all calls. In each call the next experts are used, so that all
 * others have been read since. */
static void one_token(layer *l, size_t rounds) {
  const ffn_moe_rule *rule = &l->moe->rule;
  double best[3] = {1e9, 1e9, 1e9};
  size_t next = 0;
  for (size_t i = 0; i < rounds * CALLS; ++i)
    for (size_t turn = 0; turn < 3; ++turn) {
      const size_t which = (i + turn) % 3;
      for (size_t k = 0; k < rule->top_k; ++k)
        l->numbers[k] = (int32_t)((next + k) % rule->experts), l->weights[k] = 0.25f;
      for (size_t k = 1; k < rule->top_k; ++k) /* in ascending order, as the loop adds them */
        for (size_t j = k; j > 0 && l->numbers[j] < l->numbers[j - 1]; --j) {
          const int32_t other = l->numbers[j];
          l->numbers[j] = l->numbers[j - 1], l->numbers[j - 1] = other;
        }
      next = (next + rule->top_k) % rule->experts;
      const ffn_moe_given given = {.numbers = l->numbers, .weights = l->weights};
      const double from = now();
      if (which == 0)
        moe_run(l, 1, &given);
      else if (which == 1)
        loop(l, &given);
      else
        plain_read(l);
      const double took = now() - from;
      best[which] = took < best[which] ? took : best[which];
      if (turn == 2)
        check(l, 1);
    }
  const double gigabytes = 1e-9 * (double)(rule->top_k * l->parts.expert_kernel->packed_bytes);
  printf(
      "%s, 1 token: %.3f ms (%.1f GB/s), the loop over run() %.3f ms: %.3f; a plain read: %.3f\n",
      l->moe->name, 1e3 * best[0], gigabytes / best[0], 1e3 * best[1], best[0] / best[1],
      best[2] / best[0]);
}

/* ---- Many tokens
 * ----------------------------------------------------------------------------------- */

/* The bare calls: what experts take, without the router, and without gathering and adding. Rows of
 * y are made afterwards. */
static double dense(layer *l) {
  const ffn_moe_rule *rule = &l->moe->rule;
  const size_t inputs = l->moe->inputs, outputs = l->moe->outputs;
  double took = 0;
  for (size_t i = 0; i < l->tokens * outputs; ++i)
    l->right[i] = -0.0f;
  for (size_t e = 0; e < rule->experts; ++e) {
    size_t rows = 0;
    for (size_t i = 0; i < l->tokens * rule->top_k; ++i)
      if (l->numbers[i] == (int32_t)e)
        FFN_MEMCPY(l->in + rows++ * inputs, l->x + i / rule->top_k * inputs,
                   inputs * sizeof *l->in);
    const double from = now();
    run(l, l->parts.expert_kernel, l->out, l->in, rows, l->experts[e]);
    took += now() - from, rows = 0;
    for (size_t i = 0; i < l->tokens * rule->top_k; ++i)
      if (l->numbers[i] == (int32_t)e) {
        float *row = l->right + i / rule->top_k * outputs;
        for (size_t c = 0; c < outputs; ++c)
          row[c] = __builtin_fmaf(l->weights[i], l->out[rows * outputs + c], row[c]);
        ++rows;
      }
  }
  return took;
}

static void many_tokens(layer *l, size_t rounds) {
  const ffn_moe_rule *rule = &l->moe->rule;
  double best[2] = {1e9, 1e9};
  run(l, l->parts.router_kernel, l->logits, l->x, l->tokens, l->parts.router);
  for (size_t t = 0; t < l->tokens; ++t)
    ffn_moe_route(rule, l->logits + t * rule->experts, l->numbers + t * rule->top_k,
                  l->weights + t * rule->top_k);
  for (size_t i = 0; i < rounds; ++i)
    for (size_t turn = 0; turn < 2; ++turn) {
      const size_t which = (i + turn) % 2;
      const double from = now();
      if (which == 0)
        moe_run(l, l->tokens, NULL);
      const double took = which == 0 ? now() - from : dense(l);
      best[which] = took < best[which] ? took : best[which];
      if (turn == 1)
        check(l, l->tokens);
    }
  printf("%s, %zu tokens: %.1f ms, the bare calls %.1f ms: %.3f\n", l->moe->name, l->tokens,
         1e3 * best[0], 1e3 * best[1], best[0] / best[1]);
}

/* The choice alone, of one token. */
static void routes(layer *l, size_t rounds) {
  const ffn_moe_rule *rule = &l->moe->rule;
  int32_t numbers[MOST_TOP_K];
  float weights[MOST_TOP_K];
  double best = 1e9;
  for (size_t i = 0; i < rounds * CALLS; ++i) {
    const double from = now();
    for (size_t t = 0; t < l->tokens; ++t)
      ffn_moe_route(rule, l->logits + t * rule->experts, numbers, weights);
    const double took = (now() - from) / (double)l->tokens;
    best = took < best ? took : best;
  }
  const size_t last = (l->tokens - 1) * rule->top_k;
  for (size_t k = 0; k < rule->top_k; ++k)
    if (numbers[k] != l->numbers[last + k])
      exit(1);
  printf("%s, ffn_moe_route() of %zu of %zu: %.2f us\n", l->moe->name, rule->top_k, rule->experts,
         1e6 * best);
}

int main(int count, char **arguments) {
  static const ffn_moe *const all[] = {&ffn_moe_mixtral, &ffn_moe_qwen3, &ffn_moe_qwen3_bf16};
  const size_t tokens = count > 1 ? strtoul(arguments[1], NULL, 10) : 512;
  const size_t rounds = count > 2 ? strtoul(arguments[2], NULL, 10) : 3;
  if (tokens == 0 || rounds == 0)
    return 1;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    static layer l;
    if (count > 3 && strcmp(arguments[3], all[i]->name) != 0)
      continue;
    open_layer(&l, all[i], tokens);
    one_token(&l, rounds);
    many_tokens(&l, rounds);
    routes(&l, rounds);
    fflush(stdout);
    close_layer(&l);
  }
  return 0;
}
