%% takes: about, head, fn, s, N, block
% -- Few rows over several panels abreast.
/* ${about} */
${head} {
% if s.stage.sum.blocks > 1 then
  float *const part = task->sum + task->rows * ${N}_ABREAST; /* of a block */
  for (size_t block = 0; block < ${N}_BLOCKS; ++block) {
    ${block()}
  }
% else
  float *const part = task->sum;
  ${block()}
% end
  ${fn}_finish(task, task->sum, column, ${s.abreast.columns});
}
