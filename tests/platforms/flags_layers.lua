--- The layers of flags.lua: what its flags have changed bits in. Minus in front of sums and of
--- products, quotients by constants and by values, choices among NaN and Inf, zeros that cancel.
activation 'minus_square' (function(x) return -(x * x) end)
activation 'minus_sum' (function(x) return -(x * x - x) end)
activation 'times_scale' (function(x, p) return (x * x - x) * p.scale end)
activation 'over_scale' (function(x, p) return (x * x - x) / p.scale end)
activation 'minus_gated' (function(gate, up) return -(gate * up) end)
activation 'steps' (function(gate, up) return up - (gate * gate + gate) * 1.5 end)
activation 'quotients' (function(x) return x / 3 - abs(x) / 7 + x / (1 + abs(x)) end)

mlp 'flags_minus_square' { d_model = 16, layers = { { 16, 'minus_square' } }, max_tokens = 2 }
mlp 'flags_minus_sum' { d_model = 16, layers = { { 16, 'minus_sum' } }, max_tokens = 2 }
mlp 'flags_times_scale' {
  d_model = 16, layers = { { 16, 'times_scale', parameters = { scale = -1 } } }, max_tokens = 2,
}
mlp 'flags_over_scale' {
  d_model = 16, layers = { { 16, 'over_scale', parameters = { scale = -1 } } }, max_tokens = 2,
}
glu 'flags_minus_gated' { variant = 'minus_gated', d_model = 16, d_out = 16, max_tokens = 2 }
glu 'flags_steps' { variant = 'steps', d_model = 16, d_out = 16, max_tokens = 2 }
mlp 'flags_quotients' { d_model = 16, layers = { { 16, 'quotients' } }, max_tokens = 2 }
mlp 'flags_gelu' { d_model = 16, layers = { { 16, 'gelu' } }, max_tokens = 2 }
mlp 'flags_swish' { d_model = 16, layers = { { 16, 'swish' } }, max_tokens = 2 }
mlp 'flags_mish' { d_model = 16, layers = { { 16, 'mish' } }, max_tokens = 2 }
mlp 'flags_softplus' { d_model = 16, layers = { { 16, 'softplus' } }, max_tokens = 2 }
mlp 'flags_hardswish' { d_model = 16, layers = { { 16, 'hardswish' } }, max_tokens = 2 }
mlp 'flags_laplace' { d_model = 16, layers = { { 16, 'laplace' } }, max_tokens = 2 }
mlp 'flags_celu' { d_model = 16, layers = { { 16, 'celu' } }, max_tokens = 2 }
mlp 'flags_gelu_10' { d_model = 16, layers = { { 16, 'gelu_10' } }, max_tokens = 2 }
mlp 'flags_xielu' { d_model = 16, layers = { { 16, 'xielu' } }, max_tokens = 2 }
mlp 'flags_trained' {
  d_model = 16, layers = { { 16, 'quotients' }, { 16, 'tanh' } }, backward = true,
}
glu 'flags_trained_gated' { variant = 'minus_gated', d_model = 16, d_out = 16, backward = true }
