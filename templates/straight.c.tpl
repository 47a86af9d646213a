% for _, form in ipairs(straight.forms) do

/* ${form.height == 1 and 'One row' or form.height .. ' rows'}, all stages in one straight line: a walk would cost more than the sums. */
static void straight_${form.height}(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
% for i, part in ipairs(form.stages) do
% local s = part.plan
% local words = words_of(s)
% local following = not s.final and form.stages[i + 1]
  { /* ${s.name} */
% local copied = i == 1 and (form.height > 1 or s.stage.product == 'input')
% if copied then
% for row = 0, form.height - 1 do
    memcpy(work + ${part.in_at + row * s.row_stride}, from + ${row} * from_stride, ${s.stage.inputs} * sizeof *from);
% end
% end
% if i == 1 and not copied then
    const float *in = from;
% else
    const float *in = work + ${part.in_at};
% end
% if following then
    float *out = work + ${following.in_at};
% end
    const float *w = packed + ${s.panels_at};
% if s.stage.bias then
    const float *bias = packed + ${s.bias_at};
% end
% if s.stage.beta then
    const ${isa.vec} beta = ${words.beta('packed')};
% end
    enum { rows = ${part.rows} };
% for above = 0, form.height - 1, part.rows do
% for _, group in ipairs(part.groups) do
    {
% for row = 0, part.rows - 1 do
      ${isa.vec} ${words.sums(group, row)};
% end
% for k = 0, s.stage.inputs - 1 do
      {
        ${words.step(group, k % s.stage.chains, 'in', above > 0 and above * s.row_stride or '', 'w', k)}
      }
% end
% for row = 0, part.rows - 1 do
      ${words.fold(group, row)}
% end
% for row = 0, part.rows - 1 do
% for v = 0, group.cols // isa.lanes - 1 do
      {
        ${straight_value(words, s, following and following.plan, group, above, row, v)}
      }
% end
% end
    }
    FFN_SETTLE();
% end
% end
  }
% end
  (void)from_stride, (void)y_stride, (void)work;
}
% end

static void straight_rows(const ffn_walk *walk, float *slot, size_t token, size_t end) {
% for _, form in ipairs(straight.forms) do
  for (; token + ${form.height} <= end; token += ${form.height})
    straight_${form.height}(walk->y + token * walk->y_stride, walk->y_stride, walk->x + token * walk->x_stride, walk->x_stride, walk->packed, slot);
% end
}
