%% takes: own, NAME, pass, packing_of, panel_bytes
#ifndef FFN_NO_SLICES
static const ffn_stage_slices ${own}stage_slices[] = {
% for _, s in ipairs(pass.stages) do
    {FFN_IF_PACK(&${packing_of(s)}), ${NAME(s)}_WIDTH, ${panel_bytes(s)}},
% end
};
#endif
