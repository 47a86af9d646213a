%% takes: packings, own, OWN, pass, layer, layout_of, descriptors, macro, fields, several, told, staged
#ifndef FFN_NO_PACK
% for _, packing in ipairs(packings.formats) do
% for _, text in ipairs(packing.functions) do
${text}
% end
static const ffn_packing ${own}packing_${packing.name} = {${packing.fields}};

% end
/* Packs all matrices and biases of ${#pass.stages} stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void ${own}pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[${packings.most}]; /* of an output, as numbers */
  ffn_pack_header(
      header, ${own}forward.packed_hash, weights, ${#layer.runtime_parameters});
  FFN_ASSERT(ffn_pack_apart(to, ${OWN}WEIGHT_BYTES, ${own}stages, ${#pass.stages}, weights));
% if packings.operands then
  ffn_pack_operands(header, ${own}stages, ${#pass.stages}, weights, ${layer.beside and 1 or 0});
% end
% for i, s in ipairs(pass.stages) do
  ffn_pack_stage(
      header, &${own}packing_${s.stage.stream.format.name}, ${layout_of(s)},
      ${own}stages, ${i - 1}, weights, group);
% end
}

/* Unpacks all matrices and biases of ${#pass.stages} stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void ${own}unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[${packings.most}];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, ${own}forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
% if packings.operands then
  ffn_unpack_operands(to, header, ${own}stages, ${#pass.stages});
% end
% for i, s in ipairs(pass.stages) do
  ffn_unpack_stage(
      to, header, &${own}packing_${s.stage.stream.format.name}, ${layout_of(s)},
      ${own}stages, ${i - 1}, group);
% end
}
#endif

% if staged then
${staged()}

% end
% if layer.beside then
${several()}

% else
/* All rows of a call through all ${#pass.stages} stages; x and y begin at any float. */
static void ${own}run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&${own}forward, kernel, call);
}

% end
% if #descriptors > 1 then
/* What the descriptors of all CPUs are; they differ in what they choose. */
#define ${OWN}DESCRIPTOR(symbol, profile, choices) \
  { \
    ${macro(fields('symbol', 'profile', 'choices'))}
  }

% end
% for i, d in ipairs(descriptors) do
% if i > 1 then

% end
% if #descriptors > 1 then
/* ${d.about}. */
static const ffn_choices ${own}suited${d.behind} = {${d.read}};
% end
extern const ffn_kernel ${d.symbol};
% if #descriptors > 1 then
const ffn_kernel ${d.symbol} = ${OWN}DESCRIPTOR(
    "${d.symbol}", FFN_PROFILE_${d.profile}, &${own}suited${d.behind});
% else
const ffn_kernel ${d.symbol} = {
    ${fields('"' .. d.symbol .. '"', 'FFN_PROFILE_' .. d.profile, 'NULL')}
};
% end
% if layer.beside then
${told(d)}
% end
% end
% if #descriptors > 1 then
#undef ${OWN}DESCRIPTOR
% end
