/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q5_K of GGUF: 176 bytes for 256 weights, d scale q - dmin min. As q4_K, with 32 bytes in front
 * of its 128: bit j of byte l is the fifth of weight 32 j + l. */
#ifndef FFN_DECODERS_Q5_K_H
#define FFN_DECODERS_Q5_K_H

#include "q4_K.h"
/*@ end */

static inline double ffn_decode_q5_K(const unsigned char *block, size_t k) {
  const int low = block[48 + k / 64 * 32 + k % 32] >> (k % 64 < 32 ? 0 : 4) & 15;
  const int high = block[16 + k % 32] >> k / 32 & 1;
  return ffn_decode_with_minimum(block, k, low + 16 * high);
}

/*@ foot */
#endif
/*@ end */
