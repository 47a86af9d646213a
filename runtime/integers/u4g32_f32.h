/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * u4g32_f32: the scale; q - zero. */
#ifndef FFN_DECODERS_INTEGERS_U4G32_F32_H
#define FFN_DECODERS_INTEGERS_U4G32_F32_H

#include "grouped.h"
/*@ end */

static inline void ffn_integers_u4g32_f32(
    const unsigned char *block, size_t group, ffn_integers *to) {
  (void)group;
  ffn_integers_nibbles(block, ffn_grouped_f32(block + 16), block[20], to);
}

/*@ foot */
#endif
/*@ end */
