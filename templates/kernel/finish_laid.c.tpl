%% takes: about, head, s, isa, parameters, made, lay, times
% -- An epilogue whose results are laid in groups, which may be the outputs of several tiles.
/* ${about} */
${head} {
% if s.stage.stream.bias then
% for b, branch in ipairs(s.stage.stream.branches) do
  const float *${branch.name}_bias = task->bias + ${b > 1 and 'task->bias_step + ' or ''}column - task->begins;
% end
% end
% for _, parameter in ipairs(parameters) do
  const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
  for (size_t row = 0; row < task->rows; ++row) {
    for (size_t group = 0; group < count; group += ${s.laid.unit}) {
      float results[${s.laid.unit}];
      const size_t end = ffn_min(group + ${s.laid.unit}, count);
      for (size_t c = group; c < end; c += ${isa.lanes}) {
        const float *from = sum + ${times(#s.stage.stream.branches)}(c / cols * cols * task->rows + row * cols) + c % cols;
        float *out = results + (c - group);
        ${made.value}
        ${storeu('out', made.result)};
      }
      ${lay}(task->out, task->rows, row, column + group, results, end - group);
    }
  }
}
