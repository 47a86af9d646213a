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
${field('Cost', cost_text)}
${field('Saved', saved_text)}
${field('Walk', ('%d rows at a time, every stage over all of them'):format(training.rows))}
% for _, s in ipairs(pass.stages) do
${field('Tiles', s.stage.name .. ': ' .. tiles_text(s))}
% end
% for _, s in ipairs(pass.stages) do
${field('Sums', s.stage.name .. ': ' .. order_text(s))}
% end
${field('Sums', 'over tokens: in blocks of 128, each from +0; block sums are added in ascending order')}
