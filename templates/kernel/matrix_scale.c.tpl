%% takes: about, head, code, sum
% -- What becomes of the products of a row with a group.
/* ${about} */
${head} {
  ${code}
  return ${sum};
}
