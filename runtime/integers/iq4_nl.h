/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * iq4_nl: d; a level. */
#ifndef FFN_DECODERS_INTEGERS_IQ4_NL_H
#define FFN_DECODERS_INTEGERS_IQ4_NL_H

#include "../decoders/iq4_nl.h"
#include "group.h"
/*@ end */

static inline void ffn_integers_iq4_nl(const unsigned char *block, size_t group, ffn_integers *to) {
  (void)group;
  ffn_integers_begin(to, ffn_decode_half(block));
  for (size_t k = 0; k < 32; k++)
    to->q[k] = ffn_decode_level(ffn_integers_half(block + 2, k));
}

/*@ foot */
#endif
/*@ end */
