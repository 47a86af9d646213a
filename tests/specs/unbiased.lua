--- Small layers of every variant without bias: PyTorch's numbers for them are in tests/data. Those
--- with bias are in golden.lua; these are of the full form of the tests.
local variants = {
  'identity', 'relu', 'relu2', 'gelu', 'gelu_tanh', 'silu', 'swish', 'quick_gelu',
  'glu', 'bilinear', 'reglu', 'geglu', 'geglu_tanh', 'swiglu', 'swiglu_beta',
}

for i = 1, #variants do
  ffn('ffn_' .. variants[i]) { variant = variants[i], d_model = 24, d_ff = 40 }
end
