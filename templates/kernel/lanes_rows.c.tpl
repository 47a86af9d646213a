%% takes: static, head, blocks_text, walking
% -- Blocks of tokens, one in each lane; the rest are rows of a walk.
/* Rows [first, last), all columns and k: blocks of tokens in lanes, and a walk for the rest. */
${static}${head} {
  ${blocks_text}
  ${walking.over 'rows'}(walk, memory, first, last);
}
