--- Layers that only the benchmark uses: what the committed ones leave out.

ffn 'llama2_7b' {
  about = 'Llama 2 7B: feed-forward block',
  variant = 'swiglu', d_model = 4096, d_ff = llama_d_ff { multiple_of = 256 },
}

ffn 'bert_large' {
  about = 'BERT large: feed-forward block, erf GELU',
  variant = 'gelu', d_model = 1024, d_ff = 4 * d_model, bias = true,
}

ffn 'even_sizes' {
  about = 'SwiGLU at sizes that suit every vector',
  variant = 'swiglu', d_model = 1024, d_ff = 2736,
}

ffn 'even_sizes_bf16' {
  about = 'even_sizes with weights in two bytes: what they save',
  variant = 'swiglu', d_model = 1024, d_ff = 2736, weights = 'bf16',
}

ffn 'even_sizes_f16' {
  about = 'The same in half precision',
  variant = 'swiglu', d_model = 1024, d_ff = 2736, weights = 'f16',
}

ffn 'blocks' {
  about = 'SwiGLU of sizes that blocks of 32 and of 256 divide',
  variant = 'swiglu', d_model = 1024, d_ff = 2816,
}

ffn 'blocks_q8_0' {
  about = 'The same in q8_0', variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'q8_0',
}

ffn 'blocks_q4_0' {
  about = 'The same in q4_0', variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'q4_0',
}

ffn 'blocks_q4_k' {
  about = 'The same in q4_K', variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'q4_K',
}

ffn 'blocks_q4_0_dot_s8' {
  about = 'The bytes of blocks_q4_0, multiplied with activations in 8 bits', variant = 'swiglu',
  d_model = 1024, d_ff = 2816, weights = 'q4_0', arithmetic = 'dot_s8',
}

ffn 'blocks_q4_k_dot_s8' {
  about = 'The bytes of blocks_q4_k, multiplied with activations in 8 bits', variant = 'swiglu',
  d_model = 1024, d_ff = 2816, weights = 'q4_K', arithmetic = 'dot_s8',
}

ffn 'blocks_q8_0_dot_s8' {
  about = 'The bytes of blocks_q8_0, multiplied with activations in 8 bits', variant = 'swiglu',
  d_model = 1024, d_ff = 2816, weights = 'q8_0', arithmetic = 'dot_s8',
}

ffn 'blocks_q6_k' {
  about = 'The same in q6_K', variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'q6_K',
}

ffn 'blocks_q5_0' {
  about = 'The same in q5_0', variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'q5_0',
}

ffn 'blocks_mxfp4' {
  about = 'The same in mxfp4', variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'mxfp4',
}

ffn 'blocks_u4g128' {
  about = 'The same in u4g128, as GPTQ and AWQ have it', variant = 'swiglu', d_model = 1024,
  d_ff = 2816, weights = 'u4g128',
}

ffn 'blocks_i8' {
  about = 'The same in i8', variant = 'swiglu', d_model = 1024, d_ff = 2816, weights = 'i8',
}

ffn 'odd_sizes' {
  about = 'SwiGLU of nearly the same size, with ragged edges everywhere',
  variant = 'swiglu', d_model = 1023, d_ff = 2731,
}

ffn 'even_sizes_bilinear' {
  about = 'even_sizes without its activation: what SiLU costs',
  variant = 'bilinear', d_model = 1024, d_ff = 2736,
}

ffn 'bert_base_relu' {
  about = 'bert_base with a cheaper activation: what GELU costs',
  variant = 'relu', d_model = 768, d_ff = 3072, bias = true,
}

ffn 'small_gelu' {
  about = 'A small block whose weights fit in L2: 64 -> 256 -> 64',
  variant = 'gelu_tanh', d_model = 64, d_ff = 4 * d_model,
}

mlp 'regression_8_16_16_4' {
  about = 'Regression as a controller has it',
  d_model = 8, layers = { { 16, 'relu' }, { 16, 'relu' }, { 4 } }, bias = true,
}

mlp 'regression_32_64_64_8' {
  about = 'Regression as a game has it',
  d_model = 32, layers = { { 64, 'relu' }, { 64, 'relu' }, { 8 } }, bias = true,
}

ffn 'tiny_relu' {
  about = 'A tiny block: 8 -> 16 -> 8',
  variant = 'relu', d_model = 8, d_ff = 2 * d_model,
}

mlp 'mlp_10_64_1' {
  about = 'Linear, ReLU, linear',
  d_model = 10, layers = { { 64, 'relu' }, { 1 } }, bias = true,
}

ffn 'stories15m' {
  about = 'Llama of 15 million parameters: feed-forward block, less than two huge pages',
  variant = 'swiglu', d_model = 288, d_ff = llama_d_ff { multiple_of = 32 },
}

linear 'stories15m_attention' {
  about = 'The same: q, k, v or o of attention',
  d_model = 288, d_out = 288,
}
