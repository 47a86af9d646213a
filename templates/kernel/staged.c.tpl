%% takes: own, NAME, pass, packing_of, laid
static const ffn_stage_layout ${own}layouts[] = {
% for _, s in ipairs(pass.stages) do
    {FFN_IF_PACK(&${packing_of(s)}), ${NAME(s)}_WIDTH, ${NAME(s)}_BUNDLE},
% end
};

% if laid then
% for i, operand in ipairs(laid) do
% if #operand.planes > 0 then
static const ffn_plane ${own}planes_${i}[] = {
% for _, plane in ipairs(operand.planes) do
    {${plane.at}, ${plane.bytes}}, /* ${plane.name} */
% end
};
% end
% end

static const ffn_operand ${own}operands[] = {
% for i, operand in ipairs(laid) do
% if #operand.planes > 0 then
    {${own}planes_${i}, ${#operand.planes}, ${operand.unit}, ${operand.bytes}, ${NAME(pass.stages[i])}_BLOCK_BYTES},
% else
    {NULL, 0, 0, 0, 0},
% end
% end
};

static const ffn_staged_laid ${own}by_stage = {{&${own}forward, ${own}layouts}, ${own}operands};
% else
static const ffn_staged ${own}by_stage = {&${own}forward, ${own}layouts};
% end
