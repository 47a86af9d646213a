/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * scaled.c - see scaled.h. */
#include "pack/scaled.h"

#include <string.h>

/* Eight outputs in 32 bits, where AWQ has them: output i is nibble awq[i]. */
static const unsigned char awq[8] = {0, 4, 1, 5, 2, 6, 3, 7};

/* The bits of number (o, k). `kind` is a constant wherever many are read. */
static inline unsigned bits_at(pack_numbers from, size_t o, size_t k) {
  size_t row = o, column = k, nibble = 0;
  switch (from.kind) {
  case encoding_u4_in2:
  case encoding_e2m1_in2:
    column = k / 2, nibble = k % 2;
    break;
  case encoding_u4_in8:
    column = k / 8, nibble = k % 8;
    break;
  case encoding_u4_out8:
    row = o / 8, nibble = o % 8;
    break;
  case encoding_u4_awq8:
    row = o / 8, nibble = awq[o % 8];
    break;
  default:
    return (unsigned char)from.first[row * from.row + column * from.column];
  }
  const char *at = from.first + row * from.row + column * from.column;
  return (unsigned)((unsigned char)at[nibble / 2] >> nibble % 2 * 4 & 15);
}

static int is_nibble(encoding_kind kind) {
  return kind == encoding_u4_in2 || kind == encoding_u4_in8 || kind == encoding_u4_out8 ||
         kind == encoding_u4_awq8;
}

/* What a byte of i8 or u8 is as a signed one that has as much taken off as its zero has. */
static unsigned signed_of(encoding_kind kind, unsigned bits) {
  return kind == encoding_u8 ? bits ^ 128u : bits;
}

/* ---- What a format holds -------------------------------------------------------------------- */

/* Whether numbers may have such scales and zeros beside them. */
static int is_known(const plan_matrix *from) {
  static const encoding_kind scales[][2] = {
#define FFN_PACK_SCALE(numbers, scales) {encoding_##numbers, encoding_##scales},
#include "scaled.inc"
#undef FFN_PACK_SCALE
  };
  static const encoding_kind zeros[][2] = {
#define FFN_PACK_ZERO(numbers, zeros) {encoding_##numbers, encoding_##zeros},
#include "scaled.inc"
#undef FFN_PACK_ZERO
  };
  const encoding_kind kind = from->weight.encoding.kind, scale = from->scaled.scales.encoding.kind;
  int has_scale = 0, has_zero = !from->scaled.has_zeros;
  for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i)
    has_scale |= scales[i][0] == kind && scales[i][1] == scale;
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; ++i)
    has_zero |= zeros[i][0] == kind && zeros[i][1] == from->scaled.zeros.encoding.kind;
  return has_scale && has_zero;
}

/* Whether numbers may become floats, rounded once each. */
static int is_decoded(encoding_kind kind) {
  switch (kind) {
#define FFN_PACK_UNIT(numbers, inputs, outputs, bytes, decoded) \
  case encoding_##numbers: \
    return decoded;
#include "scaled.inc"
#undef FFN_PACK_UNIT
  default:
    return 0;
  }
}

const pack_format *scaled_own(const plan_matrix *from) {
  static const struct {
    const char *format;
    encoding_kind kind;
    size_t every;
    encoding_kind scale;
    int has_zeros;
  } held[] = {
#define FFN_PACK_HELD(format, numbers, every, scales, has_zeros) \
  {#format, encoding_##numbers, every, encoding_##scales, has_zeros},
#include "scaled.inc"
#undef FFN_PACK_HELD
  };
  const plan_scaled *beside = &from->scaled;
  for (size_t i = 0; i < sizeof held / sizeof *held; ++i)
    if (held[i].kind == from->weight.encoding.kind && held[i].every == beside->every &&
        held[i].scale == beside->scales.encoding.kind && held[i].has_zeros == beside->has_zeros)
      return format_of(held[i].format);
  return NULL;
}

int scaled_fits(const pack_format *format, const plan_matrix *from) {
  const pack_encoding *numbers = &from->weight.encoding;
  return is_known(from) && (format_is_own(format, numbers) ||
                               (strcmp(format->name, "f32") == 0 && is_decoded(numbers->kind)));
}

/* ---- What lies beside ----------------------------------------------------------------------- */

static pack_numbers numbers_of(const pack_source *sources, const plan_numbers *from) {
  const pack_numbers to = {sources[from->file].memory + from->first, (size_t)from->row_bytes,
      (size_t)from->column_bytes, from->encoding.kind};
  return to;
}

/* The scale of group g of a row of scales. */
static float scale_at(pack_numbers from, size_t row, size_t g) {
  size_t output = 0, input = 0; /* only an f64 may be no float */
  float scale = 0.0f;
  from.first += row * from.row + g * from.column;
  gather_floats(&scale, 1, from, 1, 1, &output, &input);
  return scale;
}

/* Scales of a part, [outputs][groups], each in so many bytes: as it is, or widened. */
static int gather_scales(const plan_matrix *from, pack_numbers scales, char *to, size_t bytes,
    size_t output, size_t outputs, size_t first, size_t groups, pack_problem *problem) {
  for (size_t o = 0; o < outputs; ++o) {
    const size_t row =
        from->scaled.scale_rows ? (output + o) / from->scaled.scale_rows : output + o;
    for (size_t g = 0; g < groups; ++g, to += bytes) {
      const char *at = scales.first + row * scales.row + (first + g) * scales.column;
      if (bytes < sizeof(float)) {
        memcpy(to, at, bytes);
        continue;
      }
      const float scale = scale_at(scales, row, first + g);
      if (scale != 0.0f && scale > -0x1p-100f && scale < 0x1p-100f)
        return fails(problem, code_bad_input, from->scaled.scales.tensor,
            "the scale of output %zu, group %zu is %g: below 2^-100 there is no scale but 0",
            output + o, first + g, (double)scale);
      memcpy(to, &scale, sizeof scale);
    }
  }
  return 1;
}

/* The zero of group g of an output, as its numbers have it; where there are none, what means 0. */
static unsigned zero_at(const plan_matrix *from, pack_numbers zeros, size_t o, size_t g) {
  const encoding_kind kind = from->weight.encoding.kind;
  if (from->scaled.has_zeros)
    return bits_at(zeros, from->scaled.zero_rows ? o / from->scaled.zero_rows : o, g) +
           from->scaled.zero_add;
  return is_nibble(kind) ? 8 : 0;
}

static void gather_zeros(const plan_matrix *from, pack_numbers zeros, unsigned char *to,
    size_t output, size_t outputs, size_t first, size_t groups) {
  for (size_t o = 0; o < outputs; ++o)
    for (size_t g = 0; g < groups; ++g)
      to[o * groups + g] = (unsigned char)signed_of(
          from->weight.encoding.kind, zero_at(from, zeros, output + o, first + g));
}

/* Whether no zero is one that readers of a file take differently. */
static int check_zeros(const plan_matrix *from, const pack_source *sources, size_t outputs,
    size_t groups, pack_problem *problem) {
  if (!is_nibble(from->weight.encoding.kind) || !from->scaled.has_zeros)
    return 1;
  const pack_numbers zeros = numbers_of(sources, &from->scaled.zeros);
  const unsigned add = from->scaled.zero_add, only = from->scaled.zero_only;
  for (size_t o = 0; o < outputs; ++o)
    for (size_t g = 0; g < groups; ++g) {
      const unsigned zero = zero_at(from, zeros, o, g);
      if (zero > 15)
        return fails(problem, code_bad_input, from->scaled.zeros.tensor,
            "the zero of output %zu, group %zu is stored as 15, which readers of this format take "
            "for 0 or for 16: re-export the model as gptq_v2",
            o, g);
      if (only > 0 && zero != only)
        return fails(problem, code_bad_input, from->scaled.zeros.tensor,
            "the zero of output %zu, group %zu is stored as %u, and where the model's config says "
            "sym it is %u: one of them is wrong. Where it is the format (gptq stores 7 for 8, "
            "gptq_v2 8), or sym, put it right in config.json and import anew",
            o, g, zero - add, only - add);
    }
  return 1;
}

int scaled_check(const plan_matrix *from, const pack_source *sources, size_t outputs, size_t inputs,
    pack_problem *problem) {
  const size_t every = from->scaled.every ? from->scaled.every : inputs;
  if (from->scaled.has_groups) {
    const pack_numbers groups = numbers_of(sources, &from->scaled.groups);
    for (size_t k = 0; k < inputs; ++k) {
      int32_t group = 0;
      memcpy(&group, groups.first + k * groups.column, sizeof group);
      if (group < 0 || (size_t)group != k / every)
        return fails(problem, code_bad_input, from->scaled.groups.tensor,
            "input %zu is in group %ld, not %zu: groups in another order than inputs (act-order) "
            "cannot be packed: re-export with desc_act false",
            k, (long)group, k / every);
    }
  }
  return check_zeros(from, sources, outputs, (inputs + every - 1) / every, problem);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* What is read of a part, and where its rows go, so many bytes apart. */
typedef struct part {
  pack_numbers from;
  size_t output, outputs, input, inputs, pitch;
  unsigned char *to;
} part;

/* Bytes of rows: nibbles of two neighbouring inputs, bytes as they are, or signed ones. Rows one
 * after the other, or column by column where its numbers lie side by side. */
#define ROWS(name, kind_, step, byte) \
  static void name(const part *p) { \
    pack_numbers n = p->from; \
    n.kind = kind_; \
    const size_t columns = p->inputs / (step); \
    if (n.row < n.column) { \
      for (size_t c = 0; c < columns; ++c) \
        for (size_t o = 0; o < p->outputs; ++o) { \
          const size_t output = p->output + o, k = p->input + c * (step); \
          p->to[o * p->pitch + c] = (unsigned char)(byte); \
        } \
      return; \
    } \
    for (size_t o = 0; o < p->outputs; ++o) \
      for (size_t c = 0; c < columns; ++c) { \
        const size_t output = p->output + o, k = p->input + c * (step); \
        p->to[o * p->pitch + c] = (unsigned char)(byte); \
      } \
  }

ROWS(rows_in2, encoding_u4_in2, 2, bits_at(n, output, k) | bits_at(n, output, k + 1) << 4)
ROWS(rows_in8, encoding_u4_in8, 2, bits_at(n, output, k) | bits_at(n, output, k + 1) << 4)
ROWS(rows_out8, encoding_u4_out8, 2, bits_at(n, output, k) | bits_at(n, output, k + 1) << 4)
ROWS(rows_awq8, encoding_u4_awq8, 2, bits_at(n, output, k) | bits_at(n, output, k + 1) << 4)
ROWS(rows_i8, encoding_i8, 1, bits_at(n, output, k))
ROWS(rows_u8, encoding_u8, 1, bits_at(n, output, k) ^ 128u)

/* Blocks of mxfp4: a power of two and 16 bytes, byte j of which holds inputs j and 16 + j. */
static void rows_mxfp4(const part *p, pack_numbers scales) {
  for (size_t o = 0; o < p->outputs; ++o)
    for (size_t g = 0; g < p->inputs / 32; ++g) {
      unsigned char *block = p->to + o * p->pitch + g * 17;
      const size_t output = p->output + o, first = p->input + g * 32;
      block[0] = (unsigned char)bits_at(scales, output, first / 32);
      for (size_t j = 0; j < 16; ++j)
        block[1 + j] = (unsigned char)(bits_at(p->from, output, first + j) |
                                       bits_at(p->from, output, first + 16 + j) << 4);
    }
}

/* The float that bits of E4M3 are. */
static float e4m3_value(unsigned bits) {
  const unsigned exponent = bits >> 3 & 15, fraction = bits & 7;
  const float size = exponent ? (float)(8 + fraction) : (float)(2 * fraction);
  float unit = 0x1p-10f;
  for (unsigned i = 0; i < exponent; ++i)
    unit *= 2.0f;
  const float value = (bits & 127) == 127 ? ffn_from_bits(0x7fc00000) : size * unit;
  return bits & 128 ? -value : value;
}

/* Numbers as floats: a product of a float and of what is exact in one, rounded once. */
static void rows_floats(const plan_matrix *from, const part *p, const pack_source *sources) {
  const pack_numbers scales = numbers_of(sources, &from->scaled.scales);
  const pack_numbers zeros =
      from->scaled.has_zeros ? numbers_of(sources, &from->scaled.zeros) : scales;
  const encoding_kind kind = p->from.kind;
  for (size_t o = 0; o < p->outputs; ++o) {
    const size_t output = p->output + o;
    const size_t row = from->scaled.scale_rows ? output / from->scaled.scale_rows : output;
    for (size_t i = 0; i < p->inputs; ++i) {
      const size_t k = p->input + i, g = from->scaled.every ? k / from->scaled.every : 0;
      const unsigned q = bits_at(p->from, output, k), zero = zero_at(from, zeros, output, g);
      const float scale = scale_at(scales, row, g);
      float number = (float)((int)q - (int)zero);
      if (kind == encoding_e4m3)
        number = e4m3_value(q);
      else if (kind == encoding_i8)
        number = (float)((int)(int8_t)q - (int)(int8_t)zero);
      const float value = number * scale;
      memcpy(p->to + o * p->pitch + i * sizeof value, &value, sizeof value);
    }
  }
}

/* ---- A part --------------------------------------------------------------------------------- */

int scaled_gather(const pack_format *format, const plan_matrix *from, const pack_source *sources,
    size_t all_inputs, char *tile, size_t output, size_t outputs, size_t input, size_t inputs,
    ffn_linear *to, pack_problem *problem) {
  const int own = format_is_own(format, &from->weight.encoding);
  const ffn_block_size floats = {1, sizeof(float), sizeof(float), 0, 0, 0, 0};
  const ffn_block_size block = own ? *format->packing->own : floats;
  const size_t pitch = ffn_block_row(block, inputs);
  const size_t every = from->scaled.every ? from->scaled.every : all_inputs;
  const size_t first = input / every, groups = (input + inputs + every - 1) / every - first;
  char *scales = tile + ffn_round_up(outputs * pitch, FFN_ALIGNMENT);
  char *zeros = scales + ffn_round_up(outputs * groups * block.scale, FFN_ALIGNMENT);
  const part p = {numbers_of(sources, &from->weight), output, outputs, input, inputs, pitch,
      (unsigned char *)tile};
  to->weight = tile;
  to->row_bytes = outputs > 1 ? pitch : 0;
  to->source = own ? format->source : FFN_SOURCE_F32;
  switch (own ? p.from.kind : encoding_f32) {
  case encoding_u4_in2:
    rows_in2(&p);
    break;
  case encoding_u4_in8:
    rows_in8(&p);
    break;
  case encoding_u4_out8:
    rows_out8(&p);
    break;
  case encoding_u4_awq8:
    rows_awq8(&p);
    break;
  case encoding_u8:
    rows_u8(&p);
    break;
  case encoding_e2m1_in2:
    rows_mxfp4(&p, numbers_of(sources, &from->scaled.scales));
    break;
  case encoding_f32:
    rows_floats(from, &p, sources);
    break;
  default:
    rows_i8(&p);
  }
  if (block.scale > 0) {
    to->scales = scales;
    if (!gather_scales(from, numbers_of(sources, &from->scaled.scales), scales, block.scale, output,
            outputs, first, groups, problem))
      return 0;
  }
  if (block.zero > 0) {
    to->zeros = zeros;
    gather_zeros(from, from->scaled.has_zeros ? numbers_of(sources, &from->scaled.zeros) : p.from,
        (unsigned char *)zeros, output, outputs, first, groups);
  }
  return 1;
}
