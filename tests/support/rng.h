/* Random numbers by position: number i of stream s is the same on every machine, in any order. */
#ifndef TEST_RNG_H
#define TEST_RNG_H

#include <stdint.h>

static inline uint64_t test_random(uint64_t stream, uint64_t i) {
  uint64_t z = stream * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* In (-1, 1), all 24 bits of the significand in use, never 0. */
static inline float test_uniform(uint64_t stream, uint64_t i) {
  return ((float)(test_random(stream, i) >> 41) + 0.5f) * 0x1p-22f - 1;
}

/* In [0, count). */
static inline uint64_t test_below(uint64_t stream, uint64_t i, uint64_t count) {
  return test_random(stream, i) % count;
}

#endif
