
/* ---- ${s.name}: ${stage.inputs} -> ${stage.outputs} ${ruler}
 *
 * Panels [${s.columns // 16}][${stage.inputs}][${branches}][16]: sixteen outputs of each branch side by side for every k.
 */
% for _, form in ipairs(forms) do
% for _, tile in ipairs(form.tiles) do

/* sum[row][branch][${tile.cols}] ${blocks > 1 and '(+)= ' or '= '}${form.about} for ${rows_text(tile)} of ${tile.cols} columns; ${tile.registers} of ${isa.registers} registers.
% if tile.rows > 1 then
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void ${s.name}_${form.name}_tile_${tile.cols}(${form.parameters}, const int rows) {
% else
 */
FFN_NOINLINE void ${s.name}_${form.name}_${tile.cols}(${form.parameters}, size_t rows) {
  (void)rows;
% end
  ${block_text(form, tile)}
}
% if tile.rows > 1 then

FFN_NOINLINE void ${s.name}_${form.name}_${tile.cols}(${form.parameters}, size_t rows) {
  switch (rows) {
% for rows = 1, tile.rows do
  case ${rows}: ${s.name}_${form.name}_tile_${tile.cols}(${form.arguments}, ${rows}); break;
% end
  default: assert(0);
  }
}
% end
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
  const ${isa.vec} beta = ${beta('task->packed')};
% end
  for (size_t r = 0; r < rows; ++r, sum += ${branches} * cols)
    for (size_t c = 0; c < ${s.tail and 'valid' or 'cols'}; c += ${isa.lanes}) {
% if stage.product == 'input' then
      const float *in = task->in + ffn_blocked(task->rows, row + r, column + c, ${s.row_stride});
% end
% if following then
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, ${following.row_stride});
% else
      float *out = task->out + (row + r) * task->out_stride + column + c;
% end
      ${finish}
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *${s.name}_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + ${s.panels_at} + column / FFN_PANEL * ${s.panel_floats} + column % FFN_PANEL + k * ${s.step};
}
% if s.sparse_rows > 0 then

/* The pass over columns [first, last) where the `listed` inputs in `list` alone are not zero. */
static void ${s.name}_pass_nonzero(const ffn_task *task, const uint32_t *list, size_t listed) {
  for (size_t column = task->first; column < task->last;) {
% if #forms[2].tiles > 1 then
    const size_t left = task->last - column;
% end
    size_t cols;
    void (*sums)(${forms[2].types}, size_t);
% for i, tile in ipairs(forms[2].tiles) do
    ${choice(forms[2].tiles, i)}
      cols = ${tile.cols}, sums = ${s.name}_nonzero_${tile.cols};
% end
    const float *w = ${s.name}_weights(task, column, 0);
    size_t first = 0;
    for (size_t block = 0; block < ${stage.inputs}; block += ${stage.k_block}) {
      size_t count = 0;
      while (first + count < listed && list[first + count] < block + ${stage.k_block})
        ++count;
      sums(
          ${forms[2].values}
          task->rows);
      first += count;
    }
    ${s.name}_finish(task, task->sum, 0, task->rows, column, cols);
    column += cols;
  }
}
% end

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void ${s.name}_pass(const ffn_task *task) {
% if s.sparse_rows > 0 then
  if (task->rows <= ${s.sparse_rows} && ffn_packed_finite(task->packed)) {
    uint32_t *list = (uint32_t *)(task->sum + ${s.list_at});
    const size_t listed =
        ffn_list_nonzero(list, task->in, task->rows, ${stage.inputs}, ${s.row_stride});
    if (listed <= ${s.sparse_most}) {
      ${s.name}_pass_nonzero(task, list, listed);
      return;
    }
  }
% end
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(${forms[1].types}, size_t);
% for i, tile in ipairs(s.tiles) do
    ${choice(s.tiles, i)}
      cols = ${tile.cols}, most = ${tile.rows}, sums = ${s.name}_sums_${tile.cols};
% end
% if s.halves then
    const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols;
% else
    const size_t group = cols;
% end
    const size_t chunk =
        task->rows <= ${s.stream_rows} ? group : ffn_min(left / group * group, ${s.chunk});
    const size_t rows = ffn_even_part(task->rows, most);
% if s.fetch then
    const size_t shares = ffn_shares((task->rows + rows - 1) / rows${s.halves and ' * (group / cols)' or ''});
% end
    size_t block = 0;
    do {
% if blocks > 1 then
      const size_t count = ffn_min(${stage.inputs} - block, ${stage.k_block});
% end
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = ${s.name}_weights(task, column + g, block);
% if s.fetch then
        const float *then = /* the weights that come next */
            g + group < chunk ? ${s.name}_weights(task, column + g + group, block)
% if blocks > 1 then
            : block + ${stage.k_block} < ${stage.inputs}
                ? ${s.name}_weights(task, column, block + ${stage.k_block})
% end
            : chunk < left ? ${s.name}_weights(task, column + chunk, 0) : weights;
        const char *ahead = shares > 1 ? (const char *)then : (const char *)weights + ${s.fetch};
        size_t visit = 0;
% end
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                ${forms[1].values}
                ffn_min(rows, task->rows - row));
% if s.fetch then
            ++visit;
% end
          }
      }
      block += ${stage.k_block};
    } while (block < ${stage.inputs});
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        ${s.name}_finish(task, task->sum + ${branches} * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}
