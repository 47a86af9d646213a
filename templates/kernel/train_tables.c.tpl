static const size_t ${own}back_lengths[] = {
% for _, length in ipairs(back_lengths) do
    ${length},
% end
};
% for _, name in ipairs(pass_names) do

static const ffn_train_stage ${own}${name}_stages[] = {
% for _, s in ipairs(training.passes[name].stages) do
    {
        ${own}${s.stage.name}_columns, /* columns */
        ${width_text(s)}, /* width */
        ${s.column_step}, /* column_step */
        ${s.plan and NAME(s.plan) .. '_AT' or '0'}, /* weights_at */
        ${s.plan and bias_text(s.plan) or '0'}, /* bias_at */
        ${s.region}, /* region */
        ${int(s.stage.kind == 'tokens' or s.stage.kind == 'columns')}, /* over_tokens */
        ${in_at(name, s)}, /* in_at */
        ${out_at(name, s)}, /* out_at */
        ${wants(s.stage)}, /* wants */
    },
% end
};

static const ffn_train_pass ${own}${name}_pass = {
    ${packed_hash}, /* packed_hash */
    ${own}${name}_stages, /* stages */
    ${#training.passes[name].stages}, /* stage_count */
    ${OWN}SLAB, /* rows */
    ${OWN}SAVED_ROW * sizeof(float), /* saved_bytes */
    sizeof(${own}${name}_memory), /* shared_bytes */
    ${OWN}SUMS, /* thread_bytes */
    ${flop_text}, /* flop_per_token */
};
% end
