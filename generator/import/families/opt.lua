--- OPT, XGLM and BART: fc1 and fc2 beside attention.
local blocks = require 'import.blocks'
local family = require 'import.family'

local norm = 'final_layer_norm.weight'
local before = blocks.norm_before('LayerNorm', norm, 'layer_norm_eps')
local after = blocks.post_norm(norm, 'layer_norm_eps')
local function when(list, is)
  local result = {}
  for i, a in ipairs(list) do
    result[i] = { place = a.place, what = a.what, tensor = a.tensor, text = a.text:gsub(
      ', eps {layer_norm_eps}', ''):gsub('eps {layer_norm_eps}', 'eps 1e-05'),
      when = { key = 'do_layer_norm_before', is = is, default = true } }
  end
  return result
end

local opt = {
  d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'ffn_dim' } },
  activation = { keys = { 'activation_function' } },
  bias = true,
  names = { up = 'fc1', down = 'fc2' },
  beside = { 'self_attn', 'self_attn_layer_norm', 'final_layer_norm', 'encoder_attn',
    'encoder_attn_layer_norm' },
}
local both = when(before, true)
for _, a in ipairs(when(after, false)) do both[#both + 1] = a end

return {
  family.like(opt, {
    model_types = { 'opt' }, classes = { 'OPT' },
    source = 'transformers: models/opt/modeling_opt.py, OPTDecoderLayer',
    stacks = { { at = { 'decoder.layers', 'model.decoder.layers' },
      count = { 'num_hidden_layers' } } },
    bias = { keys = { 'enable_bias' }, default = true },
    around = both,
  }),
  family.like(opt, {
    model_types = { 'xglm' }, classes = { 'XGLM' },
    source = 'transformers: models/xglm/modeling_xglm.py, XGLMDecoderLayer',
    stacks = { { at = { 'layers', 'model.layers' }, count = { 'num_layers' } } },
    d_model = { keys = { 'd_model' } },
    around = when(before, true),
  }),
  family.like(opt, {
    model_types = { 'bart' }, classes = { 'Bart' },
    source = 'transformers: models/bart/modeling_bart.py, BartEncoderLayer, BartDecoderLayer',
    d_model = { keys = { 'd_model' } },
    stacks = {
      { at = { 'encoder.layers', 'model.encoder.layers' }, count = { 'encoder_layers' },
        d_ff = { keys = { 'encoder_ffn_dim' } }, optional = true },
      { at = { 'decoder.layers', 'model.decoder.layers' }, count = { 'decoder_layers' },
        d_ff = { keys = { 'decoder_ffn_dim' } }, optional = true },
    },
    around = when(after, true),
    known = { 'num_hidden_layers', 'normalize_embedding', 'normalize_before',
      'add_final_layer_norm',
      'add_bias_logits', 'classif_dropout', 'static_position_embeddings', 'extra_pos_embeddings' },
  }),
}
