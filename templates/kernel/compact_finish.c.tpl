% -- What becomes of the sums of any stage whose results are made alike.
/* ${about} */
${static}${head} {
% for _, parameter in ipairs(constants) do
  const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
  for (size_t c = 0; c < count; ++c) {
% for b, branch in ipairs(branches) do
    ${isa.vec} ${branch.name} = sum[${b > 1 and 'FFN_PANEL + ' or ''}c];
% end
    ${lines}
    out[c] = ${result};
  }
}
