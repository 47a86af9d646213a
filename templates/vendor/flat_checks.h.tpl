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

/* Rows of the caller's. */
FFN_SHARED ffn_flat_status ffn_flat_rows(
    const float *rows, size_t stride, size_t columns, size_t tokens) {
  if (tokens == 0)
    return FFN_FLAT_OK;
  if (!rows)
    return FFN_FLAT_NULL;
  if (tokens > 1 &&
      (stride < columns || stride > (SIZE_MAX / sizeof *rows - columns) / (tokens - 1)))
    return FFN_FLAT_STRIDE;
  return ffn_flat_floats(rows);
}

/* Rows that are written beside rows that are read. Both may be columns of one array, so the first
 * of each tell. */
FFN_SHARED ffn_flat_status ffn_flat_apart(
    const float *to, size_t to_columns, const float *from, size_t from_columns, size_t tokens) {
  const uintptr_t to_at = (uintptr_t)to, from_at = (uintptr_t)from;
  return tokens == 0 || to_at + to_columns * sizeof *to <= from_at ||
                 from_at + from_columns * sizeof *from <= to_at
             ? FFN_FLAT_OK
             : FFN_FLAT_OVERLAP;
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

/* A tensor that is read. */
FFN_SHARED ffn_flat_status ffn_flat_tensor(const float *first) {
  return first ? ffn_flat_floats(first) : FFN_FLAT_NULL;
}

/* Weights that are given one by one, each stage's matrices, and each one's bias behind it, into all
 * of `to`; chain has room for all stages. */
FFN_APART ffn_flat_status ffn_flat_weights(ffn_weights *to, ffn_linear *chain,
    const ffn_stage *stages, size_t stage_count, size_t parameter_count, const float *const *given,
    const float *parameters) {
  static const ffn_weights none = FFN_FLAT_ZEROS;
  static const ffn_linear no_linear = FFN_FLAT_ZEROS;
  ffn_linear *const fields[] = {&to->gate, &to->up, &to->down};
  FFN_MEMCPY(to, &none, sizeof none);
  to->chain = chain;
  for (size_t s = 0; s < stage_count; ++s)
    for (size_t b = 0; b < stages[s].branches; ++b) {
      const ffn_matrix matrix = stages[s].matrix[b];
      ffn_linear *linear = matrix == FFN_MATRIX_CHAIN ? &chain[s] : fields[matrix];
      FFN_MEMCPY(linear, &no_linear, sizeof no_linear);
      FFN_FLAT_TRY(ffn_flat_tensor(*given));
      linear->weight = *given++;
      if (!stages[s].bias)
        continue;
      FFN_FLAT_TRY(ffn_flat_tensor(*given));
      linear->bias = *given++;
    }
  if (parameter_count == 0)
    return FFN_FLAT_OK;
  FFN_FLAT_TRY(ffn_flat_tensor(parameters));
  FFN_MEMCPY(to->parameters, parameters, parameter_count * sizeof *parameters);
  return FFN_FLAT_OK;
}
% end
% if alone then
#endif
% end
