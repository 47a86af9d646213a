/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * half.h - scales of blocks, which are f16 in little-endian order at any address. What stands here
 * and beside it shares nothing with kernels; it wants floats as exact.h does. */
#ifndef FFN_DECODERS_HALF_H
#define FFN_DECODERS_HALF_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
/*@ end */

/* An f16 by its definition; NaN for an Inf, too, so that a scale that is not finite makes weights
 * NaN, whatever it is multiplied with. Exact: 11 bits. */
static inline double ffn_decode_half(const unsigned char *at) {
  const unsigned bits = at[0] | (unsigned)at[1] << 8;
  const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
  /* In last places of subnormals, 2^-24. */
  const uint64_t size = exponent ? (uint64_t)(1024 + fraction) << (exponent - 1) : fraction;
  if (exponent == 31)
    return (double)NAN;
  return (bits & 0x8000 ? -0x1p-24 : 0x1p-24) * (double)size;
}

/* The f32 nearest to a product that is exact, whose 0 has no sign. */
static inline double ffn_decode_product(double exact) { return (double)(float)(exact + 0.0); }

/* The f32 nearest to a sum that is exact; 0 has the sign that IEEE gives it. */
static inline double ffn_decode_sum(double exact) { return (double)(float)exact; }

/*@ encoder */
/* The f16 nearest to x, ties to even: Inf from 65520 on; a NaN is 0x7e00. */
static inline void ffn_encode_half(unsigned char *to, float x) {
  const double size = fabs((double)x);
  unsigned bits = 0x7c00;
  if (size < 65536) {
    unsigned doublings = 0;
    double place = 0x1p-24; /* the last one of an f16 of this size */
    while (size >= 2048 * place)
      place *= 2, doublings++;
    const double places = size / place; /* exact, below 2048 */
    const unsigned whole = (unsigned)places;
    const double rest = places - whole;
    /* A carry goes into the exponent, and from the largest one to Inf. */
    bits = (doublings << 10) + whole + (rest > 0.5 || (rest == 0.5 && whole % 2 == 1));
  }
  bits = isnan(x) ? 0x7e00 : bits | (signbit(x) ? 0x8000 : 0);
  to[0] = (unsigned char)(bits & 255);
  to[1] = (unsigned char)(bits >> 8);
}

/* Whether a block of weights has an Inf or a NaN: it is encoded as NaN. */
static inline int ffn_encode_any_not_finite(const float *w, size_t count) {
  int found = 0;
  for (size_t k = 0; k < count; k++)
    found |= !isfinite(w[k]);
  return found;
}

/* 1 / d; 0 where that is none or Inf: such a d is 0 as an f16. */
static inline float ffn_encode_inverse(float d) {
  const float inverse = d != 0 ? 1 / d : 0;
  return isfinite(inverse) ? inverse : 0;
}
/*@ end */

/*@ foot */
#endif
/*@ end */
