/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_file.c - packed weights in a file: see ffn_file.h. */
#include "ffn_file.h"

#include <string.h>
/*@ end */
#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef O_CLOEXEC
#define FFN_FILE_ALONE O_CLOEXEC
#else
#define FFN_FILE_ALONE 0 /* hidden by -std=c11 */
#endif
#if defined(MADV_WILLNEED) && defined(MADV_DONTNEED)
#define FFN_FILE_WANTED MADV_WILLNEED
#define FFN_FILE_FORGOTTEN MADV_DONTNEED
#elif defined(__linux__) && !defined(__cplusplus) && !defined(__alpha__) && !defined(__hppa__)
/* Hidden by -std=c11. */
int madvise(void *memory, size_t bytes, int advice);
#define FFN_FILE_WANTED 3
#define FFN_FILE_FORGOTTEN 4
#endif
#endif

#include "exact.h"
#include "file_rows.h"
#include "xxh64.h"

static ffn_file ffn_file_empty(void) {
  const ffn_file empty = {NULL, 0, 0, 0, 0};
  return empty;
}

static ffn_file_header ffn_file_header_of(const void *memory) {
  ffn_file_header header;
  memcpy(&header, memory, sizeof header);
  return header;
}

static uint32_t ffn_file_swapped(uint32_t x) {
  return x >> 24 | (x >> 8 & 0xff00u) | (x & 0xff00u) << 8 | x << 24;
}

/* Where a header stands alone: it is one, and of this machine. */
static ffn_file_status ffn_file_header_status(const ffn_file_header *header) {
  if (memcmp(header->magic, "FFNMODEL", sizeof header->magic) != 0)
    return FFN_FILE_FOREIGN;
  if (header->order == ffn_file_swapped(FFN_FILE_ORDER))
    return FFN_FILE_OTHER_ORDER;
  if (header->order != FFN_FILE_ORDER)
    return FFN_FILE_CORRUPTED;
  if (header->version < 1 || header->version > FFN_FILE_VERSION)
    return FFN_FILE_OTHER_VERSION;
  return header->layout == FFN_LAYOUT ? FFN_FILE_OK : FFN_FILE_OTHER_LAYOUT;
}

/* Where the words of the head begin, behind the entries and tables. */
static uint64_t ffn_file_words_at(const ffn_file_header *header) {
  return sizeof *header + (uint64_t)header->layers * sizeof(ffn_file_entry) +
         header->rows * sizeof(ffn_file_rows);
}

/* Whether the head has room for what it counts. Version 1 has no tables. */
static int ffn_file_head_fits(const ffn_file_header *header) {
  const uint64_t most = header->bytes / sizeof(ffn_file_rows);
  return header->head_bytes <= header->bytes && header->rows <= most && header->zero == 0 &&
         (header->version > 1 || header->rows == 0) &&
         header->head_bytes > ffn_file_words_at(header);
}

/* Whether a word begins among those of the head; the last byte of the head, which is 0, ends it. */
static int ffn_file_word_fits(const ffn_file_header *header, uint32_t at) {
  return at >= ffn_file_words_at(header) && at < header->head_bytes;
}

/* Whether an entry lies where it may, behind the byte `from`. */
static int ffn_file_entry_fits(
    const ffn_file_header *header, const ffn_file_entry *entry, uint64_t from) {
  return entry->at >= from && entry->at % FFN_FILE_STEP == 0 && entry->at <= header->bytes &&
         entry->bytes >= FFN_ALIGNMENT && entry->bytes % FFN_ALIGNMENT == 0 &&
         entry->bytes <= header->bytes - entry->at && ffn_file_word_fits(header, entry->name_at) &&
         ffn_file_word_fits(header, entry->packed_at) &&
         ffn_file_word_fits(header, entry->formats_at);
}

/* -1, 0, 1: as parts of a model are in order. */
static int ffn_file_compare(const ffn_file_entry *entry, uint32_t layer, uint32_t part) {
  if (entry->layer != layer)
    return entry->layer < layer ? -1 : 1;
  return entry->part < part ? -1 : entry->part > part;
}

static const ffn_file_entry *ffn_file_entries(const void *memory) {
  return (const ffn_file_entry *)(const void *)((const char *)memory + sizeof(ffn_file_header));
}

/* Whether an entry has as many formats as stages, and nothing where nothing stands. */
static int ffn_file_entry_agrees(const void *memory, const ffn_file_entry *entry) {
  uint32_t words = 1;
  for (const char *at = (const char *)memory + entry->formats_at; *at; ++at)
    words += *at == ' ';
  return entry->stages == words && entry->zeros[0] == 0 && entry->zeros[1] == 0;
}

/* Whether all entries are there, in order, and apart from each other: where the last one ends, or
 * 0. */
static uint64_t ffn_file_entries_end(const void *memory, const ffn_file_header *header) {
  const ffn_file_entry *entries = ffn_file_entries(memory);
  uint64_t from = header->head_bytes;
  for (size_t i = 0; i < header->layers; ++i) {
    if (!ffn_file_entry_fits(header, &entries[i], from) ||
        !ffn_file_entry_agrees(memory, &entries[i]))
      return 0;
    if (i > 0 && ffn_file_compare(&entries[i - 1], entries[i].layer, entries[i].part) >= 0)
      return 0;
    from = entries[i].at + entries[i].bytes;
  }
  return from;
}

static const ffn_file_rows *ffn_file_tables(const void *memory, size_t layers) {
  return (const ffn_file_rows *)(const void *)(ffn_file_entries(memory) + layers);
}

/* Whether a table lies where it may, behind the byte `from`, and has the bytes of its rows. */
static int ffn_file_table_fits(
    const void *memory, const ffn_file_header *header, const ffn_file_rows *table, uint64_t from) {
  if (table->at < from || table->at % FFN_ALIGNMENT != 0 || table->at > header->bytes ||
      table->bytes > header->bytes - table->at || table->zeros[0] != 0 || table->zeros[1] != 0 ||
      !ffn_file_word_fits(header, table->name_at) ||
      !ffn_file_word_fits(header, table->encoding_at))
    return 0;
  const ffn_file_encoding *encoding =
      ffn_file_encoding_of((const char *)memory + table->encoding_at);
  const uint64_t row = encoding ? ffn_file_row_bytes(encoding, table->width, table->bytes) : 0;
  return row > 0 && table->bytes % row == 0 && table->bytes / row == table->count;
}

/* Whether all tables are there, in order, and apart from each other and what is in front. */
static int ffn_file_tables_fit(const void *memory, const ffn_file_header *header, uint64_t from) {
  const ffn_file_rows *tables = ffn_file_tables(memory, header->layers);
  const char *words = (const char *)memory;
  for (size_t i = 0; i < header->rows; ++i) {
    if (!ffn_file_table_fits(memory, header, &tables[i], from))
      return 0;
    if (i > 0 && strcmp(words + tables[i - 1].name_at, words + tables[i].name_at) >= 0)
      return 0;
    from = tables[i].at + tables[i].bytes;
  }
  return 1;
}

ffn_file_status ffn_file_in(ffn_file *file, const void *memory, size_t bytes) {
  *file = ffn_file_empty();
  if (!memory || bytes < sizeof(ffn_file_header))
    return !memory || bytes == 0 || memcmp(memory, "FFNMODEL", bytes < 8 ? bytes : 8) != 0
               ? FFN_FILE_FOREIGN
               : FFN_FILE_TRUNCATED;
  const ffn_file_header header = ffn_file_header_of(memory);
  const ffn_file_status status = ffn_file_header_status(&header);
  if (status)
    return status;
  if ((uintptr_t)memory % FFN_ALIGNMENT != 0)
    return FFN_FILE_UNALIGNED;
  if (header.bytes != bytes)
    return header.bytes > bytes ? FFN_FILE_TRUNCATED : FFN_FILE_CORRUPTED;
  if (!ffn_file_head_fits(&header) || ((const char *)memory)[header.head_bytes - 1] != 0 ||
      ffn_file_head_checksum(memory, (size_t)header.head_bytes) != header.checksum)
    return FFN_FILE_CORRUPTED;
  const uint64_t end = ffn_file_entries_end(memory, &header);
  if (end == 0 || !ffn_file_tables_fit(memory, &header, end))
    return FFN_FILE_CORRUPTED;
  file->memory = memory;
  file->bytes = bytes;
  file->layers = header.layers;
  file->rows = (size_t)header.rows;
  return FFN_FILE_OK;
}

#if defined(__unix__) || defined(__APPLE__)
ffn_file_status ffn_file_open(ffn_file *file, const char *path) {
  struct stat about;
  *file = ffn_file_empty();
  /* Until it is known to be a file, nothing may wait: a pipe would, for whoever writes to it. */
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | FFN_FILE_ALONE);
  if (descriptor < 0)
    return FFN_FILE_SYSTEM;
  if (fstat(descriptor, &about) != 0) {
    close(descriptor);
    return FFN_FILE_SYSTEM;
  }
  if (!S_ISREG(about.st_mode) || about.st_size <= 0 || (uintmax_t)about.st_size > SIZE_MAX / 2) {
    close(descriptor);
    return FFN_FILE_FOREIGN;
  }
  const size_t bytes = (size_t)about.st_size;
  void *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor); /* the mapping stays */
  if (memory == MAP_FAILED)
    return FFN_FILE_SYSTEM;
  const ffn_file_status status = ffn_file_in(file, memory, bytes);
  if (status)
    munmap(memory, bytes);
  else
    file->mapped = 1;
  return status;
}

void ffn_file_close(ffn_file *file) {
  if (file && file->mapped)
    munmap((void *)(uintptr_t)file->memory, file->bytes);
  if (file)
    *file = ffn_file_empty();
}
#else
/* Nothing maps files here: read it, and hand it to ffn_file_in(). */
ffn_file_status ffn_file_open(ffn_file *file, const char *path) {
  (void)path;
  *file = ffn_file_empty();
  return FFN_FILE_SYSTEM;
}

void ffn_file_close(ffn_file *file) {
  if (file)
    *file = ffn_file_empty();
}
#endif

const ffn_file_entry *ffn_file_entry_of(const ffn_file *file, size_t entry) {
  return file && entry < file->layers ? &ffn_file_entries(file->memory)[entry] : NULL;
}

const char *ffn_file_plan(const ffn_file *file) {
  enum { before = 5, digits = 16, bytes = before + digits + 1 };
  if (!file || !file->memory)
    return "";
  const ffn_file_header header = ffn_file_header_of(file->memory);
  const char *end = (const char *)file->memory + header.head_bytes;
  if (header.head_bytes - ffn_file_words_at(&header) <= bytes || end[-bytes - 1] != 0 ||
      memcmp(end - bytes, "plan ", before) != 0)
    return "";
  for (const char *at = end - bytes + before; at < end - 1; ++at)
    if (!((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f')))
      return "";
  return end - bytes + before;
}

size_t ffn_file_find(const ffn_file *file, uint32_t layer, uint32_t part) {
  size_t first = 0, count = file ? file->layers : 0;
  while (count > 0) {
    const size_t half = count / 2;
    const int order = ffn_file_compare(ffn_file_entry_of(file, first + half), layer, part);
    if (order == 0)
      return first + half;
    first += order < 0 ? half + 1 : 0;
    count = order < 0 ? count - half - 1 : half;
  }
  return file ? file->layers : 0;
}

static const char *ffn_file_word(const ffn_file *file, uint32_t at) {
  return (const char *)file->memory + at;
}

const char *ffn_file_name(const ffn_file *file, size_t entry) {
  const ffn_file_entry *own = ffn_file_entry_of(file, entry);
  return own ? ffn_file_word(file, own->name_at) : "";
}

const char *ffn_file_kernel(const ffn_file *file, size_t entry) {
  const ffn_file_entry *own = ffn_file_entry_of(file, entry);
  return own ? ffn_file_word(file, own->packed_at) : "";
}

const char *ffn_file_formats(const ffn_file *file, size_t entry) {
  const ffn_file_entry *own = ffn_file_entry_of(file, entry);
  return own ? ffn_file_word(file, own->formats_at) : "";
}

size_t ffn_file_named(const ffn_file *file, const char *name) {
  size_t entry = 0;
  while (file && entry < file->layers && strcmp(ffn_file_name(file, entry), name) != 0)
    ++entry;
  return entry;
}

ffn_file_status ffn_file_placed(
    const ffn_file *file, size_t entry, const ffn_kernel *kernel, const void **packed) {
  const ffn_file_entry *own = ffn_file_entry_of(file, entry);
  *packed = NULL;
  if (!own)
    return FFN_FILE_NO_LAYER;
  if (!kernel || own->bytes != kernel->packed_bytes ||
      strcmp(ffn_file_kernel(file, entry), kernel->packed) != 0)
    return FFN_FILE_OTHER_KERNEL;
  if (own->inputs != kernel->inputs || own->hidden != kernel->hidden ||
      own->outputs != kernel->outputs || own->stages != kernel->stage_count)
    return FFN_FILE_CORRUPTED;
  *packed = (const char *)file->memory + own->at;
  return FFN_FILE_OK;
}

ffn_file_status ffn_file_packed(
    const ffn_file *file, size_t entry, const ffn_kernel *kernel, const void **packed) {
  const void *at;
  uint64_t packed_hash;
  const ffn_file_status status = ffn_file_placed(file, entry, kernel, &at);
  *packed = NULL;
  if (status)
    return status;
  /* Of the weights their first 64 bytes alone, which are in the file; at byte 8 stands the hash of
   * the name, as in the entry. */
  if (ffn_packed_problem(kernel, at, kernel->packed_bytes))
    return FFN_FILE_CORRUPTED;
  memcpy(&packed_hash, (const char *)at + 8, sizeof packed_hash);
  if (ffn_file_entry_of(file, entry)->packed != packed_hash)
    return FFN_FILE_CORRUPTED;
  *packed = at;
  return FFN_FILE_OK;
}

ffn_file_status ffn_file_copy(const ffn_file *file, size_t entry, const ffn_kernel *kernel,
    ffn_arena *arena, const void **packed) {
  const void *from;
  const ffn_file_status status = ffn_file_packed(file, entry, kernel, &from);
  *packed = NULL;
  if (status)
    return status;
  void *to = ffn_arena_alloc(arena, kernel->packed_bytes);
  if (!to)
    return FFN_FILE_NO_MEMORY;
  memcpy(to, from, kernel->packed_bytes);
  *packed = to;
  return FFN_FILE_OK;
}

ffn_file_status ffn_file_check(const ffn_file *file, size_t entry) {
  const ffn_file_entry *own = ffn_file_entry_of(file, entry);
  if (!own)
    return FFN_FILE_NO_LAYER;
  const char *at = (const char *)file->memory + own->at;
  ffn_xxh64 state = ffn_xxh64_begin();
  ffn_xxh64_take(&state, at + FFN_ALIGNMENT, (size_t)own->bytes - FFN_ALIGNMENT);
  ffn_xxh64_take(&state, at, FFN_ALIGNMENT);
  return ffn_xxh64_end(&state) == own->checksum ? FFN_FILE_OK : FFN_FILE_CORRUPTED;
}

/* A wish, which may be refused. Memory that was not mapped is the host's: it would lose its bytes.
 */
#ifdef FFN_FILE_WANTED
static ffn_file_status ffn_file_advise(const ffn_file *file, size_t entry, int advice) {
  const ffn_file_entry *own = ffn_file_entry_of(file, entry);
  if (!own)
    return FFN_FILE_NO_LAYER;
  if (file->mapped)
    (void)madvise((char *)(uintptr_t)file->memory + own->at, (size_t)own->bytes, advice);
  return FFN_FILE_OK;
}

ffn_file_status ffn_file_want(const ffn_file *file, size_t entry) {
  return ffn_file_advise(file, entry, FFN_FILE_WANTED);
}

ffn_file_status ffn_file_forget(const ffn_file *file, size_t entry) {
  return ffn_file_advise(file, entry, FFN_FILE_FORGOTTEN);
}
#else
ffn_file_status ffn_file_want(const ffn_file *file, size_t entry) {
  return ffn_file_entry_of(file, entry) ? FFN_FILE_OK : FFN_FILE_NO_LAYER;
}

ffn_file_status ffn_file_forget(const ffn_file *file, size_t entry) {
  return ffn_file_want(file, entry);
}
#endif

const ffn_file_rows *ffn_file_rows_of(const ffn_file *file, size_t rows) {
  return file && rows < file->rows ? &ffn_file_tables(file->memory, file->layers)[rows] : NULL;
}

const char *ffn_file_rows_name(const ffn_file *file, size_t rows) {
  const ffn_file_rows *own = ffn_file_rows_of(file, rows);
  return own ? ffn_file_word(file, own->name_at) : "";
}

const char *ffn_file_rows_encoding(const ffn_file *file, size_t rows) {
  const ffn_file_rows *own = ffn_file_rows_of(file, rows);
  return own ? ffn_file_word(file, own->encoding_at) : "";
}

size_t ffn_file_rows_named(const ffn_file *file, const char *name) {
  size_t first = 0, count = file ? file->rows : 0;
  while (count > 0) {
    const size_t half = count / 2;
    const int order = strcmp(ffn_file_rows_name(file, first + half), name);
    if (order == 0)
      return first + half;
    first += order < 0 ? half + 1 : 0;
    count = order < 0 ? count - half - 1 : half;
  }
  return file ? file->rows : 0;
}

ffn_file_status ffn_file_row(const ffn_file *file, size_t rows, uint64_t row, float *out) {
  const ffn_file_rows *own = ffn_file_rows_of(file, rows);
  if (!own || row >= own->count)
    return FFN_FILE_NO_ROW;
  const uint64_t place = own->at + row * (own->bytes / own->count);
  ffn_file_encoding_of(ffn_file_rows_encoding(file, rows))
      ->floats(out, (const unsigned char *)file->memory + place, (size_t)own->width);
  return FFN_FILE_OK;
}

ffn_file_status ffn_file_check_rows(const ffn_file *file, size_t rows) {
  const ffn_file_rows *own = ffn_file_rows_of(file, rows);
  if (!own)
    return FFN_FILE_NO_ROW;
  ffn_xxh64 state = ffn_xxh64_begin();
  ffn_xxh64_take(&state, (const char *)file->memory + own->at, (size_t)own->bytes);
  return ffn_xxh64_end(&state) == own->checksum ? FFN_FILE_OK : FFN_FILE_CORRUPTED;
}

const char *ffn_file_status_text(ffn_file_status status) {
  static const char *const texts[] = {
      "it is what ffn-pack writes",
      "it cannot be opened or mapped",
      "it is no file of packed weights",
      "it was packed on a machine of the other byte order",
      "it is of another version of the file: pack anew",
      "its weights are of another layout: pack anew",
      "it is cut short",
      "it is corrupted",
      "its memory is not aligned to FFN_ALIGNMENT",
      "it has no such layer",
      "the layer is of another kernel",
      "the arena has too few bytes left",
      "it has no such table, or no such row of it",
  };
  return (unsigned)status < sizeof texts / sizeof *texts ? texts[status] : "?";
}
