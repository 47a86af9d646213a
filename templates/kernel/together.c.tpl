% -- Several k at a time: what is fetched is counted in cache lines, once for all of them.
size_t k = 0;
for (; k + ${together} <= ${k_end}; k += ${together}, w += ${together} * ${N}_STEP) {
% if advances then
% if may_leave then
  if (fetches) {
% else
  {
% end
% if fetches_rows then
    FFN_UNROLL
    for (size_t i = 0; i < ${together} * (size_t)rows; i += 16)
      FFN_FETCH(a + ${N}_ROW * rows + k * (size_t)rows + i);
% end
    const char *const end = next + ${together} * advance;
    for (; next < end; next += 64)
      FFN_FETCH(next);
    next = end;
  }
% end
  FFN_UNROLL
  for (size_t j = 0; j < ${together}; ++j) {
    ${one_k(0, 'j')}
    FFN_SETTLE();
  }
}
% if k_left then
for (; k < ${k_end}; ++k, w += ${N}_STEP) {
  ${one_k(0, 0)}
}
% end
