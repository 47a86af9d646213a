--- MPT: four times the width, GELU by erf, no key that says either.
local blocks = require 'import.blocks'

return {
  {
    model_types = { 'mpt' }, classes = { 'Mpt', 'MPT' },
    source = 'transformers: models/mpt/modeling_mpt.py, MptMLP: nn.GELU(approximate="none"), '
      .. '4 * hidden_size',
    stacks = { { at = { 'blocks', 'transformer.blocks' }, count = { 'n_layers' } } },
    d_model = { keys = { 'd_model' } }, d_ff = { keys = {}, times = 4 },
    activation = { implied = 'gelu' },
    bias = { keys = { 'no_bias' }, default = true, negated = true },
    names = { up = 'ffn.up_proj', down = 'ffn.down_proj' },
    around = blocks.norm_before('LayerNorm', 'norm_2.weight', 'layer_norm_epsilon'),
    beside = { 'norm_1', 'attn', 'norm_2' },
    must = { { key = 'expansion_ratio', is = 4, default = 4,
      why = 'the code of transformers takes 4 whatever it says' } },
    known = { 'init_config', 'verbose', 'tokenizer_name' },
  },
}
