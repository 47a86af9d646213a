%% takes: own, NAME, pass, packing_of
static const ffn_stage_layout ${own}layouts[] = {
% for _, s in ipairs(pass.stages) do
    {FFN_IF_PACK(&${packing_of(s)}), ${NAME(s)}_WIDTH, ${NAME(s)}_BUNDLE},
% end
};

static const ffn_staged ${own}by_stage = {&${own}forward, ${own}layouts};
