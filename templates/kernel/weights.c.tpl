/* The bundle of the output `column`, from input k on. */
FFN_INLINE const char *${fn}_weights(const ${task} *task, size_t column, size_t k) {
  const size_t bundle = (column - task->begins) / ${N}_WIDTH;
% if alone then
  const size_t step = column < ${N}_PAIRED ? ${N}_STEP : ${N}_LONE_STEP;
  return task->weights + bundle * ${N}_BUNDLE + k * step;
% else
  return task->weights + bundle * ${N}_BUNDLE + k * ${N}_STEP;
% end
}
