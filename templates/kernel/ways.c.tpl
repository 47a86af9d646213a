% -- What comes before one k where CPUs differ: its fetching, or lines that are read twice.
if (fetches > 0) {
  ${fetch(way.rows_too)}
% local when, lines_again = reread(way.chain)
% if lines_again ~= '' then
} else if (fetches < 0${when}) {
  ${lines_again}
% end
}
