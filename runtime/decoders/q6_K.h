/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q6_K of GGUF: 210 bytes for 256 weights, d scale (q - 32). 128 bytes of low halves, 64 of top
 * bits, 16 scales of 16 weights each, signed; f16 d. Of 128 weights the first 64 are the low halves
 * of 64 bytes, the others the high ones; the top bits of weight 32 t + l are bits 2 t and 2 t + 1
 * of byte l of 32. */
#ifndef FFN_DECODERS_Q6_K_H
#define FFN_DECODERS_Q6_K_H

#include "half.h"
/*@ end */

/* Exact: 11 bits by 8 by 6, at most 2^28, a whole number of 2^-24. */
static inline double ffn_decode_q6_K(const unsigned char *block, size_t k) {
  const size_t part = k / 128, t = k % 128 / 32;
  const int low = block[64 * part + k % 64] >> (t < 2 ? 0 : 4) & 15;
  const int high = block[128 + 32 * part + k % 32] >> 2 * t & 3;
  const int byte = block[192 + k / 16], scale = byte > 127 ? byte - 256 : byte;
  return ffn_decode_product(ffn_decode_half(block + 208) * (scale * (low + 16 * high - 32)));
}

/*@ foot */
#endif
/*@ end */
