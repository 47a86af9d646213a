%% takes: about, head, fn, N, S, s, walk, block, matrix
% -- How many rows walk: weights of a block are decoded once for all of them.
/* ${about} */
${head} {
  const size_t left = task->last - column;
% if s.scratch.plan.narrow then
  const size_t strip = ffn_max(cols, ${N}_WIDTH); /* whole bundles */
% else
  const size_t strip = cols;
% end
  const size_t chunk = ffn_min(left / strip * strip, ${S}_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  ${matrix.begin}
% if s.stage.sum.blocks > 1 then
  for (size_t block = 0; block < ${N}_BLOCKS; ++block) {
    ${block()}
  }
% else
  ${block()}
% end
  ${matrix.finish}
% if s.laid.unit > 1 then
  ${fn}_finish(task, task->sum, column, cols, chunk);
% else
  for (size_t c = 0; c < chunk; c += cols)
    ${fn}_finish(task, task->sum + ${walk.sums_at}, column + c, cols);
% end
  return chunk;
}
