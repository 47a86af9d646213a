--- The layers that papers, courses and notebooks teach with, at their own sizes.

ffn 'notebook_swiglu' {
  about = 'SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases',
  variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3,
}

mlp 'mlp_10_64_32_1' {
  about = 'A classifier: relu, relu, sigmoid',
  d_model = 10, layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }, bias = true,
}

linear 'linear_10_5' {
  about = 'One linear layer',
  d_model = 10, d_out = 5, bias = true,
}

ffn 'paper_example' {
  about = 'The worked example on paper: 4 -> 8 -> 4, ReLU',
  variant = 'relu', d_model = 4, d_ff = 8, bias = true,
}
