% -- A tile for any number of rows up to its own.
${noinline}${sums_head(tile)} {
% if tile.rows == 1 then
  (void)rows;
  ${fn}_${form}_tile_${tile.cols}(${arguments}, 1);
% else
  switch (rows) {
% for r = 1, tile.rows do
  case ${r}:
    ${fn}_${form}_tile_${tile.cols}(${arguments}, ${r});
    break;
% end
  default:
    FFN_ASSERT(0);
  }
% end
}
