% -- The sums of a tile over a block of k, in registers.
% if is_abreast then
% for r = 0, tile.rows - 1 do
% for v = 0, tile.vectors - 1 do
${isa.vec} ${sum(r, v, 0)} = ${start(r, v)};
% end
% end
% else
${zero_vector}
% for r = 0, tile.rows - 1 do
${cleared(r)}
% end
% end
${heads()}
% if together > 1 then
/* k at a time${advances and ', a constant at each call' or ''} */
const size_t line = ${advances and ('fetches >= FFN_FETCHES_LINES ? %d : 1'):format(together) or together};
% end
% if advances then
const char *next = ahead->next;
const size_t advance = ahead->advance;
size_t k = 0;
% end
% if advances and levels then
size_t until = ahead->until; /* so many groups are fetched before something else is */
${loop('ascend')}
% elseif advances then
% local step = together > 1 and 'line' or line
for (size_t end = ${turn};
     ${step == 1 and 'k < ' or ('k + %s <= '):format(step)}${k_end};
     end = ${k_end}, next = ahead->then) {
  ${loop('ascend')}
}
% else
${loop('ascend')}
% end
% if k_left then
for (; k < ${k_end}; ++k, w += ${STEP}) {
  ${one_k(0, 0)}
}
% end
% if is_abreast and line > 1 and not levels then
% for i = 0, line - 2 do
if (k + ${i} < ${k_end}) {
  ${one_k(0, i)}
}
% end
% elseif rest > 0 then
% if blocks > 1 then
if (${last_block}) {
% end
% for i = 0, rest - 1 do
{
  ${one_k(i % chains, i)}
}
% end
% if blocks > 1 then
}
% end
% end
% for r = 0, tile.rows - 1 do
% for _, step in ipairs(folds) do
${of_row(r, fold(r, r, step.into, step.from))}
% end
% end
