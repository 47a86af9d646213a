/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q5_0 of GGUF: 22 bytes for 32 weights, d (q - 16). f16 d; u32 of which bit j is the fifth of
 * weight j; 16 bytes: weight j in the low half of byte j, weight 16 + j in its high one. */
#ifndef FFN_DECODERS_Q5_0_H
#define FFN_DECODERS_Q5_0_H

#include "half.h"
/*@ end */

/* Exact: 11 bits by 5. */
static inline double ffn_decode_q5_0(const unsigned char *block, size_t k) {
  const int low = block[6 + k % 16] >> (k < 16 ? 0 : 4) & 15, high = block[2 + k / 8] >> k % 8 & 1;
  return ffn_decode_product(ffn_decode_half(block) * (low + 16 * high - 16));
}

/*@ foot */
#endif
/*@ end */
