% if alone then
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * flat.c - the functions of ffn_flat.h. */
#include "ffn_flat_checks.h"

% end
/* ---- Flat functions ----------------------------------------------------------------------- */

const char *ffn_flat_text(ffn_flat_status status) {
  switch (status) {
  case FFN_FLAT_OK:
    return "nothing is wrong";
  case FFN_FLAT_NO_KERNEL:
    return "this CPU has none of the layer's instruction sets";
  case FFN_FLAT_NULL:
    return "a pointer is NULL that may not be";
  case FFN_FLAT_ALIGNMENT:
    return "floats are not aligned to 4 bytes, or packed, work or saved memory not to 64";
  case FFN_FLAT_STRIDE:
    return "a stride of what is written is less than a row, or rows end beyond all memory";
  case FFN_FLAT_OVERLAP:
    return "what is written overlaps something else that the call takes";
  case FFN_FLAT_TOKENS:
    return "more tokens in a call than the layer takes";
  case FFN_FLAT_PACKED:
    return "packed has too few bytes, or nothing that was packed for this layer, "
           "for grad() by pack_train(): pack anew";
  case FFN_FLAT_WORK:
    return "work memory has too few bytes for the tokens and threads of the call";
  case FFN_FLAT_SAVED:
    return "saved memory has too few bytes for the tokens of the call, "
           "or nothing that run_train() saved of it";
  case FFN_FLAT_THREADS:
    return "more threads than one are asked for, and there is no host to run them";
  case FFN_FLAT_LEFT_OUT:
    return "this was compiled without the function";
  }
  return "?";
}
% if not freestanding then

void *ffn_flat_alloc(size_t bytes) { return ffn_alloc(bytes); }
void ffn_flat_free(void *memory) { ffn_free(memory); }
% end

/* run(), or with a scale add(). */
static ffn_flat_status ffn_flat_call(const ffn_kernel *kernel, uint64_t hash, float *y,
    size_t y_stride, const float *scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, size_t packed_bytes, void *work, size_t work_bytes,
    const ffn_parallel *parallel) {
  ffn_span all[4], x_rows, y_rows;
  size_t needed;
  int in_place;
  if (!kernel)
    return FFN_FLAT_NO_KERNEL;
  if (scale && !kernel->adds)
    return FFN_FLAT_LEFT_OUT;
  if (kernel->max_tokens > 0 && tokens > kernel->max_tokens)
    return FFN_FLAT_TOKENS;
  FFN_FLAT_TRY(ffn_flat_threads(parallel));
  if (tokens == 0)
    return FFN_FLAT_OK;
  x_rows = ffn_flat_rows_at(x, x_stride, kernel->inputs, tokens);
  y_rows = ffn_flat_rows_at(y, y_stride, kernel->outputs, tokens);
  FFN_FLAT_TRY(ffn_flat_rows(&x_rows, ffn_span_reads(&x_rows)));
  FFN_FLAT_TRY(ffn_flat_rows(&y_rows, ffn_span_writes(&y_rows)));
  FFN_FLAT_TRY(ffn_flat_packed(packed, packed_bytes, kernel->packed_bytes, hash));
  needed = ffn_work_bytes(kernel, ffn_flat_count(parallel), tokens);
  FFN_FLAT_TRY(ffn_flat_memory(work, work_bytes, needed, FFN_FLAT_WORK));
  in_place = kernel->in_place && y == x &&
             (tokens == 1 || (y_stride == x_stride && x_stride >= kernel->inputs));
  all[0] = ffn_span_bytes(work, needed);
  all[1] = y_rows;
  all[2] = ffn_span_bytes(packed, kernel->packed_bytes);
  all[3] = x_rows;
  FFN_FLAT_TRY(ffn_flat_all_apart(all, 1, 4));
  FFN_FLAT_TRY(ffn_flat_all_apart(all + 1, 1, in_place ? 2 : 3));
  if (scale)
    ffn_add(
        kernel, y, y_stride, *scale, x, x_stride, tokens, packed, work, work_bytes, parallel);
  else
    ffn_run(kernel, y, y_stride, x, x_stride, tokens, packed, work, work_bytes, parallel);
  return FFN_FLAT_OK;
}
% if not weights then

FFN_COLD ffn_flat_status ffn_flat_pack(const ffn_kernel *kernel, void *packed, size_t packed_bytes,
    const float *const *given, const float *parameters) {
  ffn_linear chain[FFN_MAX_STAGES];
  ffn_weights weights;
  if (!kernel)
    return FFN_FLAT_NO_KERNEL;
  if (!kernel->pack)
    return FFN_FLAT_LEFT_OUT;
  FFN_FLAT_TRY(ffn_flat_memory(packed, packed_bytes, kernel->packed_bytes, FFN_FLAT_PACKED));
  FFN_FLAT_TRY(ffn_flat_weights(&weights, chain, kernel->stages, kernel->stage_count,
      kernel->runtime_parameters, given, parameters, packed, kernel->packed_bytes));
  kernel->pack(packed, &weights);
  return FFN_FLAT_OK;
}

FFN_COLD ffn_flat_status ffn_flat_unpack(const ffn_kernel *kernel, uint64_t hash,
    float *const *given, float *parameters, const void *packed, size_t packed_bytes) {
  static const ffn_unpacked none = FFN_FLAT_ZEROS;
  static const ffn_unpacked_linear no_linear = FFN_FLAT_ZEROS;
  ffn_unpacked_linear chain[FFN_MAX_STAGES];
  ffn_span all[2 + 2 * FFN_MAX_BRANCHES * FFN_MAX_STAGES];
  size_t count = 0;
  ffn_unpacked to;
  ffn_unpacked_linear *const fields[] = {&to.gate, &to.up, &to.down};
  if (!kernel)
    return FFN_FLAT_NO_KERNEL;
  if (!kernel->unpack)
    return FFN_FLAT_LEFT_OUT;
  FFN_FLAT_TRY(ffn_flat_packed(packed, packed_bytes, kernel->packed_bytes, hash));
  FFN_MEMCPY(&to, &none, sizeof none);
  to.chain = chain;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    for (size_t b = 0; b < kernel->stages[s].branches; ++b) {
      const ffn_matrix matrix = kernel->stages[s].matrix[b];
      ffn_unpacked_linear *linear = matrix == FFN_MATRIX_CHAIN ? &chain[s] : fields[matrix];
      FFN_MEMCPY(linear, &no_linear, sizeof no_linear);
      FFN_FLAT_TRY(ffn_flat_floats(*given));
      all[count++] =
          ffn_span_vector(*given, kernel->stages[s].outputs * kernel->stages[s].inputs);
      linear->weight = *given++;
      if (!kernel->stages[s].bias)
        continue;
      FFN_FLAT_TRY(ffn_flat_floats(*given));
      all[count++] = ffn_span_vector(*given, kernel->stages[s].outputs);
      linear->bias = *given++;
    }
  FFN_FLAT_TRY(ffn_flat_floats(parameters));
  all[count++] = ffn_span_vector(parameters, kernel->runtime_parameters);
  all[count] = ffn_span_bytes(packed, kernel->packed_bytes);
  FFN_FLAT_TRY(ffn_flat_all_apart(all, count, count + 1));
  kernel->unpack(&to, packed);
  if (parameters)
    FFN_MEMCPY(parameters, to.parameters, kernel->runtime_parameters * sizeof *parameters);
  return FFN_FLAT_OK;
}
% end
% for _, l in ipairs(layers) do
% local flat_layer = flat_of(l)
% local head, hash = flat_layer.head, flat_layer.packed_hash
% local packed = weights and ('ffn_%s_packed(), FFN_%s_PACKED_BYTES'):format(l.spec, upper(l.spec)) or 'packed, packed_bytes'
% local parameters = flat_layer.parameters and 'parameters' or 'NULL'

${head 'kernel_name'} {
  const ffn_kernel *kernel = ffn_${l.spec}();
  return kernel ? kernel->name : NULL;
}

${head 'work_bytes'} {
  return ffn_work_bytes(ffn_${l.spec}(), threads, tokens);
}
% if not weights then

${head 'packed_bytes'} {
  const ffn_kernel *kernel = ffn_${l.spec}();
  return kernel ? kernel->packed_bytes : 0;
}

${head 'pack'} {
  const float *const given[] = {${table.concat(flat_layer.given, ', ')}};
  return ffn_flat_pack(ffn_${l.spec}(), packed, packed_bytes, given, ${parameters});
}

${head 'unpack'} {
  float *const given[] = {${table.concat(flat_layer.given, ', ')}};
  return ffn_flat_unpack(
      ffn_${l.spec}(), ${hash}, given, ${parameters}, packed, packed_bytes);
}
% end
% for _, call in ipairs { { 'run', 'NULL' }, { 'add', '&scale' } } do

${head(call[1])} {
  return ffn_flat_call(ffn_${l.spec}(), ${hash}, y, y_stride, ${call[2]}, x,
      x_stride, tokens, ${packed}, work, work_bytes, NULL);
}

${head(call[1] .. '_threads')} {
  const ffn_parallel parallel = {host, pool, threads};
  return ffn_flat_call(ffn_${l.spec}(), ${hash}, y, y_stride, ${call[2]}, x,
      x_stride, tokens, ${packed}, work, work_bytes, &parallel);
}
% end
% end
