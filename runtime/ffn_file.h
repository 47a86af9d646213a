/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_file.h - maps a model's packed weights, a file that ffn-pack wrote, and hands the weights of
 * a layer to a kernel. */
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
 * - ffn_file_open() reads the head alone, and checks all of it: sizes, places, the checksum of the
 *   head. No later call reads beyond a file that ffn_file_open() took.
 * - Only ffn_file_check() compares the weights of an entry with their checksum.
 * - Nothing is allocated. An open file is never written to: any threads may use the same one.
 * - A mapped file must not be cut short while it is open: the system ends a program that reads
 *   beyond the end. Replace the file by rename(), as ffn-pack does.
 *
 * The format. All numbers are in the byte order of the machine that packed; `order` tells which.
 *   0                 ffn_file_header
 *   64                ffn_file_entry[layers], ascending by layer and part
 *   behind them       the words that entries name, each ended by a 0, up to head_bytes
 *   multiples of 16 KiB, ascending: the packed weights of each entry, as kernel->pack() makes them,
 *                     in the order of the entries; the bytes between are 0
 * A checksum is XXH64 with seed 0. That of a layer is over its bytes from the 64th to the end, then
 * its first 64. That of the head is over the header without the checksum, the entries and the
 * words. */

#define FFN_FILE_VERSION 1
#define FFN_FILE_ORDER 0x01020304u
#define FFN_FILE_STEP 16384 /* layers begin at multiples of it, a multiple of every page size */

typedef struct ffn_file_header {
  char magic[8]; /* "FFNMODEL" */
  uint32_t order; /* FFN_FILE_ORDER */
  uint32_t version; /* FFN_FILE_VERSION */
  uint32_t layout; /* FFN_LAYOUT */
  uint32_t layers; /* how many entries */
  uint64_t bytes; /* of the whole file */
  uint64_t head_bytes; /* of header, entries and words */
  uint64_t zeros[2];
  uint64_t checksum; /* of the head */
} ffn_file_header;

typedef struct ffn_file_entry {
  uint64_t at, bytes; /* where the packed weights begin; ffn_kernel.packed_bytes */
  uint64_t checksum;
  uint64_t packed; /* ffn_packed_header.packed: the hash of the word at packed_at */
  uint64_t inputs, hidden, outputs; /* of the kernel */
  uint32_t layer, part; /* the number in the model; the part, such as an expert, or 0 */
  /* Places of words, from the beginning of the file. */
  uint32_t name_at; /* "model.layers.0.mlp" */
  uint32_t packed_at; /* ffn_kernel.packed */
  uint32_t formats_at; /* of the stages, with spaces between: "q4_0 q6_K" */
  uint32_t stages;
  uint64_t zeros[2];
} ffn_file_entry;

typedef enum ffn_file_status {
  FFN_FILE_OK = 0,
  FFN_FILE_SYSTEM, /* the system cannot open or map the file: errno says why */
  FFN_FILE_FOREIGN, /* not a file of packed weights */
  FFN_FILE_OTHER_ORDER, /* written on a machine of the other byte order */
  FFN_FILE_OTHER_VERSION, /* another FFN_FILE_VERSION */
  FFN_FILE_OTHER_LAYOUT, /* another FFN_LAYOUT: pack again */
  FFN_FILE_TRUNCATED, /* shorter than its header says */
  FFN_FILE_CORRUPTED, /* impossible sizes or places, or a checksum that does not fit */
  FFN_FILE_UNALIGNED, /* the memory does not begin at a multiple of FFN_ALIGNMENT */
  FFN_FILE_NO_LAYER, /* no such entry */
  FFN_FILE_OTHER_KERNEL, /* the entry belongs to kernels of another ffn_kernel.packed */
  FFN_FILE_NO_MEMORY /* the arena has too few bytes left */
      FFN_WIDE_ENUM(FFN_FILE_WIDE)
} ffn_file_status;

/* An open file. Its fields are for reading. */
typedef struct ffn_file {
  const void *memory;
  size_t bytes;
  size_t layers; /* how many entries */
  int mapped; /* 1: ffn_file_open() mapped memory */
} ffn_file;

/* Maps a file. On failure nothing is left open, and *file is empty. */
ffn_file_status ffn_file_open(ffn_file *file, const char *path);

/* The same for a file whose bytes are in memory. memory begins at a multiple of FFN_ALIGNMENT and
 * stays in place as long as the file is used. */
ffn_file_status ffn_file_in(ffn_file *file, const void *memory, size_t bytes);

/* Unmaps the file and leaves *file empty. file may be empty already, or NULL. */
void ffn_file_close(ffn_file *file);

/* The number of the entry for a layer of the model and its part; part is 0 where a layer is a
 * single entry. file->layers: there is no such entry. */
size_t ffn_file_find(const ffn_file *file, uint32_t layer, uint32_t part);

/* The same by name. */
size_t ffn_file_named(const ffn_file *file, const char *name);

/* An entry, or NULL where there is none; and its words, "" where there is no entry. */
const ffn_file_entry *ffn_file_entry_of(const ffn_file *file, size_t entry);
const char *ffn_file_name(const ffn_file *file, size_t entry);
const char *ffn_file_kernel(const ffn_file *file, size_t entry); /* ffn_kernel.packed */
const char *ffn_file_formats(const ffn_file *file, size_t entry);

/* *packed <- the packed weights of an entry, for kernel->run(); NULL on failure. */
ffn_file_status ffn_file_packed(
    const ffn_file *file, size_t entry, const ffn_kernel *kernel, const void **packed);

/* The same, copied into the next bytes of an arena. A mapped file lies in small pages, memory of
 * ffn_alloc() in huge pages, from which a token is decoded faster. */
ffn_file_status ffn_file_copy(const ffn_file *file, size_t entry, const ffn_kernel *kernel,
    ffn_arena *arena, const void **packed);

/* Reads all bytes of an entry. FFN_FILE_CORRUPTED: they do not have the checksum of the entry. */
ffn_file_status ffn_file_check(const ffn_file *file, size_t entry);

/* A sentence for each status; "?": out of range. */
const char *ffn_file_status_text(ffn_file_status status);

/*@ foot */
#ifdef __cplusplus
}
#endif
#endif
/*@ end */
