%% takes: fn, form, parameters, arguments, tiles, alone, width_name
% -- From a tile's width to its function.
/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void ${fn}_${form}(
    ${parameters}) {
% if #tiles == 1 then
  (void)cols;
% end
% for i, tile in ipairs(tiles) do
% local condition = (tile.lone and 'lone' or 'cols == ' .. tile.cols)
% if i < #tiles then
  ${i > 1 and 'else ' or ''}if (${condition}${alone and not tile.lone and ' && !lone' or ''})
    ${fn}_${form}_${width_name(tile)}(${arguments}, rows);
% elseif i > 1 then
  else
    ${fn}_${form}_${width_name(tile)}(${arguments}, rows);
% else
  ${fn}_${form}_${width_name(tile)}(${arguments}, rows);
% end
% end
}
