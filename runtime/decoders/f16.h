/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * f16.h - IEEE 754 half precision, and back: the nearest, ties to even. A part of reference.c,
 * which has it from decoders.inc. */
#ifndef FFN_DECODERS_F16_H
#define FFN_DECODERS_F16_H

#include "small_float.h"
/*@ end */

static const small_float f16_type = {5, 10};

static double ffn_decode_f16(const unsigned char *block, size_t k) {
  uint16_t bits;
  (void)k;
  memcpy(&bits, block, sizeof bits);
  return number_of(f16_type, bits);
}

static void ffn_encode_f16(const float *w, unsigned char *block) {
  const uint16_t bits = bits_of_nearest(f16_type, *w);
  memcpy(block, &bits, sizeof bits);
}

/*@ foot */
#endif
/*@ end */
