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

local depth = '1.4 / sqrt(block_count)' -- of llama.cpp

local hybrid_names = {
  fused = 'shared_mlp.input_linear', order = 'gate first', down = 'shared_mlp.output_linear',
}

local function granite_hybrid(fields)
  return family.like(family.like(blocks.llama, {
    model_types = { 'granitemoehybrid' }, classes = { 'GraniteMoeHybrid' },
    beside = { 'mamba' },
    known = { 'residual_multiplier', 'mamba_n_heads', 'mamba_n_groups', 'mamba_d_state',
      'mamba_d_head', 'mamba_d_conv', 'mamba_expand', 'mamba_chunk_size', 'mamba_conv_bias',
      'mamba_proj_bias', 'time_step_limit', 'layers_block_type', 'normalization_function' },
  }), fields)
end

return {
  family.like(blocks.llama, {
    model_types = { 'granite' }, classes = { 'Granite' },
    gguf = { { 'granite', 'adjacent', bias = 'either', residual = 'residual_scale' } },
    code = 'GraniteMLP and GraniteDecoderLayer',
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
    experts = family.experts {
      count = { 'num_experts' },
      forms = { { gate = 'mlp.experts.{expert}.w1', up = 'mlp.experts.{expert}.w3',
        down = 'mlp.experts.{expert}.w2' } },
      router = { score = 'softmax', normalise = true },
    },
  }),
  family.like(family.like(blocks.llama, minicpm), {
    gguf = { { 'minicpm', 'adjacent', source = 'granite', bias = 'either',
      residual = 'residual_scale', residual_else = depth } },
  }),
  family.like(family.like(blocks.llama, minicpm), {
    model_types = { 'minicpm3' }, classes = { 'MiniCPM3' },
    source = 'transformers: models/minicpm3/modeling_minicpm3.py, MiniCPM3MLP',
    gguf = { { 'minicpm3', 'halves', residual_else = depth } },
    head = { tied = true },
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  granite_hybrid {
    where = { key = 'num_local_experts', is = 0 },
    d_ff = { keys = { 'shared_intermediate_size' } },
    names = hybrid_names,
    around = {
      { place = 'before', what = 'RMSNorm', tensor = 'post_attention_layernorm.weight',
        text = 'eps {rms_norm_eps}' },
      { place = 'after', what = 'residual multiplier', text = 'x + y * {residual_multiplier}' },
    },
    known = { 'num_experts_per_tok', 'intermediate_size' },
  },
  granite_hybrid {
    code = 'GraniteMoeHybridExperts',
    experts = family.experts {
      forms = { { fused = 'block_sparse_moe.input_linear', order = 'gate first',
        down = 'block_sparse_moe.output_linear', stacked = true } },
      router_at = { 'block_sparse_moe.router.layer' },
      shared = { keys = { 'shared_intermediate_size' }, at = 'shared_mlp',
        names = hybrid_names },
      router = { score = 'softmax of those chosen' },
      text = 'the sum with the shared expert is multiplied by residual_multiplier = '
        .. '{residual_multiplier} before it is added to the residual',
    },
  },
}
