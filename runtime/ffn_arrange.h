/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_arrange.h - turns weights of 4 bits, as GPTQ, AWQ, ONNX's MatMulNBits, compressed-tensors and
 * gpt-oss store them, into the rows that pack() takes. For C11 and C++. Bytes are moved; no weight
 * changes. The functions write only to memory that the caller hands over.
 *
 *     ffn_nibbles to = {outputs, inputs, 128, sizeof(uint16_t), nibbles, scales, zeros};
 *     const char *problem = ffn_arrange_gptq(&to, qweight, qzeros, qscales, g_idx, 1);
 *     if (!problem)
 *       weights.up = (ffn_linear){.weight = nibbles, .source = FFN_SOURCE_U4G128,
 *           .scales = scales, .zeros = zeros};
 *
 * Each function returns NULL, or what is wrong, in English; do not use what was written then. Words
 * of 32 bits are in the byte order of the machine. */
#ifndef FFN_ARRANGE_H
#define FFN_ARRANGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where rows go: rows of FFN_SOURCE_U4G32, U4G64, U4G128 and their _BF16 and _F32 kin. */
typedef struct ffn_nibbles {
  size_t outputs, inputs;
  size_t group; /* inputs that share a scale: 32, 64 or 128; inputs is a multiple of group */
  size_t scale_bytes; /* 2: scales of f16 or bf16; 4: of f32; scales are copied as they are */
  unsigned char *nibbles; /* [outputs][inputs / 2], the low nibble first */
  void *scales; /* [outputs][inputs / group] */
  unsigned char *zeros; /* [outputs][inputs / group] */
} ffn_nibbles;

/* NULL, or what is wrong with sizes and pointers. */
static inline const char *ffn_arrange_problem(const ffn_nibbles *to) {
  if (to->group != 32 && to->group != 64 && to->group != 128)
    return "group is none of 32, 64 and 128";
  if (to->inputs % to->group != 0)
    return "inputs are no multiple of group";
  if (to->scale_bytes != 2 && to->scale_bytes != 4)
    return "scale_bytes is neither 2 nor 4";
  return to->nibbles && to->scales && to->zeros ? NULL : "nibbles, scales or zeros is NULL";
}

static inline void ffn_arrange_put(const ffn_nibbles *to, size_t output, size_t input, unsigned q) {
  unsigned char *at = to->nibbles + output * (to->inputs / 2) + input / 2;
  *at = (unsigned char)(input % 2 ? (*at & 15) | q << 4 : (*at & 240) | q);
}

/* Copies scales [groups][outputs] to [outputs][groups]. */
static inline void ffn_arrange_scales(const ffn_nibbles *to, const void *scales) {
  const size_t groups = to->inputs / to->group;
  for (size_t o = 0; o < to->outputs; ++o)
    for (size_t g = 0; g < groups; ++g)
      memcpy((char *)to->scales + (o * groups + g) * to->scale_bytes,
          (const char *)scales + (g * to->outputs + o) * to->scale_bytes, to->scale_bytes);
}

/* Nibble i of a word of 32 bits; 0 is the lowest. */
static inline unsigned ffn_arrange_nibble(uint32_t word, size_t i) {
  return (unsigned)(word >> 4 * i) & 15u;
}

/* GPTQ.
 *   qweight  [inputs / 8][outputs], eight neighbouring inputs in a word
 *   qzeros   [inputs / group][outputs / 8], eight neighbouring outputs in a word
 *   scales   [inputs / group][outputs]
 *   g_idx    [inputs], the group of each input; or NULL: groups in order
 *   version  1: a stored zero z means z + 1; 15 is refused: some libraries read 16, others 0
 *            2 (gptq_v2): a stored zero means itself */
static inline const char *ffn_arrange_gptq(const ffn_nibbles *to, const uint32_t *qweight,
    const uint32_t *qzeros, const void *scales, const int32_t *g_idx, int version) {
  const size_t groups = to->inputs / (to->group ? to->group : 1);
  const char *problem = ffn_arrange_problem(to);
  if (problem)
    return problem;
  if (!qweight || !qzeros || !scales)
    return "qweight, qzeros or scales is NULL";
  if (version != 1 && version != 2)
    return "version is neither 1 (gptq) nor 2 (gptq_v2)";
  if (to->outputs % 8 != 0)
    return "outputs are no multiple of 8";
  for (size_t k = 0; g_idx && k < to->inputs; ++k)
    if (g_idx[k] < 0 || (size_t)g_idx[k] != k / to->group)
      return "g_idx has groups in another order (act-order): re-export with desc_act false";
  for (size_t o = 0; o < to->outputs; ++o) {
    for (size_t k = 0; k < to->inputs; ++k)
      ffn_arrange_put(to, o, k, ffn_arrange_nibble(qweight[k / 8 * to->outputs + o], k % 8));
    for (size_t g = 0; g < groups; ++g) {
      const unsigned zero = ffn_arrange_nibble(qzeros[g * (to->outputs / 8) + o / 8], o % 8);
      if (version == 1 && zero == 15)
        return "a stored zero is 15, which readers of version 1 take for 0 or for 16";
      to->zeros[o * groups + g] = (unsigned char)(version == 1 ? zero + 1 : zero);
    }
  }
  ffn_arrange_scales(to, scales);
  return NULL;
}

/* AWQ.
 *   qweight  [inputs][outputs / 8], outputs 0 2 4 6 1 3 5 7 of eight in a word, lowest first
 *   qzeros   [inputs / group][outputs / 8], in the same order
 *   scales   [inputs / group][outputs] */
static inline const char *ffn_arrange_awq(
    const ffn_nibbles *to, const uint32_t *qweight, const uint32_t *qzeros, const void *scales) {
  static const unsigned char place[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  const size_t groups = to->inputs / (to->group ? to->group : 1), row = to->outputs / 8;
  const char *problem = ffn_arrange_problem(to);
  if (problem)
    return problem;
  if (!qweight || !qzeros || !scales)
    return "qweight, qzeros or scales is NULL";
  if (to->outputs % 8 != 0)
    return "outputs are no multiple of 8";
  for (size_t o = 0; o < to->outputs; ++o) {
    for (size_t k = 0; k < to->inputs; ++k)
      ffn_arrange_put(to, o, k, ffn_arrange_nibble(qweight[k * row + o / 8], place[o % 8]));
    for (size_t g = 0; g < groups; ++g)
      to->zeros[o * groups + g] =
          (unsigned char)ffn_arrange_nibble(qzeros[g * row + o / 8], place[o % 8]);
  }
  ffn_arrange_scales(to, scales);
  return NULL;
}

/* MatMulNBits of ONNX with bits = 4 and block_size = group.
 *   b            [outputs][groups][group / 2], the low nibble first
 *   scales       [outputs][groups]
 *   zero_points  [outputs][(groups + 1) / 2], two in a byte; or NULL: all zeros are 8 */
static inline const char *ffn_arrange_nbits(const ffn_nibbles *to, const unsigned char *b,
    const void *scales, const unsigned char *zero_points) {
  const size_t groups = to->inputs / (to->group ? to->group : 1);
  const char *problem = ffn_arrange_problem(to);
  if (problem)
    return problem;
  if (!b || !scales)
    return "B or scales is NULL";
  memcpy(to->nibbles, b, to->outputs * (to->inputs / 2));
  memcpy(to->scales, scales, to->outputs * groups * to->scale_bytes);
  for (size_t o = 0; o < to->outputs; ++o)
    for (size_t g = 0; g < groups; ++g) {
      const unsigned byte = zero_points ? zero_points[o * ((groups + 1) / 2) + g / 2] : 0x88u;
      to->zeros[o * groups + g] = (unsigned char)(g % 2 ? byte >> 4 : byte & 15u);
    }
  return NULL;
}

/* compressed-tensors, pack-quantized with 4 bits, symmetric.
 *   weight_packed  [outputs][inputs / 8], eight neighbouring inputs in a word, each stored plus 8
 *   weight_scale   [outputs][inputs / group] */
static inline const char *ffn_arrange_packed(
    const ffn_nibbles *to, const uint32_t *weight_packed, const void *weight_scale) {
  const size_t groups = to->inputs / (to->group ? to->group : 1);
  const char *problem = ffn_arrange_problem(to);
  if (problem)
    return problem;
  if (!weight_packed || !weight_scale)
    return "weight_packed or weight_scale is NULL";
  for (size_t o = 0; o < to->outputs; ++o)
    for (size_t k = 0; k < to->inputs; ++k)
      ffn_arrange_put(
          to, o, k, ffn_arrange_nibble(weight_packed[o * (to->inputs / 8) + k / 8], k % 8));
  memcpy(to->scales, weight_scale, to->outputs * groups * to->scale_bytes);
  memset(to->zeros, 8, to->outputs * groups);
  return NULL;
}

/* gpt-oss, to rows of FFN_SOURCE_MXFP4.
 *   to           [outputs][inputs / 32][17]
 *   blocks       [rows][inputs / 32][16], byte j has inputs 2 j (low nibble) and 2 j + 1 (high)
 *   scales       [rows][inputs / 32], exponents of 2, stored plus 127
 *   first, step  output o is row first + o * step. Rows of gate and up alternate in gpt-oss: first
 *                is 0 for gate and 1 for up, step is 2 */
static inline const char *ffn_arrange_mxfp4(unsigned char *to, size_t outputs, size_t inputs,
    const unsigned char *blocks, const unsigned char *scales, size_t first, size_t step) {
  const size_t groups = inputs / 32;
  if (!to || !blocks || !scales)
    return "to, blocks or scales is NULL";
  if (inputs % 32 != 0)
    return "inputs are no multiple of 32";
  for (size_t o = 0; o < outputs; ++o)
    for (size_t g = 0; g < groups; ++g, to += 17) {
      const size_t from = (first + o * step) * groups + g;
      to[0] = scales[from];
      for (size_t j = 0; j < 16; ++j) {
        /* Byte j of a block of FFN_SOURCE_MXFP4 has inputs j and 16 + j. */
        const unsigned low = blocks[from * 16 + j / 2] >> j % 2 * 4 & 15u;
        const unsigned high = blocks[from * 16 + 8 + j / 2] >> j % 2 * 4 & 15u;
        to[1 + j] = (unsigned char)(low | high << 4);
      }
    }
  return NULL;
}

#ifdef __cplusplus
}
#endif

#endif
