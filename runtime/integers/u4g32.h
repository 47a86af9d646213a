/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * u4g32: the scale; q - zero. */
#ifndef FFN_DECODERS_INTEGERS_U4G32_H
#define FFN_DECODERS_INTEGERS_U4G32_H

#include "../decoders/grouped.h"
#include "group.h"
/*@ end */

/* Of any type of scale: neighbours are the halves of a byte, the low one first. */
static inline void ffn_integers_nibbles(
    const unsigned char *nibbles, double scale, int zero, ffn_integers *to) {
  ffn_integers_begin(to, scale);
  for (size_t k = 0; k < 32; k++)
    to->q[k] = (nibbles[k / 2] >> (k % 2 == 0 ? 0 : 4) & 15) - zero;
}

static inline void ffn_integers_u4g32(const unsigned char *block, size_t group, ffn_integers *to) {
  (void)group;
  ffn_integers_nibbles(block, ffn_grouped_f16(block + 16), block[18], to);
}

/*@ foot */
#endif
/*@ end */
