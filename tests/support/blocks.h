/* Blocks of weights as files have them, random. */
#ifndef TEST_BLOCKS_H
#define TEST_BLOCKS_H

#include "ffn.h"

/* Whether weights of a source share a scale: in blocks, or in an array of its own. */
int test_is_blocks(ffn_source source);

/* Whether a kernel has a stage of such weights. */
int test_in_blocks(const ffn_kernel *kernel);

/* Random blocks, whose scales are numbers of both signs, and of a size that suits sums of so many
 * inputs. */
void test_blocks_fill(ffn_source source, unsigned char *blocks, size_t bytes, size_t inputs,
                      uint64_t stream);

/* The same of scales that stand in an array of their own, `count` of them. */
void test_scales_fill(ffn_source source, unsigned char *scales, size_t count, size_t inputs,
                      uint64_t stream);

/* How many outputs share such scales: of floats of 8 bits some, of others each has its own. */
size_t test_scale_rows(ffn_source source);

/* The type of such a scale. */
typedef enum test_scale { TEST_SCALE_F16, TEST_SCALE_BF16, TEST_SCALE_F32 } test_scale;
test_scale test_scale_of(ffn_source source);

#endif
