%% takes: lanes, own, OWN
% -- Blocks of tokens, one in each lane, as long as they are worth it.
% if lanes.pair then
for (; last - first >= ${OWN}LANES_PAIR; first += ${OWN}LANES_PAIR)
  ${own}lanes_pair(walk, memory, first, ${OWN}LANES_PAIR);
% end
for (; last - first >= ${OWN}LANES_LEAST; first += ffn_min(last - first, ${OWN}LANES))
  ${own}lanes(walk, memory, first, ffn_min(last - first, ${OWN}LANES));
