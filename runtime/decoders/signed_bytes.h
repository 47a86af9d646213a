/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * signed_bytes.h - bytes with an f32 scale for an output: scale (q - zero). */
#ifndef FFN_DECODERS_SIGNED_BYTES_H
#define FFN_DECODERS_SIGNED_BYTES_H

#include "row_scale.h"
#include "small_float.h"
/*@ end */

/* The f32 nearest to the product, which is exact in double. A 0 has no sign; of a scale that is not
 * in range all are NaN. */
static inline double ffn_decode_signed(const unsigned char *block, int zero) {
  const int q = block[0] > 127 ? (int)block[0] - 256 : (int)block[0];
  float scale;
  memcpy(&scale, block + 1, sizeof scale);
  return (double)(float)(scale_in_range((double)scale) * (q - zero) + 0.0);
}

/* The nearest by the inverse of the scale, in f32, ties to even: as PyTorch quantises by channel.
 */
static inline void ffn_encode_signed(float w, float scale, unsigned char *block) {
  const float inverse = scale > 0 ? 1 / scale : 0, x = inverse > 0 ? w * inverse : 0;
  const double q = rint((double)x);
  block[0] = (unsigned char)(q > 127 ? 127 : q < -128 ? 128 : (int)q & 255);
  memcpy(block + 1, &scale, sizeof scale);
}

/*@ foot */
#endif
/*@ end */
