/* Rows [first, last). */
${static}${head} {
% for _, form in ipairs(forms) do
% if form.rows > 1 then
  for (; first + ${form.rows} <= last; first += ${form.rows})
    ${own}rows_of_${form.rows}(call, memory, first);
% else
  for (; first < last; ++first)
    ${own}one_row(call, memory, first);
% end
% end
}
