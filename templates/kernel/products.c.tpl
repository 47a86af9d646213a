%% takes: tile, group, weights, row, k, rows, sums
% -- The sums of a tile over a block of k, whose products are summed in groups.
${sums.zero}
% for r = 0, tile.rows - 1 do
${sums.begun(r)}
% end
for (size_t k = 0; k < ${k.ends}; k += ${group}, w += ${k.bytes}) {
  ${weights.text}
% for r = 0, tile.rows - 1 do
  ${row.begun(r)}
% end
% local i = weights.index
  for (size_t ${i} = 0; ${i} < ${weights.steps}; ++${i}) {
% for _, quads in ipairs(weights.quads) do
    {
      ${quads.text}
% for r = 0, tile.rows - 1 do
      {
        ${rows.of(r, row.multiplied(r, quads))}
      }
% end
    }
% end
  }
% for r = 0, tile.rows - 1 do
  {
    ${rows.of(r, row.ended(r))}
  }
% end
}
