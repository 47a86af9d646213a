%% takes: lanes, own, OWN
% -- Blocks of tokens, one in each lane, as long as they are worth it.
void *beside = ffn_further(memory, walk->slot_rows * ${OWN}WORK_ROW);
% if lanes.pair then
for (; last - first >= ${OWN}LANES_PAIR; first += ${OWN}LANES_PAIR)
  ${own}lanes_pair(walk->call, beside, first, ${OWN}LANES_PAIR);
% end
for (; last - first >= ${OWN}LANES_LEAST; first += ffn_min(last - first, ${OWN}LANES))
  ${own}lanes(walk->call, beside, first, ffn_min(last - first, ${OWN}LANES));
