--- Mistral and Ministral.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local stacks = {
  { at = { 'model.language_model.layers', 'language_model.model.layers', 'language_model.layers' },
    count = { 'num_hidden_layers' } },
}

return {
  family.like(blocks.llama, {
    model_types = { 'mistral' }, classes = { 'Mistral' },
    gguf = { { 'mistral3', 'adjacent', bias = 'either', experts = true,
      router = { gating = 'softmax', norm = true } } },
  }),
  family.like(blocks.llama, {
    model_types = { 'ministral' }, classes = { 'Ministral' },
  }),
  family.like(blocks.llama, {
    model_types = { 'ministral3' }, classes = { 'Ministral3' },
  }),
  family.like(blocks.llama, {
    model_types = { 'mistral3' }, classes = { 'Mistral3' }, nested = 'text_config', stacks = stacks,
    head = {},
    nested_types = { 'mistral', 'ministral3' },
    code = 'whose text model is Mistral or Ministral3',
    known = { 'vision_config', 'multimodal_projector_bias', 'projector_hidden_act',
      'spatial_merge_size', 'vision_feature_layer' },
  }),
}
