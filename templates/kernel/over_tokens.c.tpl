%% takes: sums, fn, task, memory, N, panels, tiles, about, gradients, part_at
% -- Sums over tokens: the operand's columns are rows, the columns of what is in panels are columns.
/* The gradient's `height` rows from `output` on, all in one block of the operand, x at most `cols`
 * columns from `column` on, summed over all tokens of the task, a block at a time. Returns `cols`.
 * `gradient` begins at any float. */
FFN_INLINE size_t ${fn}_strip(
    const ${task} *task, float *gradient, const float *in, size_t output, size_t height,
    size_t column, const size_t cols, const size_t most,
    ${sums}) {
  ${memory}
  const size_t rows = ffn_even_part(height, most);
  const size_t valid = ffn_min(${N}_OUTPUTS - column, cols);
  for (size_t token = 0; token < task->rows; token += FFN_TOKEN_BLOCK) {
    const size_t count = ffn_min(task->rows - token, FFN_TOKEN_BLOCK);
    const int adds = token > 0 || task->adds;
    const char *w = (const char *)(${panels} + ffn_paneled(token, column, ${N}_PANELS));
    for (size_t row = 0; row < height; row += rows) {
      const float *a = in + ffn_blocked(task->rows, token, output, ${N}_ROW) + row;
      float *to = gradient + (output + row) * ${N}_OUTPUTS + column;
      const size_t part = ffn_min(rows, height - row);
      if (valid == cols) {
        sums(to, a, w, ${N}_OUTPUTS, count, adds, part);
      } else {
        sums(task->sum, a, w, cols, count, 0, part);
        ffn_put_sums(to, ${N}_OUTPUTS, task->sum, cols, part, valid, adds);
      }
    }
  }
  return cols;
}

/* Rows [task->first, task->last) x all columns of the gradient of a matrix, unless it is not wanted;
 * `gradient` begins at any float. */
static void ${fn}_matrix(const ${task} *task, float *gradient, const float *in) {
  if (!gradient)
    return;
  if (task->rows == 0) {
    ffn_put_zeros(task, gradient, ${N}_INPUTS, ${N}_OUTPUTS);
    return;
  }
  const size_t last = ffn_min(task->last, ${N}_INPUTS);
  for (size_t output = task->first, height; output < last; output += height) {
    size_t column = 0;
    height = ffn_min(last - output, ${N}_ROW - output % ${N}_ROW);
% for i, tile in ipairs(tiles) do
% if i < #tiles then
    while (${N}_PANELS * FFN_PANEL - column >= ${tile.cols})
% else
    while (column < ${N}_PANELS * FFN_PANEL)
% end
      column += ${fn}_strip(
          task, gradient, in, output, height, column, ${tile.cols}, ${tile.rows}, ${fn}_sums_${tile.cols});
% end
  }
}

/* ${about} */
static void ${fn}_columns(const ${task} *task) {
% for p, gradient in ipairs(gradients) do
  ${fn}_matrix(
      task, ${gradient}, task->in${part_at(p)});
% end
}
