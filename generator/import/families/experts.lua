--- Mixtures of experts: a spec for all of them, which are parts of one layer, and one for the dense
--- layers among them.
local blocks = require 'import.family_blocks'
local family = require 'import.family'
local lists = require 'common.list'

local stacked = {
  fused = 'mlp.experts.gate_up_proj', order = 'gate first', down = 'mlp.experts.down_proj',
  stacked = true, bare = true,
}
local sparse = {
  { gate = 'block_sparse_moe.experts.{expert}.w1', up = 'block_sparse_moe.experts.{expert}.w3',
    down = 'block_sparse_moe.experts.{expert}.w2' },
  stacked,
}
local softmax = { score = 'softmax', normalise = true }
local by_key = { key = 'norm_topk_prob', default = false }
-- Its class has keys that say the same, and reads none of them.
local corrected = {
  score = 'sigmoid', correction = 'mlp.gate.e_score_correction_bias', groups = 'two largest',
  group_counts = { 8, 4 }, normalise = { key = 'norm_topk_prob', default = true },
  epsilon = 1e-20, scale = { key = 'routed_scaling_factor', default = 2.5 },
  agrees = { scoring_func = 'sigmoid', topk_method = 'noaux_tc' },
}
-- A router of which keys of a GGUF file tell more.
local told_by_file = { gating_key = true, norm = false, norm_key = true, scale_key = true }
local width = { keys = { 'moe_intermediate_size' } }
local inside = {
  { at = { 'model.language_model.layers', 'language_model.layers' },
    count = { 'num_hidden_layers' } },
}

local qwen_count = { 'num_experts', 'num_local_experts' }
local qwen_dense = { step = 'decoder_sparse_step', listed = 'mlp_only_layers' }

--- Experts beside one that every token passes, whose result has a gate.
local function qwen_experts(normalise, fields)
  return family.like(family.experts {
    count = qwen_count, d_ff = width, dense = qwen_dense,
    shared = { keys = { 'shared_expert_intermediate_size' }, at = 'mlp.shared_expert' },
    shared_gate = 'mlp.shared_expert_gate',
    router = { score = 'softmax', normalise = normalise },
  }, fields or {})
end

local function qwen(fields)
  return family.like(family.like(blocks.llama, {
    beside = { 'linear_attn' },
    known = { 'norm_topk_prob', 'linear_conv_kernel_dim', 'linear_key_head_dim',
      'linear_num_key_heads', 'linear_num_value_heads', 'linear_value_head_dim',
      'full_attention_interval', 'vision_config', 'attn_output_gate', 'mtp_num_hidden_layers',
      'mtp_use_dedicated_embeddings', 'mamba_ssm_dtype' },
  }), fields)
end

local function qwen3_vl(fields)
  return family.like(family.like(blocks.llama, {
    source = 'transformers: models/qwen3_vl_moe/modeling_qwen3_vl_moe.py, Qwen3VLMoeTextExperts; '
      .. 'conversion_mapping.py: its own files have [expert][in][out], which are turned where '
      .. 'shapes say so',
    experts = family.experts {
      count = qwen_count, d_ff = width, dense = qwen_dense, router = softmax,
      forms = { { fused = 'mlp.experts.gate_up_proj', order = 'gate first',
        down = 'mlp.experts.down_proj', stacked = true, bare = true, in_out = 'by shape' } },
    },
    known = { 'norm_topk_prob' }, -- its class always divides
  }), fields)
end

-- Its class always divides, and has no dense layers.
local qwen3_5 = qwen_experts(true, { dense = { none = true } })
-- Norms of it and of Qwen3-Next multiply by one more than they store.
local one_more = blocks.norm_of_one_more('RMSNorm', 'post_attention_layernorm.weight',
  'rms_norm_eps')
-- Qwen3NextAttention: chunk(2) of each head.
local with_gate = { rows = { q = 'rows of q: for each head q, then its gate' } }
--- What llama.cpp builds of blocks with linear attention.
local function linear_attention(name, experts)
  return { name, 'halves', experts = experts, around = 'post_attention_norm',
    hosts = { { 'ssm_', 'attention' } }, q_rows = with_gate.rows.q }
end
local qwen3_5_known = { 'decoder_sparse_step', 'mlp_only_layers' }

local function deepseek_experts(router)
  return family.experts {
    count = { 'n_routed_experts' }, d_ff = width,
    dense = { first = 'first_k_dense_replace', step = 'moe_layer_freq' },
    shared = { keys = { 'moe_intermediate_size' }, times = 'n_shared_experts',
      at = 'mlp.shared_experts' },
    router = router,
  }
end

local function deepseek(fields)
  return family.like(family.like(blocks.llama, {
    known = { 'norm_topk_prob', 'routed_scaling_factor', 'scoring_func', 'topk_group',
      'topk_method', 'n_group', 'num_nextn_predict_layers' },
    beyond = 'num_nextn_predict_layers',
  }), fields)
end

--- Models made like DeepSeek's, whose layers a list calls dense or sparse; without it the first
--- `leading` are dense, or as many as `first` says.
local function listed(leading, first, router, fields)
  local experts = deepseek_experts(family.like(corrected, router))
  experts.dense = { types = 'mlp_layer_types', first = first, leading = leading }
  if fields.shared == false then
    experts.shared, fields.shared = nil, nil
  end
  return deepseek(family.like({ experts = experts }, fields))
end
local one_group = { group_counts = { 1, 1 } }
local indexed = { 'index_topk', 'index_head_dim', 'index_n_heads', 'indexer_types',
  'index_topk_pattern', 'index_topk_freq', 'index_skip_topk_offset' }

-- What llama.cpp has around the layers of Grok.
local rms = { 'before', 'RMSNorm', 'ffn_norm' }
local last = { 'after', 'RMSNorm', 'layer_output_norm', 'before the residual is added',
  other = 'post_ffw_norm' }
local sum = { 'after', 'sum', false, 'what experts give and what the layer beside them gives are '
  .. 'added, times sqrt(1 / 2), before the norm' }
local beside = { rms, sum, last }

local function llama4(fields)
  return family.like(family.like(blocks.llama, {
    source = 'transformers: models/llama4/modeling_llama4.py, Llama4TextExperts: [expert][in][2 '
      .. 'out], gate first; dense layers are of intermediate_size_mlp',
    d_ff = { keys = { 'intermediate_size_mlp' } },
    names = { gate = 'feed_forward.gate_proj', up = 'feed_forward.up_proj',
      down = 'feed_forward.down_proj' },
    experts = family.experts {
      forms = {
        { fused = 'feed_forward.experts.gate_up_proj', order = 'gate first',
          down = 'feed_forward.experts.down_proj', stacked = true, bare = true, in_out = true },
        -- As llm-compressor saves them, which packs linear layers.
        { gate = 'feed_forward.experts.{expert}.gate_proj',
          up = 'feed_forward.experts.{expert}.up_proj',
          down = 'feed_forward.experts.{expert}.down_proj' },
      },
      router_at = { 'feed_forward.router' },
      dense = { every = 'interleave_moe_layer_step', listed = 'moe_layers' },
      shared = { keys = { 'intermediate_size' }, at = 'feed_forward.shared_expert' },
      router = { score = 'sigmoid', on_input = true },
    },
  }), fields)
end

return {
  family.like(blocks.llama, {
    model_types = { 'mixtral' }, classes = { 'Mixtral' },
    gguf = { { 'grok', 'halves', activation = 'gelu_tanh', experts = true, around = { rms, last },
      beside = { dense = beside, experts = beside },
      router = { own = 'the model\'s own code does not divide (xai-org/grok-1: model.py, '
        .. 'MoELayer)' },
    } },
    code = 'MixtralExperts: w2(silu(w1(x)) * w3(x))',
    experts = family.experts {
      forms = sparse,
      router_at = { 'block_sparse_moe.gate', 'mlp.gate' }, router = softmax,
    },
  }),
  family.like(blocks.llama, {
    model_types = { 'olmoe' }, classes = { 'Olmoe' },
    gguf = { { 'olmoe', 'halves' } },
    code = 'OlmoeExperts',
    experts = family.experts {
      count = { 'num_experts' },
      router = { score = 'softmax', normalise = by_key },
    },
    known = { 'norm_topk_prob' },
  }),
  family.like(blocks.llama, {
    model_types = { 'phimoe' }, classes = { 'Phimoe', 'PhiMoE' },
    gguf = { { 'phimoe', 'halves', source = 'phi3', router = { gating = 'softmax', norm = true,
      own = 'the model\'s own code chooses one after the other and weights each among those near '
        .. 'it (transformers: models/phimoe/modeling_phimoe.py, sparsemixer)' } } },
    code = 'PhimoeExperts',
    experts = family.experts {
      forms = sparse,
      router_at = { 'block_sparse_moe.gate', 'mlp.router' },
      router = { score = 'sparsemixer', noise = { key = 'router_jitter_noise', default = 0.01 } },
    },
    around = blocks.norm_before('LayerNorm', 'post_attention_layernorm.weight', 'rms_norm_eps'),
  }),
  family.like(blocks.llama, {
    model_types = { 'granitemoe' }, classes = { 'GraniteMoe' },
    gguf = { { 'granitemoe', 'adjacent', source = 'granite', residual = 'residual_scale',
      router = { gating = 'softmax', norm = true } } },
    code = 'GraniteMoeExperts',
    experts = family.experts {
      forms = { { fused = 'block_sparse_moe.input_linear', order = 'gate first',
        down = 'block_sparse_moe.output_linear', stacked = true } },
      router_at = { 'block_sparse_moe.router.layer' },
      router = { score = 'softmax of those chosen' },
      text = 'the sum is multiplied by residual_multiplier = {residual_multiplier} before it is '
        .. 'added to the residual',
    },
  }),
  deepseek {
    model_types = { 'glm4_moe' }, classes = { 'Glm4Moe' },
    gguf = { { 'glm4moe', 'halves', source = 'glm4-moe', around = 'post_attention_norm',
      router = told_by_file } },
    experts = deepseek_experts(family.like(corrected, {
      group_counts = { 1, 1 }, scale = { key = 'routed_scaling_factor', default = 1 },
    })),
  },
  listed(1, nil, family.like(one_group, { scale = { key = 'routed_scaling_factor',
    default = 1.8 } }), {
    model_types = { 'glm4_moe_lite' }, classes = { 'Glm4MoeLite' },
    code = 'Glm4MoeLiteMoE',
    known = { 'first_k_dense_replace' }, -- its class reads the list alone
  }),
  listed(3, 'first_k_dense_replace', one_group, {
    model_types = { 'glm_moe_dsa' }, classes = { 'GlmMoeDsa' },
    code = 'GlmMoeDsaMoE',
    known = lists.append({ 'mlp_bias' }, indexed), -- no matrix of its class has one
  }),
  listed(3, 'first_k_dense_replace', {}, {
    model_types = { 'deepseek_v32' }, classes = { 'DeepseekV32' },
    code = 'DeepseekV32MoE',
    known = lists.append({ 'mlp_bias' }, indexed),
  }),
  listed(1, nil, family.like(one_group, { scale = { key = 'routed_scaling_factor',
    default = 1 } }), {
    model_types = { 'mimo_v2_flash' }, classes = { 'MiMoV2Flash' },
    code = 'MiMoV2FlashMoE',
    shared = false, known = { 'attention_value_scale' },
  }),
  family.like(blocks.llama, {
    model_types = { 'ernie4_5_moe' }, classes = { 'Ernie4_5_Moe' }, head = { tied = true },
    gguf = { { 'ernie4_5-moe', 'adjacent', source = 'ernie4-5-moe' } },
    code = 'Ernie4_5_MoeExperts; conversion_mapping.py: its files have moe_statics beside the gate',
    bias = { keys = { 'use_bias' }, default = false },
    experts = family.experts {
      count = { 'moe_num_experts', 'num_experts' }, used = { 'moe_k', 'num_experts_per_tok' },
      d_ff = width,
      dense = { every = 'moe_layer_interval', from = 'moe_layer_start_index', from_default = 1,
        to = 'moe_layer_end_index' },
      shared = { keys = { 'moe_intermediate_size' }, times = 'moe_num_shared_experts',
        default = 2, at = 'mlp.shared_experts' },
      router = { score = 'softmax', correction = 'mlp.moe_statics.e_score_correction_bias',
        normalise = true, floor = { key = 'moe_norm_min', default = 1e-12 } },
    },
  }),
  deepseek {
    model_types = { 'dots1' }, classes = { 'Dots1' },
    gguf = { { 'dots1', 'halves', router = told_by_file } },
    code = 'Dots1MoE',
    experts = deepseek_experts(family.like(corrected, {
      group_counts = { 1, 1 }, normalise = { key = 'norm_topk_prob', default = false },
      scale = { key = 'routed_scaling_factor', default = 1 },
    })),
  },
  deepseek {
    model_types = { 'mistral4' }, classes = { 'Mistral4' },
    code = 'Mistral4MoE',
    experts = deepseek_experts {
      score = 'softmax', groups = 'two largest', group_counts = { 1, 1 }, epsilon = 1e-20,
      normalise = { key = 'norm_topk_prob', default = true },
      scale = { key = 'routed_scaling_factor', default = 1 },
    },
  },
  family.like(blocks.llama, {
    model_types = { 'minimax_m2' }, classes = { 'MiniMaxM2' },
    gguf = { { 'minimax-m2', 'halves' } },
    code = 'MiniMaxM2Experts; conversion_mapping.py: its files call the block block_sparse_moe',
    experts = family.experts {
      count = { 'num_local_experts', 'num_experts' }, forms = sparse,
      router_at = { 'block_sparse_moe.gate', 'mlp.gate' },
      router = { score = 'sigmoid', normalise = true,
        correction = 'block_sparse_moe.e_score_correction_bias',
        also_called = 'mlp.e_score_correction_bias' },
    },
  }),
  qwen {
    model_types = { 'qwen2_moe' }, classes = { 'Qwen2Moe' },
    gguf = { { 'qwen2moe', 'halves' } },
    experts = qwen_experts(by_key),
  },
  qwen {
    model_types = { 'qwen3_moe' }, classes = { 'Qwen3Moe' },
    gguf = { { 'qwen3moe', 'halves', router = { norm = true } } },
    -- Its class has no shared expert, whatever its config says.
    experts = family.experts {
      count = qwen_count, d_ff = width, dense = qwen_dense,
      router = { score = 'softmax', normalise = by_key },
    },
    known = { 'shared_expert_intermediate_size' },
  },
  qwen3_vl { model_types = { 'qwen3_vl_moe_text' }, classes = { 'Qwen3VLMoe' },
    gguf = { { 'qwen3vlmoe', 'halves', source = 'qwen3vl-moe' } } },
  qwen3_vl { model_types = { 'qwen3_vl_moe' }, classes = { 'Qwen3VLMoe' }, nested = 'text_config',
    nested_types = { 'qwen3_vl_moe_text' }, stacks = inside, known = { 'vision_config' } },
  family.like(blocks.llama, {
    model_types = { 'hunyuan_v1_moe' }, classes = { 'HunYuanMoEV1' },
    gguf = { { 'hunyuan-moe', 'halves' } },
    code = 'HunYuanMoEV1Experts and HunYuanMoEV1MLP, both of intermediate_size',
    experts = family.experts {
      count = { 'num_experts' }, used = { 'moe_topk' },
      router_at = { 'mlp.gate.wg' },
      shared = { keys = { 'intermediate_size' }, at = 'mlp.shared_mlp' },
      router = { score = 'softmax', normalise = true },
    },
    -- Keys of its files that its class reads none of.
    known = { 'moe_intermediate_size', 'num_shared_expert', 'moe_drop_tokens',
      'moe_random_routing_dropped_token', 'moe_layer_num_skipped', 'use_mixed_mlp_moe',
      'mlp_bias' },
  }),
  qwen {
    model_types = { 'qwen3_next' }, classes = { 'Qwen3Next' },
    gguf = { linear_attention('qwen3next') },
    experts = qwen_experts { key = 'norm_topk_prob', default = true }, around = one_more,
    attention = with_gate,
  },
  qwen {
    model_types = { 'qwen3_5_moe_text' }, classes = { 'Qwen3_5Moe' },
    gguf = { linear_attention('qwen35moe'), linear_attention('qwen35', false) },
    source = 'transformers: models/qwen3_5_moe/modeling_qwen3_5_moe.py, Qwen3_5MoeMLP',
    experts = qwen3_5, known = qwen3_5_known, around = one_more, attention = with_gate,
  },
  qwen {
    model_types = { 'qwen3_5_moe' }, classes = { 'Qwen3_5Moe' }, nested = 'text_config',
    nested_types = { 'qwen3_5_moe_text' }, stacks = inside,
    experts = qwen3_5, known = qwen3_5_known, around = one_more, attention = with_gate,
  },
  deepseek {
    model_types = { 'deepseek' }, classes = { 'Deepseek' },
    gguf = { { 'deepseek', 'adjacent', router = { scale_key = true } } },
    head = {},
    source = 'deepseek-ai/deepseek-moe-16b-base: modeling_deepseek.py, DeepseekMLP',
    experts = deepseek_experts {
      score = 'softmax', epsilon = 1e-20, agrees = { scoring_func = 'softmax' },
      normalise = { key = 'norm_topk_prob', default = false, several = true },
    },
    must = {
      { key = 'scoring_func', is = 'softmax', default = 'softmax',
        why = 'its class computes no other score' },
    },
  },
  deepseek {
    model_types = { 'deepseek_v2' }, classes = { 'DeepseekV2' },
    gguf = { { 'deepseek2', 'adjacent', router = told_by_file } },
    experts = deepseek_experts {
      score = 'softmax', groups = 'largest', scale = { key = 'routed_scaling_factor', default = 1 },
      groups_where = { key = 'topk_method', is = 'group_limited_greedy', else_is = 'greedy' },
      group_counts = { 1, 1 }, agrees = { scoring_func = 'softmax', norm_topk_prob = false },
    },
    bias = { keys = { 'mlp_bias' }, default = false },
  },
  deepseek {
    model_types = { 'deepseek_v3', 'kimi_k2' }, classes = { 'DeepseekV3' },
    experts = deepseek_experts(corrected),
  },
  {
    model_types = { 'deepseek_v4' }, classes = { 'DeepseekV4' },
    refused = 'it clamps gate and up at swiglu_limit around silu, an activation without a name '
      .. 'here, and mixes rows around the layer (ffn_hc)',
  },
  llama4 { model_types = { 'llama4_text' }, classes = { 'Llama4' }, gguf = { { 'llama4',
    refused = 'its experts\' inputs are weighted by the router, not their outputs' } } },
  llama4 { model_types = { 'llama4' }, classes = { 'Llama4' }, nested = 'text_config',
    nested_types = { 'llama4_text' }, stacks = {
    { at = { 'language_model.model.layers' }, count = { 'num_hidden_layers' } },
  }, known = { 'vision_config' } },
  {
    model_types = { 'gpt_oss' }, classes = { 'GptOss' },
    gguf = { { 'gpt-oss', 'halves', source = 'openai-moe', around = 'post_attention_norm' } },
    code = 'GptOssExperts: gate and up interleaved, clamped at 7, alpha 1.702, up + 1, whatever '
      .. 'hidden_act says',
    stacks = blocks.llama.stacks,
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { own = 'clamped_swiglu' },
    gated = true,
    around = blocks.llama.around, beside = blocks.llama.beside,
    must = {
      { key = 'swiglu_limit', is = 7, default = 7, why = 'the clamps are at 7' },
      { key = 'swiglu_alpha', is = 1.702, default = 1.702, why = 'the factor is 1.702' },
    },
    experts = family.experts {
      count = { 'num_local_experts', 'num_experts' },
      used = { 'num_experts_per_tok', 'experts_per_token' },
      bias = true,
      forms = { { fused = 'mlp.experts.gate_up_proj', order = 'interleaved',
        down = 'mlp.experts.down_proj', stacked = true, bare = true, in_out = true } },
      router_at = { 'mlp.router' },
      router = { score = 'softmax of those chosen', bias = 'mlp.router.bias' },
    },
    known = { 'hidden_act', 'experts_per_token', 'initial_context_length' },
  },
}
