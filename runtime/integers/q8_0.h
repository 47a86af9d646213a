/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q8_0: d; q. */
#ifndef FFN_DECODERS_INTEGERS_Q8_0_H
#define FFN_DECODERS_INTEGERS_Q8_0_H

#include "group.h"
/*@ end */

static inline void ffn_integers_q8_0(const unsigned char *block, size_t group, ffn_integers *to) {
  (void)group;
  ffn_integers_begin(to, ffn_decode_half(block));
  for (size_t k = 0; k < 32; k++)
    to->q[k] = ffn_integers_byte(block + 2, k);
}

/*@ foot */
#endif
/*@ end */
