% -- One k of some outputs of a row.
const ${isa.vec} x0 = ${activation(0, step.ahead)};
% for v = 0, tile.vectors - 1, 4 do
% if fours and tile.vectors - v >= 4 then
FFN_FMA_FOUR(${four_sums(v)}, x0, ${address(v, step.ahead)});
% else
% for each = v, math.min(v + 4, tile.vectors) - 1 do
${sum(0, each, step.chain)} = ${fma('x0', weights(each, step.ahead), sum(0, each, step.chain))};
% end
% end
% end
