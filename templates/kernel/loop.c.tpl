%% takes: tile, k, rows, fetching, weights, sums, ascend, one_k
% -- The sums of a tile over a k block, in registers.
${sums.zero}
% for r = 0, tile.rows - 1 do
${sums.begun(r)}
% end
${weights.heads}
${weights.opened}
% if k.together > 1 then
/* k at a time${fetching.advances and ', a constant at each call' or ''} */
const size_t line = ${fetching.advances and ('fetches >= FFN_FETCHES_LINES ? %d : 1'):format(k.together) or k.together};
% end
% if fetching.advances then
const char *next = ahead->next;
const size_t advance = ahead->advance;
size_t k = 0;
% end
% if fetching.advances and weights.ascend then
size_t until = ahead->until; /* so many groups are fetched before something else is */
${ascend()}
% elseif fetching.advances then
% local step = k.together > 1 and 'line' or k.line
for (size_t end = ${fetching.turn};
     ${step == 1 and 'k < ' or ('k + %s <= '):format(step)}${k.ends};
     end = ${k.ends}, next = ahead->then) {
  ${ascend()}
}
% else
${ascend()}
% end
% if k.left then
for (; k < ${k.ends}; ++k, w += ${k.bytes}) {
  ${one_k(0, 0)}
}
% end
% if k.ragged then
% for i = 0, k.line - 2 do
if (k + ${i} < ${k.ends}) {
  ${one_k(0, i)}
}
% end
% elseif k.rest > 0 then
% if k.last_block ~= '' then
if (${k.last_block}) {
% end
% for i = 0, k.rest - 1, k.each do
{
  ${one_k(i % k.chains, i)}
}
% end
% if k.last_block ~= '' then
}
% end
% end
${weights.closed}
% for r = 0, tile.rows - 1 do
% for _, fold in ipairs(sums.folds) do
${rows.of(r, sums.fold(r, r, fold.into, fold.from))}
% end
% end
