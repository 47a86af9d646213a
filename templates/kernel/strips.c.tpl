%% takes: more, fn, s, N, walk, fetching, block, arguments
% -- All rows pass over each strip of a chunk, for one k block.
for (size_t g = 0; g < chunk; g += strip) {
  const char *weights = ${fn}_weights(task, column + g, ${block.first(0)}${more});
% if fetching then
  const char *then = weights; /* what comes next */
  if (g + strip < chunk)
    then = ${fn}_weights(task, column + g + strip, ${block.first(0)}${more});
% if s.stage.sum.blocks > 1 then
  else if (block + 1 < ${N}_BLOCKS)
    then = ${fn}_weights(task, column, ${block.first(1)}${more});
% end
  else if (chunk < left)
    then = ${fn}_weights(task, column + chunk, 0${more});
  const size_t count = ${block.groups}; /* of ${fetching.unit} */
  const size_t early = ffn_min(distance, count - 1);
  const char *next = shares > 1 ? then : weights + early * ${fetching.step};
% if block.bundle ~= '' then
  size_t until = count - early;
  if (distance >= count && chunk == strip) { /* further ahead than the block has groups */
    const size_t at = (${block.first(0)}) / ${N}_GROUP + distance;
    next = weights;
    if (at < ${block.bundle})
      next += distance * ${fetching.step};
    else if (chunk < left)
      next = ${fn}_weights(task, column + chunk, 0${more}) + ffn_min(at - ${block.bundle}, ${block.bundle} - 1) * ${fetching.step};
% if s.tiles[1].fetched then
    until = at < ${block.bundle} ? ffn_min(count, ${block.bundle} - at) : count; /* of a bundle */
    if (at < ${block.bundle} && chunk < left)
      then = ${fn}_weights(task, column + chunk, 0${more});
% else
    until = count;
% end
  }
% end
  size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
% end
  for (size_t row = 0, part; row < task->rows; row += part) {
    part = ffn_next_part(task->rows - row, rows);
    for (size_t c = g; c < g + strip; c += cols) {
      float *sum = task->sum + ${walk.sum_at};
      ${walk.input};
      const char *w = weights;
% if walk.lane ~= '' then
      const size_t lane = c - g;
% end
% if fetching then
      const size_t mine = turn < shares ? advance : 0;
      const ffn_ahead share = {
          next + turn * (count * mine), then, mine, ${block.bundle ~= '' and 'until' or 'count - early'}, ${fetching.l2_ahead and 'second' or '0'}};
      ++turn;
% end
      sums(${arguments}, part);
    }
  }
}
