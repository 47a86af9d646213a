--- Small layers of every variant, with and without bias: PyTorch's numbers for them are in
--- tests/data.
local plain = { 'identity', 'relu', 'relu2', 'gelu', 'gelu_tanh', 'silu', 'swish', 'quick_gelu' }
local gated = { 'glu', 'bilinear', 'reglu', 'geglu', 'geglu_tanh', 'swiglu', 'swiglu_beta' }
local self_gated = { 'sigmoid', 'gelu', 'gelu_tanh', 'silu' }

for i = 1, #plain do
  ffn('ffn_' .. plain[i]) { variant = plain[i], d_model = 24, d_ff = 40 }
  ffn('ffn_' .. plain[i] .. '_bias') { variant = plain[i], d_model = 24, d_ff = 40, bias = true }
end

for i = 1, #gated do
  ffn('ffn_' .. gated[i]) { variant = gated[i], d_model = 24, d_ff = 40 }
  ffn('ffn_' .. gated[i] .. '_bias') { variant = gated[i], d_model = 24, d_ff = 40, bias = true }
end

for i = 1, #self_gated do
  selfgate('selfgate_' .. self_gated[i]) { activation = self_gated[i], d_model = 24 }
end

glu 'glu_layer_bias' { variant = 'glu', d_model = 24, d_out = 40, bias = true }
