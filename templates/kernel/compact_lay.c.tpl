%% takes: about, static, head, format, bytes, least, code
% -- A row as products of bytes take it, of any stage with such inputs.
/* ${about} */
${static}${head} {
% if format.of_rows then
  const size_t group = (inputs + ${least - 1}) / ${least} * ${least};
  ${code}
% else
  for (size_t k = 0; k < inputs; k += ${format.group}, to += ${bytes}) {
    const float *from = row + k;
    const size_t count = ffn_min(inputs - k, ${format.group});
    ${code}
  }
% end
}
