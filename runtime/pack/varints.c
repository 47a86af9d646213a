/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * varints.c - see varints.h. */
#include "pack/varints.h"

#include <string.h>

const varint_type *varint_type_of(const char *name) {
  static const varint_type types[] = {
#define FFN_PACK_VARINT(type, bytes, least, most) {#type, bytes, least, most},
#include "varints.inc"
#undef FFN_PACK_VARINT
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (strcmp(types[i].name, name) == 0)
      return &types[i];
  return NULL;
}

enum { most_varint = 10 }; /* bytes */

/* The integer at `*at`, and the place behind it; 0 where the bytes end within it, or it goes on. */
static int take(const unsigned char **at, const unsigned char *end, int64_t *to) {
  uint64_t value = 0;
  for (unsigned i = 0; i < most_varint && *at < end; ++i) {
    const unsigned char byte = *(*at)++;
    value |= (uint64_t)(byte & 127u) << 7 * i;
    if (byte < 128) {
      /* The low 32 bits, signed. */
      *to = (int64_t)((value & UINT32_MAX) ^ 0x80000000u) - INT64_C(0x80000000);
      return 1;
    }
  }
  return 0;
}

int varints_decode(char *to, size_t count, const varint_type *type, const char *from, size_t bytes,
    const char *where, pack_problem *problem) {
  const unsigned char *at = (const unsigned char *)from, *const end = at + bytes;
  for (size_t i = 0; i < count; ++i) {
    int64_t value = 0;
    if (!take(&at, end, &value))
      return fails(problem, code_bad_input, where,
          "number %zu of %zu in %zu bytes of int32_data is no integer: the file is damaged", i,
          count, bytes);
    if (value < type->least || value > type->most)
      return fails(problem, code_bad_input, where,
          "number %zu in %zu bytes of int32_data is %lld, which is no %s: the file is damaged", i,
          bytes, (long long)value, type->name);
    for (size_t b = 0; b < type->bytes; ++b)
      to[i * type->bytes + b] = (char)((uint64_t)value >> 8 * b & 255);
  }
  return at == end || fails(problem, code_bad_input, where,
                          "%zu bytes of int32_data hold more than their %zu numbers: the file is "
                          "damaged",
                          bytes, count);
}
