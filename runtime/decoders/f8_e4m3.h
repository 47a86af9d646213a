/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * f8_e4m3: a float of 8 bits, behind it the f32 scale of 128 inputs. */
#ifndef FFN_DECODERS_F8_E4M3_H
#define FFN_DECODERS_F8_E4M3_H

#include "e4m3.h"
/*@ end */

static inline double ffn_decode_f8_e4m3(const unsigned char *block, size_t k) {
  (void)k;
  return ffn_e4m3_weight(block);
}

static inline float ffn_row_f8_e4m3(const float *w, size_t count) {
  return ffn_row_scale(w, count, 448);
}

static inline void ffn_encode_f8_e4m3(const float *w, float scale, unsigned char *block) {
  ffn_e4m3_encode(*w, scale, block);
}

/*@ foot */
#endif
/*@ end */
