--- The layers that seeded defects are tried on: few, but every feature of the templates is used.
ffn 'gated_with_tails' {
  variant = 'swiglu', d_model = 37, d_ff = 101, d_out = 31, bias = true,
}
ffn 'runtime_beta' { variant = 'swiglu_beta', d_model = 12, d_ff = 20 }
ffn 'two_parameters' { variant = 'xielu', d_model = 12, d_ff = 20 }
-- Several rows at once: lanes would win nothing.
ffn 'rows' { variant = 'geglu', d_model = 16, d_ff = 32, bias = true }
-- Tiles of one row, which read x after some of y is written.
linear 'square' { d_model = 64, d_out = 64, bias = true }
ffn 'zeros' { variant = 'relu', d_model = 530, d_ff = 300, d_out = 300 }
-- More than a million flop: below that no kernel takes threads.
linear 'threaded' { d_model = 1040, d_out = 500, bias = true }
linear 'blocks_and_chains' { d_model = 1037, d_out = 33, bias = true }
glu 'gated_blocks' { variant = 'bilinear', d_model = 520, d_out = 48, bias = true }
-- Activations of two vectors in lockstep.
ffn 'pairs' { variant = 'gelu_tanh', d_model = 80, d_ff = 200, bias = true }
-- Weights that come from memory.
glu 'gated_far' { variant = 'bilinear', d_model = 528, d_out = 264, bias = true }
-- Dot products: at the end, between other stages; and of inputs that are no multiple of 8.
linear 'dots' { d_model = 40, d_out = 1, bias = true }
mlp 'one_between' { d_model = 3, layers = { { 48, 'relu' }, { 1, 'tanh' }, { 5 } }, bias = true }
linear 'almost_dots' { d_model = 33, d_out = 1, bias = true }
selfgate 'input_gate' { activation = 'mish', d_model = 41 }
mlp 'activations' {
  d_model = 9,
  layers = {
    { 20, 'gelu' }, { 17, 'gelu_tanh' }, { 18, 'tanh' }, { 19, 'quick_gelu' }, { 7, 'sigmoid' },
  },
  bias = true,
}
-- Weights in two bytes, of layers that stand above.
ffn 'gated_bf16' {
  variant = 'swiglu', d_model = 37, d_ff = 101, d_out = 31, bias = true, weights = 'bf16',
}
linear 'dots_f16' { d_model = 33, d_out = 1, bias = true, weights = 'f16' }
-- Weights that no floats become, and the same layer in f32.
linear 'own_bytes' { d_model = 256, d_out = 17, bias = true, weights = 'q5_K' }
linear 'zeros_apart' { d_model = 256, d_out = 17, bias = true, weights = 'u4g64' }
linear 'far_zeros' { d_model = 256, d_out = 17, bias = true, weights = 'i8z' }
linear 'wide_scales' { d_model = 256, d_out = 17, bias = true, weights = 'i8' }
linear 'own_bytes_f32' { d_model = 256, d_out = 17, bias = true }
-- Scales that several outputs share, the last one of fewer inputs than the others.
linear 'shared_scales' { d_model = 200, d_out = 37, bias = true, weights = 'f8_e4m3' }
linear 'shared_scales_f32' { d_model = 200, d_out = 37, bias = true }
-- The same in few bytes, as far as it differs.
local few = { { isa = { 'c' } } }
ffn 'gated_few' {
  variant = 'swiglu', d_model = 37, d_ff = 101, d_out = 31, bias = true, optimise = 'size',
  build = few,
}
linear 'blocks_and_chains_few' { d_model = 1037, d_out = 33, bias = true, optimise = 'size',
  build = few }
selfgate 'input_gate_few' { activation = 'mish', d_model = 41, optimise = 'size', build = few }
mlp 'activations_few' {
  d_model = 9,
  layers = {
    { 20, 'gelu' }, { 17, 'gelu_tanh' }, { 18, 'tanh' }, { 19, 'quick_gelu' }, { 7, 'sigmoid' },
  },
  bias = true, optimise = 'size', build = few,
}
