/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * dropout.c - what dropout keeps, one element after the other: for users that make their masks
 * elsewhere, and for the reference. It shares no code with the kernels; check it by eye. */
#include "ffn_train.h"
#include "kernel.h" /* FFN_ASSERT alone */
/*@ end */

void ffn_philox(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2]) {
  FFN_ASSERT(words && counter && key);
  uint32_t k[2] = {key[0], key[1]};
  for (int i = 0; i < 4; i++)
    words[i] = counter[i];
  for (int round = 0; round < 10; round++) {
    const uint64_t even = UINT64_C(0xd2511f53) * words[0], odd = UINT64_C(0xcd9e8d57) * words[2];
    const uint32_t first = (uint32_t)(odd >> 32) ^ words[1] ^ k[0];
    const uint32_t third = (uint32_t)(even >> 32) ^ words[3] ^ k[1];
    words[0] = first, words[1] = (uint32_t)odd;
    words[2] = third, words[3] = (uint32_t)even;
    k[0] += UINT32_C(0x9e3779b9), k[1] += UINT32_C(0xbb67ae85);
  }
}

float ffn_dropout_factor(const ffn_training *training, size_t place, const ffn_dropout *dropout,
    size_t token, size_t column) {
  FFN_ASSERT(training && place < training->dropout_count);
  const ffn_dropout_place *p = &training->dropouts[place];
  const size_t width = training->stages[p->stage].outputs;
  FFN_ASSERT(column < width);
  if (!dropout)
    return 1;
  if (dropout->masks && dropout->masks[place])
    return dropout->masks[place][token * width + column];
  const uint64_t number = (dropout->first_token + token) * width + column;
  const uint32_t counter[4] = {(uint32_t)(number / 4), (uint32_t)(number / 4 >> 32),
      dropout->layer + (uint32_t)place, dropout->step};
  const uint32_t key[2] = {(uint32_t)dropout->seed, (uint32_t)(dropout->seed >> 32)};
  uint32_t words[4];
  ffn_philox(words, counter, key);
  return words[number % 4] < p->below ? p->scale : 0.0f;
}

void ffn_dropout_mask(const ffn_training *training, size_t place, const ffn_dropout *dropout,
    float *mask, size_t tokens) {
  FFN_ASSERT(training && place < training->dropout_count);
  const size_t width = training->stages[training->dropouts[place].stage].outputs;
  const ffn_span to = {mask, width, width, tokens};
  FFN_ASSERT(ffn_span_writes(&to));
  (void)to; /* where asserts vanish */
  for (size_t i = 0; i < tokens * width; i++)
    mask[i] = ffn_dropout_factor(training, place, dropout, i / width, i % width);
}
