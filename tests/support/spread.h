/* How far a kernel's outputs are from exact ones, typically. */
#ifndef TEST_SPREAD_H
#define TEST_SPREAD_H

#include "model.h"

/* spread[tokens][outputs]: the standard deviation of each output's error where every rounding to
 * nearest errs independently. It is an estimate, from above where it cannot be sharp. */
void test_spread(const test_model *model, double *spread, const float *x, size_t tokens);

#endif
