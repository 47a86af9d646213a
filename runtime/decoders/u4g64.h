/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * u4g64: nibbles, low first, in groups of 64; behind these the scale in f16, and the zero. */
#ifndef FFN_DECODERS_U4G64_H
#define FFN_DECODERS_U4G64_H

#include "grouped.h"
/*@ end */

static inline double ffn_decode_u4g64(const unsigned char *block, size_t k) {
  return ffn_decode_nibble(block, k, ffn_grouped_f16(block + 32), block[34]);
}

static inline void ffn_encode_u4g64(const float *w, unsigned char *block) {
  const double scale = ffn_grouped_put_f16(block + 32, ffn_grouped_scale(w, 64));
  ffn_encode_nibbles(w, 64, scale, block);
  block[34] = 8;
}

/*@ foot */
#endif
/*@ end */
