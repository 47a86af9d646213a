%% takes: about, fn, task, s, N, group_at
/* ${about} */
FFN_INLINE const char *${fn}_weights(const ${task} *task, size_t column, size_t k) {
% local head = s.stage.stream.layout.head > 0 and ' + ' .. N .. '_HEAD' or ''
  const size_t bundle = (column - task->begins) / ${N}_WIDTH;
  return task->weights + bundle * ${N}_BUNDLE${head} + ${group_at(s, N, 'k')};
}
