%% takes: d, own, layer, NAME, pass
% -- What tells the several outputs of a descriptor.
% if d.behind == '' then

static const ffn_output ${own}output_list[] = {
% for i, output in ipairs(layer.beside) do
    {"${output.name}", ${NAME(pass.stages[i])}_OUTPUTS},
% end
};
% end

extern const ffn_outputs ${d.symbol}_outputs;
const ffn_outputs ${d.symbol}_outputs = {
    &${d.symbol}, /* kernel */
    ${#layer.beside}, /* count */
    ${own}output_list, /* outputs */
};
