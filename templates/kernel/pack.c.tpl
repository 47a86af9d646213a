% if format.name ~= 'f32' then
static void ${own}store(void *to, size_t at, float value) {
  ((${format.c_type} *)to)[at] = ${encode('value')};
}

static float ${own}fetch(const void *from, size_t at) {
  const ${format.c_type} stored = ((const ${format.c_type} *)from)[at];
  return ${decode('stored')};
}

% end
static void ${own}pack(void *to, const ffn_weights *weights) {
  ${own}packed_weights *packed = (${own}packed_weights *)to;
  ffn_pack_header(&packed->header, "${layer.name}", ${layer.runtime_beta and 'weights->beta' or '0.0f'});
% for i, s in ipairs(pass.stages) do
  ffn_pack_stage(
      &packed->header, packed->${s.stage.name}, ${s.stage.stream.bias and ('packed->%s_bias'):format(s.stage.name) or 'NULL'}, ${own}stages, ${i - 1}, weights, ${own}store);
% end
}

static void ${own}unpack(ffn_weights *weights, const void *from) {
  const ${own}packed_weights *packed = (const ${own}packed_weights *)from;
  weights->beta = packed->header.beta;
% for i, s in ipairs(pass.stages) do
  ffn_unpack_stage(
      weights, packed->${s.stage.name}, ${s.stage.stream.bias and ('packed->%s_bias'):format(s.stage.name) or 'NULL'}, ${own}stages, ${i - 1}, ${own}fetch);
% end
}
