%% takes: N, k, fetching, one_k
% -- Some k at a time, where what they fetch is counted in cache lines.
% if not fetching.advances then
size_t k = 0;
% end
for (; k + line <= ${k.bound}; k += line, w += line * ${k.bytes}) {
% if fetching.advances then
  if (fetches >= FFN_FETCHES_LINES) {
% if fetching.rows then
    FFN_UNROLL
    for (size_t i = 0; i < line * (size_t)rows; i += 16)
      FFN_FETCH(a + ${N}_ROW * (size_t)rows + k * (size_t)rows + i);
% end
    const char *const last = next + line * advance;
    for (; next < last; next += 64) {
      ${fetching.lines}
    }
    next = last;
  } else if (fetches) {
    ${fetching.text(fetching.rows)}
  }
% end
% if fetching.abreast then
  if (fetches) {
    ${fetching.lines}
    next += ${64 * fetching.count};
  }
% end
  FFN_UNROLL
  for (size_t j = 0; j < line; ++j) {
    ${one_k(0, 'j')}
% if not fetching.abreast then
    if (line > 1)
      FFN_SETTLE();
% end
  }
}
