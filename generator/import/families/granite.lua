--- Granite and MiniCPM: what the layer gives is multiplied before it is added.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local norm = {
  place = 'before', what = 'RMSNorm', tensor = 'post_attention_layernorm.weight',
  text = 'eps {rms_norm_eps}',
}
local minicpm = {
  model_types = { 'minicpm' }, classes = { 'MiniCPM' },
  head = {},
  source = 'openbmb/MiniCPM-2B: modeling_minicpm.py, MiniCPMMLP and MiniCPMDecoderLayer',
  around = {
    norm,
    { place = 'after', what = 'residual multiplier',
      text = 'x + y * {scale_depth} / sqrt({num_hidden_layers})' },
    { place = 'beside', what = 'logit multiplier',
      text = 'logits * {dim_model_base} / {hidden_size}; embeddings * {scale_emb}' },
  },
  known = { 'scale_depth', 'mup_denominator', 'residual_multiplier', 'mlp_bias' },
}

return {
  family.like(blocks.llama, {
    model_types = { 'granite' }, classes = { 'Granite' },
    source = 'transformers: models/granite/modeling_granite.py, GraniteMLP and GraniteDecoderLayer',
    bias = { keys = { 'mlp_bias' }, default = false },
    around = {
      norm,
      { place = 'after', what = 'residual multiplier', text = 'x + y * {residual_multiplier}' },
      { place = 'beside', what = 'logit multiplier',
        text = 'logits / {logits_scaling}; embeddings * {embedding_multiplier}' },
    },
    known = { 'residual_multiplier' },
  }),
  family.like(family.like(blocks.llama, minicpm), {
    needs = 'num_experts',
    experts = {
      count = { 'num_experts' }, used = { 'num_experts_per_tok' },
      d_ff = { keys = { 'intermediate_size' } }, dense = { none = true },
      forms = { { gate = 'mlp.experts.{expert}.w1', up = 'mlp.experts.{expert}.w3',
        down = 'mlp.experts.{expert}.w2' } },
      beside = { 'mlp.gate' },
      router = { score = 'softmax', normalise = true },
    },
  }),
  family.like(blocks.llama, minicpm),
  family.like(family.like(blocks.llama, minicpm), {
    model_types = { 'minicpm3' }, classes = { 'MiniCPM3' },
    head = { tied = true },
    source = 'transformers: models/minicpm3/modeling_minicpm3.py, MiniCPM3MLP',
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
}
