%% takes: static, head, parts, OWN
% -- A whole layer in few bytes of code: one row through all stages, some outputs at a time.
/* Rows [first, last) through all stages, all columns and k, one row after the other. x and y begin
 * at any float, packed weights and `memory` at a multiple of 64 bytes. */
${static}${head} {
  const ffn_call *call = walk->call;
  const char *packed = (const char *)call->packed;
% if #parts == 1 and not parts[1].lay then
  (void)memory;
% end
  for (; first < last; ++first) {
% for _, part in ipairs(parts) do
% local s, N = part.s, part.N
% local branches, blocks = #s.stage.stream.branches, s.stage.sum.blocks
    { /* ${s.stage.name} */
      const float *in = ${part.input};
      float *out = ${part.output};
      const char *weights = packed + ${N}_AT;
% if part.lay then
      char *laid = (char *)ffn_further(memory, ${OWN}HIDDEN1 + ${OWN}HIDDEN2);
      ${part.lay}
% end
% if s.stage.stream.bias then
      const float *bias = (const float *)(packed + ${N}_BIAS_AT);
% end
      for (size_t column = 0; column < ${N}_OUTPUTS; column += ${part.cols}) {
        const char *w = ${part.bundle};
        float sum[${branches > 1 and '2 * ' or ''}FFN_PANEL];
% if blocks > 1 then
        for (size_t c = 0; c < sizeof sum / sizeof *sum; ++c)
          sum[c] = -0.0f; /* plus a first block is that block, its sign, too */
        for (size_t k = 0; k < ${N}_INPUTS; k += ${N}_BLOCK) {
          const size_t count = ffn_min(${N}_BLOCK, ${N}_INPUTS - k);
% for b = 0, branches - 1 do
          ${part.sum_call(b, 'k', 'count')}
% end
        }
% else
% for b = 0, branches - 1 do
        ${part.sum_call(b, 0, N .. '_INPUTS')}
% end
% end
        ${part.finish}
      }
    }
% end
  }
}
