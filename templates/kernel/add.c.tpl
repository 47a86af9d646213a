%% takes: static, head, isa
% -- What follows a layer whose results are added to what is there.
#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
${static}${head} {
% if isa.lanes == 1 then
  for (size_t i = 0; i < count; ++i)
    ${storeu('y + i', fma(splat('scale'), loadu('row + i'), loadu('y + i')))};
% else
  const ${isa.vec} by = ${splat('scale')};
  size_t i = 0;
  for (; i + ${isa.lanes} <= count; i += ${isa.lanes})
    ${storeu('y + i', fma('by', loadu('row + i'), loadu('y + i')))};
  if (i < count) {
    float from[${isa.lanes}] = {0}, to[${isa.lanes}] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    ${storeu('to', fma('by', loadu('from'), loadu('to')))};
    FFN_MEMCPY(y + i, to, (count - i) * sizeof *y);
  }
% end
}
#endif
