/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * q4_K of GGUF: 144 bytes for 256 weights, d scale q - dmin min. f16 d, f16 dmin; 12 bytes of
 * scales and minima of 32 weights each; 128 bytes: of 64 weights the first 32 are the low halves of
 * 32 bytes, the others the high ones. */
#ifndef FFN_DECODERS_Q4_K_H
#define FFN_DECODERS_Q4_K_H

#include "half.h"

#include <string.h>
/*@ end */

/* Scale and minimum of sub-block j, 6 bits each. Those of the first four are the low bits of bytes
 * j and 4 + j; those of the others are a half of byte 4 + j, and above it the top bits of the bytes
 * of sub-block j - 4. */
static inline void ffn_decode_six_bits(
    const unsigned char *bytes, size_t j, int *scale, int *minimum) {
  if (j < 4) {
    *scale = bytes[j] & 63;
    *minimum = bytes[4 + j] & 63;
  } else {
    *scale = (bytes[4 + j] & 15) | bytes[j - 4] >> 6 << 4;
    *minimum = bytes[4 + j] >> 4 | bytes[j] >> 6 << 4;
  }
}

/* Of q4_K and q5_K, with their q. Exact: products below 2^27 and 2^22, whole numbers of 2^-24. */
static inline double ffn_decode_with_minimum(const unsigned char *block, size_t k, int q) {
  int scale, minimum;
  ffn_decode_six_bits(block + 4, k / 32, &scale, &minimum);
  return ffn_decode_sum(
      ffn_decode_half(block) * (scale * q) - ffn_decode_half(block + 2) * minimum);
}

static inline double ffn_decode_q4_K(const unsigned char *block, size_t k) {
  const int q = block[16 + k / 64 * 32 + k % 32] >> (k % 64 < 32 ? 0 : 4) & 15;
  return ffn_decode_with_minimum(block, k, q);
}

/*@ encoder */
/* The nearest whole number of steps, halves up, at most `most`; by the inverse of a step, in f32.
 */
static inline int ffn_encode_steps(float size, float step, int most) {
  const float steps = size * ffn_encode_inverse(step);
  /* The sum of floats is a float, whatever compilers make of products in sums. */
  const float shifted = (float)((double)steps + 0.5);
  return shifted < 1 ? 0 : shifted < (float)most ? (int)shifted : most;
}

/* The sum of the squares of the errors of 32 weights, each rounded to f32 so that its square is
 * exact: the sum is the same whatever is fused. */
static inline double ffn_encode_error(const float *w, float scale, float least) {
  double sum = 0;
  for (size_t k = 0; k < 32; k++) {
    const double held = (double)scale * ffn_encode_steps(w[k] + least, scale, 15) - (double)least;
    const double error = (double)(float)((double)w[k] - held);
    sum += error * error;
  }
  return sum;
}

/* Makes q of 32 weights least in error: of scales and minima around those that reach from the least
 * weight, or 0, to the largest, the first. */
static inline void ffn_encode_with_minimum(
    const float *w, float d, float dmin, const float *reach, unsigned char *block, size_t j) {
  const int scale_at = ffn_encode_steps(reach[0], d, 63),
            least_at = ffn_encode_steps(reach[1], dmin, 63);
  unsigned char *bytes = block + 4, *q = block + 16 + j / 2 * 32;
  int scale = 0, minimum = 0;
  double least = (double)INFINITY;
  for (int s = scale_at - 4; s <= scale_at + 1; s++)
    for (int m = least_at - 3; m <= least_at + 1; m++) {
      const int there = s >= 0 && s <= 63 && m >= 0 && m <= 63;
      const double error = there ? ffn_encode_error(w, d * (float)s, dmin * (float)m) : least;
      if (error < least)
        least = error, scale = s, minimum = m;
    }
  if (j < 4) {
    bytes[j] |= (unsigned char)scale, bytes[4 + j] |= (unsigned char)minimum;
  } else {
    bytes[4 + j] = (unsigned char)((scale & 15) | (minimum & 15) << 4);
    bytes[j - 4] |= (unsigned char)(scale >> 4 << 6),
        bytes[j] |= (unsigned char)(minimum >> 4 << 6);
  }
  for (size_t k = 0; k < 32; k++)
    q[k] |= (unsigned char)(ffn_encode_steps(w[k] + dmin * (float)minimum, d * (float)scale, 15)
                            << (j % 2 ? 4 : 0));
}

/* A search of our own, whose every number is told here. 63 d is the largest scale that 32 weights
 * reach with, 63 dmin the largest minimum. A weight that is not finite makes all of the block NaN,
 * with all else 0; so does a d or dmin that f16 has no room for, which is stored as Inf. */
static inline void ffn_encode_q4_K(const float *w, unsigned char *block) {
  const int finite = !ffn_encode_any_not_finite(w, 256);
  float reach[8][2], most[2] = {0, 0};
  for (size_t j = 0; finite && j < 8; j++) {
    float low = 0, high = w[32 * j];
    for (size_t k = 32 * j; k < 32 * j + 32; k++) {
      low = w[k] < low ? w[k] : low;
      high = w[k] > high ? w[k] : high;
    }
    reach[j][0] = (float)(((double)high - (double)low) / 15), reach[j][1] = 0 - low;
    for (size_t i = 0; i < 2; i++)
      most[i] = reach[j][i] > most[i] ? reach[j][i] : most[i];
  }
  memset(block, 0, 144);
  ffn_encode_half(block, finite ? most[0] / 63 : NAN);
  if (!finite)
    return;
  ffn_encode_half(block + 2, most[1] / 63);
  const double d = ffn_decode_half(block), dmin = ffn_decode_half(block + 2);
  if (d != d || dmin != dmin)
    return;
  for (size_t j = 0; j < 8; j++)
    ffn_encode_with_minimum(w + 32 * j, (float)d, (float)dmin, reach[j], block, j);
}
/*@ end */

/*@ foot */
#endif
/*@ end */
