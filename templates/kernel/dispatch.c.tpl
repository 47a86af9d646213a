%% takes: fn, form, parameters, arguments, tiles
% -- From a tile's width to its function.
/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void ${fn}_${form}(
    ${parameters}) {
% if #tiles == 1 then
  (void)cols;
% end
% for i, tile in ipairs(tiles) do
% if i < #tiles then
  ${i > 1 and 'else ' or ''}if (cols == ${tile.cols})
    ${fn}_${form}_${tile.cols}(${arguments}, rows);
% elseif i > 1 then
  else
    ${fn}_${form}_${tile.cols}(${arguments}, rows);
% else
  ${fn}_${form}_${tile.cols}(${arguments}, rows);
% end
% end
}
