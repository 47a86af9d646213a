% -- The same sums over the k of a list: the other inputs are zero in all rows.
${zero_vector}
% for r = 0, tile.rows - 1 do
${cleared(r)}
% end
% if lane ~= '' then
weights += ${lane};
% end
for (size_t i = 0; i < count; ++i) {
% if blocks > 1 then
  const size_t k = list[i] - block * ${N}_BLOCK;
% else
  const size_t k = list[i];
% end
  const char *w = weights + (size_t)list[i] * ${STEP};
  const char *next = weights + (size_t)list[i + FFN_LIST_AHEAD] * ${STEP};
  ${fetch()}
  ${one_k(0, 0)}
}
