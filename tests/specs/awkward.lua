--- Sizes awkward on purpose: primes, one, less than a vector, one more than a block, odd rules.

-- One row, one column, one of each.
ffn 'one' { variant = 'swiglu', d_model = 1, d_ff = 1, bias = true }
linear 'one_to_one' { d_model = 1, d_out = 1 }
linear 'one_to_17' { d_model = 1, d_out = 17, bias = true }
linear '_17_to_one' { d_model = 17, d_out = 1 }

-- One output, of eight chains: dot products of several rows, at the end and between; and what takes
-- outputs in lanes, with inputs left over, and of two branches, whose chains are fewer.
linear '_40_to_one' { d_model = 40, d_out = 1, bias = true }
glu 'one_gated' { variant = 'swiglu', d_model = 40, d_out = 1, bias = true }
mlp 'one_between' { d_model = 3, layers = { { 48, 'relu' }, { 1, 'tanh' }, { 5 } }, bias = true }
linear '_33_to_one' { d_model = 33, d_out = 1, bias = true }

-- Straight lines for a lone row; several are blocks of tokens, also those that are added to y.
ffn 'lone_row' { variant = 'relu', d_model = 1, d_ff = 98 }

-- Below one vector of any instruction set.
ffn 'three_five' { variant = 'geglu', d_model = 3, d_ff = 5, d_out = 2 }
ffn 'seven_two' { variant = 'relu', d_model = 7, d_ff = 2, bias = true }
glu 'two_three' { variant = 'mish_glu', d_model = 2, d_out = 3 }
selfgate 'five' { activation = 'silu', d_model = 5, bias = true }

-- Primes.
ffn 'primes' { variant = 'swiglu', d_model = 37, d_ff = 101 }
ffn 'primes_bias' { variant = 'gelu', d_model = 37, d_ff = 101, d_out = 31, bias = true }
linear 'primes_linear' { d_model = 131, d_out = 67, bias = true }
glu 'primes_glu' { variant = 'reglu', d_model = 61, d_out = 53 }
selfgate 'primes_selfgate' { activation = 'mish', d_model = 41, bias = true }

-- Around the block of a sum and the width of tiles, with chains and without.
linear 'block_513_33' { d_model = 513, d_out = 33 }
linear 'block_1025_16' { d_model = 1025, d_out = 16, bias = true }
linear 'block_512_130' { d_model = 512, d_out = 130 }
linear 'block_1031_144' { d_model = 1031, d_out = 144, bias = true }
glu 'block_520_48' { variant = 'bilinear', d_model = 520, d_out = 48 }

-- Zeros that few tokens skip: blocks of k, a tail of columns, columns for every tile.
ffn 'zeros' { variant = 'relu', d_model = 20, d_ff = 300, d_out = 141, bias = true }
ffn 'zeros_squared' { variant = 'relu2', d_model = 12, d_ff = 129, d_out = 306 }
ffn 'zeros_gated' { variant = 'reglu', d_model = 9, d_ff = 270, d_out = 176 }
ffn 'zeros_dense' { variant = 'relu', d_model = 21, d_ff = 300, d_out = 141, sparse = false }

-- Constant and run-time beta.
ffn 'swish_fixed' { variant = 'swish', beta = 1.5, d_model = 19, d_ff = 29 }
ffn 'swiglu_fixed' { variant = 'swiglu_beta', beta = -0.75, d_model = 20, d_ff = 33, bias = true }
mlp 'chain_of_five' {
  d_model = 6,
  layers = { { 11, 'swish' }, { 300, 'tanh' }, { 5, 'relu2' }, { 18, 'swish', beta = 2 }, { 3 } },
  bias = true,
}
mlp 'chain_no_bias' { d_model = 33, layers = { { 47, 'mish' }, { 9, 'quick_gelu' } } }

-- Weights in two bytes, of layers that stand above in f32: an odd k in half a line, panels abreast
-- and alone, rows of zeros that are not skipped, chains, lanes, both formats in one layer.
ffn 'primes_bf16' { variant = 'swiglu', d_model = 37, d_ff = 101, weights = 'bf16' }
ffn 'primes_bias_halves' {
  variant = 'gelu', d_model = 37, d_ff = 101, d_out = 31, bias = true,
  weights = { up = 'f16', down = 'bf16' },
}
linear 'primes_linear_f16' { d_model = 131, d_out = 67, bias = true, weights = 'f16' }
linear '_40_to_one_f16' { d_model = 40, d_out = 1, bias = true, weights = 'f16' }
ffn 'zeros_bf16' {
  variant = 'relu', d_model = 20, d_ff = 300, d_out = 141, bias = true, weights = 'bf16',
}
mlp 'chain_halves' {
  d_model = 33, layers = { { 47, 'mish' }, { 9, 'quick_gelu' } }, weights = { 'bf16', 'f16' },
}

-- Weights in blocks, and the same layers in f32: a last odd panel, blocks of a sum that begin
-- inside of a group, two branches, two formats in one layer, zeros.
linear 'blocks_160_37' { d_model = 160, d_out = 37, bias = true, weights = 'q8_0' }
linear 'plain_160_37' { d_model = 160, d_out = 37, bias = true }
ffn 'blocks_gated' { variant = 'swiglu', d_model = 96, d_ff = 160, weights = 'q4_0' }
ffn 'plain_gated' { variant = 'swiglu', d_model = 96, d_ff = 160 }
ffn 'blocks_mixed' {
  variant = 'relu', d_model = 64, d_ff = 96, d_out = 50, bias = true,
  weights = { up = 'q4_0', down = 'q8_0' },
}
ffn 'plain_mixed' { variant = 'relu', d_model = 64, d_ff = 96, d_out = 50, bias = true }
-- Scales and zeros apart: of outputs, with inputs that fill no line, and of groups.
linear 'bytes_163_37' { d_model = 163, d_out = 37, bias = true, weights = 'i8' }
linear 'plain_163_37' { d_model = 163, d_out = 37, bias = true }
ffn 'bytes_mixed' {
  variant = 'gelu', d_model = 96, d_ff = 163, d_out = 20,
  weights = { up = 'u4g32_f32', down = 'i8z' },
}
ffn 'plain_bytes_mixed' { variant = 'gelu', d_model = 96, d_ff = 163, d_out = 20 }
ffn 'groups_apart' {
  variant = 'swiglu', d_model = 128, d_ff = 192, d_out = 50,
  weights = { gate = 'u4g128', up = 'u4g128', down = 'u4g64_bf16' },
}
ffn 'plain_grouped' { variant = 'swiglu', d_model = 128, d_ff = 192, d_out = 50 }
-- Floats of 8 bits: of 128 inputs the last ones are fewer, several outputs share a scale.
ffn 'floats_of_8' {
  variant = 'gelu', d_model = 200, d_ff = 163, d_out = 20,
  weights = { up = 'f8_e4m3', down = 'f8_e4m3_row' },
}
ffn 'plain_of_8' { variant = 'gelu', d_model = 200, d_ff = 163, d_out = 20 }
-- Blocks of 256, fifths, minima, E2M1: every other format, by pairs.
ffn 'blocks_of_256' {
  variant = 'swiglu', d_model = 256, d_ff = 512, d_out = 50,
  weights = { gate = 'q4_K', up = 'q4_K', down = 'q6_K' },
}
ffn 'plain_of_256' { variant = 'swiglu', d_model = 256, d_ff = 512, d_out = 50 }
linear 'blocks_of_256_37' { d_model = 512, d_out = 37, bias = true, weights = 'q5_K' }
linear 'plain_of_256_37' { d_model = 512, d_out = 37, bias = true }
ffn 'blocks_minima' {
  variant = 'gelu', d_model = 96, d_ff = 160, d_out = 20, bias = true,
  weights = { up = 'q4_1', down = 'mxfp4' },
}
ffn 'plain_minima' { variant = 'gelu', d_model = 96, d_ff = 160, d_out = 20, bias = true }
ffn 'blocks_fifths' {
  variant = 'relu', d_model = 64, d_ff = 96, d_out = 50, bias = true,
  weights = { up = 'q5_0', down = 'q5_1' },
}
-- Uneven levels, alone and by a scale for each 32.
ffn 'blocks_levels' {
  variant = 'swiglu', d_model = 256, d_ff = 512, d_out = 50,
  weights = { gate = 'iq4_nl', up = 'iq4_nl', down = 'iq4_xs' },
}

-- Tiny layers as in embedded code.
ffn 'tiny_64' { variant = 'silu', d_model = 64, d_ff = 256 }
mlp 'tiny_8_16_8' { d_model = 8, layers = { { 16, 'relu' }, { 8, 'tanh' } }, bias = true }

-- Odd sizes of real rules: int(8 * 1024 / 3) + 1 and one less than a power of two.
ffn 'odd_1023_2731' { variant = 'swiglu', d_model = 1023, d_ff = 2731 }

-- Each activation once, so that every build is compared on all of them.
mlp 'every_activation' {
  d_model = 9,
  layers = {
    { 20, 'identity' }, { 21, 'relu' }, { 22, 'gelu' }, { 23, 'gelu_tanh' }, { 24, 'silu' },
    { 25, 'swish', beta = 1.25 }, { 26, 'quick_gelu' }, { 27, 'sigmoid' }, { 28, 'tanh' },
    { 29, 'mish' }, { 30, 'relu2' },
  },
  bias = true,
}

-- What is traced: each once, and functions of both branches. In two chains, as compilers take twice
-- as long for one of ten stages.
mlp 'every_traced' {
  d_model = 9,
  layers = {
    { 20, 'elu', parameters = { alpha = 0.75 } },
    { 21, 'leaky_relu', parameters = { slope = 0.01 } },
    { 22, 'relu6' }, { 23, 'hardswish' }, { 24, 'hardsigmoid' },
  },
  bias = true,
}
mlp 'every_other_traced' {
  d_model = 9,
  layers = {
    { 25, 'softplus' }, { 26, 'laplace' }, { 27, 'celu', parameters = { alpha = 1.5 } },
    { 28, 'gelu_10' }, { 29, 'xielu' },
  },
  bias = true,
}
ffn 'clamped' { variant = 'clamped_swiglu', d_model = 21, d_ff = 35, bias = true }
glu 'clamped_layer' { variant = 'clamped_swiglu', d_model = 37, d_out = 19 }
ffn 'xielu' { variant = 'xielu', d_model = 24, d_ff = 130, d_out = 7 }
ffn 'xielu_fixed' {
  variant = 'xielu_glu', d_model = 6, d_ff = 18, parameters = { alpha_p = 0.5, alpha_n = -0.25 },
}
ffn 'zeros_clipped' { variant = 'relu6', d_model = 19, d_ff = 300, d_out = 141, bias = true }
selfgate 'self_elu' { activation = 'elu', d_model = 13 }

-- For few bytes: every form of stage, its sums in all numbers of chains and with what is left over,
-- blocks of k, tails of columns, parameters. The fast kernels of these layers stand above.
local portable = { { isa = { 'c' } } }
ffn 'one_few' { variant = 'swiglu', d_model = 1, d_ff = 1, bias = true, optimise = 'size',
  build = portable }
ffn 'three_five_few' { variant = 'geglu', d_model = 3, d_ff = 5, d_out = 2, optimise = 'size',
  build = portable }
ffn 'primes_bias_few' { variant = 'gelu', d_model = 37, d_ff = 101, d_out = 31, bias = true,
  optimise = 'size', build = portable }
ffn 'primes_bias_halves_few' {
  variant = 'gelu', d_model = 37, d_ff = 101, d_out = 31, bias = true, optimise = 'size',
  weights = { up = 'f16', down = 'bf16' }, build = portable,
}
ffn 'blocks_mixed_few' {
  variant = 'relu', d_model = 64, d_ff = 96, d_out = 50, bias = true, optimise = 'size',
  weights = { up = 'q4_0', down = 'q8_0' }, build = portable,
}
linear 'block_1025_16_few' { d_model = 1025, d_out = 16, bias = true, optimise = 'size',
  build = portable }
linear 'block_1031_144_few' { d_model = 1031, d_out = 144, bias = true, optimise = 'size',
  build = portable }
glu 'block_520_48_few' { variant = 'bilinear', d_model = 520, d_out = 48, optimise = 'size',
  build = portable }
selfgate 'primes_selfgate_few' { activation = 'mish', d_model = 41, bias = true, optimise = 'size',
  build = portable }
ffn 'zeros_few' { variant = 'relu', d_model = 20, d_ff = 300, d_out = 141, bias = true,
  optimise = 'size', build = portable }
ffn 'swiglu_fixed_few' { variant = 'swiglu_beta', beta = -0.75, d_model = 20, d_ff = 33,
  bias = true, optimise = 'size', build = portable }
mlp 'chain_of_five_few' {
  d_model = 6,
  layers = { { 11, 'swish' }, { 300, 'tanh' }, { 5, 'relu2' }, { 18, 'swish', beta = 2 }, { 3 } },
  bias = true, optimise = 'size', build = portable,
}
ffn 'clamped_few' { variant = 'clamped_swiglu', d_model = 21, d_ff = 35, bias = true,
  optimise = 'size', build = portable }
ffn 'xielu_few' { variant = 'xielu', d_model = 24, d_ff = 130, d_out = 7, optimise = 'size',
  build = portable }
