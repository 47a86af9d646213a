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

FFN_SHARED ffn_span ffn_flat_rows_at(
    const float *first, size_t stride, size_t columns, size_t rows) {
  const ffn_span place = {first, stride, columns, rows};
  return place;
}

/* What is wrong with rows, unless they fit: can be read, or written. */
FFN_SHARED ffn_flat_status ffn_flat_rows(const ffn_span *rows, int fit) {
  if (fit)
    return FFN_FLAT_OK;
  if (!rows->first)
    return FFN_FLAT_NULL;
  return ffn_span_aligned(rows->first) ? FFN_FLAT_STRIDE : FFN_FLAT_ALIGNMENT;
}

FFN_SHARED ffn_flat_status ffn_flat_floats(const float *first) {
  return ffn_span_aligned(first) ? FFN_FLAT_OK : FFN_FLAT_ALIGNMENT;
}

/* What is written, the first `writes` of them, lies apart from all of them. Nearly always one ends
 * in front of the other. */
FFN_SHARED ffn_flat_status ffn_flat_all_apart(const ffn_span *all, size_t writes, size_t count) {
  for (size_t i = 0; i < writes; ++i)
    for (size_t j = i + 1; j < count; ++j)
      if (!ffn_span_in_turn(&all[i], &all[j]) && !ffn_span_apart(&all[i], &all[j]))
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
    const float *first, size_t floats, const ffn_span *packed) {
  const ffn_span all[] = {*packed, ffn_span_vector(first, floats)};
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
  const ffn_span written = ffn_span_bytes(packed, packed_bytes);
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
