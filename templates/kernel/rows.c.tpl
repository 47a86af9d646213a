%% takes: about, head, isa, tile, N, k, lane, fetching, sums, wide, call, least
% -- A tile for any number of rows up to its own.
/* ${about} */
${head} {
% if fetching.chooses then
  (void)fetches;
% end
% if wide.taken == 'perhaps' then
#if FFN_WIDE$unread
% end
% if wide.taken ~= 'never' then
% if fetching.advances then
  (void)ahead;
% end
% if lane.text ~= '' then
  w += ${lane.text};
% elseif lane.given then
  (void)lane;
% end
  const ffn_wide_columns panel[] = {
% for _, panel in ipairs(wide.panels) do
    {${panel.first}, ${panel.behind}},
% end
  };
  ffn_wide_sums(sum, ${tile.vectors * isa.lanes}, a, ${N}_ROW, panel, ${#wide.panels}, ${k.bytes},
      ${wide.count}, rows, ${sums.added ~= '' and sums.added or 0});
% end
% if wide.taken == 'perhaps' then
#else
% end
% if wide.taken ~= 'always' then
% if tile.rows == 1 then
  (void)rows;
  ${call(1)}
% else
  switch (rows) {
% for r = least, tile.rows do
  case ${r}:
    ${call(r)}
    break;
% end
  default:
    FFN_ASSERT(0);
  }
% end
% end
% if wide.taken == 'perhaps' then
#endif
% end
}
