--- The layers that every platform runs: few and small, since some are emulated and portable C is
--- slow without an FMA instruction, but with every form of stage, every activation and tails in all
--- directions; and products of bytes, of groups and of whole rows. All stand in
--- tests/specs/awkward.lua or dot_s8.lua too, so tests/data/bits.txt knows their bits.
ffn 'swiglu_fixed' { variant = 'swiglu_beta', beta = -0.75, d_model = 20, d_ff = 33, bias = true }
ffn 'zeros_squared' { variant = 'relu2', d_model = 12, d_ff = 129, d_out = 306 }
linear 'block_1025_16' { d_model = 1025, d_out = 16, bias = true }
glu 'block_520_48' { variant = 'bilinear', d_model = 520, d_out = 48 }
selfgate 'primes_selfgate' { activation = 'mish', d_model = 41, bias = true }
linear 'one_output' { d_model = 40, d_out = 1, bias = true }
mlp 'one_between' { d_model = 3, layers = { { 48, 'relu' }, { 1, 'tanh' }, { 5 } }, bias = true }
mlp 'chain_of_five' {
  d_model = 6,
  layers = { { 11, 'swish' }, { 300, 'tanh' }, { 5, 'relu2' }, { 18, 'swish', beta = 2 }, { 3 } },
  bias = true,
}
mlp 'every_activation' {
  d_model = 9,
  layers = {
    { 20, 'identity' }, { 21, 'relu' }, { 22, 'gelu' }, { 23, 'gelu_tanh' }, { 24, 'silu' },
    { 25, 'swish', beta = 1.25 }, { 26, 'quick_gelu' }, { 27, 'sigmoid' }, { 28, 'tanh' },
    { 29, 'mish' }, { 30, 'relu2' },
  },
  bias = true,
}
mlp 'dot_waiting' {
  d_model = 64, layers = { { 96, 'relu' }, { 224, 'gelu' }, { 70, 'tanh' }, { 33 } },
  weights = { 'i8z', 'q4_0', 'i8', 'i8' }, arithmetic = 'dot_s8',
}
