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
 *   panels  [bundle][group of inputs][line of it][panel of the bundle][branches][16], what stands
 *           for zeros beyond the last output; a group and its lines are the format's to say, of f32
 *           one input and one line; a bundle is a panel, of sixteen outputs, or some of them: the
 *           last may have fewer
 *   biases  [branches][outputs rounded up to 16] */
typedef struct ffn_packed_header {
  char magic[4]; /* "FFNP" */
  uint32_t abi; /* of whoever packed, for people: nothing asks it */
  uint64_t packed; /* hash of ffn_kernel.packed */
  uint32_t layout; /* FFN_LAYOUT */
  uint32_t finite; /* 1: no weight is Inf or NaN, so 0 times any of them is 0 */
  uint64_t train_bytes; /* all that pack_train() packed; 0: pack() did, for run() alone */
  float parameters[FFN_MAX_PARAMETERS]; /* of the activation, at run time */
} ffn_packed_header;

/* 64-bit FNV-1a of a name. */
static inline uint64_t ffn_name_hash(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name; ++name)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return hash;
}

/* The header of packed weights is read where it lies, at a multiple of FFN_ALIGNMENT: gcc would
 * copy it as a vector, and align the stack of every call for it. */
static inline int ffn_packed_is(const void *packed, uint64_t packed_hash) {
  const ffn_packed_header *header = (const ffn_packed_header *)packed;
  return header->magic[0] == 'F' && header->magic[1] == 'F' && header->magic[2] == 'N' &&
         header->magic[3] == 'P' && header->layout == FFN_LAYOUT && header->packed == packed_hash;
}

/* Whether they are so many bytes that pack_train() packed, as kernel->pack() does not. */
FFN_SHARED int ffn_packed_trains(const void *packed, size_t bytes) {
  const ffn_packed_header *header = (const ffn_packed_header *)packed;
  return header->train_bytes == bytes;
}

/* Whether rows of numbers may lie so: aligned, and none over the next. */
FFN_SHARED int ffn_rows_fit(
    const void *weight, size_t row_bytes, size_t inputs, ffn_source source) {
  const ffn_block_size block = ffn_source_block(source);
  const int aligned =
      source == FFN_SOURCE_F32 ? ffn_span_aligned(weight) : (uintptr_t)weight % block.align == 0;
  return aligned && row_bytes % block.align == 0 &&
         (row_bytes == 0 || row_bytes >= ffn_source_row(source, inputs));
}

/* Whether a stage takes the numbers of a source: those of its format, and floats unless these are
 * not to be had of it. */
FFN_SHARED int ffn_source_fits(const ffn_stage *stage, ffn_source source) {
  return source == stage->source || (source == FFN_SOURCE_F32 && !stage->source_alone);
}

static inline float ffn_packed_parameter(const void *packed, size_t index) {
  const ffn_packed_header *header = (const ffn_packed_header *)packed;
  return header->parameters[index];
}

static inline int ffn_packed_finite(const void *packed) {
  const ffn_packed_header *header = (const ffn_packed_header *)packed;
  return (int)header->finite;
}

/*@ embedded */
/*@ end */

/* As FFN_IF_STAGES(), from here on: weights that a product holds packed leave packing out above. */
#ifdef FFN_NO_PACK
#define FFN_IF_PACK(function) NULL
#else
#define FFN_IF_PACK(function) function
#endif

#ifndef FFN_NO_PACK
static inline void ffn_pack_header(
    ffn_packed_header *to, uint64_t packed_hash, const ffn_weights *weights, size_t parameters) {
  /* A constant: one on the stack is cleared by memset(), which is not everywhere. */
  static const ffn_packed_header blank = {{'F', 'F', 'N', 'P'}, FFN_ABI, 0, FFN_LAYOUT, 1, 0, {0}};
  FFN_ASSERT(to && weights && (uintptr_t)to % FFN_ALIGNMENT == 0);
  FFN_MEMCPY(to, &blank, sizeof blank);
  to->packed = packed_hash;
  FFN_MEMCPY(to->parameters, weights->parameters, parameters * sizeof *weights->parameters);
}

/* Whether the rows of a matrix, of any source, have no byte of memory in one piece. */
FFN_APART int ffn_matrix_apart(
    const ffn_stage *stage, const ffn_linear *linear, const void *memory, size_t bytes) {
  const size_t row = ffn_source_row(linear->source, stage->inputs);
  for (size_t o = 0; linear->weight && o < stage->outputs; ++o)
    if (!ffn_span_beside(
            (uintptr_t)memory, bytes, (uintptr_t)ffn_linear_place(stage, linear, o), row))
      return 0;
  return 1;
}

/* Whether weights are apart from where they are packed. */
FFN_APART int ffn_pack_apart(const void *packed, size_t bytes, const ffn_stage *stages,
    size_t count, const ffn_weights *weights) {
  const ffn_span to = ffn_span_bytes(packed, bytes);
  for (size_t s = 0; s < count; ++s)
    for (size_t b = 0; b < stages[s].branches; ++b) {
      if (stages[s].matrix[b] == FFN_MATRIX_CHAIN && !weights->chain)
        return 0;
      const ffn_linear *linear = ffn_stage_linear(stages, weights, s, b);
      const ffn_span bias = ffn_span_vector(linear->bias, stages[s].outputs);
      if (!ffn_matrix_apart(&stages[s], linear, packed, bytes) || !ffn_span_apart(&to, &bias))
        return 0;
    }
  return 1;
}

/* Whether a matrix has f32 scales so small, and not 0, that a part of one is no f32: formats divide
 * them by powers of two. f16 and bf16 have none such. */
FFN_APART int ffn_scales_tiny(const ffn_stage *stage, const ffn_linear *linear) {
  const ffn_block_size block = ffn_source_block(linear->source);
  const size_t count = ffn_matrix_scales(block, linear->scale_rows, stage->outputs, stage->inputs);
  const float *scales = (const float *)linear->scales;
  if (block.scale != sizeof *scales || !scales)
    return 0;
  for (size_t i = 0; i < count; ++i)
    if (scales[i] != 0.0f && scales[i] > -0x1p-100f && scales[i] < 0x1p-100f)
      return 1;
  return 0;
}

/* What packs and unpacks a format: a group of `k` inputs of one output at a time. Its lines are
 * `bytes` in a panel for itself; `head` are those that a panel has once, in front of all groups. So
 * many `members` lie side by side, panels and branches, of all of whose outputs `lane` is one. */
typedef struct ffn_packing {
  size_t k, bytes, head;
  const ffn_block_size *own; /* of the format's own numbers, or NULL */
  /* What pack() is handed behind the weights of a group, of those of a scale; NULL: nothing. */
  float (*row)(const float *weights, size_t inputs);
  /* NULL: floats are not taken. */
  void (*pack)(char *group, size_t members, size_t lane, const float *w, char *head);
  void (*unpack)(const char *group, size_t members, size_t lane, float *w, const char *head);
  /* The same of the blocks of a group, a scale and a zero; NULL: a format has none. */
  void (*take)(char *group, size_t members, size_t lane, const void *own, char *head);
  void (*give)(const char *group, size_t members, size_t lane, void *own, const char *head);
} ffn_packing;

/* How what a matrix holds lies: floats, or the format's own numbers. */
FFN_SHARED ffn_block_size ffn_packing_block(const ffn_packing *packing, ffn_source source) {
  const ffn_block_size *own = packing->own;
  if (source == FFN_SOURCE_F32 || !own)
    return ffn_block_of(1, sizeof(float), sizeof(float), 0, 0, 0, 0);
  return ffn_block_of(
      own->inputs, own->bytes, own->align, own->every, own->scale, own->zero, own->none);
}

/* The blocks of a group, and behind them its scale and its zero, which stand elsewhere. */
typedef union ffn_own_blocks {
  uint16_t number;
  float scale;
  unsigned char bytes[FFN_MOST_BLOCK];
} ffn_own_blocks;

/* Where an output of a branch stands in the panels of a stage. */
typedef struct ffn_panel_place {
  size_t head; /* bytes in front of its bundle */
  size_t at, step; /* in front of the first group, and from there to the next */
  size_t members, lane;
} ffn_panel_place;

/* Bytes of a panel of so many inputs: what it has once, and its groups, of which the last is filled
 * up. */
FFN_SHARED size_t ffn_panel_bytes(const ffn_packing *packing, size_t inputs) {
  return packing->head + (inputs + packing->k - 1) / packing->k * packing->bytes;
}

/* In bundles of `width` columns, which the panels of a stage are a multiple of. */
FFN_SHARED ffn_panel_place ffn_panel_at(const ffn_packing *packing, size_t inputs, size_t branches,
    size_t width, size_t branch, size_t output) {
  const size_t panel = ffn_panel_bytes(packing, inputs);
  const size_t members = width / FFN_PANEL * branches;
  const size_t member = output % width / FFN_PANEL * branches + branch;
  const size_t head = output / width * members * panel;
  const ffn_panel_place place = {head, head + members * packing->head, members * packing->bytes,
      members, member * FFN_PANEL + output % FFN_PANEL};
  return place;
}

/* Floats or blocks of which one is read. */
typedef struct ffn_numbers {
  const char *at; /* NULL: there are none, and zeros stand for them */
  size_t step, count; /* bytes from one to the next; inputs that there are: behind them are zeros */
  float row; /* of floats: what they share */
  const char *scale,
      *zero; /* of blocks: NULL: of bytes 0, and the zero that a matrix without has */
  ffn_source source;
} ffn_numbers;

/* Bytes from a place, or so many of a value where there is none. */
FFN_SHARED size_t ffn_own_put(
    ffn_own_blocks *own, size_t at, const char *from, size_t bytes, size_t otherwise) {
  for (size_t b = 0; b < bytes && at + b < FFN_MOST_BLOCK; ++b)
    own->bytes[at + b] = from ? ((const unsigned char *)from)[b] : (unsigned char)otherwise;
  return at + bytes;
}

/* What take() is handed of a group. */
FFN_SHARED void ffn_own_of(ffn_own_blocks *own, const ffn_packing *packing, ffn_numbers from) {
  const ffn_block_size block = ffn_packing_block(packing, from.source);
  const size_t count = from.at ? from.count : 0;
  size_t at = 0;
  for (size_t k = 0; k < packing->k; k += block.inputs)
    at = ffn_own_put(
        own, at, k < count ? from.at + k / block.inputs * from.step : NULL, block.bytes, 0);
  at = ffn_own_put(own, at, from.scale, block.scale, 0);
  ffn_own_put(own, at, from.zero, block.zero, block.none);
}

/* Sums of squares over floats: of what is packed minus what was read, and of what was read. */
typedef struct ffn_pack_error {
  double errors, numbers;
} ffn_pack_error;

/* Adds `count` floats at `from`, and what is packed of them. */
FFN_SHARED void ffn_pack_error_add(
    ffn_pack_error *error, ffn_numbers from, size_t count, const float *group) {
  for (size_t k = 0; k < count; ++k) {
    const double number = (double)*(const float *)(const void *)(from.at + k * from.step);
    const double off = (double)group[k] - number;
    error->errors += off * off;
    error->numbers += number * number;
  }
}

/* Packs a group. Whether what it holds now is finite. Floats are added to `error`, unless it is
 * NULL. */
FFN_SHARED uint32_t ffn_pack_group(const ffn_packing *packing, char *panels,
    const ffn_panel_place *place, size_t index, ffn_numbers from, float *group,
    ffn_pack_error *error) {
  char *to = panels + place->at + index * place->step, *head = panels + place->head;
  const size_t count = from.at ? ffn_min(from.count, packing->k) : 0;
  uint32_t finite = 1;
  if (from.source == FFN_SOURCE_F32 && packing->pack) {
    for (size_t k = 0; k < packing->k; ++k)
      group[k] = k < count ? *(const float *)(const void *)(from.at + k * from.step) : 0.0f;
    if (packing->row)
      group[packing->k] = from.row;
    packing->pack(to, place->members, place->lane, group, head);
  } else if (packing->take) {
    ffn_own_blocks own;
    ffn_own_of(&own, packing, from);
    packing->take(to, place->members, place->lane, &own, head);
  }
  packing->unpack(to, place->members, place->lane, group, head);
  if (error && from.source == FFN_SOURCE_F32)
    ffn_pack_error_add(error, from, count, group);
  for (size_t k = 0; k < packing->k; ++k)
    finite &= (ffn_bits(group[k]) & 0x7f800000) != 0x7f800000; /* the exponent of Inf and NaN */
  return finite;
}

/* What is read of a row from input k on; of a row that is not there zeros. */
FFN_SHARED ffn_numbers ffn_numbers_of(const ffn_linear *linear, ffn_block_size block, size_t inputs,
    const char *row, size_t output, size_t k, float shared) {
  const ffn_numbers from = {row ? row + k / block.inputs * block.bytes : NULL, block.bytes,
      inputs - k, shared,
      row ? ffn_source_beside(
                linear->scales, linear->scale_rows, block.scale, block, inputs, output, k)
          : NULL,
      row ? ffn_source_beside(
                linear->zeros, linear->scale_rows, block.zero, block, inputs, output, k)
          : NULL,
      linear->source};
  return from;
}

/* Whether a matrix has the scales that its source has, and no others. */
FFN_SHARED int ffn_scales_fit(ffn_source source, const void *scales, const void *zeros) {
  const ffn_block_size block = ffn_source_block(source);
  return (block.scale > 0) == (scales != NULL) && (block.zero > 0 || !zeros) &&
         (uintptr_t)scales % (block.scale ? block.scale : 1) == 0;
}

/* Fills up with zeros what lies behind the panels of a stage, to the next alignment. */
FFN_SHARED void ffn_pack_pad(
    const ffn_packing *packing, char *panels, size_t outputs, size_t inputs, size_t branches) {
  static const char zeros[FFN_ALIGNMENT] = {0};
  const size_t bytes =
      ffn_round_up(outputs, FFN_PANEL) / FFN_PANEL * branches * ffn_panel_bytes(packing, inputs);
  FFN_MEMCPY(panels + bytes, zeros, ffn_round_up(bytes, FFN_ALIGNMENT) - bytes);
}

/* weights -> panels and biases of stage `index`, that lie `panels_at` and `bias_at` bytes behind
 * the header; 0: there are no biases. Notes in the header whether all that is held is finite.
 * `group` has room for as many floats. `errors` are sums of each branch, or NULL: none is asked
 * for. */
FFN_SHARED void ffn_pack_measured(ffn_packed_header *header, const ffn_packing *packing,
    size_t panels_at, size_t width, size_t bias_at, const ffn_stage *stages, size_t index,
    const ffn_weights *weights, float *group, ffn_pack_error *errors) {
  const ffn_stage *stage = &stages[index];
  char *panels = (char *)header + panels_at;
  float *bias = bias_at > 0 ? (float *)((char *)header + bias_at) : NULL;
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL);
  uint32_t finite = 1;
  FFN_ASSERT(stage->matrix[0] != FFN_MATRIX_CHAIN || weights->chain);
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_linear *linear = ffn_stage_linear(stages, weights, index, branch);
    FFN_ASSERT(linear->weight && !linear->bias == !bias); /* see ffn_weights_problem() */
    FFN_ASSERT(ffn_source_fits(stage, linear->source));
    FFN_ASSERT(ffn_scales_fit(linear->source, linear->scales, linear->zeros));
    FFN_ASSERT(!ffn_scales_tiny(stage, linear));
    FFN_ASSERT(ffn_rows_fit(linear->weight, linear->row_bytes, inputs, linear->source));
    const ffn_block_size block = ffn_packing_block(packing, linear->source);
    const size_t row_bytes = linear->row_bytes ? linear->row_bytes : ffn_block_row(block, inputs);
    for (size_t column = 0; column < columns; ++column) {
      const ffn_panel_place place =
          ffn_panel_at(packing, inputs, stage->branches, width, branch, column);
      const char *row = column < outputs ? (const char *)linear->weight + column * row_bytes : NULL;
      const int shares = row && packing->row && linear->source == FFN_SOURCE_F32;
      const size_t every = shares && packing->own->every ? packing->own->every : inputs;
      float shared = 0.0f;
      for (size_t k = 0; k < inputs; k += packing->k) {
        if (shares && k % every == 0)
          shared = packing->row((const float *)(const void *)row + k, ffn_min(every, inputs - k));
        const ffn_numbers from = ffn_numbers_of(linear, block, inputs, row, column, k, shared);
        finite &= ffn_pack_group(
            packing, panels, &place, k / packing->k, from, group, errors ? &errors[branch] : NULL);
      }
      if (bias)
        bias[branch * columns + column] = row ? linear->bias[column] : 0.0f;
    }
  }
  ffn_pack_pad(packing, panels, outputs, inputs, stage->branches);
  header->finite &= finite;
}

FFN_SHARED void ffn_pack_stage(ffn_packed_header *header, const ffn_packing *packing,
    size_t panels_at, size_t width, size_t bias_at, const ffn_stage *stages, size_t index,
    const ffn_weights *weights, float *group) {
  ffn_pack_measured(
      header, packing, panels_at, width, bias_at, stages, index, weights, group, NULL);
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
  default:
    break;
  }
  return to->chain ? &to->chain[stage] : NULL;
}

/* Puts the blocks of a group, of which `count` inputs are there, its scale and its zero where they
 * belong. */
FFN_SHARED void ffn_give_back(const ffn_packing *packing, size_t inputs,
    const ffn_unpacked_linear *to, char *row, size_t output, size_t k, size_t count,
    const ffn_own_blocks *own) {
  const ffn_block_size block = ffn_packing_block(packing, to->source);
  const size_t all = ffn_block_row(block, count);
  const unsigned char *beside = own->bytes + packing->k / block.inputs * block.bytes;
  /* Both were the caller's to write to when they came. */
  char *scale = (char *)(uintptr_t)ffn_source_beside(
      to->scales, to->scale_rows, block.scale, block, inputs, output, k);
  char *zero = (char *)(uintptr_t)ffn_source_beside(
      to->zeros, to->scale_rows, block.zero, block, inputs, output, k);
  FFN_MEMCPY(row + k / block.inputs * block.bytes, own->bytes, ffn_min(all, FFN_MOST_BLOCK));
  /* Zeros that are not wanted are those that a matrix without has. */
  FFN_ASSERT(zero || block.zero == 0 || beside[block.scale] == block.none);
  for (size_t b = 0; scale && b < block.scale; ++b)
    scale[b] = (char)beside[b];
  for (size_t b = 0; zero && b < block.zero; ++b)
    zero[b] = (char)beside[block.scale + b];
}

/* The way back. What has no memory is passed over. */
FFN_SHARED void ffn_unpack_stage(const ffn_unpacked *to, const ffn_packed_header *header,
    const ffn_packing *packing, size_t panels_at, size_t width, size_t bias_at,
    const ffn_stage *stages, size_t index, float *group) {
  const ffn_stage *stage = &stages[index];
  const char *panels = (const char *)header + panels_at;
  const float *bias = (const float *)((const char *)header + bias_at);
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL);
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_unpacked_linear *linear = ffn_stage_unpacked(stages, to, index, branch);
    if (!linear)
      continue;
    FFN_ASSERT(linear->source == FFN_SOURCE_F32 || linear->source == stage->source);
    FFN_ASSERT(!linear->weight || linear->source == FFN_SOURCE_F32 ||
               ffn_scales_fit(linear->source, linear->scales, linear->zeros));
    FFN_ASSERT(
        !linear->weight || ffn_rows_fit(linear->weight, linear->row_bytes, inputs, linear->source));
    const ffn_block_size block = ffn_packing_block(packing, linear->source);
    const size_t bytes = linear->row_bytes ? linear->row_bytes : ffn_block_row(block, inputs);
    for (size_t column = 0; linear->weight && column < outputs; ++column) {
      char *row = (char *)linear->weight + column * bytes;
      const ffn_panel_place place =
          ffn_panel_at(packing, inputs, stage->branches, width, branch, column);
      const char *from = panels + place.at;
      for (size_t k = 0; k < inputs; k += packing->k, from += place.step) {
        const size_t count = ffn_min(packing->k, inputs - k);
        if (linear->source == FFN_SOURCE_F32) {
          packing->unpack(from, place.members, place.lane, group, panels + place.head);
          FFN_MEMCPY(row + k * sizeof *group, group, count * sizeof *group);
        } else if (packing->give) {
          ffn_own_blocks own;
          packing->give(from, place.members, place.lane, &own, panels + place.head);
          ffn_give_back(packing, inputs, linear, row, column, k, count, &own);
        }
      }
    }
    if (bias_at > 0 && linear->bias)
      FFN_MEMCPY(linear->bias, bias + branch * columns, outputs * sizeof *bias);
  }
}
#endif

/*@ foot */
#endif
/*@ end */
