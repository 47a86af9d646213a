/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * group.h - 32 weights of a quantization block as integers, by the definition of its format; what
 * formats share. It shares nothing with kernels, and scales with decoders/ alone. */
#ifndef FFN_DECODERS_INTEGERS_GROUP_H
#define FFN_DECODERS_INTEGERS_GROUP_H

#include "../decoders/half.h"
#include "../ffn.h"
/*@ end */

/* Weights of one scale, which is exact as a float, and of no other number. */
static inline void ffn_integers_begin(ffn_integers *to, double scale) {
  to->scale = (float)scale;
  to->factor[0] = to->factor[1] = 1;
  to->least = 0;
  to->has_least = 0;
}

/* The number that all 32 are larger by. */
static inline void ffn_integers_add(ffn_integers *to, double least) {
  to->least = (float)least;
  to->has_least = 1;
}

/* The same of an f16 of its own, which stays infinite where it is. */
static inline void ffn_integers_add_half(ffn_integers *to, const unsigned char *at) {
  const double infinite = at[1] & 0x80 ? -(double)INFINITY : (double)INFINITY;
  ffn_integers_add(to, at[0] == 0 && (at[1] & 0x7f) == 0x7c ? infinite : ffn_decode_half(at));
}

/* Nibble k of 32: those of the low halves of 16 bytes, then those of the high ones. */
static inline int ffn_integers_half(const unsigned char *bytes, size_t k) {
  return bytes[k % 16] >> (k < 16 ? 0 : 4) & 15;
}

/* Byte k, with its sign. */
static inline int ffn_integers_byte(const unsigned char *bytes, size_t k) {
  return bytes[k] < 128 ? bytes[k] : bytes[k] - 256;
}

/*@ foot */
#endif
/*@ end */
