/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * sources.h - the files that a plan takes weights from, mapped. */
#ifndef FFN_PACK_SOURCES_H
#define FFN_PACK_SOURCES_H

#include "pack/input_file.h"
#include "pack/plan.h"

typedef struct pack_source {
  const char *memory; /* NULL: of no bytes */
  size_t bytes;
  file_id id;
} pack_source;

/* Maps the files of a plan, whose relative paths begin in `folder`, and refuses any that is not the
 * one that import read: of another size, or with another header. NULL where it fails. */
pack_source *sources_open(const pack_plan *plan, const char *folder, pack_problem *problem);
void sources_close(pack_source *sources, const pack_plan *plan);

#endif
