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
  for (size_t row = 0; row < task->rows; ++row)
    for (size_t column = task->first; column < task->last; column += ${isa.lanes}) {
      ${pointers}
      ${value}
      ${stores}
    }
% end
}
