moe 'mine' {
  d_model = 256, experts = 16, top_k = 4,
  expert = { variant = 'swiglu', d_ff = 96, weights = 'bf16' },
  router = { score = 'softmax', normalise = true },
  shared = { d_ff = 160, gate = 'sigmoid' },
}
