/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * i8: a signed byte, behind it the f32 scale of its output. */
#ifndef FFN_DECODERS_I8_H
#define FFN_DECODERS_I8_H

#include "signed_bytes.h"
/*@ end */

static inline double ffn_decode_i8(const unsigned char *block, size_t k) {
  (void)k;
  return ffn_decode_signed(block, 0);
}

static inline float ffn_row_i8(const float *w, size_t inputs) {
  return ffn_row_scale(w, inputs, 127);
}

static inline void ffn_encode_i8(const float *w, float scale, unsigned char *block) {
  ffn_encode_signed(*w, scale, block);
}

/*@ foot */
#endif
/*@ end */
