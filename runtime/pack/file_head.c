/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * file_head.c - see file_head.h. */
#include "pack/file_head.h"
#include "xxh64.h"

#include <stdlib.h>

/* Adds a word at *at, which moves behind it. */
static uint32_t word(char *head, size_t *at, const char *text, char end) {
  const size_t first = *at, bytes = strlen(text);
  memcpy(head + first, text, bytes);
  head[first + bytes] = end;
  *at = first + bytes + 1;
  return (uint32_t)first;
}

/* The entry of a layer, and its words in the head. */
static ffn_file_entry entry_of(
    char *head, size_t *at, const plan_layer *layer, uint64_t place, uint64_t checksum) {
  const plan_kernel *kernel = layer->kernel;
  ffn_file_entry entry = {0};
  entry.at = place;
  entry.bytes = kernel->packed_bytes;
  entry.checksum = checksum;
  entry.packed = ffn_name_hash(kernel->packed);
  entry.inputs = kernel->inputs;
  entry.hidden = kernel->hidden;
  entry.outputs = kernel->outputs;
  entry.layer = layer->index;
  entry.part = layer->part;
  entry.stages = (uint32_t)kernel->stage_count;
  entry.name_at = word(head, at, layer->name, 0);
  entry.packed_at = word(head, at, kernel->packed, 0);
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const char end = s + 1 < kernel->stage_count ? ' ' : 0;
    const uint32_t first = word(head, at, kernel->stages[s].format->name, end);
    entry.formats_at = s == 0 ? first : entry.formats_at;
  }
  return entry;
}

/* The same of a table. */
static ffn_file_rows table_of(
    char *head, size_t *at, const file_layout *layout, size_t i, uint64_t checksum) {
  const plan_rows *rows = &layout->rows[i];
  ffn_file_rows table = {0};
  table.at = layout->rows_at[i];
  table.bytes = file_layout_rows_bytes(layout, i);
  table.checksum = checksum;
  table.count = rows->count;
  table.width = rows->width;
  table.name_at = word(head, at, rows->name, 0);
  table.encoding_at = word(head, at, rows_encoding(&rows->numbers), 0);
  return table;
}

int file_head_put(
    const file_layout *layout, const uint64_t *checksums, pack_output *to, pack_problem *problem) {
  char *head = (char *)calloc(1, (size_t)layout->head_bytes);
  const size_t tables_at = sizeof(ffn_file_header) + layout->count * sizeof(ffn_file_entry);
  size_t at = tables_at + layout->rows_count * sizeof(ffn_file_rows);
  ffn_file_header header = {{'F', 'F', 'N', 'M', 'O', 'D', 'E', 'L'}, FFN_FILE_ORDER,
      FFN_FILE_VERSION, FFN_LAYOUT, (uint32_t)layout->count, layout->bytes, layout->head_bytes,
      layout->rows_count, 0, 0};
  if (!head)
    return fails(problem, code_failure, "memory", "there is none left");
  for (size_t i = 0; i < layout->count; ++i) {
    const ffn_file_entry entry =
        entry_of(head, &at, layout->layers[i], layout->at[i], checksums[i]);
    memcpy(head + sizeof header + i * sizeof entry, &entry, sizeof entry);
  }
  for (size_t i = 0; i < layout->rows_count; ++i) {
    const ffn_file_rows table = table_of(head, &at, layout, i, checksums[layout->count + i]);
    memcpy(head + tables_at + i * sizeof table, &table, sizeof table);
  }
  if (layout->plan) {
    word(head, &at, "plan", ' ');
    word(head, &at, layout->plan, 0);
  }
  memcpy(head, &header, sizeof header);
  header.checksum = ffn_file_head_checksum(head, (size_t)layout->head_bytes);
  memcpy(head, &header, sizeof header);
  const int done = output_put(to, 0, head, (size_t)layout->head_bytes, problem);
  free(head);
  return done;
}
