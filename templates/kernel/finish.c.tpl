%% takes: about, head, s, N, isa, memory, parameters, input, next_row, sum_step, made
/* ${about} */
${head} {
% if s.stage.stream.bias then
% for b, branch in ipairs(s.stage.stream.branches) do
  const float *${branch.name}_bias = task->bias + ${b > 1 and 'task->bias_step + ' or ''}column - task->begins;
% end
% end
% if s.tail then
  const size_t valid = column < ${N}_OUTPUTS ? ffn_min(${N}_OUTPUTS - column, cols) : 0;
% end
  ${memory}
% for _, parameter in ipairs(parameters) do
  const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
  for (size_t row = 0; row < task->rows; ++row, sum += ${sum_step}) {
    for (size_t c = 0; c < ${s.tail and 'valid' or 'cols'}; c += ${made.step}) {
% if input then
      ${input}
% end
% if s.final then
      float *out = task->out + row * task->out_stride + column + c;
% else
      float *out = task->out + ffn_blocked(task->rows, row, column + c, ${next_row});
% end
      ${made.pointers}
      ${made.value}
% if s.tail and isa.lanes > 1 then
      if (valid - c >= ${isa.lanes})
        ${storeu('out', made.result)};
      else
        ${store_tail('out', made.result, 'valid - c')};
% elseif s.final then
      ${storeu('out', made.result)};
% else
      ${store('out', made.result)};
% end
      ${made.stores}
    }
  }
}
