% -- A group of columns of what does not walk: its sums, then their epilogue from registers.
/* ${s.stage.name}: ${tile.rows == 1 and 'a row' or ('%d rows'):format(tile.rows)} of ${code.valid} columns${code.first > 0 and (', from column %d of a panel on'):format(code.first) or ''}. */
FFN_INLINE void ${code.name}(
${parameters}
  ${loop(loop_file)}
% for r = 0, tile.rows - 1 do
% for v = 0, tile.vectors // #s.stage.stream.branches - 1 do
  ${value(r, v)}
% end
% end
}
