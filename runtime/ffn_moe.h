/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_moe.h - a mixture of experts: a layer that runs some of many layers, its experts, for each
 * token. Which experts a token takes, with which weights, is in moe.c; the layer is in moe_run.c.
 * The functions need no libm and allocate nothing.
 *
 *     ffn_moe_parts parts = {.experts = experts};                 an array of pointers, see there
 *     ffn_moe_find(moe, 0, ffn_cpu(), &parts);                    the kernels
 *     parts.router = ..., parts.shared = ..., experts[e] = ...;   packed weights of these kernels
 *     const size_t bytes = ffn_moe_work_bytes(moe, &parts, threads, tokens);
 *     ffn_moe_run(moe, &parts, y, y_stride, x, x_stride, tokens, NULL, work, bytes, NULL);
 *
 * A row of y has the same bits alone and in every batch, for any number of threads, as that of a
 * kernel has. */
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

/* The sigmoid of a logit, in the bits that kernels give. */
float ffn_moe_gate(float logit);

/* ---- A layer -------------------------------------------------------------------------------- */

/* What the result of the expert that all tokens take is multiplied by. */
typedef enum ffn_moe_shared {
  FFN_MOE_NONE_SHARED = 0, /* there is no such expert */
  FFN_MOE_SHARED, /* by 1 */
  FFN_MOE_SHARED_SIGMOID, /* by the sigmoid of the router's last output, behind the logits */
  FFN_MOE_SHARED_MEAN /* by 1/2, as the weights of the other experts then are */
      FFN_WIDE_ENUM(FFN_MOE_SHARED_WIDE)
} ffn_moe_shared;

/* A layer, which a spec describes. All are constants. */
typedef struct ffn_moe {
  const char *name;
  size_t inputs, outputs;
  ffn_moe_rule rule; /* correction and expert_scale are NULL here: see ffn_moe_parts */
  int scales_experts; /* 1: parts have an expert_scale */
  ffn_moe_shared shared;
  /* The layers that it is made of, as ffn_find_layer() takes them; shared_layer may be NULL. */
  const char *expert_layer, *shared_layer, *router_layer;
} ffn_moe;

/* Kernels, and what a model has of a layer. All experts have the same kernel. */
typedef struct ffn_moe_parts {
  const ffn_kernel *expert_kernel, *shared_kernel, *router_kernel;
  const void *const *experts; /* [rule.experts]: packed weights; NULL: not in memory */
  const void *shared, *router; /* router may be NULL where the host hands over all it gives */
  const float *correction, *expert_scale; /* [rule.experts]; or NULL, where there is none */
} ffn_moe_parts;

/* What a host has instead of the router's results. What is NULL comes from the router. It has
 * nothing that no one reads: weights only with numbers; beside both, logits only with
 * FFN_MOE_SHARED_SIGMOID. */
typedef struct ffn_moe_given {
  const float *logits; /* those of token t begin at logits + t * logits_stride */
  size_t logits_stride; /* FFN_MOE_SHARED_SIGMOID: its logit is behind those of the experts */
  /* [tokens][top_k]: experts in any order, none twice in a token. -1 is no expert; where a -1 has
   * the weight NaN, the row of y is NaN. */
  const int32_t *numbers;
  const float *weights; /* [tokens][top_k], of numbers; NULL: see ffn_moe_weigh() */
} ffn_moe_given;

typedef enum ffn_moe_status {
  FFN_MOE_OK = 0,
  FFN_MOE_ABSENT, /* experts[] has a NULL for an expert that a token takes */
  FFN_MOE_CHOICE, /* a number of the host is out of range, or twice in a token */
  FFN_MOE_GIVEN /* ffn_moe_given_problem() says what is wrong with `given` */
      FFN_WIDE_ENUM(FFN_MOE_STATUS_WIDE)
} ffn_moe_status;

/* What a call knows of its experts. The arrays lie in its work memory. */
typedef struct ffn_moe_told {
  const int32_t *numbers; /* [tokens][top_k] */
  const float *weights; /* [tokens][top_k] */
  const uint32_t *rows; /* [rule.experts]: how many tokens took each */
  /* FFN_MOE_ABSENT: the first expert that is not there, and the first token that takes it.
   * FFN_MOE_CHOICE: the number, and the first such token; the arrays are not filled. */
  size_t expert, token;
} ffn_moe_told;

/*@ dispatch */
/* The best linked kernels of the three layers, for calls of at most max_tokens tokens (0: any
 * number). 0: a kernel is missing. */
int ffn_moe_find(const ffn_moe *moe, size_t max_tokens, unsigned cpu, ffn_moe_parts *parts);
/*@ end */

/* NULL: ffn_moe_run() takes the parts. Else what is wrong, in English. */
const char *ffn_moe_problem(const ffn_moe *moe, const ffn_moe_parts *parts);

/* NULL: ffn_moe_run() takes what a host gives for so many tokens. Else what is wrong. */
const char *ffn_moe_given_problem(const ffn_moe *moe, const ffn_moe_given *given, size_t tokens);

/* Bytes of work memory for a call with so many threads and at most so many tokens. SIZE_MAX: the
 * size overflows. */
size_t ffn_moe_work_bytes(
    const ffn_moe *moe, const ffn_moe_parts *parts, size_t threads, size_t tokens);

/* y = the layer of x, where strides, work and parallel are as ffn_run() has them; y overlaps
 * nothing else. given may be NULL. The threads are run three times: experts.md says when more
 * often.
 *
 * A row of y begins as -0.0. In this order come the shared expert, and the experts that the token
 * takes, by ascending number: y = fmaf(weight, o, y), o being what ffn_run() gives. (Of a rule with
 * on_input o = expert(weight * x), and y = fmaf(1, o, y).) A weight of 0 is a weight like others.
 *
 * Where the status is not FFN_MOE_OK, nothing of y is written. */
ffn_moe_status ffn_moe_run(const ffn_moe *moe, const ffn_moe_parts *parts, float *y,
    size_t y_stride, const float *x, size_t x_stride, size_t tokens, const ffn_moe_given *given,
    void *work, size_t work_bytes, const ffn_parallel *parallel);

/* What the last call with this work memory and so many tokens, more than 0, knows. Another call
 * overwrites it. */
ffn_moe_told ffn_moe_tell(const ffn_moe *moe, const void *work, size_t tokens);

/* Where a host includes ffn_file.h before: the packed weights of a model's layer, from an open
 * file. experts has room for rule.experts pointers; no byte of theirs is read. parts has its
 * kernels already; correction and expert_scale stay as they are. */
#ifdef FFN_FILE_H
static inline ffn_file_status ffn_moe_open(const ffn_moe *moe, const ffn_file *file, uint32_t layer,
    ffn_moe_parts *parts, const void **experts) {
  ffn_file_status status = ffn_file_packed(
      file, ffn_file_find(file, layer, FFN_PART_ROUTER), parts->router_kernel, &parts->router);
  if (!status && moe->shared != FFN_MOE_NONE_SHARED)
    status = ffn_file_packed(
        file, ffn_file_find(file, layer, FFN_PART_SHARED), parts->shared_kernel, &parts->shared);
  for (size_t e = 0; !status && e < moe->rule.experts; ++e)
    status = ffn_file_placed(
        file, ffn_file_find(file, layer, (uint32_t)e), parts->expert_kernel, &experts[e]);
  parts->experts = experts;
  return status;
}
#endif

#ifdef __cplusplus
}
#endif
#endif
