/* libFuzzer: any bytes as a packed file, and as packed weights. Where the first byte is odd, the
 * checksum of the head is made right, as a forger would. */
#define _POSIX_C_SOURCE 200809L
#include "ffn_file.h"
#include "xxh64.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void seal(char *memory, size_t bytes) {
  ffn_file_header header;
  if (bytes < sizeof header)
    return;
  memcpy(&header, memory, sizeof header);
  if (header.head_bytes < sizeof header || header.head_bytes > bytes)
    return;
  header.checksum = ffn_file_head_checksum(memory, (size_t)header.head_bytes);
  memcpy(memory, &header, sizeof header);
}

/* Whether what the head says twice is the same. */
static int agrees(const ffn_file *file, const ffn_file_entry *own) {
  const char *formats = (const char *)file->memory + own->formats_at;
  uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  uint32_t words = 1;
  for (const char *c = (const char *)file->memory + own->packed_at; *c; c++)
    hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  for (; *formats; formats++)
    words += *formats == ' ';
  return hash == own->packed && words == own->stages && !own->zeros[0] && !own->zeros[1];
}

/* All that may be asked of a layer. */
static size_t ask(const ffn_file *file, size_t entry) {
  const ffn_file_entry *own = ffn_file_entry_of(file, entry);
  ffn_kernel kernel;
  const void *packed;
  memset(&kernel, 0, sizeof kernel);
  kernel.packed = ffn_file_kernel(file, entry);
  kernel.packed_bytes = (size_t)own->bytes;
  kernel.inputs = (size_t)own->inputs;
  kernel.hidden = (size_t)own->hidden;
  kernel.outputs = (size_t)own->outputs;
  kernel.stage_count = own->stages;
  const ffn_file_status status = ffn_file_packed(file, entry, &kernel, &packed);
  if (!status && (memcmp(packed, "FFNP", 4) != 0 || !agrees(file, own)))
    abort();
  /* A kernel of other sizes is not given what is here. */
  kernel.outputs++;
  if (!ffn_file_packed(file, entry, &kernel, &packed) || packed)
    abort();
  if (ffn_file_find(file, own->layer, own->part) != entry)
    abort();
  return strlen(ffn_file_name(file, entry)) + strlen(ffn_file_formats(file, entry)) +
         (size_t)ffn_file_check(file, entry) + (size_t)status;
}

/* All that may be asked of a table: each row gives floats, and no byte beyond them. */
static size_t ask_rows(const ffn_file *file, size_t at) {
  const ffn_file_rows *own = ffn_file_rows_of(file, at);
  float *row = malloc((size_t)own->width * sizeof *row);
  const size_t most = own->count < 100 ? (size_t)own->count : 100;
  for (size_t r = 0; row && r < most; r++)
    if (ffn_file_row(file, at, r, row) || ffn_file_row(file, at, own->count - 1 - r, row))
      abort();
  if (row && (ffn_file_row(file, at, own->count, row) != FFN_FILE_NO_ROW))
    abort();
  free(row);
  if (ffn_file_rows_named(file, ffn_file_rows_name(file, at)) != at)
    abort();
  return strlen(ffn_file_rows_encoding(file, at)) + (size_t)ffn_file_check_rows(file, at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  ffn_file file;
  volatile size_t sum = 0;
  if (bytes == 0)
    return 0;
  const size_t size = bytes - 1;
  void *memory = NULL;
  if (posix_memalign(&memory, 64, size ? size : 1) != 0)
    return 0;
  char *at = memory;
  memcpy(at, data + 1, size);
  if (data[0] % 2)
    seal(at, size);
  if (ffn_file_in(&file, at, size) == FFN_FILE_OK) {
    for (size_t entry = 0; entry < file.layers; entry++)
      sum = sum + ask(&file, entry);
    for (size_t rows = 0; rows < file.rows; rows++)
      sum = sum + ask_rows(&file, rows);
  }
  ffn_file_close(&file);
  free(memory);
  return 0;
}
