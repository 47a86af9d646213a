${plan.name}
${title}
% if layer.about ~= '' then
${layer.about}
% end

% for _, line in ipairs(layer.equation) do
    ${line}
% end

% if remake ~= '' then
Remake     ${remake}
% end
Spec       ${layer.spec_name}
Templates  ${templates}
% for _, s in ipairs(pass.stages) do
Tiles      ${s.stage.name}: ${tiles_text(s)}
% end
% if choices_text ~= '' then
Choices    ${choices_text}
% end
% if straight then
Walk       none: ${straight_text}
% else
Walk       ${pass.rows} rows at a time; activations as [block of k][row][k]
% end
Cost       ${layer.flop_per_token} flop per token; ${pass.packed_bytes} bytes of packed weights;
           ${pass.work_bytes} bytes of work memory per thread
% for _, s in ipairs(pass.stages) do
Sums       ${s.stage.name}: ${order_text(s)}
% end
% for _, s in ipairs(pass.stages) do
Error      ${s.stage.name}: ${error_text(s)}
% end
