% -- The sums of a tile over a block of k, in registers.
% for r = 0, tile.rows - 1 do
% for v = 0, tile.vectors - 1 do
% for chain = 0, chains - 1 do
${isa.vec} ${sum(r, v, chain)} = ${start(r, v)};
% end
% end
% end
% if together > 1 then
/* k at a time${advances and ', a constant at each call' or ''} */
const size_t line = ${advances and ('fetches > 1 ? %d : 1'):format(together) or together};
% end
% if advances then
% local step = together > 1 and 'line' or chains
const char *next = ahead->next;
const size_t advance = ahead->advance;
size_t k = 0;
for (size_t end = ${turn}; ${step == 1 and 'k < ' or ('k + %s <= '):format(step)}${k_end};
     end = ${k_end}, next = ahead->then) {
  ${loop('ascend')}
}
% else
${loop('ascend')}
% end
% if k_left then
for (; k < ${k_end}; ++k, w += ${N}_STEP) {
  ${one_k(0, 0)}
}
% end
% if chains > 1 then
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
