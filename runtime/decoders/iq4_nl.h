/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * iq4_nl of GGUF: 18 bytes for 32 weights, d times a level. f16 d; 16 bytes: which level weight j
 * has in the low half of byte j, weight 16 + j in its high one. */
#ifndef FFN_DECODERS_IQ4_NL_H
#define FFN_DECODERS_IQ4_NL_H

#include "half.h"
/*@ end */

/* The levels, of iq4_xs, too: none is 0. */
static inline int ffn_decode_level(int q) {
  static const signed char levels[] = {
      -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  return levels[q];
}

/* Exact: 11 bits by 7. */
static inline double ffn_decode_iq4_nl(const unsigned char *block, size_t k) {
  const int q = block[2 + k % 16] >> (k < 16 ? 0 : 4) & 15;
  return ffn_decode_product(ffn_decode_half(block) * ffn_decode_level(q));
}

/*@ foot */
#endif
/*@ end */
