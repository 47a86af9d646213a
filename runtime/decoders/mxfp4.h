/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mxfp4 of GGUF: 17 bytes for 32 weights, v 2^(e - 127). Byte e; 16 bytes of E2M1: weight j in the
 * low half of byte j, weight 16 + j in its high one. e of 255 is NaN, as OCP defines it; with 253
 * and 254 the larger weights are Inf, as 2^128 and more are in f32. */
#ifndef FFN_DECODERS_MXFP4_H
#define FFN_DECODERS_MXFP4_H

#include "half.h"
/*@ end */

/* Exact: 2 bits by a power of two. */
static inline double ffn_decode_mxfp4(const unsigned char *block, size_t k) {
  static const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const int q = block[1 + k % 16] >> (k < 16 ? 0 : 4) & 15;
  const double size = ldexp(values[q & 7], block[0] - 127);
  return block[0] == 255 ? (double)NAN : ffn_decode_product(q & 8 ? -size : size);
}

/*@ foot */
#endif
/*@ end */
