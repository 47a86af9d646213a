--- Phi: two matrices beside attention in the first ones; gate and up in one matrix from 3 on.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

return {
  {
    model_types = { 'phi' }, classes = { 'Phi' },
    gguf = { { 'phi2', 'halves', around = 'attn_norm' } },
    head = { tied = false },
    code = 'PhiMLP and PhiDecoderLayer',
    stacks = { { at = { 'model.layers', 'layers' }, count = { 'num_hidden_layers', 'n_layer' } } },
    d_model = { keys = { 'hidden_size', 'n_embd' } },
    d_ff = { keys = { 'intermediate_size', 'n_inner' }, times = 4 },
    activation = { keys = { 'hidden_act', 'activation_function' } },
    bias = true,
    names = { up = 'mlp.fc1', down = 'mlp.fc2' },
    around = blocks.parallel('LayerNorm', 'input_layernorm.weight', 'layer_norm_eps'),
    beside = { 'self_attn', 'input_layernorm' },
  },
  family.like(blocks.llama, {
    model_types = { 'phi3' }, classes = { 'Phi3', 'Phi4' },
    gguf = { { 'phi3', 'halves' } },
    code = 'Phi3MLP: gate, up = chunk(2)',
    names = { fused = 'mlp.gate_up_proj', order = 'gate first', down = 'mlp.down_proj' },
    -- Phi3Attention: qkv_proj.
    attention = { fused = { { name = 'qkv_proj', rows = { 'q', 'k', 'v' } } } },
    known = { 'interpolate_factor', 'full_attn_mod', 'mlp_bias' }, -- its class has none
  }),
  {
    model_types = { 'phi3small' },
    source = 'microsoft/Phi-3-small-8k-instruct: modeling_phi3_small.py, gegelu',
    refused = 'its gegelu clamps both halves of interleaved rows at gegelu_limit, an activation '
      .. 'without a name here',
  },
}
