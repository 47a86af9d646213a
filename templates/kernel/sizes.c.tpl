%% takes: pass, training, NAME, own, OWN, stage_comment, layout_said, scratch_sizes, buffers, blocks, packed_bytes, said
% local form = pass.form.name
% for i, s in ipairs(pass.stages) do
/* ${stage_comment(s)} */
enum {
  ${NAME(s)}_INPUTS = ${s.stage.inputs},
  ${NAME(s)}_OUTPUTS = ${s.stage.outputs},
% local layout, said = s.stage.stream.layout, layout_said(s)
  ${NAME(s)}_COLUMNS = ${layout.columns}, /* outputs and zeros beyond the last, whole panels of sixteen */
  ${NAME(s)}_WIDTH = ${layout.width}, /* columns of a bundle */
% if layout.group > 1 then
  ${NAME(s)}_GROUP = ${layout.group}, /* k that are packed together */
% end
  ${NAME(s)}_STEP = ${layout.step}, /* bytes of ${said.unit} of it: ${said.text} */
% if layout.head > 0 then
  ${NAME(s)}_HEAD = ${layout.head}, /* in front of its groups */
% end
  ${NAME(s)}_BUNDLE = ${said.bundle},
  ${NAME(s)}_AT = ${s.panels.at}, /* bytes of packed weights in front of these */
% if s.stage.stream.bias then
  ${NAME(s)}_BIAS_AT = ${s.panels.bias_at}, /* and of its biases, [branch][columns] */
% end
% if s.stage.sum.blocks > 1 then
  ${NAME(s)}_BLOCK = ${s.stage.sum.block}, /* k of one accumulation */
  ${NAME(s)}_BLOCKS = ${s.stage.sum.blocks},
% if s.stage.sum.last ~= s.stage.sum.block then
  ${NAME(s)}_LAST = ${s.stage.sum.last}, /* k of the last block */
% end
% if s.stage.sum.parts > 1 then
  ${NAME(s)}_PART_BLOCKS = ${s.stage.sum.blocks // s.stage.sum.parts}, /* of each matrix */
% end
% end
  ${NAME(s)}_ROUNDINGS = ${s.stage.sum.roundings}, /* at most, of a product in its sum */
  ${NAME(s)}_ROW = ${s.row}, /* numbers of a row in a block of the input */
% if s.stage.operand.format.take then
  ${NAME(s)}_BLOCK_BYTES = ${s.block_bytes}, /* of these: ${s.stage.operand.format.about} */
% end
% if form == 'walk' then
  ${NAME(s)}_STREAM_ROWS = ${s.stream_rows}, /* up to so many rows take a strip at a time */
  ${NAME(s)}_CHUNK = ${s.chunk}, /* columns whose sums are kept, where there are more */
% if s.ahead then
% if not s.ahead.by_cpu then
  ${NAME(s)}_AHEAD = ${s.ahead.own.fetch_ahead}, /* bytes of a tile's weights that are fetched ahead */
% if s.both or s.ahead.own.few_ahead ~= s.ahead.own.fetch_ahead then
  ${NAME(s)}_FEW_ROWS = ${s.ahead.own.few_rows}, /* at most: what they fetch ahead is a choice of its own */
% end
% if s.ahead.own.few_ahead ~= s.ahead.own.fetch_ahead then
  ${NAME(s)}_FEW_AHEAD = ${s.ahead.own.few_ahead},
% end
% if s.both then
  ${NAME(s)}_FEW_L2_AHEAD = ${s.ahead.own.few_l2_ahead}, /* into the second-level cache, too */
% end
% end
% end
% if s.abreast then
  ${NAME(s)}_ABREAST = ${#s.stage.stream.branches > 1 and '2 * ' or ''}${s.abreast.columns}, /* sums of a row in panels abreast */
% end
% if s.scratch then
% local many, M = s.scratch.plan, NAME(s.scratch.plan)
  ${M}_LEAST = ${s.scratch.rows}, /* from so many rows on weights are decoded once, as ${s.stage.arithmetic.takes == 'bytes' and 'bytes' or 'f32'}: */
% for _, size in ipairs(scratch_sizes(s)) do
  ${M}_${size} = ${NAME(s)}_${size},
% end
  ${M}_STEP = ${many.stage.stream.layout.step}, /* bytes of a ${s.stage.arithmetic.takes == 'bytes' and 'group' or 'k'} of a bundle there */
  ${M}_BUNDLE = ${many.stage.stream.layout.bundle}, /* and of a block of it */
  ${M}_CHUNK = ${many.chunk}, /* columns whose sums are kept */
% end
% if s.sparse then
  ${NAME(s)}_SPARSE_ROWS = ${s.sparse.rows}, /* up to so many rows skip zeros that they share */
  ${NAME(s)}_NONZERO = ${s.sparse.most}, /* where at most so many inputs are left */
% end
% end
};

% end
% if not training then
enum {
% if form == 'walk' then
  ${OWN}OWN_ROWS = ${pass.own_rows}, /* threads that would have fewer share all rows */
% end
  ${OWN}ROWS = ${pass.work.rows}, /* ${form == 'walk' and 'of one walk, at most' or 'that are added to y at a time, at most'} */
% if pass.lanes then
  ${OWN}LANES = ${pass.lanes.tokens}, /* tokens of a block, one in each lane */
  ${OWN}LANES_LEAST = ${pass.lanes.least}, /* so many are worth a block */
% if pass.lanes.pair then
  ${OWN}LANES_PAIR = ${pass.lanes.pair.tokens}, /* tokens of a block of two vectors */
% end
% end
% if form == 'compact' then
% for i, bytes in ipairs(pass.form.hidden) do
  ${OWN}HIDDEN${i} = ${bytes}, /* bytes of work memory: ${i < 3 and 'results of every second stage' or 'inputs as bytes'} */
% end
% elseif form == 'walk' then
% for _, buffer in ipairs(buffers) do
  ${OWN}${buffer.name} = ${buffer.bytes}, /* bytes of each in work memory: ${buffer.tensors} */
% end
  ${OWN}SUM = ${pass.sum_row}, /* and sums */
% end
  ${OWN}ADD = ${pass.add.columns}, /* columns of each that are added to y at a time */
  ${OWN}WORK_ROW = ${pass.work.row}, /* bytes of each in work memory */
  ${OWN}BESIDE = ${pass.work.beside}, /* and behind them: inputs that are not zero, ${said.scratch ~= '' and 'scratch, ' or ''}or a block of tokens */
};

% end
enum { ${OWN}WEIGHT_BYTES = ${packed_bytes} };
% for _, block in ipairs(blocks) do

/* A block of ${block.tokens} tokens: operands of every second stage, and y. */
typedef struct ${own}${block.name}_memory {
  float even[${block.even}];
  float odd[${block.odd}];
} ${own}${block.name}_memory;
% end
