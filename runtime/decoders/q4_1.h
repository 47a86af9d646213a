/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q4_1 of GGUF: 20 bytes for 32 weights, d q + m. f16 d, f16 m; 16 bytes: weight j in the low
 * half of byte j, weight 16 + j in its high one. */
#ifndef FFN_DECODERS_Q4_1_H
#define FFN_DECODERS_Q4_1_H

#include "half.h"
/*@ end */

/* Exact: the product is below 2^20, m below 2^16, both whole numbers of 2^-24. */
static inline double ffn_decode_q4_1(const unsigned char *block, size_t k) {
  const int q = block[4 + k % 16] >> (k < 16 ? 0 : 4) & 15;
  return ffn_decode_sum(ffn_decode_half(block) * q + ffn_decode_half(block + 2));
}

/*@ foot */
#endif
/*@ end */
