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
    source = 'transformers: models/mistral/modeling_mistral.py, MistralMLP',
  }),
  family.like(blocks.llama, {
    model_types = { 'ministral' }, classes = { 'Ministral' },
    source = 'transformers: models/ministral/modeling_ministral.py, MinistralMLP',
  }),
  family.like(blocks.llama, {
    model_types = { 'ministral3' }, classes = { 'Ministral3' },
    source = 'transformers: models/ministral3/modeling_ministral3.py, Ministral3MLP',
  }),
  family.like(blocks.llama, {
    model_types = { 'mistral3' }, classes = { 'Mistral3' }, nested = 'text_config', stacks = stacks,
    head = {},
    nested_types = { 'mistral', 'ministral3' },
    source = 'transformers: models/mistral3/modeling_mistral3.py, whose text model is Mistral or '
      .. 'Ministral3',
    known = { 'vision_config', 'multimodal_projector_bias', 'projector_hidden_act',
      'spatial_merge_size', 'vision_feature_layer' },
  }),
}
