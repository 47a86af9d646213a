% for i, s in ipairs(pass.stages) do
/* ${commented(s.stage.name .. ': ' .. stage_text(s))} */
enum {
  ${NAME(s)}_INPUTS = ${s.stage.inputs},
  ${NAME(s)}_OUTPUTS = ${s.stage.outputs},
  ${NAME(s)}_PANELS = ${s.panels.count}, /* of sixteen outputs, zeros beyond the last */
  ${NAME(s)}_STEP = ${#s.stage.stream.branches > 1 and '2 * ' or ''}FFN_PANEL, /* weights of one k in a panel */
  ${NAME(s)}_PANEL = ${NAME(s)}_INPUTS * ${NAME(s)}_STEP,
% if s.ahead or s.sparse then
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
% if not straight then
  ${NAME(s)}_STREAM_ROWS = ${s.stream_rows}, /* up to so many rows pass over one group at a time */
  ${NAME(s)}_CHUNK = ${s.chunk}, /* columns whose sums are kept, where there are more */
% if s.ahead then
  ${NAME(s)}_AHEAD = ${s.ahead // s.stage.stream.format.bytes}, /* weights that are fetched ahead */
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
% if not straight then
  ${OWN}ROW_TILE = ${pass.row_tile}, /* rows of the largest register tile */
% end
  ${OWN}ROWS = ${work_rows}, /* of one walk */
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
% if not training then

/* The work memory of one thread. */
typedef struct ${own}work_memory {
% if straight then
% for _, s in ipairs(pass.stages) do
  float ${s.stage.operand.tensor}[${OWN}ROWS][${NAME(s)}_ROW];
% end
% else
% for b, buffer in ipairs(pass.buffers) do
  float ${buffer_name(b)}[${OWN}ROWS * ${buffer_row(b)}]; /* ${buffer_tensors(b)} */
% end
  float sum[${sum_floats}];
% if pass.list_entries > 0 then
  uint32_t list[${list_entries}];
% end
% end
} ${own}work_memory;
% end
