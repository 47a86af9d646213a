--- The activations, in the order of their enumerators in C: append only.
return {
  'identity', 'relu', 'relu2', 'gelu', 'gelu_tanh', 'silu', 'swish', 'quick_gelu', 'sigmoid',
  'tanh', 'mish',
}
