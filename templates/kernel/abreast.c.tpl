% -- Few rows over several panels abreast.
/* ${about} */
FFN_INLINE void ${fn}_abreast(const ${task} *task, size_t column) {
% if blocks > 1 then
  float *const part = task->sum + task->rows * ${N}_ABREAST; /* of a block */
  for (size_t block = 0; block < ${N}_BLOCKS; ++block) {
    ${text 'abreast_block.c.tpl'}
  }
% else
  float *const part = task->sum;
  ${text 'abreast_block.c.tpl'}
% end
  ${fn}_finish(task, task->sum, column, ${abreast.columns});
}
