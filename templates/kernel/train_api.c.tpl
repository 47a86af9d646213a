%% takes: packings, packs, own, OWN, layer, packed_hash, INPUTS, OUTPUTS, wanted, symbol, isa, dropouts
% for _, packing in ipairs(packings.formats) do
% for _, text in ipairs(packing.functions) do
${text}
% end
static const ffn_packing ${own}packing_${packing.name} = {${packing.fields}};

% end
/* Packs all matrices and biases of ${#layer.passes.forward} stages, and what grad() reads of them, into `to`, which
 * begins at a multiple of 64 bytes. */
FFN_COLD void ${own}pack_train(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[${packings.most}]; /* of an output, as numbers */
  ffn_pack_header(header, ${packed_hash}, weights, ${#layer.runtime_parameters});
  FFN_ASSERT(ffn_pack_apart(
      to, ${OWN}WEIGHT_BYTES, ${own}stages, ${#layer.passes.forward}, weights));
  header->train_bytes = ${OWN}WEIGHT_BYTES;
% for _, pack in ipairs(packs) do
% if pack.stacked then
  ffn_pack_stacked(
      header, &${own}packing_${pack.format}, ${pack.lies}, ${pack.rows},
      ${own}stages, weights, group);
% elseif pack.rows then
  ffn_pack_transposed(
      header, &${own}packing_${pack.format}, ${pack.lies}, ${pack.rows},
      ${own}stages, ${pack.of}, weights, group);
% else
  ffn_pack_stage(
      header, &${own}packing_${pack.format}, ${pack.lies},
      ${own}stages, ${pack.of}, weights, group);
% end
% end
}

/* All rows of a call through all ${#layer.passes.forward} stages, with what grad() reads saved. */
static void ${own}run_train_pass(const ffn_training *training, const ffn_train_call *call) {
  (void)training;
  ffn_train_run(&${own}train_pass, call);
}

/* All rows of a call, the last of ${#layer.passes.forward} stages first: the gradients that are wanted. */
static void ${own}run_grad_pass(const ffn_training *training, const ffn_train_call *call) {
  const ffn_gradients *to = call->to;
  uint64_t wanted = 0;
  FFN_ASSERT(to);
  (void)training;
% for _, want in ipairs(wanted) do
  if (${want.condition})
    wanted |= ${want.bit};
% end
  ffn_grad_run(&${own}grad_pass, call, wanted);
}

const ffn_training ${symbol}_train = {
    "${symbol}_train", /* name */
    "${layer.name}", /* layer */
    FFN_ISA_${isa.name:upper()}, /* isa */
    ${INPUTS}, /* inputs */
    ${OUTPUTS}, /* outputs */
    ${#layer.passes.forward}, /* stage_count */
    ${own}stages, /* stages */
    ${#layer.runtime_parameters}, /* runtime_parameters */
    ${own}back_lengths, /* back_lengths */
    ${#dropouts}, /* dropout_count */
    ${#dropouts > 0 and own .. 'dropouts' or 'NULL'}, /* dropouts */
    ${OWN}WEIGHT_BYTES, /* packed_bytes */
    ${OWN}SAVED_ROW * sizeof(float), /* saved_row_bytes */
    sizeof(${own}train_memory) > sizeof(${own}grad_memory)
        ? sizeof(${own}train_memory)
        : sizeof(${own}grad_memory), /* shared_bytes */
    ${OWN}SUMS, /* thread_bytes */
    ${own}pack_train, /* pack_train */
    ${own}run_train_pass, /* run_train */
    ${own}run_grad_pass, /* grad */
};
