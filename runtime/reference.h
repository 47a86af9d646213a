/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * reference.h - the arithmetic of the references: values with what they may be off by. */
#ifndef FFN_REFERENCE_H
#define FFN_REFERENCE_H

#include "exact.h"

#include <math.h>

FFN_EXACT_BEGIN

/*@ arithmetic */
/* Floats become doubles everywhere here: that is what a reference is. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#endif

/* Half of the smallest float, of which -fsingle-precision-constant makes no 0. */
static inline double half_of_least(void) { return (double)0x1p-75f * 0x1p-75f; }

typedef struct pair {
  double v, d;
} pair;

typedef struct pair_place {
  char before;
  pair at;
} pair_place;

/* Whether scratch memory is there, and aligned for double. */
static inline int is_scratch(const void *memory) {
  return memory && (uintptr_t)memory % offsetof(pair_place, at) == 0;
}

/* A pair of a traced activation, by running error analysis of its graph: neither the exact value
 * nor the kernel's is less than `least`. Every operation takes triples and gives one; what a kernel
 * fuses it rounds less often. */
typedef struct triple {
  double v, d, least;
} triple;

/* The pair, with an infinite d where |value| + d + more is beyond f32, or a NaN. */
static inline pair within_f32(double v, double d, double more) {
  const pair within = {v, fabs(v) + d + more <= (double)FLT_MAX ? d : (double)INFINITY};
  return within;
}

/* Relative error of n roundings in f32 and `terms` sums in double. */
static inline double rounding(size_t n, size_t terms) {
  const double g = (double)n * 0x1p-24;
  return g < 1 ? g / (1 - g) + ((double)terms + 2) * 0x1p-53 : (double)INFINITY;
}

/*@ integers */
/* What each input of a group is off by as a byte: the kernel's are within e of x. A byte counts 1 /
 * 127 of the largest; half of that, and what the roundings of the scale, its inverse and a product
 * add; or all of an input, where a kernel may find all below 2^-100 and takes zeros. */
static inline double byte_error(const pair *x, size_t group, double *most, double *e) {
  *most = *e = 0;
  for (size_t k = 0; k < group; k++) {
    *most = fabs(x[k].v) <= *most ? *most : fabs(x[k].v); /* a NaN, too */
    *e = x[k].d <= *e ? *e : x[k].d;
  }
  const double reach = *most + *e, half = reach / 254 * (1 + (double)0x1p-14);
  const double zeros = *most - *e < 0x1p-100 ? fmin(reach, 0x1p-100) : 0;
  return half > zeros ? half : zeros;
}

/* The same of one input whose scale comes with the weights: half of it, or what is beyond 127 of
 * it and clipped, and what the rounding of x / scale adds. */
static inline double clip_error(pair x, double scale) {
  const double reach = fabs(x.v) + x.d, beyond = reach - 127 * scale;
  return (beyond > scale / 2 ? beyond : scale / 2) + reach * (double)0x1p-24;
}

/* A sum of integers: s = sum x w + b, where w = scale q + least. With o = e + c, the errors that
 * come in and of bytes as above, R = |scale q| + |least|, and |x| + o as what a kernel has of an
 * input at most:
 *
 *   ds = sum o |w| + (gamma(sum_length) + (inputs + 2) 2^-53) (sum (|x| + o) R + |b|)
 *        + inputs 2^-149
 *
 * The roundings: a group's scale times its integers, times that of the inputs onto the sum, the sum
 * with the minimum, and the weight's own, which the reference rounds and a kernel does not. It is
 * infinite where scale times integers may overflow, or the sum of 32 inputs, which a minimum of 0
 * would make a NaN. */
static inline pair sum_of_integers(
    const ffn_stage *stage, const ffn_linear *linear, size_t o, const pair *x) {
  ffn_integers w[FFN_MOST_INTEGERS];
  double s = 0, size = 0, spread = 0;
  double c = 0, most = 0, e = 0, sizes = 0; /* of a group */
  const size_t group = ffn_stage_group(stage);
  size_t count;
  for (size_t k = 0; k < stage->inputs; k += 32 * count) {
    count = ffn_linear_integers(stage, linear, o, k, w);
    if (count == 0)
      return within_f32((double)NAN, 0, 0);
    for (size_t g = 0; g < count; g++) {
      const pair *in = x + k + 32 * g;
      const double least = (double)w[g].least;
      if ((k + 32 * g) % group == 0 && !stage->operand_scale)
        c = byte_error(in, group, &most, &e), sizes = 0;
      for (size_t i = 0; i < 32 && k + 32 * g + i < stage->inputs; i++) {
        const double part = (double)w[g].scale * w[g].factor[i / 16] * w[g].q[i];
        const double weight = (double)(float)(part + least); /* exact but for this rounding */
        const double off = stage->operand_scale
                               ? in[i].d + clip_error(in[i], (double)linear->operand_scale)
                               : e + c;
        s += in[i].v * weight;
        size += (fabs(in[i].v) + off) * (fabs(part) + fabs(least));
        spread += off * fabs(weight);
        sizes += fabs(part);
      }
      if (!(127 * sizes <= (double)FLT_MAX && 32 * (most + e + c) <= (double)FLT_MAX))
        size = (double)INFINITY;
    }
  }
  if (stage->bias) {
    const double bias = (double)linear->bias[o];
    s += bias;
    size += fabs(bias);
  }
  const double relative = rounding(stage->sum_length, stage->inputs);
  return within_f32(s, spread + relative * size + (double)stage->inputs * 0x1p-149, size);
}
/*@ end */

static inline pair sum(const ffn_stage *stage, const ffn_linear *linear, size_t o, const pair *x) {
  /*@ integers */
  if (ffn_stage_in_bytes(stage))
    return sum_of_integers(stage, linear, o, x);
  /*@ end */
  enum { PART = 256 }; /* weights are found in whole blocks */
  float weights[PART];
  double s = 0, size = 0, spread = 0;
  for (size_t k = 0; k < stage->inputs; k++) {
    const size_t left = stage->inputs - k;
    if (k % PART == 0)
      ffn_linear_part(stage, linear, o, k, left < PART ? left : (size_t)PART, weights);
    const double weight = (double)weights[k % PART];
    s += x[k].v * weight;
    size += fabs(x[k].v * weight);
    spread += x[k].d * fabs(weight);
  }
  if (stage->bias) {
    const double bias = (double)linear->bias[o];
    s += bias;
    size += fabs(bias);
  }
  const double relative = rounding(stage->sum_length, stage->inputs);
  const double d = spread + relative * (size + spread) + (double)stage->inputs * 0x1p-149;
  return within_f32(s, d, size + spread); /* partial sums are no larger */
}

static inline pair activate(const ffn_stage *stage, const float *parameters, pair s, pair up) {
  const double a = ffn_activation_value(stage->activation, s.v, up.v, parameters);
  const double slope = ffn_activation_slope(stage->activation, s.v, s.d, up.v, up.d, parameters);
  const double contract = (double)stage->act_relative * (fabs(a) + slope) +
                          (double)stage->act_absolute * (fabs(s.v) + s.d);
  const double own = (fabs(a) + fabs(s.v)) * 0x1p-50;
  return within_f32(a, slope + contract * 0x1p-24 + 0x1p-149 + own, 0);
}

static inline pair multiply(pair p, pair q) {
  const double h = p.v * q.v;
  const double e = fabs(p.v) * q.d + fabs(q.v) * p.d + p.d * q.d;
  return within_f32(h, e + (fabs(h) + e) * ((double)0x1p-24 + 0x1p-50) + half_of_least(), 0);
}

/* How far a value may be from v, the rounding of double included; nothing where it is v itself. An
 * infinite reach is that of a NaN, too. */
static inline double triple_reach(triple a) {
  return a.d == 0                 ? 0
         : a.d < (double)INFINITY ? a.d + (fabs(a.v) + a.d) * 0x1p-51
                                  : (double)INFINITY;
}

static inline triple triple_of(double v, double d) {
  triple t = {v, d, 0};
  const double least = v - triple_reach(t);
  t.least = least >= -(double)FLT_MAX ? least : -(double)INFINITY;
  return t;
}

/* The triple, of which more is known: that it is no less. */
static inline triple triple_above(triple a, double least) {
  a.least = fmax(a.least, least);
  return a;
}

/* What is no less than v is no less than this where a kernel computes it to within `relative` 2^-24
 * of its value: a result that is not negative is never rounded to one that is. */
static inline double triple_floor(double v, double relative) {
  const double low = v - fabs(v) * (relative * 0x1p-24 + 0x1p-49) - 0x1p-149;
  return v >= 0 && !(low > 0) ? 0 : low;
}

/* A result that a kernel rounds once; e is the error that comes in. */
static inline triple triple_rounded(double v, double e) {
  const pair p = within_f32(v, e + (fabs(v) + e) * ((double)0x1p-24 + 0x1p-50) + 0x1p-149, 0);
  return triple_of(p.v, p.d);
}

static inline triple triple_neg(triple a) { return triple_of(-a.v, a.d); }

static inline triple triple_abs(triple a) {
  return triple_above(triple_of(fabs(a.v), a.d), fmax(a.least, 0));
}

static inline triple triple_mul(triple a, triple b) {
  const double e = fabs(a.v) * b.d + fabs(b.v) * a.d + a.d * b.d;
  const triple product = triple_rounded(a.v * b.v, e);
  const int positive = a.least >= 0 && b.least >= 0;
  return positive ? triple_above(product, triple_floor(a.least * b.least, 1)) : product;
}

static inline triple triple_add(triple a, triple b) {
  const triple sum = triple_rounded(a.v + b.v, a.d + b.d + (fabs(a.v) + fabs(b.v)) * 0x1p-52);
  return triple_above(sum, triple_floor(a.least + b.least, 1));
}
static inline triple triple_sub(triple a, triple b) { return triple_add(a, triple_neg(b)); }

/* A pole within the error has no bound, unless the divisor is known to stay away from it. */
static inline triple triple_div(triple a, triple b) {
  const double q = a.v / b.v, least = fmax(fabs(b.v) - b.d, b.least);
  const triple quotient =
      triple_rounded(q, least > 0 ? (a.d + fabs(q) * b.d) / least : (double)INFINITY);
  return a.least >= 0 && b.least >= 0 ? triple_above(quotient, 0) : quotient;
}

/* As far as between the smallest and the largest that it may be: what is clamped is certain, unless
 * it may be a NaN. */
static inline triple triple_min(triple a, triple b) {
  const double v = b.v < a.v || b.v != b.v ? b.v : a.v;
  const double reach_a = triple_reach(a), reach_b = triple_reach(b);
  if (!(reach_a + reach_b < (double)INFINITY))
    return triple_of(v, (double)INFINITY);
  const double low_a = a.v - reach_a, low_b = b.v - reach_b;
  const double high_a = a.v + reach_a, high_b = b.v + reach_b;
  const double below = v - (low_b < low_a ? low_b : low_a);
  const double above = (high_b < high_a ? high_b : high_a) - v;
  return triple_above(triple_of(v, above > below ? above : below), fmin(a.least, b.least));
}
static inline triple triple_max(triple a, triple b) {
  const triple most = triple_neg(triple_min(triple_neg(a), triple_neg(b)));
  return triple_above(most, fmax(a.least, b.least));
}

/* a < b ? p : q. Near the kink a kernel may take the other side. */
static inline triple triple_select(triple a, triple b, triple p, triple q) {
  const int less = a.v < b.v;
  const triple taken = less ? p : q, other = less ? q : p;
  const double unsure = triple_reach(a) + triple_reach(b), far = fabs(taken.v - other.v) + other.d;
  const int both = unsure > 0 && !(fabs(a.v - b.v) > unsure);
  const triple either = triple_of(taken.v, both && !(far <= taken.d) ? far : taken.d);
  return triple_above(either, fmin(p.least, q.least));
}

static inline double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* A function of a monotone graph whose value lies from `low` to `high`, and is no less than `least`
 * anywhere; a kernel computes it to within `relative` 2^-24 of its value. */
static inline triple triple_between(
    double low, double v, double high, triple a, double relative, double least) {
  const double up = high - v, down = v - low, e = up > down ? up : down;
  const double d = e + (fabs(v) + e) * (relative * 0x1p-24 + 0x1p-49) + 0x1p-149;
  const int sure = up >= 0 && down >= 0 && triple_reach(a) < (double)INFINITY;
  const pair p = within_f32(v, sure ? d : (double)INFINITY, 0);
  return triple_above(triple_of(p.v, p.d), triple_floor(least, relative));
}

/* The least that an argument may be. Where a root begins, it goes no further. */
static inline double triple_low(triple a) {
  return fmin(a.v, fmax(a.v - triple_reach(a), a.least));
}

static inline triple triple_rising(double (*f)(double), triple a, double relative) {
  const double low = f(triple_low(a)), high = f(a.v + triple_reach(a));
  return triple_between(low, f(a.v), high, a, relative, f(a.least));
}

static inline triple triple_falling(double (*f)(double), triple a, double relative) {
  const double low = f(a.v + triple_reach(a)), high = f(triple_low(a));
  return triple_between(low, f(a.v), high, a, relative, f((double)INFINITY));
}
/*@ end */

FFN_EXACT_END

#endif
