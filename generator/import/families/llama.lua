--- Llama, and models that name themselves so: Yi, TinyLlama, SmolLM 2, Falcon 3, Salamandra.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

return {
  family.like(blocks.llama, {
    model_types = { 'llama' }, classes = { 'Llama' },
    source = 'transformers: models/llama/modeling_llama.py, LlamaMLP',
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
    head = { tied = true },
    source = 'transformers: models/smollm3/modeling_smollm3.py, SmolLM3MLP',
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'seed_oss' }, classes = { 'SeedOss' },
    source = 'transformers: models/seed_oss/modeling_seed_oss.py, SeedOssMLP',
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'helium' }, classes = { 'Helium' },
    source = 'transformers: models/helium/modeling_helium.py, HeliumMLP',
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'hunyuan_v1_dense' }, classes = { 'HunYuanDenseV1' },
    source = 'transformers: models/hunyuan_v1_dense/modeling_hunyuan_v1_dense.py, '
      .. 'HunYuanDenseV1MLP',
  }),
  family.like(blocks.llama, {
    model_types = { 'ernie4_5' }, classes = { 'Ernie4_5' },
    head = { tied = true },
    source = 'transformers: models/ernie4_5/modeling_ernie4_5.py, Ernie4_5MLP',
    bias = { keys = { 'use_bias' }, default = false },
  }),
  family.like(blocks.llama, {
    model_types = { 'diffllama' }, classes = { 'DiffLlama' },
    source = 'transformers: models/diffllama/modeling_diffllama.py, DiffLlamaMLP',
    known = { 'lambda_std_dev' },
  }),
  family.like(blocks.llama, {
    model_types = { 'orion' }, classes = { 'Orion' },
    head = {},
    source = 'OrionStarAI/Orion: modeling_orion.py, OrionMLP',
    around = blocks.norm_before('LayerNorm', 'post_attention_layernorm.weight', 'rms_norm_eps'),
  }),
  family.like(blocks.llama, {
    model_types = { 'arcee' }, classes = { 'Arcee' },
    source = 'transformers: models/arcee/modeling_arcee.py, ArceeMLP',
    gated = false, names = { up = 'mlp.up_proj', down = 'mlp.down_proj' },
    bias = { keys = { 'mlp_bias' }, default = false },
  }),
}
