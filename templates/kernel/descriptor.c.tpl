% -- The fields of a descriptor, of which CPUs differ in four.
${symbol}, /* name */
"${layer.name}", /* layer */
"${layer.packed}", /* packed */
FFN_KIND_${upper(layer.kind)}, /* kind */
FFN_${upper(layer.variant)}, /* variant */
FFN_F32, /* dtype */
FFN_ISA_${upper(isa.name)}, /* isa */
${profile}, /* profile */
${layer.max_tokens}, /* max_tokens */
${NAME(pass.stages[1])}_INPUTS, /* inputs */
${layer.hidden > 0 and NAME(pass.stages[1]) .. '_OUTPUTS' or '0'}, /* hidden */
${NAME(pass.stages[#pass.stages])}_OUTPUTS, /* outputs */
${int(layer.bias)}, /* bias */
${int(layer.dropout)}, /* dropout */
${#layer.runtime_parameters}, /* runtime_parameters */
${#pass.stages}, /* stage_count */
${own}stages, /* stages */
${OWN}WEIGHT_BYTES, /* packed_bytes */
${OWN}ROWS, /* work_rows */
${OWN}WORK_ROW * sizeof(float), /* work_row_bytes */
${OWN}BESIDE * sizeof(float), /* work_beside_bytes */
${flop_text}, /* flop_per_token */
FFN_IF_PACK(${own}pack), /* pack */
FFN_IF_PACK(${own}unpack), /* unpack */
${int(pass.in_place)}, /* in_place */
${run}, /* run */
FFN_IF_ADD(${add}), /* add */
