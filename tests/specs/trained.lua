--- Layers whose gradients are tested: those of PyTorch's numbers in tests/data, and some of awkward
--- sizes: sums of several blocks, in two parts, with ragged ends everywhere.
local plain = { 'relu', 'gelu', 'gelu_tanh', 'silu', 'swish' }
local gated = { 'glu', 'bilinear', 'reglu', 'geglu', 'geglu_tanh', 'swiglu', 'swiglu_beta' }
local self_gated = { 'sigmoid', 'gelu_tanh', 'silu' }

for i = 1, #plain do
  ffn('trained_' .. plain[i] .. '_bias') {
    variant = plain[i], d_model = 24, d_ff = 40, bias = true, backward = true,
  }
end

for i = 1, #gated do
  ffn('trained_' .. gated[i]) { variant = gated[i], d_model = 24, d_ff = 40, backward = true }
end

for i = 1, #self_gated do
  selfgate('trained_selfgate_' .. self_gated[i]) {
    activation = self_gated[i], d_model = 24, backward = true,
  }
end

glu 'trained_glu_layer' { variant = 'glu', d_model = 24, d_out = 40, bias = true, backward = true }
linear 'trained_linear' { d_model = 10, d_out = 5, bias = true, backward = true }
mlp 'trained_mlp' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
  backward = true,
}

-- Several outputs, two of them in a block of the sums for dx; beside one for each, and one of all.
linear 'trained_outputs' {
  d_model = 37, d_out = { k = 7, q = 131, v = 7 }, bias = true, backward = true,
}
local beside = { { isa = { 'c', 'avx2' } } }
linear 'trained_outputs_q' {
  d_model = 37, d_out = 131, bias = true, backward = true, build = beside,
}
linear 'trained_outputs_kv' {
  d_model = 37, d_out = 7, bias = true, backward = true, build = beside,
}
linear 'trained_outputs_all' {
  d_model = 37, d_out = 145, bias = true, backward = true, build = beside,
}

-- Dropout, wherever a layer may have it: with rows of masks that begin inside of a counter's words,
-- everything dropped, almost nothing, and exact powers of two.
ffn 'trained_dropout_hidden' {
  variant = 'relu', d_model = 24, d_ff = 40, bias = true, backward = true,
  dropout = { hidden = 0.25 },
}
ffn 'trained_dropout_output' {
  variant = 'relu', d_model = 24, d_ff = 40, bias = true, backward = true,
  dropout = { output = 0.25 },
}
ffn 'trained_dropout_both' {
  variant = 'swiglu_beta', d_model = 37, d_ff = 150, d_out = 131, bias = true, backward = true,
  dropout = { hidden = 0.1, output = 2^-32 },
}
mlp 'trained_dropout_chain' {
  d_model = 10, layers = { { 19, 'relu' }, { 6 }, { 33, 'relu' }, { 2, 'relu' } },
  backward = true, dropout = { hidden = 0.5, output = 0.75 },
}
glu 'trained_dropout_glu' {
  variant = 'bilinear', d_model = 9, d_out = 21, backward = true, dropout = { output = 0.5 },
}
selfgate 'trained_dropout_selfgate' {
  activation = 'silu', d_model = 27, backward = true, dropout = { output = 0.3 },
}
linear 'trained_dropout_linear' {
  d_model = 10, d_out = 5, backward = true, dropout = { output = 0.9 },
}
ffn 'trained_dropout_all' {
  variant = 'gelu', d_model = 7, d_ff = 18, backward = true, dropout = { hidden = 1 },
}

ffn 'trained_blocks' {
  variant = 'swiglu', d_model = 131, d_ff = 277, d_out = 150, bias = true, backward = true,
}
ffn 'trained_tails' {
  variant = 'swiglu', d_model = 37, d_ff = 150, d_out = 31, bias = true, backward = true,
}
ffn 'trained_tails_bf16' {
  variant = 'swiglu', d_model = 37, d_ff = 150, d_out = 31, bias = true, backward = true,
  weights = 'bf16',
}
ffn 'trained_narrow' { variant = 'relu2', d_model = 1, d_ff = 17, d_out = 3, backward = true }
mlp 'trained_identity_between' {
  d_model = 7, layers = { { 19, 'tanh' }, { 5 }, { 33, 'mish' }, { 2, 'quick_gelu' } },
  backward = true,
}

-- What is traced: each once, two learned parameters, functions of both branches, one of this file.
local some = { { isa = { 'c', 'avx2' } } }
activation 'leaning' (function(gate, up, p)
  return (gate - p.lean) * sigmoid(gate) * (up + p.lift)
end)

mlp 'trained_with_kinks' {
  d_model = 9, bias = true, backward = true, build = some,
  layers = {
    { 20, 'elu', parameters = { alpha = 0.75 } },
    { 21, 'leaky_relu', parameters = { slope = 0.01 } }, { 22, 'relu6' }, { 23, 'hardswish' },
    { 24, 'hardsigmoid' },
  },
}
mlp 'trained_smooth' {
  d_model = 9, bias = true, backward = true, build = some,
  layers = {
    { 25, 'softplus' }, { 26, 'laplace' }, { 27, 'celu', parameters = { alpha = 1.5 } },
    { 28, 'gelu_10' },
  },
}
ffn 'trained_xielu' { variant = 'xielu', d_model = 24, d_ff = 40, backward = true }
ffn 'trained_clamped' {
  variant = 'clamped_swiglu', d_model = 21, d_ff = 35, bias = true, backward = true, build = some,
}
glu 'trained_leaning' {
  variant = 'leaning', d_model = 24, d_out = 40, backward = true, build = some,
}
mlp 'trained_xielu_chain' {
  d_model = 9, layers = { { 18, 'xielu' }, { 7, 'relu' } }, bias = true, backward = true,
  dropout = { hidden = 0.25 },
}
