#include "blocks.h"
#include "rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the scales of a block stand: f16, unless it is a power of two in a byte. Weights are up to
 * 2^bits scales. */
typedef struct scales_at {
  const char *format;
  size_t count, at[2];
  int bits;
} scales_at;

static const scales_at all[] = {
    {"q8_0", 1, {0}, 7},    {"q4_0", 1, {0}, 3},    {"q4_1", 2, {0, 2}, 4},  {"q5_0", 1, {0}, 4},
    {"q5_1", 2, {0, 2}, 5}, {"q4_K", 2, {0, 2}, 9}, {"q5_K", 2, {0, 2}, 10}, {"q6_K", 1, {208}, 11},
    {"iq4_nl", 1, {0}, 7},  {"iq4_xs", 1, {0}, 11},
};

static int is_f8(ffn_source source) {
  return strncmp(ffn_format_name((ffn_format)source), "f8", 2) == 0;
}

int test_is_blocks(ffn_source source) {
  const ffn_block_size block = ffn_source_block(source);
  return block.inputs > 1 || block.scale > 0;
}

int test_in_blocks(const ffn_kernel *kernel) {
  int found = 0;
  for (size_t s = 0; s < kernel->stage_count; s++)
    found |= test_is_blocks(kernel->stages[s].source);
  return found;
}

void test_blocks_fill(ffn_source source, unsigned char *blocks, size_t bytes, size_t inputs,
                      uint64_t stream) {
  const ffn_block_size block = ffn_source_block(source);
  const char *name = ffn_format_name((ffn_format)source);
  const int size = -(int)lround(log2((double)inputs) / 2);
  for (size_t i = 0; i < bytes; i++)
    blocks[i] = (unsigned char)test_below(stream, i, 256);
  for (size_t i = 0; is_f8(source) && i < bytes; i++)
    blocks[i] ^= (blocks[i] & 0x7f) == 0x7f; /* no NaN */
  if (block.scale > 0)
    return;
  for (size_t b = 0; b < bytes / block.bytes; b++, blocks += block.bytes) {
    size_t known = strcmp(name, "mxfp4") == 0;
    if (known)
      blocks[0] = (unsigned char)(127 + size - 2 + (int)test_below(stream ^ 0x51, b, 3));
    for (size_t f = 0; f < sizeof all / sizeof *all; f++)
      for (size_t i = 0; i < all[f].count && strcmp(name, all[f].format) == 0; i++, known++) {
        /* An exponent of f16 is 15 more than that of its value. */
        const size_t n = 2 * b + i;
        const uint64_t exponent =
            (uint64_t)(15 + size - all[f].bits) + test_below(stream ^ 1, n, 3);
        const uint64_t half = test_below(stream ^ 0x52, n, 2) << 15 |
                              (exponent > 30 ? 0 : exponent) << 10 |
                              test_below(stream ^ 0x53, n, 1024);
        blocks[all[f].at[i]] = (unsigned char)(half & 255);
        blocks[all[f].at[i] + 1] = (unsigned char)(half >> 8);
      }
    if (!known)
      abort(); /* it has scales that are not known here */
  }
}

void test_blocks_rescale(ffn_source source, unsigned char *blocks, size_t bytes,
                         const test_scale_bits *list, size_t length, size_t first) {
  const ffn_block_size block = ffn_source_block(source);
  const char *name = ffn_format_name((ffn_format)source);
  for (size_t b = 0, n = first; block.scale == 0 && b < bytes / block.bytes; b++) {
    unsigned char *at = blocks + b * block.bytes;
    if (strcmp(name, "mxfp4") == 0)
      at[0] = list[n++ % length].e8;
    for (size_t f = 0; f < sizeof all / sizeof *all; f++)
      for (size_t i = 0; i < all[f].count && strcmp(name, all[f].format) == 0; i++)
        memcpy(at + all[f].at[i], &list[n++ % length].f16, sizeof list->f16);
  }
}

void test_scales_rescale(ffn_source source, unsigned char *scales, size_t count,
                         const test_scale_bits *list, size_t length, size_t first) {
  const test_scale type = test_scale_of(source);
  for (size_t i = 0; i < count; i++) {
    const test_scale_bits *one = &list[(first + i) % length];
    if (type == TEST_SCALE_F32)
      memcpy(scales + i * sizeof one->f32, &one->f32, sizeof one->f32);
    else
      memcpy(scales + i * sizeof one->f16, type == TEST_SCALE_BF16 ? &one->bf16 : &one->f16,
             sizeof one->f16);
  }
}

size_t test_scale_rows(ffn_source source) { return is_f8(source) ? 16 : 0; }

test_scale test_scale_of(ffn_source source) {
  const char *name = ffn_format_name((ffn_format)source);
  if (strstr(name, "bf16"))
    return TEST_SCALE_BF16;
  return ffn_source_block(source).scale == sizeof(float) ? TEST_SCALE_F32 : TEST_SCALE_F16;
}

void test_scales_fill(ffn_source source, unsigned char *scales, size_t count, size_t inputs,
                      uint64_t stream) {
  const int q_bits = is_f8(source) ? 8 : ffn_source_block(source).every ? 3 : 7;
  const int size = -(int)lround(log2((double)inputs) / 2) - q_bits;
  const test_scale type = test_scale_of(source);
  for (size_t i = 0; i < count; i++) {
    const uint64_t sign = test_below(stream ^ 0x61, i, 2);
    const uint64_t exponent = (uint64_t)size + test_below(stream ^ 0x62, i, 3);
    const uint64_t fraction = test_below(stream ^ 0x63, i, 1 << 23);
    const uint32_t bits = (uint32_t)(sign << 31 | (127 + exponent) << 23 | fraction);
    const uint16_t half = (uint16_t)(sign << 15 | (15 + exponent) << 10 | fraction >> 13);
    const uint16_t upper = (uint16_t)(bits >> 16);
    if (type == TEST_SCALE_F32)
      memcpy(scales + i * sizeof bits, &bits, sizeof bits);
    else
      memcpy(scales + i * sizeof half, type == TEST_SCALE_BF16 ? &upper : &half, sizeof half);
  }
}
