/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * i8z: the scale; q - zero, one weight of 32. */
#ifndef FFN_DECODERS_INTEGERS_I8Z_H
#define FFN_DECODERS_INTEGERS_I8Z_H

#include "signed_bytes.h"
/*@ end */

static inline void ffn_integers_i8z(const unsigned char *block, size_t k, ffn_integers *to) {
  ffn_integers_signed(block, (signed char)block[5], k, to);
}

/*@ foot */
#endif
/*@ end */
