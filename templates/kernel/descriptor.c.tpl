%% takes: d, layer, isa, NAME, pass, own, OWN, counts, staged, is_laid
% -- The fields of a descriptor, of which CPUs differ in three.
${d.symbol}, /* name */
"${layer.name}", /* layer */
"${layer.packed}", /* packed */
FFN_KIND_${layer.kind:upper()}, /* kind */
FFN_${layer.variant:upper()}, /* variant */
FFN_F32, /* dtype */
FFN_ISA_${isa.name:upper()}, /* isa */
${d.profile}, /* profile */
${layer.max_tokens}, /* max_tokens */
${NAME(pass.stages[1])}_INPUTS, /* inputs */
${layer.hidden > 0 and NAME(pass.stages[1]) .. '_OUTPUTS' or '0'}, /* hidden */
${counts.outputs}, /* outputs */
${layer.bias and 1 or 0}, /* bias */
${layer.dropout and 1 or 0}, /* dropout */
${#layer.runtime_parameters}, /* runtime_parameters */
${#pass.stages}, /* stage_count */
${own}stages, /* stages */
${OWN}WEIGHT_BYTES, /* packed_bytes */
${OWN}ROWS, /* work_rows */
${OWN}WORK_ROW, /* work_row_bytes */
${OWN}BESIDE, /* work_beside_bytes */
${pass.in_place and 1 or 0}, /* in_place */
FFN_ADDS, /* adds */
${layer.beside and 1 or 0}, /* stages_share_x */
${counts.flop}, /* flop_per_token */
FFN_IF_PACK(${own}pack), /* pack */
FFN_IF_PACK(${own}unpack), /* unpack */
${own}run_forward, /* run */
${d.choices}, /* choices */
% if staged then
FFN_IF_STAGES(&${own}by_stage${is_laid and '.staged' or ''}), /* staged */
% else
NULL, /* staged */
% end
