% -- What comes before one k where CPUs differ: its fetching, or lines that are read twice.
if (fetches) {
  ${fetch(way.rows_too)}
% local when, lines_again = touch(way.chain)
% if when ~= '' then
} else if (${when}) {
  ${lines_again}
% end
}
