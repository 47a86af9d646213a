--- The networks of regression.c.
mlp 'deep' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1 } }, bias = true, backward = true,
}
mlp 'dropped' {
  d_model = 10, layers = { { 64, 'relu' }, { 1 } }, bias = true, backward = true,
  dropout = { hidden = 0.1 },
}
