static const ffn_stage ${own}stages[] = {
% for _, s in ipairs(forward_stages) do
    {
        ${NAME(s)}_INPUTS, /* inputs */
        ${NAME(s)}_OUTPUTS, /* outputs */
        ${#s.stage.stream.branches}, /* branches */
        {${matrices(s)}}, /* matrix */
        FFN_ACT_${upper(s.stage.forward.activation.name)}, /* activation */
        ${product_enum(s)}, /* product */
        ${int(s.stage.stream.bias)}, /* bias */
        ${#s.stage.forward.activation.parameters}, /* parameter_count */
        ${int(parameters_fixed(s))}, /* parameters_fixed */
        {${fixed_parameters(s)}}, /* parameters */
        ${s.stage.sum.blocks > 1 and NAME(s) .. '_BLOCK' or NAME(s) .. '_INPUTS'}, /* k_block */
        ${s.stage.sum.chains}, /* chains */
        ${NAME(s)}_ROUNDINGS, /* sum_length */
        ${number(s.stage.forward.activation.contract.relative)}, /* act_relative */
        ${number(s.stage.forward.activation.contract.absolute)}, /* act_absolute */
    },
% end
};
% if not training then

% if walks then
static const ffn_stage_walk ${own}walks[] = {
% for _, s in ipairs(pass.stages) do
    {
        ${own}${s.stage.name}_columns, /* columns */
        ${NAME(s)}_INPUTS, /* inputs */
        ${NAME(s)}_OUTPUTS, /* outputs */
        ${before(s.buffer)}, /* in_at */
        ${NAME(s)}_ROW, /* row */
        ${s.column_step}, /* column_step */
    },
% end
};

% end
static const ffn_pass ${own}forward = {
    ${layer_hash}, /* layer_hash */
% if not walks then
    ${own}${compact and 'compact' or 'straight'}_rows, /* rows */
    0, /* stage_count */
    NULL, /* stages */
    ${OWN}${pass.lanes and 'LANES' or 'ROWS'}, /* row_step */
    0, /* own_rows */
    ${OWN}ROWS, /* rows_per_walk */
    0, /* sum_at */
    ${OWN}WORK_ROW, /* work_row */
    ${OWN}BESIDE, /* beside */
% else
    ${pass.lanes and own .. 'lanes_rows' or 'ffn_walk_rows'}, /* rows */
    ${#pass.stages}, /* stage_count */
    ${own}walks, /* stages */
    ${pass.lanes and OWN .. 'LANES' or 1}, /* row_step */
    ${OWN}OWN_ROWS, /* own_rows */
    ${OWN}ROWS, /* rows_per_walk */
    ${all_places}, /* sum_at */
    ${OWN}WORK_ROW, /* work_row */
    ${OWN}BESIDE, /* beside */
% end
    ${int(pass.in_place)}, /* in_place */
    ${layer.max_tokens}, /* max_tokens */
    ${NAME(pass.stages[1])}_INPUTS, /* inputs */
    ${NAME(pass.stages[#pass.stages])}_OUTPUTS, /* outputs */
    ${flop_text}, /* flop_per_token */
#ifndef FFN_NO_ADD
    ${walks and 'ffn_walk_rows' or 'ffn_add_whole'}, /* add */
    ${add_at}, /* add_at */
    ${OWN}ADD, /* add_columns */
    ${own}add_row, /* add_row */
#endif
};
% end
