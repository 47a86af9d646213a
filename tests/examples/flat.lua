--- The layer of flat.rs and flat.go.
ffn 'layer' { variant = 'swiglu', d_model = 16, d_ff = 40 }
