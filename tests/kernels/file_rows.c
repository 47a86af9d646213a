/* Rows of a packed file: each encoding gives the floats that other packages say, a forged table is
 * refused with the head, and a file of version 1, which has none, is still read. */
#include "ffn_file.h"
#include "support/floats.h"
#include "support/forged_head.h"
#include "support/guard.h"
#include "support/published.h"
#include "xxh64.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 32, MOST_TABLES = 3, MOST_BYTES = 16384, MOST_WIDTH = 512 };

/* A table to be, and the floats of all its rows. */
typedef struct table {
  const char *name, *encoding;
  size_t count, width, bytes;
  unsigned char data[MOST_BYTES];
  float floats[ROWS * MOST_WIDTH];
} table;

/* A file without layers. */
typedef struct image {
  char *memory;
  size_t bytes, head_bytes;
} image;

static ffn_file_header *header_of(const image *i) { return test_header_of(i->memory); }

static ffn_file_rows *rows_of(const image *i, size_t at) {
  return (ffn_file_rows *)(void *)(i->memory + sizeof(ffn_file_header)) + at;
}

static void seal(const image *i) { test_seal(i->memory); }

static image image_of(const table *tables, size_t count) {
  image to = {NULL, 0, sizeof(ffn_file_header) + count * sizeof(ffn_file_rows)};
  size_t word = to.head_bytes, place[MOST_TABLES];
  for (size_t t = 0; t < count; t++)
    to.head_bytes += strlen(tables[t].name) + 1 + strlen(tables[t].encoding) + 1;
  to.bytes = to.head_bytes;
  for (size_t t = 0; t < count; t++) {
    place[t] = (to.bytes + 63) / 64 * 64;
    to.bytes = place[t] + tables[t].bytes;
  }
  to.memory = ffn_alloc(to.bytes);
  memset(to.memory, 0, to.bytes);
  for (size_t t = 0; t < count; t++) {
    ffn_file_rows *rows = rows_of(&to, t);
    ffn_xxh64 state = ffn_xxh64_begin();
    memcpy(to.memory + place[t], tables[t].data, tables[t].bytes);
    ffn_xxh64_take(&state, tables[t].data, tables[t].bytes);
    rows->at = place[t], rows->bytes = tables[t].bytes, rows->checksum = ffn_xxh64_end(&state);
    rows->count = tables[t].count, rows->width = tables[t].width;
    rows->name_at = test_word_of(to.memory, &word, tables[t].name);
    rows->encoding_at = test_word_of(to.memory, &word, tables[t].encoding);
  }
  const ffn_file_header header = {{'F', 'F', 'N', 'M', 'O', 'D', 'E', 'L'},
                                  FFN_FILE_ORDER,
                                  FFN_FILE_VERSION,
                                  FFN_LAYOUT,
                                  0,
                                  to.bytes,
                                  to.head_bytes,
                                  count,
                                  0,
                                  0};
  memcpy(to.memory, &header, sizeof header);
  seal(&to);
  return to;
}

/* Two blocks to a row, of those whose floats are published in full. */
static void fill_blocks(table *to, const char *encoding, const published *from, size_t bytes,
                        size_t k) {
  size_t blocks = 0;
  to->name = to->encoding = encoding;
  to->count = ROWS, to->width = 2 * k, to->bytes = 2 * ROWS * bytes;
  cr_assert(to->bytes <= MOST_BYTES && to->width <= MOST_WIDTH);
  for (size_t b = 0; blocks < 2 * ROWS; b = (b + 1) % 64)
    if (from[b].values) {
      published_bytes(&from[b], to->data + blocks * bytes, bytes);
      for (size_t i = 0; i < k; i++)
        to->floats[blocks * k + i] = test_float(from[b].values[i]);
      blocks++;
    }
}

/* Numbers of two bytes, 16 to a row; the last of a row are infinities. */
static void fill_halves(table *to, const char *encoding, const uint32_t (*pairs)[4],
                        uint32_t infinite) {
  to->name = to->encoding = encoding;
  to->count = ROWS, to->width = 16, to->bytes = ROWS * 32;
  for (size_t i = 0; i < ROWS * 16; i++) {
    const uint32_t sign = (uint32_t)(i / 16 % 2) << 15;
    const uint32_t bits = i % 16 == 15 ? sign | infinite : pairs[i][0];
    to->data[2 * i] = (unsigned char)(bits & 255);
    to->data[2 * i + 1] = (unsigned char)(bits >> 8);
    to->floats[i] = test_float(i % 16 == 15 ? sign << 16 | 0x7f800000u : pairs[i][1]);
  }
}

static const uint32_t of_f16[][4] = {
#include "../data/f16.inc"
};
static const uint32_t of_bf16[][4] = {
#include "../data/bf16.inc"
};

static void fill_floats(table *to) {
  to->name = to->encoding = "f32";
  to->count = ROWS, to->width = 16, to->bytes = ROWS * 64;
  for (size_t i = 0; i < ROWS * 16; i++)
    to->floats[i] = test_float(of_bf16[i][1] ^ (uint32_t)(i * 129));
  memcpy(to->data, to->floats, to->bytes);
}

/* Doubles: floats, and such as lie between two of them, nearer to the lower one or halfway. */
static void fill_doubles(table *to) {
  to->name = to->encoding = "f64";
  to->count = ROWS, to->width = 8, to->bytes = ROWS * 64;
  for (size_t i = 0; i < ROWS * 8; i++) {
    const double more = i % 3 == 0 ? 0 : i % 3 == 1 ? 0x1p-25 : 0x1p-24;
    double wide = (double)(float)(1 + (double)(i / 2 * 2) * 0x1p-23) + more;
    to->floats[i] = (float)(1 + (double)(i / 2 * 2) * 0x1p-23); /* an even last place */
    if (i == 5)
      wide = -0.0, to->floats[i] = -0.0f;
    if (i == 6)
      wide = -HUGE_VAL, to->floats[i] = -INFINITY;
    if (i == 7)
      wide = (double)NAN, to->floats[i] = NAN;
    memcpy(to->data + 8 * i, &wide, sizeof wide);
  }
}

/* All rows, of a file that ends at a page which may not be read. */
static void check(const table *of) {
  const image i = image_of(of, 1);
  const test_guard guard = test_guard_copy(i.memory, i.bytes, 64, TEST_AT_END);
  ffn_file file;
  cr_assert(i.bytes % 64 == 0 && ffn_file_in(&file, guard.memory, i.bytes) == FFN_FILE_OK);
  cr_assert(file.layers == 0 && file.rows == 1, "%s", of->encoding);
  const test_guard out = test_guard_open(of->width * sizeof(float), sizeof(float), TEST_AT_END);
  for (size_t row = 0; row < of->count; row++) {
    cr_assert(ffn_file_row(&file, 0, row, out.memory) == FFN_FILE_OK);
    cr_assert(test_same(out.memory, of->floats + row * of->width, of->width), "%s: row %zu",
              of->encoding, row);
  }
  test_guard_close(&out);
  cr_assert(ffn_file_check_rows(&file, 0) == FFN_FILE_OK);
  cr_assert(strcmp(ffn_file_rows_encoding(&file, 0), of->encoding) == 0);
  test_guard_close(&guard);
  ffn_free(i.memory);
}

Test(file_rows, encodings) {
  static table to;
  fill_floats(&to), check(&to);
  fill_doubles(&to), check(&to);
  fill_halves(&to, "f16", of_f16, 0x7c00), check(&to);
  fill_halves(&to, "bf16", of_bf16, 0x7f80), check(&to);
  fill_blocks(&to, "iq4_nl", of_iq4_nl, 18, 32), check(&to);
  fill_blocks(&to, "iq4_xs", of_iq4_xs, 136, 256), check(&to);
  fill_blocks(&to, "mxfp4", of_mxfp4, 17, 32), check(&to);
  fill_blocks(&to, "q4_0", of_q4_0, 18, 32), check(&to);
  fill_blocks(&to, "q4_1", of_q4_1, 20, 32), check(&to);
  fill_blocks(&to, "q4_K", of_q4_K, 144, 256), check(&to);
  fill_blocks(&to, "q5_0", of_q5_0, 22, 32), check(&to);
  fill_blocks(&to, "q5_1", of_q5_1, 24, 32), check(&to);
  fill_blocks(&to, "q5_K", of_q5_K, 176, 256), check(&to);
  fill_blocks(&to, "q6_K", of_q6_K, 210, 256), check(&to);
  fill_blocks(&to, "q8_0", of_q8_0, 34, 32), check(&to);
}

/* Three tables: a vector, q8_0, halves. */
static image three(void) {
  static table to[MOST_TABLES];
  fill_floats(&to[0]), fill_blocks(&to[1], "q8_0", of_q8_0, 34, 32);
  fill_halves(&to[2], "bf16", of_bf16, 0x7f80);
  to[0].name = "a.norm", to[0].count = 1, to[0].width = 3, to[0].bytes = 12;
  to[1].name = "b.embedding", to[2].name = "b.norm";
  return image_of(to, MOST_TABLES);
}

Test(file_rows, names) {
  const image i = three();
  ffn_file file;
  float out[64], before;
  cr_assert(ffn_file_in(&file, i.memory, i.bytes) == FFN_FILE_OK && file.rows == MOST_TABLES);
  cr_assert(ffn_file_rows_named(&file, "a.norm") == 0);
  cr_assert(ffn_file_rows_named(&file, "b.embedding") == 1);
  cr_assert(ffn_file_rows_named(&file, "b.norm") == 2);
  cr_assert(ffn_file_rows_named(&file, "b") == 3 && ffn_file_rows_named(&file, "c") == 3);
  cr_assert(ffn_file_rows_named(&file, "") == 3 && ffn_file_rows_named(NULL, "b") == 0);
  cr_assert(strcmp(ffn_file_rows_name(&file, 1), "b.embedding") == 0);
  cr_assert(ffn_file_rows_of(&file, 1)->width == 64 && !ffn_file_rows_of(&file, 3));
  cr_assert(*ffn_file_rows_name(&file, 3) == 0 && *ffn_file_rows_encoding(NULL, 0) == 0);
  cr_assert(ffn_file_row(&file, 0, 0, out) == FFN_FILE_OK);
  before = out[0];
  cr_assert(ffn_file_row(&file, 0, 1, out) == FFN_FILE_NO_ROW);
  cr_assert(ffn_file_row(&file, 1, ROWS, out) == FFN_FILE_NO_ROW);
  cr_assert(ffn_file_row(&file, 1, UINT64_MAX, out) == FFN_FILE_NO_ROW);
  cr_assert(ffn_file_row(&file, 3, 0, out) == FFN_FILE_NO_ROW);
  cr_assert(ffn_file_check_rows(&file, 3) == FFN_FILE_NO_ROW && test_same(out, &before, 1));
  for (size_t t = 0; t < MOST_TABLES; t++)
    for (size_t byte = 0; byte < rows_of(&i, t)->bytes; byte += 7) {
      char *at = i.memory + rows_of(&i, t)->at + byte;
      *at ^= 4;
      cr_assert(ffn_file_check_rows(&file, t) == FFN_FILE_CORRUPTED);
      *at ^= 4;
      cr_assert(ffn_file_check_rows(&file, t) == FFN_FILE_OK);
    }
  ffn_free(i.memory);
}

static ffn_file_status status_of(const image *i) {
  ffn_file file = {i, 1, 1, 1, 1};
  const ffn_file_status status = ffn_file_in(&file, i->memory, i->bytes);
  if (status)
    cr_assert(!file.memory && file.bytes == 0 && file.rows == 0 && !file.mapped);
  return status;
}

Test(file_rows, every_bit) {
  const image i = three();
  for (size_t bit = 0; bit < 8 * i.head_bytes; bit++) {
    i.memory[bit / 8] ^= (char)(1 << bit % 8);
    cr_assert(status_of(&i) != FFN_FILE_OK, "bit %zu", bit);
    i.memory[bit / 8] ^= (char)(1 << bit % 8);
  }
  cr_assert(status_of(&i) == FFN_FILE_OK);
  ffn_free(i.memory);
}

/* Changes a number of the head. 0: there is no such forgery. */
static int forge(const image *i, int forgery) {
  ffn_file_rows *first = rows_of(i, 0), *second = rows_of(i, 1), *last = rows_of(i, 2);
  ffn_file_header *header = header_of(i);
  const struct {
    uint64_t *number, value;
  } forgeries[] = {
      {&last->at, last->at + 64},
      {&last->at, last->at - 64},
      {&second->at, second->at + 4},
      {&second->at, 64},
      {&first->at, UINT64_MAX / 64 * 64},
      {&first->at, i->head_bytes / 64 * 64},
      {&last->bytes, last->bytes - 32},
      {&last->bytes, UINT64_MAX - 31},
      {&second->bytes, 0},
      {&second->count, ROWS + 1},
      {&second->count, ROWS - 1},
      {&second->count, 0},
      {&second->count, UINT64_MAX},
      {&second->width, 0},
      {&second->width, 32},
      {&second->width, 63},
      {&second->width, 65},
      {&second->width, UINT64_MAX / 32 * 32},
      {&last->width, UINT64_C(1) << 63},
      {&last->width, (UINT64_C(1) << 63) + 16},
      {&first->zeros[0], 1},
      {&last->zeros[1], 1},
      {&header->rows, 2 * MOST_TABLES},
      {&header->rows, UINT64_MAX},
      {&header->rows, UINT64_MAX / 64 + 4},
      {&header->zero, 1},
  };
  const struct {
    uint32_t *number, value;
  } words[] = {
      {&last->name_at, (uint32_t)i->head_bytes},
      {&last->name_at, UINT32_MAX},
      {&last->encoding_at, sizeof *header},
      {&second->encoding_at, second->encoding_at + 1}, /* "8_0" */
      {&second->encoding_at, last->encoding_at},
      {&last->name_at, second->name_at}, /* twice */
      {&first->name_at, last->name_at},  /* not in order */
      {&header->version, 1},
      {&header->layers, 1},
  };
  const int count = (int)(sizeof forgeries / sizeof *forgeries);
  if (forgery < count)
    *forgeries[forgery].number = forgeries[forgery].value;
  else if (forgery < count + (int)(sizeof words / sizeof *words))
    *words[forgery - count].number = words[forgery - count].value;
  else
    return 0;
  return 1;
}

Test(file_rows, forged) {
  const image i = three();
  char *right = malloc(i.head_bytes);
  int forgery = 0;
  cr_assert(right != NULL);
  memcpy(right, i.memory, i.head_bytes);
  for (; forge(&i, forgery); forgery++) {
    seal(&i);
    cr_assert(status_of(&i) == FFN_FILE_CORRUPTED, "forgery %d", forgery);
    memcpy(i.memory, right, i.head_bytes);
  }
  cr_assert(forgery > 30 && status_of(&i) == FFN_FILE_OK);
  free(right);
  ffn_free(i.memory);
}

/* What ffn-pack wrote when files had no tables. */
Test(file_rows, version_1) {
  static char text[1 << 15];
  FILE *from = fopen("tests/data/file_version_1.ffn", "rb");
  cr_assert(from != NULL);
  const size_t bytes = fread(text, 1, sizeof text, from);
  fclose(from);
  const image i = {ffn_alloc(bytes), bytes, 196};
  ffn_file file;
  float out;
  memcpy(i.memory, text, bytes);
  const ffn_file_status status = ffn_file_in(&file, i.memory, bytes);
  if (status == FFN_FILE_OTHER_ORDER) { /* on a big-endian machine */
    ffn_free(i.memory);
    return;
  }
  cr_assert(status == FFN_FILE_OK);
  cr_assert(header_of(&i)->version == 1 && file.layers == 1 && file.rows == 0);
  cr_assert(ffn_file_named(&file, "layers.0") == 0 && ffn_file_find(&file, 0, 0) == 0);
  cr_assert(strcmp(ffn_file_kernel(&file, 0), "linear_bias_d10_o5_f32") == 0);
  cr_assert(ffn_file_check(&file, 0) == FFN_FILE_OK);
  cr_assert(ffn_file_rows_named(&file, "layers.0") == 0 && !ffn_file_rows_of(&file, 0));
  cr_assert(ffn_file_row(&file, 0, 0, &out) == FFN_FILE_NO_ROW);
  for (uint32_t version = 0; version < 5; version++) {
    header_of(&i)->version = version;
    seal(&i);
    cr_assert(status_of(&i) ==
              (version == 1 || version == 2 ? FFN_FILE_OK : FFN_FILE_OTHER_VERSION));
  }
  ffn_free(i.memory);
}

/* What is told of parts in ffn_file.h: none is an expert's, and no two are one. */
Test(file_rows, parts) {
  static const uint32_t parts[] = {FFN_PART_QKV,      FFN_PART_O,       FFN_PART_CROSS_Q,
                                   FFN_PART_CROSS_KV, FFN_PART_CROSS_O, FFN_PART_HEAD,
                                   FFN_PART_SHARED,   FFN_PART_ROUTER,  FFN_PART_OTHER};
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
    cr_assert(parts[p] >= UINT32_C(1) << 31 && (p == 0 || parts[p] > parts[p - 1]));
}
