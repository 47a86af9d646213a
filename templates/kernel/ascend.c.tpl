% -- All k up to a bound, one after the other, or as many at a time as there are chains.
% if together > 1 then
${loop('together')}
% elseif chains == 1 then
% if unrolled then
FFN_UNROLL
% end
% if advances then
do {
% else
for (size_t k = 0; k < ${bound}; ++k, w += ${N}_STEP) {
% end
  ${fetch_ahead(0, fetches_rows)}
  ${one_k(0, 0)}
% if advances then
  w += ${N}_STEP;
} while (++k != ${bound});
% else
}
% end
% else
% if not advances then
size_t k = 0;
% end
% if unrolled then
FFN_UNROLL
% end
for (; k + ${chains} <= ${bound}; k += ${chains}, w += ${chains} * ${N}_STEP) {
% for chain = 0, chains - 1 do
  {
    ${fetch_ahead(chain)}
    ${one_k(chain, chain)}
  }
% end
}
% end
