/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * dropout.h - the random words of dropout in generated training kernels: Philox4x32-10, many
 * counters at a time, as loops that compilers make vectors of. dropout.c says the same plainly. */
#ifndef FFN_DROPOUT_H
#define FFN_DROPOUT_H

#include "ffn_train.h"
#include "kernel.h"
/*@ end */

FFN_EXACT_BEGIN

/* Words of neighbouring counters that are made together. */
#define FFN_PHILOX_WORDS 64

/* Words of the counters from `first` on, in order; behind `last`, 2^n - 1, they go on with 0. */
FFN_SHARED void ffn_philox_words(
    uint32_t *words, uint64_t first, uint64_t last, uint32_t layer, uint32_t step, uint64_t seed) {
  enum { COUNTERS = FFN_PHILOX_WORDS / 4 };
  uint32_t a[COUNTERS], b[COUNTERS], c[COUNTERS], d[COUNTERS];
  uint32_t key = (uint32_t)seed, other = (uint32_t)(seed >> 32);
  for (size_t i = 0; i < COUNTERS; ++i) {
    const uint64_t counter = (first + i) & last;
    a[i] = (uint32_t)counter;
    b[i] = (uint32_t)(counter >> 32);
    c[i] = layer;
    d[i] = step;
  }
  for (int round = 0; round < 10; ++round) {
    for (size_t i = 0; i < COUNTERS; ++i) {
      const uint64_t p = (uint64_t)a[i] * 0xd2511f53u, q = (uint64_t)c[i] * 0xcd9e8d57u;
      a[i] = (uint32_t)(q >> 32) ^ b[i] ^ key;
      b[i] = (uint32_t)q;
      c[i] = (uint32_t)(p >> 32) ^ d[i] ^ other;
      d[i] = (uint32_t)p;
    }
    key += 0x9e3779b9u;
    other += 0xbb67ae85u;
  }
  for (size_t i = 0; i < COUNTERS; ++i) {
    words[4 * i] = a[i];
    words[4 * i + 1] = b[i];
    words[4 * i + 2] = c[i];
    words[4 * i + 3] = d[i];
  }
}

/* The scale or 0 for each word: no branch on what is random. */
FFN_SHARED void ffn_dropout_factors(float *factors, const ffn_dropout_place *place, size_t index,
    const ffn_dropout *dropout, uint64_t first) {
  uint32_t words[FFN_PHILOX_WORDS];
  const uint32_t scale = (uint32_t)ffn_bits(place->scale);
  /* Elements are numbered modulo 2^64, four of a counter. */
  ffn_philox_words(words, first, UINT64_MAX >> 2, dropout->layer + (uint32_t)index, dropout->step,
      dropout->seed);
  for (size_t i = 0; i < FFN_PHILOX_WORDS; ++i)
    words[i] = scale & (0u - (uint32_t)(words[i] < place->below));
  FFN_MEMCPY(factors, words, sizeof words);
}

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
