%% takes: more, fn, name, N, s, walk, block, arguments, scratch
% -- All rows pass over each group of columns of a chunk, for one block of k.
for (size_t g = 0; g < chunk; g += group) {
% if s.ahead then
  /* Before each tile a part of the weights that come next is fetched. */
  const size_t tiles = (task->rows + rows - 1) / rows * (group / cols);
  size_t turn = 0;
  const char *next = NULL;
  if (g + group < chunk)
    next = ${fn}_weights(task, column + g + group, ${block.first(0)}${more});
% if s.stage.sum.blocks > 1 then
  else if (block + 1 < ${N}_BLOCKS)
    next = ${fn}_weights(task, column, ${block.first(1)}${more});
% end
  else if (chunk < left)
    next = ${fn}_weights(task, column + chunk, 0${more});
% end
  ${name}_open(task, column + g, group${s.stage.sum.blocks > 1 and ', block' or ''});
  for (size_t row = 0, part; row < task->rows; row += part) {
    part = ffn_next_part(task->rows - row, rows);
    for (size_t c = g; c < g + group; c += cols) {
      float *sum = task->sum + ${walk.sum_at};
      ${walk.input};
      const char *w = (const char *)${scratch};
% if walk.lane ~= '' then
      const size_t lane = c - g;
% end
% if s.ahead then
      if (next)
        ffn_fetch_part(next, group / ${N}_WIDTH, ${N}_BUNDLE, ${block.bytes}, turn++, tiles);
% end
      sums(${arguments}, part);
    }
  }
}
