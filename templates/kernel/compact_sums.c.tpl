% -- The sums of some outputs of any stage that sums alike, over a block of k.
/* ${about} */
${static}${head} {
  ${loop()}
% for v = 0, tile.vectors - 1 do
  sum[${v}] ${blocks > 1 and '+=' or '='} ${sum(0, v, 0)};
% end
}
