/* Every activation of the project, and exp, as a function over an array, for each instruction set:
 * what templates/activations.c.tpl makes, and activation.c and exhaustive.c measure. */
#ifndef ACTIVATION_TABLE_H
#define ACTIVATION_TABLE_H

#include "ffn.h"

typedef struct ffn_test_special {
  double x, y; /* y has the sign that it shall have, zeros too; beta is 1 */
} ffn_test_special;

typedef struct ffn_test_activation {
  const char *name; /* "exp", "silu", ... */
  ffn_isa isa;
  void (*run)(float *y, const float *x, size_t n, float beta);
  double ulp, ulp_from; /* at most `ulp` ULP for x >= ulp_from */
  /* |y - exact| <= (relative |exact| + absolute |x|) 2^-24 + 2^-149, for all x */
  double relative, absolute;
  int takes_beta;
  double (*derivative)(double x, double beta);
  /* Bounds |derivative(x + e) - derivative(x)| for |e| <= dx; NULL where no layer needs it. */
  double (*curvature)(double x, double dx, double beta);
  /* y, and the slope within slope_error 2^-24; of one with a parameter turn, its derivative by it,
   * else turn stays as it is. NULL where the slope is 1 everywhere. */
  void (*gradient)(float *y, float *slope, float *turn, const float *x, size_t n, float beta);
  double slope_error;
  /* turn in double, a bound on how far it moves for |e| <= dx, and the kernels' error in 2^-24. */
  double (*turn)(double x, double beta);
  double (*turn_spread)(double x, double dx, double beta);
  double (*turn_error)(double turn, double beta);
  const ffn_test_special *specials;
  size_t special_count;
} ffn_test_activation;

/* Where an instruction set is another machine's, the count is 0. */
#define FFN_ISA(NAME, name, rank, allowed)                                                         \
  extern const ffn_test_activation ffn_test_activations_##name[];                                  \
  extern const size_t ffn_test_activation_count_##name;
#include "isas.inc"
#undef FFN_ISA

#endif
