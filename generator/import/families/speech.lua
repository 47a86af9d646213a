--- Encoders of sound: wav2vec 2.0, and the one of data2vec that is made like it.
local family = require 'import.family'

local norm = 'final_layer_norm.weight'
local after = { place = 'after', what = 'LayerNorm', tensor = norm,
  text = 'of the residual x + y, eps {layer_norm_eps}' }
local residual = { place = 'after', what = 'residual', text = 'x + y' }

local function stable(around, is)
  return family.like(around, { when = { key = 'do_stable_layer_norm', is = is, default = false } })
end

local function speech(prefix, fields)
  return family.like(family.like({
    stacks = { { at = { 'encoder.layers', prefix .. '.encoder.layers' },
      count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_act' } },
    bias = true,
    names = { up = 'feed_forward.intermediate_dense', down = 'feed_forward.output_dense' },
    beside = { 'attention', 'layer_norm', 'final_layer_norm' },
    known = { 'feat_proj_dropout', 'final_dropout', 'feat_extract_activation', 'conv_dim',
      'conv_stride', 'conv_kernel', 'conv_bias', 'num_conv_pos_embeddings',
      'num_conv_pos_embedding_groups', 'num_feat_extract_layers', 'mask_time_prob',
      'mask_time_length', 'mask_time_min_masks', 'mask_feature_prob', 'mask_feature_length',
      'mask_feature_min_masks', 'ctc_loss_reduction', 'ctc_zero_infinity',
      'use_weighted_layer_sum', 'classifier_proj_size', 'tdnn_dim', 'tdnn_kernel',
      'tdnn_dilation', 'xvector_output_dim', 'add_adapter', 'adapter_kernel_size',
      'adapter_stride', 'num_adapter_layers', 'output_hidden_size' },
  }, { around = { residual, after } }), fields)
end

return {
  speech('wav2vec2', {
    model_types = { 'wav2vec2' }, classes = { 'Wav2Vec2' },
    code = 'Wav2Vec2FeedForward',
    around = {
      stable({ place = 'before', what = 'LayerNorm', tensor = norm,
        text = 'eps {layer_norm_eps}' }, true),
      residual, stable(after, false),
      stable({ place = 'after', what = 'adapter', tensor = 'adapter_layer.norm.weight',
        optional = true, text = 'added to the residual x + y: linear_2(relu(linear_1(its '
          .. 'LayerNorm, eps 1e-05)))' }, true),
    },
    beside = { 'adapter_layer' },
    known = { 'feat_quantizer_dropout', 'feat_extract_norm', 'apply_spec_augment',
      'num_codevectors_per_group', 'num_codevector_groups', 'contrastive_logits_temperature',
      'num_negatives', 'codevector_dim', 'proj_codevector_dim', 'diversity_loss_weight',
      'adapter_attn_dim' },
  }),
  speech('data2vec_audio', {
    model_types = { 'data2vec-audio' }, classes = { 'Data2VecAudio' },
    source = 'transformers: models/data2vec/modeling_data2vec_audio.py, Data2VecAudioFeedForward',
    known = { 'conv_pos_kernel_size' },
  }),
}
