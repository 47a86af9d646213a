%% takes: about, fn, head, noinline, isa, lanes, LANES, IN, OUT, inputs, outputs, parts
% -- A whole layer for a block of tokens, one in each lane.
/* ${about.into} */
FFN_INLINE void ${fn}_in(
    float *to, float *rows, const float *x, size_t stride, size_t count) {
  if (count < ${LANES}) {
    for (size_t token = 0; token < ${LANES}; ++token)
      FFN_MEMCPY(rows + token * ${IN}_INPUTS, x + (token < count ? token : 0) * stride,
          ${IN}_INPUTS * sizeof *x);
    x = rows;
    stride = ${IN}_INPUTS;
  }
% if inputs >= 4 then
  for (size_t k = 0; k < ${IN}_INPUTS; k += 4) {
    const size_t at = ffn_min(k, ${IN}_INPUTS - 4);
    for (size_t token = 0; token < ${LANES}; token += ${isa.lanes})
      ffn_turn_in_${isa.name}(
          to + at * ${LANES} + token, ${LANES}, x + token * stride + at, stride);
  }
% else
  for (size_t token = 0; token < ${LANES}; ++token)
    for (size_t k = 0; k < ${IN}_INPUTS; ++k)
      to[k * ${LANES} + token] = x[token * stride + k];
% end
}

/* ${about.out} */
FFN_INLINE void ${fn}_out(
    float *y, size_t stride, float *rows, const float *from, size_t count) {
% if outputs >= 4 then
  const size_t outputs = ${OUT}_OUTPUTS;
  float *to = count < ${LANES} ? rows : y;
  const size_t to_stride = count < ${LANES} ? outputs : stride;
  for (size_t output = 0; output < ${OUT}_OUTPUTS; output += 4) {
    const size_t at = ffn_min(output, ${OUT}_OUTPUTS - 4);
    for (size_t token = 0; token < ${LANES}; token += ${isa.lanes})
      ffn_turn_out_${isa.name}(
          to + token * to_stride + at, to_stride, from + at * ${LANES} + token, ${LANES});
  }
  for (size_t token = 0; count < ${LANES} && token < count; ++token)
    FFN_MEMCPY(y + token * stride, rows + token * ${OUT}_OUTPUTS, ${OUT}_OUTPUTS * sizeof *y);
% else
  (void)rows;
  for (size_t token = 0; token < count; ++token)
    for (size_t output = 0; output < ${OUT}_OUTPUTS; ++output)
      y[token * stride + output] = from[output * ${LANES} + token];
% end
}

/* ${about.layer} */
${noinline}${head} {
  const char *packed = (const char *)call->packed;
% if lanes.pair then
  /* Not where a pair's last stores may still be under way: loads would wait for them. */
  beside = ffn_further(beside, sizeof(${fn}_pair_memory));
% end
  ${fn}_memory *work = (${fn}_memory *)beside;
  ${fn}_in(
      work->even, work->odd, call->x + token * call->x_stride, call->x_stride, count);
% for i, part in ipairs(parts) do
% local s, N = part.s, part.N
  { /* ${s.stage.name} */
    const float *in = work->${i % 2 == 1 and 'even' or 'odd'};
    float *out = work->${i % 2 == 1 and 'odd' or 'even'};
    const char *weights = packed + ${N}_AT;
% if s.stage.stream.bias then
    const float *bias = (const float *)(packed + ${N}_BIAS_AT);
% end
% for _, parameter in ipairs(part.parameters) do
    const ${isa.vec} ${parameter.name} = ${parameter.value};
% end
% if s.stage.outputs >= part.outputs then
    for (size_t output = 0; output + ${part.outputs} <= ${N}_OUTPUTS; output += ${part.outputs})
      ${part.call(part.outputs, 'output')}
% end
% if part.rest > 0 then
    const size_t last = ${N}_OUTPUTS - ${part.rest};
    ${part.call(part.rest, 'last')}
% end
  }
% end
% local odd = #parts % 2 == 1
  ${fn}_out(call->y + token * call->y_stride, call->y_stride,
      work->${odd and 'even' or 'odd'}, work->${odd and 'odd' or 'even'}, count);
}
