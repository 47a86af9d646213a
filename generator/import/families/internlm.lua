--- InternLM, Baichuan, EXAONE 3: their own code.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

return {
  family.like(blocks.llama, {
    model_types = { 'internlm' }, classes = { 'InternLM' },
    head = {},
    source = 'internlm/internlm-7b: modeling_internlm.py, InternLMMLP; its key `bias` is that of '
      .. 'attention',
    known = { 'bias' },
  }),
  family.like(blocks.llama, {
    model_types = { 'internlm2' }, classes = { 'InternLM2' },
    gguf = { { 'internlm2', 'adjacent' } },
    head = {},
    source = 'internlm/internlm2-7b: modeling_internlm2.py, InternLM2MLP: w2(act(w1(x)) * w3(x))',
    names = { gate = 'feed_forward.w1', up = 'feed_forward.w3', down = 'feed_forward.w2' },
    around = blocks.norm_before('RMSNorm', 'ffn_norm.weight', 'rms_norm_eps'),
    beside = { 'attention', 'attention_norm', 'ffn_norm' },
    attention = { fused = { { name = 'wqkv', rows = 'rows: for each head of k and v its heads of '
      .. 'q, then k, then v' } } },
    known = { 'bias' },
  }),
  family.like(blocks.llama, {
    model_types = { 'internlm3' }, classes = { 'InternLM3', 'Llama' },
    head = {},
    source = 'internlm/internlm3-8b-instruct: modeling_internlm3.py, InternLM3MLP',
    bias = { keys = { 'mlp_bias', 'bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'baichuan' }, classes = { 'Baichuan', 'BaiChuan' },
    gguf = { { 'baichuan', 'adjacent' } },
    head = {},
    source = 'baichuan-inc/Baichuan2-7B-Chat: modeling_baichuan.py, MLP',
    known = { 'z_loss_weight', 'model_max_length', 'user_token_id', 'assistant_token_id' },
  }),
  family.like(blocks.llama, {
    model_types = { 'exaone' }, classes = { 'Exaone' },
    gguf = { { 'exaone', 'halves' } },
    head = {},
    source = 'LGAI-EXAONE/EXAONE-3.0-7.8B-Instruct: modeling_exaone.py, ExaoneGatedMLP: '
      .. 'c_proj(act(c_fc_0(x)) * c_fc_1(x))',
    stacks = { { at = { 'transformer.h' }, count = { 'num_layers' } } },
    activation = { keys = { 'activation_function' } },
    names = { gate = 'mlp.c_fc_0', up = 'mlp.c_fc_1', down = 'mlp.c_proj' },
    around = blocks.norm_before('RMSNorm', 'ln_2.weight', 'layer_norm_epsilon'),
    beside = { 'ln_1', 'attn', 'ln_2' },
    known = { 'embed_dropout' },
  }),
}
