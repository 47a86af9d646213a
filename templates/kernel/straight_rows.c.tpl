%% takes: static, head, own, forms, blocks_text
% -- Rows as the forms take them: a walk would cost more than the sums. A lone row, the commonest
% -- call, saves no registers for several.
% local are_apart = #forms > 1 or blocks_text ~= ''
% local memory = are_apart and 'memory' or '(float *)memory'
% if are_apart then
/* Several rows [first, last), all columns and k. `memory` begins at a multiple of 64 bytes. */
FFN_NOINLINE void ${own}several_rows(const ffn_walk *walk, float *memory, size_t first, size_t last) {
% else
/* Rows [first, last), all columns and k. */
${static}${head} {
% end
  ${blocks_text}
% for _, form in ipairs(forms) do
% if form.rows > 1 then
  for (; first + ${form.rows} <= last; first += ${form.rows})
    ${own}rows_of_${form.rows}(walk->call, ${memory}, first);
% else
  for (; first < last; ++first)
    ${own}one_row(walk->call, ${memory}, first);
% end
% end
}
% if are_apart then

/* Rows [first, last), all columns and k. A lone row, the commonest, saves no registers for more. */
${static}${head} {
  if (last - first == 1)
    ${own}one_row(walk->call, (float *)memory, first);
  else
    ${own}several_rows(walk, (float *)memory, first, last);
}
% end
