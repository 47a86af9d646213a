
/* ---- ${s.name}: ${stage.inputs} -> ${stage.outputs} ${ruler}
 *
 * Panels [${s.columns // 16}][${stage.inputs}][${branches}][16]: sixteen outputs of each branch side by side for every k.
 */
% for _, tile in ipairs(s.tiles) do

/* sum[row][branch][${tile.cols}] ${blocks > 1 and '(+)= a w over `count` k' or '= a w'} for ${rows_text(tile)} of ${tile.cols} columns; ${tile.registers} of ${isa.registers} registers.
% if tile.rows > 1 then
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void ${s.name}_tile_${tile.cols}(${block_parameters}, const int rows) {
% else
 */
FFN_NOINLINE void ${s.name}_sums_${tile.cols}(${block_parameters}, size_t rows) {
  (void)rows;
% end
  ${block_text(tile)}
}
% if tile.rows > 1 then

FFN_NOINLINE void ${s.name}_sums_${tile.cols}(${block_parameters}, size_t rows) {
  switch (rows) {
% for rows = 1, tile.rows do
  case ${rows}: ${s.name}_tile_${tile.cols}(${block_arguments}, ${rows}); break;
% end
  default: assert(0);
  }
}
% end
% end

/* ${finish_text} */
FFN_NOINLINE void ${s.name}_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
% if stage.bias then
  const float *bias = task->packed + ${s.bias_at} + column;
% end
% if s.tail then
  const size_t valid = column < ${stage.outputs} ? ffn_min(${stage.outputs} - column, cols) : 0;
% end
% if stage.beta then
  const ${isa.vec} beta = ${beta};
% end
  for (size_t r = 0; r < rows; ++r, sum += ${branches} * cols) {
    float *out = task->out + (row + r) * task->out_stride + column;
% if stage.product == 'input' then
    const float *in = task->in + (row + r) * ${s.in_stride} + column;
% end
    for (size_t c = 0; c < ${s.tail and 'valid' or 'cols'}; c += ${isa.lanes}) {
      ${finish}
    }
  }
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void ${s.name}_pass(const ffn_task *task) {
  const float *panels = task->packed + ${s.panels_at};
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(${block_types}, size_t);
% for i, tile in ipairs(s.tiles) do
    ${choice(i, tile)}
      cols = ${tile.cols}, most = ${tile.rows}, sums = ${s.name}_sums_${tile.cols};
% end
    const size_t chunk = task->rows <= most ? cols : ffn_min(left / cols * cols, ${s.chunk});
    const size_t rows = ffn_even_part(task->rows, most);
% if blocks > 1 then
    for (size_t block = 0; block < ${stage.inputs}; block += ${stage.k_block}) {
      const size_t count = ffn_min(${stage.inputs} - block, ${stage.k_block});
      ${walk_text('sums')}
    }
% else
    ${walk_text('sums')}
% end
    ${walk_text('finish')}
    column += chunk;
  }
}
