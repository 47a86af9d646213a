%% takes: about, head, tile, k, lane, rows, sums, wide, loop
% -- A register tile: its sums over a k block, and where they are kept between blocks.
% if wide.taken == 'perhaps' then
#if !FFN_WIDE
% end
/* ${about} */
${head} {
% if tile.rows == 1 then
  (void)rows;
% end
% if k.count ~= '' then
  const size_t count = ${k.count};
% end
% if lane.given and not lane.taken then
  (void)lane;
% elseif lane.text ~= '' and not k.listed then
  w += ${lane.text};
% end
  ${loop()}
% if sums.added ~= '' then
  if (${sums.added}) {
% for r = 0, tile.rows - 1 do
    ${rows.of(r, sums.take(r))}
% end
  }
% end
% for r = 0, tile.rows - 1 do
  ${rows.of(r, sums.keep(r))}
% end
}
% if wide.taken == 'perhaps' then
#endif
% end
