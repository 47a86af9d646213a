/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * file_layout.h - where the parts of a packed file lie. */
#ifndef FFN_PACK_FILE_LAYOUT_H
#define FFN_PACK_FILE_LAYOUT_H

#include "pack/plan.h"

typedef struct file_layout {
  size_t count, rows_count; /* of layers and of tables that are packed */
  const plan_layer **layers; /* [count] */
  const plan_rows *rows; /* [rows_count], the plan's */
  uint64_t *at, *rows_at; /* [count], [rows_count] */
  const char *plan; /* the plan's hash, or NULL */
  uint64_t head_bytes, bytes;
  size_t threads; /* as they are asked for, and as many of these as there is memory for */
  size_t part, tile, memory; /* that packing takes beside the maps: two and one a thread, and all */
  uint64_t decoded; /* bytes of varints' numbers, in memory, too */
  /* The error of each matrix whose numbers are rounded, of others -1, layer by layer: see errors.h.
   * NULL: nobody asks. */
  double *errors;
} file_layout;

/* Matrices of all layers. */
size_t file_layout_matrices(const file_layout *layout);

/* Bytes of a table in the file. */
uint64_t file_layout_rows_bytes(const file_layout *layout, size_t i);

/* Where those layers and tables lie that it names; the rest of it is 0 before. */
int file_layout_of(file_layout *to, const char *where, pack_problem *problem);
void file_layout_free(file_layout *layout);

#endif
