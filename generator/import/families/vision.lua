--- Transformers of pictures, and of the texts beside them: ViT, CLIP, SigLIP.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local function stack(of, nested)
  return { at = { of .. '.encoder.layers' }, count = { 'num_hidden_layers' }, nested = nested }
end

local function clip(prefix, class, gguf)
  local source = ('transformers: models/%s/modeling_%s.py, %sMLP'):format(prefix, prefix, class)
  return family.like(blocks.clip, {
    model_types = { prefix .. '_text_model' }, classes = { class }, source = source,
    stacks = { stack 'text_model' },
  }), family.like(blocks.clip, {
    model_types = { prefix .. '_vision_model' }, classes = { class }, source = source,
    stacks = { stack 'vision_model' },
  }), family.like(blocks.clip, {
    model_types = { prefix }, classes = { class }, gguf = gguf,
    stacks = { stack('text_model', 'text_config'), stack('vision_model', 'vision_config') },
    known = { 'text_config_dict', 'vision_config_dict' },
  })
end

local clip_text, clip_vision, clip_both = clip('clip', 'CLIP', {
  { 'clip', refused = 'it is a projector of images or sound beside a model, and none itself' },
})
local siglip_text, siglip_vision, siglip_both = clip('siglip', 'Siglip')

local function vit(model_type, class)
  return family.like(blocks.bert, {
    model_types = { model_type }, classes = { class },
    code = ('%sIntermediate and %sOutput'):format(class, class),
    stacks = { { at = { 'encoder.layer', model_type .. '.encoder.layer' },
      count = { 'num_hidden_layers' } } },
    around = blocks.norm_before('LayerNorm', 'layernorm_after.weight', 'layer_norm_eps'),
    beside = { 'layernorm_before', 'layernorm_after' },
  })
end

--- DINOv2: its width is a ratio, of which a layer with a gate has two thirds in eights; vectors
--- multiply what layers give.
local function dinov2(fields)
  return family.like({
    model_types = { 'dinov2' }, classes = { 'Dinov2' },
    stacks = { { at = { 'encoder.layer', 'dinov2.encoder.layer' },
      count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } },
    bias = true,
    around = {
      { place = 'before', what = 'LayerNorm', tensor = 'norm2.weight',
        text = 'eps {layer_norm_eps}' },
      { place = 'after', what = 'scales', tensor = 'layer_scale2.lambda1',
        text = 'y times these, before the residual' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
    beside = { 'norm1', 'norm2', 'attention', 'layer_scale1', 'layer_scale2' },
    known = { 'layerscale_value', 'out_features', 'out_indices', 'stage_names', 'apply_layernorm',
      'reshape_hidden_states', 'use_mask_token', 'hidden_act' },
  }, fields)
end
local function ratio_of(config, d_model)
  local ratio = config:number('mlp_ratio', 4)
  local width = math.floor(d_model * ratio)
  return width, ('hidden_size times mlp_ratio = %g'):format(ratio)
end
local function two_thirds_of(config, d_model)
  local whole, because = ratio_of(config, d_model)
  return (math.floor(whole * 2 / 3) + 7) // 8 * 8, because .. ', two thirds of it, up to eights'
end

return {
  dinov2 {
    where = { key = 'use_swiglu_ffn', is = false, default = false },
    d_ff = { keys = { 'mlp_ratio' }, width = ratio_of },
    activation = { keys = { 'hidden_act' } },
    names = { up = 'mlp.fc1', down = 'mlp.fc2' },
  },
  dinov2 {
    code = 'Dinov2SwiGLUFFN; conversion_mapping.py: weights_in has the rows of gate, then those '
      .. 'of up',
    where = { key = 'use_swiglu_ffn', is = true },
    d_ff = { keys = { 'mlp_ratio' }, width = two_thirds_of },
    activation = { implied = 'silu' }, gated = true,
    names = { fused = 'mlp.weights_in', order = 'gate first', down = 'mlp.weights_out' },
  },
  family.like(blocks.bert, {
    model_types = { 'data2vec-vision' }, classes = { 'Data2VecVision' },
    source = 'transformers: models/data2vec/modeling_data2vec_vision.py, '
      .. 'Data2VecVisionIntermediate and Data2VecVisionOutput',
    stacks = { { at = { 'encoder.layer', 'data2vec_vision.encoder.layer' },
      count = { 'num_hidden_layers' } } },
    around = {
      { place = 'before', what = 'LayerNorm', tensor = 'layernorm_after.weight',
        text = 'eps {layer_norm_eps}' },
      { place = 'after', what = 'scales', tensor = 'lambda_2', optional = true,
        text = 'y times these, before the residual' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
    beside = { 'layernorm_before', 'layernorm_after', 'lambda_1', 'lambda_2' },
    known = { 'use_mask_token', 'use_absolute_position_embeddings', 'use_relative_position_bias',
      'use_shared_relative_position_bias', 'layer_scale_init_value', 'use_mean_pooling',
      'out_indices', 'pool_scales', 'use_auxiliary_head', 'auxiliary_loss_weight',
      'auxiliary_channels', 'auxiliary_num_convs', 'auxiliary_concat_input',
      'semantic_loss_ignore_index' },
  }),
  clip_text, clip_vision, clip_both, siglip_text, siglip_vision, siglip_both,
  vit('vit', 'ViT'), vit('deit', 'DeiT'),
}
