% -- A tile for a number of rows, with or without fetching ahead.
% if #calls(rows) == 2 then
if (fetches)
  ${fn}_${form}_tile_${tile.cols}(${calls(rows)[1]}, ${rows});
else
  ${fn}_${form}_tile_${tile.cols}(${calls(rows)[2]}, ${rows});
% else
${fn}_${form}_tile_${tile.cols}(${calls(rows)[1]}, ${rows});
% end
