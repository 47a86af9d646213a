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
        ${s.width}, /* width */
        ${s.column_step}, /* column_step */
        ${s.region}, /* region */
        ${int(s.stage.kind == 'tokens' or s.stage.kind == 'columns')}, /* over_tokens */
        ${in_at(name, s)}, /* in_at */
        ${out_at(name, s)}, /* out_at */
        ${wants(s)}, /* wants */
    },
% end
};

static const ffn_train_pass ${own}${name}_pass = {
    ${layer_hash}, /* layer_hash */
    ${own}${name}_stages, /* stages */
    ${#training.passes[name].stages}, /* stage_count */
    ${OWN}SLAB, /* rows */
    ${OWN}SAVED_ROW, /* saved_floats */
    sizeof(${own}${name}_memory) / sizeof(float), /* shared_floats */
    ${OWN}SUMS, /* thread_floats */
    ${flop_text}, /* flop_per_token */
};
% end
