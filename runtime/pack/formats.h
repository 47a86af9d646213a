/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * formats.h - what a plan may say of numbers: how they lie in files, and as what they are packed.
 */
#ifndef FFN_PACK_FORMATS_H
#define FFN_PACK_FORMATS_H

#include "kernel.h"

/* A format that weights are packed in. */
typedef struct pack_format {
  const char *name;
  ffn_source source; /* of its name: its own numbers, where it has some (packing->own) */
  const ffn_packing *packing;
  /* ffn_pack_measured() of a stage of this format that has no bias, compiled for it; errors: NULL,
   * or of each branch. */
  void (*pack)(ffn_packed_header *header, size_t panels_at, size_t width, const ffn_stage *stage,
      const ffn_weights *weights, ffn_pack_error *errors);
} pack_format;

/* NULL: there is none of this name. */
const pack_format *format_of(const char *name);

/* How numbers lie in a file: floats, blocks of a format of their name, and what has its scales in
 * arrays of their own (u4_in2: nibbles of two neighbouring inputs in a unit, lowest first, and so
 * on), which e8m0 and i32 may be, too. */
typedef enum encoding_kind {
  encoding_f32,
  encoding_f16,
  encoding_bf16,
  encoding_f64,
  encoding_f64_rounded, /* to f32, once each */
  encoding_blocks,
  encoding_u4_in2,
  encoding_u4_in8,
  encoding_u4_out8,
  encoding_u4_awq8,
  encoding_e2m1_in2,
  encoding_e4m3,
  encoding_i8,
  encoding_u8,
  encoding_e8m0,
  encoding_i32
} encoding_kind;

typedef struct pack_encoding {
  const char *name;
  encoding_kind kind;
  /* Of a block or a unit; of floats one input of one output. */
  size_t inputs, outputs, bytes;
  /* That packs it as it is, or NULL; of what has scales beside it, as plan_read() finds them. */
  const pack_format *own;
} pack_encoding;

/* 0: there is none of this name. */
int encoding_of(const char *name, pack_encoding *to);

static inline int encoding_is_float(encoding_kind kind) { return kind < encoding_blocks; }

/* Whether such numbers have scales beside them. */
static inline int encoding_is_scaled(encoding_kind kind) {
  return kind > encoding_blocks && kind < encoding_e8m0;
}

/* Whether a format is packed from floats or blocks of an encoding: its own, or any floats; f32
 * from blocks, too, whose numbers are rounded once each. */
int format_takes(const pack_format *format, const pack_encoding *encoding);

/* Whether they are its own, which go in as they are. */
int format_is_own(const pack_format *format, const pack_encoding *encoding);

/* What is read: number (o, k) lies at first + o * row + k * column. */
typedef struct pack_numbers {
  const char *first;
  size_t row, column;
  encoding_kind kind;
} pack_numbers;

/* Floats [outputs][inputs], whose rows begin `pitch` apart. 0: the number at *output, *input is an
 * f64 that is no f32, and none is to be rounded, or larger than all f32. */
int gather_floats(float *to, size_t pitch, pack_numbers from, size_t outputs, size_t inputs,
    size_t *output, size_t *input);

/* The same of two bytes each, as they are. */
void gather_halves(uint16_t *to, size_t pitch, pack_numbers from, size_t outputs, size_t inputs);

#endif
