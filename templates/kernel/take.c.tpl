%% takes: static, head, lay, group, tensor, scale, index
% -- Rows of floats become an operand.
/* All columns of `rows` rows of ${tensor} into `to`, ${group} at a time; x begins at any float. */
${static}${head} {
% if scale then
  const float ${scale} = ffn_packed_operand(packed, ${index});
% else
  (void)packed;
% end
  for (size_t row = 0; row < rows; ++row)
    for (size_t k = 0; k < stage->inputs; k += ${group})
      ${lay}(to, rows, row, k, x + row * x_stride + k,
          ffn_min(stage->inputs - k, ${group})${scale and ', ' .. scale or ''});
}
