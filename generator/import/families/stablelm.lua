--- StableLM, Cohere, Nemotron, Apertus: LayerNorm, parallel blocks, other activations.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local function cohere(model_type, class, architecture)
  return family.like(blocks.llama, {
    model_types = { model_type }, classes = { class }, head = { tied = true },
    gguf = { { architecture, 'adjacent', around = 'attn_norm' } },
    code = ('%sMLP and %sDecoderLayer'):format(class, class),
    around = {
      { place = 'before', what = 'LayerNorm', tensor = 'input_layernorm.weight',
        text = 'eps {layer_norm_eps}; attention takes the same' },
      { place = 'after', what = 'residual', text = 'x + attention + y: a parallel block' },
      { place = 'beside', what = 'logit multiplier', text = 'logits * {logit_scale}' },
    },
    -- Of these its class reads none.
    known = { 'use_gated_activation', 'use_parallel_block', 'layer_switch',
      'order_of_interleaved_layers', 'use_embedding_sharing', 'use_parallel_embedding' },
  })
end

return {
  family.like(blocks.llama, {
    model_types = { 'stablelm', 'stablelm_epoch' }, classes = { 'StableLm', 'StableLM' },
    gguf = { { 'stablelm', 'halves', around = { { 'before', 'LayerNorm', 'ffn_norm',
      'where there is none, attention\'s input: attn_norm of the block', is_optional = true } } } },
    code = 'StableLmMLP and StableLmDecoderLayer',
    around = blocks.either('use_parallel_residual', false,
      blocks.parallel('LayerNorm', 'input_layernorm.weight', 'layer_norm_eps'),
      blocks.norm_before('LayerNorm', 'post_attention_layernorm.weight', 'layer_norm_eps')),
  }),
  cohere('cohere', 'Cohere', 'command-r'),
  cohere('cohere2', 'Cohere2', 'cohere2'),
  family.like(blocks.llama, {
    model_types = { 'nemotron' }, classes = { 'Nemotron' },
    gguf = { { 'nemotron', 'halves', activation = 'relu2', bias = 'either' } },
    code = 'NemotronMLP and NemotronLayerNorm1P',
    gated = false,
    bias = { keys = { 'mlp_bias' }, default = false },
    names = { up = 'mlp.up_proj', down = 'mlp.down_proj' },
    around = blocks.norm_of_one_more('LayerNorm', 'post_attention_layernorm.weight', 'norm_eps'),
  }),
  family.like(blocks.llama, {
    model_types = { 'apertus' }, classes = { 'Apertus' },
    gguf = { { 'apertus', refused = 'its xIELU has learned numbers in keys of the file' } },
    code = 'ApertusMLP; xielu of activations.py, two learned numbers a layer',
    gated = false, -- and without a bias, whatever mlp_bias says
    names = { up = 'mlp.up_proj', down = 'mlp.down_proj', learned = 'mlp.act_fn' },
    around = blocks.norm_before('RMSNorm', 'feedforward_layernorm.weight', 'rms_norm_eps'),
    beside = { 'attention_layernorm', 'feedforward_layernorm' },
    known = { 'post_norm', 'mlp_bias' },
  }),
  {
    model_types = { 'bitnet' },
    gguf = { { 'bitnet', refused = 'it has a norm between the activation and ffn_down, '
      .. 'ffn_sub_norm' } },
    code = 'BitNetMLP; microsoft/BitNet#588',
    refused = 'it has an RMSNorm (ffn_sub_norm) between gate and up, whose activation is relu2, '
      .. 'and down, and rounds what goes into each matrix to 8 bits: no feed-forward layer, but a '
      .. 'glu and a linear with a norm between them',
  },
}
