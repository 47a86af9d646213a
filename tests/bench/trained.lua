--- The layers whose training is timed beside the kernel that only runs them.
local build = { { isa = { 'avx2', 'avx512', 'neon' } } }

ffn 'notebook' { variant = 'swiglu', d_model = 512, d_ff = 1365, backward = true, build = build }
ffn 'gpt2' {
  variant = 'gelu_tanh', d_model = 768, d_ff = 3072, bias = true, backward = true, build = build,
}
ffn 'even' { variant = 'swiglu', d_model = 1024, d_ff = 2736, backward = true, build = build }
