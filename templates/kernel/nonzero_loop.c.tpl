% -- The same sums over the k of a list: the other inputs are zero in all rows.
% for r = 0, tile.rows - 1 do
% for v = 0, tile.vectors - 1 do
${isa.vec} ${sum(r, v, 0)} = ${zero()};
% end
% end
for (size_t i = 0; i < count; ++i) {
% if blocks > 1 then
  const size_t k = list[i] - block * ${N}_BLOCK;
% else
  const size_t k = list[i];
% end
  const ${format.c_type} *w = weights + (size_t)list[i] * ${N}_STEP;
  const char *next = (const char *)(weights + (size_t)list[i + FFN_LIST_AHEAD] * ${N}_STEP);
  ${fetch()}
  ${one_k(0, 0)}
}
