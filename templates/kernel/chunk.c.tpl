%% takes: about, head, fn, N, s, walk, fetching, strips
% -- How a stage walks over a chunk: strips, k blocks, rows.
/* ${about} */
${head} {
  const size_t left = task->last - column;
% if s.narrow then
  const size_t strip = ffn_max(cols, ${N}_WIDTH); /* whole bundles */
% else
  const size_t strip = cols;
% end
  const size_t chunk = task->rows <= ${N}_STREAM_ROWS ? ${s.laid.unit > 1 and ('(strip < %d ? ffn_min(left, %d) : strip)'):format(s.laid.unit, s.laid.unit) or 'strip'} : ffn_min(left / strip * strip, ${N}_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
% if fetching then
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
% if walk.lane ~= '' then
  const size_t tiles = (task->rows + rows - 1) / rows * (strip / cols);
% else
  const size_t tiles = (task->rows + rows - 1) / rows;
% end
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (${fetching.step} + shares - 1) / shares;
  const size_t ahead =${fetching.ahead};
  const size_t distance = /* of what a single one fetches, in ${fetching.unit} */
      shares > 1 ? 0 : ${fetching.distance};
% if fetching.chooses then
% if fetching.twice then
  const int twice = ${fetching.twice};
% end
% if fetching.l2_ahead then
  const size_t l2_ahead = ${fetching.l2_ahead};
  const size_t second = l2_ahead > ahead ? (l2_ahead - ahead) / (strip / ${N}_WIDTH) : 0;
% end
  const int fetches = ffn_fetches(ahead, shares, ${fetching.level}, ${fetching.twice and 'twice' or '0'}, ${fetching.l2_ahead and 'l2_ahead' or '0'});
% end
% end
% if s.stage.sum.blocks > 1 then
  for (size_t block = 0; block < ${N}_BLOCKS; ++block) {
    ${strips()}
  }
% else
  ${strips()}
% end
% if s.laid.unit > 1 then
  ${fn}_finish(task, task->sum, column, cols, chunk);
% else
  for (size_t c = 0; c < chunk; c += cols)
    ${fn}_finish(task, task->sum + ${walk.sums_at}, column + c, cols);
% end
  return chunk;
}
