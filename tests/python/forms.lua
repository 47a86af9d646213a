--- The forms of layer that lessons.lua lacks, small; in portable C alone, which compiles soonest.
local build = { { isa = { 'c' } } }
glu 'glu' { variant = 'glu', d_model = 7, d_out = 9, bias = true, build = build }
selfgate 'selfgate' { activation = 'silu', d_model = 6, build = build }
ffn 'gelu' { variant = 'gelu', d_model = 5, d_ff = 11, d_out = 3, build = build }
ffn 'beta' { variant = 'swiglu_beta', d_model = 6, d_ff = 10, build = build }
