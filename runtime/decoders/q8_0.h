/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q8_0 of GGUF: 34 bytes for 32 weights, d q. f16 d; bytes of q, signed. */
#ifndef FFN_DECODERS_Q8_0_H
#define FFN_DECODERS_Q8_0_H

#include "half.h"
/*@ end */

/* Exact: 11 bits by 8. */
static inline double ffn_decode_q8_0(const unsigned char *block, size_t k) {
  const unsigned byte = block[2 + k];
  const int q = byte > 127 ? (int)byte - 256 : (int)byte;
  return ffn_decode_product(ffn_decode_half(block) * q);
}

/*@ encoder */
/* As the reference of ggml has it: d = amax / 127, q = w / d by the inverse, halves away from 0. A
 * weight that is not finite makes all of the block NaN; so does a d that f16 has no room for, from
 * amax = 127 * 65520 on, which is stored as Inf. */
static inline void ffn_encode_q8_0(const float *w, unsigned char *block) {
  const int finite = !ffn_encode_any_not_finite(w, 32);
  float most = 0;
  for (size_t k = 0; k < 32; k++)
    most = fabsf(w[k]) > most ? fabsf(w[k]) : most;
  const float d = most / 127, inverse = ffn_encode_inverse(d);
  ffn_encode_half(block, finite ? d : (float)NAN);
  for (size_t k = 0; k < 32; k++) {
    const float q = finite ? w[k] * inverse : 0;
    block[2 + k] = (unsigned char)(int)((double)q + (q < 0 ? -0.5 : 0.5));
  }
}
/*@ end */

/*@ foot */
#endif
/*@ end */
