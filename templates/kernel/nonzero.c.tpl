%% takes: more, about, head, sums, fn, task, N, s, walk
% -- How a stage walks where few of its inputs are not zero.
/* All rows x `cols` columns from `column` on, over the `listed` k in the task's list: those alone
 * are not zero. Returns `cols`. */
FFN_INLINE size_t ${fn}_nonzero_strip(
    const ${task} *task, size_t listed, size_t column, const size_t cols,
    ${sums}) {
  const char *weights = ${fn}_weights(task, column, 0${more});
% if walk.lane ~= '' then
  const size_t lane = column % ${N}_WIDTH;
% end
  const uint32_t *list = task->list;
% if s.stage.sum.blocks > 1 then
  for (size_t block = 0; block < ${N}_BLOCKS; ++block) {
    const float *a = task->in + block * task->rows * ${N}_ROW;
    size_t count = 0;
    while (count < listed && list[count] < (block + 1) * ${N}_BLOCK)
      ++count;
    sums(task->sum, a, weights, list, count, ${walk.lane}block, task->rows);
    list += count;
    listed -= count;
  }
% else
  sums(task->sum, task->in, weights, list, listed, ${walk.lane}task->rows);
% end
  ${fn}_finish(task, task->sum, column, cols);
  return cols;
}

/* ${about} */
${head} {
  size_t column = task->first;
% for i, tile in ipairs(s.sparse.tiles) do
  ${walk.while_text(s.sparse.tiles, i)}
    column += ${fn}_nonzero_strip(task, listed, column, ${tile.cols}, ${fn}_nonzero_${tile.cols});
% end
}
