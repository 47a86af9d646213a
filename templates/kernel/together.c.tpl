% -- Some k at a time, where what they fetch is counted in cache lines.
% if not advances then
size_t k = 0;
% end
for (; k + line <= ${bound}; k += line, w += line * ${N}_STEP) {
% if advances then
  if (fetches > 1) {
% if fetches_rows then
    FFN_UNROLL
    for (size_t i = 0; i < line * (size_t)rows; i += 16)
      FFN_FETCH(a + ${N}_ROW * rows + k * (size_t)rows + i);
% end
    const char *const last = next + line * advance;
    for (; next < last; next += 64) {
% for _, line in ipairs(lines) do
      FFN_FETCH(${line});
% end
    }
    next = last;
  } else if (fetches) {
    ${fetch(fetches_rows)}
  }
% end
% if is_abreast then
  if (fetches) {
% for _, line in ipairs(lines) do
    FFN_FETCH(${line});
% end
    next += 64;
  }
% end
  FFN_UNROLL
  for (size_t j = 0; j < line; ++j) {
    ${one_k(0, 'j')}
% if not is_abreast then
    if (line > 1)
      FFN_SETTLE();
% end
  }
}
