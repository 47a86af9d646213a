/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q5_0: d; q - 16. */
#ifndef FFN_DECODERS_INTEGERS_Q5_0_H
#define FFN_DECODERS_INTEGERS_Q5_0_H

#include "group.h"
/*@ end */

/* The fifth bit of weight k, of a u32 in little-endian order. */
static inline int ffn_integers_fifth(const unsigned char *bytes, size_t k) {
  return (bytes[k / 8] >> k % 8 & 1) * 16;
}

static inline void ffn_integers_q5_0(const unsigned char *block, size_t group, ffn_integers *to) {
  (void)group;
  ffn_integers_begin(to, ffn_decode_half(block));
  for (size_t k = 0; k < 32; k++)
    to->q[k] = ffn_integers_half(block + 6, k) + ffn_integers_fifth(block + 2, k) - 16;
}

/*@ foot */
#endif
/*@ end */
