--- Layers that are run in slices: every kind, chains of three stages and more, tails of a unit and
--- of a panel, fewer units than ranks, blocks of k, weights in blocks.
linear 'wide' { d_model = 40, d_out = 1365, bias = true }
linear 'blocks_of_k' { d_model = 700, d_out = 70 }
linear 'heads' { d_model = 36, d_out = { q = 100, k = 40, v = 33 }, bias = true }
glu 'gated' { variant = 'swiglu', d_model = 24, d_out = 200, bias = true }
ffn 'zeros' { variant = 'relu', d_model = 20, d_ff = 304, d_out = 48, bias = true }
ffn 'learned' { variant = 'swiglu_beta', d_model = 33, d_ff = 101, bias = true }
selfgate 'own_inputs' { activation = 'mish', d_model = 141, bias = true }
mlp 'chain' {
  d_model = 6, layers = { { 11, 'swish' }, { 300, 'tanh' }, { 5, 'relu2' }, { 98, 'relu' }, { 3 } },
  bias = true,
}
ffn 'mixed' {
  variant = 'geglu', d_model = 32, d_ff = 160, d_out = 45, bias = true,
  weights = { gate = 'q8_0', up = 'q8_0', down = 'bf16' },
}
ffn 'grouped' { variant = 'silu', d_model = 128, d_ff = 256, d_out = 40, weights = 'u4g128' }
linear 'shared' { d_model = 200, d_out = 163, weights = 'f8_e4m3' }
