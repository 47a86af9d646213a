--- StableLM, Cohere, Nemotron, Apertus: LayerNorm, parallel blocks, other activations.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local function cohere(model_type, class)
  return family.like(blocks.llama, {
    model_types = { model_type }, classes = { class }, head = { tied = true },
    source = ('transformers: models/%s/modeling_%s.py, %sMLP and %sDecoderLayer'):format(model_type,
      model_type, class, class),
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

local is_parallel = { key = 'use_parallel_residual', is = true, default = false }
local in_turn = { key = 'use_parallel_residual', is = false, default = false }
local eps = 'eps {layer_norm_eps}'

return {
  family.like(blocks.llama, {
    model_types = { 'stablelm', 'stablelm_epoch' }, classes = { 'StableLm', 'StableLM' },
    source = 'transformers: models/stablelm/modeling_stablelm.py, StableLmMLP and '
      .. 'StableLmDecoderLayer',
    around = {
      { place = 'before', what = 'LayerNorm', tensor = 'post_attention_layernorm.weight',
        text = eps, when = in_turn },
      { place = 'after', what = 'residual', text = 'x + y', when = in_turn },
      { place = 'before', what = 'LayerNorm', tensor = 'input_layernorm.weight',
        text = eps .. '; attention takes the same', when = is_parallel },
      { place = 'after', what = 'residual', text = 'x + attention + y: a parallel block',
        when = is_parallel },
    },
  }),
  cohere('cohere', 'Cohere'),
  cohere('cohere2', 'Cohere2'),
  family.like(blocks.llama, {
    model_types = { 'nemotron' }, classes = { 'Nemotron' },
    source = 'transformers: models/nemotron/modeling_nemotron.py, NemotronMLP and '
      .. 'NemotronLayerNorm1P',
    gated = false,
    bias = { keys = { 'mlp_bias' }, default = false },
    names = { up = 'mlp.up_proj', down = 'mlp.down_proj' },
    around = {
      { place = 'before', what = 'LayerNorm', tensor = 'post_attention_layernorm.weight',
        text = 'times 1 + weight, eps {norm_eps}' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
  }),
  family.like(blocks.llama, {
    model_types = { 'apertus' }, classes = { 'Apertus' },
    source = 'transformers: models/apertus/modeling_apertus.py, ApertusMLP; xielu of '
      .. 'activations.py, two learned numbers a layer',
    gated = false, -- and without a bias, whatever mlp_bias says
    names = { up = 'mlp.up_proj', down = 'mlp.down_proj', learned = 'mlp.act_fn' },
    around = blocks.norm_before('RMSNorm', 'feedforward_layernorm.weight', 'rms_norm_eps'),
    beside = { 'attention_layernorm', 'feedforward_layernorm' },
    known = { 'post_norm', 'mlp_bias' },
  }),
  {
    model_types = { 'bitnet' },
    source = 'transformers: models/bitnet/modeling_bitnet.py, BitNetMLP; microsoft/BitNet#588',
    refused = 'it has an RMSNorm (ffn_sub_norm) between gate and up, whose activation is relu2, '
      .. 'and down, and rounds what goes into each matrix to 8 bits: no feed-forward layer, but a '
      .. 'glu and a linear with a norm between them',
  },
}
