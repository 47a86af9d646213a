/* Blocks of weights as files have them, random. */
#ifndef TEST_BLOCKS_H
#define TEST_BLOCKS_H

#include "ffn.h"

/* Whether a source has blocks of several weights, which share a scale. */
int test_is_blocks(ffn_source source);

/* Whether a kernel has a stage of such weights. */
int test_in_blocks(const ffn_kernel *kernel);

/* Random blocks, whose scales are numbers of both signs, and of a size that suits sums of so many
 * inputs. */
void test_blocks_fill(ffn_source source, unsigned char *blocks, size_t bytes, size_t inputs,
                      uint64_t stream);

#endif
