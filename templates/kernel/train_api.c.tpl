static float ${own}store(void *to, size_t at, float value) {
  ((${format.c_type} *)to)[at] = ${encode('value')};
  return ${decode(('((%s *)to)[at]'):format(format.c_type))};
}

static void ${own}pack_train(void *to, const ffn_weights *weights) {
  ${own}packed_weights *packed = (${own}packed_weights *)to;
  ffn_pack_header(&packed->header, ${layer_hash}, weights->parameters, ${#layer.runtime_parameters});
% for i, s in ipairs(pass.stages) do
% if i <= #forward_stages then
  ffn_pack_stage(
      &packed->header, packed->${s.stage.name}, ${bias_text(s)},
      ${own}stages, ${i - 1}, weights, ${own}store);
% else
  ffn_pack_transposed(
      packed->${s.stage.name}, ${NAME(s)}_INPUTS / ${s.stage.sum.parts}, ${own}stages, ${s.stage.of - 1}, weights,
      ${own}store);
% end
% end
}

static void ${own}run_train(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, void *saved,
    const void *packed, void *work, const ffn_dropout *dropout, const ffn_parallel *parallel) {
  FFN_ASSERT(ffn_rows_are(x, x_stride, ${layer.inputs}, tokens));
  FFN_ASSERT(ffn_rows_are(y, y_stride, ${layer.outputs}, tokens));
  FFN_ASSERT(ffn_rows_apart(y, ${layer.outputs}, x, ${layer.inputs}, tokens));
  ffn_train_call call =
      ffn_train_begin(&${own}train_pass, x, x_stride, tokens, saved, packed, work, dropout);
  call.slab.out_stride = y_stride;
  call.rows_out = y;
  call.wanted = 1;
  ffn_train_walk(&call, parallel);
}

static void ${own}grad(
    const ffn_gradients *to, const float *dy, size_t dy_stride, const float *x, size_t x_stride,
    size_t tokens, const void *saved, const void *packed, void *work,
    const ffn_dropout *dropout, const ffn_parallel *parallel) {
  FFN_ASSERT(to && ffn_rows_are(x, x_stride, ${layer.inputs}, tokens));
  FFN_ASSERT(ffn_rows_are(dy, dy_stride, ${layer.outputs}, tokens));
  FFN_ASSERT(!to->dx || ffn_rows_are(to->dx, to->dx_stride, ${layer.inputs}, tokens));
  FFN_ASSERT(!to->dx || ffn_rows_apart(to->dx, ${layer.inputs}, x, ${layer.inputs}, tokens));
  FFN_ASSERT(!to->dx || ffn_rows_apart(to->dx, ${layer.inputs}, dy, ${layer.outputs}, tokens));
  ffn_train_call call =
      ffn_train_begin(&${own}grad_pass, x, x_stride, tokens, saved, packed, work, dropout);
  call.slab.out_stride = to->dx_stride;
  call.rows_out = to->dx;
  call.slab.dy = dy;
  call.slab.dy_stride = dy_stride;
  call.slab.to = to;
  call.slab.adds = to->accumulate;
% for _, want in ipairs(wanted) do
  if (${want.condition})
    call.wanted |= ${want.bit};
% end
  ffn_train_walk(&call, parallel);
}

extern const ffn_training ${symbol}_train;
const ffn_training ${symbol}_train = {
    "${symbol}_train", /* name */
    "${layer.name}", /* layer */
    FFN_ISA_${upper(isa.name)}, /* isa */
    ${layer.inputs}, /* inputs */
    ${layer.outputs}, /* outputs */
    ${#forward_stages}, /* stage_count */
    ${own}stages, /* stages */
    ${#layer.runtime_parameters}, /* runtime_parameters */
    ${own}back_lengths, /* back_lengths */
    ${#dropouts}, /* dropout_count */
    ${#dropouts > 0 and own .. 'dropouts' or 'NULL'}, /* dropouts */
    sizeof(${own}packed_weights), /* packed_bytes */
    ${OWN}SAVED_ROW * sizeof(float), /* saved_bytes */
    sizeof(${own}train_memory) > sizeof(${own}grad_memory)
        ? sizeof(${own}train_memory)
        : sizeof(${own}grad_memory), /* shared_bytes */
    ${OWN}SUMS * sizeof(float), /* thread_bytes */
    ${own}pack_train, /* pack_train */
    ${own}run_train, /* run_train */
    ${own}grad, /* grad */
};
