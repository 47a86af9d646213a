% -- All k up to a bound, one after the other, or as many at a time as there are chains, or as a step
% -- of the format has.
% if together > 1 then
${loop('together')}
% elseif levels then
% if not advances then
size_t k = 0;
% end
${ascend_levels(loop('group_begin'))}
% elseif line == 1 then
% if unrolled then
FFN_UNROLL
% end
% if advances then
do {
% else
for (size_t k = 0; k < ${bound}; ++k, w += ${STEP}) {
% end
  ${fetch_ahead(0, fetches_rows)}
  ${one_k(0, 0)}
% if advances then
  w += ${STEP};
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
for (; k + ${line} <= ${bound}; k += ${line}, w += ${line // format.step.k} * ${STEP}) {
% if is_abreast and chooses then
  ${loop('group_begin')}
% end
% for i = 0, line - 1 do
  {
% if not is_abreast and i % format.step.k == 0 then
    ${fetch_ahead(i % chains, chains == 1 and fetches_rows)}
% end
    ${one_k(i % chains, i)}
  }
% end
}
% end
