/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q6_K: d; q - 32; each 16 have a factor, their scale. */
#ifndef FFN_DECODERS_INTEGERS_Q6_K_H
#define FFN_DECODERS_INTEGERS_Q6_K_H

#include "group.h"
/*@ end */

static inline void ffn_integers_q6_K(const unsigned char *block, size_t group, ffn_integers *to) {
  const size_t half = group / 4, quarter = group % 4;
  const unsigned char *low = block + 64 * half + quarter % 2 * 32, *top = block + 128 + 32 * half;
  ffn_integers_begin(to, ffn_decode_half(block + 208));
  for (size_t i = 0; i < 2; i++)
    to->factor[i] = ffn_integers_byte(block + 192, 2 * group + i);
  for (size_t k = 0; k < 32; k++)
    to->q[k] = (low[k] >> (quarter < 2 ? 0 : 4) & 15) + (top[k] >> 2 * quarter & 3) * 16 - 32;
}

/*@ foot */
#endif
/*@ end */
