ffn 'first' { variant = 'swiglu', d_model = 64, d_ff = 160 }
ffn 'second' {
  variant = 'swiglu', d_model = 64, d_ff = 160,
  weights = { gate = 'q8_0', up = 'q8_0', down = 'bf16' },
}
linear 'third' { d_model = 64, d_out = 64 }
