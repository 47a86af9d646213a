%% takes: static, head, about, group, bytes, code
% -- A row as products of bytes take it, of any stage with such inputs.
/* ${about} */
${static}${head} {
  for (size_t k = 0; k < inputs; k += ${group}, to += ${bytes}) {
    const float *from = row + k;
    const size_t count = ffn_min(inputs - k, ${group});
    ${code}
  }
}
