/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * i8z: a signed byte, behind it the f32 scale of its output, and the zero. */
#ifndef FFN_DECODERS_I8Z_H
#define FFN_DECODERS_I8Z_H

#include "signed_bytes.h"
/*@ end */

static inline double ffn_decode_i8z(const unsigned char *block, size_t k) {
  (void)k;
  return ffn_decode_signed(block, (signed char)block[5]);
}

static inline float ffn_row_i8z(const float *w, size_t inputs) {
  return ffn_row_scale(w, inputs, 127);
}

static inline void ffn_encode_i8z(const float *w, float scale, unsigned char *block) {
  ffn_encode_signed(*w, scale, block);
  block[5] = 0;
}

/*@ foot */
#endif
/*@ end */
