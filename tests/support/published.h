/* Random blocks of GGUF's formats, and what a public package and rational numbers say of them
 * (tests/data/blocks.py). */
#ifndef TEST_PUBLISHED_H
#define TEST_PUBLISHED_H

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

/* Bytes in hexadecimal; the hash of all values; the values, or NULL. */
typedef struct published {
  const char *bytes;
  uint64_t hash;
  const uint32_t *values;
} published;

#define VALUES(...) ((const uint32_t[]){__VA_ARGS__})

static const published of_q8_0[] = {
#include "../data/blocks/q8_0.inc"
};
static const published of_q4_0[] = {
#include "../data/blocks/q4_0.inc"
};
static const published of_q4_1[] = {
#include "../data/blocks/q4_1.inc"
};
static const published of_q5_0[] = {
#include "../data/blocks/q5_0.inc"
};
static const published of_q5_1[] = {
#include "../data/blocks/q5_1.inc"
};
static const published of_q4_K[] = {
#include "../data/blocks/q4_K.inc"
};
static const published of_q5_K[] = {
#include "../data/blocks/q5_K.inc"
};
static const published of_q6_K[] = {
#include "../data/blocks/q6_K.inc"
};
static const published of_mxfp4[] = {
#include "../data/blocks/mxfp4.inc"
};
static const published of_iq4_nl[] = {
#include "../data/blocks/iq4_nl.inc"
};
static const published of_iq4_xs[] = {
#include "../data/blocks/iq4_xs.inc"
};
static inline unsigned published_digit(char c) {
  return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static inline void published_bytes(const published *from, unsigned char *to, size_t bytes) {
  cr_assert(strlen(from->bytes) == 2 * bytes);
  for (size_t i = 0; i < bytes; i++)
    to[i] = (unsigned char)(published_digit(from->bytes[2 * i]) << 4 |
                            published_digit(from->bytes[2 * i + 1]));
}

#endif
