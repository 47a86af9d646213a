/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * file_head.h - the head of a packed file: see ffn_file.h. */
#ifndef FFN_PACK_FILE_HEAD_H
#define FFN_PACK_FILE_HEAD_H

#include "pack/file_layout.h"
#include "pack/output.h"

/* Puts the head; checksums are those of the layers, then those of the tables. */
int file_head_put(
    const file_layout *layout, const uint64_t *checksums, pack_output *to, pack_problem *problem);

#endif
