--- Small layers with bias, of every variant, and those that have none: PyTorch's numbers for them
--- are in tests/data. Variants without bias are in unbiased.lua.
local variants = {
  'identity', 'relu', 'relu2', 'gelu', 'gelu_tanh', 'silu', 'swish', 'quick_gelu',
  'glu', 'bilinear', 'reglu', 'geglu', 'geglu_tanh', 'swiglu', 'swiglu_beta',
}
local self_gated = { 'sigmoid', 'gelu', 'gelu_tanh', 'silu' }

for i = 1, #variants do
  ffn('ffn_' .. variants[i] .. '_bias') {
    variant = variants[i], d_model = 24, d_ff = 40, bias = true,
  }
end

for i = 1, #self_gated do
  selfgate('selfgate_' .. self_gated[i]) { activation = self_gated[i], d_model = 24 }
end

glu 'glu_layer_bias' { variant = 'glu', d_model = 24, d_out = 40, bias = true }

mlp 'ffn_10_64_1' {
  about = 'Linear, ReLU, linear; timed as mlp_10_64_1',
  d_model = 10, layers = { { 64, 'relu' }, { 1 } }, bias = true,
}
