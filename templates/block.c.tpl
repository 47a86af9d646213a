% for row = 0, tile.rows - 1 do
${isa.vec} ${sums(tile, row)};
% end
size_t k = 0;
% if stage.chains > 1 then
for (; k + ${stage.chains} <= ${k_end}; k += ${stage.chains}, w += ${s.step * stage.chains}) {
% else
for (; k < ${k_end}; ++k, w += ${s.step}) {
% end
% for chain = 0, stage.chains - 1 do
  ${step(tile, chain, chain)}
% end
}
% for chain = 0, stage.chains - 2 do
if (k < ${k_end}) {
  ${step(tile, chain, 0)}
  ++k, w += ${s.step};
}
% end
% if stage.chains > 1 then
% for row = 0, tile.rows - 1 do
${fold(tile, row)}
% end
% end
% if blocks > 1 then
if (add) {
% for row = 0, tile.rows - 1 do
  ${carry(tile, row)}
% end
}
% end
% for row = 0, tile.rows - 1 do
${keep(tile, row)}
% end
