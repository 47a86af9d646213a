% -- From a tile's width to its function.
/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void ${fn}_${form}(
    ${dispatch_parameters}) {
% if #tiles == 1 then
  (void)cols;
% end
% for i, tile in ipairs(tiles) do
% local condition = (tile.lone and 'lone' or 'cols == ' .. tile.cols)
% if i < #tiles then
  ${i > 1 and 'else ' or ''}if (${condition}${alone and not tile.lone and ' && !lone' or ''})
    ${fn}_${form}_${width_name(tile)}(${sums_arguments}, rows);
% elseif i > 1 then
  else
    ${fn}_${form}_${width_name(tile)}(${sums_arguments}, rows);
% else
  ${fn}_${form}_${width_name(tile)}(${sums_arguments}, rows);
% end
% end
}
