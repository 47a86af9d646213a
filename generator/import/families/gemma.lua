--- Gemma: hidden_activation tells, and where the first ones' hidden_act says gelu, tanh is meant.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

--- What the first one's code reads: of two keys, which may disagree, the first that is there. The
--- gelu of the older key means the tanh form.
local function told_by_either(config, keys)
  local name, key = config:first(keys)
  return name, key, key == 'hidden_act' and name == 'gelu' and 'gelu_pytorch_tanh' or nil
end

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

--- Where a key says so, the last layers are twice as wide: those that have no k and v of their own.
local function widths_of(config, d_ff, because, layers)
  local key, last = 'use_double_wide_mlp', 'num_kv_shared_layers'
  local is_wide, shared = config:get(key), config:get_or(last, 0)
  if not is_wide then return { { d_ff, because, layers } } end
  if is_wide ~= true then config:refuse_value(key, is_wide, 'true or false') end
  if math.type(shared) ~= 'integer' or shared < 0 or shared > #layers then
    config:refuse_value(last, shared, ('a number of layers, from 0 to %d'):format(#layers))
  end
  local narrow = #layers - shared
  return {
    { d_ff, because, table.move(layers, 1, narrow, 1, {}) },
    { 2 * d_ff, ('%s, twice: %s, of the last %d layers'):format(because, config:name(key), shared),
      table.move(layers, narrow + 1, #layers, 1, {}) },
  }
end

local gemma4 = family.like(gemma2, {
  widths = widths_of,
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

-- In llama.cpp: experts beside a layer that every token passes.
local last = {
  { 'after', 'RMSNorm', 'post_ffw_norm', 'before the residual is added' },
  { 'after', 'scale', 'layer_output_scale', 'this number multiplies what the block gives, the '
    .. 'residual and per-layer embeddings included', is_silent = true },
}
local function between(before, after, text)
  return { { 'before', 'RMSNorm', before }, { 'after', 'RMSNorm', after, text },
    table.unpack(last) }
end
local gemma4_blocks = {
  'gemma4', 'halves', experts = true,
  around = { { 'before', 'RMSNorm', 'ffn_norm' }, table.unpack(last) },
  beside = {
    dense = between('ffn_norm', 'post_ffw_norm_1', 'then what the experts give is added'),
    experts = between('pre_ffw_norm_2', 'post_ffw_norm_2', 'of the sum of the experts; then what '
      .. 'the layer beside them gives is added'),
  },
  router = { gating = 'softmax', norm = true, takes = 'the residual through an RMSNorm without '
    .. 'numbers of its own, divided by sqrt(embedding_length), times ffn_gate_inp.scale' },
  scales = {
    { 'ffn_gate_inp', 'multiplies what the router takes' },
    { 'ffn_down_exps', 'what an expert gives is multiplied by its number here, too' },
  },
  hosts = { { 'inp_gate', 'embeddings' }, { 'proj', 'embeddings' }, { 'post_norm', 'norms' } },
  v_is_k = true,
}

return {
  family.like(blocks.llama, {
    model_types = { 'gemma' }, classes = { 'Gemma' },
    gguf = { { 'gemma', 'halves', activation = 'gelu_tanh' } },
    head = { tied = true },
    source = 'transformers: models/gemma/configuration_gemma.py; huggingface/transformers#29402, '
      .. 'google/gemma_pytorch#37: its gelu is the tanh form',
    activation = { keys = { 'hidden_activation', 'hidden_act' }, told = told_by_either },
    around = blocks.norm_of_one_more('RMSNorm', 'post_attention_layernorm.weight', 'rms_norm_eps'),
    known = { 'hidden_act' },
  }),
  family.like(gemma2, {
    model_types = { 'gemma2' }, classes = { 'Gemma2' },
    gguf = { { 'gemma2', 'halves' } },
  }),
  family.like(gemma2, {
    model_types = { 'vaultgemma' }, classes = { 'VaultGemma' },
    around = { blocks.gemma_norms[1], blocks.gemma_norms[3] }, -- and no norm behind
  }),
  family.like(gemma2, {
    model_types = { 'gemma3_text' }, classes = { 'Gemma3' },
    gguf = { { 'gemma3', 'halves' }, { 'gemma-embedding', 'halves', head = false } },
    source = 'transformers: models/gemma3/modeling_gemma3.py, Gemma3MLP',
  }),
  family.like(gemma2, {
    model_types = { 'gemma3' }, classes = { 'Gemma3' }, nested = 'text_config', stacks = inside,
    nested_types = { 'gemma3_text' },
    known = { 'vision_config' },
  }),
  family.like(gemma4, {
    model_types = { 'gemma4_text' }, classes = { 'Gemma4' }, gguf = { gemma4_blocks },
    source = 'transformers: models/gemma4/modeling_gemma4.py, Gemma4TextMLP',
  }),
  family.like(gemma4, {
    model_types = { 'gemma4' }, classes = { 'Gemma4' }, nested = 'text_config', stacks = inside,
    nested_types = { 'gemma4_text' },
    code = 'Gemma4TextMLP',
  }),
  {
    model_types = { 'gemma3n', 'gemma3n_text' },
    gguf = { { 'gemma3n',
      refused = 'its activations are made sparse by their mean and deviation' } },
    code = 'Gemma3nTextMLP',
    refused = 'between gate and activation it cuts off what is below a quantile of the row '
      .. '(activation_sparsity_pattern), which is no activation of numbers alone',
  },
}
