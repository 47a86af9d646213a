/* What answers of libraries may be off by. None promises the order of its sums, so each is allowed
 * what sums straight through all inputs are off by. */
#ifndef BENCH_ALLOWANCE_H
#define BENCH_ALLOWANCE_H

#include "model.h"

/* The error bound of such sums and of the usual exp, tanh and erf, for each output of one row of
 * the model's layer. It holds for any x and weights. */
void bench_allowance(const test_model *model, double *bound, const float *x);

/* How far such an answer is from the kernel's for random x and weights, as a fraction of the
 * largest value: far less than the bound, and less than any one product. */
double bench_difference_most(const ffn_kernel *kernel);

#endif
