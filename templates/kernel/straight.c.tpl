% -- A whole layer as one function, for a fixed number of rows.
/* ${form.rows == 1 and 'One row' or ('%d rows'):format(form.rows)} through all stages: a walk would cost more than the sums. */
${noinline}${head} {
  const ${own}packed_weights *packed = (const ${own}packed_weights *)call->packed;
% if not uses_memory then
  (void)memory;
% end
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
% for i, part in ipairs(form.stages) do
% enter(part)
  { /* ${s.stage.name} */
% if i == 1 and copies then
% for row = 0, form.rows - 1 do
    FFN_MEMCPY(${place(i, row)}, x${row > 0 and (row == 1 and ' + call->x_stride' or (' + %d * call->x_stride'):format(row)) or ''}, ${N}_INPUTS * sizeof *x);
% end
% end
% if i == 1 and not copies then
    const float *in = x;
% else
    const float *in = ${place(i, 0)};
% end
% if not s.final then
    float *out = ${place(i + 1, 0)};
% end
% for _, parameter in ipairs(parameters) do
    const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
% for above = 0, form.rows - 1, part.rows do
% for _, group in ipairs(part.groups) do
    ${group_text(group, above)}
    FFN_SETTLE();
% end
% end
  }
% end
}
