/* Activations by MPFR, to 200 bits: the truth that kernels and reference are measured against. */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include "activation_table.h"

/* All linked activations, whatever the CPU: the i-th, or NULL beyond the last. */
const ffn_test_activation *test_activation(size_t i);

/* 1 where the oracle knows the name. */
int test_oracle_knows(const char *name);

/* The error of y at x, where y stands for name(x): in units of the last place of the exact value,
 * and as a fraction of the contract's bound. x is finite. A y that overflowed counts as 2^128. */
typedef struct test_error {
  double ulp, contract, exact;
} test_error;
test_error test_oracle_error(const ffn_test_activation *activation, float x, float beta, double y);

/* Frees what MPFR keeps for this thread. */
void test_oracle_close(void);

#endif
