/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * input_file.h - files that are read: regular ones, opened without waiting for what is none. */
#ifndef FFN_PACK_INPUT_FILE_H
#define FFN_PACK_INPUT_FILE_H

#include "pack/problem.h"

#include <stdint.h>

struct stat;

/* Which file a name leads to, whatever its name. */
typedef struct file_id {
  uint64_t device, number;
} file_id;

file_id file_id_of(const struct stat *about);
int file_id_same(file_id a, file_id b);

/* Opens a regular file to read it, and tells about it; -1 where that fails: errno says why, or 0
 * where it is no regular file. A pipe that nobody writes to, say, is not waited for. `code` is that
 * of a file that cannot be opened. */
int open_to_read(const char *path, struct stat *about, int code, pack_problem *problem);

#endif
