/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * u4g64_f32: nibbles, low first, in groups of 64; behind these the scale in f32, and the zero. */
#ifndef FFN_DECODERS_U4G64_F32_H
#define FFN_DECODERS_U4G64_F32_H

#include "grouped.h"
/*@ end */

static inline double ffn_decode_u4g64_f32(const unsigned char *block, size_t k) {
  return ffn_decode_nibble(block, k, ffn_grouped_f32(block + 32), block[36]);
}

static inline void ffn_encode_u4g64_f32(const float *w, unsigned char *block) {
  const double scale = ffn_grouped_put_f32(block + 32, ffn_grouped_scale(w, 64));
  ffn_encode_nibbles(w, 64, scale, block);
  block[36] = 8;
}

/*@ foot */
#endif
/*@ end */
