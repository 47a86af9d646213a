--- Blocks of Megatron: GPT-NeoX and Pythia, BLOOM, Falcon, Persimmon.
local blocks = require 'import.family_blocks'

local names = { up = 'mlp.dense_h_to_4h', down = 'mlp.dense_4h_to_h' }
local layernorm = 'post_attention_layernorm.weight'
local fused = { name = 'query_key_value', rows = 'rows: for each head q, then k, then v' }

--- One or the other, as a key says.
local function either(key, default, where_true, where_false)
  local result = {}
  for _, choice in ipairs { { true, where_true }, { false, where_false } } do
    for _, a in ipairs(choice[2]) do
      result[#result + 1] = {
        place = a.place, what = a.what, tensor = a.tensor, text = a.text,
        when = { key = key, is = choice[1], default = default },
      }
    end
  end
  return result
end

return {
  {
    model_types = { 'gpt_neox' }, classes = { 'GPTNeoX' },
    head = { tied = false },
    source = 'transformers: models/gpt_neox/modeling_gpt_neox.py, GPTNeoXMLP and GPTNeoXLayer',
    stacks = { { at = { 'layers', 'gpt_neox.layers' }, count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_act' } }, bias = true, names = names,
    around = either('use_parallel_residual', true, {
      { place = 'before', what = 'LayerNorm', tensor = layernorm,
        text = 'of x, eps {layer_norm_eps}' },
      { place = 'after', what = 'residual', text = 'x + attention + y: a parallel block' },
    }, blocks.norm_before('LayerNorm', layernorm, 'layer_norm_eps')),
    beside = { 'attention', 'input_layernorm', 'post_attention_layernorm' },
    attention = { fused = { fused } }, -- GPTNeoXAttention: view(..., 3 * head_size).chunk(3)
  },
  {
    model_types = { 'bloom' }, classes = { 'Bloom' },
    head = { tied = true },
    source = 'transformers: models/bloom/modeling_bloom.py, BloomMLP; BloomGelu is the tanh form',
    stacks = { { at = { 'h', 'transformer.h' }, count = { 'n_layer', 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size', 'n_embed' } }, d_ff = { keys = {}, times = 4 },
    activation = { implied = 'gelu_new' }, bias = true, names = names,
    around = {
      { place = 'before', what = 'LayerNorm', tensor = layernorm,
        text = 'eps {layer_norm_epsilon}' },
      { place = 'after', what = 'residual', text = 'x + y',
        when = { key = 'apply_residual_connection_post_layernorm', is = false, default = false } },
      { place = 'after', what = 'residual', text = 'of what the norm gives, not of x',
        when = { key = 'apply_residual_connection_post_layernorm', is = true, default = false } },
    },
    beside = { 'self_attention', 'input_layernorm', 'post_attention_layernorm' },
    attention = { fused = { fused } }, -- BloomAttention: _reshape
    must = { { key = 'slow_but_exact', is = false, default = false,
      why = 'its code then sums in slices, and leaves the bias out' } },
    known = { 'n_inner', 'unk_token_id', 'masked_softmax_fusion', 'bias_dropout_fusion',
      'offset_alibi', 'skip_bias_add', 'skip_bias_add_qkv', 'seq_length', 'hidden_dropout' },
  },
  {
    model_types = { 'falcon', 'RefinedWeb', 'RefinedWebModel' },
    head = { tied = true },
    classes = { 'Falcon', 'RW' },
    source = 'transformers: models/falcon/modeling_falcon.py, FalconMLP and FalconDecoderLayer',
    stacks = { { at = { 'h', 'transformer.h' }, count = { 'num_hidden_layers', 'n_layer' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'ffn_hidden_size' }, times = 4 },
    activation = { keys = { 'activation' }, default = 'gelu' },
    bias = { keys = { 'bias' } }, names = names,
    around = {
      { place = 'before', what = 'LayerNorm', tensor = 'ln_mlp.weight',
        text = 'of x, eps {layer_norm_epsilon}', optional = true },
      { place = 'before', what = 'LayerNorm', tensor = layernorm, optional = true,
        text = 'eps {layer_norm_epsilon}' },
      { place = 'before', what = 'LayerNorm', tensor = 'input_layernorm.weight', optional = true,
        text = 'eps {layer_norm_epsilon}: of this layer too where no other norm is here' },
      { place = 'after', what = 'residual', text = 'x + attention + y: a parallel block',
        when = { key = 'parallel_attn', is = true, default = true } },
      { place = 'after', what = 'residual', text = 'x + y',
        when = { key = 'parallel_attn', is = false, default = true } },
    },
    beside = { 'self_attention', 'input_layernorm', 'post_attention_layernorm', 'ln_attn',
      'ln_mlp' },
    -- FalconAttention: _split_heads.
    attention = { fused = {
      { name = 'query_key_value', rows = 'rows: for each head of k and v its heads of q, then k, '
        .. 'then v', when = { { key = 'new_decoder_architecture', is = true, default = false } } },
      { name = 'query_key_value', rows = { 'q', 'k', 'v' }, one_kv = true,
        when = { { key = 'multi_query', is = true, default = true } } },
      fused,
    } },
    known = { 'num_ln_in_parallel_attn', 'apply_residual_connection_post_layernorm' },
  },
  {
    model_types = { 'persimmon' }, classes = { 'Persimmon' },
    head = { tied = false },
    source = 'transformers: models/persimmon/modeling_persimmon.py, PersimmonMLP',
    stacks = { { at = { 'layers', 'model.layers' }, count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_act' } }, bias = true, names = names,
    around = blocks.norm_before('LayerNorm', layernorm, 'layer_norm_eps'),
    beside = { 'self_attn', 'input_layernorm', 'post_attention_layernorm' },
    attention = { fused = { fused } }, -- PersimmonAttention: _split_heads
  },
}
