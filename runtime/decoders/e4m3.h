/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * e4m3.h - floats of 8 bits with an f32 scale: scale q. E4M3 without infinities (E4M3FN): a sign, 4
 * bits of exponent, 3 of fraction; NaN where all of these are set, at most 448. */
#ifndef FFN_DECODERS_E4M3_H
#define FFN_DECODERS_E4M3_H

#include "row_scale.h"

#include <string.h>
/*@ end */

static inline double ffn_e4m3_number(unsigned char byte) {
  const int exponent = byte >> 3 & 15, fraction = byte & 7;
  /* In places of 2^-9, the last one of subnormals. */
  const double size = exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
  return (byte & 127) == 127 ? (double)NAN : byte & 128 ? -size : size;
}

/* The f32 nearest to the product, which is exact in double. A 0 has no sign; of a scale that is not
 * finite all are NaN, as they are from 2^120 on, of which 256 would be no f32. */
static inline double ffn_e4m3_weight(const unsigned char *block) {
  float scale;
  memcpy(&scale, block + 1, sizeof scale);
  const double exact = fabsf(scale) < 0x1p120f ? (double)scale : (double)NAN;
  return (double)(float)(exact * ffn_e4m3_number(block[0]) + 0.0);
}

/* The nearest by the inverse of the scale, in f32, ties to even. */
static inline void ffn_e4m3_encode(float w, float scale, unsigned char *block) {
  const float inverse = scale > 0 ? 1 / scale : 0, x = inverse > 0 ? w * inverse : 0;
  int exponent = 0;
  frexp((double)x, &exponent); /* |x| is at least 2^(exponent - 1), or 0 */
  const int place = x == 0 || exponent < -5 ? -9 : exponent - 4;
  /* One place more is the next exponent, to which a carry of the fraction goes by itself. */
  const int size = (place + 9) * 8 + (int)rint(ldexp(fabs((double)x), -place));
  block[0] = (unsigned char)((x < 0 ? 128 : 0) | (size < 126 ? size : 126));
  memcpy(block + 1, &scale, sizeof scale);
}

/*@ foot */
#endif
/*@ end */
