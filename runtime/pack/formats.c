/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * formats.c - see formats.h. What packs each format is what its kernels' pack() is made of. */
#include "pack/formats.h"

#include "packings.inc"

#include <string.h>

/* A copy of ffn_pack_measured() for each format: its packing is a constant there. */
#define FFN_PACKING(NAME, name) \
  static void pack_stage_##name(ffn_packed_header *header, size_t panels_at, size_t width, \
      const ffn_stage *stage, const ffn_weights *weights, ffn_pack_error *errors) { \
    float group[packing_most]; \
    ffn_pack_measured( \
        header, &packing_##name, panels_at, width, 0, stage, 0, weights, group, errors); \
  }
#include "packings.inc"
#undef FFN_PACKING

static const pack_format formats[] = {
#define FFN_PACKING(NAME, name) \
  {#name, (ffn_source)FFN_FORMAT_##NAME, &packing_##name, pack_stage_##name},
#include "packings.inc"
#undef FFN_PACKING
};

const pack_format *format_of(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (strcmp(formats[i].name, name) == 0)
      return &formats[i];
  return NULL;
}

int encoding_of(const char *name, pack_encoding *to) {
  static const pack_encoding known[] = {
      {"f32", encoding_f32, 1, 1, 4, NULL},
      {"f16", encoding_f16, 1, 1, 2, NULL},
      {"bf16", encoding_bf16, 1, 1, 2, NULL},
      {"f64", encoding_f64, 1, 1, 8, NULL},
      {"f64_rounded", encoding_f64_rounded, 1, 1, 8, NULL},
#define FFN_PACK_UNIT(numbers, inputs, outputs, bytes, decoded) \
  {#numbers, encoding_##numbers, inputs, outputs, bytes, NULL},
#include "scaled.inc"
#undef FFN_PACK_UNIT
      {"e8m0", encoding_e8m0, 1, 1, 1, NULL},
      {"i32", encoding_i32, 1, 1, 4, NULL},
  };
  const pack_format *own = format_of(name);
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strcmp(known[i].name, name) == 0) {
      *to = known[i];
      if (encoding_is_float(to->kind))
        to->own = own;
      return 1;
    }
  const ffn_block_size *block = own ? own->packing->own : NULL;
  if (!block || block->scale > 0 || block->zero > 0)
    return 0;
  const pack_encoding blocks = {own->name, encoding_blocks, block->inputs, 1, block->bytes, own};
  *to = blocks;
  return 1;
}

int format_is_own(const pack_format *format, const pack_encoding *encoding) {
  return encoding->own == format;
}

int format_takes(const pack_format *format, const pack_encoding *encoding) {
  return format_is_own(format, encoding) ||
         (encoding_is_float(encoding->kind) && format->packing->pack != NULL) ||
         (encoding->kind == encoding_blocks && strcmp(format->name, "f32") == 0);
}

/* ---- Numbers as floats ---------------------------------------------------------------------- */

static inline uint16_t half_at(const char *at) {
  uint16_t half;
  memcpy(&half, at, sizeof half);
  return half;
}

static inline float from_f32(const char *at, int *exact) {
  float value;
  (void)exact;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline float from_f16(const char *at, int *exact) {
  (void)exact;
  return ffn_f16_value(half_at(at));
}

static inline float from_bf16(const char *at, int *exact) {
  (void)exact;
  return ffn_bf16_value(half_at(at));
}

/* Rounded to f32; *exact stays where that is the number itself, *fits where it is no larger than
 * all. */
static inline float narrowed(const char *at, int *exact, int *fits) {
  double wide;
  uint64_t bits;
  memcpy(&wide, at, sizeof wide);
  memcpy(&bits, at, sizeof bits);
  const int finite = (bits >> 52 & 0x7ff) != 0x7ff, is_nan = wide != wide;
  const double size = wide < 0 ? -wide : wide;
  /* Beyond all floats a conversion is not defined. Infinities are floats, and so is a NaN. */
  if (finite && size > 0x1.fffffep127) {
    *exact = *fits = 0;
    return 0.0f;
  }
  const float value = (float)wide;
  *exact &= is_nan || !((double)value < wide || (double)value > wide);
  return value;
}

static inline float from_f64(const char *at, int *exact) {
  int fits = 1;
  return narrowed(at, exact, &fits);
}

static inline float from_f64_rounded(const char *at, int *exact) {
  int is_same = 1;
  return narrowed(at, &is_same, exact);
}

/* Rows that are fetched ahead where each lies in another page. */
enum { rows_ahead = 8 };

/* Rows one after the other; where numbers of a column lie side by side, column by column. */
#define GATHER(name, type, read) \
  static int name(type *to, size_t pitch, pack_numbers from, size_t outputs, size_t inputs, \
      size_t *output, size_t *input) { \
    const int by_column = from.row < from.column; \
    const size_t outer = by_column ? inputs : outputs, inner = by_column ? outputs : inputs; \
    const size_t far = by_column ? from.column : from.row; \
    const size_t near = by_column ? from.row : from.column; \
    const size_t step = by_column ? pitch : 1, start = by_column ? 1 : pitch; \
    int exact = 1; \
    for (size_t i = 0; i < outer; ++i) { \
      for (size_t j = 0; by_column && i + rows_ahead < outer && j < inner * near; j += 64) \
        FFN_FETCH(from.first + (i + rows_ahead) * far + j); \
      for (size_t j = 0; j < inner; ++j) { \
        to[i * start + j * step] = read(from.first + i * far + j * near, &exact); \
        if (!exact) { \
          *output = by_column ? j : i; \
          *input = by_column ? i : j; \
          return 0; \
        } \
      } \
    } \
    return 1; \
  }

static inline uint16_t from_half(const char *at, int *exact) {
  (void)exact;
  return half_at(at);
}

GATHER(gather_f32, float, from_f32)
GATHER(gather_f16, float, from_f16)
GATHER(gather_bf16, float, from_bf16)
GATHER(gather_f64, float, from_f64)
GATHER(gather_f64_rounded, float, from_f64_rounded)
GATHER(gather_half, uint16_t, from_half)

int gather_floats(float *to, size_t pitch, pack_numbers from, size_t outputs, size_t inputs,
    size_t *output, size_t *input) {
  switch (from.kind) {
  case encoding_f32:
    return gather_f32(to, pitch, from, outputs, inputs, output, input);
  case encoding_f16:
    return gather_f16(to, pitch, from, outputs, inputs, output, input);
  case encoding_bf16:
    return gather_bf16(to, pitch, from, outputs, inputs, output, input);
  case encoding_f64:
    return gather_f64(to, pitch, from, outputs, inputs, output, input);
  case encoding_f64_rounded:
    return gather_f64_rounded(to, pitch, from, outputs, inputs, output, input);
  default:
    return 0; /* no floats: who calls asks before */
  }
}

void gather_halves(uint16_t *to, size_t pitch, pack_numbers from, size_t outputs, size_t inputs) {
  size_t output, input;
  gather_half(to, pitch, from, outputs, inputs, &output, &input);
}
