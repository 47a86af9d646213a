--- What small.sh measures on small devices.
mlp 'head' {
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
  optimise = 'size',
}
