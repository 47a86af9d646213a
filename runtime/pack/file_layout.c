/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * file_layout.c - see file_layout.h. */
#include "pack/file_layout.h"
#include "ffn_file.h"
#include "pack/parts.h"

#include <stdlib.h>

/* Bytes of the words of a layer, each with its 0. */
static size_t word_bytes(const plan_layer *layer) {
  size_t bytes = strlen(layer->name) + 1 + strlen(layer->kernel->packed) + 1;
  for (size_t s = 0; s < layer->kernel->stage_count; ++s)
    bytes += strlen(layer->kernel->stages[s].format->name) + 1;
  return bytes;
}

/* Memory that a layer takes: of a part, and of gathered numbers, both raised to it. */
static void memory_of(const plan_layer *layer, uint64_t *part, uint64_t *tile) {
  const plan_matrix *matrix = layer->matrices;
  for (size_t s = 0; s < layer->kernel->stage_count; ++s) {
    const plan_stage *stage = &layer->kernel->stages[s];
    const pack_cut cut = cut_of(stage, is_by_column(&matrix->weight));
    const uint64_t parts = part_memory(&cut), tiles = (uint64_t)cut.tile * stage->branches;
    *part = parts > *part ? parts : *part;
    *tile = tiles > *tile ? tiles : *tile;
    matrix += stage->branches;
  }
}

int file_layout_of(file_layout *to, const char *where, pack_problem *problem) {
  uint64_t words = 0, tile = 0;
  uint64_t part = sizeof(ffn_packed_header) + part_columns * sizeof(float); /* of biases */
  to->at = (uint64_t *)calloc(to->count + to->rows_count + 1, sizeof *to->at);
  if (!to->at)
    return fails(problem, code_failure, where, "no memory for %zu layers", to->count);
  to->rows_at = to->at + to->count;
  for (size_t i = 0; i < to->count; ++i) {
    memory_of(to->layers[i], &part, &tile);
    if (2 * part + tile > PARTS_MOST_MEMORY)
      return fails(problem, code_bad_input, to->layers[i]->name,
          "packing needs %llu MiB of memory, and ffn-pack takes at most %llu",
          (unsigned long long)((2 * part + tile) >> 20),
          (unsigned long long)(PARTS_MOST_MEMORY >> 20));
    words += word_bytes(to->layers[i]);
  }
  for (size_t i = 0; i < to->rows_count; ++i)
    words += strlen(to->rows[i].name) + 1 + strlen(rows_encoding(&to->rows[i].numbers)) + 1;
  /* Fewer threads than were asked for, where the memory of all would be too much. */
  to->threads = ffn_min(ffn_max(to->threads, 1), (size_t)(PARTS_MOST_MEMORY / (2 * part + tile)));
  to->part = (size_t)part;
  to->tile = (size_t)tile;
  to->memory = to->threads * (size_t)(2 * part + tile);
  to->head_bytes = sizeof(ffn_file_header) + to->count * sizeof(ffn_file_entry) +
                   to->rows_count * sizeof(ffn_file_rows) + words +
                   (to->plan ? sizeof "plan " + strlen(to->plan) : 0);
  if (to->head_bytes > UINT32_MAX)
    return fails(problem, code_bad_input, where, "its names are too long for one file");
  to->bytes = to->head_bytes;
  for (size_t i = 0; i < to->count; ++i) {
    to->at[i] = (to->bytes + FFN_FILE_STEP - 1) / FFN_FILE_STEP * FFN_FILE_STEP;
    to->bytes = to->at[i] + to->layers[i]->kernel->packed_bytes;
    if (to->bytes > PLAN_MOST_BYTES)
      return fails(problem, code_bad_input, where, "its layers are too large for one file");
  }
  for (size_t i = 0; i < to->rows_count; ++i) {
    to->rows_at[i] = (to->bytes + FFN_ALIGNMENT - 1) / FFN_ALIGNMENT * FFN_ALIGNMENT;
    to->bytes = to->rows_at[i] + file_layout_rows_bytes(to, i);
    if (to->bytes > PLAN_MOST_BYTES)
      return fails(problem, code_bad_input, where, "its rows are too large for one file");
  }
  return 1;
}

uint64_t file_layout_rows_bytes(const file_layout *layout, size_t i) {
  return layout->rows[i].count * plan_row(&layout->rows[i].numbers, layout->rows[i].width);
}

size_t file_layout_matrices(const file_layout *layout) {
  size_t count = 0;
  for (size_t i = 0; i < layout->count; ++i)
    count += layout->layers[i]->kernel->matrix_count;
  return count;
}

void file_layout_free(file_layout *layout) {
  free(layout->errors);
  free(layout->at);
  free((void *)layout->layers);
}
