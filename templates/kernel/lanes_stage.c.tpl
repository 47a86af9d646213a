% -- A stage with a token in each lane: a chain of its sums, and some outputs of a block of tokens.
/* ${s.stage.name}: sums of at most ${most} outputs over ${chains == 1 and 'all k' or ('every %d. k from `k` on'):format(chains)}, ${lanes.tokens} tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void ${fn}_chain(
    ${isa.vec} *s, const float *a, const char *w, ${grouped and 'size_t lane, ' or ''}size_t k, ${alone and 'const size_t step, ' or ''}const int outputs) {
  ${zero_vector}
  ${cleared}
  a += k * ${LANES};
% if not grouped then
  w += k * ${STEP};
% end
% for _, line in ipairs(lines) do
% local step = times(line * chains)
  for (; k${line > 1 and (' + %d'):format((line - 1) * chains) or ''} < ${N}_INPUTS;
       k += ${line * chains}, a += ${step}${LANES}${grouped and '' or (', w += %s%s'):format(step, STEP)}) {
    FFN_OPAQUE(a, w);
% if line > 1 then
    FFN_UNROLL
    for (size_t u = 0; u < ${line}; ++u) {
      ${one_k('u')}
    }
% else
    ${one_k(false)}
% end
  }
% end
  ${put}
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void ${fn}_lanes(
${parameters}
% if not grouped then
  w += ${lane};
% end
  ${isa.vec} s[${depth}][${rows * lanes.vectors}];
% for _, step in ipairs(steps) do
% if step.chain then
  ${fn}_chain(s[${step.depth}], a, w, ${grouped and 'lane, ' or ''}${step.chain}, ${alone and 'step, ' or ''}outputs);
% else
  FFN_UNROLL
  for (int i = 0; i < ${times(branches * lanes.vectors)}outputs; ++i)
    s[${step.depth}][i] = ${joined(('s[%d][i]'):format(step.depth), ('s[%d][i]'):format(step.depth + 1))};
% end
% end
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
% for _, bias in ipairs(biases) do
    ${bias}
% end
% for v = 0, lanes.vectors - 1 do
    ${value(v)}
% end
  }
}
