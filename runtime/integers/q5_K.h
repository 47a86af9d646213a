/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q5_K: as q4_K, with a fifth bit: bit g of byte k is that of weight k of group g. */
#ifndef FFN_DECODERS_INTEGERS_Q5_K_H
#define FFN_DECODERS_INTEGERS_Q5_K_H

#include "q4_K.h"
/*@ end */

static inline void ffn_integers_q5_K(const unsigned char *block, size_t group, ffn_integers *to) {
  ffn_integers_begin_K(to, block, group);
  for (size_t k = 0; k < 32; k++)
    to->q[k] = ffn_integers_low_K(block + 48, group, k) + (block[16 + k] >> group & 1) * 16;
}

/*@ foot */
#endif
/*@ end */
