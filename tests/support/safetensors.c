#include "safetensors.h"
#include "kernels.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int condition, const char *name, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "safetensors: %s: %s\n", name, what);
  abort();
}

test_tensors test_tensors_open(const char *name) {
  const char *folder = getenv("FFN_TEST_DATA");
  char path[512];
  const int length =
      snprintf(path, sizeof path, "%s/%s.safetensors", folder ? folder : "tests/data", name);
  require(length > 0 && (size_t)length < sizeof path, name, "name too long");
  FILE *file = fopen(path, "rb");
  require(file != NULL, path, "cannot be opened");
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  require(size > 8, path, "too short");
  test_tensors t = {.bytes = test_memory((size_t)size), .size = (size_t)size};
  require(fread(t.bytes, 1, t.size, file) == t.size, path, "cannot be read");
  fclose(file);
  uint64_t header = 0;
  for (int i = 7; i >= 0; i--)
    header = header << 8 | t.bytes[i];
  require(header <= t.size - 8, path, "the header is longer than the file");
  t.data = t.bytes + 8 + header;
  char *text = test_memory((size_t)header + 1);
  memcpy(text, t.bytes + 8, (size_t)header);
  text[header] = 0;
  t.header = text;
  return t;
}

void test_tensors_close(const test_tensors *t) {
  free(t->bytes);
  free((char *)(uintptr_t)t->header);
}

/* "name":{"dtype":"F32","shape":[..],"data_offsets":[begin,end]} with keys in any order. */
static void *tensor(const test_tensors *t, const char *name, const char *type, size_t width,
                    size_t *count) {
  char key[64], dtype[32];
  *count = 0;
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *entry = strstr(t->header, key);
  if (!entry)
    return NULL;
  const char *end = strchr(entry, '}'), *offsets = strstr(entry, "\"data_offsets\":");
  snprintf(dtype, sizeof dtype, "\"dtype\":\"%s\"", type);
  const char *found = strstr(entry, dtype);
  require(end && found && found < end, name, "has another type");
  require(offsets && offsets < end, name, "has no data_offsets");
  char *next;
  const size_t from = strtoul(strchr(offsets, '[') + 1, &next, 10);
  const size_t to = strtoul(next + 1, NULL, 10);
  require(from < to && to <= t->size - (size_t)(t->data - t->bytes), name, "lies outside the file");
  require((to - from) % width == 0, name, "is no whole number of values");
  void *values = test_memory(to - from);
  memcpy(values, t->data + from, to - from);
  *count = (to - from) / width;
  return values;
}

float *test_tensor_f32(const test_tensors *t, const char *name, size_t *count) {
  return tensor(t, name, "F32", sizeof(float), count);
}

double *test_tensor_f64(const test_tensors *t, const char *name, size_t *count) {
  return tensor(t, name, "F64", sizeof(double), count);
}

unsigned char *test_tensor_u8(const test_tensors *t, const char *name, size_t *count) {
  return tensor(t, name, "U8", 1, count);
}
