%% takes: s, tile, N, lane, k, fetching, sums, one_k
% -- The same sums over the k of a list: the other inputs are zero in all rows.
${sums.zero}
% for r = 0, tile.rows - 1 do
${sums.begun(r)}
% end
% if lane.text ~= '' then
weights += ${lane.text};
% end
for (size_t i = 0; i < count; ++i) {
% if s.stage.sum.blocks > 1 then
  const size_t k = list[i] - block * ${N}_BLOCK;
% else
  const size_t k = list[i];
% end
  const char *w = weights + (size_t)list[i] * ${k.bytes};
  const char *next = weights + (size_t)list[i + FFN_LIST_AHEAD] * ${k.bytes};
  ${fetching.text(false)}
  ${one_k(0, 0)}
}
