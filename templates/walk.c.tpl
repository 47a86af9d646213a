for (size_t c = 0; c < chunk; c += cols) {
% if call == 'sums' then
  const float *w = panels + (column + c) / FFN_PANEL * ${s.panel_floats} + (column + c) % FFN_PANEL${blocks > 1 and (' + block * %d'):format(s.step) or ''};
% end
  for (size_t row = 0; row < task->rows; row += rows) {
    float *sum = task->sum + ${branches} * (c * task->rows + row * cols);
% if call == 'sums' then
    sums(sum, task->in + row * ${s.in_stride}${blocks > 1 and ' + block' or ''}, w${blocks > 1 and ', count, block > 0' or ''}, ffn_min(rows, task->rows - row));
% else
    ${s.name}_finish(task, sum, row, ffn_min(rows, task->rows - row), column + c, cols);
% end
  }
}
