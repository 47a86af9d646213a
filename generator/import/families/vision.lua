--- Transformers of pictures, and of the texts beside them: ViT, CLIP, SigLIP.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local function stack(of, nested)
  return { at = { of .. '.encoder.layers' }, count = { 'num_hidden_layers' }, nested = nested }
end

local function clip(prefix, class, directory)
  local source = ('transformers: models/%s/modeling_%s.py, %sMLP'):format(directory, directory,
    class)
  return family.like(blocks.clip, {
    model_types = { prefix .. '_text_model' }, classes = { class }, source = source,
    stacks = { stack 'text_model' },
  }), family.like(blocks.clip, {
    model_types = { prefix .. '_vision_model' }, classes = { class }, source = source,
    stacks = { stack 'vision_model' },
  }), family.like(blocks.clip, {
    model_types = { prefix }, classes = { class }, source = source,
    stacks = { stack('text_model', 'text_config'), stack('vision_model', 'vision_config') },
    known = { 'text_config_dict', 'vision_config_dict' },
  })
end

local clip_text, clip_vision, clip_both = clip('clip', 'CLIP', 'clip')
local siglip_text, siglip_vision, siglip_both = clip('siglip', 'Siglip', 'siglip')

local function vit(model_type, class)
  return family.like(blocks.bert, {
    model_types = { model_type }, classes = { class },
    source = ('transformers: models/%s/modeling_%s.py, %sIntermediate and %sOutput'):format(
      model_type, model_type, class, class),
    stacks = { { at = { 'encoder.layer', model_type .. '.encoder.layer' },
      count = { 'num_hidden_layers' } } },
    around = blocks.norm_before('LayerNorm', 'layernorm_after.weight', 'layer_norm_eps'),
    beside = { 'layernorm_before', 'layernorm_after' },
  })
end

return {
  clip_text, clip_vision, clip_both, siglip_text, siglip_vision, siglip_both,
  vit('vit', 'ViT'), vit('deit', 'DeiT'),
}
