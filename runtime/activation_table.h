/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * activation_table.h - activations, and exp and its like, as functions over arrays, for each
 * instruction set: what templates/activations.c.tpl makes, and tests and `ffngen plot` measure. */
#ifndef FFN_ACTIVATION_TABLE_H
#define FFN_ACTIVATION_TABLE_H

#include "ffn.h"

typedef struct ffn_test_special {
  double x, y; /* y has the sign that it shall have, zeros too; beta is 1 */
} ffn_test_special;

/* A function of x, up and parameters in double; how far one moves; a kernel's error in 2^-24. */
typedef double ffn_test_derivative(double x, double up, const float *parameters);
typedef double ffn_test_spread(double x, double dx, const float *parameters);
typedef double ffn_test_error(double value, const float *parameters);

typedef struct ffn_test_activation {
  const char *name; /* "exp", "silu", ... */
  ffn_isa isa;
  void (*run)(float *y, const float *x, const float *up, size_t n, const float *parameters);
  double ulp, ulp_from; /* at most `ulp` ULP for x >= ulp_from */
  double least; /* below it, y is NaN */
  /* |y - exact| <= (relative |exact| + absolute |x|) 2^-24 + 2^-149, for all x */
  double relative, absolute;
  size_t parameter_count;
  int both; /* a function of x and up */
  int traced; /* its bounds are those of its graphs, in the reference */
  /* By x, by up, by each parameter; NULL where unknown: the derivatives in double, and of those
   * that are written by hand how far they move for |e| <= dx, and the kernels' error in 2^-24. */
  ffn_test_derivative *const *derivative;
  ffn_test_spread *const *spread;
  ffn_test_error *const *error;
  /* y, and in by[] the derivatives: of x, up where it takes it, parameters from by[2] on. NULL
   * where it is 1 everywhere. */
  void (*gradient)(float *y, float *const *by, const float *x, const float *up, size_t n,
      const float *parameters);
  ffn_test_derivative *const *textbook; /* its definition, and that one's derivative by x */
  const ffn_test_special *specials;
  size_t special_count;
} ffn_test_activation;

/* Where an instruction set is another machine's, the count is 0. */
#define FFN_ISA(NAME, name, rank, allowed) \
  extern const ffn_test_activation ffn_test_activations_##name[]; \
  extern const size_t ffn_test_activation_count_##name;
#include "isas.inc"
#undef FFN_ISA

#endif
