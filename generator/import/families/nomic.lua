--- Nomic's BERT: as its own code has it, up first (fc11) and gate second (fc12); and as
--- transformers has it.
local blocks = require 'import.family_blocks'
local family = require 'import.family'

-- conversion_mapping.py: attn.Wqkv is cut into three.
local attention = { fused = { { name = 'Wqkv', rows = { 'q', 'k', 'v' }, equal = true } } }

return {
  {
    model_types = { 'nomic_bert' }, classes = { 'NomicBert' }, needs = 'n_embd',
    source = 'nomic-ai/nomic-bert-2048: modeling_hf_nomic_bert.py, NomicBertGatedMLP: fc11(x) * '
      .. 'act(fc12(x))',
    stacks = { { at = { 'encoder.layers', 'bert.encoder.layers' }, count = { 'n_layer' } } },
    d_model = { keys = { 'n_embd' } }, d_ff = { keys = { 'n_inner' } },
    activation = {
      keys = { 'activation_function' },
      forms = { swiglu = { 'silu', true }, geglu = { 'gelu', true }, glu = { 'sigmoid', true },
        gelu = { 'gelu', false } },
    },
    gated = true,
    bias = {
      gate = { keys = { 'mlp_fc1_bias' } }, up = { keys = { 'mlp_fc1_bias' } },
      down = { keys = { 'mlp_fc2_bias' } },
    },
    names = { gate = 'mlp.fc12', up = 'mlp.fc11', down = 'mlp.fc2' },
    names_plain = { up = 'mlp.fc1', down = 'mlp.fc2' },
    around = blocks.post_norm('norm2.weight', 'layer_norm_epsilon'),
    beside = { 'attn', 'norm1', 'norm2' }, attention = attention, head = {},
    must = {
      { key = 'prenorm', is = false, default = false,
        why = 'then its norms lie in front' },
      { key = 'norm_mlp', is = false, default = false,
        why = 'then a norm lies between the matrices' },
      { key = 'use_rms_norm', is = false, default = false, why = 'its norms are then others' },
      { key = 'parallel_block', is = false, default = false,
        why = 'then it stands beside attention' },
    },
    known = { 'parallel_block_tied_norm', 'residual_in_fp32', 'dense_seq_output', 'use_xentropy' },
  },
  family.like(blocks.llama, {
    model_types = { 'nomic_bert' }, classes = { 'NomicBert' }, needs = 'hidden_size',
    gguf = { { 'nomic-bert', 'halves', source = 'bert', head = false },
      { 'nomic-bert-moe', refused = 'its experts have biases that all of them share' } },
    code = 'NomicBertMLP; conversion_mapping.py: its files keep fc11 for up and fc12 for gate',
    stacks = { { at = { 'encoder.layers', 'nomic_bert.encoder.layers', 'bert.encoder.layers' },
      count = { 'num_hidden_layers' } } },
    names = { gate = 'mlp.fc12', up = 'mlp.fc11', down = 'mlp.fc2' },
    around = blocks.post_norm('norm2.weight', 'layer_norm_eps'),
    beside = { 'attn', 'norm1', 'norm2' }, attention = attention, head = { tied = true },
  }),
}
