--- Layers as flat functions: gated, trained with a learned parameter, trained with dropout, for few
--- tokens.

ffn 'gated' { variant = 'swiglu', d_model = 24, d_ff = 40, bias = true }
ffn 'block' { variant = 'swish', d_model = 20, d_ff = 24, bias = true, backward = true }
mlp 'head' { d_model = 10, layers = { { 16, 'tanh' }, { 1 } }, backward = true,
  dropout = { hidden = 0.25 } }
linear 'few' { d_model = 10, d_out = 3, max_tokens = 2 }
