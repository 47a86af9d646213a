% -- What a group begins with: what comes next is fetched.
% if is_abreast then
% if chooses then
if (fetches) {
% for _, line in ipairs(lines) do
  FFN_FETCH(${line});
% end
  next += ${64 * fetched};
}
% end
% else
% if advances then
if (until-- == 0)
  next = ahead->then;
% end
${fetch_ahead(0, fetches_rows)}
% end
