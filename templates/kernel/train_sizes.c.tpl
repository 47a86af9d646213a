%% takes: training, token_stages, operand, NAME, own, OWN, want_name, row_names, saved_name, dropouts, passes, counts
% for _, s in ipairs(token_stages) do
/* ${s.stage.name}: sums over tokens. */
enum {
  ${NAME(s)}_INPUTS = ${s.stage.inputs}, /* rows of a matrix */
  ${NAME(s)}_ROW = ${operand(s).row}, /* of them in a block of the operand */
% if s.stage.kind == 'tokens' then
  ${NAME(s)}_OUTPUTS = ${s.stage.outputs}, /* its columns */
  ${NAME(s)}_PANELS = ${s.stage.stream.layout.panels},
  ${NAME(s)}_STEP = ${s.stage.stream.layout.step}, /* bytes of a token of a panel */
  ${NAME(s)}_BUNDLE = FFN_TOKEN_BLOCK * ${NAME(s)}_STEP,
% end
};

% end
enum {
% if counts.beside then
  ${OWN}OUTPUTS = ${counts.outputs}, /* side by side */
% end
  ${OWN}SLAB = ${training.rows}, /* rows that go through all stages at a time */
  ${OWN}SAVED_ROW = ${training.saved_row}, /* numbers that are saved of a token */
% if training.scratch_at then
  ${OWN}SUMS = ${training.thread_bytes}, /* bytes of a thread's sums and scratch */
  ${OWN}SCRATCH_AT = ${training.scratch_at}, /* in front of its scratch */
% else
  ${OWN}SUMS = ${training.thread_bytes}, /* bytes of a thread's sums */
% end
};

/* Bits of the gradients that a call may want. */
enum {
% for bit, output in ipairs(training.outputs) do
  ${want_name(output)} = ${bit - 1},
% end
};
% if #row_names > 0 or #training.saved > 0 then

/* Numbers of a row in a block of what no sum reads; of a token's that are saved, those in front. */
enum {
% for _, row in ipairs(row_names) do
  ${row.name} = ${row.numbers},
% end
% for _, place in ipairs(training.saved) do
  ${saved_name(place.tensor)} = ${place.row},
% end
};
% end
% if #dropouts > 0 then

static const ffn_dropout_place ${own}dropouts[] = {
% for _, d in ipairs(dropouts) do
    {${d.stage}, ${d.rate}, ${d.below}, ${d.scale}}, /* ${d.about} */
% end
};
% end
% for _, pass in ipairs(passes) do

/* What the stages of ${pass.name} give to each other. */
typedef struct ${own}${pass.name}_memory {
% for _, buffer in ipairs(pass.buffers) do
  float ${buffer.name}[${OWN}SLAB * ${buffer.bytes} / sizeof(float)]; /* ${buffer.tensors} */
% end
} ${own}${pass.name}_memory;
% end
