/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * reference.h - the arithmetic of the references: values with what they may be off by. */
#ifndef FFN_REFERENCE_H
#define FFN_REFERENCE_H

#include "exact.h"

#include <math.h>

FFN_EXACT_BEGIN

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

static inline pair activate(const ffn_stage *stage, const float *parameters, pair s, pair up) {
  const double a = ffn_activation_value(stage->activation, s.v, up.v, parameters);
  const double slope = ffn_activation_slope(stage->activation, s.v, s.d, up.v, up.d, parameters);
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

/*@ traced */
/* Traced activations: running error analysis of their graphs. Every operation takes pairs and gives
 * one; what a kernel fuses it rounds less often. */

static inline pair pair_of(double v, double d) {
  const pair p = {v, d};
  return p;
}

/* A result that a kernel rounds once; e is the error that comes in. */
static inline pair pair_rounded(double v, double e) {
  return within_f32(v, e + (fabs(v) + e) * (0x1p-24 + 0x1p-50) + 0x1p-149, 0);
}

static inline pair pair_neg(pair a) { return pair_of(-a.v, a.d); }
static inline pair pair_abs(pair a) { return pair_of(fabs(a.v), a.d); }
static inline pair pair_mul(pair a, pair b) { return multiply(a, b); }

static inline pair pair_add(pair a, pair b) {
  return pair_rounded(a.v + b.v, a.d + b.d + (fabs(a.v) + fabs(b.v)) * 0x1p-52);
}
static inline pair pair_sub(pair a, pair b) { return pair_add(a, pair_neg(b)); }

static inline pair pair_div(pair a, pair b) {
  const double q = a.v / b.v, least = fabs(b.v) - b.d;
  return pair_rounded(q, least > 0 ? (a.d + fabs(q) * b.d) / least : (double)INFINITY);
}

/* How far a value may be from v, the rounding of double included; nothing where it is v itself. An
 * infinite reach is that of a NaN, too. */
static inline double pair_reach(pair a) {
  return a.d == 0 ? 0 : a.d < INFINITY ? a.d + (fabs(a.v) + a.d) * 0x1p-51 : (double)INFINITY;
}

/* As far as between the smallest and the largest that it may be: what is clamped is certain, unless
 * it may be a NaN. */
static inline pair pair_min(pair a, pair b) {
  const double v = b.v < a.v || b.v != b.v ? b.v : a.v;
  const double reach_a = pair_reach(a), reach_b = pair_reach(b);
  if (!(reach_a + reach_b < INFINITY))
    return pair_of(v, (double)INFINITY);
  const double low_a = a.v - reach_a, low_b = b.v - reach_b;
  const double high_a = a.v + reach_a, high_b = b.v + reach_b;
  const double below = v - (low_b < low_a ? low_b : low_a);
  const double above = (high_b < high_a ? high_b : high_a) - v;
  return pair_of(v, above > below ? above : below);
}
static inline pair pair_max(pair a, pair b) { return pair_neg(pair_min(pair_neg(a), pair_neg(b))); }

/* a < b ? p : q. Near the kink a kernel may take the other side. */
static inline pair pair_select(pair a, pair b, pair p, pair q) {
  const int less = a.v < b.v;
  const pair taken = less ? p : q, other = less ? q : p;
  const double unsure = pair_reach(a) + pair_reach(b), far = fabs(taken.v - other.v) + other.d;
  const int both = unsure > 0 && !(fabs(a.v - b.v) > unsure);
  return pair_of(taken.v, both && !(far <= taken.d) ? far : taken.d);
}

static inline double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* A function that rises towards a.v + reach, which may lie below, and which a kernel computes to
 * within `relative` 2^-24 of its value: it moves as far as at the ends of what its argument may be.
 */
static inline pair pair_monotone(double (*f)(double), pair a, double relative, double reach) {
  const double v = f(a.v);
  const double up = f(a.v + reach) - v, down = v - f(a.v - reach), e = up > down ? up : down;
  const double d = e + (fabs(v) + e) * (relative * 0x1p-24 + 0x1p-49) + 0x1p-149;
  const int sure = up >= 0 && down >= 0 && fabs(reach) < INFINITY;
  return within_f32(v, sure ? d : (double)INFINITY, 0);
}

static inline pair pair_rising(double (*f)(double), pair a, double relative) {
  return pair_monotone(f, a, relative, pair_reach(a));
}

static inline pair pair_falling(double (*f)(double), pair a, double relative) {
  return pair_monotone(f, a, relative, -pair_reach(a));
}
/*@ end */

FFN_EXACT_END

#endif
