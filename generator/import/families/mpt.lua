--- MPT: four times the width, GELU by erf, no bias, and no key that its class reads of these.
local blocks = require 'import.family_blocks'

return {
  {
    model_types = { 'mpt' }, classes = { 'Mpt', 'MPT' },
    gguf = { { 'mpt', 'none', bias = 'either', own = 'MptMLP of transformers\' modeling_mpt.py is '
      .. 'nn.GELU(approximate="none")' } },
    head = { tied = true },
    code = 'MptMLP: nn.GELU(approximate="none"), 4 * hidden_size',
    stacks = { { at = { 'blocks', 'transformer.blocks' }, count = { 'n_layers' } } },
    d_model = { keys = { 'd_model' } }, d_ff = { keys = {}, times = 4 },
    activation = { implied = 'gelu' },
    names = { up = 'ffn.up_proj', down = 'ffn.down_proj' },
    -- MptAttention: chunk(3).
    attention = { fused = { { name = 'Wqkv', rows = { 'q', 'k', 'v' }, equal = true } } },
    around = blocks.norm_before('LayerNorm', 'norm_2.weight', 'layer_norm_epsilon'),
    beside = { 'norm_1', 'attn', 'norm_2' },
    known = { 'no_bias', 'expansion_ratio', 'init_config', 'verbose', 'tokenizer_name' },
  },
}
