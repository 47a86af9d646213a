% for i, l in ipairs(trained) do
% if i > 1 then

% end
const ffn_training *ffn_${l.spec}_training(void) { return ffn_training_of(ffn_${l.spec}()); }
% end
