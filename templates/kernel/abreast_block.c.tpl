%% takes: more, fn, s, N, visit, group_at
% -- A k block: all rows, a tile after the other, visit some k before the next.
const size_t count = ${visit.count}; /* of k */
for (size_t k = 0; k < count; k += ${s.abreast.step}) {
  const char *weights = ${fn}_weights(task, column, ${visit.k}${more});
  const size_t step = ffn_min(count - k, ${s.abreast.step});
  float *const sum = k + step < count ? part : task->sum;
% if s.abreast.every > 0 then
  const int fetches = task->rows > ${s.abreast.tile.rows};
  const char *then = weights + ${group_at(s, N, 'step')}; /* the next visit */
  if (${visit.k} + step == ${N}_INPUTS)
    then = column + ${s.abreast.columns} < task->last
        ? ${fn}_weights(task, column + ${s.abreast.columns}, 0${more})
        : weights;
  const char *next = then;
% end
  for (size_t c = 0; c < FFN_PANEL; c += ${s.abreast.visited}) {
    for (size_t row = 0; row < task->rows; row += ${s.abreast.tile.rows}) {
      const size_t at = row * ${N}_ABREAST + c;
      const float *a = task->in + ${visit.row_at} + k;
% local fetching = s.abreast.every > 0 and 'next, fetches, ' or ''
      ${fn}_abreast_${s.abreast.tile.cols}(sum + at, k > 0 ? part + at : NULL, a, weights, ${visit.lane}${visit.first}step,
          ${visit.adds}, ${fetching}ffn_min(task->rows - row, ${s.abreast.tile.rows}));
% if s.abreast.every > 0 then
      next += ${s.abreast.step // s.abreast.every * s.abreast.fetched} * 64;
% end
    }
  }
}
