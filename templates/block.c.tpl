% for row = 0, tile.rows - 1 do
${isa.vec} ${sums(tile, row)};
% end
% if form.nonzero then
for (size_t i = 0; i < count; ++i) {
  const size_t k = list[i]${blocks > 1 and ' - block' or ''};
  const float *wk = w + (size_t)list[i] * ${s.step}, *next = w + (size_t)list[i + FFN_LIST_AHEAD] * ${s.step};
  ${fetch(tile, 'next')}
  ${step(tile, 0, 'a', 'k', 'wk', 0)}
}
% else
size_t k = 0;
% if stage.chains > 1 then
for (; k + ${stage.chains} <= ${k_end}; k += ${stage.chains}, w += ${s.step * stage.chains}) {
% else
for (; k < ${k_end}; ++k, w += ${s.step}) {
% end
% if fetches_rows(tile) then
  FFN_FETCH(a + ${s.row_stride} * rows + k * (size_t)rows);
% end
% for chain = 0, stage.chains - 1 do
% if s.fetch then
  ${fetch(tile, '(const float *)next')}
  next += advance;
% end
% if stage.chains > 1 and tile.rows > 1 then
  {
    ${step(tile, chain, 'a', 'k', 'w', chain)}
  }
% else
  ${step(tile, chain, 'a', 'k', 'w', chain)}
% end
% end
}
% for chain = 0, stage.chains - 2 do
if (k < ${k_end}) {
  ${step(tile, chain, 'a', 'k', 'w', 0)}
  ++k, w += ${s.step};
}
% end
% if stage.chains > 1 then
% for row = 0, tile.rows - 1 do
${fold(tile, row)}
% end
% end
% end
% if blocks > 1 then
if (${form.nonzero and 'block > 0' or 'add'}) {
% for row = 0, tile.rows - 1 do
  ${carry(tile, row)}
% end
}
% end
% for row = 0, tile.rows - 1 do
${keep(tile, row)}
% end
