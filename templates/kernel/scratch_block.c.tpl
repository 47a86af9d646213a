%% takes: more, fn, name, N, s, walk, block, arguments, scratch
% -- All rows pass over each strip of a chunk, for one k block.
for (size_t g = 0; g < chunk; g += strip) {
% if s.ahead then
  /* Before each tile a part of the weights that come next is fetched. */
  const size_t tiles = (task->rows + rows - 1) / rows * (strip / cols);
  size_t turn = 0;
  const char *next = NULL;
  if (g + strip < chunk)
    next = ${fn}_weights(task, column + g + strip, ${block.first(0)}${more});
% if s.stage.sum.blocks > 1 then
  else if (block + 1 < ${N}_BLOCKS)
    next = ${fn}_weights(task, column, ${block.first(1)}${more});
% end
  else if (chunk < left)
    next = ${fn}_weights(task, column + chunk, 0${more});
% end
  ${name}_open(task, column + g, strip${s.stage.sum.blocks > 1 and ', block' or ''});
% if s.scratch.plan.tiles[1].matrix then
  /* Parts are equal: the last one may begin in the one before. */
  for (size_t done = 0; done < task->rows; done += rows) {
    const size_t row = ffn_min(done, task->rows - rows), part = rows;
% else
  for (size_t row = 0, part; row < task->rows; row += part) {
    part = ffn_next_part(task->rows - row, rows);
% end
    for (size_t c = g; c < g + strip; c += cols) {
      float *sum = task->sum + ${walk.sum_at};
      ${walk.input};
      const char *w = (const char *)${scratch};
% if walk.lane ~= '' then
      const size_t lane = c - g;
% end
% if s.ahead then
      if (next)
        ffn_fetch_part(next, strip / ${N}_WIDTH, ${N}_BUNDLE, ${block.bytes}, turn++, tiles);
% end
      sums(${arguments}, part);
    }
  }
}
