/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q5_1: d; q; m is added. */
#ifndef FFN_DECODERS_INTEGERS_Q5_1_H
#define FFN_DECODERS_INTEGERS_Q5_1_H

#include "q5_0.h"
/*@ end */

static inline void ffn_integers_q5_1(const unsigned char *block, size_t group, ffn_integers *to) {
  (void)group;
  ffn_integers_begin(to, ffn_decode_half(block));
  ffn_integers_add_half(to, block + 2);
  for (size_t k = 0; k < 32; k++)
    to->q[k] = ffn_integers_half(block + 8, k) + ffn_integers_fifth(block + 4, k);
}

/*@ foot */
#endif
/*@ end */
