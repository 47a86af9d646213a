% if alone then
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * flat_train.c - the functions of ffn_flat.h that train. */
#include "ffn_flat_checks.h"
#include "train_walk.h"

% end
#ifndef FFN_NO_TRAIN
/* ---- Flat functions of training ----------------------------------------------------------- */

FFN_COLD ffn_flat_status ffn_flat_pack_train(const ffn_training *training, void *packed,
    size_t packed_bytes, const float *const *given, const float *parameters) {
  ffn_linear chain[FFN_MAX_STAGES];
  ffn_weights weights;
  if (!training)
    return FFN_FLAT_NO_KERNEL;
  FFN_FLAT_TRY(ffn_flat_memory(packed, packed_bytes, training->packed_bytes, FFN_FLAT_PACKED));
  FFN_FLAT_TRY(ffn_flat_weights(&weights, chain, training->stages, training->stage_count,
      training->runtime_parameters, given, parameters, packed, training->packed_bytes));
  training->pack_train(packed, &weights);
  return FFN_FLAT_OK;
}

/* What one pass takes, that which is written first. */
typedef struct ffn_flat_places {
  size_t count;
  ffn_span all[7 + 2 * FFN_MAX_BRANCHES * FFN_MAX_STAGES];
} ffn_flat_places;

static void ffn_flat_take(ffn_flat_places *places, ffn_span place) {
  places->all[places->count++] = place;
}

/* What both passes take beside rows. */
static ffn_flat_status ffn_flat_trains(const ffn_training *training, uint64_t hash, size_t tokens,
    const void *saved, size_t saved_bytes, const void *packed, size_t packed_bytes,
    const void *work, size_t work_bytes, const ffn_parallel *parallel) {
  const size_t needed = ffn_saved_bytes(training, tokens);
  FFN_FLAT_TRY(ffn_flat_threads(parallel));
  if (needed > 0)
    FFN_FLAT_TRY(ffn_flat_memory(saved, saved_bytes, needed, FFN_FLAT_SAVED));
  FFN_FLAT_TRY(ffn_flat_packed(packed, packed_bytes, training->packed_bytes, hash));
  return ffn_flat_memory(work, work_bytes,
      ffn_train_work_bytes(training, ffn_flat_count(parallel)), FFN_FLAT_WORK);
}

static ffn_flat_status ffn_flat_run_train(const ffn_training *training, uint64_t hash, float *y,
    size_t y_stride, const float *x, size_t x_stride, size_t tokens, void *saved,
    size_t saved_bytes, const void *packed, size_t packed_bytes, void *work, size_t work_bytes,
    const ffn_dropout *dropout, const ffn_parallel *parallel) {
  if (!training)
    return FFN_FLAT_NO_KERNEL;
  const ffn_span all[] = {
      ffn_flat_rows_at(y, y_stride, training->outputs, tokens),
      ffn_span_bytes(saved, ffn_saved_bytes(training, tokens)),
      ffn_span_bytes(work, ffn_train_work_bytes(training, ffn_flat_count(parallel))),
      ffn_flat_rows_at(x, x_stride, training->inputs, tokens),
      ffn_span_bytes(packed, training->packed_bytes),
  };
  FFN_FLAT_TRY(ffn_flat_rows(&all[3], ffn_span_reads(&all[3])));
  FFN_FLAT_TRY(ffn_flat_rows(&all[0], ffn_span_writes(&all[0])));
  FFN_FLAT_TRY(ffn_flat_trains(training, hash, tokens, saved, saved_bytes, packed, packed_bytes,
      work, work_bytes, parallel));
  FFN_FLAT_TRY(ffn_flat_all_apart(all, 3, 5));
  ffn_run_train(training, y, y_stride, x, x_stride, tokens, tokens > 0 ? saved : NULL, packed, work,
      dropout, parallel);
  return FFN_FLAT_OK;
}

/* Gradients where they are wanted, each stage's matrices, and each one's bias behind it. */
static ffn_flat_status ffn_flat_gradients(ffn_flat_places *places, ffn_gradients *to,
    ffn_linear_gradient *chain, const ffn_training *training, float *const *given,
    float *parameters) {
  static const ffn_gradients none = FFN_FLAT_ZEROS;
  static const ffn_linear_gradient no_linear = FFN_FLAT_ZEROS;
  ffn_linear_gradient *const fields[] = {&to->gate, &to->up, &to->down};
  FFN_MEMCPY(to, &none, sizeof none);
  to->chain = chain;
  for (size_t s = 0; s < training->stage_count; ++s)
    for (size_t b = 0; b < training->stages[s].branches; ++b) {
      const ffn_matrix matrix = training->stages[s].matrix[b];
      const size_t outputs = training->stages[s].outputs;
      ffn_linear_gradient *linear = matrix == FFN_MATRIX_CHAIN ? &chain[s] : fields[matrix];
      FFN_MEMCPY(linear, &no_linear, sizeof no_linear);
      FFN_FLAT_TRY(ffn_flat_floats(*given));
      ffn_flat_take(places, ffn_span_vector(*given, outputs * training->stages[s].inputs));
      linear->weight = *given++;
      if (!training->stages[s].bias)
        continue;
      FFN_FLAT_TRY(ffn_flat_floats(*given));
      ffn_flat_take(places, ffn_span_vector(*given, outputs));
      linear->bias = *given++;
    }
  ffn_flat_take(places, ffn_span_vector(parameters, training->runtime_parameters));
  to->parameters = parameters;
  return ffn_flat_floats(parameters);
}

static ffn_flat_status ffn_flat_grad(const ffn_training *training, uint64_t hash, float *dx,
    size_t dx_stride, float *const *given, float *parameters, int accumulate, const float *dy,
    size_t dy_stride, const float *x, size_t x_stride, size_t tokens, const void *saved,
    size_t saved_bytes, const void *packed, size_t packed_bytes, void *work, size_t work_bytes,
    const ffn_dropout *dropout, const ffn_parallel *parallel) {
  ffn_linear_gradient chain[FFN_MAX_STAGES];
  ffn_flat_places places;
  ffn_span from[2];
  size_t writes;
  ffn_gradients to;
  if (!training)
    return FFN_FLAT_NO_KERNEL;
  from[0] = ffn_flat_rows_at(dy, dy_stride, training->outputs, tokens);
  from[1] = ffn_flat_rows_at(x, x_stride, training->inputs, tokens);
  FFN_FLAT_TRY(ffn_flat_rows(&from[0], ffn_span_reads(&from[0])));
  FFN_FLAT_TRY(ffn_flat_rows(&from[1], ffn_span_reads(&from[1])));
  places.count = 1;
  places.all[0] = ffn_flat_rows_at(dx, dx_stride, training->inputs, dx ? tokens : 0);
  FFN_FLAT_TRY(ffn_flat_rows(&places.all[0], ffn_span_writes(&places.all[0])));
  FFN_FLAT_TRY(ffn_flat_gradients(&places, &to, chain, training, given, parameters));
  FFN_FLAT_TRY(ffn_flat_trains(training, hash, tokens, saved, saved_bytes, packed, packed_bytes,
      work, work_bytes, parallel));
  if (!ffn_packed_trains(packed, training->packed_bytes))
    return FFN_FLAT_PACKED;
  if (!ffn_train_is_saved(training, hash, dropout, tokens, saved))
    return FFN_FLAT_SAVED;
  ffn_flat_take(&places,
      ffn_span_bytes(work, ffn_train_work_bytes(training, ffn_flat_count(parallel))));
  writes = places.count;
  ffn_flat_take(&places, from[0]);
  ffn_flat_take(&places, from[1]);
  ffn_flat_take(&places, ffn_span_bytes(saved, ffn_saved_bytes(training, tokens)));
  ffn_flat_take(&places, ffn_span_bytes(packed, training->packed_bytes));
  FFN_FLAT_TRY(ffn_flat_all_apart(places.all, writes, places.count));
  to.dx = tokens > 0 ? dx : NULL;
  to.dx_stride = dx_stride;
  to.accumulate = accumulate != 0;
  ffn_grad(training, &to, dy, dy_stride, x, x_stride, tokens, tokens > 0 ? saved : NULL, packed,
      work, dropout, parallel);
  return FFN_FLAT_OK;
}
% if flat_drops then

/* What a call drops, without masks. */
static ffn_dropout ffn_flat_drops(const ffn_flat_dropout *given) {
  ffn_dropout dropout;
  dropout.seed = given ? given->seed : 0;
  dropout.first_token = given ? given->first_token : 0;
  dropout.layer = given ? given->layer : 0;
  dropout.step = given ? given->step : 0;
  dropout.masks = NULL;
  return dropout;
}
% end
% for _, l in ipairs(trained) do
% local flat_layer = flat_of(l)
% local head, hash = flat_layer.head, flat_layer.packed_hash
% local parameters = flat_layer.parameters and 'parameters' or 'NULL'
% local d_parameters = flat_layer.parameters and 'd_parameters' or 'NULL'

${head 'saved_bytes'} {
  const ffn_training *training = ffn_${l.spec}_training();
  return training ? ffn_saved_bytes(training, tokens) : 0;
}

${head 'train_work_bytes'} {
  const ffn_training *training = ffn_${l.spec}_training();
  return training ? ffn_train_work_bytes(training, threads) : 0;
}

${head 'pack_train'} {
  const float *const given[] = {${table.concat(flat_layer.given, ', ')}};
  return ffn_flat_pack_train(
      ffn_${l.spec}_training(), packed, packed_bytes, given, ${parameters});
}
% for _, threads in ipairs { '', '_threads' } do
% local parallel = threads == '' and 'NULL' or '&parallel'
% local dropout = flat_layer.drops and 'dropout ? &drops : NULL' or 'NULL'

${head('run_train' .. threads)} {
% if flat_layer.drops then
  const ffn_dropout drops = ffn_flat_drops(dropout);
% end
% if threads ~= '' then
  const ffn_parallel parallel = {host, pool, threads};
% end
  return ffn_flat_run_train(ffn_${l.spec}_training(), ${hash}, y, y_stride, x,
      x_stride, tokens, saved, saved_bytes, packed, packed_bytes, work, work_bytes,
      ${dropout}, ${parallel});
}

${head('grad' .. threads)} {
% if flat_layer.drops then
  const ffn_dropout drops = ffn_flat_drops(dropout);
% end
% if threads ~= '' then
  const ffn_parallel parallel = {host, pool, threads};
% end
  float *const given[] = {${table.concat(flat_layer.gradients, ', ')}};
  return ffn_flat_grad(ffn_${l.spec}_training(), ${hash}, dx, dx_stride, given,
      ${d_parameters}, accumulate, dy, dy_stride, x, x_stride, tokens, saved, saved_bytes,
      packed, packed_bytes, work, work_bytes, ${dropout}, ${parallel});
}
% end
% end
#endif
