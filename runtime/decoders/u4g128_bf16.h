/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * u4g128_bf16: nibbles, low first, in groups of 128; behind these the scale in bf16, and the zero.
 */
#ifndef FFN_DECODERS_U4G128_BF16_H
#define FFN_DECODERS_U4G128_BF16_H

#include "grouped.h"
/*@ end */

static inline double ffn_decode_u4g128_bf16(const unsigned char *block, size_t k) {
  return ffn_decode_nibble(block, k, ffn_grouped_bf16(block + 64), block[66]);
}

static inline void ffn_encode_u4g128_bf16(const float *w, unsigned char *block) {
  const double scale = ffn_grouped_put_bf16(block + 64, ffn_grouped_scale(w, 128));
  ffn_encode_nibbles(w, 128, scale, block);
  block[66] = 8;
}

/*@ foot */
#endif
/*@ end */
