%% takes: tile, k, sums, one_k
% -- The sums of some rows over all k, in registers: a chain at a time, so that each weight and each
% -- input that is read meets as many others as registers allow. A chain is folded as soon as it can
% -- be.
${sums.zero}
% for _, step in ipairs(sums.order) do
% local chain = step.chain
% if chain then
${sums.begun_chain(chain)}
for (size_t k = ${chain}; k < ${k.ends}; k += ${k.chains}) {
  ${one_k(chain, 0)}
}
% else
${sums.fold(0, tile.rows - 1, step.into, step.from)}
% end
% end
