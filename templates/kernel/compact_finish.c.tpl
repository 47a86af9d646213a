%% takes: about, static, head, constants, isa, branches, sums, result
% -- What becomes of the sums of any stage whose results are made alike.
/* ${about} */
${static}${head} {
% for _, parameter in ipairs(constants) do
  const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
  for (size_t c = 0; c < count; ++c) {
% for b, branch in ipairs(branches) do
    const ${isa.vec} ${branch.name} = ${sums[b]};
% end
    out[c] = ${result};
  }
}
