% for _, s in ipairs(token_stages) do
/* ${s.stage.name}: sums over tokens. */
enum {
  ${NAME(s)}_INPUTS = ${s.stage.inputs}, /* rows of a matrix */
  ${NAME(s)}_ROW = ${operand(s).row}, /* of them in a block of the operand */
% if s.stage.kind == 'tokens' then
  ${NAME(s)}_OUTPUTS = ${s.stage.outputs}, /* its columns */
  ${NAME(s)}_PANELS = ${s.columns // 16},
  ${NAME(s)}_STEP = FFN_PANEL,
  ${NAME(s)}_PANEL = FFN_TOKEN_BLOCK * FFN_PANEL,
% end
};

% end
enum {
  ${OWN}SLAB = ${training.rows}, /* rows that go through all stages at a time */
  ${OWN}SAVED_ROW = ${training.saved_row}, /* floats that are saved of a token */
  ${OWN}SUMS = ${training.sum_floats}, /* of a thread */
};
% if #dropouts > 0 then

static const ffn_dropout_place ${own}dropouts[] = {
% for _, d in ipairs(dropouts) do
    {${d.stage}, ${d.rate}, ${d.below}, ${d.scale}}, /* ${d.about} */
% end
};
% end
% for _, name in ipairs(pass_names) do

/* What the stages of ${name} give to each other. */
typedef struct ${own}${name}_memory {
% for b, buffer in ipairs(training.passes[name].buffers) do
  float ${buffer_name(b)}[${OWN}SLAB * ${buffer.floats}]; /* ${tensors(buffer)} */
% end
} ${own}${name}_memory;
% end
