#ifndef FFN_NO_PACK
static float ${own}load(const void *from, size_t at) {
  const ${format.c_type} stored = ((const ${format.c_type} *)from)[at];
  return ${decode('stored')};
}

static float ${own}store(void *to, size_t at, float value) {
  ((${format.c_type} *)to)[at] = ${encode('value')};
  return ${own}load(to, at);
}

static void ${own}pack(void *to, const ffn_weights *weights) {
  ${own}packed_weights *packed = (${own}packed_weights *)to;
  ffn_pack_header(
      &packed->header, ${own}forward.layer_hash, weights->parameters,
      ${#layer.runtime_parameters});
% for i, s in ipairs(pass.stages) do
  ffn_pack_stage(
      &packed->header, packed->${s.stage.name}, ${bias_text(s)},
      ${own}stages, ${i - 1}, weights, ${own}store);
% end
}

static void ${own}unpack(ffn_weights *weights, const void *from) {
  const ${own}packed_weights *packed = (const ${own}packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
% for i, s in ipairs(pass.stages) do
  ffn_unpack_stage(
      weights, packed->${s.stage.name}, ${bias_text(s)},
      ${own}stages, ${i - 1}, ${own}load);
% end
}
#endif

% for i, d in ipairs(descriptors) do
% if i > 1 then

% end
% if #descriptors > 1 then
/* ${d.about}. */
static const ffn_choices ${own}choices${d.behind} = {${d.read}};

% end
% local choices = #descriptors > 1 and '&' .. own .. 'choices' .. d.behind or 'NULL'
static void ${own}run${d.behind}(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &${own}forward, ${choices}, y, y_stride, NULL, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}

#ifndef FFN_NO_ADD
static void ${own}add${d.behind}(
    float *y, size_t y_stride, float scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &${own}forward, ${choices}, y, y_stride, &scale, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}
#endif

extern const ffn_kernel ${d.symbol};
const ffn_kernel ${d.symbol} = {
    "${d.symbol}", /* name */
    "${layer.name}", /* layer */
    FFN_KIND_${upper(layer.kind)}, /* kind */
    FFN_${upper(layer.variant)}, /* variant */
    FFN_${upper(layer.dtype)}, /* dtype */
    FFN_ISA_${upper(isa.name)}, /* isa */
    FFN_PROFILE_${d.profile}, /* profile */
    ${layer.max_tokens}, /* max_tokens */
    ${NAME(pass.stages[1])}_INPUTS, /* inputs */
    ${layer.hidden > 0 and NAME(pass.stages[1]) .. '_OUTPUTS' or '0'}, /* hidden */
    ${NAME(pass.stages[#pass.stages])}_OUTPUTS, /* outputs */
    ${int(layer.bias)}, /* bias */
    ${int(layer.dropout)}, /* dropout */
    ${#layer.runtime_parameters}, /* runtime_parameters */
    ${#pass.stages}, /* stage_count */
    ${own}stages, /* stages */
    sizeof(${own}packed_weights), /* packed_bytes */
    ${OWN}ROWS, /* work_rows */
    ${OWN}WORK_ROW * sizeof(float), /* work_row_bytes */
    ${OWN}BESIDE * sizeof(float), /* work_beside_bytes */
    ${flop_text}, /* flop_per_token */
#ifndef FFN_NO_PACK
    ${own}pack, /* pack */
    ${own}unpack, /* unpack */
#else
    NULL, /* pack */
    NULL, /* unpack */
#endif
    ${int(pass.in_place)}, /* in_place */
    ${own}run${d.behind}, /* run */
#ifndef FFN_NO_ADD
    ${own}add${d.behind}, /* add */
#else
    NULL, /* add */
#endif
};
% end
