/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * output.h - the packed file: written, or held against what is there. */
#ifndef FFN_PACK_OUTPUT_H
#define FFN_PACK_OUTPUT_H

#include "pack/writer.h"

#include <stdint.h>

typedef struct pack_output {
  const char *path;
  file_writer writer;
  const char *there; /* what is compared, mapped; NULL: it is written */
  uint64_t bytes; /* of all */
  uint64_t done;
  long shown; /* the second of the last line about it; -1: none is shown */
} pack_output;

/* Nothing yet, which output_drop() takes. */
pack_output output_none(void);

/* Begins to write a file of so many bytes, but over none of those that are kept; or, where
 * `compares`, to compare one. */
int output_begin(pack_output *to, const char *path, uint64_t bytes, int compares,
    const kept_file *kept, size_t kept_count, pack_problem *problem);

/* Bytes for a place. Where files are compared, 0 with code_differs for the first that differs. */
int output_put(
    pack_output *to, uint64_t at, const void *memory, size_t bytes, pack_problem *problem);

/* Moves what was written to its place. */
int output_end(pack_output *to, pack_problem *problem);

/* Removes what was begun; fine at any time. */
void output_drop(pack_output *to);

#endif
