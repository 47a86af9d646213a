%% takes: symbol, title, layer, remake, field, wrapped, template_names, pass, descriptors, said
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
${field('Tiles', s.stage.name .. ': ' .. said.tiles(s))}
% end
% for _, d in ipairs(#descriptors > 1 and descriptors or {}) do
${field('CPU', d.about .. ': ' .. d.reading)}
% end
% if said.choices ~= '' then
${field('Choices', said.choices)}
% end
${field('Walk', said.walk)}
% if said.scratch ~= '' then
${field('Scratch', said.scratch)}
% end
% if said.abreast ~= '' then
${field('Abreast', said.abreast)}
% end
% if said.lanes ~= '' then
${field('Lanes', said.lanes)}
% end
${field('Cost', said.cost)}
% for _, s in ipairs(pass.stages) do
${field('Sums', s.stage.name .. ': ' .. said.order(s))}
% end
% for _, s in ipairs(pass.stages) do
${field('Error', s.stage.name .. ': ' .. said.error(s))}
% end
