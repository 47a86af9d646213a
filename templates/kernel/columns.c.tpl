%% takes: about, head, fn, N, s, walk, many
% -- How a stage walks: chunks of columns.
/* ${about} */
${head} {
% if s.sparse then
  if (task->rows <= ${N}_SPARSE_ROWS && ffn_packed_finite(task->header)) {
    const size_t listed = ffn_list_nonzero(task->list, task->in, task->rows, ${N}_INPUTS, ${N}_ROW);
    if (listed <= ${N}_NONZERO && ffn_rounds_to_nearest()) {
      ${fn}_nonzero_columns(task, listed);
      return;
    }
  }
% end
  size_t column = task->first;
% if many then
  if (task->rows >= ${N}_SCRATCH_LEAST) {
% for i, tile in ipairs(s.scratch.plan.tiles) do
    ${many.while_text(s.scratch.plan.tiles, i)}
      column += ${fn}_scratch_chunk(task, column, ${tile.cols}, ${many.most_rows(tile)}, ${fn}_scratch_sums_${tile.cols});
% end
    return;
  }
% end
% if s.abreast then
% if s.abreast.by_cpu then
  if (task->rows > 1 && task->rows <= ${s.abreast.rows} &&
      ffn_reads_abreast(task->choices, task->rows, ${s.abreast.panels}))
% else
  if (task->rows > 1 && task->rows <= ${s.abreast.rows})
% end
    for (; task->last - column >= ${s.abreast.columns}; column += ${s.abreast.columns})
      ${fn}_abreast(task, column);
% end
% for i, tile in ipairs(s.tiles) do
  ${walk.while_text(s.tiles, i)}
    column += ${fn}_chunk(task, column, ${tile.cols}, ${walk.most_rows(tile)}, ${fn}_sums_${tile.cols});
% end
}
