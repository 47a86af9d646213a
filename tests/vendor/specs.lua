--- Small layers to vendor.

ffn 'block' { about = 'A gated block', variant = 'swiglu', d_model = 24, d_ff = 40 }

mlp 'head' {
  about = 'A chain',
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
}
