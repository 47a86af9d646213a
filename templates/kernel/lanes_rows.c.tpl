% -- Blocks of tokens, one in each lane; the rest are rows of a walk.
/* Rows [first, last). */
${static}${head} {
  for (; last - first >= ${OWN}LANES_LEAST; first += ffn_min(last - first, ${OWN}LANES))
    ${own}lanes(call, memory, first, ffn_min(last - first, ${OWN}LANES));
  ffn_walk_rows(call, memory, first, last);
}
