%% takes: about, code, tile, head, isa, N, stored, place
% -- A stage's only output, of some rows: first the chains of its sums are lanes, then rows are.
/* ${about} */
FFN_INLINE void ${code.name}(
${head}
% if code.lane then
  (void)lane;
% end
  const ${isa.vec} sums = ffn_dots_${isa.name}(
      a, ${N}_ROW, (const float *)w, ${N}_STEP / sizeof(float), ${N}_INPUTS, rows);
  float results[${isa.lanes}];
  ${stored}
% for row = 0, tile.rows - 1 do
% if row > 0 then
  if (rows > ${row})
    out[${place(row)}] = results[${row}];
% else
  out[0] = results[0];
% end
% end
}
