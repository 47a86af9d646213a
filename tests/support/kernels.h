/* Which kernels a test runs, and how much of it. */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

#include "ffn.h"
#include "floats.h"

/* Kernels with many weights belong to large.c; the other files pass them over. */
int test_is_large(const ffn_kernel *kernel);

int test_runs_here(const ffn_kernel *kernel);

/* The first linked kernel of the same layer that runs here: the one to compare bits with. */
const ffn_kernel *test_base(const ffn_kernel *kernel);

/* 1 for the kernel that stands for its layer: itself test_base(), or none of them runs here. */
int test_is_base(const ffn_kernel *kernel);

/* 1 where every activation of the kernel is identity, ReLU or squared ReLU. */
int test_is_exact(const ffn_kernel *kernel);

/* 1 where every stage sums products in f32: of these the plain references of tests tell bits, and
 * ffn_reference() bounds. */
int test_sums_f32(const ffn_kernel *kernel);

/* 1 where the stage takes bytes of which a whole row has one scale: i8 and i8z. What the stage
 * before gives waits as floats. */
int test_takes_whole_rows(const ffn_stage *stage);

/* 1 where the environment says FULL=1: tests try every combination. Otherwise they leave out some
 * of those that are alike, to be quick. */
int test_thorough(void);

/* How far to go on from the i-th: by 1 if thorough; otherwise by 1 up to `all` and by 3 from there.
 */
size_t test_step(size_t i, size_t all);

/* How many tokens that many flop pay for, but at least `least` and at most `most`. Tests
 * that are not thorough have a quarter of it to spend. */
size_t test_tokens(const ffn_kernel *kernel, double flop, size_t least, size_t most);

/* The activation that has the name, or FFN_ACTIVATION_COUNT. */
ffn_activation test_activation_named(const char *name);

/* malloc that ends the program, with a message, where there is no memory. */
void *test_memory(size_t bytes);

/* Fills memory with NaN. Under MemorySanitizer leaves new memory as it is, for it to watch. */
void test_poison(void *memory, size_t bytes);

#endif
