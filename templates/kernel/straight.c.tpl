%% takes: noinline, head, isa, form, parts, place, uses_memory
% -- A whole layer as one function, for a fixed number of rows.
/* ${form.rows == 1 and 'One row' or ('%d rows'):format(form.rows)} from `token` on through all stages, all columns and k. x and y begin at any float,
 * packed weights and `memory` at a multiple of 64 bytes. */
${noinline}${head} {
  const char *packed = (const char *)call->packed;
% if not uses_memory then
  (void)memory;
% end
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
% for i, part in ipairs(parts) do
% local s, N = part.s, part.N
  { /* ${s.stage.name} */
    const char *weights = packed + ${N}_AT;
% if s.stage.stream.bias then
    const float *bias = (const float *)(packed + ${N}_BIAS_AT);
% end
% if i == 1 and form.copies then
% for row = 0, form.rows - 1 do
    FFN_MEMCPY(${place(i, row)}, x${row > 0 and (row == 1 and ' + call->x_stride' or (' + %d * call->x_stride'):format(row)) or ''}, ${N}_INPUTS * sizeof *x);
% end
% end
% if i == 1 and not form.copies then
    const float *in = x;
% else
    const float *in = ${place(i, 0)};
% end
% if not s.final then
    float *out = ${place(i + 1, 0)};
% end
% for _, parameter in ipairs(part.parameters) do
    const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
% for _, call in ipairs(part.calls) do
    ${call}
    FFN_SETTLE();
% end
  }
% end
}
