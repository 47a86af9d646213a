%% takes: symbol, title, layer, remake, field, wrapped, template_names, pass, pass_names, training, stage_line, said
${symbol}_train
${wrapped("Training of " .. title)}

% for _, name in ipairs(pass_names) do
% for _, s in ipairs(training.passes[name].stages) do
    ${wrapped(stage_line(s.stage), 90)}
% end
% end

% if remake ~= '' then
${field('Remake', remake)}
% end
${field('Spec', layer.spec_name)}
${field('Templates', template_names())}
${field('Cost', said.cost)}
${field('Saved', said.saved)}
${field('Walk', ('%d rows at a time, every stage over all of them'):format(training.rows))}
% if said.scratch ~= '' then
${field('Scratch', said.scratch)}
% end
% for _, s in ipairs(pass.stages) do
${field('Tiles', s.stage.name .. ': ' .. said.tiles(s))}
% end
% for _, s in ipairs(pass.stages) do
${field('Sums', s.stage.name .. ': ' .. said.order(s))}
% end
${field('Sums', 'over tokens: in blocks of 128, each from +0; block sums are added in ascending order')}
