% -- A tile for any number of rows up to its own.
${noinline}${sums_head(tile)} {
% if wide then
#if FFN_WIDE
% if advances then
  (void)next;
  (void)advance;
% end
% for v = 0, tile.vectors - 1, 16 do
% local from, second = half_panels(v)
  ffn_wide_sums(sum${v > 0 and ' + ' .. v or ''}, ${tile.vectors}, a, ${N}_ROW, ${from}, ${N}_STEP, ${second},
      ${wide_count}, rows, ${blocks > 1 and 'block > 0' or '0'});
% end
#else
% end
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
% if wide then
#endif
% end
}
