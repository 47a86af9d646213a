% -- A tile for any number of rows up to its own.
${noinline}${sums_head(tile)} {
% if chooses then
  (void)fetches;
% end
% if wide == 'perhaps' then
#if FFN_WIDE
% end
% if wide ~= 'never' then
% if advances then
  (void)ahead;
% end
  const ffn_wide_columns groups[] = {
% for v = 0, tile.vectors - 1, 16 // isa.lanes do
% local from, second = half_panels(v)
    {${from}, ${second}},
% end
  };
  ffn_wide_sums(sum, ${tile.vectors * isa.lanes}, a, ${N}_ROW, groups, ${tile.vectors * isa.lanes // 16}, ${N}_STEP,
      ${wide_count}, rows, ${blocks > 1 and 'block > 0' or '0'});
% end
% if wide == 'perhaps' then
#else
% end
% if wide ~= 'always' then
% if tile.rows == 1 then
  (void)rows;
  ${call(1)}
% else
  switch (rows) {
% for r = 1, tile.rows do
  case ${r}:
    ${call(r)}
    break;
% end
  default:
    FFN_ASSERT(0);
  }
% end
% end
% if wide == 'perhaps' then
#endif
% end
}
