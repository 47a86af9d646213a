/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * parts.c - see parts.h. */
#include "pack/parts.h"
#include "pack/affine.h"
#include "pack/scaled.h"

#include "file_rows.h"

/* Inputs that are packed at a time, at least; panels of a bundle are aligned in so many of them. */
enum { part_inputs = 256, bundles_aligned = 4 };

uint64_t part_memory(const pack_cut *cut) {
  return sizeof(ffn_packed_header) + (uint64_t)ffn_round_up(cut->bytes, FFN_ALIGNMENT) +
         FFN_ALIGNMENT;
}

/* Numbers from a row of gathered ones to the next: rows that lie a power of two apart would share
 * few lines of a cache, where they are filled column by column. */
static size_t tile_pitch(size_t inputs) {
  return ffn_round_up(inputs, FFN_PANEL) / FFN_PANEL % 2
             ? ffn_round_up(inputs, FFN_PANEL)
             : ffn_round_up(inputs, FFN_PANEL) + FFN_PANEL;
}

pack_cut cut_of(const plan_stage *stage, int by_column) {
  const ffn_packing *packing = stage->format->packing;
  const size_t all = ffn_round_up(stage->outputs, FFN_PANEL);
  pack_cut to = {0, stage->inputs, ffn_panel_bytes(packing, stage->inputs), 0, 0};
  const size_t least = stage->width * bundles_aligned; /* 64 bytes are a part of as many */
  to.columns = by_column ? ffn_round_up(part_columns, least) : least;
  if (to.columns / FFN_PANEL * stage->branches * to.panel > PARTS_MOST_MEMORY / 4)
    to.columns = stage->width / FFN_PANEL * stage->branches * to.panel % FFN_ALIGNMENT == 0
                     ? stage->width
                     : least;
  to.columns = ffn_min(to.columns, all);
  /* What a panel has once is of all its inputs. */
  if (packing->head == 0 && !packing->row)
    to.inputs = ffn_min(stage->inputs, ffn_round_up(part_inputs, packing->k));
  to.bytes = to.columns / FFN_PANEL * stage->branches * to.panel;
  to.tile = to.columns * tile_pitch(to.inputs) * sizeof(float);
  return to;
}

/* Whether numbers are read where they lie. */
static int is_direct(const plan_stage *stage, const plan_numbers *from, const char *first) {
  const pack_encoding *e = &from->encoding;
  if (e->kind == encoding_blocks)
    return format_is_own(stage->format, e);
  return (e->kind == encoding_f32 || format_is_own(stage->format, e)) &&
         (from->column_bytes == e->bytes || stage->inputs == 1) &&
         (from->row_bytes >= plan_row(from, stage->inputs) || stage->outputs == 1) &&
         (uintptr_t)first % e->bytes == 0 && from->row_bytes % e->bytes == 0;
}

int is_by_column(const plan_numbers *from) { return from->row_bytes < from->column_bytes; }

const char *place_of(const pack_source *sources, const plan_numbers *from) {
  return sources[from->file].memory + from->first;
}

const char *what_helps(encoding_kind kind) {
  return kind == encoding_f64_rounded
             ? ": it is larger than all"
             : ": import the model with --decode, which rounds each number once";
}

/* Blocks as floats, of which rows begin `pitch` apart; parts of rows are whole blocks. */
static void gather_blocks(float *to, size_t pitch, const plan_numbers *from, const char *first,
    size_t outputs, size_t input, size_t inputs) {
  const pack_encoding *e = &from->encoding;
  const ffn_file_encoding *blocks = ffn_file_encoding_of(e->name);
  for (size_t o = 0; o < outputs; ++o)
    blocks->floats(to + o * pitch,
        (const unsigned char *)first + o * from->row_bytes + input / e->inputs * e->bytes, inputs);
}

int matrix_of(pack_slot *slot, const plan_stage *stage, const plan_matrix *matrix, char *tile,
    size_t output, size_t outputs, size_t input, size_t inputs, ffn_linear *to) {
  const plan_numbers *from = &matrix->weight;
  const size_t pitch = tile_pitch(inputs);
  if (encoding_is_scaled(from->encoding.kind))
    return scaled_gather(stage->format, matrix, slot->sources, stage->inputs, tile, output, outputs,
        input, inputs, to, &slot->problem);
  if (matrix->affine.gamma.tensor) {
    to->source = FFN_SOURCE_F32;
    to->weight = tile;
    to->row_bytes = pitch * sizeof(float);
    return affine_gather(matrix, slot->sources, (float *)(void *)tile, pitch, output, outputs,
        input, inputs, &slot->problem);
  }
  const pack_encoding *e = &from->encoding;
  const char *first = place_of(slot->sources, from);
  const int own = format_is_own(stage->format, e) && e->kind != encoding_f32;
  to->source = own ? stage->format->source : FFN_SOURCE_F32;
  if (is_direct(stage, from, first)) {
    to->weight = first + output * from->row_bytes + input / e->inputs * e->bytes;
    to->row_bytes = stage->outputs > 1 ? (size_t)from->row_bytes : 0;
    return 1;
  }
  if (e->kind == encoding_blocks) {
    to->weight = tile;
    to->row_bytes = pitch * sizeof(float);
    gather_blocks((float *)(void *)tile, pitch, from, first + output * from->row_bytes, outputs,
        input, inputs);
    return 1;
  }
  const pack_numbers part = {first + output * from->row_bytes + input * from->column_bytes,
      (size_t)from->row_bytes, (size_t)from->column_bytes, e->kind};
  size_t bad_output = 0, bad_input = 0;
  to->weight = tile;
  to->row_bytes = pitch * (own ? sizeof(uint16_t) : sizeof(float));
  if (own)
    gather_halves((uint16_t *)(void *)tile, pitch, part, outputs, inputs);
  else if (!gather_floats(
               (float *)(void *)tile, pitch, part, outputs, inputs, &bad_output, &bad_input))
    return fails(&slot->problem, code_bad_input, from->tensor,
        "its number of output %zu, input %zu is an f64 and not an f32%s", output + bad_output,
        input + bad_input, what_helps(e->kind));
  return 1;
}

int pack_part(pack_slot *slot) {
  const plan_stage *stage = slot->stage;
  const plan_matrix *matrices = slot->matrices;
  const pack_cut *cut = slot->cut;
  const size_t column = slot->column, count = slot->count;
  const ffn_packing *packing = stage->format->packing;
  const size_t outputs = ffn_min(count, stage->outputs - column);
  const size_t row_of = stage->branches * cut->panel;
  int tells = 0;
  for (size_t b = 0; slot->tells && b < stage->branches; ++b)
    tells |= error_is_told(stage, &matrices[b].weight);
  ffn_pack_error *errors = tells ? slot->error : NULL;
  for (size_t input = 0; input < stage->inputs; input += cut->inputs) {
    const size_t inputs = ffn_min(cut->inputs, stage->inputs - input);
    ffn_weights weights = {0};
    ffn_linear *const linears[FFN_MAX_BRANCHES] = {&weights.gate, &weights.up};
    ffn_linear whole[FFN_MAX_BRANCHES] = {{0}, {0}};
    for (size_t b = 0; b < stage->branches; ++b)
      if (!matrix_of(slot, stage, &matrices[b], slot->tile + b * cut->tile, column, outputs, input,
              inputs, &whole[b]))
        return 0;
    for (size_t first = 0; first < outputs; first += stage->width) {
      ffn_stage part = {0};
      part.inputs = inputs;
      part.outputs = ffn_min(stage->width, outputs - first);
      part.branches = stage->branches;
      part.matrix[1] = FFN_MATRIX_UP;
      part.source = packing->own ? stage->format->source : FFN_SOURCE_F32;
      part.source_alone = !packing->pack;
      const size_t panels = ffn_round_up(part.outputs, FFN_PANEL) / FFN_PANEL;
      for (size_t b = 0; b < stage->branches; ++b) {
        const size_t step = ffn_row_step(&part, whole[b].source, whole[b].row_bytes);
        const ffn_block_size block = ffn_packing_block(packing, whole[b].source);
        const size_t groups = first * ffn_block_scales(block, inputs);
        *linears[b] = whole[b];
        linears[b]->weight = (const char *)whole[b].weight + first * step;
        if (whole[b].scales)
          linears[b]->scales = (const char *)whole[b].scales + groups * block.scale;
        if (whole[b].zeros)
          linears[b]->zeros = (const char *)whole[b].zeros + groups * block.zero;
      }
      const size_t at = sizeof(ffn_packed_header) + first / FFN_PANEL * row_of +
                        input / packing->k * packing->bytes * panels * stage->branches;
      /* It fills up with zeros to the next alignment, over what stands there already. */
      char kept[FFN_ALIGNMENT],
          *end = slot->memory + at + ffn_panel_bytes(packing, inputs) * panels * stage->branches;
      memcpy(kept, end, sizeof kept);
      stage->format->pack(
          (ffn_packed_header *)(void *)slot->memory, at, stage->width, &part, &weights, errors);
      memcpy(end, kept, sizeof kept);
    }
  }
  return 1;
}
