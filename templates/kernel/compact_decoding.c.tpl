%% takes: about, static, head, cols, chains, loops, folded, assigns, sum
% -- The sums of some outputs of any stage that sums alike, over a k block of weights that have to
% -- be decoded: one output after the other, so that a group is opened as often as there are outputs.
/* ${about} */
${static}${head} {
  for (size_t column = 0; column < ${cols}; ++column, ++lane) {
    const char *group = w;
% if chains > 1 then
    float s[${chains}]; /* zeros of its declaration may be a call of memset() */
    for (size_t chain = 0; chain < ${chains}; ++chain)
      s[chain] = 0.0f;
% else
    float s = 0.0f;
% end
    ${loops}
% if chains > 1 then
    for (size_t half = ${chains // 2}; half > 0; half /= 2)
      for (size_t chain = 0; chain < half; ++chain)
        s[chain] = ${folded};
% end
    sum[column] ${assigns} ${sum};
  }
}
