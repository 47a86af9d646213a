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

-- Bytes: what is laid for the next layer is gathered as it is laid. Planes that differ, more units
-- than ranks, floats between; groups of 128; and rows that have one scale, which each rank lays.
ffn 'bytes' {
  variant = 'swiglu', d_model = 64, d_ff = 256, d_out = 40, bias = true, arithmetic = 'dot_s8',
  weights = { gate = 'q8_0', up = 'q8_0', down = 'q6_K' },
}
mlp 'in_turn' {
  d_model = 32, layers = { { 160, 'relu' }, { 96, 'tanh' }, { 64 }, { 33 } }, bias = true,
  weights = { 'q4_1', 'q5_1', 'f32', 'q4_0' },
  arithmetic = { 'dot_s8', 'dot_s8', 'fma_f32', 'dot_s8' },
}
ffn 'wide_groups' {
  variant = 'relu', d_model = 64, d_ff = 384, d_out = 40, arithmetic = 'dot_s8',
  weights = { up = 'u4g64', down = 'u4g128' },
}
mlp 'whole_rows' {
  d_model = 37, layers = { { 167, 'relu' }, { 128, 'tanh' }, { 70, 'silu' }, { 33 } }, bias = true,
  weights = { 'i8z', 'i8', 'q4_0', 'i8' }, arithmetic = 'dot_s8',
}
mlp 'given_scales' {
  d_model = 37, layers = { { 167, 'relu' }, { 96, 'tanh' }, { 33 } }, bias = true,
  weights = { 'i8z', 'i8', 'i8' }, arithmetic = 'dot_s8',
  operand_scales = { 'static', 'dynamic', 'static' },
}
selfgate 'bytes_and_x' {
  activation = 'silu', d_model = 96, weights = 'q4_0', arithmetic = 'dot_s8',
}
