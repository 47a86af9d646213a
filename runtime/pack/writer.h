/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * writer.h - the one writer of files: a file is at its place when it is whole, and not before.
 *
 * - Nothing is written over but a regular file that begins as ours do: no file that is read, under
 *   whatever name; nobody else's; no device, pipe, socket, folder or symbolic link, wherever that
 *   leads. This is asked before anything is written, and again right before it is moved in. All
 *   names are looked up in the folder as it was opened at first: if another one gets its name
 *   meanwhile, nothing is written there.
 * - What is written has no name until it is whole, where the system has such files. Elsewhere, and
 *   for the moment in which it takes the place of another, its name is random, and its holder has
 *   a lock on it, which the system takes back however the holder ends. Every run removes what of
 *   this kind nobody holds, and touches nothing that somebody does. */
#ifndef FFN_PACK_WRITER_H
#define FFN_PACK_WRITER_H

#include "pack/input_file.h"

#include <stddef.h>

/* A file that must stay as it is. */
typedef struct kept_file {
  file_id id;
  const char *what; /* "the plan" */
} kept_file;

/* What may be written over, and what not. */
typedef struct writer_rules {
  const char *magic; /* the first bytes of our files */
  size_t magic_bytes; /* at most 16 */
  const kept_file *kept;
  size_t kept_count;
} writer_rules;

typedef struct file_writer {
  const char *path, *name; /* whole, and in its folder */
  writer_rules rules;
  int folder, descriptor; /* -1: none */
} file_writer;

/* Begins a file: to->descriptor is to be written to, by anybody. The path and what rules point to
 * stay the caller's. One file at a time. */
int writer_begin(
    file_writer *to, const char *path, const writer_rules *rules, pack_problem *problem);

/* Moves it to its place, when it is on the disk. */
int writer_end(file_writer *to, pack_problem *problem);

/* Forgets what was begun, and leaves nothing of it; fine at any time after writer_begin(). */
void writer_drop(file_writer *to);

#endif
