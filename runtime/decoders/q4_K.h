/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q4_K of GGUF: 144 bytes for 256 weights, d scale q - dmin min. f16 d, f16 dmin; 12 bytes of
 * scales and minima of 32 weights each; 128 bytes: of 64 weights the first 32 are the low halves of
 * 32 bytes, the others the high ones. */
#ifndef FFN_DECODERS_Q4_K_H
#define FFN_DECODERS_Q4_K_H

#include "half.h"
/*@ end */

/* Scale and minimum of sub-block j, 6 bits each. Those of the first four are the low bits of bytes
 * j and 4 + j; those of the others are a half of byte 4 + j, and above it the top bits of the bytes
 * of sub-block j - 4. */
static inline void ffn_decode_six_bits(
    const unsigned char *bytes, size_t j, int *scale, int *minimum) {
  if (j < 4) {
    *scale = bytes[j] & 63;
    *minimum = bytes[4 + j] & 63;
  } else {
    *scale = (bytes[4 + j] & 15) | bytes[j - 4] >> 6 << 4;
    *minimum = bytes[4 + j] >> 4 | bytes[j] >> 6 << 4;
  }
}

/* Of q4_K and q5_K, with their q. Exact: products below 2^27 and 2^22, whole numbers of 2^-24. */
static inline double ffn_decode_with_minimum(const unsigned char *block, size_t k, int q) {
  int scale, minimum;
  ffn_decode_six_bits(block + 4, k / 32, &scale, &minimum);
  return ffn_decode_sum(
      ffn_decode_half(block) * (scale * q) - ffn_decode_half(block + 2) * minimum);
}

static inline double ffn_decode_q4_K(const unsigned char *block, size_t k) {
  const int q = block[16 + k / 64 * 32 + k % 32] >> (k % 64 < 32 ? 0 : 4) & 15;
  return ffn_decode_with_minimum(block, k, q);
}

/*@ foot */
#endif
/*@ end */
