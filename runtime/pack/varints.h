/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * varints.h - numbers that a model's file has as varints: integers of one to ten bytes, seven bits
 * in each. int32_data of ONNX has them. As import/varints.lua says. */
#ifndef FFN_PACK_VARINTS_H
#define FFN_PACK_VARINTS_H

#include "pack/problem.h"

#include <stddef.h>
#include <stdint.h>

/* What the integers are, and so many bytes for each; floats are stored as their bits. */
typedef struct varint_type {
  const char *name;
  size_t bytes;
  int64_t least, most;
} varint_type;

/* NULL: there is none of this name. */
const varint_type *varint_type_of(const char *name);

/* Writes `count` numbers one behind the other; these are all that the bytes from `from` on hold.
 * `where` has them, for messages. */
int varints_decode(char *to, size_t count, const varint_type *type, const char *from, size_t bytes,
    const char *where, pack_problem *problem);

#endif
