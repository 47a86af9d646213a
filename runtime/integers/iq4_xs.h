/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * iq4_xs: d times the scale of 32, less 32, exact in 17 bits; a level. */
#ifndef FFN_DECODERS_INTEGERS_IQ4_XS_H
#define FFN_DECODERS_INTEGERS_IQ4_XS_H

#include "../decoders/iq4_nl.h"
#include "group.h"
/*@ end */

static inline void ffn_integers_iq4_xs(const unsigned char *block, size_t group, ffn_integers *to) {
  const int low = block[4 + group / 2] >> (group % 2 == 0 ? 0 : 4) & 15;
  const int top = (block[2] | block[3] << 8) >> 2 * group & 3;
  ffn_integers_begin(to, ffn_decode_half(block) * (low + 16 * top - 32));
  for (size_t k = 0; k < 32; k++)
    to->q[k] = ffn_decode_level(ffn_integers_half(block + 8 + 16 * group, k));
}

/*@ foot */
#endif
/*@ end */
