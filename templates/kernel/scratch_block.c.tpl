%% takes: name, s, walk, arguments
% -- All rows pass over each group of columns of a chunk, for one block of k.
for (size_t g = 0; g < chunk; g += group) {
  ${name}_open(task, column + g, group${s.stage.sum.blocks > 1 and ', block' or ''}${walk.alone and ', lone' or ''});
  for (size_t row = 0, part; row < task->rows; row += part) {
    part = ffn_next_part(task->rows - row, rows);
    for (size_t c = g; c < g + group; c += cols) {
      float *sum = task->sum + ${walk.sum_at};
      ${walk.input};
      const char *w = (const char *)task->scratch;
% if walk.lane ~= '' then
      const size_t lane = c - g;
% end
      ${name}_sums(${arguments}, cols, ${walk.alone and 'lone, ' or ''}part);
    }
  }
}
