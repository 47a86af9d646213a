%% takes: static, head, own, forms, blocks_text
% if #forms > 1 then
/* Rows [first, last), all columns and k. A lone row, the commonest call, saves no registers for the
 * others. */
% else
/* Rows [first, last), all columns and k. */
% end
${static}${head} {
% if #forms > 1 then
  if (last - first == 1) {
    ${own}one_row(walk->call, memory, first);
    return;
  }
% end
  ${blocks_text}
% for _, form in ipairs(forms) do
% if form.rows > 1 then
  for (; first + ${form.rows} <= last; first += ${form.rows})
    ${own}rows_of_${form.rows}(walk->call, memory, first);
% else
  for (; first < last; ++first)
    ${own}one_row(walk->call, memory, first);
% end
% end
}
