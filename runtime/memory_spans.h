/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * memory_spans.h - spans of memory that a caller hands over, judged for asserts: is each there,
 * aligned, and apart from what is written? A part of kernel.h, which stands in it where kernels are
 * generated. */
#ifndef FFN_KERNEL_MEMORY_SPANS_H
#define FFN_KERNEL_MEMORY_SPANS_H

#include "kernel.h"
/*@ end */

/* ---- What a caller hands over --------------------------------------------------------------- */

/* Rows of floats, `stride` apart; all other memory is one row. */
typedef struct ffn_span {
  const void *first;
  size_t stride, columns, rows;
} ffn_span;

/* Memory of so many bytes, a multiple of those of a float. */
FFN_SHARED ffn_span ffn_span_bytes(const void *memory, size_t bytes) {
  const ffn_span span = {memory, 0, bytes / sizeof(float), 1};
  return span;
}

/* So many floats; none where it is NULL. */
FFN_SHARED ffn_span ffn_span_vector(const float *values, size_t count) {
  const ffn_span row = {values, 0, count, values ? (size_t)1 : (size_t)0};
  return row;
}

typedef struct ffn_float_place {
  char before;
  float at;
} ffn_float_place;

/* Whether an address is one that a float may have. */
FFN_SHARED int ffn_span_aligned(const void *first) {
  return (uintptr_t)first % offsetof(ffn_float_place, at) == 0;
}

/* Whether rows are there, aligned, and end before all addresses do. Rows that are read may lie over
 * each other: windows of a signal, or one row for all. */
FFN_SHARED int ffn_span_reads(const ffn_span *span) {
  const size_t few = (size_t)1 << (4 * sizeof(size_t) - 2); /* few times few is no overflow */
  const size_t most = (size_t)((UINTPTR_MAX - (uintptr_t)span->first) / sizeof(float));
  if (span->rows == 0)
    return 1;
  if (!span->first || !ffn_span_aligned(span->first) || span->columns > most)
    return 0;
  if (span->rows == 1 || span->stride == 0)
    return 1;
  if (span->rows < few && span->stride < few)
    return (span->rows - 1) * span->stride <= most - span->columns;
  return span->rows - 1 <= (most - span->columns) / span->stride;
}

/* Rows that are written are apart from each other, too. */
FFN_SHARED int ffn_span_writes(const ffn_span *span) {
  return ffn_span_reads(span) && (span->rows <= 1 || span->stride >= span->columns);
}

/* Bytes from the first of some rows to behind the last one. */
FFN_SHARED uintptr_t ffn_span_extent(const ffn_span *span) {
  return (uintptr_t)(span->rows == 0 ? 0 : (span->rows - 1) * span->stride + span->columns) *
         sizeof(float);
}

/* Whether a row has a float in common with any of some rows. */
FFN_SHARED int ffn_span_hits(const ffn_span *rows, uintptr_t row, size_t columns) {
  const uintptr_t first = (uintptr_t)rows->first, step = rows->stride * sizeof(float);
  const uintptr_t end = first + rows->columns * sizeof(float);
  /* The first of them that ends behind where the row begins. */
  const uintptr_t index = end > row ? 0 : step > 0 ? (row - end) / step + 1 : rows->rows;
  return index < rows->rows && first + index * step < row + columns * sizeof(float);
}

/* Whether memory of so many bytes, more than none in all, has nothing of the other's: it begins
 * behind the other's end, counted modulo all addresses, and has so much room until the other
 * begins. One comparison, for every call asks. */
FFN_SHARED int ffn_span_beside(uintptr_t a, uintptr_t of_a, uintptr_t b, uintptr_t of_b) {
  return b - a - of_a <= (uintptr_t)0 - of_a - of_b;
}

/* Whether one ends in front of the other. Both are what ffn_span_reads() takes. */
FFN_SHARED int ffn_span_in_turn(const ffn_span *a, const ffn_span *b) {
  return ffn_span_beside(
      (uintptr_t)a->first, ffn_span_extent(a), (uintptr_t)b->first, ffn_span_extent(b));
}

/* Whether they have no float in common: one may hold the other's rows between its own, as columns
 * of one array do. Where their strides are the same, the first rows tell. */
FFN_APART int ffn_span_apart(const ffn_span *a, const ffn_span *b) {
  const size_t count = a->stride == b->stride ? 1 : a->rows;
  uintptr_t row = (uintptr_t)a->first;
  if (a->rows == 0 || b->rows == 0 || a->columns == 0 || b->columns == 0 || ffn_span_in_turn(a, b))
    return 1;
  for (size_t i = 0; i < count; ++i, row += a->stride * sizeof(float))
    if (ffn_span_hits(b, row, a->columns))
      return 0;
  return !ffn_span_hits(a, (uintptr_t)b->first, b->columns);
}

/*@ foot */
#endif
/*@ end */
