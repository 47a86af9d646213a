% -- A stage's only output, of some rows: first the chains of its sums are lanes, then rows are.
/* ${s.stage.name}: ${group.rows} rows of 1 column. */
FFN_INLINE void ${code.name}(
${parameters}
  ${isa.vec} sums =
      ffn_dots_${isa.name}(a, ${N}_ROW, w, ${N}_STEP, ${N}_INPUTS, ${group.rows});
  ${value}
  float results[${isa.lanes}];
  ${storeu('results', 'sums')};
% for row = 0, group.rows - 1 do
  out[${place(row)}] = results[${row}];
% end
}
