--- Two matrices with an activation between them, plain or gated.
local gated = require 'kind.gated'
local naming = require 'kind.naming'

return {
  name = 'ffn',
  computes = 'y = act(x W_up^T) W_down^T, or of a gated variant y = (act(x W_gate^T) * (x W_up^T)) '
    .. 'W_down^T.',
  fields = { 'variant', 'd_model', 'd_ff', 'd_out' }, also = { 'beta', 'parameters', 'sparse' },
  meanings = { d_out = 'Of ffn it may be left out: d_model.' },
  named_by = 'variant', choices = 'variant_names', square = true,
  dropout = { 'hidden', 'output' },

  shape = function(check, s)
    s.variant = check:get_choice('variant', s.activations.variant_names)
    s.d_ff = check:get_size('d_ff', s.d_model)
    s.d_out = check.given.d_out == nil and s.d_model or check:get_size('d_out', s.d_model)
    s.parameters = check:parameters(check.given, s.activations.by_variant[s.variant].activation, {})
  end,

  stages = function(l, is_gated)
    local up = {
      name = 'up', outputs = l.d_ff, called = 'd_ff', matrices = { 'up' }, applied = l.variant,
      parameters = l.parameters,
    }
    return {
      is_gated and gated.stage(l, 'd_ff') or up,
      { name = 'down', outputs = l.d_out, called = 'd_out', matrices = { 'down' } },
    }
  end,

  front = naming.applied('variant', 'variant_names'),
  back = naming.sizes({ 'd_model', 'd_ff', 'd_out' }, true),
  english = function(l, applied)
    return ('FFN %s, %d -> %d -> %d'):format(applied(l.variant, l.parameters), l.d_model, l.d_ff,
      l.d_out)
  end,
}
