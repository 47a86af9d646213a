/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * grouped.h - nibbles with a scale and a zero for a group, of 32 weights or more: the scale;
 * q - zero. */
#ifndef FFN_DECODERS_INTEGERS_GROUPED_H
#define FFN_DECODERS_INTEGERS_GROUPED_H

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

/*@ foot */
#endif
/*@ end */
