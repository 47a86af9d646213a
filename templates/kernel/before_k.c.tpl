%% takes: fetched, when, lines_again
% -- What comes before one k where CPUs differ: its fetching, or lines that are read twice.
if (fetches > FFN_FETCHES_NONE) {
  ${fetched}
% if lines_again ~= '' then
} else if (fetches == FFN_FETCHES_TWICE${when}) {
  ${lines_again}
% end
}
