%% takes: about, tile, code, head, lane, rows, loop, values
% -- A tile of what does not walk: its sums, then their epilogue from registers.
/* ${about} */
FFN_INLINE void ${code.name}(
${head}
% if code.lane then
  w += ${lane.text};
% end
  ${loop()}
% for r = 0, tile.rows - 1 do
  ${rows.of(r, values(r))}
% end
}
