%% takes: more, ways, name, rows
% -- A tile for a number of rows, in each way of fetching ahead.
% for i, way in ipairs(ways) do
% if i < #ways then
${i > 1 and 'else ' or ''}if (${way.condition})
% elseif i > 1 then
else
% end
${#ways > 1 and '  ' or ''}${name}(${way.arguments}, ${rows}${more});
% end
