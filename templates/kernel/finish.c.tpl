/* ${about} */
${noinline}${finish_head} {
% if s.stage.stream.bias then
  const ${own}packed_weights *packed = (const ${own}packed_weights *)task->packed;
% for b, branch in ipairs(s.stage.stream.branches) do
  const float *${branch.name}_bias = packed->${s.stage.name}_bias[${b - 1}] + column;
% end
% end
% if s.tail then
  const size_t valid =
      column < ${N}_OUTPUTS ? ffn_min(${N}_OUTPUTS - column, cols) : 0;
% end
  ${memory}
% for _, parameter in ipairs(parameters) do
  const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
  for (size_t row = 0; row < task->rows; ++row, sum += ${sum_step}) {
    for (size_t c = 0; c < ${s.tail and 'valid' or 'cols'}; c += ${step}) {
% if needs_operand then
      const float *in = task->in + ffn_blocked(task->rows, row, column + c, ${N}_ROW);
% end
% if s.final then
      float *out = task->out + row * task->out_stride + column + c;
% else
      float *out =
          task->out + ffn_blocked(task->rows, row, column + c, ${next_row});
% end
      ${pointers}
      ${value}
% if s.tail and isa.lanes > 1 then
      if (valid - c >= ${isa.lanes})
        ${storeu('out', result)};
      else
        ${store_tail('out', result, 'valid - c')};
% elseif s.final then
      ${storeu('out', result)};
% else
      ${store('out', result)};
% end
      ${stores}
    }
  }
}
