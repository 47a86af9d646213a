/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * reference.h - the arithmetic of the references: values with what they may be off by. */
#ifndef FFN_REFERENCE_H
#define FFN_REFERENCE_H

#include "ffn.h"

#include <float.h>
#include <math.h>

/*@ arithmetic */
typedef struct pair {
  double v, d;
} pair;

/* The pair, with an infinite d where |value| + d + more is beyond f32, or a NaN. */
static inline pair within_f32(double v, double d, double more) {
  const pair within = {v, fabs(v) + d + more <= FLT_MAX ? d : (double)INFINITY};
  return within;
}

static inline pair sum(const ffn_stage *stage, const ffn_linear *linear, size_t o, const pair *x) {
  const float *w = linear->weight + o * stage->inputs;
  double s = 0, size = 0, spread = 0;
  for (size_t k = 0; k < stage->inputs; k++) {
    s += x[k].v * w[k];
    size += fabs(x[k].v * w[k]);
    spread += x[k].d * fabs((double)w[k]);
  }
  if (stage->bias) {
    s += linear->bias[o];
    size += fabs((double)linear->bias[o]);
  }
  const double inputs = (double)stage->inputs, n = (double)stage->sum_length * 0x1p-24;
  const double rounding = n < 1 ? n / (1 - n) + (inputs + 2) * 0x1p-53 : INFINITY;
  const double d = spread + rounding * (size + spread) + inputs * 0x1p-149;
  return within_f32(s, d, size + spread); /* partial sums are no larger */
}

static inline pair activate(const ffn_stage *stage, double beta, pair s) {
  const double a = ffn_activation_value(stage->activation, s.v, beta);
  const double slope = ffn_activation_slope(stage->activation, s.v, s.d, beta);
  const double contract =
      stage->act_relative * (fabs(a) + slope) + stage->act_absolute * (fabs(s.v) + s.d);
  const double own = (fabs(a) + fabs(s.v)) * 0x1p-50;
  return within_f32(a, slope + contract * 0x1p-24 + 0x1p-149 + own, 0);
}

static inline pair multiply(pair p, pair q) {
  const double h = p.v * q.v;
  const double e = fabs(p.v) * q.d + fabs(q.v) * p.d + p.d * q.d;
  return within_f32(h, e + (fabs(h) + e) * (0x1p-24 + 0x1p-50) + 0x1p-150, 0);
}
/*@ end */

#endif
