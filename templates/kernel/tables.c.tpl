%% takes: own, OWN, NAME, pass, layer, training, described, work, bias_text, walking, packed_hash, counts
% local form = pass.form.name
static const ffn_stage ${own}stages[] = {
% for _, d in ipairs(described) do
    {
        ${d.N}_INPUTS, /* inputs */
        ${d.N}_OUTPUTS, /* outputs */
        ${#d.stage.stream.branches}, /* branches */
        {${d.matrices}}, /* matrix */
        FFN_ACT_${d.activation}, /* activation */
        ${d.product}, /* product */
        ${d.bias}, /* bias */
        ${#d.stage.forward.activation.parameters}, /* parameter_count */
        ${d.fixes_parameters}, /* parameters_fixed */
        {${d.parameters}}, /* parameters */
        ${d.N}_${d.stage.sum.blocks > 1 and 'BLOCK' or 'INPUTS'}, /* k_block */
        ${d.stage.sum.chains}, /* chains */
        ${d.N}_ROUNDINGS, /* sum_length */
        ${d.relative}, /* act_relative */
        ${d.absolute}, /* act_absolute */
        FFN_FORMAT_${d.format}, FFN_ARITHMETIC_${d.arithmetic}, /* format, arithmetic */
        FFN_SOURCE_${d.source}, ${d.source_alone}, ${d.operand_scale}, /* source, source_alone, operand_scale */
    },
% end
};
% if not training then

% if form == 'walk' then
static const ffn_stage_walk ${own}walks[] = {
% for _, s in ipairs(pass.stages) do
    {
        ${walking.columns(s)}, /* columns */
        ${(s.index == 0 or s.waits) and walking.take(s) or 'NULL'}, /* take */
        ${NAME(s)}_INPUTS, /* inputs */
        ${NAME(s)}_OUTPUTS, /* outputs */
        ${work.before(s.waits or s.buffer)}, /* in_at */
        ${NAME(s)}_ROW, /* block */
        ${s.column_step}, /* column_step */
        ${NAME(s)}_AT, /* weights_at */
        ${bias_text(s)}, /* bias_at */
    },
% end
};

% end
static const ffn_pass ${own}forward = {
    ${packed_hash}, /* packed_hash */
    ${OWN}WEIGHT_BYTES, /* packed_bytes */
% if form ~= 'walk' then
    ${own}${form}_rows, /* rows */
    NULL, /* columns */
    0, /* stage_count */
    NULL, /* stages */
    ${OWN}${pass.lanes and 'LANES' or 'ROWS'}, /* row_step */
    0, /* own_rows */
    ${OWN}ROWS, /* rows_per_walk */
    0, /* sum_at */
    ${OWN}WORK_ROW, /* work_row */
    ${OWN}BESIDE, /* beside */
% else
    ${pass.lanes and own .. 'lanes_rows' or walking.over 'rows'}, /* rows */
    ${walking.over 'columns'}, /* columns */
    ${#pass.stages}, /* stage_count */
    ${own}walks, /* stages */
    ${pass.lanes and OWN .. 'LANES' or 1}, /* row_step */
    ${OWN}OWN_ROWS, /* own_rows */
    ${OWN}ROWS, /* rows_per_walk */
    ${work.sum_at}, /* sum_at */
    ${OWN}WORK_ROW, /* work_row */
    ${OWN}BESIDE, /* beside */
% end
    ${pass.in_place and 1 or 0}, /* in_place */
    ${layer.max_tokens}, /* max_tokens */
    ${NAME(pass.stages[1])}_INPUTS, /* inputs */
    ${counts.outputs}, /* outputs */
    ${counts.flop}, /* flop_per_token */
#ifndef FFN_NO_ADD
    ${form == 'walk' and walking.over 'rows' or 'ffn_add_whole'}, /* add */
    ${work.add_at}, /* add_at */
    ${OWN}ADD, /* add_columns */
    ${own}add_row, /* add_row */
#endif
};
% end
