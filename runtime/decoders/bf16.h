/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * bf16.h - bfloat16, and back: the nearest, ties to even. A part of reference.c, which has it from
 * decoders.inc. */
#ifndef FFN_DECODERS_BF16_H
#define FFN_DECODERS_BF16_H

#include "small_float.h"
/*@ end */

static const small_float bf16_type = {8, 7};

static double ffn_decode_bf16(const unsigned char *block, size_t k) {
  uint16_t bits;
  (void)k;
  memcpy(&bits, block, sizeof bits);
  return number_of(bf16_type, bits);
}

static void ffn_encode_bf16(const float *w, unsigned char *block) {
  const uint16_t bits = bits_of_nearest(bf16_type, *w);
  memcpy(block, &bits, sizeof bits);
}

/*@ foot */
#endif
/*@ end */
