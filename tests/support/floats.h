/* Floats and their bits. */
#ifndef TEST_FLOATS_H
#define TEST_FLOATS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The value whose bits are these, and back. */
static inline float test_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t test_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* 1 where both have the same bits, or are both a NaN: which NaN is the hardware's business. */
static inline int test_same(const float *a, const float *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (test_bits(a[i]) != test_bits(b[i]) && (a[i] == a[i] || b[i] == b[i]))
      return 0;
  return 1;
}

#endif
