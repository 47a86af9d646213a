%% takes: noinline, head, fn, N, s, panels, first, count, scratch
% -- A block of weights becomes f32.
/* A block of k of the columns [column, column + cols), which are whole bundles${#panels > 1 and ' or the panel that lies alone' or ''}, into scratch, as f32:
 * [bundle][k]${s.stage.stream.layout.members > 1 and '[member]' or ''}[16]. */
${noinline}${head} {
  const size_t first = ${first}, count = ${count};
  const char *weights = ${fn}_weights(task, column, first);
  float *to = ${scratch};
% for i, panel in ipairs(panels) do
% if #panels > 1 then
  ${i == 1 and 'if (!lone)' or 'else'}
% end
  for (size_t c = 0; c < cols; c += ${i == 1 and N .. '_WIDTH' or 'FFN_PANEL'}) {
    ${panel.head}
    for (size_t lane = 0; lane < ${panel.lanes}; lane += ${panel.step}) {
      const char *w = weights;
      ${panel.loops}
    }
    weights += ${N}_BUNDLE;
    to += ${N}_SCRATCH_BUNDLE / sizeof *to;
  }
% end
}
