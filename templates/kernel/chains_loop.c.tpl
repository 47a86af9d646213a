% -- The sums of some rows over all k, in registers: a chain at a time, so that each weight and each
% -- input that is read meets as many others as registers allow. A chain is folded as soon as it can
% -- be.
% for _, step in ipairs(fold_order) do
% local chain = step.chain
% for r = 0, step.into and -1 or tile.rows - 1 do
% for v = 0, tile.vectors - 1 do
${isa.vec} ${sum(r, v, chain)} = ${zero()};
% end
% end
% if chain then
for (size_t k = ${chain}; k < ${k_end}; k += ${chains}) {
  ${one_k(chain, 0)}
}
% else
% for r = 0, tile.rows - 1 do
% for v = 0, tile.vectors - 1 do
${sum(r, v, step.into)} = ${add(sum(r, v, step.into), sum(r, v, step.from))};
% end
% end
% end
% end
