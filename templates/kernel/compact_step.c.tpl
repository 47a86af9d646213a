%% takes: isa, activation, vectors, four_sums, address, multiply
% -- One k of some outputs of a row.
const ${isa.vec} x0 = ${activation};
% for v = 0, vectors - 1, 4 do
% if vectors - v >= 4 then
FFN_FMA_FOUR(${four_sums(v)}, x0, (const float *)(${address(v)}));
% else
% for each = v, math.min(v + 4, vectors) - 1 do
${multiply(each)}
% end
% end
% end
