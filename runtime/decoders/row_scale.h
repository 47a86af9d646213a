/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * row_scale.h - the f32 scale of floats that become fewer bits. */
#ifndef FFN_DECODERS_ROW_SCALE_H
#define FFN_DECODERS_ROW_SCALE_H

#include <math.h>
#include <stddef.h>
/*@ end */

/* `most` is the largest size that is stored. A scale below 2^-100 is none; of an Inf or a NaN all
 * are NaN. */
static inline float ffn_row_scale(const float *w, size_t count, float most) {
  float size = 0;
  for (size_t k = 0; k < count; k++) {
    if (!isfinite(w[k]))
      return NAN;
    size = fabsf(w[k]) > size ? fabsf(w[k]) : size;
  }
  return size / most >= 0x1p-100f ? size / most : 0;
}

/*@ foot */
#endif
/*@ end */
