/* What a kernel expects of a host's ffn_parallel, asserted of any. The caller is the test's own
 * thread. */
#ifndef TEST_PARALLEL_H
#define TEST_PARALLEL_H

#include "ffn.h"

/* Every task runs once, no other does, and what they wrote is visible afterwards; for no tasks, one
 * task, as many as there are threads, and more. */
void test_parallel_once(const ffn_parallel *parallel);

/* Some task runs on another thread than the caller's, sooner or later. */
void test_parallel_spread(const ffn_parallel *parallel);

/* The same as test_parallel_once() where every task calls run() again. */
void test_parallel_nested(const ffn_parallel *parallel);

/* The kernel gives the bits that it gives without, for some numbers of tokens. */
void test_parallel_bits(const ffn_kernel *kernel, const ffn_parallel *parallel);

/* So it does in every floating-point mode of the caller's, whatever the mode of its threads. */
void test_parallel_modes(const ffn_kernel *kernel, const ffn_parallel *parallel);

/* So it does on two threads at once, one with each ffn_parallel; they may be the same. */
void test_parallel_callers(const ffn_kernel *kernel, const ffn_parallel *first,
                           const ffn_parallel *second);

#endif
