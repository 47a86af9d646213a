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

/* A scale as each type of scales has it. */
typedef struct test_scale_bits {
  uint32_t f32;
  uint16_t bf16, f16;
  uint8_t e8; /* of mxfp4 */
} test_scale_bits;

/* Makes all scales of blocks, or of an array, those of a list, one after the other from `first` on.
 */
void test_blocks_rescale(ffn_source source, unsigned char *blocks, size_t bytes,
                         const test_scale_bits *list, size_t length, size_t first);
void test_scales_rescale(ffn_source source, unsigned char *scales, size_t count,
                         const test_scale_bits *list, size_t length, size_t first);

/* How many outputs share such scales: of floats of 8 bits some, of others each has its own. */
size_t test_scale_rows(ffn_source source);

/* The type of such a scale. */
typedef enum test_scale { TEST_SCALE_F16, TEST_SCALE_BF16, TEST_SCALE_F32 } test_scale;
test_scale test_scale_of(ffn_source source);

#endif
