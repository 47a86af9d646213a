--- Llama, and models that name themselves so: Yi, TinyLlama, SmolLM 2, Falcon 3, Salamandra.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

return {
  family.like(blocks.llama, {
    model_types = { 'llama' }, classes = { 'Llama' },
    gguf = {
      { 'llama', 'adjacent', bias = 'either', experts = true,
        router = { gating = 'softmax', norm = true } },
      { 'deci', 'adjacent', bias = 'either' }, { 'xverse', 'adjacent' }, { 'llada', 'adjacent' },
      { 'openelm', 'halves' }, { 'refact', 'none' }, { 'eurobert', 'halves', head = false },
      { 'plamo', 'halves', around = 'attn_norm' },
    },
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'Yi' }, classes = { 'Yi' },
    head = {},
    source = '01-ai/Yi: modeling_yi.py, YiMLP',
    beside = { 'ln1', 'ln2' },
    around = blocks.norm_before('RMSNorm', 'ln2.weight', 'rms_norm_eps'),
  }),
  family.like(blocks.llama, {
    model_types = { 'smollm3' }, classes = { 'SmolLM3' },
    gguf = { { 'smollm3', 'adjacent' } },
    head = { tied = true },
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'seed_oss' }, classes = { 'SeedOss' },
    gguf = { { 'seed_oss', 'halves', source = 'seed-oss', around = 'post_attention_norm' } },
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'helium' }, classes = { 'Helium' },
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'hunyuan_v1_dense' }, classes = { 'HunYuanDenseV1' },
    gguf = { { 'hunyuan-dense', 'halves' } },
  }),
  family.like(blocks.llama, {
    model_types = { 'ernie4_5' }, classes = { 'Ernie4_5' },
    gguf = { { 'ernie4_5', 'adjacent', source = 'ernie4-5' } },
    head = { tied = true },
    bias = { keys = { 'use_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'diffllama' }, classes = { 'DiffLlama' },
    known = { 'lambda_std_dev' },
  }),
  family.like(blocks.llama, {
    model_types = { 'orion' }, classes = { 'Orion' },
    gguf = { { 'orion', 'halves' } },
    head = {},
    source = 'OrionStarAI/Orion: modeling_orion.py, OrionMLP',
    around = blocks.norm_before('LayerNorm', 'post_attention_layernorm.weight', 'rms_norm_eps'),
  }),
  family.like(blocks.llama, {
    model_types = { 'arcee' }, classes = { 'Arcee' },
    gguf = { { 'arcee', 'adjacent', activation = 'relu2' },
      { 'plm', 'adjacent', activation = 'relu2' } },
    gated = false, names = { up = 'mlp.up_proj', down = 'mlp.down_proj' },
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
}
