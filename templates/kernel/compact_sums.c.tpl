%% takes: about, static, head, loop, vectors, assigns, sum
% -- The sums of some outputs of any stage that sums alike, over a k block.
/* ${about} */
${static}${head} {
  ${loop()}
% for v = 0, vectors - 1 do
  sum[${v}] ${assigns} ${sum(v)};
% end
}
