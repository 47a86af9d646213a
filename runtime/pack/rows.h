/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * rows.h - the tables of a plan go into the packed file: their rows one after the other, the
 * numbers of a row side by side, and each number or block as the model's file has it. */
#ifndef FFN_PACK_ROWS_H
#define FFN_PACK_ROWS_H

#include "pack/file_layout.h"
#include "pack/pipe.h"
#include "pack/sources.h"

/* Puts all tables, and what lies in front of each; their checksums. memory are two pieces of so
 * many bytes, one of which is filled while the other is written. 0: an f64 is no f32. */
int rows_pack(const file_layout *layout, const pack_source *sources, pack_pipe *pipe,
    char *const memory[2], size_t bytes, uint64_t *checksums, pack_problem *problem);

#endif
