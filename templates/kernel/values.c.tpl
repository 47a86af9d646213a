%% takes: about, fn, task, memory, copy, parameters, isa, pointers, value, stores
% -- A stage without sums: values that are put in place, or made anew of what was saved.
/* ${about} */
static void ${fn}_columns(const ${task} *task) {
  ${memory}
% if copy ~= '' then
  ${copy}
% else
% for _, parameter in ipairs(parameters) do
  const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
  for (size_t strip = task->first; strip < task->last; strip += FFN_STRIP)
    for (size_t row = 0; row < task->rows; ++row)
      for (size_t column = strip; column < ffn_min(task->last, strip + FFN_STRIP);
           column += ${isa.lanes}) {
        ${pointers}
        ${value}
        ${stores}
      }
% end
}
