%% takes: s, tile, code, head, lane, rows, loop, values
% -- A group of columns of what does not walk: its sums, then their epilogue from registers.
/* ${s.stage.name}: ${tile.rows == 1 and 'a row' or ('%s%d rows'):format(code.guards and 'at most ' or '', tile.rows)} of ${code.valid} columns${code.first > 0 and (', from column %d of a bundle on'):format(code.first) or ''}. */
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
