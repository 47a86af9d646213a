% -- A stage with a token in each lane: a chain of its sums, and some outputs of a block of tokens.
/* ${s.stage.name}: sums of at most ${most} outputs over ${chains == 1 and 'all k' or ('every %d. k from `k` on'):format(chains)}, ${lanes.tokens} tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void ${fn}_chain(
    ${isa.vec} *s, const float *a, const ${format.c_type} *w, size_t k, const int outputs) {
% for r = 0, rows - 1 do
% for v = 0, lanes.vectors - 1 do
  ${isa.vec} ${sum(r, v)} = ${zero()};
% end
% end
  a += k * ${LANES};
  w += k * ${N}_STEP;
% for _, line in ipairs(lines) do
% local step = times(line * chains)
  for (; k${line > 1 and (' + %d'):format((line - 1) * chains) or ''} < ${N}_INPUTS;
       k += ${line * chains}, a += ${step}${LANES}, w += ${step}${N}_STEP) {
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
% for r = 0, rows - 1 do
% for v = 0, lanes.vectors - 1 do
  s[${r * lanes.vectors + v}] = ${sum(r, v)};
% end
% end
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void ${fn}_lanes(
${parameters}
  ${isa.vec} s[${depth}][${rows * lanes.vectors}];
% for _, step in ipairs(steps) do
% if step.chain then
  ${fn}_chain(s[${step.depth}], a, w, ${step.chain}, outputs);
% else
  FFN_UNROLL
  for (int i = 0; i < ${times(branches * lanes.vectors)}outputs; ++i)
    s[${step.depth}][i] = ${add(('s[%d][i]'):format(step.depth), ('s[%d][i]'):format(step.depth + 1))};
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
