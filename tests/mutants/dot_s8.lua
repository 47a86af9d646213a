--- The layers that seeded defects of products of bytes are tried on: all that tells formats apart,
--- in outputs of one x, and hidden values.
linear 'outputs' {
  d_model = 256, arithmetic = 'dot_s8',
  d_out = { a = 17, b = 5, c = 5, d = 5, e = 5, f = 5, g = 5, h = 5 },
  weights = {
    a = 'q4_0', b = 'q4_K', c = 'q6_K', d = 'q8_0', e = 'iq4_xs', f = 'mxfp4', g = 'u4g32',
    h = 'u4g32_f32',
  },
}
ffn 'hidden' {
  variant = 'relu', d_model = 64, d_ff = 96, d_out = 5, bias = true, arithmetic = 'dot_s8',
  weights = { up = 'q5_0', down = 'q5_1' },
}
ffn 'few' {
  variant = 'swiglu', d_model = 256, d_ff = 256, d_out = 5, optimise = 'size',
  arithmetic = 'dot_s8', weights = { gate = 'q4_0', up = 'q4_0', down = 'q6_K' },
}
mlp 'few_planes' {
  d_model = 64, layers = { { 32, 'relu' }, { 32, 'relu' }, { 5 } }, optimise = 'size',
  arithmetic = 'dot_s8', weights = { 'q4_0', 'q8_0', 'q4_1' },
}
mlp 'few_rows' {
  d_model = 37, layers = { { 70, 'relu' }, { 33, 'relu' }, { 21, 'relu' }, { 5 } },
  optimise = 'size', arithmetic = 'dot_s8', weights = { 'i8', 'i8', 'i8z', 'i8z' },
}
selfgate 'self' { activation = 'relu', d_model = 64, weights = 'q4_0', arithmetic = 'dot_s8' }
selfgate 'self_rows' { activation = 'relu', d_model = 41, weights = 'i8z', arithmetic = 'dot_s8' }
linear 'scales' { d_model = 32, d_out = 17, weights = 'u4g32_bf16', arithmetic = 'dot_s8' }
mlp 'rows' {
  d_model = 301, layers = { { 70, 'relu' }, { 70, 'relu' }, { 5 } }, arithmetic = 'dot_s8',
  weights = { 'i8z', 'i8', 'i8' },
}
ffn 'groups_of_64' {
  variant = 'relu', d_model = 192, d_ff = 64, d_out = 5, arithmetic = 'dot_s8',
  weights = { up = 'u4g64', down = 'u4g64_f32' },
}
ffn 'groups_of_128' {
  variant = 'relu', d_model = 128, d_ff = 256, d_out = 5, arithmetic = 'dot_s8',
  weights = { up = 'u4g128', down = 'u4g128_bf16' },
}
linear 'given' {
  d_model = 41, d_out = { a = 17, b = 5 }, weights = { a = 'i8z', b = 'i8' },
  arithmetic = 'dot_s8', operand_scales = 'static',
}
ffn 'given_rows' {
  variant = 'swiglu', d_model = 70, d_ff = 301, d_out = 5, arithmetic = 'dot_s8',
  weights = { gate = 'i8z', up = 'i8z', down = 'i8' }, operand_scales = 'static',
}
