% -- A register tile: its sums over a block of k, and where they are kept between blocks.
% if wide == 'perhaps' then
#if !FFN_WIDE
% end
% if tile.rows > 1 then
/* ${about}
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
% else
/* ${about} */
% end
FFN_INLINE void ${fn}_${form}_tile_${width_name(tile)}(
    ${parameters}, const int rows) {
% if tile.rows == 1 then
  (void)rows;
% end
% if k_count ~= '' then
  const size_t count = ${k_count};
% end
% if has_lane then
% if not takes_lane then
  (void)lane;
% elseif lane ~= '' and loop_file == 'loop' then
  w += ${lane};
% end
% end
  ${loop(loop_file)}
% if adds or blocks > 1 then
% if adds then
  if (adds) {
% else
  if (block > 0) {
% end
% for r = 0, tile.rows - 1 do
    ${of_row(r, take(r))}
% end
  }
% end
% for r = 0, tile.rows - 1 do
  ${of_row(r, keep(r))}
% end
}
% if wide == 'perhaps' then
#endif
% end
