/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_file.h - maps a model's packed weights, a file that ffn-pack wrote, hands the weights of a
 * layer to a kernel, and gives rows of tables as floats. */
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
 *     if (!status)
 *       status = ffn_file_row(&file, ffn_file_rows_named(&file, "embedding"), token, floats);
 *     if (status)
 *       puts(ffn_file_status_text(status));
 *     ...
 *     ffn_file_close(&file);
 *
 * - ffn_file_open() reads the head alone, and checks all of it: sizes, places, the checksum of the
 *   head. No later call reads beyond a file that ffn_file_open() took.
 * - Only ffn_file_check() compares the weights of an entry with their checksum, and
 *   ffn_file_check_rows() those of a table.
 * - Nothing is allocated. An open file is never written to: any threads may use the same one.
 * - A mapped file must not be cut short while it is open: the system ends a program that reads
 *   beyond the end. Replace the file by rename(), as ffn-pack does.
 *
 * The format. All numbers are in the byte order of the machine that packed; `order` tells which.
 *   0                 ffn_file_header
 *   64                ffn_file_entry[layers], ascending by layer and part
 *   behind them       ffn_file_rows[rows], ascending by name, byte by byte; in version 1 none
 *   behind them       the words that both name, each ended by a 0; the last word, up to head_bytes,
 *                     may be "plan " and the hash of the plan that the file was packed by
 *   multiples of 16 KiB, ascending: the packed weights of each entry, as kernel->pack() makes them,
 *                     in the order of the entries
 *   multiples of 64, ascending: the rows of each table, in the order of the tables; the rows of a
 *                     table follow each other without gaps, each as the model's file has it
 * The bytes between are 0. A checksum is XXH64 with seed 0. That of a layer is over its bytes from
 * the 64th to the end, then its first 64; that of rows is over their bytes. That of the head is
 * over the header without the checksum, the entries, the tables and the words. */

#define FFN_FILE_VERSION 2 /* 1 is read, too */
#define FFN_FILE_ORDER 0x01020304u
#define FFN_FILE_STEP 16384 /* layers begin at multiples of it, a multiple of every page size */

/* Parts of a model's layer: 0 is its feed-forward layer, and small numbers are its experts. From
 * 2^31 on they are other products. A product of several outputs has them in this order. The layer
 * of attention is that of the feed-forward layer of its block; blocks of a decoder follow those of
 * an encoder. */
#define FFN_PART_QKV 0x80000000u /* q, k, v of attention; one output: in the model's own order */
#define FFN_PART_O 0x80000001u /* what attention gives, to the block */
#define FFN_PART_CROSS_Q 0x80000002u /* q of attention to an encoder */
#define FFN_PART_CROSS_KV 0x80000003u /* k and v of it, whose x is the encoder's */
#define FFN_PART_CROSS_O 0x80000004u /* what it gives, to the block */
#define FFN_PART_HEAD 0x80000005u /* logits; its layer is the number of layers */
#define FFN_PART_SHARED 0x80000006u /* of a mixture: the expert that all tokens take */
#define FFN_PART_ROUTER 0x80000007u /* and its logits; with a shared gate: one output more */
#define FFN_PART_OTHER 0x80000100u /* from here on all others, in the model's order: by name */

typedef struct ffn_file_header {
  char magic[8]; /* "FFNMODEL" */
  uint32_t order; /* FFN_FILE_ORDER */
  uint32_t version; /* FFN_FILE_VERSION, or 1 */
  uint32_t layout; /* FFN_LAYOUT */
  uint32_t layers; /* how many entries */
  uint64_t bytes; /* of the whole file */
  uint64_t head_bytes; /* of header, entries, tables and words */
  uint64_t rows; /* how many tables; in version 1: 0 */
  uint64_t zero;
  uint64_t checksum; /* of the head */
} ffn_file_header;

typedef struct ffn_file_entry {
  uint64_t at, bytes; /* where the packed weights begin; ffn_kernel.packed_bytes */
  uint64_t checksum;
  uint64_t packed; /* ffn_packed_header.packed: the hash of the word at packed_at */
  uint64_t inputs, hidden, outputs; /* of the kernel */
  uint32_t layer, part; /* as ffn_file_find() takes them */
  /* Places of words, from the beginning of the file. */
  uint32_t name_at; /* "model.layers.0.mlp" */
  uint32_t packed_at; /* ffn_kernel.packed */
  uint32_t formats_at; /* of the stages, with spaces between: "q4_0 q6_K" */
  uint32_t stages;
  uint64_t zeros[2];
} ffn_file_entry;

/* A table of numbers that no kernel takes: norms, embeddings, positions. A vector is one row. */
typedef struct ffn_file_rows {
  uint64_t at, bytes; /* where its first row begins; of all rows */
  uint64_t checksum;
  uint64_t count, width; /* of rows, and of numbers in each */
  uint32_t name_at; /* "model.norm.weight" */
  uint32_t encoding_at; /* "f32", "f16", "bf16", "f64", or a format of blocks, such as "q4_K" */
  uint64_t zeros[2];
} ffn_file_rows;

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
  FFN_FILE_NO_MEMORY, /* the arena has too few bytes left */
  FFN_FILE_NO_ROW /* no such table, or no such row of it */
      FFN_WIDE_ENUM(FFN_FILE_WIDE)
} ffn_file_status;

/* An open file. Its fields are for reading. */
typedef struct ffn_file {
  const void *memory;
  size_t bytes;
  size_t layers; /* how many entries */
  int mapped; /* 1: ffn_file_open() mapped memory */
  size_t rows; /* how many tables */
} ffn_file;

/* Maps a file. On failure nothing is left open, and *file is empty. */
ffn_file_status ffn_file_open(ffn_file *file, const char *path);

/* The same for a file whose bytes are in memory. memory begins at a multiple of FFN_ALIGNMENT and
 * stays in place as long as the file is used. */
ffn_file_status ffn_file_in(ffn_file *file, const void *memory, size_t bytes);

/* Unmaps the file and leaves *file empty. file may be empty already, or NULL. */
void ffn_file_close(ffn_file *file);

/* The hash of the plan that the file was packed by: `xxh64` of its PLAN.json; "": nobody told. */
const char *ffn_file_plan(const ffn_file *file);

/* The number of the entry for a layer of the model and its part: 0 where its feed-forward layer is
 * a single entry, an expert's number, or one of FFN_PART_. file->layers: there is no such entry. */
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

/* The same, by what the head tells alone: no byte of the weights is read. For entries that are too
 * many to look at each: every look is a page that comes from the disk. */
ffn_file_status ffn_file_placed(
    const ffn_file *file, size_t entry, const ffn_kernel *kernel, const void **packed);

/* As ffn_file_packed(), copied into the next bytes of an arena. A mapped file lies in small pages,
 * memory of ffn_alloc() in huge pages, from which a token is decoded faster. */
ffn_file_status ffn_file_copy(const ffn_file *file, size_t entry, const ffn_kernel *kernel,
    ffn_arena *arena, const void **packed);

/* Reads all bytes of an entry. FFN_FILE_CORRUPTED: they do not have the checksum of the entry. */
ffn_file_status ffn_file_check(const ffn_file *file, size_t entry);

/* For models that are larger than memory, such as those of many experts. want: the system begins to
 * read the weights of an entry into memory, and the call does not wait. forget: their pages leave
 * the memory of the process; who reads the weights again gets the same bytes. Of a file that is not
 * mapped, and where the system takes no such wishes, nothing happens. */
ffn_file_status ffn_file_want(const ffn_file *file, size_t entry);
ffn_file_status ffn_file_forget(const ffn_file *file, size_t entry);

/* The number of the table of a name; file->rows: there is none. */
size_t ffn_file_rows_named(const ffn_file *file, const char *name);

/* A table, or NULL where there is none; and its words, "" where there is none. Its bytes begin at
 * (const char *)file->memory + at, a multiple of FFN_ALIGNMENT. */
const ffn_file_rows *ffn_file_rows_of(const ffn_file *file, size_t rows);
const char *ffn_file_rows_name(const ffn_file *file, size_t rows);
const char *ffn_file_rows_encoding(const ffn_file *file, size_t rows);

/* out[0 .. width - 1] <- a row of a table: f16, bf16 and blocks exactly as unpack() gives such
 * weights, f64 rounded to the nearest float. */
ffn_file_status ffn_file_row(const ffn_file *file, size_t rows, uint64_t row, float *out);

/* Reads all bytes of a table. FFN_FILE_CORRUPTED: they do not have its checksum. */
ffn_file_status ffn_file_check_rows(const ffn_file *file, size_t rows);

/* A sentence for each status; "?": out of range. */
const char *ffn_file_status_text(ffn_file_status status);

/*@ foot */
#ifdef __cplusplus
}
#endif
#endif
/*@ end */
