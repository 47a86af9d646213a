% -- A tile for a number of rows, in each way of fetching ahead.
% local ways = calls(rows)
% for i, way in ipairs(ways) do
% if i == #ways then
% if i > 1 then
else
  ${fn}_${form}_tile_${tile.cols}(${way.arguments}, ${rows});
% else
${fn}_${form}_tile_${tile.cols}(${way.arguments}, ${rows});
% end
% else
${i > 1 and 'else ' or ''}if (${way.condition})
  ${fn}_${form}_tile_${tile.cols}(${way.arguments}, ${rows});
% end
% end
