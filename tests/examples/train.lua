--- The layers of train.c and beta.c.
ffn 'student' { variant = 'swiglu', d_model = 16, d_ff = 24, backward = true }
ffn 'learner' { variant = 'swish', d_model = 16, d_ff = 24, backward = true }
