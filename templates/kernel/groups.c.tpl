% -- All rows pass over each group of columns of a chunk, for one block of k.
for (size_t g = 0; g < chunk; g += group) {
  const ${format.c_type} *weights = ${fn}_weights(task, column + g, ${k_at(0)});
% if s.ahead then
  const ${format.c_type} *then = weights; /* what comes next */
  if (g + group < chunk)
    then = ${fn}_weights(task, column + g + group, ${k_at(0)});
% if blocks > 1 then
  else if (block + 1 < ${N}_BLOCKS)
    then = ${fn}_weights(task, column, ${k_at(1)});
% end
  else if (chunk < left)
    then = ${fn}_weights(task, column + chunk, 0);
  const size_t count = ${k_count}; /* of k */
  const size_t early = ffn_min(distance, count - 1);
  const char *next = (const char *)(shares > 1 ? then : weights + early * ${N}_STEP);
  size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
% end
  for (size_t row = 0, part; row < task->rows; row += part) {
    part = ffn_next_part(task->rows - row, rows);
    for (size_t c = g; c < g + group; c += cols) {
      float *sum = task->sum + ${sum_at};
      const float *a = task->in + ${row_at};
% if s.halves then
      const ${format.c_type} *w = weights + (c - g) % FFN_PANEL;
% else
      const ${format.c_type} *w = weights;
% end
% if s.ahead then
      const size_t mine = turn < shares ? advance : 0;
      const ffn_ahead share = {
          next + turn * (count * mine), (const char *)then, mine, count - early};
      ++turn;
% end
      ${fn}_sums(${dispatch_arguments}, cols, part);
    }
  }
}
