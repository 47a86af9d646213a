/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * packed.h - packed weights, which pack() makes and kernels read. A part of kernel.h, which stands
 * in it where kernels are generated. */
#ifndef FFN_KERNEL_PACKED_H
#define FFN_KERNEL_PACKED_H

#include "kernel.h"
/*@ end */

/* ---- Packed weights ----------------------------------------------------------------------- *
 *
 * A header of one cache line, then for each stage its panels, then its biases:
 *   panels  [bundle][inputs][panel of it][branches][16], zeros beyond the last output; a bundle is
 *           a panel, of sixteen outputs, or some of them: the last may have fewer
 *   biases  [branches][outputs rounded up to 16] */
typedef struct ffn_packed_header {
  char magic[4]; /* "FFNP" */
  uint32_t abi; /* of whoever packed, for people: nothing asks it */
  uint64_t packed; /* hash of ffn_kernel.packed */
  uint32_t layout; /* FFN_LAYOUT */
  uint32_t finite; /* 1: no weight is Inf or NaN, so 0 times any of them is 0 */
  uint32_t zero[2];
  float parameters[FFN_MAX_PARAMETERS]; /* of the activation, at run time */
} ffn_packed_header;

/* 64-bit FNV-1a of a name. */
static inline uint64_t ffn_name_hash(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name; ++name)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return hash;
}

static inline int ffn_packed_is(const void *packed, uint64_t packed_hash) {
  ffn_packed_header header;
  FFN_MEMCPY(&header, packed, sizeof header);
  return header.magic[0] == 'F' && header.magic[1] == 'F' && header.magic[2] == 'N' &&
         header.magic[3] == 'P' && header.layout == FFN_LAYOUT && header.packed == packed_hash;
}

/* Whether f32 rows may lie so: aligned, and none over the next. */
FFN_SHARED int ffn_rows_fit(const void *weight, size_t row_bytes, size_t inputs) {
  return (uintptr_t)weight % sizeof(float) == 0 && row_bytes % sizeof(float) == 0 &&
         (row_bytes == 0 || row_bytes / sizeof(float) >= inputs);
}

/*@ parameters */
static inline float ffn_packed_parameter(const void *packed, size_t index) {
  ffn_packed_header header;
  FFN_MEMCPY(&header, packed, sizeof header);
  return header.parameters[index];
}
/*@ end */

/*@ sparse */
static inline int ffn_packed_finite(const void *packed) {
  ffn_packed_header header;
  FFN_MEMCPY(&header, packed, sizeof header);
  return (int)header.finite;
}
/*@ end */

/*@ embedded */
/*@ end */

/*@ pack */
#ifndef FFN_NO_PACK
static inline void ffn_pack_header(
    ffn_packed_header *to, uint64_t packed_hash, const float *parameters, size_t count) {
  /* A constant: one on the stack is cleared by memset(), which is not everywhere. */
  static const ffn_packed_header blank = {
      {'F', 'F', 'N', 'P'}, FFN_ABI, 0, FFN_LAYOUT, 1, {0}, {0}};
  FFN_ASSERT(to && (uintptr_t)to % FFN_ALIGNMENT == 0);
  FFN_MEMCPY(to, &blank, sizeof blank);
  to->packed = packed_hash;
  FFN_MEMCPY(to->parameters, parameters, count * sizeof *parameters);
}

/* Where an output of a branch stands in the panels of a stage: bytes in front of its first weight,
 * and from there to the next. */
typedef struct ffn_panel_place {
  size_t at, step;
} ffn_panel_place;

/* In bundles of `width` columns, whose lines of sixteen outputs have so many bytes. */
FFN_SHARED ffn_panel_place ffn_panel_at(size_t outputs, size_t inputs, size_t branches,
    size_t width, size_t line, size_t branch, size_t output) {
  const size_t first = output / width * width, left = ffn_round_up(outputs, FFN_PANEL) - first;
  const size_t member = output % width / FFN_PANEL * branches + branch;
  const ffn_panel_place place = {first / FFN_PANEL * branches * inputs * line + member * line +
                                     output % FFN_PANEL * (line / FFN_PANEL),
      ffn_min(width, left) / FFN_PANEL * branches * line};
  return place;
}

/* weights -> panels and biases of stage `index`, that lie `panels_at` and `bias_at` bytes behind
 * the header; 0: there are no biases. store() puts a weight at an address, in the format of the
 * kernel, and gives what that holds. Notes in the header whether all of them are finite. */
FFN_SHARED void ffn_pack_stage(ffn_packed_header *header, size_t panels_at, size_t width,
    size_t line, size_t bias_at, const ffn_stage *stages, size_t index, const ffn_weights *weights,
    float (*store)(char *to, float weight)) {
  const ffn_stage *stage = &stages[index];
  float *bias = bias_at > 0 ? (float *)((char *)header + bias_at) : NULL;
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL);
  uint32_t finite = 1;
  FFN_ASSERT(weights && (stage->matrix[0] != FFN_MATRIX_CHAIN || weights->chain));
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_linear *linear = ffn_stage_linear(stages, weights, index, branch);
    FFN_ASSERT(linear->weight && !linear->bias == !bias); /* see ffn_weights_problem() */
    FFN_ASSERT(linear->source == FFN_SOURCE_F32 && !linear->scales && !linear->zeros);
    FFN_ASSERT(ffn_rows_fit(linear->weight, linear->row_bytes, inputs));
    for (size_t column = 0; column < columns; ++column) {
      const ffn_panel_place place =
          ffn_panel_at(outputs, inputs, stage->branches, width, line, branch, column);
      char *to = (char *)header + panels_at + place.at;
      const float *row = column < outputs ? ffn_linear_row(stage, linear, column) : NULL;
      for (size_t k = 0; k < inputs; ++k, to += place.step) {
        const float held = store(to, row ? row[k] : 0.0f);
        finite &= (ffn_bits(held) & 0x7f800000) != 0x7f800000; /* the exponent of Inf and NaN */
      }
      if (bias)
        bias[branch * columns + column] = row ? linear->bias[column] : 0.0f;
    }
  }
  header->finite &= finite;
}

/* Where a matrix of a stage comes back to, or NULL: nowhere. */
FFN_SHARED const ffn_unpacked_linear *ffn_stage_unpacked(
    const ffn_stage *stages, const ffn_unpacked *to, size_t stage, size_t branch) {
  switch (stages[stage].matrix[branch]) {
  case FFN_MATRIX_GATE:
    return &to->gate;
  case FFN_MATRIX_UP:
    return &to->up;
  case FFN_MATRIX_DOWN:
    return &to->down;
  case FFN_MATRIX_CHAIN:
    break;
  }
  return to->chain ? &to->chain[stage] : NULL;
}

/* The way back. What has no memory is passed over. */
FFN_SHARED void ffn_unpack_stage(const ffn_unpacked *to, const ffn_packed_header *header,
    size_t panels_at, size_t width, size_t line, size_t bias_at, const ffn_stage *stages,
    size_t index, float (*load)(const char *from)) {
  const ffn_stage *stage = &stages[index];
  const float *bias = (const float *)((const char *)header + bias_at);
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL);
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_unpacked_linear *linear = ffn_stage_unpacked(stages, to, index, branch);
    if (!linear)
      continue;
    FFN_ASSERT(linear->source == FFN_SOURCE_F32 && !linear->scales && !linear->zeros);
    FFN_ASSERT(!linear->weight || ffn_rows_fit(linear->weight, linear->row_bytes, inputs));
    const size_t bytes = linear->row_bytes ? linear->row_bytes : inputs * sizeof(float);
    for (size_t column = 0; linear->weight && column < outputs; ++column) {
      float *row = (float *)(void *)((char *)linear->weight + column * bytes);
      const ffn_panel_place place =
          ffn_panel_at(outputs, inputs, stage->branches, width, line, branch, column);
      const char *from = (const char *)header + panels_at + place.at;
      for (size_t k = 0; k < inputs; ++k, from += place.step)
        row[k] = load(from);
    }
    if (bias_at > 0 && linear->bias)
      FFN_MEMCPY(linear->bias, bias + branch * columns, outputs * sizeof *bias);
  }
}
#endif
/*@ end */

/*@ foot */
#endif
/*@ end */
