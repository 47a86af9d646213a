--- Gemma: hidden_activation tells, and where the first ones' hidden_act says gelu, tanh is meant.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local gemma2 = family.like(blocks.llama, {
  head = { tied = true },
  activation = { keys = { 'hidden_activation' }, default = 'gelu_pytorch_tanh' },
  around = blocks.gemma_norms,
  beside = { 'pre_feedforward_layernorm', 'post_feedforward_layernorm' },
  known = { 'hidden_act' }, -- their code reads hidden_activation alone
})

local inside = {
  { at = { 'model.language_model.layers', 'language_model.model.layers', 'language_model.layers' },
    count = { 'num_hidden_layers' } },
}

local gemma4 = family.like(gemma2, {
  doubled = { 'use_double_wide_mlp', 'num_kv_shared_layers' },
  attention = { shares = true }, -- num_kv_shared_layers, attention_k_eq_v
  -- Its norms multiply by the weight alone.
  around = {
    { place = 'before', what = 'RMSNorm', tensor = 'pre_feedforward_layernorm.weight',
      text = 'eps {rms_norm_eps}' },
    { place = 'beside', what = 'experts', text = '{num_experts} of {moe_intermediate_size}, '
      .. '{top_k_experts} a token: each of the two results has a norm of its own, and they are '
      .. 'added; the router takes the residual, through an RMSNorm without weights, times '
      .. 'router.scale / sqrt({hidden_size}): scores are the softmax of router.proj\'s logits over '
      .. 'all experts, divided by the sum of those chosen, times router.per_expert_scale',
      when = { key = 'enable_moe_block', is = true, default = false } },
    { place = 'after', what = 'RMSNorm', tensor = 'post_feedforward_layernorm.weight',
      text = 'eps {rms_norm_eps}, before the residual' },
    { place = 'after', what = 'residual', text = 'x + y, then times layer_scalar' },
  },
  beside = { 'layer_scalar', 'per_layer_input_gate', 'per_layer_projection',
    'post_per_layer_input_norm', 'router', 'experts', 'post_feedforward_layernorm_1',
    'post_feedforward_layernorm_2', 'pre_feedforward_layernorm_2' },
  known = { 'hidden_size_per_layer_input', 'per_layer_config', 'enable_moe_block', 'num_experts',
    'top_k_experts', 'moe_intermediate_size', 'vision_config', 'audio_config',
    'vision_soft_tokens_per_image' },
})

return {
  family.like(blocks.llama, {
    model_types = { 'gemma' }, classes = { 'Gemma' },
    head = { tied = true },
    source = 'transformers: models/gemma/configuration_gemma.py; huggingface/transformers#29402, '
      .. 'google/gemma_pytorch#37: its gelu is the tanh form',
    activation = {
      keys = { 'hidden_activation', 'hidden_act' }, means = { gelu = 'gelu_pytorch_tanh' },
      means_of = 'hidden_act', first_wins = true,
    },
    around = {
      { place = 'before', what = 'RMSNorm', tensor = 'post_attention_layernorm.weight',
        text = 'times 1 + weight, eps {rms_norm_eps}' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
    known = { 'hidden_act' },
  }),
  family.like(gemma2, {
    model_types = { 'gemma2' }, classes = { 'Gemma2' },
    source = 'transformers: models/gemma2/modeling_gemma2.py, Gemma2MLP',
  }),
  family.like(gemma2, {
    model_types = { 'vaultgemma' }, classes = { 'VaultGemma' },
    source = 'transformers: models/vaultgemma/modeling_vaultgemma.py, VaultGemmaMLP',
    around = { blocks.gemma_norms[1], blocks.gemma_norms[3] }, -- and no norm behind
  }),
  family.like(gemma2, {
    model_types = { 'gemma3_text' }, classes = { 'Gemma3' },
    source = 'transformers: models/gemma3/modeling_gemma3.py, Gemma3MLP',
  }),
  family.like(gemma2, {
    model_types = { 'gemma3' }, classes = { 'Gemma3' }, nested = 'text_config', stacks = inside,
    nested_types = { 'gemma3_text' },
    source = 'transformers: models/gemma3/modeling_gemma3.py, Gemma3MLP',
    known = { 'vision_config' },
  }),
  family.like(gemma4, {
    model_types = { 'gemma4_text' }, classes = { 'Gemma4' },
    source = 'transformers: models/gemma4/modeling_gemma4.py, Gemma4TextMLP',
  }),
  family.like(gemma4, {
    model_types = { 'gemma4' }, classes = { 'Gemma4' }, nested = 'text_config', stacks = inside,
    nested_types = { 'gemma4_text' },
    source = 'transformers: models/gemma4/modeling_gemma4.py, Gemma4TextMLP',
  }),
  {
    model_types = { 'gemma3n', 'gemma3n_text' },
    source = 'transformers: models/gemma3n/modeling_gemma3n.py, Gemma3nTextMLP',
    refused = 'between gate and activation it cuts off what is below a quantile of the row '
      .. '(activation_sparsity_pattern), which is no activation of numbers alone',
  },
}
