% -- A group of columns of what does not walk: its sums, then their epilogue from registers.
/* ${s.stage.name}: ${tile.rows == 1 and 'a row' or ('%s%d rows'):format(code.guards and 'at most ' or '', tile.rows)} of ${code.valid} columns${code.first > 0 and (', from column %d of a bundle on'):format(code.first) or ''}. */
FFN_INLINE void ${code.name}(
${parameters}
% if code.lane then
  w += ${lane};
% end
  ${loop(loop_file)}
% for r = 0, tile.rows - 1 do
  ${of_row(r, values(r))}
% end
}
