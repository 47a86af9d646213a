/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_moe.h - a mixture of experts: which experts a token takes, with which weights. The functions
 * are in moe.c, need no libm and allocate nothing. */
#ifndef FFN_MOE_H
#define FFN_MOE_H

#include "ffn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A router gives a logit for each expert. A rule makes experts and their weights of the logits of
 * one token, by f32 operations that round once each: the same bits on every machine.
 *
 * 1. The score of an expert is a function of its logit: see ffn_moe_score.
 * 2. The key of an expert is its logit. But it is the score, where the score is corrected, or where
 *    groups are judged by two largest keys. A correction is added to the key.
 * 3. Experts with neighbouring numbers form groups of equal size. `take` groups with the largest
 *    keys are taken. Experts of other groups are out, whatever their keys.
 * 4. The top_k largest keys are chosen. Of equal keys the lower number comes first; -0 is +0.
 * 5. The weight is the score, without the correction. Where normalise is 1 it is divided by the sum
 *    of the chosen scores, in ascending number: by fl(sum + epsilon), or by max(sum, floor) where
 *    there is a floor. Where there is neither epsilon nor floor, a softmax is over the chosen
 *    experts alone. The weight is then multiplied by expert_scale[expert], then by scale.
 * 6. A NaN among the keys, or under softmax an infinite largest logit, leaves no choice: all
 *    numbers are -1, all weights NaN. */
typedef enum ffn_moe_score {
  FFN_MOE_SOFTMAX = 0, /* e^(logit - largest logit) / the sum over all experts, ascending */
  FFN_MOE_SIGMOID, /* 1 / (1 + e^-logit) */
  FFN_MOE_SQRT_SOFTPLUS /* the square root of ln(1 + e^logit) */
      FFN_WIDE_ENUM(FFN_MOE_SCORE_WIDE)
} ffn_moe_score;

typedef enum ffn_moe_corrected {
  FFN_MOE_NOT_CORRECTED = 0,
  FFN_MOE_SCORE_CORRECTED, /* the key is fl(score + correction) */
  FFN_MOE_LOGIT_CORRECTED /* the key is fl(logit + correction) */
      FFN_WIDE_ENUM(FFN_MOE_CORRECTED_WIDE)
} ffn_moe_corrected;

/* Experts of a layer, at most. */
#define FFN_MOE_MOST_EXPERTS 1024

typedef struct ffn_moe_rule {
  size_t experts, top_k;
  ffn_moe_score score;
  ffn_moe_corrected corrected;
  const float *correction; /* [experts]; NULL: FFN_MOE_NOT_CORRECTED */
  size_t groups, take; /* 0: no groups */
  int by_two; /* the key of a group is 1: fl(the sum of its two largest), 0: its largest */
  int normalise;
  float epsilon, floor; /* one of them at most; 0: none */
  const float *expert_scale; /* [experts], or NULL */
  float scale; /* 0: none */
  int on_input; /* 1: x is multiplied by a weight, and not what the expert gives */
} ffn_moe_rule;

/* NULL: ffn_moe_route() takes the rule. Else what is wrong, in English. */
const char *ffn_moe_rule_problem(const ffn_moe_rule *rule);

/* numbers[top_k] <- the experts of a token with these logits[experts], in ascending order.
 * weights[top_k] <- their weights. */
void ffn_moe_route(const ffn_moe_rule *rule, const float *logits, int32_t *numbers, float *weights);

/* weights[top_k] <- the weights of experts that the host has chosen, in any order, none of them
 * twice. -1 is no expert: it has the weight 0. */
void ffn_moe_weigh(
    const ffn_moe_rule *rule, const float *logits, const int32_t *numbers, float *weights);

#ifdef __cplusplus
}
#endif
#endif
