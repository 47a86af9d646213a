/* Mixtures beside a reference in double, each value with a bound: the router's logits, weights and
 * y for the experts that the kernel chose, and whether it could choose them. The logits' bounds are
 * ffn_reference()'s; those of scores follow from what activations promise. */
#include "ffn_moe.h"
#include "support/each.h"
#include "support/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EXPERTS = 72, WEIGHTS = 4, MOST_TOP_K = 8, TOKENS = 40 };

static const double u = 0x1p-24; /* of one rounding */

/* A value, and how far a kernel's may be. */
typedef struct value {
  double v, e;
} value;

/* A layer: its experts have the weights of WEIGHTS models in turn. */
typedef struct scene {
  test_model router, experts[WEIGHTS];
  const void *packed[MOST_EXPERTS];
  float correction[MOST_EXPERTS], scale[MOST_EXPERTS], *x;
  double *logits, *bounds, *o[WEIGHTS], *o_bound[WEIGHTS];
  size_t count, outputs;
} scene;

static int is_router(const ffn_kernel *k, const ffn_kernel *expert) {
  return k->kind == FFN_KIND_LINEAR && k->inputs == expert->inputs && k->outputs >= 16 &&
         k->outputs % 4 == 0 && k->outputs <= MOST_EXPERTS && test_sums_f32(k) &&
         k->max_tokens == 0 && test_runs_here(k) && test_is_base(k);
}

static int is_expert(const ffn_kernel *k) {
  return test_runs_here(k) && test_is_base(k) && !test_is_large(k) && test_sums_f32(k) &&
         k->stage_count == 2 && !k->stages_share_x && k->max_tokens == 0 &&
         k->packed_bytes < 2000000;
}

static int find_kernels(const ffn_kernel **expert, const ffn_kernel **router) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (is_expert(*k))
      for (const ffn_kernel *const *r = ffn_all(NULL); *r; r++)
        if (is_router(*r, *k)) {
          *expert = *k, *router = *r;
          return 1;
        }
  return 0;
}

static int open_scene(scene *s) {
  const ffn_kernel *expert, *router;
  if (!find_kernels(&expert, &router))
    return 0;
  s->count = router->outputs, s->outputs = expert->outputs;
  test_model_open(&s->router, router, TEST_REALS, 600), test_model_pack(&s->router);
  s->x = test_inputs(expert, TOKENS, TEST_REALS, 601);
  s->logits = test_memory(TOKENS * s->count * sizeof(double));
  s->bounds = test_memory(TOKENS * s->count * sizeof(double));
  test_reference(&s->router, s->logits, s->bounds, s->x, TOKENS);
  for (size_t i = 0; i < WEIGHTS; i++) {
    test_model_open(&s->experts[i], expert, TEST_REALS, 610 + i);
    test_model_pack(&s->experts[i]);
    s->o[i] = test_memory(TOKENS * s->outputs * sizeof(double));
    s->o_bound[i] = test_memory(TOKENS * s->outputs * sizeof(double));
    test_reference(&s->experts[i], s->o[i], s->o_bound[i], s->x, TOKENS);
  }
  for (size_t e = 0; e < s->count; e++) {
    s->packed[e] = s->experts[e % WEIGHTS].packed;
    s->correction[e] = test_uniform(620, e) / 8, s->scale[e] = 1.5f + test_uniform(621, e);
  }
  return 1;
}

static void close_scene(scene *s) {
  for (size_t i = 0; i < WEIGHTS; i++)
    test_model_close(&s->experts[i]), free(s->o[i]), free(s->o_bound[i]);
  test_model_close(&s->router), free(s->x), free(s->logits), free(s->bounds);
}

/* ---- Scores, keys and weights in double ----------------------------------------------------- */

/* scores[e] <- the softmax over experts that `among` has. A kernel takes the largest logit of all
 * away, rounded; e^x is within 1.3 u; the sum has a rounding for each expert. */
static void softmax(const double *l, const double *b, size_t count, const int *among, value *out) {
  double most = -INFINITY, sum = 0, error = 0, off = 0;
  for (size_t e = 0; e < count; e++)
    most = fmax(most, l[e]), off = fmax(off, b[e]);
  for (size_t e = 0; e < count; e++) {
    const double p = among[e] ? exp(l[e] - most) : 0;
    sum += p, error += p * (1.3 + most - l[e] + 4 * off) * u;
  }
  for (size_t e = 0; e < count; e++) {
    const double p = exp(l[e] - most) / sum, own = (1.3 + most - l[e] + 4 * off) * u;
    out[e].v = p;
    out[e].e = p * (expm1(4 * off) + own + error / sum + ((double)count + 1) * u) * 1.001;
  }
}

/* The sigmoid is within 2.7 u. So is ln(1 + e^x), of which every 41st float from -30 to 30 was held
 * against long double: at most 2.54 u. Its root has half of that, and a rounding. */
static void scores_of(const ffn_moe_rule *r, const double *l, const double *b, value *out) {
  int all[MOST_EXPERTS];
  for (size_t e = 0; e < r->experts; e++)
    all[e] = 1;
  if (r->score == FFN_MOE_SOFTMAX)
    softmax(l, b, r->experts, all, out);
  for (size_t e = 0; r->score == FFN_MOE_SIGMOID && e < r->experts; e++) {
    out[e].v = 1 / (1 + exp(-l[e]));
    out[e].e = out[e].v * (expm1(b[e]) + 2.7 * u) * 1.001;
  }
  for (size_t e = 0; r->score == FFN_MOE_SQRT_SOFTPLUS && e < r->experts; e++) {
    out[e].v = sqrt(log1p(exp(l[e])));
    out[e].e = out[e].v * (expm1(b[e]) / 2 + 2.5 * u) * 1.001;
  }
}

static void keys_of(const ffn_moe_rule *r, const double *l, const double *b, const value *scores,
                    value *out) {
  for (size_t e = 0; e < r->experts; e++) {
    out[e] = (value){l[e], b[e]};
    if (r->corrected == FFN_MOE_SCORE_CORRECTED || (r->groups && r->by_two))
      out[e] = scores[e];
    if (r->correction) {
      out[e].v += (double)r->correction[e];
      out[e].e += u * (fabs(out[e].v) + out[e].e);
    }
  }
}

/* The weight of each chosen expert, in their order. */
static void weights_of(const ffn_moe_rule *r, const double *l, const double *b,
                       const int32_t *numbers, value *out) {
  value scores[MOST_EXPERTS], sum = {0, 0};
  int chosen[MOST_EXPERTS] = {0};
  const int alone = r->score == FFN_MOE_SOFTMAX && r->normalise && r->epsilon == 0 && r->floor == 0;
  scores_of(r, l, b, scores);
  for (size_t k = 0; k < r->top_k; k++)
    chosen[numbers[k]] = 1;
  if (alone)
    softmax(l, b, r->experts, chosen, scores);
  for (size_t k = 0; k < r->top_k; k++)
    sum.v += scores[numbers[k]].v, sum.e += scores[numbers[k]].e;
  sum.e += ((double)r->top_k + 1) * u * (sum.v + sum.e);
  sum.v = fmax(sum.v + (double)r->epsilon, (double)r->floor);
  for (size_t k = 0; k < r->top_k; k++) {
    out[k] = scores[numbers[k]];
    double factor = 1, relative = out[k].e / out[k].v + 3 * u;
    if (r->normalise && !alone)
      factor /= sum.v, relative += sum.e / sum.v;
    if (r->expert_scale)
      factor *= (double)r->expert_scale[numbers[k]];
    if (r->scale != 0)
      factor *= (double)r->scale;
    out[k].v *= factor, out[k].e = fabs(out[k].v) * relative * 1.001;
  }
}

/* ---- Whether a choice can be right ---------------------------------------------------------- */

/* What is told of a choice: 0: it is wrong; 1: it can be right; 2: no other can be. */
static int judge(const value *keys, size_t count, const int *chosen, const int *among) {
  int told = 2;
  for (size_t c = 0; c < count; c++)
    for (size_t o = 0; o < count; o++) {
      if (!chosen[c] || chosen[o] || !among[o])
        continue;
      if (keys[c].v + keys[c].e < keys[o].v - keys[o].e)
        return 0;
      if (!(keys[c].v - keys[c].e > keys[o].v + keys[o].e))
        told = 1;
    }
  return told;
}

/* The key of a group: no key of it is further off than the furthest, so neither is the largest. */
static value group_key(const ffn_moe_rule *r, const value *keys) {
  value first = {-INFINITY, 0}, second = {-INFINITY, 0};
  double off = 0;
  for (size_t i = 0; i < r->experts / r->groups; i++) {
    off = fmax(off, keys[i].e);
    if (keys[i].v > first.v)
      second = first, first = keys[i];
    else if (keys[i].v > second.v)
      second = keys[i];
  }
  if (!r->by_two)
    return (value){first.v, off};
  const double sum = first.v + second.v;
  return (value){sum, 2 * off + u * (fabs(sum) + 2 * off)};
}

/* The same where there are groups: those that have a chosen expert are taken; as many others as are
 * missing may be, the largest. */
static int judge_groups(const ffn_moe_rule *r, const value *keys, const int *chosen) {
  value of_groups[MOST_EXPERTS];
  int taken[MOST_EXPERTS] = {0}, all[MOST_EXPERTS], among[MOST_EXPERTS];
  const size_t size = r->experts / r->groups;
  size_t count = 0;
  for (size_t e = 0; e < r->experts; e++)
    count += (size_t)(chosen[e] && !taken[e / size]), taken[e / size] |= chosen[e];
  for (size_t g = 0; g < r->groups; g++)
    of_groups[g] = group_key(r, keys + g * size), all[g] = 1;
  for (; count < r->take; count++) {
    size_t best = r->groups;
    for (size_t g = 0; g < r->groups; g++)
      if (!taken[g] && (best == r->groups || of_groups[g].v > of_groups[best].v))
        best = g;
    taken[best] = 1;
  }
  for (size_t e = 0; e < r->experts; e++)
    among[e] = taken[e / size];
  const int groups = count == r->take ? judge(of_groups, r->groups, taken, all) : 0;
  const int experts = judge(keys, r->experts, chosen, among);
  return groups < experts ? groups : experts;
}

/* ---- The tests --------------------------------------------------------------------------------
 */

typedef struct form {
  const char *name;
  ffn_moe_rule rule;
  int corrects, scales;
} form;

/* The forms of ffn_moe.h's rules, as models have them. */
static const form forms[] = {
    {"A, normalised", {.top_k = 4, .normalise = 1}, 0, 0},
    {"A, not normalised", {.top_k = 4}, 0, 1},
    {"C",
     {.top_k = 4,
      .score = FFN_MOE_SIGMOID,
      .corrected = FFN_MOE_SCORE_CORRECTED,
      .groups = 4,
      .take = 2,
      .by_two = 1,
      .normalise = 1,
      .epsilon = 1e-20f,
      .scale = 2.5f},
     1,
     0},
    {"D",
     {.top_k = 6, .corrected = FFN_MOE_SCORE_CORRECTED, .normalise = 1, .floor = 0.125f},
     1,
     0},
    {"E",
     {.top_k = 4,
      .groups = 4,
      .take = 3,
      .by_two = 1,
      .normalise = 1,
      .epsilon = 1e-20f,
      .scale = 1.5f},
     0,
     0},
    {"F",
     {.top_k = 6,
      .score = FFN_MOE_SQRT_SOFTPLUS,
      .corrected = FFN_MOE_SCORE_CORRECTED,
      .normalise = 1,
      .epsilon = 1e-20f,
      .scale = 1.5f},
     1,
     0},
    {"G", {.top_k = 2, .score = FFN_MOE_SIGMOID, .on_input = 1}, 0, 0},
    {"E, by the largest", {.top_k = 4, .groups = 4, .take = 2, .scale = 16}, 0, 0},
    {"H",
     {.top_k = 8, .score = FFN_MOE_SIGMOID, .corrected = FFN_MOE_LOGIT_CORRECTED, .normalise = 1},
     1,
     1},
};

/* What an expert gives of a token: of x, or of x times the weight that the call told. */
static void expert_row(const scene *s, const form *f, size_t token, size_t expert, float weight,
                       double *o, double *bound) {
  const size_t own = expert % WEIGHTS, inputs = s->router.kernel->inputs;
  float *in = test_memory(inputs * sizeof *in);
  for (size_t i = 0; i < inputs; i++)
    in[i] = weight * s->x[token * inputs + i];
  memcpy(o, s->o[own] + token * s->outputs, s->outputs * sizeof *o);
  memcpy(bound, s->o_bound[own] + token * s->outputs, s->outputs * sizeof *bound);
  if (f->rule.on_input)
    test_reference(&s->experts[own], o, bound, in, 1);
  free(in);
}

/* y of a token: experts in their order, each fma rounded once. */
static void check_row(const scene *s, const form *f, size_t token, const int32_t *numbers,
                      const value *weights, const float *told, const float *y) {
  const size_t bytes = s->outputs * sizeof(double);
  double *o = test_memory(bytes), *b = test_memory(bytes);
  value *sum = test_memory(s->outputs * sizeof *sum);
  memset(sum, 0, s->outputs * sizeof *sum);
  for (size_t k = 0; k < f->rule.top_k; k++) {
    const value factor = f->rule.on_input ? (value){1, 0} : weights[k];
    expert_row(s, f, token, (size_t)numbers[k], told[k], o, b);
    for (size_t i = 0; i < s->outputs; i++) {
      sum[i].v += factor.v * o[i];
      sum[i].e += fabs(factor.v) * b[i] + factor.e * (fabs(o[i]) + b[i]);
      sum[i].e += u * (fabs(sum[i].v) + sum[i].e) + 0x1p-150;
    }
  }
  for (size_t i = 0; i < s->outputs; i++)
    cr_assert(fabs((double)y[i] - sum[i].v) <= sum[i].e, "%s: y[%zu][%zu] = %a, exact %a +- %a",
              f->name, token, i, (double)y[i], sum[i].v, sum[i].e);
  free(o), free(b), free(sum);
}

/* What a call chose, and gave. How many tokens could have no other choice. */
static size_t check(const scene *s, const form *f, const ffn_moe_rule *rule, const float *y,
                    const ffn_moe_told *told) {
  size_t decided = 0;
  for (size_t t = 0; t < TOKENS; t++) {
    const double *l = s->logits + t * s->count, *b = s->bounds + t * s->count;
    const int32_t *numbers = told->numbers + t * rule->top_k;
    value scores[MOST_EXPERTS], keys[MOST_EXPERTS], weights[MOST_TOP_K];
    int chosen[MOST_EXPERTS] = {0}, all[MOST_EXPERTS];
    for (size_t k = 0; k < rule->top_k; k++)
      chosen[numbers[k]] = 1;
    for (size_t e = 0; e < s->count; e++)
      all[e] = 1;
    scores_of(rule, l, b, scores);
    keys_of(rule, l, b, scores, keys);
    const int is_right =
        rule->groups ? judge_groups(rule, keys, chosen) : judge(keys, s->count, chosen, all);
    cr_assert(is_right, "%s: token %zu", f->name, t);
    decided += is_right == 2;
    weights_of(rule, l, b, numbers, weights);
    for (size_t k = 0; k < rule->top_k; k++) {
      const double weight = (double)told->weights[t * rule->top_k + k];
      cr_assert(fabs(weight - weights[k].v) <= weights[k].e, "%s: weight %a, exact %a +- %a",
                f->name, weight, weights[k].v, weights[k].e);
    }
    check_row(s, f, t, numbers, weights, told->weights + t * rule->top_k, y + t * s->outputs);
  }
  return decided;
}

Test(moe_values, forms) {
  static scene s;
  if (!open_scene(&s))
    cr_skip_test("no router for a small layer");
  float *y = test_memory(TOKENS * s.outputs * sizeof *y);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    const form *f = &forms[i];
    ffn_moe moe = {.inputs = s.router.kernel->inputs,
                   .outputs = s.outputs,
                   .rule = f->rule,
                   .scales_experts = f->scales};
    moe.rule.experts = s.count;
    const ffn_moe_parts parts = {.expert_kernel = s.experts[0].kernel,
                                 .router_kernel = s.router.kernel,
                                 .experts = s.packed,
                                 .router = s.router.packed,
                                 .correction = f->corrects ? s.correction : NULL,
                                 .expert_scale = f->scales ? s.scale : NULL};
    ffn_moe_rule rule = moe.rule;
    rule.correction = parts.correction, rule.expert_scale = parts.expert_scale;
    const size_t bytes = ffn_moe_work_bytes(&moe, &parts, 1, TOKENS);
    void *work = ffn_alloc(bytes);
    cr_assert(ffn_moe_run(&moe, &parts, y, s.outputs, s.x, moe.inputs, TOKENS, NULL, work, bytes,
                          NULL) == FFN_MOE_OK);
    const ffn_moe_told told = ffn_moe_tell(&moe, work, TOKENS);
    const size_t decided = check(&s, f, &rule, y, &told);
    cr_assert(decided * 100 >= TOKENS * 95, "%s: %zu of %d", f->name, decided, TOKENS);
    ffn_free(work);
  }
  free(y), close_scene(&s);
}
