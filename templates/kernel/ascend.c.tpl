%% takes: times, k, fetching, weights, together, begin, one_k
% -- All k up to a bound, one after the other, or as many at a time as there are chains, or as a step
% -- of the format has.
% if k.together > 1 then
${together()}
% elseif weights.ascend then
% if not fetching.advances then
size_t k = 0;
% end
${weights.ascend(begin(), one_k, fetching.spread)}
% elseif k.line == 1 then
% if k.unrolled then
FFN_UNROLL
% end
% if fetching.advances then
do {
% else
for (size_t k = 0; k < ${k.bound}; ++k, w += ${k.bytes}) {
% end
  ${fetching.ahead(0, fetching.rows)}
  ${one_k(0, 0)}
% if fetching.advances then
  w += ${k.bytes};
} while (++k != ${k.bound});
% else
}
% end
% else
% if not fetching.advances then
size_t k = 0;
% end
% if k.unrolled then
FFN_UNROLL
% end
for (; k + ${k.line} <= ${k.bound}; k += ${k.line}, w += ${times(k.line // k.step)}${k.bytes}) {
% if fetching.abreast and fetching.chooses then
  ${begin()}
% end
% for i = 0, k.line - 1, k.each do
  {
% if not fetching.abreast and i % k.step == 0 then
    ${fetching.ahead(i % k.chains, k.chains == 1 and fetching.rows)}
% end
    ${one_k(i % k.chains, i)}
  }
% end
}
% end
