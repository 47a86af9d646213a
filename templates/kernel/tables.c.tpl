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

% if not straight then
static const ffn_stage_walk ${own}walks[] = {
% for _, s in ipairs(pass.stages) do
    {
        ${own}${s.stage.name}_columns, /* columns */
        ${NAME(s)}_INPUTS, /* inputs */
        ${NAME(s)}_OUTPUTS, /* outputs */
        offsetof(${own}work_memory, ${buffer_name(s.buffer)}) / sizeof(float), /* in_at */
        ${NAME(s)}_ROW, /* row */
        ${s.column_step}, /* column_step */
    },
% end
};

% end
static const ffn_pass ${own}forward = {
    ${layer_hash}, /* layer_hash */
% if straight then
    ${own}straight_rows, /* rows */
    0, /* stage_count */
    NULL, /* stages */
    ${pass.straight[1].rows}, /* row_tile */
    ${OWN}ROWS, /* rows_per_walk */
    0, /* sum_at */
    0, /* list_at */
% else
    ffn_walk_rows, /* rows */
    ${#pass.stages}, /* stage_count */
    ${own}walks, /* stages */
    ${OWN}ROW_TILE, /* row_tile */
    ${OWN}ROWS, /* rows_per_walk */
    offsetof(${own}work_memory, sum) / sizeof(float), /* sum_at */
% if pass.list_entries > 0 then
    offsetof(${own}work_memory, list) / sizeof(float), /* list_at */
% else
    0, /* list_at */
% end
% end
    sizeof(${own}work_memory) / sizeof(float), /* work_floats */
    ${NAME(pass.stages[1])}_INPUTS, /* inputs */
    ${NAME(pass.stages[#pass.stages])}_OUTPUTS, /* outputs */
    ${flop_text}, /* flop_per_token */
};
% end
