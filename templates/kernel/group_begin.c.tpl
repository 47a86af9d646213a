%% takes: fetching
% -- What a group begins with: what comes next is fetched.
% if fetching.abreast then
% if fetching.chooses then
if (fetches) {
  ${fetching.lines}
  next += ${64 * fetching.count};
}
% end
% else
% if fetching.advances then
if (until-- == 0)
  next = ahead->then;
% end
% if fetching.spread then
const char *const fetched = ${fetching.spread.rest > 0 and ('next + %d'):format(64 * fetching.spread.rest) or 'next'};
% end
${fetching.ahead(0, fetching.rows)}
% end
