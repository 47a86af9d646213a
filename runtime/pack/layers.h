/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * layers.h - the layers of a plan become a packed file: see ffn_file.h. */
#ifndef FFN_PACK_LAYERS_H
#define FFN_PACK_LAYERS_H

#include "pack/output.h"
#include "pack/plan.h"
#include "pack/sources.h"

/* Where the parts of a packed file lie. */
typedef struct file_layout {
  size_t count; /* of layers that are packed */
  const plan_layer **layers; /* [count] */
  uint64_t *at; /* [count] */
  uint64_t head_bytes, bytes;
  size_t threads; /* as they are asked for, and as many of these as there is memory for */
  size_t part, tile, memory; /* that packing takes beside the maps: two and one a thread, and all */
  /* The error of each matrix whose numbers are rounded, of others -1, layer by layer: see errors.h.
   * NULL: nobody asks. */
  double *errors;
} file_layout;

/* Matrices of all layers. */
size_t file_layout_matrices(const file_layout *layout);

/* Where those layers lie that it names; the rest of it is 0 before. */
int file_layout_of(file_layout *to, const char *where, pack_problem *problem);
void file_layout_free(file_layout *layout);

/* Packs them. */
int layers_pack(
    const file_layout *layout, const pack_source *sources, pack_output *to, pack_problem *problem);

#endif
