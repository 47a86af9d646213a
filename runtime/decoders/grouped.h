/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * grouped.h - nibbles with a scale and a zero for a group: scale (q - zero). Scales are in the
 * order of the machine's bytes. */
#ifndef FFN_DECODERS_GROUPED_H
#define FFN_DECODERS_GROUPED_H

#include "small_float.h"
/*@ end */

/* Scales as they are stored; NaN for what is too large. */
static inline double ffn_grouped_f16(const unsigned char *at) {
  const small_float type = {5, 10};
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return scale_in_range(number_of(type, bits));
}

static inline double ffn_grouped_bf16(const unsigned char *at) {
  const small_float type = {8, 7};
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return scale_in_range(number_of(type, bits));
}

static inline double ffn_grouped_f32(const unsigned char *at) {
  float scale;
  memcpy(&scale, at, sizeof scale);
  return scale_in_range((double)scale);
}

/* Stores the nearest, and gives what it means. An f32 of less than 2^-100 is none: 0. */
static inline double ffn_grouped_put_f16(unsigned char *at, float scale) {
  const small_float type = {5, 10};
  const uint16_t bits = bits_of_nearest(type, (double)scale);
  memcpy(at, &bits, sizeof bits);
  return ffn_grouped_f16(at);
}

static inline double ffn_grouped_put_bf16(unsigned char *at, float scale) {
  const small_float type = {8, 7};
  const uint16_t bits = bits_of_nearest(type, (double)scale);
  memcpy(at, &bits, sizeof bits);
  return ffn_grouped_bf16(at);
}

static inline double ffn_grouped_put_f32(unsigned char *at, float scale) {
  const float stored = fabsf(scale) < 0x1p-100f ? 0 : scale;
  memcpy(at, &stored, sizeof stored);
  return ffn_grouped_f32(at);
}

/* The f32 nearest to scale (q - zero): a product of 24 bits and 9 is exact. A 0 has no sign. */
static inline double ffn_decode_nibble(
    const unsigned char *nibbles, size_t k, double scale, unsigned zero) {
  const int q = nibbles[k / 2] >> (k % 2 ? 4 : 0) & 15;
  return (double)(float)(scale * (q - (int)zero) + 0.0);
}

/* The first weight of the largest size is -8 scales; of an Inf or a NaN all are NaN. */
static inline float ffn_grouped_scale(const float *w, size_t count) {
  float most = 0;
  for (size_t k = 0; k < count; k++) {
    if (!isfinite(w[k]))
      return NAN;
    most = fabsf(w[k]) > fabsf(most) ? w[k] : most;
  }
  return most / -8;
}

/* What is nearest by the inverse of the scale, in f32, ties to even. */
static inline void ffn_encode_nibbles(
    const float *w, size_t count, double scale, unsigned char *nibbles) {
  const float inverse = scale != 0 && isfinite(1 / (float)scale) ? 1 / (float)scale : 0;
  for (size_t k = 0; k < count; k++) {
    const float x = scale != scale ? 0 : w[k] * inverse;
    const int q = (int)rint((double)x);
    const int nibble = q > 7 ? 15 : q < -8 ? 0 : q + 8;
    nibbles[k / 2] = (unsigned char)(k % 2 ? nibbles[k / 2] | nibble << 4 : nibble);
  }
}

/*@ foot */
#endif
/*@ end */
