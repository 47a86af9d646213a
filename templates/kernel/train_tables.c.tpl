%% takes: own, OWN, symbol, back_lengths, passes, packed_hash, counts
static const size_t ${own}back_lengths[] = {
% for _, length in ipairs(back_lengths) do
    ${length},
% end
};

extern const ffn_training ${symbol}_train;
% for _, pass in ipairs(passes) do

static const ffn_train_stage ${own}${pass.name}_stages[] = {
% for _, d in ipairs(pass.stages) do
    {
        ${d.columns()}, /* columns */
        ${d.width}, /* width */
        ${d.column_step}, /* column_step */
        ${d.weights_at}, /* weights_at */
        ${d.bias_at}, /* bias_at */
        ${d.region}, /* region */
        ${d.over_tokens}, /* over_tokens */
        ${d.in_at}, /* in_at */
        ${d.out_at}, /* out_at */
        ${d.wants}, /* wants */
    },
% end
};

static const ffn_train_pass ${own}${pass.name}_pass = {
    &${symbol}_train, /* training */
    ${packed_hash}, /* packed_hash */
    ${own}${pass.name}_stages, /* stages */
    ${#pass.stages}, /* stage_count */
    ${OWN}SLAB, /* rows */
    sizeof(${own}${pass.name}_memory), /* shared_bytes */
    ${OWN}SUMS, /* thread_bytes */
    ${counts.flop}, /* flop_per_token */
};
% end
