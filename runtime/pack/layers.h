/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * layers.h - the layers and tables of a plan become a packed file: see ffn_file.h. */
#ifndef FFN_PACK_LAYERS_H
#define FFN_PACK_LAYERS_H

#include "pack/file_layout.h"
#include "pack/output.h"
#include "pack/sources.h"

/* Packs them. */
int layers_pack(
    const file_layout *layout, const pack_source *sources, pack_output *to, pack_problem *problem);

#endif
