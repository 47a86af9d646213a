/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * u4g128_bf16: the scale; q - zero. */
#ifndef FFN_DECODERS_INTEGERS_U4G128_BF16_H
#define FFN_DECODERS_INTEGERS_U4G128_BF16_H

#include "grouped.h"
/*@ end */

static inline void ffn_integers_u4g128_bf16(
    const unsigned char *block, size_t group, ffn_integers *to) {
  ffn_integers_nibbles(block + 16 * group, ffn_grouped_bf16(block + 64), block[66], to);
}

/*@ foot */
#endif
/*@ end */
