% if alone then
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * flat_checks.h - what is judged before a flat function calls a kernel. */
#ifndef FFN_FLAT_CHECKS_H
#define FFN_FLAT_CHECKS_H

#include "kernel.h"
#include "ffn_flat.h"

% end
/* Returns from a function whose argument is not as it has to be. */
#define FFN_FLAT_TRY(check) \
  do { \
    const ffn_flat_status wrong = (check); \
    if (wrong != FFN_FLAT_OK) \
      return wrong; \
  } while (0)

/* What stands for constants that are all zeros, in C and in C++: copied, as zeros that are written
 * may become a call of memset(). */
#ifdef __cplusplus
#define FFN_FLAT_ZEROS {}
#else
#define FFN_FLAT_ZEROS {0}
#endif

FFN_SHARED ffn_flat_status ffn_flat_floats(const float *first) {
  return (uintptr_t)first % sizeof *first == 0 ? FFN_FLAT_OK : FFN_FLAT_ALIGNMENT;
}

/* Rows of floats, `stride` apart; all other memory is one row. */
typedef struct ffn_flat_place {
  const void *first;
  size_t stride, columns, rows;
} ffn_flat_place;

FFN_SHARED ffn_flat_place ffn_flat_rows_at(
    const float *first, size_t stride, size_t columns, size_t rows) {
  const ffn_flat_place place = {first, stride, columns, rows};
  return place;
}

/* Rows of the caller's, which end before all addresses do. */
FFN_SHARED ffn_flat_status ffn_flat_rows(const ffn_flat_place *place) {
  const size_t stride = place->stride, columns = place->columns;
  const size_t most = (size_t)((UINTPTR_MAX - (uintptr_t)place->first) / sizeof(float));
  if (place->rows == 0)
    return FFN_FLAT_OK;
  if (!place->first)
    return FFN_FLAT_NULL;
  if (columns > most)
    return FFN_FLAT_STRIDE;
  if (place->rows > 1 &&
      (stride < columns || stride > (most - columns) / (place->rows - 1)))
    return FFN_FLAT_STRIDE;
  return ffn_flat_floats((const float *)place->first);
}

/* Memory of so many floats, or bytes; of none where it is NULL. */
FFN_SHARED ffn_flat_place ffn_flat_vector(const void *first, size_t floats) {
  const ffn_flat_place place = {first, 0, first ? floats : 0, 1};
  return place;
}

FFN_SHARED ffn_flat_place ffn_flat_bytes(const void *first, size_t bytes) {
  return ffn_flat_vector(first, bytes / sizeof(float));
}

FFN_SHARED uintptr_t ffn_flat_end(const ffn_flat_place *place) {
  const size_t floats =
      place->rows == 0 ? 0 : (place->rows - 1) * place->stride + place->columns;
  return (uintptr_t)place->first + floats * sizeof(float);
}

/* Whether a row has a float in common with any of some rows. */
FFN_SHARED int ffn_flat_hits(const ffn_flat_place *rows, uintptr_t row, size_t columns) {
  const uintptr_t first = (uintptr_t)rows->first, step = rows->stride * sizeof(float);
  const uintptr_t end = first + rows->columns * sizeof(float);
  /* The first of them that ends behind where the row begins. */
  const uintptr_t index = end > row ? 0 : step > 0 ? (row - end) / step + 1 : rows->rows;
  return index < rows->rows && first + index * step < row + columns * sizeof(float);
}

/* Whether they have no float in common: one may hold the other's rows between its own, as columns
 * of one array do. Where their strides are the same, the first rows tell. */
FFN_APART int ffn_flat_apart(const ffn_flat_place *a, const ffn_flat_place *b) {
  const size_t count = a->stride == b->stride ? 1 : a->rows;
  uintptr_t row = (uintptr_t)a->first;
  if (a->rows == 0 || b->rows == 0 || a->columns == 0 || b->columns == 0)
    return 1;
  for (size_t i = 0; i < count; ++i, row += a->stride * sizeof(float))
    if (ffn_flat_hits(b, row, a->columns))
      return 0;
  return !ffn_flat_hits(a, (uintptr_t)b->first, b->columns);
}

/* What is written, the first `writes` of the places, lies apart from all of them. Nearly always one
 * ends in front of the other. */
FFN_SHARED ffn_flat_status ffn_flat_all_apart(
    const ffn_flat_place *all, size_t writes, size_t count) {
  for (size_t i = 0; i < writes; ++i)
    for (size_t j = i + 1; j < count; ++j)
      if (ffn_flat_end(&all[i]) > (uintptr_t)all[j].first &&
          ffn_flat_end(&all[j]) > (uintptr_t)all[i].first && !ffn_flat_apart(&all[i], &all[j]))
        return FFN_FLAT_OVERLAP;
  return FFN_FLAT_OK;
}

/* Memory of so many bytes; `few` tells that it has fewer. */
FFN_SHARED ffn_flat_status ffn_flat_memory(
    const void *memory, size_t bytes, size_t needed, ffn_flat_status few) {
  if (!memory)
    return FFN_FLAT_NULL;
  if ((uintptr_t)memory % FFN_ALIGNMENT != 0)
    return FFN_FLAT_ALIGNMENT;
  return bytes >= needed ? FFN_FLAT_OK : few;
}

/* Packed weights of a layer. */
FFN_SHARED ffn_flat_status ffn_flat_packed(
    const void *packed, size_t bytes, size_t needed, uint64_t hash) {
  FFN_FLAT_TRY(ffn_flat_memory(packed, bytes, needed, FFN_FLAT_PACKED));
  return ffn_packed_is(packed, hash) ? FFN_FLAT_OK : FFN_FLAT_PACKED;
}

/* Threads of a host; NULL is none. */
FFN_SHARED ffn_flat_status ffn_flat_threads(const ffn_parallel *parallel) {
  return parallel && parallel->threads > 1 && !parallel->run ? FFN_FLAT_THREADS : FFN_FLAT_OK;
}

FFN_SHARED size_t ffn_flat_count(const ffn_parallel *parallel) {
  return parallel ? parallel->threads : 1;
}
% if not weights then

/* A tensor that is read, while packed weights are written. */
FFN_APART ffn_flat_status ffn_flat_tensor(
    const float *first, size_t floats, const ffn_flat_place *packed) {
  const ffn_flat_place all[] = {*packed, ffn_flat_vector(first, floats)};
  if (!first)
    return FFN_FLAT_NULL;
  FFN_FLAT_TRY(ffn_flat_floats(first));
  return ffn_flat_all_apart(all, 1, 2);
}

/* Weights that are given one by one, each stage's matrices, and each one's bias behind it, into all
 * of `to`; chain has room for all stages. All of them lie apart from what is packed. */
FFN_APART ffn_flat_status ffn_flat_weights(ffn_weights *to, ffn_linear *chain,
    const ffn_stage *stages, size_t stage_count, size_t parameter_count, const float *const *given,
    const float *parameters, const void *packed, size_t packed_bytes) {
  static const ffn_weights none = FFN_FLAT_ZEROS;
  static const ffn_linear no_linear = FFN_FLAT_ZEROS;
  ffn_linear *const fields[] = {&to->gate, &to->up, &to->down};
  const ffn_flat_place written = ffn_flat_bytes(packed, packed_bytes);
  FFN_MEMCPY(to, &none, sizeof none);
  to->chain = chain;
  for (size_t s = 0; s < stage_count; ++s)
    for (size_t b = 0; b < stages[s].branches; ++b) {
      const ffn_matrix matrix = stages[s].matrix[b];
      ffn_linear *linear = matrix == FFN_MATRIX_CHAIN ? &chain[s] : fields[matrix];
      FFN_MEMCPY(linear, &no_linear, sizeof no_linear);
      FFN_FLAT_TRY(ffn_flat_tensor(*given, stages[s].outputs * stages[s].inputs, &written));
      linear->weight = *given++;
      if (!stages[s].bias)
        continue;
      FFN_FLAT_TRY(ffn_flat_tensor(*given, stages[s].outputs, &written));
      linear->bias = *given++;
    }
  if (parameter_count == 0)
    return FFN_FLAT_OK;
  if (!parameters) /* which gcc sees here */
    return FFN_FLAT_NULL;
  FFN_FLAT_TRY(ffn_flat_tensor(parameters, parameter_count, &written));
  FFN_MEMCPY(to->parameters, parameters, parameter_count * sizeof *parameters);
  return FFN_FLAT_OK;
}
% end
% if alone then
#endif
% end
