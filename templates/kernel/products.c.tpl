%% takes: tile, group, weights, row, zero_vector, cleared, k_end, STEP, of_row
% -- The sums of a tile over a block of k, whose products are summed in groups.
${zero_vector}
% for r = 0, tile.rows - 1 do
${cleared(r)}
% end
for (size_t k = 0; k < ${k_end}; k += ${group}, w += ${STEP}) {
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
        ${of_row(r, row.multiplied(r, quads))}
      }
% end
    }
% end
  }
% for r = 0, tile.rows - 1 do
  {
    ${of_row(r, row.ended(r))}
  }
% end
}
