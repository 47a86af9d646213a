${symbol}
${wrapped(title)}
% if layer.about ~= '' then
${layer.about}
% end

% for _, line in ipairs(layer.equation) do
    ${line}
% end

% if remake ~= '' then
${field('Remake', remake)}
% end
${field('Spec', layer.spec_name)}
${field('Templates', template_names())}
% for _, s in ipairs(pass.stages) do
${field('Tiles', s.stage.name .. ': ' .. tiles_text(s))}
% end
% for _, d in ipairs(#descriptors > 1 and descriptors or {}) do
${field('CPU', d.about .. ': ' .. d.reading)}
% end
% if choices_text ~= '' then
${field('Choices', choices_text)}
% end
${field('Walk', walk_text)}
% if abreast_text ~= '' then
${field('Abreast', abreast_text)}
% end
% if lanes_text ~= '' then
${field('Lanes', lanes_text)}
% end
${field('Cost', cost_text)}
% for _, s in ipairs(pass.stages) do
${field('Sums', s.stage.name .. ': ' .. order_text(s))}
% end
% for _, s in ipairs(pass.stages) do
${field('Error', s.stage.name .. ': ' .. error_text(s))}
% end
