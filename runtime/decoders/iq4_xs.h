/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * iq4_xs of GGUF: 136 bytes for 256 weights, d (scale - 32) times a level of iq4_nl. f16 d; u16 of
 * which bits 2 j and 2 j + 1 are the top ones of scale j, that of weights 32 j on; 4 bytes of its
 * low four, even scales in low halves; 8 times 16 bytes: of 32 weights the first 16 are the low
 * halves of 16 bytes, the others the high ones. */
#ifndef FFN_DECODERS_IQ4_XS_H
#define FFN_DECODERS_IQ4_XS_H

#include "iq4_nl.h"
/*@ end */

/* Exact: 11 bits by 5, or by -32, by 7. */
static inline double ffn_decode_iq4_xs(const unsigned char *block, size_t k) {
  const size_t j = k / 32;
  const int low = block[4 + j / 2] >> (j % 2 == 0 ? 0 : 4) & 15;
  const int high = block[2 + j / 4] >> 2 * (j % 4) & 3;
  const int q = block[8 + 16 * j + k % 16] >> (k % 32 < 16 ? 0 : 4) & 15;
  return ffn_decode_product(
      ffn_decode_half(block) * ((low + 16 * high - 32) * ffn_decode_level(q)));
}

/*@ foot */
#endif
/*@ end */
