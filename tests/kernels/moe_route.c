/* ffn_moe_route(): what the classes of transformers chose; a naive router whose scores come from
 * the functions of activations; ties, NaN, infinities, signed zeros; one hash of all bits. */
#include "ffn_moe.h"
#include "support/digest.h"
#include "support/kernels.h"
#include "support/rng.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "activation_table.h"
#include "tests/data/routers.inc"

enum { MOST = 64, TOP = 8 };

/* ---- What transformers chose ---------------------------------------------------------------- */

typedef struct golden {
  const char *form, *name;
  ffn_moe_rule rule;
  int32_t numbers[ROUTERS_TOKENS * ROUTERS_TOP_K];
  float weights[ROUTERS_TOKENS * ROUTERS_TOP_K];
} golden;

#define OPEN(...) __VA_ARGS__
#define ROUTER(form, name, how, own, numbers, weights)                                             \
  {#form,                                                                                          \
   #name,                                                                                          \
   {.experts = ROUTERS_EXPERTS, .top_k = ROUTERS_TOP_K, .corrected = how, OPEN own},               \
   {OPEN numbers},                                                                                 \
   {OPEN weights}},
static const golden goldens[] = {
#include "tests/data/routers.inc"
};
enum { GOLDENS = sizeof goldens / sizeof *goldens };

static ffn_moe_rule rule_of(const golden *g) {
  ffn_moe_rule rule = g->rule;
  rule.correction = rule.corrected == FFN_MOE_NOT_CORRECTED ? NULL : routers_correction;
  return rule;
}

Test(moe_route, goldens) {
  cr_assert(GOLDENS == 18);
  for (size_t i = 0; i < GOLDENS; i++) {
    const golden *g = &goldens[i];
    const ffn_moe_rule rule = rule_of(g);
    cr_assert(!ffn_moe_rule_problem(&rule), "%s: %s", g->name, ffn_moe_rule_problem(&rule));
    for (size_t t = 0; t < ROUTERS_TOKENS; t++) {
      int32_t numbers[ROUTERS_TOP_K];
      float weights[ROUTERS_TOP_K];
      ffn_moe_route(&rule, routers_logits + t * ROUTERS_EXPERTS, numbers, weights);
      for (size_t k = 0; k < ROUTERS_TOP_K; k++) {
        const size_t at = t * ROUTERS_TOP_K + k;
        const double error = fabs((double)weights[k] - (double)g->weights[at]);
        cr_assert(numbers[k] == g->numbers[at], "%s %s, token %zu: %d and not %d", g->form, g->name,
                  t, (int)numbers[k], (int)g->numbers[at]);
        cr_assert(error <= 1e-6 * fabs((double)g->weights[at]), "%s %s, token %zu: %a and not %a",
                  g->form, g->name, t, (double)weights[k], (double)g->weights[at]);
      }
    }
  }
}

/* ---- A naive router ------------------------------------------------------------------------- */

static float applied(const char *name, float x) {
  const float parameters[FFN_MAX_PARAMETERS] = {0};
  for (size_t i = 0; i < ffn_test_activation_count_c; i++)
    if (strcmp(ffn_test_activations_c[i].name, name) == 0) {
      float y;
      ffn_test_activations_c[i].run(&y, &x, &x, 1, parameters);
      return y;
    }
  cr_assert(0, "no %s", name);
  return 0;
}

/* scores[] <- softmax over the experts that `among` has, and 0 of the others. */
static void softmax(const float *logits, size_t count, const int *among, float *scores) {
  volatile float sum = 0;
  float most = -INFINITY;
  for (size_t e = 0; e < count; e++)
    most = logits[e] > most ? logits[e] : most;
  for (size_t e = 0; e < count; e++) {
    scores[e] = among[e] ? applied("exp", logits[e] - most) : 0;
    sum += scores[e];
  }
  for (size_t e = 0; e < count; e++)
    scores[e] /= sum;
}

/* Places of keys, the largest first; of equal ones the lower. By exchanges of neighbours. */
static void sorted(const float *keys, size_t count, size_t *places) {
  for (size_t i = 0; i < count; i++)
    places[i] = i;
  for (size_t round = 0; round < count; round++)
    for (size_t i = 1; i < count; i++)
      if (keys[places[i - 1]] < keys[places[i]]) {
        const size_t other = places[i];
        places[i] = places[i - 1], places[i - 1] = other;
      }
}

/* out[] <- 1 for experts of groups that are not taken. */
static void leave_groups(const ffn_moe_rule *r, const float *keys, int *out) {
  const size_t size = r->experts / r->groups;
  float of_groups[MOST];
  size_t places[MOST];
  for (size_t g = 0; g < r->groups; g++) {
    sorted(keys + g * size, size, places);
    of_groups[g] = keys[g * size + places[0]];
    if (r->by_two)
      of_groups[g] += keys[g * size + places[1]];
  }
  sorted(of_groups, r->groups, places);
  for (size_t i = r->take; i < r->groups; i++)
    for (size_t e = 0; e < size; e++)
      out[places[i] * size + e] = 1;
}

/* chosen[] <- 1 for those that are; scores[] <- all. 0: there is no choice. */
static int naive_choice(const ffn_moe_rule *r, const float *logits, int *chosen, float *scores) {
  static int all[MOST];
  int out[MOST] = {0};
  float keys[MOST];
  size_t places[MOST], count = 0;
  for (size_t e = 0; e < r->experts; e++)
    all[e] = 1, chosen[e] = 0;
  if (r->score == FFN_MOE_SOFTMAX)
    softmax(logits, r->experts, all, scores);
  for (size_t e = 0; e < r->experts; e++) {
    if (r->score == FFN_MOE_SOFTMAX && isinf(logits[e]) && logits[e] > 0)
      return 0;
    if (r->score == FFN_MOE_SIGMOID)
      scores[e] = applied("sigmoid", logits[e]);
    if (r->score == FFN_MOE_SQRT_SOFTPLUS)
      scores[e] = sqrtf(applied("softplus", logits[e]));
    keys[e] = logits[e];
    if (r->corrected == FFN_MOE_SCORE_CORRECTED || (r->by_two && !r->correction))
      keys[e] = scores[e];
    if (r->correction)
      keys[e] += r->correction[e];
  }
  for (size_t e = 0; e < r->experts; e++)
    if (isnan(keys[e]) || isnan(logits[e]))
      return 0;
  if (r->groups)
    leave_groups(r, keys, out);
  sorted(keys, r->experts, places);
  for (size_t i = 0; i < r->experts && count < r->top_k; i++)
    if (!out[places[i]])
      chosen[places[i]] = 1, count++;
  return 1;
}

static void naive(const ffn_moe_rule *r, const float *logits, int32_t *numbers, float *weights) {
  int chosen[MOST];
  float scores[MOST];
  volatile float sum = 0;
  size_t count = 0;
  if (!naive_choice(r, logits, chosen, scores)) {
    for (size_t k = 0; k < r->top_k; k++)
      numbers[k] = -1, weights[k] = NAN;
    return;
  }
  const int alone = r->score == FFN_MOE_SOFTMAX && r->normalise && r->epsilon + r->floor == 0;
  if (alone)
    softmax(logits, r->experts, chosen, scores);
  for (size_t e = 0; e < r->experts; e++)
    if (chosen[e])
      sum += scores[e], numbers[count] = (int32_t)e, weights[count++] = scores[e];
  for (size_t k = 0; k < r->top_k; k++) {
    if (r->normalise && !alone)
      weights[k] /= r->floor > 0 ? fmaxf(sum, r->floor) : sum + r->epsilon;
    if (r->expert_scale)
      weights[k] *= r->expert_scale[numbers[k]];
    if (r->scale != 0)
      weights[k] *= r->scale;
  }
}

/* ---- Both, on the same logits --------------------------------------------------------------- */

typedef enum fill { REALS, LEVELS, ALIKE, FAR, ODD, FILLS } fill;

/* Reals; few levels, both zeros among them; equal ones; so far below that scores vanish; and such
 * with a NaN or an infinity in some tokens. */
static float logit_of(fill f, uint64_t stream, uint64_t i) {
  const float x = test_uniform(stream, i);
  switch (f) {
  case LEVELS: {
    const float level = (float)(int)(x * 3);
    return level != 0 ? level : x < 0 ? -0.0f : 0.0f;
  }
  case ALIKE:
    return 0.75f;
  case FAR:
    return x * 12 - 20 - 90 * (float)(i % 3);
  case ODD:
    return test_below(stream + 1, i, 90)  ? 4 * x
           : test_below(stream + 2, i, 2) ? NAN
                                          : (x < 0 ? -INFINITY : INFINITY);
  case REALS:
  default:
    return 4 * x;
  }
}

/* Corrections: none to speak of, ordinary ones, large ones of which few bits of a score are left.
 */
static float correction_of(int kind, size_t e) {
  const float x = test_uniform(77, e);
  return kind == 0 ? x / 2 : kind == 1 ? -x * 3 : 12;
}

static int same(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void compare(const ffn_moe_rule *r, const float *logits, const char *name, uint64_t *hash) {
  int32_t numbers[TOP], expected[TOP], turned[TOP];
  float weights[TOP], right[TOP], again[TOP];
  ffn_moe_route(r, logits, numbers, weights);
  naive(r, logits, expected, right);
  for (size_t k = 0; k < r->top_k; k++)
    cr_assert(numbers[k] == expected[k] && same(weights[k], right[k]),
              "%s, %zu of %zu: %d with %a, and not %d with %a", name, k, r->experts,
              (int)numbers[k], (double)weights[k], (int)expected[k], (double)right[k]);
  for (size_t k = 0; k < r->top_k; k++) {
    const float both[] = {(float)numbers[k], weights[k]};
    *hash = test_hash(*hash, both, isnan(weights[k]) ? 1 : 2);
    turned[k] = numbers[r->top_k - 1 - k];
  }
  if (numbers[0] < 0)
    return;
  ffn_moe_weigh(r, logits, turned, again);
  for (size_t k = 0; k < r->top_k; k++)
    cr_assert(same(again[r->top_k - 1 - k], weights[k]), "%s: %a in another order", name,
              (double)again[r->top_k - 1 - k]);
}

/* The rule of a golden for other sizes. */
static ffn_moe_rule sized(const golden *g, size_t experts, size_t top_k, const float *correction,
                          const float *scale) {
  ffn_moe_rule r = g->rule;
  r.experts = experts, r.top_k = top_k;
  r.correction = r.corrected == FFN_MOE_NOT_CORRECTED ? NULL : correction;
  r.expert_scale = r.expert_scale ? scale : NULL;
  return r;
}

/* The bits of every compiler, flag and machine. */
static const uint64_t all_bits = 0xa2a10170088cb5ca;

Test(moe_route, naive) {
  static const size_t sizes[][2] = {{8, 1}, {8, 2}, {64, 8}, {12, 6}, {4, 2}};
  float correction[MOST], scale[MOST], logits[MOST];
  uint64_t hash = test_hash_begin;
  size_t none = 0;
  for (size_t e = 0; e < MOST; e++)
    scale[e] = 1 + test_uniform(78, e) / 2;
  for (size_t i = 0; i < GOLDENS * FILLS * 3 * 5; i++) {
    const golden *g = &goldens[i % GOLDENS];
    const fill f = (fill)(i / GOLDENS % FILLS);
    const size_t *size = sizes[i / GOLDENS / FILLS % 5];
    ffn_moe_rule r = sized(g, size[0], size[1], correction, scale);
    for (size_t e = 0; e < MOST; e++)
      correction[e] = correction_of((int)(i / GOLDENS / FILLS / 5), e);
    if (ffn_moe_rule_problem(&r))
      r.groups = r.take = 0, r.by_two = 0;
    for (size_t token = 0; token < 12; token++) {
      for (size_t e = 0; e < r.experts; e++)
        logits[e] = logit_of(f, 100 + token, e);
      compare(&r, logits, g->name, &hash);
      int32_t numbers[TOP];
      float weights[TOP];
      ffn_moe_route(&r, logits, numbers, weights);
      none += numbers[0] < 0;
    }
  }
  cr_assert(none > 100, "%zu tokens without a choice", none);
  cr_assert(hash == all_bits, "all bits: 0x%016llx", (unsigned long long)hash);
}

/* ---- Choices that random logits do not meet -------------------------------------------------- */

/* With a correction of 12 scores below 2^-20 leave nothing in a key: the lowest numbers are chosen,
 * and have weights, for these come from scores. */
Test(moe_route, ties) {
  float logits[8], correction[8], weights[2];
  int32_t numbers[2];
  const ffn_moe_rule r = {.experts = 8,
                          .top_k = 2,
                          .score = FFN_MOE_SIGMOID,
                          .normalise = 1,
                          .corrected = FFN_MOE_SCORE_CORRECTED,
                          .correction = correction};
  for (size_t e = 0; e < 8; e++)
    logits[e] = -18 + (float)e / 8, correction[e] = 12;
  ffn_moe_route(&r, logits, numbers, weights);
  cr_assert(numbers[0] == 0 && numbers[1] == 1);
  cr_assert(weights[0] > 0.4f && weights[1] > weights[0] && weights[1] < 0.6f);
}

/* Experts of a group that is not taken are out, whatever negative keys the others have; and an
 * expert at -Inf may be chosen where its group is taken. */
Test(moe_route, masked_groups) {
  const float correction[8] = {-3, -3, -2, -9, -2, -2, -4, -4};
  const float logits[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  const float below[8] = {1, -INFINITY, -INFINITY, -INFINITY, 0, 0, 0, 0};
  int32_t numbers[4];
  float weights[4];
  ffn_moe_rule r = {.experts = 8,
                    .top_k = 4,
                    .score = FFN_MOE_SIGMOID,
                    .groups = 4,
                    .take = 2,
                    .by_two = 1,
                    .corrected = FFN_MOE_SCORE_CORRECTED,
                    .correction = correction};
  ffn_moe_route(&r, logits, numbers, weights);
  cr_assert(numbers[0] == 0 && numbers[1] == 1 && numbers[2] == 4 && numbers[3] == 5);
  r.corrected = FFN_MOE_NOT_CORRECTED, r.correction = NULL;
  r.by_two = 0, r.groups = 2, r.take = 1;
  ffn_moe_route(&r, below, numbers, weights);
  for (int k = 0; k < 4; k++)
    cr_assert(numbers[k] == k && weights[k] == (k == 0 ? weights[0] : 0));
}

/* The host's numbers may have no expert among them. */
Test(moe_route, weigh) {
  const float logits[4] = {1, 2, 3, 4};
  const int32_t numbers[3] = {3, -1, 1};
  const ffn_moe_rule r = {.experts = 4, .top_k = 3, .score = FFN_MOE_SIGMOID, .scale = 2};
  float weights[3];
  ffn_moe_weigh(&r, logits, numbers, weights);
  cr_assert(weights[0] == 2 * applied("sigmoid", 4) && weights[1] == 0);
  cr_assert(weights[2] == 2 * applied("sigmoid", 2));
}

Test(moe_route, problems) {
  static const float none[8] = {0};
  const ffn_moe_rule good = {.experts = 8, .top_k = 2, .groups = 4, .take = 2, .by_two = 1};
  const struct {
    ffn_moe_rule rule;
    const char *words;
  } bad[] = {
      {{.experts = 0, .top_k = 1}, "experts is 0"},
      {{.experts = FFN_MOE_MOST_EXPERTS + 1, .top_k = 1}, "FFN_MOE_MOST_EXPERTS"},
      {{.experts = 8}, "top_k"},
      {{.experts = 8, .top_k = 9}, "top_k"},
      {{.experts = 8, .top_k = 1, .correction = none}, "correction"},
      {{.experts = 8, .top_k = 1, .corrected = FFN_MOE_LOGIT_CORRECTED}, "correction"},
      {{.experts = 8, .top_k = 1, .epsilon = -1}, "epsilon"},
      {{.experts = 8, .top_k = 1, .floor = NAN}, "floor"},
      {{.experts = 8, .top_k = 1, .floor = 1, .epsilon = 1}, "both"},
      {{.experts = 8, .top_k = 1, .groups = 3, .take = 1}, "sizes"},
      {{.experts = 8, .top_k = 1, .groups = 4, .take = 5}, "take"},
      {{.experts = 8, .top_k = 1, .groups = 4}, "take"},
      {{.experts = 8, .top_k = 5, .groups = 4, .take = 2}, "fewer"},
      {{.experts = 8, .top_k = 2, .groups = 8, .take = 2, .by_two = 1}, "two largest"},
  };
  cr_assert(!ffn_moe_rule_problem(&good) && ffn_moe_rule_problem(NULL));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *problem = ffn_moe_rule_problem(&bad[i].rule);
    cr_assert(problem && strstr(problem, bad[i].words), "%zu: %s", i, problem);
  }
}
