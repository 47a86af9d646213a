%% takes: more, head, about, fn, N, panel, first, count, scratch
% -- A block of weights becomes f32.
/* ${about} */
${head} {
  const size_t first = ${first}, count = ${count};
  const char *weights = ${fn}_weights(task, column, first${more});
  float *to = ${scratch};
  for (size_t c = 0; c < cols; c += ${N}_WIDTH) {
    ${panel.head}
    for (size_t lane = 0; lane < ${panel.lanes}; lane += ${panel.step}) {
      const char *w = weights;
      ${panel.loops}
    }
    weights += ${N}_BUNDLE;
    to += ${N}_SCRATCH_BUNDLE / sizeof *to;
  }
}
