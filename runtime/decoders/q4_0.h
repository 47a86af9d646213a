/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q4_0 of GGUF: 18 bytes for 32 weights, d (q - 8). f16 d; 16 bytes: weight j in the low half of
 * byte j, weight 16 + j in its high one. */
#ifndef FFN_DECODERS_Q4_0_H
#define FFN_DECODERS_Q4_0_H

#include "half.h"
/*@ end */

/* Exact: 11 bits by 4. */
static inline double ffn_decode_q4_0(const unsigned char *block, size_t k) {
  const int q = block[2 + k % 16] >> (k < 16 ? 0 : 4) & 15;
  return ffn_decode_product(ffn_decode_half(block) * (q - 8));
}

/*@ encoder */
/* As the reference of ggml has it: d is the first weight of the largest size, with its sign, / -8;
 * q = trunc(w / d + 8.5), by the inverse of d, at most 15. A weight that is not finite makes all of
 * the block NaN, with q of 0; so does a d that f16 has no room for, from 8 * 65520 on, which is
 * stored as Inf. */
static inline void ffn_encode_q4_0(const float *w, unsigned char *block) {
  const int finite = !ffn_encode_any_not_finite(w, 32);
  float most = 0;
  for (size_t k = 0; k < 32; k++)
    most = fabsf(w[k]) > fabsf(most) ? w[k] : most;
  const float d = most / -8, inverse = ffn_encode_inverse(d);
  unsigned q[32];
  ffn_encode_half(block, finite ? d : (float)NAN);
  for (size_t k = 0; k < 32; k++) {
    const float steps = finite ? w[k] * inverse : 0;
    /* The sum of floats is a float, whatever compilers make of products in sums. */
    const float shifted = (float)((double)steps + 8.5);
    q[k] = !finite ? 0 : shifted < 16 ? (unsigned)shifted : 15;
  }
  for (size_t j = 0; j < 16; j++)
    block[2 + j] = (unsigned char)(q[j] | q[16 + j] << 4);
}
/*@ end */

/*@ foot */
#endif
/*@ end */
