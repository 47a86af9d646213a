/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * i8: the scale; q, one weight of 32. */
#ifndef FFN_DECODERS_INTEGERS_I8_H
#define FFN_DECODERS_INTEGERS_I8_H

#include "signed_bytes.h"
/*@ end */

static inline void ffn_integers_i8(const unsigned char *block, size_t k, ffn_integers *to) {
  ffn_integers_signed(block, 0, k, to);
}

/*@ foot */
#endif
/*@ end */
