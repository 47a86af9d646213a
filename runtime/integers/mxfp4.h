/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mxfp4: 2^(e - 128), NaN for e of 255; twice an E2M1. */
#ifndef FFN_DECODERS_INTEGERS_MXFP4_H
#define FFN_DECODERS_INTEGERS_MXFP4_H

#include "group.h"
/*@ end */

static inline void ffn_integers_mxfp4(const unsigned char *block, size_t group, ffn_integers *to) {
  static const signed char twice[] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
  (void)group;
  ffn_integers_begin(to, block[0] == 255 ? (double)NAN : ldexp(1, block[0] - 128));
  for (size_t k = 0; k < 32; k++)
    to->q[k] = twice[ffn_integers_half(block + 1, k)];
}

/*@ foot */
#endif
/*@ end */
