--- StarCoder 2: its code reads hidden_act; activation_function, which the 7B has beside it and
--- which says another, is read by nothing.
local blocks = require 'import.family_blocks'

return {
  {
    model_types = { 'starcoder2' }, classes = { 'Starcoder2' },
    gguf = { { 'starcoder2', 'halves', bias = 'all' } },
    head = { tied = true },
    code = 'Starcoder2MLP: hidden_act alone, not activation_function',
    stacks = { { at = { 'model.layers', 'layers' }, count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_act' } },
    bias = { keys = { 'use_bias' } },
    names = { up = 'mlp.c_fc', down = 'mlp.c_proj' },
    around = blocks.norm_before('LayerNorm', 'post_attention_layernorm.weight', 'norm_epsilon'),
    beside = { 'self_attn', 'input_layernorm', 'post_attention_layernorm' },
    known = { 'activation_function', 'mlp_type' },
  },
}
