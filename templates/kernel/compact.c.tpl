% -- A whole layer in few bytes of code: one row through all stages, some outputs at a time.
/* Rows [first, last), one after the other. */
${static}${head} {
  const ${own}packed_weights *packed = (const ${own}packed_weights *)call->packed;
% if #stages == 1 then
  (void)memory;
% end
  for (; first < last; ++first) {
% for _, c in ipairs(parts) do
% enter(c)
    { /* ${s.stage.name} */
      const float *in = ${input};
      float *out = ${output};
      for (size_t column = 0; column < ${N}_OUTPUTS; column += ${c.cols}) {
        float sum[${branches > 1 and '2 * ' or ''}FFN_PANEL];
% if blocks > 1 then
        for (size_t c = 0; c < sizeof sum / sizeof *sum; ++c)
          sum[c] = -0.0f; /* plus a first block is that block, its sign, too */
        for (size_t k = 0; k < ${N}_INPUTS; k += ${N}_BLOCK) {
          const size_t count = ffn_min(${N}_BLOCK, ${N}_INPUTS - k);
% for b = 0, branches - 1 do
          ${sums}(${b > 0 and 'sum + FFN_PANEL' or 'sum'}, in + k,
              ${weights(b, 'k')}, count);
% end
        }
% else
% for b = 0, branches - 1 do
        ${sums}(${b > 0 and 'sum + FFN_PANEL' or 'sum'}, in,
            ${weights(b, '0')}, ${N}_INPUTS);
% end
% end
        ${finish}
      }
    }
% end
  }
}
