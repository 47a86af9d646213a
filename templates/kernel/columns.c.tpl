%% takes: static, head, fn, task, N, s, walk, fetching, groups, many
% -- How a stage walks: groups of columns, blocks of k, rows.
/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t ${fn}_chunk(
    const ${task} *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
% if s.narrow then
  const size_t group = ffn_max(cols, ${N}_WIDTH); /* whole bundles */
% else
  const size_t group = cols;
% end
  const size_t chunk =
      task->rows <= ${N}_STREAM_ROWS ? ${s.laid.unit > 1 and ('(group < %d ? ffn_min(left, %d) : group)'):format(s.laid.unit, s.laid.unit) or 'group'} : ffn_min(left / group * group, ${N}_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
% if fetching then
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
% if walk.lane ~= '' then
  const size_t tiles = (task->rows + rows - 1) / rows * (group / cols);
% else
  const size_t tiles = (task->rows + rows - 1) / rows;
% end
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (${fetching.step} + shares - 1) / shares;
  const size_t ahead =${fetching.ahead};
  const size_t distance = /* of what a single one fetches, in ${fetching.unit} */
      shares > 1 ? 0 : ahead / ${fetching.group_step};
% if fetching.chooses then
% if fetching.twice then
  const int twice = ${fetching.twice};
% end
  const int fetches = ffn_fetches(ahead, shares, ${fetching.level}, ${fetching.twice and 'twice' or '0'});
% end
% end
% if s.stage.sum.blocks > 1 then
  for (size_t block = 0; block < ${N}_BLOCKS; ++block) {
    ${groups()}
  }
% else
  ${groups()}
% end
% if s.laid.unit > 1 then
  ${fn}_finish(task, task->sum, column, cols, chunk);
% else
  for (size_t c = 0; c < chunk; c += cols)
    ${fn}_finish(task, task->sum + ${walk.sums_at}, column + c, cols);
% end
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
${static}${head} {
% if s.sparse then
  if (task->rows <= ${N}_SPARSE_ROWS && ffn_packed_finite(task->header)) {
    const size_t listed =
        ffn_list_nonzero(task->list, task->in, task->rows, ${N}_INPUTS, ${N}_ROW);
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
      column += ${fn}_scratch_chunk(task, column, ${tile.cols}, ${many.most_rows(tile)});
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
    column += ${fn}_chunk(task, column, ${tile.cols}, ${walk.most_rows(tile)});
% end
}
