/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * signed_bytes.h - bytes with an f32 scale for an output: the scale; q - zero. */
#ifndef FFN_DECODERS_INTEGERS_SIGNED_BYTES_H
#define FFN_DECODERS_INTEGERS_SIGNED_BYTES_H

#include "../decoders/signed_bytes.h"
#include "group.h"
/*@ end */

/* A block is one weight: it becomes number k of 32. */
static inline void ffn_integers_signed(
    const unsigned char *block, int zero, size_t k, ffn_integers *to) {
  float scale;
  memcpy(&scale, block + 1, sizeof scale);
  ffn_integers_begin(to, scale_in_range((double)scale));
  to->q[k] = ffn_integers_byte(block, 0) - zero;
}

/*@ foot */
#endif
/*@ end */
