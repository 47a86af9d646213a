/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q4_K: d times the scale of 32, exact in 17 bits; q; dmin times their minimum, alike, is taken
 * off. */
#ifndef FFN_DECODERS_INTEGERS_Q4_K_H
#define FFN_DECODERS_INTEGERS_Q4_K_H

#include "../decoders/q4_K.h"
#include "group.h"
/*@ end */

/* Of q4_K and q5_K: all but q. What is not finite makes all of it NaN. */
static inline void ffn_integers_begin_K(
    ffn_integers *to, const unsigned char *block, size_t group) {
  int scale, minimum;
  ffn_decode_six_bits(block + 4, group, &scale, &minimum);
  ffn_integers_begin(to, ffn_decode_half(block) * scale);
  ffn_integers_add(to, -(ffn_decode_half(block + 2) * minimum));
}

/* The low four bits of weight k: of 64 weights the first 32 are the low halves of 32 bytes. */
static inline int ffn_integers_low_K(const unsigned char *bytes, size_t group, size_t k) {
  return bytes[group / 2 * 32 + k] >> (group % 2 == 0 ? 0 : 4) & 15;
}

static inline void ffn_integers_q4_K(const unsigned char *block, size_t group, ffn_integers *to) {
  ffn_integers_begin_K(to, block, group);
  for (size_t k = 0; k < 32; k++)
    to->q[k] = ffn_integers_low_K(block + 16, group, k);
}

/*@ foot */
#endif
/*@ end */
