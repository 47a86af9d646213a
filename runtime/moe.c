/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe.c - a mixture of experts: which experts a token takes, with which weights. No product is an
 * operand of a sum here, so that no compiler fuses the two. */
#include "ffn_moe.h"
#include "kernel.h"

#include "moe_scores.h"

FFN_EXACT_BEGIN

/* ---- What a rule makes of logits ----------------------------------------------------------- */

/* The scores of a token. Those of a softmax are divided where they are asked for. */
typedef struct ffn_moe_scores {
  const ffn_moe_rule *rule;
  const float *logits;
  float most, total; /* of a softmax: the largest logit; what divides, or 1 */
  int kept; /* 1: undivided has them */
  float undivided[FFN_MOE_MOST_EXPERTS];
} ffn_moe_scores;

const char *ffn_moe_rule_problem(const ffn_moe_rule *rule) {
  if (!rule)
    return "there is no rule";
  if (rule->experts == 0 || rule->experts > FFN_MOE_MOST_EXPERTS)
    return "experts is 0, or more than FFN_MOE_MOST_EXPERTS";
  if (rule->top_k == 0 || rule->top_k > rule->experts)
    return "top_k is 0, or more than experts";
  if ((rule->corrected != FFN_MOE_NOT_CORRECTED) != (rule->correction != NULL))
    return "corrected says that there is a correction, and there is none, or the other way";
  if (!(rule->epsilon >= 0) || !(rule->floor >= 0) || (rule->epsilon > 0 && rule->floor > 0))
    return "epsilon or floor is negative, or there are both";
  if (rule->groups == 0)
    return NULL;
  if (rule->experts % rule->groups != 0)
    return "groups have different sizes";
  if (rule->take == 0 || rule->take > rule->groups)
    return "take is 0, or more than groups";
  if (rule->take * (rule->experts / rule->groups) < rule->top_k)
    return "the groups that are taken have fewer than top_k experts";
  if (rule->by_two && rule->experts / rule->groups < 2)
    return "groups of one expert have no two largest keys";
  return NULL;
}

static int ffn_moe_keys_are_scores(const ffn_moe_rule *rule) {
  return rule->corrected == FFN_MOE_SCORE_CORRECTED ||
         (rule->corrected == FFN_MOE_NOT_CORRECTED && rule->groups > 0 && rule->by_two);
}

/* Whether a softmax is over the chosen experts alone where weights are made. */
static int ffn_moe_of_chosen(const ffn_moe_rule *rule) {
  return rule->score == FFN_MOE_SOFTMAX && rule->normalise && !(rule->epsilon > 0) &&
         !(rule->floor > 0);
}

static float ffn_moe_undivided(const ffn_moe_scores *scores, size_t expert) {
  const float logit = scores->logits[expert];
  if (scores->kept)
    return scores->undivided[expert];
  switch (scores->rule->score) {
  case FFN_MOE_SOFTMAX:
    return ffn_moe_exp(logit - scores->most);
  case FFN_MOE_SIGMOID:
    return ffn_moe_sigmoid(logit);
  case FFN_MOE_SQRT_SOFTPLUS:
  default:
    return ffn_sqrt(ffn_moe_softplus(logit));
  }
}

/* The scores of all experts where keys or a softmax need them; else each when it is asked for. */
static void ffn_moe_begin_scores(
    ffn_moe_scores *scores, const ffn_moe_rule *rule, const float *logits) {
  const int is_softmax = rule->score == FFN_MOE_SOFTMAX;
  scores->rule = rule, scores->logits = logits, scores->kept = 0;
  scores->most = logits[0], scores->total = 1;
  for (size_t e = 1; is_softmax && e < rule->experts; ++e)
    if (logits[e] > scores->most || scores->most != scores->most)
      scores->most = logits[e];
  if (!ffn_moe_keys_are_scores(rule) && (!is_softmax || ffn_moe_of_chosen(rule)))
    return;
  float total = 0;
  for (size_t e = 0; e < rule->experts; ++e) {
    scores->undivided[e] = ffn_moe_undivided(scores, e);
    total += scores->undivided[e];
  }
  scores->kept = 1;
  if (is_softmax)
    scores->total = total;
}

/* ---- Which experts are chosen -------------------------------------------------------------- */

/* keys[] <- those of all experts. 0: there is no choice. Inlined it would make gcc warn of keys
 * that nobody wrote, for gcc does not know that there are experts. */
FFN_APART int ffn_moe_keys(const ffn_moe_scores *scores, float *keys) {
  const ffn_moe_rule *rule = scores->rule;
  const int are_scores = ffn_moe_keys_are_scores(rule);
  const float most = scores->most;
  if (rule->score == FFN_MOE_SOFTMAX && !(most - most == 0))
    return 0;
  for (size_t e = 0; e < rule->experts; ++e) {
    keys[e] = are_scores ? ffn_moe_undivided(scores, e) / scores->total : scores->logits[e];
    if (rule->correction)
      keys[e] += rule->correction[e];
    if (keys[e] != keys[e])
      return 0;
  }
  return 1;
}

/* What is known of an expert, or of a group. */
enum { FFN_MOE_LEFT, FFN_MOE_CHOSEN, FFN_MOE_OUT };

/* Marks the `count` largest of so many keys that are left as chosen. They stand in their order,
 * into which each key is put that is larger than the last of them: most are not. */
static void ffn_moe_largest(const float *keys, size_t all, size_t count, unsigned char *marks) {
  uint16_t order[FFN_MOE_MOST_EXPERTS];
  size_t chosen = 0;
  for (size_t i = 0; i < all; ++i) {
    if (marks[i] != FFN_MOE_LEFT || (chosen == count && !(keys[i] > keys[order[count - 1]])))
      continue;
    size_t at = chosen < count ? chosen++ : count - 1;
    for (; at > 0 && keys[i] > keys[order[at - 1]]; --at)
      order[at] = order[at - 1];
    order[at] = (uint16_t)i;
  }
  for (size_t i = 0; i < chosen; ++i)
    marks[order[i]] = FFN_MOE_CHOSEN;
}

/* So many marks of what is left. FFN_SETTLE() keeps a compiler from a call of memset(). */
static void ffn_moe_leave(unsigned char *marks, size_t all) {
  for (size_t i = 0; i < all; ++i) {
    marks[i] = FFN_MOE_LEFT;
    FFN_SETTLE();
  }
}

/* The largest key of a group, or the sum of its two largest. */
static float ffn_moe_group_key(const ffn_moe_rule *rule, const float *keys) {
  const size_t size = rule->experts / rule->groups;
  float first = keys[0], second = -ffn_from_bits(0x7f800000);
  for (size_t i = 1; i < size; ++i) {
    if (keys[i] > first) {
      second = first, first = keys[i];
    } else if (keys[i] > second) {
      second = keys[i];
    }
  }
  return rule->by_two ? first + second : first;
}

/* Marks the experts of groups that are not taken as out. 0: there is no choice. */
static int ffn_moe_groups(const ffn_moe_rule *rule, const float *keys, unsigned char *marks) {
  float of_groups[FFN_MOE_MOST_EXPERTS];
  unsigned char of_taken[FFN_MOE_MOST_EXPERTS];
  const size_t size = rule->experts / rule->groups;
  for (size_t g = 0; g < rule->groups; ++g) {
    of_groups[g] = ffn_moe_group_key(rule, keys + g * size);
    if (of_groups[g] != of_groups[g])
      return 0;
  }
  ffn_moe_leave(of_taken, rule->groups);
  ffn_moe_largest(of_groups, rule->groups, rule->take, of_taken);
  for (size_t e = 0; e < rule->experts; ++e)
    if (of_taken[e / size] != FFN_MOE_CHOSEN)
      marks[e] = FFN_MOE_OUT;
  return 1;
}

/* numbers[] <- those of the chosen experts, ascending. 0: there is no choice. */
static int ffn_moe_choose(const ffn_moe_scores *scores, int32_t *numbers) {
  const ffn_moe_rule *rule = scores->rule;
  float keys[FFN_MOE_MOST_EXPERTS];
  unsigned char marks[FFN_MOE_MOST_EXPERTS];
  if (!ffn_moe_keys(scores, keys))
    return 0;
  ffn_moe_leave(marks, rule->experts);
  if (rule->groups > 0 && !ffn_moe_groups(rule, keys, marks))
    return 0;
  ffn_moe_largest(keys, rule->experts, rule->top_k, marks);
  for (size_t e = 0, i = 0; e < rule->experts; ++e)
    if (marks[e] == FFN_MOE_CHOSEN)
      numbers[i++] = (int32_t)e;
  return 1;
}

/* ---- Their weights -------------------------------------------------------------------------- */

/* The place of the lowest number above `last`; top_k: there is none. */
static size_t ffn_moe_next(const ffn_moe_rule *rule, const int32_t *numbers, int32_t last) {
  size_t next = rule->top_k;
  for (size_t i = 0; i < rule->top_k; ++i)
    if (numbers[i] > last && (next == rule->top_k || numbers[i] < numbers[next]))
      next = i;
  return next;
}

/* What scores are divided by where they are normalised. */
static float ffn_moe_divisor(
    const ffn_moe_rule *rule, const int32_t *numbers, const float *weights) {
  float sum = 0;
  int32_t last = -1;
  for (size_t i; (i = ffn_moe_next(rule, numbers, last)) < rule->top_k; last = numbers[i])
    sum += weights[i];
  if (rule->floor > 0)
    return sum < rule->floor ? rule->floor : sum;
  return sum + rule->epsilon;
}

static void ffn_moe_weights(ffn_moe_scores *scores, const int32_t *numbers, float *weights) {
  const ffn_moe_rule *rule = scores->rule;
  if (ffn_moe_of_chosen(rule))
    scores->total = 1;
  for (size_t i = 0; i < rule->top_k; ++i)
    weights[i] = numbers[i] < 0 ? 0 : ffn_moe_undivided(scores, (size_t)numbers[i]) / scores->total;
  const float divisor = rule->normalise ? ffn_moe_divisor(rule, numbers, weights) : 1;
  for (size_t i = 0; i < rule->top_k; ++i) {
    if (numbers[i] < 0)
      continue;
    weights[i] /= divisor;
    if (rule->expert_scale)
      weights[i] *= rule->expert_scale[numbers[i]];
    if (rule->scale != 0)
      weights[i] *= rule->scale;
  }
}

float ffn_moe_gate(float logit) { return ffn_moe_sigmoid(logit); }

void ffn_moe_weigh(
    const ffn_moe_rule *rule, const float *logits, const int32_t *numbers, float *weights) {
  FFN_ASSERT(!ffn_moe_rule_problem(rule) && logits && numbers && weights);
  ffn_moe_scores scores;
  ffn_moe_begin_scores(&scores, rule, logits);
  ffn_moe_weights(&scores, numbers, weights);
}

void ffn_moe_route(
    const ffn_moe_rule *rule, const float *logits, int32_t *numbers, float *weights) {
  FFN_ASSERT(!ffn_moe_rule_problem(rule) && logits && numbers && weights);
  ffn_moe_scores scores;
  ffn_moe_begin_scores(&scores, rule, logits);
  if (ffn_moe_choose(&scores, numbers)) {
    ffn_moe_weights(&scores, numbers, weights);
    return;
  }
  for (size_t i = 0; i < rule->top_k; ++i)
    numbers[i] = -1, weights[i] = ffn_from_bits(0x7fc00000);
}

FFN_EXACT_END
