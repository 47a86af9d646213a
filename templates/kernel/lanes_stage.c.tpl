%% takes: about, fn, N, isa, lanes, LANES, times, shape, sums, head, biases, value
% -- A stage with a token in each lane: a chain of its sums, and some outputs of a block of tokens.
/* ${about.chain} */
FFN_INLINE void ${fn}_chain(
    ${isa.vec} *s, const float *a, const char *w, ${shape.grouped and 'size_t lane, ' or ''}size_t k, const int outputs) {
  ${sums.zero_vector}
  ${sums.cleared}
  a += k * ${LANES};
% if not shape.grouped then
  w += k * ${shape.STEP};
% end
% for _, line in ipairs(shape.lines) do
% local step = times(line * shape.chains)
  for (; k${line > 1 and (' + %d'):format((line - 1) * shape.chains) or ''} < ${N}_INPUTS;
       k += ${line * shape.chains}, a += ${step}${LANES}${shape.grouped and '' or (', w += %s%s'):format(step, shape.STEP)}) {
    FFN_OPAQUE(a, w);
% if line > 1 then
    FFN_UNROLL
    for (size_t u = 0; u < ${line}; ++u) {
      ${sums.one_k('u')}
    }
% else
    ${sums.one_k(false)}
% end
  }
% end
  ${sums.put}
  (void)outputs;
}

/* ${about.lanes} */
FFN_INLINE void ${fn}_lanes(
${head}
% if not shape.grouped then
  w += ${shape.lane};
% end
  ${isa.vec} s[${shape.depth}][${shape.rows * lanes.vectors}];
% for _, step in ipairs(shape.steps) do
% if step.chain then
  ${fn}_chain(s[${step.depth}], a, w, ${shape.grouped and 'lane, ' or ''}${step.chain}, outputs);
% else
  FFN_UNROLL
  for (int i = 0; i < ${times(shape.branches * lanes.vectors)}outputs; ++i)
    s[${step.depth}][i] = ${sums.joined(('s[%d][i]'):format(step.depth), ('s[%d][i]'):format(step.depth + 1))};
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
