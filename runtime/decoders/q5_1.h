/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q5_1 of GGUF: 24 bytes for 32 weights, d q + m. f16 d, f16 m; u32 of which bit j is the fifth
 * of weight j; 16 bytes: weight j in the low half of byte j, weight 16 + j in its high one. */
#ifndef FFN_DECODERS_Q5_1_H
#define FFN_DECODERS_Q5_1_H

#include "half.h"
/*@ end */

/* Exact: the product is below 2^21, m below 2^16, both whole numbers of 2^-24. */
static inline double ffn_decode_q5_1(const unsigned char *block, size_t k) {
  const int low = block[8 + k % 16] >> (k < 16 ? 0 : 4) & 15, high = block[4 + k / 8] >> k % 8 & 1;
  return ffn_decode_sum(ffn_decode_half(block) * (low + 16 * high) + ffn_decode_half(block + 2));
}

/*@ foot */
#endif
/*@ end */
