--- OPT, XGLM, BART and its kin: fc1 and fc2 beside attention.
local blocks = require 'import.family_blocks'
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
  head = { tied = true },
  d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'ffn_dim' } },
  activation = { keys = { 'activation_function' } },
  bias = true,
  names = { up = 'fc1', down = 'fc2' },
  beside = { 'self_attn', 'self_attn_layer_norm', 'final_layer_norm', 'encoder_attn',
    'encoder_attn_layer_norm' },
}
local both = when(before, true)
for _, a in ipairs(when(after, false)) do both[#both + 1] = a end

--- An encoder and a decoder, of which a file may have one.
local function both_ways(model_type, class, is_norm_in_front)
  local function stack(of)
    return {
      at = { of .. '.layers', 'model.' .. of .. '.layers' }, count = { of .. '_layers' },
      d_ff = { keys = { of .. '_ffn_dim' } }, optional = true,
    }
  end
  return family.like(opt, {
    model_types = { model_type }, classes = { class },
    code = ('%sEncoderLayer and %sDecoderLayer'):format(class, class),
    d_model = { keys = { 'd_model' } },
    head = { tied = true, at = model_type == 'whisper' and 'proj_out' or nil },
    stacks = { stack 'encoder', stack 'decoder' },
    around = when(is_norm_in_front and before or after, true),
    known = { 'num_hidden_layers', 'normalize_embedding', 'normalize_before',
      'add_final_layer_norm', 'add_bias_logits', 'classif_dropout', 'static_position_embeddings',
      'extra_pos_embeddings', 'share_encoder_decoder_embeddings', 'decoder_vocab_size',
      'apply_spec_augment', 'classifier_proj_size', 'mask_feature_length',
      'mask_feature_min_masks', 'mask_feature_prob', 'mask_time_length', 'mask_time_min_masks',
      'mask_time_prob', 'max_source_positions', 'max_target_positions', 'median_filter_width',
      'num_mel_bins', 'use_weighted_layer_sum' },
  })
end

return {
  family.like(opt, {
    model_types = { 'opt' }, classes = { 'OPT' },
    code = 'OPTDecoderLayer',
    stacks = { { at = { 'decoder.layers', 'model.decoder.layers' },
      count = { 'num_hidden_layers' } } },
    bias = { keys = { 'enable_bias' }, default = true },
    around = both,
  }),
  family.like(opt, {
    model_types = { 'xglm' }, classes = { 'XGLM' },
    code = 'XGLMDecoderLayer',
    stacks = { { at = { 'layers', 'model.layers' }, count = { 'num_layers' } } },
    d_model = { keys = { 'd_model' } },
    around = when(before, true),
  }),
  family.like(opt, {
    model_types = { 'biogpt' }, classes = { 'BioGpt' },
    head = { tied = true, at = 'output_projection' },
    code = 'BioGptDecoderLayer',
    stacks = { { at = { 'layers', 'biogpt.layers' }, count = { 'num_hidden_layers' } } },
    d_ff = { keys = { 'intermediate_size' } }, activation = { keys = { 'hidden_act' } },
    around = {
      { place = 'before', what = 'LayerNorm', tensor = norm, text = 'eps 1e-05' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
  }),
  both_ways('bart', 'Bart', false),
  both_ways('marian', 'Marian', false),
  both_ways('mbart', 'MBart', true),
  both_ways('pegasus', 'Pegasus', true),
  both_ways('m2m_100', 'M2M100', true),
  both_ways('whisper', 'Whisper', true),
}
