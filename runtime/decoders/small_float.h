/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * small_float.h - floats of few bits, by their definition. A part of reference.c, which has it from
 * decoders.inc. */
#ifndef FFN_DECODERS_SMALL_FLOAT_H
#define FFN_DECODERS_SMALL_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>
/*@ end */

/* Floats of 16 bits by their definition: sign, exponent, fraction. */
typedef struct small_float {
  int exponent_bits, fraction_bits;
} small_float;

/* The exponent of its last place in numbers that have least or less: of subnormals, and of the
 * first normal ones. */
static int least_place(small_float type) {
  return 2 - (1 << (type.exponent_bits - 1)) - type.fraction_bits;
}

/* The number that has these bits. */
static double number_of(small_float type, unsigned bits) {
  const int fraction = (int)(bits & ((1u << type.fraction_bits) - 1));
  const int all = (1 << type.exponent_bits) - 1, exponent = (int)(bits >> type.fraction_bits) & all;
  const int whole = 1 << type.fraction_bits; /* what a normal number has in front of its fraction */
  double size = fraction ? NAN : INFINITY;
  if (exponent == 0)
    size = ldexp(fraction, least_place(type));
  else if (exponent < all)
    size = ldexp(whole + fraction, least_place(type) + exponent - 1);
  return bits >> 15 & 1 ? -size : size;
}

/* The bits of the number nearest to x, of two that with an even last place; all is exact but for
 * that. A NaN is quiet. */
static uint16_t bits_of_nearest(small_float type, double x) {
  const int whole = 1 << type.fraction_bits, infinite = ((1 << type.exponent_bits) - 1) * whole;
  const int sign = copysign(1, x) < 0 ? 1 << 15 : 0;
  int exponent = 0;
  if (x != x)
    return (uint16_t)(sign | infinite | whole / 2);
  if (fabs(x) >= (double)INFINITY)
    return (uint16_t)(sign | infinite);
  frexp(x, &exponent); /* |x| is at least 2^(exponent - 1), or 0 */
  int place = exponent - 1 - type.fraction_bits;
  place = x == 0 || place < least_place(type) ? least_place(type) : place;
  const double size = ldexp(fabs(x), -place), rest = size - floor(size);
  int last = (int)floor(size);
  if (rest > 0.5 || (rest == 0.5 && last % 2 == 1))
    last += 1;
  /* The first binade of normal numbers has the last place of the subnormal ones; one place more is
   * the next exponent, to which a carry of the fraction goes by itself. */
  const int bits = (place - least_place(type)) * whole + last;
  return (uint16_t)(sign | (bits < infinite ? bits : infinite));
}

/* A scale of f32 or bf16; NaN from 2^121 on, of which 128 would be no f32. */
static inline double scale_in_range(double scale) { return fabs(scale) < 0x1p121 ? scale : NAN; }

/*@ foot */
#endif
/*@ end */
