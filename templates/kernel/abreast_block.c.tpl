% -- A block of k: all rows, a tile after the other, visit some k before the next.
const size_t count = ${k_count}; /* of k */
for (size_t k = 0; k < count; k += ${abreast.step}) {
  const ${format.c_type} *weights = ${fn}_weights(task, column, ${k_of_block});
  const size_t step = ffn_min(count - k, ${abreast.step});
  float *const sum = k + step < count ? part : task->sum;
% if abreast.every > 0 then
  const int fetches = task->rows > ${abreast.tile.rows};
  const ${format.c_type} *then = weights + step * ${N}_STEP; /* the next visit */
  if (${k_of_block} + step == ${N}_INPUTS)
    then = column + ${abreast.columns} < task->last
        ? ${fn}_weights(task, column + ${abreast.columns}, 0)
        : weights;
  const char *next = (const char *)then;
% end
  for (size_t c = 0; c < FFN_PANEL; c += ${abreast.visited}) {
    for (size_t row = 0; row < task->rows; row += ${abreast.tile.rows}) {
      const size_t at = row * ${N}_ABREAST + c;
      const float *a = task->in + ${row_at} + k;
% local fetching = abreast.every > 0 and 'next, fetches, ' or ''
      ${fn}_abreast_${abreast.tile.cols}(sum + at, k > 0 ? part + at : NULL, a, weights + c, step,
          ${adds}, ${fetching}ffn_min(task->rows - row, ${abreast.tile.rows}));
% if abreast.every > 0 then
      next += ${abreast.step // abreast.every} * 64;
% end
    }
  }
}
