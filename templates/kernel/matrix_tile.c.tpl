%% takes: about, head, isa, tile, N, matrix
% -- A tile whose rows one instruction multiplies with a group: the sums of a vector after another.
/* ${about} */
${head} {
  for (size_t lane = 0; lane < ${tile.vectors * isa.lanes}; lane += ${isa.lanes}) {
    const char *group = w;
    ${isa.ivec} made[${matrix.parts}][${tile.rows}];
    ${matrix.zero}
    for (size_t k = 0; k < ${N}_INPUTS; k += ${matrix.group}, group += ${N}_STEP) {
      ${matrix.open}
% for row = 0, tile.rows - 1 do
      ${matrix.of(row, matrix.scale(row))}
% end
    }
% for row = 0, tile.rows - 1 do
    ${matrix.of(row, matrix.keep(row))}
% end
  }
}
