%% takes: about, head, s, N, group_at
/* ${about} */
${head} {
% local panel_head = s.stage.stream.layout.head > 0 and ' + ' .. N .. '_HEAD' or ''
  const size_t bundle = (column - task->begins) / ${N}_WIDTH;
  return task->weights + bundle * ${N}_BUNDLE${panel_head} + ${group_at(s, N, 'k')};
}
