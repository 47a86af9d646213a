% -- A stage without sums: values that are put in place, or made anew of what was saved.
/* ${about} */
static void ${fn}_columns(const ${task} *task) {
  ${memory}
% if copy ~= '' then
  ${copy}
% else
% if beta ~= '' then
  const ${isa.vec} beta = ${beta};
% end
  for (size_t group = task->first; group < task->last; group += FFN_GROUP)
    for (size_t row = 0; row < task->rows; ++row)
      for (size_t column = group; column < ffn_min(task->last, group + FFN_GROUP);
           column += ${isa.lanes}) {
        ${pointers}
        ${value}
        ${stores}
      }
% end
}
