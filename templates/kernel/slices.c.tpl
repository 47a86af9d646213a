%% takes: own, NAME, pass, packing_of
static const ffn_stage_slices ${own}parts[] = {
% for _, s in ipairs(pass.stages) do
    {FFN_IF_PACK(&${packing_of(s)}), ${NAME(s)}_WIDTH, ${NAME(s)}_BUNDLE},
% end
};
