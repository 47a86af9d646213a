--- Qwen: the first, whose width is that of both halves and whose gate is w2; 1.5 to 3.
local blocks = require 'import.family_blocks'
local config_values = require 'import.config_values'
local family = require 'import.family'

--- Its key says the width of gate and up together.
local function half_of(config)
  local key = 'intermediate_size'
  local both, because = config_values.size(config, { keys = { key } })
  if both % 2 ~= 0 then
    config:refuse_value(key, both, 'even: gate and up have one half each')
  end
  return both // 2, 'half of ' .. because
end

return {
  {
    model_types = { 'qwen' }, classes = { 'QWen', 'Qwen' },
    gguf = { { 'qwen', 'halves' } },
    source = 'Qwen/Qwen-7B: modeling_qwen.py, QWenMLP: w1(x) * silu(w2(x)), each of '
      .. 'intermediate_size // 2',
    stacks = { { at = { 'transformer.h', 'h' }, count = { 'num_hidden_layers' } } },
    d_model = { keys = { 'hidden_size' } },
    d_ff = { keys = { 'intermediate_size' }, width = half_of },
    activation = { implied = 'silu' },
    gated = true,
    bias = { keys = { 'no_bias' }, negated = true },
    names = { gate = 'mlp.w2', up = 'mlp.w1', down = 'mlp.c_proj' },
    around = blocks.norm_before('RMSNorm', 'ln_2.weight', 'layer_norm_epsilon'),
    beside = { 'ln_1', 'attn', 'ln_2' },
    known = { 'bf16', 'fp16', 'fp32', 'use_cache_quantization', 'use_cache_kernel' },
  },
  family.like(blocks.llama, {
    model_types = { 'qwen2' }, classes = { 'Qwen2' },
    gguf = { { 'qwen2', 'halves' }, { 'qwen2vl', 'halves' }, { 'dream', 'halves' } },
  }),
  family.like(blocks.llama, {
    model_types = { 'qwen3' }, classes = { 'Qwen3' },
    gguf = { { 'qwen3', 'halves' }, { 'qwen3vl', 'halves' } },
  }),
}
