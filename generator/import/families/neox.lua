--- Blocks of Megatron: GPT-NeoX and Pythia, BLOOM, Falcon, Persimmon.
local blocks = require 'import.family_blocks'

local names = { up = 'mlp.dense_h_to_4h', down = 'mlp.dense_4h_to_h' }
local layernorm = 'post_attention_layernorm.weight'
local fused = { name = 'query_key_value', rows = 'rows: for each head q, then k, then v' }

return {
  {
    model_types = { 'gpt_neox' }, classes = { 'GPTNeoX' },
    gguf = { { 'gptneox', 'halves', activation = 'gelu', parallel = 'use_parallel_residual',
      own = 'hidden_act of transformers\' GPTNeoXConfig is gelu',
      unsure = 'hidden_act of Pythia and most others is gelu, that of GPT-NeoX-20B gelu_fast, '
        .. 'which is gelu_tanh' } },
    head = { tied = false },
    code = 'GPTNeoXMLP and GPTNeoXLayer',
    stacks = { { at = { 'layers', 'gpt_neox.layers' }, count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_act' } }, bias = true, names = names,
    around = blocks.either('use_parallel_residual', true, {
      { place = 'before', what = 'LayerNorm', tensor = layernorm,
        text = 'of x, eps {layer_norm_eps}' },
      { place = 'after', what = 'residual', text = 'x + attention + y: a parallel block' },
    }, blocks.norm_before('LayerNorm', layernorm, 'layer_norm_eps')),
    beside = { 'attention', 'input_layernorm', 'post_attention_layernorm' },
    attention = { fused = { fused } }, -- GPTNeoXAttention: view(..., 3 * head_size).chunk(3)
  },
  {
    model_types = { 'bloom' }, classes = { 'Bloom' },
    gguf = { { 'bloom', 'none' } },
    head = { tied = true },
    code = 'BloomMLP; BloomGelu is the tanh form',
    stacks = { { at = { 'h', 'transformer.h' }, count = { 'n_layer', 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size', 'n_embed' } }, d_ff = { keys = {}, times = 4 },
    activation = { implied = 'gelu_new' }, bias = true, names = names,
    around = {
      { place = 'before', what = 'LayerNorm', tensor = layernorm,
        text = 'eps {layer_norm_epsilon}' },
      table.unpack(blocks.residual_of_norm),
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
    gguf = { { 'falcon', 'halves', around = { { 'before', 'LayerNorm', 'attn_norm',
      'what attention gives and this are both added to the residual' } },
      own = 'activation of transformers\' FalconConfig is gelu' } },
    head = { tied = true },
    classes = { 'Falcon', 'RW' },
    code = 'FalconMLP and FalconDecoderLayer',
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
    stacks = { { at = { 'layers', 'model.layers' }, count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' } },
    activation = { keys = { 'hidden_act' } }, bias = true, names = names,
    around = blocks.norm_before('LayerNorm', layernorm, 'layer_norm_eps'),
    beside = { 'self_attn', 'input_layernorm', 'post_attention_layernorm' },
    attention = { fused = { fused } }, -- PersimmonAttention: _split_heads
  },
}
