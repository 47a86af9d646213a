--- Products of bytes: each format that has them, by pairs with kinds, biases and activations; sizes
--- that no tile divides, one output, many groups, several outputs of one x whose planes differ.
local function bytes(l)
  l.arithmetic = 'dot_s8'
  return l
end

linear 'dot_160_37' (bytes { d_model = 160, d_out = 37, bias = true, weights = 'q8_0' })
linear 'dot_480_19' (bytes { d_model = 480, d_out = 19, weights = 'u4g32_f32' })

-- Hidden values that are zeros, or of both signs; of two branches; one output.
ffn 'dot_zeros' (bytes {
  variant = 'relu', d_model = 96, d_ff = 160, d_out = 37, bias = true,
  weights = { up = 'q4_0', down = 'q5_0' },
})
ffn 'dot_minima' (bytes {
  variant = 'gelu_tanh', d_model = 64, d_ff = 96, d_out = 50,
  weights = { up = 'q4_1', down = 'q5_1' },
})
ffn 'dot_of_256' (bytes {
  variant = 'swiglu', d_model = 256, d_ff = 512, d_out = 50, bias = true,
  weights = { gate = 'q4_K', up = 'q4_K', down = 'q6_K' },
})
ffn 'dot_levels' (bytes {
  variant = 'swiglu', d_model = 32, d_ff = 256, d_out = 1,
  weights = { gate = 'iq4_nl', up = 'iq4_nl', down = 'iq4_xs' },
})
glu 'dot_gated' (bytes {
  variant = 'swiglu', d_model = 96, d_out = 80, bias = true, weights = 'u4g32_bf16',
})
selfgate 'dot_self' (bytes { activation = 'silu', d_model = 96, bias = true, weights = 'q5_1' })

-- Larger groups, of hidden values too; some panels that lie alone.
linear 'dot_192_19' (bytes { d_model = 192, d_out = 19, weights = 'u4g64_f32' })
ffn 'dot_of_64' (bytes {
  variant = 'swiglu', d_model = 128, d_ff = 192, d_out = 50, bias = true,
  weights = { gate = 'u4g64_bf16', up = 'u4g64_bf16', down = 'u4g64' },
})
ffn 'dot_of_128' (bytes {
  variant = 'relu', d_model = 128, d_ff = 384, d_out = 37,
  weights = { up = 'u4g128_f32', down = 'u4g128' },
})
mlp 'dot_groups' (bytes {
  d_model = 64, layers = { { 128, 'silu' }, { 256, 'relu' }, { 33 } }, bias = true,
  weights = { 'q8_0', 'u4g128_bf16', 'u4g64' },
})

-- One scale for a whole row: hidden values wait for all of it.
linear 'dot_37_19' (bytes { d_model = 37, d_out = 19, bias = true, weights = 'i8z' })
ffn 'dot_rows' (bytes {
  variant = 'swiglu', d_model = 67, d_ff = 131, d_out = 80, bias = true,
  weights = { gate = 'i8', up = 'i8', down = 'i8z' },
})
selfgate 'dot_self_rows' (bytes { activation = 'silu', d_model = 41, weights = 'i8z' })
mlp 'dot_waiting' (bytes {
  d_model = 64, layers = { { 96, 'relu' }, { 224, 'gelu' }, { 70, 'tanh' }, { 33 } },
  weights = { 'i8z', 'q4_0', 'i8', 'i8' },
})

-- Scales of x that come with the weights: of all products, and beside those that find theirs.
local function given(l)
  l.operand_scales = l.operand_scales or 'static'
  return bytes(l)
end

linear 'given_37_19' (given { d_model = 37, d_out = 19, bias = true, weights = 'i8' })
ffn 'given_rows' (given {
  variant = 'swiglu', d_model = 67, d_ff = 131, d_out = 80, bias = true,
  weights = { gate = 'i8', up = 'i8', down = 'i8z' },
})
selfgate 'given_self' (given { activation = 'silu', d_model = 41, weights = 'i8z' })
mlp 'given_waiting' (given {
  d_model = 64, layers = { { 96, 'relu' }, { 224, 'gelu' }, { 70, 'tanh' }, { 33 } },
  weights = { 'i8', 'q4_0', 'i8z', 'i8' },
  operand_scales = { 'static', 'dynamic', 'static', 'dynamic' },
})
linear 'given_several' (given {
  d_model = 96, d_out = { q = 40, k = 24, v = 7 }, weights = { q = 'i8', k = 'i8z', v = 'i8' },
})

-- A chain; and outputs that want minima, sums of 16, sums of 32, and sums from an offset.
mlp 'dot_chain' (bytes {
  d_model = 64, layers = { { 96, 'relu' }, { 64, 'tanh' }, { 33 } }, bias = true,
  weights = { 'mxfp4', 'u4g32', 'q4_0' },
})
linear 'dot_several' (bytes {
  d_model = 256, d_out = { q = 40, k = 24, v = 7, o = 3 },
  weights = { q = 'q5_K', k = 'q6_K', v = 'u4g32_f32', o = 'q4_0' },
})

-- In few bytes, with the bits of the layers above: each kind of plane, both stages of a format in
-- one function, two branches, x beside its bytes, whole rows.
local function few(l)
  l.optimise = 'size'
  return bytes(l)
end

linear 'size_160_37' (few { d_model = 160, d_out = 37, bias = true, weights = 'q8_0' })
ffn 'size_zeros' (few {
  variant = 'relu', d_model = 96, d_ff = 160, d_out = 37, bias = true,
  weights = { up = 'q4_0', down = 'q5_0' },
})
ffn 'size_minima' (few {
  variant = 'gelu_tanh', d_model = 64, d_ff = 96, d_out = 50,
  weights = { up = 'q4_1', down = 'q5_1' },
})
ffn 'size_of_256' (few {
  variant = 'swiglu', d_model = 256, d_ff = 512, d_out = 50, bias = true,
  weights = { gate = 'q4_K', up = 'q4_K', down = 'q6_K' },
})
selfgate 'size_self' (few { activation = 'silu', d_model = 96, bias = true, weights = 'q5_1' })
mlp 'size_chain' (few {
  d_model = 64, layers = { { 96, 'relu' }, { 64, 'tanh' }, { 33 } }, bias = true,
  weights = { 'mxfp4', 'u4g32', 'q4_0' },
})
linear 'size_37_19' (few { d_model = 37, d_out = 19, bias = true, weights = 'i8z' })
ffn 'size_rows' (few {
  variant = 'swiglu', d_model = 67, d_ff = 131, d_out = 80, bias = true,
  weights = { gate = 'i8', up = 'i8', down = 'i8z' },
})
selfgate 'size_self_rows' (few { activation = 'silu', d_model = 41, weights = 'i8z' })
mlp 'size_waiting' (few {
  d_model = 64, layers = { { 96, 'relu' }, { 224, 'gelu' }, { 70, 'tanh' }, { 33 } },
  weights = { 'i8z', 'q4_0', 'i8', 'i8' },
})
