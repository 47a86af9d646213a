/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_file.h - a model's packed weights in one file, as ffn-pack writes it: mapped, and a layer's
 * weights handed to its kernel. */
#ifndef FFN_FILE_H
#define FFN_FILE_H

#include "ffn.h"

#ifdef __cplusplus
extern "C" {
#endif
/*@ end */

/* Weights are packed once, mapped at every start, and shared by processes:
 *
 *     ffn_file file;
 *     const void *packed;
 *     ffn_file_status status = ffn_file_open(&file, "model.ffn");
 *     if (!status)
 *       status = ffn_file_packed(&file, ffn_file_find(&file, layer, 0), kernel, &packed);
 *     if (status)
 *       puts(ffn_file_status_text(status));
 *     ...
 *     ffn_file_close(&file);
 *
 * - open() reads the head alone, and checks all of it: sizes, places, its own checksum. What it
 *   takes, no later call reads beyond. ffn_file_check() reads a layer's bytes and tells whether
 *   they are those that were packed.
 * - Nothing is allocated, and a file that is open is never written to: any threads may use one.
 * - A mapped file must not be cut short while it is open: the system ends who reads beyond an end.
 *   Replace it by rename, as ffn-pack does.
 *
 * The file. All numbers are in the byte order of the machine that packed it, which `order` tells.
 *   0                 ffn_file_header
 *   64                ffn_file_entry[layers], ascending by layer and part
 *   behind them       words that entries say, each ended by a 0, to head_bytes
 *   multiples of 16 KiB, ascending: packed weights of each entry, as kernel->pack() makes them, in
 *                     the order of the entries; what lies between is 0
 * A checksum is XXH64 with seed 0: of a layer its bytes from the 64th to the end, and then its
 * first 64; of the head the header without the checksum, the entries and the words. */

#define FFN_FILE_VERSION 1
#define FFN_FILE_ORDER 0x01020304u
#define FFN_FILE_STEP 16384 /* layers begin at multiples of it: of every system's pages */

typedef struct ffn_file_header {
  char magic[8]; /* "FFNMODEL" */
  uint32_t order; /* FFN_FILE_ORDER */
  uint32_t version; /* FFN_FILE_VERSION */
  uint32_t layout; /* FFN_LAYOUT */
  uint32_t layers; /* how many entries */
  uint64_t bytes; /* of the file */
  uint64_t head_bytes; /* of header, entries and words */
  uint64_t zeros[2];
  uint64_t checksum; /* of the head */
} ffn_file_header;

typedef struct ffn_file_entry {
  uint64_t at, bytes; /* its packed weights: ffn_kernel.packed_bytes */
  uint64_t checksum;
  uint64_t packed; /* ffn_packed_header.packed: hash of the word below */
  uint64_t inputs, hidden, outputs; /* of the kernel */
  uint32_t layer, part; /* the model's layer, and which part of it: an expert, say, or 0 */
  uint32_t name_at; /* words, from the begin of the file: "model.layers.0.mlp" */
  uint32_t packed_at; /* ffn_kernel.packed */
  uint32_t formats_at; /* of its stages, with spaces between: "q4_0 q6_K" */
  uint32_t stages;
  uint64_t zeros[2];
} ffn_file_entry;

typedef enum ffn_file_status {
  FFN_FILE_OK = 0,
  FFN_FILE_SYSTEM, /* it cannot be opened or mapped: errno says why */
  FFN_FILE_FOREIGN, /* no such file */
  FFN_FILE_OTHER_ORDER, /* of a machine of the other byte order */
  FFN_FILE_OTHER_VERSION,
  FFN_FILE_OTHER_LAYOUT, /* of another FFN_LAYOUT: pack anew */
  FFN_FILE_TRUNCATED, /* shorter than its header says */
  FFN_FILE_CORRUPTED, /* sizes or places that cannot be, or a checksum that is not that of its bytes
                       */
  FFN_FILE_UNALIGNED, /* memory that does not begin at a multiple of FFN_ALIGNMENT */
  FFN_FILE_NO_LAYER, /* no such entry */
  FFN_FILE_OTHER_KERNEL, /* the layer is of a kernel of another ffn_kernel.packed */
  FFN_FILE_NO_MEMORY /* the arena has too few bytes left */
      FFN_WIDE_ENUM(FFN_FILE_WIDE)
} ffn_file_status;

/* An open file. Its fields are for reading. */
typedef struct ffn_file {
  const void *memory;
  size_t bytes;
  size_t layers; /* how many entries */
  int mapped; /* 1: by open() */
} ffn_file;

/* Maps a file. Where it fails, nothing is left open, and *file is empty. */
ffn_file_status ffn_file_open(ffn_file *file, const char *path);

/* The same of a file that is in memory already, which begins at a multiple of FFN_ALIGNMENT and
 * stays where it is as long as it is used. */
ffn_file_status ffn_file_in(ffn_file *file, const void *memory, size_t bytes);

/* Leaves *file empty. An empty one, as after a failure or another close, stays so; NULL is fine. */
void ffn_file_close(ffn_file *file);

/* Which entry is a part of a layer of the model: a layer that is one has part 0. file->layers where
 * there is none. */
size_t ffn_file_find(const ffn_file *file, uint32_t layer, uint32_t part);

/* The same of a name. */
size_t ffn_file_named(const ffn_file *file, const char *name);

/* An entry, or NULL; and its words, "" where there is none. */
const ffn_file_entry *ffn_file_entry_of(const ffn_file *file, size_t entry);
const char *ffn_file_name(const ffn_file *file, size_t entry);
const char *ffn_file_kernel(const ffn_file *file, size_t entry); /* ffn_kernel.packed */
const char *ffn_file_formats(const ffn_file *file, size_t entry);

/* *packed <- the packed weights of an entry, which kernel->run() takes; NULL where it fails. */
ffn_file_status ffn_file_packed(
    const ffn_file *file, size_t entry, const ffn_kernel *kernel, const void **packed);

/* The same in the next bytes of an arena: a mapped file lies in small pages, memory of ffn_alloc()
 * in huge ones, from which a token is decoded faster. */
ffn_file_status ffn_file_copy(const ffn_file *file, size_t entry, const ffn_kernel *kernel,
    ffn_arena *arena, const void **packed);

/* Whether the bytes of an entry are those that were packed: reads all of them. */
ffn_file_status ffn_file_check(const ffn_file *file, size_t entry);

/* A sentence for each; "?" out of range. */
const char *ffn_file_status_text(ffn_file_status status);

/*@ foot */
#ifdef __cplusplus
}
#endif
#endif
/*@ end */
