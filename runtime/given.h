/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * given.h - what a caller hands over, judged for asserts: is it there, aligned, and apart from what
 * is written. A part of kernel.h, which stands in it where kernels are generated. */
#ifndef FFN_KERNEL_GIVEN_H
#define FFN_KERNEL_GIVEN_H

#include "kernel.h"
/*@ end */

/* ---- What a caller hands over --------------------------------------------------------------- */

/* Rows of floats, `stride` apart; all other memory is one row. */
typedef struct ffn_given {
  const void *first;
  size_t stride, columns, rows;
} ffn_given;

/* Memory of so many bytes, a multiple of those of a float. */
FFN_SHARED ffn_given ffn_given_bytes(const void *memory, size_t bytes) {
  const ffn_given given = {memory, 0, bytes / sizeof(float), 1};
  return given;
}

/* So many floats; none where it is NULL. */
FFN_SHARED ffn_given ffn_given_vector(const float *values, size_t count) {
  const ffn_given row = {values, 0, count, values ? (size_t)1 : (size_t)0};
  return row;
}

typedef struct ffn_float_place {
  char before;
  float at;
} ffn_float_place;

/* Whether an address is one that a float may have. */
FFN_SHARED int ffn_given_aligned(const void *first) {
  return (uintptr_t)first % offsetof(ffn_float_place, at) == 0;
}

/* Whether rows are there, aligned, and end before all addresses do. Rows that are read may lie over
 * each other: windows of a signal, or one row for all. */
FFN_SHARED int ffn_given_reads(const ffn_given *given) {
  const size_t few = (size_t)1 << (4 * sizeof(size_t) - 2); /* few times few is no overflow */
  const size_t most = (size_t)((UINTPTR_MAX - (uintptr_t)given->first) / sizeof(float));
  if (given->rows == 0)
    return 1;
  if (!given->first || !ffn_given_aligned(given->first) || given->columns > most)
    return 0;
  if (given->rows == 1 || given->stride == 0)
    return 1;
  if (given->rows < few && given->stride < few)
    return (given->rows - 1) * given->stride <= most - given->columns;
  return given->rows - 1 <= (most - given->columns) / given->stride;
}

/* Rows that are written are apart from each other, too. */
FFN_SHARED int ffn_given_writes(const ffn_given *given) {
  return ffn_given_reads(given) && (given->rows <= 1 || given->stride >= given->columns);
}

/* Bytes from the first of some rows to behind the last one. */
FFN_SHARED uintptr_t ffn_given_extent(const ffn_given *given) {
  return (uintptr_t)(given->rows == 0 ? 0 : (given->rows - 1) * given->stride + given->columns) *
         sizeof(float);
}

/* Whether a row has a float in common with any of some rows. */
FFN_SHARED int ffn_given_hits(const ffn_given *rows, uintptr_t row, size_t columns) {
  const uintptr_t first = (uintptr_t)rows->first, step = rows->stride * sizeof(float);
  const uintptr_t end = first + rows->columns * sizeof(float);
  /* The first of them that ends behind where the row begins. */
  const uintptr_t index = end > row ? 0 : step > 0 ? (row - end) / step + 1 : rows->rows;
  return index < rows->rows && first + index * step < row + columns * sizeof(float);
}

/* Whether memory of so many bytes, more than none in all, has nothing of the other's: it begins
 * behind the other's end, counted modulo all addresses, and has so much room until the other
 * begins. One comparison, for every call asks. */
FFN_SHARED int ffn_given_beside(uintptr_t a, uintptr_t of_a, uintptr_t b, uintptr_t of_b) {
  return b - a - of_a <= (uintptr_t)0 - of_a - of_b;
}

/* Whether one ends in front of the other. Both are what ffn_given_reads() takes. */
FFN_SHARED int ffn_given_in_turn(const ffn_given *a, const ffn_given *b) {
  return ffn_given_beside(
      (uintptr_t)a->first, ffn_given_extent(a), (uintptr_t)b->first, ffn_given_extent(b));
}

/* Whether they have no float in common: one may hold the other's rows between its own, as columns
 * of one array do. Where their strides are the same, the first rows tell. */
FFN_APART int ffn_given_apart(const ffn_given *a, const ffn_given *b) {
  const size_t count = a->stride == b->stride ? 1 : a->rows;
  uintptr_t row = (uintptr_t)a->first;
  if (a->rows == 0 || b->rows == 0 || a->columns == 0 || b->columns == 0 || ffn_given_in_turn(a, b))
    return 1;
  for (size_t i = 0; i < count; ++i, row += a->stride * sizeof(float))
    if (ffn_given_hits(b, row, a->columns))
      return 0;
  return !ffn_given_hits(a, (uintptr_t)b->first, b->columns);
}

/*@ foot */
#endif
/*@ end */
