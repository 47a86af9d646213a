--- The trained layers that every platform, sanitizer and further compiler runs: few and small, with
--- every kind of stage that training has, and tails in all directions. All stand in
--- tests/specs/trained.lua too, so tests/data/bits.txt knows their bits.
ffn 'trained_tails' {
  variant = 'swiglu', d_model = 37, d_ff = 150, d_out = 31, bias = true, backward = true,
}
linear 'trained_outputs' {
  d_model = 37, d_out = { k = 7, q = 131, v = 7 }, bias = true, backward = true,
}
selfgate 'trained_selfgate_silu' { activation = 'silu', d_model = 24, backward = true }
ffn 'trained_clamped' {
  variant = 'clamped_swiglu', d_model = 21, d_ff = 35, bias = true, backward = true,
}
mlp 'trained_xielu_chain' {
  d_model = 9, layers = { { 18, 'xielu' }, { 7, 'relu' } }, bias = true, backward = true,
  dropout = { hidden = 0.25 },
}
