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
 *   panels  [outputs / 16, rounded up][inputs][branches][16], zeros beyond the last output
 *   biases  [branches][outputs rounded up to 16] */
typedef struct ffn_packed_header {
  char magic[4]; /* "FFNP" */
  uint32_t abi;
  uint64_t layer; /* hash of the layer's name */
  uint32_t finite; /* 1: no weight is Inf or NaN, so 0 times any of them is 0 */
  uint32_t zero[3];
  float parameters[FFN_MAX_PARAMETERS]; /* of the activation, at run time */
} ffn_packed_header;

/* 64-bit FNV-1a of a layer's name. */
static inline uint64_t ffn_layer_hash(const char *layer) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *layer; ++layer)
    hash = (hash ^ (unsigned char)*layer) * UINT64_C(0x100000001b3);
  return hash;
}

static inline int ffn_packed_is(const void *packed, uint64_t layer_hash) {
  ffn_packed_header header;
  FFN_MEMCPY(&header, packed, sizeof header);
  return header.magic[0] == 'F' && header.magic[1] == 'F' && header.magic[2] == 'N' &&
         header.magic[3] == 'P' && header.abi == FFN_ABI && header.layer == layer_hash;
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
    ffn_packed_header *to, uint64_t layer_hash, const float *parameters, size_t count) {
  /* A constant: one on the stack is cleared by memset(), which is not everywhere. */
  static const ffn_packed_header blank = {{'F', 'F', 'N', 'P'}, FFN_ABI, 0, 1, {0}, {0}};
  FFN_ASSERT(to && (uintptr_t)to % FFN_ALIGNMENT == 0);
  FFN_MEMCPY(to, &blank, sizeof blank);
  to->layer = layer_hash;
  FFN_MEMCPY(to->parameters, parameters, count * sizeof *parameters);
}

/* Where weight k of an output of a branch stands in the panels of a stage. */
FFN_INLINE size_t ffn_panel_at(const ffn_stage *stage, size_t branch, size_t output, size_t k) {
  const size_t step = stage->branches * FFN_PANEL;
  return (output / FFN_PANEL * stage->inputs + k) * step + branch * FFN_PANEL + output % FFN_PANEL;
}

/* weights -> panels and biases (NULL where there are none) of stage `index`; store() puts a weight
 * at an index of the panels, in the format of the kernel, and gives what that holds. Notes in the
 * header whether all of them are finite. */
FFN_INLINE void ffn_pack_stage(ffn_packed_header *header, void *panels, float *bias,
    const ffn_stage *stages, size_t index, const ffn_weights *weights,
    float (*store)(void *panels, size_t at, float weight)) {
  const ffn_stage *stage = &stages[index];
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL);
  uint32_t finite = 1;
  FFN_ASSERT(weights && (stage->matrix[0] != FFN_MATRIX_CHAIN || weights->chain));
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_linear *linear = ffn_stage_linear(stages, weights, index, branch);
    FFN_ASSERT(linear->weight && !linear->bias == !bias); /* see ffn_weights_problem() */
    for (size_t column = 0; column < columns; ++column) {
      const size_t at = ffn_panel_at(stage, branch, column, 0);
      const size_t step = stage->branches * FFN_PANEL;
      const float *row = column < outputs ? linear->weight + column * inputs : NULL;
      for (size_t k = 0; k < inputs; ++k) {
        const float held = store(panels, at + k * step, row ? row[k] : 0.0f);
        finite &= (ffn_bits(held) & 0x7f800000) != 0x7f800000; /* the exponent of Inf and NaN */
      }
      if (bias)
        bias[branch * columns + column] = row ? linear->bias[column] : 0.0f;
    }
  }
  header->finite &= finite;
}

/* The way back. Matrices that are NULL are passed over. */
FFN_INLINE void ffn_unpack_stage(const ffn_weights *weights, const void *panels, const float *bias,
    const ffn_stage *stages, size_t index, float (*load)(const void *panels, size_t at)) {
  const ffn_stage *stage = &stages[index];
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL), step = stage->branches * FFN_PANEL;
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_linear *linear = ffn_stage_linear(stages, weights, index, branch);
    float *weight_out = (float *)(uintptr_t)linear->weight;
    float *bias_out = (float *)(uintptr_t)linear->bias;
    for (size_t column = 0; weight_out && column < outputs; ++column) {
      const size_t at = ffn_panel_at(stage, branch, column, 0);
      for (size_t k = 0; k < inputs; ++k)
        weight_out[column * inputs + k] = load(panels, at + k * step);
    }
    if (bias && bias_out)
      FFN_MEMCPY(bias_out, bias + branch * columns, outputs * sizeof *bias);
  }
}
#endif
/*@ end */

/*@ foot */
#endif
/*@ end */
