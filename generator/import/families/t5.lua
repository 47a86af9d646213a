--- T5: encoder and decoder; feed_forward_proj tells activation and gate: gated-gelu is gelu_new.
local norm = 'layer.%d.layer_norm.weight'

local function stack(at, layer, count)
  return {
    at = { at .. '.block', 'transformer.' .. at .. '.block' }, count = { count }, optional = true,
    count_default = { 'num_layers' },
    inside = ('layer.%d.DenseReluDense.'):format(layer),
    around = {
      { place = 'before', what = 'RMSNorm', tensor = norm:format(layer),
        text = 'eps {layer_norm_epsilon}' },
      { place = 'after', what = 'residual', text = 'x + y' },
    },
    beside = layer == 1 and { 'layer.0', 'layer.1.layer_norm' }
      or { 'layer.0', 'layer.1', 'layer.2.layer_norm' },
  }
end

return {
  {
    model_types = { 't5', 'mt5', 'umt5' }, classes = { 'T5', 'MT5', 'UMT5' },
    gguf = {
      { 't5', 'none', activation = 'gelu_tanh', plain = 'relu', stacks = { 'enc.', 'dec.' } },
      { 't5encoder', 'none', source = 't5', activation = 'gelu_tanh', plain = 'relu',
        stacks = { 'enc.' }, head = false },
    },
    head = { tied = true },
    source = 'transformers: models/t5/configuration_t5.py and modeling_t5.py, T5DenseActDense and '
      .. 'T5DenseGatedActDense',
    stacks = {
      stack('encoder', 1, 'num_layers'),
      stack('decoder', 2, 'num_decoder_layers'),
    },
    d_model = { keys = { 'd_model' } }, d_ff = { keys = { 'd_ff' } },
    activation = {
      keys = { 'feed_forward_proj' }, default = 'relu',
      forms = {
        relu = { 'relu', false }, gelu = { 'gelu', false }, silu = { 'silu', false },
        ['gated-gelu'] = { 'gelu_new', true }, ['gated-silu'] = { 'silu', true },
        ['gated-relu'] = { 'relu', true },
      },
    },
    gated = true,
    names = { gate = 'wi_0', up = 'wi_1', down = 'wo' },
    names_plain = { up = 'wi', down = 'wo' },
    known = { 'dense_act_fn', 'is_gated_act', 'task_specific_params', 'output_past' },
  },
}
