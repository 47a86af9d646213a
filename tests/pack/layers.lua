--- Few layers of many formats, for the tests of ffn-pack where nothing is compiled yet.
ffn 'tails' { variant = 'swiglu_beta', d_model = 21, d_ff = 300, d_out = 281, bias = true }
ffn 'many_inputs' { variant = 'relu', d_model = 300, d_ff = 7, d_out = 50, bias = true }
mlp 'chain' { d_model = 6, layers = { { 11, 'relu' }, { 1, 'tanh' }, { 33 } }, bias = true }
glu 'pairs' { variant = 'reglu', d_model = 37, d_out = 53, weights = 'bf16' }
linear 'halves' { d_model = 259, d_out = 17, bias = true, weights = 'f16' }
linear 'lone' { d_model = 512, d_out = 37, weights = 'q5_K' }
linear 'odd' { d_model = 96, d_out = 49, bias = true, weights = 'q4_0' }
linear 'nibbles' { d_model = 384, d_out = 50, weights = 'u4g128' }
linear 'bytes' { d_model = 300, d_out = 41, weights = 'i8' }
linear 'offsets' { d_model = 300, d_out = 33, weights = 'i8z' }
linear 'small_floats' { d_model = 320, d_out = 18, weights = 'mxfp4' }
linear 'wide_scales' { d_model = 320, d_out = 35, weights = 'u4g32_f32' }
linear 'blocks_of_floats' { d_model = 320, d_out = 45, weights = 'f8_e4m3' }
linear 'outputs' {
  d_model = 256, d_out = { { q = 64 }, { k = 16 }, { v = 16 } }, bias = true,
  weights = { k = 'q8_0', q = 'q4_K', v = 'q8_0' },
}
