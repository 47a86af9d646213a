
/* One token, all stages in one straight line: for few tokens a walk costs more than the sums. */
static void straight(float *y, const float *row, const float *packed, float *work) {
% for i, part in ipairs(straight.stages) do
% local s = part.plan
% local words = words_of(s)
  { /* ${s.name} */
% if s.stage.product == 'input' then
    memcpy(work, row, ${s.stage.inputs} * sizeof *row);
    const float *in = work;
% elseif i == 1 then
    const float *in = row;
% else
    const float *in = work + ${plan.buffer_at[s.buffer]};
% end
% if s.final then
    float *out = y;
% else
    float *out = work + ${plan.buffer_at[straight.stages[i + 1].plan.buffer]};
% end
    const float *w = packed + ${s.panels_at};
% if s.stage.bias then
    const float *bias = packed + ${s.bias_at};
% end
% if s.stage.beta then
    const ${isa.vec} beta = ${words.beta('packed')};
% end
% for _, group in ipairs(part.groups) do
    {
      ${isa.vec} ${words.sums(group, 0)};
% for k = 0, s.stage.inputs - 1 do
      ${words.step(group, k % s.stage.chains, 'in', '', 'w', k)}
% end
      ${words.fold(group, 0)}
% for v = 0, group.cols // isa.lanes - 1 do
      {
        ${straight_value(words, s, group, v)}
      }
% end
    }
% end
  }
% end
  (void)work;
}
