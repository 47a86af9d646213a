--- Small layers to train in a vendored folder: biases, a learned parameter, a chain.

ffn 'block' { variant = 'swish', d_model = 20, d_ff = 24, bias = true, backward = true }
mlp 'head' { d_model = 10, layers = { { 16, 'tanh' }, { 1 } }, backward = true,
  dropout = { hidden = 0.25 } }
linear 'fixed' { d_model = 10, d_out = 3 }
