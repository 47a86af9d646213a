% -- The sums of a tile over a block of k, in registers.
% for r = 0, tile.rows - 1 do
% for v = 0, tile.vectors - 1 do
% for chain = 0, chains - 1 do
${isa.vec} ${sum(r, v, chain)} = ${start(r, v)};
% end
% end
% end
% if together > 1 then
${loop('together')}
% elseif chains == 1 then
% if unrolled then
FFN_UNROLL
% end
for (size_t k = 0; k < ${k_end}; ++k, w += ${N}_STEP) {
  ${fetch_ahead(0, fetches_rows)}
  ${one_k(0, 0)}
}
% else
size_t k = 0;
% if unrolled then
FFN_UNROLL
% end
for (; k + ${chains} <= ${k_end}; k += ${chains}, w += ${chains} * ${N}_STEP) {
% for chain = 0, chains - 1 do
  {
    ${fetch_ahead(chain)}
    ${one_k(chain, chain)}
  }
% end
}
% if rest > 0 and blocks > 1 then
if (${last_block}) {
% end
% for chain = 0, rest - 1 do
{
  ${one_k(chain, chain)}
}
% end
% if rest > 0 and blocks > 1 then
}
% end
% for r = 0, tile.rows - 1 do
% if guards and r > 0 then
if (rows > ${r}) {
% end
% for _, fold in ipairs(folds) do
% for v = 0, tile.vectors - 1 do
${sum(r, v, fold.into)} = ${add(sum(r, v, fold.into), sum(r, v, fold.from))};
% end
% end
% if guards and r > 0 then
}
% end
% end
% end
