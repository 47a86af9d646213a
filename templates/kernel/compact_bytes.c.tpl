%% takes: about, noinline, head, abreast, factored, loops
% -- The sums of some outputs of any stage that multiplies such bytes, over all k: some outputs side
% -- by side, of which the last may be too many. Not inlined, since registers then hold the sums.
/* ${about} */
${noinline}${head} {
  for (size_t column = 0; column < count; column += ${abreast}, lane += ${abreast}) {
% for n = 1, abreast do
    float sum${n} = ${zero()};
% if factored then
    float factored${n} = 0.0f;
% end
% end
    ${loops}
% for n = 1, abreast do
    sums[column + ${n - 1}] = sum${n};
% end
  }
}
