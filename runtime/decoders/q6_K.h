/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q6_K of GGUF: 210 bytes for 256 weights, d scale (q - 32). 128 bytes of low halves, 64 of top
 * bits, 16 scales of 16 weights each, signed; f16 d. Of 128 weights the first 64 are the low halves
 * of 64 bytes, the others the high ones; the top bits of weight 32 t + l are bits 2 t and 2 t + 1
 * of byte l of 32. */
#ifndef FFN_DECODERS_Q6_K_H
#define FFN_DECODERS_Q6_K_H

#include "half.h"

#include <string.h>
/*@ end */

/* Exact: 11 bits by 8 by 6, at most 2^28, a whole number of 2^-24. */
static inline double ffn_decode_q6_K(const unsigned char *block, size_t k) {
  const size_t part = k / 128, t = k % 128 / 32;
  const int low = block[64 * part + k % 64] >> (t < 2 ? 0 : 4) & 15;
  const int high = block[128 + 32 * part + k % 32] >> 2 * t & 3;
  const int byte = block[192 + k / 16], scale = byte > 127 ? byte - 256 : byte;
  return ffn_decode_product(ffn_decode_half(block + 208) * (scale * (low + 16 * high - 32)));
}

/*@ encoder */
/* The nearest of the whole numbers from -count to count - 1, halves up, to so many steps; by the
 * inverse of a step, in f32. */
static inline int ffn_encode_whole(float size, float step, int count) {
  const float steps = size * ffn_encode_inverse(step);
  /* The sum of floats is a float, whatever compilers make of products in sums. */
  const double half = (double)count + 0.5;
  const float shifted = (float)((double)steps + half);
  const int above = shifted < 1                        ? 0
                    : shifted < (float)(2 * count - 1) ? (int)shifted
                                                       : 2 * count - 1;
  return above - count;
}

/* The sum of the squares of the errors of 16 weights, each rounded to f32 so that its square is
 * exact: the sum is the same whatever is fused. */
static inline double ffn_encode_error_of_16(const float *w, float scale) {
  double sum = 0;
  for (size_t k = 0; k < 16; k++) {
    const double held = (double)scale * ffn_encode_whole(w[k], scale, 32);
    const double error = (double)(float)((double)w[k] - held);
    sum += error * error;
  }
  return sum;
}

/* A search of our own, whose every number is told here. The scale of 16 weights that makes -32 of
 * the largest is s d; s and the 8 whole numbers on both sides are tried, s first and the others
 * upwards, and the first with the least error is taken. The largest s is -128 where d is exact. A
 * weight that is not finite makes all of the block NaN, with all else 0; so does a d that f16 has
 * no room for, which is stored as Inf. */
static inline void ffn_encode_q6_K(const float *w, unsigned char *block) {
  const int finite = !ffn_encode_any_not_finite(w, 256);
  float largest[16], all = 0;
  for (size_t n = 0; finite && n < 16; n++) {
    largest[n] = 0;
    for (size_t k = 16 * n; k < 16 * n + 16; k++)
      largest[n] = fabsf(w[k]) > fabsf(largest[n]) ? w[k] : largest[n];
    all = fabsf(largest[n]) > fabsf(all) ? largest[n] : all;
  }
  memset(block, 0, 210);
  ffn_encode_half(block + 208, finite ? all / 4096 : NAN);
  const double exact = finite ? ffn_decode_half(block + 208) : 0;
  if (exact != exact || exact == 0)
    return;
  const float d = (float)exact;
  for (size_t n = 0; n < 16; n++) {
    const int middle = ffn_encode_whole(largest[n] / -32, d, 128);
    int scale = middle;
    double least = ffn_encode_error_of_16(w + 16 * n, d * (float)middle);
    for (int s = middle - 8; s <= middle + 8; s++) {
      const int there = s >= -128 && s <= 127;
      const double error = there ? ffn_encode_error_of_16(w + 16 * n, d * (float)s) : least;
      if (error < least)
        least = error, scale = s;
    }
    block[192 + n] = (unsigned char)(scale < 0 ? scale + 256 : scale);
    for (size_t k = 16 * n; k < 16 * n + 16; k++) {
      const unsigned q = (unsigned)(ffn_encode_whole(w[k], d * (float)scale, 32) + 32);
      const size_t part = k / 128, t = k % 128 / 32;
      block[64 * part + k % 64] |= (unsigned char)((q & 15) << (t < 2 ? 0 : 4));
      block[128 + 32 * part + k % 32] |= (unsigned char)(q >> 4 << 2 * t);
    }
  }
}
/*@ end */

/*@ foot */
#endif
/*@ end */
