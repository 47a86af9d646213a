% -- A register tile: its sums over a block of k, and where they are kept between blocks.
% if tile.rows > 1 then
/* ${about}
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
% else
/* ${about} */
% end
FFN_INLINE void ${fn}_${form}_tile_${tile.cols}(
    ${parameters}, const int rows) {
% if tile.rows == 1 then
  (void)rows;
% end
% if k_count ~= '' then
  const size_t count = ${k_count};
% end
  ${loop(loop_file)}
% if adds or blocks > 1 then
% if adds then
  if (adds) {
% else
  if (block > 0) {
% end
% for r = 0, tile.rows - 1 do
% if r > 0 then
    if (rows > ${r}) {
% end
% local pad = r > 0 and '  ' or ''
% for v = 0, tile.vectors - 1 do
    ${pad}${sum(r, v, 0)} = ${add(load_kept(kept(r, v)), sum(r, v, 0))};
% end
% if r > 0 then
    }
% end
% end
  }
% end
% for r = 0, tile.rows - 1 do
% if r > 0 then
  if (rows > ${r}) {
% end
% local pad = r > 0 and '  ' or ''
% for v = 0, tile.vectors - 1 do
  ${pad}${store_kept(kept(r, v), sum(r, v, 0))};
% end
% if r > 0 then
  }
% end
% end
}
