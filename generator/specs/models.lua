--- Feed-forward blocks of real models, at their own sizes.

ffn 'gpt2_124m' {
  about = 'GPT-2 124M: feed-forward block, tanh GELU',
  variant = 'gelu_tanh', d_model = 768, d_ff = 4 * d_model, bias = true,
}

ffn 'bert_base' {
  about = 'BERT base: feed-forward block, erf GELU',
  variant = 'gelu', d_model = 768, d_ff = 3072, bias = true,
}

ffn 't5_small' {
  about = 'T5 small (v1.0): feed-forward block, ReLU, no biases',
  variant = 'relu', d_model = 512, d_ff = 2048,
}

ffn 'qwen2_5_0_5b' {
  about = 'Qwen2.5 0.5B: feed-forward block',
  variant = 'swiglu', d_model = 896, d_ff = 4864,
}

ffn 'qwen2_5_0_5b_bf16' {
  about = 'Qwen2.5 0.5B: the same with weights as its files have them',
  variant = 'swiglu', d_model = 896, d_ff = 4864, weights = 'bf16',
}

ffn 'tinyllama_1_1b' {
  about = 'TinyLlama 1.1B: feed-forward block',
  variant = 'swiglu', d_model = 2048, d_ff = llama_d_ff { multiple_of = 256 },
}

ffn 'tinyllama_1_1b_q4_k' {
  about = 'TinyLlama 1.1B: the same with weights as a GGUF file has them',
  variant = 'swiglu', d_model = 2048, d_ff = llama_d_ff { multiple_of = 256 }, weights = 'q4_K',
}

ffn 'tinyllama_1_1b_q4_k_dot_s8' {
  about = 'TinyLlama 1.1B: the same, multiplied with activations in 8 bits',
  variant = 'swiglu', d_model = 2048, d_ff = llama_d_ff { multiple_of = 256 }, weights = 'q4_K',
  arithmetic = 'dot_s8',
}

ffn 'gemma_2b' {
  about = 'Gemma 2B: feed-forward block, tanh GeGLU (its config says gelu and means the tanh form)',
  variant = 'geglu_tanh', d_model = 2048, d_ff = 16384,
}

ffn 'llama3_8b' {
  about = 'Llama 3 8B: feed-forward block',
  variant = 'swiglu', d_model = 4096,
  d_ff = llama_d_ff { multiple_of = 1024, ffn_dim_multiplier = 1.3 },
}

ffn 'falcon_7b' {
  about = 'Falcon 7B: feed-forward block; no power of two above 64 divides its width',
  variant = 'gelu', d_model = 4544, d_ff = 18176,
}
