/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * file_rows.h - what rows of a packed file may be, and what each is as floats. A part of
 * ffn_file.c, which stands in it where kernels are generated. */
#ifndef FFN_FILE_ROWS_H
#define FFN_FILE_ROWS_H

#include "exact.h"
#include "ffn_file.h"

#include <string.h>
/*@ end */

#include <math.h>

FFN_EXACT_BEGIN

#include "decoders/half.h"
#include "decoders/iq4_nl.h"
#include "decoders/iq4_xs.h"
#include "decoders/mxfp4.h"
#include "decoders/q4_0.h"
#include "decoders/q4_1.h"
#include "decoders/q4_K.h"
#include "decoders/q5_0.h"
#include "decoders/q5_1.h"
#include "decoders/q5_K.h"
#include "decoders/q6_K.h"
#include "decoders/q8_0.h"

static inline void ffn_file_floats_f32(float *to, const unsigned char *at, size_t width) {
  memcpy(to, at, width * sizeof *to);
}

/* The upper halves of floats. */
static inline void ffn_file_floats_bf16(float *to, const unsigned char *at, size_t width) {
  for (size_t i = 0; i < width; ++i) {
    const uint32_t bits = ((uint32_t)at[2 * i] | (uint32_t)at[2 * i + 1] << 8) << 16;
    memcpy(&to[i], &bits, sizeof bits);
  }
}

/* Inf and NaN stay what they are, of which ffn_decode_half() makes NaN. */
static inline void ffn_file_floats_f16(float *to, const unsigned char *at, size_t width) {
  for (size_t i = 0; i < width; ++i) {
    const uint32_t half = at[2 * i] | (uint32_t)at[2 * i + 1] << 8, infinite = 0x7c00u;
    const uint32_t bits = (half & 0x8000u) << 16 | 0x7f800000u | (half & 0x3ffu) << 13;
    to[i] = (float)ffn_decode_half(at + 2 * i);
    if ((half & infinite) == infinite)
      memcpy(&to[i], &bits, sizeof bits);
  }
}

/* Rounded once. ffn-pack takes no number that is larger than all floats. */
static inline void ffn_file_floats_f64(float *to, const unsigned char *at, size_t width) {
  for (size_t i = 0; i < width; ++i) {
    double wide;
    memcpy(&wide, at + i * sizeof wide, sizeof wide);
    const int beyond = (wide > (double)FLT_MAX) - (wide < -(double)FLT_MAX);
    to[i] = beyond ? (float)beyond * INFINITY : (float)wide;
  }
}

/* The formats of blocks: of k numbers, in so many bytes. */
#define FFN_FILE_BLOCKS(BLOCK) \
  BLOCK(iq4_nl, 32, 18) \
  BLOCK(iq4_xs, 256, 136) \
  BLOCK(mxfp4, 32, 17) \
  BLOCK(q4_0, 32, 18) \
  BLOCK(q4_1, 32, 20) \
  BLOCK(q4_K, 256, 144) \
  BLOCK(q5_0, 32, 22) \
  BLOCK(q5_1, 32, 24) \
  BLOCK(q5_K, 256, 176) \
  BLOCK(q6_K, 256, 210) \
  BLOCK(q8_0, 32, 34)

#define FFN_FILE_FLOATS(name, k, bytes) \
  static inline void ffn_file_floats_##name(float *to, const unsigned char *at, size_t width) { \
    for (size_t i = 0; i < width; ++i) \
      to[i] = (float)ffn_decode_##name(at + i / (k) * (bytes), i % (k)); \
  }
FFN_FILE_BLOCKS(FFN_FILE_FLOATS)

FFN_EXACT_END

/* How numbers of rows lie: k of them in so many bytes. */
typedef struct ffn_file_encoding {
  const char *name;
  size_t k, bytes;
  void (*floats)(float *to, const unsigned char *at, size_t width);
} ffn_file_encoding;

/* The encoding of a name, or NULL. */
static inline const ffn_file_encoding *ffn_file_encoding_of(const char *name) {
  static const ffn_file_encoding all[] = {{"f32", 1, 4, ffn_file_floats_f32},
      {"f16", 1, 2, ffn_file_floats_f16}, {"bf16", 1, 2, ffn_file_floats_bf16},
      {"f64", 1, 8, ffn_file_floats_f64},
#define FFN_FILE_ENCODING(name, k, bytes) {#name, k, bytes, ffn_file_floats_##name},
      FFN_FILE_BLOCKS(FFN_FILE_ENCODING)};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(all[i].name, name) == 0)
      return &all[i];
  return NULL;
}

/* Bytes of a row, or 0 where `most` are too few or the row is no whole number of blocks. */
static inline uint64_t ffn_file_row_bytes(
    const ffn_file_encoding *encoding, uint64_t width, uint64_t most) {
  const uint64_t blocks = width / encoding->k;
  return width % encoding->k == 0 && blocks <= most / encoding->bytes ? blocks * encoding->bytes
                                                                      : 0;
}

/*@ foot */
#endif
/*@ end */
