--- GPT-2 and its kin: Conv1D is [in][out], torch.nn.Linear, which the others have, [out][in].
local blocks = require 'import.family_blocks'
local family = require 'import.family'

local each_head = 'rows: for each head q, then k, then v'
local linear = { up = 'mlp.c_fc', down = 'mlp.c_proj' }
local gptj = {
  head = { tied = false },
  stacks = { { at = { 'h', 'transformer.h' }, count = { 'n_layer', 'num_hidden_layers' } } },
  d_model = { keys = { 'n_embd', 'hidden_size' } },
  d_ff = { keys = { 'n_inner' }, times = 4 },
  activation = { keys = { 'activation_function' } },
  bias = true,
  names = { up = 'mlp.fc_in', down = 'mlp.fc_out' },
  around = blocks.parallel('LayerNorm', 'ln_1.weight', 'layer_norm_epsilon'),
  beside = { 'ln_1', 'attn' },
}

return {
  family.like(blocks.gpt2, {
    model_types = { 'gpt2' }, classes = { 'GPT2' },
    gguf = { { 'gpt2', 'none' }, { 'jais', 'none', gated = true } },
    code = 'GPT2MLP; Conv1D of pytorch_utils.py is [in][out]',
  }),
  family.like(blocks.gpt2, {
    model_types = { 'gpt_bigcode' }, classes = { 'GPTBigCode' }, names = linear,
    gguf = { { 'starcoder', 'none' }, { 'codeshell', 'halves' } },
    -- GPTBigCodeAttention: c_attn.
    attention = { fused = {
      { name = 'c_attn', rows = { 'q', 'k', 'v' }, one_kv = true,
        when = { { key = 'multi_query', is = true, default = true } } },
      { name = 'c_attn', rows = each_head },
    } },
    known = { 'inference_runner', 'validate_runner_input', 'runner_max_sequence_length',
      'max_batch_size', 'pad_key_length', 'pre_allocate_kv_cache' },
  }),
  family.like(blocks.gpt2, {
    model_types = { 'gpt_neo' }, classes = { 'GPTNeo' }, names = linear, attention = false,
    stacks = { { at = { 'h', 'transformer.h' }, count = { 'num_layers' } } },
    d_model = { keys = { 'hidden_size' } }, d_ff = { keys = { 'intermediate_size' }, times = 4 },
  }),
  family.like(gptj, {
    model_types = { 'gptj' }, classes = { 'GPTJ' },
    gguf = { { 'gptj', refused = 'llama.cpp builds no such model' } },
    code = 'GPTJMLP and GPTJBlock',
  }),
  family.like(gptj, {
    model_types = { 'codegen' }, classes = { 'CodeGen' },
    code = 'CodeGenMLP and CodeGenBlock',
    -- CodeGenAttention: mp_num = 4; query, value, key = torch.split(...).
    attention = { fused = { { name = 'qkv_proj',
      rows = 'rows: 4 groups, each a fourth of the heads: q, then v, then k' } } },
  }),
}
