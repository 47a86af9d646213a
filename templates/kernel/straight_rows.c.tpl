/* Rows [first, last). */
${static}${head} {
% for _, form in ipairs(forms) do
  for (; last - first >= ${form.rows}; first += ${form.rows})
    ${own}${form.rows == 1 and 'one_row' or ('rows_of_%d'):format(form.rows)}(call, memory, first);
% end
}
