/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * moe_taken.h - which experts the tokens of a call take: the router's, or the host's. A part of
 * moe_run.c. */
#ifndef FFN_MOE_TAKEN_H
#define FFN_MOE_TAKEN_H

#include "ffn_moe.h"
#include "kernel.h"

#include "moe_phases.h"
/*@ end */

FFN_EXACT_BEGIN

static int ffn_moe_needs_logits(const ffn_moe *moe, const ffn_moe_given *given) {
  return !given || !given->numbers || !given->weights || moe->shared == FFN_MOE_SHARED_SIGMOID;
}

/* numbers and weights of a token whose logits are known, or NULL where nobody asks for them. */
static void ffn_moe_token(ffn_moe_call *call, size_t token, const float *logits) {
  const ffn_moe_given *given = call->given;
  const size_t top_k = call->rule.top_k, at = token * top_k;
  for (size_t i = at; given && given->numbers && i < at + top_k; ++i) {
    call->numbers[i] = given->numbers[i];
    if (given->weights)
      call->weights[i] = given->weights[i];
  }
  if (!given || !given->numbers) {
    ffn_moe_route(&call->rule, logits, call->numbers + at, call->weights + at);
  } else if (!given->weights) {
    ffn_moe_weigh(&call->rule, logits, call->numbers + at, call->weights + at);
  }
  if (call->moe->shared == FFN_MOE_SHARED_SIGMOID)
    call->gates[token] = ffn_moe_gate(logits[call->rule.experts]);
}

/* Whether a host's numbers of a token are experts, or -1, and each is there once. */
static int ffn_moe_is_choice(const ffn_moe_call *call, size_t token) {
  const int32_t *numbers = call->given->numbers + token * call->rule.top_k;
  for (size_t i = 0; i < call->rule.top_k; ++i) {
    int is_wrong = numbers[i] < -1 || numbers[i] >= (int32_t)call->rule.experts;
    for (size_t k = 0; k < i; ++k)
      is_wrong |= numbers[i] >= 0 && numbers[k] == numbers[i];
    if (is_wrong) {
      call->fault[0] = (size_t)(uint32_t)numbers[i], call->fault[1] = token;
      return 0;
    }
  }
  return 1;
}

/* The experts of all tokens. */
static void ffn_moe_choose_all(ffn_moe_call *call) {
  const size_t width = ffn_moe_logits(call->moe);
  const int is_given = call->given && call->given->logits;
  const int is_needed = ffn_moe_needs_logits(call->moe, call->given);
  FFN_ASSERT(!is_needed || is_given || (call->parts->router_kernel && call->parts->router));
  for (size_t first = 0, rows; first < call->tokens; first += rows) {
    rows = ffn_min(call->block, call->tokens - first);
    if (is_needed && !is_given)
      ffn_moe_block_logits(call, first, rows);
    for (size_t token = first; token < first + rows; ++token)
      ffn_moe_token(call, token,
          is_given ? call->given->logits + token * call->given->logits_stride
                   : call->logits + (token - first) * width);
  }
}

/* pairs[] <- places in numbers, those of the first expert in front, each in the order of tokens;
 * rows[] <- how many each expert has. FFN_MOE_ABSENT: one of those is not there. */
static ffn_moe_status ffn_moe_deal(ffn_moe_call *call) {
  const size_t experts = call->rule.experts, all = call->tokens * call->rule.top_k;
  uint32_t next = 0;
  for (size_t e = 0; e < experts; ++e) {
    call->rows[e] = 0;
    FFN_SETTLE();
  }
  for (size_t i = 0; i < all; ++i)
    if (call->numbers[i] >= 0)
      ++call->rows[call->numbers[i]];
  for (size_t e = 0; e < experts; ++e)
    if (call->rows[e] > 0 && !call->parts->experts[e]) {
      call->fault[0] = e;
      for (call->fault[1] = 0; call->numbers[call->fault[1]] != (int32_t)e; ++call->fault[1])
        continue;
      call->fault[1] /= call->rule.top_k;
      return FFN_MOE_ABSENT;
    }
  for (size_t e = 0; e < experts; ++e) {
    const uint32_t rows = call->rows[e];
    call->rows[e] = next, next += rows; /* for now where its pairs begin */
  }
  for (size_t i = 0; i < all; ++i)
    if (call->numbers[i] >= 0)
      call->pairs[call->rows[call->numbers[i]]++] = (uint32_t)i;
  for (size_t e = experts; e-- > 1;) /* now where they end */
    call->rows[e] -= call->rows[e - 1];
  return FFN_MOE_OK;
}

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
