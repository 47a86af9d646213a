/* Whether ffn-pack's bytes are those of kernel->pack(), and whether they come back from the packed
 * file: equal FOLDER, where plans.lua and ffn-pack have been. */
#include "ffn_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *folder, const char *name, size_t *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    return NULL;
  *bytes = (size_t)ftell(file);
  rewind(file);
  char *text = ffn_alloc(*bytes + 1);
  const size_t got = text ? fread(text, 1, *bytes, file) : 0;
  fclose(file);
  if (got != *bytes)
    return NULL;
  text[got] = 0;
  return text;
}

static ffn_source source_of(const char *name) {
  int source = 0;
  while (source < FFN_SOURCE_COUNT && strcmp(ffn_format_name((ffn_format)source), name) != 0)
    ++source;
  return (ffn_source)source;
}

/* The next line, without its end. */
static char *line_of(char **at) {
  char *line = *at, *end = strchr(line, '\n');
  if (!end)
    return NULL;
  *end = 0;
  *at = end + 1;
  return line;
}

static int read_matrix(char *line, const char *dense, ffn_linear *to) {
  char name[32];
  long weight = 0, scales = 0, zeros = 0, bias = 0;
  if (!line || sscanf(line, "%31s %ld %ld %ld %ld", name, &weight, &scales, &zeros, &bias) != 5)
    return 0;
  const ffn_linear linear = {
      .weight = dense + weight,
      .bias = bias < 0 ? NULL : (const float *)(const void *)(dense + bias),
      .source = source_of(name),
      .scales = scales < 0 ? NULL : dense + scales,
      .zeros = zeros < 0 ? NULL : dense + zeros,
  };
  *to = linear;
  return 1;
}

/* Whether a table of the file has these bytes, and gives these floats; its line of rows.txt. */
static int same_rows(const ffn_file *file, const char *line, const char *data) {
  char name[64], encoding[32];
  size_t count = 0, width = 0;
  long bytes = 0, floats = 0;
  if (sscanf(line, "%63s %31s %zu %zu %ld %ld", name, encoding, &count, &width, &bytes, &floats) !=
      6)
    return 0;
  const size_t at = ffn_file_rows_named(file, name);
  const ffn_file_rows *rows = ffn_file_rows_of(file, at);
  float *row = ffn_alloc(width * sizeof *row);
  int same = rows && rows->count == count && rows->width == width && rows->at % 64 == 0 &&
             strcmp(ffn_file_rows_encoding(file, at), encoding) == 0 &&
             ffn_file_check_rows(file, at) == FFN_FILE_OK &&
             memcmp((const char *)file->memory + rows->at, data + bytes, rows->bytes) == 0;
  for (size_t r = 0; same && r < count; ++r)
    same = ffn_file_row(file, at, r, row) == FFN_FILE_OK &&
           (floats < 0 ||
            memcmp(row, data + floats + r * width * sizeof *row, width * sizeof *row) == 0);
  ffn_free(row);
  return same;
}

/* Whether the file has all tables of rows.txt, and no other. */
static int has_rows(const ffn_file *file, const char *folder) {
  size_t bytes = 0, differ = 0, count = 0;
  char *data = read_all(folder, "rows.bin", &bytes);
  char *cases = read_all(folder, "rows.txt", &bytes), *at = cases;
  const int is_told = data && cases;
  for (char *line; data && at && (line = line_of(&at)); ++count)
    if (!same_rows(file, line, data)) {
      printf("rows differ: %s\n", line);
      ++differ;
    }
  ffn_free(data), ffn_free(cases);
  printf("%zu tables are as the model has them, %zu not\n", count - differ, differ);
  return is_told && differ == 0 && count == file->rows;
}

int main(int count, char **arguments) {
  size_t dense_bytes = 0, cases_bytes = 0, entry = 0, differ = 0;
  char path[4096];
  if (count != 2)
    return puts("equal FOLDER"), 2;
  char *dense = read_all(arguments[1], "dense.bin", &dense_bytes);
  char *cases = read_all(arguments[1], "cases.txt", &cases_bytes);
  ffn_file file;
  snprintf(path, sizeof path, "%s/model.ffn", arguments[1]);
  const ffn_file_status opened = ffn_file_open(&file, path);
  if (!dense || !cases || opened)
    return printf("%s: %s\n", path, ffn_file_status_text(opened)), 1;
  for (char *at = cases, *line; (line = line_of(&at)); ++entry) {
    char name[512];
    int read = 0;
    if (sscanf(line, "layer %511s%n", name, &read) != 1)
      return printf("no layer: %s\n", line), 1;
    const ffn_kernel *kernel = ffn_find_layer(name, 1u << FFN_ISA_C);
    if (!kernel)
      return printf("no kernel %s\n", name), 1;
    ffn_weights weights;
    ffn_linear chain[FFN_MAX_STAGES];
    memset(&weights, 0, sizeof weights);
    char *parameter = line + read;
    for (size_t p = 0; p < kernel->runtime_parameters; ++p)
      weights.parameters[p] = strtof(parameter, &parameter);
    weights.chain = chain;
    for (size_t s = 0; s < kernel->stage_count; ++s)
      for (size_t b = 0; b < kernel->stages[s].branches; ++b) {
        /* It lies in the weights, which are no constant. */
        ffn_linear *to = (ffn_linear *)(uintptr_t)ffn_stage_linear(kernel->stages, &weights, s, b);
        if (!read_matrix(line_of(&at), dense, to))
          return printf("%s: no matrix\n", name), 1;
      }
    const char *problem = ffn_weights_problem(kernel, &weights);
    if (problem)
      return printf("%s: %s\n", name, problem), 1;
    char *own = ffn_alloc(kernel->packed_bytes);
    memset(own, 0xee, kernel->packed_bytes);
    kernel->pack(own, &weights);
    const void *packed = NULL;
    const ffn_file_entry *told = ffn_file_entry_of(&file, entry);
    const size_t found = told ? ffn_file_find(&file, told->layer, told->part) : file.layers;
    const ffn_file_status status = ffn_file_packed(&file, found, kernel, &packed);
    if (status || found != entry || ffn_file_check(&file, found) != FFN_FILE_OK)
      return printf("%s: %s\n", name, ffn_file_status_text(status)), 1;
    size_t byte = 0;
    while (byte < kernel->packed_bytes && own[byte] == ((const char *)packed)[byte])
      ++byte;
    if (byte < kernel->packed_bytes)
      printf("layer %zu, %s: byte %zu of %zu differs\n", entry, name, byte, kernel->packed_bytes);
    differ += byte < kernel->packed_bytes;
    ffn_free(own);
  }
  const int whole = entry == file.layers && has_rows(&file, arguments[1]);
  printf("%zu layers packed as pack() does, %zu not\n", entry - differ, differ);
  ffn_file_close(&file), ffn_free(dense), ffn_free(cases);
  return differ == 0 && entry > 0 && whole ? 0 : 1;
}
