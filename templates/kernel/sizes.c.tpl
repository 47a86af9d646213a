% for i, s in ipairs(pass.stages) do
/* ${commented(s.stage.name .. ': ' .. stage_text(s))} */
enum {
  ${NAME(s)}_INPUTS = ${s.stage.inputs},
  ${NAME(s)}_OUTPUTS = ${s.stage.outputs},
  ${NAME(s)}_PANELS = ${s.panels.count}, /* of sixteen outputs, zeros beyond the last */
  ${NAME(s)}_STEP = ${#s.stage.stream.branches > 1 and '2 * ' or ''}FFN_PANEL, /* weights of one k in a panel */
  ${NAME(s)}_PANEL = ${NAME(s)}_INPUTS * ${NAME(s)}_STEP,
% if s.ahead or s.sparse or s.abreast then
  ${NAME(s)}_PANEL_BYTES = ${NAME(s)}_PANEL * (int)sizeof(${s.stage.stream.format.c_type}),
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
  ${NAME(s)}_ROW = ${s.row}, /* floats of a row in a block of the input */
% if walks then
  ${NAME(s)}_STREAM_ROWS = ${s.stream_rows}, /* up to so many rows pass over one group at a time */
  ${NAME(s)}_CHUNK = ${s.chunk}, /* columns whose sums are kept, where there are more */
% if s.ahead then
% if not s.ahead.by_cpu then
  ${NAME(s)}_AHEAD = ${s.ahead.own.fetch_ahead}, /* bytes of a tile's weights that are fetched ahead */
% if s.ahead.own.few_ahead ~= s.ahead.own.fetch_ahead then
  ${NAME(s)}_FEW_ROWS = ${s.ahead.own.few_rows}, /* at most: what they fetch ahead is a choice of its own */
  ${NAME(s)}_FEW_AHEAD = ${s.ahead.own.few_ahead},
% end
% end
% end
% if s.abreast then
  ${NAME(s)}_ABREAST = ${#s.stage.stream.branches > 1 and '2 * ' or ''}${s.abreast.columns}, /* sums of a row in panels abreast */
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
% if walks then
  ${OWN}OWN_ROWS = ${pass.own_rows}, /* threads that would have fewer share all rows */
% end
  ${OWN}ROWS = ${pass.work.rows}, /* ${walks and 'of one walk, at most' or 'that are added to y at a time, at most'} */
% if pass.lanes then
  ${OWN}LANES = ${pass.lanes.tokens}, /* tokens of a block, one in each lane */
  ${OWN}LANES_LEAST = ${pass.lanes.least}, /* so many are worth a block */
% if pass.lanes.pair then
  ${OWN}LANES_PAIR = ${pass.lanes.pair.tokens}, /* tokens of a block of two vectors */
% end
% end
% if compact then
% for i, floats in ipairs(compact.hidden) do
  ${OWN}HIDDEN${i} = ${floats}, /* floats of work memory: results of every second stage */
% end
% elseif walks then
% for b, buffer in ipairs(pass.buffers) do
  ${OWN}${upper(buffer_name(b))} = ${buffer_row(b)}, /* floats of each in work memory: ${buffer_tensors(b)} */
% end
  ${OWN}SUM = ${sum_row}, /* and sums */
% end
  ${OWN}ADD = ${pass.add.columns}, /* columns of each that are added to y at a time */
  ${OWN}WORK_ROW = ${all_places}${walks and ' + ' .. OWN .. 'SUM' or ''}${pass.add.own and ' + ' .. OWN .. 'ADD' or ''}, /* floats of each in work memory */
  ${OWN}BESIDE = ${pass.work.beside // 4}, /* and behind them: inputs that are not zero, or a block of tokens */
};

% end
/* Packed weights: [panel][k][branch][16]. */
typedef struct ${own}packed_weights {
  ffn_packed_header header;
% for _, s in ipairs(pass.stages) do
  ${s.stage.stream.format.c_type} ${s.stage.name}[${NAME(s)}_PANELS][${NAME(s)}_INPUTS][${#s.stage.stream.branches}][FFN_PANEL];
% if s.panels.pad > 0 then
  unsigned char ${s.stage.name}_pad[${s.panels.pad}];
% end
% if s.stage.stream.bias then
  float ${s.stage.name}_bias[${#s.stage.stream.branches}][${NAME(s)}_PANELS * FFN_PANEL];
% end
% end
} ${own}packed_weights;
% for _, block in ipairs(not training and lanes_blocks or {}) do

/* A block of ${block.tokens} tokens: operands of every second stage, and y. */
typedef struct ${own}${block.name}_memory {
  float even[${times(block.even)}${OWN}${upper(block.name)}];
  float odd[${times(block.odd)}${OWN}${upper(block.name)}];
} ${own}${block.name}_memory;
% end
